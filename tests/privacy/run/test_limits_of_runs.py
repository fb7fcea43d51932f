"""The limits of a run are one value: what is declared once in it, every door takes under the same name."""

from dataclasses import FrozenInstanceError, fields, replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.cli.app import run
from dpcheck.model.errors import InvalidArgument
from dpcheck.privacy.run.limits import LEAST_SAMPLES, Limits
from dpcheck.privacy.run.question import Question, ask

NAMES = {field.name for field in fields(Limits)}
WRONG: dict[str, Any] = {
    "alpha": 1.0, "detect": 0.0, "numerics": "reel", "warnings": "no", "max_samples": LEAST_SAMPLES - 1,
    "max_seconds": 0, "call_timeout": float("inf"), "isolation": "proces", "seed": -1, "jobs": True,
    "journal": 7, "max_memory": "12 parsecs", "max_processes": 0, "max_files": 3, "executor": "spark://there",
}  # fmt: skip


def test_an_audit_takes_each_limit_under_its_name_and_what_is_below_takes_none() -> None:
    arguments = signature(dpcheck.audit).parameters
    assert set(arguments) >= NAMES
    assert {name: arguments[name].default for name in NAMES} == {
        field.name: 1e-6 if field.name == "alpha" else field.default for field in fields(Limits)
    }
    assert NAMES - {"detect"} <= set(signature(dpcheck.measure).parameters)
    assert not NAMES & set(signature(ask).parameters)
    decided = {"detect", "max_samples", "max_seconds"}  # by the claim and the data, where they were not given
    assert NAMES & {field.name for field in fields(Question)} == decided


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_limit_is_refused_in_one_line_before_there_is_a_learner(name: str) -> None:
    def factory() -> None:
        raise AssertionError("made")

    with pytest.raises(InvalidArgument, match=f"^{name} must be [^\n]*, got {WRONG[name]!r}[^\n]*$"):
        Limits(**{"alpha": 1e-6, name: WRONG[name]})
    with pytest.raises(InvalidArgument, match=f"^{name} must be "):
        dpcheck.audit(factory, 1.0, pairs=[([0], [1])], **{"isolation": "none", name: WRONG[name]})


def test_limits_are_frozen_plain_numbers_and_checked_again_where_one_is_replaced() -> None:
    limits = Limits(alpha=np.float64(0.5), max_samples=np.int64(100))  # type: ignore[arg-type]
    assert type(limits.alpha) is float
    assert type(limits.max_samples) is int
    with pytest.raises(FrozenInstanceError):
        limits.jobs = 2  # type: ignore[misc]
    with pytest.raises(InvalidArgument, match="jobs"):
        replace(limits, jobs=0)


@pytest.mark.parametrize("command", ["audit", "check", "measure", "plan"])
def test_a_command_refuses_a_limit_before_it_makes_the_learner(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.py").write_text(
        "class Made:\n    def __init__(self):\n        open('made', 'w').close()\n\n"
        "    def __call__(self, dataset, rng):\n        return 0.0\n"
    )
    monkeypatch.chdir(tmp_path)
    claim = [] if command == "measure" else ["--epsilon", "1"]
    assert run([command, "mine.py:Made", *claim, "--bounds", "0,1", "--alpha", "2"]) == 2
    assert capsys.readouterr().err.startswith("dpcheck: --alpha must be strictly between 0 and 1 ")
    assert not (tmp_path / "made").exists()
