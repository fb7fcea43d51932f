"""Two-sided enclosures of privacy curves: what `accounting_compared.py` holds accountants against.

A curve is delta at epsilon, of a list of steps, for one ordered pair of laws. Three ways, by what the steps are:

* closed forms: one step, or Gaussian steps alone (their losses add up to a normal law);
* lattices: losses that are multiples of one number are convolved as they are;
* else losses are rounded to a grid, once all up and once all down. delta is E (1 - e^(epsilon - L))+, which grows in L,
  and losses of steps add up (Dwork & Rothblum 2016; Sommer, Meiser & Mohammadi 2019), so the truth lies between.

**What else could be wrong is bounded and added.** Losses above the grid's end count as infinite in the upper bound, as
none in the lower. Laws are tilted by e^(theta L) before they are convolved by FFT, which makes small deltas as exact as
large ones: an error of the transform is as small beside the tilted mass near epsilon. Its norm is at most `FFT_ERROR`
log2(N) u (n |x| + 2 |y|) (Higham 2002, theorem 24.2, with n powers), by Cauchy and Schwarz that of the sum is at most
it times the norm of the weights. What a transform wraps round its end is bounded by Chernoff's inequality. Values of
special functions are trusted to `TRUSTED`, relatively.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from accounting_compared_laws import AtomLoss, Floats, GaussianLoss, Loss
from scipy import fft, optimize

#: Trusted, relatively: normal tails, exponentials and sums of doubles.
TRUSTED = 1e-8
#: The constant of the transform's error: Higham's is (mu + gamma_4 (sqrt(2) + mu)) / u, below 8; three transforms'
#: worth.
FFT_ERROR = 24.0
#: The most points of a grid; and those of the coarse one, by which windows are chosen.
POINTS, COARSE = 2**22, 2**13
#: Probability that a sum of losses leaves the window; of its tilted law; and of what is beyond the ends of all steps.
_OUTSIDE, _OUTSIDE_TILTED, _BEYOND = 1e-24, 1e-12, 1e-16
#: delta at which the tilt is best.
_TILTED_TO = 1e-3
#: Halvings of a bracket for epsilon.
_HALVINGS = 60
LARGEST_EPSILON = 2000.0
#: The coarse grid is even below this loss, and geometric above it.
_FINE = 1e-3
#: Orders at which Chernoff's bound is tried.
_ORDERS = np.logspace(-4, 3.5, 100)

#: Steps of one kind, and how many of them.
Steps = tuple[tuple[Loss, int], ...]


class Curve(Protocol):
    """Bounds of delta at an epsilon, and how they were had."""

    @property
    def way(self) -> str:
        """closed form, lattice or grid."""
        ...

    def low(self, epsilon: float) -> float:
        """At most the truth."""
        ...

    def high(self, epsilon: float) -> float:
        """At least the truth."""
        ...


@dataclass(frozen=True)
class ClosedForm:
    """The curve of a single step that has a formula."""

    step: GaussianLoss | AtomLoss
    way: str = "closed form"

    def low(self, epsilon: float) -> float:
        """The formula, less what is trusted."""
        return max(0.0, self.step.delta(epsilon) * (1 - TRUSTED) - 1e-16 * TRUSTED)

    def high(self, epsilon: float) -> float:
        """The formula, and what is trusted."""
        return min(
            1.0, self.step.delta(epsilon) * (1 + TRUSTED) + getattr(self.step, "infinite", 0.0) + 1e-16 * TRUSTED
        )


@dataclass(frozen=True)
class Composed:
    """The sum of losses on a grid, tilted and scaled: probability of ``losses[i]`` is ``mass[i] exp(scale - tilt l)``.

    ``infinite`` is the probability of an infinite loss, ``error`` the norm of the transform's error in ``mass``,
    ``wrapped`` what may have come round the grid's end, in ``mass``.
    """

    first: float
    width: float
    mass: Floats
    tail: Floats
    other_tail: Floats
    scale: float
    tilt: float
    infinite: float
    error: float
    wrapped: float

    def bounds(self, epsilon: float) -> tuple[float, float]:
        """delta of the law on the grid, from both sides."""
        place = max(0, math.floor((epsilon - self.first) / self.width) + 1)
        if place >= len(self.mass):
            return self.infinite, self.infinite + math.exp(min(0.0, self.scale - self.tilt * epsilon)) * self.wrapped
        start = self.first + self.width * place
        weight = math.exp(min(700.0, self.scale - self.tilt * start))
        found = self.tail[place] - math.exp(min(0.0, epsilon - start)) * self.other_tail[place]
        norm = math.sqrt(1 / -math.expm1(-2 * self.tilt * self.width)) if self.tilt else math.sqrt(len(self.mass))
        unsure = weight * (self.error * norm + self.wrapped)
        return max(0.0, weight * found - unsure) + self.infinite, weight * found + unsure + self.infinite


@dataclass(frozen=True)
class Grid:
    """Losses rounded down and up."""

    down: Composed
    up: Composed
    way: str

    def low(self, epsilon: float) -> float:
        """That of losses rounded down."""
        return self.down.bounds(epsilon)[0] * (1 - TRUSTED)

    def high(self, epsilon: float) -> float:
        """That of losses rounded up."""
        return min(1.0, self.up.bounds(epsilon)[1] * (1 + TRUSTED))


@dataclass(frozen=True)
class Worst:
    """The largest of several curves: those of a pair of laws and its reverse."""

    curves: tuple[Curve, ...]

    @property
    def way(self) -> str:
        """As its curves."""
        return self.curves[0].way

    def low(self, epsilon: float) -> float:
        """The largest lower bound."""
        return max(curve.low(epsilon) for curve in self.curves)

    def high(self, epsilon: float) -> float:
        """The largest upper bound."""
        return max(curve.high(epsilon) for curve in self.curves)


def epsilon_bounds(curve: Curve, delta: float) -> tuple[float, float]:
    """The smallest epsilon at a delta, from both sides; inf where no epsilon below the largest has it."""
    high = _smallest(curve, delta)
    if high == 0.0:
        return 0.0, 0.0
    # far from the tilt the lower bound is not sharp: it is looked for below the upper one, not from 0 on
    top = min(high, LARGEST_EPSILON)
    gap = 1e-9 * top
    while gap < top and not curve.low(top - gap) > delta:
        gap *= 2
    if gap >= top:
        return 0.0, high
    low, above = top - gap, top - gap / 2
    for _ in range(_HALVINGS):
        middle = (low + above) / 2
        low, above = (middle, above) if curve.low(middle) > delta else (low, middle)
    return low, high


def _smallest(curve: Curve, delta: float) -> float:
    """The smallest epsilon whose delta is surely no larger."""
    if curve.high(0.0) <= delta:
        return 0.0
    low, high = 0.0, 1.0
    while curve.high(high) > delta:
        low, high = high, 2 * high
        if high > LARGEST_EPSILON:
            return math.inf
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if curve.high(middle) > delta else (low, middle)
    return high


def curve_of(steps: Steps, points: int = POINTS) -> Curve:
    """The enclosure of the curve of these steps together."""
    if all(isinstance(loss, GaussianLoss) for loss, _ in steps):
        shift = math.sqrt(math.fsum(count * loss.shift**2 for loss, count in steps if isinstance(loss, GaussianLoss)))
        return ClosedForm(GaussianLoss(shift))
    if len(steps) == 1 and steps[0][1] == 1 and hasattr(steps[0][0], "delta"):
        return ClosedForm(steps[0][0])
    return composed(steps, points)


def composed(steps: Steps, points: int = POINTS) -> Grid:
    """Both roundings of the sum of all losses."""
    spacings = {loss.spacing for loss, _ in steps if isinstance(loss, AtomLoss)}
    lattice = all(isinstance(loss, AtomLoss) for loss, _ in steps) and len(spacings) == 1
    coarse = _Coarse.of(steps)
    low, high = coarse.window()
    tilt = coarse.tilt(_TILTED_TO)
    high = max(high, coarse.reach(tilt))
    if lattice:
        width = spacings.pop()
        size = _size(int((high - low) / width) + 64)
    else:
        size = points
        width = (high - low) / (points - 64)
    above = coarse.outside(tilt, (size - 32) * width + low, size * width)
    made = [_sum(steps, width, size, low, tilt, up, above, lattice) for up in (False, True)]
    return Grid(made[0], made[1], "lattice" if lattice else "grid")


def _size(least: int) -> int:
    return int(fft.next_fast_len(max(64, least), real=True))


@dataclass(frozen=True)
class _Coarse:
    """Each step's law on a coarse grid, rounded up, by which windows and tilts are chosen and tails are bounded."""

    laws: tuple[tuple[Floats, Floats, int], ...]

    @staticmethod
    def of(steps: Steps) -> _Coarse:
        made = []
        total = sum(count for _, count in steps)
        for loss, count in steps:
            low, high = ends(loss, _BEYOND / total)
            # finer near 0, where the losses of a sampled step are, than at its ends
            even = np.linspace(np.arcsinh(low / _FINE), np.arcsinh(high / _FINE), COARSE)
            edges = _FINE * np.sinh(even)
            mass = np.concatenate([loss.below(edges[:1]), _between(loss, edges), loss.above(edges[-1:])])
            values = np.concatenate([edges, edges[-1:]])
            atoms = np.array(loss.atoms).reshape(-1, 2)
            made.append((np.concatenate([values, atoms[:, 0]]), np.concatenate([mass, atoms[:, 1]]), count))
        return _Coarse(tuple(made))

    def log_moment(self, order: float) -> float:
        """log E exp(order L) of the sum; of the coarse law, which is the larger one for orders above 0."""
        total = 0.0
        for values, mass, count in self.laws:
            exponents = order * values
            top = float(exponents.max())
            total += count * (top + math.log(float(mass @ np.exp(exponents - top))))
        return total

    def window(self) -> tuple[float, float]:
        """Where the sum of losses is, but for a probability of `_OUTSIDE` on either side."""
        gap = -math.log(_OUTSIDE)
        high = min((self.log_moment(order) + gap) / order for order in _ORDERS)
        low = max(-(self.log_moment(-order) + gap) / order for order in _ORDERS)
        most = math.fsum(count * float(values.max()) for values, _, count in self.laws)
        least = math.fsum(count * float(values.min()) for values, _, count in self.laws)
        return max(low, least), min(high, most)

    def tilt(self, target: float) -> float:
        """The order at which Chernoff's bound is about ``target``."""
        step = 1e-5

        def bound(order: float) -> float:
            here = self.log_moment(order)
            slope = (self.log_moment(order * (1 + step)) - self.log_moment(order * (1 - step))) / (2 * step * order)
            return here - order * slope

        least, most = 1e-4, 400.0
        # a loss that is bounded has its largest value often enough, which no tilt need look for
        aim = max(math.log(target), bound(most) / 2)
        if bound(least) < aim:
            return least
        return float(optimize.brentq(lambda order: bound(order) - aim, least, most, rtol=1e-3))

    def reach(self, tilt: float) -> float:
        """Above it there is no more than `_OUTSIDE_TILTED` of the tilted sum."""
        base, gap = self.log_moment(tilt), -math.log(_OUTSIDE_TILTED)
        most = math.fsum(count * float(values.max()) for values, _, count in self.laws)
        return min(most, *((self.log_moment(tilt + order) - base + gap) / order for order in _ORDERS))

    def outside(self, tilt: float, top: float, period: float) -> float:
        """The tilted probability of what comes round an end of the grid: sums above its top, or a period below 0."""
        base = self.log_moment(tilt)
        most = math.fsum(count * float(values.max()) for values, _, count in self.laws)
        above = -math.inf if most < top else min(self.log_moment(tilt + s) - base - s * top for s in _ORDERS)
        least = math.fsum(count * float(values.min()) for values, _, count in self.laws)
        if least > top - period:
            return math.exp(min(0.0, above))
        below = min(self.log_moment(tilt - s) - base + s * (top - period) for s in _ORDERS)
        return math.exp(min(0.0, above)) + math.exp(min(0.0, below))


