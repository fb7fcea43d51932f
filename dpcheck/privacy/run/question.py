"""What is asked of a learner, checked and complete before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, cast

import numpy as np
from numpy.random import SeedSequence

from dpcheck.execution import Isolation
from dpcheck.execution.code_constants import constants_of_learner
from dpcheck.execution.executor import Executor
from dpcheck.execution.introspection import CLAIM, NEIGHBOURS, OFFERS_SAMPLE, ORDER_BLIND, RELEASES, UNREAD, described
from dpcheck.execution.kept_parts import Part
from dpcheck.model.claims import Claim, as_claim, claim_point
from dpcheck.model.data import describe_dataset, features_and_labels, is_frame, is_labelled, same_dataset, size_of
from dpcheck.model.data.conversion import alike
from dpcheck.model.data.forms import AUTO, FORMS, PLAIN_FORMS, Form, form_of, has_pandas
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import Target, attribute_of, declares_law
from dpcheck.model.neighbours import AddRemove, LabelsOnly, Pair, Relation, ReplaceOne, as_relation, pairs_given
from dpcheck.model.neighbours.domains import Columns, LabelledDomain
from dpcheck.model.neighbours.pairs import describe_change
from dpcheck.model.neighbours.schema import Schema, in_declared_size, schema_of
from dpcheck.model.verdict import Finding, Looked
from dpcheck.privacy.pairs.candidates import candidate_pairs, distinct_pairs, most_pairs
from dpcheck.privacy.pairs.constant_pairs import more_pairs
from dpcheck.privacy.run.adversary_view import target_under
from dpcheck.privacy.run.domain import domain_of
from dpcheck.privacy.run.limits import Limits, refuse_what_all_keep
from dpcheck.privacy.statistics.judge import default_detect

#: Pairs made from a dataset: beyond this many no budget brings them anywhere.
MADE_PAIRS = 400
#: Pairs that a search looks at together; of labelled data, where the calls are planned, and of a dataset's schema.
BLOCK = 64
PLANNED_BLOCK = 40
#: So many pairs longer is a block that has larger datasets too.
MORE_BESIDE = 40
#: Candidates of one size of which the last ones are taken where a few datasets of that size are asked for.
CANDIDATES_OF_SIZE = 16
#: Calls of an audit where ``max_samples`` is not given; and those of one of labelled data, or of a dataset's schema,
#: which ends before them once it has seen enough: 40,000 calls of a millisecond take less than a minute.
DEFAULT_CALLS, PLANNED_CALLS = 1_000_000, 150_000
#: Seconds where ``max_seconds`` is not given: where calls are planned the clock is a safety net only.
DEFAULT_SECONDS, PLANNED_SECONDS = 60.0, 600.0
#: Of the pairs that are searched beside a dataset every so manieth is one of its own.
OWN_EVERY = 4
#: What the relation is called of a learner that died before it said which.
_UNKNOWN = "neighbours not known"
#: exp(epsilon) must be a number; and no run tells such claims from no claim.
LARGEST_EPSILON = 700.0
#: First word of the seed's spawn keys, a stream each: pairs, coins, choices, the learner itself.
PAIR_STREAM, COIN_STREAM, CHOICE_STREAM, LEARNER_STREAM = range(4)


@dataclass(frozen=True)
class Question:
    """A learner, its claim (None to measure), the pairs to try and the limits of the run.

    What those leave to the claim and the data is decided here: ``detect``, ``max_samples`` and ``max_seconds``.

    ``searched`` says that the pairs are the first of those that the relation has, and that more may be searched;
    ``shrinking`` that half of alpha is kept for a smaller form of the pair that is found.

    Where pairs are searched beside a dataset, ``schema`` is what small ones are made from and ``own`` are the pairs
    made of the dataset itself. ``planned``: no number of calls was asked for, so that the audit ends once it has seen
    enough. ``forms`` are those in which data may be handed to the learner (None: as they are), ``form`` the one used.
    ``larger``: sizes that are searched beside those tried anyway, a pair of them for each other one. ``kept``: where
    answers are kept, if this is asked within a longer run that has a journal of its own.
    """

    target: Target
    claim: Claim | None
    relation_name: str
    pairs: tuple[Pair, ...]
    limits: Limits
    detect: float
    max_samples: int
    max_seconds: float
    findings: tuple[Finding, ...]
    relation: Relation | None = None
    searched: bool = False
    shrinking: bool = False
    looked: Looked | None = None
    schema: Schema | None = None
    own: tuple[Pair, ...] = ()
    planned: bool = False
    forms: tuple[Form | None, ...] = ()
    form: Form | None = None
    constants: tuple[int | float | str, ...] = ()
    larger: range | None = None
    kept: Part | None = None

    @property
    def executor(self) -> Executor:
        """Who runs the learner."""
        isolation = cast(Isolation, self.limits.isolation)
        return Executor(self.limits.jobs, isolation, self.limits.resources, self.limits.executor)

    @property
    def block(self) -> int:
        """How many pairs a search looks at together."""
        relation = self.relation if self.schema is None else self.schema.relation
        assert relation is not None
        return _block(relation, self.constants, planned=self.planned) + (MORE_BESIDE if self.larger else 0)

    def candidates(self) -> Iterator[Pair]:
        """The stream of pairs that a search tries: the same ones for the same seed."""
        assert self.relation is not None
        if self.schema is None:
            usual = candidates_of(self.relation, self.limits.seed, self.constants)
            larger = None if self.larger is None else of_size(self.relation, self.larger)
            return usual if larger is None else _in_turn(candidates_of(larger, self.limits.seed), usual)
        return candidates_beside(self.schema, self.own, self.limits.seed, self.constants)

    def handed(self, datasets: Sequence[Any]) -> list[Any]:
        """Datasets in the form in which the learner is given them."""
        return [dataset if self.form is None else self.form.of(dataset) for dataset in datasets]

    @property
    def datasets(self) -> tuple[Any, ...]:
        """All datasets, each once, in the order of first use."""
        return tuple({id(d): d for pair in self.pairs for d in (pair.left, pair.right)}.values())

    def dataset_numbers(self) -> tuple[tuple[int, int], ...]:
        """The number of the left and of the right dataset of each pair, in :attr:`datasets`."""
        number = {id(d): i for i, d in enumerate(self.datasets)}
        return tuple((number[id(pair.left)], number[id(pair.right)]) for pair in self.pairs)

    def stream(self, *key: int) -> SeedSequence:
        """The seed of one stream: it depends on the run's seed and the key alone."""
        return SeedSequence(self.limits.seed, spawn_key=key)


