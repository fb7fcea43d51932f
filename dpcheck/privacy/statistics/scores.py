"""Scores of outputs with many coordinates: learned log-odds that the coin chose D.

A closed-form linear discriminant always; boosted trees of depth 3, where scikit-learn is installed, on the first part
of the past (a second or two in all).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Past outputs beyond this many make boosting dearer than what it still learns from them.
BOOSTING_LIMIT = 5_000
#: Below this many past outputs trees have nothing to split on (their leaves need 10).
BOOSTING_START = 60
#: In spreads: a value farther out counts as this far, so that a few huge ones do not rule the covariance.
FAR = 20.0
#: Added to the variances (of coordinates of spread 1), so that coordinates that move together can be told apart.
RIDGE = 1e-3
#: Steps of Newton's method, which few fits need.
NEWTON_STEPS = 12


class Score(Protocol):
    """A learned function of the coordinates."""

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds that D was drawn, per row of ``columns`` (n, d)."""
        ...


@dataclass(frozen=True)
class LinearScore:
    """A linear discriminant on coordinates brought to one size (NaN counts as the middle, far values as 20 spreads)."""

    centre: Floats
    spread: Floats
    slope: Floats
    offset: float

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds, per row; coordinates beyond those it was fitted to are not looked at."""
        width = min(columns.shape[1], len(self.centre))
        sized = brought_to_size(columns[:, :width], self.centre[:width], self.spread[:width])
        return np.asarray(sized @ self.slope[:width] + self.offset)


def brought_to_size(columns: Floats, centre: Floats, spread: Floats) -> Floats:
    """Coordinates in spreads from their middles; NaN counts as the middle, far values as :data:`FAR` spreads.

    >>> brought_to_size(np.array([[3.0, np.nan], [1e9, 2.0]]), np.ones(2), np.full(2, 2.0)).tolist()
    [[1.0, 0.0], [20.0, 0.5]]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        sized = (columns - centre) / spread
    return np.clip(np.where(np.isnan(sized), 0.0, sized), -FAR, FAR)


