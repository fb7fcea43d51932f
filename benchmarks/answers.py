"""How many queries are answered at equal privacy and equal accuracy: the sparse vector of bassily2018 or composition.

**Methods.** k models are trained on disjoint chunks of private records and asked for the labels of public queries.
Alg-2 (the sparse vector) answers where they agree, and pays for abstentions only; with the least noise that is proved
to keep the privacy asked for, and with the paper's printed formulas. Against it noisy majorities, which answer and pay
for every query: Laplace and Gaussian noise, under basic and advanced composition, by privacy loss distributions (PLD),
and by exact composition of Gaussian noise. Add/remove one record; delta is the report's.

**Equal privacy** is the same proved (epsilon, delta). **Equal accuracy** is an expected share of queries answered
rightly, out of all that are asked: abstentions and queries after the last one count as not right. What is compared is
the largest number of queries at which it is at least the target.

**Synthetic.** The paper's setting with one-sided thresholds (`answers_synthetic.py`), from 10^5 to 10^9 records, at
targets 0.99, 0.999, 0.9999. The number of models, and alg-2's cut-off, are those that answer most on one draw of
models; five fresh draws judge them.

**Real.** scikit-learn's digits (ten classes) and breast cancer, logistic regression and decision trees with defaults
(`answers_real.py`). Each of five repetitions splits the records by a fresh permutation into private, public (the
queries) and test records. Every number of models is shown; of alg-2's cut-offs the best, which is in its favour.

Answers are not drawn: the share of a noisy majority is computed from the exact law of its labels given the votes, that
of alg-2 by conditional expectation, with only the noise of its thresholds and the lengths of its rounds drawn. Final
classifiers (alg-3, and the same from noisy majorities) are trained on three drawn labellings. An interval is Student's
t for the mean over five independent repetitions, at 95%, each by itself.

**Rules**, theorems all: no accounting answers fewer queries than a coarser one at the same noise; more epsilon answers
no fewer, and agrees with the majority no less; the scales keep their claims, recomputed; lemma 3.3 of the paper on the
real votes.

    python benchmarks/answers.py --json reports/answers.json

writes the tables as Markdown and the plot as SVG beside the JSON.
"""

from __future__ import annotations

import dataclasses
import math
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from answers_methods import COMPOSITIONS, PROVED, composed_scale, interval, sparse_scales
from answers_real import ASKED, BASES, CUTOFFS, MODELS, PARTS, TARGET, RealTask, Repetition, real, values_of
from answers_synthetic import CUTOFFS as SYNTHETIC_CUTOFFS
from answers_synthetic import MODELS as SYNTHETIC_MODELS
from answers_synthetic import RECORDS, Chosen, SyntheticTask, synthetic
from answers_views import HEADINGS_OF_REAL, HEADINGS_OF_SYNTHETIC, real_rows, render, svg, synthetic_rows
from bench import Settings, child_seed, settings, show, spread, write_json

from dpcheck.model.claims import exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners.accounting import answering_claim
from dpcheck.papers.bassily2018.learners.composition import composed_claim

EPSILONS = (0.5, 1.0, 2.0, 8.0)
#: Below one over the number of private records; the synthetic setting has the usual one.
REAL_DELTA, SYNTHETIC_DELTA = 1e-4, 1e-6
#: The curve over sizes is at one epsilon; the others are shown at one size.
CURVE, OTHERS, AT = 1.0, (0.5, 2.0), 10**8
REPETITIONS = 5
LEVEL = 0.95
#: Room for the rounding of a mean over a law.
ROUNDING = 1e-9
REPORT = Path(__file__).resolve().parent.parent / "reports" / "answers.json"


