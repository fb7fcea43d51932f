"""A game beside the audit's own: every output is bet on at once, and learned from at geometric times.

What it asks (are runs fresh, do low-order bits tell) is asked at every interim analysis, but its rules need not be the
newest: the evidence counts guesses of rules fitted on earlier outputs, however long ago, so that waiting costs a little
power and no validity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce

from dpcheck.privacy.statistics.evidence import log_evidence
from dpcheck.privacy.statistics.game import Batch, Game, both, certify, learn, tally

#: Rules are fitted anew once as many outputs wait as this part of those they know.
WAITING_PART = 0.5


@dataclass(frozen=True)
class SideGame:
    """A game, its evidence against (epsilon, delta) of its own, and what it has bet on but not learned from yet."""

    game: Game
    evidence: float = 0.0
    waiting: tuple[Batch, ...] = ()

    @property
    def calls(self) -> int:
        """The outputs seen."""
        return self.game.calls + sum(len(batch.coins) for batch in self.waiting)

    def see(self, batch: Batch) -> SideGame:
        """After one more batch.

        Examples
        --------
        >>> import numpy as np
        >>> from dpcheck.privacy.statistics.agreement import new_independence
        >>> from dpcheck.privacy.statistics.observations import Observations
        >>> coins = np.tile(np.array([0, 1], np.int8), 50)
        >>> tokens = coins.astype(np.uint64)
        >>> batch = Batch(Observations(coins[:, None].repeat(2, axis=1).astype(float), tokens, coins), coins)
        >>> side = SideGame(new_independence()).see(batch).see(batch)
        >>> side.calls, side.evidence > 20.0
        (200, True)
        """
        game = certify(self.game, batch)
        evidence = log_evidence(tally(game), game.epsilon, game.delta)
        waiting = (*self.waiting, batch)
        if sum(len(one.coins) for one in waiting) < WAITING_PART * game.calls:
            return replace(self, game=game, evidence=evidence, waiting=waiting)
        return SideGame(learn(game, reduce(both, waiting)), evidence)
