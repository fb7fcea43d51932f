"""Do numbers only grow from call to call, as the time of a call does, or a count of calls?

What tells when an output was made tells which dataset it came from, since an audit makes its calls in some order: of
such a learner nothing can be said. That is another complaint than noise that comes back, and is looked for first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from dpcheck.model.verdict import as_number
from dpcheck.privacy.statistics.observations import Observations

Floats = NDArray[np.float64]

#: The part of each stake that is kept: a block that is not in order costs this factor.
KEPT = 0.05
#: Blocks that are looked at in which a column is not all alike (a clock that ticks each second stands still in most),
#: and columns of each, spread over all.
MOST_BLOCKS, MOST_COLUMNS = 32, 64
#: What is staked on each column: half of it on the first, together less than 1 however many there are.
_LOG_SHARES = -np.log(np.arange(1.0, MOST_COLUMNS + 1) * np.arange(2.0, MOST_COLUMNS + 2))


@dataclass
class Order:
    """Evidence that a column only grows within blocks of consecutive calls, one number for each column (grows).

    ``blocks``: those seen of each column that were not all alike; ``told``: the values of them. Noise that starts
    again is in the same order again, so that of values that came before the order is taken for known.

    Fresh outputs have every order with the same probability, so that one over the probability of this one is a bet.
    """

    logs: Floats = field(default_factory=lambda: np.zeros(MOST_COLUMNS))
    blocks: NDArray[np.int64] = field(default_factory=lambda: np.zeros(MOST_COLUMNS, np.int64))
    told: dict[int, Floats] = field(default_factory=dict)

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence of all columns together."""
        return float(np.logaddexp.reduce(self.logs + _LOG_SHARES)) if self.blocks.any() else 0.0

    def see(self, seen: Observations) -> None:
        """Take the outputs of consecutive calls of one learner on one dataset.

        Examples
        --------
        >>> rng = np.random.default_rng(0)
        >>> noise, tokens = rng.random((40, 1)), np.arange(40, dtype=np.uint64)
        >>> order, none = Order(), Order()
        >>> order.see(Observations(np.cumsum(noise, axis=0), tokens, [], tokens))
        >>> none.see(Observations(noise, tokens, [], tokens))
        >>> order.evidence > 90.0, none.evidence < 0.0
        (True, True)
        >>> again, once = Order(), Order()
        >>> for size in (3, 2, 3):
        ...     again.see(Observations(np.sort(noise[:5], axis=0)[:size], tokens[:size], [], tokens[:size]))
        >>> once.see(Observations(np.sort(noise[:5], axis=0)[:3], tokens[:3], [], tokens[:3]))
        >>> again.evidence == once.evidence
        True
        """
        width = seen.columns.shape[1] if seen.plain is None else min(seen.plain, seen.columns.shape[1])
        count = min(MOST_COLUMNS, width)
        if len(seen) < 2 or width == 0 or (self.blocks[:count] >= MOST_BLOCKS).all():
            return
        among = np.unique(np.linspace(0, width - 1, count).astype(np.int64))
        columns = seen.columns[:, among]
        known = np.asarray(np.isfinite(columns).all(axis=0))
        values = np.where(known, columns, 0.0)
        telling = ~known | (values.max(axis=0) > values.min(axis=0))  # differences of huge ones overflow
        looked_at = np.flatnonzero(telling & (self.blocks[: len(among)] < MOST_BLOCKS))
        self.blocks[looked_at] += 1
        for place in looked_at.tolist():
            column, before = values[:, place], self.told.get(place, np.zeros(0))
            self.told[place] = np.union1d(before, column)
            old = np.isin(column, before)
            if known[place] and old.all():
                continue
            self.logs[place] += math.log(KEPT)
            if known[place] and (column[1:] >= column[:-1]).all():
                bet = math.log(1.0 - KEPT) + _orders(column) - _orders(column[old]) - math.log(KEPT)
                self.logs[place] += float(np.logaddexp(0.0, bet))

    def complaint(self) -> str:
        """What is said of such a learner."""
        return (
            f"a number in its outputs only grows from call to call (evidence {as_number(self.evidence)}), as a clock "
            "does or a count of calls: it tells when an output was made, and so in which order calls were made; "
            "leave the time, and what counts calls, out of the output."
        )


def _orders(values: Floats) -> float:
    """The logarithm of how many orders these values have, each as likely."""
    _, counts = np.unique(values, return_counts=True)
    return float(gammaln(len(values) + 1) - gammaln(counts + 1).sum())
