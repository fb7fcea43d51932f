"""How many calls until a leak is found in answers that are more than one number?

Each learner leaks in one way only: an interaction of two coordinates, a length, a key, a member, an atom, two equal
coordinates, one noise in two answers, the bits of a float, the parameters of a fitted model. The claim is epsilon 1,
alpha 0.001, the pair given; the number is the median, over fresh seeds, of all calls of the verdict (the opening ones
included) of `dpcheck.audit` with its defaults.

Rules. Where a reference is given, the median is at most 1.5 times it, and no audit ends without a violation. The
references are medians of a prototype of this design with the same leaks (its last column: all learners averaged); for
kinds it did not have, of the leak with the same law (an event of probability 0.05 on one side, 0.5 on the other).
A model's leak without a reference is shown only.

Beside it: textbook Laplace noise under real numerics, in double and in single precision, where low-order bits may only
write a finding: it must be there in every run, and the verdict must not be a violation more often than alpha allows.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from bench import child_seed, settings, show, spread, write_json
from numpy.random import Generator
from numpy.typing import NDArray

import dpcheck

ALPHA = 0.001
CLAIM = 1.0
#: How much worse than the reference a median may be.
SLACK = 1.5
#: An audit that has found nothing by then has missed the leak.
HORIZON = 20_000
RUNS, QUICK_RUNS = 21, 3
#: Calls within which the finding on low-order bits must be there, and its runs.
FINDING_HORIZON = 4_000
#: Probability of the planted event on the two sides, where a leak is an event.
OFTEN, SELDOM = 0.5, 0.05
PAIR = (np.array([0.0]), np.array([1.0]))


def _event(data: Any, rng: Generator) -> bool:
    return bool(rng.random() < (OFTEN if data[0] else SELDOM))


def interaction(data: Any, rng: Generator) -> NDArray[np.float64]:
    """Two coordinates whose signs agree with odds e^2 on D', disagree with them on D; each alone says nothing."""
    agree = (rng.random() < 1.0 / (1.0 + np.exp(-2.0))) == bool(data[0])
    sign = rng.choice((-1.0, 1.0))
    return np.abs(rng.normal(size=2)) * (sign, sign if agree else -sign)


def one_of_twenty(data: Any, rng: Generator) -> NDArray[np.float64]:
    """One coordinate of twenty with Laplace noise of half the scale."""
    found = rng.laplace(size=20)
    found[7] = data[0] + rng.laplace(scale=0.5)
    return found


def length(data: Any, rng: Generator) -> list[float]:
    """A list of numbers that say nothing, whose length is geometric with 0.2 or 0.5."""
    return [float(x) for x in rng.normal(size=rng.geometric(0.5 if data[0] else 0.2))]


def rare_none(data: Any, rng: Generator) -> float | None:
    """None with probability 0.05 or 0.002, else a number that says nothing."""
    return None if rng.random() < (0.002 if data[0] else 0.05) else float(rng.normal())


def member(data: Any, rng: Generator) -> set[int]:
    """A set of some of eight numbers; one of them is the event."""
    found = {one for one in range(8) if one != 3 and rng.random() < 0.3}
    return found | {3} if _event(data, rng) else found


def missing_key(data: Any, rng: Generator) -> dict[str, float]:
    """A dictionary of numbers that say nothing, in which one key may be missing."""
    found = {"mean": rng.laplace(), "spread": abs(rng.normal()), "median": rng.laplace()}
    if _event(data, rng):
        del found["median"]
    return found


def equal_coordinates(data: Any, rng: Generator) -> NDArray[np.float64]:
    """Three coordinates, two of which may be equal."""
    found = rng.normal(size=3)
    if _event(data, rng):
        found[2] = found[0]
    return found


def shared_noise(data: Any, rng: Generator) -> NDArray[np.float64]:
    """Two answers that may share one noise, so that their difference is the difference of what is asked."""
    noise = rng.laplace(size=2)
    return np.array([3.0, 4.7]) + (noise[0] if _event(data, rng) else noise)


def bits(data: Any, rng: Generator) -> float:
    """Textbook Laplace noise in floating point: exactly epsilon 1 over the reals."""
    return float(data[0] + rng.laplace())


def bits_single(data: Any, rng: Generator) -> np.float32:
    """The same in single precision."""
    uniform = np.float32(1.0) - rng.random(dtype=np.float32)
    return np.float32(np.float32(data[0]) + np.float32(rng.choice((-1.0, 1.0))) * -np.log(uniform))


