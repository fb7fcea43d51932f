"""What every privacy claim can be asked."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Claim(Protocol):
    """What a privacy claim can be asked."""

    def delta(self, epsilon: float) -> float:
        """The smallest delta the claim promises at this epsilon."""
        ...

    def epsilon(self, delta: float) -> float:
        """The smallest epsilon the claim promises at this delta (``inf`` if none)."""
        ...

    def at_distance(self, k: int) -> Claim:
        """What the claim implies for datasets that are k steps apart."""
        ...

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the claim takes for granted and no run can check."""
        ...
