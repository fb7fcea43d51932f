"""Private learners as a user would choose between them: dpcheck's, those of other libraries, and none, on real data.

`real_data.py` compares with minimisers of the same small class on two features. Here are eight data sets that come with
scikit-learn or statsmodels, all of their features, and what else there is to take at epsilon 0.1, 1 and 10.

**Protocol.** Each of 20 repetitions splits a data set by a fresh permutation: a fifth public, a half private, the rest
for tests; all learners see the same splits. Of the public part the private learners have the features: their ranges,
means and deviations are the bounds that all share. Its labels are read by "public part alone" and by no other. Stumps
take thresholds of doubles as they are, so nothing is scaled for them.

**Equal privacy** is the same epsilon for each by its own guarantee, which stands beside it: some protect labels alone,
some have a delta of 1e-5, and the relations differ. diffprivlib is taken at its word.

**Errors.** Learners that declare their law have expected errors, nothing drawn; of the others a split's error is the
mean over draws. An interval is Student's t at 95% over splits, each by itself; differences are taken split by split.

**Settings** (regularisation, depth, steps) are chosen for each epsilon by the mean error on problems that scikit-learn
makes up, of other sizes, before any of the eight is looked at; they are in the report.

    python benchmarks/learners_compared.py

writes reports/learners_compared.json (or where --json says), and beside it the tables as Markdown and the plot as SVG.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench import Settings, child_seed, settings, show, spread, write_json
from learners_compared_data import DATA, MADE_UP, MOST_RECORDS, Split, made_up, records, split
from learners_compared_decisions import LEVEL, Interval, best_other, difference
from learners_compared_methods import ACCURACY, BY_NAME, CUTS, DELTA, METHODS, SGD, Method, noise_of
from learners_compared_views import HEADINGS, decision_rows, render, svg

EPSILONS = (0.1, 1.0, 10.0)
REPETITIONS, DRAWS = 20, 2
#: Splits of each made-up problem, and draws, that settings are chosen by.
CHOOSING, CHOOSING_DRAWS = 3, 1
#: Keys of child seeds: those of made-up problems are apart from those of data sets.
_MADE_UP = 1000
#: Columns of the decision table that are printed: all but the longest.
SHOWN = 7
REPORT = Path(__file__).resolve().parent.parent / "reports" / "learners_compared.json"

#: For each learner the errors by epsilon; those without privacy have one, of epsilon None.
Found = dict[tuple[str, float | None], float]
Chosen = Mapping[tuple[str, float], int]


@dataclass(frozen=True)
class Task:
    """One split of one data set."""

    dataset: str
    repetition: int
    seed: int
    draws: int
    chosen: Chosen
    noise: Mapping[tuple[float, int], Mapping[float, float]]


@dataclass(frozen=True)
class Trying:
    """One split of one made-up problem."""

    problem: int
    repetition: int
    seed: int
    draws: int
    noise: Mapping[tuple[float, int], Mapping[float, float]]


@dataclass(frozen=True)
class Kept:
    """What was found so far, in a file if one was asked for: settings, and errors by data set."""

    file: Path | None
    asked: list[Any]
    chosen: dict[tuple[str, float], int]
    found: dict[str, list[Found]]

    @staticmethod
    def read(asked: Settings) -> Kept:
        """What the file has of the same seed and mode; nothing where there is none."""
        kept = Kept(asked.kept, [asked.seed, asked.quick], {}, {})
        if asked.kept is not None and asked.kept.exists():
            there = json.loads(asked.kept.read_text(encoding="utf-8"))
            if there["asked"] == kept.asked:
                kept.chosen.update({(name, epsilon): which for name, epsilon, which in there["chosen"]})
                for dataset, splits in there["found"].items():
                    kept.found[dataset] = [{(name, e): error for name, e, error in some} for some in splits]
        return kept

    def write(self) -> None:
        """Into the file, where one was asked for."""
        if self.file is not None:
            body = {
                "asked": self.asked,
                "chosen": [[*key, which] for key, which in self.chosen.items()],
                "found": {
                    dataset: [[[*key, error] for key, error in some.items()] for some in splits]
                    for dataset, splits in self.found.items()
                },
            }
            self.file.write_text(json.dumps(body) + "\n", encoding="utf-8")


def of_split(task: Task) -> Found:
    """All learners on one split."""
    place = list(DATA).index(task.dataset)
    parts = split(task.dataset, child_seed(task.seed, place, task.repetition))
    found: Found = {}
    for number, method in enumerate(METHODS):
        for e, epsilon in enumerate(EPSILONS if method.private else (None,)):
            rng = np.random.default_rng(child_seed(task.seed, place, task.repetition, number, e))
            which = 0 if epsilon is None else task.chosen[method.name, epsilon]
            found[method.name, epsilon] = _error(method, which, parts, epsilon, rng, task.draws, task.noise)
    return found


def tried(task: Trying) -> dict[tuple[str, float, int], float]:
    """The error of every learner that has a choice, with each of its settings."""
    parts = made_up(task.problem, child_seed(task.seed, _MADE_UP + task.problem, task.repetition))
    found = {}
    for number, method in enumerate(METHODS):
        for which in range(len(method.settings)) if len(method.settings) > 1 else ():
            for e, epsilon in enumerate(EPSILONS):
                key = (_MADE_UP + task.problem, task.repetition, number, which, e)
                rng = np.random.default_rng(child_seed(task.seed, *key))
                found[method.name, epsilon, which] = _error(method, which, parts, epsilon, rng, task.draws, task.noise)
    return found


def _error(
    method: Method, which: int, parts: Split, epsilon: float | None, rng: np.random.Generator, draws: int,
    noise: Mapping[tuple[float, int], Mapping[float, float]],
) -> float:  # fmt: skip
    setting = dict(method.settings[which])
    if method.name == SGD:
        setting["noise"] = noise[setting["rate"], setting["steps"]]
    return method.error(parts, 0.0 if epsilon is None else epsilon, setting, rng, draws)


def choice_of_settings(results: Sequence[Mapping[tuple[str, float, int], float]]) -> dict[tuple[str, float], int]:
    """For each learner and epsilon the setting of the lowest mean error; the first where there is but one, or a tie."""
    chosen = {}
    for method in METHODS:
        for epsilon in EPSILONS if method.private else ():
            means = [
                np.mean([found[method.name, epsilon, which] for found in results]) if len(method.settings) > 1 else 0.0
                for which in range(len(method.settings))
            ]
            chosen[method.name, epsilon] = int(np.argmin(means))
    return chosen


def cells(results: Mapping[str, Sequence[Found]]) -> list[dict[str, Any]]:
    """A cell for each data set, learner and epsilon, with its intervals, of what was found on each split."""
    errors: dict[tuple[str, str, float | None], list[float]] = {}
    for dataset, splits in results.items():
        for found in splits:
            for (name, epsilon), error in found.items():
                errors.setdefault((dataset, name, epsilon), []).append(error)
    made = []
    for (dataset, name, epsilon), values in errors.items():
        cell = {
            "dataset": dataset,
            "learner": name,
            "epsilon": epsilon,
            **_named("test_error", Interval.of(values)),
            "test_errors": values,
        }
        if epsilon is not None:
            others = {other: errors[dataset, other, epsilon] for other in BY_NAME if BY_NAME[other].private}
            other = best_other(name, others)
            cell |= {"best_other": other, **_named("above_best_other", difference(values, others[other]))}
        made.append(cell)
    return made


def _named(name: str, interval: Interval) -> dict[str, float]:
    return {name: interval.mean, f"{name}_low": interval.low, f"{name}_high": interval.high}


def rules(found: Sequence[Mapping[str, Any]], datasets: Sequence[str], repetitions: int) -> list[dict[str, Any]]:
    """What must hold of a whole report: each learner measured on each split, every error a share."""
    wanted = {
        (dataset, method.name, epsilon)
        for dataset in datasets
        for method in METHODS
        for epsilon in (EPSILONS if method.private else (None,))
    }
    there = [(cell["dataset"], cell["learner"], cell["epsilon"]) for cell in found]
    values = [np.asarray(cell["test_errors"]) for cell in found]
    judged = {
        "every learner on every data set, once": set(there) == wanted and len(there) == len(wanted),
        "an error for each split": all(len(some) == repetitions for some in values),
        "errors are from 0 to 1": all(bool(((some >= 0) & (some <= 1)).all()) for some in values),
    }
    return [{"rule": name, "verdict": "holds" if kept else "FAILS"} for name, kept in judged.items()]


def learners() -> list[dict[str, Any]]:
    """What is said of each learner."""
    return [{name: value for name, value in asdict(method).items() if name not in ("error",)} for method in METHODS]


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(
        __doc__ or "", kept="keep what was found of each data set here, and go on from there (with --seed)"
    )
    began = time.monotonic()
    datasets = ["iris"] if asked.quick else list(DATA)
    repetitions, draws = (2, 1) if asked.quick else (REPETITIONS, DRAWS)
    problems, choosing, choosing_draws = (1, 1, 1) if asked.quick else (len(MADE_UP), CHOOSING, CHOOSING_DRAWS)
    noise = noise_of(EPSILONS)
    trying = [
        Trying(problem, number, asked.seed, choosing_draws, noise)
        for problem in reversed(range(problems))
        for number in range(choosing)
    ]
    kept = Kept.read(asked)
    if not kept.chosen:
        kept.chosen.update(choice_of_settings(spread(tried, trying, asked.jobs, "settings")))
        kept.write()
    for name in datasets:
        if name not in kept.found:
            tasks = [Task(name, number, asked.seed, draws, kept.chosen, noise) for number in range(repetitions)]
            kept.found[name] = spread(of_split, tasks, asked.jobs, name)
            kept.write()
    found = cells({name: kept.found[name] for name in datasets})
    judged = rules(found, datasets, repetitions)
    passed = all(rule["verdict"] == "holds" for rule in judged)
    body = {
        "repetitions": repetitions,
        "draws": draws,
        "epsilons": list(EPSILONS),
        "delta": DELTA,
        "accuracy": ACCURACY,
        "cuts": CUTS,
        "level": LEVEL,
        "most_records": MOST_RECORDS,
        "made_up": [list(problem) for problem in MADE_UP[:problems]],
        "choosing": choosing,
        "choosing_draws": choosing_draws,
        "datasets": [_described(name, asked.seed) for name in datasets],
        "learners": learners(),
        "chosen": [
            {"learner": name, "epsilon": epsilon, "setting": dict(BY_NAME[name].settings[which])}
            for (name, epsilon), which in kept.chosen.items()
            if len(BY_NAME[name].settings) > 1
        ],
        "noise_multipliers": [
            {"rate": rate, "steps": steps, "epsilon": epsilon, "noise": value}
            for (rate, steps), some in noise.items()
            for epsilon, value in some.items()
        ],
        "rules": judged,
        "cells": found,
    }
    shown = [row[:SHOWN] for row in decision_rows(body, "records")]
    show("Which private learner has the lowest test error", HEADINGS[:SHOWN], shown, left=3)
    for rule in judged:
        print(f"{rule['rule']}: {rule['verdict']}")
    target = asked.json if asked.json is not None else None if asked.quick else REPORT
    write_json(Settings(asked.seed, asked.jobs, asked.quick, target), began, passed, body, {".md": render, ".svg": svg})
    return 0 if passed else 1


def _described(name: str, seed: int) -> dict[str, Any]:
    x, y = records(name)
    parts = split(name, seed)
    return {
        "name": name,
        "source": DATA[name].source,
        "question": DATA[name].question,
        "records": len(y),
        "features": int(x.shape[1]),
        "share": float(np.mean(y)),
        "public": len(parts.public.y),
        "private": len(parts.private.y),
        "test": len(parts.test.y),
    }


if __name__ == "__main__":
    sys.exit(main())