def text(data: Any, rng: Generator) -> str:
    """A sentence with a number in it: Laplace noise of half the scale."""
    return f"the mean of {rng.integers(90, 99)} rows is {data[0] + rng.laplace(scale=0.5):.6f}"


def frame(data: Any, rng: Generator) -> Any:
    """A data frame with one cell in six of half the scale."""
    import pandas as pd

    table = pd.DataFrame({"mean": rng.laplace(size=3), "total": rng.laplace(size=3)}, index=["a", "b", "c"])
    table.loc["b", "total"] = data[0] + rng.laplace(scale=0.5)
    return table


@dataclass(frozen=True)
class Fit:
    """A fitted model of somebody's own."""

    weights: NDArray[np.float64]
    note: str


def dataclass_of_arrays(data: Any, rng: Generator) -> Fit:
    """A dataclass with one of four weights of half the scale."""
    weights = rng.laplace(size=4)
    weights[2] = data[0] + rng.laplace(scale=0.5)
    return Fit(weights, "converged")


def _labelled() -> tuple[Any, Any]:
    """Thirty rows of three features; the neighbour has the label of the row farthest out flipped."""
    rng = np.random.default_rng(20)
    x = rng.normal(size=(30, 3))
    y = (x[:, 0] > 0).astype(np.int64)
    other = y.copy()
    other[np.argmax(np.abs(x[:, 0]))] ^= 1
    return (x, y), (x, other)


