"""Objects of other libraries that stand where a learner is wanted, made learners by the adapter that knows them."""

from __future__ import annotations

import inspect
from typing import Any


def adapted(found: Any) -> Any:
    """A learner made of an OpenDP measurement, a diffprivlib model or mechanism, or an estimator; else it as it is.

    Nothing is imported to find out: what is none of these stays untouched.

    Examples
    --------
    >>> adapted(max) is max
    True
    >>> from diffprivlib.mechanisms import Laplace
    >>> adapted(Laplace(epsilon=1, sensitivity=1)).claim
    PureDP(epsilon=1.0)
    """
    if inspect.isclass(found) or inspect.isroutine(found):
        return found
    from dpcheck.adapters.opendp import is_measurement

    if is_measurement(found):
        from dpcheck.adapters.opendp import from_opendp

        return from_opendp(found)
    if callable(found):
        return found
    library = type(found).__module__.partition(".")[0]
    if library == "diffprivlib":
        from dpcheck.adapters.diffprivlib import from_diffprivlib

        return from_diffprivlib(found)
    if hasattr(found, "fit") and hasattr(found, "get_params"):
        from dpcheck.adapters.estimator import from_estimator

        return from_estimator(found)
    return found
