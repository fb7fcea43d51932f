"""A report's numbers come of calls alone: a machine, or a learner, that takes hours for them comes to the same."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from dpcheck import PureDP, ReplaceOne
from dpcheck.model.learner import as_target
from dpcheck.report.whole import learners
from dpcheck.report.whole.learners import Subject, learner_report
from dpcheck.report.whole.model import LearnerReport
from dpcheck.report.whole.units import Level
from tests.clocks import only_sleeping_takes_time


class Sleeper:
    """Noisy enough for its claim, after a nap."""

    def __init__(self, nap: float) -> None:
        self.nap = nap
        self.lock = threading.Lock()  # it stays in this process, whose clock is ours

    def __call__(self, dataset: Any, rng: Any) -> float:
        time.sleep(self.nap)
        return float(sum(dataset) + rng.laplace(scale=1.0))


def reported(nap: float) -> LearnerReport:
    subject = Subject("sleeper", as_target(Sleeper(nap)), PureDP(1.0), ReplaceOne(records=(0, 1), size=2))
    return replace(learner_report(subject, Level(0, True)), seconds=0.0)


@pytest.mark.turns(6)
def test_a_report_of_a_learner_that_takes_hours_has_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)
    slow, quick = reported(2.0), reported(0.001)
    assert slow == quick
    assert slow.calls >= 8_000  # which took more than four hours


@pytest.mark.turns(6)
def test_numbers_that_depend_on_seconds_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)
    monkeypatch.setattr(learners, "MAX_SECONDS", 1_800.0)
    assert reported(2.0).calls < 1_000
