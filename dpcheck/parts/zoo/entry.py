"""One mechanism of the zoo: its learner, its claim, a pair that shows its loss, and its true privacy loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dpcheck.model.claims import Claim
from dpcheck.model.data import same_dataset
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Pair, Relation, describe_change
from dpcheck.parts.mechanisms.parameters import count
from dpcheck.parts.mechanisms.profile import BothWays, FiniteProfile, Profile

#: Calls that suffice for most entries: a correct one is then known to leak less than twice its claim, and nearly
#: every broken one has long been caught.
USUAL_CALLS = 200_000


@dataclass(frozen=True, eq=False)
class Swap:
    """Pairs of datasets in which records are swapped: k records ``before`` become ``after``, the rest stays.

    Parameters
    ----------
    before : a record (a number, or a sequence of shape (d,))
    after : a record, or None where ``before`` is removed
    rest : sequence of records that both datasets hold

    Examples
    --------
    >>> pair = Swap(before=1, after=0, rest=(5,)).pair(2)
    >>> pair.left.tolist(), pair.right.tolist()
    ([1, 1, 5], [0, 0, 5])
    >>> Swap(before=1, after=None, rest=(5,)).pair().right.tolist()
    [5]
    """

    before: Any
    after: Any
    rest: tuple[Any, ...] = ()

    def pair(self, distance: int = 1) -> Pair:
        """The pair in which ``distance`` records differ, as arrays with the records on the first axis."""
        steps = count("distance", distance)
        left = np.array([*[self.before] * steps, *self.rest])
        right = np.array([*([] if self.after is None else [self.after]) * steps, *self.rest])
        return Pair(left, right, describe_change(left, right) or f"{steps} records replaced")


@dataclass(frozen=True, eq=False)
class Entry:
    """A mechanism with a known answer.

    Parameters
    ----------
    name : str, also that of its module
    learner : callable without arguments that makes a fresh learner
    claim : what is promised, under ``relation``
    relation : the neighbouring relation with the claim's records
    swap : the records whose replacement shows the loss
    correct : bool, whether the claim is true
    defect : str, one sentence on what is wrong; empty for a correct one
    aliases : other names, those of published comparisons
    max_samples : int, calls within which an audit at 1e-6 is right all but surely
    numerics : "real", or "exact" where the claim, or its breach, is about the doubles that come out
    truth_of_doubles : float, the true loss of the entry's own pair where ``numerics`` is "exact"; its derivation
        stands beside it, since profiles here are those of real-valued noise

    Raises
    ------
    InvalidArgument
        When a broken entry names no defect, or a correct one does, or the truth of its doubles is not as it must be.
    """

    name: str
    learner: Callable[[], Any]
    claim: Claim
    relation: Relation
    swap: Swap
    correct: bool = True
    defect: str = ""
    aliases: tuple[str, ...] = ()
    max_samples: int = USUAL_CALLS
    numerics: Literal["real", "exact"] = "real"
    truth_of_doubles: float | None = None

    def __post_init__(self) -> None:
        if (self.truth_of_doubles is None) != (self.numerics == "real"):
            raise InvalidArgument(
                f"truth_of_doubles must be given for exact numerics and only there, got {self.truth_of_doubles!r} "
                f"with numerics {self.numerics!r} for {self.name}"
            )
        if self.correct == bool(self.defect):
            wanted = "empty for a correct entry" if self.correct else "a sentence on what is wrong"
            raise InvalidArgument(f"defect must be {wanted}, got {self.defect!r} for {self.name}")

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The neighbouring pairs to audit."""
        return (self.pair_at_distance(1),)

    def pair_at_distance(self, k: int) -> Pair:
        """A pair of datasets that are ``k`` replacements apart, for group privacy."""
        return self.swap.pair(k)

    def profile(self, pair: Pair) -> Profile:
        """The exact privacy profile of the learner's laws on a pair, the worse of both directions.

        Raises
        ------
        InvalidArgument
            When the learner knows neither its profile nor its law.
        """
        learner = self.learner()
        if hasattr(learner, "profile"):
            return BothWays(learner.profile(pair.left, pair.right), learner.profile(pair.right, pair.left))
        if hasattr(learner, "distribution"):
            left, right = learner.distribution(pair.left), learner.distribution(pair.right)
            return BothWays(FiniteProfile.of(left, right), FiniteProfile.of(right, left))
        raise InvalidArgument(f"learner must offer profile or distribution for its truth to be known, got {learner!r}")

    def truth(self, pair: Pair, delta: float = 0.0) -> float:
        """The true loss of a pair: the smallest epsilon at this delta, both directions (``inf`` if none).

        Parameters
        ----------
        pair : a pair of datasets, neighbours or not
        delta : float, a probability
        """
        if self.truth_of_doubles is not None and all(map(same_dataset, _sides(pair), _sides(self.pairs[0]))):
            return self.truth_of_doubles
        return self.profile(pair).epsilon(delta)


def _sides(pair: Pair) -> tuple[Any, Any]:
    return pair.left, pair.right
