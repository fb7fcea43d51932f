"""Thresholds as places on a line: their distances, and sets of places that cover and do not crowd."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.references import LineReference

#: Nets of more hypotheses than this are not listed.
MOST_CENTRES = 10_000_000
#: Differences of places computed in doubles are off by less than this.
_ROUNDING = 2.0**-47


def cumulative(mass: NDArray[Any]) -> NDArray[Any]:
    """The places of the thresholds at sorted atoms: 0 and the sums of the first 1, 2, ... masses, shape (m + 1,)."""
    return np.concatenate([np.zeros(1, dtype=mass.dtype), np.cumsum(mass)])


def fewest_centres(places: NDArray[Any], limit: int) -> NDArray[np.intp]:
    """The numbers of as few as possible among sorted integer places with every place within the limit of one.

    Each covers, from the left, the first place that is not covered yet, as far to the right of it as it may be; so
    any two are farther apart than the limit.

    Examples
    --------
    >>> fewest_centres(np.array([0, 1, 2, 5, 9]), 2).tolist()
    [2, 3, 4]
    """
    if len(places) > 1 and limit < int(np.diff(places).min()):
        return np.arange(len(places))
    centre = np.searchsorted(places, places + limit, side="right") - 1
    return _followed(centre, np.searchsorted(places, places[centre] + limit, side="right"))


def centres_of_ring(places: NDArray[Any], around: int, limit: int) -> NDArray[np.intp]:
    """The numbers of some of sorted integer places of a ring, any two farther apart than the limit, each within it.

    The first is one of them; what it leaves is a line.

    Examples
    --------
    >>> centres_of_ring(np.array([0, 1, 2, 3, 4, 5]), 6, 1).tolist()
    [0, 3]
    """
    left = np.flatnonzero((places > limit) & (around - places > limit))
    if not len(left):
        return np.zeros(1, dtype=np.intp)
    return np.concatenate([[0], left[fewest_centres(places[left], limit)]])


def most_apart(places: NDArray[Any], limit: int) -> NDArray[np.intp]:
    """The numbers of as many as possible among sorted integer places, any two farther apart than the limit.

    Examples
    --------
    >>> most_apart(np.array([0, 1, 2, 5, 9]), 2).tolist()
    [0, 3, 4]
    """
    return _followed(np.arange(len(places)), np.searchsorted(places, places + limit, side="right"))


def _followed(taken: NDArray[np.intp], after: NDArray[np.intp]) -> NDArray[np.intp]:
    """From place 0 on: ``taken`` of the place, then on to the place ``after`` it."""
    followers, place, path = after.tolist(), 0, []
    while place < len(followers):
        path.append(place)
        place = followers[place]
    return taken[np.array(path, dtype=np.intp)]


@dataclass(frozen=True)
class LineNets:
    """What is asked of thresholds under a distribution of the line at one radius, a fraction of at least 0."""

    reference: LineReference
    radius: Fraction

    def net(self) -> NDArray[np.float64]:
        """Increasing thresholds, any two farther apart than the radius, with every double within it of one.

        At ``k = ceil(1/(2 radius))`` quantiles, (2i - 1)/(2k); where rounding moves one of these out of place, at
        k + 1 with room between them; where neither holds, as with atoms, from the left, as far apart as they may be.

        Raises
        ------
        InvalidArgument
            When more than ``MOST_CENTRES`` are needed.
        """
        r = self.radius
        if r >= 1:
            return self._quantiles(np.array([0.5]))
        if r * 2 * MOST_CENTRES < 1:
            raise InvalidArgument(
                f"radius must be at least {1 / (2 * MOST_CENTRES):g}: a net of more than {MOST_CENTRES:,} thresholds "
                f"is not listed, got {float(r):g}"
            )
        k = ceil(1 / (2 * r))
        half = Fraction(1, 2)
        apart = (max(r, (1 - 2 * r) / k) + min(2 * r, Fraction(1, k))) / 2  # for k + 1, in the middle of what it may be
        for count, first, step in ((k, half / k, Fraction(1, k)), (k + 1, half - k * apart / 2, apart)):
            places = float(first) + float(step) * np.arange(count)
            centres = self._quantiles(places)
            if self.is_packing(centres) and self.is_cover(centres):
                return centres
        return self.from_the_left()

    def is_packing(self, thresholds: NDArray[np.float64]) -> bool:
        """Whether any two of some thresholds are farther apart than the radius."""
        ordered = np.sort(thresholds)
        return len(self._wide(ordered, self.radius)) == max(0, len(ordered) - 1)

    def is_cover(self, thresholds: NDArray[np.float64]) -> bool:
        """Whether every double is within the radius of one of some thresholds."""
        if not len(thresholds):
            return False
        ordered = np.sort(thresholds)
        first, last = self.reference.below(ordered[[0, -1]])
        if first > self.radius or 1 - last > self.radius:
            return False
        wide = self._wide(ordered, 2 * self.radius)
        if not len(wide):
            return True
        # between two that are so far apart no double may lie out of reach of both
        reached = [place + self.radius for place in self.reference.below(ordered[wide])]
        out_of_reach = self.reference.below(self.reference.first_above(reached))
        after = self.reference.below(ordered[wide + 1])
        return all(place >= end - self.radius for place, end in zip(out_of_reach, after, strict=True))

    def from_the_left(self) -> NDArray[np.float64]:
        """As few as cover all doubles: each is as far to the right as it may be of the first double not yet covered."""
        centres: list[float] = []
        place = Fraction(0)  # of the first threshold that is not covered
        while True:
            if place + self.radius >= 1:
                return np.array([*centres, np.inf])
            centre = np.nextafter(self.reference.first_above([place + self.radius]), -np.inf)
            centres.append(float(centre[0]))
            covered = self.reference.below(centre)[0] + self.radius
            if covered >= 1:
                return np.array(centres)
            place = self.reference.below(self.reference.first_above([covered]))[0]

    def most_apart(self) -> NDArray[np.float64]:
        """As many as can be farther apart than the radius: each as far to the left as it may be."""
        centres, place = [-np.inf], Fraction(0)
        while place + self.radius < 1:
            after = self.reference.first_above([place + self.radius])
            centres.append(float(after[0]))
            place = self.reference.below(after)[0]
        return np.array(centres)

    def _quantiles(self, levels: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(self.reference.quantile(levels), dtype=np.float64)

    def _wide(self, ordered: NDArray[np.float64], limit: Fraction) -> NDArray[np.intp]:
        """The numbers of those that are farther than a limit below the next one; exact."""
        beyond = np.diff(self.reference.roughly_below(ordered)) - float(limit)
        wide = beyond > 0
        close = np.flatnonzero(np.abs(beyond) < _ROUNDING)
        places = zip(self.reference.below(ordered[close]), self.reference.below(ordered[close + 1]), strict=True)
        wide[close] = [after - place > limit for place, after in places]
        return np.flatnonzero(wide)
