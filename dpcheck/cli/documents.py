"""Where a run's documents go: standard output and files."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from dpcheck.cli.display import Display
from dpcheck.cli.failures import complain
from dpcheck.cli.file_names import check_name
from dpcheck.cli.nothing_given import nothing_to_check
from dpcheck.cli.page_width import fitted, folded, page_width
from dpcheck.cli.streams import drop_output, output_lost
from dpcheck.model import disk
from dpcheck.model.disk import is_of_the_system, real_path, try_folder, write_whole
from dpcheck.model.errors import DpcheckError, InvalidArgument
from dpcheck.model.verdict import Status
from dpcheck.report.exit_status import Exit, exit_status
from dpcheck.report.finished import Audited, NotAudited, Run
from dpcheck.report.formats import FORMATS, JSON, SARIF, TEXT
from dpcheck.report.words import details_of, summary_of

if TYPE_CHECKING:
    from rich.console import RenderableType

_COLOURS = {
    Status.VIOLATED: "bold red",
    Status.LEARNER_FAILED: "bold red",
    Status.INCONCLUSIVE: "bold yellow",
    Status.NO_VIOLATION_FOUND: "bold green",
}

#: Lines of a page; nothing that is printed depends on them.
HEIGHT = 25


def check_writable(option: str, path: Path | None) -> None:
    """Refuse, before anything is run, a file that cannot be written afterwards.

    Raises
    ------
    InvalidArgument
        When its folder does not exist or cannot be written to, or it is a folder itself.
    """
    if path is None:
        return
    check_name(option, path)
    folder = path.absolute().parent
    if path.is_dir():
        raise InvalidArgument(f"{option} must be a file, got the folder {str(path)!r}")
    if not folder.is_dir():
        raise InvalidArgument(f"{option} must be in a folder that exists, got {str(path)!r}: create {folder} first")
    # A file is replaced as a whole, so its folder is what has to take a new one; permissions do not tell what a
    # file system refuses.
    try:
        # What is no file (a pipe, a terminal) is not tried out: whoever reads it would see an end.
        if not is_of_the_system(path):
            try_folder(real_path(path).parent)
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        why = error.strerror or error
        raise InvalidArgument(f"{option} must be a file that can be written, got {str(path)!r}: {why}") from error


def make_folder(option: str, folder: Path) -> None:
    """Make the folder of a command's results, before anything is run.

    Raises
    ------
    InvalidArgument
        Where it cannot be made or written to.
    """
    try:
        disk.DISK.make_directory(folder)
        try_folder(folder)
    except OSError as error:
        raise InvalidArgument(f"{option} must be a folder, got {str(folder)!r} ({error.strerror or error})") from error


def write_document(option: str, path: Path, text: str) -> None:
    """Write a file that an option names.

    Raises
    ------
    InvalidArgument
        When it cannot be written after all, such as on a disk that is full by now.
    """
    try:
        write_whole(path, text)
    except OSError as error:
        raise InvalidArgument(f"{option} could not be written to {str(path)!r}: {error.strerror or error}") from error


def written(*asked: tuple[str, Path | None, Callable[[], str]]) -> dict[str, InvalidArgument]:
    """Write files, each as far as it can be, whatever becomes of the others.

    Parameters
    ----------
    asked : options, the files that they name, and what makes the texts of those that are asked for

    Returns why not, by the options of those that could not be written.
    """
    lost: dict[str, InvalidArgument] = {}
    for option, path, text in asked:
        if path is not None:
            try:
                write_document(option, path, text())
            except InvalidArgument as error:
                lost.setdefault(option, error)
    return lost


def hand_out(
    view: Callable[[], str],
    output: Path | None,
    *others: tuple[str, Path | None, Callable[[], str]],
    summary: str = "",
    shown: Callable[[], object] | None = None,
    words: bool = False,
    lost: DpcheckError | None = None,
) -> None:
    """Write what a run found, each document as far as it can be; where one is lost, what was found is printed as well.

    Parameters
    ----------
    view : what makes the document
    output : its file; None for standard output
    others : options, the files that they name, and what makes their texts
    summary : said on standard error where the document is in a file
    shown : what prints instead of the document where no file is asked for
    words : whether the document is text for people, which is folded to the page of who reads it
    lost : why another file of this run could not be written before

    Raises
    ------
    DpcheckError
        At the end, for the first that could not be written.
    """
    lost_files: dict[str, DpcheckError] = {} if lost is None else {"": lost}
    lost_files |= written(*others, ("--output", output, view))
    if output is not None and summary:
        complain(summary)  # whoever looks at the terminal need not open the file
    try:
        if output is None and shown is not None:
            shown()
        elif output is None or "--output" in lost_files or (lost_files and not summary):
            (put_words if words else put)(view())
    except InvalidArgument as error:
        lost_files["standard output"] = error
    raise_first(lost_files)


def raise_first(lost: Mapping[str, DpcheckError]) -> None:
    """Say of each document that it could not be written: the first as what ends the command, the others as lines."""
    if lost:
        first, *others = lost.values()
        for error in others:
            complain(str(error))
        raise first


class Teller:
    """Prints each result as soon as it is there, where the document is text on standard output; else nothing.

    What it has printed when it is closed is the document :mod:`dpcheck.report.text` renders.
    """

    def __init__(self, aside: Callable[[], AbstractContextManager[None]] | None) -> None:
        self._aside = aside
        self._held: list[Audited | NotAudited] = []
        self._any_audited = False
        self._lost: InvalidArgument | None = None

    def __call__(self, result: Audited | NotAudited) -> None:
        """Print the result, with the live view out of the way."""
        self._held.append(result)
        self._any_audited |= isinstance(result, Audited)
        # A target that was not audited has been explained on standard error: that is all unless another one was.
        if self._aside is not None and self._any_audited:
            with self._aside():
                self._print_held()

    def close(self, run: Run) -> bool:
        """Print what belongs below the results; whether this was the document that was asked for.

        Raises
        ------
        InvalidArgument
            When standard output could not be written.
        """
        if self._aside is None:
            return False
        from dpcheck.report.text import closing

        self._print_held()
        self._print(closing(run))
        if self._lost is not None:
            raise self._lost
        return True

    def _print_held(self) -> None:
        for result in self._held:
            self._print(details_of(result) + "\n")
        self._held.clear()

    def _print(self, text: str) -> None:
        try:
            if sys.stdout.isatty():
                show(text)
            else:
                put_words(text + "\n")
        except InvalidArgument as error:
            # The other documents are still to be written.
            self._lost = self._lost or error


def teller(format: str, output: Path | None, display: Display) -> Teller:
    """What prints results as they come, for a run whose document is text on standard output."""
    return Teller(display.aside if format == TEXT.name and output is None else None)


def deliver(
    run: Run,
    told: Teller,
    *,
    format: str,
    output: Path | None,
    json_file: Path | None,
    sarif_file: Path | None = None,
) -> None:
    """Write every document that was asked for and is not there yet.

    Raises
    ------
    InvalidArgument
        When one could not be written; the others are, and what was to be in ``output`` is on standard output.
    """
    chosen = FORMATS[format]
    lost = written(*_beside(run, json_file, sarif_file), ("--output", output, lambda: chosen.views["run"](run)))
    if chosen.beside is not None:
        try:
            chosen.beside(run)
        except OSError as error:
            why = f"what {format} shows beside it could not be written: {error.strerror or error}"
            lost["--format"] = InvalidArgument(why)
    if output is not None:
        complain(summary_of(run))  # whoever looks at the terminal need not open the file
    try:
        if "--output" in lost or (output is None and not told.close(run)):
            put(chosen.views["run"](run))
    except InvalidArgument as error:
        lost["standard output"] = error
    raise_first(lost)


def _beside(
    run: Run, json_file: Path | None, sarif_file: Path | None
) -> tuple[tuple[str, Path | None, Callable[[], str]], ...]:
    """The documents that a run may have beside the one of its format."""
    return (
        ("--json", json_file, lambda: JSON.views["run"](run)),
        ("--sarif", sarif_file, lambda: SARIF.views["run"](run)),
    )


def put(text: str) -> None:
    """Print exactly this text, whatever standard output can encode, and whether or not anyone still reads it.

    Raises
    ------
    InvalidArgument
        When it cannot be written, such as to a disk that is full.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has left (dpcheck ... | head): the exit status is still the verdict's.
        drop_output()
    except OSError as error:
        drop_output()
        raise output_lost(error) from error


