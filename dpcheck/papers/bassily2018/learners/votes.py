"""The votes of k models on m queries, counted; what is read from the counts: leading label, margin, distance."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.parts.classes import GridThresholds, HypothesisClass, Thresholds

#: Which of the labels with most votes leads: the last of them in the list of classes (1 of 0 and 1), or the first.
Tie = Literal["last", "first"]
_TIES = ("last", "first")
#: The output for a query without sufficient consensus, and for one that came after the last abstention.
ABSTAINED, UNANSWERED = "⊥", None
#: Votes that are formed at once: they stay within some tens of megabytes.
_CELLS = 1 << 24
#: Each vote is compared with all of so many labels; of more its label is looked up.
_MOST_COMPARED = 16


@runtime_checkable
class Model(Protocol):
    """What votes: a classifier of many points at once."""

    def predict(self, x: Any) -> Any:
        """The labels of m points, shape (m,)."""
        ...


@dataclass(frozen=True)
class ConstantModel:
    """The classifier that gives every point the same label.

    Examples
    --------
    >>> ConstantModel(1).predict([3, 4]).tolist()
    [1, 1]
    """

    label: Hashable

    def predict(self, x: Any) -> NDArray[Any]:
        """The label, m times."""
        return np.repeat(label_array([self.label]), len(x))


@dataclass(frozen=True)
class HypothesisModel:
    """One hypothesis of a class as a classifier of labels 0 and 1.

    Examples
    --------
    >>> HypothesisModel(Thresholds(), 0.5).predict([0.2, 0.5]).tolist()
    [0, 1]
    """

    family: HypothesisClass
    hypothesis: Any

    def predict(self, x: Any) -> NDArray[np.uint8]:
        """The labels of m points, shape (m,)."""
        return np.asarray(self.family.predict(np.asarray(self.hypothesis)[None], x)[0])


@dataclass(frozen=True, eq=False)
class HypothesisModels(Sequence[HypothesisModel]):
    """k hypotheses of one class, whose votes are counted together: thresholds by sorting, others in blocks.

    Parameters
    ----------
    family : HypothesisClass
    hypotheses : array of shape (k, ...)
    """

    family: HypothesisClass
    hypotheses: NDArray[Any]

    def __len__(self) -> int:
        return len(self.hypotheses)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return HypothesisModels(self.family, self.hypotheses[place])
        return HypothesisModel(self.family, self.hypotheses[place])

    def ones(self, queries: Any) -> NDArray[np.int64]:
        """How many of the hypotheses label each of m queries 1, shape (m,)."""
        points = self.family.points(queries)
        if isinstance(self.family, Thresholds | GridThresholds) and self.family.orientation != "both":
            below = np.searchsorted(np.sort(self.hypotheses), points, side="right")
            return below if self.family.orientation == "up" else len(self) - below
        rows = max(1, _CELLS // max(1, len(points)))
        found = np.zeros(len(points), dtype=np.int64)
        for start in range(0, len(self), rows):
            found += self.family.predict(self.hypotheses[start : start + rows], points).sum(axis=0, dtype=np.int64)
        return found


def label_array(values: Any) -> NDArray[Any]:
    """Labels as an array of shape (k,), of objects where they are not all numbers or all text.

    Examples
    --------
    >>> label_array([(0, 1), "a"]).tolist()
    [(0, 1), 'a']
    """
    if isinstance(values, np.ndarray):
        return values
    listed = list(values)
    kinds = {type(value) for value in listed}
    if len(kinds) == 1 and kinds <= {int, float, bool, str}:
        return np.asarray(listed)
    found = np.empty(len(listed), dtype=object)
    found[:] = listed
    return found


def checked_classes(classes: Any) -> tuple[Hashable, ...]:
    """The public list of labels, at least two, each once.

    Raises
    ------
    InvalidArgument
        When it is none.

    Examples
    --------
    >>> checked_classes(["no", "yes"])
    ('no', 'yes')
    """
    if isinstance(classes, str | bytes) or not hasattr(classes, "__len__"):
        raise InvalidArgument(f"classes must be a list of at least 2 labels, got {classes!r}")
    listed = tuple(each.item() if isinstance(each, np.generic) else each for each in classes)
    if len(listed) < 2 or not all(isinstance(each, Hashable) for each in listed) or len(set(listed)) < len(listed):
        raise InvalidArgument(f"classes must be at least 2 different hashable labels, got {classes!r}")
    if ABSTAINED in listed or UNANSWERED in listed:
        raise InvalidArgument(
            f"classes must not hold {ABSTAINED!r} or {UNANSWERED!r}, which say that a query has no label, got "
            f"{classes!r}"
        )
    return listed


def class_places(labels: Any, classes: Sequence[Hashable], name: str = "labels") -> NDArray[np.intp]:
    """For each label its place in the list of classes; same shape.

    Raises
    ------
    InvalidArgument
        When a label is not among them.

    Examples
    --------
    >>> class_places([1, 0, 1], (0, 1)).tolist()
    [1, 0, 1]
    """
    given = label_array(labels)
    known = label_array(classes)
    numbers = given.dtype.kind in "biuf" and known.dtype.kind in "biuf"
    if numbers or (given.dtype.kind == known.dtype.kind == "U"):
        order = np.argsort(known)
        ranked = known[order]
        found = order[np.minimum(np.searchsorted(ranked, given), len(known) - 1)]
        wrong = known[found] != given
        if wrong.any():
            raise _stranger(name, given[wrong].ravel()[0], classes)
        return np.asarray(found, dtype=np.intp)
    places = {label: place for place, label in enumerate(classes)}
    flat = given.ravel().tolist()
    try:
        return np.array([places[label] for label in flat], dtype=np.intp).reshape(given.shape)
    except (KeyError, TypeError):
        stranger = next(label for label in flat if not isinstance(label, Hashable) or label not in places)
        raise _stranger(name, stranger, classes) from None


def _stranger(name: str, label: Any, classes: Sequence[Hashable]) -> InvalidArgument:
    value = label.item() if isinstance(label, np.generic) else label
    return InvalidArgument(f"{name} must be among the classes {tuple(classes)!r}, got {value!r}")


def count_votes(votes: Any, classes: Sequence[Hashable] = (0, 1)) -> NDArray[np.int64]:
    """How many of k votes each of c labels gets on each of m queries.

    Parameters
    ----------
    votes : labels of shape (k, m)
    classes : c labels

    Returns
    -------
    counts : integers of shape (m, c)

    Raises
    ------
    InvalidArgument
        When a vote is not among the classes.

    Source: bassily2018:alg-2, step 6.

    Examples
    --------
    >>> count_votes([[0, 1], [1, 1], [1, 1]]).tolist()
    [[1, 2], [0, 3]]
    """
    listed = checked_classes(classes)
    given = votes if isinstance(votes, np.ndarray) else _table(votes)
    if given.ndim != 2:
        raise InvalidArgument(f"votes must have the shape (models, queries), got {given.shape}")
    counts = np.zeros((given.shape[1], len(listed)), dtype=np.int64)
    rows = _rows_at_once(given.shape[1])
    for start in range(0, len(given), rows):
        _count(given[start : start + rows], listed, counts)
    return counts


def _rows_at_once(queries: int) -> int:
    """Votes of so many models are counted together: they fit in bytes, and into memory."""
    return max(1, min(255, _CELLS // max(1, queries)))


def _count(votes: NDArray[Any], classes: Sequence[Hashable], counts: NDArray[np.int64]) -> None:
    """Adds the votes of at most 255 models, shape (k, m), to the counts, shape (m, c)."""
    known = label_array(classes)
    if votes.dtype.kind == "O" or known.dtype.kind == "O" or len(classes) > _MOST_COMPARED:
        for row in class_places(votes, classes, "votes"):
            counts[np.arange(len(row)), row] += 1
        return
    found = np.zeros((votes.shape[1], 1), dtype=np.int64)
    for place, label in enumerate(known):
        alike = np.asarray(votes == label).view(np.uint8).sum(axis=0, dtype=np.uint8)
        counts[:, place] += alike
        found[:, 0] += alike
    if (found != len(votes)).any():
        class_places(votes, classes, "votes")  # which says which label it is


def _table(votes: Any) -> NDArray[Any]:
    rows = [label_array(row) for row in votes]
    if len({len(row) for row in rows}) > 1:
        raise InvalidArgument(f"votes must have as many labels from each model, got {sorted(map(len, rows))}")
    kinds = {row.dtype.kind for row in rows}
    alike = len(kinds) == 1 or kinds <= set("biuf")
    return np.stack(rows if alike else [row.astype(object) for row in rows]) if rows else np.zeros((0, 0))


def votes_of(models: Sequence[Any], queries: Any, classes: Sequence[Hashable] = (0, 1)) -> NDArray[np.int64]:
    """The counts of the votes of k models on m queries, shape (m, c): one ``predict`` of all queries for each model.

    Hypotheses of one class are counted together (thresholds in ``O((k + m) log k)``), and no table of all k m votes is
    ever held.

    Raises
    ------
    InvalidArgument
        When a model gives a label that is not among the classes, or not one for each query.

    Examples
    --------
    >>> models = HypothesisModels(Thresholds(), np.array([0.1, 0.4, 0.9]))
    >>> votes_of(models, [0.2, 0.5]).tolist()
    [[2, 1], [1, 2]]
    """
    listed = checked_classes(classes)
    models = _together(models)
    if isinstance(models, HypothesisModels):
        zero, one = class_places([0, 1], listed, "the labels of hypotheses")
        ones = models.ones(queries)
        counts = np.zeros((len(ones), len(listed)), dtype=np.int64)
        counts[:, one], counts[:, zero] = ones, len(models) - ones
        return counts
    m = len(queries)
    counts = np.zeros((m, len(listed)), dtype=np.int64)
    constant = [model.label for model in models if isinstance(model, ConstantModel)]
    if constant:
        counts += np.bincount(class_places(constant, listed, "votes"), minlength=len(listed))
    others = [model for model in models if not isinstance(model, ConstantModel)]
    rows = _rows_at_once(m)
    for start in range(0, len(others), rows):
        block = [_predicted(model, queries, m) for model in others[start : start + rows]]
        for votes in [np.stack(block)] if len({each.dtype for each in block}) == 1 else [each[None] for each in block]:
            _count(votes, listed, counts)
    return counts


def is_model(model: Any) -> bool:
    """Whether it has ``predict``, or is a function."""
    return callable(getattr(model, "predict", model))


def _predicted(model: Any, queries: Any, m: int) -> NDArray[Any]:
    if not is_model(model):
        raise InvalidArgument(f"a model must have predict(x) or be a function of m points, got {describe_value(model)}")
    labels = label_array(model.predict(queries) if hasattr(model, "predict") else model(queries))
    if labels.shape != (m,):
        raise InvalidArgument(f"a model must give a label for each of {m} queries, got the shape {labels.shape}")
    return labels


def _together(models: Sequence[Any]) -> Sequence[Any]:
    """Models that are hypotheses of one class as such."""
    if isinstance(models, HypothesisModels) or not models:
        return models
    first = models[0]
    if not all(isinstance(each, HypothesisModel) and each.family == first.family for each in models):
        return models
    return HypothesisModels(first.family, np.stack([np.asarray(each.hypothesis) for each in models]))


def checked_counts(counts: Any) -> NDArray[np.int64]:
    """Counts of votes as integers of the shape (m, c), c at least 2.

    Raises
    ------
    InvalidArgument
        When they are none.
    """
    found = np.asarray(counts)
    if found.size == 0 and found.ndim == 2:
        found = found.astype(np.int64)
    if found.ndim != 2 or found.dtype.kind not in "iu" or found.shape[1] < 2 or (found.size and found.min() < 0):
        raise InvalidArgument(
            f"counts must be integers of at least 0 in the shape (queries, classes), at least 2 classes, got an array "
            f"{found.dtype} of shape {found.shape}"
        )
    return found.astype(np.int64, copy=False)


def margins(counts: Any) -> NDArray[np.int64]:
    """The votes of the first label minus those of the second, shape (m,).

    Examples
    --------
    >>> margins([[2, 5], [3, 3]]).tolist(), margins([[4, 1, 3]]).tolist()
    ([3, 0], [1])
    """
    found = checked_counts(counts)
    if found.shape[1] == 2:
        return np.asarray(np.abs(found[:, 1] - found[:, 0]))
    top = np.partition(found, found.shape[1] - 2, axis=1)
    return np.asarray(top[:, -1] - top[:, -2])


def leading_label(counts: Any, tie: Tie = "last") -> NDArray[np.intp]:
    """The place of the label with most votes, shape (m,); of several the last (label 1 of 0 and 1) or the first.

    Raises
    ------
    InvalidArgument
        When the rule for ties is neither.

    Source: bassily2018:alg-2, step 7.

    Examples
    --------
    >>> leading_label([[2, 5], [3, 3]]).tolist(), leading_label([[3, 3]], "first").tolist()
    ([1, 1], [0])
    """
    found = checked_counts(counts)
    check_tie(tie)
    if tie == "first":
        return np.asarray(found.argmax(axis=1))
    return np.asarray(found.shape[1] - 1 - found[:, ::-1].argmax(axis=1), dtype=np.intp)


def check_tie(tie: str) -> None:
    """Refuses what is no rule for ties."""
    if tie not in _TIES:
        raise InvalidArgument(f"tie must be one of {', '.join(_TIES)}, got {tie!r}{nearest(str(tie), _TIES)}")


def printed_distance(counts: Any) -> NDArray[np.int64]:
    """``max(0, margin - 1)``, shape (m,): what the paper takes for the distance to instability of the leading label.

    One changed vote moves a margin, and so this, by up to 2; where it changes the leading label both distances are at
    most 1.

    Source: bassily2018:alg-2, step 7.

    Examples
    --------
    >>> printed_distance([[2, 5], [3, 3]]).tolist()
    [2, 0]
    """
    return np.asarray(np.maximum(margins(counts) - 1, 0))


def vote_changes(counts: Any) -> NDArray[np.int64]:
    """How many votes may change such that the leading label surely stays, shape (m,): ``max(0, ceil(margin/2) - 1)``.

    The distance to instability itself (bassily2018:def-2.3), counted in models. One changed vote moves it by at most 1,
    and where it changes the leading label both distances are 0.

    Examples
    --------
    >>> vote_changes([[2, 5], [3, 3], [1, 5]]).tolist()
    [1, 0, 1]
    """
    return np.asarray(np.maximum(-(-margins(counts) // 2) - 1, 0))


@dataclass(frozen=True)
class Distance:
    """A distance to instability computed from counts, with what one changed vote does to it.

    Parameters
    ----------
    name : str
    of : callable, counts (m, c) -> distances (m,)
    sensitivity : callable, v -> the most by which it moves when v votes change
    where_labels_differ : callable, v -> the most it can be where v changed votes change the leading label

    A distance of your own is your promise: privacy is accounted with what you say here.

    Examples
    --------
    >>> PRINTED.sensitivity(1), PRINTED.where_labels_differ(1), VOTES.sensitivity(1), VOTES.where_labels_differ(1)
    (2, 1, 1, 0)
    """

    name: str
    of: Callable[[Any], NDArray[Any]]
    sensitivity: Callable[[int], float]
    where_labels_differ: Callable[[int], float]


#: Margins move by 2 for each changed vote; where the leading label changes, both are at most 2 for each.
PRINTED = Distance("printed", printed_distance, lambda votes: 2 * votes, lambda votes: max(0, 2 * votes - 1))
VOTES = Distance("votes", vote_changes, lambda votes: votes, lambda votes: max(0, votes - 1))
_DISTANCES = {each.name: each for each in (PRINTED, VOTES)}


def as_distance(distance: Any) -> Distance:
    """A distance, by its name or as it is.

    Raises
    ------
    InvalidArgument
        When it is none.

    Examples
    --------
    >>> as_distance("votes").name
    'votes'
    """
    if isinstance(distance, Distance):
        return distance
    if isinstance(distance, str) and distance in _DISTANCES:
        return _DISTANCES[distance]
    raise InvalidArgument(
        f"distance must be a Distance or one of {', '.join(_DISTANCES)}, got {distance!r}"
        f"{nearest(distance, _DISTANCES) if isinstance(distance, str) else ''}"
    )
