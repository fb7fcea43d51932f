"""Does a red test mean a defect? Each test that draws at random, run on many fresh seeds.

First all of them once, which says how long each takes; then each as often as its share of the time allows, the same
time for each, up to ``--seeds`` rounds. A test that fails is listed with the seed that repeats it: a defect of the test
or of the program, in either case to be mended at its cause.

    python benchmarks/flakiness.py --minutes 60
    python benchmarks/flakiness.py --seeds 200 --only tests/privacy/exact/test_exact_audit.py
    python benchmarks/flakiness.py --minutes 60 --kept rounds.json

Two hundred rounds of everything are days of one core: with ``--kept`` the rounds of earlier runs count, for as long as
the text of a test's file is the same and it did not fail, and a run that is stopped loses one file's.

A test that fails on 5% of the seeds is found with probability 0.95 where it was run 59 times. The exit status is 1
where a test failed on any seed, and 2 where nothing was run.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from bench import settings, show, write_json

ROOT = Path(__file__).resolve().parent.parent
#: A run of a file that takes so many times as long as its first round said, and so many seconds besides, hangs.
PATIENCE, GRACE = 8.0, 300.0
#: The number of a round, in the name of a case.
ROUND = re.compile(r"[\[-]round(\d+)[\]-]")
#: Most characters that are kept of what a failure says.
MOST_SAID = 2000
#: Seeds of runs are as small as those that a run of the tests draws.
SEEDS = 2**31


@dataclass
class Drawing:
    """A test that draws at random: how often it was run, how long that took, and what failed."""

    name: str
    rounds: int = 0
    runs: int = 0
    seconds: float = 0.0
    failures: list[dict[str, str]] = field(default_factory=list)


def name_of_test(case: ElementTree.Element) -> str:
    """The id of the test that a case of a junit file (of the family xunit1) is of, without the case's parameters.

    >>> case = {"file": "tests/test_a.py", "classname": "tests.test_a.TestB", "name": "test_c[1]"}
    >>> name_of_test(ElementTree.Element("testcase", case))
    'tests/test_a.py::TestB::test_c'
    """
    file = case.get("file", "")
    module = file.removesuffix(".py").replace("/", ".")
    classes = case.get("classname", "").removeprefix(module).strip(".").split(".")
    return "::".join([file, *filter(None, classes), case.get("name", "").partition("[")[0]])


def rounds_left(costs: dict[str, float], done: dict[str, int], budget: float, most: int) -> dict[str, int]:
    """How many more rounds each test gets: the same time for each in all, and at most ``most`` rounds in all.

    >>> rounds_left({"quick": 0.1, "slow": 10.0}, {"quick": 1, "slow": 1}, 100.0, 200)
    {'quick': 199, 'slow': 8}
    >>> rounds_left({"quick": 0.1, "slow": 10.0}, {"quick": 200, "slow": 9}, 100.0, 200)
    {'slow': 10}
    """

    def more(share: float) -> dict[str, int]:
        return {name: max(0, min(most, math.floor(share / cost)) - done[name]) for name, cost in costs.items()}

    low, high = 0.0, 2.0 * most * max(costs.values())
    for _ in range(60):
        share = 0.5 * (low + high)
        fits = sum(rounds * costs[name] for name, rounds in more(share).items()) <= budget
        low, high = (share, high) if fits else (low, share)
    return {name: rounds for name, rounds in more(low).items() if rounds}


def is_in(name: str, word: str) -> bool:
    """Whether a test is in a file or folder.

    >>> is_in("tests/test_a.py::test_b", "tests"), is_in("tests/test_a.py::test_b", "tests/test")
    (True, False)
    """
    file = name.partition("::")[0]
    return file == word or file.startswith(word.rstrip("/") + "/")


def run(where: Sequence[str], times: dict[str, int], seed: int, jobs: int, limit: float | None) -> dict[str, Drawing]:
    """One run of pytest, of these files; a run over its time is a failure of its own."""
    with tempfile.TemporaryDirectory() as folder:
        told, asked = Path(folder) / "results.xml", Path(folder) / "times.json"
        asked.write_text(json.dumps(times), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            str(jobs if jobs > 1 else 0),
            "--times",
            str(asked),
            "--seed",
            str(seed),
        ]
        command += ["-o", "junit_family=xunit1", f"--junitxml={told}", *where]
        try:
            ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False)
        except subprocess.TimeoutExpired:
            hung = {"seed": str(seed), "case": "", "said": f"no end after {limit:,.0f} s", "shown": ""}
            return {" ".join(where): Drawing(" ".join(where), failures=[hung])}
        if not told.exists():
            raise SystemExit(f"pytest left no results:\n{ended.stdout}{ended.stderr}")
        return read(told, seed)


def read(results: Path, seed: int) -> dict[str, Drawing]:
    """What pytest's XML says of each test, its cases and rounds together."""
    found: dict[str, Drawing] = {}
    for case in ElementTree.parse(results).iter("testcase"):
        name = name_of_test(case)
        drawing = found.setdefault(name, Drawing(name))
        drawing.seconds += float(case.get("time", 0.0))
        if case.find("skipped") is not None:
            continue
        drawing.runs += 1
        for kind in ("failure", "error"):
            problem = case.find(kind)
            if problem is None:
                continue
            number = ROUND.search(case.get("name", ""))
            failure = {
                "seed": str(seed + int(number.group(1) if number else 0)),
                "case": case.get("name", ""),
                "said": problem.get("message", "")[:MOST_SAID],
                "shown": (problem.text or "")[-MOST_SAID:],  # of a property its example
            }
            drawing.failures.append(failure)
    return found


