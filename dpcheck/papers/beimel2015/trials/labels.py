"""How many labels each notion of privacy costs, and SubSampling run at its own size."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import EntryAndTranscript, Records
from dpcheck.papers.beimel2015.hard_instances import UniformThreshold, least_labels
from dpcheck.papers.beimel2015.learners import ExponentialLearner, SubSampling
from dpcheck.papers.beimel2015.learners.amplified import printed_entries, printed_sub_sampling_claim, shifted_rate
from dpcheck.papers.beimel2015.theorems.bounds import AMPLIFIED_LABELLED, BASE
from dpcheck.papers.beimel2015.trials.laws import largest_delta, precisely
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly, result, size_named
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.failures import counted
from dpcheck.trial.model import Outcome, Shade
from dpcheck.trial.opponents import drawn_threshold, on_instances, set_against
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, bound, line
from dpcheck.utility.slopes import log_log_slope

_TENTH = Fraction(1, 10)
#: beta of the sizes that are compared.
_FAILURE = 0.25


@precisely
def labels(seed: int, quick: bool) -> Findings:
    """Headline claim 7: labels against epsilon and alpha, for each notion of privacy."""
    by_epsilon, boosted, active, seen = _against_epsilon()
    by_accuracy, slope = _against_accuracy()
    by_entries, vacuous = _against_entries()
    by_part, held = _private_active_sizes()
    nothing = [(delta, n) for (delta, n), m in vacuous.items() if m <= 0]
    outcomes = [
        decided(
            "thm-5.8",
            "as repaired, for epsilon at most 1: t = O(n/epsilon) examples, the labels do not depend on epsilon or "
            "delta, and the result is (epsilon, ((7+e)/(3+e^2)) epsilon delta)-private",
            all_true(held),
            f"at {len(held) // 2} values of epsilon, the exact formula at the rounded t",
            kind="privacy",
        ),
        exactly(
            "int-5",
            "under definition 5.3 the labels do not depend on the privacy parameters",
            len(set(active)) == 1,
            f"m = {active[0]:.3g} for epsilon = 0.01 to 1",
            kind="order",
        ),
        exactly(
            "cmp-4.a",
            "the labels of thm-4.14 do not depend on delta",
            "delta" not in AMPLIFIED_LABELLED.domain,
            f"the size has the variables {', '.join(sorted(set(AMPLIFIED_LABELLED.domain) - {'labelled'}))}",
            kind="order",
        ),
        exactly(
            "int-4",
            "questions that are private cost a factor 1/alpha: the printed bound at delta = 0 is proportional to it",
            abs(slope + 1) < 1e-6,
            f"log-log slope {slope:.6f} in alpha",
            kind="order",
        ),
        *_sub_sampling_run(seed, quick),
        _fails_for_large_epsilon(),
        *_constant_for_every_delta(),
        Outcome(
            "says nothing",
            "thm-5.6: the printed bound with delta > 0 at alpha = 0.001, epsilon = 0.1, beta = 1/4",
            "negative at " + ", ".join(f"delta = {d:g}, n = {n:.0e}" for d, n in nothing)
            if nothing
            else "nowhere negative",
            result("thm-5.6"),
            "lower bound",
        ),
    ]
    told = (
        f"From epsilon = 1 to 0.01 thm-4.14's labels grow by {boosted[-1] / boosted[0]:.0f}, thm-5.8's by "
        f"{active[-1] / active[0]:.0f}; thm-5.6 says at least {seen[0]:.2f} to {seen[-1]:.2f}. In alpha its slope is "
        f"{slope:.3f}. Of {len(vacuous)} settings of delta and n its bound is below 1 label at "
        f"{sum(m < 1 for m in vacuous.values())}, and negative at {len(nothing)}."
    )
    return Findings([*by_epsilon, *by_accuracy, *by_entries, *by_part], outcomes, told)


PAGE = Page(
    "Labels against epsilon: what each notion of privacy costs",
    "Labels that the theorems ask for thresholds at alpha = 0.01, beta = 1/4: the semi-supervised learner of thm-4.14, "
    "the private active learner of thm-5.8, the lower bound of thm-5.6 for learners whose questions are seen (its last "
    "inequality as printed), and binary search without privacy. Then SubSampling run at the sizes of clm-5.7.",
    (
        Plot("labels-epsilon", "Labels against epsilon, alpha = 0.01, beta = 1/4", "epsilon", "labels m", scale="log"),
        Plot(
            "labels-delta",
            "The bound of thm-5.6 at alpha = 0.001, epsilon = 0.1",
            "n",
            "labels m",
            by="delta",
            x_label="examples n",
            scale="linear",
            shades=(Shade("says nothing: below one label", y=(None, 1.0)),),
        ),
    ),
    (
        Pivot("Labels against alpha, beta = 1/4, epsilon = 0.1 (thm-5.8: independent of epsilon)", ("alpha",)),
        Pivot("SubSampling of a learner with epsilon* = 1 and n = 1000", ("epsilon", "t")),
    ),
    evidence=f"{EXACT} The runs of SubSampling: their number was fixed before, a claim holds at level 1e-3.",
)


def _boosted(accuracy: float, epsilon: float) -> float:
    """Labels of thm-4.14."""
    return float((3 + math.e) / epsilon * 96000 / accuracy * math.log(2240 / (accuracy * _FAILURE)))


def _searched(accuracy: float) -> int:
    """Labels of binary search, without privacy."""
    return math.ceil(math.log2(math.ceil(math.log(4) / accuracy) + 1))


def _against_epsilon() -> tuple[list[Row], list[float], list[float], list[float]]:
    """Rows, and the labels of thm-4.14, of thm-5.8, and of thm-5.6, at alpha = 0.01."""
    epsilons, accuracy = [10.0**-k for k in (0, 0.5, 1, 1.5, 2)], 0.01
    boosted = [_boosted(accuracy, e) for e in epsilons]
    active = [boosted[0]] * len(epsilons)
    seen = [least_labels(accuracy, _FAILURE, e) for e in epsilons]
    rows = [
        *bound("thm-4.14 (semi-supervised)", boosted, epsilon=epsilons),
        *bound("thm-5.8 (private active)", active, epsilon=epsilons),
        *bound("thm-5.6: at least (questions private)", seen, epsilon=epsilons),
        *bound("binary search, not private", [_searched(accuracy)] * len(epsilons), epsilon=epsilons),
    ]
    return rows, boosted, active, seen


def _against_accuracy() -> tuple[list[Row], float]:
    """Labels at epsilon = 0.1, and the slope of thm-5.6's in alpha."""
    accuracies = [10.0**-k for k in (1, 1.5, 2, 2.5, 3)]
    printed = [least_labels(a, _FAILURE, 0.1) for a in accuracies]
    rows = [
        *bound("thm-5.8", [_boosted(a, 1.0) for a in accuracies], alpha=accuracies),
        *bound("thm-5.6 at least, as printed", printed, alpha=accuracies),
        *bound(
            "e^(-2 epsilon)/(16 alpha), repaired", [math.exp(-0.2) / (16 * a) for a in accuracies], alpha=accuracies
        ),
        *bound("binary search", map(_searched, accuracies), alpha=accuracies),
    ]
    return rows, log_log_slope(accuracies, printed)


