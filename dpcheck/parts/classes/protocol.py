"""What a hypothesis class can be asked; the room's functions need nothing more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# typing's own asks the instance for each attribute before Python 3.12: isinstance would compute a class's dimensions
from typing_extensions import Protocol, runtime_checkable

from dpcheck.parts.classes.representatives import Rule

#: Labels 0 and 1.
Labels = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Dichotomies:
    """The label vectors of a class on distinct points, each once, beside a hypothesis that realises it.

    ``points`` has shape (m, ...), ``labels`` (k, m), ``hypotheses`` (k, ...): row i of the hypotheses predicts row i of
    the labels.
    """

    points: NDArray[Any]
    labels: Labels
    hypotheses: NDArray[Any]

    def __len__(self) -> int:
        return len(self.labels)


@runtime_checkable
class HypothesisClass(Protocol):
    """A set of functions from points to {0, 1}, its hypotheses given by parameters.

    ``rules`` names the ways to choose a representative of a dichotomy, the default first.
    """

    @property
    def rules(self) -> tuple[str, ...]:
        """The names that ``representatives`` takes as a rule, the default first."""
        ...

    @property
    def vc_dimension(self) -> float | None:
        """The largest number of points on which all labellings occur; ``inf`` for any, None where it is not known."""
        ...

    @property
    def littlestone_dimension(self) -> float | None:
        """The depth of the deepest mistake tree; ``inf`` where there is none, None where it is not known."""
        ...

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array whose first axis counts them; refuses what is no point of the domain."""
        ...

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """One hypothesis for each dichotomy of the distinct ones among ``points``; shape (k, ...)."""
        ...

    def predict(self, hypotheses: Any, points: Any) -> Labels:
        """The labels that each hypothesis gives to each point, shape (k, m)."""
        ...


@runtime_checkable
class FiniteHypothesisClass(HypothesisClass, Protocol):
    """A class with finitely many hypotheses."""

    @property
    def size(self) -> int:
        """How many hypotheses there are."""
        ...

    def everything(self) -> NDArray[Any]:
        """All hypotheses, shape (size, ...)."""
        ...


@runtime_checkable
class FiniteDomain(Protocol):
    """The optional ability to list the domain."""

    def domain(self) -> NDArray[Any]:
        """All points, shape (m, ...); refuses where these are too many."""
        ...


@runtime_checkable
class CountsMistakes(Protocol):
    """The optional ability to count mistakes faster than by predicting."""

    def mistakes(self, hypotheses: Any, x: Any, y: Labels) -> NDArray[np.int64]:
        """How many of the records (x, y) each hypothesis gets wrong, shape (k,)."""
        ...
