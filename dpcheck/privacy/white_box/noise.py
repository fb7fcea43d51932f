"""Is the noise as it was accounted for: fresh, Gaussian, and large enough in each step and each coordinate?

Under the null hypothesis, what a step adds to a sum is normal in each coordinate, independent of all other coordinates,
steps and runs, with at least the accounted deviation, or on a grid what the discrete Gaussian is. More noise is no
mistake, be it in some steps or in some coordinates alone, so no test takes deviations for equal. The tests share alpha
by Bonferroni's inequality.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

#: More numbers than this say no more of a law, nor of repeats.
MOST_NUMBERS, MOST_COMPARED = 1_000_000, 100_000
#: Lags at which steps, or coordinates, are held against each other.
MOST_LAGS = 2_000
#: Noise on a grid finer than this is as good as continuous; what is rounded; values nearer than this are the same.
FINEST, ROUNDED, SAME = 1e-8, 1e-11, 1e-9
#: So many numbers of one sign are no noise.
ONE_SIGN = 30
#: The median of what is normal, without its sign.
MEDIAN = 0.6745
#: The part of a law that is counted as its tails.
TAILS = 0.05
#: Tests that share alpha.
KINDS = 8


@dataclass(frozen=True)
class Broken:
    """What shows that a premise is broken: in words, with what probability it would happen if it held (0: never).

    ``left`` is the part of the accounted noise that there still is.
    """

    words: str
    p_value: float
    left: float = 0.0


def noise_broken(noise: Floats, alpha: float, precision: float = 0.0) -> Broken | None:
    """What shows first that noise is not as accounted.

    Parameters
    ----------
    noise : array of shape (runs, steps, coordinates)
        In units of the accounted standard deviation.
    alpha : float
        The probability of a false alarm, of all tests together.
    precision : float
        How far numbers may be from what they were before they were rounded, in the same units.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> print(noise_broken(rng.normal(size=(2, 50, 10)), 1e-3))
    None
    >>> noise_broken(0.5 * rng.normal(size=(2, 50, 10)), 1e-3).words
    'the noise is 0.51 times as large as accounted'
    """
    grid = max(grid_of(noise), precision)
    found = _without_noise(noise, grid, alpha / KINDS) or _again(noise, grid, alpha / KINDS)
    if found is not None:
        return found
    if grid > FINEST:  # spread over its cells: more noise, if anything, and none of it is exactly nothing
        noise = noise + grid * default_rng(0).uniform(-0.5, 0.5, size=noise.shape)
    for test in (_signs, _too_small, _step_too_small, _coordinate_too_small):
        found = test(noise, alpha / KINDS)
        if found is not None:
            return found
    return None if grid > FINEST else _other_law(noise, alpha / KINDS)


def least_noise_seen(count: int, alpha: float) -> float:
    """The largest part of the accounted deviation that so many numbers show too small with probability 0.95.

    >>> round(least_noise_seen(1000, 1e-3), 2)
    0.89
    """
    bar = stats.chi2.ppf(alpha / KINDS, count)
    return math.sqrt(float(bar / stats.chi2.ppf(0.95, count)))


def grid_of(noise: Floats) -> float:
    """The distance of the points of a grid that all numbers are on; 0 where there is none to speak of.

    >>> grid_of(np.array([[[0.5, -1.5, 2.0]]])), grid_of(np.random.default_rng(0).normal(size=(1, 5, 5)))
    (0.5, 0.0)
    >>> grid_of(np.array([[[1.0, 0.0, 1.0]]])), grid_of(np.array([[[1.0, 1.0, 1.0]]]))
    (1.0, 0.0)
    """
    numbers = np.unique(np.abs(noise.ravel()[:MOST_COMPARED]))
    numbers = numbers[numbers > FINEST]
    if len(numbers) == 1:  # a few numbers on a coarse grid may be all 0 and 1, but hardly many of them of one sign
        signs = np.sign(noise.ravel()[:MOST_COMPARED])
        few = min(int((signs > 0.0).sum()), int((signs < 0.0).sum())) > 0 or int((signs != 0.0).sum()) <= ONE_SIGN
        return float(numbers[0]) if few and not signs.all() else 0.0
    if not len(numbers):
        return 0.0
    divisor = float(numbers[0])
    for number in numbers[1:].tolist():
        divisor = _divisor(number, divisor)
        if divisor <= FINEST:
            return 0.0
        divisor = number / round(number / divisor)  # the largest number so far knows it best
    return divisor


def _divisor(one: float, other: float) -> float:
    """The greatest common divisor, but for rounding; 0 where it is finer than any grid to speak of."""
    while other > ROUNDED * max(one, 1.0):
        rest = math.fmod(one, other)
        one, other = other, min(rest, other - rest)
    return one if one > FINEST else 0.0


def _without_noise(noise: Floats, grid: float, alpha: float) -> Broken | None:
    """Numbers without any noise: never, if it is continuous, and as often as one cell of the grid, if not."""
    silent = noise == 0.0
    count = int(silent.sum())
    if not count:
        return None
    if silent.all():
        return Broken("there is no noise", 0.0)
    expected = noise.size * min(1.0, grid / math.sqrt(2.0 * math.pi))
    p_value = float(stats.poisson.sf(count - 1, expected)) if expected else 0.0
    if p_value > alpha:
        return None
    steps, coordinates = silent.all(axis=2).any(axis=0), silent.all(axis=(0, 1))
    if steps.any() and grid <= FINEST:
        places = np.flatnonzero(steps)
        which = "the last step has" if places.tolist() == [noise.shape[1] - 1] else f"{_places('step', places)} have"
        return Broken(f"{which} no noise", p_value)
    if coordinates.any():
        return Broken(f"{_places('coordinate', np.flatnonzero(coordinates))} have no noise", p_value)
    return Broken(f"{count:,} of {noise.size:,} numbers have no noise", p_value)


def _places(what: str, places: NDArray[np.intp]) -> str:
    if len(places) == 1:
        return f"{what} {places[0] + 1:,} and no other"
    return f"{len(places):,} {what}s (the first: {places[0] + 1:,})"


def _again(noise: Floats, grid: float, alpha: float) -> Broken | None:
    """The same number, or the same with the other sign, twice: noise of a continuous law does not repeat.

    Of n numbers with a density of at most d each, at most n^2 d w / 2 pairs are expected to be nearer than w; how many
    are is no more than a Poisson number of them (each number has its nearest neighbour counted once).
    """
    runs, _, coordinates = noise.shape
    share = max(1, MOST_COMPARED // (runs * coordinates))
    numbers = np.abs(noise[:, :share]).ravel()
    near = max(SAME, 4.0 * grid)
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    close = np.flatnonzero((np.diff(ordered) <= near) & (ordered[1:] > 0.0))
    # less noise than accounted lies closer together, and is to be named as that
    scale = min(1.0, float(np.median(numbers)) / MEDIAN)
    if scale <= 0.0:
        return None
    expected = numbers.size**2 * (near + grid) / scale * math.sqrt(2.0 / math.pi) / 2.0
    if not len(close) or expected > 0.05 * numbers.size:
        return None
    p_value = float(stats.poisson.sf(len(close) - 1, expected))
    if p_value > alpha:
        return None
    one, other = (
        np.unravel_index(order[close], noise[:, :share].shape),
        np.unravel_index(order[close + 1], noise[:, :share].shape),
    )
    return Broken(_where_again(one, other, noise.shape), p_value)


def _where_again(one: tuple[NDArray[np.intp], ...], other: tuple[NDArray[np.intp], ...], shape: tuple[int, ...]) -> str:
    """What most pairs of the same numbers have in common."""
    same = [first == second for first, second in zip(one, other, strict=True)]
    runs = ~same[0] & same[1] & same[2]
    steps, coordinates = same[0] & ~same[1] & same[2], same[0] & same[1] & ~same[2]
    counts = [int(each.sum()) for each in (runs, steps, coordinates)]
    if max(counts) < 0.5 * len(same[0]):
        return "the same noise comes again"
    if counts[0] == max(counts):
        return "two runs with different seeds have the same noise"
    if counts[2] == max(counts):
        return "coordinates share their noise"
    lags = np.abs(one[1] - other[1])[steps]
    lag = int(np.bincount(lags).argmax())
    if (lags == lag).mean() > 0.5 and steps.sum() > 2 * shape[2]:
        return f"the noise comes again after {lag:,} step{'s' if lag > 1 else ''}"
    place = int(np.flatnonzero(steps)[0])
    first, second = sorted((int(one[1][place]) + 1, int(other[1][place]) + 1))
    return f"step {first:,} and step {second:,} have the same noise"


def _signs(noise: Floats, alpha: float) -> Broken | None:
    """Signs agree by coins, whatever the deviations: between runs, between steps, between coordinates."""
    signs = np.sign(noise)
    runs, steps, coordinates = noise.shape
    for other in range(1, runs):
        words = "two runs with different seeds have noise of the same signs"
        broken = _agree(words, signs[0], signs[other], alpha / 3 / (runs - 1))
        if broken is not None:
            return broken
    for axis, length, words in ((1, steps, "steps"), (2, coordinates, "coordinates")):
        lags = min(length - 1, MOST_LAGS, max(1, 50 * MOST_NUMBERS // noise.size))
        for lag in range(1, lags + 1):
            first = np.flatnonzero(np.arange(length) // lag % 2 == 0)
            first = first[first + lag < length]
            broken = _agree(
                f"{words} that are {lag:,} apart have noise of the same signs",
                signs.take(first, axis=axis),
                signs.take(first + lag, axis=axis),
                alpha / 3 / lags,
            )
            if broken is not None:
                return broken
    return None


def _agree(words: str, left: Floats, right: Floats, alpha: float) -> Broken | None:
    product = left * right
    agree, count = int((product > 0.0).sum()), int((product != 0.0).sum())
    p_value = 2.0 * float(stats.binom.sf(max(agree, count - agree) - 1, count, 0.5))
    return Broken(f"{words} ({agree:,} of {count:,})", p_value) if p_value <= alpha else None


def _too_small(noise: Floats, alpha: float) -> Broken | None:
    p_value = float(stats.chi2.cdf((noise**2).sum(), noise.size))
    if p_value > alpha:
        return None
    return Broken(f"the noise is {_size(noise):.2g} times as large as accounted", p_value, _size(noise))


def _step_too_small(noise: Floats, alpha: float) -> Broken | None:
    """Each step of each run by itself."""
    runs, steps, coordinates = noise.shape
    p_values = stats.chi2.cdf((noise**2).sum(axis=2), coordinates)
    run, step = np.unravel_index(int(np.argmin(p_values)), p_values.shape)
    p_value = min(1.0, runs * steps * float(p_values[run, step]))
    if p_value > alpha:
        return None
    part = _size(noise[run, step])
    return Broken(f"the noise of step {step + 1:,} is {part:.2g} times as large as accounted", p_value, part)


def _coordinate_too_small(noise: Floats, alpha: float) -> Broken | None:
    """Each coordinate over all steps."""
    runs, steps, coordinates = noise.shape
    p_values = stats.chi2.cdf((noise**2).sum(axis=(0, 1)), runs * steps)
    place = int(np.argmin(p_values))
    p_value = min(1.0, coordinates * float(p_values[place]))
    if p_value > alpha:
        return None
    part = _size(noise[:, :, place])
    return Broken(f"the noise of coordinate {place + 1:,} is {part:.2g} times as large as accounted", p_value, part)


def _other_law(noise: Floats, alpha: float) -> Broken | None:
    """Nearer to nothing, somewhere, than normal noise is: one with more deviation, or with more added, is not."""
    ranks = 2.0 * stats.norm.cdf(np.abs(noise.ravel()[:MOST_NUMBERS])) - 1.0
    far = int((ranks > 1.0 - TAILS).sum())
    few = float(stats.binom.cdf(far, ranks.size, TAILS))
    p_value = min(1.0, 2.0 * min(few, float(stats.kstest(ranks, "uniform", alternative="greater").pvalue)))
    return Broken("the noise is not Gaussian", p_value, 1.0) if p_value <= alpha else None


def _size(noise: Floats) -> float:
    return math.sqrt(float(np.mean(noise**2)))
