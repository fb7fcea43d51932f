"""Where nobody asked for a time, an audit that its minute is too short for goes on until it can decide."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.model.verdict import Status, Stop
from dpcheck.privacy.run import certification, question
from dpcheck.privacy.run.limits import Limits
from dpcheck.privacy.run.preview import preview
from tests.clocks import only_sleeping_takes_time

PAIRS = [([0.0], [1.0])]
SECONDS = 0.3


def slow(dataset: list[float], rng: np.random.Generator) -> float:
    time.sleep(0.001)
    return float(sum(dataset) + rng.laplace(scale=10.0))  # a tenth of what is claimed


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minutes without waiting for them: only the learner's sleep takes time."""
    only_sleeping_takes_time(monkeypatch)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute of a third of a second."""
    monkeypatch.setattr(question, "DEFAULT_SECONDS", SECONDS)


def audited(seed: int, **arguments: Any) -> dpcheck.Verdict:
    return dpcheck.audit(slow, 1.0, pairs=PAIRS, alpha=0.01, isolation="none", seed=seed, **arguments)


@pytest.mark.turns(4)
@pytest.mark.usefixtures("still", "short")
def test_it_ends_by_calls(seed: int) -> None:
    verdict = audited(seed)

    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.stop is Stop.POWER
    assert verdict.seconds > SECONDS
    assert verdict.samples < 20_000


@pytest.mark.usefixtures("still", "short")
def test_a_time_that_was_asked_for_is_kept(seed: int) -> None:
    verdict = audited(seed, max_seconds=SECONDS)

    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.stop is Stop.MAX_SECONDS


@pytest.mark.usefixtures("still", "short")
def test_what_would_take_too_long_is_not_begun(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certification, "PLANNED_SECONDS", 1.2 * SECONDS)

    verdict = audited(seed)

    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.stop is Stop.MAX_SECONDS
    assert any(step.startswith("to reach a loss of") for step in str(verdict).split("Next: "))


def taking(seconds: float, later: float | None = None, calls: int = 0) -> Any:
    """A learner whose calls take so many seconds, and others after so many calls."""
    made = [0]

    def learner(dataset: list[float], rng: np.random.Generator) -> float:
        made[0] += 1
        time.sleep(seconds if later is None or made[0] <= calls else later)
        return float(sum(dataset) + rng.laplace(scale=10.0))

    return learner


def audited_slowly(learner: Any, seed: int, **arguments: Any) -> dpcheck.Verdict:
    return dpcheck.audit(learner, 1.0, **{"pairs": PAIRS, "isolation": "none", "seed": seed, **arguments})


@pytest.mark.turns(4)
@pytest.mark.usefixtures("still")
def test_calls_that_have_become_slower_are_given_more_time_again(seed: int) -> None:
    verdict = audited_slowly(taking(0.012, 0.192, calls=5100), seed)

    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.seconds > 300.0


@pytest.mark.turns(6)
@pytest.mark.usefixtures("still")
def test_calls_that_may_not_be_made_are_not_waited_for(seed: int) -> None:
    verdict = audited_slowly(taking(0.02), seed, max_samples=3500)

    assert verdict.stop is Stop.MAX_SECONDS
    assert verdict.seconds < 62.0


@pytest.mark.turns(6)
@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("count", [1, 3])
def test_it_says_how_to_repeat_it(count: int, seed: int) -> None:
    pairs = [([0.0] * (size + 1), [1.0] + [0.0] * size) for size in range(count)]
    verdict = audited_slowly(taking(0.01), seed, pairs=pairs)

    assert verdict.stop is Stop.POWER
    (said,) = [finding.detail for finding in verdict.findings if finding.kind == "went on after its time"]
    if count == 1:
        assert said == f"60 s had decided nothing; --max-samples {verdict.samples} repeats this run without a clock"
        again = audited_slowly(taking(0.01), seed, max_samples=verdict.samples, max_seconds=np.inf)
        assert again.log_evidence == verdict.log_evidence
    else:  # the pairs explored are those that its minute was thought to reach
        seconds = float(f"{verdict.seconds:.2g}")
        calls = f"{verdict.samples:,} calls fitted into {seconds:g} s"
        assert said == f"60 s had decided nothing; {calls}; the pairs explored depend on it"


@pytest.mark.usefixtures("still")
def test_few_calls_in_its_minute_are_not_said_to_be_repeated_by_their_number(seed: int) -> None:
    def bit(dataset: list[float], rng: np.random.Generator) -> int:
        time.sleep(0.3)
        return int(rng.random() < (0.55 if sum(dataset) else 0.45))

    verdict = audited_slowly(bit, seed, detect=3.0, alpha=0.01)

    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.samples > 256  # but the size of its interim analyses was chosen for fewer
    (said,) = [finding.detail for finding in verdict.findings if finding.kind == "went on after its time"]
    assert said.startswith(f"60 s had decided nothing; {verdict.samples:,} calls fitted into ")


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize(("arguments", "said"), [({}, True), ({"max_seconds": 60.0}, False)])
def test_a_dry_run_says_so(arguments: dict[str, Any], said: bool, seed: int) -> None:
    limits = Limits(alpha=1e-6, isolation="none", seed=seed, **arguments)
    asked = question.ask(taking(0.01), 1.0, measuring=False, limits=limits, pairs=PAIRS)

    assert ("goes on for up to 600 s" in " ".join(str(preview(asked)).split())) is said


class Sampler:
    """Each call takes so many seconds, draws of its ``sample`` take none."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, dataset: list[float], rng: np.random.Generator) -> float:
        time.sleep(self.seconds)
        return float(sum(dataset) + rng.laplace(scale=10.0))

    def sample(self, dataset: list[float], size: int, rng: np.random.Generator) -> Any:
        return sum(dataset) + rng.laplace(scale=10.0, size=size)


@pytest.mark.turns(6)
@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("seconds", [0.006, 0.009])
def test_of_a_learner_with_a_sample_the_separate_calls_are_waited_for(seconds: float, seed: int) -> None:
    # The draws of its minute are more than enough calls, but they do not count for the claim.
    verdict = audited_slowly(Sampler(seconds), seed)

    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.stop is Stop.POWER
