"""Laws that are not those of the calls, and honest ones, over outputs of any kind: what an exact audit says of each.

Learners are drawn by hypothesis (``mixed_laws.py``) from ``--seed``, and audited at the default level and budget. A lie
must be failed or refuted, or be smaller than what the verdict says it would have seen, or stand on a dataset that it
says it did not compare. An honest learner must never be failed or refuted. Cases of other seeds are held apart.

    python benchmarks/lying_laws.py --lying 150 --fair 500 --seed 1

The exit status is 1 where a rule is broken.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from mixed_laws import Case, cases

import dpcheck
from dpcheck import Status
from dpcheck.model.verdict import Verdict

#: Cases are drawn and nothing else: not kept, not made smaller.
FREELY = settings(database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


@dataclass(frozen=True)
class Result:
    """What came of a case; ``rule`` is the rule it broke, or nothing."""

    words: str
    kind: str
    status: str
    rule: str
    why: str
    calls: int
    seconds: float


def drawn(count: int, seed: int, *, lying: bool) -> list[Case]:
    """So many cases."""
    found: list[Case] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(lying=lying))
    def one(case: Case) -> None:
        found.append(case)

    one()
    return found[:count]


def rule_of(case: Case, verdict: Verdict) -> str:
    """The rule that a verdict breaks, or nothing."""
    status = verdict.status
    if case.learner.kind == "fair":
        if status in (Status.LEARNER_FAILED, Status.VIOLATED):
            return "an honest learner was accused"
        return "" if status is Status.NO_VIOLATION_FOUND else "an honest learner was not cleared"
    if status in (Status.LEARNER_FAILED, Status.VIOLATED):
        return ""
    if verdict.exact is None or not verdict.exact.seen:
        return "" if status is Status.INCONCLUSIVE else "no power is stated"
    if verdict.exact.datasets_compared < verdict.exact.datasets:
        return ""
    return (
        "" if case.learner.difference() <= max(seen.anywhere for seen in verdict.exact.seen) else "a lie was believed"
    )


def audited(case: Case, seed: int, **options: Any) -> Result:
    """The verdict on a case."""
    began = time.process_time()
    verdict = dpcheck.audit(case.learner, case.claim, seed=seed, **(case.where | {"isolation": "none"} | options))
    why = verdict.failure or "; ".join(str(finding.detail) for finding in verdict.findings)
    return Result(
        case.words,
        case.learner.kind,
        str(verdict.status),
        rule_of(case, verdict),
        why,
        verdict.samples,
        time.process_time() - began,
    )


def main() -> int:
    """Draw, audit, print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lying", type=int, default=150)
    parser.add_argument("--fair", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--isolation", default="none", help="where learners run: none, process or auto")
    parser.add_argument("--max-samples", type=int, default=1_000_000)
    parser.add_argument("--json", type=Path)
    given_options = parser.parse_args()
    options = {"isolation": given_options.isolation, "max_samples": given_options.max_samples}
    found: list[Result] = []
    for count, lying in ((given_options.lying, True), (given_options.fair, False)):
        for number, case in enumerate(drawn(count, given_options.seed, lying=lying)) if count else ():
            result = audited(case, given_options.seed * 100_003 + number, **options)
            found.append(result)
            if result.rule:
                print(f"{result.rule}: {result.words}\n    {result.status}: {result.why}", flush=True)
    table = collections.Counter((result.kind, result.status) for result in found)
    for (kind, status), times in sorted(table.items()):
        print(f"{kind:14} {status:22} {times:5}")
    broken = [result for result in found if result.rule]
    seconds = sum(result.seconds for result in found)
    print(f"{len(found)} learners, {len(broken)} against the rules, {seconds:.0f} s of the processor")
    if given_options.json is not None:
        given_options.json.write_text(json.dumps([asdict(result) for result in found], indent=1) + "\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
