"""Checks with a journal go on from where they were ended, and come to what checks that nobody ended come to."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import dpcheck
from dpcheck import InvalidArgument
from dpcheck.checks import CheckResult, CheckStatus, kept_results
from dpcheck.checks.events import CheckFinished, CheckStarted

CHECKS = ["privacy_of_the_claim", "empty_data", "input_unchanged", "read_only_input"]


def _learner(folder: Path, noise: float = 1.0) -> Any:
    def noisy(data: list[int], rng: Generator) -> float:
        with (folder / "calls").open("ab", buffering=0) as file:
            file.write(b".")
        return round(float(np.sum(data) + noise * rng.laplace()), 2)

    return noisy


def _calls(folder: Path) -> int:
    return (folder / "calls").stat().st_size if (folder / "calls").exists() else 0


def _checked(learner: Any, folder: Path | None, **more: Any) -> tuple[CheckResult, ...]:
    asked = {"pairs": [([0], [1])], "checks": CHECKS, "max_samples": 200, "isolation": "none", "name": "noisy", **more}
    return dpcheck.check_learner(learner, asked.pop("claim", 1.0), journal=folder, **asked)


def _said(results: tuple[CheckResult, ...]) -> list[Any]:
    return [
        (
            *(one.check, one.status, one.hint, one.level, one.calls, one.learner_failed),
            None if one.evidence is None else (one.evidence.log_evidence, one.evidence.samples, one.evidence.phases),
        )
        for one in results
    ]


def test_checks_that_ended_are_not_made_again(tmp_path: Path) -> None:
    learner = _learner(tmp_path)
    first, calls = _checked(learner, tmp_path / "kept"), _calls(tmp_path)
    again = _checked(learner, tmp_path / "kept")
    assert _calls(tmp_path) == calls > 200
    assert [(replace(one, evidence=None)) for one in again] == [(replace(one, evidence=None)) for one in first]
    assert _said(again) == _said(first)
    assert _said(_checked(learner, None)) == _said(first)


@pytest.mark.parametrize("ended", range(4))
def test_checks_go_on_from_the_one_that_was_under_way(tmp_path: Path, ended: int) -> None:
    learner = _learner(tmp_path)
    expected, calls = _said(_checked(learner, None)), _calls(tmp_path)
    begun: list[str] = []

    def end_it(event: Any) -> None:
        begun.append(event.check) if isinstance(event, CheckStarted) else None
        if len(begun) > ended and not isinstance(event, CheckStarted | CheckFinished):
            raise KeyboardInterrupt
        if isinstance(event, CheckFinished) and len(begun) > ended:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _checked(learner, tmp_path / "kept", on_event=end_it)
    assert _said(_checked(learner, tmp_path / "kept")) == expected
    assert _calls(tmp_path) - 2 * calls <= 100  # those of processes of their own are made again


def test_what_was_found_under_other_settings_or_of_other_code_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = _learner(tmp_path)
    _checked(learner, tmp_path / "kept", checks=["input_unchanged"])
    others: list[dict[str, Any]] = [
        {"claim": 0.5}, {"pairs": [([0], [2])]}, {"seed": 1}, {"max_samples": 150}, {"alpha": 1e-6},
        {"numerics": "exact"}, {"warnings": "output"},
    ]  # fmt: skip
    for other in others:
        calls = _calls(tmp_path)
        _checked(learner, tmp_path / "kept", **{"checks": ["input_unchanged"], **other})
        assert _calls(tmp_path) > calls, other
    calls = _calls(tmp_path)
    _checked(_learner(tmp_path, noise=3.0), tmp_path / "kept", checks=["input_unchanged"])
    assert _calls(tmp_path) > calls
    monkeypatch.setattr(kept_results, "_settings", lambda question: b"")  # with this slip they would be
    _checked(learner, tmp_path / "slip", checks=["input_unchanged"])
    calls = _calls(tmp_path)
    _checked(learner, tmp_path / "slip", checks=["input_unchanged"], claim=0.5)
    assert _calls(tmp_path) == calls


def test_that_a_learner_died_is_not_kept(tmp_path: Path) -> None:
    def dies(data: list[int], rng: Generator) -> float:
        if not (tmp_path / "lives").exists():
            os._exit(3)
        return float(np.sum(data) + rng.laplace())

    asked = {"checks": ["input_unchanged"], "isolation": "auto"}
    (first,) = _checked(dies, tmp_path / "kept", **asked)
    assert (first.status, first.learner_failed) == (CheckStatus.FAILED, True)
    (tmp_path / "lives").touch()
    (second,) = _checked(dies, tmp_path / "kept", **asked)
    assert second.status is CheckStatus.PASSED


def test_what_cannot_be_told_apart_is_refused(tmp_path: Path) -> None:
    class Odd:
        def __reduce_ex__(self, protocol: Any) -> Any:
            raise TypeError("not me")

    with pytest.raises(InvalidArgument, match=r"journal must be None for noisy: its data cannot be told from others'"):
        _checked(_learner(tmp_path), tmp_path / "kept", pairs=[([Odd()], [1])])
    with pytest.raises(InvalidArgument, match="journal must be a directory, as a text or a path, got 7"):
        _checked(_learner(tmp_path), 7)  # type: ignore[arg-type]
