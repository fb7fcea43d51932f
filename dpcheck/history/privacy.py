"""How well a learner's outputs on two neighbouring datasets are told apart: learned once, counted again at any time."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from dpcheck.history.answer_kinds import kinds_of, known_kinds, table_of_kinds
from dpcheck.history.baseline import ExactLoss, Privacy, Told, View
from dpcheck.history.distinguishers import BLOCKS, SUMMED, block_sums
from dpcheck.history.subject import Subject, calls_in_time, settled_form
from dpcheck.history.views import certified_epsilon, counts_per_bin, learn_views, with_counts
from dpcheck.model.claims import ApproxDP, Claim, PureDP, as_claim, claim_point
from dpcheck.model.data import digest
from dpcheck.model.errors import InvalidArgument, LearnerDied, RecordCorrupt
from dpcheck.model.learner import declares_law
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Status
from dpcheck.privacy.run.agreement_phase import agree_with_sample, disagreement, other_law, warm_up
from dpcheck.privacy.run.allocation import LARGEST_INTERIM
from dpcheck.privacy.run.audit import audit
from dpcheck.privacy.run.caller import Caller, Noticed, caller_for, runner_of
from dpcheck.privacy.run.data_form import find_form
from dpcheck.privacy.run.events import Listener, PhaseStarted, Progress, Started
from dpcheck.privacy.run.findings import death_text
from dpcheck.privacy.run.limits import LEAST_SAMPLES, Limits, whole
from dpcheck.privacy.run.measure import (
    CALLS_WORTH_SAMPLE,
    FEWER_CALLS,
    FINALISTS,
    LEAST_LEARNED,
    TIMED_CALLS,
    run_measure,
)
from dpcheck.privacy.run.question import Question, ask
from dpcheck.privacy.run.request_sizes import LEAST_COST
from dpcheck.privacy.statistics.bank import words_of
from dpcheck.privacy.statistics.game import Batch, Shape
from dpcheck.privacy.statistics.horizon import learn_plan
from dpcheck.privacy.statistics.layout import Layout
from dpcheck.privacy.statistics.observations import join

Integers = NDArray[np.int64]

#: First words of the keys of the streams, so that no two parts share any randomness.
LEARN_KEY, COUNT_KEY, TIMING_KEY, BLOCK_KEY = 4_000_001, 4_000_002, 4_000_003, 4_000_004
#: A baseline and its comparisons draw from streams of their own, whatever their seeds.
RECORD, COMPARE, CONFIRM = range(3)
#: Stretches of calls that a slow learner is timed on, and the part of the time limit that each may take.
STRETCHES, TIMED_PART = 4, 0.01
#: Calls below which nothing could be told.
LEAST_CALLS = 200
#: The part of the calls that a newly learned event of any shape is certified on, against the claim.
CERTIFIED_PART = 0.2
#: Usual sizes of coordinates within this factor round outputs alike: their bits reach 2^40 below.
SAME_SCALE = 2.0**10
#: A claim to ask declared laws with, where the learner has none: their largest loss does not depend on it.
ANY_CLAIM = 1.0


def seed_for(name: str, seed: int, purpose: int) -> int:
    """The seed of one entry for one purpose: other entries, their order and other purposes have no part in it.

    Raises
    ------
    InvalidArgument
        When ``seed`` is no whole number of at least 0.

    >>> len({seed_for(name, 0, purpose) for name in ("a", "b") for purpose in (RECORD, COMPARE)})
    4
    """
    key = (purpose, zlib.crc32(name.encode("utf-8", "surrogatepass")), len(name))
    words = SeedSequence(whole("seed", seed, 0), spawn_key=key).generate_state(2, np.uint64)
    return int(words[0]) << 64 | int(words[1])


def question_of(subject: Subject, seed: int, level: float) -> Question:
    """What is asked of the learner: its pairs come from ``seed``, its form is the subject's (:func:`in_its_form`).

    Raises
    ------
    InvalidArgument
        When an argument cannot be used.
    """
    question = _question(subject, seed, level)
    return replace(question, forms=(), form=settled_form(subject))


def in_its_form(subject: Subject) -> tuple[Subject, tuple[str, ...]]:
    """The subject with the form in which its learner answers, found out by a few calls where nobody says it.

    Returns
    -------
    The subject, its form a settled one or None (as data are made), and what is to be told of it.

    Raises
    ------
    InvalidArgument
        When an argument cannot be used.
    LearnerDied
        When it answers in no form.
    """
    question = _question(subject, 0, 0.5)
    settled = find_form(question)
    if settled.trouble:
        raise LearnerDied(settled.trouble)
    told = settled.question.findings[len(question.findings) :]
    return replace(subject, form=settled.question.form), tuple(finding.detail for finding in told)


def _question(subject: Subject, seed: int, level: float) -> Question:
    return ask(
        subject.learner,
        subject.claim,
        measuring=True,
        neighbours=subject.neighbours,
        dataset=subject.dataset,
        pairs=subject.pairs,
        limits=Limits(
            alpha=level,
            numerics=subject.numerics,
            warnings=subject.warnings,
            max_samples=max(LEAST_SAMPLES, subject.calls + subject.learn_calls),
            max_seconds=subject.max_seconds,
            call_timeout=subject.call_timeout,
            isolation=subject.isolation,
            seed=seed,
            jobs=subject.jobs,
        ),
        name=subject.name,
        options=dict(subject.options),
        small=True,
        form=subject.form,
    )


def claim_of(subject: Subject) -> Claim | None:
    """What is claimed, or None."""
    return None if subject.claim is None else as_claim(subject.claim)


@dataclass(frozen=True)
class Ready:
    """A learner that runs, with what its first calls showed; ``calls`` that fit into the time, ``bulk`` by sample.

    ``caller`` looks at outputs as a baseline did, if there is one; ``own`` as its own first calls say, and is None
    where both are the same.
    """

    caller: Caller
    shape: Shape
    calls: int
    bulk: bool
    layout: str
    scale: tuple[float, ...]
    own: Caller | None = None

    def gather(self, sides: tuple[int, int], calls: int, key: tuple[int, ...]) -> Iterator[Batch]:
        """So many calls on a pair, in parts."""
        made = 0
        while made < calls:
            size = min(LARGEST_INTERIM, calls - made)
            yield self.caller.interim_data(sides, size, (*key, made), bulk=self.bulk).batch
            made += size

    def batch(self, sides: tuple[int, int], calls: int, key: tuple[int, ...]) -> Batch:
        """So many calls on a pair, together."""
        parts = list(self.gather(sides, calls, key))
        return Batch(join([part.seen for part in parts]), np.concatenate([part.coins for part in parts]))


@contextmanager
def running(
    question: Question, wanted: int, frozen: Privacy | None, tell: Listener, patience: float = 1.0
) -> Iterator[Ready]:
    """Start the learner and look at its first calls; those of ``frozen`` may take ``patience`` times as long.

    Raises
    ------
    LearnerDied
        When it gives no answer at all, dies, hangs, or its ``sample`` has another law than its calls.
    """
    noticed = Noticed()
    try:
        runner = runner_of(question)
        try:
            yield _ready(question, caller_for(question, runner, noticed), wanted, frozen, patience)
        finally:
            runner.close()
    except LearnerDied as error:
        raise LearnerDied(death_text(question, error, noticed)) from error


def _ready(question: Question, caller: Caller, wanted: int, frozen: Privacy | None, patience: float) -> Ready:
    sides = question.dataset_numbers()
    if caller.runner.bulk_available:
        caller = caller.as_bulk()
    opening = warm_up(caller, sides)
    if opening.failure:
        raise LearnerDied(opening.failure)
    layout, scale = opening.layout, np.array([float(f"{size:.6g}") for size in opening.scale])
    own: Caller | None = caller.scaled(scale).laid_out(layout)
    if frozen is not None:  # the same columns as then, and the same rounding
        fresh, sizes = layout, scale
        layout = _layout(frozen.layout)
        if len(frozen.scale) == len(scale):
            scale = np.array(frozen.scale)
        if _text(fresh) == _text(layout) and _alike(sizes, scale):
            own = None
    else:
        own = None
    caller = caller.scaled(scale).laid_out(layout).costing(*opening.costs)
    per_call, bulk = opening.seconds_per_call, caller.runner.bulk_available and wanted >= CALLS_WORTH_SAMPLE
    if bulk:
        _, evidence = agree_with_sample(caller, sides[0][0], opening.shape, question.limits.alpha)
        if evidence >= disagreement(question.limits.alpha):
            raise LearnerDied(other_law(evidence)[0].upper() + other_law(evidence)[1:])
        before = caller.noticed.seconds
        caller.outputs(sides[0][0], TIMED_CALLS, (TIMING_KEY,), bulk=True)
        per_call = max((caller.noticed.seconds - before) / TIMED_CALLS, LEAST_COST)
    elif wanted * per_call > question.max_seconds:
        per_call = _timed(caller, sides[0][0], per_call, question.max_seconds)
    recorded = 0 if frozen is None else min(wanted, calls_of(frozen))
    calls = calls_in_time(wanted, recorded, per_call, question.max_seconds, patience)
    if calls < LEAST_CALLS:
        raise InvalidArgument(
            f"max_seconds must leave time for {LEAST_CALLS} calls of {per_call:.3g} s of {question.target.name} "
            f"({ceil(LEAST_CALLS * per_call)} s), got {question.max_seconds:g} s"
        )
    return Ready(caller, opening.shape, calls, bulk, _text(layout), tuple(float(f"{size:.6g}") for size in scale), own)


def calls_of(recorded: Privacy) -> int:
    """How many calls an entry counts."""
    return sum(sum(both) for both in recorded.kinds.values())


def _alike(sizes: NDArray[np.float64], others: NDArray[np.float64]) -> bool:
    """Whether coordinates are of about the same size, so that they are rounded alike."""
    if sizes.shape != others.shape:
        return False
    with np.errstate(over="ignore"):
        near = (sizes <= SAME_SCALE * others) & (others <= SAME_SCALE * sizes)
    return bool(((sizes == others) | near).all())


def _text(layout: Layout | None) -> str:
    return "" if layout is None else layout.to_text()


def _timed(caller: Caller, dataset: int, per_call: float, max_seconds: float) -> float:
    """What a call costs, where a few calls said that it is too much: the least of some longer stretches.

    How many calls are counted should not depend on what else the machine did for a moment.
    """
    size = max(1, int(TIMED_PART * max_seconds / per_call))
    for stretch in range(STRETCHES):
        before = caller.noticed.seconds
        caller.outputs(dataset, size, (TIMING_KEY, stretch))
        per_call = min(per_call, max((caller.noticed.seconds - before) / size, LEAST_COST))
    return per_call


def _layout(text: str) -> Layout | None:
    try:
        return Layout.from_text(text) if text else None
    except (ValueError, RecursionError) as error:
        raise RecordCorrupt(f"baseline: the layout of an entry cannot be read: {error}") from error


def record_privacy(subject: Subject, seed: int, level: float, tell: Listener) -> tuple[Privacy, Pair]:
    """Learn on a first part of the calls what tells two neighbours apart, fix it, and count it on the rest; the pair.

    Raises
    ------
    LearnerDied, InvalidArgument
        When nothing can be measured.
    """
    own = seed_for(subject.name, seed, RECORD)
    question = question_of(subject, own, level)
    claim = claim_of(subject)
    delta = 0.0 if claim is None else claim_point(claim)[1]
    sides = question.dataset_numbers()
    wanted = subject.learn_calls + subject.calls
    tell_started(question, claim, wanted, tell)
    with running(question, wanted, None, tell) as ready:
        learned = int(ready.calls * subject.learn_calls / wanted)
        calls = ready.calls - learned
        tell(PhaseStarted("learn"))
        place, batch = _chosen(ready, sides, learned, delta, level, calls)
        views = learn_views(batch, ready.shape, delta, level, calls)
        known = known_kinds(batch)
        tell(PhaseStarted("count"))
        counted = count(ready, views, sides[place], calls, calls // BLOCKS, teller_of_calls(question, wanted, tell))
    views = tuple(with_counts(view, table) for view, table in zip(views, counted.tables, strict=True))
    event = views[0]
    table = np.stack([np.array(event.on_right), np.array(event.on_left)], axis=1)
    pair = question.pairs[place]
    left, right = (digest(side)["sha256"] or "" for side in (pair.left, pair.right))
    found = Privacy(
        relation=question.relation_name,
        pair=pair.change,
        pair_number=place,
        pair_seed=own,
        left_digest=left,
        right_digest=right,
        delta=delta,
        level=level,
        event=event_words(event),
        certified=floor(1e5 * certified_epsilon(event.guesses, table, delta, level)) / 1e5,
        layout=ready.layout,
        scale=ready.scale,
        views=views,
        block_calls=calls // BLOCKS,
        told=tuple(Told(what, counted.sums[what]) for what in SUMMED),
        kinds=table_of_kinds(known, counted.on_left, counted.on_right),
        exact=exact_loss(subject, question, tell),
    )
    return found, pair


def tell_started(question: Question, claim: Claim | None, calls: int, tell: Listener) -> None:
    """Tell listeners that a learner's turn has come."""
    tell(
        Started(
            question.target.name,
            claim,
            question.relation_name,
            len(question.pairs),
            calls,
            question.max_seconds,
            question.limits.alpha,
        )
    )


