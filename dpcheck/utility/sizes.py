"""How many records a learner needs: between which two sizes its failure probability becomes small enough.

The sizes that can be looked at are a geometric grid, fixed before the first trial; each has a seed of its own, made
from the seed and the size, and a sequential test of its own at an equal part of the level. So it does not matter in
which order, or why, sizes are looked at: what is said of all of them is right together.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence

from dpcheck.execution import Isolation
from dpcheck.execution.executor import Executor
from dpcheck.model.errors import InvalidArgument, NoHypothesis
from dpcheck.utility.arguments import between, exact, whole
from dpcheck.utility.distributions import Distribution, RandomInstance
from dpcheck.utility.failure import RISK_SAMPLE, TRIAL_SECONDS, TRIALS, FailureRate, failure_rate

SCHEMA = "dpcheck-sample-complexity/1"
#: The largest size without ``most=``.
MOST = 100_000
#: Sizes per doubling without ``per_octave=``: a fifth more records at each step.
PER_OCTAVE = 4
#: The words for what was found at a size, from those for the claim "it fails with at most this probability".
WORDS = {"holds": "passes", "contradicted": "fails", "undecided": "undecided"}


@dataclass(frozen=True)
class SizePoint:
    """One size that was tested.

    ``word`` is "fails" (certified: the failure probability is above the one asked for), "passes" (certified: it is
    not) or "undecided". ``result`` holds the counts and the interval.
    """

    size: int
    word: str
    result: FailureRate

    def to_row(self) -> dict[str, Any]:
        """Flat, for a table; numbers are Python's own."""
        found = self.result
        return {
            "size": self.size,
            "word": self.word,
            "trials": found.trials,
            "failures": found.failures,
            "unclear": found.unclear,
            "errors": found.errors,
            "rate": found.rate if found.trials else None,
            "low": found.interval[0],
            "high": found.interval[1],
            "seconds": found.seconds,
            "seed": found.seed,
        }


@dataclass(frozen=True)
class Stretch:
    """Sizes that fail although a smaller one passes: more records did harm.

    ``passes`` is the largest size tested below them that passes, ``first`` and ``last`` the smallest and the largest
    of those that fail, ``again`` the smallest above them that passes (None: none tested does).
    """

    passes: int
    first: int
    last: int
    again: int | None


@dataclass(frozen=True)
class SampleComplexity:
    """Between which sizes a learner's failure probability becomes small enough; see :func:`sample_complexity`.

    ``too_small`` is the largest size tested that fails, None where none does; ``enough`` the smallest above it from
    which all sizes tested pass, None where the largest one tested does not. ``stretches`` are the sizes that fail
    above one that passes. With probability at least ``1 - level`` every word and every interval of ``points`` is right.
    """

    learner: str
    distribution: str
    over: str
    fixed: dict[str, int | str]
    accuracy: Fraction
    failure: Fraction
    least: int
    most: int
    per_octave: int
    grid: int
    points: tuple[SizePoint, ...]
    too_small: int | None
    enough: int | None
    stretches: tuple[Stretch, ...]
    level: float
    risk: str
    stop: str
    seconds: float
    seed: int

    @property
    def trials(self) -> int:
        """Trials over all sizes."""
        return sum(point.result.trials for point in self.points)

    @property
    def monotone(self) -> bool:
        """Whether no size tested is certified to fail above one that passes."""
        return not self.stretches

    def __bool__(self) -> bool:
        raise TypeError("a sample complexity is neither true nor false: look at too_small and enough")

    def __str__(self) -> str:
        largest = self.points[-1].size
        where = "".join(f", {name} {_grouped(count)}" for name, count in self.fixed.items())
        few = "no size tested is too small" if self.too_small is None else f"{self.too_small:,} records are too few"
        if self.enough is None:
            rest = f"enough are not reached up to {largest:,}"
        elif self.enough == largest:
            rest = f"{self.enough:,} are enough (no larger size was tested)"
        else:
            rest = f"{self.enough:,} are enough (as is each size tested from there to {largest:,})"
        told = (
            f"{self.learner} on {self.distribution} ({self.over} records searched{where}): {few}, {rest}, for an "
            f"excess risk of at most {float(self.accuracy):g} save with probability {float(self.failure):g}. Tested: "
            f"{len(self.points)} of {self.grid} sizes from {self.least:,} to {self.most:,}, {self.trials:,} trials; "
            f"all of it is right save with probability {self.level:g}."
        )
        for one in self.stretches:
            again = "none tested passes again" if one.again is None else f"{one.again:,} passes again"
            told += f" Not monotone: {one.passes:,} passes, {_span(one.first, one.last)} fail, {again}."
        if self.stop != "found":
            told += f" The search ended early: {self.stop}."
        return told

    def rows(self) -> list[dict[str, Any]]:
        """A flat row for each size tested, from the smallest."""
        return [point.to_row() for point in self.points]

    def to_json(self) -> str:
        """The result as JSON; fractions are strings such as "1/10"."""
        told = {
            key: value
            for key, value in self.__dict__.items()
            if key not in ("points", "stretches", "accuracy", "failure")
        }
        document = {
            "schema": SCHEMA,
            **told,
            "accuracy": str(self.accuracy),
            "failure": str(self.failure),
            "trials": self.trials,
            "stretches": [asdict(one) for one in self.stretches],
            "points": self.rows(),
        }
        return json.dumps(document, indent=1, allow_nan=False) + "\n"


