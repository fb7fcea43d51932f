"""Documents of an earlier run are emptied before a stranger's code runs: should it end this run, nobody is misled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpcheck.model.errors import InvalidArgument, TargetNotFound

#: What stands here is the system's: a terminal, a pipe, or a file that somebody else opened.
_OF_THE_SYSTEM = ("/dev/", "/proc/")


@contextmanager
def emptied(*documents: Path | None) -> Iterator[None]:
    """Empty the files that a run is going to write; where an argument turns out wrong, they are as they were.

    Parameters
    ----------
    documents : Path or None
        Where the documents go. What is no file, or not there, is left alone.

    Examples
    --------
    >>> with emptied(None, Path("/dev/stdout")):
    ...     1 + 1
    2
    """
    before: dict[Path, bytes] = {}
    for path in documents:
        if path is None or not path.is_file() or str(path.absolute()).startswith(_OF_THE_SYSTEM):
            continue
        with suppress(OSError):  # what cannot be written is said where it is written
            before[path] = path.read_bytes()
            path.write_bytes(b"")
    try:
        yield
    except (InvalidArgument, TargetNotFound):
        for path, content in before.items():
            with suppress(OSError):
                if path.stat().st_size == 0:  # else it was written meanwhile
                    path.write_bytes(content)
        raise
