"""Malformed inputs for every command: is each refused in a line, with a status that is not 0, and nothing lost?

A case is a command with one thing wrong: a file (damaged, of another encoding or type, cut off, a folder, a pipe, a
link to nothing), an option, a target, a setting, a place to write to. Each runs in a process and a folder of its own.
What is unusable is said by rules that are not dpcheck's (``malformed_files.py``); a damaged file that may still be
read is run too, and must end without an internal error, but does not count among the malformed.

    python benchmarks/malformed.py
    python benchmarks/malformed.py --seed 7 --jobs 2 --count 1000 --json reports/malformed.json
    python benchmarks/malformed.py --count 100 --only file report

A case fails by a traceback or an internal error, status 0 (or one that accuses), no end within a minute, more than a
line of error or one that does not name what is wrong, bytes that steer a terminal, a file lost or left behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import settings, show, spread, write_json
from malformed_cases import DOORS, KINDS, Case, cases, make_sound
from malformed_files import CIRCLE, DANGLING, FOLDER, NOTHING, PIPE, READABLE

#: A run that takes longer hangs.
LONGEST_SECONDS = 60.0
#: A line of error is no longer than this.
LONGEST_LINE = 2_000
_ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "1", "DPCHECK_IMPORT_SECONDS": "20"}
#: One case in so many is begun anew, the others as copies of a process that has loaded the libraries.
ANEW = 20
#: What steers a terminal has no place in what is printed.
_STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_ACCUSES = re.compile(r"\bVIOLATED \(claim")
#: Lines that say what became of a whole run, or of a file, beside the one that says what is wrong.
_BESIDE = re.compile(r"it was set aside as|this run wrote no .*: what an earlier one wrote there is in|Exit status \d")
#: What runs leave beside their documents: databases' own files, what is made for a report and a journal.
_MAY_BE_LEFT = re.compile(
    r"(made|kept|__pycache__|\.dpcheck|\.hypothesis)(/|$)|.*\.damaged-\d+(-wal|-shm)?$|h\.sqlite3-(wal|shm)$"
)


def placed(case: Case, folder: Path) -> None:
    """Put what the case is about into the folder."""
    for name, what in case.put:
        file = folder / name
        if file.is_file() or file.is_symlink():
            file.unlink()
        if what == FOLDER:
            file.mkdir(parents=True, exist_ok=True)
        elif what == PIPE:
            os.mkfifo(file)
        elif what == DANGLING:
            file.symlink_to("nowhere/at/all")
        elif what == CIRCLE:
            file.symlink_to(file.name)
        elif what != NOTHING:
            assert isinstance(what, bytes)
            file.write_bytes(what)


def contents(folder: Path) -> dict[str, bytes | str]:
    """Each file below a folder, with what is in it; in words what is none."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if "__pycache__" in path.parts:
            continue  # Python's own
        if path.is_symlink():
            found[name] = f"link to {os.readlink(path)}"
        elif path.is_file():
            found[name] = path.read_bytes()
        elif not path.is_dir():
            found[name] = "no file"
    return found


def lost(case: Case, status: int, before: dict[str, bytes | str], after: dict[str, bytes | str]) -> str:
    """What became of files that it should not have, or nothing."""
    aside = {one for name, one in after.items() if ".damaged-" in name}
    for name, content in before.items():
        # Of nothing nothing is lost (a byte is nothing to SQLite); documents of an earlier run are set aside, where a
        # target ends its own process on the way.
        if status == 4 and after.get(f"{name}.earlier") == content:
            continue
        if len(content) <= 1 or after.get(name) == content or content in aside:
            continue
        if name in DOORS[case.door].writes and _whole(name, after.get(name), case.malformed):
            continue
        return f"{'gone' if name not in after else 'changed'}: {name}"
    earlier = {
        name for name in after if name.endswith(".earlier") and after[name] == before.get(name[: -len(".earlier")])
    }
    for name in sorted(after.keys() - before.keys() - earlier):
        if case.malformed and not _MAY_BE_LEFT.match(name) and not _whole(name, after[name], True):
            return f"left behind: {name}"
    return ""


