"""The options that several commands share, each declared once; commands name them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from dpcheck.cli import completion
from dpcheck.cli.completion import Completer
from dpcheck.cli.numbers import double_of
from dpcheck.report.formats import formats_of

# The panels of --help, in the order in which a reader needs them.
CLAIM = "The claim"
DATA = "The data"
BUDGET = "Level and budget"
LEARNER = "Running the learner"
RESULT = "The result"
# The contract's default: seconds of a call, beyond which it hangs.
CALL_TIMEOUT = 10.0


class Neighbours(StrEnum):
    """The neighbouring relations the command line can name."""

    REPLACE_ONE = "replace-one"
    ADD_REMOVE = "add-remove"
    LABELS_ONLY = "labels-only"
    REPLACE_ENTRY = "replace-entry"
    ENTRY_AND_TRANSCRIPT = "entry-and-transcript"
    PRIVATE_PART = "private-part"


class Isolation(StrEnum):
    """Where the learner runs."""

    PROCESS = "process"
    CONTAINER = "container"
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


def _whole_number(text: str) -> int:
    # "1_000_000" and "1e6" are how people write budgets.
    number = double_of(text)
    if number != int(number):
        raise ValueError(text)
    return int(text) if str(text).lstrip("+-").isdigit() else int(number)


def _count(text: str) -> int:
    number = _whole_number(text)
    if number < 1:
        raise ValueError(text)
    return number


def _fraction(text: str) -> object:
    from dpcheck.model.written_numbers import fraction_of

    try:
        return fraction_of(text)
    except ZeroDivisionError:
        raise ValueError(text) from None


@dataclass(frozen=True)
class Setting:
    """What ``[tool.dpcheck]`` may say of an option.

    ``wants`` is what it must be in an entry of ``learners``, in words, and ``types`` are those that are that. ``place``
    says of what starts at the folder of the file whether it is a file or an object in one, ``commas`` that values
    between commas may be a list, ``several`` that it may be said more than once, and ``known`` is whether it is a
    setting at all.
    """

    wants: str = ""
    types: tuple[type, ...] = ()
    place: str = ""
    commas: bool = False
    several: bool = False
    known: bool = True


def is_what_it_wants(setting: Setting, value: object) -> bool:
    """Whether a value is of a setting's types: true and false are no numbers, and neither is NaN.

    >>> wanted = Setting("a number", (int, float))
    >>> [is_what_it_wants(wanted, value) for value in (1, 0.5, True, float("nan"), "1")]
    [True, True, False, False, False]
    """
    return (
        isinstance(value, setting.types) and (bool in setting.types or not isinstance(value, bool)) and value == value
    )


FILE, OBJECT = "file", "object"
A_FILE = Setting(place=FILE)
# Makes no sense for every run in a directory.
NO_SETTING = Setting(known=False)
_NUMBER = (int, float)
_VALUES = (str, list)


def settings_of(declared: Any) -> dict[str, Setting]:
    """The settings of a command, or of a group of options, by their names in Python.

    Examples
    --------
    >>> settings_of(Claimed)["mu"].wants
    'a number'
    """
    hints = get_type_hints(declared, include_extras=True)
    found = {name: setting_of(hint) for name, hint in hints.items() if get_origin(hint) is Annotated}
    return {name: setting for name, setting in found.items() if setting.known}


def setting_of(hint: Any) -> Setting:
    """What the settings may say of one option."""
    kind, *said = get_args(hint)
    several = any(get_origin(one) in (list, tuple) for one in (kind, *get_args(kind)))
    return replace(next((one for one in said if isinstance(one, Setting)), Setting()), several=several)


def option(
    panel: str | None,
    help: str,
    *flags: str,
    metavar: str | None = None,
    parser: Any = None,
    shown: bool = False,
    completes: Completer | None = None,
) -> Any:
    """An option: its place in --help and what it says there, its flags where they are not its name.

    ``shown``: whether its default is. ``completes``: what a shell may go on with.
    """
    return typer.Option(
        *flags,
        parser=parser,
        metavar=metavar,
        rich_help_panel=panel,
        show_default=shown,
        help=help,
        autocompletion=completes,
    )


def number(panel: str | None, help: str, metavar: str = "NUMBER", *, shown: bool = False) -> Any:
    """An option that takes a number."""
    return option(panel, help, metavar=metavar, parser=_reader(double_of, "a number such as 0.5"), shown=shown)


def whole(panel: str | None, help: str, metavar: str = "N", *, shown: bool = False) -> Any:
    """An option that takes a whole number."""
    reader = _reader(_whole_number, "a whole number such as 100000")
    return option(panel, help, metavar=metavar, parser=reader, shown=shown)


def count(panel: str | None, help: str, metavar: str = "N", *, shown: bool = False) -> Any:
    """An option that takes a whole number of at least 1."""
    return option(panel, help, metavar=metavar, parser=_reader(_count, "a whole number of at least 1"), shown=shown)


def flag(panel: str | None, help: str, *flags: str) -> Any:
    """An option that takes nothing."""
    return typer.Option(*flags, rich_help_panel=panel, help=help)


def argument(metavar: str, help: str, completes: Completer | None = None) -> Any:
    """What stands on the command line without a flag, and what a shell may complete it by."""
    return typer.Argument(metavar=metavar, help=help, show_default=False, autocompletion=completes)


Targets = Annotated[
    list[str] | None,
    argument(
        "TARGET...",
        "What to audit: package.module:name, path/file.py:name, zoo:name or learner:paper.name. The name is a "
        "learner (a callable of dataset and rng) or a factory of learners. By default targets (or target) in "
        "[tool.dpcheck] of pyproject.toml.",
        completion.targets,
    ),
    Setting(place=OBJECT),
]


@dataclass(frozen=True)
class Claimed:
    """The options that make a claim."""

    epsilon: Annotated[
        float | None,
        number(CLAIM, "The epsilon that is claimed, in nats; not needed for a target that carries its claim."),
        Setting("a number", _NUMBER),
    ] = None
    delta: Annotated[
        float | None,
        number(CLAIM, "The delta that is claimed (none: pure differential privacy)."),
        Setting("a number", _NUMBER),
    ] = None
    rho: Annotated[
        float | None,
        number(CLAIM, "The rho of zero-concentrated differential privacy, where that is claimed."),
        Setting("a number", _NUMBER),
    ] = None
    mu: Annotated[
        float | None,
        number(CLAIM, "The mu of Gaussian differential privacy, where that is claimed."),
        Setting("a number", _NUMBER),
    ] = None
    renyi: Annotated[
        tuple[float, float] | None,
        option(
            CLAIM,
            "The order and the epsilon of Rényi differential privacy, where that is claimed.",
            metavar="ORDER EPSILON",
            parser=_reader(double_of, "a number such as 0.5"),
        ),
        Setting("[order, epsilon]", (list,)),
    ] = None
    ratio: Annotated[
        Any,  # a Fraction: naming it would load what no help needs
        option(
            CLAIM,
            "The claim as exp(epsilon), exactly, instead of --epsilon: 3 or 3/2, for laws in fractions.",
            metavar="FRACTION",
            parser=_reader(_fraction, "a whole number or a fraction such as 3 or 3/2"),
        ),
        Setting("a whole number or a fraction such as '3/2'", (int, float, str)),
    ] = None


@dataclass(frozen=True)
class Given:
    """The options that say on what data a learner is run, and how it is handed them."""

    neighbours: Annotated[
        Neighbours | None,
        option(CLAIM, "What one person changes in the dataset; replace-one unless the target says otherwise."),
        Setting("replace-one, add-remove, labels-only, replace-entry, entry-and-transcript or private-part", (str,)),
    ] = None
    records: Annotated[
        str | None,
        option(CLAIM, "The values a record may take, as in 0,1 (for labels-only: the labels).", metavar="VALUES"),
        Setting("a list of values", _VALUES, commas=True),
    ] = None
    bounds: Annotated[
        list[str] | None,
        option(
            CLAIM,
            "The bounds of a record; repeat it, once per column. Without it those of the data are used, and "
            "the verdict says so.",
            metavar="LOW,HIGH",
        ),
        Setting("[low, high], or one such list per column", _VALUES, commas=True),
    ] = None
    labels: Annotated[
        str | None,
        option(CLAIM, "The values a label may take, as in 0,1; those in the data by default.", metavar="VALUES"),
        Setting("a list of values", _VALUES, commas=True),
    ] = None
    columns: Annotated[
        str | None,
        option(
            CLAIM,
            "The columns of features where no dataset has them: how many, or their names, as in age,income.",
            metavar="N or NAMES",
        ),
        Setting("a number of columns, or their names", (int, str, list), commas=True),
    ] = None
    size: Annotated[
        str | None,
        option(
            CLAIM,
            "The numbers of records the claim is about (of the larger dataset under add-remove); pairs are searched "
            "among them (1..8 by default). With --dataset small datasets like it are made in these sizes (1..6 by "
            "default; its own size: none).",
            metavar="N or LOW..HIGH",
        ),
        Setting("a number of records, or 'low..high'", (int, str)),
    ] = None
    dataset: Annotated[
        str | None,
        option(DATA, "file.csv, .npz, .npy or sklearn:NAME; neighbouring pairs are made from it.", metavar="FILE"),
        Setting("a file or sklearn:NAME", (str,), place=FILE),
    ] = None
    label: Annotated[
        str | None,
        option(
            DATA,
            "The dataset's label column, by name or number from 0; without a file what data frames call it.",
            metavar="COLUMN",
        ),
        Setting("a column", (str, int)),
    ] = None
    form: Annotated[
        Forms | None,
        option(
            DATA,
            "How the learner is handed its data: (X, y), one object with .X and .y, rows, a table, a data frame, "
            "lists; by default the first of these to which it answers.",
        ),
        Setting(f"one of {', '.join(kind.value for kind in Forms)}", (str,)),
    ] = None
    pairs: Annotated[
        Path | None,
        option(
            DATA,
            "Pairs of neighbouring datasets: arrays left and right (pairs on the first axis), or left_0, "
            "right_0, left_1, ...; with labels left_x, left_y, right_x, right_y.",
            metavar="FILE.npz",
        ),
        Setting("a file.npz", (str,), place=FILE),
    ] = None
    public: Annotated[
        str | None,
        option(
            DATA,
            "The public part of a semi-private dataset, the same for all neighbours: the learner is given "
            "SemiPrivate(private, public), the private part from --dataset or --pairs.",
            metavar="FILE",
        ),
        Setting("a file", (str,), place=FILE),
    ] = None
    public_label: Annotated[
        str | None,
        option(DATA, "The public part's label column; without it that part has no labels.", metavar="COLUMN"),
        Setting("a column", (str, int)),
    ] = None

    def read(self, targets: Sequence[str] | None) -> dict[str, Path | str | None]:
        """What a run of these targets reads, by the option that names it: nothing is to be written there."""
        named = {f"target {target}": target for target in targets or ()}
        return {**named, "--dataset": self.dataset, "--pairs": self.pairs, "--public": self.public}


Exhaustive = Annotated[
    bool,
    flag(
        DATA,
        "Compare all pairs of a finite domain (--records, --size) exactly: for learners with distribution.",
        "--exhaustive",
    ),
]
Alpha = Annotated[
    float, number(BUDGET, "The probability of a false alarm per target, fixed before the run.", shown=True)
]
MaxSamples = Annotated[int, whole(BUDGET, "At most this many calls of the learner.", "CALLS", shown=True)]
MaxSeconds = Annotated[
    float,
    number(BUDGET, "At most this long per target.", "SECONDS", shown=True),
    Setting("a number of seconds", _NUMBER),
]
CallTimeout = Annotated[
    float,
    number(LEARNER, "A call that takes longer counts as a hang: the learner failed.", "SECONDS", shown=True),
    Setting("a number of seconds", _NUMBER),
]
IsolationOption = Annotated[
    Isolation,
    option(
        LEARNER,
        "Run the learner in a process of its own, in one that bubblewrap shuts in (container: no network, no file "
        "changed; docs/containment.md says what each contains), or (none) in this one.",
        shown=True,
    ),
]
Journal = Annotated[
    Path | None,
    option(
        RESULT,
        "Keep each answer of the learner, and what is done, in DIRECTORY as it comes: the same command again, after a "
        "run was ended in whatever way, goes on from there. Answers of other code or libraries are not used; the "
        "environment, and files that a learner reads, are not looked at.",
        metavar="DIRECTORY",
    ),
    A_FILE,
]
Backend = Annotated[
    str | None,
    option(
        LEARNER,
        "Run the learner on a cluster: dask://HOST:PORT, ray://HOST:PORT or ray://auto. Versions there must be those "
        "here; the verdict is the same, also where workers are lost.",
        metavar="ADDRESS",
    ),
]
Jobs = Annotated[
    int, count(LEARNER, "How many processes run at a time; nothing that is found depends on it.", shown=True)
]
Seed = Annotated[int, whole(LEARNER, "Where all randomness starts.", shown=True)]
LearnerOptions = Annotated[
    list[str] | None,
    option(LEARNER, "An argument for the target's factory; repeat it for more.", "--option", metavar="KEY=VALUE"),
    Setting("'key=value', or a list of such", _VALUES),
]
AllowInconclusive = Annotated[bool, flag(RESULT, "Let an inconclusive audit pass.", "--allow-inconclusive")]
if TYPE_CHECKING:
    FormatOption = str
    CheckFormatOption = str
    LearnersFormatOption = str
else:  # typer makes choices of an enumeration
    FormatOption, CheckFormatOption, LearnersFormatOption = (
        Annotated[
            StrEnum("Format", {name.upper(): name for name in formats_of(document)}),
            option(RESULT, "What is written; it never changes the exit status.", shown=True),
        ]
        for document in ("run", "checks", "learners")
    )
Output = Annotated[
    Path | None, option(RESULT, "Write that document to FILE instead of standard output.", metavar="FILE"), A_FILE
]
JsonFile = Annotated[
    Path | None, option(RESULT, "Write the run's records to FILE as well.", "--json", metavar="FILE"), A_FILE
]
SarifFile = Annotated[
    Path | None, option(RESULT, "Write SARIF to FILE as well, for code scanning.", "--sarif", metavar="FILE"), A_FILE
]
Quiet = Annotated[bool, flag(RESULT, "No progress on standard error.", "--quiet")]
DryRun = Annotated[
    bool,
    flag(
        BUDGET,
        "Show what would be run (pairs, budget, what it would catch) and stop. The learner is called a few "
        "times to see what a call takes; --format json for programs.",
        "--dry-run",
    ),
]
Traceback = Annotated[bool, flag(RESULT, "Show where an internal error comes from.", "--traceback"), NO_SETTING]


@dataclass(frozen=True)
class Called:
    """The options that say how a learner is called, and what of its answers counts."""

    numerics: Annotated[
        Numerics,
        option(CLAIM, "Whether low-order bits of the outputs count (exact).", shown=True),
        Setting("real or exact", (str,)),
    ] = Numerics.REAL
    warnings: Annotated[
        Warnings,
        option(
            CLAIM,
            "Whether warnings are told of beside the verdict (finding) or are part of the outputs (output).",
            shown=True,
        ),
        Setting("finding or output", (str,)),
    ] = Warnings.FINDING
    call_timeout: CallTimeout = CALL_TIMEOUT
    isolation: IsolationOption = Isolation.PROCESS
    max_memory: Annotated[
        str | None,
        option(
            LEARNER,
            "What each process of the learner may have of memory, as in 2GiB; nine tenths of the machine's by default.",
            metavar="BYTES",
        ),
    ] = None
    max_processes: Annotated[
        int | None, whole(LEARNER, "How many processes the learner may start; 512 by default.")
    ] = None
    max_files: Annotated[
        int | None,
        whole(LEARNER, "How many files each process of the learner may have open; by default what the system says."),
    ] = None


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with the options of a parameter that is a group of them (a dataclass) in its place.

    Examples
    --------
    >>> @grouped
    ... def show(*, claimed: Claimed, quiet: Quiet = False) -> None:
    ...     print(claimed.rho, quiet)
    >>> show(rho=0.5)
    0.5 False
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[Parameter] = []
    for one in signature(command).parameters.values():
        if one.name in groups:
            spelt = get_type_hints(groups[one.name], include_extras=True)
            parameters += [
                Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=spelt[field.name])
                for field in fields(groups[one.name])
            ]
        else:
            parameters.append(one.replace(annotation=hints[one.name]))

    @wraps(command)
    def run(*args: Any, **told: Any) -> None:
        for name, group in groups.items():
            own = {field.name for field in fields(group)}
            told[name] = group(**{key: told.pop(key) for key in own & told.keys()})
        command(*args, **told)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run