def sample_complexity(
    learner: Any,
    distribution: Distribution | RandomInstance,
    *,
    over: str = "private",
    fixed: Mapping[str, int | Callable[[int], int]] | None = None,
    accuracy: Any,
    failure: Any,
    least: int = 1,
    most: int = MOST,
    per_octave: int = PER_OCTAVE,
    around: int = 2,
    octaves: int = 3,
    level: float = 1e-3,
    trials: int = TRIALS,
    budget: float | None = None,
    family: Any = None,
    best: Any = None,
    risk: str = "auto",
    risk_sample: int = RISK_SAMPLE,
    dataset: Callable[[Distribution, Mapping[str, int], Generator], Any] | None = None,
    options: Mapping[str, Any] | Callable[[Mapping[str, int]], Mapping[str, Any]] | None = None,
    seed: int = 0,
    jobs: int = 1,
    isolation: Isolation = "auto",
    trial_timeout: float = TRIAL_SECONDS,
    on_progress: Callable[[int, int, int], None] | None = None,
) -> SampleComplexity:
    """From how many records the excess risk exceeds ``accuracy`` with probability at most ``failure``.

    The sizes of a grid are tried by doubling until one passes, then halving the gap between the largest that does not
    and the next that does, then ``around`` sizes on either side and one for each of ``octaves`` doublings beyond.
    Whatever fails (or stays undecided) there moves the search up, so that non-monotone learners are found out as far
    as sizes are looked at.

    Parameters
    ----------
    learner, distribution : as for :func:`~dpcheck.utility.failure.failure_rate`
    over : str
        The name of the size that is searched.
    fixed : mapping of names to numbers of records, optional
        The other sizes; each a number, or a function of the size that is searched.
    accuracy : number in [0, 1]
        Excess risk allowed.
    failure : number in (0, 1)
        Failure probability allowed.
    least, most : int
        Ends of the grid, both in it.
    per_octave : int
        Sizes of the grid per doubling.
    around : int
        Sizes of the grid tested beyond each end of what was found.
    octaves : int
        Doublings above ``enough`` that are tested too (up to ``most``).
    level : float
        Probability that anything said of any size is wrong: half of it goes to the verdicts, half to the intervals,
        both in equal parts to all sizes of the grid.
    trials : int
        The largest number of trials per size; a size that they do not decide is undecided.
    budget : float, optional
        Seconds for the whole search. A search ended by it is valid, but depends on the machine.
    family, best, risk, risk_sample, dataset : as for ``failure_rate``
    options : mapping, or callable ``sizes -> mapping``, optional
        Arguments of the factory.
    seed : int
        Each size has a seed of its own, made of this one and the size alone.
    jobs : int
        Processes; the result does not depend on them.
    isolation, trial_timeout : as for ``failure_rate``
    on_progress : callable ``(size, sizes tested so far, trials so far)``, optional

    Returns
    -------
    SampleComplexity
        A learner that raises at a size fails there.

    Raises
    ------
    InvalidArgument
        When an argument cannot be used, or the learner raises in every trial at every size.

    Source: alon2019:def-2.3 (sample complexity), with the sequential verdict of Ville 1939 at each size.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> def smallest_one(dataset, rng):
    ...     x, y = dataset
    ...     return x[y == 1].min() if y.any() else 100
    >>> found = sample_complexity(smallest_one, UniformGrid(100), accuracy=0.1, failure=0.2, most=200, octaves=1)
    >>> 15 > found.too_small >= 10, 16 <= found.enough < 25  # at 15 records 0.9^15 = 0.206, at 16 0.185
    (True, True)
    """
    if not isinstance(over, str) or not over:
        raise InvalidArgument(f"over must be the name of a size, such as 'private', got {over!r}")
    others = _checked_fixed(fixed, over)
    if on_progress is not None and not callable(on_progress):
        raise InvalidArgument(f"on_progress must be callable, got {on_progress!r}")
    if options is not None and not isinstance(options, Mapping) and not callable(options):
        raise InvalidArgument(f"options must be a mapping, or a function of the sizes, got {options!r}")
    if budget is not None and not exact("budget", budget, "a number of seconds above 0") > 0:
        raise InvalidArgument(f"budget must be a number of seconds above 0, got {budget!r}")
    allowed, claimed = between("accuracy", accuracy, 0, 1, closed=True), between("failure", failure, 0, 1)
    grid = size_grid(least, most, per_octave)
    shared = float(between("level", level, 0, 1))
    own = shared / (2 * len(grid))
    search = SizeSearch(
        len(grid), whole("per_octave", per_octave, 1), whole("around", around, 0), whole("octaves", octaves, 0)
    )
    main_seed, processes = whole("seed", seed, 0), whole("jobs", jobs, 1)
    begun = time.perf_counter()
    found: dict[int, FailureRate] = {}
    stop = "found"
    with Executor(processes).warm():
        while (place := search.next()) is not None:
            left = None if budget is None else float(budget) - (time.perf_counter() - begun)
            if found and left is not None and left <= 0:
                stop = "time was up"
                break
            size = grid[place]
            sizes = {over: size, **{name: _at(name, count, size) for name, count in others.items()}}
            before = sum(one.trials for one in found.values())
            found[place] = failure_rate(
                learner,
                distribution,
                sizes=sizes,
                accuracy=allowed,
                failure=claimed,
                trials=trials,
                budget=None if left is None else max(left, 1e-9),
                level=own,
                holds_level=own,
                contradicted_level=own,
                family=family,
                best=best,
                risk=risk,
                risk_sample=risk_sample,
                dataset=dataset,
                options=options(sizes) if callable(options) else options,
                tolerant=True,
                seed=seed_of_size(main_seed, size),
                jobs=jobs,
                isolation=isolation,
                trial_timeout=trial_timeout,
                on_progress=None if on_progress is None else _telling(on_progress, size, len(found), before),
            )
            search.words[place] = WORDS[str(found[place].verdict)]
            if on_progress is not None:
                on_progress(size, len(found), before + found[place].trials)
    points = tuple(SizePoint(grid[place], search.words[place], found[place]) for place in sorted(found))
    if points and all(point.result.errors == point.result.trials for point in points):
        raise NoHypothesis(
            f"learner must return a hypothesis at some size, got an error in every trial from {points[0].size} to "
            f"{points[-1].size} records: {points[-1].result.first_error}"
        )
    return SampleComplexity(
        learner=points[0].result.learner,
        distribution=distribution.name,
        over=over,
        fixed={name: "varies" if callable(count) else count for name, count in others.items()},
        accuracy=allowed,
        failure=claimed,
        least=grid[0],
        most=grid[-1],
        per_octave=search.per_octave,
        grid=len(grid),
        points=points,
        too_small=too_small_of(points),
        enough=enough_of(points),
        stretches=stretches_of(points),
        level=shared,
        risk=points[0].result.risk,
        stop=stop,
        seconds=time.perf_counter() - begun,
        seed=main_seed,
    )


