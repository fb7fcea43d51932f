"""A measurement of a paper that can be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpcheck.model.errors import InvalidArgument
from dpcheck.trial.model import Measurement
from dpcheck.trial.page import Page, shown
from dpcheck.trial.rows import Findings


@dataclass(frozen=True)
class Run:
    """A measurement that can be made.

    Parameters
    ----------
    key : unique in its paper, in words joined by hyphens
    results : ids of the registry's entries that it is about
    measure : from a seed and whether it is to be quick; what it finds, or the measurement itself
    seconds : about how long it takes on one core, quick and full, for the display
    page : what is said and drawn of what it finds
    """

    key: str
    results: tuple[str, ...]
    measure: Callable[[int, bool], Findings | Measurement]
    seconds: tuple[float, float] = (5.0, 30.0)
    page: Page | None = None

    def made(self, seed: int, quick: bool) -> Measurement:
        """Its measurement.

        Raises
        ------
        InvalidArgument
            When it has findings and no page for them, or the page does not fit them.
        """
        found = self.measure(seed, quick)
        if not isinstance(found, Findings):
            return found
        if self.page is None:
            raise InvalidArgument(f"{self.key}: a Run whose measure returns Findings needs a page, got none")
        return shown(self.key, self.results, self.page, found)
