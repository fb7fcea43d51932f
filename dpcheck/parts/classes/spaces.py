"""Which metric space a class is under a reference: a line, a grid, a circle; radii and limits, exact."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.linear_separators import LinearSeparators
from dpcheck.parts.classes.origin_half_planes import OriginHalfPlanes
from dpcheck.parts.classes.references import LineReference, UniformGrid, UniformSphere
from dpcheck.parts.classes.thresholds import GridThresholds, Thresholds


def exact_radius(radius: Any) -> Fraction:
    """A radius as a fraction; distances are at most 1, so from 2 on, and for balls of half the radius, all are alike.

    Raises
    ------
    InvalidArgument
        When it is no number of at least 0.

    Examples
    --------
    >>> exact_radius(0.25), exact_radius(math.inf)
    (Fraction(1, 4), Fraction(2, 1))
    """
    try:
        given = radius.item() if isinstance(radius, np.generic) else radius  # numpy's integers overflow in a fraction
        exact = Fraction(2) if given == math.inf else Fraction(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"radius must be a number of at least 0, got {radius!r}") from error
    if exact < 0 or isinstance(given, bool | str):
        raise InvalidArgument(f"radius must be a number of at least 0, got {radius!r}")
    return exact


def unknown(what: str, family: Any, reference: Any) -> InvalidArgument:
    """The error for a class and a reference for which something is not known."""
    described = getattr(reference, "description", repr(reference))
    return InvalidArgument(
        f"reference must be one for which {what} of {type(family).__name__} is known, got {described}: Atoms of a "
        f"sample from it serve every class"
    )


def whole_limit(radius: Fraction, total: int) -> int:
    """The largest integer that is at most ``radius * total``, not above the total: the limit for whole masses.

    >>> whole_limit(Fraction(1, 3), 8)
    2
    """
    return min(radius.numerator * total // radius.denominator, total)


def is_line(family: Any) -> bool:
    """Whether hypotheses are single thresholds in one orientation, whose distance is the mass between them."""
    return isinstance(family, Thresholds | GridThresholds) and getattr(family, "orientation", "up") != "both"


def is_circle(family: Any, reference: Any) -> bool:
    """Whether that sphere is the circle."""
    return is_sphere(family, reference) and reference.dimension == 2


def real_line(family: Any, reference: Any) -> LineReference | None:
    """The reference, where the hypotheses are thresholds at doubles and it is a distribution of the line, else None."""
    if isinstance(family, Thresholds) and is_line(family) and isinstance(reference, LineReference):
        return reference
    return None


def grid_size(family: Any, reference: Any) -> int | None:
    """The number of points where both are those of the grid {0, ..., N - 1}, None where they are something else.

    Raises
    ------
    InvalidArgument
        When they are two different grids.
    """
    if not (isinstance(reference, UniformGrid) and isinstance(family, GridThresholds) and is_line(family)):
        return None
    if family.domain_size != reference.domain_size:
        raise InvalidArgument(
            f"reference must be on the {family.domain_size} points of the class, got {reference.description}"
        )
    return reference.domain_size


def is_sphere(family: Any, reference: Any) -> bool:
    """Whether the hypotheses are integer normals of hyperplanes, whose distance is their angle over pi."""
    if not (isinstance(family, OriginHalfPlanes | LinearSeparators) and isinstance(reference, UniformSphere)):
        return False
    return reference.dimension == (2 if isinstance(family, OriginHalfPlanes) else family.dimension)
