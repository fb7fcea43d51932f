"""Modules that another process imports from their files, where it cannot import them by their names.

They are else sent as code, with all that their variables hold: a lock, a connection or a source of entropy cannot be.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpcheck.execution.handover import PICKLE_PROTOCOL
from dpcheck.execution.packed_code import packed_with_code

#: A script that is imported does not run: multiprocessing's name for it.
_SCRIPT = "__mp_main__"


@dataclass(frozen=True)
class WithFiles:
    """What was packed without the code of some modules; where it is unpacked they are imported from their files."""

    files: tuple[tuple[str, str], ...]
    packed: bytes

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpacked, (self.files, self.packed)


def _unpacked(files: Sequence[tuple[str, str]], packed: bytes) -> Any:
    for name, file in files:
        imported_from(file, name)
    return pickle.loads(packed)


def imported_from(file: str, name: str) -> None:
    """Import a module of this name from its file, where it has not been yet; a script is imported and not run.

    Raises
    ------
    Exception
        Whatever the module raises while it is imported.
    """
    known = _SCRIPT if name == "__main__" else name
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} is no module of Python")
        made = sys.modules[known] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(made)
        except BaseException:
            del sys.modules[known]
            raise
    sys.modules[name] = sys.modules[known]  # where what was packed looks for what a script made


def sent_as_code() -> tuple[str, ...]:
    """The modules, of those loaded, whose functions and classes are packed as code; a script among them."""
    import cloudpickle

    return tuple(name for name in ("__main__", *cloudpickle.list_registry_pickle_by_value()) if name in sys.modules)


def file_of(name: str) -> str | None:
    """The file that a module can be imported from where it is not found by its name; None where there is none.

    A script can be imported if it asks whether it is the one that runs (``if __name__ == "__main__"``).
    """
    file = getattr(sys.modules.get(name), "__file__", None)
    if not isinstance(file, str) or not os.path.isfile(file):
        return None
    if name == "__main__" and not _asks_whether_it_runs(file):
        return None
    return os.path.realpath(file)


def packed_without_code(value: Any, names: Sequence[str]) -> bytes:
    """It packed with what these modules make by its name alone, though they are among those that are sent as code.

    Raises
    ------
    Exception
        Whatever packing the value raises.
    """
    import cloudpickle

    if "__main__" in names:  # which cloudpickle sends as code in any case
        return pickle.dumps(value, PICKLE_PROTOCOL)
    known = cloudpickle.list_registry_pickle_by_value()
    registered = [sys.modules[name] for name in names if name in known]
    for module in registered:
        cloudpickle.unregister_pickle_by_value(module)
    try:
        return packed_with_code(value)
    finally:
        for module in registered:
            cloudpickle.register_pickle_by_value(module)


def _asks_whether_it_runs(file: str) -> bool:
    """Whether a script can be imported, as multiprocessing imports it, without doing what it does."""
    with open(file, "rb") as source:
        lines = ast.parse(source.read()).body
    asked = [line.test for line in lines if isinstance(line, ast.If)]
    return any(isinstance(part, ast.Name) and part.id == "__name__" for test in asked for part in ast.walk(test))