def ask(
    learner: Any,
    claim: Any,
    *,
    measuring: bool,
    limits: Limits,
    neighbours: Any = None,
    dataset: Any = None,
    pairs: Any = None,
    name: str | None = None,
    options: dict[str, Any] | None = None,
    shrink: bool | None = False,
    exhaustive: bool = False,
    small: bool = False,
    form: Form | str | None = None,
) -> Question:
    """Check what else an audit or a measurement takes and complete it from what the learner says of itself.

    ``small``: where a dataset is given, small ones of its schema are searched too.

    Raises
    ------
    InvalidArgument
        One line: which argument, what it got, what it wants.
    """
    wanted_form = form_of(form)
    promised = claim if isinstance(claim, int | float | Claim) else None
    wanted = _wanted(claim, neighbours, measuring=measuring)
    target = described(
        learner,
        isolation=limits.isolation,
        resources=limits.resources,
        wanted=wanted,
        name=name,
        options=options,
        claim=promised,
    )
    found = None if measuring else _claim(claim, target)
    epsilon, delta = claim_point(found) if found is not None else (0.0, 0.0)
    if not exhaustive:  # a law may be compared with what every learner keeps; calls would be made for nothing
        refuse_what_all_keep(epsilon, delta)
    if epsilon > LARGEST_EPSILON:
        raise InvalidArgument(
            f"claim must have an epsilon of at most {LARGEST_EPSILON:g} (runs refute no more), got {epsilon:g}"
        )
    # what is promised is the learner's claim, whatever of it is seen
    kept = neighbours if neighbours is not None else _own_relation(target)
    still = tuple(name for name in wanted if name in (NEIGHBOURS, ORDER_BLIND, UNREAD))
    target = described(target_under(target, kept), isolation=limits.isolation, resources=limits.resources, wanted=still)
    # laws are worked out on all first pairs at once, whatever that costs on larger data
    searching = pairs is None and not exhaustive and (dataset is None or small) and not declares_law(target)
    constants = constants_of_learner(target) if searching else ()
    relation: Relation | None
    chosen: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    schema: Schema | None = None
    own: tuple[Pair, ...] = ()
    if exhaustive:  # all pairs of the relation's domain are made where they are compared
        relation, chosen, findings = _exhaustive(neighbours, dataset, pairs, target), (), ()
        left_out = 0
    else:
        if small and dataset is not None and pairs is None:
            schema = _schema(neighbours, dataset, target)
        if schema is None:
            relation, chosen, findings, left_out = _pairs(neighbours, dataset, pairs, target, limits.seed, constants)
        else:
            relation, chosen, own, findings = _beside(
                schema, neighbours, dataset, target, limits.seed, constants, measuring=measuring
            )
            left_out = 0
    searched = (dataset is None or schema is not None) and pairs is None and not exhaustive
    planned = limits.max_samples is None and searched and (schema is not None or _is_of(relation, LabelledDomain))
    if shrink is not None and not isinstance(shrink, bool):
        raise InvalidArgument(f"shrink must be True, False or None (searched pairs only), got {shrink!r}")
    unknown = target.died and relation is None and not chosen
    return Question(
        target=target,
        claim=found,
        relation_name=relation.name if relation is not None else _UNKNOWN if unknown else "neighbours on your word",
        pairs=chosen,
        limits=limits,
        detect=default_detect(epsilon) if limits.detect is None else _detect(limits.detect, epsilon),
        max_samples=limits.max_samples or (PLANNED_CALLS if planned else DEFAULT_CALLS),
        max_seconds=limits.max_seconds or (PLANNED_SECONDS if planned else DEFAULT_SECONDS),
        findings=(*findings, *_unread(target)),
        relation=relation,
        searched=searched,
        shrinking=searched if shrink is None else shrink,
        looked=None
        if unknown
        else domain_of(
            relation,
            chosen,
            dataset=dataset,
            given=pairs is not None,
            exhaustive=exhaustive,
            left_out=left_out,
            schema=schema,
            own=bool(own),
        ),
        schema=schema,
        own=own,
        planned=planned,
        constants=constants if searched else (),
        forms=_forms(wanted_form, target, relation, chosen, given=dataset is not None or pairs is not None),
    )


