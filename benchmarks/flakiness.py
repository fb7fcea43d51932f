"""Does a red test mean a defect? Each test that draws at random, run on many fresh seeds.

First all of them once, which says how long each takes; then each as often as its share of the time allows, the same
time for each, up to ``--seeds`` rounds. A test that fails is listed with the seed that repeats it: a defect of the test
or of the program, in either case to be mended at its cause.

    python benchmarks/flakiness.py --minutes 60
    python benchmarks/flakiness.py --seeds 200 --only tests/privacy/exact/test_exact_audit.py

A test that fails on 5% of the seeds is found with probability 0.95 where it was run 59 times. The exit status is 1
where a test failed on any seed, and 2 where nothing was run.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
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


def rounds_each(seconds: dict[str, float], budget: float, most: int) -> dict[str, int]:
    """How many rounds each test gets: the same time for each, at least one round and at most ``most``.

    >>> rounds_each({"quick": 0.1, "slow": 10.0}, 100.0, 200)
    {'quick': 200, 'slow': 8}
    """
    low, high = 0.0, budget
    for _ in range(60):
        share = 0.5 * (low + high)
        cost = sum(min(most, max(1, math.floor(share / each))) * each for each in seconds.values())
        low, high = (share, high) if cost <= budget else (low, share)
    return {name: min(most, max(1, math.floor(low / each))) for name, each in seconds.items()}


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


def main() -> int:
    """Measure, run, and list what failed."""
    options = {"minutes": (60.0, "about how long, on all jobs"), "seeds": (200, "most rounds of each test")}
    asked = settings(__doc__ or "", only="files of tests, or folders (default: tests properties)", numbers=options)
    missing = [word for word in asked.only if not (ROOT / word).exists()]
    if missing:
        print(f"--only must be files of tests, or folders, that exist, got {missing[0]}", file=sys.stderr)
        return 2
    minutes, seeds = asked.numbers["minutes"], 2 if asked.quick else int(asked.numbers["seeds"])
    began = time.monotonic()
    where = list(asked.only) or ["tests", "properties"]
    first_seed = asked.seed % SEEDS
    known: dict[str, Drawing] = {}
    together(known, run(where, {}, first_seed, asked.jobs, None), {})
    if not any(drawing.runs for drawing in known.values()):
        print(f"nothing in {' '.join(where)} draws at random", file=sys.stderr)
        return 2
    costs = {name: max(drawing.seconds, 0.01) for name, drawing in known.items() if drawing.runs}
    spent = time.monotonic() - began
    print(f"{len(costs)} tests draw at random; one round of all took {spent:.0f} s", flush=True)
    left = max(0.0, 60.0 * minutes - spent) * asked.jobs
    times = {name: rounds - 1 for name, rounds in rounds_each(costs, left, seeds).items()}
    times = {name: rounds for name, rounds in times.items() if rounds}
    files = sorted({name.partition("::")[0] for name in times})
    for place, file in enumerate(files):
        mine = {name: rounds for name, rounds in times.items() if name.startswith(f"{file}::")}
        cost = sum(costs[name] * rounds for name, rounds in mine.items())
        more = run(list(mine), mine, first_seed + 1, asked.jobs, PATIENCE * cost + GRACE)
        together(known, more, mine)
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
