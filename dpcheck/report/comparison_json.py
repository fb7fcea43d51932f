"""A comparison as JSON: the document ``dpcheck-comparison/1``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from dpcheck.history.comparisons import Change, Compared, Comparison
from dpcheck.model.verdict.record import environment, plain
from dpcheck.report.comparison import exit_of_compared, exit_of_comparison, word_of

SCHEMA = "dpcheck-comparison/1"


def render(comparison: Comparison) -> str:
    """The document: how the run was made, and each entry with all its quantities. NaN is null.

    >>> json.loads(render(Comparison((), 1e-6, 0)))["exit_status"]
    5
    """
    document = {
        "schema": SCHEMA,
        "argv": list(comparison.argv),
        "baseline": comparison.path,
        "seed": comparison.seed,
        "alpha": comparison.alpha,
        "level": comparison.level,
        "strict": comparison.strict,
        "environment": asdict(environment()),
        "exit_status": int(exit_of_comparison(comparison)),
        "results": [_result(result, comparison) for result in comparison.results],
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _result(result: Compared, comparison: Comparison) -> dict[str, Any]:
    return {
        "learner": result.name,
        "state": result.state.name.lower(),
        "verdict": word_of(result),
        "exit_status": int(exit_of_compared(result, comparison)),
        "level": result.level,
        "problem": result.problem,
        "seconds": round(result.seconds, 3),
        "changes": [_change(change) for change in result.changes],
    }


def _change(change: Change) -> dict[str, Any]:
    shown: dict[str, Any] = plain(change)
    return {key: None if value == "nan" else value for key, value in shown.items()}