def _wanted(claim: Any, neighbours: Any, *, measuring: bool) -> tuple[str, ...]:
    """What the learner itself has to say: what is given is not asked for."""
    asked = {
        CLAIM: claim is None and not measuring,
        NEIGHBOURS: neighbours is None,
        ORDER_BLIND: True,
        RELEASES: True,
        UNREAD: True,
        # What a run looks for when it begins: a property that never comes back is noticed here, under a limit.
        OFFERS_SAMPLE: True,
    }
    return tuple(name for name, is_wanted in asked.items() if is_wanted)


def _own_relation(target: Target) -> Any:
    """The relation that the learner declares; None where it died before it said one, and the run will say so."""
    if target.died:
        return None
    return attribute_of(target, "neighbours")


def _exhaustive(neighbours: Any, dataset: Any, pairs: Any, target: Target) -> Relation:
    """The relation whose finite domain is to be enumerated."""
    if dataset is not None or pairs is not None:
        given = "dataset" if dataset is not None else "pairs"
        raise InvalidArgument(f"{given} must not be given with exhaustive=True, which makes all pairs of neighbours=")
    if target.died:
        raise LearnerDied(target.died)
    promised = neighbours if neighbours is not None else attribute_of(target, "neighbours")
    if promised is None:
        raise InvalidArgument(
            "neighbours must be given with exhaustive=True, with finite records and a size such as "
            "ReplaceOne(records=[0, 1], size=3), got None"
        )
    if not declares_law(target):
        raise InvalidArgument(
            f"exhaustive=True wants a learner that declares its law, got {target.name}, which has no "
            "distribution(dataset)"
        )
    return as_relation(promised)


def _claim(claim: Any, target: Target) -> Claim:
    promised = attribute_of(target, "claim") if claim is None else claim
    if promised is None:
        raise InvalidArgument(
            f"claim must be given, since {target.name} carries none: an epsilon (a number), PureDP(epsilon), "
            "ApproxDP(epsilon, delta), ZeroConcentratedDP(rho), RenyiDP(order, epsilon) or GaussianDP(mu), got None"
        )
    return as_claim(promised)