@dataclass(frozen=True)
class BoostedScore:
    """Boosted trees of scikit-learn."""

    model: Any
    width: int
    past: int

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds, per row."""
        padded = np.full((len(columns), self.width), np.nan)
        padded[:, : min(columns.shape[1], self.width)] = columns[:, : self.width]
        with one_thread():
            return np.asarray(self.model.decision_function(padded), dtype=np.float64)


def one_thread() -> AbstractContextManager[object]:
    """One thread for scikit-learn: its threads wait for each other, which on a busy machine costs fifty times more."""
    limits: AbstractContextManager[object] = _threads().limit(limits=1)
    return limits


@cache
def _threads() -> Any:
    """The thread pools of this process; looking for them costs as much as fitting, and they stay once loaded."""
    import sklearn.ensemble  # noqa: F401  # loads them
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@cache
def boosting_installed() -> bool:
    """Whether scikit-learn is there for boosted trees."""
    return find_spec("sklearn") is not None


def score_names(boosted: bool) -> tuple[str, ...]:
    """The scores that a bank has: fixed before the first call."""
    return ("a linear score", "boosted trees") if boosted and boosting_installed() else ("a linear score",)


def fit_scores(
    columns: Floats,
    coins: NDArray[np.int8],
    *,
    boosted: bool,
    known: tuple[Score, ...] = (),
    most: int = BOOSTING_LIMIT,
) -> tuple[Score, ...]:
    """Fit every score of :func:`score_names` to past outputs, in that order (fewer while there is too little past).

    Trees see the first ``most`` outputs; once they have, the ones that are ``known`` stay.
    """
    left = int(coins.sum())
    if min(left, len(coins) - left) < 5:
        return ()
    linear = fit_linear(columns, coins)
    if not (boosted and boosting_installed()) or len(coins) < BOOSTING_START:
        return (linear,)
    if len(known) == 2 and isinstance(known[1], BoostedScore) and known[1].past == most:
        return linear, known[1]
    return linear, fit_boosted(columns[:most], coins[:most])


def sizes_of(columns: Floats) -> tuple[Floats, Floats]:
    """The median of each coordinate, and how far the nearest three quarters of its values lie from it at most.

    >>> sizes_of(np.array([[1.0], [2.0], [3.0], [np.nan], [1e9]]))
    (array([2.5]), array([...]))
    """
    finite = np.where(np.isfinite(columns), columns, np.nan)
    known = np.isfinite(finite).any(axis=0)
    some = np.where(known, finite, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):  # the middle of two huge values is infinite, and so are the gaps
        # of columns in one piece, and not looking for what is not there where all is: a tenth of the time
        whole = not np.isnan(some).any()
        some = np.ascontiguousarray(some.T)
        centre = np.median(some, axis=1) if whole else np.nanmedian(some, axis=1)
        gaps = np.abs(some - centre[:, None])
        whole = whole and not np.isnan(gaps).any()
        spread = np.quantile(gaps, 0.75, axis=1) if whole else np.nanquantile(gaps, 0.75, axis=1)
        # where most values are the same, the size of the others
        spread = np.where(spread > 0, spread, np.nanmax(gaps, axis=1, initial=0.0))
    spread = np.where((spread > 0) & np.isfinite(spread), spread, 1.0)
    return centre, spread


def fit_linear(columns: Floats, coins: NDArray[np.int8]) -> LinearScore:
    """A ridge-regularised linear discriminant, in closed form.

    Examples
    --------
    >>> rng = np.random.default_rng(0); coins = rng.integers(0, 2, 500).astype(np.int8)
    >>> columns = rng.normal(size=(500, 3)) + coins[:, None]
    >>> bool(np.corrcoef(fit_linear(columns, coins).log_odds(columns), coins)[0, 1] > 0.5)
    True
    """
    centre, spread = sizes_of(columns)
    sized = brought_to_size(columns, centre, spread)
    mean_left, mean_right = sized[coins == 1].mean(axis=0), sized[coins == 0].mean(axis=0)
    rest = sized - np.where(coins[:, None] == 1, mean_left, mean_right)
    covariance = rest.T @ rest / len(sized) + RIDGE * np.eye(sized.shape[1])
    slope = np.linalg.solve(covariance, mean_left - mean_right)
    offset = -0.5 * float(slope @ (mean_left + mean_right))
    return LinearScore(centre, spread, slope, offset)


def fit_logistic(features: Floats, coins: NDArray[Any], penalty: float, times: Floats | float = 1.0) -> Floats:
    """Ridge-regularised logistic regression, by Newton's method: the constant, then the slope of each feature.

    Parameters
    ----------
    features : shape (n, f), of size 1 each
    coins : shape (n,), how many of the outputs of a row came of D
    penalty : float, of a squared coefficient
    times : shape (n,), how many outputs a row stands for
    """
    sized = np.column_stack([np.ones(len(features)), features])
    slope = np.zeros(sized.shape[1])
    for _ in range(NEWTON_STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(sized @ slope, -30.0, 30.0)))
        hessian = sized.T @ (sized * (times * p * (1.0 - p))[:, None]) + penalty * np.eye(len(slope))
        step = np.linalg.solve(hessian, sized.T @ (coins - times * p) - penalty * slope)
        slope = slope + step
        if float(np.abs(step).max()) < 1e-5:
            break
    return slope


def fit_boosted(columns: Floats, coins: NDArray[np.int8]) -> BoostedScore:
    """Boosted trees of depth 3."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_depth=3, max_iter=40, learning_rate=0.2, min_samples_leaf=10, early_stopping=False, random_state=0
    )
    numbers = np.isfinite(columns)
    # a column without any number has no thresholds, which scikit-learn 1.9 looks for all the same: it is made constant
    missing = np.where(numbers.any(axis=0), np.nan, 0.0)
    with one_thread():
        model.fit(np.where(numbers, columns, missing), coins)
    return BoostedScore(model, columns.shape[1], len(coins))
