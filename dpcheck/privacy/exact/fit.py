"""Do calls follow a law that is known? E-processes against every cell of it, against splits of its outputs, together.

The law p of a dataset is known, so no coin is needed: under it a call is in cell y with probability p(y) whatever came
before, and any likelihood ratio of mixtures against p is a martingale of mean 1. Mixtures of Dirichlet laws have
theirs in closed form, a function of the counts alone: so nothing is looped over but datasets. Three kinds of bets,
averaged with weights fixed in advance: every cell of one law; two halves of its outputs, split in ways fixed before
the first call (order, bits, how likely, which of two neighbours they speak for, pseudo-random halves); and the same
splits with one tilt on all datasets together, for what is too small on each.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.exact.output_keys import OfType

Floats = NDArray[np.float64]

#: Concentrations of the Dirichlet laws around p: from alternatives far from it to some a percent away.
CONCENTRATIONS: Floats = np.array([1.0, 8.0, 64.0, 512.0, 4096.0, 32768.0])
#: Tilts (nats) of a split on all datasets together.
TILTS: Floats = np.array([-2.0, -0.7, -0.25, -0.08, -0.03, 0.03, 0.08, 0.25, 0.7, 2.0])
#: Parts of a dataset's evidence: bets on cells around p, on cells anywhere, on splits.
AROUND, ANYWHERE, SPLITS = 0.3, 0.2, 0.5
#: Parts of all evidence: the datasets whose law decides, the others, all together.
DECIDING, OTHERS, TOGETHER = 0.4, 0.35, 0.25
#: Pseudo-random halves, bits of integers and of places, coordinates that are looked at.
RANDOM_HALVES, MOST_BITS, MOST_COORDINATES = 8, 20, 8
#: Outputs in their order are split where these shares of the law lie below.
QUANTILES = (0.05, 0.125, 0.25, 0.5, 0.75, 0.875, 0.95)
#: Nats of evidence at which one dataset of several is said to speak against its law.
SPEAKS = math.log(20.0)
#: Below this a Gamma function's logarithm is that of the reciprocal.
_TINY = 1e-10
#: The probability with which a difference that is called visible is seen, and its normal quantile.
SEEN, _QUANTILE = 0.95, 1.6449


def splits_of(outputs: Sequence[Any]) -> NDArray[np.float32]:
    """Halves of all outputs, shape (splits, outputs) of 0 and 1, chosen from the outputs alone; none is constant.

    Examples
    --------
    >>> splits_of(range(4)).shape[1], bool((splits_of(range(100)) == np.arange(100) % 2).all(axis=1).any())
    (4, True)
    """
    count = len(outputs)
    values = [output.value if isinstance(output, OfType) else output for output in outputs]
    rows: list[NDArray[Any]] = []
    places = np.arange(count)
    ranks = _ranks(values)
    for order in (places, ranks):
        rows += [(order >> bit) & 1 for bit in range(min(MOST_BITS, max(1, (count - 1).bit_length())))]
    rows += _bits(values)
    widths = {len(value) for value in values if isinstance(value, tuple)}
    if len(widths) == 1 and all(isinstance(value, tuple) for value in values):
        for place in range(min(MOST_COORDINATES, widths.pop())):
            parts = [value[place] for value in values]
            parts = [part.value if isinstance(part, OfType) else part for part in parts]
            order = _ranks(parts)
            rows += [order >= count / 2, order & 1, *_bits(parts)[:4]]
    texts = [hashlib.sha256(repr(output).encode("utf-8", "backslashreplace")).digest() for output in outputs]
    digests = np.frombuffer(b"".join(texts), dtype=np.uint8).reshape(count, 32)
    rows += [digests[:, place] & 1 for place in range(RANDOM_HALVES)]
    found = np.array(rows, dtype=np.float32).reshape(-1, count)
    varied = found[(found.min(axis=1) != found.max(axis=1))] if count else found
    return np.unique(np.abs(varied - varied[:, :1]), axis=0)  # a split and its complement are one


def _ranks(values: Sequence[Any]) -> NDArray[np.int64]:
    """Each value's place in their order: of numbers by size, of others by their text; equal values share one."""
    numbers = all(isinstance(value, Real) for value in values)
    keys = list(values) if numbers else [(type(value).__name__, repr(value)) for value in values]
    try:
        known = {key: place for place, key in enumerate(sorted(set(keys)))}
        return np.array([known[key] for key in keys], dtype=np.int64)
    except Exception:  # a stranger's comparison may raise anything
        return np.arange(len(values))


