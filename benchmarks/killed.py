"""Runs that are killed again and again: do they come to the same verdict, and how many calls are made twice?

A run with a journal is killed (SIGKILL, with all its processes) at a random moment and begun again by the same command,
until it comes to its end. Its record must then be that of a run that nobody disturbed, but for what the clock says; and
the calls that the learner counted may be more by at most what was under way at each kill, a request for each job, and
by the few that are made in a process of their own; where learners are of others and do not count, a journal may have
few requests twice. This is done until so many kills have been, for each command.

    python benchmarks/killed.py
    python benchmarks/killed.py --seed 7 --jobs 2 --kills 20 --only measure
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import child_seed, settings, show, write_json

#: A learner that counts its calls in a file, and takes its time.
LEARNER = """
import os, time
import numpy as np
def noisy(data, rng):
    with open({counted!r}, "ab", buffering=0) as file:
        file.write(b".")
    time.sleep({pause})
    return round(float(np.sum(data)) + rng.laplace(0, 1.0), 3)
def dear(data, rng):
    time.sleep(0.01)
    return noisy(data, rng)
"""
#: Nothing depends on how fast the machine is: by its clock searches end, and learners count as dear.
UNHURRIED = ("--max-seconds", "inf")
#: Trainings that count themselves: one that is run as a script, and one that is looked at from inside.
TRAINING = """
import sys, time
import numpy as np
import dpcheck
def counted(pause):
    with open({counted!r}, "ab", buffering=0) as file:
        file.write(b".")
    time.sleep(pause)
def train(data, rng):
    counted(0.5)
    return data.sum(axis=0) + rng.normal(size=data.shape[1])
def score(model, records):
    return records @ model
def stepwise(data, rng, transcript):
    counted(0.2)
    model = np.zeros(2)
    for _ in range(10):
        batch = transcript.batch(np.flatnonzero(rng.random(len(data)) < 0.3))
        gradients = model - data[batch]
        norms = np.linalg.norm(gradients, axis=1, keepdims=True)
        total = (gradients / np.maximum(1.0, norms)).sum(axis=0)
        model = model - 0.01 * transcript.release(total, total + rng.normal(0.0, 4.0, 2))
    return model
stepwise.accounted = dpcheck.GaussianSteps(noise_multiplier=4.0, clipping_norm=1.0, steps=10, sampling_rate=0.3)
if __name__ == "__main__":
    journal = sys.argv[sys.argv.index("--journal") + 1] if "--journal" in sys.argv else None
    jobs = int(sys.argv[sys.argv.index("--jobs") + 1])
    found = dpcheck.one_run(
        train, np.zeros((1, 200)), 0.5, make=np.eye(200), count=200, score=score, runs=8, jobs=jobs, journal=journal
    )
    with open("run.json", "w") as file:
        file.write(found.to_json())
