"""Do the doubles that continuous learners release tell more of the data than their real numbers would?

Each learner of wang2016 whose hypotheses are real numbers or vectors, and each as it drew in doubles before (kept in
the zoo), is measured with exact numerics, where bit patterns are events, on pairs made to have flat and steep pieces:
the first of each learner is designed (flat between two records on one side, steep on the other; a piece of few bits
against one of many), the others are generated (one to three records, of few bits and of many).

`dpcheck.measure` learns on a first part of the draws and certifies epsilon once on the rest, at level 1e-6 a row. Null:
the bits say no more than the density, whose largest log ratio on the pair is known (`exact_loss`; a cell's is at most
1/64 nats farther); "found" is a certified epsilon above it. Nothing may be found of the learners, and all of the others
must be found.

    python benchmarks/bits_of_learners.py --draws 1000000 --count 3
    python benchmarks/bits_of_learners.py --check 20000
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench import child_seed, show

import dpcheck
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.learners.discovery import entry as learner_entry
from dpcheck.parts.zoo import entry as zoo_entry

ALPHA = 1e-6
#: What a cell's log ratio may exceed the density's by: the logarithm of a density changes by 1/64 over a cell.
OF_A_CELL = 1 / 64
#: Far more than any row takes: the number of draws is what ends it.
MAX_SECONDS = 7200.0

#: Numbers of few bits, at which pieces begin for which draws are multiples of a power of 2.
FEW_BITS = (0.0, 1.0, 0.5, 0.25)
Numbers = list[float]


@dataclass(frozen=True)
class Subject:
    """A learner, how numbers become its records, its designed pair of numbers, and what is expected of it."""

    name: str
    learner: Any
    designed: tuple[Numbers, Numbers]
    records: Callable[[Numbers], Any] = list
    leaks: bool = False

    def bound(self, left: Any, right: Any) -> float:
        """The true loss of the densities on a pair, nats; the claim where no closed form is offered."""
        for offered in ("exact_loss", "profile"):
            if hasattr(self.learner, offered):
                found = getattr(self.learner, offered)
                return float(found(left, right) if offered == "exact_loss" else _both(found, left, right))
        return float(self.learner.claim.epsilon_value)


def _both(profile: Callable[[Any, Any], Any], left: Any, right: Any) -> float:
    return max(profile(left, right).epsilon(0.0), profile(right, left).epsilon(0.0))


def _labelled(numbers: Numbers) -> Any:
    return numbers, [1] * len(numbers)


def _vectors(numbers: Numbers) -> Any:
    return [(x, 1 - x) for x in numbers]


def _directions(numbers: Numbers) -> Any:
    return [(2 * x - 1, 1 - x) for x in numbers], [1] * len(numbers)


#: Flat between records at 0 and 1, falling above two at 0; below 1/2 of few bits, below 0.3 of many.
CROSSED, SHIFTED = ([1.0, 0.0], [0.0, 0.0]), ([0.5], [0.3])


def subjects() -> Iterator[Subject]:
    """The learners as they are, then as they drew in doubles."""
    for name, designed, records in (
        ("thresholds_on_interval", SHIFTED, _labelled),
        ("median_on_interval", CROSSED, list),
        ("perturbed_minimiser", CROSSED, list),
        ("perturbed_minimiser_as_printed", CROSSED, list),
        ("log_concave", CROSSED, list),
        ("log_concave_as_printed", CROSSED, list),
        ("distances_on_box", CROSSED, _vectors),
        ("logistic_on_box", CROSSED, _directions),
    ):
        yield Subject(name, learner_entry(f"wang2016.{name}").learner(), designed, records)
    for name, designed, records in (
        ("thresholds_on_interval_in_floats", SHIFTED, list),
        ("median_on_interval_in_floats", CROSSED, list),
        ("perturbed_minimiser_in_floats", CROSSED, list),
        ("log_concave_in_floats", CROSSED, list),
        ("distances_on_box_in_floats", CROSSED, lambda numbers: [(x, x) for x in numbers]),
        ("mean_in_floats", CROSSED, list),
    ):
        yield Subject(name, zoo_entry(name).learner(), designed, records, leaks=True)


def pairs(subject: Subject, count: int, rng: np.random.Generator) -> Iterator[tuple[Any, Any]]:
    """The designed pair, then generated ones: one record of few bits becomes another or one of many bits."""

    def one() -> float:
        return float(rng.choice(FEW_BITS)) if rng.random() < 0.5 else float(rng.random())

    yield subject.records(subject.designed[0]), subject.records(subject.designed[1])
    for _ in range(count - 1):
        rest = [one() for _ in range(int(rng.integers(3)))]
        before = float(rng.choice(FEW_BITS))
        after = before
        while after == before:
            after = one()
        yield subject.records([before, *rest]), subject.records([after, *rest])


@dataclass(frozen=True)
class Row:
    """What was certified on one pair."""

    learner: str
    pair: str
    designed: bool
    draws: int
    true_loss: float
    certified: float
    event: str
    found: bool
    as_expected: bool
    seconds: float


def measured(subject: Subject, pair: tuple[Any, Any], draws: int, seed: int, *, designed: bool) -> Row:
    """A row; ``seconds`` are of CPU. Of an old learner only the designed pair must be found."""
    assert ReplaceOne().distance_problem(*pair) is None
    began = time.process_time()
    found = dpcheck.measure(
        dpcheck.from_sampler(subject.learner.sample),
        pairs=[pair],
        numerics="exact",
        alpha=ALPHA,
        max_samples=2 * draws,
        max_seconds=MAX_SECONDS,
        isolation="none",
        seed=seed,
    )
    loss = subject.bound(*pair)
    told = found.epsilon_lower > loss + OF_A_CELL
    return Row(
        subject.name,
        f"{pair[0]} against {pair[1]}",
        designed,
        found.samples,
        loss,
        found.epsilon_lower,
        found.witness.event if found.witness is not None else "",
        told,
        told == subject.leaks or (subject.leaks and not designed),
        round(time.process_time() - began, 1),
    )


def checked(calls: int, seed: int, only: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """What `check_floating_point` says of each old learner with so many calls: its name, the status, the sentence."""
    for subject in subjects():
        if not subject.leaks or (only and not any(word in subject.name for word in only)):
            continue
        found = zoo_entry(subject.name)
        (result,) = dpcheck.check_learner(
            found.learner,
            found.claim,
            checks=["floating_point"],
            neighbours=found.relation,
            max_samples=calls,
            max_seconds=MAX_SECONDS,
            isolation="none",
            seed=seed,
        )
        yield subject.name, result.status.value, result.sentence


def main() -> int:
    """Run, print, write; 1 when a row is not as expected."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=1_000_000, help="of each side of a pair")
    parser.add_argument("--count", type=int, default=2, help="pairs of each learner, the designed one among them")
    parser.add_argument("--seed", type=int, default=None, help="of pairs and draws (default: fresh)")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="learners whose name holds one of these")
    parser.add_argument("--check", type=int, metavar="CALLS", help="check_floating_point on the old ones, and no draws")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    asked = parser.parse_args()
    seed = asked.seed if asked.seed is not None else int(np.random.SeedSequence().generate_state(1)[0])
    print(f"seed: {seed}", flush=True)
    if asked.check is not None:
        said = list(checked(asked.check, seed, asked.only))
        show(f"check_floating_point, at most {asked.check:,} calls an audit", ("learner", "status", "sentence"), said)
        return 0 if all(status == "failed" for _, status, _ in said) else 1
    rows = []
    for place, subject in enumerate(subjects()):
        if asked.only and not any(word in subject.name for word in asked.only):
            continue
        made = pairs(subject, asked.count, np.random.default_rng([seed, place]))
        for number, pair in enumerate(made):
            row = measured(subject, pair, asked.draws, child_seed(seed, place, number), designed=number == 0)
            rows.append(row)
            print(f"{row.learner} {row.pair}: {row.certified:.3f} of {row.true_loss:.3f}", file=sys.stderr, flush=True)
    show(
        f"Bits of continuous learners: epsilon certified with exact numerics, level {ALPHA:g} a row",
        ("learner", "pair", "draws", "true loss", "certified", "found", "CPU s", ""),
        [
            (
                row.learner, row.pair, f"{row.draws:,}", f"{row.true_loss:.3f}", f"{row.certified:.3f}",
                "yes" if row.found else "no", f"{row.seconds:.0f}", "holds" if row.as_expected else "FAILS",
            )
            for row in rows
        ],
        left=2,
    )  # fmt: skip
    if asked.json is not None:
        told = {"seed": seed, "alpha": ALPHA, "rows": [asdict(row) for row in rows]}
        asked.json.write_text(json.dumps(told, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return 0 if all(row.as_expected for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
