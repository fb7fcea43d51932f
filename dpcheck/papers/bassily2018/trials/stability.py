"""Alg-1, A_stab, exactly (theorems 2.4 and 2.5), and the private choice of the cut-off (remark 1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.papers.bassily2018.learners.stability import StableRelease, largest_stability, required_stability
from dpcheck.papers.bassily2018.theorems.rates_instances import printed_cutoff
from dpcheck.trial.page import EXACT_OF_LAWS, Page, Plot
from dpcheck.trial.privacy import check_privacy
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.run import Run

#: Far enough to reach a change of each function from the datasets that are run.
_FAR = 9
_CLAIMS = ((1.0, 1e-6), (0.25, 0.05), (4.0, 0.2))


def majority(dataset: Any) -> int:
    """Whether more of the records are 1 than 0."""
    return int(2 * sum(dataset) > len(dataset))


def parity(dataset: Any) -> int:
    """The parity of the number of records: every record changes it."""
    return len(dataset) % 2


def several(dataset: Any) -> int:
    """How many records are 1, up to three."""
    return min(3, int(sum(dataset)))


FUNCTIONS: tuple[Callable[[Any], int], ...] = (majority, parity, several)


@lru_cache
def _distance(place: int, zeros: int, ones: int) -> int:
    return largest_stability(FUNCTIONS[place], (0,) * zeros + (1,) * ones, (0, 1), _FAR)


def release(place: int, epsilon: float, delta: float) -> StableRelease:
    """A_stab of one of the functions, its distance found by looking at all datasets around.

    Examples
    --------
    >>> release(0, 1.0, 0.05).distance([1, 1, 1])
    2
    """

    def distance(dataset: Any) -> int:
        ones = int(sum(dataset))
        return _distance(place, len(dataset) - ones, ones)

    return StableRelease(FUNCTIONS[place], distance, epsilon, delta)


def stable_release(seed: int, quick: bool) -> Findings:
    """Theorem 2.4 on all neighbours of small datasets, theorem 2.5 on a grid of parameters."""
    sizes = range(1, 4 if quick else 6)
    private = [
        check_privacy(
            "bassily2018:thm-2.4",
            f"A_stab is ({epsilon:g}, {delta:g})-private for f = {function.__name__}",
            release(place, epsilon, delta),
            ApproxDP(epsilon, delta),
            neighbours=AddRemove(Records.of([0, 1]), size=sizes),
            name="bassily2018.A_stab",
            seed=seed,
            quick=quick,
        )
        for place, function in enumerate(FUNCTIONS)
        for epsilon, delta in _CLAIMS
    ]
    rows, missed, short = _misses()
    worst = max(missed)
    released = compared(
        "bassily2018:thm-2.5",
        "f that is ((log(1/delta) + log(1/beta))/epsilon)-stable, rounded up, is released with probability at "
        "least 1 - beta",
        worst <= 1,
        f"{len(missed)} settings of (epsilon, delta, beta); not released with at most {worst:.4g} beta",
        kind="upper bound",
        learner="bassily2018.A_stab",
    )
    held = sum(each.word == "holds" for each in private)
    told = (
        f"{held} of {len(private)} claims of privacy hold. A function is not released with at most {worst:.3f} beta "
        f"where the stability is rounded up; rounded down the promise is missed at {short} of {len(missed)} settings."
    )
    return Findings(rows, [*private, released], told, {"most": sizes[-1]})


#: At each beta, what is missed is looked at for these.
_DELTAS = (1e-9, 1e-6, 1e-3, 0.3)


def _misses() -> tuple[list[Row], list[float], int]:
    """How often a function as stable as asked for is not released: rows, all over beta, and misses rounded down."""
    levels = [10.0 ** (-power / 4) for power in range(1, 33)]
    rows, over, short = bound("claimed: beta", levels, beta=levels), [], 0
    for epsilon in (0.1, 1.0, 10.0):
        missed = []
        for failure in levels:
            needed = [(delta, required_stability(epsilon, delta, failure)) for delta in _DELTAS]
            chances = [_not_released(math.ceil(each), epsilon, delta) for delta, each in needed]
            short += sum(_not_released(math.floor(each), epsilon, delta) > failure for delta, each in needed)
            over += [chance / failure for chance in chances]
            missed.append(max(chances))
        rows += exact(f"exact, epsilon = {epsilon:g}", missed, beta=levels)
    return rows, over, short


STABLE_RELEASE = Page(
    "A function far from changing is released",
    "A_stab for the majority, the parity of the number and a truncated count of zeros and ones: the exact output "
    "laws of all pairs of neighbours of up to {most} records. Then the probability that a function is not "
    "released where it is exactly as stable as theorem 2.5 asks for, rounded up to a whole number of records.",
    (
        Plot(
            "not-released",
            "A function as stable as theorem 2.5 asks for is not released: probability",
            "beta",
            f"probability (the largest over delta = {', '.join(f'{delta:g}' for delta in _DELTAS)})",
            scale="log",
        ),
    ),
    evidence=EXACT_OF_LAWS,
)


def _not_released(distance: int, epsilon: float, delta: float) -> float:
    """From the learner's own law, the upper end of the ball."""
    law = StableRelease(majority, lambda dataset: distance, epsilon, delta).distribution([1])
    assert law.exact is not None
    return max(float(chance.upper()) for output, chance in zip(law.outputs, law.exact, strict=True) if output == "⊥")


