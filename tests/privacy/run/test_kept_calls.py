"""Audits of declared laws with a journal: laws and calls that an ended run had are not asked for again."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from killed import without_clock
from numpy.random import Generator

import dpcheck
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.model.verdict import Stop


@dataclass(frozen=True)
class Coin:
    """Tells the majority, or not; counts what it is asked, and is ended where a file says so."""

    folder: Path
    honest: Fraction = Fraction(2, 3)

    def __call__(self, data: list[int], rng: Generator) -> int:
        self._counted()
        truth = int(2 * sum(data) > len(data))
        return truth if rng.random() < self.honest else 1 - truth

    def distribution(self, data: list[int]) -> dict[int, Fraction]:
        """Its law."""
        self._counted()
        truth = int(2 * sum(data) > len(data))
        return {truth: self.honest, 1 - truth: 1 - self.honest}

    def _counted(self) -> None:
        with (self.folder / "asked").open("ab", buffering=0) as file:
            file.write(b".")
        ended = self.folder / "ended"
        if ended.exists() and int(ended.read_text()) == _count(self.folder):
            raise KeyboardInterrupt


def _count(folder: Path) -> int:
    return (folder / "asked").stat().st_size if (folder / "asked").exists() else 0


def _audited(folder: Path, journal: Path | None, **more: Any) -> dpcheck.Verdict:
    asked = {"seed": 0, "isolation": "none", "max_samples": 2_000, "max_seconds": 3_600.0, "name": "coin", **more}
    return dpcheck.audit(
        Coin(folder), 1.0, neighbours=ReplaceOne(records=[0, 1], size=3), exhaustive=True, journal=journal, **asked
    )


def _said(verdict: dpcheck.Verdict) -> Any:
    return replace(verdict, seconds=0.0, seconds_per_call=0.0, record=None)


def test_laws_and_calls_that_are_kept_are_not_asked_for_again(tmp_path: Path) -> None:
    expected, asked = _audited(tmp_path, None), _count(tmp_path)
    assert asked > 1_000
    assert _said(_audited(tmp_path, tmp_path / "kept")) == _said(expected)
    assert _said(_audited(tmp_path, tmp_path / "kept")) == _said(expected)
    assert _count(tmp_path) - 2 * asked <= 100  # those that see in which form data are wanted
    (kept,) = (tmp_path / "kept").iterdir()
    assert kept.name.startswith("coin_law-")


@pytest.mark.parametrize("ended", [5, 12, 700])
def test_an_audit_of_laws_that_was_ended_goes_on(tmp_path: Path, ended: int) -> None:
    expected, asked = _audited(tmp_path, None), _count(tmp_path)
    (tmp_path / "asked").unlink()
    (tmp_path / "ended").write_text(str(ended))
    with suppress(KeyboardInterrupt):
        assert _audited(tmp_path, tmp_path / "kept").stop is Stop.INTERRUPTED
    (tmp_path / "ended").unlink()
    assert _said(_audited(tmp_path, tmp_path / "kept")) == _said(expected)
    assert _count(tmp_path) - asked <= 600  # a request, and those that see in which form data are wanted


def test_laws_of_another_learner_or_seed_are_not_taken(tmp_path: Path) -> None:
    _audited(tmp_path, tmp_path / "kept")
    before = _count(tmp_path)
    _audited(tmp_path, tmp_path / "kept", seed=1)
    assert _count(tmp_path) > before + 500


@pytest.mark.parametrize("exactly", [False, True])
def test_a_journal_is_gone_on_from_by_resume(tmp_path: Path, exactly: bool) -> None:
    learner = Coin(tmp_path) if exactly else dpcheck.by_calls(Coin(tmp_path))
    given: dict[str, Any] = {
        "neighbours": ReplaceOne(records=[0, 1], size=3), "exhaustive": exactly, "isolation": "none",
        "max_samples": 2_000, "max_seconds": 3_600.0, "name": "coin",
    }  # fmt: skip
    expected, asked = dpcheck.audit(learner, 1.0, **given), _count(tmp_path)
    (tmp_path / "asked").unlink()
    (tmp_path / "ended").write_text("700")
    with suppress(KeyboardInterrupt):
        assert dpcheck.audit(learner, 1.0, journal=tmp_path / "kept", **given).stop is Stop.INTERRUPTED
    (tmp_path / "ended").unlink()
    resumed = dpcheck.audit(learner, 1.0, resume=str(tmp_path / "kept"), **given)
    assert without_clock(json.loads(resumed.to_json())) == without_clock(json.loads(expected.to_json()))
    assert _count(tmp_path) - asked <= 600


def test_a_journal_that_is_not_there_is_not_gone_on_from(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for resume in (tmp_path / "none", str(tmp_path / "empty"), "", 7):
        with pytest.raises(dpcheck.InvalidArgument, match=r"^resume must be a verdict, a record, or a directory with"):
            _audited(tmp_path, None, resume=resume)
    _audited(tmp_path, tmp_path / "kept")
    with pytest.raises(dpcheck.InvalidArgument, match=r"^journal must be that of resume, .*kept', or left out, got"):
        _audited(tmp_path, tmp_path / "empty", resume=tmp_path / "kept")