def _against_entries() -> tuple[list[Row], dict[tuple[float, int], float]]:
    """The bound of thm-5.6 by delta and n, at alpha = 0.001 and epsilon = 0.1; below 0 it is drawn at 0."""
    settings = [(delta, 10**exponent) for delta, exponent in product((0.0, 1e-12, 1e-6), (3, 5, 7, 9))]
    found = {(delta, n): least_labels(0.001, 0.25, 0.1, delta, n) for delta, n in settings}
    deltas, entries = zip(*found, strict=True)
    rows = bound("at least", [max(m, 0.0) for m in found.values()], n=entries, delta=deltas)
    return rows, found


def _private_active_sizes() -> tuple[list[Row], list[bool | None]]:
    """clm-5.7 at epsilon* = 1, by the exact formula, at the rounded t: its loss and its delta are kept."""
    held: list[bool | None] = []
    rows: list[Row] = []
    for epsilon in (Fraction(1), _TENTH, Fraction(1, 100)):
        claim = ApproxDP(1.0, Fraction(1, 10**9))
        whole = printed_entries(1000, epsilon, claim, steps=2)
        rate = shifted_rate(Fraction(1000, whole), claim)
        loss = (1 + ball(rate) * (ball(1).exp() - 1)).log()
        factors = {
            version: float(printed_sub_sampling_claim(claim, epsilon, version).delta_value * 10**9)  # type: ignore[union-attr]
            for version in ("proof", "statement")
        }
        held += [below(loss, ball(epsilon)), float(rate) <= min(factors.values())]
        at = {"epsilon": float(epsilon), "t": whole}
        rows += line({"loss at most": loss, "delta, times": rate}, at)
        rows += line({f"{version}'s": factor for version, factor in factors.items()}, at, "bound")
    return rows, held


