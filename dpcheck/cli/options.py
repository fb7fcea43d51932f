"""The options that several commands share, each with its help, spelt once."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dpcheck.cli.numbers import double_of

# The panels of --help, in the order in which a reader needs them.
CLAIM = "The claim"
DATA = "The data"
BUDGET = "Level and budget"
LEARNER = "Running the learner"
RESULT = "The result"


class Neighbours(StrEnum):
    """The neighbouring relations the command line can name."""

    REPLACE_ONE = "replace-one"
    ADD_REMOVE = "add-remove"
    LABELS_ONLY = "labels-only"
    REPLACE_ENTRY = "replace-entry"
    ENTRY_AND_TRANSCRIPT = "entry-and-transcript"
    PRIVATE_PART = "private-part"


class Format(StrEnum):
    """The documents a run can be written as."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    GITHUB = "github"
    SARIF = "sarif"
    MARKDOWN = "markdown"


class Isolation(StrEnum):
    """Where the learner runs."""

    PROCESS = "process"
    AUTO = "auto"
    NONE = "none"


class Numerics(StrEnum):
    """Whether low-order bits are events."""

    REAL = "real"
    EXACT = "exact"


class Forms(StrEnum):
    """The forms in which a learner is handed its data."""

    AUTO = "auto"
    PAIR = "pair"
    LABELLED = "labelled"
    ROWS = "rows"
    TABLE = "table"
    FRAME = "frame"
    LISTS = "lists"


class Warnings(StrEnum):
    """Whether warnings are part of outputs."""

    FINDING = "finding"
    OUTPUT = "output"


