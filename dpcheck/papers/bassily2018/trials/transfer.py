"""Knowledge transfer (theorems 4.2 and 4.3, informal theorem 1.2): A_priv for thresholds, at own sizes and scaled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners import Realisable, Scales, answering_claim, printed_scales
from dpcheck.papers.bassily2018.learners.accounting import open_answer_chance
from dpcheck.papers.bassily2018.learners.choice_of_sizes import Agnostic, OneSidedThresholds
from dpcheck.papers.bassily2018.theorems import transfer_instances
from dpcheck.papers.bassily2018.theorems.bounds import BOUNDS
from dpcheck.papers.bassily2018.trials.votes_drawn import (
    TARGET,
    best_threshold,
    labels_of_one_run,
    noisy_chunks,
    wrong_votes_of,
    wrong_votes_of_thresholds,
)
from dpcheck.proof.bounds import evaluate
from dpcheck.trial.failures import counted
from dpcheck.trial.model import Outcome
from dpcheck.trial.opponents import Opponent, at_most, drawn_threshold, set_against, set_instead_against
from dpcheck.trial.page import EXACT, TOGETHER, Page, Pivot, Plot
from dpcheck.trial.relations import enclosed, refuted_by
from dpcheck.trial.rows import Findings, Row, bound, line
from dpcheck.trial.run import Run

EPSILON, DELTA = 1.0, 1e-6
_LEARNER = "bassily2018.transfer"
#: The accuracy that is drawn at own size: 15 alpha is just below 1/2, an error that every threshold has.
_DRAWN = 0.033
_WHY = "bassily2018:thm-4.2: no n below V/alpha is enough, however large epsilon is"
#: An error that every threshold keeps, the target at 1/2.
_TRIVIAL = 0.5
#: The target of the exact rows, near an end: a threshold may err by up to 0.85, so that 15 alpha is no small demand.
_EDGE = 0.15
#: What the registry's instance against n = 1 shows; behind it stand its cases.
ONE_EXAMPLE = (
    "one example, alpha = beta = 1/(16C): on one of two targets that differ at a point of mass 1/8 an output errs by "
    "more than C alpha with probability 7/16 or more, above 3 beta"
)
_LAW = (
    "No record is drawn: thresholds trained on n/k records have a known law, so that the votes of k of them on sorted "
    "points are multinomial, and that is what is drawn."
)


@dataclass(frozen=True)
class OwnSize:
    """The explicit sizes of theorem 4.2 or 4.3 at one accuracy, V = 1: beta = min(0.06, alpha)."""

    accuracy: float
    failure: float
    public: int
    scales: Scales
    each: int
    best_risk: float = 0.0

    @property
    def private(self) -> int:
        """n."""
        return self.scales.models * self.each

    @property
    def limit(self) -> float:
        """What the conclusion allows: 15 alpha + 7 gamma."""
        return 15 * self.accuracy + 7 * self.best_risk


def own_size(accuracy: float, best_risk: float | None = None) -> OwnSize:
    """Public sample, cut-off, models and records of each as the explicit bounds have them, rounded up.

    Examples
    --------
    >>> found = own_size(0.05)
    >>> found.public > 10**6, found.private > 10**10
    (True, True)
    """
    failure = min(0.06, accuracy)
    public = evaluate(BOUNDS["public"], accuracy=accuracy, failure=failure, vc=1)
    assert isinstance(public, int)
    factor = 12 if best_risk is None else 24
    cutoff = math.ceil(factor * accuracy * public)
    scales = printed_scales(EPSILON, DELTA, failure, public, cutoff)
    base = Realisable(1) if best_risk is None else Agnostic(1)
    each = int(base.size(accuracy, failure / scales.models))
    return OwnSize(accuracy, failure, public, scales, each, best_risk or 0.0)


def certain_failure(size: OwnSize, region: float, wide: float) -> float:
    """A bound on the probability that A_priv errs by more than the region where models may disagree, and a gap.

    Outside a region of this mass about the target all votes are right; where all of those points get their label, and
    the region's two ends have public points within ``wide`` of them, an empirical minimiser lies between these points:
    a threshold beyond would have more mistakes. What may fail: more than T points are in the region (if all were
    abstained from, alg-2 would stop); a point with all votes right is abstained from (in any of the rounds); one of two
    intervals of this width has no public point.

    Examples
    --------
    >>> certain_failure(own_size(0.05), 0.05, 0.001) < 1e-30
    True
    """
    scales = size.scales
    stray = open_answer_chance(scales, 2 * scales.threshold - (scales.models - 1))
    mean, more = region * size.public, scales.cutoff + 1
    if mean >= more:
        return 1.0
    crowded = math.exp(more - mean + more * math.log(mean / more))  # Chernoff
    empty = 2 * math.exp(size.public * math.log1p(-wide))
    return min(1.0, math.nextafter(crowded + size.public * (scales.cutoff + 2) * stray + empty, 2.0))


def largest_error(best_risk: float, target: float = _EDGE) -> float:
    """The error of the worst threshold, with the target at 0.15 or elsewhere and labels flipped with a probability.

    Examples
    --------
    >>> largest_error(0.0), largest_error(0.5)
    (0.85, 0.5)
    """
    return best_risk + (1 - 2 * best_risk) * max(target, 1 - target)


def exact_transfer(accuracy: float) -> tuple[OwnSize, float]:
    """Theorem 4.2 with least positive examples: a bound on P(err > 2 alpha), which is at most 15 alpha.

    The k thresholds are all within alpha of the target but with probability ``k (1 - alpha)^(n/k)``; then hhat is at
    most twice that away, alpha being wide enough a gap. That holds for any target at least 2 alpha from both ends.
    """
    size = own_size(accuracy)
    far = size.scales.models * math.exp(size.each * math.log1p(-accuracy))
    return size, min(1.0, far + certain_failure(size, accuracy, accuracy))


def exact_agnostic_transfer(accuracy: float, best_risk: float) -> tuple[OwnSize, float]:
    """Theorem 4.3 with models that err by exactly gamma + alpha, on either side of the target by a coin each.

    Labels are flipped with probability gamma; a threshold s away from the target has error gamma + (1 - 2 gamma) s.
    hhat is at most s plus a gap away, so that its error is at most gamma + 2 alpha.
    """
    size = own_size(accuracy, best_risk)
    away = accuracy / (1 - 2 * best_risk)
    return size, certain_failure(size, 2 * away, away)


def transferred(size: OwnSize, rng: np.random.Generator) -> tuple[float, int]:
    """One run of A_priv at own size, realisable: the error of hhat and how many points got no label."""
    points = rng.random(size.public)
    truth = (points >= TARGET).astype(np.int64)
    wrong = wrong_votes_of_thresholds(points, size.each, size.scales.models, rng)
    labels, pattern = labels_of_one_run(wrong, truth, size.scales, rng)
    return abs(best_threshold(points, labels) - TARGET), int((pattern != 1).sum())


def transfer_at_own_size(seed: int, quick: bool) -> Findings:
    """Theorems 4.2 and 4.3 and informal theorem 1.2 at the sizes that their explicit forms name."""
    accuracies = (0.05, 0.03, 0.01) if quick else (0.05, 0.03, 0.02, 0.01, 0.005, 0.002)
    realisable = [exact_transfer(each) for each in accuracies]
    agnostic = [exact_agnostic_transfer(each, min(each, 0.01)) for each in accuracies]
    largest, runs = own_size(_DRAWN), 2 if quick else 72
    rng = np.random.default_rng(seed)
    drawn = [transferred(largest, rng) for _ in range(runs)]
    worst = max(error for error, _ in drawn)
    outcomes = _own_outcomes(realisable, agnostic)
    if not quick:
        kept = counted(
            "bassily2018:thm-4.2",
            f"err(hhat; P) <= 15 alpha = {largest.limit:g} except with probability 3 beta, run at n = "
            f"{largest.private:,}, m = {largest.public:,}",
            sum(error > largest.limit for error, _ in drawn),
            runs,
            3 * largest.failure,
            detail=f"the largest error is {worst:.3g}",
            learner=_LEARNER,
            size=float(largest.private),
        )
        outcomes.append(set_against(kept, _blind(largest, TARGET)))
    every = [*realisable, *agnostic]
    vacuous = sum(any(one.keeps for one in _blind(size, _EDGE)) for size, _ in every)
    told = (
        f"In {runs} runs with n = {largest.private:.2e} and m = {largest.public:,} the error of hhat was at most "
        f"{worst:.2g}, where 15 alpha = {largest.limit:g} is promised; {max(none for _, none in drawn):,} or fewer "
        f"points got no label, of T = {largest.scales.cutoff:,}. Exactly, an error above 2 alpha has probability at "
        f"most {max(failing for _, failing in realisable):.2g}. "
        + (
            f"At {vacuous} of {len(every)} settings a bad learner keeps the promise too, and it says nothing."
            if vacuous
            else "At each setting the worst threshold, a coin and a threshold drawn uniformly break the promise."
        )
    )
    left_out = "Enough runs for a verdict of their own: a full run has them." if quick else ""
    return Findings(
        [*_size_rows(every), *_explicit_sizes(accuracies)], outcomes, told, {"runs": runs, "left_out": left_out}, runs
    )


AT_OWN_SIZE = Page(
    "A_priv for thresholds at the sizes of the theorems",
    "Thresholds on [0, 1] (V = 1), epsilon = 1, delta = 10^-6, at the explicit private and public sizes: one run of "
    f"alg-2 on all public points, an empirical minimiser on its labels. {_LAW} The failure probability is bounded "
    f"exactly at each accuracy, for a target at {_EDGE:g}, where the worst threshold errs by {1 - _EDGE:g}; at "
    f"alpha = {_DRAWN:g} and a target at 1/2 it is also run, "
    "{runs} times. In the agnostic case the models are made for the check: they take no records, and err by exactly "
    "what the theorem lets them.",
    (Plot("own-sizes", "Explicit sizes for alpha, V = 1, epsilon = 1", "alpha", "records", scale="log"),),
    (Pivot("Own sizes, and a bound on the failure probability beside what is allowed", ("alpha", "gamma")),),
    evidence=f"{EXACT} Where runs are named, they were drawn, and their number was fixed before.",
    left_out="{left_out}",
)


def _own_outcomes(
    realisable: Sequence[tuple[OwnSize, float]], agnostic: Sequence[tuple[OwnSize, float]]
) -> list[Outcome]:
    outcomes: list[Outcome] = []
    either = "models that err by gamma + alpha, on either side"
    for result in ("bassily2018:thm-4.2", "bassily2018:inf-1.2"):
        outcomes += [_own(result, size, failing, "least positive examples") for size, failing in realisable]
    for result in ("bassily2018:thm-4.3", "bassily2018:inf-1.2"):
        outcomes += [_own(result, size, failing, either) for size, failing in agnostic]
    single = transfer_instances.one_example()
    return outcomes + [
        refuted_by(
            result,
            "as printed, for every epsilon: n = O~(V^(3/2)/eps ...) private records suffice, so 1 for large epsilon",
            single,
            ONE_EXAMPLE,
            expected=_WHY.replace("thm-4.2", result.split(":")[1]),
            learner=_LEARNER,
        )
        for result in ("bassily2018:thm-4.2", "bassily2018:thm-4.3")
    ]


def _size_rows(found: Sequence[tuple[OwnSize, float]]) -> list[Row]:
    rows = []
    for size, failing in found:
        values = {
            "m": size.public,
            "T": size.scales.cutoff,
            "k": size.scales.models,
            "n/k": size.each,
            "n": size.private,
            "fails at most": failing,
            "allowed: 3 beta": 3 * size.failure,
        }
        rows += line(values, {"alpha": size.accuracy, "gamma": size.best_risk}, "bound")
    return rows


def _explicit_sizes(accuracies: Sequence[float]) -> list[Row]:
    """Private and public sizes against alpha, beside what a learner without privacy asks for."""
    fine = [float(f"{each:.3g}") for each in np.geomspace(min(accuracies), 0.2, 12)]
    found = [own_size(each) for each in fine]
    sizes: dict[str, Sequence[Any]] = {
        "n, realisable (thm-4.2)": [each.private for each in found],
        "n, agnostic (thm-4.3)": [own_size(each, 0.0).private for each in fine],
        "m, public": [each.public for each in found],
        "n without privacy, realisable": [Realisable(1).size(each.accuracy, each.failure) for each in found],
    }
    return [row for name, values in sizes.items() for row in bound(name, values, alpha=fine)]


def _own(result: str, size: OwnSize, failing: float, models: str) -> Outcome:
    error = "2 alpha" if not size.best_risk else "gamma + 2 alpha"
    claim = (
        f"err(hhat; P) <= {size.limit:.3g}{' = 15 alpha' if not size.best_risk else ' = 15 alpha + 7 gamma'} "
        "except with "
        f"probability 3 beta, alpha = {size.accuracy:g}, at n = {size.private:.3e}, m = {size.public:,}; {models}"
    )
    if result.endswith("inf-1.2"):  # which has an accuracy and no constant before it
        claim = f"({'ii' if size.best_risk else 'i'}), 15 alpha being its accuracy: {claim}"
    found = enclosed(
        result,
        claim,
        0,
        failing,
        3 * size.failure,
        kind="upper bound",
        detail=f"an error above {error} has probability at most {failing:.2g}",
        learner=_LEARNER,
    )
    return set_against(replace(found, size=float(size.private)), _blind(size, _EDGE))


def _blind(size: OwnSize, target: float) -> list[Opponent]:
    """Who knows no label, against the promise at own size: labels are flipped with the best risk's probability."""
    far = (size.limit - size.best_risk) / (1 - 2 * size.best_risk)  # a threshold as far from the target errs as much
    drawn = drawn_threshold([target], far, 3 * size.failure)
    return [*at_most(size.limit, largest=largest_error(size.best_risk, target)), drawn]


