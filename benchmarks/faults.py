"""Everything that commands ask of the disk made to fail, one request after the other: is anything lost or half written?

A command runs on a disk of which the k-th operation fails, for k = 1, 2, ... until none is left: no room (then, or from
then on), an error of the device, read only, denied, half of a write, and the process killed there. Afterwards

- every file that was there is as it was, or whole and new, or set aside under another name; none is half written;
- a run that could not write says so in a line and with a status, and what it found is on the screen nevertheless;
- the same command again comes to the end that an undisturbed one comes to.

It is done twice: by the seam that all of dpcheck writes through (dpcheck/model/disk.py), and, where there is a C
compiler, by a library between this process and the system (failing_system.c), which knows nothing of dpcheck, and sees
SQLite too.

    python benchmarks/faults.py
    python benchmarks/faults.py --only audit record seam --json reports/faults.json
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from bench import ONE_THREAD, settings, show, spread, write_json

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests"))

#: Seconds that one run may take.
PATIENCE = 120.0
#: More operations than any command asks for.
MOST = 2_000
LEARNERS = """
import numpy as np
def noisy(data, rng):
    return round(float(np.sum(data)) + rng.laplace(), 2)
def other(data, rng):
    return round(float(np.sum(data)) + rng.laplace(0, 2.0), 2)
