"""Where nobody asked for a time, an audit that its minute is too short for goes on until it can decide."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.model.verdict import Status, Stop
from dpcheck.privacy.run import certification, question

PAIRS = [([0.0], [1.0])]
SECONDS = 0.3


def slow(dataset: list[float], rng: np.random.Generator) -> float:
    time.sleep(0.001)
    return float(sum(dataset) + rng.laplace(scale=10.0))  # a tenth of what is claimed


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute of a third of a second."""
    monkeypatch.setattr(question, "DEFAULT_SECONDS", SECONDS)


def audited(seed: int, **arguments: Any) -> dpcheck.Verdict:
    return dpcheck.audit(slow, 1.0, pairs=PAIRS, alpha=0.01, isolation="none", seed=seed, **arguments)


@pytest.mark.usefixtures("short")
def test_it_ends_by_calls(seed: int) -> None:
    verdict = audited(seed)

    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.stop is Stop.POWER
    assert verdict.seconds > SECONDS
    assert verdict.samples < 20_000


@pytest.mark.usefixtures("short")
def test_a_time_that_was_asked_for_is_kept(seed: int) -> None:
    verdict = audited(seed, max_seconds=SECONDS)

    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.stop is Stop.MAX_SECONDS


@pytest.mark.usefixtures("short")
def test_what_would_take_too_long_is_not_begun(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certification, "PLANNED_SECONDS", 1.2 * SECONDS)

    verdict = audited(seed)

    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.stop is Stop.MAX_SECONDS
    assert any(step.startswith("to reach a loss of") for step in str(verdict).split("Next: "))
