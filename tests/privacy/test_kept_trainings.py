"""Trainings that are kept: an audit that was ended trains what is left, and comes to the same verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import dpcheck
from dpcheck import InvalidArgument
from dpcheck.execution.kept_parts import Parts
from dpcheck.model.training import GaussianSteps
from dpcheck.privacy import trainings

STEPS = GaussianSteps(noise_multiplier=4.0, clipping_norm=1.0, steps=4, sampling_rate=0.3)
ROWS = np.random.default_rng(1).normal(size=(20, 2))


def _counted(folder: Path) -> None:
    """Count a training; the one whose number is in a file is ended where it stands."""
    with (folder / "trained").open("ab") as file:
        file.write(b".")
    ended = folder / "ended"  # in no setting of the learner: that would be another one
    if ended.exists() and int(ended.read_text()) == _count(folder):
        raise KeyboardInterrupt


def _count(folder: Path) -> int:
    return (folder / "trained").stat().st_size if (folder / "trained").exists() else 0


def _one_run(folder: Path, journal: Any, noise: float = 1.0, **more: Any) -> Any:
    def train(data: Any, rng: Generator) -> Any:
        _counted(folder)
        return data.sum(axis=0) + noise * rng.normal(size=data.shape[1])

    def score(model: Any, records: Any) -> Any:
        return records @ model

    asked = {"make": np.eye(60), "count": 60, "runs": 5, "isolation": "none", **more}
    return replace(dpcheck.one_run(train, np.zeros((1, 60)), 0.5, score=score, journal=journal, **asked), seconds=0)


def _white_box(folder: Path, journal: Any) -> Any:
    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        _counted(folder)
        model = np.zeros(2)
        for _ in range(STEPS.steps):
            batch = transcript.batch(np.flatnonzero(rng.random(len(data)) < 0.3))
            gradients = model - data[batch]
            norms = np.linalg.norm(gradients, axis=1, keepdims=True)
            total = (gradients / np.maximum(1.0, norms)).sum(axis=0)
            model = model - 0.01 * transcript.release(total, total + rng.normal(0.0, 4.0, 2))
        return model

    found = dpcheck.white_box(train, ROWS, None, STEPS, count=4, isolation="none", journal=journal)
    return replace(found, seconds=0)


@pytest.mark.parametrize("audit", [_one_run, _white_box])
@pytest.mark.parametrize("ended", [1, 2, 4])
def test_an_audit_that_was_ended_trains_what_is_left(tmp_path: Path, audit: Any, ended: int) -> None:
    expected, trained = audit(tmp_path, None), _count(tmp_path)
    (tmp_path / "trained").unlink()
    (tmp_path / "ended").write_text(str(ended))
    with pytest.raises(KeyboardInterrupt):
        audit(tmp_path, tmp_path / "kept")
    (tmp_path / "ended").unlink()
    assert audit(tmp_path, tmp_path / "kept").to_json() == expected.to_json()
    assert _count(tmp_path) == trained + 1  # the one that was ended
    assert audit(tmp_path, tmp_path / "kept").to_json() == expected.to_json()
    assert _count(tmp_path) == trained + 1


def test_side_by_side_they_are_kept_too(tmp_path: Path) -> None:
    found = _one_run(tmp_path, tmp_path / "kept", jobs=2, isolation="process")
    again = _one_run(tmp_path, tmp_path / "kept", isolation="process")
    assert (again.to_json(), _count(tmp_path)) == (found.to_json(), 5)


def test_what_was_trained_otherwise_is_not_taken(tmp_path: Path) -> None:
    _one_run(tmp_path, tmp_path / "kept")
    others: list[dict[str, Any]] = [
        {"seed": 1}, {"noise": 2.0}, {"make": 2 * np.eye(60)}, {"make": np.eye(60)[:50], "count": 50},
    ]  # fmt: skip
    for other in others:
        before = _count(tmp_path)
        _one_run(tmp_path, tmp_path / "kept", **other)
        assert _count(tmp_path) == before + 5, other
    before = _count(tmp_path)
    more = _one_run(tmp_path, tmp_path / "kept", runs=7)  # the first five are the same
    assert (_count(tmp_path), more.to_json()) == (before + 2, _one_run(tmp_path, None, runs=7).to_json())


def test_records_that_only_scores_are_told_tell_trainings_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(data: Any, rng: Generator) -> Any:
        _counted(tmp_path)
        return rng.normal(size=60)

    def asked(make: Any, folder: Path) -> None:
        dpcheck.one_run(
            train, np.zeros((1, 60)), 0.5, score=lambda model, records: records @ model, make=make, count=60,
            isolation="none", journal=folder,
        )  # fmt: skip

    first, other = np.eye(60), np.eye(60)
    other[59] *= 2
    asked(first, tmp_path / "kept")
    asked(other, tmp_path / "kept")
    assert _count(tmp_path) == 2
    monkeypatch.setattr(trainings, "digest_of_sent", lambda about: b"")  # with this slip there is one file for both
    asked(first, tmp_path / "slip")
    asked(other, tmp_path / "slip")
    assert len(list((tmp_path / "slip").iterdir())) == 1


def test_a_training_that_died_is_trained_again(tmp_path: Path) -> None:
    class Moody:
        def __call__(self, data: Any, rng: Generator) -> Any:
            _counted(tmp_path)
            if not (tmp_path / "well").exists():
                raise ValueError("not today")
            return data.sum(axis=0) + rng.normal(size=60)

    def audited() -> Any:
        return dpcheck.one_run(
            Moody(), np.zeros((1, 60)), 0.5, score=lambda model, records: records @ model, make=np.eye(60), count=60,
            isolation="none", journal=tmp_path / "kept",
        )  # fmt: skip

    assert "not today" in audited().failure
    (tmp_path / "well").touch()
    assert audited().failure == ""


def test_a_journal_that_cannot_be_is_refused_before_anything_is_trained(tmp_path: Path) -> None:
    for audit in (_one_run, _white_box):
        with pytest.raises(InvalidArgument, match="journal must be a directory, as a text or a path, got 7"):
            audit(tmp_path, 7)
    (tmp_path / "kept").mkdir()
    _one_run(tmp_path, tmp_path / "kept")
    (file,) = (tmp_path / "kept").iterdir()
    before = _count(tmp_path)
    of = json.loads(file.read_bytes().partition(b"\n")[0])["of"]
    name = of.pop("name")
    with Parts(tmp_path / "kept", name, of), pytest.raises(InvalidArgument, match="journal must be nobody else's"):
        _one_run(tmp_path, tmp_path / "kept")
    assert _count(tmp_path) == before