def _pairs(
    neighbours: Any,
    dataset: Any,
    pairs: Any,
    target: Target,
    seed: int,
    constants: Sequence[int | float | str],
) -> tuple[Relation | None, tuple[Pair, ...], tuple[Finding, ...], int]:
    """The relation, the pairs, what is to be told of them, and how many more could have been made."""
    if dataset is not None and pairs is not None:
        raise InvalidArgument(
            "give pairs or dataset, not both: pairs=[(left, right)] are taken as they are, "
            "dataset= makes pairs from real data"
        )
    promised = neighbours if neighbours is not None else _own_relation(target)
    relation = as_relation(promised) if promised is not None else None
    if pairs is not None:
        given = pairs_given(pairs, relation, seed=seed)
        for number, pair in enumerate(given, start=1):
            if same_dataset(pair.left, pair.right):
                shown = describe_dataset(pair.left)
                raise InvalidArgument(f"pair {number} must hold two different datasets, got {shown} twice")
        return relation, given, _far_apart(given) if relation is None else (), 0
    if dataset is None:
        if relation is None and target.died:
            return None, (), (), 0
        if relation is None:
            raise InvalidArgument(
                "neighbours, dataset or pairs must be given, got none: neighbours=ReplaceOne(records=(0, 1)) to search "
                "for pairs, dataset=... to make them from real data, pairs=[(left, right)] for those you know"
            )
        return relation, first_candidates(relation, seed, constants), (), 0
    used = relation if relation is not None else ReplaceOne()
    rng = np.random.default_rng(SeedSequence(seed, spawn_key=(PAIR_STREAM,)))
    made = used.pairs_from(dataset, rng, MADE_PAIRS)
    if not made.pairs:
        raise InvalidArgument(f"dataset must have neighbours under {used.name}, got {describe_dataset(dataset)}")
    notes = tuple(Finding("pairs", note) for note in made.notes)
    return used, made.pairs, notes, made.left_out


def _far_apart(given: Sequence[Pair]) -> tuple[Finding, ...]:
    """That a pair taken on the user's word differs in more than one record: of it a claim about one says less."""
    for number, pair in enumerate(given, start=1):
        try:
            far = all(relation.distance_problem(pair.left, pair.right) for relation in (ReplaceOne(), AddRemove()))
        except Exception:  # no datasets of records, or records whose comparison raises: nothing is known of them
            continue
        if far:
            words = (
                f"pair {number} differs in more than one record ({pair.change}), neighbours on your word alone: "
                "an ordinary claim is about one record, and promises less of such a pair; neighbours=ReplaceOne() or "
                "AddRemove() has pairs checked"
            )
            return (Finding("neighbours", words),)
    return ()


def _schema(neighbours: Any, dataset: Any, target: Target) -> Schema | None:
    """The schema of a dataset, unless small datasets are not in the claim or cannot be made."""
    promised = neighbours if neighbours is not None else _own_relation(target)
    return schema_of(dataset, as_relation(promised) if promised is not None else ReplaceOne())


def _beside(
    schema: Schema,
    neighbours: Any,
    dataset: Any,
    target: Target,
    seed: int,
    constants: Sequence[int | float | str],
    *,
    measuring: bool,
) -> tuple[Relation, tuple[Pair, ...], tuple[Pair, ...], tuple[Finding, ...]]:
    """The relation of a search, its first pairs, those of the dataset itself, and what is to be told of them."""
    promised = neighbours if neighbours is not None else _own_relation(target)
    relation = as_relation(promised) if promised is not None else ReplaceOne()
    own: tuple[Pair, ...] = ()
    notes: tuple[Finding, ...] = ()
    if in_declared_size(dataset, relation):
        _, own, notes, _ = _pairs(neighbours, dataset, None, target, seed, constants)
    else:
        notes = (Finding("pairs", "the dataset is not of the declared size: only its columns and labels are used"),)
    if relation.size is None:
        size = size_of(dataset)
        words = (
            f"{'what is measured' if measuring else 'the claim'} is taken to be of datasets of any size, so small ones "
            f"like yours are looked at too; where it is of {size:,} records alone, declare that (--size {size}, or "
            f"size={size} in the relation)"
        )
        notes = (*notes, Finding("sizes", words))
    count = _block(schema.relation, constants, planned=True)
    chosen = tuple(distinct_pairs(candidates_beside(schema, own, seed, constants), count, []))
    if not chosen:
        raise InvalidArgument(f"dataset must have neighbours under {relation.name}, got {describe_dataset(dataset)}")
    if declares_law(target):  # laws are compared on pairs at once: on all of the dataset's own too
        chosen = (*chosen, *(pair for pair in own if pair not in chosen))
    # smaller forms of a pair keep to the schema's records, and may have any size that is declared
    return replace(schema.relation, size=relation.size), chosen, own, notes


def _is_of(relation: Relation | None, kind: type[LabelledDomain] | type[Columns]) -> bool:
    records = None if relation is None else relation.records
    return records is not None and isinstance(records.domain, kind)


