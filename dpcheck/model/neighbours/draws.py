"""Values drawn from a hypothesis strategy outside a test, the same ones for the same seed."""

from __future__ import annotations

import sys
from typing import Any

from dpcheck.model.errors import InvalidArgument


def is_strategy(value: Any) -> bool:
    """Whether ``value`` is a hypothesis strategy (False while hypothesis is not loaded: it cannot be one)."""
    strategies = sys.modules.get("hypothesis.strategies")
    return strategies is not None and isinstance(value, strategies.SearchStrategy)


def drawn(strategy: Any, count: int, seed: int = 0) -> list[Any]:
    """At most ``count`` values of the strategy, in the order drawn.

    Raises
    ------
    InvalidArgument
        When it is no strategy, or nothing can be drawn from it.

    Examples
    --------
    >>> from hypothesis import strategies as st
    >>> sorted(set(drawn(st.booleans(), 20)))
    [False, True]
    """
    import hypothesis
    from hypothesis.errors import HypothesisException

    if not is_strategy(strategy):
        raise InvalidArgument(f"strategy must be a hypothesis strategy, got {strategy!r}")
    found: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    try:
        collect()
    except HypothesisException as error:
        raise InvalidArgument(f"strategy {strategy!r} gave nothing: {error}") from error
    return found
