"""What is trained on a chunk: anyone's estimator or function, and a few learners that are small and exact.

A base learner is an estimator with scikit-learn's ``fit(x, y)`` and ``predict(x)``, or a function ``(x, y) -> model``
or ``(x, y, rng) -> model``. Two arguments say that it draws nothing, so that a law can be computed through it.

A function must keep nothing between its calls: what it remembers of one chunk would reach the models of others, and
the claims rest on this that one record changes one model. Estimators are copied for each chunk.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners.votes import ConstantModel, HypothesisModel, class_places
from dpcheck.parts.classes import HypothesisClass, Thresholds, empirical_minimisers
from dpcheck.parts.classes.representatives import Rule

#: Base learners of which it is remembered how many arguments they take: chunks ask again and again.
_REMEMBERED = 64
_WHAT_A_BASE_IS = (
    "an estimator with fit(x, y) and predict(x), or a function (x, y) -> model or (x, y, rng) -> model with "
    "model.predict(x)"
)


@dataclass(frozen=True)
class LeastPositive:
    """The consistent learner of upward thresholds ``1 iff x >= w``: w the least point labelled 1, ``inf`` without any.

    Source: bassily2018 inventory 4.4: its error exceeds a with probability ``(1 - a)^n`` on n points.

    Examples
    --------
    >>> LeastPositive()(np.array([0.2, 0.7, 0.5]), np.array([0, 1, 1])).hypothesis
    0.5
    """

    family: Thresholds = field(default_factory=Thresholds)

    def __call__(self, x: Any, y: Any) -> HypothesisModel:
        """The threshold."""
        points = self.family.points(x)
        return HypothesisModel(self.family, float(points[np.asarray(y) == 1].min(initial=np.inf)))


@dataclass(frozen=True)
class ChunkMajority:
    """The label that most records of a chunk have, for every point: each table of constant votes can come of it.

    Of several such labels the first in the list; so also for no records.

    Parameters
    ----------
    classes : labels

    Examples
    --------
    >>> ChunkMajority()([5, 6, 7], [1, 1, 0]).label
    1
    """

    classes: Sequence[Hashable] = (0, 1)

    def __call__(self, x: Any, y: Any) -> ConstantModel:
        """The constant classifier."""
        counts = np.bincount(class_places(y, self.classes), minlength=len(self.classes))
        return ConstantModel(tuple(self.classes)[int(counts.argmax())])


@dataclass(frozen=True)
class EmpiricalMinimiser:
    """The first hypothesis of a class with the fewest mistakes on the chunk.

    Parameters
    ----------
    family : HypothesisClass
    rule : optional, which hypothesis represents a dichotomy

    Examples
    --------
    >>> EmpiricalMinimiser(Thresholds(), "highest")([0.2, 0.7, 0.5], [0, 1, 1]).hypothesis
    0.5
    """

    family: HypothesisClass
    rule: Rule = None

    def __call__(self, x: Any, y: Any) -> HypothesisModel:
        """The hypothesis."""
        found = empirical_minimisers(self.family, x, y, ties="first", rule=self.rule)[0]
        return HypothesisModel(self.family, found.item() if isinstance(found, np.generic) else found)


def is_estimator(base: Any) -> bool:
    """Whether it has ``fit`` and ``predict``."""
    return callable(getattr(base, "fit", None)) and callable(getattr(base, "predict", None))


def checked_base(base: Any, name: str = "base") -> None:
    """Refuses what cannot be trained.

    Raises
    ------
    InvalidArgument
        When it is neither an estimator nor a function of two or three arguments.
    """
    if inspect.isclass(base):
        raise InvalidArgument(f"{name} must be {_WHAT_A_BASE_IS}, got the Python class {base.__name__}")
    if not (is_estimator(base) or (callable(base) and _arguments(base) in (2, 3))):
        raise InvalidArgument(f"{name} must be {_WHAT_A_BASE_IS}, got {describe_value(base)}")


def _arguments(base: Any) -> int:
    """How many positional arguments a function needs; 3 where that is not known."""
    try:
        return _looked_up(base)
    except TypeError:  # it cannot be hashed
        return _looked_up.__wrapped__(base)


@lru_cache(maxsize=_REMEMBERED)
def _looked_up(base: Any) -> int:
    try:
        parameters = inspect.signature(base).parameters.values()
    except (TypeError, ValueError):
        return 3
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return 3
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    needed = [each for each in positional if each.default is each.empty]
    named = [each.name for each in positional[:3]] if len(positional) >= 3 else []
    return 3 if len(needed) == 3 or (len(needed) == 2 and named[2:] == ["rng"]) else len(needed)


def draws_nothing(base: Any) -> bool:
    """Whether the base learner is a function of its chunk: two arguments, or no parameter ``random_state``.

    Examples
    --------
    >>> draws_nothing(LeastPositive()), draws_nothing(lambda x, y, rng: ConstantModel(0))
    (True, False)
    """
    if is_estimator(base):
        return hasattr(base, "get_params") and not any(
            name.rpartition("__")[2] == "random_state" for name in base.get_params(deep=True)
        )
    return _arguments(base) == 2


def trained(base: Any, x: Any, y: Any, seed: int) -> Any:
    """The model of one chunk; an estimator is copied first, and its ``random_state`` set where it has one.

    A chunk whose labels are all the same gets the constant classifier of it where the base is an estimator, since many
    of scikit-learn's refuse such.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> trained(DecisionTreeClassifier(), np.array([[0.1], [0.9]]), np.array([0, 1]), 7).predict([[0.8]]).tolist()
    [1]
    """
    if not is_estimator(base):
        return base(x, y) if _arguments(base) == 2 else base(x, y, np.random.default_rng(seed))
    first = next(iter(y))
    if all(label == first for label in y):
        return ConstantModel(first.item() if isinstance(first, np.generic) else first)
    if hasattr(base, "get_params"):
        from sklearn.base import clone

        copied = clone(base)
        names = [name for name in copied.get_params(deep=True) if name.rpartition("__")[2] == "random_state"]
        if names:
            copied.set_params(**dict.fromkeys(names, seed % 2**32))
    else:
        copied = copy.deepcopy(base)
    fitted = copied.fit(x, y)
    return copied if fitted is None else fitted