def _whole(name: str, content: bytes | str | None, refused: bool) -> bool:
    """Whether a run's document was written as a whole; of one that was refused it says so."""
    if not isinstance(content, bytes) or not content:
        return False
    if name == "h.sqlite3":
        return READABLE["history"](content)  # what failed is a row too
    if not refused:
        return True
    if Path(name).suffix in (".json", ".sarif"):
        try:
            json.loads(content)
        except ValueError:
            return False
    return re.search(rb"usage|\bfailed|not audited|problem", content) is not None


def judged(case: Case, status: int | None, out: str, err: str, before: dict[str, Any], after: dict[str, Any]) -> str:
    """What is wrong with how a case ended, or nothing; no status: it did not end."""
    if status is None:
        return "no end"
    if "Traceback (most recent" in out + err:
        return "traceback"
    if "internal error" in out + err or status == 70:
        return "internal error"
    if status < 0 or status > 5:
        return f"status {status}"
    if _STEERS.search(out + err):
        return "steers the terminal"
    if not case.malformed:
        return lost(case, status, before, after)
    if status not in case.statuses:
        return f"status {status}"
    if _ACCUSES.search(out):
        return "accuses"
    if status == 4 and "LEARNER FAILED" in out:
        return lost(case, status, before, after)  # a verdict, with its reason
    lines = [line for line in err.splitlines() if not _BESIDE.search(line)]
    if len(lines) != 1 or not lines[0].startswith("dpcheck: "):
        return f"{len(lines)} lines of error" if lines else "not a word"
    if len(lines[0]) > LONGEST_LINE:
        return f"a line of {len(lines[0])} characters"
    if not any(word.lower() in lines[0].lower() for word in case.named):
        return "does not name it"
    return lost(case, status, before, after)


@dataclass(frozen=True)
class Ended:
    """What came of a case; ``wrong`` is empty where all was well."""

    case: Case
    status: int | None
    seconds: float
    wrong: str
    said: str


def ran(task: tuple[Case, str, bool]) -> Ended:
    """One case, in a copy of the sound folder, in a process group of its own; begun anew, or as a copy of this one."""
    case, sound, anew = task
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        shutil.copytree(sound, folder)
        placed(case, folder)
        before = contents(folder)
        began = time.monotonic()
        status, out, err = run_in(folder, case.argv, anew=anew)
        seconds = time.monotonic() - began
        wrong = judged(case, status, out, err, before, contents(folder))
    return Ended(case, status, round(seconds, 2), wrong, (out[-300:] + err[-1500:]) if wrong else "")


