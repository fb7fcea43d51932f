"""Documents of an earlier run are set aside before a stranger's code runs: should it end this run, nobody is misled.

Nothing is lost by it: a run that ends without a document gives the earlier one its name again, where what was asked for
was wrong or could not be written, and else says what it is called now. One that is killed leaves it beside, as
``NAME.earlier``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpcheck.model import disk
from dpcheck.model.errors import InvalidArgument, TargetNotFound


@contextmanager
def out_of_the_way(*documents: Path | None) -> Iterator[None]:
    """Set aside the files that a run is going to write, until it has written them.

    Parameters
    ----------
    documents : Path or None
        Where the documents go. What is no file, or not there, is left alone.

    Examples
    --------
    >>> with out_of_the_way(None, Path("/dev/stdout")):
    ...     1 + 1
    2
    """
    aside: dict[Path, Path] = {}
    for path in documents:
        if path is None or disk.is_of_the_system(path) or not path.is_file():
            continue
        with suppress(OSError):  # what cannot be written is said where it is written
            aside[path] = disk.set_aside(path)
    try:
        yield
    except (InvalidArgument, TargetNotFound):
        for path, earlier in aside.items():
            _back(path, earlier)
        raise
    finally:
        for path, earlier in aside.items():
            _left(path, earlier)


def _back(path: Path, earlier: Path) -> None:
    with suppress(OSError):  # one was written meanwhile
        disk.put_back(earlier, path)


def _left(path: Path, earlier: Path) -> None:
    """Take the earlier file away where there is a new one, and say where it is where there is none."""
    from dpcheck.cli.failures import complain

    if not earlier.exists():
        return
    if path.exists():
        with suppress(OSError):
            disk.DISK.remove(earlier)
    else:
        complain(f"this run wrote no {path}: what an earlier one wrote there is in {earlier}")