"""
#: Rows for the one that is looked at from inside.
ROWS = "\n".join(["a,b", *(f"{place % 7 / 7:.4f},{place % 5 / 5:.4f}" for place in range(40))])


@dataclass(frozen=True)
class Command:
    """What is run, the calls that a kill may cost for each job, and those that no run keeps."""

    arguments: tuple[str, ...]
    lost: int = 500
    apart: int = 200


_BOUNDED = ("--bounds", "0,1")
_NOISY = ("learner.py:noisy", *_BOUNDED, *UNHURRIED)
#: A learner's calls come in requests of 500 at most; few are made in processes of their own, for each audit of a check.
COMMANDS = {
    "searched": Command(("audit", *_NOISY, "--epsilon", "1", "--max-samples", "3000")),
    "violated": Command(("audit", *_NOISY, "--epsilon", "0.2", "--max-samples", "60000")),
    "dear": Command(
        ("audit", "learner.py:dear", *_BOUNDED, "--epsilon", "1", "--max-seconds", "3600", "--max-samples", "500")
    ),
    "measure": Command(("measure", *_NOISY, "--max-samples", "3000")),
    "check": Command(
        (
            *("check", *_NOISY, "--epsilon", "1", "--max-samples", "2000", "--only", "privacy_of_the_claim"),
            *("--only", "independence_of_calls", "--only", "read_only_input"),
        ),
    ),
    "learners": Command(
        (
            *("learners", "--audit", "wang2016.empty", "wang2016.thresholds_on_interval"),
            *("--max-samples", "4000", *UNHURRIED),
        ),
    ),
    "survey": Command(("survey", "diffprivlib-naive-bayes", *UNHURRIED)),
    "one-run": Command(("trained.py",), 1, 0),
    "white-box": Command(("white-box", "trained.py:stepwise", "--dataset", "rows.csv", "--mu", "2"), 1, 0),
}
#: Requests that are compared with each other, at most: of a learner that holds something all are made again.
COMPARED = 16
#: Seconds of one call.
PAUSE = 0.0005
#: How an entry of a journal begins: a mark, what was asked, and the length of what follows a check of these.
HEAD = struct.Struct("<4s32sQ")
#: What a record says of the clock, of where it is, or of the workers.
OF_THE_CLOCK = ("seconds", "seconds_per_call", "argv", "command", "jobs")
#: Times in sentences: "0.19 s", "--seconds-per-call 2.5e-05", "--max-seconds 260".
TIMES = re.compile(r"\b\d[\d.,e+-]* s\b|(?<=--seconds-per-call )\S+|(?<=--max-seconds )\S+")


def without_clock(value: Any) -> Any:
    """A record without what the clock says.

    >>> without_clock({"seconds": 1.5, "calls": 3, "inner": [{"seconds_per_call": 1}]})
    {'calls': 3, 'inner': [{}]}
    """
    if isinstance(value, dict):
        return {key: without_clock(part) for key, part in value.items() if key not in OF_THE_CLOCK}
    if isinstance(value, str):
        return TIMES.sub("TIME", value)
    return [without_clock(part) for part in value] if isinstance(value, list) else value


def difference(one: Any, other: Any, place: str = "record") -> str:
    """Where two records differ first, in words.

    >>> difference({"calls": [1, 2]}, {"calls": [1, 3]})
    'record.calls.1: 2, not 3'
    """
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        parts = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        parts = [(number, *both) for number, both in enumerate(zip(one, other, strict=True))]
    else:
        return "" if one == other else f"{place}: {str(one)[:120]}, not {str(other)[:120]}"
    return next((said for key, *both in parts if (said := difference(*both, f"{place}.{key}"))), "")


def entries(journal: Path) -> list[tuple[str, bytes]]:
    """What a journal has, by file and by what was asked, as often as it is there."""
    found = []
    for file in sorted(journal.glob("*.calls")):
        data = file.read_bytes()
        place = data.index(b"\n") + 1
        while place < len(data):
            _, asked, length = HEAD.unpack_from(data, place)
            found.append((file.name, asked))
            place += HEAD.size + 4 + length + 32
    return found


def begun(command: Command, folder: Path, journal: bool, jobs: int) -> subprocess.Popen[bytes]:
    """A run in a session of its own, so that it can be killed with all its processes."""
    more = ("--journal", "journal") if journal else ()
    script = command.arguments[0].endswith(".py")
    program = command.arguments if script else ("-m", "dpcheck", *command.arguments, "--quiet", "--json", "run.json")
    whole = [sys.executable, *program, "--jobs", str(jobs), *more]
    return subprocess.Popen(
        whole, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )


@dataclass(frozen=True)
class Killed:
    """What came of one command that was killed until so many kills had been.

    ``again``: what a journal has twice, since a learner that holds something is asked again for all that is compared.
    """

    kills: int
    ends: int
    same: int
    calls: int
    twice: int
    most: int
    again: int
    seconds: float
    trouble: str = ""


def killed(command: Command, kills: int, jobs: int, choice: random.Random) -> Killed:
    """Kill a command's runs at random moments, until one comes to its end, and hold that against a whole one; again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        counted, record, journal = folder / "calls", folder / "run.json", folder / "journal"
        (folder / "learner.py").write_text(LEARNER.format(counted=str(counted), pause=PAUSE))
        (folder / "trained.py").write_text(TRAINING.format(counted=str(counted)))
        (folder / "rows.csv").write_text(ROWS)
        began = time.monotonic()
        begun(command, folder, False, jobs).communicate()
        seconds = time.monotonic() - began
        expected, calls = without_clock(json.loads(record.read_text())), size_of(counted)
        done = ends = same = twice = most = again = 0
        trouble = ""
        while done < kills:
            counted.unlink(missing_ok=True)
            record.unlink(missing_ok=True)
            shutil.rmtree(journal, ignore_errors=True)
            here = 0
            while True:
                run = begun(command, folder, True, jobs)
                try:
                    _, said = run.communicate(timeout=choice.uniform(0.1, seconds) if done < kills else None)
                    break
                except subprocess.TimeoutExpired:
                    os.killpg(run.pid, signal.SIGKILL)
                    run.communicate()
                    here, done = here + 1, done + 1
            ends += 1
            found = record.exists() and without_clock(json.loads(record.read_text())) == expected
            same += found
            if not found:
                other = without_clock(json.loads(record.read_text())) if record.exists() else None
                trouble = trouble or said.decode()[-300:] or difference(expected, other)
            more = size_of(counted) - calls
            kept = entries(journal)
            again += len(kept) - len(set(kept))
            twice += more
            most = max(most, -(-(more - command.apart) // max(here, 1)))
    return Killed(done, ends, same, calls, twice, most, again, seconds, trouble)


def size_of(counted: Path) -> int:
    """How many calls were counted."""
    return counted.stat().st_size if counted.exists() else 0


def main() -> int:
    """Kill each command's runs; the exit status is 1 where a verdict changed or too many calls were made twice."""
    asked = settings(
        __doc__ or "", only=f"commands: {', '.join(COMMANDS)}", numbers={"kills": (100, "kills of each command")}
    )
    if unknown := [word for word in asked.only if word not in COMMANDS]:
        print(f"--only must be of {', '.join(COMMANDS)}, got {unknown[0]}", file=sys.stderr)
        return 2
    kills = 3 if asked.quick else int(asked.numbers["kills"])
    began = time.monotonic()
    found = {}
    for place, (name, command) in enumerate(COMMANDS.items()):
        if asked.only and name not in asked.only:
            continue
        found[name] = killed(command, kills, asked.jobs, random.Random(child_seed(asked.seed, place)))
        print(
            f"{name}: {found[name].kills} kills, {found[name].same} of {found[name].ends} ends as undisturbed",
            flush=True,
        )
    good = {
        name: one.same == one.ends
        and one.most <= asked.jobs * COMMANDS[name].lost
        and one.again <= one.kills * asked.jobs * COMPARED
        for name, one in found.items()
    }
    rows = [
        [
            name,
            str(one.kills),
            f"{one.same} of {one.ends}",
            f"{one.calls:,}",
            f"{one.twice:,}",
            str(one.most),
            str(one.again),
            f"{one.seconds:.1f}",
            one.trouble,
        ]
        for name, one in found.items()
    ]
    heads = [
        "command",
        "kills",
        "same record",
        "calls of a run",
        "made twice, all",
        "most a kill",
        "kept twice",
        "seconds",
        "",
    ]
    show("Killed and begun again", heads, rows, left=1)
    cells = {name: asdict(one) for name, one in found.items()}
    write_json(asked, began, all(good.values()), {"commands": cells})
    return 0 if all(good.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