def put_words(text: str) -> None:
    """Print text for people: as :func:`put`, and folded where it is known how wide a page they have."""
    put(folded(text, page_width()))


def show(text: str) -> None:
    """Print text for a person on a terminal, with the statuses in colour (``NO_COLOR`` is respected)."""
    from rich.text import Text

    shown = Text(folded(text.rstrip("\n"), page_width()))
    for status, colour in _COLOURS.items():
        shown.highlight_words([status.value.upper()], colour)
    show_drawn(shown)


def show_drawn(drawn: RenderableType, *, least_width: int = 0) -> None:
    """Print what rich draws, with its colours where standard output is a terminal; in a file at least so wide."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    page = page_width()
    # a height too: without one rich takes some terminals to be 80 wide, whatever is said
    console = Console(highlight=False, width=page, height=None if page is None else HEIGHT)
    if page is None and console.width < least_width:
        console.width = least_width
    if page is not None and isinstance(drawn, Table):
        drawn = fitted(drawn, console)
    # Rich would end the process with status 1, which is a verdict, when nobody reads any more.
    with console.capture() as captured:
        # What is too long for a line in a text that was folded before is a name or a path: it stays whole.
        console.print(drawn, soft_wrap=isinstance(drawn, Text))
    put(captured.get())


def finish(
    run: Run,
    told: Teller,
    *,
    format: str,
    output: Path | None,
    json_file: Path | None,
    sarif_file: Path | None = None,
) -> NoReturn:
    """Write a run's documents and end the command with its exit status, the same for every format."""
    status = exit_status(run)
    if status is Exit.NOTHING_TO_CHECK:
        complain(nothing_to_check("dpcheck audit mylearner.py:Learner"))
    # On a terminal a target that was not audited has been explained already: text adds nothing to that.
    if run.audited or format != TEXT.name or output is not None:
        deliver(run, told, format=format, output=output, json_file=json_file, sarif_file=sarif_file)
    else:
        raise_first(written(*_beside(run, json_file, sarif_file)))
    raise typer.Exit(status)