# --- scaled: few models, injected noise

SCALED = Scales(threshold=200.0, threshold_scale=10.0, query_scale=20.0, models=301, cutoff=10)


def scaled_run(accuracy: float, noise: float, public: int, rng: np.random.Generator) -> tuple[float, float, int]:
    """One run of A_priv with 301 models, lambda = 10, T = 10: errors of hhat and of hpriv's labels on Q, abstentions.

    Chunks are as large as one threshold needs for the accuracy; with noise they are drawn and minimised empirically.
    """
    points = rng.random(public)
    truth = (points >= TARGET).astype(np.int64)
    if noise:
        each = math.ceil(4 / accuracy)
        wrong = wrong_votes_of(noisy_chunks(SCALED.models, each, noise, rng), points)
    else:
        each = int(OneSidedThresholds().size(accuracy, 0.05 / SCALED.models))
        wrong = wrong_votes_of_thresholds(points, each, SCALED.models, rng)
    labels, pattern = labels_of_one_run(wrong, truth, SCALED, rng)
    error = abs(best_threshold(points, labels) - TARGET)
    return (1 - 2 * noise) * error, float((labels != truth).mean()), int((pattern == 0).sum())


def transfer_scaled(seed: int, quick: bool) -> Findings:
    """Claim 6: errors of hhat and hpriv against alpha with injected noise."""
    accuracies = (0.2, 0.1, 0.05, 0.02, 0.01)
    runs, public = (240, 400) if quick else (1000, 400)
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    outcomes, largest = [], 0.0
    for noise in (0.0, 0.05):
        drawn = np.array([[scaled_run(a, noise, public, rng) for _ in range(runs)] for a in accuracies])
        over = [int((excess > 15 * a).sum()) for a, excess in zip(accuracies, drawn[:, :, 0], strict=True)]
        rows += _run_rows(accuracies, noise, drawn, over)
        largest = max(largest, *(drawn[:, :, 0].max(axis=1) / accuracies))
        outcomes += [
            _scaled_outcome(a, noise, public, failures, runs)
            for a, failures in zip(accuracies, over, strict=True)
            if noise and 15 * a < _TRIVIAL
        ]
    for factor in (15, 7):
        rows += bound(f"{factor} alpha", [factor * each for each in accuracies], alpha=accuracies)
    told = (
        f"The largest excess error of hhat over all runs is {largest:.2f} alpha, where 15 alpha is promised at the "
        "theorem's own sizes."
    )
    claim = answering_claim(SCALED, public, delta=1e-3)
    return Findings(rows, outcomes, told, {"runs": runs, "public": public, "claim": claim}, 2 * len(accuracies) * runs)


