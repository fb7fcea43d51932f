"""An audit of declared laws: agreement with calls, exact losses over the pairs, and a verdict that estimates nothing.

The phases are functions; :func:`run_exact` orders them. Doubles with a proven slack bound all pairs; only pairs that
they cannot tell from the claim are decided in exact arithmetic.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP, ExactPoint, PureDP, claim_point, exact_point
from dpcheck.model.data import describe_dataset, digest, distinct_datasets, take_records
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import attribute_of, declares_law
from dpcheck.model.neighbours import Pair
from dpcheck.model.neighbours.entries import opposite_order
from dpcheck.model.neighbours.enumeration_beside import every_pair
from dpcheck.model.verdict import (
    Counts,
    ExactAnswer,
    Finding,
    PairRecord,
    PhaseCalls,
    Record,
    Status,
    Stop,
    Verdict,
    Witness,
)
from dpcheck.model.verdict.record import environment
from dpcheck.privacy.exact.decision import (
    FLOAT_BITS,
    TwoLaws,
    decide,
    delta_of,
    epsilon_of,
    event_of,
    shown_probability,
)
from dpcheck.privacy.exact.declared import Declared
from dpcheck.privacy.exact.float_bounds import deltas, distinct_pairs, losses, worst_epsilon
from dpcheck.privacy.exact.table import Table, table_of
from dpcheck.privacy.run.caller import Noticed
from dpcheck.privacy.run.data_form import DATASETS_SEEN, find_form
from dpcheck.privacy.run.declared_laws import NoLaw, laws_of
from dpcheck.privacy.run.events import Compared, Counted, Listener, PhaseStarted, Started, nobody
from dpcheck.privacy.run.findings import death_text, findings_of
from dpcheck.privacy.run.goodness_of_fit import (
    FEWEST,
    UNSEEN_SHIFT,
    WHERE_VIOLATED,
    Agreement,
    agree_with_law,
    most_calls,
)
from dpcheck.privacy.run.initial_record import blank_record
from dpcheck.privacy.run.question import Question
from dpcheck.privacy.statistics.observations import describe_answer

#: Balls are asked for again with twice the bits until they decide, or until this many.
MOST_BITS = 4096
#: So many pairs of laws nearest to the largest loss are evaluated in balls to find it; doubles bound the rest.
NEAREST = 32
#: The part of the time limit that comparing the law with calls may use when laws and pairs need the rest.
AGREEMENT_SHARE = 0.5
#: Datasets on which a learner that says it is blind to the order of records is asked for its law in another order.
ORDERS_CHECKED = 18
#: Pairs with the datasets on which the law is wrong that are looked at by calls, and those datasets, the worst first.
DOUBTED_PAIRS, DOUBTED_DATASETS = 24, 8
#: Loss and claim that floats cannot tell apart are one where the error is that of arithmetic, at most 2^-20 nats; a
#: larger one leaves the question open.
ARITHMETIC_BITS = 20
#: Outputs of an event that are named.
NAMED_OUTPUTS = 4


def answers_exactly(question: Question, *, exhaustive: bool) -> bool:
    """Whether a question is one about declared laws: the learner has them, and the claim is decided at one point.

    Raises
    ------
    InvalidArgument
        When an exhaustive audit is asked for, and it is not.
    """
    decidable = isinstance(question.claim, PureDP | ApproxDP)
    if exhaustive and not decidable:
        raise InvalidArgument(f"exhaustive wants a claim of PureDP or ApproxDP, got {question.claim}")
    return decidable and declares_law(question.target)


@dataclass(frozen=True, eq=False)
class ExactRun:
    """A finished audit of declared laws, in a form in which the learner answers.

    ``doubted`` are the pairs on which calls contradict the law, if they do.
    """

    verdict: Verdict
    question: Question
    doubted: tuple[Pair, ...] = ()


def run_exact(question: Question, *, exhaustive: bool, listener: Listener | None = None) -> ExactRun:
    """Answer a question about a learner that declares its law.

    Parameters
    ----------
    question : Question
        Its pairs are those to compare; for an exhaustive audit they are made here from its relation.
    exhaustive : bool
        Whether all pairs of the relation's finite domain are asked for.
    listener : callable, optional
        Hears the events of :mod:`dpcheck.privacy.run.events` but the last, that the run is over.

    Raises
    ------
    InvalidArgument
        When the domain is not finite, or has too many pairs.
    """
    tell: Listener = listener if listener is not None else nobody
    pairs = _enumerated_pairs(question) if exhaustive else _given_pairs(question)
    tell(
        Started(
            question.target.name,
            question.claim,
            question.relation_name,
            len(pairs.numbers),
            question.max_samples,
            question.max_seconds,
            question.limits.alpha,
        )
    )
    began = time.monotonic()
    # data as they are made come first, and cost nothing where the learner takes them
    form, *others = question.forms or (None,)
    run = _finished(_Run(replace(question, form=form), pairs, exhaustive, tell, began))
    if run.stop is Stop.LEARNER and others and pairs.numbers.size:
        some = tuple(pairs.pair(place) for place in range(min(len(pairs.numbers), DATASETS_SEEN)))
        settled = find_form(replace(question, pairs=some))
        if settled.question.form is not None and not settled.trouble:
            asked = replace(settled.question, pairs=question.pairs)
            run = _finished(_Run(asked, pairs, exhaustive, tell, began, form_calls=settled.calls + run.calls))
        else:
            run.form_calls = settled.calls
    return ExactRun(_verdict(run), replace(run.question, forms=(run.question.form,)), _doubtful_pairs(run))


def _finished(run: _Run) -> _Run:
    """The run, made to its end."""
    try:
        _play(run)
    except NoLaw as error:
        said = str(error)
        run.fail(f"{said[:1].upper()}{said[1:]} Mend it, or hide it with dpcheck.by_calls(learner).")
    except LearnerDied as error:
        run.fail(death_text(run.called if run.called is not None else run.question, error, run.noticed))
    except KeyboardInterrupt:
        run.stop = Stop.INTERRUPTED
    return run


def _doubtful_pairs(run: _Run) -> tuple[Pair, ...]:
    """Some pairs with the datasets whose calls speak against their laws: those of each, spread over all, in turn.

    Not those of the worst alone: calls of neighbours that are wrong alike leak nothing.
    """
    if run.agreement is None or not run.agreement.complaint or run.stop is not Stop.LEARNER:
        return ()
    numbers, each = run.pairs.numbers, []
    for dataset in run.agreement.doubted[:DOUBTED_DATASETS]:
        places = np.flatnonzero((numbers == dataset).any(axis=1))
        if len(places) > DOUBTED_PAIRS:
            places = places[np.linspace(0, len(places) - 1, DOUBTED_PAIRS).astype(np.int64)]
        each.append(places.tolist())
    in_turn = [place for places in itertools.zip_longest(*each) for place in places if place is not None]
    return tuple(run.pairs.pair(place) for place in list(dict.fromkeys(in_turn))[:DOUBTED_PAIRS])


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Datasets, pairs of their numbers (P, 2), and each pair with its words."""

    datasets: list[Any]
    numbers: NDArray[np.int64]
    pair: Callable[[int], Pair]
    order_blind: bool = False


