"""A measurement of a paper that can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.trial.model import Measurement, Taken
from dpcheck.trial.page import Page, shown, written
from dpcheck.trial.rows import Findings

if TYPE_CHECKING:
    from dpcheck.proof.bounds import Bound


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
        from dpcheck.proof.bounds import evaluations_heard

        with evaluations_heard() as heard:
            found = self.measure(seed, quick)
        if not isinstance(found, Findings):
            given: Any = found  # of whoever wrote the paper: what is no measurement is refused by who reads it
            if not isinstance(given, Measurement) or type(given.settings) is not tuple:
                return found
            return replace(given, settings=(*given.settings, *_of_bounds(heard)))
        if self.page is None:
            raise InvalidArgument(f"{self.key}: a Run whose measure returns Findings needs a page, got none")
        made = shown(self.key, self.results, self.page, found)
        return replace(made, settings=(*made.settings, *_of_bounds(heard)))


def _of_bounds(heard: Iterable[tuple[Bound, Mapping[str, Any]]]) -> Iterator[Taken]:
    """The values at which each bound was evaluated, those that stay the same with them, by its names and letters."""
    taken: dict[str, dict[str, None]] = {}
    for bound, values in heard:
        letters = {name: letter for letter, name in bound.letters.items() if letter != name}
        for name, value in values.items():
            said = f"{name} in the bound {bound.source}" + (f", {letters[name]} there" if name in letters else "")
            taken.setdefault(said, {}).setdefault(written(value))
    for said, seen in taken.items():
        yield Taken(said, tuple(seen))
