"""Functions that dpcheck's own work rests on, and a learner that replaces them in the process that both are in."""

from __future__ import annotations

import builtins
import copy
import hashlib
import json
import math
import pickle
import random
import sys
from types import ModuleType

import numpy as np

#: Modules whose functions and classes must stay what they are.
_MODULES: tuple[ModuleType, ...] = (np, np.random, np.linalg, builtins, copy, hashlib, json, math, pickle, random)
#: Those that people replace without any harm to dpcheck's work: what is printed, read and shown.
_FREE = frozenset({"print", "input", "open", "exit", "quit", "help", "breakpoint", "_", "__import__"})
#: So many are named.
_MOST_NAMED = 3


class Originals:
    """The functions and classes as they are when this is made (grows by those that are loaded later)."""

    def __init__(self) -> None:
        self._kept = [(module, dict(vars(module))) for module in _MODULES]
        self._loaded = {module.__name__: module for module in _MODULES}

    def put_back(self) -> tuple[str, ...]:
        """Put back what was replaced since, and return the names.

        >>> originals = Originals()
        >>> before, np.tril = np.tril, None
        >>> originals.put_back(), np.tril is before
        (('numpy.tril',), True)
        """
        found = []
        for name, module in self._loaded.items():
            if sys.modules.get(name) is not module:  # what is imported next would fail, or be another module
                sys.modules[name] = module
                found.append(f"the module {name}")
        for module, kept in self._kept:
            space = vars(module)
            if space == kept:  # of one object with itself nothing is compared: this takes microseconds
                continue
            for name, original in list(kept.items()):
                if callable(original) and name not in _FREE and space.get(name) is not original:
                    space[name] = original
                    found.append(f"{module.__name__}.{name}")
            kept.update({name: value for name, value in space.items() if name not in kept or not callable(kept[name])})
        return tuple(found)


def words_of_replaced(names: tuple[str, ...]) -> str:
    """What is said of a learner that replaced these.

    >>> words_of_replaced(("numpy.sum", "numpy.exp")).partition(" for ")[0]
    'replaces numpy.exp, numpy.sum'
    """
    shown = sorted(names)[:_MOST_NAMED]
    more = len(names) - len(shown)
    listed = ", ".join(shown) + (f" and {more} more" if more else "")
    return (
        f"replaces {listed} for the whole process, which dpcheck's own work rests on: nothing that it measures beside "
        "that could be believed; give the function of your own another name"
    )