@dataclass
class _Run:
    """What changes while an exact audit runs; ``form_calls`` are those it took to find the form of data."""

    question: Question
    pairs: _Pairs
    exhaustive: bool
    tell: Listener
    started: float
    stop: Stop = Stop.EXACT
    failure: str = ""
    table: Table | None = None
    tried: int = 0
    found: _Found | None = None
    agreement: Agreement | None = None
    called: Question | None = None
    notes: tuple[str, ...] = ()
    noticed: Noticed = field(default_factory=Noticed)
    form_calls: int = 0

    @property
    def calls(self) -> int:
        """The calls made."""
        return self.form_calls + (self.agreement.calls if self.agreement is not None else 0)

    @property
    def until(self) -> float:
        """When the clock ends it."""
        return self.started + self.question.max_seconds

    def fail(self, why: str) -> None:
        self.stop, self.failure = Stop.LEARNER, why


@dataclass(frozen=True, eq=False)
class _Found:
    """What the pairs say: the answer, the place of the pair that shows it, its laws, loss and delta.

    For each law of the table ``losses`` is the largest loss (or delta) of a pair it is in, ``partners`` the other law.
    """

    answer: str
    bits: int
    undecided: int
    place: int
    laws: TwoLaws | None
    epsilon: float
    delta: float
    arithmetic: str
    losses: NDArray[np.float64]
    partners: NDArray[np.int64]