def _reader(convert: Callable[[str], object], wants: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        # Values from pyproject.toml come as numbers already; true and false are not meant as 1 and 0.
        if isinstance(text, bool):
            raise typer.BadParameter(f"wants {wants}, got {str(text).lower()}")
        try:
            return convert(text)
        except (TypeError, ValueError, OverflowError):
            raise typer.BadParameter(f"wants {wants}, got {text!r}") from None

    return read


def _whole(text: str) -> int:
    # "1_000_000" and "1e6" are how people write budgets.
    number = double_of(text)
    if number != int(number):
        raise ValueError(text)
    return int(text) if str(text).lstrip("+-").isdigit() else int(number)


def _count(text: str) -> int:
    number = _whole(text)
    if number < 1:
        raise ValueError(text)
    return number


def _fraction(text: str) -> object:
    from fractions import Fraction

    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(text) from None


number = _reader(double_of, "a number such as 0.5")
fraction = _reader(_fraction, "a whole number or a fraction such as 3 or 3/2")
integer = _reader(_whole, "a whole number such as 100000")
count = _reader(_count, "a whole number of at least 1")

Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET...",
        help="What to audit: package.module:name, path/file.py:name, zoo:name or learner:paper.name. The name is a "
        "learner (a callable of dataset and rng) or a factory of learners.",
        show_default=False,
    ),
]
Epsilon = Annotated[
    float | None,
    typer.Option(
        parser=number,
        metavar="NUMBER",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The epsilon that is claimed, in nats; not needed for a target that carries its claim.",
    ),
]
Delta = Annotated[
    float | None,
    typer.Option(
        parser=number,
        metavar="NUMBER",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The delta that is claimed (none: pure differential privacy).",
    ),
]
Rho = Annotated[
    float | None,
    typer.Option(
        parser=number,
        metavar="NUMBER",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The rho of zero-concentrated differential privacy, where that is claimed.",
    ),
]
Mu = Annotated[
    float | None,
    typer.Option(
        parser=number,
        metavar="NUMBER",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The mu of Gaussian differential privacy, where that is claimed.",
    ),
]
Renyi = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="ORDER EPSILON",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The order and the epsilon of Rényi differential privacy, where that is claimed.",
    ),
]
Ratio = Annotated[
    str | None,
    typer.Option(
        parser=fraction,
        metavar="FRACTION",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The claim as exp(epsilon), exactly, instead of --epsilon: 3 or 3/2, for laws in fractions.",
    ),
]
NeighboursOption = Annotated[
    Neighbours | None,
    typer.Option(
        "--neighbours",
        rich_help_panel=CLAIM,
        show_default=False,
        help="What one person changes in the dataset; replace-one unless the target says otherwise.",
    ),
]
Records = Annotated[
    str | None,
    typer.Option(
        metavar="VALUES",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The values a record may take, as in 0,1 (for labels-only: the labels).",
    ),
]
Bounds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LOW,HIGH",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The bounds of a record; repeat it, once per column. Without it those of the data are used, and "
        "the verdict says so.",
    ),
]
NumericsOption = Annotated[
    Numerics,
    typer.Option("--numerics", rich_help_panel=CLAIM, help="Whether low-order bits of the outputs count (exact)."),
]
WarningsOption = Annotated[
    Warnings,
    typer.Option(
        "--warnings",
        rich_help_panel=CLAIM,
        help="Whether warnings are told of beside the verdict (finding) or are part of the outputs (output).",
    ),
]
Size = Annotated[
    str | None,
    typer.Option(
        "--size",
        metavar="N or LOW..HIGH",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The numbers of records the claim is about; pairs are searched among them (1..8 by default). With "
        "--dataset small datasets like it are made in these sizes (1..6 by default; its own size: none).",
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(
        metavar="VALUES",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The values a label may take, as in 0,1; those in the data by default.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="N or NAMES",
        rich_help_panel=CLAIM,
        show_default=False,
        help="The columns of features where no file has them: how many, or their names, as in age,income.",
    ),
]
FormOption = Annotated[
    Forms | None,
    typer.Option(
        "--form",
        rich_help_panel=DATA,
        show_default=False,
        help="How the learner is handed its data: (X, y), one object with .X and .y, rows, a table, a data frame, "
        "lists; by default the first of these to which it answers.",
    ),
]
Dataset = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        rich_help_panel=DATA,
        show_default=False,
        help="file.csv, .npz, .npy or sklearn:NAME; neighbouring pairs are made from it.",
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        rich_help_panel=DATA,
        show_default=False,
        help="The dataset's label column, by name or number from 0; without a file what data frames call it.",
    ),
]
Pairs = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.npz",
        rich_help_panel=DATA,
        show_default=False,
        help="Pairs of neighbouring datasets: arrays left and right (pairs on the first axis), or left_0, "
        "right_0, left_1, ...; with labels left_x, left_y, right_x, right_y.",
    ),
]
Public = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        rich_help_panel=DATA,
        show_default=False,
        help="The public part of a semi-private dataset, the same for all neighbours: the learner is given "
        "SemiPrivate(private, public), the private part from --dataset or --pairs.",
    ),
]
PublicLabel = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        rich_help_panel=DATA,
        show_default=False,
        help="The public part's label column; without it that part has no labels.",
    ),
]
Exhaustive = Annotated[
    bool,
    typer.Option(
        "--exhaustive",
        rich_help_panel=DATA,
        help="Compare all pairs of a finite domain (--records, --size) exactly: for learners with distribution.",
    ),
]
Alpha = Annotated[
    float,
    typer.Option(
        parser=number,
        metavar="NUMBER",
        rich_help_panel=BUDGET,
        help="The probability of a false alarm per target, fixed before the run.",
    ),
]
MaxSamples = Annotated[
    int,
    typer.Option(
        parser=integer,
        metavar="CALLS",
        rich_help_panel=BUDGET,
        help="At most this many calls of the learner.",
    ),
]
MaxSeconds = Annotated[
    float,
    typer.Option(parser=number, metavar="SECONDS", rich_help_panel=BUDGET, help="At most this long per target."),
]
PlannedSamples = Annotated[
    int | None,
    typer.Option(
        parser=integer,
        metavar="CALLS",
        rich_help_panel=BUDGET,
        show_default=False,
        help="At most this many calls of the learner: 1,000,000 by default, and for labelled data and datasets "
        "150,000, of which as many are made as it takes.",
    ),
]
PlannedSeconds = Annotated[
    float | None,
    typer.Option(
        parser=number,
        metavar="SECONDS",
        rich_help_panel=BUDGET,
        show_default=False,
        help="At most this long per target: 60 by default, and 600 for labelled data and datasets, whose audits end by "
        "calls.",
    ),
]
CallTimeout = Annotated[
    float,
    typer.Option(
        parser=number,
        metavar="SECONDS",
        rich_help_panel=LEARNER,
        help="A call that takes longer counts as a hang: the learner failed.",
    ),
]
IsolationOption = Annotated[
    Isolation,
    typer.Option(
        "--isolation",
        rich_help_panel=LEARNER,
        help="Run the learner in a process of its own, or (none) in this one.",
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        parser=count,
        metavar="N",
        rich_help_panel=LEARNER,
        help="How many processes run at a time; nothing that is found depends on it.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(parser=integer, metavar="N", rich_help_panel=LEARNER, help="Where all randomness starts."),
]
LearnerOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        rich_help_panel=LEARNER,
        show_default=False,
        help="An argument for the target's factory; repeat it for more.",
    ),
]
FormatOption = Annotated[
    Format,
    typer.Option("--format", rich_help_panel=RESULT, help="What is written; it never changes the exit status."),
]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        rich_help_panel=RESULT,
        show_default=False,
        help="Write that document to FILE instead of standard output.",
    ),
]
JsonFile = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        rich_help_panel=RESULT,
        show_default=False,
        help="Write the run's records to FILE as well.",
    ),
]
SarifFile = Annotated[
    Path | None,
    typer.Option(
        "--sarif",
        metavar="FILE",
        rich_help_panel=RESULT,
        show_default=False,
        help="Write SARIF to FILE as well, for code scanning.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", rich_help_panel=RESULT, help="No progress on standard error.")]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        rich_help_panel=BUDGET,
        help="Show what would be run (pairs, budget, what it would catch) and stop. The learner is called a few "
        "times to see what a call takes; --format json for programs.",
    ),
]
Traceback = Annotated[
    bool,
    typer.Option("--traceback", rich_help_panel=RESULT, help="Show where an internal error comes from."),
]
