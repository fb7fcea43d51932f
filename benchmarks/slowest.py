"""Which tests take 0.3 s or more: what `conftest.py` lets take turns by.

A test is in one run of four to twenty of all tests, the rarer the longer it takes; `.ci/extra`, its file or its
name on the command line takes it always. Seconds are means over the cases that a run had; what a run did not have
keeps what was measured before, and what is no longer there is left out.

    pytest -q -n 2 -o junit_family=xunit1 --junitxml=all.xml
    python benchmarks/slowest.py all.xml
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from flakiness import name_of_test

ROOT = Path(__file__).resolve().parent.parent
SECONDS = ROOT / "tests" / "seconds.json"
LEAST = 0.3


@cache
def functions_of(path: str) -> frozenset[str]:
    """The names of the functions of a file; none where there is no such file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    return frozenset(re.findall(r"^ *def (\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE))


def is_there(name: str) -> bool:
    """Whether there is a function of this name in the file that it names."""
    path, *_, function = name.split("::")
    return function in functions_of(path)


def main() -> int:
    """Read a run's seconds, write those that count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("junit", type=Path, help="what pytest --junitxml wrote of a run of all tests")
    asked = parser.parse_args()
    seconds: dict[str, list[float]] = defaultdict(list)
    try:
        cases = list(ElementTree.parse(asked.junit).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        sys.exit(f"junit must be a file that pytest --junitxml wrote, got {asked.junit} ({error})")
    if not all(case.get("file") for case in cases):
        sys.exit(f"junit must name each test's file (-o junit_family=xunit1), {asked.junit} does not")
    for case in cases:
        seconds[name_of_test(case)].append(float(case.get("time", "0")))
    known = json.loads(SECONDS.read_text(encoding="utf-8")) if SECONDS.exists() else {}
    means = known | {name: round(float(np.mean(some)), 1) for name, some in seconds.items()}
    kept = {name: mean for name, mean in sorted(means.items()) if mean >= LEAST and is_there(name)}
    SECONDS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(f"{len(kept)} tests take {LEAST} s or more")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
