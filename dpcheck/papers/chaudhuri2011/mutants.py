"""Broken versions of the learners of chaudhuri2011, one defect each."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.parts.classes import mistakes
from dpcheck.parts.classes.nets import net
from dpcheck.parts.classes.references import Atoms
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import Choice

A1, A1R, A2 = "chaudhuri2011.A1", "chaudhuri2011.A1r", "chaudhuri2011.A2"


def arrays(dataset: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Points and labels."""
    x, y = private_records(dataset)
    return np.asarray(x), np.asarray(y)


# --- the last step, which all three have in common


def whole_epsilon(self: Any, dataset: Any) -> Fraction:
    """``exp(-alpha mistakes)``: the factor 1/2 is missing."""
    return Fraction(self.epsilon)


def mistakes_times_size(self: Any, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """Mistakes are taken for the error rate, and multiplied by n once more."""
    x, y = private_records(dataset)
    return -mistakes(self.family, candidates, x, y) * len(y)


def duplicates_dropped(self: Any, dataset: Any, candidates: Any) -> Any:
    """The error rate on the distinct records, times n."""
    x, y = private_records(dataset)
    distinct = sorted(set(zip(np.asarray(x).tolist(), np.asarray(y).tolist(), strict=True)))
    wrong = mistakes(self.family, candidates, [point for point, _ in distinct], [label for _, label in distinct])
    return -wrong * (len(y) / len(distinct))


def a_record_counted_twice(self: Any, dataset: Any, candidates: Any) -> NDArray[np.int64]:
    """One record more: the first with the largest point comes again at the end."""
    x, y = arrays(dataset)
    again = int(x.argmax())
    return -mistakes(self.family, candidates, np.append(x, x[again]), np.append(y, y[again]))


def candidates_counted_for_each_one(self: Any, dataset: Any) -> tuple[NDArray[Any], Choice]:
    """Dichotomies counted again: each record labelled 1 adds the candidate next to it once more."""
    candidates = self.candidates(dataset)
    x, y = arrays(dataset)
    nearest = np.abs(candidates[:, None] - x[None, y == 1]).argmin(axis=0)
    times = 1 + np.bincount(nearest, minlength=len(candidates))
    return candidates, Choice(self.rate(dataset), self.scores(dataset, candidates), times)


def bonus_for_the_minimiser(self: Any, dataset: Any) -> tuple[NDArray[Any], Choice]:
    """Ties of the fewest mistakes are broken by three times the weight for the first of them."""
    candidates = self.candidates(dataset)
    scores = self.scores(dataset, candidates)
    times = np.ones(len(scores), dtype=np.int64)
    times[int(scores.argmax())] = 3
    return candidates, Choice(self.rate(dataset), scores, times)


# --- the net of A1 and A1r


def net_under_private_points(self: ReferenceLearner, dataset: Any) -> NDArray[Any]:
    """The net is one under the records' own points, not under the reference."""
    x, y = private_records(dataset)
    return net(self.family, Atoms(x), self.radius(len(y))).hypotheses


def smoothness_from_private_points(self: ReferenceLearner, dataset: Any) -> NDArray[Any]:
    """Kappa is not solved from n but estimated: as many times more records as expected between two tenths."""
    x, y = arrays(dataset)
    kappa = 10 * np.bincount((10 * x).astype(int)).max() / len(y)
    return net(self.family, self.reference, self.accuracy / (4 * kappa)).hypotheses


def net_for_the_distinct_records(self: ReferenceLearner, dataset: Any) -> NDArray[Any]:
    """Kappa is solved from the number of distinct points, a private number."""
    return self.net(len(np.unique(arrays(dataset)[0]))).hypotheses


# --- the net of A2


def net_under_the_points_labelled_one(self: LabelPrivateLearner, dataset: Any) -> NDArray[Any]:
    """The distance counts the records labelled 1 only."""
    x, y = arrays(dataset)
    return LabelPrivateLearner.candidates(self, (x[y == 1], y[y == 1]))


def representatives_by_labels(self: LabelPrivateLearner, dataset: Any) -> NDArray[Any]:
    """Of the hypotheses of a dichotomy the lowest where most labels are 1, else the highest."""
    x, y = arrays(dataset)
    return self.family.representatives(x, "lowest" if 2 * y.sum() > len(y) else "highest")


def accuracy_by_labels(self: LabelPrivateLearner, dataset: Any) -> NDArray[Any]:
    """The radius is half the error rate of the best hypothesis, and so a function of the labels."""
    x, y = arrays(dataset)
    best = mistakes(self.family, self.family.representatives(x), x, y).min()
    return net(self.family, Atoms(x), Fraction(int(best), 2 * len(y)) + Fraction(1, 2 * len(y))).hypotheses


_OF_ALL: dict[str, tuple[str, Callable[..., Any]]] = {
    "no factor 1/2": ("rate", whole_epsilon),
    "score not scaled by n": ("scores", mistakes_times_size),
    "duplicates dropped": ("scores", duplicates_dropped),
    "one more record counted": ("scores", a_record_counted_twice),
    "dichotomies counted twice": ("choice", candidates_counted_for_each_one),
    "bonus for the minimiser": ("choice", bonus_for_the_minimiser),
}
_OF_REFERENCE: dict[str, tuple[str, Callable[..., Any]]] = {
    **_OF_ALL,
    "cover from private data": ("candidates", net_under_private_points),
    "kappa from the private sample": ("candidates", smoothness_from_private_points),
    "kappa from the distinct records": ("candidates", net_for_the_distinct_records),
}
_OF_LABEL_PRIVATE: dict[str, tuple[str, Callable[..., Any]]] = {
    **_OF_ALL,
    "cover from the records labelled 1": ("candidates", net_under_the_points_labelled_one),
    "representatives chosen by labels": ("candidates", representatives_by_labels),
    "accuracy from the labels": ("candidates", accuracy_by_labels),
}
MUTANTS = (
    *(Mutant(A1, defect, *broken) for defect, broken in _OF_REFERENCE.items()),
    *(Mutant(A1R, defect, *broken) for defect, broken in _OF_REFERENCE.items()),
    *(Mutant(A2, defect, *broken) for defect, broken in _OF_LABEL_PRIVATE.items()),
)
