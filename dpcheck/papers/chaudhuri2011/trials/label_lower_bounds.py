"""Claim 5: what label privacy alone costs: theorems 12 and 10, lemmas 11 and 24, on singletons and on ladders."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from scipy.stats import binom

from dpcheck import Labelled
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import as_target, declares_law
from dpcheck.papers.chaudhuri2011.hard_instances import (
    Ladder,
    lemma_applies,
    singleton_datasets,
    singletons,
    singletons_size,
)
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner
from dpcheck.papers.chaudhuri2011.trials.less_loss import at_epsilon
from dpcheck.papers.chaudhuri2011.trials.singletons import mean_success
from dpcheck.parts.classes import Atoms, PointFunctions, doubling_dimension
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.discovery import entries
from dpcheck.privacy.exact.decision import probabilities
from dpcheck.privacy.exact.declared import declared
from dpcheck.trial.failures import failures_in_words, level_of
from dpcheck.trial.lower import LowerBound, check_lower_bound
from dpcheck.trial.model import HOLDS_LEVEL, Outcome, Shade, Word
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared, decided, enclosed
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import FiniteDistribution
from dpcheck.utility.failure import failure_rate

#: The explicit constants: c of theorem 10, C of lemma 23.
_SMALL, _LARGE = Fraction(465, 10_000_000), 52
#: Sums of doubles here are off by less.
_ROUNDING = 1e-9
_TARGETS = 64
#: Of the runs on these.
_EPSILON = 0.02


def label_private_learners(points: int) -> dict[str, Any]:
    """The learners of the project that keep 1-DP when a label is replaced, and can learn singletons.

    Those that keep it when a whole record is replaced are among them.
    """
    instance = ClassInstance("points", PointFunctions(points), list(range(points)))
    sample = Labelled(np.array([0, 1, 1]), np.array([0, 1, 1]))
    found = {}
    for entry in entries():
        if (
            entry.for_class is None
            or entry.answers_queries
            or entry.as_printed
            or "generic" in entry.name.partition("wang2016")[2]
        ):
            continue
        try:
            learner = entry.for_class(instance)
            claim = getattr(learner, "claim", None)
            if not isinstance(claim, PureDP) or claim.epsilon_value > 1:
                continue
            if learner.neighbours.name not in ("replace-one", "labels-only"):
                continue
            learner(sample, np.random.default_rng(0))
        except InvalidArgument:
            continue
        found[entry.name] = learner
    return found


def label_lower_bounds(seed: int, quick: bool) -> Findings:
    """Theorem 12 and lemma 11 on singletons, lemma 24 and theorem 10 at their own sizes."""
    cases = [(4, 0.02), (8, 0.05)]
    rows, checked = [], []
    at: dict[tuple[str, int], float] = {}
    for points, epsilon in cases:
        limit = singletons_size(points, epsilon)
        top = math.floor(1.6 * limit) if points == 4 or not quick else math.floor(limit)
        sizes = sorted({*np.linspace(1, top, 6 if quick else 12).astype(int).tolist(), math.floor(limit)})
        for learner in ("A1", "A2", "ERM"):
            failures = [1 - mean_success(points, epsilon, m, learner=learner) for m in sizes]
            at[learner, points] = failures[sizes.index(math.floor(limit))]
            case = f"N = {points}" + (f", alpha = {epsilon:g}" if learner != "ERM" else " (not private)")
            rows += exact(learner, failures, m=sizes, case=case)
            if learner != "ERM":
                checked += [(points, epsilon, m, f) for m, f in zip(sizes, failures, strict=True) if m <= limit]
    for points in (4, 16, 64):
        for epsilon in (0.2, 0.5, 1.0):
            for m in range(1, math.floor(singletons_size(points, epsilon)) + 1):
                checked += [(points, epsilon, m, 1 - mean_success(points, epsilon, m, learner=a)) for a in ("A1", "A2")]
    worst = min(f for *_, f in checked)
    outcomes = [
        enclosed(
            "chaudhuri2011:thm-12",
            "thm-12 on singletons over N = 4 to 64 points: A1 and A2 miss the target, on average over targets, with "
            "probability "
            f"at least 1/2 at every m <= (log2 N - 1) log 2/alpha ({len(checked)} cases)",
            worst - _ROUNDING, min(1.0, worst + _ROUNDING), Fraction(1, 2), sense="at least",
            detail=f"at least {at_least(worst, '.4f')}, by all samples up to symmetry", kind="lower bound",
            learner="chaudhuri2011.A1, A2",
        ),
        *_every_learner(seed, quick),
        *_lemma_11(),
        *_lemma_24(seed, quick),
    ]  # fmt: skip
    ladders, more = _theorem_10(quick)
    outcomes, rows = [*outcomes, *ladders], [*rows, *more]
    spoken = "; ".join(
        f"N = {points}, alpha = {eps:g}: A1 {at['A1', points]:.3f}, without privacy {at['ERM', points]:.3f}"
        for points, eps in cases
    )
    told = (
        f"At the size of theorem 12 the target is missed with probability: {spoken}. Nowhere below that size is A1's "
        "or A2's mean "
        f"failure under {worst:.3f}."
    )
    return Findings(
        rows, outcomes, told, {f"excluded_of_{points}": singletons_size(points, epsilon) for points, epsilon in cases}
    )


PAGE = Page(
    "Label privacy costs records even where the points are public",
    "Singletons over N uniform points: all are 2/N apart, the doubling dimension is log2 N. How often A1 (all "
    "singletons) and A2 (one for each dichotomy) miss the target is summed exactly, by the counts of the target and "
    "of the other points. Every other label-private learner is run by trials. For theorem 10 the ladder: a class "
    "with doubling dimension log2 5 at all scales that the theorem asks about, at sizes just below those it excludes.",
    (
        Plot(
            "singletons",
            "The target is missed, mean over targets",
            "m",
            "probability of failure",
            by="case",
            x_label="records m",
            lines=(
                Line("theorem 12, N = 4: {excluded_of_4:.1f} records", x="excluded_of_4"),
                Line("theorem 12, N = 8: {excluded_of_8:.1f} records", x="excluded_of_8"),
                Line("theorem 12: at least 1/2 left of its size", y=0.5),
            ),
        ),
        Plot(
            "ladders",
            "Theorem 10 on ladders: too few records, and where A1 may begin to succeed",
            "nats",
            "records",
            x_label="1/(alpha eps)",
            scale="log",
            shades=(Shade("more records than can be drawn here: counts are bounded instead", y=(200_000.0, None)),),
        ),
    ),
    (Pivot("Theorem 10 on ladders with five branches", ("levels", "eps", "alpha")),),
    evidence="Exact sums in doubles (off by less than 1e-9) where nothing else is said; runs by trials at the "
    "level said.",
    left_out="In theorem 10 and lemma 24 learners other than exponential weights over all hypotheses: their sizes "
    "(10^5 to 10^9 records) are out of reach for them. wang2016.generic, whose linear programs grow too "
    "large on 64 points.",
)


def theorem_12(learners: dict[str, Any]) -> LowerBound:
    """Theorem 12 on all singletons of 64 points at alpha = 0.02, at the largest size that it excludes.

    At alpha = log 2 and more it would say nothing that counting labels does not: from its size on a minimiser, which
    is not private, succeeds only where alpha is small.
    """
    size = math.floor(singletons_size(_TARGETS, _EPSILON))
    instances = []
    for target in sorted(range(_TARGETS), key=lambda one: (one % 17 != 5, one)):
        one = singletons(_TARGETS, target)
        instances.append(
            FiniteDistribution(one.points, one.masses, one.labels.tolist(), name=f"singleton {target} of {_TARGETS}")
        )
    unseen = (1 - 1 / _TARGETS) ** size  # otherwise a minimiser knows the target
    return LowerBound(
        "chaudhuri2011:thm-12",
        f"thm-12 on all singletons of {_TARGETS} points, alpha = {_EPSILON:g} (a minimiser without privacy misses with "
        f"probability at most {unseen:.3f} here)",
        learners,
        instances,
        {"private": size},
        accuracy=Fraction(3, 4 * _TARGETS),
        failure=Fraction(1, 2),
        arguments={"best": 0, "family": PointFunctions(_TARGETS)},
        size=singletons_size(_TARGETS, _EPSILON),
    )


def _every_learner(seed: int, quick: bool) -> tuple[Outcome, ...]:
    """All label-private learners, their nets as fine as can be."""
    size = math.floor(singletons_size(_TARGETS, _EPSILON))
    learners = {name: at_epsilon(learner, _EPSILON, size) for name, learner in label_private_learners(_TARGETS).items()}
    return check_lower_bound(theorem_12(learners), seed=seed, trials=500 if quick else 5_000)


def _lemma_11() -> list[Outcome]:
    """Half of the targets are hard on m distinct points: every learner with a declared law."""
    size, scale = 256, 1 / 512
    assert lemma_applies(size, scale, 1.0)
    datasets = singleton_datasets(size)
    outcomes = []
    for name, learner in label_private_learners(size).items():
        hard: list[bool | None] = []
        try:
            if not declares_law(as_target(learner)):
                continue
            for target, data in enumerate(datasets):
                law = learner.distribution(data)
                chances = zip(law.outputs, probabilities(declared(law)), strict=True)
                found = sum((p for output, p in chances if output == target), flint.arb(0))
                hard.append(decided(found, "at most", Fraction(1, 2)))
        except InvalidArgument:  # made for another number of records, or its law is too large to list
            continue
        outcomes.append(
            compared(
                "chaudhuri2011:lem-11",
                f"lem-11 on {size} distinct points, alpha = 1, s = 1/{2 * size}: for at least half of the {size} "
                "singletons the output is "
                "another with probability at least 1/2",
                True if 2 * hard.count(True) >= size else False if 2 * hard.count(False) > size else None,
                f"for {hard.count(True)} of {size}, by its declared law",
                kind="lower bound",
                learner=name,
            )
        )
    return outcomes


def success_at_most(points: int, epsilon: float, size: int) -> float:
    """More than the probability that exponential weights over N singletons give the target, for any number of records.

    By Jensen's inequality the others together weigh least where their records are spread evenly.

    Examples
    --------
    >>> success_at_most(8, 0.05, 20) >= mean_success(8, 0.05, 20, learner="A1")
    True
    """
    hits = np.arange(size + 1) if size < 10_000 else np.arange(*_window(size, 1 / points))
    chance = binom.pmf(hits, size, 1 / points)
    others = (points - 1) * np.exp(-epsilon / 2 * (hits + (size - hits) / (points - 1)))
    return float(chance @ (1 / (1 + others))) + max(0.0, 1 - float(chance.sum())) + _ROUNDING


def _window(size: int, chance: float) -> tuple[int, int]:
    spread = 12 * math.sqrt(size * chance) + 12
    return max(0, math.floor(size * chance - spread)), min(size, math.ceil(size * chance + spread)) + 1


def _lemma_24(seed: int, quick: bool) -> list[Outcome]:
    """Singletons over 64 points at r = 1/(6 N), where the ball of 12 r holds them all."""
    scale = Fraction(1, 6 * _TARGETS)
    balls = doubling_dimension(PointFunctions(_TARGETS), Atoms(range(_TARGETS)), 12 * scale).balls
    least = math.ceil(_LARGE / float(scale) * math.log(_LARGE / float(scale)))
    epsilon = 2e-4
    most = math.log(balls / 2 - 1) / (32 * epsilon * float(scale))
    outcomes = []
    for m in (least, math.ceil(most) - 1):
        success = success_at_most(_TARGETS, epsilon, m)
        outcomes.append(
            enclosed(
                "chaudhuri2011:lem-24",
                f"lem-24 on singletons of {_TARGETS} points, r = 1/{6 * _TARGETS}, alpha = {epsilon:g}, d = log2 "
                f"{balls}, C = 52, m = {m:,} "
                f"(from {least:,} to {most:,.0f}): the output is farther than r from the target with probability at "
                "least 1/8",
                1 - success, 1.0, Fraction(1, 8), sense="at least",
                detail=f"at least {1 - success:.4f}, for every target", kind="lower bound", learner="chaudhuri2011.A1",
            )
        )  # fmt: skip
    one = singletons(_TARGETS, 17)
    law = FiniteDistribution(one.points, one.masses, one.labels.tolist(), name=f"singleton 17 of {_TARGETS}")
    found = failure_rate(
        LabelPrivateLearner(PointFunctions(_TARGETS), epsilon, accuracy=float(scale)), law, sizes={"private": least},
        accuracy=scale, trials=20 if quick else 60, level=HOLDS_LEVEL, seed=seed, **IN_PLACE,
    )  # fmt: skip
    word: Word = "holds" if found.interval[0] >= 0.125 else "undecided"
    outcomes.append(
        Outcome(
            word,
            f"lem-24, the same at m = {least:,} for A2",
            failures_in_words(found.failures, found.trials, found.interval, found.level, found.interval_method),
            "chaudhuri2011:lem-24",
            "lower bound",
            learner="chaudhuri2011.A2",
            level=level_of(word),
            trials=found.trials,
        )
    )
    return outcomes


@dataclass(frozen=True)
class LadderCase:
    """Theorem 10 on a ladder: whether its conditions hold there, the size it excludes, and A1's failure below it."""

    ladder: Ladder
    accuracy: Fraction
    epsilon: float
    excluded: float

    @staticmethod
    def of(levels: int) -> LadderCase:
        """The ladder of so many levels, with a scale just above its least distance and the largest alpha allowed."""
        ladder = Ladder(levels)
        accuracy = ladder.mass / 2**levels / 12 * Fraction(21, 20)
        dimension = math.log2(ladder.branches)
        epsilon = float(_SMALL) * dimension / (levels * math.log(1 / accuracy))
        return LadderCase(ladder, accuracy, epsilon, float(_SMALL) * dimension / (epsilon * float(accuracy)))

    @property
    def applies(self) -> bool:
        """``eps < c Delta/(V (1 + log(1/Delta)))``, d > 2 at 12 eps and at all scales up to 2 Delta.

        Below the diameter by the levels; from it on to twice it since balls of less than the diameter around four
        hypotheses miss one that differs from each of them on every level, of which there are five points.
        """
        diameter = float(self.ladder.diameter)
        small = float(self.accuracy) < float(_SMALL) * diameter / (self.ladder.levels * (1 + math.log(1 / diameter)))
        scale = 12 * self.accuracy
        wide = all(
            self.ladder.doubling_dimension_from_below(scale * 2**k) > 2
            for k in range(self.ladder.levels + 1)
            if scale * 2**k < self.ladder.diameter
        )
        return small and wide and self.ladder.branches > 4

    def success_at_most(self, size: float) -> float:
        """More than the probability that A1, over all hypotheses, is within the accuracy of the target.

        Levels are chosen independently, and the lowest one alone must be right; its counts are bounded from above but
        with probability 1e-9.
        """
        mass = float(self.ladder.mass) / 2 ** (self.ladder.levels + 1)
        hits = _at_most(size * mass)
        others = _at_most(size * mass * (self.ladder.branches - 1)) / (self.ladder.branches - 1)
        return 1 / (1 + (self.ladder.branches - 1) * math.exp(-self.epsilon / 2 * (hits + others))) + _ROUNDING

    def minimiser_fails_at_most(self, size: float) -> float:
        """More than the probability that a minimiser errs at all: some point of a level unseen."""
        mass = float(self.ladder.mass) / 2 ** (self.ladder.levels + 1)
        return min(1.0, self.ladder.levels * self.ladder.branches * math.exp(max(-650.0, size * math.log1p(-mass))))