SCALED_PAGE = Page(
    "A_priv for thresholds with few models and injected noise",
    "k = 301 models, lambda = 10, threshold 200, T = 10, {public} public points, {runs} runs a point: much less noise "
    "than the formulas have (proved: {claim}). Labels are right, or flipped with probability 0.05. Chunks are as "
    "large as one threshold needs for alpha; realisable votes come from their law, noisy chunks are drawn.",
    (
        Plot(
            "errors-of-transfer",
            "Errors of A_priv against the accuracy of the base learner",
            "alpha",
            "error",
            by="labels",
            scale="log",
        ),
    ),
    (Pivot("Errors, {runs} runs each", ("alpha", "noise")),),
    evidence="Drawn, {runs} runs a point, fixed before; intervals of medians are those of order statistics, and all of "
    f"the chart hold together with probability at least {1 - TOGETHER:.0%}. A word is wrong with probability at most "
    "0.001 (holds) or 1e-9 (contradicted).",
)


def _run_rows(accuracies: Sequence[float], noise: float, drawn: NDArray[np.float64], over: Sequence[int]) -> list[Row]:
    """Medians and means of runs: ``drawn`` has errors of hhat and of labels, and abstentions, by accuracy and run."""
    named = "5% of labels flipped" if noise else "realisable"
    rows = [
        _median(name, values, {"alpha": a, "labels": named}, TOGETHER / (4 * len(accuracies)))
        for place, name in enumerate(("excess error of hhat, median", "wrong labels on Q, median share"))
        for a, values in zip(accuracies, drawn[:, :, place], strict=True)
    ]
    for a, each, failures in zip(accuracies, drawn, over, strict=True):
        excess, wrong, none = each.T
        values = {
            "excess error, mean": excess.mean(),
            "largest": excess.max(),
            "wrong labels on Q": wrong.mean(),
            "abstentions": none.mean(),
            "runs above 15 alpha": failures,
        }
        rows += line(values, {"alpha": a, "noise": noise}, "measured")
    return rows