def chosen_cutoff(seed: int, quick: bool) -> Findings:
    """Remark 1: the misclassification rate of a half that is set aside moves little with a record, and sets T."""
    most = 60 if quick else 200
    moves = max(
        abs(Fraction(wrong + x, n + 1) - Fraction(wrong, n)) * n
        for n in range(1, most + 1)
        for wrong in range(n + 1)
        for x in (0, 1)
    )
    models = max(
        abs(Fraction(rest + one, k) - Fraction(rest + other, k)) * k
        for k in range(1, most + 1)
        for rest in range(k)
        for one in (0, 1)
        for other in (0, 1)
    )
    means = [10.0 ** (power / 2) for power in range(-8, 9)]
    pairs = [(mean, failure) for mean in means for failure in (0.05, 1e-6)]
    ratio = max(printed_cutoff(2 * a / 1000, 1000, b) / printed_cutoff(a / 1000, 1000, b) for a, b in pairs)
    outcomes = (
        compared(
            "bassily2018:rem-1",
            "the rate on n records set aside moves by at most 1/n with one of them",
            moves <= 1,
            f"n times the move is at most {float(moves):g}, all counts, n up to {most}",
        ),
        compared(
            "bassily2018:rem-1",
            "averaged over k models it moves by at most 1/k with a record of the other half, which changes one model",
            models <= 1,
            f"k times the move is at most {float(models):g}, all k up to {most}",
        ),
        compared(
            "bassily2018:rem-1",
            "T from an estimate of up to twice gamma + alpha is at most twice T: the order does not change",
            ratio <= 2,
            f"at most {ratio:.4f} times, (gamma + alpha) m from 10^-4 to 10^4, m = 1,000",
            kind="order",
        ),
    )
    told = f"The rate moves by at most {float(moves):g}/n and {float(models):g}/k; T grows by at most {ratio:.3f}."
    return Findings((), outcomes, told)


CHOSEN_CUTOFF = Page(
    "The cut-off without knowing the best error",
    "How far the misclassification rate of a half set aside moves with one record, over all counts; and what an "
    "estimate of gamma + alpha that is too large by a factor of two does to T.",
)


RUNS: tuple[Run, ...] = (
    Run("stable-release", ("bassily2018:thm-2.4", "bassily2018:thm-2.5"), stable_release, (2.0, 2.0), STABLE_RELEASE),
    Run("chosen-cutoff", ("bassily2018:rem-1",), chosen_cutoff, (0.1, 0.5), CHOSEN_CUTOFF),
)
