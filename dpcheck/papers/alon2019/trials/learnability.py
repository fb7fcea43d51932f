"""Learning with public data: the private cost, and classes that have no private learner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from dpcheck.papers.alon2019.learners import CoverLearner
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS, best_slack
from dpcheck.papers.alon2019.trials.setting import (
    FAILURE,
    NEAR_ONE,
    TOGETHER,
    cover_learner,
    intervals,
    measured_curves,
    of_rates,
    own_size,
    size_of,
)
from dpcheck.parts.classes import FiniteOrCofinite, GridThresholds
from dpcheck.proof.bounds import Value
from dpcheck.trial.model import Chart, Mark, Measurement, Series, Table
from dpcheck.trial.upper import UpperBound, check_upper_bound
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.curves import sweep
from dpcheck.utility.distributions import UniformInterval, finite_or_cofinite, random_needle_tail

#: All accuracies, as printed.
_OPEN = BOUNDS["public"].domain["accuracy"]


def private_cost(seed: int, quick: bool) -> Measurement:
    """Claim 2: how many private examples the choice takes."""
    accuracy, public, epsilons = 0.1, 100, (0.05, 0.2, 1.0)
    privates = (30, 100, 300, 1000) if quick else (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    trials = 80 if quick else 1_000
    law = UniformInterval(noise=0.1)
    found = sweep(
        cover_learner,
        law,
        sizes={"private": privates, "public": public},
        accuracy=accuracy,
        options={"epsilon": epsilons},
        trials=trials,
        level=TOGETHER,
        seed=seed,
        **IN_PLACE,
    )
    series, marks, rows = [], [], []
    for colour, epsilon in enumerate(epsilons):
        rates = [point.result for point in found.points if point.options["epsilon"] == epsilon]
        series.append(of_rates(f"A_SSPP, epsilon = {epsilon:g}", colour, privates, rates))
        size = size_of("private", accuracy=accuracy, failure=FAILURE, epsilon=epsilon, cover=public + 1)
        two = [32 * math.log(8 * (public + 1) / float(FAILURE)) / accuracy**2,
               8 * math.log(4 * (public + 1) / float(FAILURE)) / (epsilon * accuracy)]  # fmt: skip
        enough = next((n for n, rate in zip(privates, rates, strict=True) if rate.interval[1] <= FAILURE), None)
        rows.append(
            (f"{epsilon:g}", "" if enough is None else f"{enough:,}", f"{two[0]:,.0f}", f"{two[1]:,.0f}", f"{size:,}")
        )
        if colour == 0:
            marks.append(Mark(f"explicit n_priv for each epsilon: {size:,.0f}", x=size, colour=4))
    own = [(cover_learner(1.0), UniformInterval(noise=0.1), "thresholds on [0, 1] with 10% label noise, epsilon = 1")]
    if not quick:
        own.append((cover_learner(0.05), law, "thresholds on [0, 1] with 10% label noise, epsilon = 0.05"))
    outcomes = [
        own_size(
            learner,
            where,
            accuracy=accuracy,
            epsilon=float(learner.epsilon),
            said=said,
            seed=seed + i,
            search=not quick and i == 0,
        )
        for i, (learner, where, said) in enumerate(own)
    ]
    return Measurement(
        "private-cost",
        "The choice costs max(1/alpha², 1/(epsilon alpha)) private examples",
        ("alon2019:thm-3.1", "alon2019:thm-kln"),
        f"A_SSPP on thresholds over [0, 1] with 10% of labels flipped, n_pub = {public}: how often its excess error is "
        f"above {accuracy:g}, against n_priv. Below epsilon = alpha the second term is the larger one.",
        "A failure of 0.1 is passed (by the whole interval) at n_priv = "
        + ", ".join(f"{row[1] or 'none of these'} for epsilon = {row[0]}" for row in rows)
        + "."
        + _growth(rows)
        + " The explicit sizes are the same for all three, as their constant for 1/alpha² is four times that for "
        "1/(epsilon alpha)" + _slack(rows) + ".",
        intervals(len(found.points), trials),
        (
            Chart(
                "private-cost",
                "Excess error above 0.1 has this probability",
                "private examples n_priv",
                "probability of failure",
                tuple(series),
                (*marks, Mark("claimed failure 0.1", y=float(FAILURE), colour=5)),
                y_range=(-0.02, 1.02),
                alt="Failure falls with n_priv, first for epsilon = 1, last for epsilon = 0.05; the explicit size lies "
                "to the right of all curves.",
            ),
        ),
        (
            Table(
                f"Private examples, alpha = 0.1, failure 0.1, cover of {public + 1}",
                ("epsilon", "passed at", "32 log(8N/beta)/alpha²", "8 log(4N/beta)/(epsilon alpha)", "explicit n_priv"),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
        trials=trials * len(found.points) + sum(outcome.trials for outcome in outcomes),
    )


def _growth(rows: Sequence[tuple[str, ...]]) -> str:
    """How the need grows from the largest epsilon to the smallest, where both were reached."""
    first, last = rows[0], rows[-1]
    if not first[1] or not last[1]:
        return ""
    times, apart = float(first[1].replace(",", "")) / float(last[1].replace(",", "")), float(last[0]) / float(first[0])
    said = f" From epsilon = {last[0]} to {first[0]} (a factor of {apart:g}) it grows by a factor of {times:g}"
    return said + (
        ": on this law the term 1/(epsilon alpha) is what counts." if apart / 2 <= times <= 2 * apart else "."
    )


def _slack(rows: Sequence[tuple[str, ...]]) -> str:
    """How far the explicit sizes are above those that were passed, where some was."""
    times = [float(row[4].replace(",", "")) / float(row[1].replace(",", "")) for row in rows if row[1]]
    if not times:
        return "; none of the sizes run passes"
    if len(times) == 1:
        return f"; the one that was passed is {times[0]:.3g} times smaller"
    return f"; those that were passed are {min(times):.3g} to {max(times):.3g} times smaller"


def _needle_learner(bits: int) -> CoverLearner:
    return CoverLearner(GridThresholds(2**bits), 1.0)


def infinite_classes(seed: int, quick: bool) -> Measurement:
    """Claim 3: the size of the domain does not matter."""
    accuracy, private, publics = 0.02, 2_000, (5, 50, 500)
    bits = (8, 60) if quick else (8, 16, 32, 60)
    trials = 60 if quick else 400
    curves = [
        (
            f"n_pub = {n}",
            bits,
            [
                (_needle_learner(size), random_needle_tail(2**size, accuracy), {"private": private, "public": n})
                for size in bits
            ],
        )
        for n in publics
    ]
    series = measured_curves(seed, curves, accuracy=accuracy, trials=trials)
    everywhere = tuple(range(3, 61))
    proper = [size_of("proper_packing", points=2**size, failure=FAILURE, epsilon=1) for size in everywhere]
    improper_bits = tuple(size for size in everywhere if size >= 10)[:: 12 if quick else 5]
    improper = [
        float(best_slack(accuracy=accuracy, failure=FAILURE, epsilon=1, bits=size, digits=12)[1])
        for size in improper_bits
    ]
    flat = int(size_of("private", accuracy=accuracy, failure=FAILURE, epsilon=1, cover=501))
    spread = max(max(one.y) - min(one.y) for one in series)
    together = all(max(one.low) <= min(one.high) for one in series)
    outcomes = [
        own_size(
            _needle_learner(size),
            random_needle_tail(2**size, 0.1),
            accuracy=0.1,
            epsilon=1.0,
            said=f"the needle-tail over 2^{size} points, epsilon = 1",
            seed=seed + size,
        )
        for size in ((60,) if quick else (8, 60))
    ]
    return Measurement(
        "infinite-classes",
        "Classes of infinite Littlestone dimension become learnable",
        ("alon2019:thm-3.1", "alon2019:thm-4.3"),
        f"Thresholds on 2^L points under the needle-tail law (an atom, and a tail of mass {4 * accuracy:g} in which "
        f"the threshold hides): A_SSPP with n_priv = {private:,} and epsilon = 1, against L. Beside it what pure "
        "private learners without public data need: at least the packing bounds, which grow like L.",
        (
            "As far as the intervals tell, the failure does not change with L: they overlap for each n_pub"
            if together
            else "The failure changes with L: for some n_pub not all intervals overlap"
        )
        + f" (the largest spread is {spread:.3f}). "
        + f"The packing bounds rise from {proper[5]:.1f} at L = 8 to {proper[-1]:.1f} at L = 60 (proper, epsilon = 1); "
        "they are lower bounds, small beside the n_priv used here, and what counts is that they grow without end.",
        intervals(len(bits) * len(publics), trials),
        (
            Chart(
                "flat-in-bits",
                f"A_SSPP, excess error above {accuracy:g}: flat in L",
                "L: thresholds on 2^L points",
                "probability of failure",
                tuple(series),
                x_log=False,
                y_range=(-0.03, 1.02),
                alt="The failure probability against L, one line with intervals for each n_pub.",
            ),
            Chart(
                "needed-in-bits",
                "Examples asked for, epsilon = 1, failure 0.1",
                "L: thresholds on 2^L points",
                "private examples",
                (
                    Series("without public data, proper: at least", "bound", 0, everywhere, tuple(proper)),
                    Series("without public data, any pure: at least", "bound", 1, improper_bits, tuple(improper)),
                    Series("A_SSPP, used here", "exact", 2, (8, 60), (float(private),) * 2),
                    Series(
                        "A_SSPP, explicit n_priv (alpha = 0.02, n_pub = 500)", "bound", 3, (3, 60), (float(flat),) * 2
                    ),
                ),
                x_log=False,
                y_log=True,
                alt="Two rising lower bounds for learners without public data, two horizontal lines for A_SSPP above "
                "them.",
            ),
        ),
        (),
        tuple(outcomes),
        trials=trials * len(bits) * len(publics) + sum(outcome.trials for outcome in outcomes),
    )


def printed_sizes(seed: int, quick: bool) -> Measurement:
    """Theorem 3.1 in the form that is printed: with its constants, for alpha near 1 and for alpha of at most 1/2."""
    few, points = 4, 20_000
    adversarial = CoverLearner(FiniteOrCofinite(few, points), 1.0, rule="cofinite")
    near_one: dict[str, Value] = {
        # alpha = exp(-1/(16 C)), beta = exp(-d/(16 C)) at C = 257, rounded: as in the registry's refutation
        "accuracy": Fraction(99975, 100_000),
        "failure": Fraction(9978, 10_000),
        "epsilon": 1,
        "vc": 2 * few + 1,
    }
    public = replace(BOUNDS["public_printed"], domain={**BOUNDS["public_printed"].domain, "accuracy": _OPEN})
    private = replace(BOUNDS["private_printed"], domain={**BOUNDS["private_printed"].domain, "accuracy": _OPEN})
    printed = UpperBound(
        "alon2019:thm-3.1",
        "A_SSPP with n_pub = ceil(257(...)/alpha), n_priv = ceil(420(...)max(...)), as printed for alpha near 1, on "
        f"sets of at most {few} points and their complements",
        adversarial,
        finite_or_cofinite(points),
        {"public": public, "private": private},
        near_one,
        name="alon2019.cover",
        expected=NEAR_ONE.format("thm-3.1"),
        arguments={"best": 0},
    )
    repaired = [
        UpperBound(
            "alon2019:thm-3.1",
            "A_SSPP with n_pub = ceil(257(...)/alpha), n_priv = ceil(420(...)max(...)), for alpha of at most 1/2, on "
            "thresholds with 10% label noise",
            cover_learner(1.0),
            UniformInterval(noise=0.1),
            {"public": BOUNDS["public_printed"], "private": BOUNDS["private_printed"]},
            {"accuracy": accuracy, "failure": FAILURE, "epsilon": 1, "vc": 1},
            name="alon2019.cover",
            over="private",
            reach=250_000,
        )
        for accuracy in (("1/2", "1/5") if quick else ("1/2", "1/5", "1/10"))
    ]
    outcomes = (
        check_upper_bound(printed, seed=seed, trials=20_000),
        *(check_upper_bound(each, seed=seed + 1 + n, search=n == 1) for n, each in enumerate(repaired)),
    )
    return Measurement(
        "printed-sizes",
        "The sizes as printed, near alpha = 1 and up to 1/2",
        ("alon2019:thm-3.1",),
        "Theorem 3.1 with the printed form of its sizes and the constants 257 and 420, which suffice for alpha of at "
        "most 1/2 (the registry's repair). Near alpha = 1 the printed form asks for so few public points that cofinite "
        "representatives err everywhere; then it is run at 1/2 and below.",
        " ".join(f"{outcome.word.capitalize()}: {outcome.claim}; {outcome.detail}." for outcome in outcomes),
        "Each word names its level: holds is wrong with probability at most 1e-3, contradicted with at most 1e-9.",
        outcomes=outcomes,
        trials=sum(outcome.trials for outcome in outcomes),
    )
