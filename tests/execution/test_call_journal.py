"""Answers that are kept: found again, never another's, whole or not at all, whatever the disk does."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, SeedSequence

import dpcheck
from dpcheck import InvalidArgument, Verdict
from dpcheck.execution.answers import Answers, Heard, Request
from dpcheck.execution.call_journal import CallJournal, JournalledRunner
from dpcheck.execution.executor import Executor
from dpcheck.execution.users_code import digest_of_surrounding_code
from dpcheck.model import disk
from dpcheck.model.learner import as_target
from tests.failing_disk import FAULTS, FailingDisk, Fault, Killed

OF = {"target": "t", "learner": "1"}


def _answers(number: int) -> Answers:
    runner = Executor(isolation="none").runner(as_target(lambda data, rng: sum(data) + number), [[1, 2]])
    return runner.run([Request(0, 3, SeedSequence(number))])[0]


def _key(number: int) -> bytes:
    return bytes([number]) * 32


def _kept(path: Path, *numbers: int) -> None:
    journal = CallJournal(path, OF)
    for number in numbers:
        journal.add(_key(number), 0.5, _answers(number))
    journal.close()
    assert not journal.lost


def _found(path: Path, *numbers: int) -> list[bool]:
    journal = CallJournal(path, OF)
    found = [journal.find(_key(number)) for number in numbers]
    journal.close()
    for number, one in zip(numbers, found, strict=True):
        assert one is None or (one[0], one[1].values.tolist()) == (0.5, [3 + number] * 3)
    return [one is not None for one in found]


def test_what_was_kept_is_found_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    _kept(path, 1, 2)
    assert _found(path, 1, 2, 3) == [True, True, False]
    _kept(path, 3)
    assert _found(path, 1, 2, 3) == [True, True, True]


def test_answers_of_another_learner_are_set_aside_each_under_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    _kept(path, 1)
    before = path.read_bytes()
    for number, learner in enumerate(("2", "3"), start=1):
        journal = CallJournal(path, {**OF, "learner": learner})
        assert len(journal) == 0
        assert journal.set_aside == tmp_path / f"kept.{number}"
        journal.close()
    assert (tmp_path / "kept.1").read_bytes() == before
    assert _found(path, 1) == [False]


def test_a_file_that_is_cut_off_anywhere_has_all_entries_before_that(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    ends = [0]
    for number in (1, 2, 3):
        _kept(whole, number)
        ends.append(whole.stat().st_size)
    data = whole.read_bytes()
    for size in range(len(data)):
        path = tmp_path / "cut"
        path.write_bytes(data[:size])
        assert _found(path, 1, 2, 3) == [size >= end for end in ends[1:]]
        assert not list(tmp_path.glob("cut.*"))
        _kept(path, 3)
        assert _found(path, 3) == [True]
        path.unlink()


@pytest.mark.some(40)
@pytest.mark.parametrize("place", range(0, 900, 7))
def test_a_file_with_a_damaged_byte_gives_no_wrong_answer_and_is_not_deleted(tmp_path: Path, place: int) -> None:
    path = tmp_path / "kept"
    _kept(path, 1, 2, 3)
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= 0x55
    path.write_bytes(data)
    found = _found(path, 1, 2, 3)
    aside = tmp_path / "kept.1"
    assert found == [True, True, False] if not aside.exists() else found == [False] * 3
    assert not aside.exists() or aside.read_bytes() == data
    _kept(path, 7)
    assert _found(path, 7) == [True]


def test_two_runs_do_not_have_one_journal(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path / "kept", OF)
    with pytest.raises(InvalidArgument, match=r"journal must be nobody else's, got .*: another run has it"):
        CallJournal(tmp_path / "kept", OF)
    journal.close()
    CallJournal(tmp_path / "kept", OF).close()


def test_requests_that_differ_in_anything_are_others(tmp_path: Path) -> None:
    asked: list[Request] = []

    class Counting:
        bulk_available, notes = False, ()

        def run(self, requests: list[Request], heard: Heard | None = None) -> list[Answers]:
            asked.extend(requests)
            given = [_answers(1) for _ in requests]
            for request, answers in zip(requests, given, strict=True):
                if heard is not None:
                    heard(request, answers)
            return given

        def expect(self, requests: Sequence[Request]) -> None:
            pass

        def serve(self, datasets: Any) -> None:
            pass

        def close(self) -> None:
            pass

    first = Request(0, 3, SeedSequence(1))
    others = [
        Request(1, 3, SeedSequence(1)), Request(0, 4, SeedSequence(1)), Request(0, 3, SeedSequence(2)),
        Request(0, 3, SeedSequence(1, spawn_key=(0,))), Request(0, 3, SeedSequence(1), True),
        Request(0, 3, SeedSequence(1), False, True),
    ]  # fmt: skip

    def run(requests: list[Request], datasets: list[Any], about: bytes = b"") -> int:
        asked.clear()
        runner = JournalledRunner(Counting(), CallJournal(tmp_path / "kept", OF), datasets, about)
        assert len(runner.run(requests)) == len(requests)
        runner.close()
        return len(asked)

    data = [[1, 2], [1, 3]]
    assert run([first, *others], data) == 7
    assert run([first, *others], data) == 0
    assert run([first, *others], [[1, 2], [1, 4]]) == 1
    assert run([first], [[9]]) == 1
    assert run([first], data, b"form") == 1
    assert run([first], [lambda: 0]) == run([first], [lambda: 0]) == 1  # no digest: always asked


def noisy(data: list[int], rng: Generator) -> float:
    return round(float(np.sum(data) + rng.laplace()), 2)


def _audit(journal: Any) -> Verdict:
    return dpcheck.audit(
        noisy, 0.5, pairs=[([0], [1])], max_samples=300, isolation="none", detect=5.0, journal=journal, name="noisy"
    )


def _run(folder: Path) -> list[list[Any]]:
    """Six requests through a journal, one after the other."""
    inner = Executor(isolation="none").runner(as_target(noisy), [[0], [1]])
    folder.mkdir(exist_ok=True)
    runner = JournalledRunner(inner, CallJournal(folder / "kept", OF), [[0], [1]], b"")
    try:
        return [runner.run([Request(i % 2, 3, SeedSequence(i))])[0].values.tolist() for i in range(6)]
    finally:
        runner.close()


#: A test's process is not killed: an exception that nothing catches stands for that.
JOURNAL_FAULTS = {**FAULTS, "killed": Fault(gently=True)}


@contextmanager
def refused_in_a_line() -> Iterator[None]:
    """What cannot be begun is refused; what goes wrong later is not raised."""
    try:
        yield
    except InvalidArgument as refused:
        if not str(refused).startswith("journal could not be kept in "):
            raise


@pytest.mark.parametrize("begun", ["anew", "after half", "after another learner"])
@pytest.mark.parametrize("fault", JOURNAL_FAULTS)
def test_each_operation_of_the_disk_may_fail_and_no_answer_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, begun: str
) -> None:
    folder, file = tmp_path / "journal", tmp_path / "journal" / "kept"
    expected = _run(tmp_path / "whole")
    data = (tmp_path / "whole" / "kept").read_bytes()
    for at in range(1, 100):
        if begun != "anew":
            folder.mkdir()
            file.write_bytes(data[: len(data) // 2] if begun == "after half" else b'{"of": 1}\n' + data)
        failing = FailingDisk(at, JOURNAL_FAULTS[fault])
        with monkeypatch.context() as patched:
            patched.setattr(disk, "DISK", failing)
            with suppress(Killed) if fault == "killed" else refused_in_a_line():
                assert _run(folder) == expected
        assert _run(folder) == expected
        if begun == "after another learner":
            kept = [each.read_bytes() for each in folder.glob("kept.*")]
            assert b'{"of": 1}\n' + data in kept
        shutil.rmtree(folder)
        if not failing.fired:
            break
    assert 5 < at < 99


def test_a_journal_that_cannot_be_kept_any_longer_is_said_in_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "DISK", FailingDisk(5, FAULTS["full"]))
    said = [finding.detail for finding in _audit(tmp_path / "journal").findings if "journal" in finding.detail]
    assert said == ["answers could not be kept in the journal: No space left on device"]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (7, "journal must be a directory, as a text or a path, got 7"),
        ("", "journal must be a directory, as a text or a path, got ''"),
        ("no/such", "journal must be in a directory that exists, got 'no/such'"),
    ],
)
def test_what_is_no_directory_is_refused(given: Any, line: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        _audit(given)
    assert str(refused.value) == line


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InvalidArgument, match="journal must be a directory, got the file"):
        _audit(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_measurement_goes_on_too(tmp_path: Path) -> None:
    counted = tmp_path / "calls"

    def learner(data: list[int], rng: Generator) -> float:
        with counted.open("a") as file:
            file.write(".")
        return noisy(data, rng)

    def measured() -> Any:
        return dpcheck.measure(
            learner, pairs=[([0], [1])], max_samples=2_000, isolation="none", journal=tmp_path / "j", name="measured"
        )

    first, calls = measured(), counted.stat().st_size
    again = measured()
    assert counted.stat().st_size - calls <= 100  # those of a process of its own, which are few, are made again
    assert (again.epsilon_lower, again.samples) == (first.epsilon_lower, first.samples)


def test_a_learner_that_holds_something_is_asked_again_for_all_that_is_compared(tmp_path: Path) -> None:
    kept: list[float] = []

    def holding(data: list[int], rng: Generator) -> float:
        kept.append(1.0)
        return len(kept) + rng.random()

    holding.memory = kept  # type: ignore[attr-defined]
    requests = [Request(i % 2, 20, SeedSequence(i)) for i in range(4)]

    def run(asked: list[Request]) -> int:
        before = len(kept)
        inner = Executor(isolation="none").runner(as_target(holding), [[0], [1]])
        runner = JournalledRunner(inner, CallJournal(tmp_path / "kept", OF), [[0], [1]], b"")
        answers = runner.run(asked)
        runner.close()
        assert answers[-1].owned or answers[-1].lasting or answers[-1].stores or answers[-1].caches
        return len(kept) - before

    assert run(requests[:2]) == 40
    assert run(requests) == 80  # not the two that are kept and two that are not
    assert run(requests) == 0


def test_frames_that_differ_in_their_index_alone_are_others(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frames = [pandas.DataFrame({"a": [0]}, index=[at]) for at in (0, 300)]
    answers = []
    for frame in frames:
        inner = Executor(isolation="none").runner(as_target(lambda data, rng: float(data.index[0])), [frame])
        runner = JournalledRunner(inner, CallJournal(tmp_path / "kept", OF), [frame], b"")
        answers.append(runner.run([Request(0, 1, SeedSequence(1))])[0].values[0])
        runner.close()
    assert answers == [0.0, 300.0]


def test_a_link_in_a_circle_beside_a_learner_is_no_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "beside_a_circle.py").write_text("def learn(data, rng):\n    return 0\n")
    (tmp_path / "circle.py").symlink_to("circle.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    learner = importlib.import_module("beside_a_circle").learn
    before = digest_of_surrounding_code(learner)
    (tmp_path / "other.py").write_text("SCALE = 3\n")
    assert digest_of_surrounding_code(learner) != before


def test_that_the_disk_took_nothing_at_the_end_is_said_while_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers are given to the disk before what became of them is told, not only when the file is closed."""
    counted = FailingDisk(10**6, FAULTS["full"])
    monkeypatch.setattr(disk, "DISK", counted)
    _kept(tmp_path / "whole.calls", 1, 2)
    assert counted.log[-1] == "sync"
    monkeypatch.setattr(disk, "DISK", FailingDisk(len(counted.log), FAULTS["full"]))
    journal = CallJournal(tmp_path / "kept.calls", OF)
    for number in (1, 2):
        journal.add(_key(number), 0.5, _answers(number))
    assert journal.trouble == ("answers could not be kept in the journal: No space left on device",)
    journal.close()