def coefficients(data: Any, rng: Generator) -> Any:
    """A logistic regression of scikit-learn with Laplace(0.15) on what was fitted."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit(*data)
    model.coef_ = model.coef_ + rng.laplace(scale=0.15, size=model.coef_.shape)
    model.intercept_ = model.intercept_ + rng.laplace(scale=0.15, size=1)
    return model


def tree(data: Any, rng: Generator) -> Any:
    """A decision tree fitted to a resample: its arrays, and what it predicts."""
    from sklearn.tree import DecisionTreeClassifier

    x, y = data
    rows = rng.integers(0, len(y), len(y))
    return DecisionTreeClassifier(max_depth=2, random_state=0).fit(x[rows], y[rows])


class Sealed:
    """A model that is bytes to all but itself: what it predicts is all that can be had."""

    def __init__(self, state: bytes) -> None:
        self.state = state

    def predict_proba(self, x: Any) -> NDArray[np.float64]:
        """The probabilities of two classes, per row."""
        found = 1.0 / (1.0 + np.exp(-np.frombuffer(self.state) * np.asarray(x)[:, 0]))
        return np.column_stack([1.0 - found, found])


def predictions(data: Any, rng: Generator) -> Sealed:
    """A model whose slope, the number of ones, has Laplace noise of half the scale, seen through its predictions."""
    return Sealed(np.array([data[1].sum() + rng.laplace(scale=0.5)]).tobytes())


@dataclass(frozen=True)
class Case:
    """A learner with one leak, and the calls in which it ought to be found (None: shown only)."""

    name: str
    learner: Callable[[Any, Generator], Any]
    reference: int | None
    numerics: str = "real"
    labelled: bool = False


CASES = (
    Case("XOR of two coordinates", interaction, 400),
    Case("one Laplace coordinate of 20", one_of_twenty, 500),
    Case("length of a list", length, 781),
    Case("None, rare", rare_none, 2977),
    Case("member of a set", member, 625),
    Case("missing key", missing_key, 625),
    Case("equal coordinates", equal_coordinates, 625),
    Case("constant difference", shared_noise, 625),
    Case("float bits", bits, 500, numerics="exact"),
    Case("float32 bits", bits_single, 500, numerics="exact"),
    Case("number in a text", text, 500),
    Case("cell of a data frame", frame, 500),
    Case("array in a dataclass", dataclass_of_arrays, 500),
    Case("sklearn coefficients", coefficients, 200, labelled=True),
    Case("decision tree of a resample", tree, None, labelled=True),
    Case("predictions of a sealed model", predictions, 500, labelled=True),
)
#: Textbook noise under real numerics: what the finding must see.
NOISES = (Case("Laplace", bits, None), Case("Laplace, float32", bits_single, None))


@dataclass(frozen=True)
class Outcome:
    """One audit: its calls, whether it ended in a violation, and whether it found floating point to blame."""

    calls: int
    violated: bool
    finding: bool
    event: str
    seconds: float


@dataclass(frozen=True)
class Task:
    """One audit of one case."""

    place: int
    run: int
    seed: int


def play(task: Task) -> Outcome:
    """The outcome of one audit."""
    case = (*CASES, *NOISES)[task.place]
    shown_only = task.place >= len(CASES)
    pair = _labelled() if case.labelled else PAIR
    began = time.process_time()
    verdict = dpcheck.audit(
        case.learner,
        CLAIM,
        pairs=[pair],
        alpha=ALPHA,
        numerics=case.numerics,
        max_samples=FINDING_HORIZON if shown_only else HORIZON,
        max_seconds=3600.0,
        isolation="none",
        seed=child_seed(task.seed, task.place, task.run),
    )
    return Outcome(
        verdict.samples,
        verdict.status is dpcheck.Status.VIOLATED,
        any(finding.kind == "floating point" for finding in verdict.findings),
        verdict.witness.event if verdict.witness is not None else "",
        time.process_time() - began,
    )


def verdict_of(case: Case, outcomes: list[Outcome]) -> str:
    """The word in the last column."""
    if case.reference is None:
        return "shown"
    found = all(one.violated for one in outcomes)
    return "holds" if found and np.median([one.calls for one in outcomes]) <= SLACK * case.reference else "FAILS"


def main() -> int:
    """Run, print, write; 1 when a rule does not hold."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    runs = QUICK_RUNS if asked.quick else RUNS
    everything = (*CASES, *NOISES)
    tasks = [Task(place, run, asked.seed) for run in range(runs) for place in range(len(everything))]
    results = spread(play, tasks, asked.jobs, "audits")
    found: list[list[Outcome]] = [[] for _ in everything]
    for task, outcome in zip(tasks, results, strict=True):
        found[task.place].append(outcome)
    leaks = list(zip(CASES, found, strict=False))
    show(
        f"Calls until the leak is found (claim {CLAIM:g}, alpha {ALPHA:g}, {runs} seeds)",
        ("leak", "event found (one run)", "median", "quartiles", "reference", "at most", "missed", ""),
        [
            (
                case.name,
                outcomes[0].event[:60],
                f"{np.median([one.calls for one in outcomes]):,.0f}",
                "{:,.0f}, {:,.0f}".format(*np.quantile([one.calls for one in outcomes], (0.25, 0.75))),
                f"{case.reference:,}" if case.reference else "",
                f"{SLACK * case.reference:,.0f}" if case.reference else "",
                str(sum(not one.violated for one in outcomes)),
                verdict_of(case, outcomes),
            )
            for case, outcomes in leaks
        ],
        left=2,
    )
    noises = list(zip(NOISES, found[len(CASES) :], strict=True))
    show(
        f"Textbook noise under real numerics, {FINDING_HORIZON:,} calls",
        ("noise", "runs", "with the finding", "violated", ""),
        [
            (
                case.name,
                str(len(outcomes)),
                str(sum(one.finding for one in outcomes)),
                str(sum(one.violated for one in outcomes)),
                noise_verdict(outcomes),
            )
            for case, outcomes in noises
        ],
    )
    verdicts = [verdict_of(case, outcomes) for case, outcomes in leaks] + [noise_verdict(some) for _, some in noises]
    failed = verdicts.count("FAILS")
    print(f"{failed} of {len(verdicts)} rows break their rule")
    cells = [
        {
            "leak": case.name,
            "planted": (case.learner.__doc__ or "").strip(),
            "numerics": case.numerics,
            "reference": case.reference,
            "median": float(np.median([one.calls for one in outcomes])),
            "verdict": word,
            "runs": [asdict(one) for one in outcomes],
        }
        for (case, outcomes), word in zip([*leaks, *noises], verdicts, strict=True)
    ]
    write_json(asked, began, failed == 0, {"alpha": ALPHA, "claim": CLAIM, "slack": SLACK, "cells": cells})
    return 1 if failed else 0


def noise_verdict(outcomes: list[Outcome]) -> str:
    """Every run has the finding, and at most one a false alarm (two of 21 at 0.001 would be a defect)."""
    return "holds" if all(one.finding for one in outcomes) and sum(one.violated for one in outcomes) <= 1 else "FAILS"


if __name__ == "__main__":
    sys.exit(main())
