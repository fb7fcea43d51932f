"""Is the noise as it was accounted for: fresh, Gaussian, and large enough in each step and each coordinate?

Under the null hypothesis, what a step adds to a sum is normal with the accounted deviation in each coordinate,
independent of all other coordinates, steps and runs. Each test below is exact: its p-value is uniform, or larger. They
share alpha by Bonferroni's inequality.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

#: More numbers than this say no more of a law.
MOST_NUMBERS = 1_000_000
#: Steps of which each is held against each other.
MOST_STEPS_IN_PAIRS = 3_000
#: Fewer different numbers than this part of them come from a grid.
CONTINUOUS = 0.9
#: The part of a law that is counted as its tails; a level at which deviations seem unequal.
TAILS, UNEQUAL = 0.05, 0.05
#: Tests that share alpha.
KINDS = 6


@dataclass(frozen=True)
class Broken:
    """What shows that a premise is broken: in words, with what probability it would happen if it held (0: never).

    ``left`` is the part of the accounted noise that there still is.
    """

    words: str
    p_value: float
    left: float = 0.0


def noise_broken(noise: Floats, alpha: float) -> Broken | None:
    """What shows first that noise is not as accounted.

    Parameters
    ----------
    noise : array of shape (runs, steps, coordinates)
        In units of the accounted standard deviation.
    alpha : float
        The probability of a false alarm, of all tests together.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> print(noise_broken(rng.normal(size=(2, 50, 10)), 1e-3))
    None
    >>> noise_broken(0.5 * rng.normal(size=(2, 50, 10)), 1e-3).words
    'the noise is 0.51 times as large as accounted'
    """
    for test in (_copied, _without_noise, _too_small, _step_too_small, _coordinate_too_small, _other_law):
        found = test(noise, alpha / KINDS)
        if found is not None:
            return found
    return None


def least_noise_seen(count: int, alpha: float) -> float:
    """The largest part of the accounted deviation that so many numbers show too small with probability 0.95.

    >>> round(least_noise_seen(1000, 1e-3), 2)
    0.89
    """
    bar = stats.chi2.ppf(alpha / KINDS, count)
    return math.sqrt(float(bar / stats.chi2.ppf(0.95, count)))


def _copied(noise: Floats, alpha: float) -> Broken | None:
    """Noise that repeats: in two runs, in two steps, one coordinate as the other."""
    runs, _, coordinates = noise.shape
    for other in range(1, runs):
        broken = _correlated(
            "two runs with different seeds have the same noise",
            *_angle(noise[0], noise[other]),
            noise[0].size,
            alpha / 4 / (runs - 1),
        )
        if broken is not None:
            return broken
    if coordinates > 1:
        even = coordinates // 2 * 2
        left, right = noise[:, :, 0:even:2], noise[:, :, 1:even:2]
        broken = _correlated("neighbouring coordinates share their noise", *_angle(left, right), left.size, alpha / 4)
        if broken is not None:
            return broken
    rows = noise[:, : MOST_STEPS_IN_PAIRS // runs].reshape(-1, coordinates)
    products = rows @ rows.T
    return (
        _repeated(products, runs, coordinates, alpha / 4, least=0.9)
        or _two_steps(products, runs, coordinates, alpha / 4)
        or _repeated(products, runs, coordinates, alpha / 4)
    )


def _angle(left: Floats, right: Floats) -> tuple[float, float]:
    """The inner product, and the product of the lengths."""
    one, other = left.ravel(), right.ravel()
    return float(one @ other), float(np.linalg.norm(one)) * float(np.linalg.norm(other))


def _correlated(words: str, product: float, lengths: float, count: int, alpha: float) -> Broken | None:
    """The squared cosine of two independent normal vectors of n numbers has the law Beta(1/2, (n - 1)/2)."""
    if count < 2 or lengths == 0.0:
        return None
    cosine = product / lengths
    p_value = float(_law_of_cosine(cosine, count))
    return Broken(f"{words} (correlation {cosine:.3g})", p_value) if p_value <= alpha else None


def _law_of_cosine(cosine: float, count: int) -> float:
    return float(stats.beta.sf(min(cosine**2, 1.0), 0.5, 0.5 * (count - 1)))


def _repeated(products: Floats, runs: int, coordinates: int, alpha: float, *, least: float = 0.0) -> Broken | None:
    """Noise that comes again after a number of steps; of each run pairs of steps that share none are taken.

    ``least`` is the least correlation that is told.
    """
    steps = len(products) // runs
    within = products.reshape(runs, steps, runs, steps)[np.arange(runs), :, np.arange(runs), :]
    squares = np.diagonal(within, axis1=1, axis2=2)
    for lag in range(1, steps):
        first = np.flatnonzero(np.arange(steps) // lag % 2 == 0)
        first = first[first + lag < steps]
        lengths = math.sqrt(float(squares[:, first].sum()) * float(squares[:, first + lag].sum()))
        product = float(within[:, first, first + lag].sum())
        if abs(product) < least * lengths:
            continue
        broken = _correlated(
            f"the noise comes again after {lag:,} step{'s' if lag > 1 else ''}",
            product,
            lengths,
            runs * len(first) * coordinates,
            alpha / (steps - 1),
        )
        if broken is not None:
            return broken
    return None


def _two_steps(products: Floats, runs: int, coordinates: int, alpha: float) -> Broken | None:
    """Any two steps, of whichever runs, whose noise is the same."""
    lengths = np.sqrt(np.diagonal(products))
    if coordinates < 2 or len(products) < 2:
        return None
    scale = np.where(lengths > 0.0, lengths, np.inf)
    cosines = np.triu(products / scale[:, None] / scale, 1)
    one, other = (int(place) for place in np.unravel_index(int(np.argmax(np.abs(cosines))), cosines.shape))
    cosine, steps = float(cosines[one, other]), len(products) // runs
    pairs = len(lengths) * (len(lengths) - 1) / 2
    p_value = min(1.0, pairs * _law_of_cosine(cosine, coordinates))
    if p_value > alpha:
        return None
    names = [
        f"step {place % steps + 1:,}" + (f" of run {place // steps + 1}" if runs > 1 else "") for place in (one, other)
    ]
    return Broken(f"{names[0]} and {names[1]} have the same noise (correlation {cosine:.3g})", p_value)


def _without_noise(noise: Floats, alpha: float) -> Broken | None:
    """Steps or coordinates that have none at all."""
    silent = np.abs(noise).max(axis=2) == 0.0
    if silent.all():
        return Broken("there is no noise", 0.0)
    if silent.any():
        steps = np.flatnonzero(silent.any(axis=0))
        which = "the last step has" if steps.tolist() == [noise.shape[1] - 1] else f"{_places('step', steps)} have"
        return Broken(f"{which} no noise", 0.0)
    still = np.abs(noise).max(axis=(0, 1)) == 0.0
    if still.any():
        return Broken(f"{_places('coordinate', np.flatnonzero(still))} have no noise", 0.0)
    return None


def _places(what: str, places: NDArray[np.intp]) -> str:
    if len(places) == 1:
        return f"{what} {places[0] + 1:,} and no other"
    return f"{len(places):,} {what}s (the first: {places[0] + 1:,})"


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
    """Not normal, whatever the deviation, be it another one in each step or another one in each coordinate.

    More noise than accounted in some steps, or some coordinates, is no mistake: so rows are coordinates where steps
    have the same deviation, and steps must say the same where they have not.
    """
    runs, steps, coordinates = noise.shape
    views = [noise.reshape(runs * steps, coordinates), noise.transpose(0, 2, 1).reshape(runs * coordinates, steps)]
    rows, others = sorted((view for view in views), key=lambda view: view.shape[1], reverse=True)
    if rows.shape[1] < 2:
        return None
    p_value = _p_value_of_law(rows)
    if p_value <= alpha and _unequal(rows):
        p_value = max(p_value, _p_value_of_law(others) if others.shape[1] > 1 else 1.0)
    return Broken("the noise is not Gaussian", p_value, 1.0) if p_value <= alpha else None


def _unequal(rows: Floats) -> bool:
    """Whether places in rows seem to differ in their deviation, beyond what rows differ by."""
    squares = rows**2 / np.mean(rows**2, axis=1, keepdims=True)
    sums = squares.sum(axis=0)
    tails = np.minimum(stats.chi2.cdf(sums, len(rows)), stats.chi2.sf(sums, len(rows)))
    return bool(2.0 * len(sums) * tails.min() < UNEQUAL)


def _p_value_of_law(rows: Floats) -> float:
    """Rows of normal numbers of the same deviation, each row with one of its own.

    Each number over the root mean square of those after it: these ratios are independent of each other, with Student's
    law of n - 1, n - 2, ... degrees of freedom.
    """
    rows = rows[: max(1, MOST_NUMBERS // rows.shape[1])]
    # noise on a grid (the discrete Gaussian) is no continuous law, and as good
    if len(np.unique(rows)) < CONTINUOUS * rows.size:
        return 1.0
    after = np.cumsum(rows[:, :0:-1] ** 2, axis=1)[:, ::-1]
    degrees = np.arange(rows.shape[1] - 1, 0, -1)
    ranks = stats.t.cdf(rows[:, :-1] / np.sqrt(after / degrees), degrees)
    count = int((np.abs(ranks - 0.5) > 0.5 * (1.0 - TAILS)).sum())
    tails = 2.0 * min(stats.binom.cdf(count, ranks.size, TAILS), stats.binom.sf(count - 1, ranks.size, TAILS))
    return min(1.0, 2.0 * min(float(tails), float(stats.kstest(ranks.ravel(), "uniform").pvalue)))


def _size(noise: Floats) -> float:
    return math.sqrt(float(np.mean(noise**2)))
