"""Outputs that hold the time of the call, or a count of calls: failed for that reason, and for no other."""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from dpcheck import Status, audit
from dpcheck.privacy.statistics.clocks import Order
from dpcheck.privacy.statistics.observations import Observations

MADE: dict[str, Callable[[], Any]] = {
    "a log record": lambda: logging.LogRecord("a", 20, "f.py", 3, "x", (), None),
    "a date": lambda: datetime.datetime.now(),
    "a text": lambda: datetime.datetime.now().isoformat(),
    "a clock": time.monotonic,
    "nanoseconds": time.time_ns,
    "seconds": time.time,
    "whole milliseconds": lambda: int(time.time() * 1000),
}


@pytest.mark.parametrize("made", MADE)
def test_an_output_that_holds_the_time_is_told_so(made: str) -> None:
    def learner(dataset: Any, rng: Any) -> Any:
        return {"sum": sum(dataset) + rng.laplace(scale=2.0), "made": MADE[made]()}

    found = audit(learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=3_000)
    assert found.status is Status.LEARNER_FAILED
    assert "only grows from call to call" in found.failure, found.failure


def test_noise_that_starts_again_in_order_is_no_clock(rng: np.random.Generator) -> None:
    """Its first numbers rise by chance, and do so again in each block: they were taken for a clock's."""

    class Drawn:
        def __init__(self) -> None:
            noise = rng.laplace(size=20_000)
            self.noise = iter([*np.sort(noise[:6]).tolist(), *noise[6:].tolist()])

        def __call__(self, dataset: Any, rng: Any) -> float:
            return float(sum(dataset) + next(self.noise))

    found = audit(Drawn(), 1.0, pairs=[([0], [1])], isolation="none", max_samples=600)
    assert found.status is Status.LEARNER_FAILED
    assert "its runs are not fresh" in found.failure, found.failure


def test_the_bet_on_an_order_is_fair_whatever_came_before() -> None:
    """Over all orders that leave what came before in its own, which is what noise that starts again does, and over all.

    One that paid for the old order again would have a mean of 2 on the first.
    """
    tokens = np.arange(4, dtype=np.uint64)

    def paid(block: Sequence[float]) -> float:
        order = Order()
        order.see(Observations(np.array([[0.0], [1.0]]), tokens[:2], [], tokens[:2]))
        before = order.logs[0]
        order.see(Observations(np.array(block)[:, None], tokens, [], tokens))
        return float(np.exp(order.logs[0] - before))

    for block in ([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 3.0]):
        orders = sorted(permutations(block))
        again = [one for one in orders if [x for x in one if x < 2.0] == sorted(x for x in one if x < 2.0)]
        assert np.mean([paid(one) for one in again]) == pytest.approx(1.0)
        assert np.mean([paid(one) for one in orders]) <= 1.0 + 1e-12


def test_huge_numbers_are_in_order_or_not(rng: np.random.Generator) -> None:
    tokens = np.arange(30, dtype=np.uint64)
    for numbers, grow in ((1.7e308 * np.linspace(-1.0, 1.0, 30), True), (1.7e308 * rng.choice([-1.0, 1.0], 30), False)):
        order = Order()
        order.see(Observations(numbers[:, None], tokens, [], tokens))
        assert (order.evidence > 14.0) == grow


def test_fresh_outputs_are_in_order_by_chance_no_more_often_than_it_says(rng: np.random.Generator) -> None:
    """A bet: its mean is at most 1, also for few different values; at e^21 a false alarm has probability 1e-9."""
    found = []
    for columns in (rng.random((4000, 8, 3)), rng.integers(0, 2, (4000, 8, 3)).astype(float)):
        for block in columns:
            order = Order()
            tokens = np.arange(8, dtype=np.uint64)
            order.see(Observations(block, tokens, [], tokens))
            found.append(order.evidence)
    assert max(found) < 21.0