def together(known: dict[str, Drawing], more: dict[str, Drawing], times: dict[str, int]) -> None:
    """Add the results of one more run, of so many rounds."""
    for name, drawing in more.items():
        so_far = known.setdefault(name, Drawing(name))
        so_far.rounds += times.get(name, 1)
        so_far.runs += drawing.runs
        so_far.seconds += drawing.seconds
        so_far.failures += drawing.failures


@cache
def text_of(file: str) -> str:
    """What tells one state of a test's file from another: that of the run's beginning, whatever becomes of it."""
    path = ROOT / file
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def read_kept(kept: Path | None) -> dict[str, Drawing]:
    """The tests of earlier runs whose files are as they were, but for those that failed, which begin anew.

    Raises
    ------
    ValueError
        Where the file is not one that this benchmark wrote.
    """
    if kept is None or not kept.exists():
        return {}
    try:
        entries = json.loads(kept.read_text(encoding="utf-8"))["tests"]
        found = {name: (entry.pop("text"), Drawing(**entry)) for name, entry in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"--kept must be a file that a run of this benchmark wrote, got {kept}: {error}") from None
    return {
        name: drawing
        for name, (text, drawing) in found.items()
        if not drawing.failures and text == text_of(name.partition("::")[0])
    }


def write_kept(kept: Path | None, known: dict[str, Drawing]) -> None:
    """All that is known, whole or not at all."""
    if kept is None:
        return
    texts = {file: text_of(file) for file in {name.partition("::")[0] for name in known}}
    tests = {name: {"text": texts[name.partition("::")[0]], **asdict(one)} for name, one in sorted(known.items())}
    new = kept.with_name(f"{kept.name}.new")
    new.write_text(json.dumps({"tests": tests}, indent=1) + "\n", encoding="utf-8")
    os.replace(new, kept)


def main() -> int:
    """Measure, run, and list what failed."""
    options = {"minutes": (60.0, "about how long, on all jobs"), "seeds": (200, "most rounds of each test")}
    asked = settings(
        __doc__ or "",
        only="files of tests, or folders (default: tests properties)",
        numbers=options,
        kept="go on from the rounds in this file, and add this run's to it",
    )
    missing = [word for word in asked.only if not (ROOT / word).exists()]
    if missing:
        print(f"--only must be files of tests, or folders, that exist, got {missing[0]}", file=sys.stderr)
        return 2
    minutes, seeds = asked.numbers["minutes"], 2 if asked.quick else int(asked.numbers["seeds"])
    text_of.cache_clear()
    began = time.monotonic()
    where = list(asked.only) or ["tests", "properties"]
    first_seed = asked.seed % SEEDS
    try:
        earlier = read_kept(asked.kept)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    known = {name: drawing for name, drawing in earlier.items() if any(is_in(name, word) for word in where)}
    measured = sorted({name.partition("::")[0] for name in known})
    if new := [word for word in where if word not in measured]:
        together(known, run([*new, *(f"--ignore={file}" for file in measured)], {}, first_seed, asked.jobs, None), {})
    if not any(drawing.runs for drawing in known.values()):
        print(f"nothing in {' '.join(where)} draws at random", file=sys.stderr)
        return 2
    write_kept(asked.kept, {**earlier, **known})
    costs = {name: max(drawing.seconds / drawing.rounds, 0.01) for name, drawing in known.items() if drawing.runs}
    spent = time.monotonic() - began
    print(f"{len(costs)} tests draw at random; the first round took {spent:.0f} s", flush=True)
    times = rounds_left(
        costs, {name: known[name].rounds for name in costs}, max(0.0, 60.0 * minutes - spent) * asked.jobs, seeds
    )
    files = sorted({name.partition("::")[0] for name in times})
    for place, file in enumerate(files):
        mine = {name: rounds for name, rounds in times.items() if name.startswith(f"{file}::")}
        cost = sum(costs[name] * rounds for name, rounds in mine.items())
        more = run(list(mine), mine, first_seed + 1, asked.jobs, PATIENCE * cost + GRACE)
        together(known, more, mine)
        write_kept(asked.kept, {**earlier, **known})
        runs, failed = sum(one.runs for one in more.values()), [one for one in more.values() if one.failures]
        bad = sum(len(one.failures) for one in failed)
        named = "".join(f"\n    {one.name}: --seed {one.failures[0]['seed']}" for one in failed)
        print(f"{place + 1} of {len(files)}: {file}: {runs:,} runs, {bad} failed{named}", flush=True)
    failing = sorted((one for one in known.values() if one.failures), key=lambda one: -len(one.failures))
    rows = [
        [one.name, f"{one.runs:,}", f"{len(one.failures):,}", one.failures[0]["seed"], one.failures[0]["said"][:200]]
        for one in failing
    ]
    show("Tests that failed on some seed", ["test", "runs", "failed", "--seed", "said"], rows, left=1)
    rounds = sorted(one.rounds for one in known.values() if one.runs)
    print(
        f"{len(rounds)} tests, {sum(one.runs for one in known.values()):,} runs; rounds: least {rounds[0]}, median "
        f"{rounds[len(rounds) // 2]}, most {rounds[-1]}; {len(failing)} failed on some seed"
    )
    write_json(asked, began, not failing, {"tests": [asdict(one) for one in known.values()]})
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main())
