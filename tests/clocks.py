"""A clock that sleeping alone moves on: what a run does with its time does not depend on how busy the machine is."""

from __future__ import annotations

import time

import pytest


def only_sleeping_takes_time(patch: pytest.MonkeyPatch) -> None:
    """From now on ``time.sleep`` returns at once, and all clocks have moved on by what it was asked for."""
    now = [time.monotonic()]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    patch.setattr(time, "sleep", sleep)
    for clock in ("monotonic", "perf_counter"):
        patch.setattr(time, clock, lambda: now[0])