def play(task: RealTask | SyntheticTask) -> Repetition | list[Chosen]:
    """One task."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # regressions on labels that are coins do not converge
        return real(task) if isinstance(task, RealTask) else synthetic(task)


def tasks(seed: int, quick: bool) -> list[RealTask | SyntheticTask]:
    """The slow ones first: the processes end together."""
    sizes = RECORDS[:2] if quick else RECORDS
    places = [(records, CURVE) for records in sizes]
    if not quick:
        places += [(AT, epsilon) for epsilon in OTHERS]
    made: list[RealTask | SyntheticTask] = [
        SyntheticTask(records, epsilon, SYNTHETIC_DELTA, REPETITIONS, child_seed(seed, 0, records))
        for records, epsilon in sorted(places, reverse=True)
    ]
    for dataset in list(PARTS)[1:] if quick else PARTS:
        made += [
            RealTask(dataset, base, number, EPSILONS, REAL_DELTA, child_seed(seed, 1))
            for base in BASES
            for number in range(REPETITIONS)
        ]
    return made


def synthetic_cells(results: Sequence[Chosen]) -> list[dict[str, Any]]:
    """A cell for each size, epsilon, target and method, with its interval."""
    found = []
    for one in sorted(results, key=lambda each: (each.records, each.epsilon, each.accuracy)):
        cell = dataclasses.asdict(one)
        known = [each for each in one.queries if each is not None]
        low_high = interval(known, LEVEL) if len(known) == len(one.queries) else (None, None, None)
        found.append({**cell, **dict(zip(("mean", "low", "high"), low_high, strict=True))})
    return found


def real_cells(results: list[Repetition]) -> list[dict[str, Any]]:
    """A cell for each dataset, base learner, method, number of models and epsilon, with its intervals."""
    found = []
    for (dataset, base, method, models, epsilon), some in values_of(results).items():
        cell: dict[str, Any] = {
            "dataset": dataset, "base": base, "method": method, "models": models, "epsilon": epsilon,
            "shares": [one.share for one in some],
            **_named("share", [one.share for one in some]),
        }  # fmt: skip
        for name in ("queries", "agreement", "final_error"):
            values = [getattr(one, name) for one in some]
            if all(value is not None for value in values):
                cell[f"{name}_of_repetitions"] = values
                cell.update(_named(name, values))
        found.append(cell)
    return found


def _named(name: str, values: Sequence[float]) -> dict[str, float]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), interval(values, LEVEL), strict=True))


def rules(of_real: Sequence[dict[str, Any]], synthetic_found: Sequence[dict[str, Any]], lemma: list[float]) -> Any:
    """The rules of the protocol, each with what comes nearest to breaking it: above 0 it is broken."""
    coarser, growth, agreement = [-math.inf], [-math.inf], [-math.inf]
    by: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in (each for each in of_real if each["method"] in COMPOSITIONS):
        by[cell["dataset"], cell["base"], cell["models"], cell["epsilon"], cell["method"]] = {
            "queries": cell.get("queries_of_repetitions"), "agreement": cell.get("agreement_of_repetitions"),
        }  # fmt: skip
    for cell in synthetic_found:
        by["synthetic", cell["records"], cell["accuracy"], cell["epsilon"], cell["method"]] = {
            "queries": cell["queries"]
        }
    for (*place, epsilon, method), values in by.items():
        if method not in COMPOSITIONS:
            continue
        noise, _, accounting = method.partition(", ")
        finer = {"basic": ("advanced",), "advanced": ("PLD", "exact"), "PLD": ("exact",)}.get(accounting, ())
        for other in finer:
            beside = by.get((*place, epsilon, f"{noise}, {other}"), {}).get("queries")
            if beside is not None:
                # counts are found to a part in a thousand, and dp-accounting rounds up to cells
                coarser += [
                    a - 1 - 1.002 * b for a, b in zip(values["queries"], beside, strict=True) if None not in (a, b)
                ]
        for (*elsewhere, larger, same), others in by.items():
            if "agreement" in values and elsewhere == place and same == method and larger > epsilon:
                agreement += [a - b for a, b in zip(values["agreement"], others["agreement"], strict=True)]
                growth += [a - b for a, b in zip(values["queries"], others["queries"], strict=True)]
    named = {
        "queries answered by a coarser accounting, less one and those by a finer one (to a part in 500)": coarser,
        "queries answered at an epsilon, less those at a larger one": growth,
        "agreement with the majority at an epsilon, less that at a larger one": agreement,
        "epsilon of the claims, recomputed, less the one asked for": _claims(),
        "lemma 3.3: queries with more than k/3 or k/2 wrong votes, less 3B or 2B": lemma,
    }
    return [
        {
            "rule": name,
            "judged": len(some),
            "worst": max(some),
            "verdict": "holds" if max(some) <= ROUNDING else "FAILS",
        }
        for name, some in named.items()
    ]


def _claims() -> list[float]:
    """How far above the epsilon asked for the claim of a scale is: for the queries of the real data."""
    found = []
    for epsilon in EPSILONS:
        for name, (noise, accounting) in COMPOSITIONS.items():
            scale = composed_scale(name, epsilon, REAL_DELTA, ASKED, 2)
            claim = composed_claim(noise, scale, ASKED, accounting, REAL_DELTA, 2)
            found.append(float(exact_point(claim).epsilon - exact_point(claim).epsilon.__class__(epsilon)))
        for cutoff in CUTOFFS:
            scales = sparse_scales(PROVED, epsilon, REAL_DELTA, ASKED, cutoff)
            try:
                answering_claim(scales, ASKED, epsilon=epsilon, delta=REAL_DELTA, guard="strict")
                found.append(0.0)
            except InvalidArgument:
                found.append(math.inf)
    return found


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    every = tasks(asked.seed, asked.quick)
    results = spread(play, every, asked.jobs, "tasks")
    repetitions = [one for one in results if isinstance(one, Repetition)]
    of_real = real_cells(repetitions)
    found = synthetic_cells([each for one in results if isinstance(one, list) for each in one])
    lemma = [value for one in repetitions for value in one.lemma]
    judged = rules(of_real, found, lemma)
    passed = all(rule["verdict"] == "holds" for rule in judged)
    body = {
        "repetitions": REPETITIONS,
        "level": LEVEL,
        "epsilons": list(EPSILONS),
        "real_delta": REAL_DELTA,
        "synthetic_delta": SYNTHETIC_DELTA,
        "curve": CURVE,
        "most_models": SYNTHETIC_MODELS[-1],
        "largest_cutoff": SYNTHETIC_CUTOFFS[-1],
        "asked": ASKED,
        "target": TARGET,
        "models": list(MODELS),
        "parts": {name: list(parts) for name, parts in PARTS.items()},
        "rules": judged,
        "synthetic": found,
        "real": of_real,
    }
    show("Queries answered, synthetic", HEADINGS_OF_SYNTHETIC, synthetic_rows(body), left=3)
    show(f"Share of {ASKED} queries answered rightly, real data", HEADINGS_OF_REAL, real_rows(body), left=4)
    for rule in judged:
        print(f"{rule['rule']}: at most {rule['worst']:.3g}: {rule['verdict']}")
    target = asked.json if asked.json is not None else None if asked.quick else REPORT
    write_json(Settings(asked.seed, asked.jobs, asked.quick, target), began, passed, body, {".md": render, ".svg": svg})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
