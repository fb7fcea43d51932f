"""What learners made of learners ask for: the declared law of the one inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def law_method(learner: Any) -> Callable[[Any], Any]:
    """A learner's ``distribution``.

    Raises
    ------
    AttributeError
        When it has none: a property that ends in this is then not there either, and audits go by calls.
    """
    method = getattr(learner, "distribution", None)
    if not callable(method):
        raise AttributeError(f"{type(learner).__name__} declares no law")
    found: Callable[[Any], Any] = method
    return found
