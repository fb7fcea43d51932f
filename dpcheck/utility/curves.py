"""Failure rates over sizes, accuracies and a learner's options: rows that are ready for a table or a plot."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from dpcheck.model.errors import InvalidArgument
from dpcheck.utility.arguments import between, whole
from dpcheck.utility.distributions import Distribution, RandomInstance
from dpcheck.utility.failure import FailureRate, failure_rate

SCHEMA = "dpcheck-sweep/1"


@dataclass(frozen=True)
class Point:
    """One point of a sweep: the options of the learner, and how often it failed with them."""

    options: dict[str, Any]
    result: FailureRate

    def to_row(self) -> dict[str, Any]:
        """Flat: options and sizes by their names, then what was found; numbers are Python's own."""
        found = self.result
        low, high = found.interval
        return {
            **self.options,
            **found.sizes,
            "distribution": found.distribution,
            "accuracy": float(found.accuracy),
            "trials": found.trials,
            "failures": found.failures,
            "rate": found.rate,
            "low": low,
            "high": high,
            "level": found.level,
            "failure": None if found.failure is None else float(found.failure),
            "verdict": found.verdict,
            "seconds": found.seconds,
            "seed": found.seed,
        }


@dataclass(frozen=True)
class Sweep:
    """The points of a sweep, in order; all their intervals hold together, save with probability ``level``."""

    points: tuple[Point, ...]
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
        if rows and name not in rows[0]:
            raise InvalidArgument(f"name must be one of {', '.join(rows[0])}, got {name!r}")
        return [row[name] for row in rows]

    def to_csv(self) -> str:
        """The rows as comma-separated values with a header."""
        out = io.StringIO()
        rows = self.rows()
        writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return out.getvalue()

    def to_json(self) -> str:
        """The rows as JSON."""
        told = {"schema": SCHEMA, "level": self.level, "rows": self.rows()}
        return json.dumps(told, indent=1, allow_nan=False) + "\n"


def sweep(
    learner: Any,
    distribution: Distribution | RandomInstance | Callable[..., Any],
    *,
    sizes: Mapping[str, int | Sequence[int]],
    accuracy: Any,
    options: Mapping[str, Sequence[Any]] | None = None,
    level: float = 0.05,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    **arguments: Any,
) -> Sweep:
    """:func:`~dpcheck.utility.failure.failure_rate` over all combinations of sizes, accuracies and options.

    Parameters
    ----------
    learner : learner, or factory of learners where there are ``options``
    distribution : Distribution, RandomInstance, or callable ``accuracy -> Distribution``
        The latter for instances that depend on the accuracy, such as the needle-tail.
    sizes : mapping of names to a number of records or several
    accuracy : number in [0, 1], or several
    options : mapping of names to several values each, for the factory
    level : float
        Shared by all points: each interval gets an equal part, so that together they miss a truth with at most this
        probability.
    seed : int
        Point i gets a seed of its own, so that points are independent.
    on_progress : callable ``(points so far, points in all)``, optional
    **arguments
        All else that ``failure_rate`` takes (``failure``, ``trials``, ``dataset``, ``jobs``, ...), the same for all.

    Returns
    -------
    Sweep

    Raises
    ------
    InvalidArgument
        When there is nothing to sweep, or a point's arguments cannot be used.

    Source: alon2019, headline claims 2 and 3.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> def smallest_one(dataset, rng):
    ...     x, y = dataset
    ...     return x[y == 1].min() if y.any() else 100
    >>> found = sweep(smallest_one, UniformGrid(100), sizes={"private": [5, 50]}, accuracy=[0.1, 0.3], trials=100)
    >>> [(row["private"], row["accuracy"]) for row in found.rows()]
    [(5, 0.1), (5, 0.3), (50, 0.1), (50, 0.3)]
    >>> found.column("rate")[0] > found.column("rate")[-1]
    True
    """
    if not isinstance(sizes, Mapping) or not sizes:
        raise InvalidArgument(f"sizes must be a mapping such as {{'private': [100, 1000]}}, got {sizes!r}")
    by_size = [_several(size) for size in sizes.values()]
    if options is not None and not isinstance(options, Mapping):
        raise InvalidArgument(f"options must be a mapping of names to several values each, got {options!r}")
    if on_progress is not None and not callable(on_progress):
        raise InvalidArgument(f"on_progress must be callable, got {on_progress!r}")
    by_option = [_several(values) for values in (options or {}).values()]
    accuracies = _several(accuracy)
    grid = list(itertools.product(itertools.product(*by_option), itertools.product(*by_size), accuracies))
    if not grid:
        raise InvalidArgument("sizes, accuracy and options must each have at least one value, got an empty one")
    whole_level = float(between("level", level, 0, 1))
    seeds = SeedSequence(whole("seed", seed, 0)).generate_state(len(grid), np.uint64)
    points = []
    for (chosen, counts, allowed), own_seed in zip(grid, seeds.tolist(), strict=True):
        named = dict(zip(options or {}, chosen, strict=True))
        result = failure_rate(
            learner,
            _instance(distribution, allowed),
            sizes=dict(zip(sizes, counts, strict=True)),
            accuracy=allowed,
            options=named or None,
            level=whole_level / len(grid),
            seed=own_seed,
            **arguments,
        )
        points.append(Point(named, result))
        if on_progress is not None:
            on_progress(len(points), len(grid))
    return Sweep(tuple(points), whole_level)


def _instance(distribution: Any, accuracy: Any) -> Distribution | RandomInstance:
    """The distribution for an accuracy, where it depends on that."""
    if isinstance(distribution, RandomInstance | Distribution) or not callable(distribution):
        return distribution  # type: ignore[no-any-return]  # what is neither is refused by failure_rate
    return distribution(accuracy)  # type: ignore[no-any-return]


def _several(values: Any) -> list[Any]:
    """A list of values, of one too."""
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray | range):
        return [values]
    return list(values.tolist() if isinstance(values, np.ndarray) else values)
