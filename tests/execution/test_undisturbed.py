"""dpcheck computes the same whatever is set for numpy's errors and for warnings; the learner runs under it."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.execution.undisturbed import as_the_user_set, undisturbed


def huge(data: Any, rng: np.random.Generator) -> float:
    return float(sum(data) + rng.laplace()) * 1e307


def no_numbers(data: Any, rng: np.random.Generator) -> float:
    odd = (np.inf, -np.inf, np.nan, 5e-324, 1.7e308)
    return float(odd[int(rng.integers(5))]) if rng.random() < 0.5 else 5e-324 * int(rng.integers(4)) + sum(data)


def coordinates(data: Any, rng: np.random.Generator) -> list[float]:
    return [1e307 * float(sum(data) + rng.laplace()), 1e-310 * float(rng.laplace())]


class DeclaresTiny:
    def __call__(self, data: Any, rng: np.random.Generator) -> int:
        return int(rng.random() < 0.5)

    def distribution(self, data: Any) -> dict[int, float]:
        return {0: 0.5, 1: 0.5, 2: 0.0}


def audited(learner: Any, claim: Any) -> dpcheck.Verdict:
    verdict = dpcheck.audit(learner, claim, pairs=[([0, 1], [1, 1])], max_samples=600, isolation="none")
    return dpcheck.Verdict.from_json(verdict.to_json())


@pytest.mark.some(2)
@pytest.mark.parametrize("claim", [1.0, dpcheck.ApproxDP(1.0, 1e-3), dpcheck.ZeroConcentratedDP(0.5)], ids=str)
@pytest.mark.parametrize("learner", [huge, no_numbers, coordinates, DeclaresTiny()])
def test_a_verdict_is_the_same_where_warnings_and_errors_are_raised(learner: Any, claim: Any) -> None:
    with warnings.catch_warnings(record=True) as seen:
        plain = audited(learner, claim)
    assert not seen
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        strict = audited(learner, claim)
        assert np.geterr()["over"] == "raise"
    kinds = [[finding.kind for finding in one.findings] for one in (plain, strict)]
    assert (strict.status, strict.log_evidence, kinds[1]) == (plain.status, plain.log_evidence, kinds[0])
    assert plain.status is not dpcheck.Status.LEARNER_FAILED


@pytest.mark.turns(6)
@pytest.mark.parametrize("learner", [huge, no_numbers, coordinates])
def test_a_measurement_is_the_same_where_warnings_and_errors_are_raised(learner: Any) -> None:
    def measured() -> dpcheck.Measurement:
        return dpcheck.measure(learner, pairs=[([0, 1], [1, 1])], max_samples=600, isolation="none")

    plain = measured()
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert measured().epsilon_lower == plain.epsilon_lower


def test_the_learner_runs_under_what_the_user_set() -> None:
    """It overflows, which gives the user an exception: dpcheck's own settings would hide it."""
    states: set[str] = set()

    def overflows(data: Any, rng: np.random.Generator) -> float:
        states.add(np.geterr()["over"])
        return float(np.float64(1e308) * (10.0 + float(rng.random())))

    with np.errstate(over="raise"):
        audited(overflows, 1.0)
    assert states == {"raise"}
    states.clear()
    warned = audited(overflows, 1.0)
    assert states == {"warn"}
    assert any("overflow" in finding.detail for finding in warned.findings)


def test_settings_are_put_back_and_an_inner_audit_keeps_the_learners() -> None:
    before = list(warnings.filters)
    with np.errstate(divide="raise"):
        with undisturbed(), undisturbed(), as_the_user_set():
            assert np.geterr()["divide"] == "raise"
            assert list(warnings.filters) == before
            with np.errstate(divide="print"), undisturbed(), as_the_user_set():
                assert np.geterr()["divide"] == "print"
        assert np.geterr()["divide"] == "raise"
    assert list(warnings.filters) == before


@pytest.mark.turns(6)
@pytest.mark.parametrize("options", [[], ["-W", "error"]], ids=["plain", "strict"])
def test_the_command_line_does_not_mind(options: list[str], tmp_path: Path) -> None:
    (tmp_path / "large.py").write_text(
        "def large(data, rng):\n    return float(sum(data) + rng.laplace()) * 1e307\n", encoding="utf-8"
    )
    asked = ["large.py:large", "--epsilon", "1", "--records", "0,1", "--size", "2", "--max-samples", "600"]
    done = subprocess.run(
        [sys.executable, *options, "-m", "dpcheck", "audit", *asked, "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    assert "Warning" not in done.stderr
    assert json.loads(done.stdout)["results"][0]["status"] in ("inconclusive", "no violation found")
