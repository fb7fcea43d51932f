"""What a survey costs a machine that has nothing of it: seconds, megabytes received and megabytes on disk.

    python benchmarks/environments_from_nothing.py

Each environment of examples/survey/all.toml is made as `dpcheck survey` makes it, one after the other, with a cache of
downloads that is empty at the start, so that what two of them share is paid for once; after it was measured it is taken
away, the cache at the end. Received is what this machine received meanwhile, on all networks but its own loop (Linux
says so; elsewhere none is given): run it where nothing else downloads. What stands in a folder of wheels
(UV_FIND_LINKS) and Pythons that are here are not received. The work itself is read from the survey's own record,
`reports/packages`.

It writes reports/environments.json (or where --json says) and the table beside it as Markdown.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bench import settings, show, write_json

from dpcheck.cli.survey_file import read_survey
from dpcheck.execution.environments import NotMade, Wanted, made, tool_here

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "examples" / "survey" / "all.toml"
REPORT = ROOT / "reports" / "environments.json"
SURVEY = ROOT / "reports" / "packages" / "survey.json"
#: What Linux counts of each network.
_NETWORKS = Path("/proc/net/dev")
_MEGABYTE = 1e6
HEADINGS = ("environment", "seconds", "MB received", "MB on disk", "packages")


@dataclass(frozen=True)
class Cost:
    """What one environment took; ``received`` is None where nobody says, ``problem`` is why none was made."""

    name: str
    seconds: float
    received: float | None
    on_disk: float
    packages: int
    problem: str = ""


def received() -> float | None:
    """Megabytes that this machine received since it started, on all networks but the loop."""
    if not _NETWORKS.is_file():
        return None
    counted = (line.partition(":") for line in _NETWORKS.read_text().splitlines() if ":" in line)
    return sum(int(numbers.split()[0]) for name, _, numbers in counted if name.strip() != "lo") / _MEGABYTE


def on_disk(folder: Path) -> float:
    """Megabytes of the files in a folder."""
    return sum(one.lstat().st_size for one in folder.rglob("*") if not one.is_dir()) / _MEGABYTE


def costs(only: Sequence[str], few: int | None) -> list[Cost]:
    """Make every environment of the list, or those whose name holds one of these words; each is taken away."""
    tool = tool_here()
    asked = [one for one in read_survey(LIST).environments if not only or any(word in one.name for word in only)][:few]
    found = []
    with tempfile.TemporaryDirectory(prefix="dpcheck-from-nothing-") as place:
        folder = Path(place)
        os.environ["UV_CACHE_DIR"] = os.environ["PIP_CACHE_DIR"] = str(folder / "cache")
        for number, one in enumerate(asked, start=1):
            before, began = received(), time.monotonic()
            try:
                there = made(Wanted(one.name, one.requirements, one.python, one.lock, one.start), folder, tool)
                packages, problem = len(there.packages), ""
            except NotMade as error:
                packages, problem = 0, str(error)
            seconds, after = time.monotonic() - began, received()
            got = None if before is None or after is None else round(after - before, 1)
            disk = round(on_disk(folder / one.name), 1)
            found.append(Cost(one.name, round(seconds, 1), got, disk, packages, problem))
            shutil.rmtree(folder / one.name, ignore_errors=True)
            print(f"{number} of {len(asked)}: {one.name}, {seconds:.0f} s", file=sys.stderr, flush=True)
    return found


def rows(found: Sequence[Cost]) -> list[tuple[str, ...]]:
    """A row each."""
    return [
        (
            one.name,
            f"{one.seconds:,.1f}",
            "" if one.received is None else f"{one.received:,.0f}",
            f"{one.on_disk:,.0f}",
            one.problem or str(one.packages),
        )
        for one in found
    ]


def summary(found: Sequence[Cost], survey_seconds: float) -> str:
    """The answer first: how long all of it takes, and what it gets."""
    made_ones = [one for one in found if not one.problem]
    seconds = sum(one.seconds for one in found)
    words = f"**{len(made_ones)} of {len(found)} environments made from nothing in {seconds / 60:,.0f} minutes"
    if all(one.received is not None for one in found):
        words += f", {sum(one.received or 0.0 for one in found) / 1000:,.1f} GB received"
    words += f"; kept, they take {sum(one.on_disk for one in found) / 1000:,.1f} GB.**"
    return (
        f"{words} The audits are {survey_seconds / 3600:.1f} hours of work beside that, shared by as many processes as "
        "`--jobs` says."
    )


def render(document: Mapping[str, Any]) -> str:
    """The page."""
    found = [Cost(**one) for one in document["environments"]]
    table = [f"| {' | '.join(HEADINGS)} |", "| --- | ---: | ---: | ---: | ---: |"]
    table += [f"| {' | '.join(row)} |" for row in rows(found)]
    return "\n".join(
        [
            "# What the survey takes from nothing",
            "",
            summary(found, document["survey_seconds"]),
            "",
            f"Written by `{document['command']}`, with {document['tool']}. Each environment of [the "
            "survey](packages/survey.md) was made as `dpcheck survey` makes it, one after the other, with a cache of "
            "downloads that was empty at the start: what two share is received once, by the first. Pythons, and wheels "
            "in a folder that is looked into (UV_FIND_LINKS: torch without CUDA, where this page comes from), were "
            "here.",
            "",
            *table,
            "",
        ]
    )


def main() -> int:
    """Make them, and write down what it took."""
    began = time.monotonic()
    asked = settings(str(__doc__), only="environments whose name holds one of these words (default: all)")
    found = costs(asked.only, 2 if asked.quick else None)
    survey = json.loads(SURVEY.read_text(encoding="utf-8"))
    work = survey["seconds"] - sum(one["seconds"] for one in survey["environments"])
    cells = {"tool": tool_here().name, "survey_seconds": round(work, 1), "environments": [asdict(one) for one in found]}
    show("environments from nothing", HEADINGS, rows(found))
    passed = not any(one.problem for one in found)
    if asked.json is None and not asked.quick and not asked.only:
        asked = replace(asked, json=REPORT)
    write_json(asked, began, passed, cells, {".md": render})
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
