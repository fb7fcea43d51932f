"""A learner whose module is imported anew where it is run: what was drawn when it was imported is drawn again there.

A module that a worker cannot import by its name is sent as code, with all that its variables hold. Here its file is
sent, and of the learner only what the module does not make.
"""

from __future__ import annotations

import importlib.util
import os
import pickle
import sys
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from dpcheck.execution.packed_code import packed_with_code
from dpcheck.model.learner import Target


@dataclass(frozen=True)
class ImportedAnew:
    """A factory of the learners of a target, in a process that has not imported their module yet."""

    module: str
    file: str
    packed: bytes

    def __call__(self) -> Any:
        """A fresh learner, its module imported from its file if it has not been."""
        if self.module not in sys.modules:
            spec = importlib.util.spec_from_file_location(self.module, self.file)
            if spec is None or spec.loader is None:
                raise ImportError(f"{self.file} is no module of Python")
            made = sys.modules[self.module] = importlib.util.module_from_spec(spec)
            try:
                spec.loader.exec_module(made)
            except BaseException:
                del sys.modules[self.module]
                raise
        target: Target = pickle.loads(self.packed)
        return target.make()


def imported_anew(target: Target) -> Target:
    """The same target, whose module is imported from its file by a worker, where it would be sent as code.

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
    sent_as_code = module is not None and name in cloudpickle.list_registry_pickle_by_value()
    if not sent_as_code or not isinstance(name, str) or not isinstance(file, str) or not os.path.isfile(file):
        return target
    cloudpickle.unregister_pickle_by_value(module)
    try:
        packed = packed_with_code(replace(target, described=None))
    finally:
        cloudpickle.register_pickle_by_value(module)
    return Target(ImportedAnew(name, os.path.realpath(file), packed), True, target.name)
