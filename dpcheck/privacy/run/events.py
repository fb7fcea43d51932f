"""What a run tells those who listen while it runs; listeners never change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpcheck.model.claims import Claim
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dpcheck.privacy.exact.table import Table


@dataclass(frozen=True)
class Started:
    """A run begins; ``claim`` is None when nothing is claimed (``measure``)."""

    target: str
    claim: Claim | None
    relation: str
    pairs: int
    max_samples: int
    max_seconds: float
    alpha: float


@dataclass(frozen=True)
class PhaseStarted:
    """A phase begins: "agreement", "learn" or "certify"."""

    phase: str


@dataclass(frozen=True)
class Progress:
    """After each interim analysis: calls and seconds, evidence and its threshold (nats), the pair just run in words.

    It is number ``place`` (from 1) of the ``pairs`` that are run in turn; 0 where they are not counted.
    """

    calls: int
    max_samples: int
    seconds: float
    max_seconds: float
    log_evidence: float
    log_threshold: float
    epsilon_lower: float
    pair: str
    place: int = 0
    pairs: int = 0


@dataclass(frozen=True)
class Counted:
    """So much of a part of an exact audit is done: ``what`` names it, such as "laws" or "pairs"."""

    what: str
    done: int
    total: int


@dataclass(frozen=True, eq=False)
class Compared:
    """The laws of an exact audit, all compared: ``pairs`` are numbers of datasets, ``worst`` the two of the witness."""

    table: Table
    pairs: NDArray[np.int64]
    worst: tuple[int, int]
    words: str


@dataclass(frozen=True)
class Finished:
    """The run is over; ``pair`` holds the two datasets of the verdict's witness."""

    verdict: Verdict
    pair: Pair | None = None


Listener = Callable[[Any], object]


def nobody(event: object) -> None:
    """The listener where nobody listens."""