def _given_pairs(question: Question) -> _Pairs:
    datasets, places = distinct_datasets(question.datasets)
    return _Pairs(datasets, places[np.array(question.dataset_numbers(), dtype=np.int64)], question.pairs.__getitem__)


def _enumerated_pairs(question: Question) -> _Pairs:
    assert question.relation is not None
    blind = attribute_of(question.target, "order_blind") is True
    found = every_pair(question.relation, order_blind=blind)
    return _Pairs(found.datasets(), found.pairs, found.pair, blind)


def _play(run: _Run) -> None:
    """Laws, losses, decisions; then the calls, on the datasets that decide and on some others."""
    question = run.question
    run.tell(PhaseStarted("laws"))
    declared = laws_of(question, run.pairs.datasets, until=run.until, tell=_teller(run.tell, "laws"))
    known = np.array([law is not None for law in declared], dtype=bool)
    numbers = run.pairs.numbers
    places = np.flatnonzero(known[numbers].all(axis=1))
    run.tried = len(places)
    if run.tried < len(numbers):
        run.stop = Stop.MAX_SECONDS
    run.table = table_of(declared)
    if run.tried:
        run.tell(PhaseStarted("pairs"))
        run.found = _compared(run, run.table, places)
        left, right = (int(number) for number in numbers[run.found.place])
        change = run.pairs.pair(run.found.place).change
        run.tell(Compared(run.table, numbers[places], (left, right), change))
    run.tell(PhaseStarted("agreement"))
    numbers_known, deciding = _in_turn(run, run.table, np.flatnonzero(known))
    if not numbers_known:
        return
    if run.pairs.order_blind:
        _check_order(run, run.table, numbers_known[:ORDERS_CHECKED])
    some = [(number, run.pairs.datasets[number]) for number in numbers_known]
    run.called = replace(question, pairs=tuple(Pair(dataset, some[0][1], "") for _, dataset in some))
    partners = run.found.partners if run.found is not None else np.arange(len(run.table.laws))
    towards = [int(partners[run.table.of[number]]) for number in numbers_known]
    # comparing comes last and may need time of its own: at least a share of what was given
    until = max(run.until, time.monotonic() + AGREEMENT_SHARE * question.max_seconds)
    violated = run.found is not None and run.found.answer == "violated"
    most = WHERE_VIOLATED if violated else most_calls(question.max_samples, len(some))
    run.agreement, run.notes = agree_with_law(question, run.table, some, deciding, towards, run.noticed, until, most)
    if run.agreement.complaint:
        run.fail(run.agreement.complaint[:1].upper() + run.agreement.complaint[1:])