def size_grid(least: int, most: int, per_octave: int) -> tuple[int, ...]:
    """Whole numbers in (nearly) geometric steps, both ends among them.

    Parameters
    ----------
    least, most : int
    per_octave : int, steps per doubling

    Raises
    ------
    InvalidArgument
        When an argument is no such number, or ``most`` is below ``least``.

    Examples
    --------
    >>> size_grid(1, 20, 2)
    (1, 2, 3, 4, 6, 8, 11, 16, 20)
    """
    first, steps = whole("least", least, 1), whole("per_octave", per_octave, 1)
    last = whole("most", most, first)
    octaves = math.log2(last / first)
    middle = (round(first * 2.0 ** (step / steps)) for step in range(1, math.ceil(octaves * steps)))
    return tuple(sorted({first, last, *(size for size in middle if first < size < last)}))


def seed_of_size(seed: int, size: int) -> int:
    """The seed of one size: it depends on nothing but the search's seed and the size."""
    return int(SeedSequence(seed, spawn_key=(size,)).generate_state(1, np.uint64)[0])


def too_small_of(points: tuple[SizePoint, ...]) -> int | None:
    """The largest size that fails."""
    return max((point.size for point in points if point.word == "fails"), default=None)


def enough_of(points: tuple[SizePoint, ...]) -> int | None:
    """The smallest size from which all pass; None where the largest does not."""
    found = None
    for point in reversed(points):
        if point.word != "passes":
            break
        found = point.size
    return found


