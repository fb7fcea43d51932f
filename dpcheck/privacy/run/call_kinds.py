"""What separate calls say of an output and draws of ``sample`` cannot: types of numbers, containers, warnings.

Calls and draws are compared, and mixed in one game, without it (:func:`dpcheck.privacy.statistics.observations.bare`).
For the game, the kind of a call's output is told with it: the way in which outputs of one bare kind came first is that
of the draws, every other one is a kind of its own, which calls alone show.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Answers
from dpcheck.privacy.statistics.game import Game
from dpcheck.privacy.statistics.kinds import MOST_NAMED, with_kinds
from dpcheck.privacy.statistics.observations import Numerics, Observations, mixed, whole_kinds

#: Salts the kinds that calls alone show.
_CALLS = np.uint64(1)


@dataclass
class CallKinds:
    """How outputs of each bare kind came first, and the words for those that came otherwise (grows with calls).

    Examples
    --------
    >>> from dpcheck.privacy.statistics.observations import bare, observe
    >>> first, later = Answers([1.5, 2.5]), Answers([1.5, np.float64(2.5)])
    >>> known = CallKinds()
    >>> told = [known.told(observe(bare(one), "real"), one, "real").kinds for one in (first, later)]
    >>> bool(told[0][0] == told[1][0]), bool(told[0][1] == told[1][1]), list(known.words.values())
    (True, False, ['a number (float)', 'a number (numpy.float64)'])
    """

    usual: dict[int, int] = field(default_factory=dict)
    words: dict[int, str] = field(default_factory=dict)

    def named(self, game: Game) -> Game:
        """The game with the words for kinds that calls alone show."""
        return replace(game, kinds={**self.words, **game.kinds}) if self.words else game

    def told(self, seen: Observations, answers: Answers, numerics: Numerics) -> Observations:
        """Bare outputs of calls with the kinds that the calls gave them.

        Parameters
        ----------
        seen : Observations
            What is seen of ``bare(answers)``.
        answers : Answers
            As the calls gave them; warnings are part of an output where they are still with it.
        numerics : "real" or "exact"
        """
        whole = whole_kinds(answers, numerics)
        plain, full = seen.kinds, whole.kinds
        both, first, place = np.unique(np.stack([plain, full]), axis=1, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")  # as they came
        kinds: NDArray[np.uint64] = both[0].copy()
        other = np.zeros(both.shape[1], bool)
        for column in order.tolist():
            bare_kind, full_kind = int(both[0, column]), int(both[1, column])
            if self.usual.setdefault(bare_kind, full_kind) != full_kind:
                other[column] = True
        kinds[other] = mixed(both.T[other], _CALLS)
        forms = kinds[place.reshape(-1)]
        if len(self.words) < MOST_NAMED:
            self.words.update(with_kinds(self.words, replace(whole, forms=forms)))
        return replace(seen, forms=forms) if other.any() else seen
