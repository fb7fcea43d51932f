"""Sample complexities over one thing that varies: the accuracy, the privacy, the class, the distribution.

What does not vary may be given as it is, what does as a function of the value that is swept. All points share a level,
so that whatever is read off the curve is right at once.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from dpcheck.execution.executor import Executor
from dpcheck.model.errors import InvalidArgument
from dpcheck.utility.arguments import between, whole
from dpcheck.utility.distributions import Distribution, RandomInstance
from dpcheck.utility.sizes import SampleComplexity, sample_complexity

SCHEMA = "dpcheck-size-curve/1"
#: Sweeping one of these sweeps the argument of that name, where it is not given.
_OWN = ("accuracy", "failure")
#: Arguments of the search, besides, that may be functions of the value that is swept.
_VARYING = ("least", "most", "best")


@dataclass(frozen=True)
class SizePointOfCurve:
    """One point of a curve: the value that was swept, and between which sizes the sample complexity lies there."""

    along: str
    value: Any
    result: SampleComplexity

    def to_row(self) -> dict[str, Any]:
        """Flat: the value by the name of what was swept, then what was found; numbers are Python's own."""
        found = self.result
        return {
            self.along: plain(self.value),
            "over": found.over,
            **{name: count for name, count in found.fixed.items() if name != self.along},
            "distribution": found.distribution,
            **{name: float(getattr(found, name)) for name in _OWN if name != self.along},
            "too_small": found.too_small,
            "enough": found.enough,
            "monotone": found.monotone,
            "least": found.least,
            "most": found.most,
            "tested": len(found.points),
            "largest_tested": found.points[-1].size,
            "trials": found.trials,
            "level": found.level,
            "stop": found.stop,
            "seconds": found.seconds,
            "seed": found.seed,
        }


@dataclass(frozen=True)
class SizeCurve:
    """Sample complexities along something, in the order given; all that is said of them holds together.

    The probability that anything is wrong is at most ``level``.
    """

    along: str
    over: str
    points: tuple[SizePointOfCurve, ...]
    level: float

    def rows(self) -> list[dict[str, Any]]:
        """A flat row per point."""
        return [point.to_row() for point in self.points]

    def column(self, name: str) -> list[Any]:
        """One column of the rows.

        Raises
        ------
        InvalidArgument
            When there is none of that name.
        """
        rows = self.rows()
        if name not in rows[0]:
            raise InvalidArgument(f"column must be one of {', '.join(rows[0])}, got {name!r}")
        return [row[name] for row in rows]

    def __bool__(self) -> bool:
        raise TypeError("a curve of sizes is neither true nor false: look at its points")

    def __str__(self) -> str:
        lines = [f"{self.over} records by {self.along}, right together save with probability {self.level:g}:"]
        for row in self.rows():
            few = "none too small" if row["too_small"] is None else f"{row['too_small']:,} too few"
            rest = (
                f"not reached up to {row['largest_tested']:,}" if row["enough"] is None else f"{row['enough']:,} enough"
            )
            lines.append(f"  {self.along} {row[self.along]}: {few}, {rest}")
        return "\n".join(lines)

    def to_csv(self) -> str:
        """The rows as CSV, with a header."""
        out = io.StringIO()
        rows = self.rows()
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def to_json(self) -> str:
        """The rows as JSON."""
        told = {"schema": SCHEMA, "along": self.along, "over": self.over, "level": self.level, "rows": self.rows()}
        return json.dumps(told, indent=1, allow_nan=False) + "\n"


