"""LabelBoost's sizes in exact arithmetic: its loop with the paper's own constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.beimel2015.learners import BoostSizes, boost_sizes
from dpcheck.papers.beimel2015.learners.boost_sizes import PRINTED
from dpcheck.papers.beimel2015.trials.laws import as_ball, precisely
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, bound, exact, line

_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)


def iterated_logarithm(value: int) -> int:
    """log*: 0 up to 1, else one more than that of the logarithm to base 2; integers of any size.

    >>> [iterated_logarithm(n) for n in (1, 2, 4, 16, 65536, 10**1000)]
    [0, 1, 2, 3, 4, 5]
    """
    count, left = 0, value
    while left > 1:
        # the numbers at which log* steps up are integers: the logarithm may be rounded up
        count, left = count + 1, (left - 1).bit_length()
    return count


@dataclass(frozen=True)
class SizeRun:
    """A run of the recursion, or why there is none."""

    accuracy: Fraction
    failure: Fraction
    dimension: int
    base: int
    labelled: int
    sizes: BoostSizes


def runs_of_sizes(quick: bool) -> list[SizeRun]:
    """The recursion of the printed constants from the labels of clm-4.9, over a grid of settings."""
    exponents = (5, 7, 8, 9, 12, 50, 1000) if quick else (4, 5, 6, 7, 8, 9, 10, 12, 16, 50, 100, 300, 1000)
    parts = (_HALF, _TENTH) if quick else (_HALF, _TENTH, Fraction(1, 100))
    found = []
    for accuracy, failure, dimension, exponent in product(parts, parts, (1, 3), exponents):
        labelled = PRINTED.sufficient_labelled(accuracy, failure, dimension)
        base = 10**exponent
        sizes = boost_sizes(labelled, base, dimension, accuracy, failure, unlabelled=90000 * base)
        found.append(SizeRun(accuracy, failure, dimension, base, labelled, sizes))
    return found


def wanted_labels(factor: int, inside: int, accuracy: Fraction, failure: Fraction, dimension: int) -> Any:
    """``(factor / accuracy) VC log(inside / (accuracy failure))``."""
    return ball(Fraction(factor * dimension) / accuracy) * ball(Fraction(inside) / (accuracy * failure)).log()


def _growing(run: SizeRun) -> bool:
    """The proof of clm-4.8: T doubles but for the last two, and these are at most 30000 n."""
    lengths = [each.stretched for each in run.sizes.iterations]
    doubling = all(later >= 2 * earlier for earlier, later in pairwise(lengths[:-1]))
    return doubling and all(length <= 30000 * run.base for length in lengths) and sum(lengths) <= 90000 * run.base


def _claim_nine(run: SizeRun) -> list[bool | None]:
    return [
        below(wanted_labels(4800, 14, i.accuracy, i.failure, run.dimension), as_ball(Fraction(i.labelled)))
        for i in run.sizes.iterations
    ]


def _meets_label_claim(run: SizeRun) -> list[bool | None]:
    """clm-4.2's hypothesis for what step 2c keeps: #T + #S <= (beta/e) V exp(alpha #S/(2V))."""
    return [
        below(
            ball(i.kept_stretched + i.kept_labelled).log(),
            ball(i.failure * run.dimension).log() - 1 + ball(i.accuracy * i.kept_labelled / (2 * run.dimension)),
        )
        for i in run.sizes.iterations
    ]


def _generalises(accuracy: Fraction, failure: Fraction, dimension: int, size: int) -> bool | None:
    """thm-B.5's size at (accuracy, failure)."""
    wanted = ball(48 / accuracy) * (
        10 * dimension * (ball(48 / accuracy).log() + 1) + ball(Fraction(5) / failure).log()
    )
    return below(wanted, as_ball(Fraction(size)))


@precisely
def sizes_in_exact_arithmetic(seed: int, quick: bool) -> Findings:
    """Headline claim 5, first part: the recursion of algorithm 3 with the paper's own constants."""
    runs = runs_of_sizes(quick)
    tower = _iterations_by_base()
    exponents = [e for e, _ in tower]
    rows = [
        *exact("iterations, exact", [k for _, k in tower], exponent=exponents),
        *bound("log* n", [iterated_logarithm(10**e) for e in exponents], exponent=exponents),
        *(row for run in runs if run.dimension == 1 and run.accuracy == run.failure for row in _size_rows(run)),
    ]
    outcomes = [
        *_claims_of_iterations(runs),
        exactly(
            "rem-4.10",
            "at most O(log* n) iterations: here at most log* n",
            all(k <= max(1, iterated_logarithm(10**e)) for e, k in tower),
            f"at most {max(k for _, k in tower)} for n = 1 to 10^1000, alpha = beta = 0.1",
            kind="order",
        ),
        *_claims_of_parts(runs),
        _last_part_as_printed(),
        _size_of_order(),
    ]
    told = (
        f"At most {max(len(run.sizes.iterations) for run in runs)} iterations up to n = 10^1000, where log* n is "
        f"{iterated_logarithm(10**1000)}."
    )
    return Findings(rows, outcomes, told, {"runs": len(runs)})


PAGE = Page(
    "LabelBoost's sizes: few iterations, and never too few points",
    "The recursion of algorithm 3 with the paper's constants, in integers and balls, from m = (96000/alpha) VC "
    "log(2240/(alpha beta)) labels, at {runs} settings of alpha, beta, VC and n up to 10^1000; parts kept are rounded "
    "down.",
    (
        Plot(
            "iterations",
            "Iterations of LabelBoost against n (alpha = beta = 0.1, VC = 1)",
            "exponent",
            "iterations",
            x_label="log10 of n",
            scale="linear",
        ),
    ),
    (
        Pivot(
            "Sizes with the printed constants, VC = 1",
            ("alpha", "beta", "n", "#S at each", "records for the base learner"),
        ),
    ),
    evidence=EXACT,
)


