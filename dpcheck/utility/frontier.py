"""The frontier between two kinds of data: how much of the one replaces how much of the other.

Private records against public points, labelled against unlabelled ones: for each fixed size of one, the least certified
size of the other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.utility.arguments import whole
from dpcheck.utility.distributions import Distribution, RandomInstance
from dpcheck.utility.size_curves import SizeCurve, SizePointOfCurve, size_curve

SCHEMA = "dpcheck-frontier/1"


@dataclass(frozen=True)
class Frontier:
    """For each size ``at`` of ``against``, between which sizes of ``over`` the sample complexity lies.

    All that is said holds together, save with probability ``level``.
    """

    over: str
    against: str
    curve: SizeCurve

    @property
    def points(self) -> tuple[SizePointOfCurve, ...]:
        """A point for each fixed size, in the order given."""
        return self.curve.points

    @property
    def level(self) -> float:
        """The probability that anything said is wrong."""
        return self.curve.level

    def enough(self) -> tuple[tuple[int, int], ...]:
        """Pairs (size of ``against``, size of ``over``) certified to be enough, of which none is beaten in both."""
        pairs = [(int(point.value), point.result.enough) for point in self.points]
        kept: list[tuple[int, int]] = []
        for fixed, found in sorted((fixed, found) for fixed, found in pairs if found is not None):
            if not kept or found < kept[-1][1]:
                kept.append((fixed, found))
        return tuple(kept)

    def too_small(self) -> tuple[tuple[int, int], ...]:
        """Pairs (size of ``against``, size of ``over``) certified to be too small, in the order of the former."""
        pairs = [(int(point.value), point.result.too_small) for point in self.points]
        return tuple(sorted((fixed, found) for fixed, found in pairs if found is not None))

    def rows(self) -> list[dict[str, Any]]:
        """A flat row for each fixed size."""
        return self.curve.rows()

    def to_csv(self) -> str:
        """The rows as CSV, with a header."""
        return self.curve.to_csv()

    def __bool__(self) -> bool:
        raise TypeError("a frontier is neither true nor false: look at its points")

    def __str__(self) -> str:
        return str(self.curve)

    def to_json(self) -> str:
        """The rows as JSON, and the pairs that are enough."""
        told = {
            "schema": SCHEMA,
            "over": self.over,
            "against": self.against,
            "level": self.level,
            "enough": self.enough(),
            "rows": self.rows(),
        }
        return json.dumps(told, indent=1, allow_nan=False) + "\n"


def frontier(
    learner: Any,
    distribution: Distribution | RandomInstance | Callable[[Any], Any],
    *,
    over: str = "private",
    against: str = "public",
    at: Sequence[int],
    fixed: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Frontier:
    """The least certified size of ``over`` for each size of ``against``.

    Parameters
    ----------
    learner, distribution : as for :func:`~dpcheck.utility.size_curves.size_curve`
    over, against : str
        The names of the two sizes: the one that is searched, the one that is fixed.
    at : sequence of int
        The sizes of ``against``.
    fixed : mapping, optional
        Further sizes.
    **arguments
        All else that ``size_curve`` takes: ``accuracy`` and ``failure`` among them.

    Returns
    -------
    Frontier

    Raises
    ------
    InvalidArgument
        When the two are one, or an argument cannot be used.

    Source: alon2019:def-2.4 (private and public records).

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> def between(dataset, rng):  # public points say which thresholds there are, private labels which is right
    ...     (x, y), points = dataset.private, dataset.public
    ...     return min(points, key=lambda t: ((x >= t) != y).sum()) if len(points) else 0
    >>> found = frontier(between, UniformGrid(64), at=[1, 16], accuracy=0.25, failure=0.25, most=64,
    ...                  around=0, octaves=0)
    >>> few, many = found.points
    >>> few.result.enough is None, many.result.enough is not None
    (True, True)
    """
    if over == against:
        raise InvalidArgument(f"over and against must be two sizes, got {over!r} for both")
    if not isinstance(against, str) or not against.strip():
        raise InvalidArgument(f"against must be the name of a size, such as 'public', got {against!r}")
    if isinstance(at, str | Mapping) or not isinstance(at, Iterable):
        raise InvalidArgument(f"at must be a sequence of sizes, got {at!r}")
    sizes = [whole(f"at[{place}]", size, 0) for place, size in enumerate(at)]
    if not sizes:
        raise InvalidArgument(f"at must be a sequence of at least one size, got {at!r}")
    if fixed is not None and not isinstance(fixed, Mapping):
        raise InvalidArgument(f"fixed must be a mapping of names to numbers of records, got {fixed!r}")
    for name in ("along", "values"):
        if name in arguments:
            raise InvalidArgument(f"{name} is an argument of size_curve: a frontier takes 'against' and 'at'")
    curve = size_curve(
        learner,
        distribution,
        along=against,
        values=sizes,
        over=over,
        fixed={**(fixed or {}), against: _same},
        **arguments,
    )
    return Frontier(over, against, curve)


def _same(size: int) -> int:
    return size
