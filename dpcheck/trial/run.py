"""A measurement of a paper that can be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpcheck.trial.model import Measurement


@dataclass(frozen=True)
class Run:
    """A measurement that can be made.

    Parameters
    ----------
    key : unique in its paper, in words joined by hyphens
    results : ids of the registry's entries that it is about
    measure : from a seed and whether it is to be quick
    seconds : about how long it takes on one core, quick and full, for the display
    """

    key: str
    results: tuple[str, ...]
    measure: Callable[[int, bool], Measurement]
    seconds: tuple[float, float] = (5.0, 30.0)
