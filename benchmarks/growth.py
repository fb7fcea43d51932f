"""How do the harness's own time and memory grow with outputs, coordinates and pairs?

Each cell is a process of its own (``growth_cell.py``): a learner that draws in bulk and costs next to nothing is
measured and audited (at a claim that holds), its own processor time is subtracted, and the peak of the process's memory
is taken, of which it may have 4 GiB. One number an output, 10^3 to 10^7 of them; 10^4 outputs of 1 to 100,000
numbers; 1 to 64 pairs of 1,000 calls; and 10^4 dictionaries, sets and texts. Medians of three.

With `--before CHECKOUT` an older version is measured in turn with this one, in the same run: a busy machine slows both.
With `--peers FOLDER` (made by `peers/environments.py jax_privacy`) so is jax-privacy's bound, given the outputs of one
number as scores, on outputs that are there already. Rules: 10^4 outputs of 1,000 numbers in at most 2 s, and of 100,000
numbers in at most 60 s and 4 GiB, of `measure`'s own.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import child_seed, settings, show, write_json
from growth_views import digest, plot, render

HERE = Path(__file__).resolve().parent
DOORS = ("measure", "audit")
OUTPUTS, QUICK_OUTPUTS = (10**3, 10**4, 10**5, 10**6, 10**7), (10**3, 10**4)
COORDINATES, QUICK_COORDINATES = (1, 10, 100, 1_000, 10_000, 100_000), (1, 10, 100)
PAIRS, QUICK_PAIRS = (1, 2, 4, 8, 16, 32, 64), (1, 4)
FORMS = ("dictionaries", "sets", "texts")
#: Outputs of the curve of coordinates and of the forms, and calls a pair.
MANY, PER_PAIR = 10_000, 1_000
#: Runs of a cell, unless one takes longer than so many seconds of its own.
REPEATS, LONG = 3, 2.0
#: Older versions are not asked for more numbers than this.
MOST_BEFORE = 10_000
#: A cell that takes longer than this is given up.
MOST_SECONDS = 900.0
#: Own seconds of ``measure`` by coordinates, and bytes.
RULES = {1_000: 2.0, 100_000: 60.0}


@dataclass(frozen=True)
class Cell:
    """What is measured: the curve it belongs to, the door, and the size."""

    curve: str
    door: str
    outputs: int
    coordinates: int = 1
    pairs: int = 1
    form: str = ""


def cells(quick: bool) -> list[Cell]:
    """All cells, curve by curve."""
    found = []
    for door in DOORS:
        found += [Cell("outputs", door, size, form="numbers") for size in (QUICK_OUTPUTS if quick else OUTPUTS)]
        found += [
            Cell("coordinates", door, MANY, coordinates=width)
            for width in (QUICK_COORDINATES if quick else COORDINATES)
        ]
        some = QUICK_PAIRS if quick else PAIRS
        found += [Cell("pairs", door, PER_PAIR * pairs, pairs=pairs, form="numbers") for pairs in some]
        found += [Cell("forms", door, MANY, form=form) for form in FORMS]
    return sorted(found, key=lambda cell: cell.outputs * cell.coordinates)


class Version:
    """A dpcheck that is measured: a process that has loaded it, and forks for each cell."""

    def __init__(self, checkout: Path) -> None:
        kept = {**os.environ, "PYTHONPATH": str(checkout)}
        asked = [sys.executable, str(HERE / "growth_cell.py")]
        self._process = subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=kept)

    def measured(self, cell: Cell, seed: int) -> dict[str, Any]:
        """One run."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**asdict(cell), "seed": seed, "most_seconds": MOST_SECONDS}) + "\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        if "error" in found:
            raise RuntimeError(f"{cell}: {found['error']}")
        return found

    def close(self) -> None:
        """End its process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def repeated(cell: Cell, seed: int, versions: dict[str, Version]) -> list[dict[str, Any]]:
    """A row for each version: the medians of a few runs, which take turns."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in versions}
    for repeat in range(REPEATS):
        for name, version in versions.items():
            if name != "now" and cell.coordinates > MOST_BEFORE:
                continue
            if repeat and ("own" not in runs[name][0] or runs[name][0]["own"] > LONG):
                continue
            runs[name].append(version.measured(cell, child_seed(seed, repeat)))
    rows = []
    for name, some in runs.items():
        if not some:
            continue
        good = [one for one in some if "own" in one]
        row: dict[str, Any] = {**asdict(cell), "version": name, "runs": some}
        if good:
            row |= {key: statistics.median(one[key] for one in good) for key in ("own", "wall", "peak")}
        rows.append(row)
    return rows


