"""Trainings whose answer is known: which door finds which mistake, and is a correct one accused?

Each training of ``dpcheck.parts.trained`` is audited at defaults, on so many seeds:

- *white box*: ``dpcheck.white_box``; the broken premise must be named, and no other. Also with other noise, norms,
  rates and steps drawn at random (``family``): of correct trainings none may be accused.
- *one run*: ``dpcheck.one_run`` with its own canaries, and how sure the model is of their labels as the score, against
  the claim (not for trainings that give no model). It sees large leaks only: a table of what it finds is no rule.
- *black box* (with ``--calls``): ``dpcheck.audit`` by so many calls.

Rules: no correct training is accused by any door; the white box names each mistake on each seed.

    python benchmarks/white_box.py --json reports/white_box.json
    python benchmarks/white_box.py --only dp_ftrl batches_shuffled --seeds 3
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from bench import child_seed, settings, show, spread, write_json
from numpy.random import default_rng

import dpcheck
from dpcheck.model.claims import ApproxDP
from dpcheck.parts.trained import TrainedEntry, entries
from dpcheck.parts.trained.gradient_steps import GradientSteps
from dpcheck.privacy.white_box.accounting import epsilon_at

WHITE, ONE, BLACK, FAMILY = "white box", "one run", "black box", "family"
RELATIONS = {"add-remove": dpcheck.AddRemove, "replace-one": dpcheck.ReplaceOne}
#: Canaries of one run, as many as there are records.
CANARIES = 400


@dataclass(frozen=True)
class Task:
    """One audit: of which training, by which door, from which seed."""

    name: str
    door: str
    seed: int
    calls: int = 0


def audited(task: Task) -> dict[str, Any]:
    """What came of it."""
    began = time.process_time()
    found = {WHITE: _white, ONE: _one_run, BLACK: _black, FAMILY: _family}[task.door](task)
    return {**asdict(task), **found, "seconds": time.process_time() - began}


def _entry(name: str) -> TrainedEntry:
    return next(each for each in entries() if each.name == name)


def _white(task: Task) -> dict[str, Any]:
    entry = _entry(task.name)
    verdict = dpcheck.white_box(
        entry.train,
        entry.dataset(),
        entry.claim,
        entry.accounted,
        neighbours=entry.neighbours,
        seed=task.seed,
        isolation="none",
    )
    return {"status": verdict.status.value, "broken": list(verdict.broken)}


def _family(task: Task) -> dict[str, Any]:
    """A correct training drawn at random."""
    rng = default_rng(task.seed)
    size, width = int(rng.integers(20, 300)), int(rng.integers(1, 9))
    steps = int(rng.integers(2, 80))
    rate = None if rng.random() < 0.3 else float(rng.uniform(0.02, 0.6))
    norm = float(10.0 ** rng.uniform(-2, 2))
    accounted = dpcheck.GaussianSteps(float(rng.uniform(0.8, 6.0)), norm, steps, sampling_rate=rate)
    x = rng.normal(size=(size, width)) * 10.0 ** rng.uniform(-1, 2)

    def train(data: Any, rng: Any, transcript: Any) -> Any:
        model = np.zeros(width)
        for _ in range(steps):
            batch = np.arange(len(data)) if rate is None else np.flatnonzero(rng.random(len(data)) < rate)
            batch = transcript.batch(batch)
            pulls = data[batch] - model
            norms = np.linalg.norm(pulls, axis=1, keepdims=True)
            total = (pulls * np.minimum(1.0, norm / np.maximum(norms, 1e-300))).sum(axis=0)
            noisy = total + rng.normal(0.0, accounted.deviation, width)
            model = model + 0.1 / size * transcript.release(total, noisy)
        return model

    claim = ApproxDP(1.001 * epsilon_at(accounted, 1e-5), 1e-5)
    verdict = dpcheck.white_box(train, x, claim, accounted, seed=task.seed % 2**31, isolation="none")
    return {"status": verdict.status.value, "broken": list(verdict.broken)}


def _confidence(model: Any, records: Any) -> Any:
    """How sure a logistic regression is of the labels of records."""
    x, y = records
    weights = model[0] if isinstance(model, tuple) else model
    return (2 * np.asarray(y) - 1) * (np.column_stack([x, np.ones(len(x))]) @ weights)


def _gives_a_model(entry: TrainedEntry) -> bool:
    return isinstance(entry.train, GradientSteps)


def _one_run(task: Task) -> dict[str, Any]:
    entry = _entry(task.name)
    train = entry.train
    x, y = entry.dataset()
    # the expected size of a batch is the training's constant, and canaries come on top of the data: half of it
    half = (x[: len(x) // 2], y[: len(y) // 2])
    verdict = dpcheck.one_run(
        lambda data, rng: train(data, rng),
        half,
        entry.claim,
        score=_confidence,
        count=len(x) // 2,
        seed=task.seed,
        isolation="none",
    )
    return {"status": verdict.status.value, "broken": ["claim"] if verdict.status == "violated" else []}


def _black(task: Task) -> dict[str, Any]:
    entry = _entry(task.name)
    train = entry.train
    verdict = dpcheck.audit(
        lambda data, rng: train(data, rng),
        entry.claim,
        neighbours=RELATIONS[entry.neighbours](size=len(entry.dataset()[1])),  # its constants are for that size
        dataset=entry.dataset(),
        max_samples=task.calls,
        max_seconds=3600.0,
        seed=task.seed,
        isolation="none",
    )
    return {"status": verdict.status.value, "broken": ["claim"] if verdict.status == "violated" else []}


def main() -> int:
    """Run, print the table, say which rules are broken."""
    numbers = {
        "seeds": (20, "seeds of each training"),
        "oneruns": (5, "seeds of which one run is tried too"),
        "family": (500, "correct trainings drawn at random"),
        "calls": (0.1, "calls of a black-box audit of each training; below 1: none"),
    }
    given = settings(__doc__ or "", only="trainings by name", numbers=numbers)
    began = time.monotonic()
    chosen = [each for each in entries() if not given.only or each.name in given.only]
    if not chosen:
        sys.exit(f"--only must name trainings, got {' '.join(given.only)}")
    seeds = 2 if given.quick else int(given.numbers["seeds"])
    drawn = 0 if given.only else 20 if given.quick else int(given.numbers["family"])
    calls = int(given.numbers["calls"])
    tasks = []
    for place, entry in enumerate(chosen):
        for number in range(seeds):
            seed = child_seed(given.seed, place, number) % 2**31
            tasks.append(Task(entry.name, WHITE, seed))
            if _gives_a_model(entry) and number < int(given.numbers["oneruns"]):
                tasks.append(Task(entry.name, ONE, seed))
            if calls and number == 0:
                tasks.append(Task(entry.name, BLACK, seed, calls))
    tasks += [Task(FAMILY, FAMILY, child_seed(given.seed, 10_000, number)) for number in range(drawn)]
    results = spread(audited, tasks, given.jobs, "trainings")
    rows, broken_rules = [], []
    for entry in chosen:
        own = [each for each in results if each["name"] == entry.name]
        row = {"training": entry.name, "broken": entry.broken, "seen in": entry.seen_in}
        for door in (WHITE, ONE, BLACK):
            of_door = [each for each in own if each["door"] == door]
            right = [entry.broken] if door == WHITE and entry.broken else ["claim"] if entry.broken else []
            named = sum(each["broken"] == right for each in of_door)
            accused = sum(bool(each["broken"]) for each in of_door)
            row[door] = {"runs": len(of_door), "named": named, "accused": accused}
            row[door]["as accounted"] = sum(each["status"] == "as accounted" for each in of_door)
            row[door]["seconds"] = max((each["seconds"] for each in of_door), default=0.0)
            if not entry.broken and accused:
                broken_rules.append(f"{entry.name}: accused by {door} {accused} of {len(of_door)} times")
        if entry.broken and row[WHITE]["named"] < row[WHITE]["runs"]:
            broken_rules.append(f"{entry.name}: named {row[WHITE]['named']} of {row[WHITE]['runs']} times")
        rows.append(row)
    family = [each for each in results if each["door"] == FAMILY]
    accused = [each for each in family if each["broken"]]
    broken_rules += [f"a correct training drawn from seed {each['seed']}: {each['broken']}" for each in accused]
    shown = [
        [
            row["training"],
            row["broken"] or "-",
            *(_cell(row[door], bool(row["broken"])) for door in (WHITE, ONE, BLACK)),
            f"{row[WHITE]['seconds']:.1f}",
        ]
        for row in rows
    ]
    show("trainings", ["training", "mistake in", WHITE, ONE, BLACK, "CPU s"], shown)
    statuses = {status: sum(each["status"] == status for each in family) for status in {e["status"] for e in family}}
    print(f"family of correct trainings: {len(family)}, accused {len(accused)}; {statuses}")
    print("\n".join(broken_rules) or "no rule is broken")
    if given.json is not None:
        cells = {"trainings": rows, "family": {"runs": len(family), "accused": len(accused), "statuses": statuses}}
        write_json(given, began, not broken_rules, cells)
    return 1 if broken_rules else 0


def _cell(found: dict[str, Any], broken: bool) -> str:
    if not found["runs"]:
        return "-"
    return f"{found['named'] if broken else found['accused']} of {found['runs']}"


if __name__ == "__main__":
    sys.exit(main())