def run_in(folder: Path, argv: Sequence[str], *, anew: bool = False) -> tuple[int | None, str, str]:
    """The status (None where it does not end), and what was printed.

    A process that is begun ``anew`` loads Python and all libraries, which takes longer than most of what it is for; a
    copy of this one (a fork) has them, and runs the same ``main``.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as nothing:
        begin = _started if anew else _forked
        process = begin(folder, argv, (nothing.fileno(), out.fileno(), err.fileno()))
        deadline, waited = time.monotonic() + LONGEST_SECONDS, 0
        try:
            while not waited and time.monotonic() < deadline:
                waited, ended = os.waitpid(process, os.WNOHANG)
                time.sleep(0 if waited else 0.005)
        finally:
            with contextlib.suppress(OSError):
                os.killpg(process, signal.SIGKILL)
            if not waited:
                os.waitpid(process, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    return os.waitstatus_to_exitcode(ended) if waited else None, texts[0], texts[1]


def _started(folder: Path, argv: Sequence[str], streams: tuple[int, int, int]) -> int:
    stdin, stdout, stderr = streams
    whole = [sys.executable, "-m", "dpcheck", *argv]
    environment = {**os.environ, **_ENVIRONMENT}
    begun = subprocess.Popen(
        whole, cwd=folder, env=environment, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True
    )
    begun.returncode = 0  # it is waited for by its number
    return begun.pid


def _forked(folder: Path, argv: Sequence[str], streams: tuple[int, int, int]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        os.setsid()
        os.chdir(folder)
        for place, stream in enumerate(streams):
            os.dup2(stream, place)
        sys.stdout, sys.stderr = (os.fdopen(place, "w", encoding="utf-8", closefd=False) for place in (1, 2))
        os.environ.update(_ENVIRONMENT)
        sys.argv = ["dpcheck", *argv]
        sys.path.insert(0, str(folder))
        from dpcheck.cli import main

        main()
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        traceback.print_exc()
        status = 99
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def sound_runs(sound: str) -> list[str]:
    """The commands that do not end with status 0 with nothing wrong: with them a refusal would show nothing."""
    found = []
    for name, door in DOORS.items():
        if not door.long:
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch) / "here"
                shutil.copytree(sound, folder)
                status, _, err = run_in(folder, door.argv)
            if status != 0:
                found.append(f"{name}: status {status}: {err.strip()[-200:]}")
    return found


def chosen(random: random.Random, sound: Path, count: int, only: Sequence[str]) -> list[Case]:
    """So many malformed cases, each once, and those that came between them and may be read."""
    kinds = [kind for kind in (*KINDS,) if not only or kind in only or not set(only) & set(KINDS)]
    doors = [name for name, door in DOORS.items() if not set(only) - set(KINDS) or {name, door.command} & set(only)]
    found: dict[Case, None] = {}
    malformed = 0
    for case in cases(random, sound, kinds=kinds, doors=doors):
        if case not in found:
            found[case] = None
            malformed += case.malformed
        if malformed >= count:
            return list(found)
    raise AssertionError  # cases have no end


def main() -> int:
    """Run the cases; the exit status is 1 where one of them fails."""
    words = sorted({*KINDS, *DOORS, *(door.command for door in DOORS.values())})
    asked = settings(__doc__ or "", only="kinds of cases and commands", numbers={"count": (1_000, "malformed inputs")})
    if unknown := [word for word in asked.only if word not in words]:
        print(f"--only must be of {', '.join(words)}, got {unknown[0]}", file=sys.stderr)
        return 2
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        sound = Path(name)
        make_sound(sound, lambda argv: run_in(sound, argv)[0] or 0)
        if unsound := sound_runs(name):
            print("commands that do not work with nothing wrong:", *unsound, sep="\n", file=sys.stderr)
            return 2
        several = chosen(
            random.Random(asked.seed), sound, 20 if asked.quick else int(asked.numbers["count"]), asked.only
        )
        tasks = [(case, name, number % ANEW == 0) for number, case in enumerate(several)]
        ended = spread(ran, tasks, asked.jobs, "malformed inputs")
    return told(asked, ended, began)


def told(asked: Any, ended: Sequence[Ended], began: float) -> int:
    """Print what failed, and the table."""
    wrong = [one for one in ended if one.wrong]
    for one in wrong:
        print(
            f"{one.wrong} (status {one.status}) | {one.case.door} | {one.case.damage!r} | {one.said.strip()[-300:]!r}"
        )
    kinds = sorted({one.case.kind for one in ended})
    cells: dict[str, Any] = {}
    for kind in kinds:
        own = [one for one in ended if one.case.kind == kind]
        malformed = [one for one in own if one.case.malformed]
        cells[kind] = {
            "malformed": len(malformed),
            "failed": sum(bool(one.wrong) for one in malformed),
            "statuses": {
                str(status): count
                for status, count in sorted(Counter(one.status for one in malformed).items(), key=str)
            },
            "may be read": len(own) - len(malformed),
            "of these failed": sum(bool(one.wrong) for one in own if not one.case.malformed),
            "slowest": max(one.seconds for one in own),
        }
    rows = []
    for kind, cell in cells.items():
        statuses = " ".join(f"{count}x{status}" for status, count in cell["statuses"].items())
        numbers = [cell["malformed"], cell["failed"], statuses, cell["may be read"], cell["of these failed"]]
        rows.append([kind, *map(str, numbers), f"{cell['slowest']:.1f}"])
    show("Malformed inputs", ["kind", "malformed", "failed", "statuses", "may be read", "failed", "slowest, s"], rows)
    total = sum(cell["malformed"] for cell in cells.values())
    print(f"{total:,} malformed inputs and {len(ended) - total:,} others, {len(wrong)} failed")
    failed = [
        {"door": one.case.door, "kind": one.case.kind, "damage": one.case.damage, "wrong": one.wrong} for one in wrong
    ]
    write_json(asked, began, not wrong, {"kinds": cells, "failed": failed})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
