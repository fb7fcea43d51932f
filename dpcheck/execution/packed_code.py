"""Objects packed with the code of their functions and classes, for a process that cannot import their module."""

from __future__ import annotations

import functools
import io
from collections import ChainMap
from collections.abc import Callable
from typing import Any

from dpcheck.execution.handover import PICKLE_PROTOCOL

_Cached = type(functools.lru_cache(maxsize=None)(lambda: None))


def packed_with_code(value: Any) -> bytes:
    """What cloudpickle makes of it, and of functions with a cache: it knows these by their names alone.

    Such a function goes with an empty cache where its module goes as code, and by its name elsewhere.

    Raises
    ------
    Exception
        Whatever packing the value raises.

    Examples
    --------
    >>> import pickle
    >>> pickle.loads(packed_with_code(lambda: 3))()
    3
    """
    file = io.BytesIO()
    _pickler()(file, PICKLE_PROTOCOL).dump(value)
    return file.getvalue()


@functools.cache
def _pickler() -> Any:
    """Cloudpickle's, whose table of types is the class's own: pickle reads it there."""
    import cloudpickle

    table = ChainMap({_Cached: _reduced}, cloudpickle.Pickler.dispatch_table)
    return type("Pickler", (cloudpickle.Pickler,), {"dispatch_table": table})


def cached_anew(function: Callable[..., Any], maxsize: int | None, typed: bool) -> Any:
    """The function with a cache that has seen nothing; named in what is packed."""
    return functools.lru_cache(maxsize=maxsize, typed=typed)(function)


def _reduced(cached: Any) -> Any:
    import cloudpickle

    if cached.__module__ != "__main__" and cached.__module__ not in cloudpickle.list_registry_pickle_by_value():
        return cached.__reduce__()
    how = cached.cache_parameters()
    return cached_anew, (cached.__wrapped__, how["maxsize"], how["typed"])