def _bits(values: Sequence[Any]) -> list[NDArray[Any]]:
    """The sign and the low bits of whole numbers; empty for others."""
    whole = all(isinstance(v, int) or (isinstance(v, float) and v.is_integer()) for v in values)
    if not whole or not values:
        return []
    integers = [int(value) for value in values]
    low = np.array([value & ((1 << MOST_BITS) - 1) for value in integers], dtype=np.int64)
    sign = np.array([value < 0 for value in integers])
    return [sign, *((low >> bit) & 1 for bit in range(MOST_BITS)), low % 3 == 0, low % 3 == 1]


@dataclass(frozen=True, eq=False)
class KnownLaw:
    """A law ready to be compared: its cells (logarithms, none -inf), splits (S, k) common and own, how exact it is."""

    logs: Floats
    common: NDArray[np.float32]
    own: NDArray[np.float32]
    chances: Floats
    error: float

    def inside(self, counts: Floats) -> Floats:
        """How many of the counted calls are in each split, those of all laws first."""
        return np.concatenate([self.common @ counts, self.own @ counts])

    @staticmethod
    def of(logs: Floats, common: NDArray[np.float32], towards: Floats | None, error: float) -> KnownLaw:
        """A law with the common splits and its own: how likely its outputs are, quantiles, and a neighbour's law.

        Parameters
        ----------
        logs : log-probabilities, shape (k,)
        common : splits of these outputs, shape (S, k)
        towards : a neighbour's log-probabilities of the same outputs, or None
        error : nats by which each logarithm may be off
        """
        law = np.exp(logs)
        law = law / law.sum()
        rising = np.argsort(logs, kind="stable")
        own = []
        for order in (rising, np.arange(len(law))):
            below = np.empty(len(law))
            below[order] = np.cumsum(law[order]) - law[order] / 2
            own += [below < share for share in QUANTILES]
        own.append(logs > towards if towards is not None else np.zeros(len(law), dtype=bool))
        mine = np.array(own, dtype=np.float32)
        return KnownLaw(logs, common, mine, np.clip(np.concatenate([common @ law, mine @ law]), 0.0, 1.0), error)


def cells_log_evidence(counts: Floats, logs: Floats) -> float:
    """The logarithm of the evidence that calls do not follow a law, from bets on each of its cells.

    Examples
    --------
    >>> fair = np.log([0.5, 0.5])
    >>> bool(cells_log_evidence(np.array([52.0, 48.0]), fair) < 0 < cells_log_evidence(np.array([80.0, 20.0]), fair))
    True
    """
    from scipy.special import gammaln

    seen = np.flatnonzero(counts)
    n, log = counts[seen], logs[seen]
    total = float(n.sum())
    scaled = np.log(CONCENTRATIONS)[:, None] + log
    with np.errstate(under="ignore"):
        prior = np.exp(scaled)
    rising = np.where(
        prior < _TINY, scaled + gammaln(n), gammaln(np.maximum(prior, _TINY) + n) - gammaln(np.maximum(prior, _TINY))
    )
    plain = float((n * log).sum())
    around = gammaln(CONCENTRATIONS) - gammaln(CONCENTRATIONS + total) + rising.sum(axis=1) - plain
    half = len(logs) / 2.0
    anywhere = gammaln(half) - gammaln(half + total) + float((gammaln(n + 0.5) - gammaln(0.5)).sum()) - plain
    parts = [around + math.log(AROUND / len(CONCENTRATIONS)), np.array([anywhere + math.log(ANYWHERE)])]
    return _log_sum(np.concatenate(parts))


