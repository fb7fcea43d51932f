"""``--jobs``: the same option of every command that runs something, and no process that is left when one is killed."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from dpcheck.cli.app import app, run

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
#: A new command is in one of these.
RUN = {
    "audit",
    "check",
    "compare",
    "demo",
    "learners",
    "measure",
    "record",
    "report",
    "survey",
    "theorems",
    "white-box",
    "zoo",
}
RUN_NOTHING = {"glossary", "history", "one-run", "schema"}
#: It makes a call or two to see what one costs.
TRIES = {"plan"}


def test_every_command_that_runs_something_has_jobs_and_means_the_same() -> None:
    assert set(COMMANDS) == RUN | RUN_NOTHING | TRIES
    found = {name: option for name, one in COMMANDS.items() for option in one.params if option.name == "jobs"}
    assert set(found) == RUN
    assert {option.default for option in found.values()} == {1}
    assert {option.help for option in found.values()} == {
        "How many processes run at a time; nothing that is found depends on it."
    }
    assert {tuple(option.opts) for option in found.values()} == {("--jobs",)}


@pytest.mark.parametrize(
    ("command", "jobs"),
    [*((command, "0") for command in sorted(RUN)), *(("audit", jobs) for jobs in ("-1", "1.5", "x"))],
)
def test_fewer_than_one_is_refused_before_anything_runs(
    command: str, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--jobs", jobs]) == 2
    assert capsys.readouterr().err == f"dpcheck: --jobs wants a whole number of at least 1, got {jobs!r}\n"


def test_jobs_that_nothing_reads_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["theorems", "alon2019:thm-3.1", "--jobs", "2"]) == 2
    assert "--jobs is read only with --recheck or --prove" in capsys.readouterr().err


@pytest.mark.turns(6)
def test_the_executor_alone_makes_processes() -> None:
    """What starts a program of another's (git, a worker's interpreter) is no pool, nor what takes an executor."""
    pools, root = {"multiprocessing", "concurrent", "joblib"}, Path(__file__).parents[2]
    found = set()
    for path in (root / "dpcheck").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if pools & {name.split(".")[0] for name in names}:
                found.add(str(path.relative_to(root)))
    taken = {f"dpcheck/execution/{name}.py" for name in ("backends", "calls_elsewhere", "elsewhere")}
    assert found == {"dpcheck/execution/processes.py"} | taken


#: A paper of a user's whose measurements and enumerations do not end before they are killed.
HANGS = """
import time

from dpcheck.proof.statement import Paper, Step, Theorem
from dpcheck.trial.run import Run


def hangs(*arguments):
    time.sleep(1000)


def hangs_too(*arguments):
    time.sleep(1000)


STEPS = STEPS_HERE
PAPER = Paper("mine", "Mine", (Theorem("mine:t", "t", steps=("a", "b")),), STEPS)
RUNS = tuple(Run(name, ("mine:t",), hangs, (0.5, 0.5)) for name in ("one", "two"))
"""
MEASURES = """
from dpcheck.trial.measurements import measure

if __name__ == "__main__":
    measure("mine.py", seed=0, quick=True, jobs=2)
"""
STEPS = '(Step("a", instances=hangs), Step("b", instances=hangs_too))'
DPCHECK = ("-m", "dpcheck")
DOORS = {
    "report": (*DPCHECK, "report", "mine.py", "--quick", "--jobs", "2"),
    "recheck": (*DPCHECK, "theorems", "--from", "mine.py", "--recheck", "--jobs", "2"),
    "zoo": (*DPCHECK, "zoo", "--audit", "laplace", "randresp", "--max-samples", "1e9", "--jobs", "2"),
    "trial": ("measures.py",),
}


def children() -> dict[int, int]:
    """The parent of each process that runs."""
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = place.read_text().rpartition(")")
        except OSError:
            continue
        state, parent = rest.split()[:2]
        if state not in "ZX":
            found[int(place.parent.name)] = int(parent)
    return found


def workers_below(process: int) -> set[int]:
    """The executor's processes among the descendants of one."""
    parents, below = children(), {process}
    while grown := {child for child, parent in parents.items() if parent in below} - below:
        below |= grown
    return {one for one in below if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()}


@pytest.mark.some(1)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("door", DOORS)
def test_a_run_that_is_killed_leaves_no_process(door: str, tmp_path: Path) -> None:
    if door == "report":
        pytest.importorskip("matplotlib")
    # a report computes enumerations itself, before its units begin
    steps = STEPS if door == "recheck" else '(Step("a"), Step("b"))'
    (tmp_path / "mine.py").write_text(HANGS.replace("STEPS_HERE", steps), encoding="utf-8")
    (tmp_path / "measures.py").write_text(MEASURES, encoding="utf-8")
    known = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    output = tmp_path / "output.txt"
    with output.open("w") as file:
        started = subprocess.Popen([sys.executable, *DOORS[door]], cwd=tmp_path, env=known, stdout=file, stderr=file)
    workers: set[int] = set()
    last = time.monotonic() + 120
    while len(workers) < 2 and started.poll() is None and time.monotonic() < last:
        time.sleep(0.1)
        workers = workers_below(started.pid)
    try:
        assert len(workers) == 2, output.read_text()
        started.send_signal(signal.SIGKILL)
        started.wait(timeout=100)
        last = time.monotonic() + 60
        while workers & set(children()) and time.monotonic() < last:
            time.sleep(0.1)
        assert not workers & set(children())
    finally:
        started.kill()
        started.wait()
        for worker in workers & set(children()):
            os.kill(worker, signal.SIGKILL)
