"""The sanitiser for thresholds and intervals on large domains: its law, its seconds, its errors beside a library's.

* law: on 2^4 points the probabilities that the sampler's own cells and bands imply, in balls, beside those of the
  databases listed by `BlumLigettRoth`; and draws, by a chi-squared test;
* seconds: one draw from a new dataset of 10^5 points of 2^20, and a hundred draws, on one core;
* errors: the largest error in an interval of five sanitised databases, their mean, beside what the theorem allows at a
  failure probability of 0.05, the best database's at worst (1 / points), and OpenDP's tree of counts.

Rules: the laws agree to 2^-100, the test's p-value is above 1e-9, one draw takes less than 10 s, and no error is above
what the theorem allows with a failure probability of 1e-9. Writes `reports/sanitisers.json` (or where --json says), and
the same as Markdown beside it.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from bench import ONE_THREAD as ONE_THREAD
from bench import Settings, child_seed, settings, show, spread, write_json
from scipy.stats import chi2

from dpcheck.parts.mechanisms.sanitisers import (
    BlumLigettRoth,
    ThresholdSanitiser,
    TreeSanitiser,
    interval_queries,
    threshold_queries,
)
from dpcheck.parts.mechanisms.sanitisers.layers import Layers

REPORT = Path(__file__).resolve().parent.parent / "reports" / "sanitisers.json"
#: The rules.
MOST_SECONDS, LEVEL, CLOSE = 10.0, 1e-9, 2.0**-100
MATRICES = {"thresholds": threshold_queries, "intervals": interval_queries}
SMALL_DOMAIN, SMALL_SIZE, DRAWS = 2**4, 3, 50_000
LARGE_DOMAIN, RECORDS = 2**20, 100_000
SIZES, EPSILONS = (20, 50, 100), (0.1, 1.0)
FAILURE, DATABASES = 0.05, 5


def implied(layers: Layers, databases: Any, times: Sequence[int]) -> list[Any]:
    """The weights that cells, the numbers in their bands, and what is kept of them imply, as balls."""
    from flint import arb, fmpq

    found = [arb(0)] * len(times)
    largest = layers.largest(databases)
    for starts, ends in zip(layers.cells.starts.tolist(), layers.cells.ends.tolist(), strict=True):
        # drawn in the cell, uniformly in the band: the number in the band cancels, where it is the one counted
        inside = (largest < np.array(ends)).all(axis=1)
        count = layers.reference.table(ends[0] - 1, ends[-1] - 1).count
        listed = sum(times[row] for row in np.flatnonzero(inside).tolist())
        chance = arb(fmpq(count, listed)) if listed else arb(1)
        for start, end in zip(starts, ends, strict=True):
            chance *= layers._power(start) - layers._power(end)
        for row in np.flatnonzero(inside).tolist():
            reached = np.maximum(largest[row], starts).tolist()
            found[row] += times[row] * chance * layers._part_kept(starts, ends, reached)
    return found


def law(queries: Any, epsilon: float, rng: np.random.Generator) -> dict[str, Any]:
    """How far the implied law is from the listed one, and what a test of draws says."""
    from flint import arb, ctx, fmpq

    dataset = rng.integers(0, SMALL_DOMAIN, 20)
    listed = BlumLigettRoth(MATRICES[queries](SMALL_DOMAIN), epsilon, SMALL_SIZE)
    sanitiser = ThresholdSanitiser(SMALL_DOMAIN, epsilon, SMALL_SIZE, queries)
    exact = listed.distribution(dataset).exact
    databases = listed.databases(dataset)
    layers = sanitiser.layers(dataset)
    with ctx.workprec(400):
        rate = exact.epsilon / 2
        wanted = [
            times * arb(fmpq(rate.numerator * score, rate.denominator)).exp()
            for score, times in zip(exact.scores, exact.multiplicities, strict=True)
        ]
        found = implied(layers, databases, exact.multiplicities)
        whole, sum_found = sum(wanted[1:], wanted[0]), sum(found[1:], found[0])
        off = max(float(abs((f / sum_found) / (w / whole) - 1).upper()) for f, w in zip(found, wanted, strict=True))
        chances = np.array([float((w / whole).mid()) for w in wanted])
    places = {tuple(row): place for place, row in enumerate(databases.tolist())}
    seen = np.bincount(
        [places[tuple(row)] for row in sanitiser.sample(dataset, DRAWS, rng).tolist()], minlength=len(places)
    )
    common = chances * DRAWS >= 20
    counts = np.append(seen[common], seen[~common].sum())
    means = np.append(chances[common], chances[~common].sum()) * DRAWS
    statistic = float(((counts - means)[means > 0] ** 2 / means[means > 0]).sum())
    return {
        "queries": queries,
        "epsilon": epsilon,
        "cells": len(layers.cells.starts),
        "databases": len(wanted),
        "largest_deviation": off,
        "draws": DRAWS,
        "p_value": float(chi2.sf(statistic, int((means > 0).sum()) - 1)),
    }


def points(rng: np.random.Generator) -> Any:
    """10^5 points of 2^20, denser in the lower half."""
    return (rng.beta(2, 5, RECORDS) * LARGE_DOMAIN).astype(np.int64)


def speed(queries: Any, size: int, epsilon: float, rng: np.random.Generator) -> dict[str, Any]:
    """Seconds on one core: of one draw from a new dataset, and of a hundred more."""
    dataset = points(rng)
    began = time.process_time()
    layers = ThresholdSanitiser(LARGE_DOMAIN, epsilon, size, queries).layers(dataset)
    layers.sample(1, rng)
    one = time.process_time() - began
    began = time.process_time()
    layers.sample(100, rng)
    return {
        "queries": queries,
        "size": size,
        "epsilon": epsilon,
        "cells": len(layers.cells.starts),
        "one": round(one, 2),
        "hundred_more": round(time.process_time() - began, 2),
    }


def errors(size: int, epsilon: float, rng: np.random.Generator) -> dict[str, Any]:
    """The largest errors in an interval of sanitised databases, of both kinds."""
    dataset = points(rng)
    sanitiser = ThresholdSanitiser(LARGE_DOMAIN, epsilon, size)
    layers = sanitiser.layers(dataset)

    def found(databases: Any) -> Any:
        return layers.largest(databases).sum(axis=1) / (size * RECORDS)

    of_law = found(layers.sample(DATABASES, rng))
    tree = TreeSanitiser(LARGE_DOMAIN, epsilon, size)
    return {
        "size": size,
        "epsilon": epsilon,
        "least": 1 / size,
        "mean": float(of_law.mean()),
        "largest": float(of_law.max()),
        "allowed": sanitiser.accuracy(RECORDS, FAILURE),
        "allowed_always": sanitiser.accuracy(RECORDS, LEVEL),
        "library": float(found(tree.sample(dataset, DATABASES, rng)).mean()),
        "library_epsilon": float(Fraction(tree.claim.epsilon_value)),
    }


@dataclass(frozen=True)
class Task:
    """One cell of a table: its part of the report, and what is asked."""

    part: str
    asked: tuple[Any, ...]
    seed: int


def play(task: Task) -> dict[str, Any]:
    """Run one task."""
    run: dict[str, Callable[..., dict[str, Any]]] = {"law": law, "speed": speed, "errors": errors}
    return run[task.part](*task.asked, np.random.default_rng(task.seed))


def wrong(document: Mapping[str, Any]) -> list[str]:
    """What breaks the rules, a line each."""
    lines = [
        f"law of {one['queries']} at epsilon {one['epsilon']}: off by {one['largest_deviation']:.3g}, p-value "
        f"{one['p_value']:.3g}"
        for one in document["law"]
        if not (one["largest_deviation"] < CLOSE and one["p_value"] > LEVEL)
    ]
    lines += [
        f"one draw for {one['queries']} with {one['size']} points at epsilon {one['epsilon']}: {one['one']} s"
        for one in document["speed"]
        if one["one"] >= MOST_SECONDS
    ]
    return lines + [
        f"{one['size']} points at epsilon {one['epsilon']}: an error of {one['largest']:.4f}"
        for one in document["errors"]
        if one["largest"] > one["allowed_always"]
    ]


_HEADINGS = {
    "law": ("queries", "epsilon", "cells", "databases", "largest deviation", "p-value of draws"),
    "speed": ("queries", "points", "epsilon", "cells", "one draw, s", "a hundred more, s"),
    "errors": ("points", "epsilon", "1 / points", "mean", "largest", "allowed", "OpenDP's tree, mean"),
}
_TITLES = {
    "law": f"The law on {SMALL_DOMAIN} points, databases of {SMALL_SIZE}",
    "speed": "One draw from 100,000 points of 2^20",
    "errors": "The largest error in an interval, 100,000 points of 2^20",
}


def _rows(document: Mapping[str, Any]) -> dict[str, list[list[str]]]:
    return {
        "law": [
            [
                one["queries"],
                f"{one['epsilon']:g}",
                f"{one['cells']:,}",
                f"{one['databases']:,}",
                f"below 2^{math.ceil(math.log2(one['largest_deviation'])) if one['largest_deviation'] else -400}",
                f"{one['p_value']:.3f}",
            ]
            for one in document["law"]
        ],
        "speed": [
            [
                one["queries"],
                str(one["size"]),
                f"{one['epsilon']:g}",
                f"{one['cells']:,}",
                f"{one['one']:.2f}",
                f"{one['hundred_more']:.2f}",
            ]
            for one in document["speed"]
        ],
        "errors": [
            [
                str(one["size"]),
                f"{one['epsilon']:g}",
                *(f"{one[name]:.4f}" for name in ("least", "mean", "largest", "allowed", "library")),
            ]
            for one in document["errors"]
        ],
    }


def markdown(document: Mapping[str, Any]) -> str:
    """The report, made of its record alone."""
    broken = wrong(document)
    lines = [
        "# Sanitisers for thresholds and intervals",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, dpcheck {document['versions']['dpcheck']}). The "
        f"rules ({'BROKEN' if broken else 'kept'}): the law that the sampler's cells and bands imply is that of the "
        "listed databases to 2^-100, a chi-squared test of its draws has a p-value above 1e-9, one draw takes less "
        f"than {MOST_SECONDS:g} s, and no error is above the theorem's at a failure probability of 1e-9.",
        "",
        *(f"* {line}" for line in broken),
    ]
    notes = {
        "law": f"{DRAWS:,} draws each.",
        "speed": "Seconds of one core, the cells and tables of the dataset included in the first draw.",
        "errors": f"Intervals; {DATABASES} databases each; allowed by beimel2015:thm-A.3 at a failure probability of "
        f"{FAILURE:g}; the tree (4096 leaves, 16 children) at the same epsilon by OpenDP's own privacy map.",
    }
    for name, rows in _rows(document).items():
        lines += ["", f"## {_TITLES[name]}", "", notes[name], ""]
        lines += ["| " + " | ".join(_HEADINGS[name]) + " |", "|" + " ---: |" * len(_HEADINGS[name])]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    sizes, epsilons = (SIZES[:1], EPSILONS[:1]) if asked.quick else (SIZES, EPSILONS)
    asked_of: dict[str, list[tuple[Any, ...]]] = {
        "law": list(product(MATRICES, (0.1, 1.0, 10.0))),
        "speed": list(product(MATRICES, sizes, epsilons)),
        "errors": list(product(sizes, epsilons)),
    }
    parts = [(part, each) for part, listed in asked_of.items() for each in listed]
    tasks = [Task(*one, child_seed(asked.seed, place)) for place, one in enumerate(parts)]
    results = spread(play, tasks, asked.jobs, "parts")
    document: dict[str, Any] = {
        part: [result for task, result in zip(tasks, results, strict=True) if task.part == part] for part in asked_of
    }
    passed = not wrong(document)
    for name, rows in _rows(document).items():
        show(_TITLES[name], _HEADINGS[name], rows)
    for line in wrong(document):
        print(f"WRONG: {line}", file=sys.stderr)
    report = asked.json if asked.json is not None or asked.quick else REPORT
    write_json(Settings(asked.seed, asked.jobs, asked.quick, report), began, passed, document, {".md": markdown})
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
