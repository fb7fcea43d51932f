"""What a learner holds that noise can be picked from, looked at before outputs are compared with another process."""

from __future__ import annotations

import random
from collections import OrderedDict, deque
from typing import Any

import numpy as np
import pytest

from dpcheck.execution.own_generators import LEAST_STORED, owned_by


def _holding(held: Any) -> Any:
    return lambda data, rng: (held, data)


_FEW, _MANY = range(LEAST_STORED - 1), range(LEAST_STORED)


@pytest.mark.parametrize("made", [tuple, list, set, frozenset, deque, bytes, bytearray, np.array, OrderedDict.fromkeys])
def test_what_holds_many_values_is_seen_and_few_are_not(made: Any) -> None:
    assert owned_by(_holding(made(_MANY))).stores
    assert not owned_by(_holding(made(_FEW))).stores


def test_what_holds_them_is_looked_into() -> None:
    class Deep:
        __slots__ = ("inner",)

        def __init__(self, inner: Any) -> None:
            self.inner = inner

    assert owned_by(_holding(Deep({"noise": [tuple(_MANY)]}))).stores
    assert not owned_by(_holding(Deep({"noise": [tuple(_FEW)]}))).stores
    assert owned_by(_holding(memoryview(bytes(_MANY)))).stores


def test_a_learner_that_holds_nothing_stores_nothing() -> None:
    def geometric(data: Any, rng: np.random.Generator) -> int:
        return int(sum(data) + rng.geometric(0.5) - rng.geometric(0.5))

    assert not owned_by(geometric).stores
    assert not owned_by(_holding(np.random.default_rng(0))).stores
    assert not owned_by(_holding(random.Random(0))).stores


def test_where_not_all_was_looked_at_there_may_be_many() -> None:
    chain: Any = None
    for _ in range(6_000):
        chain = [chain]
    assert owned_by(_holding(chain)).stores