def _forms(
    form: Form | None, target: Target, relation: Relation | None, pairs: Sequence[Pair], *, given: bool
) -> tuple[Form | None, ...]:
    """The forms to be tried, the first in which the learner answers to be used: none where data are as they are.

    Data that somebody gives have the form that was chosen for them.
    """
    if form is not None and form.kind != AUTO:
        return (form,)
    known = isinstance(relation, ReplaceOne | AddRemove | LabelsOnly)
    labelled = is_labelled(pairs[0].left) if pairs else _is_of(relation, LabelledDomain)
    if not known or (form is None and (given or not (labelled or _is_of(relation, Columns)))):
        return ()
    kinds = FORMS if labelled else PLAIN_FORMS
    base = form if form is not None else Form(AUTO)
    # with labels they come as a pair of arrays, or of a frame and an array, which may be none of the forms; of columns
    # as the first form, a table
    framed = labelled and bool(pairs) and is_frame(features_and_labels(pairs[0].left)[0])
    made: tuple[Form | None, ...] = (None,) if framed or (form is None and labelled) else ()
    return (*made, *(replace(base, kind=kind) for kind in kinds if kind != "frame" or has_pandas()))


def _unread(target: Target) -> tuple[Finding, ...]:
    """What an adapter could not read from another library's object: the claim's user must know."""
    if target.described is None:
        said = getattr(target.original, "unread", ())
    else:
        said = target.described.values.get(UNREAD, ())
    sentences = said if isinstance(said, tuple) else ()
    return tuple(Finding("not read from the object", text) for text in sentences if isinstance(text, str))


def candidates_of(relation: Relation, seed: int, constants: Sequence[int | float | str] = ()) -> Iterator[Pair]:
    """The stream of pairs that a search tries: the same ones for the same seed and constants of the learner."""
    return candidate_pairs(relation, np.random.default_rng(SeedSequence(seed, spawn_key=(PAIR_STREAM,))), constants)


def _in_turn(larger: Iterator[Pair], usual: Iterator[Pair]) -> Iterator[Pair]:
    """A pair of the larger datasets for each other one: small ones may tell something too, though rarely."""
    while some := [*islice(larger, 1), *islice(usual, 1)]:
        yield from some


def of_size(relation: Relation | None, size: int | range | None) -> ReplaceOne | AddRemove | LabelsOnly | None:
    """The relation between datasets of this size; None where it is none of those that have one."""
    if isinstance(relation, ReplaceOne | AddRemove | LabelsOnly) and not hasattr(relation, "pair_strategy"):
        return replace(relation, size=size)
    return None


def datasets_of_size(question: Question, size: int, count: int) -> list[Any]:
    """A few datasets of a size: of the candidates later ones, for the records of the first ones are all but alike."""
    relation = of_size(question.relation, size)
    assert relation is not None
    left = [pair.left for pair in islice(candidates_of(relation, question.limits.seed), CANDIDATES_OF_SIZE)]
    return [dataset for dataset in reversed(left) if size_of(dataset) == size][:count]


def first_pairs(question: Question) -> tuple[Pair, ...]:
    """The first block of a search of larger datasets beside."""
    return tuple(distinct_pairs(question.candidates(), question.block, []))


def candidates_beside(
    schema: Schema, own: Sequence[Pair], seed: int, constants: Sequence[int | float | str] = ()
) -> Iterator[Pair]:
    """Small datasets of a schema, in the schema's containers; every so manieth pair is one of the dataset itself."""
    small = candidates_of(schema.relation, seed, constants)
    for place in range(len(own)):
        for pair in islice(small, OWN_EVERY - 1):
            yield _alike(schema, pair)
        yield own[place]
    for pair in small:
        yield _alike(schema, pair)


def _alike(schema: Schema, pair: Pair) -> Pair:
    left, right = alike(schema.template, pair.left), alike(schema.template, pair.right)
    return Pair(left, right, describe_change(left, right) or pair.change)


def _block(relation: Relation, constants: Sequence[int | float | str], *, planned: bool = False) -> int:
    return (PLANNED_BLOCK if planned else BLOCK) + more_pairs(relation, constants)


def first_candidates(relation: Relation, seed: int, constants: Sequence[int | float | str] = ()) -> tuple[Pair, ...]:
    """The first block of a search.

    Raises
    ------
    InvalidArgument
        When the relation declares no records, or has no two neighbours.
    """
    most = most_pairs(relation, constants)
    found = distinct_pairs(candidates_of(relation, seed, constants), _block(relation, constants), [], most)
    if not found:
        sizes = "" if relation.size is None else f" and size {relation.size}"
        shown = f"{relation.name} with records {relation.records}{sizes}"
        raise InvalidArgument(f"neighbours must allow two different datasets, got {shown}")
    return tuple(found)


def _detect(detect: float, epsilon: float) -> float:
    if detect <= epsilon:
        raise InvalidArgument(f"detect must be above the claimed epsilon {epsilon:g}, got {detect!r}")
    return detect
