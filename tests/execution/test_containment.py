"""What a learner may do to the machine: nothing in a container, and in a worker process what is documented."""

from __future__ import annotations

import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from numpy.random import SeedSequence

import dpcheck
from dpcheck.execution import Isolation, container, supervisor
from dpcheck.execution.answers import Request
from dpcheck.execution.executor import Executor
from dpcheck.execution.resources import LEAST_FILES, LEAST_MEMORY, UNLIMITED, Resources
from dpcheck.execution.started_processes import started_by
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import as_target

ROOT = Path(__file__).resolve().parents[2]
MISSING = container.missing()
needs_container = pytest.mark.skipif(bool(MISSING), reason=f"no container can be had: {MISSING}")
needs_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux keeps workers to it")
#: Each begins processes, most of them two: a second or so.
pytestmark = pytest.mark.turns(5)
#: What a learner leaves behind sleeps for so long: no test does.
LEFT_SECONDS = 97
#: What is there, but slow to come, is waited for so long.
PATIENCE = 20.0


@pytest.fixture(params=["process", pytest.param("container", marks=needs_container)])
def isolation(request: pytest.FixtureRequest) -> Isolation:
    """Both ways, of which one contains: every test says what becomes of the same learner in the other."""
    found: Isolation = request.param
    return found


def answer(learner: Any, isolation: Isolation = "process", resources: Resources = UNLIMITED) -> Any:
    """What a learner says in one call, by a worker that is begun and ended for it."""
    with Executor(1, isolation, resources).runner(as_target(learner), [[1]], fresh=True) as runner:
        return runner.run([Request(0, 1, SeedSequence(0))])[0].values[0]


def tried(act: Callable[[], object]) -> str:
    try:
        act()
    except Exception as error:
        return type(error).__name__
    return "done"


