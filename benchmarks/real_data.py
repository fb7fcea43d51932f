"""What privacy costs on real data: two features of scikit-learn's breast cancer data, stumps and half-planes.

The label-private learner (chaudhuri2011, A2) and the semi-private one (alon2019, A_SSPP) at epsilon 0.1, 1 and 10,
beside empirical risk minimisation without privacy, the same on the public part alone, and a uniform choice that reads
no label (0-private).

Protocol. Features: "mean radius" and "mean texture", the first two columns, so that nothing was chosen by looking; in
thousandths, in which the data are whole numbers, so half-planes are exact. Each of five repetitions splits the 569
records by a fresh permutation into 100 public, 300 private and 169 test records. A2 is given the private records: their
features are public, their labels private. The semi-private learner is given the private records and the features of
the public ones. All learners of a repetition see the same split.

Every learner declares its law, so its expected test error is computed, mistakes by exact counts: nothing is drawn, and
only the split is random. An interval is Student's t for the mean over five independent splits, at 95%, each by itself:
it covers the mean over all splits of these 569 records, not the error on other patients. What a learner has above the
minimiser is taken split by split, for what makes a split easy is common to both.

Rules, which are theorems about the private records and certain: expected mistakes exceed the fewest of any candidate by
at most 2 ln(candidates) / epsilon; they do not grow with epsilon; and no candidate has fewer than the minimiser.

    python benchmarks/real_data.py

writes reports/real_data.json (or where --json says), and beside it the table as Markdown and the plot as SVG.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench import Settings, child_seed, settings, show, spread, write_json
from numpy.typing import NDArray
from real_data_views import HEADINGS, render, rows, svg

from dpcheck import IntegerScores, Labelled, Law, SemiPrivate
from dpcheck.papers.alon2019.learners import CoverLearner
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner
from dpcheck.parts.classes import HalfPlanes, HypothesisClass, Stumps, mistakes
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser, PublicOnly, UniformChoice
from dpcheck.parts.mechanisms.choice import Choice

FEATURES = ("mean radius", "mean texture")
#: Units of the features: thousandths, in which all their values are whole.
SCALE = 1000
EPSILONS = (0.1, 1.0, 10.0)
REPETITIONS = 5
PUBLIC, PRIVATE = 100, 300
#: The label-private learner's own parameter: its net has a quarter of this as radius.
ACCURACY = 0.1
LEVEL = 0.95
#: Room for the rounding of a mean over a law.
ROUNDING = 1e-9
FAMILIES: dict[str, HypothesisClass] = {"stumps": Stumps(2), "half-planes": HalfPlanes()}
LABEL_PRIVATE, SEMI_PRIVATE = "label-private (A2)", "semi-private (A_SSPP)"
MINIMISER, PUBLIC_ALONE, UNIFORM = "not private (ERM)", "public part alone (ERM)", "0-private (uniform)"
PRIVATE_LEARNERS = (LABEL_PRIVATE, SEMI_PRIVATE)
BASELINES = (MINIMISER, PUBLIC_ALONE, UNIFORM)
REPORT = Path(__file__).resolve().parent.parent / "reports" / "real_data.json"


@dataclass(frozen=True)
class Task:
    """One repetition with one class."""

    family: str
    repetition: int
    seed: int


@dataclass(frozen=True)
class Split:
    """The three parts of the records."""

    public: Labelled
    private: Labelled
    test: Labelled


@dataclass(frozen=True)
class Outcome:
    """What a learner's law says of one split.

    ``test_error`` is its expectation and ``deviation`` the standard deviation of one draw's; ``mistakes`` are expected
    on the private records, ``fewest`` those of the best candidate.
    """

    learner: str
    epsilon: float | None
    candidates: int
    test_error: float
    deviation: float
    mistakes: float
    fewest: int


def split(seed: int) -> Split:
    """The records in a random order, cut in three."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    columns = [list(data.feature_names).index(name) for name in FEATURES]
    scaled = data.data[:, columns] * SCALE
    x = np.rint(scaled).astype(np.int64)
    if np.abs(scaled - x).max() > ROUNDING * SCALE:
        raise ValueError("the features are no whole thousandths")
    order = np.random.default_rng(seed).permutation(len(x))
    parts = np.split(order, [PUBLIC, PUBLIC + PRIVATE])
    return Split(*(Labelled(x[part], data.target[part]) for part in parts))


def repetition(task: Task) -> list[Outcome]:
    """All learners on one split."""
    family = FAMILIES[task.family]
    # the split is the same for both classes
    parts = split(child_seed(task.seed, task.repetition))
    semi_private = SemiPrivate(parts.private, parts.public.x)
    learners: list[tuple[str, float | None, Any, Any]] = []
    for epsilon in EPSILONS:
        learners.append((LABEL_PRIVATE, epsilon, LabelPrivateLearner(family, epsilon, ACCURACY), parts.private))
        learners.append((SEMI_PRIVATE, epsilon, CoverLearner(family, epsilon), semi_private))
    learners.append((MINIMISER, None, EmpiricalRiskMinimiser(family, ties="uniform"), parts.private))
    with_labels = SemiPrivate(parts.private, parts.public)
    learners.append((PUBLIC_ALONE, None, PublicOnly(family, ties="uniform"), with_labels))
    learners.append((UNIFORM, None, UniformChoice(family.representatives(parts.public.x)), parts.private))
    return [
        outcome(name, epsilon, learner.distribution(dataset), family, parts)
        for name, epsilon, learner, dataset in learners
    ]