def teller_of_calls(question: Question, wanted: int, tell: Listener) -> Callable[[int], None]:
    """Tells listeners how many calls are made."""

    def heard(made: int) -> None:
        tell(Progress(made, wanted, 0.0, question.max_seconds, 0.0, 0.0, 0.0, ""))

    return heard


def _chosen(
    ready: Ready, sides: Sequence[tuple[int, int]], learned: int, delta: float, level: float, calls: int
) -> tuple[int, Batch]:
    """The pair to count, and what to learn its event from: few calls on many pairs, more on the best few."""
    places = list(range(min(len(sides), max(1, learned // LEAST_LEARNED))))
    if len(places) == 1:
        return 0, ready.batch(sides[0], learned, (LEARN_KEY, 0))
    budget = learned // 2 if len(places) > FINALISTS else learned
    batches = {place: ready.batch(sides[place], budget // len(places), (LEARN_KEY, place)) for place in places}

    def promise(place: int) -> float:
        return learn_plan(batches[place], ready.shape, delta, level, calls, boosted=False).predicted

    best = sorted(places, key=lambda place: (-promise(place), place))
    if budget == learned:
        return best[0], batches[best[0]]
    again = {
        place: ready.batch(sides[place], (learned - budget) // FINALISTS, (LEARN_KEY, place, 1))
        for place in best[:FINALISTS]
    }
    for place, more in again.items():
        seen = join([batches[place].seen, more.seen])
        batches[place] = Batch(seen, np.concatenate([batches[place].coins, more.coins]))
    found = min(again, key=lambda place: (-promise(place), place))
    return found, batches[found]


@dataclass(frozen=True)
class Counted:
    """Fresh calls: a table (bins, 2) for each view, sums by block (:data:`SUMMED`), kinds of answers on D and D'."""

    tables: tuple[Integers, ...]
    sums: Mapping[str, tuple[int, ...]]
    on_left: Mapping[str, int]
    on_right: Mapping[str, int]


def count(
    ready: Ready,
    views: Sequence[View],
    sides: tuple[int, int],
    calls: int,
    block_calls: int,
    heard: Callable[[int], None],
) -> Counted:
    """Count so many fresh calls in fixed views; in each block of so many, sum what is learned in it anew."""
    tables = [np.zeros((len(view.guesses), 2), dtype=np.int64) for view in views]
    sums: dict[str, list[int]] = {what: [] for what in SUMMED}
    on_left, on_right = Counter[str](), Counter[str]()
    blocks = min(BLOCKS, calls // block_calls)
    sizes = [block_calls] * blocks + [calls - blocks * block_calls]
    for number, size in enumerate(size for size in sizes if size):
        batch = ready.batch(sides, size, (COUNT_KEY, number))
        for table, view in zip(tables, views, strict=True):
            table += counts_per_bin(view, batch)
        left, right = kinds_of(batch)
        on_left, on_right = on_left + left, on_right + right
        if number < blocks:
            if ready.own is not None:  # outputs of another form or size: looked at as they are now
                batch = replace(ready, caller=ready.own).batch(sides, size, (BLOCK_KEY, number))
            for what, one in block_sums(batch, ready.shape).items():
                sums[what].append(one)
        heard(sum(sizes[: number + 1]))
    return Counted(tuple(tables), {what: tuple(each) for what, each in sums.items()}, on_left, on_right)


def event_words(view: View) -> str:
    """What the event of a view is, in words."""
    if view.kind != "number":
        return f"{view.what} (learned)"
    guesses, edges = np.array(view.guesses, dtype=np.int8), np.array(view.edges)
    texts = [
        f"{words_of(guesses, edges, view.what, side)} (guess {name})"
        for side, name in ((1, "D"), (-1, "D'"))
        if (guesses == side).any()
    ]
    return "; ".join(texts) or f"{view.what}: nothing tells the two apart"


def same_pair(subject: Subject, frozen: Privacy) -> tuple[Question, Pair | None]:
    """The question of the baseline, and its pair; None where it is not among the pairs any more."""
    question = question_of(subject, frozen.pair_seed, frozen.level)
    if not frozen.left_digest or not frozen.right_digest:
        fits = frozen.pair_number < len(question.pairs)
        return question, question.pairs[frozen.pair_number] if fits else None
    wanted = (frozen.left_digest, frozen.right_digest)
    # nearly always it has the place that it had
    order = sorted(range(len(question.pairs)), key=lambda place: place != frozen.pair_number)
    for place in order:
        pair = question.pairs[place]
        if (digest(pair.left)["sha256"], digest(pair.right)["sha256"]) == wanted:
            return question, pair
    return question, None


def count_again(
    subject: Subject, frozen: Privacy, pair: Pair, question: Question, seed: int, tell: Listener
) -> Counted:
    """Count what the baseline counted, on fresh calls of streams that it never used.

    Raises
    ------
    LearnerDied
        When the learner cannot be run any more.
    """
    fresh = replace(question, pairs=(pair,), limits=replace(question.limits, seed=seed))
    sides = fresh.dataset_numbers()[0]
    tell_started(fresh, claim_of(subject), subject.calls, tell)
    with running(fresh, subject.calls, frozen, tell, subject.patience) as ready:
        tell(PhaseStarted("count"))
        heard = teller_of_calls(fresh, subject.calls, tell)
        return count(ready, frozen.views, sides, ready.calls, frozen.block_calls, heard)


def certify_anew(
    subject: Subject, frozen: Privacy, pair: Pair, question: Question, seed: int, level: float, tell: Listener
) -> tuple[float, str, str]:
    """A lower bound on epsilon at the baseline's delta from an event of any shape, learned now; the event; and in words
    how many calls that took, where no more fitted into the time."""
    calls = max(LEAST_SAMPLES, int(CERTIFIED_PART * subject.calls))
    limits = replace(question.limits, seed=seed, alpha=level)
    fresh = replace(question, pairs=(pair,), limits=limits, max_samples=calls)
    found = run_measure(
        fresh, frozen.delta, listener=lambda event: tell(event) if isinstance(event, Progress) else None
    )
    if found.failure:
        raise LearnerDied(found.failure)
    event = found.witness.event if found.witness is not None else ""
    cut = [f"; {finding.detail}" for finding in found.findings if finding.kind == FEWER_CALLS]
    return found.epsilon_lower, event, "".join(cut)


def exact_loss(subject: Subject, question: Question, tell: Listener) -> ExactLoss | None:
    """The largest loss of the declared laws over the pairs, computed; None for learners that declare none.

    Raises
    ------
    LearnerDied
        When the laws cannot be had, or are not those of the calls.
    """
    if not declares_law(question.target):
        return None
    claim: Any = subject.claim if subject.claim is not None else ANY_CLAIM
    if not isinstance(as_claim(claim), PureDP | ApproxDP):
        return None
    verdict = audit(
        question.target,
        claim,
        neighbours=question.relation,
        pairs=[(pair.left, pair.right) for pair in question.pairs],
        alpha=question.limits.alpha,
        max_samples=question.max_samples,
        max_seconds=question.max_seconds,
        call_timeout=question.limits.call_timeout,
        isolation=question.limits.isolation,
        seed=question.limits.seed,
        jobs=question.limits.jobs,
        on_event=lambda event: tell(event) if isinstance(event, Progress) else None,
        form=question.form,
    )
    if verdict.status is Status.LEARNER_FAILED:
        raise LearnerDied(verdict.failure)
    if verdict.exact is None:
        return None
    return ExactLoss(verdict.exact.epsilon, verdict.exact.delta, verdict.exact.arithmetic)
