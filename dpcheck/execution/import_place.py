"""Where in a stranger's module an exception came up while it was being imported."""

from __future__ import annotations

from pathlib import PurePath
from traceback import walk_tb


def line_in(error: BaseException, module: str) -> str:
    """Where in a stranger's module, or in one below it, an exception came up: `` (mine.py, line 3)``.

    Nothing where it came up in none of them; and nothing for wrong syntax, of which the exception says it itself.

    >>> line_in(KeyError(), "mine")
    ''
    """
    if issubclass(type(error), SyntaxError):
        return ""
    found = ""
    for frame, line in walk_tb(BaseException.__dict__["__traceback__"].__get__(error)):
        name = str(frame.f_globals.get("__name__"))
        if name == module or name.startswith(f"{module}."):
            found = f" ({PurePath(frame.f_code.co_filename).name}, line {line})"
    return found
