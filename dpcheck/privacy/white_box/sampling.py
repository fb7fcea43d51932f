"""Are batches drawn as accounted: each record in each step by a coin of its own?

Under the null hypothesis, record i is in the batch of step t with the accounted probability, independently of all
others. Each test counts events that are then independent coins with a known probability, so that its law is binomial.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from dpcheck.privacy.white_box.noise import Broken

Members = NDArray[np.int32]

#: Batches that are held against each other, and records of them that are looked at for it.
MOST_STEPS, MOST_RECORDS = 2_000, 5_000
#: Records that are held against each other.
MOST_RECORDS_APART = 2_000
#: Tests that share alpha.
KINDS = 6


def members_of(batches: tuple[NDArray[np.intp], ...], size: int) -> Members:
    """How often each record is in each batch, shape (steps, records).

    >>> members_of((np.array([0, 2, 2]), np.array([1])), 3).tolist()
    [[1, 0, 2], [0, 1, 0]]
    """
    found = np.zeros((len(batches), size), dtype=np.int32)
    for row, batch in zip(found, batches, strict=True):
        np.add.at(row, batch, 1)
    return found


def poisson_broken(runs: list[Members], rate: float, alpha: float) -> Broken | None:
    """What shows first that batches are no Poisson samples at this rate.

    Parameters
    ----------
    runs : list of arrays of shape (steps, records)
        How often each was in each batch.
    rate : float
        The accounted sampling rate.
    alpha : float
        The probability of a false alarm, of all tests together.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> drawn = [(rng.random((100, 50)) < 0.1).astype(np.int32) for _ in range(2)]
    >>> print(poisson_broken(drawn, 0.1, 1e-3))
    None
    >>> in_turn = np.tile(np.arange(50) // 5, (100, 1)) == np.arange(100)[:, None] % 10
    >>> poisson_broken([in_turn.astype(np.int32)] * 2, 0.1, 1e-3).words
    'two runs with different seeds have the same batches'
    """
    share = alpha / KINDS
    for run in runs:
        if run.max(initial=0) > 1:
            step, record = (int(place) for place in np.unravel_index(int(run.argmax()), run.shape))
            return Broken(f"record {record + 1:,} is {int(run.max())} times in the batch of step {step + 1:,}", 0.0)
    for other in runs[1:]:
        steps = min(len(runs[0]), len(other))
        left, right = runs[0][:steps], other[:steps]
        both = int((left & right).sum())
        likely = f"where {left.size * rate**2:,.0f} are expected"
        p_value = _above(both, left.size, rate**2) * (len(runs) - 1)
        if p_value <= share:
            same = both == left.sum() == right.sum()
            return Broken(
                "two runs with different seeds have the same batches"
                if same
                else f"in two runs {both:,} records are in the same batch, {likely}",
                p_value,
            )
    for test in (_constant_sizes, _together, _lags, _too_often, _one_too_often):
        found = test(runs, rate, share)
        if found is not None:
            return found
    return None


def _above(count: int, trials: int, rate: float) -> float:
    return float(stats.binom.sf(count - 1, trials, rate))


def _constant_sizes(runs: list[Members], rate: float, alpha: float) -> Broken | None:
    """Two batches are equally large with a probability that is known."""
    records = runs[0].shape[1]
    sizes = [run.sum(axis=1) for run in runs]
    pairs = [(one[0 : len(one) // 2 * 2 : 2], one[1 : len(one) // 2 * 2 : 2]) for one in sizes]
    equal = sum(int((left == right).sum()) for left, right in pairs)
    trials = sum(len(left) for left, _ in pairs)
    likely = float((stats.binom.pmf(np.arange(records + 1), records, rate) ** 2).sum())
    p_value = _above(equal, trials, likely)
    if p_value > alpha:
        return None
    every = np.concatenate(sizes)
    if len(np.unique(every)) == 1:
        again = _in_epochs(runs)
        return Broken(
            f"all batches have {every[0]:,} records"
            + (", and each record comes once in an epoch: they are shuffled, not sampled" if again else ""),
            p_value,
        )
    usual = int(np.bincount(every).argmax())
    return Broken(f"{equal:,} of {trials:,} pairs of batches are equally large (mostly {usual:,} records)", p_value)


def _in_epochs(runs: list[Members]) -> bool:
    """Whether, as long as no record comes twice, all come."""
    seen = np.zeros_like(runs[0][0])
    for row in runs[0]:
        seen += row
        if seen.min() >= 1 or seen.max() > 1:
            break
    return int(seen.min()) == int(seen.max()) == 1


def _together(runs: list[Members], rate: float, alpha: float) -> Broken | None:
    """Records that are so many places apart in the same batches."""
    records = min(runs[0].shape[1], MOST_RECORDS_APART)
    taken = [run[:, :records].astype(np.float32) for run in runs]
    together = np.sum([run.T @ run for run in taken], axis=0)
    steps = sum(len(run) for run in runs)
    for lag in range(1, records):
        first = np.flatnonzero(np.arange(records) // lag % 2 == 0)
        first = first[first + lag < records]
        both, trials = int(together[first, first + lag].sum()), steps * len(first)
        p_value = (records - 1) * _above(both, trials, rate**2)
        if p_value <= alpha:
            apart = "neighbouring records" if lag == 1 else f"records {lag:,} places apart"
            return Broken(f"{apart} come together {both:,} times where {trials * rate**2:,.0f} are expected", p_value)
    return None


def _lags(runs: list[Members], rate: float, alpha: float) -> Broken | None:
    """A record again after a number of steps: too often, or too seldom."""
    steps = min(len(run) for run in runs)
    steps = min(steps, MOST_STEPS)
    taken = [run[:steps, :MOST_RECORDS].astype(np.float32) for run in runs]
    together = np.sum([run @ run.T for run in taken], axis=0)
    for lag in range(1, steps):
        first = np.flatnonzero(np.arange(steps) // lag % 2 == 0)
        first = first[first + lag < steps]
        both = int(together[first, first + lag].sum())
        trials = len(runs) * len(first) * taken[0].shape[1]
        seldom = float(stats.binom.cdf(both, trials, rate**2))
        p_value = 2.0 * (steps - 1) * min(_above(both, trials, rate**2), seldom)
        if p_value <= alpha:
            expected = trials * rate**2
            after = f"after {lag:,} step{'s' if lag > 1 else ''}"
            return Broken(
                f"records come again {after} {both:,} times where {expected:,.0f} are expected: batches depend on "
                "each other",
                p_value,
            )
    return None


def _too_often(runs: list[Members], rate: float, alpha: float) -> Broken | None:
    count, trials = sum(int(run.sum()) for run in runs), sum(run.size for run in runs)
    p_value = _above(count, trials, rate)
    if p_value > alpha:
        return None
    return Broken(f"records are in batches at a rate of {count / trials:.3g}, accounted is {rate:.3g}", p_value)


def _one_too_often(runs: list[Members], rate: float, alpha: float) -> Broken | None:
    """A single record that is in nearly each batch, where the others are not."""
    counts = sum(run.sum(axis=0) for run in runs)
    trials = sum(len(run) for run in runs)
    place = int(np.argmax(counts))
    p_value = min(1.0, runs[0].shape[1] * _above(int(counts[place]), trials, rate))
    if p_value > alpha:
        return None
    return Broken(
        f"record {place + 1:,} is in {int(counts[place]):,} of {trials:,} batches, accounted is {rate:.3g}", p_value
    )


def participations_broken(runs: list[Members], most: int) -> Broken | None:
    """A record that is in more releases than accounted."""
    counts = np.array([run.sum(axis=0) for run in runs])
    run, record = np.unravel_index(int(np.argmax(counts)), counts.shape)
    if counts[run, record] <= most:
        return None
    return Broken(f"record {record + 1:,} is in {int(counts[run, record]):,} releases, accounted are {most:,}", 0.0)
