"""The exact instances that go with the refuted lines of appendix E, and A2's privacy from end to end."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

from dpcheck.proof.instances import Enumeration


def agreeing_at_the_only_point(size: int = 1) -> Enumeration:
    """All functions on eleven points that are 1 at the first, which carries all mass: one net, no error, eps_m below 0.

    E asks that 0 <= eps_m; with m = 1, V = 10 and delta = exp(-1/8) it is about -37.
    """
    count, failure = 0, ""
    masses = (1, *(0 for _ in range(10)))
    labels = (1, *(0 for _ in range(10)))
    for rest in itertools.product((0, 1), repeat=10):
        count += 1
        h = (1, *rest)
        if sum(mass for mass, guess, label in zip(masses, h, labels, strict=True) if guess != label):
            failure = f"{h} errs"
    eps_m = (8 * 10 * math.log(2 * math.e * size / 10) + 4 * math.log(16) + 4 / 8) / size
    if not eps_m < -30:
        failure = f"eps_m = {eps_m}"
    return Enumeration(
        "the 2^10 functions on eleven points that are 1 at the first, a law that is there with label 1 (V = 10, eta = 0, "
        "N = 1), m = 1: err(h, S) = err(h) = 0, and E fails surely since eps_m < 0", count, failure,
    )  # fmt: skip


def _losses(learner: Any, size: int, points: range, labels_only: bool) -> tuple[int, float]:
    """The number of ordered neighbouring pairs and the largest loss, from whole-number scores; inf where supports differ."""
    records = list(itertools.product(points, (0, 1)))
    laws: dict[tuple[tuple[int, int], ...], dict[Any, float]] = {}
    for data in itertools.product(records, repeat=size):
        law = learner.distribution(([x for x, _ in data], [y for _, y in data]))
        rate, scores = float(law.exact.epsilon) / 2, law.exact.scores
        whole = math.log(sum(math.exp(rate * score) for score in scores))
        laws[data] = {output: rate * score - whole for output, score in zip(law.outputs, scores, strict=True)}
    count, worst = 0, 0.0
    for data, law in laws.items():
        for place, record in itertools.product(range(size), records):
            x, y = data[place]
            if record == (x, y) or (labels_only and record[0] != x):
                continue
            other = laws[(*data[:place], record, *data[place + 1 :])]
            count += 1
            for output, log_chance in law.items():
                worst = max(worst, log_chance - other.get(output, -math.inf))
    return count, worst


def label_pairs(epsilon: Fraction = Fraction(1), labels_only: bool = True, learner: Any = None) -> Enumeration:
    """A2 as printed, from end to end: the law of its output on every dataset and each of its neighbours.

    Thresholds on four points, one to three records, one hypothesis for each dichotomy: the largest loss over all pairs
    that differ in one label. The margin of a thousandth is far above the rounding of the logarithms.
    """
    from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner
    from dpcheck.parts.classes import GridThresholds

    chosen = LabelPrivateLearner(GridThresholds(4), epsilon, accuracy=0.5) if learner is None else learner
    count, worst = 0, 0.0
    for size in (1, 2, 3):
        pairs, loss = _losses(chosen, size, range(4), labels_only)
        count, worst = count + pairs, max(worst, loss)
    failure = "" if worst <= float(epsilon) - 1e-3 else f"loss {worst}"
    return Enumeration(
        f"A2 for thresholds on four points, alpha = {epsilon}, eps = 1/2, one to three records, all pairs that differ in one "
        f"{'label' if labels_only else 'record'}: the largest loss is {worst:.4f}", count, failure,
    )  # fmt: skip