def _sub_sampling_run(seed: int, quick: bool) -> list[Outcome]:
    """clm-5.7: the active learner is as accurate as the one inside, at its own t."""
    family = GridThresholds(1 << 10, "down")
    accuracy = failure = _TENTH
    base = size_named(BASE, accuracy=accuracy, failure=failure, epsilon=1, hypotheses=family.size)
    found, rng, trials = [], np.random.default_rng(seed), 70
    laws = [UniformThreshold(10, 1 << 9), UniformThreshold(10, 1 << 6)]
    targets = [Fraction(law.target, law.domain_size) for law in laws]
    opponents = [*on_instances(laws, family, accuracy, failure), drawn_threshold(targets, accuracy, failure)]
    for epsilon in (Fraction(1),) if quick else (Fraction(1), _TENTH):
        learner = SubSampling(ExponentialLearner(family, 1), base, 0, epsilon=epsilon)
        failures = 0
        for trial in range(trials):
            law = laws[trial % 2]
            failures += law.error(learner(law.draw(learner.size, rng), rng)) > accuracy
        kept = counted(
            result("clm-5.7"),
            f"clm-5.7: within its region SubSampling is an (0.1, 0.1, {float(epsilon):g}) private active learner: "
            f"the exponential mechanism of epsilon* = 1 over 1025 thresholds, m = n = {base}, t = {learner.size:,}",
            failures,
            trials,
            failure,
            learner="beimel2015.sub_sampling",
            size=float(learner.size),
        )
        found.append(set_against(kept, opponents))
    return found


def _fails_for_large_epsilon() -> Outcome:
    """thm-5.8 as printed for every epsilon: one example."""
    functions = list(product((0, 1), repeat=4))
    least = min(
        Fraction(sum(sum(a != b for a, b in zip(h, c, strict=True)) for c in functions if c[x] == y), 4 * 8)
        for x, y, h in product(range(4), (0, 1), functions)
    )
    lam = 11
    alpha = Fraction(1, 16 * lam)
    return exactly(
        "thm-5.8",
        "as printed, for every epsilon: at epsilon = C n one example is left, and error above lambda alpha has "
        "probability at most lambda beta (alpha = beta = 1/(16 lambda))",
        least <= 2 * lam * alpha,
        f"all functions on four uniform points: the mean error is at least {least} whatever is answered, "
        f"{2 * lam * alpha} would be allowed",
        kind="upper bound",
        expected="thm-5.8: O(n/epsilon) examples are too few for large epsilon; it holds for epsilon at most 1",
    )


class SearchInPart:
    """Binary search, without noise, in a random part of a sample: (0, part / whole)-private, questions included.

    Source: the errata of beimel2015:thm-5.6.
    """

    def __init__(self, drawn: int) -> None:
        self.drawn = drawn

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """The law of (threshold, questions), in fractions."""
        points, labels = list(dataset.x), list(dataset.y)
        found: dict[Any, Fraction] = {}
        parts = list(combinations(range(len(points)), self.drawn))
        for part in parts:
            order = sorted(part, key=lambda i: points[i])
            low, high, asked = 0, len(order), []
            while low < high:
                middle = (low + high) // 2
                asked.append(order[middle])
                low, high = (low, middle) if not labels[order[middle]] else (middle + 1, high)
            threshold = points[order[low]] if low < len(order) else math.inf
            key = threshold, tuple(asked)
            found[key] = found.get(key, Fraction(0)) + Fraction(1, len(parts))
        return found


def _constant_for_every_delta() -> tuple[Outcome, Outcome]:
    """thm-5.6 as printed, for every delta: binary search in a random part."""
    drawn, whole = 2, 4
    learner = SearchInPart(drawn)
    relation = EntryAndTranscript(Records.labelled(features=[0, 1, 2], labels=[0, 1]), whole)
    delta, pairs = largest_delta(learner.distribution, relation, Fraction(1))
    accuracies = [Fraction(1, 1 << k) for k in (6, 12, 24, 48)]
    rows = []
    for alpha in accuracies:
        size = (
            math.ceil(math.log(4) / alpha)
            if alpha > Fraction(1, 1 << 40)
            else math.ceil(Fraction(1386294362, 10**9) / alpha)
        )
        rows.append((alpha, size, (size + 1 - 1).bit_length()))
    first_fails = (1 - accuracies[0]) ** rows[0][1]
    quotients = [labels * alpha for alpha, _, labels in rows]
    refuted = exactly(
        "thm-5.6",
        "as printed, for every delta: m = Omega(1/alpha)",
        quotients[-1] >= quotients[0] / 1000,
        "binary search in a random part of half the sample is (0, 1/2)-private, questions included, and misses alpha "
        f"with probability at most (1 - alpha)^t = {float(first_fails):.4f} at alpha = 1/64; m alpha is "
        + ", ".join(f"{float(q):.2g}" for q in quotients)
        + " at alpha = "
        + ", ".join(f"2^-{a.denominator.bit_length() - 1}" for a in accuracies),
        kind="lower bound",
        expected="thm-5.6: the bound says nothing where n delta is above e^(-2 epsilon)/(9 alpha)",
    )
    exact = exactly(
        "thm-5.6",
        "the learner that refutes it is what it is said to be: (0, drawn/all)-private with its questions, and right "
        "to alpha with probability 3/4",
        delta <= Fraction(drawn, whole) and first_fails <= Fraction(1, 4),
        f"delta = {delta} at epsilon 0 over all {pairs:,} pairs of samples of {whole} entries, {drawn} of them drawn",
        kind="privacy",
    )
    return refuted, exact
