"""One raw record hidden in an output, and the same output without it: what an audit says of each.

Cases are drawn by hypothesis (``hidden_places.py``) from ``--seed``. Of each two learners are audited on the pair
([0], [1]): one puts the record into its place, one a fair coin. The first must be refuted, or its place named as not
looked at (then the verdict is not clean); the second must never be accused. Cases of other seeds are held apart.

    python benchmarks/hidden_records.py --count 250 --seed 1

The exit status is 1 where a record stayed silently clean, or a learner without a leak was accused.
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

import numpy as np
from hidden_places import KINDS, Hidden, hidden
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

import dpcheck
from dpcheck import Status
from dpcheck.privacy.statistics.places import UNSEEN

#: Calls of each audit, and the level of those of learners without a leak.
CALLS, ALPHA = 600, 1e-9
#: Calls of an audit of a learner with the record: a place that is rarely there, or one of many, takes more.
CALLS_OF_LEAKS = 4000
#: A leak of this size must be in reach of the audits of learners with a coin, else they are inconclusive.
DETECT = 30.0


@dataclass(frozen=True)
class Result:
    """What came of a case: of the learner with the record, and of the one with a coin."""

    words: str
    kind: str
    leak: str
    calls: int
    fair: str
    said: str
    seconds: float


def cases(count: int, seed: int, kinds: tuple[str, ...] = ()) -> list[Hidden]:
    """So many different cases that hypothesis draws from a seed, of all kinds in turn."""
    wanted = kinds or tuple(KINDS)
    of_each = -(-count // len(wanted))
    drawn = [_drawn(of_each, seed, place, (name,)) for place, name in enumerate(wanted)]
    in_turn = [some[turn] for turn in range(of_each) for some in drawn if turn < len(some)]
    return in_turn[:count]


def _drawn(count: int, seed: int, place: int, kinds: tuple[str, ...]) -> list[Hidden]:
    found: dict[Hidden, None] = {}

    @seeded(seed * len(KINDS) + place)
    @settings(
        max_examples=6 * count + 4,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(hidden(kinds))
    def draw(case: Hidden) -> None:
        found.setdefault(case)

    draw()
    return list(found)[-count:]  # the first ones are the simplest


@dataclass(frozen=True)
class Learner:
    """Puts the record, or a fair coin, into the place of a case."""

    case: Hidden
    leaks: bool

    def __call__(self, dataset: list[int], rng: np.random.Generator) -> Any:
        return self.case.output(dataset[0] if self.leaks else int(rng.integers(0, 2)), rng)


def audited(case: Hidden, *, leaks: bool, seed: int) -> dpcheck.Verdict:
    """The audit of one of the two learners of a case."""

    return dpcheck.audit(
        Learner(case, leaks),
        1.0,
        pairs=[([0], [1])],
        numerics=case.numerics,
        isolation="none",
        max_samples=CALLS_OF_LEAKS if leaks else CALLS,
        max_seconds=600.0,
        detect=None if leaks else DETECT,
        alpha=ALPHA,
        seed=seed,
    )


def outcome(verdict: dpcheck.Verdict) -> str:
    """``refuted``, ``named`` as not looked at (and not clean), ``unknown`` with a reason, ``failed``, or ``clean``."""
    if verdict.status is Status.VIOLATED:
        return "refuted"
    if verdict.status is Status.LEARNER_FAILED:
        return "failed"
    if verdict.status is Status.NO_VIOLATION_FOUND:
        return "clean"
    named = any(finding.kind == UNSEEN for finding in verdict.findings)
    return "named" if named else "unknown"


def result(case: Hidden, seed: int, *, both: bool = True) -> Result:
    began = time.process_time()
    leak = audited(case, leaks=True, seed=seed)
    fair = audited(case, leaks=False, seed=seed) if both else leak
    said = "; ".join([f"{f.kind}: {f.detail[:90]}" for f in leak.findings] + [str(leak.stop), leak.failure[:90]])
    return Result(
        case.words,
        case.kind,
        outcome(leak),
        leak.samples,
        outcome(fair) if both else "not asked",
        said,
        time.process_time() - began,
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", default=[], help="only kinds whose name holds one of these words")
    parser.add_argument("--leaks", action="store_true", help="leave out the learners with a coin")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(arguments)
    kinds = tuple(name for name in KINDS if any(word in name for word in asked.kinds))
    began = time.process_time()
    results = []
    for place, case in enumerate(cases(asked.count, asked.seed, kinds)):
        found = result(case, asked.seed + place, both=not asked.leaks)
        results.append(found)
        if found.leak not in ("refuted", "named") or found.fair not in ("clean", "named", "not asked"):
            print(f"{found.leak:8} {found.fair:8} {found.words} | {found.said}", flush=True)
    leaks, fairs = (collections.Counter(getattr(r, side) for r in results) for side in ("leak", "fair"))
    print(f"{len(results)} cases of {len({r.kind for r in results})} kinds: with the record {dict(leaks)}; ", end="")
    print(f"with a coin {dict(fairs)}; {time.process_time() - began:.0f} CPU seconds")
    if asked.json:
        asked.json.write_text(json.dumps([asdict(r) for r in results], indent=1) + "\n", encoding="utf-8")
    return int(any(r.leak == "clean" or r.fair == "refuted" for r in results))


if __name__ == "__main__":
    sys.exit(main())