def size_curve(
    learner: Any,
    distribution: Distribution | RandomInstance | Callable[[Any], Any],
    *,
    along: str,
    values: Sequence[Any],
    over: str = "private",
    fixed: Mapping[str, Any] | None = None,
    accuracy: Any = None,
    failure: Any = None,
    options: Mapping[str, Any] | None = None,
    level: float = 1e-3,
    seed: int = 0,
    jobs: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
    **arguments: Any,
) -> SizeCurve:
    """:func:`~dpcheck.utility.sizes.sample_complexity` at each value of something.

    Parameters
    ----------
    learner : learner, or factory of learners where there are ``options``
    distribution : Distribution, RandomInstance, or a function of the value that returns one
    along : str
        What is swept, for the tables: "accuracy", "failure", "epsilon", "VC dimension", "public", ...
    values : sequence
        The values it takes.
    over : str
        The name of the size that is searched.
    fixed : mapping of names to numbers of records or functions of the value, optional
    accuracy, failure : number, or function of the value
        The value itself where it is the one that is swept, and not given.
    options : mapping of names to values or functions of the value, optional
        Arguments of the factory, such as ``{"epsilon": lambda value: value}``.
    level : float
        Shared by all points in equal parts.
    seed : int
        Point i gets a seed of its own, so that points are independent.
    jobs : int
    on_progress : callable ``(points so far, points in all)``, optional
    **arguments
        All else that ``sample_complexity`` takes (``dataset``, ``trials``, ``octaves``, ...); ``least``, ``most`` and
        ``best`` may be functions of the value too.

    Returns
    -------
    SizeCurve

    Raises
    ------
    InvalidArgument
        When there is nothing to sweep, nothing depends on it, or a point's arguments cannot be used.

    Source: alon2019, headline claims 2 and 3.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> def smallest_one(dataset, rng):
    ...     x, y = dataset
    ...     return x[y == 1].min() if y.any() else 100
    >>> found = size_curve(smallest_one, UniformGrid(100), along="accuracy", values=[0.4, 0.1], failure=0.25, octaves=0)
    >>> few, many = found.points
    >>> few.result.enough <= many.result.too_small
    True
    """
    chosen = list(values) if isinstance(values, Sequence | np.ndarray | range) and not isinstance(values, str) else []
    if not chosen:
        raise InvalidArgument(f"values must be a sequence of at least one value, got {values!r}")
    if not isinstance(along, str) or not along:
        raise InvalidArgument(f"along must name what is swept, such as 'accuracy', got {along!r}")
    wanted: dict[str, Any] = {"accuracy": accuracy, "failure": failure}
    if along in _OWN and wanted[along] is None:
        wanted[along] = _itself
    for name, given in wanted.items():
        if given is None:
            raise InvalidArgument(f"{name} must be a number, or a function of what is swept ({along}), got None")
    for name, mapping in (("options", options), ("fixed", fixed)):
        if mapping is not None and not isinstance(mapping, Mapping):
            raise InvalidArgument(f"{name} must be a mapping, got {mapping!r}")
    if on_progress is not None and not callable(on_progress):
        raise InvalidArgument(f"on_progress must be callable, got {on_progress!r}")
    wanted |= {name: arguments.pop(name) for name in _VARYING if name in arguments}
    varies = [distribution] if not _is_law(distribution) else []
    varies += [*wanted.values(), *(options or {}).values(), *(fixed or {}).values()]
    if not any(callable(one) for one in varies):
        raise InvalidArgument(
            f"something must depend on {along}: an option, a size, the accuracy or the distribution as a function of it"
        )
    whole_level = float(between("level", level, 0, 1))
    seeds = SeedSequence(whole("seed", seed, 0)).generate_state(len(chosen), np.uint64)
    points = []
    with Executor(whole("jobs", jobs, 1)).warm():
        for value, own_seed in zip(chosen, seeds.tolist(), strict=True):
            result = sample_complexity(
                learner,
                _law(distribution, value),
                over=over,
                fixed={name: _at(count, value) for name, count in (fixed or {}).items()},
                options={name: _at(given, value) for name, given in options.items()} if options else None,
                level=whole_level / len(chosen),
                seed=own_seed,
                jobs=jobs,
                **{name: _at(given, value) for name, given in wanted.items()},
                **arguments,
            )
            points.append(SizePointOfCurve(along, value, result))
            if on_progress is not None:
                on_progress(len(points), len(chosen))
    return SizeCurve(along, over, tuple(points), whole_level)


def plain(value: Any) -> Any:
    """A value as JSON can hold it: numbers as Python's own, anything else by its name.

    Examples
    --------
    >>> plain(Fraction(1, 4)), plain(np.int64(3)), plain([1])
    (0.25, 3, '[1]')
    """
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, str | int | float) else str(value)


def _itself(value: Any) -> Any:
    return value


def _is_law(distribution: Any) -> bool:
    return isinstance(distribution, RandomInstance | Distribution)


def _law(distribution: Any, value: Any) -> Distribution | RandomInstance:
    """The distribution at this value; what is none is refused by the search."""
    return distribution if _is_law(distribution) else _at(distribution, value)  # type: ignore[no-any-return]


def _at(given: Any, value: Any) -> Any:
    """What is given, or what it is at this value."""
    return given(value) if callable(given) else given
