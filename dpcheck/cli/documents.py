"""Where a run's documents go: standard output and files."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from dpcheck.cli.display import Display
from dpcheck.cli.failures import complain
from dpcheck.cli.file_names import check_name
from dpcheck.cli.nothing_given import nothing_to_check
from dpcheck.cli.streams import drop_output, output_lost
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Status
from dpcheck.report.exit_status import Exit, exit_status
from dpcheck.report.finished import Audited, NotAudited, Run
from dpcheck.report.formats import FORMATS, JSON, SARIF, TEXT, Format
from dpcheck.report.words import details_of, summary_of

if TYPE_CHECKING:
    from rich.console import RenderableType

_COLOURS = {
    Status.VIOLATED: "bold red",
    Status.LEARNER_FAILED: "bold red",
    Status.INCONCLUSIVE: "bold yellow",
    Status.NO_VIOLATION_FOUND: "bold green",
}


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
        if not path.exists() or path.is_file():
            with tempfile.TemporaryFile(dir=path.resolve().parent):
                pass
        writable = not path.exists() or os.access(path, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        raise InvalidArgument(f"{option} must be a file that can be written, got {str(path)!r}")


def write_file(path: Path, text: str) -> None:
    """Write the whole text or nothing: a reader never sees half a document."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")  # /dev/stdout, a pipe: nothing to replace
        return
    target = path.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        # mkstemp makes files only their owner can read; a report is for everyone the umask allows.
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_document(option: str, path: Path, text: str) -> None:
    """Write a file that an option names.

    Raises
    ------
    InvalidArgument
        When it cannot be written after all, such as on a disk that is full by now.
    """
    try:
        write_file(path, text)
    except OSError as error:
        raise InvalidArgument(f"{option} could not be written to {str(path)!r}: {error.strerror or error}") from error


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
                put(text + "\n")
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
    lost = _lost(run, ("--json", json_file, JSON), ("--sarif", sarif_file, SARIF), ("--output", output, chosen))
    if chosen.beside is not None:
        chosen.beside(run)
    if output is not None:
        complain(summary_of(run))  # whoever looks at the terminal need not open the file
    if "--output" in lost or (output is None and not told.close(run)):
        put(chosen.views["run"](run))
    for error in lost.values():
        raise error


def _lost(run: Run, *asked: tuple[str, Path | None, Format]) -> dict[str, InvalidArgument]:
    """Write these files, each as far as it can be; why not, of those that could not."""
    lost: dict[str, InvalidArgument] = {}
    for option, path, document in asked:
        if path is not None:
            try:
                write_document(option, path, document.views["run"](run))
            except InvalidArgument as error:
                lost[option] = error
    return lost


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


def show(text: str) -> None:
    """Print text for a person on a terminal, with the statuses in colour (``NO_COLOR`` is respected)."""
    from rich.text import Text

    shown = Text(text.rstrip("\n"))
    for status, colour in _COLOURS.items():
        shown.highlight_words([status.value.upper()], colour)
    show_drawn(shown)


def show_drawn(drawn: RenderableType, *, least_width: int = 0) -> None:
    """Print what rich draws, with its colours where standard output is a terminal; else at least so wide."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal and console.width < least_width:
        console.width = least_width
    # Rich would end the process with status 1, which is a verdict, when nobody reads any more.
    with console.capture() as captured:
        console.print(drawn)
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
        for error in _lost(run, ("--json", json_file, JSON), ("--sarif", sarif_file, SARIF)).values():
            raise error
    raise typer.Exit(status)
