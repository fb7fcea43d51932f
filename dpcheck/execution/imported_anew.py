"""A learner whose module is imported anew where it is run: what was drawn when it was imported is drawn again there.

A module that a worker cannot import by its name is sent as code, with all that its variables hold. Here its file is
sent, and of the learner only what neither the module nor its class makes.
"""

from __future__ import annotations

import pickle
import sys
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from types import FunctionType, MethodType
from typing import Any

from dpcheck.execution.handover import PICKLE_PROTOCOL
from dpcheck.execution.made_anew import MadeAnew, is_an_object
from dpcheck.execution.module_files import file_of, imported_from, packed_without_code, sent_as_code
from dpcheck.model.learner import Target

#: Types of settings.
_PLAIN = (int, float, complex, str, bool, type(None))


@dataclass(frozen=True)
class ImportedAnew:
    """A factory of the learners of a target, in a process that has not imported their module yet.

    ``name`` is that of the learner in the module, if it has one there: then it is what the module makes anew, with the
    same ``settings``. Without ``file`` the module is imported by its name.
    """

    module: str
    file: str
    packed: bytes
    name: str = ""
    settings: tuple[Any, ...] = ()

    def __call__(self) -> Any:
        """A fresh learner, its module imported from its file if it has not been."""
        imported_from(self.file, self.module) if self.file else import_module(self.module)
        target: Target = pickle.loads(self.packed)
        if self.name:
            found = vars(sys.modules[self.module])[self.name]
            if settings_of(found) != self.settings:
                raise LookupError(f"{self.name} is not what its module makes: it was changed afterwards")
            return replace(target, original=found).make()
        return _with_what_its_class_draws(target).make()


def imported_anew(target: Target) -> Target:
    """The same target, whose module is imported from its file by a worker, where it would be sent as code.

    An object that has a name in its module (``learner = Learner()``) is taken from there, with all that it holds. A
    script is imported if it says what is done only where it is the one that runs (``if __name__ == "__main__"``).

    Raises
    ------
    Exception
        Whatever packing the learner raises.
    """
    found = target.original
    own = found.__module__ if isinstance(found, FunctionType | type) else type(found).__module__
    if own not in sent_as_code() and isinstance(found, FunctionType | type):
        return target  # imported there by its name
    for module in dict.fromkeys((own, *sent_as_code())):
        name = "" if isinstance(found, type) else _name_in(module, found)
        file = file_of(module) if module in sent_as_code() else ""
        if name and file is not None:
            packed = pickle.dumps(replace(target, original=None, described=None), PICKLE_PROTOCOL)
            return Target(ImportedAnew(module, file, packed, name, settings_of(found)), True, target.name)
    file = file_of(own) if own in sent_as_code() else None
    if file is None:
        return _with_what_its_class_draws(target)
    packed = packed_without_code(replace(target, described=None), [own])
    return Target(ImportedAnew(own, file, packed), True, target.name)


def settings_of(learner: Any) -> tuple[Any, ...]:
    """What a learner was given rather than drew: its plain numbers, texts and truths, by name or in their order.

    >>> from functools import partial
    >>> settings_of(partial(max, 3, key=None)), settings_of(lambda data, rng, scale=2.0: 0)
    ((3, ('key', None)), (2.0,))
    """
    held: list[Any] = []
    if isinstance(learner, MethodType):
        return settings_of(learner.__self__)
    if isinstance(learner, partial):
        held = [*learner.args, *learner.keywords.items()]
    elif isinstance(learner, FunctionType):
        held = [*(learner.__defaults__ or ()), *(cell.cell_contents for cell in learner.__closure__ or ())]
    else:
        held = sorted(getattr(learner, "__dict__", {}).items(), key=lambda item: str(item[0]))
    return tuple(one for one in held if type(one[1] if type(one) is tuple and len(one) == 2 else one) in _PLAIN)


def _name_in(module: Any, learner: Any) -> str:
    """The name that a learner has in a module; empty where it has none."""
    space = vars(sys.modules[module]) if isinstance(module, str) and module in sys.modules else {}
    return next((name for name, value in space.items() if value is learner), "")


def _with_what_its_class_draws(target: Target) -> Target:
    return Target(MadeAnew(target), True, target.name) if is_an_object(target) else target