def split_log_evidence(inside: Any, total: Any, chances: Any, error: float = 0.0) -> Floats:
    """The logarithm of the evidence of each split: ``inside`` of ``total`` calls where ``chances`` are declared.

    Where the declared logarithms may be off by ``error`` nats, against the likeliest chance within it.

    >>> found = split_log_evidence(np.array([50.0, 80.0]), 100.0, np.array([0.5, 0.5]))
    >>> bool(found[0] < 0 < found[1])
    True
    """
    from scipy.special import gammaln

    one, whole, p = np.asarray(inside, float), np.asarray(total, float), np.asarray(chances, float)
    two = whole - one
    c = CONCENTRATIONS.reshape(-1, *[1] * p.ndim)
    inner = np.clip(p, 1e-12, 1.0 - 1e-12)
    a, b = c * inner, c * (1.0 - inner)
    null = inner
    if error:
        low, high = _within(inner, error)
        # the likelihood of a count is largest at its frequency, or at the end that is nearer to it
        null = np.clip(one / np.maximum(whole, 1.0), np.maximum(low, 1e-300), np.minimum(high, 1.0 - 2.0**-53))
    plain = one * np.log(null) + two * np.log1p(-null)
    logs = gammaln(c) - gammaln(c + whole) + gammaln(a + one) - gammaln(a) + gammaln(b + two) - gammaln(b) - plain
    top = logs.max(axis=0)
    found: Floats = top + np.log(np.exp(logs - top).mean(axis=0))
    # a split without one of its halves is none (nothing outside the law's support comes here)
    return np.where((p <= 1e-12) | (p >= 1.0 - 1e-12), 0.0, found)


def _within(chances: Floats, error: float) -> tuple[Floats, Floats]:
    """The least and the largest chance of a split whose cells' logarithms, and those outside, may be off by so much."""
    wide = min(error, 700.0)
    down, up = math.exp(-wide), math.exp(wide)
    low = np.maximum(chances * down, 1.0 - (1.0 - chances) * up)
    high = np.minimum(chances * up, 1.0 - (1.0 - chances) * down)
    return low, high


class Fit:
    """Counts of calls per dataset, and the evidence that they do not follow the declared laws.

    Parameters
    ----------
    weights : the weight of each dataset, summing to at most DECIDING + OTHERS, fixed before the first call
    """

    def __init__(self, weights: Floats) -> None:
        self._weights = np.asarray(weights, dtype=np.float64)
        self._counts: dict[int, Floats] = {}
        self._alone = np.zeros(len(self._weights))
        self._tilted: Floats | None = None

    def add(self, dataset: int, law: KnownLaw, counts: Floats) -> None:
        """Take more calls of a dataset, as counts per cell of its law, shape (k,)."""
        so_far = self._counts.get(dataset, 0.0) + counts
        self._counts[dataset] = so_far
        total = float(so_far.sum())
        inside = law.inside(so_far)
        # twice: each logarithm is off, and so is the sum that they are divided by
        error = 2.0 * law.error
        bets = split_log_evidence(inside, total, law.chances, error)
        splits = _log_sum(bets) - math.log(len(bets)) + math.log(SPLITS)
        cells = cells_log_evidence(so_far, law.logs) - total * error
        self._alone[dataset] = float(np.logaddexp(cells, splits))
        new = float(counts.sum())
        low, high = _within(law.chances, error)
        likeliest = np.where(TILTS > 0, high[:, None], low[:, None])
        tilted = law.inside(counts)[:, None] * TILTS - new * np.log1p(likeliest * np.expm1(TILTS))
        self._tilted = tilted if self._tilted is None else self._tilted + tilted

    @property
    def log_evidence(self) -> float:
        """The logarithm of all evidence together: an e-process, valid at every stopping time."""
        parts = [self._alone + np.log(self._weights)]
        if self._tilted is not None:
            together = _log_sum(self._tilted.ravel()) - math.log(self._tilted.size)
            parts.append(np.array([together + math.log(TOGETHER)]))
        return _log_sum(np.concatenate(parts))

    @property
    def against(self) -> list[int]:
        """The datasets that speak against their law, each by odds of ``SPEAKS``, and the worst first."""
        order = [int(place) for place in np.argsort(-self._alone, kind="stable")]
        return order[:1] + [place for place in order[1:] if self._alone[place] >= SPEAKS]