def _at_most(mean: float) -> float:
    """What a binomial count of this mean exceeds with probability below 1e-10: Bernstein's inequality."""
    nats = -math.log(1e-10)
    return mean + math.sqrt(2 * mean * nats) + nats


def _theorem_10(quick: bool) -> tuple[list[Outcome], list[Row]]:
    cases = [LadderCase.of(levels) for levels in ((16, 20) if quick else (16, 18, 20, 24, 28))]
    outcomes: list[Outcome] = []
    rows, needs = [], []
    for case in cases:
        success = case.success_at_most(case.excluded)
        minimiser = case.minimiser_fails_at_most(case.excluded)
        need = case.excluded
        while case.success_at_most(need) < 0.875:
            need *= 1.1
        needs.append(need)
        at = {"levels": case.ladder.levels, "eps": float(case.accuracy), "alpha": case.epsilon}
        rows += bound("excluded below", [case.excluded], **at)
        rows += exact("A1 fails there with at least", [1 - success], **at)
        rows += exact("minimiser fails with at most", [minimiser], **at)
        rows += exact("A1's need over the bound, at least", [need / case.excluded], **at)
        outcomes.append(
            enclosed(
                "chaudhuri2011:thm-10",
                f"thm-10 with c = 4.65e-5 on the ladder of {case.ladder.levels} levels (V = {case.ladder.levels}, d "
                "= log2 5), eps = "
                f"{float(case.accuracy):.3g}, alpha = {case.epsilon:.3g}, every m < {case.excluded:.4g}: farther "
                "than eps from the target "
                "with probability at least 1/8",
                1 - success, 1.0, Fraction(1, 8), sense="at least",
                detail=f"conditions {'met' if case.applies else 'NOT met'}; at least {1 - success:.3f} for A1 over "
                f"all {case.ladder.branches}^"
                f"{case.ladder.levels} hypotheses, at the largest m; a minimiser without privacy fails with at most "
                f"{minimiser:.2g}",
                kind="lower bound", learner="chaudhuri2011.A1",
            ) if case.applies else Outcome(
                "says nothing", "thm-10 on a ladder", "its conditions are not "
                "met", "chaudhuri2011:thm-10", "lower bound"
            )
        )  # fmt: skip
    xs = [1 / (case.epsilon * float(case.accuracy)) for case in cases]
    rows += bound("theorem 10 excludes fewer, c = 4.65e-5", [case.excluded for case in cases], nats=xs)
    rows += exact("A1 certainly fails with 1/8 or more below", needs, nats=xs)
    return outcomes, rows
