"""A target and its datasets packed for another process, with the surroundings it needs there."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from dpcheck.execution.forked import CopyEnded, bytes_of_copy, can_be_copied
from dpcheck.execution.import_limit import import_seconds
from dpcheck.execution.module_files import WithFiles, file_of, packed_without_code, sent_as_code
from dpcheck.execution.packed_code import packed_with_code
from dpcheck.execution.watch import is_watched, watched
from dpcheck.model.errors import LearnerDied, in_words


@dataclass(frozen=True)
class Shipment:
    """Target and datasets as bytes, with the import path, directory and environment they come from.

    ``inputs`` are the rows that models are asked about, or None, as bytes too.
    """

    target: bytes
    datasets: bytes
    path: list[str]
    directory: str
    environment: dict[str, str]
    inputs: bytes = pickle.dumps(None)


class CannotShip(Exception):
    """The target or its datasets cannot be packed, or not be unpacked in a worker; the text says why."""


def shipped(
    target: Any,
    datasets: Sequence[Any],
    by_value: Sequence[str] = (),
    inputs: Any = None,
    *,
    from_files: bool = False,
) -> Shipment:
    """Pack a target, or what else a worker is asked about.

    What lives in ``__main__`` or in the modules ``by_value`` goes as code, not as a name; where that cannot be packed
    and ``from_files`` is true, these modules are imported from their files in the worker.

    Raises
    ------
    CannotShip
        When something in it cannot be packed.
    """
    import cloudpickle

    registered = []
    try:
        for name in by_value:
            module = sys.modules.get(name)
            if module is not None and name not in cloudpickle.list_registry_pickle_by_value():
                cloudpickle.register_pickle_by_value(module)
                registered.append(module)
        with watched("the learner was being packed for a worker process"):
            try:
                packed = _packed_apart(target, by_value)
            except CannotShip:
                packed = _packed_with_files(target) if from_files else b""
                if not packed:
                    raise
        data = _packed("a dataset", tuple(datasets))
        rows = _packed("a dataset", inputs)
    finally:
        for module in registered:
            cloudpickle.unregister_pickle_by_value(module)
    try:
        directory = os.getcwd()
    except OSError:
        directory = os.sep
    return Shipment(packed, data, [str(entry) for entry in sys.path], directory, os.environ.copy(), rows)


def reloaded(shipment: Shipment, datasets: Sequence[Any]) -> Shipment:
    """The same target with other datasets.

    Raises
    ------
    CannotShip
        When a dataset cannot be packed.
    """
    return replace(shipment, datasets=_packed("a dataset", tuple(datasets)))


def _packed_apart(target: Any, by_value: Sequence[str]) -> bytes:
    """The learner packed, by its own code, in a copy of this process where there can be one and nobody else watches."""
    if is_watched() or _goes_by_name(target, by_value) or not can_be_copied():
        return _packed("the learner", target)
    try:
        made = bytes_of_copy(lambda: _packed("the learner", target), import_seconds())
    except CopyEnded as ended:
        raise LearnerDied(f"the learner {ended} while it was packed for a worker process", 0) from None
    return _packed("the learner", target) if made is None else made


def _goes_by_name(target: Any, by_value: Sequence[str]) -> bool:
    """Whether it is a function or a class that a worker imports, so that nothing of its own runs when it is packed."""
    found = target
    while "original" in getattr(type(found), "__dataclass_fields__", ()):
        if found.options:
            return False
        found = found.original
    if type(found) not in (FunctionType, type) or found.__module__ in ("__main__", *by_value):
        return False
    module = sys.modules.get(found.__module__)
    return module is not None and vars(module).get(found.__qualname__) is found


def _packed_with_files(target: Any) -> bytes:
    """The learner packed without the code of modules that have a file, a script only if need be; empty if it cannot."""
    files = [(name, file) for name in sent_as_code() if (file := file_of(name)) is not None]
    for some in ([(name, file) for name, file in files if name != "__main__"], files):
        if some:
            with suppress(CannotShip):
                packed = _packed("the learner", target, [name for name, _ in some])
                return _packed("the learner", WithFiles(tuple(some), packed))
    return b""


def _packed(what: str, value: Any, without: Sequence[str] = ()) -> bytes:
    try:
        data = packed_without_code(value, without) if without else packed_with_code(value)
    except Exception as error:
        reason = str(error).splitlines() or [""]
        raise CannotShip(f"{what} cannot be pickled: {type(error).__qualname__}: {reason[0]}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit(0) would end whoever asked as if all were done
        raise LearnerDied(f"{what} could not be packed for a worker process: {in_words(error)}", 0) from None
    return data
