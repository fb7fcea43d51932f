"""The files of ``record``, ``compare`` and ``history``: the baseline, and the history beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.cli.file_names import check_name, no_file
from dpcheck.cli.settings import find_settings
from dpcheck.model.errors import DpcheckError, InvalidArgument, RecordCorrupt

if TYPE_CHECKING:
    from dpcheck.history.baseline import Baseline, Entry
    from dpcheck.history.store import Row

BASELINE = Path("dpcheck-baseline.json")
HISTORY = Path(".dpcheck") / "history.sqlite3"

Names = Annotated[
    list[str] | None,
    opt.argument(
        "TARGET...",
        "Learners of [tool.dpcheck] learners, by name or target; or other targets that carry their claim and "
        "data. All that are configured by default.",
        completion.targets,
    ),
    opt.NO_SETTING,
]
BaselineFile = Annotated[
    Path, opt.option(opt.RESULT, "The baseline.", "--baseline", metavar="FILE", shown=True), opt.A_FILE
]
Only = Annotated[
    list[str] | None,
    opt.option(
        opt.LEARNER, "Only learners whose names fit, as in 'mean*'; repeat it for more.", "--only", metavar="PATTERN"
    ),
    opt.NO_SETTING,
]
HistoryFile = Annotated[
    Path, opt.option(opt.RESULT, "Where every run is kept.", "--history", metavar="FILE", shown=True), opt.A_FILE
]
NoHistory = Annotated[bool, opt.flag(opt.RESULT, "Do not keep this run in the history.", "--no-history")]


def placed(path: Path) -> Path:
    """The path, where it is the default one beside the project's pyproject.toml, wherever below it one stands."""
    settings = find_settings(Path.cwd()) if path in (BASELINE, HISTORY) else None
    return path if settings is None else Path(os.path.relpath(settings.parent / path))


def read_baseline(path: Path) -> Baseline | None:
    """The baseline of a file; None where there is no such file.

    Raises
    ------
    InvalidArgument
        When it cannot be read.
    RecordCorrupt
        When it is not a baseline.
    """
    from dpcheck.history.baseline import MAX_CHARACTERS, Baseline

    check_name("--baseline", path)
    try:
        other = no_file(path)
        # a pipe might never be written to; one of /dev is that of another command
        if other and not (path.is_fifo() and str(path.absolute()).startswith(("/dev/", "/proc/"))):
            raise InvalidArgument(f"--baseline must be a file, got {other}")
        size = path.stat().st_size
        if size > 4 * MAX_CHARACTERS:  # a character takes at most four bytes
            raise RecordCorrupt(f"--baseline {path} must be at most {4 * MAX_CHARACTERS} bytes long, got {size}")
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidArgument(f"--baseline {path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RecordCorrupt(f"--baseline {path} must be UTF-8 text: {error.reason} at byte {error.start}") from error
    try:
        return Baseline.from_json(text)
    except RecordCorrupt as error:
        raise RecordCorrupt(f"--baseline {path}: {error}") from error


def write_baseline(path: Path, baseline: Baseline) -> bool:
    """Write the file as a whole, unless it holds exactly that; whether it was written."""
    from dpcheck.cli.documents import write_document

    text = baseline.to_json()
    with suppress(OSError):  # what cannot be read is written, or said where it is written
        if path.is_file() and path.read_bytes() == text.encode("utf-8"):
            return False
    write_document("--baseline", path, text)
    return True


def write_entries(path: Path, entries: Mapping[str, Entry]) -> DpcheckError | None:
    """Add entries to what the file has by now; why it could not be written, where it could not."""
    from dpcheck.history.baseline import Baseline

    try:
        write_baseline(path, (read_baseline(path) or Baseline({})).with_entries(entries))
    except DpcheckError as error:
        return error
    return None


def keep(path: Path | None, rows: Sequence[Row]) -> None:
    """Append to the history; what stands in the way is said, and changes nothing else: results are in the documents."""
    if path is None or not rows:
        return
    from dpcheck.cli.failures import complain
    from dpcheck.history.store import Store

    try:
        with Store(path) as store:
            if store.set_aside is not None:
                complain(f"history {path} was damaged: it was set aside as {store.set_aside}, and a new one begun")
            store.add(rows)
    except InvalidArgument as error:
        complain(f"{error}; this run is not kept")
