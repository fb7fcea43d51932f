"""A game beside the audit's own, whose outputs are bet on and learned from at geometric times.

What it asks (are runs fresh, do low-order bits tell) need not be known after every interim analysis, only before a
verdict: outputs wait until there are enough of them, and are then bet on all at once, by rules fitted on those before
them. Waiting costs a little power and no validity.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from dpcheck.privacy.statistics.evidence import log_evidence
from dpcheck.privacy.statistics.game import Batch, Game, both, certify, learn, tally

#: Outputs are bet on, and rules fitted anew, once as many wait as this part of those they know.
WAITING_PART = 0.5


@dataclass(frozen=True)
class SideGame:
    """A game, its evidence against (epsilon, delta) of its own, and what waits to be bet on."""

    game: Game
    evidence: float = 0.0
    waiting: tuple[Batch, ...] = ()

    @property
    def calls(self) -> int:
        """The outputs seen."""
        return self.game.calls + sum(len(batch.coins) for batch in self.waiting)

    def see(self, batch: Batch) -> SideGame:
        """After one more batch, which may wait.

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
        side = SideGame(self.game, self.evidence, (*self.waiting, batch))
        waits = side.calls - self.game.calls < WAITING_PART * self.game.calls
        return side if waits else side.settled()

    def settled(self) -> SideGame:
        """The same with nothing waiting: asked for before anything rests on the evidence."""
        if not self.waiting:
            return self
        batch = reduce(both, self.waiting)
        game = certify(self.game, batch)
        return SideGame(learn(game, batch), log_evidence(tally(game), game.epsilon, game.delta))