def outcome(name: str, epsilon: float | None, law: Law, family: HypothesisClass, parts: Split) -> Outcome:
    """What a law says of a split."""
    hypotheses, chances = np.array(law.outputs), probabilities(law)
    wrong = mistakes(family, hypotheses, parts.test.x, parts.test.y) / len(parts.test.y)
    private = mistakes(family, hypotheses, parts.private.x, parts.private.y)
    mean = float(chances @ wrong)
    return Outcome(
        name,
        epsilon,
        len(hypotheses),
        mean,
        math.sqrt(float(chances @ (wrong - mean) ** 2)),
        float(chances @ private),
        int(private.min()),
    )


def probabilities(law: Law) -> NDArray[np.float64]:
    """The probabilities of a law's outputs, in doubles."""
    if isinstance(law.exact, IntegerScores):
        choice = Choice(law.exact.epsilon / 2, np.array(law.exact.scores), np.array(law.exact.multiplicities))
        return np.exp(choice.log_probabilities)
    return np.array([float(chance) for chance in law.exact])


def cells(results: Sequence[tuple[Task, list[Outcome]]]) -> list[dict[str, Any]]:
    """A cell for each class, learner and epsilon, with its intervals."""
    found: dict[tuple[str, str, float | None], list[Outcome]] = {}
    for task, outcomes in results:
        for one in outcomes:
            found.setdefault((task.family, one.learner, one.epsilon), []).append(one)
    made = []
    for (family, learner, epsilon), some in found.items():
        errors = np.array([one.test_error for one in some])
        beside = np.array([one.test_error for one in found[family, MINIMISER, None]])
        made.append(
            {
                "family": family,
                "learner": learner,
                "epsilon": epsilon,
                **_interval("test_error", errors),
                **_interval("above_minimiser", errors - beside),
                "deviation_of_a_draw": math.sqrt(float(np.mean([one.deviation**2 for one in some]))),
                "test_errors": errors.tolist(),
                "candidates": [one.candidates for one in some],
                "mistakes": [one.mistakes for one in some],
                "fewest": [one.fewest for one in some],
            }
        )
    return made


def _interval(name: str, values: NDArray[np.float64]) -> dict[str, float]:
    """The mean of independent values and Student's interval for what it estimates."""
    from scipy.stats import t

    mean = float(values.mean())
    half = float(t.ppf((1 + LEVEL) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values)))
    return {name: mean, f"{name}_low": mean - half, f"{name}_high": mean + half}


def rules(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rules of the protocol, each with what comes nearest to breaking it: above 0 it is broken."""
    by = {(cell["family"], cell["learner"], cell["epsilon"]): cell for cell in found}
    bound, growth, fewest = [-math.inf], [-math.inf], [-math.inf]
    for (family, learner, epsilon), cell in by.items():
        least = np.array(by[family, MINIMISER, None]["fewest"])
        fewest.append(float((least - np.array(cell["fewest"])).max()))
        if epsilon is None:
            continue
        excess = np.array(cell["mistakes"]) - np.array(cell["fewest"])
        bound.append(float((excess - 2 * np.log(cell["candidates"]) / epsilon).max()))
        later = [by[family, learner, other] for other in EPSILONS if other > epsilon]
        growth.extend(float((np.array(each["mistakes"]) - np.array(cell["mistakes"])).max()) for each in later)
    named = {
        "expected mistakes above the fewest, less 2 ln(candidates) / epsilon": bound,
        "expected mistakes at a larger epsilon, less those at a smaller one": growth,
        "the minimiser's mistakes, less the fewest of the candidates": fewest,
    }
    return [
        {"rule": name, "worst": max(some), "verdict": "holds" if max(some) <= ROUNDING else "FAILS"}
        for name, some in named.items()
    ]


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    families = list(FAMILIES)[:1] if asked.quick else list(FAMILIES)
    # the slow class first: the processes end together
    tasks = [Task(family, number, asked.seed) for family in reversed(families) for number in range(REPETITIONS)]
    results = spread(repetition, tasks, asked.jobs, "splits")
    found = cells(sorted(zip(tasks, results, strict=True), key=lambda pair: families.index(pair[0].family)))
    judged = rules(found)
    passed = all(rule["verdict"] == "holds" for rule in judged)
    show(f"Expected test error, mean of {REPETITIONS} splits", HEADINGS, rows(found), left=3)
    for rule in judged:
        print(f"{rule['rule']}: at most {rule['worst']:.3g}: {rule['verdict']}")
    target = asked.json if asked.json is not None else None if asked.quick else REPORT
    body = {
        "features": list(FEATURES),
        "scale": SCALE,
        "public": PUBLIC,
        "private": PRIVATE,
        "test": len(split(0).test.y),
        "repetitions": REPETITIONS,
        "epsilons": list(EPSILONS),
        "accuracy": ACCURACY,
        "level": LEVEL,
        "baselines": list(BASELINES),
        "rules": judged,
        "cells": found,
    }
    write_json(Settings(asked.seed, asked.jobs, asked.quick, target), began, passed, body, {".md": render, ".svg": svg})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
