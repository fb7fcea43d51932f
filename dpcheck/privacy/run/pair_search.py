"""Search: many pairs explored on calls that count for nothing, the most promising certified on fresh ones.

The j-th pair to be certified has weight 6 / (pi^2 j^2) (times the half of alpha that is left when the other half is
kept for a smaller pair), fixed before its first certifying call whatever was explored: the average over all pairs,
those not yet chosen counting as wealth not staked, is then an e-process.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import claim_point
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.neighbours import Pair
from dpcheck.model.neighbours.domains import Values
from dpcheck.model.verdict import NOT_TRIED, Finding, Stop
from dpcheck.privacy.pairs.candidates import MOST_ROWS, distinct_pairs, most_pairs
from dpcheck.privacy.pairs.changes import SIZES
from dpcheck.privacy.run.agreement_phase import Opening
from dpcheck.privacy.run.allocation import PREFERENCE, affordable, calls_in_time, pairs_share
from dpcheck.privacy.run.caller import Caller, shape_of
from dpcheck.privacy.run.certification import Run, certify_pairs, tell_progress
from dpcheck.privacy.run.domain import searched_domain
from dpcheck.privacy.run.events import PhaseStarted
from dpcheck.privacy.run.question import Question
from dpcheck.privacy.statistics.claim_evidence import points_staked
from dpcheck.privacy.statistics.detectable import ASSUMED_COVERAGE, answers_planned, calls_to_catch
from dpcheck.privacy.statistics.game import Shape, certified_calls, planned_weight
from dpcheck.privacy.statistics.observations import Observations, join
from dpcheck.privacy.statistics.promise import numbers_of, promise, separation
from dpcheck.privacy.statistics.state import PairState

#: Calls per side on every pair of a block, and more of them on the best quarter by the leak shown. That is a guess
#: after so few calls, so an eighth whose outputs are farthest apart on the whole has them too, where calls allow it.
GLANCE, SECOND_GLANCE = 100, 400
SECOND_PART, SECOND_APART = 4, 8
#: Calls per side on the best sixteenth, and on as many that are farthest apart, where no pair shows more than is
#: claimed: pairs that leak nearly alike are then told apart. Where one does, it is certified at once.
THIRD_GLANCE, THIRD_PART = 1000, 16
#: Calls of the first two glances, per pair of a block.
GLANCED_CALLS = 2 * GLANCE + 2 * SECOND_GLANCE // SECOND_PART
#: With fewer pairs than this there is nothing to search: all are certified, or as many as can be.
FEWEST_PAIRS = 8
#: Where calls are too few for a search and for certifying every pair: least calls per side of a quick look at the
#: others, and the part of all calls that it takes where the rest is too little for one pair anyway; else one pair keeps
#: so many times the calls that it needs.
QUICK_GLANCE, QUICK_PART, NEEDED_KEPT = 16, 0.25, 1.05
#: Where not all pairs of a block can be looked at, this part of them has sizes that code names, if others are left out.
LARGE_PART = 8
#: Pairs certified after the first block, and after each further one.
PROMOTED_FIRST, PROMOTED_LATER = 8, 2
#: Pairs certified where no number of calls was asked for: each takes thousands of calls.
PROMOTED_PLANNED = 4
#: How many pairs are certified is planned anew once so many times the calls are to be had.
MORE_CALLS = 1.1
#: Never more pairs than this are certified: their weights would be too small to matter.
MOST_PROMOTED = 64
#: Evidence (nats) of one pair that is worth more calls before others are explored; and how many times the calls
#: explored may be certified for it.
PROMISING, PATIENCE = 3.0, 3.0
#: Calls per side, and the stage of their key, on datasets of a size that nobody asked for, and the part of all time
#: that a pair of them may take.
TRIED, TRIED_STAGE, LARGER_PART = 2, 9, 0.02
#: First word of the keys of exploring streams.
SEARCH_KEY = 3_000_001
#: The weights of the j-th pairs sum to 1.
FIRST_WEIGHT = 6.0 / math.pi**2


@dataclass(frozen=True)
class Explored:
    """A pair, the leak it showed, and what its outputs look like."""

    pair: Pair
    score: float
    shape: Shape


def search_weight(j: int, *, shrinking: bool) -> float:
    """The weight of the j-th pair certified, counted from 1.

    >>> round(sum(search_weight(j, shrinking=False) for j in range(1, 1000)), 2)
    1.0
    """
    return FIRST_WEIGHT / j**2 * pairs_share(shrinking)


def search(run: Run, caller: Caller, opening: Opening) -> bool:
    """Explore and certify until the run ends; False, with nothing done, when there is nothing to search.

    That is where all pairs can be certified: so few are made, or the calls reach all that were given. Where the budget
    allows few calls, each pair is glanced at with few, so that a record given away on one of them does not go unseen.
    """
    question, shape = run.question, opening.shape
    if not run.state.record.rounds:
        bet = any(pair.weight > 0 for pair in run.state.pairs)
        breadth = None if bet else breadth_of(question, run.calls_left, run.per_call, shape)
        if breadth is None:
            return False
    else:  # what was chosen goes on; there may be calls for more
        left, pairs = run.calls_left, len(question.pairs)
        wide, glanced = _breadth(pairs, left / 2)
        breadth = Breadth(wide, glanced, 0, promotable(question, left, shape) if glanced >= FEWEST_PAIRS else 0)
    wide, glanced, quick, most = breadth.wide, breadth.glanced, breadth.quick, breadth.most
    blocks = _Blocks(run)
    promoted = _resumed(run, blocks.known, opening)
    run.question = replace(question, pairs=tuple(promoted))
    run.state = replace(run.state, pairs=run.state.pairs[: len(promoted)])
    looked_at, explored, begun, planned_for = list(blocks.known), False, run.state.samples, run.calls_left

    def more() -> bool:
        """Whether another block is to be had, and to be explored in what is left of the calls and of the time."""
        nonlocal most, planned_for
        if blocks.ended:
            return False
        calls = run.calls_left + run.state.samples - begun
        if len(promoted) >= most and not quick and calls > MORE_CALLS * planned_for:  # the first ones were slow
            most, planned_for = max(most, promotable(question, calls, opening.shape)), calls
        return len(promoted) < most and (not promoted or _time_for_more(run, wide, glanced, len(promoted)))

    going = True
    while going:
        block = _narrowed(blocks.next(), wide) if more() else []
        if block:
            run.tell(PhaseStarted("search"))
            found = explore(run, caller, opening, block, run.state.record.rounds, glanced, quick)
            looked_at, explored = [*looked_at, *(one.pair for one in found)], True
            _promote(run, promoted, found[: min(PROMOTED_LATER if promoted else PROMOTED_FIRST, most - len(promoted))])
            record = replace(run.state.record, rounds=run.state.record.rounds + 1, among=_among(question))
            run.state = replace(run.state, record=record)
            run.tell(PhaseStarted("certify"))
        if not promoted:  # not one pair could be looked at
            run.stop = Stop.MAX_SECONDS
            break
        # calls that were slow for a while leave time for another block once they are faster
        enough = _Balance(run, _needed(run)) if block else more
        going = certify_pairs(run, run.serve(caller, promoted), opening, range(len(promoted)), enough)
    if not explored and not question.searched:  # what an earlier audit said of them stays
        return True
    chosen = "most promising one was" if len(promoted) == 1 else f"{len(promoted)} most promising were"
    words = (
        f"{len(looked_at):,} pairs explored with {explored_calls(run):,} calls, which do not count "
        f"as evidence; the {chosen} chosen for fresh calls"
    )
    words += _values_not_changed(question, looked_at)
    kept = tuple(finding for finding in run.state.record.findings if finding.kind != "search")
    said: tuple[Finding, ...] = (Finding("search", words),)
    if not question.searched and (unseen := len(question.pairs) - len(looked_at)) > 0:
        words = f"{unseen} of {len(question.pairs)} pairs: the calls and seconds allowed are too few to look at them"
        said += (Finding(NOT_TRIED, words),)
    record = replace(run.state.record, findings=(*kept, *said))
    if record.looked is not None and question.searched:
        looked = searched_domain(
            record.looked, question.relation, looked_at, schema=question.schema is not None, larger=question.larger
        )
        record = replace(record, looked=looked)
    run.state = replace(run.state, record=record)
    return True


def explored_calls(run: Run) -> int:
    """Calls made so far to explore."""
    return next((phase.calls for phase in run.state.record.phases if phase.phase == "search"), 0)


class _Blocks:
    """The blocks of pairs of a search, each pair once; those that an earlier, resumed audit looked at are ``known``.

    Pairs that were given, or made of a dataset, are one block.
    """

    def __init__(self, run: Run) -> None:
        question = run.question
        self._given = None if question.searched else list(question.pairs)
        if question.searched:
            assert question.relation is not None
            self._candidates = question.candidates()
            counted = question.schema is None and question.larger is None
            self._among = most_pairs(question.relation, question.constants) if counted else None
            self._size = question.block
        self.known: list[Pair] = []
        #: Whether there are no more.
        self.ended = False
        for _ in range(run.state.record.rounds):
            self.next()

    def next(self) -> list[Pair]:
        """The next block; empty when the relation has no more pairs."""
        if self._given is not None:
            block, self._given = self._given, []
        else:
            block = distinct_pairs(self._candidates, self._size, self.known, self._among)
        self.known += block
        self.ended = not block or self._given == []
        return block


def _narrowed(block: list[Pair], wide: int) -> list[Pair]:
    """So many pairs of a block, in its order; of sizes beyond the usual, which code names, few where not all fit.

    >>> small, large = Pair([0], [1], ""), Pair([0] * 99, [1] * 99, "")
    >>> [len(pair.left) for pair in _narrowed([small, large, large, small, large, small], 4)]
    [1, 99, 1, 1]
    """
    if wide >= len(block):
        return block
    large = [place for place, pair in enumerate(block) if max(size_of(pair.left), size_of(pair.right)) > SIZES[-1]]
    usual = len(block) - len(large)
    dropped = set(large[max(wide - usual, wide // LARGE_PART) :])
    return [pair for place, pair in enumerate(block) if place not in dropped][:wide]


def _resumed(run: Run, known: list[Pair], opening: Opening) -> list[Pair]:
    """The pairs that an earlier audit certified, found again among those it looked at.

    Raises
    ------
    InvalidArgument
        When they are not there: the relation is another one.
    """
    if not run.state.record.rounds:
        return []
    same = _among(run.question) == run.state.record.among
    by_digest = {(state.left_digest, state.right_digest): pair for pair in known for state in (PairState.of(pair),)}
    found: list[Pair] = []
    for place, state in enumerate(run.state.pairs):
        pair = by_digest.get((state.left_digest, state.right_digest))
        if pair is None or not same:
            raise InvalidArgument(
                "resume must be of an audit that chose among the same pairs (records and size, or those given), got "
                f"one that tried {state.left} and {state.right}"
            )
        run.shapes[place] = state.game.shape if state.game is not None else opening.shape
        found.append(pair)
    return found


def _among(question: Question) -> str:
    """A digest of the pairs that were given, or made of a dataset; empty where a search makes them."""
    if question.searched:
        return ""
    digests = [text for pair in map(PairState.of, question.pairs) for text in (pair.left_digest, pair.right_digest)]
    return hashlib.blake2b(" ".join(digests).encode(), digest_size=16).hexdigest()


def needed_calls(question: Question, j: int, shape: Shape) -> int:
    """Calls that bring the j-th pair to the leak asked for."""
    assert question.claim is not None
    epsilon, delta = claim_point(question.claim)
    weight = planned_weight(shape, epsilon, delta) * search_weight(j, shrinking=question.shrinking)
    detect, alpha, points = question.detect, question.limits.alpha, points_staked(question.claim)
    answers = answers_planned(shape)
    return calls_to_catch(epsilon, delta, detect, alpha, weight, ASSUMED_COVERAGE, points=points, answers=answers)


@dataclass(frozen=True)
class Breadth:
    """How many pairs of a block are glanced at, how many for longer, and how many of them are certified at the most.

    ``quick``: calls per side of the only look, where there are too few for longer ones; else 0.
    """

    wide: int
    glanced: int
    quick: int
    most: int

    @property
    def calls(self) -> int:
        """About how many calls the first block takes."""
        if self.quick:
            return 2 * self.quick * self.wide
        return self.glanced * GLANCED_CALLS + (2 * QUICK_GLANCE * self.wide if self.wide > self.glanced else 0)


def breadth_of(question: Question, left: int, per_call: float, shape: Shape) -> Breadth | None:
    """How a search begins that has so many calls left; None where all pairs can be certified, or calls are too few."""
    in_time, pairs = calls_in_time(question, per_call), len(question.pairs)
    if not question.searched:
        if affordable(question, in_time, shape) >= pairs:
            return None
        left = min(left, in_time)
    wide, glanced = _breadth(pairs, left / 2)
    if glanced >= FEWEST_PAIRS:
        return Breadth(wide, glanced, 0, promotable(question, left, shape))
    wide, quick = _quick_look(question, left, shape)
    return Breadth(wide, glanced, quick, promotable(question, left, shape, 1.0 - QUICK_PART)) if quick else None


def _breadth(pairs: int, calls: float) -> tuple[int, int]:
    """Of so many pairs, how many a search looks at with these calls, and at how many of them for longer.

    Where not all can be looked at for longer, as many as can be are glanced at first: more calls never look at fewer.

    >>> [_breadth(64, calls) for calls in (4_000, 5_500, 20_000, 30_000)]
    [(64, 4), (64, 8), (64, 44), (64, 64)]
    """
    if pairs * GLANCED_CALLS <= calls:
        return pairs, pairs
    wide = min(pairs, int(calls / (2 * QUICK_GLANCE)))
    return wide, int((calls - 2 * QUICK_GLANCE * wide) / GLANCED_CALLS)


def _quick_look(question: Question, left: int, shape: Shape) -> tuple[int, int]:
    """How many pairs are glanced at, and with how many calls per side, before the best are certified; (0, 0): none.

    ``left`` are the calls that are planned for.

    None are where all can be certified, and where calls are too few to look at more than one.
    """
    pairs = len(question.pairs)
    if affordable(question, left, shape) >= pairs:
        return 0, 0
    spare = left - NEEDED_KEPT * needed_calls(question, 1, shape)
    enough = 2 * QUICK_GLANCE * min(pairs, FEWEST_PAIRS)
    budget = int(min(left / 2, spare if spare >= enough else QUICK_PART * left))
    count = min(pairs, budget // (2 * QUICK_GLANCE))
    return (count, min(GLANCE, budget // (2 * count))) if count > 1 else (0, 0)


def promotable(question: Question, left: int, shape: Shape, part: float = 0.5) -> int:
    """How many pairs can be certified so that a part of the calls, spread evenly, brings each to the leak asked for."""
    budget = left * part  # the others explore

    def enough(count: int) -> bool:
        return count * needed_calls(question, count, shape) <= (1.0 - PREFERENCE) * budget

    most = PROMOTED_PLANNED if question.planned else MOST_PROMOTED
    low, high = 1, most + 1  # the more pairs, the more calls each of them needs
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return low


def _time_for_more(run: Run, wide: int, glanced: int, promoted: int) -> bool:
    """Whether another block can be explored and its best pairs be brought to the leak asked for, at the pace so far."""
    calls = glanced * GLANCED_CALLS + (2 * QUICK_GLANCE * wide if wide > glanced else 0)
    calls += int(PROMOTED_LATER * needed_calls(run.question, promoted + 1, run.shapes[0]) / (1.0 - PREFERENCE))
    pace = run.seconds / max(run.state.samples, 1)
    return calls <= run.calls_left and calls * pace <= run.question.max_seconds - run.seconds


def _values_not_changed(question: Question, pairs: list[Pair]) -> str:
    """In words, how many of the values that a record may have changed in none of the pairs; empty where all did."""
    domain = question.relation.records.domain if question.relation is not None and question.relation.records else None
    if not question.searched or question.schema is not None or not isinstance(domain, Values):
        return ""
    values = {repr(value) for value in domain.values}
    rows = sum(size_of(pair.left) for pair in pairs)
    if len(values) < len(domain.values) or rows > MOST_ROWS:  # arrays are cut short in words
        return ""
    changed: set[str] = set()
    for pair in pairs:
        if not (isinstance(pair.left, list) and isinstance(pair.right, list)):
            return ""
        sides = [Counter(map(repr, side)) for side in (pair.left, pair.right)]
        changed |= (sides[0] - sides[1]).keys() | (sides[1] - sides[0]).keys()
    still = len(values - changed)
    return f"; {still:,} of the {len(values):,} values of records changed in none of them" if still else ""


def _too_slow(run: Run, serving: Caller, block: list[Pair], number: int) -> set[int]:
    """The places of pairs whose size a constant of the learner names, and on which calls take too long, or do not end.

    Nobody said that the learner is for such data; where calls end on one of the two alone, that is told as always.
    """
    relation = run.question.relation
    if not run.question.searched or run.question.schema is not None or relation is None or relation.size is not None:
        return set()
    if hasattr(relation, "pair_strategy") or run.calls_left < 2 * GLANCED_CALLS:
        return set()
    sizes = {place: max(size_of(pair.left), size_of(pair.right)) for place, pair in enumerate(block)}
    slow: int | None = None
    for size in sorted({size for size in sizes.values() if size > SIZES[-1]}):
        place = next(place for place in sizes if sizes[place] == size)
        took, deaths = list[float](), list[LearnerDied]()
        for side, dataset in enumerate(serving.question.dataset_numbers()[place]):
            began = serving.noticed.seconds
            try:
                serving.outputs(dataset, TRIED, (SEARCH_KEY, number, place, TRIED_STAGE, side))
            except LearnerDied as death:
                deaths.append(death)
            took.append(serving.noticed.seconds - began)
            run.state = run.state.with_calls("search", TRIED)
        if len(deaths) == 1:
            raise deaths[0]
        # the first call of all may load what the others have
        if deaths or min(took) / TRIED * GLANCED_CALLS > LARGER_PART * run.question.max_seconds:
            slow = size
            break
    if slow is None:
        return set()
    words = (
        f"datasets of {slow:,} records and more, which numbers in the learner's code or settings name, were left out: "
        "calls take too long there, or do not end"
    )
    findings = dict.fromkeys((*run.state.record.findings, Finding("sizes", words)))
    run.state = replace(run.state, record=replace(run.state.record, findings=tuple(findings)))
    return {place for place, size in sizes.items() if size >= slow}


def explore(
    run: Run, caller: Caller, opening: Opening, block: list[Pair], number: int, most: int, quick: int = 0
) -> list[Explored]:
    """Look at every pair of a block, longer at the best of them: the most promising first. No call is counted.

    ``most``: so many are looked at for longer, chosen by a glance at all where these are more; ``quick``: calls per
    side of the only look, where there are too few for longer ones.
    """
    epsilon, delta = claim_point(run.state.claim)
    serving = run.serve(caller, block)
    sides = serving.question.dataset_numbers()
    seen: dict[int, tuple[Observations, Observations]] = {}
    scores, apart = np.full(len(block), -1.0), np.zeros(len(block))

    def glance(place: int, calls: int, stage: int) -> None:
        began = serving.noticed.seconds
        fresh = tuple(
            serving.outputs(
                dataset, calls, (SEARCH_KEY, number, place, stage, side), bulk=run.bulk and stage in (1, 2), told=True
            )
            for side, dataset in enumerate(sides[place])
        )
        for some in fresh:  # of datasets of other sizes answers are longer, and their first numbers are compared
            serving.noticed.late_kinds.see(some, serving.layout, longer=False)
        run.per_call = 0.9 * run.per_call + 0.1 * serving.cost_of(serving.noticed.seconds - began, 2 * calls, 2)
        run.state = run.state.with_calls("search", 2 * calls)
        before = seen.get(place)
        left, right = fresh if before is None else (join([before[0], fresh[0]]), join([before[1], fresh[1]]))
        seen[place] = left, right
        numbers = numbers_of(left, right)
        scores[place], apart[place] = promise(left, right, delta, numbers), separation(numbers)
        tell_progress(run, 0.0 if not run.evidences else run.total(), block[place].change, place + 1, len(block))

    def foresee(places: Iterable[int], calls: int, stage: int) -> None:
        if not (run.bulk and stage in (1, 2)):
            serving.expect_outputs(
                (dataset, calls, (SEARCH_KEY, number, place, stage, side))
                for place in places
                for side, dataset in enumerate(sides[place])
            )

    # a third glance only where half of the calls are left to certify after it
    looked_at = len(block) if quick else min(most, len(block))
    third = max(1, looked_at // THIRD_PART)
    planned = looked_at * GLANCED_CALLS + 2 * third * THIRD_GLANCE
    thorough = run.calls_left >= 2 * planned
    second_apart = looked_at // SECOND_APART
    roomy = run.calls_left >= 2 * (planned + 2 * second_apart * SECOND_GLANCE + 2 * third * THIRD_GLANCE)
    # own work takes time too: half of what is left is kept for certifying, whatever a call costs
    until = run.seconds + 0.5 * (run.question.max_seconds - run.seconds)
    left_out = _too_slow(run, serving, block, number)
    chosen = [place for place in range(len(block)) if place not in left_out]
    if looked_at < len(chosen):
        foresee(chosen, QUICK_GLANCE, 3)
        for place in chosen:
            if run.calls_left < 4 * QUICK_GLANCE or (place and run.seconds > until):
                break
            glance(place, QUICK_GLANCE, 3)
        chosen = sorted(np.argsort(-scores, kind="stable")[:looked_at].tolist())
    first = quick or GLANCE
    foresee(chosen, first, 0)
    for place in chosen:
        if run.calls_left < 4 * first or (place and run.seconds > until):
            break
        glance(place, first, 0)
    apart[[place for place in range(len(block)) if place not in chosen]] = 0.0
    best = np.array(sorted(chosen, key=lambda place: -scores[place]), np.int64)
    best = best[: 0 if quick else max(1, looked_at // SECOND_PART)]
    again = _and_apart(best, apart, second_apart if roomy else 0)
    foresee(again, SECOND_GLANCE, 1)
    for place in again:
        if run.calls_left < 4 * SECOND_GLANCE or run.seconds > until:
            break
        glance(place, SECOND_GLANCE, 1)
    longer = _output_counts(seen, len(block))
    shown = scores[longer == longer.max()].max()
    best = np.lexsort((-scores, -longer))[: third if thorough and not quick and shown <= epsilon else 0]
    again = _and_apart(best, np.where(longer == longer.max(), apart, 0.0), len(best) if roomy else 0)
    foresee(again, THIRD_GLANCE, 2)
    for place in again:
        if run.calls_left < 4 * THIRD_GLANCE or run.seconds > until:
            break
        glance(place, THIRD_GLANCE, 2)
    # those looked at longer come first: of many others one is lucky in a few calls
    order = np.lexsort((-scores, -_output_counts(seen, len(block))))
    found = []
    for i in order:
        if i in seen:
            shape = shape_of(join(seen[i])) if serving.layout is None else opening.shape
            found.append(Explored(block[i], float(scores[i]), shape))
    return found


def _and_apart(best: NDArray[np.int64], apart: NDArray[np.float64], count: int) -> list[int]:
    """The best places, and of the others so many that are farthest apart: none that no number tells apart."""
    order = np.argsort(-apart, kind="stable")
    others = order[(apart[order] > 0.0) & ~np.isin(order, best)]
    return [*best.tolist(), *others[:count].tolist()]


def _output_counts(seen: dict[int, tuple[Observations, Observations]], count: int) -> NDArray[np.int64]:
    """The outputs seen of each pair, on one side."""
    return np.array([len(seen[i][0]) if i in seen else 0 for i in range(count)])


def _promote(run: Run, promoted: list[Pair], best: list[Explored]) -> None:
    """Give the best pairs their weights, and their place in the state."""
    for found in best:
        promoted.append(found.pair)
        run.shapes[len(promoted) - 1] = found.shape
        state = PairState.of(found.pair, search_weight(len(promoted), shrinking=run.question.shrinking))
        run.state = replace(run.state, pairs=(*run.state.pairs, state))
    run.question = replace(run.question, pairs=tuple(promoted))


def _needed(run: Run) -> tuple[int, ...]:
    """The calls that bring each pair to the leak asked for."""
    pairs = range(len(run.question.pairs))
    return tuple(needed_calls(run.question, place + 1, run.shapes[place]) for place in pairs)


@dataclass(frozen=True)
class _Balance:
    """Enough was certified when every pair was brought to the leak asked for, and as many calls made as explored.

    While one pair is promising it gets more.
    """

    run: Run
    needed: tuple[int, ...]

    def __call__(self) -> bool:
        made = [game.calls if (game := pair.game) is not None else 0 for pair in self.run.state.pairs]
        promising = max(self.run.evidences.values()) >= PROMISING
        counted = [certified_calls(game) if (game := pair.game) is not None else 0 for pair in self.run.state.pairs]
        if self.run.bulk:  # draws of ``sample`` bring no pair any nearer
            made = counted
        return sum(made) >= (PATIENCE if promising else 1.0) * explored_calls(self.run) and all(
            calls >= needed for calls, needed in zip(made, self.needed, strict=True)
        )
