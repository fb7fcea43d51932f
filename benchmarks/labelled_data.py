"""Labelled learners through the command line, one line each: what is said, after how many calls and CPU seconds.

    python benchmarks/labelled_data.py --seeds 10 --json reports/labelled_data.json
    python benchmarks/labelled_data.py --seeds 10 --busy 2

Each learner of `labelled_learners.py` is audited with a file (`--dataset`, `--label`, `--bounds`) and without
(`--columns`, `--labels`, `--bounds`), on as many seeds. `--busy N` runs N processes beside that do nothing but count:
verdicts must be the same. `--held-out` takes the learners of `labelled_held_out.py` instead, on which nothing was tried
while this was made.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
#: Learners and whether they keep their claim.
LEARNERS: dict[str, bool] = {
    "Stump": True,
    "LogisticRegression": True,
    "NoisyGradients": True,
    "SignedMean": True,
    "StumpWithAQuarterOfTheNoise": False,
    "NoisyGradientsWithAThirdOfTheNoise": False,
    "SignedMeanWithoutClipping": False,
    "LogisticRegressionWithAThirdOfTheBound": False,
}
HELD_OUT: dict[str, bool] = {
    "counts_of_bayes": True,
    "counts_of_bayes_as_if_for_one": False,
    "nearest_centroid": True,
    "nearest_centroid_with_exact_sizes": False,
    "ridge": True,
    "ridge_without_noise_on_its_targets": False,
    "rates_by_group": True,
    "rates_by_group_of_those_there_are": False,
    "prior": True,
    "prior_of_the_mean": False,
}
WAYS = {
    "file": ("--dataset", "data.csv", "--label", "outcome", "--bounds", "0,1"),
    "schema": ("--columns", "age,income,score", "--label", "outcome", "--labels", "0,1", "--bounds", "0,1"),
}


def written_data(folder: Path) -> None:
    """A file of 100 rows of 3 columns and a label."""
    rng = np.random.default_rng(5)
    x = rng.random((100, 3)).round(3)
    y = (x[:, 0] + 0.3 * rng.normal(size=100) > 0.5).astype(int)
    lines = [",".join([*(f"{value:.3f}" for value in row), str(label)]) for row, label in zip(x, y, strict=True)]
    (folder / "data.csv").write_text("\n".join(["age,income,score,outcome", *lines]) + "\n")


def audited(module: str, name: str, way: str, seed: int, folder: Path) -> dict[str, Any]:
    """One command line, and what came of it."""
    out = folder / "out.json"
    target = f"{HERE / module}:{name}"
    command = [sys.executable, "-m", "dpcheck", "audit", target, "--epsilon", "1", *WAYS[way]]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ran = subprocess.run(
        [*command, "--seed", str(seed), "--quiet", "--json", str(out)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    document = json.loads(out.read_text())
    verdict = document["records"][0]["verdict"]
    return {
        "learner": name,
        "way": way,
        "seed": seed,
        "exit": ran.returncode,
        "status": verdict["status"],
        "stop": verdict["stop"],
        "calls": verdict["samples"],
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "wall": time.monotonic() - began,
    }


def spin() -> None:
    """Count for ever."""
    while True:
        pass


def main() -> None:
    """Audit, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--only", action="append")
    parser.add_argument("--way", choices=[*WAYS], action="append")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    module, learners = ("labelled_held_out.py", HELD_OUT) if asked.held_out else ("labelled_learners.py", LEARNERS)
    beside = [multiprocessing.Process(target=spin, daemon=True) for _ in range(asked.busy)]
    for process in beside:
        process.start()
    rows: list[dict[str, Any]] = []
    try:
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            written_data(folder)
            for name, right in learners.items():
                if asked.only and name not in asked.only:
                    continue
                for way in asked.way or WAYS:
                    found = [audited(module, name, way, asked.first_seed + seed, folder) for seed in range(asked.seeds)]
                    rows += [{**row, "right": right} for row in found]
                    said = ", ".join(
                        f"{status} {count}" for status, count in Counter(r["status"] for r in found).items()
                    )
                    stops = ", ".join(sorted({row["stop"] for row in found}))
                    print(
                        f"{name} ({way}): {said}; calls {median(r['calls'] for r in found):,.0f}, "
                        f"at most {max(r['calls'] for r in found):,}; CPU {median(r['cpu'] for r in found):.1f} s, "
                        f"at most {max(r['cpu'] for r in found):.1f} s; wall at most "
                        f"{max(r['wall'] for r in found):.0f} s; stopped because {stops}",
                        flush=True,
                    )
    finally:
        for process in beside:
            process.terminate()
    if asked.json is not None:
        asked.json.write_text(json.dumps({"busy": asked.busy, "rows": rows}, indent=1) + "\n")
    wanted = {True: "no violation found", False: "violated"}
    wrong = [row for row in rows if row["status"] != wanted[row["right"]]]
    print(f"{len(rows) - len(wrong)} of {len(rows)} as they should be")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