def stretches_of(points: tuple[SizePoint, ...]) -> tuple[Stretch, ...]:
    """The sizes that fail between (or above) ones that pass; undecided ones end no stretch and begin none."""
    decided = [point for point in points if point.word != "undecided"]
    found: list[Stretch] = []
    place = 0
    while place < len(decided):
        first = place
        while place < len(decided) and decided[place].word == "fails":
            place += 1
        if place > first > 0:
            again = decided[place].size if place < len(decided) else None
            found.append(Stretch(decided[first - 1].size, decided[first].size, decided[place - 1].size, again))
        place += place == first
    return tuple(found)


class SizeSearch:
    """Which place of the grid to look at next, given what was found at those looked at."""

    def __init__(self, grid: int, per_octave: int, around: int, octaves: int) -> None:
        self.grid, self.per_octave, self.around, self.octaves = grid, per_octave, around, octaves
        self.words: dict[int, str] = {}

    def next(self) -> int | None:
        """The next place, None when there is nothing left to look at."""
        if not self.words:
            return 0
        last = max((place for place, word in self.words.items() if word != "passes"), default=-1)
        above = min((place for place in self.words if place > last), default=None)
        if above is None and last < self.grid - 1:
            return min(last + self.per_octave, self.grid - 1)
        if above is not None and above - last > 1:
            return (last + above) // 2
        # Sizes that stay undecided lie between; what fails among them is looked for in the same way.
        fails = self._fails()
        next_up = min((place for place in self.words if place > fails), default=fails)
        if fails >= 0 and next_up - fails > 1:
            return (fails + next_up) // 2
        below = [fails - step for step in range(1, self.around + 1)]
        if above is None:
            return self._among(below)
        beyond = [above + step for step in range(1, self.around + 1)]
        beyond += [above + octave * self.per_octave for octave in range(1, self.octaves + 1)]
        return self._among([*below, *(min(place, self.grid - 1) for place in beyond)])

    def _fails(self) -> int:
        """The largest place that fails, -1 where none does."""
        return max((place for place, word in self.words.items() if word == "fails"), default=-1)

    def _among(self, places: list[int]) -> int | None:
        """The first of these that was not looked at yet."""
        return next((place for place in places if place >= 0 and place not in self.words), None)


def _checked_fixed(fixed: Any, over: str) -> dict[str, Any]:
    if fixed is not None and not isinstance(fixed, Mapping):
        raise InvalidArgument(f"fixed must be a mapping such as {{'public': 50}}, got {fixed!r}")
    found: dict[str, Any] = {}
    for name, count in (fixed or {}).items():
        if name == over:
            raise InvalidArgument(f"fixed must hold the other sizes, got {over!r}, which is searched")
        found[str(name)] = count if callable(count) else whole(f"fixed[{name!r}]", count, 0)
    return found


def _at(name: str, count: Any, size: int) -> int:
    """A size that is fixed, or follows from the one searched."""
    return whole(f"fixed[{name!r}] at {size}", count(size), 0) if callable(count) else int(count)


def _telling(
    on_progress: Callable[[int, int, int], None], size: int, sizes: int, before: int
) -> Callable[[int, int], None]:
    return lambda trials, failures: on_progress(size, sizes, before + trials)


def _grouped(count: int | str) -> str:
    return f"{count:,}" if isinstance(count, int) else count


def _span(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"
