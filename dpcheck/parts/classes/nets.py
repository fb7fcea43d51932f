"""Sets of hypotheses that at once cover a class and do not crowd: every hypothesis near one, no two near each other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.circle import circle_net
from dpcheck.parts.classes.finite_metric import distinct_atoms, finite_metric
from dpcheck.parts.classes.line import MOST_CENTRES, LineNets, centres_of_ring, cumulative, fewest_centres
from dpcheck.parts.classes.protocol import HypothesisClass
from dpcheck.parts.classes.references import Atoms, Reference
from dpcheck.parts.classes.representatives import Rule
from dpcheck.parts.classes.spaces import exact_radius, grid_size, is_circle, is_line, real_line, unknown, whole_limit
from dpcheck.parts.classes.thresholds import GridThresholds, Thresholds

#: Twice the mass of all and a radius are summed in 64 bits.
_LARGEST_ON_A_RING = 2**61


@dataclass(frozen=True, eq=False)
class Net:
    """Hypotheses, shape (k, ...), any two farther apart than the radius, and every one of the class within it.

    Source: the eps-packing that is also an eps-cover of chaudhuri2011:lem-13.
    """

    hypotheses: NDArray[Any]
    radius: Fraction

    def __len__(self) -> int:
        return len(self.hypotheses)


def net(family: HypothesisClass, reference: Reference, radius: Any, *, rule: Rule = None) -> Net:
    """A packing that is also a cover of a class, under the distance that a reference distribution gives.

    ======================  =================  ============================================================
    class                   reference          hypotheses
    ======================  =================  ============================================================
    thresholds              line (uniform      ``k = ceil(1/(2 radius))`` quantiles (2i - 1)/(2k), so as many
                            or any law)        as a cover needs; with atoms from the left, as few as cover
    thresholds              atoms, grid        as few as cover, from the left, by cumulative mass: O(m log m);
                                               of both orientations, under atoms, from all points onwards
    separators of the       circle             ``k = ceil(1/radius)`` equally spaced directions
    plane
    any                     atoms              of the dichotomies of the atoms in the order of the class each
                                               that is farther than the radius from all taken before
    ======================  =================  ============================================================

    It depends on the arguments alone. Both properties hold exactly, for the hypotheses as they come out: rounded to
    doubles or to integer directions. Where k of these cannot be a cover (1/(2 radius) a whole number, the quantiles
    no doubles), there are k + 1.

    Parameters
    ----------
    family : HypothesisClass
    reference : ``Atoms``, ``UniformLine``, ``LineLaw``, ``UniformGrid`` or ``UniformSphere``
    radius : number of at least 0, infinity included
        A double is exactly what it is. From 1 on a single hypothesis is left.
    rule : one of the class's ``rules`` or an ``Adversarial``, optional
        Which hypothesis represents a dichotomy of the atoms.

    Raises
    ------
    InvalidArgument
        When the radius is no such number, or too small for its net to be listed, or no net is known for the pair.

    Source: chaudhuri2011:alg-1, step 2; alg-2, step 1; wang2016:alg-cover (ex-24).

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds, Thresholds, UniformLine
    >>> net(Thresholds(), UniformLine(), 0.125).hypotheses.tolist()
    [0.125, 0.375, 0.625, 0.875]
    >>> found = net(GridThresholds(9), Atoms(range(9)), Fraction(1, 9))
    >>> found.hypotheses.tolist(), found.radius
    ([1, 4, 7, 9], Fraction(1, 9))
    """
    exact = exact_radius(radius)
    if isinstance(reference, Atoms):
        if isinstance(family, Thresholds | GridThresholds):
            return Net(_thresholds_at_atoms(family, reference, exact, rule), exact)
        metric = finite_metric(family, reference, rule)
        return Net(metric.hypotheses[metric.greedy(metric.limit(exact))], exact)
    if rule is not None:
        raise InvalidArgument(f"rule belongs to a reference of atoms, got {rule!r} with {reference.description}")
    line = real_line(family, reference)
    if line is not None:
        return Net(LineNets(line, exact).net(), exact)
    points = grid_size(family, reference)
    if points is not None:
        return Net(_thresholds_of_grid(points, exact), exact)
    if is_circle(family, reference):
        return Net(circle_net(exact), exact)
    raise unknown("a net", family, reference)


def _thresholds_at_atoms(family: Any, reference: Atoms, radius: Fraction, rule: Rule) -> NDArray[Any]:
    """Of the thresholds for the dichotomies of the atoms, which lie at the sums of the first masses.

    With both orientations these lie on a ring: upwards from all points to none, on downwards from none to all.
    """
    points, mass = distinct_atoms(family, reference)
    places = cumulative(mass)
    total = int(places[-1])
    limit = whole_limit(radius, total)
    hypotheses = family.representatives(points, rule)
    if is_line(family):
        return np.asarray(hypotheses[fewest_centres(places, limit)])
    wide = places.astype(object) if total >= _LARGEST_ON_A_RING else places
    around = np.concatenate([wide, total + wide[1:-1]])
    return np.asarray(hypotheses[centres_of_ring(around, 2 * total, limit)])


def _thresholds_of_grid(points: int, radius: Fraction) -> NDArray[np.int64]:
    limit = whole_limit(radius, points)
    count = -(-(points + 1) // (2 * limit + 1))
    if count > MOST_CENTRES:
        raise InvalidArgument(
            f"radius must be larger: a net of {count:,} thresholds, more than {MOST_CENTRES:,}, is not listed, got "
            f"{float(radius):g}"
        )
    centres = limit + (2 * limit + 1) * np.arange(count, dtype=np.int64)
    return np.minimum(centres, points)