def ends(loss: Loss, beyond: float) -> tuple[float, float]:
    """A range that the loss of one step leaves with a probability of at most ``beyond`` on either side."""
    atoms = [value for value, _ in loss.atoms]
    high = low = 1e-3
    while float(loss.above(np.array([high]))[0]) > beyond and high < LARGEST_EPSILON:
        high *= 1.25
    while float(loss.below(np.array([-low]))[0]) > beyond and low < LARGEST_EPSILON:
        low *= 1.25
    return min([-low, *atoms]), max([high, *atoms])


def _between(loss: Loss, edges: Floats) -> Floats:
    """The probabilities between edges, each of that tail's difference which is the smaller."""
    above, below = loss.above(edges), loss.below(edges)
    return np.maximum(0.0, np.where(above[:-1] < below[1:], above[:-1] - above[1:], below[1:] - below[:-1]))


def _sum(
    steps: Steps, width: float, size: int, low: float, tilt: float, up: bool, above: float, lattice: bool
) -> Composed:
    """The sum of the losses of all steps, each rounded to a multiple of the width."""
    product, scale, finite, error = None, 0.0, 0.0, 0.0
    total = sum(count for _, count in steps)
    bits = math.log2(size) * np.finfo(float).eps
    for loss, count in steps:
        places, mass, infinite = rounded(loss, width, up, lattice, _BEYOND / total)
        log_mass = np.log(np.maximum(mass, 1e-300)) + tilt * width * places
        top = float(log_mass.max())
        tilted = np.where(mass > 0, np.exp(log_mass - top), 0.0)
        norm = float(tilted.sum())
        tilted /= norm
        scale += count * (top + math.log(norm))
        finite += count * math.log1p(-min(infinite, 0.5)) if up else 0.0
        wrapped = np.zeros(size)
        np.add.at(wrapped, places % size, tilted)
        error += count * float(np.linalg.norm(wrapped))
        transformed = _power(fft.rfft(wrapped), count)
        product = transformed if product is None else product * transformed
    if product is None:
        raise ValueError("steps must have one at least")
    start = math.floor(low / width) - 8
    found = np.roll(fft.irfft(product, size), -(start % size))
    norm_error = FFT_ERROR * bits * (error + 2 * float(np.linalg.norm(found)) + total * bits)
    losses = width * (start + np.arange(size))
    # seen from each place on: sums of mass exp(-tilt (l - here)), and of the same times exp(-(l - here))
    tail, other = _falling(found, tilt * width), _falling(found, (tilt + 1) * width)
    return Composed(
        float(losses[0]), width, found, tail, other, scale, tilt, -math.expm1(finite) if up else 0.0, norm_error, above
    )


