"""Lower bounds: the explicit constants, and the hard instances on which every learner is run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.papers.alon2019.learners import CoverLearner, FixedPublic, GenericLearner
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS, best_slack
from dpcheck.papers.alon2019.trials.setting import size_of, three_digits
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.proof.bounds import value_of
from dpcheck.trial.lower import LowerBound, check_lower_bound
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import TOGETHER, Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, Row, bound, exact, rates
from dpcheck.utility.covers import least_public
from dpcheck.utility.distributions import RandomInstance, random_needle_tail, two_points
from dpcheck.utility.failure import FailureRate, failure_rate

#: Private examples on the hard instances of theorems 4.1, 4.2 and 4.3: enough for a learner without privacy.
FEW_PUBLIC, ONE_PUBLIC, NO_PUBLIC = 60_000, 4_400, 40


def lower_against_upper(seed: int, quick: bool) -> Findings:
    """Claim 4: 1/(1600 alpha) against the explicit upper bound."""
    beta = Fraction(1, 18)
    words = ("0.1", "1/16", "0.03", "0.01", "0.003", "0.001", "0.0003", "0.0001")
    accuracies = [Fraction(text) for text in words]
    speaks = [accuracy <= Fraction(1, 16) for accuracy in accuracies]
    least = Fraction(3, 1000) if quick else Fraction(1, 1000)
    need = [least_public(accuracy, beta) if accuracy >= least else None for accuracy in accuracies]
    upper = [int(size_of("public", accuracy=text, failure=beta, vc=1)) for text in words]
    lower = [
        float(value_of(BOUNDS["public_necessary"], accuracy=text)) if says else None
        for text, says in zip(words, speaks, strict=True)
    ]
    ratios = [float(1600 * accuracy) * above for accuracy, above in zip(accuracies, upper, strict=True)]
    logs = [ratio / math.log(1 / accuracy) for accuracy, ratio in zip(accuracies, ratios, strict=True)]
    # a double below the logarithm, by far more than its rounding
    nearly = [
        (above, 200_000 * Fraction(math.log(1 / accuracy) * (1 - 1e-9)) / (1600 * accuracy))
        for accuracy, above in zip(accuracies, upper, strict=True)
        if accuracy <= Fraction(1, 100)
    ]
    values = [float(accuracy) for accuracy in accuracies]
    rows = [
        *bound("suffices: explicit thm-3.1", upper, alpha=values),
        *exact("Bad on [0, 1] at most 1/18, exact", need, alpha=values),
        *bound("needed: 1/(1600 alpha)", lower, alpha=values),
    ]
    ratio = {"accuracy": words, "thm-4.1": ["speaks" if says else "says nothing" for says in speaks]}
    rows += [*exact("suffices / needed", ratios, **ratio), *exact("over log(1/alpha)", logs, **ratio)]
    outcome = compared(
        "alon2019:obs-1.b",
        "for thresholds at beta = 1/18 the explicit sizes that suffice are at most 200,000 log(1/alpha) times "
        "those that are needed, for alpha of at most 1/100",
        all(above <= near for above, near in nearly),
        f"compared at {len(nearly)} accuracies; for all of them by proof, see obs-1.b",
        kind="order",
    )
    found = (
        f"The two bounds are a factor of {three_digits(ratios[0])} (alpha = 0.1, formally) to "
        f"{three_digits(ratios[-1])} (alpha = 1e-4) apart, and the ratio grows no faster than log(1/alpha): that it is "
        "at most 200,000 log(1/alpha) for alpha <= 1/100 is proved under obs-1.b. Neither d nor beta is in the lower "
        "bound, which asks for one public example, no more, while alpha is above 1/1600."
    )
    return Findings(rows, (outcome,), found)


LOWER_AGAINST_UPPER = Page(
    "1/(1600 alpha) against what suffices",
    "Thresholds (d = 1) at beta = 1/18: the public examples that thm-4.1 says are needed, those with which "
    "Bad has that probability under the uniform law on [0, 1], and those that the explicit form of thm-3.1 says "
    "suffice.",
    (
        Plot(
            "lower-upper",
            "Public examples at failure 1/18",
            "alpha",
            "n_pub",
            x_label="accuracy alpha",
            scale="log",
        ),
    ),
    (
        Pivot("Lower against upper bound, d = 1, beta = 1/18", ("alpha",)),
        Pivot("Their ratio, formal where thm-4.1 says nothing", ("accuracy", "thm-4.1"), digits=3),
    ),
    about=("alon2019:thm-4.1", "alon2019:thm-4.2"),
)


def random_two_points(bits: int) -> RandomInstance:
    """The two-point law at a random threshold of a grid of 2^bits points: the hard family of the packing bounds."""
    return RandomInstance(
        lambda rng: two_points(int(rng.integers(1, 2**bits))), f"two points of 2^{bits}, random threshold"
    )


def packing_failure(private: int, points: int, epsilon: float = 1.0) -> float:
    """What proper pure learners fail at least, on average over the two-point laws, with so few records.

    With b the average failure, b >= (N - 2) exp(-eps n) (1 - b): each output is as likely on any sample, up to
    exp(eps n), and the good outputs of the N - 1 laws are different.
    """
    return 1 / (1 + math.exp(epsilon * private) / (points - 2))


def hard_instances(seed: int, quick: bool) -> Findings:
    """Theorems 4.1, 4.2 and 4.3: learners on the hard instances, with fewer examples than they say are needed."""
    outcomes = (*_few_public(seed), *_one_public(seed + 1), *_no_public(seed + 2))
    controls = without_privacy(seed + 4)
    rows = _against_packing(seed + 3, quick)
    for name, size, rate, failure in controls:
        at = {"statement": name, "examples": size}
        rows += [*rates("failure without privacy", [rate], **at), *bound("must fail below", [failure], **at)]
    return Findings(rows, outcomes, f"{_said(outcomes)} {_said_of_controls(controls)}")


HARD_INSTANCES = Page(
    "Below the lower bounds: every learner on the hard instances",
    "The hard instances are built and each learner that keeps the theorem's premise is run on them with fewer "
    "examples than it says are needed: it must fail. The needle-tail hides the threshold in a tail of mass 4 "
    "alpha; the two-point laws are the family of the packing bound, at a random threshold. Beside them the "
    "minimiser of mistakes on the same numbers of examples, which is not private: where it succeeds, failing is "
    "the price of privacy and of few public examples, not of too few examples.",
    (
        Plot(
            "packing",
            "Pure learners without public data, two-point laws, epsilon = 1",
            "n_priv",
            "probability of error above 1/4",
            by="L",
            x_label="private examples n_priv",
            lines=(Line("thm-4.3 speaks of failure 1/16", y=1 / 16),),
        ),
    ),
    (Pivot("The same numbers of examples without privacy", ("statement", "examples")),),
    evidence="{intervals} Words: holds is wrong with probability at most 1e-3 a row, contradicted 1e-9.",
)


def without_privacy(seed: int) -> tuple[tuple[str, int, FailureRate, Fraction], ...]:
    """The minimiser of mistakes at the sizes of the hard instances: statement, examples, failure rate and its limit."""
    family, tail, rare, sixteenth = GridThresholds(2**60), Fraction(1, 8_000), Fraction(1, 400), Fraction(1, 16)
    cases: tuple[tuple[str, Any, dict[str, int], Fraction, Fraction], ...] = (
        ("thm-4.1", random_needle_tail(2**60, tail), {"private": FEW_PUBLIC, "public": 5}, tail, Fraction(1, 18)),
        ("thm-4.2", random_needle_tail(2**60, rare), {"private": ONE_PUBLIC, "public": 1}, rare, Fraction(1, 18)),
        ("thm-4.3", random_two_points(60), {"private": NO_PUBLIC}, sixteenth, sixteenth),
    )
    return tuple(
        (
            name,
            sum(sizes.values()),
            failure_rate(
                EmpiricalRiskMinimiser(family),
                law,
                sizes=sizes,
                accuracy=accuracy,
                trials=150,
                level=TOGETHER / len(cases),
                family=family,
                best=0,
                seed=seed + place,
            ),
            failure,
        )
        for place, (name, law, sizes, accuracy, failure) in enumerate(cases)
    )


def _said_of_controls(controls: Sequence[tuple[str, int, FailureRate, Fraction]]) -> str:
    short = [name for name, _, rate, failure in controls if rate.interval[1] > failure]
    if not short:
        return (
            "Without privacy as many examples suffice for each of the three, so that it is not their number that is "
            "too small."
        )
    return f"That as many examples suffice without privacy is not certified for {', '.join(short)}."


def _few_public(seed: int) -> tuple[Outcome, ...]:
    """Theorem 4.1 at 1/(1600 alpha) = 5: five public examples are too few, whatever the private sample."""
    family, tenth, tail = GridThresholds(2**60), Fraction(1, 10), Fraction(1, 8_000)
    # so many that without privacy they suffice (about 30 of them are in the tail): what is too small is the public part
    return check_lower_bound(
        LowerBound(
            "alon2019:thm-4.1",
            "thresholds need more than 1/(1600 alpha) = 5 public examples (alpha = 1/8000, needle-tail over 2^60 "
            "points)",
            {
                "alon2019.cover": CoverLearner(family, tenth),
                "alon2019.cover, highest": CoverLearner(family, tenth, "highest"),
                "alon2019.generic": GenericLearner(family, tenth),
            },
            (random_needle_tail(2**60, tail),),
            {"private": FEW_PUBLIC, "public": 5},
            accuracy=tail,
            failure=Fraction(1, 18),
            complete=False,
            size=float(value_of(BOUNDS["public_necessary"], accuracy=tail)),
        ),
        seed=seed,
        trials=5_000,
    )


def _one_public(seed: int) -> tuple[Outcome, ...]:
    """Item 2 of theorem 4.2 in its finite form: with one public example pure learners need many private ones."""
    family, tenth, rare = GridThresholds(2**60), Fraction(1, 10), Fraction(1, 400)
    composed = float(value_of(BOUNDS["composed"], public=1, accuracy=rare, failure="1/18", epsilon=tenth, points=2**60))
    return check_lower_bound(
        LowerBound(
            "alon2019:thm-4.2",
            f"pure, proper learners of thresholds with one public example need more than {composed:,.0f} private ones "
            "(item 2 in its finite form, epsilon = 0.1, alpha = 1/400, needle-tail over 2^60 points)",
            {"alon2019.cover": CoverLearner(family, tenth), "alon2019.generic": GenericLearner(family, tenth)},
            (random_needle_tail(2**60, rare),),
            {"private": ONE_PUBLIC, "public": 1},
            accuracy=rare,
            failure=Fraction(1, 18),
            complete=False,
            size=composed,
        ),
        seed=seed,
        trials=5_000,
    )


def _no_public(seed: int) -> tuple[Outcome, ...]:
    """Theorem 4.3 in its finite form for pure and proper learners, which names the average over the two-point laws."""
    bits, tenth, records = 60, Fraction(1, 10), NO_PUBLIC
    family, sixteenth = GridThresholds(2**bits), Fraction(1, 16)
    improper = float(best_slack(accuracy=sixteenth, failure=sixteenth, epsilon=tenth, bits=bits, digits=12)[1])
    fixed = [place << (bits - 4) for place in range(1, 16)]
    return check_lower_bound(
        LowerBound(
            "alon2019:thm-4.3",
            f"{records} records make no (1/16, 1/16, 0.1)-private learner of thresholds over 2^60 points (in the "
            f"finite form for pure, proper learners, on average over the two-point laws; improper ones need "
            f"{improper:.0f})",
            {
                "alon2019.generic": GenericLearner(family, tenth),
                "alon2019.cover, 15 fixed points": FixedPublic(CoverLearner(family, tenth), fixed),
            },
            (random_two_points(bits),),
            {"private": records},
            accuracy=sixteenth,
            failure=sixteenth,
            complete=True,
            size=float(value_of(BOUNDS["proper_packing"], points=2**bits, failure=sixteenth, epsilon=tenth)),
            arguments={"family": family},
        ),
        seed=seed,
        trials=5_000,
    )


def _said(outcomes: Sequence[Outcome]) -> str:
    if {each.word for each in outcomes} == {"holds"}:
        return f"In all {len(outcomes)} pairs of a learner and a bound it fails as often as the bound demands."
    return "; ".join(f"{each.learner} below {each.result}: {each.word}" for each in outcomes) + "."


def _against_packing(seed: int, quick: bool) -> list[Row]:
    """Failure of the generic learner, and of one without privacy, beside what proper pure learners fail at least."""
    bits = (8, 16) if quick else (8, 16, 32)
    privates = (2, 8, 24, 64) if quick else (2, 4, 8, 16, 24, 32, 48, 64, 96)
    trials = 80 if quick else 500
    count = len(privates) * (len(bits) + 1)
    seeds = iter(np.random.SeedSequence(seed).generate_state(count).tolist())
    rows = []
    for size in bits:
        family = GridThresholds(2**size)
        learners: dict[str, Any] = {"generic learner": GenericLearner(family, 1.0)}
        if size == bits[0]:
            learners["without privacy"] = EmpiricalRiskMinimiser(family)
        for name, learner in learners.items():
            found = [
                failure_rate(
                    learner,
                    random_two_points(size),
                    sizes={"private": n},
                    accuracy=Fraction(1, 4),
                    trials=trials,
                    level=TOGETHER / count,
                    family=family,
                    best=0,
                    seed=next(seeds),
                )
                for n in privates
            ]
            rows += rates(name, found, n_priv=privates, L=size)
        xs = range(1, 97)
        rows += bound("at least", [packing_failure(n, 2**size) for n in xs], n_priv=xs, L=size)
    return rows
