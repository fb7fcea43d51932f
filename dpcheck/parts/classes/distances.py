"""The distance of two hypotheses under a reference distribution: the probability that they predict differently."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.boxes import Boxes, GridBoxes
from dpcheck.parts.classes.circle import half_turns
from dpcheck.parts.classes.combinatorics import disagreement
from dpcheck.parts.classes.grid_intervals import GridIntervals
from dpcheck.parts.classes.intervals import Intervals
from dpcheck.parts.classes.points import integer_rows
from dpcheck.parts.classes.protocol import HypothesisClass
from dpcheck.parts.classes.rectangles import Rectangles
from dpcheck.parts.classes.references import Atoms, OrderedReference, Product, Reference, UniformGrid, UniformSphere
from dpcheck.parts.classes.spaces import is_line, is_sphere, unknown
from dpcheck.parts.classes.stumps import Stumps
from dpcheck.parts.classes.thresholds import GridThresholds, Thresholds


def distance(family: HypothesisClass, one: Any, other: Any, reference: Reference) -> Fraction | float:
    """rho_D(one, other): the probability under the reference that two hypotheses of a class predict differently.

    =================================  ====================================  ======================================
    class                              reference                             distance
    =================================  ====================================  ======================================
    any                                atoms                                 the mass of those labelled differently
    thresholds                         line, grid                            D([s, t))
    intervals, rectangles, boxes       line, grid or product of these        the mass of the symmetric difference
    stumps                             line or product of lines              the same
    separators through the origin      sphere                                the angle over pi
    =================================  ====================================  ======================================

    Returns
    -------
    Fraction or float
        A fraction except for an angle that is no rational multiple of pi; under a ``LineLaw`` the masses are those
        doubles that its CDF returns, taken as exact.

    Raises
    ------
    InvalidArgument
        When no distance is known for the pair, or they are of different dimensions.

    Source: rho_D of chaudhuri2011:def-rho.

    Examples
    --------
    >>> from dpcheck.parts.classes import Intervals, OriginHalfPlanes, Thresholds, UniformLine, UniformSphere
    >>> distance(Thresholds(), -1.0, 0.25, UniformLine())
    Fraction(1, 4)
    >>> distance(Intervals(), (0.0, 0.5), (0.25, 1.0), UniformLine())
    Fraction(3, 4)
    >>> distance(OriginHalfPlanes(), (1, 0), (1, 1), UniformSphere(2))
    Fraction(1, 4)
    """
    if isinstance(reference, Atoms):
        return disagreement(family, one, other, reference.points, reference.weights)
    if isinstance(reference, UniformSphere) and is_sphere(family, reference):
        return half_turns(*(integer_rows([normal], reference.dimension)[0].tolist() for normal in (one, other)))
    if isinstance(reference, OrderedReference | Product):
        factors = reference.factors if isinstance(reference, Product) else (reference,)
        on_grid = all(isinstance(factor, UniformGrid) for factor in factors)
        if is_line(family) and len(factors) == 1:
            low, high = factors[0].below(np.array([one, other]))
            return abs(high - low)
        if isinstance(family, Thresholds | GridThresholds) and len(factors) == 1:  # rows (t, sign)
            return _between_stumps(factors, (0, *one), (0, *other))
        if isinstance(family, Stumps) and not on_grid:
            return _between_stumps(_fitting(factors, family.columns), one, other)
        axes = _axes(family, on_grid)
        if axes is not None:
            return _between_boxes(_fitting(factors, axes), np.asarray(one), np.asarray(other))
    raise unknown("a distance", family, reference)


def _axes(family: Any, on_grid: bool) -> int | None:
    """The dimension of the boxes that are the hypotheses, None where they are something else."""
    if isinstance(family, GridIntervals if on_grid else Intervals):
        return 1
    if isinstance(family, Rectangles):
        return 2
    if isinstance(family, GridBoxes if on_grid else Boxes):
        return int(family.dimension)
    return None


def _fitting(factors: tuple[OrderedReference, ...], axes: int) -> tuple[OrderedReference, ...]:
    if len(factors) != axes:
        raise InvalidArgument(
            f"reference must be a product of {axes} distributions, one for each coordinate, got {len(factors)}"
        )
    return factors


def _between_boxes(factors: tuple[OrderedReference, ...], one: Any, other: Any) -> Fraction:
    """Of boxes (a_1, b_1, ..., a_l, b_l): |A| + |B| - 2 |A and B|."""
    both = np.stack([np.maximum(one, other)[0::2], np.minimum(one, other)[1::2]], axis=1).reshape(-1)
    masses = [
        prod(
            max(Fraction(0), factor.up_to(box[2 * j + 1 : 2 * j + 2])[0] - factor.below(box[2 * j : 2 * j + 1])[0])
            for j, factor in enumerate(factors)
        )
        for box in (one, other, both)
    ]
    return Fraction(masses[0] + masses[1] - 2 * masses[2])


def _between_stumps(factors: tuple[OrderedReference, ...], one: Any, other: Any) -> Fraction:
    """Of stumps (j, t, sign)."""
    (i, s, sign), (j, t, other_sign) = one, other
    p, q = factors[int(i)].below([s])[0], factors[int(j)].below([t])[0]
    apart = abs(p - q) if int(i) == int(j) else p * (1 - q) + q * (1 - p)
    return apart if (sign > 0) == (other_sign > 0) else 1 - apart