def _falling(mass: Floats, rate: float) -> Floats:
    """sum over j >= i of mass[j] exp(-rate (j - i)), for each i, in blocks whose weights do not underflow."""
    size = len(mass)
    block = max(1, min(size, int(200 / rate))) if rate > 0 else size
    found = np.empty(size)
    after = 0.0
    for start in range((size - 1) // block * block, -1, -block):
        part = mass[start : start + block]
        weights = np.exp(-rate * np.arange(len(part)))
        sums = np.cumsum((part * weights)[::-1])[::-1]
        found[start : start + block] = (sums + after * math.exp(-rate * len(part))) / weights
        after = float(found[start])
    return found


def _power(values: NDArrayComplex, count: int) -> NDArrayComplex:
    """Values to a whole power, by squares: a relative error of at most 3 units of rounding for each factor."""
    found, square = None, values
    while count:
        if count & 1:
            found = square if found is None else found * square
        count >>= 1
        if count:
            square = square * square
    if found is None:
        raise ValueError("count must be at least 1")
    return found


def rounded(loss: Loss, width: float, up: bool, lattice: bool, cut: float) -> tuple[np.ndarray, Floats, float]:
    """A step's law on the multiples of the width: their numbers, their probabilities, and that of an infinite loss."""
    low, high = ends(loss, cut)
    first, last = math.floor(low / width) - 1, math.ceil(high / width) + 1
    places = np.arange(first, last + 1)
    mass = np.zeros(len(places))
    beyond = float(getattr(loss, "infinite", 0.0))
    if not isinstance(loss, AtomLoss):
        edges = width * places
        between = _between(loss, edges)
        if up:
            mass[1:] += between
            mass[0] += float(loss.below(edges[:1])[0])
            beyond += float(loss.above(edges[-1:])[0])
        else:
            mass[:-1] += between
            mass[-1] += float(loss.above(edges[-1:])[0])
    for value, probability in loss.atoms:
        rounding = round if lattice else math.ceil if up else math.floor
        mass[rounding(value / width) - first] += probability
    return places, mass, beyond


NDArrayComplex = np.ndarray[tuple[int], np.dtype[np.complex128]]


def worst(pairs: Sequence[Steps], points: int = POINTS) -> Curve:
    """The largest curve of some ordered pairs."""
    return Worst(tuple(curve_of(steps, points) for steps in pairs))