def _log_sum(logs: Floats) -> float:
    top = float(logs.max())
    if math.isinf(top):
        return top
    return top + math.log(float(np.exp(logs - top).sum()))


# --- what would have been seen


def visible_anywhere(cells: int, calls: int, threshold: float) -> float:
    """The total variation above which any difference of the calls from the law is seen with probability 0.95.

    The bet on cells anywhere (Dirichlet 1/2) has a regret of at most that of a constant sequence,
    R = log Gamma(n + k/2) Gamma(1/2) / (Gamma(k/2) Gamma(n + 1/2)); so its evidence is at least n KL(f, p) - R with f
    the frequencies, and KL >= 2 TV(f, p)^2 by Pinsker's inequality. Frequencies are within
    sqrt((k - 1) / n) / 2 + sqrt(log(20) / (2 n)) of the calls' own law with probability 0.95 (McDiarmid).

    Parameters
    ----------
    cells, calls : int
    threshold : float, nats that the bets on this dataset's law must reach, weights included

    Returns
    -------
    float, 1.0 where no difference is seen for certain

    Examples
    --------
    >>> 0.05 < visible_anywhere(2, 5000, 20.0) < 0.1
    True
    >>> visible_anywhere(1000, 100, 20.0)
    1.0
    """
    if calls < 1:
        return 1.0
    regret = math.lgamma(calls + cells / 2) + math.lgamma(0.5) - math.lgamma(cells / 2) - math.lgamma(calls + 0.5)
    needed = regret + threshold - math.log(ANYWHERE)
    noise = 0.5 * math.sqrt((cells - 1) / calls) + math.sqrt(math.log(1.0 / (1.0 - SEEN)) / (2.0 * calls))
    return min(1.0, noise + math.sqrt(needed / (2.0 * calls)))


@lru_cache(maxsize=4096)
def visible_in_a_split(calls: int, splits: int, threshold: float, error: float = 0.0) -> float:
    """By how much the probability of a split's half must differ from the declared one to be seen, with 0.95.

    That of a half declared with probability 1/2, where a difference is hardest to see; ``error`` in nats is how far
    each declared logarithm may be off.

    Examples
    --------
    >>> 0.03 < visible_in_a_split(5000, 30, 20.0) < 0.08
    True
    """
    shifts = np.linspace(0.0, 0.5, 2001)[1:]
    share = 0.5 + shifts
    fewest = np.clip(calls * share - _QUANTILE * np.sqrt(calls * share * (1.0 - share)), calls / 2, calls)
    evidence = split_log_evidence(np.floor(fewest), float(calls), np.full(len(shifts), 0.5), 2.0 * error)
    seen = evidence >= threshold - math.log(SPLITS) + math.log(splits)
    return float(shifts[int(np.argmax(seen))]) if seen.any() else 1.0


def calls_wanted(shift: float, splits: int, threshold: float, most: int) -> int:
    """How many calls on a dataset show a split whose probability differs by ``shift``; at most ``most``.

    >>> calls_wanted(0.1, 30, 20.0, 10**6) < calls_wanted(0.05, 30, 20.0, 10**6)
    True
    """
    calls = 250
    while calls < most and visible_in_a_split(calls, splits, round(threshold, 3)) > shift:
        calls = math.ceil(calls * 1.25)
    return min(calls, most)
