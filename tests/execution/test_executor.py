"""The executor: calls in processes that take nothing from each other, and die with the one that waits for them."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dpcheck.cli.jobs import side_by_side
from dpcheck.execution import processes
from dpcheck.execution.executor import Executor
from dpcheck.execution.function_calls import Begun, Call, CallLost, Ended
from dpcheck.model.errors import InvalidArgument, LearnerDied

#: In a file of its own: a worker process imports it.
CALLED = """
import os
import subprocess
import sys
import time

SEEN = "as it is written"


class Unread(Exception):
    def __init__(self, one, two):
        super().__init__(one)

    def __str__(self):
        raise ValueError("no words")


def square(number):
    print("a word of mine")
    return number * number


def seen():
    return SEEN, os.getpid()


def raises():
    raise ValueError("why")


def raises_unread():
    raise Unread(1, 2)


def gives_a_function():
    return lambda: 1


def exits():
    raise SystemExit("bye")


def dies():
    os._exit(7)


def killed():
    os.kill(os.getpid(), 9)


def audited(name, effort):
    if name == "dies":
        os._exit(7)
    return name, effort


def hangs():
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass


def leaves_a_child(folder):
    if os.fork() == 0:
        note(folder)
        time.sleep(1000)
    while not os.listdir(folder):
        time.sleep(0.01)
    os._exit(7)


def note(folder):
    open(os.path.join(folder, str(os.getpid())), "w").close()


def hangs_noted(folder):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    for process in (child.pid, os.getpid()):
        open(os.path.join(folder, str(process)), "w").close()
    hangs()
