"""The modules of a package, found by walking it: what stands there is known without a list to extend."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def modules_in(package: str) -> list[ModuleType]:
    """The modules of a package, imported, in the order of their names.

    Examples
    --------
    >>> [module.__name__.rpartition(".")[2] for module in modules_in("dpcheck.parts.risk")]
    ['linear_program', 'losses', 'problems']
    """
    names = sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__))
    return [importlib.import_module(f"{package}.{name}") for name in names]
