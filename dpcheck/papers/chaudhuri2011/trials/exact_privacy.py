"""Claim 8: the exact losses of A1 and A2 over all neighbours, and over datasets further apart (group privacy)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck import Labelled, PureDP
from dpcheck.model.claims import exact_point
from dpcheck.papers.chaudhuri2011.exposures import features_exposed
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.papers.chaudhuri2011.learners.entries import ENTRIES
from dpcheck.parts.classes import Atoms, GridThresholds
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import EXACT_OF_LAWS, Line, Page, Pivot, Plot
from dpcheck.trial.privacy import check_privacy
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, Row, bound, exact

#: Losses are differences of logarithms in doubles, off by far less.
_ROUNDING = 1e-9
#: Pairs of datasets that are compared at once.
_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class Losses:
    """The largest loss between two datasets, by how many records or labels they differ in, and where it is attained.

    ``largest[k]`` is that over all pairs at a distance of at most k, 0 for k = 0; ``pairs`` counts those at distance
    1, in order; ``worst`` is a pair at distance 1.
    """

    largest: tuple[float, ...]
    pairs: int
    worst: tuple[Labelled, Labelled]


def losses(learner: Any, points: int, size: int, *, labels_only: bool) -> Losses:
    """All datasets of a size on some points, two by two.

    Parameters
    ----------
    learner : with ``family``, ``candidates(dataset)``, ``rate(dataset)``
        It chooses by ``exp(-rate mistakes)``, and does not look at the order of records.
    points : int
        The points are 0, ..., points - 1.
    size : int
    labels_only : bool
        Whether only datasets with the same points are compared, by their labels. Else the candidates must be the same
        for all datasets.

    Examples
    --------
    >>> found = losses(LabelPrivateLearner(GridThresholds(3), 1.0, accuracy=0.01), 3, 2, labels_only=True)
    >>> 0.5 < found.largest[1] < 1 and found.largest[2] < 2
    True
    """
    largest = np.zeros(size + 1)
    pairs, top, worst = 0, -1.0, None
    groups = _same_points(points, size) if labels_only else iter([_all_counts(2 * points, size)])
    for counts in groups:
        candidates = learner.candidates(_dataset(counts[0]))
        labels = learner.family.predict(candidates, np.arange(points)).astype(np.float64)
        wrong = np.concatenate([labels, 1 - labels], axis=1)  # label 0 at each point, then label 1
        logs = -float(learner.rate(_dataset(counts[0]))) * (counts @ wrong.T)
        logs -= np.logaddexp.reduce(logs, axis=1, keepdims=True)
        rows = max(1, _BLOCK // (len(counts) * max(1, logs.shape[1])))
        for start in range(0, len(counts), rows):
            here, some = counts[start : start + rows], logs[start : start + rows]
            apart = np.abs(here[:, None, :] - counts[None, :, :]).sum(axis=2) // 2
            loss = (some[:, None, :] - logs[None, :, :]).max(axis=2)
            for k in range(1, size + 1):
                at = loss[apart == k]
                if len(at):
                    largest[k] = max(largest[k], float(at.max()))
            near = apart == 1
            pairs += int(near.sum())
            if near.any() and float(loss[near].max()) > top:
                place = np.unravel_index(int(np.where(near, loss, -1).argmax()), loss.shape)
                top, worst = float(loss[place]), (_dataset(here[place[0]]), _dataset(counts[place[1]]))
    assert worst is not None
    return Losses(tuple(np.maximum.accumulate(largest).tolist()), pairs, worst)


def _all_counts(cells: int, size: int) -> NDArray[np.int64]:
    """How many records are in each cell, for every multiset of them; shape (datasets, cells)."""
    chosen = np.array([*itertools.combinations_with_replacement(range(cells), size)], dtype=np.int64)
    return np.stack([(chosen == cell).sum(axis=1) for cell in range(cells)], axis=1)


def _same_points(points: int, size: int) -> Iterator[NDArray[np.int64]]:
    """For each multiset of points all labellings, up to the order of equal points; shape (datasets, cells)."""
    for places in _all_counts(points, size):
        ones = np.array([*itertools.product(*(range(count + 1) for count in places))], dtype=np.int64)
        yield np.concatenate([places - ones, ones], axis=1)


def _dataset(counts: NDArray[np.int64]) -> Labelled:
    points = len(counts) // 2
    cells = np.repeat(np.arange(len(counts)), counts)
    return Labelled(cells % points, cells // points)


def exact_privacy(seed: int, quick: bool) -> Findings:
    """Theorems 7 and 26, observation 2.3 and lemma 22 over all datasets of a few points."""
    alpha = 1.0
    most = {3: 5 if quick else 8, 4: 3 if quick else 6, 5: 2 if quick else 4}
    rows, found = _group_rows(), {}
    for points, top in most.items():
        family = GridThresholds(points)
        a1 = ReferenceLearner(family, Atoms(range(points)), alpha, accuracy=0.25, constant=1e-4)
        a2 = LabelPrivateLearner(family, alpha, accuracy=0.01)
        for name, learner, labels_only in (("A1", a1, False), ("A1, labels", a1, True), ("A2, labels", a2, True)):
            values = [losses(learner, points, m, labels_only=labels_only) for m in range(1, top + 1)]
            found[name, points] = learner, values
            rows += exact(name, [v.largest[1] for v in values], m=range(1, top + 1), points=points)
    outcomes = [
        _kept("chaudhuri2011:thm-7", "thm-7: A1 is alpha-private", "A1", found, alpha),
        _kept("chaudhuri2011:thm-26", "thm-26: A2 is alpha-label private", "A2, labels", found, alpha),
        _implied(found),
        *_group(quick),
        *_entries(seed, quick),
    ]
    exposed = features_exposed(1.0)
    grows = all(
        a.largest[1] <= b.largest[1] + _ROUNDING for _, values in found.values() for a, b in itertools.pairwise(values)
    )
    largest = max(v.largest[1] for _, values in found.values() for v in values)
    told = (
        f"The largest loss of one record or label is {largest:.6f} of the claimed 1; it "
        + ("never falls as records are added. " if grows else "does not always grow with the number of records. ")
        + "In its points A2 is not private: moving one record's feature makes an output of probability "
        f"{exposed.probability:.3f} "
        "impossible."
    )
    return Findings(rows, outcomes, told)


PAGE = Page(
    "A1 and A2 are as private as claimed, over all neighbours, and groups of k lose at most k times that",
    "Thresholds on 3 to 5 points, alpha = 1, every dichotomy a candidate: the law of the output on every dataset, "
    "and the largest log-ratio over all pairs that differ in one record (A1) or one label (A2). Then over pairs that "
    "differ in k records or labels, for alpha below and above 1.",
    (
        Plot(
            "exact-loss",
            "Exact privacy loss beside the claim",
            "m",
            "largest log-ratio (nats)",
            by="points",
            only=("A1", "A2, labels"),
            x_label="records m",
            x_log=False,
            scale="linear",
            lines=(Line("claimed alpha = 1", y=1.0),),
        ),
        Plot(
            "group-loss",
            "Loss between datasets that differ in k places, m = 4, alpha = 0.5",
            "k",
            "largest log-ratio (nats)",
            x_log=False,
            scale="linear",
        ),
    ),
    (Pivot("Exact loss by m, alpha = 1", ("points", "m"), digits=6),),
    evidence=f"{EXACT_OF_LAWS} All pairs were compared. Doubles (off by less than 1e-9) find the worst pair; that it "
    "keeps the claim is decided in exact arithmetic.",
)


def _kept(result: str, claim: str, name: str, found: dict[Any, Any], alpha: float) -> Outcome:
    values = [(learner, v) for (who, _), (learner, vs) in found.items() if who == name for v in vs]
    learner, worst = max(values, key=lambda each: each[1].largest[1])
    left, right = (declared(learner.distribution(data)) for data in worst.worst)
    laws = TwoLaws.of(left, right)
    answer = decide(laws, exact_point(PureDP(alpha))).answer
    top = worst.largest[1]
    return compared(
        result,
        f"{claim}: thresholds on 3 to 5 points, alpha = {alpha:g}",
        top <= alpha - _ROUNDING and answer == "holds",
        f"the largest loss over {sum(v.pairs for _, v in values):,} ordered pairs of neighbours (up to the order of "
        "records) is "
        f"{top:.6f}; the worst pair, decided exactly: {answer}",
        kind="privacy",
        learner="chaudhuri2011.A2" if "label" in name else "chaudhuri2011.A1",
    )


def _implied(found: dict[Any, Any]) -> Outcome:
    both = [
        (label.largest[1], replaced.largest[1])
        for (name, points), (_, values) in found.items()
        if name == "A1, labels"
        for label, replaced in zip(values, found["A1", points][1], strict=True)
    ]
    gap = max(label - replaced for label, replaced in both)
    return compared(
        "chaudhuri2011:obs-2.3",
        "obs-2.3: A1 loses no more where one label is replaced than where one example is",
        gap <= _ROUNDING,
        f"at {len(both)} sizes; the label's loss is {max(a for a, _ in both):.6f}, the example's "
        f"{max(b for _, b in both):.6f} at most",
        kind="privacy",
        learner="chaudhuri2011.A1",
    )


def _groups(alpha: float, size: int) -> dict[str, tuple[float, ...]]:
    """The largest loss by distance, for A1 in records and A2 in labels, on three points."""
    family = GridThresholds(3)
    a1 = ReferenceLearner(family, Atoms(range(3)), alpha, accuracy=0.25, constant=1e-4 / max(1.0, alpha))
    a2 = LabelPrivateLearner(family, alpha, accuracy=0.01)
    return {
        "A1, records": losses(a1, 3, size, labels_only=False).largest,
        "A2, labels": losses(a2, 3, size, labels_only=True).largest,
    }


def _group(quick: bool) -> list[Outcome]:
    size = 4 if quick else 6
    outcomes = []
    for part, name in (("(1)", "A1, records"), ("(2)", "A2, labels")):
        kept, ratios = True, []
        for alpha in (0.1, 0.5, 0.9, 2.0):
            largest = _groups(alpha, size)[name]
            kept &= all(largest[k] <= k * alpha - _ROUNDING for k in range(1, size + 1))
            ratios += [largest[k] / (k * alpha) for k in range(1, size + 1)]
        outcomes.append(
            compared(
                "chaudhuri2011:lem-22",
                f"lem-22 {part}: for {name.replace(',', ' in')} that differ in k places no probability is below "
                "exp(-k alpha) times the "
                f"other; m = {size}, k = 1 to {size}, alpha = 0.1, 0.5, 0.9 and, beyond the lemma, 2",
                kept,
                f"the largest loss is {min(ratios):.3f} to {max(ratios):.3f} of k alpha, over all pairs of datasets",
                kind="privacy",
                learner=f"chaudhuri2011.{name[:2]}",
            )
        )
    return outcomes


def _group_rows() -> list[Row]:
    size, alpha = 4, 0.5
    places = range(1, size + 1)
    rows = [row for name, values in _groups(alpha, size).items() for row in exact(name, values[1:], k=places)]
    return rows + bound("lemma 22: k alpha", [k * alpha for k in places], k=places)


def _entries(seed: int, quick: bool) -> list[Outcome]:
    """The learners as they are listed, each on its small domain."""
    chosen = [
        entry for entry in ENTRIES if not quick or entry.name in ("chaudhuri2011.A1_separators", "chaudhuri2011.A2")
    ]
    return [
        check_privacy(
            entry.theorem,
            f"{entry.theorem.partition(':')[2]}: {entry.name} on its small domain, alpha = 1",
            entry.learner(),
            1.0,
            neighbours=entry.relation(),
            name=entry.name,
            seed=seed,
            quick=quick,
        )
        for entry in chosen
    ]