def _size_rows(run: SizeRun) -> list[Row]:
    """The sizes of a run: those that may be beyond any double are words."""
    at = {
        "alpha": float(run.accuracy),
        "beta": float(run.failure),
        "n": f"10^{len(str(run.base)) - 1}",
        "#S at each": " ".join(_short(i.labelled) for i in run.sizes.iterations),
        "records for the base learner": _short(run.sizes.kept),
    }
    return line({"m": run.labelled, "iterations": len(run.sizes.iterations)}, at)


def _claims_of_iterations(runs: Sequence[SizeRun]) -> list[Outcome]:
    return [
        exactly(
            "clm-4.8",
            "with #D = 90000 n step 2b never fails; T doubles but for the last two and is at most 30000 n",
            all(map(_growing, runs)),
            f"{len(runs)} runs of the recursion, integers",
        ),
        decided(
            "clm-4.9",
            "every iteration begins with at least (4800/alpha_i) VC log(14/(alpha_i beta_i)) labels",
            all_true(each for run in runs for each in _claim_nine(run)),
            f"{len(runs)} runs of the recursion",
        ),
    ]


def _claims_of_parts(runs: Sequence[SizeRun]) -> list[Outcome]:
    """What is claimed of the parts that iterations and the last step keep."""
    iterations = [(run, each) for run in runs for each in run.sizes.iterations]
    return [
        decided(
            "obs-4.7",
            "as repaired, from clm-4.9's labels: clm-4.2's hypothesis holds in every iteration, #S_i^c >= VC",
            all_true(
                [
                    *(each for run in runs for each in _meets_label_claim(run)),
                    *(i.kept_labelled >= run.dimension for run, i in iterations),
                ]
            ),
            f"every iteration of {len(runs)} runs",
        ),
        decided(
            "clm-4.11",
            "every #S_i^c has the size that thm-B.5 asks for at (10 alpha_i, beta_i)",
            all_true(_generalises(10 * i.accuracy, i.failure, run.dimension, i.kept_labelled) for run, i in iterations),
            f"every iteration of {len(runs)} runs",
        ),
        decided(
            "lem-4.12",
            "as repaired: #S^3 is at least (320/alpha) VC log(2240/(alpha beta)), rounded down, and thm-B.5's size "
            "at (10 alpha, beta/2)",
            all_true(map(_last_part, runs)),
            f"{len(runs)} runs",
        ),
    ]


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"{number:.2e}" if number < 10**300 else f"10^{len(str(number)) - 1}"


def _last_part(run: SizeRun) -> bool | None:
    """What step 3 keeps, against L412.c as repaired and thm-B.5."""
    enough = below(
        wanted_labels(320, 2240, run.accuracy, run.failure, run.dimension), as_ball(Fraction(run.sizes.kept + 1))
    )
    return all_true([enough, _generalises(10 * run.accuracy, run.failure / 2, run.dimension, run.sizes.kept)])


def _iterations_by_base() -> list[tuple[int, int]]:
    labelled = PRINTED.sufficient_labelled(_TENTH, _TENTH, 1)
    exponents = [1, 2, 3, 5, 8, 12, 20, 50, 100, 200, 500, 1000]
    return [(e, len(boost_sizes(labelled, 10**e, 1, _TENTH, _TENTH).iterations)) for e in exponents]


def _last_part_as_printed() -> Outcome:
    """L412.c at the witness of the errata."""
    accuracy, base = _HALF, 5825
    labelled = PRINTED.sufficient_labelled(accuracy, accuracy, 1)
    sizes = boost_sizes(labelled, base, 1, accuracy, accuracy)
    wanted = wanted_labels(640, 4480, accuracy, accuracy, 1)
    return decided(
        "lem-4.12",
        "as printed in its proof (L412.c): #S^3 is at least (640/alpha) VC log(4480/(alpha beta))",
        below(wanted, as_ball(Fraction(sizes.kept))),
        f"alpha = beta = 1/2, VC = 1, n = {base:,}, m = {labelled:,}: {len(sizes.iterations)} iteration, #S^3 = "
        f"{sizes.kept:,}, and {float(wanted):,.0f} is claimed",
        expected="L412.c: when the last T has 30000 n points #S is only known to be at least 300 n; 320 and 2240 hold",
    )


def _size_of_order() -> Outcome:
    """lem-4.12 as printed: m = O((1/alpha) VC log(1/(alpha beta))) for all alpha, beta."""
    parts = [Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000)]
    quotients = []
    for part in parts:
        order = ball(1 / part) * ball(1 / (part * part)).log()
        quotients.append(float(wanted_labels(96000, 2240, part, part, 1) / order))
    bounded = quotients[-1] <= 10 * quotients[1]
    ends = []
    for labelled in range(1, 8):
        try:
            boost_sizes(labelled, 10**6, 1, Fraction(9, 10), Fraction(9, 10))
            ends.append(True)
        except InvalidArgument:
            ends.append(False)
    return exactly(
        "lem-4.12",
        "as printed, m = O((1/alpha) VC log(1/(alpha beta))) for all alpha and beta",
        bounded and any(ends),
        "m of the proof over that expression at alpha = beta = "
        + ", ".join(f"{float(part):g}" for part in parts)
        + ": "
        + ", ".join(f"{q:,.0f}" for q in quotients)
        + "; with 1 to 7 labels at 0.9 the loop "
        + ("ends" if any(ends) else "never ends"),
        kind="order",
        expected="lem-4.12: the expression tends to 0 as alpha and beta tend to 1; for alpha beta <= 1/2 it holds",
    )
