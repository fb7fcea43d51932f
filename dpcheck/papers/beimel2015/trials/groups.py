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
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, exactly
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.rows import Findings, Row, bound, exact, line

#: Records of a database, and the most of them that are replaced.
_SIZE, _MOST = 4, 4
_BITS = Records.labelled(features=[0], labels=[0, 1])


@precisely
def groups(seed: int, quick: bool) -> Findings:
    """Group privacy of finite algorithms at distances 1 to 4."""
    epsilon = Fraction(1, 2)
    learners: tuple[tuple[str, Any, Records, Any], ...] = (
        (
            "exponential mechanism over thresholds (alg-5)",
            ExponentialLearner(GridThresholds(3), epsilon),
            Records.labelled(features=[0, 2], labels=[0, 1]),
            ball(epsilon).exp(),
        ),
        ("noisy label count", NoisyLabelCount(epsilon), _BITS, ball(epsilon).exp()),
        ("randomised response on a label, ratio 5/3", Presence(Fraction(5, 3)), _BITS, Fraction(5, 3)),
    )
    places = range(1, _MOST + 1)
    rows: list[Row] = []
    outcomes, most = [], []
    for name, learner, records, ratio in learners:
        datasets, laws = _datasets_with_laws(learner, records)
        found = at_distance(datasets, laws, _replaced, _MOST)
        losses, single = [nats(found[k]) for k in places], nats(ratio)
        most.append(losses[-1] / single)
        rows += exact(name, [loss / single for loss in losses], k=places)
        at = {"algorithm": name}
        rows += line({"databases": len(datasets)} | {f"k = {k}": loss for k, loss in enumerate(losses, 1)}, at)
        rows += line({"epsilon": single}, at, "bound")
        outcomes.append(
            exactly(
                "def-2.1",
                f"{name}: k records replaced cost at most k epsilon, k = 1 to {_MOST}",
                all(_within(found[k], ratio**k) for k in places),
                f"largest losses {', '.join(f'{v:.4f}' for v in losses)} over all pairs of {len(datasets)} databases "
                f"of {_SIZE} records; epsilon = {single:.4f}"
                + ("" if isinstance(ratio, Fraction) else "; compared to within 2^-90"),
                kind="privacy",
            )
        )
    rows += bound("k", places, k=places)
    told = (
        f"At k = {_MOST} the losses are {', '.join(f'{each:.3g}' for each in most)} times epsilon, of {_MOST} allowed."
    )
    return Findings(rows, [*outcomes, _group_delta()], told)


PAGE = Page(
    "Several records at once: k epsilon is the price, and is reached",
    f"Databases of {_SIZE} records, as multisets; the largest loss between any two that differ in k records, from "
    "the declared laws of three finite algorithms, in units of the loss of one record.",
    (
        Plot(
            "groups",
            "Loss against the number of records replaced",
            "k",
            "loss in units of epsilon",
            x_label="records k",
            x_log=False,
            scale="linear",
        ),
    ),
    (Pivot("Largest loss at distance k", ("algorithm",)),),
    evidence=EXACT,
)


def _datasets_with_laws(learner: Any, records: Records) -> tuple[list[Any], list[Any]]:
    """All databases as multisets, and the learner's laws."""
    datasets = all_pairs(ReplaceOne(records, _SIZE), order_blind=True).datasets()
    return datasets, [probabilities(learner.distribution(dataset)) for dataset in datasets]


def _within(found: Any, limit: Any) -> bool:
    """Whether a ratio is at most another: where a bound is attained in balls the enclosures overlap by 2^-90."""
    if isinstance(limit, Fraction):
        return bool(found <= limit)
    return bool(as_ball(found) <= limit * (1 + ball(Fraction(1, 2**90))))


def _group_delta() -> Outcome:
    """Delta of a group: delta (R^k - 1)/(R - 1) at R^k."""
    ratio, delta = Fraction(5, 3), Fraction(1, 50)
    datasets, laws = _datasets_with_laws(Presence(ratio, delta), _BITS)
    found = {k: Fraction(0) for k in range(1, _MOST + 1)}
    for i, one in enumerate(datasets):
        for j, other in enumerate(datasets[:i]):
            k = _replaced(one, other)
            if 1 <= k <= _MOST:
                found[k] = largest([found[k], delta_at(laws[i], laws[j], ratio**k)])
    return exactly(
        "def-2.1",
        "an (epsilon, delta) algorithm is (k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1)) for k records, k = "
        f"1 to {_MOST}",
        all(found[k] <= delta * (ratio**k - 1) / (ratio - 1) for k in found),
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