def peer_rows(folder: Path, quick: bool, seed: int) -> list[dict[str, Any]]:
    """What jax-privacy's bound takes on outputs of one number."""
    python = folder / "jax_privacy" / "bin" / "python"
    rows = []
    for size in QUICK_OUTPUTS if quick else OUTPUTS:
        asked = [str(python), "-m", "peers.jax_privacy_growth", str(size), str(seed), str(REPEATS)]
        done = subprocess.run(asked, capture_output=True, text=True, cwd=HERE, check=True)
        rows.append({"curve": "outputs", "door": "jax-privacy", "outputs": size, **json.loads(done.stdout)})
    return rows


def judged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rules, with what was measured."""
    found = []
    for width, most in RULES.items():
        now = [r for r in rows if r["version"] == "now" and r["curve"] == "coordinates" and r["door"] == "measure"]
        for row in now:
            if row["coordinates"] == width:
                own = row.get("own")
                verdict = "holds" if own is not None and own <= most else "FAILS"
                found.append({"coordinates": width, "most": most, "own": own, "verdict": verdict})
    return found


def main() -> int:
    """Run, print, write; 1 when a rule fails."""
    arguments = sys.argv[1:]
    before, peers = _path_of(arguments, "--before"), _path_of(arguments, "--peers")
    asked = settings(__doc__ or "", arguments, only="`peers`: measure these alone, for the rows that are in the file")
    began = time.monotonic()
    views = {".md": render, ".svg": lambda document: plot(document, digest(document))}
    if asked.only == ("peers",) and asked.json is not None and peers is not None:
        document = json.loads(asked.json.read_text(encoding="utf-8"))
        kept = {key: document[key] for key in ("rows", "rules")}
        command, seconds = document["command"], document["seconds"]
        others = peer_rows(peers, asked.quick, asked.seed)
        write_json(asked, began - seconds, document["passed"], {**kept, "peers": others, "earlier": command}, views)
        return 0
    checkouts = ({"before": before} if before else {}) | {"now": HERE.parent}
    versions = {name: Version(checkout) for name, checkout in checkouts.items()}
    rows: list[dict[str, Any]] = []
    for number, cell in enumerate(cells(asked.quick)):
        last = repeated(cell, child_seed(asked.seed, number), versions)
        rows += last
        told = ", ".join(
            f"{row['version']} {row['own']:.2f} s" if "own" in row else f"{row['version']} -" for row in last
        )
        print(
            f"{cell.curve} {cell.door} {cell.outputs} x {cell.coordinates} x {cell.pairs} {cell.form}: {told}",
            flush=True,
        )
    for version in versions.values():
        version.close()
    others = peer_rows(peers, asked.quick, asked.seed) if peers else []
    rules = judged(rows)
    show(
        "Own seconds and memory",
        ("curve", "door", "outputs", "numbers", "pairs", "form", "version", "own seconds", "MiB"),
        [
            (
                row["curve"],
                row["door"],
                f"{row['outputs']:,}",
                f"{row['coordinates']:,}",
                str(row["pairs"]),
                row["form"],
                row["version"],
                f"{row['own']:.2f}" if "own" in row else "-",
                f"{row['peak'] / 2**20:.0f}" if "own" in row else "-",
            )
            for row in rows
        ],
        left=2,
    )
    failed = [rule for rule in rules if rule["verdict"] == "FAILS"]
    write_json(
        asked,
        began,
        not failed,
        {"rows": rows, "peers": others, "rules": rules},
        views,
    )
    return int(bool(failed))


def _path_of(arguments: list[str], name: str) -> Path | None:
    """The path after an option, which is taken out of the arguments."""
    if name not in arguments:
        return None
    place = arguments.index(name)
    path = Path(arguments[place + 1]).resolve()
    del arguments[place : place + 2]
    return path


if __name__ == "__main__":
    sys.exit(main())
