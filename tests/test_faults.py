"""Commands on a disk that fails: a part of benchmarks/faults.py, and broken writers that it must catch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from dpcheck.cli import documents
from dpcheck.model import disk

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

import faults

pytestmark = pytest.mark.skipif(not hasattr(faults.os, "fork"), reason="copies of this process are run")


@pytest.mark.turns(4)
def test_whatever_fails_a_plan_is_old_or_new_and_shown() -> None:
    found = faults.tried(faults.Task("plan", "seam", ("broken", "killed")))
    assert not found.why
    assert (found.operations, found.cases) == (8, 16)


def _without_a_rename(path: Path, text: str) -> None:
    file = disk.DISK.open(path)
    disk.DISK.truncate(file, 0)
    disk.DISK.write(file, text.encode())


def _without_looking_at_what_was_written(path: Path, text: str) -> None:
    fresh = path.with_name(f".{path.name}.new")
    file = disk.DISK.create(fresh)
    disk.DISK.write(file, text.encode())  # perhaps not all
    disk.DISK.replace(fresh, path)


def _without_saying_so(path: Path, text: str) -> None:
    with suppress(OSError):
        disk.write_whole(path, text)


def _without_taking_its_own_away(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    file = disk.DISK.create(fresh)
    disk.DISK.write(file, text.encode())
    disk.DISK.replace(fresh, path)


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("broken", "fault", "said"),
    [
        (_without_a_rename, "killed", "plan.txt is neither as it was nor whole"),
        (_without_looking_at_what_was_written, "short", "plan.txt is neither as it was nor whole"),
        (_without_saying_so, "full", "status 0, and there is no plan.txt"),
        (_without_taking_its_own_away, "full", "plan.txt.new is neither as it was nor whole"),
    ],
)
def test_a_writer_that_is_broken_is_found(
    monkeypatch: pytest.MonkeyPatch, broken: Callable[[Path, str], None], fault: str, said: str
) -> None:
    monkeypatch.setattr(documents, "write_whole", broken)
    found = faults.tried(faults.Task("plan", "seam", (fault,)))
    assert any(said in line for line in found.why), found.why
