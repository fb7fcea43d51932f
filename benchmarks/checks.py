"""Every check both ways: all checks on correct learners, and each on the learner that must fail it.

Each row is a check. Under a correct learner stands what the check said of it; under "must fail" the learner with the
defect that the check is there for, what was said of it, and how many other checks it fails.

Rule: no check fails a correct learner (but where that is known, with its reason, in `checked_subjects.py`), each passes
at least three correct ones, and each fails the learner with its defect. Writes `reports/checks.json` (or where --json
says), and the same as Markdown beside it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import Settings, child_seed, settings, show, spread, write_json
from checked_subjects import correct, failing

from dpcheck import CheckResult, check_learner
from dpcheck.checks import CheckStatus
from dpcheck.checks.discovery import all_checks
from dpcheck.report.inert_markdown import as_cell

ALPHA = 1e-9
#: What brings a claim of 1 to twice that on each of three situations, where outputs are vectors.
CALLS, QUICK_CALLS = 40_000, 100
#: Some checks need a thousand calls to fail anything: what is broken has its budget also where there is little time.
FAILING_CALLS = 12_000
#: Correct learners that each check passes, at least.
LEAST_PASSES = 3
PASSED = CheckStatus.PASSED.value
#: The number of calls ends an audit, the clock only where a machine is far too busy.
MAX_SECONDS = 120.0
#: A learner that hangs is one after this; none of the subjects takes a tenth of it.
CALL_TIMEOUT = 2.0
REPORT = Path(__file__).resolve().parent.parent / "reports" / "checks.json"


@dataclass(frozen=True)
class Task:
    """One check of one learner; ``correct`` says from which of the two lists it is."""

    correct: bool
    place: int
    check: str
    calls: int
    seed: int


@dataclass(frozen=True)
class Cell:
    """What one check said of one learner."""

    check: str
    learner: str
    status: str
    sentence: str
    level: float
    calls: int
    seconds: float


def play(task: Task) -> Cell:
    """Run one check."""
    subject = correct()[task.place] if task.correct else list(failing().values())[task.place]
    (result,) = check_learner(
        subject.learner,
        subject.claim,
        **subject.data,
        alpha=ALPHA,
        checks=[task.check],
        max_samples=task.calls,
        max_seconds=MAX_SECONDS,
        call_timeout=CALL_TIMEOUT,
        seed=task.seed,
        name=subject.name,
    )
    return _cell(result)


def _said(cell: Cell, *, known: bool) -> str:
    return f"{cell.status} (known)" if known and cell.status == CheckStatus.FAILED.value else cell.status


def _cell(result: CheckResult) -> Cell:
    return Cell(
        result.check,
        result.target,
        result.status.value,
        result.sentence,
        result.level,
        result.calls,
        round(result.seconds, 2),
    )


def main() -> int:
    """Run, print, write; 1 when the rule is broken."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    names = [check.name for check in all_checks()]
    calls = QUICK_CALLS if asked.quick else CALLS
    tasks = [
        Task(True, place, name, calls, child_seed(asked.seed, place, number))
        for place, subject in enumerate(correct())
        for number, name in enumerate(names)
        if not subject.checks or name in subject.checks
    ]
    tasks += [
        Task(False, place, name, FAILING_CALLS, child_seed(asked.seed, len(correct()), place))
        for place, name in enumerate(failing())
    ]
    # which other checks the broken ones fail: few, as each has one defect; small budgets show the gross ones
    broken = {subject.name: place for place, subject in enumerate(failing().values())}
    if not asked.quick:
        tasks += [
            Task(False, place, name, QUICK_CALLS, child_seed(asked.seed, len(correct()) + 1, place, number))
            for place in broken.values()
            for number, name in enumerate(names)
        ]
    cells = spread(play, tasks, asked.jobs, "checks")
    done = list(zip(tasks, cells, strict=True))
    of_correct = {(cell.check, cell.learner): cell for task, cell in done if task.correct}
    must_fail = {cell.check: cell for task, cell in done if not task.correct and task.calls == FAILING_CALLS}
    others = {
        learner: sorted(
            cell.check
            for task, cell in done
            if not task.correct and task.calls == QUICK_CALLS and cell.learner == learner and cell.status == "failed"
        )
        for learner in broken
    }
    bad = {CheckStatus.FAILED.value, CheckStatus.ERROR.value}
    known = {(name, subject.name) for subject in correct() for name in subject.known}
    passed = not any(cell.status in bad and place not in known for place, cell in of_correct.items())
    passed &= all(must_fail[name].status == CheckStatus.FAILED.value for name in names)
    passes = {
        name: [learner for (check, learner), cell in of_correct.items() if check == name and cell.status == PASSED]
        for name in names
    }
    passed &= asked.quick or all(len(learners) >= LEAST_PASSES for learners in passes.values())
    learners = [subject.name for subject in correct() if not subject.checks]
    rows = [
        [
            name.removeprefix("check_"),
            *(_said(of_correct[name, learner], known=(name, learner) in known) for learner in learners),
            ", ".join(learner for learner in passes[name] if learner not in learners),
            must_fail[name].learner,
            must_fail[name].status,
            str(len([other for other in others[must_fail[name].learner] if other != name])) if not asked.quick else "",
        ]
        for name in names
    ]
    header = ("check", *learners, "other correct ones it passes", "must fail", "status", "other checks it fails")
    show(f"{len(names)} checks, {calls:,} calls each at level {ALPHA:g}", header, rows)
    result = {
        "alpha": ALPHA,
        "calls": calls,
        "correct": [asdict(cell) for cell in of_correct.values()],
        "must_fail": [asdict(cell) for cell in must_fail.values()],
        "failed_by_the_broken": others,
    }
    written = asked if asked.json is not None else Settings(asked.seed, asked.jobs, asked.quick, _default(asked.quick))
    write_json(written, began, passed, result)
    if written.json is not None:
        written.json.with_suffix(".md").write_text(
            _markdown(header, rows, must_fail, calls, passed=passed), encoding="utf-8"
        )
    return 0 if passed else 1


def _default(quick: bool) -> Path | None:
    """A quick run leaves the report alone."""
    return None if quick else REPORT


def _markdown(
    header: tuple[str, ...], rows: list[list[str]], must_fail: dict[str, Cell], calls: int, *, passed: bool
) -> str:
    lines = [
        "# Every check both ways",
        "",
        f"Written by `python benchmarks/checks.py`: {len(rows)} checks with at most {calls:,} calls in each audit of "
        f"a correct learner and {FAILING_CALLS:,} of one that must fail, each statistical one at level {ALPHA:g}. The "
        "rule: none fails a correct learner, but where that is known (their noise is in doubles, their claims are of "
        f"real numbers), each passes {LEAST_PASSES} correct ones at least, and each fails the learner that has its "
        f"defect: {'kept' if passed else 'BROKEN'}. The last column counts the other checks which that one fails.",
        "",
        f"| {' | '.join(header)} |",
        f"|{' --- |' * len(header)}",
        *(f"| {' | '.join(map(as_cell, row))} |" for row in rows),
        "",
        "## What the checks said of the learners that must fail them",
        "",
        "| check | learner | what was said | calls |",
        "| --- | --- | --- | ---: |",
        *(
            f"| {as_cell(one.check)} | {as_cell(one.learner)} | {as_cell(one.sentence)} | {one.calls:,} |"
            for one in must_fail.values()
        ),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