"""
LISTED = """
[tool.dpcheck]
isolation = "none"
max-samples = 400
[[tool.dpcheck.learners]]
name = "one"
target = "learner.py:noisy"
epsilon = 1.0
bounds = [0, 1]
size = 2
"""
TWO = """
[[tool.dpcheck.learners]]
name = "two"
target = "learner.py:other"
epsilon = 1.0
bounds = [0, 1]
size = 2
"""
#: No clock: how long the first call takes on a busy machine says how the others are made, where seconds are limited.
_AUDITED = (
    *("learner.py:noisy", "--epsilon", "1", "--bounds", "0,1", "--max-samples", "400", "--isolation", "none"),
    *("--max-seconds", "inf"),
)
_AUDIT = ("audit", *_AUDITED, "--quiet", "--allow-inconclusive")


@dataclass(frozen=True)
class Command:
    """A command that writes.

    Parameters
    ----------
    arguments : what is typed
    documents : what it writes and was there before, of an earlier run
    before : commands that were run before
    files : what stands in the folder besides
    then : files that are put there after these commands
    says : what it says in any case, if not that it was refused
    kept : names of files that may be missing where a line says so: a verdict does not hang on them
    """

    arguments: tuple[str, ...]
    documents: tuple[str, ...] = ()
    before: tuple[tuple[str, ...], ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    then: dict[str, str] = field(default_factory=dict)
    says: str = ""
    kept: tuple[str, ...] = ()


def _theorems() -> str:
    return (HERE.parent / "examples" / "my_theorems.py").read_text(encoding="utf-8")


_SCORES = "score,included\n" + "".join(f"{(place * 37) % 100},{place % 2}\n" for place in range(60))
_BASELINE = ("--quiet", "--max-seconds", "1000")
_HISTORY = (".dpcheck/history.sqlite3", ".dpcheck/.gitignore")
COMMANDS = {
    "audit": Command(
        (*_AUDIT, "--json", "run.json", "--sarif", "run.sarif", "--output", "run.txt"),
        ("run.json", "run.txt"),
        says="inconclusive",
    ),
    "audit-junit": Command((*_AUDIT, "--format", "junit", "--output", "run.xml"), ("run.xml",), says="inconclusive"),
    "audit-github": Command(
        (*_AUDIT, "--format", "github", "--output", "run.txt"), ("run.txt", "summary.md"), says="inconclusive"
    ),
    "audit-dry": Command((*_AUDIT, "--dry-run", "--json", "dry.json", "--output", "dry.txt"), ("dry.txt",)),
    "journal": Command((*_AUDIT, "--journal", "kept", "--json", "run.json"), (), says="inconclusive", kept=("kept",)),
    "check": Command(
        ("check", *_AUDITED, "--only", "empty_data", "--quiet", "--json", "c.json", "--output", "c.txt"),
        ("c.json", "c.txt"),
        says="1 passed",
    ),
    "measure": Command(
        ("measure", "learner.py:noisy", "--bounds", "0,1", "--max-samples", "400", "--isolation", "none", "--quiet",
         "--json", "m.json", "--plot", "m.svg"),
        ("m.json", "m.svg"),
        says="epsilon",
    ),
    "plan": Command(("plan", "--epsilon", "1", "--output", "plan.txt"), ("plan.txt",)),
    "one-run": Command(
        ("one-run", "scores.csv", "--epsilon", "1", "--delta", "1e-5", "--json", "o.json", "--output", "o.txt",
         "--plot", "o.svg"),
        ("o.json", "o.svg"),
        files={"scores.csv": _SCORES},
        says="inconclusive",
    ),
    "white-box": Command(
        ("white-box", "trained:batches-shuffled", "--isolation", "none", "--quiet", "--json", "w.json", "--format",
         "html", "--output", "w.html"),
        ("w.json", "w.html"),
    ),
    "record": Command(("record", *_BASELINE), says="recorded", kept=_HISTORY),
    "record-again": Command(
        ("record", *_BASELINE), before=(("record", *_BASELINE),), says="recorded", kept=_HISTORY
    ),
    "compare": Command(
        ("compare", *_BASELINE, "--json", "c.json", "--output", "c.txt"),
        ("c.json",),
        before=(("record", *_BASELINE),),
        then={"pyproject.toml": LISTED + TWO},
        says="new",
        kept=_HISTORY,
    ),
    "history": Command(("history", "--plot", "h.svg"), ("h.svg",), before=(("record", *_BASELINE),), says="recorded"),
    "learners": Command(("learners", "--json", "l.json", "--format", "markdown", "--output", "l.md"), ("l.json",)),
    "zoo": Command(
        ("zoo", "--audit", "laplace", "--isolation", "none", "--max-samples", "400", "--quiet", "--json", "z.json",
         "--output", "z.txt"),
        ("z.json",),
    ),
    "survey": Command(
        ("survey", "diffprivlib-linear-regression", "--seeds", "1", "--max-seconds", "1000", "--quiet", "--json",
         "s.json", "--output", "survey"),
        ("s.json",),
        says="expected",
    ),
    "prove": Command(
        ("theorems", "--from", "mine.py", "--prove", "--quiet"), files={"mine.py": _theorems()}
    ),
    "export": Command(
        ("theorems", "--from", "mine.py", "--export", "coq", "--to", "theory", "--quiet"),
        before=(("theorems", "--from", "mine.py", "--prove", "--quiet"),),
        files={"mine.py": _theorems()},
    ),
    "report": Command(
        ("report", "beimel2015/groups", "--quick", "--seed", "1", "--jobs", "1", "--quiet", "--out", "pages"),
        says="beimel2015",
        kept=("pages/.progress",),
    ),
    "demo": Command(
        ("demo", "--quiet", "--json", "d.json"), ("d.json",), says="violated",
    ),
}  # fmt: skip

#: Of the seam, by the names of tests/failing_disk.py; of the system, the error and how failing_system.c makes it.
SYSTEM = {
    "full": (errno.ENOSPC, 0),
    "full from then on": (errno.ENOSPC, 1),
    "broken": (errno.EIO, 0),
    "read-only": (errno.EROFS, 1),
    "denied": (errno.EACCES, 0),
    "short": (0, 2),
    "killed": (0, 3),
}
QUICK = ("full", "killed")
MECHANISMS = ("seam", "system")


@dataclass(frozen=True)
class Ran:
    """How a run ended, what it said, and what is there then; ``status`` is -9 where it was killed."""

    status: int
    out: str
    err: str
    files: dict[str, bytes]


@dataclass(frozen=True)
class Found:
    """What came of one command by one mechanism."""

    command: str
    mechanism: str
    operations: int
    cases: int
    failed: int
    why: list[str]


@dataclass(frozen=True)
class Task:
    """One command, and how its disk fails."""

    command: str
    mechanism: str
    faults: tuple[str, ...]


def put(folder: Path, files: dict[str, str]) -> None:
    """Files of such names and texts."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def contents(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def arming(mechanism: str, fault: str, at: int, folder: Path, told: mmap.mmap) -> Callable[[], object]:
    """What a process calls before the run to make the operation fail; the first byte of ``told`` is 1 when it did."""
    if mechanism == "seam":
        import failing_disk

        from dpcheck.model import disk

        return lambda: setattr(disk, "DISK", failing_disk.FailingDisk(at, failing_disk.FAULTS[fault], told))
    number, kind = SYSTEM[fault]
    address = ctypes.addressof(ctypes.c_int.from_buffer(told))
    library = ctypes.CDLL(None)
    return lambda: library.arm(os.fsencode(f"{folder}/"), at, number, kind, ctypes.c_void_p(address))


