"""The numbers that alg-2 runs with, and what stops its loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.parts.mechanisms.parameters import count, positive, real

#: ``while c <= T`` as printed, which stops after T + 1 abstentions, or ``while c < T``, which stops after T.
Guard = Literal["printed", "strict"]
_GUARDS = ("printed", "strict")


@dataclass(frozen=True)
class Scales:
    """The numbers that alg-2 runs with.

    Parameters
    ----------
    threshold : float
        The paper's w, in votes.
    threshold_scale : float, above 0
        The paper's lambda: the scale of the Laplace noise of each fresh threshold.
    query_scale : float, above 0
        The scale of the Laplace noise of each query; the paper's is 2 lambda.
    models : int, at least 1
        The paper's k: the number of chunks.
    cutoff : int, at least 1
        The paper's T: see ``rounds``.

    Raises
    ------
    InvalidArgument
        When one is none of these.

    Source: bassily2018:alg-2, steps 1-2.

    Examples
    --------
    >>> Scales(threshold=8.0, threshold_scale=2.0, query_scale=4.0, models=21, cutoff=2).rounds("printed")
    3
    """

    threshold: float
    threshold_scale: float
    query_scale: float
    models: int = 1
    cutoff: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", real("threshold", self.threshold))
        for name in ("threshold_scale", "query_scale"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        for name in ("models", "cutoff"):
            object.__setattr__(self, name, count(name, getattr(self, name)))

    def rounds(self, guard: Guard = "printed") -> int:
        """The number of abstentions after which no query is answered: T + 1 with the printed guard, T with the strict.

        Raises
        ------
        InvalidArgument
            When the guard is neither.
        """
        check_guard(guard)
        return self.cutoff + 1 if guard == "printed" else self.cutoff


def check_guard(guard: str) -> None:
    """Refuses what is no guard of the loop."""
    if guard not in _GUARDS:
        raise InvalidArgument(f"guard must be one of {', '.join(_GUARDS)}, got {guard!r}{nearest(str(guard), _GUARDS)}")