def _median(name: str, drawn: NDArray[np.float64], at: dict[str, Any], level: float) -> Row:
    """A median of runs, with the interval that order statistics give whatever the law; no less than 10^-6 is drawn."""
    from scipy.stats import binom

    ordered = np.maximum(np.sort(drawn), 1e-6)
    # as many as j of n values are below the median with at most half the level
    place = max(1, int(binom.ppf(level / 2, len(ordered), 0.5)))
    ends = float(ordered[place - 1]), float(ordered[-place])
    return Row(name, float(np.median(ordered)), at, "measured", ends, len(ordered), level)


def _scaled_outcome(accuracy: float, noise: float, public: int, failures: int, runs: int) -> Outcome:
    """Agnostic learners on drawn chunks: out of reach at own size, since their minimisers have no law that is known."""
    size = own_size(accuracy, noise)
    allowed = 3 * min(0.05, accuracy)
    found = counted("bassily2018:thm-4.3", "", failures, runs, allowed)
    limit, most = 15 * accuracy, (1 - 2 * noise) * max(TARGET, 1 - TARGET)
    opponents = [
        *at_most(limit, largest=most, coin=0.5 - noise, what="has excess error"),
        drawn_threshold([TARGET], limit / (1 - 2 * noise), allowed),
    ]
    outcome = Outcome(
        "not reachable",
        f"err(hhat; P) <= 15 alpha + 7 gamma, alpha = {accuracy:g}, gamma = {noise:g}, models trained on noisy chunks",
        f"n = {size.private:.2g}, and the law of an empirical minimiser of noisy labels is not known",
        found.result,
        instead=f"scaled: k = 301, lambda = 10, m = {public}, drawn chunks, excess error at most 15 alpha (the "
        "promise allows 15 alpha + 6 gamma): "
        f"{found.detail}",
        instead_word=found.word,
        learner=_LEARNER,
        size=float(size.private),
        level=found.level,
        trials=runs,
    )
    return set_instead_against(outcome, opponents)


RUNS: tuple[Run, ...] = (
    Run(
        "transfer-at-own-size",
        ("bassily2018:thm-4.2", "bassily2018:thm-4.3", "bassily2018:inf-1.2"),
        transfer_at_own_size,
        (3.0, 75.0),
        AT_OWN_SIZE,
    ),
    Run("transfer-scaled", ("bassily2018:thm-4.2", "bassily2018:thm-4.3"), transfer_scaled, (1.0, 4.0), SCALED_PAGE),
)