def _teller(tell: Listener, what: str) -> Callable[[int, int], None]:
    """Tells how much is done, at most a hundred times."""
    last = 0

    def heard(done: int, total: int) -> None:
        nonlocal last
        if done - last >= max(1, total // 100):
            last = done
            tell(Counted(what, done, total))

    return heard


def _in_turn(run: _Run, table: Table, known: NDArray[np.intp]) -> tuple[list[int], int]:
    """The datasets with a law as they are compared with calls, and how many of them decide.

    First the two of the pair that decides, then those of the largest losses, at most as many as calls are left for.
    """
    deciding = [int(n) for n in dict.fromkeys(run.pairs.numbers[run.found.place])] if run.found is not None else []
    losses = run.found.losses if run.found is not None else np.zeros(len(table.laws))
    others = known[~np.isin(known, deciding)]
    order = others[np.argsort(-losses[table.of[others]], kind="stable")]
    found = (deciding + order.tolist())[: most_calls(run.question.max_samples, len(known)) // FEWEST]
    return found, len(deciding)


def _check_order(run: _Run, table: Table, numbers: list[int]) -> None:
    """That the law is that of the records in another order, on some datasets: what ``order_blind`` says.

    Raises
    ------
    NoLaw
        When it is another one.
    """
    some = [run.pairs.datasets[number] for number in numbers]
    turned = [take_records(dataset, opposite_order(dataset, run.question.relation)) for dataset in some]
    for number, other, law in zip(numbers, turned, laws_of(run.question, turned), strict=True):
        assert law is not None
        own = table.laws[int(table.of[number])]
        both = table_of([own, law])
        gap, slack = losses(both, both.of[None, :], nobody)
        if gap[0] > slack[0] + own.error + law.error:
            raise NoLaw(
                f"it has order_blind = True, but its distribution on {describe_dataset(run.pairs.datasets[number])} "
                f"and on {describe_dataset(other)} differ."
            )


# --- pairs


def _compared(run: _Run, table: Table, places: NDArray[np.intp]) -> _Found:
    """All pairs against the claim: bounded in doubles, those near the claim decided, the largest loss evaluated."""
    question = run.question
    assert question.claim is not None
    point = exact_point(question.claim)
    epsilon, delta = point.nats, float(point.delta)
    pairs, first = distinct_pairs(table, run.pairs.numbers[places])
    arithmetic = _arithmetic(table)
    if not len(pairs):  # one law for all
        alone = np.zeros(len(table.laws)), np.arange(len(table.laws))
        return _Found("holds", 0, 0, int(places[0]), None, 0.0, 0.0, arithmetic, *alone)
    count = _teller(run.tell, "pairs")
    errors = np.array([law.error for law in table.laws])[pairs].sum(axis=1)

    def tell(done: int) -> None:
        count(done, len(pairs))

    if point.delta == 0:
        measure, slack = losses(table, pairs, tell)
        margin = slack + errors + (abs(epsilon) + 1.0) * 2.0**-50
        near = np.flatnonzero(measure >= epsilon - margin)
        largest, top = _largest_loss(table, pairs, measure, slack)
    else:
        measure, slack = deltas(table, pairs, epsilon, tell)
        margin = slack + 4.0 * errors + 2.0**-52
        near = np.flatnonzero(measure >= delta - margin)
        # where no ratio exceeds e^epsilon delta is 0, however small the claimed one
        apart, rounding = losses(table, pairs[near], tell)
        near = near[apart >= epsilon - rounding - errors[near] - (abs(epsilon) + 1.0) * 2.0**-50]
        _, top = worst_epsilon(table, pairs, delta * math.exp(float(errors.max())), tell)
        largest = _epsilon_at(_two(table, pairs[top]), point.delta)
    near = near[np.argsort(-measure[near], kind="stable")]
    settled = _answer_near_claim(run, table, pairs, first, places, near, margin, point)
    answer, bits, undecided, violated, arithmetic = settled
    if violated is not None:
        top = violated
        largest = max(largest, _epsilon_at(_two(table, pairs[top]), point.delta))
    laws = _two(table, pairs[top])
    if point.delta > 0:
        worst = delta_of(_two(table, pairs[int(np.argmax(measure))]), point)
    elif violated is None:  # a pure claim that holds
        worst = 0.0
    else:
        over, _ = deltas(table, pairs[near], epsilon, tell)
        worst = delta_of(_two(table, pairs[near[int(np.argmax(over))]]), point)
    place = int(places[first[top]])
    apart_from = _worst_partners(len(table.laws), pairs, measure)
    return _Found(answer, bits, undecided, place, laws, largest, worst, arithmetic, *apart_from)


def _worst_partners(
    count: int, pairs: NDArray[np.int64], measure: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """For each law the largest measure of a pair it is in, and the other law of that pair."""
    order = np.argsort(measure, kind="stable")  # the last one assigned is the largest
    losses, partners = np.zeros(count), np.arange(count)
    both, other = pairs[order], pairs[order][:, ::-1]
    partners[both.ravel()] = other.ravel()
    losses[both.ravel()] = np.repeat(measure[order], 2)
    return losses, partners


def _two(table: Table, pair: NDArray[np.int64], only: list[Any] | None = None) -> TwoLaws:
    return TwoLaws.of(table.laws[int(pair[0])], table.laws[int(pair[1])], only)


def _epsilon_at(laws: TwoLaws, delta: Fraction) -> float:
    """Epsilon at a delta widened by the error that laws are known to: else rounding alone could make it infinite."""
    return epsilon_of(laws, delta * Fraction(math.exp(laws.error)))


def _arithmetic(table: Table) -> str:
    """In what the question is decided, should it come near the claim."""
    laws = sorted(table.laws, key=lambda law: (law.kind == "floats", law.kind == "balls", law.kind == "scores"))
    return TwoLaws.of(laws[-1], laws[-1]).arithmetic


def _largest_loss(
    table: Table, pairs: NDArray[np.int64], measure: NDArray[np.float64], slack: NDArray[np.float64]
) -> tuple[float, int]:
    """The largest loss, evaluated in balls on the pairs that doubles cannot tell from it, and the place of its pair."""
    top = int(np.argmax(measure))
    if math.isinf(measure[top]):
        return math.inf, top
    tied = np.flatnonzero(measure + slack >= measure[top] - slack[top])[:NEAREST]
    best = max(
        (epsilon_of(_two(table, pairs[p], _far(table, pairs[p], measure[p])), Fraction(0)), int(p)) for p in tied
    )
    return best


def _far(table: Table, pair: NDArray[np.int64], loss: float, margin: float = 1e-9) -> list[Any]:
    """The outputs whose log ratio is within the margin of ``loss`` or above: the others decide nothing."""
    with np.errstate(invalid="ignore"):
        gap = np.abs(table.logs[pair[0]] - table.logs[pair[1]])
    return [table.outputs[column] for column in np.flatnonzero(gap >= loss - margin)]


def _answer_near_claim(
    run: _Run,
    table: Table,
    pairs: NDArray[np.int64],
    first: NDArray[np.intp],
    places: NDArray[np.intp],
    near: NDArray[np.intp],
    margin: NDArray[np.float64],
    point: ExactPoint,
) -> tuple[str, int, int, int | None, str]:
    """The answer over the pairs near the claim, most suspicious first: the first violated one ends it."""
    epsilon = point.nats
    answer, least, arithmetic = "holds", 0, _arithmetic(table)
    count = _teller(run.tell, "pairs near the claim")
    for number, place in enumerate(near):
        if time.monotonic() >= run.until:
            run.stop = Stop.MAX_SECONDS
            return answer, least, len(near) - number, None, arithmetic
        only = _far(table, pairs[place], epsilon, 2.0 * float(margin[place])) if point.delta == 0 else None
        laws = _two(table, pairs[place], only)
        found = decide(laws, point)
        bits = FLOAT_BITS
        while found.answer == "equal" and laws.arithmetic == "balls" and bits < MOST_BITS:
            bits *= 2
            sharper = _sharper_laws(run, run.pairs.numbers[places[first[place]]], bits)
            finer = decide(TwoLaws.of(*sharper, only), point, bits)
            if finer.answer == "equal" and finer.bits <= found.bits:  # it does not heed the precision
                break
            found = finer
        if found.answer == "violated":
            return "violated", 0, 0, int(place), laws.arithmetic
        if found.answer == "equal":
            least = found.bits if answer == "holds" else min(least, found.bits)
            answer, arithmetic = "equal", laws.arithmetic
        count(number + 1, len(near))
    return answer, least, 0, None, arithmetic


def _sharper_laws(run: _Run, pair: NDArray[np.int64], bits: int) -> tuple[Declared, Declared]:
    """The laws of one pair of datasets, asked for with more bits."""
    two = laws_of(run.question, [run.pairs.datasets[int(n)] for n in pair], bits=bits + 32)
    left, right = two
    assert left is not None
    assert right is not None
    return left, right


# --- the verdict


def _verdict(run: _Run) -> Verdict:
    question, found = run.question, run.found
    assert question.claim is not None
    epsilon, _ = claim_point(question.claim)
    failed = run.stop is Stop.LEARNER
    calls = run.calls
    status = _status(run)
    decided = found is not None and not failed and status is not Status.INCONCLUSIVE
    lower = 0.0 if failed or found is None else found.epsilon
    findings = findings_of((*question.findings, *_findings(run)), run.noticed, run.notes, True, run.failure)
    phases = (PhaseCalls("agreement", calls),)
    seconds = time.monotonic() - run.started
    method = "exact: declared laws compared, agreement with calls tested on every cell by bets against the law"
    witness, exact = (None, None) if failed or found is None else _witness_and_answer(run, found)
    record = _record(run, phases, findings, seconds, method)
    return Verdict(
        status=status,
        target=question.target.name,
        claim=question.claim,
        relation=question.relation_name,
        alpha=question.limits.alpha,
        epsilon_lower=lower,
        delta_lower=0.0 if failed or found is None else found.delta,
        parameter_lower=lower,
        detectable_epsilon=epsilon if decided else math.inf,
        detect=question.detect,
        log_evidence=math.inf if status is Status.VIOLATED else 0.0,
        threshold=1.0 / question.limits.alpha,
        witness=witness,
        findings=findings,
        stop=run.stop,
        samples=calls,
        phases=phases,
        pairs_tried=run.tried,
        pairs_not_tried=len(run.pairs.numbers) - run.tried,
        seconds=seconds,
        seed=question.limits.seed,
        method=method,
        reproducible=True,
        environment=environment(),
        failure=run.failure,
        record=record,
        exact=exact,
        looked=record.looked,
    )


def _status(run: _Run) -> Status:
    if run.stop is Stop.LEARNER:
        return Status.LEARNER_FAILED
    if run.found is not None and run.found.answer == "violated":
        return Status.VIOLATED
    if run.found is None or run.found.undecided or run.stop is Stop.INTERRUPTED:
        return Status.INCONCLUSIVE
    if run.exhaustive and run.tried < len(run.pairs.numbers):
        return Status.INCONCLUSIVE
    if _left_open(run.found) or not _calls_tell(run.agreement):
        return Status.INCONCLUSIVE
    return Status.NO_VIOLATION_FOUND


def _left_open(found: _Found) -> bool:
    """Whether loss and claim cannot be told apart for more than arithmetic: balls that stay equal prove nothing."""
    return found.answer == "equal" and not (found.arithmetic.startswith("floats") and found.bits >= ARITHMETIC_BITS)


def _calls_tell(agreement: Agreement | None) -> bool:
    """Whether calls of another law would have been noticed, where most of them were made: else the law is a word."""
    return agreement is not None and bool(agreement.seen) and agreement.seen[0].in_halves <= UNSEEN_SHIFT


def _uncompared(agreement: Agreement | None) -> int:
    """Datasets on which a law was to be compared, and no call was made: of them the verdict says so."""
    return 0 if agreement is None else max(0, agreement.planned - agreement.datasets)


def _findings(run: _Run) -> tuple[Finding, ...]:
    found: list[Finding] = []
    if run.stop is Stop.LEARNER or run.found is None:
        return ()
    if _left_open(run.found):
        floats = run.found.arithmetic.startswith("floats")
        why = "its logarithms are known no better (Law's error)" if floats else "balls cannot tell more"
        found.append(
            Finding(
                "equal to the claim",
                f"loss and claim are {_answer_in_words(run.found)}, and {why}: give the law in "
                "Fractions (with a claim such as PureDP(ratio=3)) or as IntegerScores, which are always decided",
            )
        )
    if run.found.undecided:
        found.append(Finding("stopped by the clock", f"{run.found.undecided:,} pairs near the claim were not decided"))
    if run.agreement is None or not run.agreement.complete or not _calls_tell(run.agreement):
        calls = run.agreement.calls if run.agreement is not None else 0
        few = run.agreement is None or not run.agreement.complete
        why = "fewer than planned" if few else "too few for a law known so badly"
        left = _uncompared(run.agreement)
        why += f", and none on {left:,} of {run.agreement.planned:,} datasets" if run.agreement and left else ""
        found.append(
            Finding(
                "declared law",
                f"it was compared with {calls:,} separate calls only, {why}: what is said is about the law as declared",
            )
        )
    return tuple(found)


def _answer_in_words(found: _Found) -> str:
    if found.answer != "equal":
        return found.answer
    return "equal to within " + (f"2^-{found.bits}" if found.bits else "what the law is known to")


def _witness_and_answer(run: _Run, found: _Found) -> tuple[Witness | None, ExactAnswer]:
    assert run.question.claim is not None
    answer = _answer_in_words(found)
    pair = run.pairs.pair(found.place)
    agreement = run.agreement if run.agreement is not None else Agreement(0, "", False)
    known = len(run.pairs.datasets)
    said = (known, agreement.datasets, agreement.seen)
    calls = agreement.calls
    if found.laws is None:
        return None, ExactAnswer(answer, found.arithmetic, 0.0, 0.0, run.exhaustive, calls, "", "", *said)
    event = event_of(found.laws, exact_point(run.question.claim))
    names = [describe_answer(output) for output in event[:NAMED_OUTPUTS]]
    more = f" or {len(event) - len(names)} more" if len(event) > len(names) else ""
    words = f"output is {names[0]}" if len(event) == 1 else f"output is one of {', '.join(names)}{more}"
    chances = [shown_probability(law, event) for law in (found.laws.left, found.laws.right)]
    # laws are compared in the order of their numbers, which need not be that of the pair's datasets
    assert run.table is not None
    left = run.table.laws[int(run.table.of[run.pairs.numbers[found.place][0]])]
    if left is not found.laws.left:
        chances.reverse()
    witness = Witness(
        pair.change,
        describe_dataset(pair.left),
        describe_dataset(pair.right),
        words,
        "decided exactly",
        Counts(0, 0, 0),
        found.epsilon,
    )
    shown = (answer, found.arithmetic, found.epsilon, found.delta, run.exhaustive, calls)
    return witness, ExactAnswer(*shown, chances[0], chances[1], *said)


def _record(
    run: _Run, phases: tuple[PhaseCalls, ...], findings: tuple[Finding, ...], seconds: float, method: str
) -> Record:
    question = run.question
    assert question.claim is not None
    pairs: tuple[PairRecord, ...] = ()
    if not run.exhaustive:  # an enumeration is known from its relation, and has too many
        pairs = tuple(
            PairRecord(
                pair.change,
                describe_dataset(pair.left),
                describe_dataset(pair.right),
                str(digest(pair.left)["sha256"] or ""),
                str(digest(pair.right)["sha256"] or ""),
                0.0,
                0,
                "",
                "",
            )
            for pair in question.pairs
        )
    looked = None
    if question.looked is not None:
        looked = replace(question.looked, pairs=len(run.pairs.numbers), tried=run.tried)
    return replace(
        blank_record(question, method),
        looked=looked,
        phases=phases,
        pairs=pairs,
        findings=findings,
        stop=run.stop,
        seconds=seconds,
        failure=run.failure,
    )
