"""Learners that live in the process that asks are packed in a copy of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from dpcheck.execution import forked, shipment
from dpcheck.execution.forked import CopyEnded, bytes_of_copy, can_be_copied
from dpcheck.execution.shipment import shipped
from dpcheck.model.errors import LearnerDied
from dpcheck.model.learner import as_target

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies of a process are made on Linux alone")


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies also in a test session that has other threads, or in which a command was run."""
    monkeypatch.setattr(shipment, "can_be_copied", lambda: True)
    monkeypatch.setattr(shipment, "is_watched", lambda: False)


def leave() -> bytes:
    os._exit(0)


def kill() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def sleep() -> bytes:
    time.sleep(1e6)
    return b""


def fail() -> bytes:
    raise ValueError("no")


def go_out() -> bytes:
    sys.exit(0)


def leave_a_child() -> bytes:
    child = os.fork()
    if child == 0:
        time.sleep(600.0)
        os._exit(0)
    return str(child).encode()


@pytest.mark.parametrize("size", [0, 1, 1 << 16, (1 << 23) + 1])
def test_bytes_come_back_whole(size: int) -> None:
    made = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    assert bytes_of_copy(lambda: made, 60.0) == made


def test_a_copy_that_ends_or_hangs_is_named() -> None:
    with pytest.raises(CopyEnded, match="ended its process with status 0"):
        bytes_of_copy(leave, 60.0)
    with pytest.raises(CopyEnded, match="ended its process with signal 9"):
        bytes_of_copy(kill, 60.0)
    with pytest.raises(CopyEnded, match=r"gave no sign of life for 0\.3 s"):
        bytes_of_copy(sleep, 0.3)


def test_what_raises_is_called_here() -> None:
    assert bytes_of_copy(fail, 60.0) is None
    assert bytes_of_copy(go_out, 60.0) is None


def test_a_process_left_behind_is_not_waited_for() -> None:
    left = bytes_of_copy(leave_a_child, 60.0)
    assert left is not None
    os.kill(int(left), signal.SIGKILL)  # raises where it is gone


def test_no_copy_beside_other_threads_or_libraries_that_have_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert can_be_copied() == (threading.current_thread() is threading.main_thread())
    monkeypatch.setitem(sys.modules, "jax", forked)
    assert not can_be_copied()
    monkeypatch.delitem(sys.modules, "jax")
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert not can_be_copied()


class Plain:
    """Imported by a worker under its name."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(rng.laplace(scale=self.scale))


class Packs:
    """Packed by its own code."""

    def __init__(self, deed: Any) -> None:
        self.deed = deed

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(rng.laplace())

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.deed()
        return (dict, ())


@pytest.mark.usefixtures("copied")
def test_a_learner_whose_packing_ends_the_process_is_named() -> None:
    with pytest.raises(LearnerDied, match="ended its process with status 0 while it was packed"):
        shipped(as_target(Packs(leave)), ())


@pytest.mark.usefixtures("copied")
def test_a_learner_whose_packing_hangs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipment, "import_seconds", lambda: 0.3)
    with pytest.raises(LearnerDied, match=r"gave no sign of life for 0\.3 s while it was packed"):
        shipped(as_target(Packs(sleep)), ())


def test_the_same_bytes_with_a_copy_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    target = as_target(Plain())
    packed = []
    monkeypatch.setattr(shipment, "is_watched", lambda: False)
    for copied in (True, False):
        monkeypatch.setattr(shipment, "can_be_copied", lambda copied=copied: copied)
        packed.append(shipped(target, ()).target)
    assert packed[0] == packed[1]


@pytest.mark.usefixtures("copied")
def test_what_goes_by_name_needs_no_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> bytes:
        raise AssertionError("a copy was made")

    monkeypatch.setattr(shipment, "bytes_of_copy", refused)
    shipped(as_target(Plain), ())
    with pytest.raises(AssertionError, match="a copy was made"):
        shipped(as_target(Plain()), ())
    with pytest.raises(AssertionError, match="a copy was made"):
        shipped(as_target(Plain, options={"scale": 2.0}), ())


TEST = """
import os

class Learner:
    def __call__(self, dataset, rng):
        return float(sum(dataset) + rng.laplace())

    def __reduce_ex__(self, protocol):
        os._exit(0)

def test_private(dp_audit):
    dp_audit(Learner(), 1.0, pairs=[([0, 0], [1, 0])], max_samples=300, allow_inconclusive=True)

def test_other():
    pass
"""


@pytest.mark.turns(6)
def test_pytest_does_not_end_with_status_0_in_the_middle(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "ended its process with status 0 while it was packed" in done.stdout