def left_running(marker: str) -> list[int]:
    """The processes of this machine that have such an argument."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and marker.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


# --- what a container keeps from the machine


def test_a_file_of_the_users_can_be_read_and_not_deleted(
    isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # so that it is seen there at all
    kept = tmp_path / "thesis.txt"
    kept.write_text("years of work")
    assert answer(lambda dataset, rng: kept.read_text(), isolation) == "years of work"
    said = answer(lambda dataset, rng: tried(lambda: os.remove(kept)), isolation)
    assert (said, kept.exists()) == (("done", False) if isolation == "process" else ("OSError", True))


def test_nothing_is_written_beside_the_learner_but_temporary_files_can_be(
    isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def writes(dataset: Any, rng: Any) -> tuple[str, bool]:
        import tempfile

        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x")
            own = os.path.exists(file.name)
        return tried(lambda: Path("cache.txt").write_text("x")), own

    wrote, own = answer(writes, isolation)
    assert own
    assert (wrote, (tmp_path / "cache.txt").exists()) == (
        ("done", True) if isolation == "process" else ("OSError", False)
    )


@needs_container
def test_the_temporary_files_of_others_are_not_seen_and_its_own_go_with_it(tmp_path: Path) -> None:
    (tmp_path / "others").write_text("secret")
    assert str(tmp_path).startswith(container.PRIVATE), "pytest's folders are elsewhere: choose another place"
    left = Path(f"/tmp/left-by-{os.getpid()}")

    def looks(dataset: Any, rng: Any) -> tuple[bool, str]:
        return (tmp_path / "others").exists(), tried(lambda: left.write_text("x"))

    assert answer(looks, "container") == (False, "done")
    assert not left.exists()


def test_nobody_is_reached_by_the_network(isolation: Isolation) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]

        def connects(dataset: Any, rng: Any) -> str:
            return tried(lambda: socket.create_connection(("127.0.0.1", port), 5.0).close())

        assert answer(connects, isolation) == ("done" if isolation == "process" else "ConnectionRefusedError")


def test_nobody_is_reached_by_the_sockets_of_the_system(isolation: Isolation) -> None:
    name = f"\0dpcheck-{os.getpid()}"  # no file: it belongs to the network's names
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()

        def connects(dataset: Any, rng: Any) -> str:
            def connect() -> None:
                with socket.socket(socket.AF_UNIX) as client:
                    client.connect(name)

            return tried(connect)

        assert answer(connects, isolation) == ("done" if isolation == "process" else "ConnectionRefusedError")


def test_no_other_process_is_seen_or_signalled(isolation: Isolation) -> None:
    auditing, heard = os.getpid(), []
    before = signal.signal(signal.SIGUSR1, lambda *_: heard.append(1))
    try:
        said = answer(lambda dataset, rng: tried(lambda: os.kill(auditing, signal.SIGUSR1)), isolation)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert (said, heard) == (("done", [1]) if isolation == "process" else ("ProcessLookupError", []))


@needs_linux
def test_processes_that_leave_the_group_are_ended_with_the_worker(isolation: Isolation) -> None:
    marker = f"left-by-{isolation}-{os.getpid()}"

    def leaves(dataset: Any, rng: Any) -> int:
        command = [sys.executable, "-S", "-c", f"import time; time.sleep({LEFT_SECONDS})", marker]
        subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return 1

    assert answer(leaves, isolation) == 1
    until = time.monotonic() + PATIENCE
    while isolation == "container" and left_running(marker) and time.monotonic() < until:
        time.sleep(0.02)  # the kernel ends them one after the other
    found = left_running(marker)
    for one in found:
        os.kill(one, signal.SIGKILL)
    assert len(found) == (1 if isolation == "process" else 0)


@needs_container
def test_a_container_ends_with_the_audit_however_that_ends() -> None:
    marker = f"left-in-container-{os.getpid()}"
    program = (
        "import subprocess, sys, time\n"
        "from numpy.random import SeedSequence\n"
        "from dpcheck.execution.answers import Request\n"
        "from dpcheck.execution.executor import Executor\n"
        "from dpcheck.model.learner import as_target\n"
        "def learner(dataset, rng):\n"
        f"    subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep({LEFT_SECONDS})', {marker!r}],\n"
        "                     start_new_session=True)\n"
        "    time.sleep(1000)\n"
        "runner = Executor(1, 'container').runner(as_target(learner), [[1]], call_timeout=100.0)\n"
        "runner.run([Request(0, 1, SeedSequence(0))])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    auditing = subprocess.Popen([sys.executable, "-c", program], env=environment)
    try:
        until = time.monotonic() + PATIENCE
        while not left_running(marker) and time.monotonic() < until:
            time.sleep(0.02)
        assert left_running(marker)
    finally:
        auditing.kill()
        auditing.wait()
    until = time.monotonic() + PATIENCE
    while left_running(marker) and time.monotonic() < until:
        time.sleep(0.02)
    assert left_running(marker) == []


@needs_container
@pytest.mark.parametrize(
    ("how", "told"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), "was ended by SIGSEGV"),
        (lambda: os._exit(3), "ended its process with exit status 3"),
    ],
)
def test_how_a_learner_ended_is_told_from_a_container_too(how: Callable[[], Any], told: str) -> None:
    with pytest.raises(LearnerDied, match=told):
        answer(lambda dataset, rng: how(), "container")


@needs_container
def test_an_audit_in_a_container_comes_to_the_same() -> None:
    def leaky(dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + rng.laplace(scale=0.5))

    shut, beside = (
        dpcheck.audit(leaky, 1.0, pairs=[([0], [1])], isolation=isolation) for isolation in ("container", "process")
    )
    assert shut.status.value == "violated"
    assert (shut.evidence, shut.samples) == (beside.evidence, beside.samples)
    assert shut.record.isolation == "container"


# --- where there is none


def program_that_says(folder: Path, words: str, status: int) -> None:
    file = folder / "bwrap"
    file.write_text(f"#!/bin/sh\necho {words!r} >&2\nexit {status}\n")
    file.chmod(0o755)


@needs_linux
def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InvalidArgument, match=r"^isolation='container' needs bubblewrap, and bwrap is not installed "):
        answer(lambda dataset, rng: 1, "container")
    program_that_says(tmp_path, "bwrap: No permissions to create a new namespace", 1)
    with pytest.raises(InvalidArgument, match=r"bwrap does not work here: bwrap: No permissions [^\n]*; isolation="):
        answer(lambda dataset, rng: 1, "container")


@needs_linux
def test_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def learner(dataset, rng):\n    return 0.0\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": str(tmp_path)}
    command = ["audit", "mine.py:learner", "--epsilon", "1", "--bounds", "0,1", "--isolation", "container", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", *command], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert re.fullmatch(
        r"dpcheck: isolation='container' needs bubblewrap, [^\n]*apt install bubblewrap[^\n]*\n", done.stderr
    )


@needs_container
def test_the_command_contains_a_learner_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    (tmp_path / "mine.py").write_text(
        "import os\n\n\ndef learner(dataset, rng):\n"
        "    try:\n        os.remove('thesis.txt')\n    except OSError:\n        return 0.0\n    return 1.0\n"
    )
    few = ["--epsilon", "1", "--bounds", "0,1", "--max-samples", "400", "--quiet", "--allow-inconclusive"]
    command = ["audit", "mine.py:learner", *few, "--isolation", "container", "--max-memory", "1GiB"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", *command], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "thesis.txt").exists()


# --- how much a worker may have


@needs_linux
@pytest.mark.parametrize("typed", [True, False])
def test_the_command_and_its_settings_hold_a_learner_to_it(typed: bool, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def learner(dataset, rng):\n    return len(bytearray(600 << 20))\n")
    settings = "" if typed else "max-memory = '300MiB'\n"
    (tmp_path / "pyproject.toml").write_text(f"[tool.dpcheck]\nbounds = [0, 1]\nepsilon = 1\n{settings}")
    command = ["audit", "mine.py:learner", "--quiet", *(["--max-memory", "300MiB"] if typed else [])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", *command], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 4
    assert "The learner ran out of memory (--max-memory = 300 MiB)" in " ".join(done.stdout.split())


@needs_linux
def test_memory_is_held_to_what_was_given(isolation: Isolation) -> None:
    def takes(dataset: Any, rng: Any) -> int:
        return len(bytearray(600 << 20))

    assert answer(takes, isolation, Resources(memory=2 << 30)) == 600 << 20
    with pytest.raises(LearnerDied, match=r"ran out of memory \(max_memory = 512 MiB\) in call 1 of 1"):
        answer(takes, isolation, Resources(memory=512 << 20))


@needs_linux
def test_memory_is_held_to_while_the_learner_is_made() -> None:
    class Large:
        def __init__(self) -> None:
            self.data = bytearray(600 << 20)

        def __call__(self, dataset: Any, rng: Any) -> float:
            return 0.0

    found = dpcheck.audit(Large, 1.0, pairs=[([0], [1])], isolation="process", max_memory="300MiB")
    assert found.status.value == "learner failed"
    assert "ran out of memory (max_memory = 300 MiB)" in found.record.failure


@needs_linux
def test_as_much_as_the_least_is_enough_for_a_learner_that_needs_little() -> None:
    assert (
        answer(lambda dataset, rng: 1, "process", Resources(memory=LEAST_MEMORY, files=LEAST_FILES, processes=1)) == 1
    )


def test_files_are_held_to_what_was_given(isolation: Isolation) -> None:
    def opens(dataset: Any, rng: Any) -> int:
        return len([open(os.devnull) for _ in range(200)])

    assert answer(opens, isolation, Resources(files=400)) == 200
    with pytest.raises(LearnerDied, match=r"opened more files than it may \(max_files = 100\) in call 1 of 1"):
        answer(opens, isolation, Resources(files=100))


def starts(count: int) -> Callable[[Any, Any], int]:
    def learner(dataset: Any, rng: Any) -> int:
        children = []
        for _ in range(count):
            child = os.fork()
            if child == 0:
                time.sleep(LEFT_SECONDS)
                os._exit(0)
            children.append(child)
        time.sleep(1.0)  # what it starts is counted from time to time
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        return count

    return learner


@needs_linux
def test_processes_are_held_to_what_was_given(isolation: Isolation) -> None:
    assert answer(starts(12), isolation, Resources(processes=20)) == 12
    with pytest.raises(LearnerDied, match=r"started more than 8 processes \(max_processes\) in call 1 of 1"):
        answer(starts(12), isolation, Resources(processes=8))


@needs_linux
def test_they_are_counted_also_while_others_end(monkeypatch: pytest.MonkeyPatch, isolation: Isolation) -> None:
    """The number of threads of the whole system says nothing then."""
    monkeypatch.setattr(supervisor, "tasks_of_the_system", lambda: 0)
    with pytest.raises(LearnerDied, match=r"started more than 8 processes \(max_processes\) in call 1 of 1"):
        answer(starts(12), isolation, Resources(processes=8))
    monkeypatch.setattr(supervisor, "below", lambda leader, most: 0)  # as it was: it is not noticed
    assert answer(starts(12), isolation, Resources(processes=8)) == 12


@needs_linux
def test_a_learner_that_starts_processes_without_end_is_ended_with_all_of_them(isolation: Isolation) -> None:
    def bomb(dataset: Any, rng: Any) -> None:
        while True:
            with suppress(OSError):
                os.fork()
            time.sleep(0.01)

    with pytest.raises(LearnerDied, match="started more than 64 processes"):
        answer(bomb, isolation, Resources(processes=64))
    until = time.monotonic() + PATIENCE
    while started_by(os.getpid()) > 40 and time.monotonic() < until:
        time.sleep(0.02)
    assert started_by(os.getpid()) <= 40


@needs_linux
def test_a_warm_worker_has_the_limits_of_the_run_that_uses_it() -> None:
    def limits(dataset: Any, rng: Any) -> list[int]:
        which = (resource.RLIMIT_DATA, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE)
        return [resource.getrlimit(one)[side] for one in which for side in (0, 1)]

    def told(resources: Resources) -> list[int]:
        with Executor(1, "process", resources).runner(as_target(limits), [[1]]) as runner:
            found: list[int] = list(runner.run([Request(0, 1, SeedSequence(0))])[0].values[0])
        return found

    usual = told(UNLIMITED)
    small = told(Resources(memory=1 << 30, files=99))
    assert small == [1 << 30, 1 << 30, 99, 99, 0, 0]
    assert usual == told(UNLIMITED) != small
    assert told(Resources(memory=1 << 30, files=99)) == small


@needs_linux
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may raise them")
def test_a_learner_cannot_raise_its_limits() -> None:
    def raises(dataset: Any, rng: Any) -> str:
        most = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        return tried(lambda: resource.setrlimit(resource.RLIMIT_DATA, most))

    assert answer(raises, "process", Resources(memory=1 << 30)) == "ValueError"


@needs_container
def test_nobody_raises_limits_in_a_container() -> None:
    def raises(dataset: Any, rng: Any) -> str:
        most = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        return tried(lambda: resource.setrlimit(resource.RLIMIT_DATA, most))

    assert answer(raises, "container", Resources(memory=1 << 30)) == "ValueError"


@pytest.mark.parametrize("name", ["max_memory", "max_processes", "max_files"])
def test_what_cannot_be_kept_is_refused(name: str) -> None:
    value: Any = 1 << 30
    with pytest.raises(InvalidArgument, match=f"^{name} must be None where isolation is 'none', got 1073741824: "):
        dpcheck.audit(lambda dataset, rng: 0.0, 1.0, pairs=[([0], [1])], isolation="none", **{name: value})
    lock = __import__("threading").Lock()
    with pytest.raises(InvalidArgument, match=f"^{name} wants a learner that runs in another process, but "):
        dpcheck.audit(lambda dataset, rng: lock.locked(), 1.0, pairs=[([0], [1])], **{name: value})
