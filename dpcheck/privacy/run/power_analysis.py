"""``plan``: how many calls it takes to catch a leak, and what a budget can catch, before anything is run."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from dpcheck.model.claims import Claim, TestedPoint, as_claim, claim_point, orders_tested
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict.record import claim_record
from dpcheck.privacy.run.allocation import FIRST_INTERIM, PREFERENCE, calls_to_reach, pairs_reached
from dpcheck.privacy.run.limits import between, positive, refuse_what_all_keep, whole
from dpcheck.privacy.statistics.claim_evidence import points_staked
from dpcheck.privacy.statistics.detectable import (
    ASSUMED_COVERAGE,
    NO_NUMBER_OF_CALLS,
    POWER,
    answers_planned,
    calls_to_catch,
    learning,
    smallest_caught,
)
from dpcheck.privacy.statistics.evidence import EPSILON_CEILING
from dpcheck.privacy.statistics.game import Shape, new_game
from dpcheck.privacy.statistics.judge import CLOSEST_LEAK, default_detect

SCHEMA = "dpcheck-plan/1"
#: Leaks of a table, as multiples of the claim: from a rounded constant to half of the noise.
MULTIPLES = (1.1, 1.25, 1.5, 2.0)
#: Parts of the outputs in which a leak shows: all (a wrong scale), some (a wrong branch), few (a rare event).
COVERAGES = (1.0, 0.25, 0.05)
#: Outputs that are planned for where no learner was seen: a single number.
ONE_NUMBER = Shape(1, repeats=False, others=False)
#: Audits from the command line end after so many seconds when nothing is said.
_USUAL_SECONDS = 60.0
#: Seconds of a call from which on it is slow, and of calls from which on they are too many.
SLOW_CALL, LONG = 0.25, 24 * 3600.0
#: An audit is given so many times the planned calls: some only show what outputs look like, and where pairs are made
#: half of alpha is kept for a smaller form of the one found.
ROOM = 1.1
#: Width of the lines that people read.
PAGE = 110
#: More pairs than this are not planned for: no budget reaches them, and the search for their number would take long.
MOST_PAIRS = 1_000_000


@dataclass(frozen=True)
class PlannedLeak:
    """A leak and what it takes to catch it, all pairs together.

    ``calls`` is None where no number of calls does (the claim's delta hides the leak, or it is too many by far),
    ``seconds`` where that is so or a call's time is not known.
    """

    epsilon: float
    coverage: float
    calls: int | None
    seconds: float | None


@dataclass(frozen=True)
class Caught:
    """The smallest leak of a coverage that a budget catches, on every pair (``inf``: none)."""

    coverage: float
    epsilon: float


@dataclass(frozen=True)
class Plan:
    """What audits of a claim cost and see: see :func:`plan`.

    ``budget`` is the number of calls that ``max_samples`` and ``max_seconds`` allow (None without either),
    ``pairs_tried`` how many of the ``pairs`` an audit with it tries, ``catches`` what it catches on any of those, and
    ``pairs_in_budget`` how many pairs it brings to ``detect`` with the probability ``power``.
    """

    claim: Claim
    detect: float
    alpha: float
    power: float
    pairs: int
    seconds_per_call: float | None
    max_samples: int | None
    max_seconds: float | None
    leaks: tuple[PlannedLeak, ...]
    budget: int | None
    pairs_tried: int | None
    catches: tuple[Caught, ...]
    pairs_in_budget: int | None

    def __str__(self) -> str:
        return describe_plan(self)

    def to_json(self) -> str:
        """The plan as JSON; leaks and calls that are infinite are null."""
        catches = [{"coverage": c.coverage, "epsilon": finite(c.epsilon)} for c in self.catches]
        told = {**asdict(self), "claim": asdict(claim_record(self.claim)), "catches": catches}
        return json.dumps({"schema": SCHEMA, **told}, indent=1, allow_nan=False) + "\n"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"


def plan(
    claim: Any,
    *,
    detect: float | None = None,
    alpha: float = 1e-6,
    seconds_per_call: float | None = None,
    max_samples: int | None = None,
    max_seconds: float | None = None,
    pairs: int = 1,
    coverage: float | Sequence[float] = COVERAGES,
    power: float = POWER,
    shape: Shape = ONE_NUMBER,
) -> Plan:
    """How many calls it takes to catch a leak of that size, and what a budget can catch.

    A leak of size e' and coverage c is a randomised response of e' that shows in the part c of the outputs, the rest
    telling nothing. The numbers are those at which :func:`dpcheck.audit` catches it with probability ``power``; they
    include what learning the event costs, as measured (``benchmarks/planning.py``). Leaks of another shape take more
    or fewer calls; none of it bounds an epsilon.

    Parameters
    ----------
    claim : float, PureDP or ApproxDP
    detect : float, optional
        The leak that must not be missed. Without it: twice the claim, and a table of leaks from 1.1 to 2 times it.
    alpha : float
        The probability of a false alarm.
    seconds_per_call : float, optional
        What a call of the learner takes; turns calls into seconds.
    max_samples, max_seconds : optional
        A budget: of calls, and of seconds (which needs ``seconds_per_call``).
    pairs : int
        How many pairs of neighbours share the calls; the leak is on each of them alone.
    coverage : float or several
        Parts of the outputs in which the leak shows, each above 0 and at most 1.
    power : float
        The probability of catching the leak.
    shape : Shape
        What outputs look like: it decides the weights of the guessing rules. A single number when left out.

    Raises
    ------
    InvalidArgument
        For arguments that cannot be used, in one line.

    Examples
    --------
    >>> found = plan(1.0, detect=2.0, seconds_per_call=0.5, max_seconds=600)
    >>> [(leak.coverage, 500 < leak.calls < 100_000) for leak in found.leaks]
    [(1.0, True), (0.25, True), (0.05, True)]
    >>> found.budget, found.catches[0].epsilon < 2 < found.catches[2].epsilon
    (1200, True)
    """
    promised = as_claim(claim)
    epsilon, delta = claim_point(promised)
    refuse_what_all_keep(epsilon, delta)
    if epsilon >= EPSILON_CEILING:
        raise InvalidArgument(
            f"claim must have an epsilon below {EPSILON_CEILING:g} (runs tell no larger ones apart), got {epsilon:g}"
        )
    wanted = default_detect(epsilon) if detect is None else positive("detect", detect, allow_infinite=False)
    if wanted <= epsilon:
        raise InvalidArgument(f"detect must be above the claimed epsilon {epsilon:g}, got {detect!r}")
    each = None if seconds_per_call is None else positive("seconds_per_call", seconds_per_call, allow_infinite=False)
    most = None if max_samples is None else whole("max_samples", max_samples, 1)
    longest = None if max_seconds is None else positive("max_seconds", max_seconds, allow_infinite=True)
    if longest is not None and math.isfinite(longest) and each is None:
        raise InvalidArgument("seconds_per_call must be given beside max_seconds: it turns seconds into calls")
    count = whole("pairs", pairs, 1)
    if count > MOST_PAIRS:
        raise InvalidArgument(f"pairs must be at most {MOST_PAIRS:,}, got {count:,}")
    covered = _coverages(coverage)
    cost = Cost(
        epsilon,
        delta,
        between("alpha", alpha, 0.0, 1.0, "a probability of false alarm such as 1e-6"),
        between("power", power, 0.0, 1.0, "a probability of catching such as 0.95"),
        shape,
        wanted,
        points_staked(promised),
    )
    sizes = [wanted] if detect is not None else [leak_of(epsilon, multiple) for multiple in MULTIPLES]
    budget = _budget(most, longest, each)
    tried = None if budget is None else cost.pairs_tried(budget, count)
    return Plan(
        claim=promised,
        detect=wanted,
        alpha=cost.alpha,
        power=cost.power,
        pairs=count,
        seconds_per_call=each,
        max_samples=most,
        max_seconds=None if longest is None or math.isinf(longest) else longest,
        leaks=tuple(_planned_leak(cost, size, part, count, each) for size in sizes for part in covered),
        budget=budget,
        pairs_tried=tried,
        catches=() if budget is None or tried is None else cost.catches(budget, tried, covered),
        pairs_in_budget=None if budget is None else cost.pairs_within(budget, wanted),
    )


@dataclass(frozen=True)
class Cost:
    """What calls buy: a claim (epsilon, delta), level, power and ``detect`` of its audits, what outputs look like.

    ``points`` are those at which the claim is tested, if not at (epsilon, delta) alone: what bets against divergences
    win beside them is not counted, so that calls are enough and not too few.
    """

    epsilon: float
    delta: float
    alpha: float
    power: float
    shape: Shape
    detect: float
    points: tuple[TestedPoint, ...] = ()

    @cached_property
    def weight(self) -> float:
        """The weight of the rules that a leak of full stakes is guessed by."""
        rules = [rule for feature in new_game(self.shape, self.epsilon, self.delta).features for rule in feature.rules]
        return max(rule.weight for rule in rules if rule.coverage is not None)

    def learning(self, coverage: float) -> float:
        """How many times the calls of the right event it takes when the event is to be learned."""
        return learning(coverage, answers_planned(self.shape))

    def calls(self, leak: float, coverage: float, pairs: int = 1) -> int | None:
        """Calls, all pairs together, that catch a leak on any one of them; None for no number of calls."""
        at, weight = (self.epsilon, self.delta, leak, self.alpha), self.weight / pairs
        needed = calls_to_catch(*at, weight, coverage, self.power, self.points, answers=answers_planned(self.shape))
        if needed >= NO_NUMBER_OF_CALLS:
            return None
        one = FIRST_INTERIM + needed
        if pairs == 1:
            return one
        # an audit tries as many pairs as its calls bring to detect: with fewer the leak may be on one not tried
        return max(math.ceil(pairs * one / (1.0 - PREFERENCE)), self.reach(pairs))

    def reach(self, pairs: int) -> int:
        """The calls with which an audit tries so many pairs."""
        return calls_to_reach(self.epsilon, self.delta, self.detect, self.alpha, self.shape, pairs, self.points)

    def pairs_tried(self, calls: int, pairs: int) -> int:
        """How many of the pairs an audit of so many calls tries."""
        at, shape = (self.epsilon, self.delta, self.detect, self.alpha), self.shape
        return pairs_reached(*at, shape, budget=calls, most=pairs, points=self.points)

    def smallest(self, calls: int, coverage: float, pairs: int = 1) -> float:
        """The smallest leak that so many calls, all pairs together, catch on any one of them (``inf``: none)."""
        one = calls if pairs == 1 else (1.0 - PREFERENCE) * calls / pairs
        bare = int((one - FIRST_INTERIM) / self.learning(coverage))
        if bare < 1:
            return math.inf
        needed = -math.log(self.alpha) - math.log(self.weight / pairs)
        guesses = int(coverage * bare)
        return smallest_caught(guesses, bare, self.epsilon, self.delta, needed, 1.0, self.power, self.points)

    def catches(self, calls: int, pairs: int, coverages: Sequence[float] = COVERAGES) -> tuple[Caught, ...]:
        """The smallest leak of each coverage that so many calls catch."""
        return tuple(Caught(coverage, self.smallest(calls, coverage, pairs)) for coverage in coverages)

    def pairs_within(self, calls: int, leak: float) -> int:
        """How many pairs so many calls bring to a leak that shows in a quarter of the outputs (0: not even one)."""

        def enough(pairs: int) -> bool:
            needed = self.calls(leak, ASSUMED_COVERAGE, pairs)
            return needed is not None and needed <= calls

        if not enough(1):
            return 0
        low, high = 1, 2
        while high < MOST_PAIRS and enough(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if enough(middle) else (low, middle)
        return low


def leak_of(epsilon: float, multiple: float) -> float:
    """A leak of so many times the claim, and for tiny claims as far above it as doubling is at the least.

    >>> leak_of(1.0, 1.5), leak_of(0.0, 1.5)
    (1.5, 0.05)
    """
    return max(multiple * epsilon, epsilon + (multiple - 1.0) * CLOSEST_LEAK)


def _planned_leak(cost: Cost, leak: float, coverage: float, pairs: int, seconds_per_call: float | None) -> PlannedLeak:
    calls = cost.calls(leak, coverage, pairs)
    seconds = None if calls is None or seconds_per_call is None else calls * seconds_per_call
    return PlannedLeak(leak, coverage, calls, seconds)


def _coverages(coverage: float | Sequence[float]) -> tuple[float, ...]:
    listed = [coverage] if isinstance(coverage, int | float) else list(coverage)
    if not listed:
        raise InvalidArgument("coverage must be a part of the outputs such as 0.25, or several, got none")
    for part in listed:
        if isinstance(part, bool) or not isinstance(part, int | float) or not 0.0 < part <= 1.0:
            raise InvalidArgument(f"coverage must be a part of the outputs, above 0 and at most 1, got {part!r}")
    return tuple(dict.fromkeys(float(part) for part in listed))


def _budget(max_samples: int | None, max_seconds: float | None, seconds_per_call: float | None) -> int | None:
    """The calls that both limits allow; None where there is no limit."""
    limits = [] if max_samples is None else [max_samples]
    if max_seconds is not None and seconds_per_call is not None and math.isfinite(max_seconds):
        limits.append(int(min(max_seconds / seconds_per_call, NO_NUMBER_OF_CALLS)))
    return min(limits, default=None)


def describe_plan(found: Plan, audit: str = "", page: int = PAGE) -> str:
    """The table that is read, what its words mean, what the budget buys, and the audit that this is for (a command)."""
    epsilon, delta = claim_point(found.claim)
    several = f" of all {found.pairs} pairs together" if found.pairs > 1 else ""
    lines = [
        f"Plan for a claim of {found.claim}, at alpha = {found.alpha:g} and power {found.power:g}.",
        "",
        f"Calls{several} to catch a privacy loss above the claim, by the part of the outputs it is in:",
        "",
    ]
    covered = list(dict.fromkeys(leak.coverage for leak in found.leaks))
    rows = [["privacy loss", *(_part(coverage) for coverage in covered)]]
    for size in dict.fromkeys(leak.epsilon for leak in found.leaks):
        cells = [_cell(leak) for leak in found.leaks if leak.epsilon == size]
        times = f" ({size / epsilon:.3g} x)" if epsilon > 0 else ""
        rows.append([f"{size:.3g}{times}", *cells])
    paragraphs = [
        f"A privacy loss of {found.detect:.3g} is an event that is e^{found.detect:.3g} = "
        f"{times_likelier(found.detect)} times likelier on one of two neighbours; the claim allows "
        f"{times_likelier(epsilon)} times"
        + (f" and delta = {delta:g}" if delta else "")
        + ". Noise of a wrong scale is seen in most outputs, a forgotten case in few. The calls grow as one over the "
        "square of what the loss exceeds the claim by, and as one over the part of the outputs; the event has to be "
        "learned as well, which is counted here."
    ]
    if any(leak.calls is None for leak in found.leaks):
        paragraphs.append(
            "never: so small a loss in so few outputs is hidden by the claim's delta, or is beyond any number of calls."
        )
    if orders_tested(found.claim):
        paragraphs.append(
            "Counted is what the (epsilon, delta) points that the claim implies would show; the Rényi divergences that "
            "it bounds are bet against as well, so that many leaks take fewer calls."
        )
    if found.budget is not None:
        paragraphs.append(_bought(found))
    if _too_slow(found):
        paragraphs.append(_other_doors(found))
    paragraphs.append("These are estimates; an audit that finds nothing has not shown that there is nothing.")
    return "\n".join(
        [
            *lines,
            *_aligned(rows),
            "",
            *(wrapped(paragraph, page=page) for paragraph in paragraphs),
            f"Next: {_next_step(found, audit)}",
        ]
    )


def _next_step(found: Plan, audit: str) -> str:
    """The audit that this plan is for."""
    epsilon, delta = claim_point(found.claim)
    audit = audit or f"dpcheck audit TARGET --epsilon {epsilon:.15g}{f' --delta {delta:g}' if delta else ''}"
    quarter = min(
        found.leaks, key=lambda leak: (abs(leak.epsilon - found.detect), abs(leak.coverage - ASSUMED_COVERAGE))
    )
    calls = found.budget
    if calls is None and quarter.calls is not None:
        calls = math.ceil(ROOM * quarter.calls)
    budget = "" if calls is None else f" --max-samples {calls}"
    longest = 0.0 if found.seconds_per_call is None or calls is None else 2 * calls * found.seconds_per_call
    seconds = f" --max-seconds {math.ceil(longest)}" if longest > _USUAL_SECONDS else ""
    return f"{audit} --alpha {found.alpha:g} --detect {found.detect:.3g}{budget}{seconds}"


def _too_slow(found: Plan) -> bool:
    """Whether calls are slow, and so many of them as it takes take more than a day, or than there is."""
    each = found.seconds_per_call
    if each is None or each < SLOW_CALL:
        return False
    wanted = [leak.calls for leak in found.leaks if leak.epsilon == found.detect]
    most = max((math.inf if calls is None else calls for calls in wanted), default=math.inf)
    return most * each > LONG or (found.budget is not None and most > found.budget)


def _other_doors(found: Plan) -> str:
    """What a training that is too slow for many calls can be audited by."""
    from dpcheck.privacy.one_run.guess_plan import plan_guesses
    from dpcheck.privacy.one_run.training import COUNT as CANARIES
    from dpcheck.privacy.one_run.verdict import ALPHA
    from dpcheck.privacy.white_box.premises import COUNT, RUNS
    from dpcheck.privacy.white_box.replays import number_of_replays

    assert found.seconds_per_call is not None
    shown = plan_guesses(CANARIES, found.claim, ALPHA).detectable_epsilon  # type: ignore[arg-type]
    one = (
        f"would show a privacy loss of {shown:.3g}, at alpha {ALPHA:g}, if its scores tell canaries apart as well as "
        "the noise lets them"
        if math.isfinite(shown)
        else f"cannot refute this claim, at alpha {ALPHA:g}, but certifies what it shows"
    )
    trainings = RUNS + number_of_replays(COUNT, "add-remove", sampled=True)
    return (
        f"A training as slow as this has other doors: one of it with {CANARIES:,} canaries in the data "
        f"({duration(found.seconds_per_call)}; dpcheck one-run) {one}. Where it is made of steps with Gaussian noise, "
        f"a white box looks at each premise of its privacy proof, in about {trainings} trainings "
        f"({duration(trainings * found.seconds_per_call)}; dpcheck white-box)."
    )


def _bought(found: Plan) -> str:
    assert found.budget is not None
    took = "" if found.seconds_per_call is None else f" ({duration(found.budget * found.seconds_per_call)})"
    tried = found.pairs_tried or 1
    of = (
        "one pair"
        if found.pairs == 1
        else f"all {found.pairs} pairs"
        if tried == found.pairs
        else (f"the first {tried} of {found.pairs} pairs (an audit with it tries no more)")
    )
    which = ", whichever of them leaks," if tried > 1 else ""
    bought = f"A budget of {found.budget:,} calls{took} on {of}{which} catches {caught_words(found.catches)}."
    shown = f"{ASSUMED_COVERAGE:.0%} of the outputs"
    if not found.pairs_in_budget:
        return (
            f"{bought} It does not reach detect = {found.detect:.3g} in {shown} on any pair: give more calls, "
            "ask for a "
            "larger loss, or for a larger alpha."
        )
    many = f"{found.pairs_in_budget:,} pair{'' if found.pairs_in_budget == 1 else 's'}"
    return f"{bought} It reaches detect = {found.detect:.3g} in {shown} on {many}."


def wrapped(text: str, indent: str = "", page: int = PAGE) -> str:
    """A paragraph in lines that fit a page."""
    return textwrap.fill(
        text, min(page, PAGE), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def finite(number: float) -> float | None:
    """The number, or None for what JSON has no number for."""
    return number if math.isfinite(number) else None


def caught_words(catches: Sequence[Caught]) -> str:
    """What a budget catches, in words.

    >>> caught_words([Caught(1.0, 1.25), Caught(0.05, math.inf)])
    'a privacy loss of 1.25 in all outputs and none of any size in 5% of them'
    >>> caught_words([Caught(1.0, math.inf), Caught(0.05, math.inf)])
    'no privacy loss of any size'
    """
    if not any(math.isfinite(caught.epsilon) for caught in catches):
        return "no privacy loss of any size"
    words = [
        (f"{caught.epsilon:.4g}" if math.isfinite(caught.epsilon) else "none of any size")
        + f" in {_part(caught.coverage)}"
        for caught in catches
    ]
    return "a privacy loss of " + (", ".join(words[:-1]) + " and " if len(words) > 1 else "") + words[-1]


def times_likelier(epsilon: float) -> str:
    """``e^epsilon`` as a person reads it.

    >>> times_likelier(1.0), times_likelier(30.0)
    ('2.72', '1.07e+13')
    """
    return f"{math.exp(min(epsilon, 700.0)):.3g}"


def duration(seconds: float) -> str:
    """Seconds in the unit a person would use.

    >>> duration(0.02), duration(75.0), duration(5400.0), duration(1e6)
    ('0.02 s', '75 s', '1.5 h', '12 days')
    """
    if seconds < 120.0:
        return f"{seconds:.2g} s" if seconds < 10.0 else f"{seconds:.0f} s"
    for unit, size, most in (("min", 60.0, 60.0), ("h", 3600.0, 48.0), ("days", 86400.0, math.inf)):
        if seconds / size < most:
            return f"{seconds / size:.2g} {unit}" if seconds / size < 10.0 else f"{seconds / size:,.0f} {unit}"
    raise AssertionError("every duration has a unit")


def _part(coverage: float) -> str:
    return "all outputs" if coverage == 1.0 else f"{100 * coverage:g}% of them"


def _cell(leak: PlannedLeak) -> str:
    if leak.calls is None:
        return "never"
    return f"{leak.calls:,}" + ("" if leak.seconds is None else f" ({duration(leak.seconds)})")


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  " + "   ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