"""


@pytest.fixture
def called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (tmp_path / "dpcheck_called.py").write_text(CALLED, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "dpcheck_called", raising=False)
    return importlib.import_module("dpcheck_called")


def ended(executor: Executor, calls: list[Call]) -> dict[int, Ended]:
    return {event.place: event for event in executor.run(calls) if isinstance(event, Ended)}


def alive(process: int) -> bool:
    """Whether it runs: one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def until(there: Callable[[], object], seconds: float = 60.0) -> bool:
    last = time.monotonic() + seconds
    while not there() and time.monotonic() < last:
        time.sleep(0.02)
    return bool(there())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"jobs": 0}, "jobs must be an integer of at least 1, got 0"),
        ({"jobs": True}, "jobs must be an integer of at least 1, got True"),
        ({"isolation": "non"}, r"isolation must be one of auto, process, container, none, got 'non' \(did you mean"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        Executor(**arguments)


def test_the_number_of_jobs_changes_no_value(called: ModuleType) -> None:
    calls = [Call(called.square, (number,)) for number in range(7)]
    for executor in (Executor(1), Executor(3), Executor(1, "process"), Executor(3, "none")):
        found = ended(executor, calls)
        assert [found[place].value for place in range(7)] == [0, 1, 4, 9, 16, 25, 36]
    with Executor(3).submitted(calls) as value:
        assert [value(place) for place in (6, 0, 3, 3)] == [36, 0, 9, 9]


def test_calls_begin_in_their_order_and_none_before_there_is_a_process_for_it(called: ModuleType) -> None:
    events = [event for event in Executor(2).run([Call(called.square, (place,)) for place in range(5)]) if event]
    assert [event.place for event in events if isinstance(event, Begun)] == list(range(5))
    running = 0
    for event in events:
        running += 1 if isinstance(event, Begun) else -1
        assert running <= 2


def test_a_process_takes_nothing_but_what_is_passed(called: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(called, "SEEN", "changed here")
    calls = [Call(called.seen), Call(called.seen)]
    apart = ended(Executor(2), calls)
    assert {apart[place].value[0] for place in range(2)} == {"as it is written"}
    assert os.getpid() not in {apart[place].value[1] for place in range(2)}
    here = ended(Executor(1), calls)
    assert {here[place].value for place in range(2)} == {("changed here", os.getpid())}


def test_what_is_printed_in_a_process_is_not_output(called: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    assert ended(Executor(1, "process"), [Call(called.square, (3,))])[0].value == 9
    out, err = capfd.readouterr()
    assert (out, err.strip()) == ("", "a word of mine")


def test_one_call_does_not_take_the_others_along(called: ModuleType) -> None:
    bad = [called.raises, called.raises_unread, called.gives_a_function, called.exits, called.dies, called.killed]
    calls = [Call(function) for function in bad]
    calls += [Call(lambda: 1), *(Call(called.square, (number,)) for number in range(3))]
    found = ended(Executor(2), calls)
    assert [found[place].value for place in range(7, 10)] == [0, 1, 4]
    raised = found[0].error
    assert isinstance(raised, ValueError)
    assert str(raised) == "why"
    assert "dpcheck_called.py" in raised.__notes__[0]
    assert isinstance(found[1].error, RuntimeError)
    assert str(found[1].error).startswith("Unread")
    assert found[2].error is not None
    assert isinstance(found[3].error, SystemExit)
    assert [found[place].lost for place in (4, 5)] == ["its process died (status 7)", "its process died (signal 9)"]
    assert found[6].error is not None


@pytest.mark.turns(6)
def test_a_call_past_its_time_is_ended_and_named(called: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_PATIENCE", 0.5)
    calls = [Call(called.hangs, name="the one that hangs", limit=1.0), Call(called.square, (2,))]
    for jobs in (1, 2):
        with Executor(jobs, "process").submitted(calls) as value:
            assert value(1) == 4
            with pytest.raises(CallLost, match=r"^the one that hangs: it took longer than 1 s and was ended$"):
                value(0)


def test_a_learner_whose_process_dies_takes_no_audit_beside_it_along(called: ModuleType) -> None:
    names, here = ["good", "dies", "fine"], {"on_event": "heard here only"}
    with side_by_side(Executor(2), called.audited, names, {"seed": 1}, here) as audit_of:
        good, dies, fine = (audit_of(name) for name in names)
        assert fine() == ("fine", {"seed": 1})
        with pytest.raises(LearnerDied, match=r"^its process died \(status 7\)$"):
            dies()
        assert good() == ("good", {"seed": 1})
    with side_by_side(Executor(1), called.audited, ["good"], {"seed": 1}, here) as audit_of:
        assert audit_of("good")() == ("good", {"seed": 1, **here})


def test_a_process_that_dies_and_leaves_a_child_is_noticed_and_the_child_ended(
    called: ModuleType, tmp_path: Path
) -> None:
    """The child holds the other end of the pipe open, so that no end of it is ever read."""
    folder = tmp_path / "noted"
    folder.mkdir()
    found = ended(Executor(1, "process"), [Call(called.leaves_a_child, (str(folder),))])
    assert found[0].lost == "its process died (status 7)"
    (child,) = map(int, os.listdir(folder))
    assert until(lambda: not alive(child))


@pytest.mark.turns(6)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, "closed"])
def test_no_worker_is_left_nor_what_it_started(how: Any, tmp_path: Path) -> None:
    (tmp_path / "dpcheck_called.py").write_text(CALLED, encoding="utf-8")
    folder = tmp_path / "noted"
    folder.mkdir()
    (tmp_path / "waits.py").write_text(
        "import contextlib, os, sys\n"
        "from dpcheck.execution import processes\n"
        "from dpcheck.execution.executor import Executor\n"
        "from dpcheck.execution.function_calls import Call\n"
        "import dpcheck_called\n"
        "if __name__ == '__main__':\n"
        "    processes._PATIENCE = 0.5\n"
        f"    calls = [Call(dpcheck_called.hangs_noted, ({str(folder)!r},))] * 2\n"
        "    with contextlib.closing(Executor(2).run(calls)) as events:\n"
        "        for _ in events:\n"
        f"            if {how == 'closed'} and len(os.listdir({str(folder)!r})) == 4:\n"
        "                break\n"
        "    print('closed')\n"
    )
    waits = subprocess.Popen(
        [sys.executable, "waits.py"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert until(lambda: len(os.listdir(folder)) == 4)
    processes = [int(name) for name in os.listdir(folder)]
    try:
        if how != "closed":
            assert all(map(alive, processes))
            waits.send_signal(how)
            waits.wait(timeout=100)
        assert until(lambda: not any(map(alive, processes)))
    finally:
        for process in filter(alive, processes):
            os.kill(process, signal.SIGKILL)
    out, err = waits.communicate(timeout=100)
    if how == "closed":
        assert (waits.returncode, out, err) == (0, "closed\n", "")
    else:
        assert waits.returncode == -how
        assert err.count("Traceback") == (how == signal.SIGINT)


@pytest.mark.turns(4)
@pytest.mark.skipif(os.name != "posix", reason="needs process groups")
@pytest.mark.parametrize("seconds", [0.02, 0.08, 0.1, 0.15])
def test_an_interrupt_of_the_whole_group_is_told_once(seconds: float, tmp_path: Path) -> None:
    """As Ctrl-C in a terminal is; also where the processes have only begun, and would say so each for itself."""
    (tmp_path / "dpcheck_called.py").write_text(CALLED, encoding="utf-8")
    (tmp_path / "waits.py").write_text(
        "import time\n"
        "import dpcheck_called\n"
        "from dpcheck.execution.executor import Executor\n"
        "from dpcheck.execution.function_calls import Begun, Call\n"
        "if __name__ == '__main__':\n"
        "    for event in Executor(3).run([Call(time.sleep, (1000,))] * 3):\n"
        "        if isinstance(event, Begun):\n"
        "            print('begun', flush=True)\n"
    )
    waits = subprocess.Popen(
        [sys.executable, "waits.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert waits.stdout is not None
    waits.stdout.readline()
    time.sleep(seconds)
    os.killpg(waits.pid, signal.SIGINT)
    _, err = waits.communicate(timeout=100)
    assert waits.returncode == -signal.SIGINT
    assert err.count("Traceback") == 1, err
