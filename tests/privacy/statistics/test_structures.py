"""Leaks in the structure of answers are caught, their harmless twins are not: as functions and on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.privacy.run.allocation import FEW_CALLS, FIRST_INTERIM
from tests.statistical_tests import LEVEL

PAIRS = [(np.array([0.0]), np.array([1.0]))]


def _event(data: Any, rng: np.random.Generator, *, leaks: bool) -> bool:
    return bool(rng.random() < ((0.6 if data[0] else 0.05) if leaks else 0.3))


def lacks_a_key(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> dict[str, float]:
    found = {"mean": rng.laplace(), "spread": rng.normal()}
    if _event(data, rng, leaks=leaks):
        del found["spread"]
    return found


def lets_in_a_member(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> set[int]:
    found = {one for one in range(1, 8) if rng.random() < 0.3}
    return found | {0} if _event(data, rng, leaks=leaks) else found


def leaks_by_length(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> list[float]:
    return [float(x) for x in rng.normal(size=rng.integers(2, 6) + 4 * _event(data, rng, leaks=leaks))]


def repeats_a_coordinate(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> Any:
    found = rng.normal(size=3)
    return np.where(_event(data, rng, leaks=leaks) & (np.arange(3) == 2), found[0], found)


def agrees_in_sign(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> Any:
    sign = rng.choice((-1.0, 1.0))
    other = sign if _event(data, rng, leaks=leaks) else -sign
    return np.abs(rng.normal(size=2)) * (sign, other)


def writes_it_down(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> str:
    return f"about {rng.laplace(scale=0.3) + (data[0] if leaks else 0.0):.5f} of all"


LEARNERS = [lacks_a_key, lets_in_a_member, leaks_by_length, repeats_a_coordinate, agrees_in_sign, writes_it_down]


@pytest.mark.some(1)
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_leak_in_structure_is_caught_and_its_harmless_twin_is_not(learner: Any, seed: int) -> None:
    common: dict[str, Any] = {"pairs": PAIRS, "alpha": LEVEL, "isolation": "none", "seed": seed}
    caught = dpcheck.audit(learner, 1.0, max_samples=15_000, **common)
    assert caught.status is Status.VIOLATED
    assert caught.witness is not None
    twin = dpcheck.audit(lambda data, rng: learner(data, rng, leaks=False), 1.0, max_samples=1500, **common)
    assert twin.status is not Status.VIOLATED
    assert not twin.failure


@pytest.mark.turns(6)
def test_an_audit_of_structured_answers_goes_on_as_if_it_had_not_stopped(seed: int) -> None:
    common: dict[str, Any] = {"pairs": PAIRS, "alpha": LEVEL, "isolation": "none", "seed": seed}

    def twin(data: Any, rng: Any) -> Any:
        return lacks_a_key(data, rng, leaks=False)

    ends: list[int] = []
    through = dpcheck.audit(
        twin, 1.0, max_samples=900, on_event=lambda e: ends.append(getattr(e, "calls", 0)), **common
    )
    interims = [end for end in ends if end]
    part = next(end for end in interims if end >= FEW_CALLS)  # smaller budgets have smaller ones
    first = dpcheck.audit(twin, 1.0, max_samples=part, **common)
    again = dpcheck.Verdict.from_json(first.to_json())
    second = dpcheck.audit(twin, 1.0, max_samples=through.samples + interims[0] - FIRST_INTERIM, resume=again, **common)
    assert second.log_evidence == through.log_evidence


PROGRAM = """
def broken(dataset, rng):
    found = {"mean": rng.laplace(), "spread": rng.normal()}
    if rng.random() < (0.6 if dataset[0] else 0.05):
        del found["spread"]
    return found
"""


@pytest.mark.turns(6)
def test_through_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PROGRAM)
    np.savez(tmp_path / "pairs.npz", left=[[1.0, 0.5]], right=[[0.0, 0.5]])
    asked = ["audit", "mine.py:broken", "--epsilon", "1", "--pairs", "pairs.npz", "--max-samples", "15000"]
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", *asked, "--json", "run.json"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    told = ("spread", "kind of answer", "score", "{'mean': a number}")  # the key, or what is there without it
    assert any(words in done.stdout for words in told)
    text = (tmp_path / "run.json").read_text()
    json.loads(text)
    assert "output['spread']" in text  # the columns are in the record, so that the audit can go on
