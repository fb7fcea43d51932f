"""dpcheck's `measure` against its peers, on seventeen mechanisms and pairs, with 200,000 outputs for each audit.

Every tool gets the pair and draws all it needs, for learning too, from the same budget, with fresh seeds, at 95%
confidence; the medians of 20 runs are compared. Peers are helped: jax-privacy, statdp and dp_auditorium's histogram get
a score written by hand for vectors (`peers/scores.py`), and who tests one direction only is told the better one.
statdp and dp_auditorium reject an epsilon and give no bound: theirs is the last of an ascending grid before the first
that is not rejected. dp-sniper and statdp ignore delta, which can only help them here.

dpcheck must reach at least the best peer's median in every row, the floors below, and take under 5 processor seconds.

Make the environments first (`benchmarks/peers/environments.py`). A peer without one is "not run". Tools that are not
asked for keep their results in the report, and a run that was stopped goes on where it was with the same --seed.
`--collect` with its --seed reports what there is so far: each cell says how many runs are in it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench import ONE_THREAD, Settings, show, write_json
from peers.environments import PEERS, default_folder, interpreter, note
from peers.mechanisms import MECHANISMS, Mechanism
from peers.runner import ALPHA, BUDGET, Answer, read

BENCHMARKS = Path(__file__).resolve().parent
#: The tools of each environment, as its module names them, in the order of the table.
TOOLS = {
    "dpcheck": ("dpcheck",),
    "jax_privacy": ("jax-privacy bonferroni", "jax-privacy split"),
    "dp_sniper": ("dp-sniper regression", "dp-sniper network"),
    "statdp": ("statdp",),
    "dp_auditorium": ("dp_auditorium histogram", "dp_auditorium hockey-stick"),
}
#: Each of its audits trains a network for every epsilon that is tried: about half a minute.
SLOW = frozenset({"dp_auditorium hockey-stick"})
REPETITIONS, SLOW_REPETITIONS, QUICK_REPETITIONS = 20, 3, 2
#: What dpcheck must reach at least, whatever the peers do (with exact numerics for the floating-point Laplace).
FLOORS = {
    "svt4_lee_clifton": 1.50,
    "svt6_chen": 3.3,
    "svt3_roth": 2.1,
    "noisy_max_value": 2.37,
    "gauss_half_sigma": 1.40,
    "float_laplace": 2.4,
}
MOST_SECONDS = 5.0
OURS = "dpcheck"


def run(name: str, seed: int, repetitions: dict[str, int], folder: Path, file: Path) -> None:
    """The answers of one environment's tools that are not in the file yet, each tool in a process of its own."""
    python = sys.executable if name == OURS else str(interpreter(folder, name))
    paths = [str(BENCHMARKS), *([str(BENCHMARKS.parent)] if name == OURS else [])]
    environment = {**os.environ, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONPATH": os.pathsep.join(paths)}
    for tool, count in repetitions.items():
        print(f"{tool}: {count} runs of {len(MECHANISMS)} mechanisms", file=sys.stderr, flush=True)
        asked = ["--tools", tool, "--seed", str(seed), "--repetitions", str(count), "--answers", str(file.resolve())]
        command = [python, "-W", "ignore", "-m", f"peers.{name}_audits", *asked]
        ended = subprocess.run(command, env=environment, cwd=file.parent, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise RuntimeError(f"{tool} ended with {ended.returncode}: {ended.stderr.strip()[-2000:]}")


def cells(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """One cell for each tool and mechanism, with every bound in it."""
    found: dict[tuple[str, str], list[Answer]] = {}
    for answer in answers:
        found.setdefault((answer.mechanism, answer.tool), []).append(answer)
    truths = {mechanism.name: mechanism for mechanism in MECHANISMS}
    return [_cell(truths[mechanism], tool, some) for (mechanism, tool), some in found.items()]


def _cell(mechanism: Mechanism, tool: str, answers: Sequence[Answer]) -> dict[str, Any]:
    bounds = [answer.epsilon_lower for answer in answers]
    return {
        "mechanism": mechanism.name,
        "tool": tool,
        "seed": answers[0].seed,
        "runs": len(answers),
        "median": round(statistics.median(bounds), 4),
        "rejected": sum(answer.rejected for answer in answers),
        "above_truth": sum(bound > mechanism.loss for bound in bounds),
        "outputs": max(answer.outputs for answer in answers),
        "seconds": round(statistics.median(answer.seconds for answer in answers), 3),
        "bounds": [round(bound, 4) for bound in bounds],
    }


def rows(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each mechanism: dpcheck against the best peer."""
    result = []
    for mechanism in MECHANISMS:
        here = {cell["tool"]: cell for cell in found if cell["mechanism"] == mechanism.name}
        ours = here.pop(OURS, None)
        best = max(here.values(), key=lambda cell: float(cell["median"]), default=None)
        required = max(FLOORS.get(mechanism.name, 0.0), best["median"] if best else 0.0)
        result.append(
            {
                "mechanism": mechanism.name,
                "claim": mechanism.epsilon,
                "delta": mechanism.delta,
                "correct": mechanism.correct,
                "truth": mechanism.loss if math.isfinite(mechanism.loss) else "infinite",
                "best_peer": best["tool"] if best else "",
                "required": required,
                "dpcheck": ours["median"] if ours else None,
                "passed": bool(ours and ours["median"] >= required and ours["seconds"] < MOST_SECONDS),
            }
        )
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tools that are there, show the table, write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", nargs="+", choices=list(TOOLS), default=list(TOOLS), help="run these (all)")
    parser.add_argument("--seed", type=int, default=None, help="all randomness comes from it (default: fresh)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help=f"runs of each ({REPETITIONS})")
    parser.add_argument("--slow-repetitions", type=int, default=SLOW_REPETITIONS, help="of tools that train networks")
    parser.add_argument("--quick", action="store_true", help="few runs: does it work?")
    parser.add_argument("--collect", action="store_true", help="run nothing: report the answers of a stopped run")
    parser.add_argument("--environments", type=Path, default=default_folder(), help="their folder (the user's cache)")
    parser.add_argument("--answers", type=Path, default=None, help="folder of unfinished runs (beside environments)")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="write every cell to this file")
    given = parser.parse_args(arguments)
    if given.collect and given.seed is None:
        parser.error("--collect needs --seed, that of the run whose answers are reported")
    seed = given.seed if given.seed is not None else int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    print(f"seed: {seed}", flush=True)
    began = time.monotonic()
    answers = given.answers or given.environments / "answers"
    answers.mkdir(parents=True, exist_ok=True)
    kept = json.loads(given.json.read_text(encoding="utf-8")) if given.json and given.json.exists() else {}
    versions: dict[str, str] = dict(kept.get("peers", {}))
    found = [c for c in kept.get("cells", []) if not any(c["tool"] in TOOLS[name] for name in given.tools)]
    for name in given.tools:
        if name in PEERS:
            versions[name] = note(given.environments, name).get("version", "not run")
            if versions[name] == "not run":
                continue
        few = QUICK_REPETITIONS if given.quick else None
        counts = {t: few or (given.slow_repetitions if t in SLOW else given.repetitions) for t in TOOLS[name]}
        file = answers / f"{name}.jsonl"
        if not given.collect:
            run(name, seed, counts, given.environments, file)
        found += cells(a for a in read(file) if a.seed == seed and a.repetition < counts[a.tool])
    order = [tool for tools in TOOLS.values() for tool in tools]
    found.sort(key=lambda cell: order.index(cell["tool"]))
    judged = rows(found)
    passed = all(row["passed"] for row in judged)
    show(
        f"epsilon_lower with {BUDGET:,} outputs at alpha {ALPHA}, medians",
        ("mechanism", "best peer", "true", "required", OURS, ""),
        [
            (
                row["mechanism"],
                row["best_peer"],
                f"{row['truth']}",
                f"{row['required']:.3f}",
                "not run" if row["dpcheck"] is None else f"{row['dpcheck']:.3f}",
                "" if row["passed"] else "misses",
            )
            for row in judged
        ],
        left=2,
    )
    absent = [tool for tool in order if not any(cell["tool"] == tool for cell in found)]
    report = {
        "alpha": ALPHA,
        "outputs": BUDGET,
        "peers": versions,
        "not_run": absent,
        "rows": judged,
        "cells": found,
    }
    write_json(Settings(seed, 1, given.quick, given.json), began, passed, report)
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
