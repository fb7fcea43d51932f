"""What ends a command early, as one line on standard error and an exit status."""

from __future__ import annotations

import contextlib
import errno
import re
import sys
from importlib import import_module
from typing import Any

from dpcheck.cli.file_names import NO_NAME, shown_name
from dpcheck.cli.origin import with_origin
from dpcheck.model import errors
from dpcheck.model.errors import DpcheckError, LearnerDied
from dpcheck.model.harmless import one_line, printable
from dpcheck.model.option_words import as_options
from dpcheck.report.exit_status import OF_TROUBLE, Exit
from dpcheck.report.finished import Trouble

# A full disk, a quota, or a file too large for where it is: nothing that a report of a bug would mend.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# A word that nobody typed, longer than the paths that people have: what else the line says would be lost behind it.
_LONG_WORD = re.compile(r"\S{400,}")
# What stands at the ends of such a word and is none of it: a quotation's marks, and where the sentence goes on.
_ENDS_OF_WORD = re.compile(r"""(?s)(['"`(\[]*)(.*?)(['"`)\]]*)([:;,.]*)""")
_SHOWN = 60
TRACEBACK_HINT = "run it again with --traceback to see where, and please report it"


def complain(message: str) -> None:
    """Write one line to standard error, whatever the message holds."""
    say(_LONG_WORD.sub(_begun_word, one_line(message)))


def _begun_word(word: re.Match[str]) -> str:
    ends = _ENDS_OF_WORD.fullmatch(word[0])
    assert ends is not None  # all four parts may be empty
    opened, name, closed, rest = ends.groups()
    return f"{opened}{name[:_SHOWN]}{closed}... of {len(name):,} characters{rest}"


def say(line: str) -> None:
    """Write ``dpcheck: line`` to standard error, whatever that can encode, and whether or not it takes it."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    # A full disk or a closed pipe behind standard error leaves nobody to tell: the exit status still says it.
    with contextlib.suppress(OSError, ValueError):
        print(f"dpcheck: {line}".encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr, flush=True)


def trouble_of(error: BaseException) -> tuple[Trouble, str]:
    """What kind of trouble an exception is, and the line that says so."""
    if isinstance(error, KeyboardInterrupt):
        return Trouble.INTERRUPTED, "interrupted"
    if isinstance(error, LearnerDied):
        return Trouble.LEARNER, str(error.args[0] if error.args else error)
    if isinstance(error, DpcheckError):
        return Trouble.USAGE, as_options(with_origin(str(error)))
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return Trouble.USAGE, f"there must be room to write, got: {error.strerror}"
    if isinstance(error, OSError) and error.errno in NO_NAME:
        shown = shown_name(str(error.filename))
        return Trouble.USAGE, f"a file must have a name that can be used, got {shown}: {error.strerror}"
    if not isinstance(error, Exception):
        # dpcheck raises none of these: it is the learner's, or that of something that it was given with.
        return Trouble.LEARNER, f"the learner ended the run: {in_words(error)}; nothing was decided"
    return Trouble.INTERNAL, (
        f"internal error: {type(error).__name__}: {one_line(str(error)) or 'no message'}; {TRACEBACK_HINT}"
    )


def in_words(error: BaseException) -> str:
    """A stranger's exception in one line that is safe to print, whatever its ``__str__`` does.

    >>> in_words(ValueError("two\\n lines"))
    'ValueError: two lines'
    """
    return one_line(errors.in_words(error))


def usage_errors() -> type[Exception]:
    """What typer raises for wrong arguments is a kind of this: a class of its own, in versions before it click's.

    >>> issubclass(usage_errors(), Exception)
    True
    """
    import typer

    found: type[Exception] | None = getattr(typer, "TyperException", None)
    return found if found is not None else import_module("click").ClickException


def usage_line(error: Any) -> str:
    """The one line for an error in the command's arguments found by typer.

    >>> class Bad(Exception):
    ...     message, param = "wants a number such as 0.5, got 'x'", type("P", (), {"opts": ["--alpha"]})
    >>> usage_line(Bad())
    "--alpha wants a number such as 0.5, got 'x'"
    """
    options = getattr(getattr(error, "param", None), "opts", None)
    message = str(getattr(error, "message", "") or error)
    if options and message.startswith("wants"):
        return f"{options[-1]} {message}"
    return printable(error.format_message()).replace("Value error, ", "")


def print_traceback(error: BaseException) -> None:
    """The whole traceback on standard error, for ``--traceback``."""
    import traceback

    traceback.print_exception(error)


def exit_of_trouble(trouble: Trouble) -> Exit:
    """The exit status of a command that one trouble ended before any target was run."""

    return OF_TROUBLE[trouble]
