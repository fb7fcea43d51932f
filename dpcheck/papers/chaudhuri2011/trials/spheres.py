"""Distributions for separators through the origin: opposite arcs of the circle, and uniform directions of any space."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import LinearSeparators, OriginHalfPlanes

#: Points are directions of integers of about this size: exact for the class, and as good as a circle.
_SCALE = 1 << 20


@dataclass(frozen=True)
class OppositeArcs:
    """Uniform on two opposite arcs of the circle, labelled by a separator through the origin.

    A band ``|u.x| <= gamma`` is two arcs of half the width ``arcsin(gamma)``, the rest of the circle two of
    ``arccos(gamma)``. Errors are angles, computed in doubles; points are rounded to integer directions.

    Parameters
    ----------
    half_width : float, radians, above 0 and at most pi/2
    target : float, radians
        How far the boundary of the separator that labels is from the middle of the arcs.

    Raises
    ------
    InvalidArgument
        When the width is none of these.

    Source: chaudhuri2011:ex-2, ex-3, n = 2.

    Examples
    --------
    >>> whole = OppositeArcs(math.pi / 2)
    >>> whole.smoothness, float(whole.risk(OriginHalfPlanes(), (1, 1)))
    (1.0, 0.25)
    """

    half_width: float
    target: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.half_width <= math.pi / 2:
            raise InvalidArgument(f"half_width must be above 0 and at most pi/2, got {self.half_width!r}")

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"two opposite arcs of {2 * self.half_width:.3g} radians"

    @property
    def smoothness(self) -> float:
        """The paper's kappa with respect to the uniform distribution on the circle."""
        return math.pi / (2 * self.half_width)

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[np.int64]:
        """``size`` independent directions, shape (size, 2)."""
        angle = (
            math.pi / 2 + rng.uniform(-self.half_width, self.half_width, size) + math.pi * rng.integers(2, size=size)
        )
        return np.round(_SCALE * np.column_stack([np.cos(angle), np.sin(angle)])).astype(np.int64)

    def draw(self, size: int, rng: np.random.Generator, /) -> Labelled:
        """``size`` independent labelled directions."""
        x = self.draw_unlabelled(size, rng)
        return Labelled(x, (x @ self._normal >= 0).astype(np.int64))

    @property
    def _normal(self) -> NDArray[np.float64]:
        return np.array([math.cos(self.target), math.sin(self.target)])

    def has_exact_risk(self, family: Any, /) -> bool:
        """For separators of the plane."""
        return isinstance(family, OriginHalfPlanes)

    def risk(self, family: Any, hypothesis: Any, /) -> Fraction:
        """The mass of the double wedge between two separators."""
        turn = math.atan2(float(hypothesis[1]), float(hypothesis[0])) - self.target
        turn = (turn + math.pi) % (2 * math.pi) - math.pi
        return Fraction(min(1.0, abs(self._up_to(self.target + turn) - self._up_to(self.target))))

    def _up_to(self, angle: float) -> float:
        """The mass that a boundary has swept, in turns of pi, when it comes to an angle from the middle of the arcs."""
        turns, rest = divmod(angle + math.pi / 2, math.pi)
        return turns + min(1.0, max(0.0, (rest - math.pi / 2 + self.half_width) / (2 * self.half_width)))

    def best_risk(self, family: Any, /) -> Fraction | None:
        """0: the separator that labels."""
        return Fraction(0) if self.has_exact_risk(family) else None

    def worst_risk(self, family: Any, /) -> Fraction | None:
        """1: the separator that labels, turned round."""
        return Fraction(1) if self.has_exact_risk(family) else None


@dataclass(frozen=True)
class UniformDirections:
    """The uniform distribution on the sphere, labelled by the separator of the first coordinate.

    The error of another separator is the angle between the two, over pi. Points are normal vectors rounded to
    integers, which keeps their directions up to about a millionth.

    Parameters
    ----------
    dimension : int, at least 2

    Source: chaudhuri2011:ex-5.2.

    Examples
    --------
    >>> float(UniformDirections(3).risk(LinearSeparators(3), (1, 1, 0)))
    0.25
    """

    dimension: int

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"uniform directions in {self.dimension} dimensions"

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[np.int64]:
        """``size`` independent directions, shape (size, dimension)."""
        return np.round(_SCALE * rng.normal(size=(size, self.dimension))).astype(np.int64)

    def draw(self, size: int, rng: np.random.Generator, /) -> Labelled:
        """``size`` independent labelled directions."""
        x = self.draw_unlabelled(size, rng)
        return Labelled(x, (x[:, 0] >= 0).astype(np.int64))

    def has_exact_risk(self, family: Any, /) -> bool:
        """For separators of as many dimensions."""
        return isinstance(family, LinearSeparators)

    def risk(self, family: Any, hypothesis: Any, /) -> Fraction:
        """The angle to the separator that labels, over pi, in doubles."""
        w = np.asarray(hypothesis, dtype=np.float64)
        return Fraction(math.atan2(float(np.linalg.norm(w[1:])), float(w[0])) / math.pi)

    def best_risk(self, family: Any, /) -> Fraction | None:
        """0: the separator that labels."""
        return Fraction(0) if self.has_exact_risk(family) else None

    def worst_risk(self, family: Any, /) -> Fraction | None:
        """1: the separator that labels, turned round."""
        return Fraction(1) if self.has_exact_risk(family) else None
