"""The failure probability of a learner, exactly: every sample is listed, and the learner's declared law asked on it.

For distributions on few points and learners to whom the order of records is of no matter, samples are multisets of
cells (a point with its label), with multinomial weights. Nothing is drawn; what comes out is an enclosure by balls, as
wide as the law's own error where its probabilities are floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from dpcheck.execution import Isolation
from dpcheck.execution.answers import Raised, Request
from dpcheck.execution.executor import Executor
from dpcheck.execution.wire import NotPlain, read_plain, write_plain
from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.law import Law
from dpcheck.model.learner import Target, as_target, attribute_of, declares_law
from dpcheck.privacy.exact.decision import probabilities
from dpcheck.privacy.exact.declared import declared
from dpcheck.proof.bounds import Enclosure, exact_number
from dpcheck.utility.distributions import FiniteDistribution
from dpcheck.utility.failure import family_of

#: More samples than this are not listed.
MOST_SAMPLES = 100_000
#: About so many samples are handed over in two orders, where a learner does not say that order is of no matter.
TURNED = 100
#: Bits of the balls: sums of positive terms lose none that matter.
PRECISION = 192
#: A message to another process is about so many seconds of work, and at most so many samples.
SECONDS_A_MESSAGE, SAMPLES_A_MESSAGE = 0.25, 1000
#: A probability on its way between processes: a mantissa and an exponent of 2 for its lower end, and for its upper.
Ends = tuple[int, int, int, int]


def listed_samples(distribution: Any, sizes: Mapping[str, int]) -> int | None:
    """How many samples there are to list; None where the distribution is not a table.

    Examples
    --------
    >>> from dpcheck.utility.distributions import two_points
    >>> listed_samples(two_points(1), {"private": 5})
    6
    """
    table = _table(distribution)
    if table is None or not (len(sizes) == 1 or set(sizes) == {"private", "public"}):
        return None
    labelled = sum(cell > 0 for cell in table.cells)
    points = sum(mass > 0 for mass in table.masses)
    count = 1
    for place, (name, size) in enumerate(sizes.items()):
        kinds = labelled if name == "private" or (place == 0 and len(sizes) == 1) else points
        count *= math.comb(size + kinds - 1, kinds - 1)
    return count


def exact_failure(
    learner: Any,
    distribution: Any,
    *,
    sizes: Mapping[str, int],
    accuracy: Any,
    family: Any = None,
    best: Any = None,
    options: Mapping[str, Any] | None = None,
    order_blind: bool | None = None,
    most: int = MOST_SAMPLES,
    isolation: Isolation = "none",
    call_timeout: float = 60.0,
) -> Enclosure:
    """The probability that the excess risk exceeds ``accuracy``, from the law that the learner declares.

    Parameters
    ----------
    learner : learner or factory with ``distribution(dataset)``
    distribution : FiniteDistribution, or one with a ``table()``
    sizes : one size, or ``private`` and ``public``
    accuracy : number in [0, 1]
    family, best, options : as for :func:`~dpcheck.utility.failure.failure_rate`
    order_blind : bool, optional
        That the order of records is of no matter; what the learner says of itself by default. Where only the caller
        says so, some samples are handed over in another order too.
    most : int, samples that are listed at most
    isolation : "auto", "process", "container" or "none", where the learner is asked for its laws
    call_timeout : float, seconds
        How long it may take to give some of them in another process.

    Raises
    ------
    InvalidArgument
        When the learner has no law, order matters to it (as it says or as is found), or there are too many samples.
    LearnerDied
        When its ``distribution`` hangs, ends its process or raises, in another process.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.alon2019.learners import GenericLearner
    >>> from dpcheck.utility.distributions import two_points
    >>> found = exact_failure(GenericLearner(GridThresholds(2)), two_points(1), sizes={"private": 20}, accuracy=0.25)
    >>> round(float(found), 6)
    0.024014
    """
    target = as_target(learner, options=options)
    table = _table(distribution)
    if not declares_law(target):
        raise InvalidArgument(f"learner must declare its law (distribution), got {target.name}")
    own = attribute_of(target, "order_blind")
    if own is False or not (own is True if order_blind is None else order_blind):
        raise InvalidArgument(f"learner must have order_blind = True, so that samples are multisets, got {target.name}")
    count = listed_samples(distribution, sizes)
    if table is None or count is None:
        raise InvalidArgument(
            f"distribution must be a table of points, with one size or private and public, got {sizes}"
        )
    if count > most:
        raise InvalidArgument(f"sizes must give at most {most:,} samples, got {count:,}")
    known = family_of(target) if family is None else family
    least = table.best_risk(known) if best is None else exact_number("best", best)
    if least is None:
        raise InvalidArgument("best must be given: the best risk is not known")
    bar = least + exact_number("accuracy", accuracy)
    chances = _Chances(target.make, table, known, bar)
    every = 0 if own is True else max(1, count // TURNED)
    if isolation == "none":
        asker = chances()
        return _summed(target.name, table, sizes, every, lambda some: map(_as_ball, read_plain(asker(some, None))))
    return _summed(
        target.name, table, sizes, every, lambda datasets: _asked(target, chances, datasets, isolation, call_timeout)
    )


def _table(distribution: Any) -> FiniteDistribution | None:
    if isinstance(distribution, FiniteDistribution):
        return distribution
    made = getattr(distribution, "table", None)
    found = made() if callable(made) else None
    return found if isinstance(found, FiniteDistribution) else None


@dataclass(frozen=True)
class _Chances:
    """A factory of :class:`_Asker`, which can be sent to another process."""

    make: Any
    table: FiniteDistribution
    family: Any
    bar: Fraction

    def __call__(self) -> _Asker:
        return _Asker(self.make(), self.table, self.family, self.bar, {})


@dataclass(frozen=True)
class _Asker:
    """A learner whose datasets are lists of datasets, and whose answers tell, in bytes, how often it fails on each."""

    learner: Any
    table: FiniteDistribution
    family: Any
    bar: Fraction
    fails: dict[Any, bool]

    def __call__(self, dataset: Any, rng: Any) -> bytes:
        from flint import ctx

        with ctx.workprec(PRECISION):
            found = [self._failing(self.learner.distribution(each)) for each in dataset]
            return write_plain([(*_parts(ball.lower()), *_parts(ball.upper())) for ball in found])

    def _failing(self, answer: Any) -> Any:
        """The probability of an output that fails, as a ball."""
        from flint import arb

        outputs = list(answer.outputs) if isinstance(answer, Law) else list(answer)
        law = declared(answer)
        total = arb(0)
        for output, key, chance in zip(outputs, law.outputs, probabilities(law), strict=True):
            if key not in self.fails:
                self.fails[key] = self.table.risk(self.family, output) > self.bar
            if self.fails[key]:
                total += chance
        # floats are each within the law's error of the truth, and so is their sum, by which they were divided
        return total * arb(0, 2 * law.error).exp() if law.kind == "floats" else total


def _parts(end: Any) -> tuple[int, int]:
    mantissa, exponent = (int(part) for part in end.man_exp())
    return mantissa, exponent


def _as_ball(ends: Ends) -> Any:
    from flint import arb

    low, high = (arb(mantissa) * arb(2) ** exponent for mantissa, exponent in (ends[:2], ends[2:]))
    return low.union(high)


def _asked(
    target: Target, chances: _Chances, datasets: Iterable[Any], isolation: Isolation, call_timeout: float
) -> Iterator[Any]:
    """The probability of failing on each dataset, a ball, asked where a hang or an end harms nothing here."""
    waiting, size = iter(datasets), 1
    runner = Executor(1, isolation).runner(Target(chances, True, target.name), [], call_timeout=call_timeout)
    try:
        while some := list(islice(waiting, size)):
            runner.serve([some])
            try:
                given = runner.run([Request(0, 1, SeedSequence(0))])[0]
            except LearnerDied as error:
                raise LearnerDied(f"In its distribution {str(error).partition(' in call ')[0].rstrip('.')}.") from error
            yield from map(_as_ball, _checked(given.values[0], len(some)))
            size = int(
                np.clip(size * SECONDS_A_MESSAGE / max(given.seconds, 1e-9), 1, min(4 * size, SAMPLES_A_MESSAGE))
            )
    finally:
        runner.close()


def _checked(value: Any, count: int) -> Sequence[Ends]:
    """Probabilities that came from where the learner runs, which may have sent anything.

    Raises
    ------
    LearnerDied
        When it raised, or they are none.
    """
    if isinstance(value, Raised):
        raise LearnerDied(f"Its distribution raised {value.kind}: {value.message}")
    try:
        rows = read_plain(value) if isinstance(value, bytes) else None
    except NotPlain:
        rows = None
    if type(rows) is not list or len(rows) != count or not all(map(_are_ends, rows)):
        raise LearnerDied("Its distribution gives what cannot be read here.")
    return rows


def _are_ends(row: Any) -> bool:
    return type(row) is tuple and len(row) == 4 and all(type(part) is int for part in row)


def _summed(name: str, table: FiniteDistribution, sizes: Mapping[str, int], every: int, chances: Any) -> Enclosure:
    """The sum over all samples; ``every`` so many the order is turned round as well, 0: never."""
    from flint import arb, ctx

    def turns(place: int) -> bool:
        return bool(every) and place % every == 0

    with ctx.workprec(PRECISION):
        samples = _samples(table, sizes)
        whole, weights = arb(0), []

        def datasets() -> Iterator[Any]:
            for place, (dataset, weight) in enumerate(samples):
                weights.append(weight)
                yield dataset
                if turns(place):
                    yield _turned(dataset)

        found = iter(chances(datasets()))
        for place, ball in enumerate(found):
            whole += weights[place] * ball
            if turns(place) and not ball.overlaps(next(found)):
                raise InvalidArgument(f"learner must not look at the order of records, and {name} does")
        return Enclosure(max(Fraction(0), _end(whole.lower())), min(Fraction(1), _end(whole.upper())))


def _turned(dataset: Any) -> Any:
    """The same records from the last to the first."""
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(private=_turned(dataset.private), public=dataset.public[::-1])
    return Labelled(dataset.x[::-1], dataset.y[::-1])


def _end(ball: Any) -> Fraction:
    mantissa, exponent = _parts(ball)
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def _samples(table: FiniteDistribution, sizes: Mapping[str, int]) -> Iterator[tuple[Any, Any]]:
    """Every dataset with its probability, a ball."""
    size = sizes["private"] if len(sizes) == 2 else next(iter(sizes.values()))
    count = len(table.points)
    public = list(_multisets(table.masses, sizes["public"])) if len(sizes) == 2 else []
    for cells, weight in _multisets(table.cells, size):
        label, place = np.divmod(cells, count)
        private = Labelled(table.points[place], label)
        if not public:
            yield private, weight
        for points, chance in public:
            yield SemiPrivate(private=private, public=table.points[points]), weight * chance


def _multisets(chances: tuple[Fraction, ...], size: int) -> Iterator[tuple[Any, Any]]:
    """The multisets of ``size`` cells: their numbers, each as often as it occurs, and the probability as a ball."""
    from flint import arb, fmpq

    used = [place for place, chance in enumerate(chances) if chance > 0]
    # chance^k / k! for every cell and k, so that a multinomial weight is a product of few balls
    parts = []
    for place in used:
        chance = arb(fmpq(chances[place].numerator, chances[place].denominator))
        powers = [arb(1)]
        for count in range(1, size + 1):
            powers.append(powers[-1] * chance / count)
        parts.append(powers)
    orders = arb(size + 1).gamma()
    for counts in _splits(size, len(used)):
        weight = orders
        for powers, count in zip(parts, counts, strict=True):
            weight *= powers[count]
        yield np.repeat(np.array(used), counts), weight


def _splits(total: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of so many others."""
    if kinds == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _splits(total - first, kinds - 1):
            yield (first, *rest)
