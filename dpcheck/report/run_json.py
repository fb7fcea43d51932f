"""The run document: every record of a run in one JSON file, from which any view can be made again."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from dpcheck.report.exit_status import exit_of, exit_status
from dpcheck.report.finished import Audited, NotAudited, Run
from dpcheck.report.words import status_of, would_have_caught

SCHEMA = "dpcheck-run/1"


def render(run: Run) -> str:
    """The document ``dpcheck-run/1``: how the run was made, a line per target, and the records themselves.

    >>> json.loads(render(Run(())))["exit_status"]
    5
    """
    # A record writes its own non-finite floats as strings: json.loads would otherwise let NaN through.
    records = [json.loads(verdict.to_json(), parse_constant=_refused) for verdict in run.verdicts]
    document = {
        "schema": SCHEMA,
        "argv": list(run.argv),
        "seed": run.seed,
        "environment": None if run.environment is None else asdict(run.environment),
        "level": run.level,
        "exit_status": int(exit_status(run)),
        "results": _results(run),
        "records": records,
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _results(run: Run) -> list[dict[str, Any]]:
    numbers = iter(range(len(run.verdicts)))
    return [_result(result, next(numbers) if isinstance(result, Audited) else None) for result in run.results]


def _result(result: Audited | NotAudited, number: int | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "target": result.target,
        "status": status_of(result),
        "exit_status": int(exit_of(result)),
        "record": number,
        "location": None if result.location is None else asdict(result.location),
    }
    if isinstance(result, NotAudited):
        return {**shown, "problem": result.problem}
    return {
        **shown,
        "would_have_caught": would_have_caught(result),
        "expected": result.expected.value,
        "allow_inconclusive": result.allow_inconclusive,
        "origin": result.origin,
    }


def _refused(constant: str) -> float:
    raise ValueError(f"a record holds the bare constant {constant}, which is not JSON")
