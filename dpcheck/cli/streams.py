"""The three standard streams, as the shell left them: closed, on a full disk, or with nobody at the other end."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

from dpcheck.model.errors import InvalidArgument


def reopen_missing() -> None:
    """Put the null device where standard input, output or error was closed.

    Otherwise the next file or pipe to be opened gets its number, and is written to by whoever prints.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free is the one that is missing: those below it are open by now.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115  (it lives as long as the process)
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)


class _HeldOpen(io.TextIOWrapper):
    """A standard stream that whoever closes it only flushes: the results are still to be written there."""

    mode = "w"

    def close(self) -> None:
        with suppress(OSError, ValueError):
            self.flush()


def hold_open() -> None:
    """Keep standard output and error open though a learner, or a library that it loads, closes them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if not isinstance(stream, io.TextIOWrapper) or isinstance(stream, _HeldOpen):
            continue
        encoding, errors, by_line, at_once = (
            stream.encoding,
            stream.errors,
            stream.line_buffering,
            stream.write_through,
        )
        held = _HeldOpen(stream.detach(), encoding, errors, line_buffering=by_line, write_through=at_once)
        setattr(sys, name, held)
        setattr(sys, f"__{name}__", held)


def drop_output() -> None:
    """Send to nowhere what is still to be written to standard output, Python's own flush at the end included."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def output_lost(error: OSError) -> InvalidArgument:
    """The error of a standard output that cannot be written."""
    return InvalidArgument(f"standard output must be writable, got: {error.strerror or error}")


def flushed() -> InvalidArgument | None:
    """What is still buffered for standard output, written; the error if it could not be."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
    except OSError as error:
        drop_output()
        return output_lost(error)
    except (ValueError, AttributeError):
        # The stream's own buffer was closed, or something else put in its place: not all was written.
        return InvalidArgument("standard output must stay open, and the learner's code closed it")
    return None
