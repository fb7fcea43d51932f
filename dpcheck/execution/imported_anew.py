"""A learner whose module is imported anew where it is run: what was drawn when it was imported is drawn again there.

A module that a worker cannot import by its name is sent as code, with all that its variables hold. Here its file is
sent, and of the learner only what neither the module nor its class makes.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import pickle
import sys
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from dpcheck.execution.handover import PICKLE_PROTOCOL
from dpcheck.execution.made_anew import MadeAnew, is_an_object
from dpcheck.execution.packed_code import packed_with_code
from dpcheck.model.learner import Target

#: A script that is imported does not run: multiprocessing's name for it.
_SCRIPT = "__mp_main__"


@dataclass(frozen=True)
class ImportedAnew:
    """A factory of the learners of a target, in a process that has not imported their module yet."""

    module: str
    file: str
    packed: bytes

    def __call__(self) -> Any:
        """A fresh learner, its module imported from its file if it has not been."""
        name = _SCRIPT if self.module == "__main__" else self.module
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, self.file)
            if spec is None or spec.loader is None:
                raise ImportError(f"{self.file} is no module of Python")
            made = sys.modules[name] = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(made)
            except BaseException:
                del sys.modules[name]
                raise
        sys.modules[self.module] = sys.modules[name]  # where what was packed looks for what a script made
        target: Target = pickle.loads(self.packed)
        return _with_what_its_class_draws(target).make()


def imported_anew(target: Target) -> Target:
    """The same target, whose module is imported from its file by a worker, where it would be sent as code.

    A script is run again if it says what is done only where it is the one that runs (``if __name__ == "__main__"``).

    Raises
    ------
    Exception
        Whatever packing the learner raises.
    """
    import cloudpickle

    found = target.original
    name = found.__module__ if isinstance(found, FunctionType | type) else type(found).__module__
    module = sys.modules.get(name) if isinstance(name, str) else None
    file = getattr(module, "__file__", None)
    script = name == "__main__"
    sent_as_code = module is not None and (script or name in cloudpickle.list_registry_pickle_by_value())
    if not sent_as_code or not isinstance(name, str) or not isinstance(file, str) or not os.path.isfile(file):
        return _with_what_its_class_draws(target)
    if script:
        if not _asks_whether_it_runs(file):
            return _with_what_its_class_draws(target)
        packed = pickle.dumps(replace(target, described=None), PICKLE_PROTOCOL)
        return Target(ImportedAnew(name, os.path.realpath(file), packed), True, target.name)
    cloudpickle.unregister_pickle_by_value(module)
    try:
        packed = packed_with_code(replace(target, described=None))
    finally:
        cloudpickle.register_pickle_by_value(module)
    return Target(ImportedAnew(name, os.path.realpath(file), packed), True, target.name)


def _with_what_its_class_draws(target: Target) -> Target:
    return Target(MadeAnew(target), True, target.name) if is_an_object(target) else target


def _asks_whether_it_runs(file: str) -> bool:
    """Whether a script can be imported, as multiprocessing imports it, without doing what it does."""
    with open(file, "rb") as source:
        lines = ast.parse(source.read()).body
    asked = [line.test for line in lines if isinstance(line, ast.If)]
    return any(isinstance(part, ast.Name) and part.id == "__name__" for test in asked for part in ast.walk(test))