def ran(arguments: tuple[str, ...], folder: Path, armed: Callable[[], object] = lambda: None) -> Ran:
    """Run a command in a copy of this process."""
    said = folder.parent
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        try:
            for number, name in ((1, "out"), (2, "err")):
                file = os.open(said / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                os.dup2(file, number)
            sys.stdout, sys.stderr = (open(number, "w", closefd=False) for number in (1, 2))  # noqa: SIM115
            os.chdir(folder)
            os.environ["GITHUB_STEP_SUMMARY"] = str(folder / "summary.md")
            sys.argv[:] = ["dpcheck", *arguments]
            from dpcheck.cli.app import run

            armed()
            status = run(list(arguments))
            sys.stdout.flush()
            os._exit(status)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(70)
    ends = time.monotonic() + PATIENCE
    while True:
        done, ended = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > ends:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return Ran(124, "", "it did not end", contents(folder))
        time.sleep(0.002)
    status = os.waitstatus_to_exitcode(ended)
    words = [(said / name).read_text(encoding="utf-8", errors="replace") for name in ("out", "err")]
    return Ran(status, *words, contents(folder))


_NUMBER = re.compile(rb"\d[\d.,e+-]*(?: (?:s|min|h|days)\b)?")


def alike(data: bytes) -> bytes:
    """A file without its numbers, which seconds and dates are among, nor where its lines break, which hangs on them."""
    return _NUMBER.sub(b"#", b" ".join(data.split()))


def is_database(name: str) -> bool:
    """Whether SQLite keeps it, and makes it whole again."""
    return ".sqlite3" in name


def is_added_to(name: str) -> bool:
    """Whether it is another's, to which text is added: whoever is killed while it does leaves half of its own."""
    return name == "summary.md"


def is_journal(name: str) -> bool:
    """Whether entries are only added to it, and a last one that was cut off is dropped by who reads it."""
    return ".calls" in name


def lost(before: dict[str, bytes], after: dict[str, bytes], whole: list[dict[str, bytes]]) -> list[str]:
    """What of the files is neither as it was nor whole, nor set aside."""
    wrong = []
    for name in sorted({*before, *after}):
        if is_database(name) or is_journal(name):
            continue
        was, now = before.get(name), after.get(name)
        if is_added_to(name):
            wrong += [] if now is not None and now.startswith(was or b"") else [f"{name} lost what it had"]
            continue
        there = [alike(files[name]) for files in whole if name in files]
        if now is None:
            if after.get(f"{name}.earlier") != was:
                wrong.append(f"{name} is gone")
        elif (
            now == was
            or alike(now) in there
            or _says_what_was_not_kept(name, now)
            or (Path(name).name.startswith(".") and name not in before)
        ):
            continue
        elif Path(name).parts[0].startswith(".") and Path(name).parts[0] not in (".dpcheck",):
            continue  # a folder that is not whole yet
        elif name.endswith(".earlier") and now == before.get(name.removesuffix(".earlier")):
            continue
        else:
            wrong.append(f"{name} is neither as it was nor whole: {len(now)} bytes")
    return wrong


#: Words of a journal that could not be begun, or not be gone on with.
NOT_KEPT = re.compile(rb"could not be kept|must be a directory that can be made")


def _says_what_was_not_kept(name: str, data: bytes) -> bool:
    """Whether it is a record, and whole, that says more than others: that a journal could not be kept."""
    try:
        return name.endswith(".json") and bool(json.loads(data)) and NOT_KEPT.search(data) is not None
    except ValueError:
        return False


def unsound(folder: Path, before: dict[str, bytes]) -> list[str]:
    """What is wrong with databases: damaged, or rows are gone."""
    wrong = []
    for path in folder.rglob("*.sqlite3"):
        with tempfile.TemporaryDirectory() as copies:
            now = Path(copies) / "now.sqlite3"
            for suffix in ("", "-wal", "-shm"):
                if path.with_name(path.name + suffix).exists():
                    shutil.copy(path.with_name(path.name + suffix), now.with_name(now.name + suffix))
            old = Path(copies) / "old.sqlite3"
            old.write_bytes(before.get(str(path.relative_to(folder)), b""))
            try:
                rows = [_rows(each) for each in (old, now)]
            except sqlite3.Error as error:
                wrong.append(f"{path.name}: {error}")
                continue
            if rows[1][: len(rows[0])] != rows[0]:
                wrong.append(f"{path.name}: {len(rows[0])} rows before, {len(rows[1])} now")
    return wrong


def _rows(path: Path) -> list[Any]:
    connection = sqlite3.connect(path)
    try:
        if connection.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("integrity_check found damage")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'runs'").fetchone():
            return []
        return connection.execute("SELECT id, at, learner FROM runs ORDER BY id").fetchall()
    finally:
        connection.close()


#: SQLite has words of its own, and does not always know more.
SQLITE_SAYS = "disk I/O error|disk is full|readonly database|unable to open"
#: What a command says that was refused before anything was run.
REFUSED = re.compile(r"must be (a|in a) (file|folder|directory)\b|could not be kept in|must be a folder")


def told_wrongly(command: Command, run: Ran, right: Ran, fault: str) -> list[str]:
    """What is wrong with the status and the words of a run that was not killed."""
    wrong = []
    if "Traceback" in run.err or "internal error" in run.err:
        wrong.append("a traceback: " + run.err.strip().splitlines()[-1][:150])
    lines = [line for line in run.err.splitlines() if line.startswith("dpcheck: ")]
    why = re.compile(f"{os.strerror(SYSTEM[fault][0])}|{SQLITE_SAYS}")
    said = any(why.search(line) for line in [*lines, run.out])
    missing = [name for name in right.files if name not in run.files and not is_database(name)]
    required = [name for name in missing if not name.startswith(command.kept)] if command.kept else missing
    if run.status == right.status:
        if required:
            wrong.append(f"status {run.status}, and there is no {required[0]}")
        elif missing and not said and not all(name.endswith(".gitignore") for name in missing):
            wrong.append(f"nothing says why there is no {missing[0]}")
    else:
        if not said:
            wrong.append(f"status {run.status} without a line that says why: {lines[-1:]}")
        if run.status == 0:
            wrong.append(f"status 0 instead of {right.status}")
        if command.says and command.says.lower() not in (run.out + run.err).lower() and not REFUSED.search(run.err):
            wrong.append("what was found is not on the screen")
    return wrong


def tried(task: Task) -> Found:
    """All cases of a command."""
    command = COMMANDS[task.command]
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        folder, template = Path(name) / "case", Path(name) / "template"
        folder.mkdir()
        _few_calls()
        put(folder, {"learner.py": LEARNERS, "pyproject.toml": LISTED, **command.files})
        _warm(command, folder)
        for arguments in command.before:
            ran(arguments, folder)
        put(folder, {**dict.fromkeys(command.documents, "of an earlier run\n" * 20), **command.then})
        shutil.copytree(folder, template)
        before = contents(folder)
        first = ran(command.arguments, folder)
        second = ran(command.arguments, folder)
        if first.status not in (0, 1, 3):
            raise SystemExit(f"{task.command} ends with {first.status} undisturbed: {first.err}")
        whole = [first.files, second.files]
        cases, operations, why = 0, 0, []
        failed = 0
        for fault in task.faults:
            for at in range(1, MOST):
                shutil.rmtree(folder)
                shutil.copytree(template, folder)
                told = mmap.mmap(-1, mmap.PAGESIZE)
                run = ran(command.arguments, folder, arming(task.mechanism, fault, at, folder, told))
                if not told[0]:
                    operations = max(operations, at - 1)
                    break
                cases += 1
                wrong = lost(before, run.files, whole) + unsound(folder, before)
                if run.status == -signal.SIGKILL and fault == "killed":
                    pass
                elif fault == "short":
                    wrong += [] if run.status == first.status else [f"status {run.status} for half of a write"]
                else:
                    wrong += told_wrongly(command, run, first, fault)
                again = ran(command.arguments, folder)
                if again.status not in (first.status, second.status):
                    wrong.append(f"again: status {again.status}: {again.err.strip()[-150:]}")
                for each in sorted({*first.files} & {*second.files}):
                    known = [alike(files[each]) for files in whole]
                    if (
                        not (is_database(each) or is_journal(each) or is_added_to(each))
                        and alike(again.files.get(each, b"")) not in known
                    ):
                        wrong.append(f"again: {each} is not as it should be")
                wrong += [f"again: {line}" for line in unsound(folder, before)]
                if wrong:
                    failed += 1
                    why.append(f"{fault} at {at}: {'; '.join(wrong)}")
                    print(f"{task.command} ({task.mechanism}): {why[-1]}", file=sys.stderr, flush=True)
            else:
                raise SystemExit(f"{task.command}: more than {MOST} operations")
    return Found(task.command, task.mechanism, operations, cases, failed, why)


def _few_calls() -> None:
    """Baselines of a few calls: what is asked of the disk does not hang on them."""
    from dpcheck.cli import learners_settings

    found = learners_settings.subject_of

    def few(*arguments: Any, **more: Any) -> Any:
        return replace(found(*arguments, **more), calls=1_000, learn_calls=1_000)

    learners_settings.subject_of = few


def _warm(command: Command, folder: Path) -> None:
    """Load in this process what the command does, so that its copies need not."""
    copy = folder.with_name("warm")
    shutil.copytree(folder, copy)
    here, arguments = Path.cwd(), sys.argv[:]
    outputs = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        os.chdir(copy)
        from dpcheck.cli.app import run

        for each in (*command.before, command.arguments):
            sys.argv[:] = ["dpcheck", *each]
            run(list(each))
    finally:
        os.chdir(here)
        sys.argv[:] = arguments
        sys.stdout.flush()
        for number, output in zip((1, 2), outputs, strict=True):
            os.dup2(output, number)
        shutil.rmtree(copy)


def preloaded() -> bool:
    """Whether the library that makes the system fail is in this process; it is begun anew with it where it is not."""
    if os.environ.get("LD_PRELOAD", "").endswith("failing_system.so"):
        return True
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        return False
    library = Path(tempfile.mkdtemp(prefix="faults-")) / "failing_system.so"
    source = HERE / "failing_system.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "LD_PRELOAD": str(library)})


def main() -> int:
    """Every command, by every mechanism; the exit status is 1 where a case failed."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")
    system = preloaded()
    asked = settings(__doc__ or "", only=f"commands ({', '.join(COMMANDS)}) or {', '.join(MECHANISMS)}")
    if unknown := [word for word in asked.only if word not in (*COMMANDS, *MECHANISMS)]:
        print(f"--only must be of {', '.join((*COMMANDS, *MECHANISMS))}, got {unknown[0]}", file=sys.stderr)
        return 2
    if not system:
        print("no C compiler: what the system itself does not do is left out", file=sys.stderr)
    began = time.monotonic()
    commands = [word for word in asked.only if word in COMMANDS] or list(COMMANDS)
    mechanisms = [word for word in asked.only if word in MECHANISMS] or list(MECHANISMS if system else MECHANISMS[:1])
    faults = QUICK if asked.quick else tuple(SYSTEM)
    tasks = [Task(command, mechanism, faults) for command in commands for mechanism in mechanisms]
    found = spread(tried, tasks, asked.jobs, "commands on disks that fail")
    rows = [[one.command, one.mechanism, str(one.operations), f"{one.cases:,}", str(one.failed)] for one in found]
    rows.append(["all", "", "", f"{sum(one.cases for one in found):,}", f"{sum(one.failed for one in found):,}"])
    show("Requests to the disk that failed", ["command", "by", "operations", "cases", "failed"], rows, left=2)
    for one in found:
        for line, many in Counter(re.sub(r"at \d+", "at k", line) for line in one.why).most_common(12):
            print(f"{one.command} ({one.mechanism}): {many} x {line}")
    good = not any(one.failed for one in found)
    write_json(asked, began, good, {"faults": list(faults), "commands": [asdict(one) for one in found]})
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
