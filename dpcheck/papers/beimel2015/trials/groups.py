"""Group privacy of finite algorithms, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.papers.beimel2015.learners import ExponentialLearner
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.papers.beimel2015.trials.laws import (
    as_ball,
    at_distance,
    delta_at,
    largest,
    nats,
    precisely,
    probabilities,
)
from dpcheck.papers.beimel2015.trials.mechanisms import Presence
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, exactly, result
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Chart, Measurement, Outcome, Series, Table

_DELTA = Fraction(1, 100)
_BITS = Records.labelled(features=[0], labels=[0, 1])


@precisely
def groups(seed: int, quick: bool) -> Measurement:
    """Group privacy of finite algorithms at distances 1 to 4."""
    size, most = 4, 4
    epsilon = Fraction(1, 2)
    grid = GridThresholds(3)
    learners: tuple[tuple[str, Any, Records, Any], ...] = (
        (
            "exponential mechanism over thresholds (alg-5)",
            ExponentialLearner(grid, epsilon),
            Records.labelled(features=[0, 2], labels=[0, 1]),
            ball(epsilon).exp(),
        ),
        ("noisy label count", NoisyLabelCount(epsilon), _BITS, ball(epsilon).exp()),
        ("randomised response on a label, ratio 5/3", Presence(Fraction(5, 3)), _BITS, Fraction(5, 3)),
    )
    rows, outcomes, series = [], [], []
    for colour, (name, learner, records, ratio) in enumerate(learners):
        listed = all_pairs(ReplaceOne(records, size), order_blind=True)
        datasets = listed.datasets()
        laws = [probabilities(learner.distribution(dataset)) for dataset in datasets]
        found = at_distance(datasets, laws, _replaced, most)
        held = []
        for k in range(1, most + 1):
            # where a bound is attained in balls the enclosures overlap: then what is above is below 2^-100 of it
            limit = ratio**k
            true = (
                found[k] <= limit
                if isinstance(limit, Fraction)
                else bool(as_ball(found[k]) <= limit * (1 + ball(Fraction(1, 2**90))))
            )
            held.append(true)
        losses = [nats(found[k]) for k in range(1, most + 1)]
        single = nats(ratio)
        series.append(
            Series(name, "exact", colour, tuple(map(float, range(1, most + 1))), tuple(v / single for v in losses))
        )
        rows.append((name, str(len(datasets)), *(f"{v:.4f}" for v in losses), f"{single:.4f}"))
        outcomes.append(
            exactly(
                "def-2.1",
                f"{name}: k records replaced cost at most k epsilon, k = 1 to {most}",
                all(held),
                f"largest losses {', '.join(f'{v:.4f}' for v in losses)} over all pairs of {len(datasets)} databases "
                f"of {size} records; epsilon = {single:.4f}"
                + ("" if isinstance(ratio, Fraction) else "; compared to within 2^-90"),
                kind="privacy",
            )
        )
    outcomes.append(_group_delta(size, most))
    return Measurement(
        "groups",
        "Several records at once: k epsilon is the price, and is reached",
        (result("def-2.1"),),
        f"Databases of {size} records, as multisets; the largest loss between any two that differ in k records, from "
        "the declared laws of three finite algorithms, in units of the loss of one record.",
        f"At k = {most} the losses are "
        + ", ".join(f"{s.y[-1]:.3g}" for s in series)
        + f" times epsilon, of {most} allowed.",
        EXACT,
        (
            Chart(
                "groups",
                "Loss against the number of records replaced",
                "records k",
                "loss in units of epsilon",
                (
                    *series,
                    Series(
                        "k", "bound", 4, tuple(map(float, range(1, most + 1))), tuple(map(float, range(1, most + 1)))
                    ),
                ),
                x_log=False,
                alt="Losses grow with k and stay at or below the line k; one of the algorithms is on it.",
            ),
        ),
        (
            Table(
                "Largest loss at distance k",
                ("algorithm", "databases", *(f"k = {k}" for k in range(1, most + 1)), "epsilon"),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
    )


def _group_delta(size: int, most: int) -> Outcome:
    """Delta of a group: delta (R^k - 1)/(R - 1) at R^k."""
    ratio, delta = Fraction(5, 3), Fraction(1, 50)
    learner = Presence(ratio, delta)
    listed = all_pairs(ReplaceOne(_BITS, size), order_blind=True)
    datasets = listed.datasets()
    laws = [probabilities(learner.distribution(dataset)) for dataset in datasets]
    found = {k: Fraction(0) for k in range(1, most + 1)}
    for i, one in enumerate(datasets):
        for j, other in enumerate(datasets[:i]):
            k = _replaced(one, other)
            if 1 <= k <= most:
                found[k] = largest([found[k], delta_at(laws[i], laws[j], ratio**k)])
    true = all(found[k] <= delta * (ratio**k - 1) / (ratio - 1) for k in found)
    return exactly(
        "def-2.1",
        "an (epsilon, delta) algorithm is (k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1)) for k records, k = "
        f"1 to {most}",
        true,
        "delta at e^(k epsilon), as fractions: " + ", ".join(str(found[k]) for k in found),
        kind="privacy",
    )


def _replaced(one: Any, other: Any) -> int:
    """How many records of a multiset must be replaced to get the other."""
    left, right = (list(zip(each.x, each.y, strict=True)) for each in (one, other))
    for record in left:
        if record in right:
            right.remove(record)
    return len(right)
