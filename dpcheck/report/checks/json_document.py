"""The document ``dpcheck-checks/1``: every result, and the records of the audits they rest on."""

from __future__ import annotations

import json
from typing import Any

from dpcheck.checks.result import CheckResult
from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked, exit_of_result, exit_status

SCHEMA = "dpcheck-checks/1"


def render(run: CheckRun) -> str:
    """The run as JSON; records of audits stand in ``records``, and results name them by number.

    >>> json.loads(render(CheckRun(())))["exit_status"]
    5
    """
    records: list[Any] = []
    document = {
        "schema": SCHEMA,
        "argv": list(run.argv),
        "seed": run.seed,
        "level": run.level,
        "exit_status": int(exit_status(run)),
        "learners": [_learner(one, run, records) for one in run.learners],
        "records": records,
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _learner(one: Checked | NotChecked, run: CheckRun, records: list[Any]) -> dict[str, Any]:
    if isinstance(one, NotChecked):
        return {"target": one.target, "trouble": one.trouble.value, "problem": one.problem}
    return {
        "target": one.target,
        "interrupted": one.interrupted,
        "checks": [_result(result, run, records) for result in one.results],
    }


def _result(result: CheckResult, run: CheckRun, records: list[Any]) -> dict[str, Any]:
    number = None
    if result.evidence is not None and result.evidence.record is not None:
        number = len(records)
        records.append(json.loads(result.evidence.to_json()))
    exit = exit_of_result(result, allow_inconclusive=run.allow_inconclusive)
    return {
        "check": result.check,
        "status": result.status.value,
        "exit_status": None if exit is None else int(exit),
        "sentence": result.sentence,
        "hint": result.hint,
        "level": result.level,
        "calls": result.calls,
        "seconds": round(result.seconds, 3),
        "learner_failed": result.learner_failed,
        "expected_failure": result.expected,
        "record": number,
    }
