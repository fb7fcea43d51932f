"""GenericLearner: its sizes, exact runs on four points, and runs at the sizes that its theorem names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from dpcheck.model.data import UNLABELLED, Labelled
from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.beimel2015.hard_instances import UniformThreshold
from dpcheck.papers.beimel2015.learners import GenericLearner, generic_sizes, points_for_thresholds
from dpcheck.papers.beimel2015.theorems.bounds import GENERIC_LABELLED
from dpcheck.papers.beimel2015.trials.brute_force import compositions, vc_dimension
from dpcheck.papers.beimel2015.trials.laws import as_ball, largest, largest_ratio, nats, pairs_of_laws, precisely
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly, out_of_reach, result, size_named
from dpcheck.parts.classes import FiniteClass, GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.parts.mechanisms.mixtures import chances
from dpcheck.parts.mechanisms.sanitisers import ThresholdSanitiser
from dpcheck.trial.failures import counted
from dpcheck.trial.model import Outcome
from dpcheck.trial.opponents import drawn_threshold, on_instances, set_against
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.rows import Findings, Row, bound, exact, line
from dpcheck.utility.slopes import log_log_slope

_BITS = (4, 8, 16, 32, 64)


_TENTH = Fraction(1, 10)


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"{number:.3g}"


def _sizes(bits: int, accuracy: Any = _TENTH, failure: Any = _TENTH, epsilon: Any = 1, candidates: Any = "all") -> Any:
    return generic_sizes(
        GridThresholds(1 << min(bits, 60)),
        1 << bits,
        epsilon=epsilon,
        accuracy=accuracy,
        failure=failure,
        candidates=candidates,
    )


@precisely
def sizes(seed: int, quick: bool) -> Findings:
    """Headline claim 1: labels independent of d, points linear in d."""
    by_bits = [_sizes(d) for d in _BITS]
    labelled, unlabelled = [s.labelled for s in by_bits], [s.unlabelled for s in by_bits]
    flat = len(set(labelled)) == 1
    # linear: the size less its constant term, per bit, is the same up to rounding up
    per_bit = np.diff(unlabelled) / np.diff(_BITS)
    linear = bool(per_bit.max() - per_bit.min() <= 1)
    accuracies = [0.5 * 2.0**-k for k in range(8)]
    all_, sauer = ([_sizes(16, a, candidates=which).labelled for a in accuracies] for which in ("all", "sauer"))
    slopes = [log_log_slope(accuracies[-4:], each[-4:]) for each in (all_, sauer)]
    failures, epsilons = [10.0**-k for k in (1, 3, 10, 30, 100)], [0.01, 0.1, 1.0, 10.0, 100.0]
    in_failure = [_sizes(16, failure=f).labelled for f in failures]
    in_epsilon = [_sizes(16, epsilon=e).labelled for e in epsilons]
    rows = [
        *bound("labelled m", labelled, d=_BITS),
        *bound("unlabelled n - m", unlabelled, d=_BITS),
        *bound("k", [s.points for s in by_bits], d=_BITS),
        *bound("2^k candidates, as printed", all_, alpha=accuracies),
        *bound("Sauer's count", sauer, alpha=accuracies),
        *bound("m", in_failure, beta=failures),
        *bound("m", in_epsilon, epsilon=epsilons),
    ]
    spoken = ", ".join(map(str, _BITS))
    outcomes = (
        exactly(
            "thm-3.3",
            "m does not depend on d and n - m is linear in d",
            flat and linear,
            f"d = {spoken}: m = {_short(labelled[0])}, and {per_bit[0]:,.0f} more points for each bit",
            kind="order",
        ),
        exactly(
            "cor-3.4",
            "for thresholds m is a constant in d, whatever sanitiser is plugged in: it depends on k alone",
            flat,
            f"m = {_short(labelled[0])} at k = {_short(by_bits[0].points)} for d = {spoken}; "
            "the sanitiser of 8^(log* d) points is cited by the paper and not described",
            kind="order",
        ),
        exactly("int-2", "thresholds: O(1) labels", flat, f"m = {_short(labelled[0])} for every d", kind="order"),
        *_candidates_of_thresholds(),
        _least_labels(),
        _large_epsilon(),
    )
    told = (
        f"m is {_short(labelled[0])} "
        + ("for every d" if flat else f"to {_short(labelled[-1])}")
        + f"; n - m grows from {_short(unlabelled[0])} to {_short(unlabelled[-1])}, "
        + ("by the same for each bit" if linear else "not linearly")
        + f". In alpha the slope of m is {slopes[0]:.2f} by the proof's count and {slopes[1]:.2f} by Sauer's. From "
        f"beta = 0.1 to 1e-100 m grows by a factor of {in_failure[-1] / in_failure[0]:.3f}; from epsilon = 0.01 to 100 "
        f"it falls by a factor of {in_epsilon[0] / in_epsilon[-1]:,.0f}."
    )
    return Findings(rows, outcomes, told)


SIZES = Page(
    "Labels do not grow with the domain, points do",
    "The explicit sizes of GenericLearner for thresholds on 2^d points (alpha = beta = 0.1, epsilon = 1 unless "
    "said), with the number of candidates bounded by 2^k as in the proof, and by Sauer's lemma.",
    (
        Plot(
            "in-d",
            "Sizes of GenericLearner against d",
            "d",
            "entries",
            only=("labelled m", "unlabelled n - m"),
            x_label="bits d of a point",
            scale="log",
        ),
        Plot(
            "in-alpha",
            "Labelled size against alpha",
            "alpha",
            "labelled entries m",
            x_label="accuracy alpha",
            scale="log",
        ),
    ),
    (
        Pivot("Sizes against d", ("d",)),
        Pivot("Labelled size against beta", ("beta",)),
        Pivot("Labelled size against epsilon", ("epsilon",)),
    ),
    evidence=f"{EXACT} Sizes are formulas evaluated and rounded up.",
)


def _least_labels() -> Outcome:
    """rem-3.a: the labelled size is linear in VC, as the lower bound is."""
    accuracy = Fraction(1, 10)
    dimensions = (2, 4, 8, 16)
    found = [size_named(GENERIC_LABELLED, accuracy=accuracy, failure=_TENTH, epsilon=1, vc=v) for v in dimensions]
    slope = log_log_slope(dimensions, found)
    above = all(size >= Fraction(v - 1) / (16 * accuracy) for v, size in zip(dimensions, found, strict=True))
    return exactly(
        "rem-3.a",
        "the labelled size is optimal up to alpha, beta and epsilon: linear in VC, and so is what every learner needs",
        above and abs(slope - 1) < 0.01,
        f"m = {', '.join(map(_short, found))} at VC = {', '.join(map(str, dimensions))} (log-log slope {slope:.4f}), "
        "never below (VC - 1)/(16 alpha)",
        kind="order",
    )


def _candidates_of_thresholds() -> list[Outcome]:
    """ex-thresh and int-1: thresholds on 2^d points, and how many candidates k sanitised points make."""
    bits = range(1, 9)
    found = [
        len(
            np.unique(
                GridThresholds(1 << d, "down").predict(GridThresholds(1 << d, "down").everything(), np.arange(1 << d)),
                axis=0,
            )
        )
        for d in bits
    ]
    shattered = [_dimension(GridThresholds(1 << d, "down"), 1 << d) for d in (1, 2, 3)]
    thresholds = exactly(
        "ex-thresh",
        "THRESH_d has 2^d + 1 concepts and VC dimension 1",
        all(count == (1 << d) + 1 for d, count in zip(bits, found, strict=True)) and set(shattered) == {1},
        f"counted for d = 1 to 8: {', '.join(map(str, found))}; dimension by trying all pairs for d = 1 to 3",
    )
    k = 20
    few = len(GridThresholds(1 << 10, "down").representatives(np.arange(k) * 50, None))
    intro = exactly(
        "int-1",
        "at accuracy fixed, #H is 2^O(VC): at most (e k/VC)^VC, k proportional to VC",
        few <= math.e * k and all(math.log(math.e * 50 * v / v) * v <= 6 * v for v in range(1, 50)),
        f"{k} sanitised points make {few} thresholds to choose among; (e k/VC)^VC with k = 50 VC is below e^(6 VC) "
        "for VC < 50",
        kind="order",
    )
    return [thresholds, intro]


def _dimension(family: Any, points: int) -> int:
    """The VC dimension by brute force."""
    labels = family.predict(family.everything(), np.arange(points))
    return vc_dimension(labels)


def _large_epsilon() -> Outcome:
    """thm-3.3 as printed for every epsilon: at a large one m is 1, and one label is not enough."""
    functions = list(product((0, 1), repeat=2))
    family = FiniteClass(functions)
    learner = GenericLearner.over(family, 1000, points=2, domain=[0, 1])
    constant = 1000  # of the printed O(...): whatever it is, epsilon = 200 times it makes m = 1
    size = constant * (2 * 64 * math.log(4) + 4 * math.log(4)) / (200 * constant)
    wrong = Fraction(0)
    for target in functions:
        for x in (0, 1):
            law = dict(chances(learner.distribution([(x, target[x]), (0, -1), (1, -1)])))
            # probabilities in doubles, rounded down to a multiple of 2^-20: the total is far from what decides
            missed = sum(p for h, p in law.items() if tuple(functions[h] if isinstance(h, int) else h) != target)
            wrong += Fraction(math.floor(missed * 2**20), 2**20) / (4 * 2)
    return exactly(
        "thm-3.3",
        "as printed, for every epsilon: all four functions on two uniform points, alpha = beta = 1/4, epsilon = 200 "
        "times the constant, so that one label is asked for",
        math.ceil(size) > 1 or wrong <= Fraction(1, 4),
        f"the printed expression is {size:.3f}; GenericLearner with one label and epsilon = 1000 misses the target "
        f"with probability at least {float(wrong):.3f} on average over the four targets, and 1/4 is claimed",
        kind="upper bound",
        expected="thm-3.3: it holds with min(epsilon, 1) in place of epsilon, for alpha at most 1/2",
    )


def exact_failure(learner: GenericLearner, unlabelled: Sequence[int], labelled: int, target: int) -> float:
    """The probability that the threshold put out is not the target on {0, 1, 2, 3}: S i.i.d. and uniform, D given.

    Summed over all databases of the sanitiser and all counts of S; in doubles, of non-negative terms only.
    """
    counts = np.array(list(compositions(labelled, 4)))
    factorials = np.cumsum(np.log(np.maximum(1, np.arange(labelled + 1))))
    weight = np.exp(factorials[labelled] - factorials[counts].sum(axis=1) - labelled * math.log(4))
    truth = (np.arange(4) < target).astype(int)
    bases: dict[tuple[int, ...], float] = {}
    for database, chance in chances(learner.law_of_databases([(x, UNLABELLED) for x in unlabelled])):
        key = tuple(learner.basis(None, database).tolist())
        bases[key] = bases.get(key, 0.0) + chance
    failing = 0.0
    for basis, chance in bases.items():
        candidates = learner.candidates(None, np.array(basis))
        labels = learner.family.predict(candidates, np.arange(4))
        scores = counts @ (labels == truth).T
        odds = np.exp(float(learner.epsilon) / 2 * (scores - scores.max(axis=1, keepdims=True)))
        wrong = (labels != truth).any(axis=1)
        failing += chance * float(weight @ (odds[:, wrong].sum(axis=1) / odds.sum(axis=1)))
    return failing


@precisely
def on_four_points(seed: int, quick: bool) -> Findings:
    """Headline claim 2: THRESH_2 with the exact sanitiser, privacy and failure computed."""
    points = 4 if quick else 6
    rows, missed = _missing_the_target(points)
    privacy_rows, said, privacy = _privacy_by_part()
    runs = _runs_at_own_size(seed, quick)
    outcomes = [*privacy, *runs, *_out_of_reach(runs[0]), _differences(seed, quick)]
    falling = all(each[-1] < each[0] for each in missed.values())
    told = (
        f"With 24 labels, #D = 2000 and epsilon = 2 the failure is {missed[2.0, 2000][-1]:.4f}, with #D = 20 and "
        f"epsilon = 0.5 it is {missed[0.5, 20][-1]:.4f}"
        + (": it falls with m everywhere." if falling else ".")
        + f" {said}"
    )
    return Findings([*rows, *privacy_rows], outcomes, told, {"points": points}, sum(run.trials for run in runs))


FOUR_POINTS = Page(
    "GenericLearner on four points, exactly, and at its theorem's sizes",
    "Thresholds on four points with the exact sanitiser of k = {points} points: the probability that the hypothesis is "
    "not the target (alpha below 1/4), S drawn uniformly, D with each point equally often; the loss on every pair of "
    "small databases, in S and in D apart. Then runs at the theorem's explicit sizes with the thresholds' own k.",
    (
        Plot(
            "four-points",
            "Probability of missing the target on four points",
            "m",
            "probability",
            by="at",
            x_label="labelled entries m",
            lines=(Line("beta = 0.1", y=0.1),),
        ),
    ),
    (
        Pivot("Failure on four points, worst of two targets", ("epsilon", "#D")),
        Pivot("Exact loss of GenericLearner, three points, 2 + 2 entries, epsilon = 1", ("entry of",)),
    ),
    evidence=f"{EXACT} Failures on four points are sums in doubles of non-negative terms. Runs at the theorem's sizes: "
    "numbers fixed before, a claim holds at level 1e-3.",
)


def _missing_the_target(points: int) -> tuple[list[Row], dict[tuple[float, int], list[float]]]:
    """The probability of missing the worse of two targets, by epsilon and #D, for each number of labels."""
    family, labels = GridThresholds(4, "down"), (2, 4, 8, 16, 24)
    rows: list[Row] = []
    missed = {}
    for epsilon, total in product((0.5, 1.0, 2.0), (20, 200, 2000)):
        learner = GenericLearner.over(family, epsilon, points=points)
        unlabelled = [x for x in range(4) for _ in range(total // 4)]
        worst = [max(exact_failure(learner, unlabelled, m, target) for target in (1, 2)) for m in labels]
        missed[epsilon, total] = worst
        values = {f"m = {m}": chance for m, chance in zip(labels, worst, strict=True)}
        rows += line(values, {"epsilon": epsilon, "#D": total})
        if total != 200:
            rows += exact("missed", worst, m=labels, at=f"epsilon = {epsilon:g}, #D = {total}")
    return rows, missed


def _privacy_by_part() -> tuple[list[Row], str, list[Outcome]]:
    """The exact loss where an entry of S is replaced, and where one of D is."""
    family, epsilon = GridThresholds(3, "down"), Fraction(1)
    learner = GenericLearner.over(family, epsilon, points=3)
    relation = ReplaceEntry(Records.labelled(features=[0, 1, 2], labels=[0, 1]), 4, 2)
    worst: dict[str, Any] = {}
    pairs: dict[str, int] = {}
    for left, right, one, other in pairs_of_laws(learner.distribution, relation, learner):
        parts = [sorted(zip(d.x[:2], d.y[:2], strict=True)) for d in (left, right)]
        where = "S" if parts[0] != parts[1] else "D"
        ratio = largest_ratio(one, other)
        worst[where] = largest([worst.get(where, Fraction(1)), ratio])
        pairs[where] = pairs.get(where, 0) + 1
    rows: list[Row] = []
    outcomes = []
    for where, part in (("S", "the labelled"), ("D", "the unlabelled")):
        rows += line({"pairs": pairs[where], "loss": nats(worst[where])}, {"entry of": where})
        outcomes.append(
            decided(
                "thm-3.3",
                f"private at epsilon (not 2 epsilon) when an entry of {part} part {where} is replaced",
                below(as_ball(worst[where]), ball(epsilon).exp()),
                f"largest loss {nats(worst[where]):.4f} over all {pairs[where]:,} such pairs, epsilon = 1",
                kind="privacy",
            )
        )
    said = f"The loss is at most {nats(worst['S']):.4f} in S and {nats(worst['D']):.4f} in D at epsilon = 1."
    return rows, said, outcomes


def _runs_at_own_size(seed: int, quick: bool) -> list[Outcome]:
    """thm-3.3 at its explicit sizes: thresholds on 2^20 points with their own k."""
    rng = np.random.default_rng(seed)
    found = []
    for accuracy, failure, trials in (
        (Fraction(1, 2), Fraction(1, 2), 12),
        *(() if quick else ((Fraction(1, 4), Fraction(1, 4), 28),)),
    ):
        family = GridThresholds(1 << 20, "down")
        k = points_for_thresholds(accuracy / 5)
        sizes = generic_sizes(
            family, 1 << 20, epsilon=1, accuracy=accuracy, failure=failure, points=k, candidates="sauer"
        )
        learner = GenericLearner(family, ThresholdSanitiser(1 << 20, 1, k), 1)
        failures, largest_error = 0, Fraction(0)
        targets = (1 << 16, 1 << 19)
        for trial in range(trials):
            target = targets[trial % 2]
            x = rng.integers(1 << 20, size=sizes.labelled + sizes.unlabelled)
            y = (x < target).astype(np.int64)
            y[sizes.labelled :] = UNLABELLED
            threshold = int(learner(Labelled(x, y), rng))
            error = Fraction(abs(threshold - target), 1 << 20)
            largest_error = max(largest_error, error)
            failures += error > accuracy
        decided_here = counted(
            result("thm-3.3"),
            f"thm-3.3: thresholds on 2^20 points at the explicit sizes, m = {sizes.labelled:,}, n - m = "
            f"{sizes.unlabelled:,}, with the thresholds' own k = {k}: error above {float(accuracy):g}",
            failures,
            trials,
            failure,
            learner="beimel2015.generic",
            size=float(sizes.labelled),
        )
        told = f"{decided_here.detail}; the largest error is {float(largest_error):.2g}"
        opponents = [
            *on_instances([UniformThreshold(20, each) for each in targets], family, accuracy, failure),
            drawn_threshold([Fraction(each, 1 << 20) for each in targets], accuracy, failure),
        ]
        found.append(set_against(replace(decided_here, detail=told), opponents))
    return found


def _out_of_reach(run: Outcome) -> list[Outcome]:
    """The theorem's own k, and its corollary: what was run in place of them."""
    printed = _sizes(20)
    made = [
        out_of_reach(
            "thm-3.3",
            "error above 0.1 with probability at most 0.1 on 2^20 points, with the proof's k for every class",
            f"m = {printed.labelled:,}, n - m = {printed.unlabelled:.3g}, k = {printed.points:,}",
            f"with k = {points_for_thresholds(_TENTH)} for thresholds, which the same proof allows, at alpha = "
            f"beta = 1/2: {run.detail}",
            run.word,
            size=float(printed.labelled),
            level=run.level,
            trials=run.trials,
            learner="beimel2015.generic",
        ),
        out_of_reach(
            "cor-3.4",
            "approximately private, O~(8^(log* d)) points",
            "its sanitiser is cited and not described",
            "GenericLearner with the pure sanitiser of Blum, Ligett and Roth on 2^20 points, alpha = beta = 1/2: "
            f"{run.detail}",
            run.word,
            level=run.level,
            trials=run.trials,
            learner="beimel2015.generic",
        ),
    ]
    return [replace(one, against=run.against) for one in made]


def _differences(seed: int, quick: bool) -> Outcome:
    """obs-3.2 on classes: the VC dimension of C xor C."""
    rng = np.random.default_rng(seed)
    worst, count, held = 0.0, 0, True
    for _ in range(60 if quick else 400):
        points = int(rng.integers(3, 7))
        functions = np.unique(rng.integers(2, size=(int(rng.integers(2, 9)), points)), axis=0)
        v, xor = (
            vc_dimension(functions),
            vc_dimension(np.unique((functions[:, None] ^ functions[None]).reshape(-1, points), axis=0)),
        )
        if v:
            held = held and xor <= 10 * v
            worst = max(worst, xor / v)
            count += 1
    return exactly(
        "obs-3.2",
        "VC(C xor C) is at most 10 VC(C)",
        held,
        f"{count} random classes on 3 to 6 points, by trying all subsets: at most {worst:.3g} times",
    )
