"""What came out of running a claim, as data: outcomes, charts and tables; pages, Markdown and JSON are views of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: What became of a claim where it was run.
Word = Literal[
    "holds",
    "contradicted",
    "undecided",
    "not reachable",
    "compatible",
    "not compatible",
    "says nothing",
    "not run",
    "failed",
]
#: What kind of claim it is.
Kind = Literal["upper bound", "lower bound", "privacy", "stability", "order", "number"]
#: Where the numbers of a series come from.
Role = Literal["measured", "exact", "bound"]

#: One sentence for each word, for the reader.
MEANINGS: dict[Word, str] = {
    "holds": "it was run at the claim's own numbers and kept them, and no bad learner that it was set against does; "
    "wrong with at most the level beside it",
    "contradicted": "it was run at the claim's own numbers and broke them; wrong with at most the level beside it",
    "undecided": "it was run at the claim's own numbers, and the trials did not suffice to tell",
    "not reachable": "its own numbers are too large to run; the exact or scaled check made instead is named",
    "compatible": "a claim about orders of growth: the measured slopes agree with it, which proves nothing",
    "not compatible": "a claim about orders of growth: the measured slopes are certified to differ from it",
    "says nothing": "where it can be run no learner, or a bad one too, could break it (a probability above 1, an error "
    "that a coin meets): which one keeps it is said beside it",
    "not run": "there is nothing to run: why is said beside it",
    "failed": "the check itself could not be made: what went wrong is said beside it",
}
#: Where trials are all there is, "holds" and "contradicted" are wrong with at most these probabilities.
HOLDS_LEVEL, CONTRADICTED_LEVEL = 1e-3, 1e-9


@dataclass(frozen=True)
class Series:
    """A curve or points; ``low`` and ``high`` are intervals where the numbers were measured by trials."""

    name: str
    role: Role
    colour: int
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    trials: tuple[int, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A straight line across a chart, with its words in the legend; at an x or at a y."""

    name: str
    x: float | None = None
    y: float | None = None
    colour: int = 0


@dataclass(frozen=True)
class Shade:
    """A region of a chart where a claim says nothing, with its words in the legend; an end that is None is the edge."""

    name: str
    x: tuple[float | None, float | None] | None = None
    y: tuple[float | None, float | None] | None = None


@dataclass(frozen=True)
class Chart:
    """One plot: what is measured and what is claimed of it, together."""

    key: str
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    marks: tuple[Mark, ...] = ()
    x_log: bool = True
    y_log: bool = False
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    alt: str = ""
    shades: tuple[Shade, ...] = ()


@dataclass(frozen=True)
class Table:
    """Numbers in rows; cells are words already."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Outcome:
    """One claim of one result where it was run.

    Parameters
    ----------
    word : what became of it
    claim : the claim as it was tested, in words with its numbers
    detail : what was found: counts, interval, exact value
    result : id of the registry's entry
    kind : what kind of claim
    instead : where its own numbers are out of reach, the exact or scaled check that was made, named as such
    instead_word : what became of that check
    learner : name of the learner that was run
    size, measured : the claim's own size, and the measured one; their quotient is the slack
    level : probability that the word is wrong; 0 where nothing was sampled
    expected : for a contradiction that the errata explain, their id and why, in a few words
    trials : runs of the learner
    against : the bad learners that the claim was set against, with their numbers: of one that holds that each breaks
        it, of one that says nothing which of them keeps it too; empty where there is none
    """

    word: Word
    claim: str
    detail: str
    result: str = ""
    kind: Kind = "upper bound"
    instead: str = ""
    instead_word: Word | None = None
    learner: str = ""
    size: float | None = None
    measured: float | None = None
    level: float = 0.0
    expected: str = ""
    trials: int = 0
    against: str = ""

    @property
    def broken(self) -> bool:
        """Whether it is contradicted, itself or in the check made instead: a scaled check is the claim's as well."""
        return "contradicted" in (self.word, self.instead_word)

    @property
    def slack(self) -> float | None:
        """How many times the measured size the claim asks for."""
        return self.size / self.measured if self.size is not None and self.measured else None


@dataclass(frozen=True)
class Taken:
    """A setting at which numbers were taken, by the name that it has there, and each value it had, in their order."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Measurement:
    """Claims that were run together: what was asked, what came out, and its pictures.

    ``key`` is unique in its paper, ``results`` are the ids it is about, ``evidence`` says what intervals mean or that
    nothing was sampled, ``left_out`` what was not run. ``quick`` marks a run with fewer sizes and trials, ``command``
    makes its numbers again. ``settings`` are all at which its numbers were taken, those too that no chart or table
    names.
    """

    key: str
    title: str
    results: tuple[str, ...]
    asked: str
    found: str
    evidence: str
    charts: tuple[Chart, ...] = ()
    tables: tuple[Table, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    left_out: str = ""
    trials: int = 0
    seconds: float = 0.0
    quick: bool = False
    command: str = ""
    settings: tuple[Taken, ...] = ()
