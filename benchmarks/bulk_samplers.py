"""Bulk samplers that lie, and honest ones: what an audit says of a learner with ``sample`` beside its calls.

Correct calls stand behind samples with less and more noise, and with draws that depend on each other in many ways:
none may be VIOLATED; each must fail, or the verdict must say that the difference is below what it would have seen.
Leaky calls stand behind good samples: VIOLATED or failed, and never cleared. Honest samplers are never accused.

    python benchmarks/bulk_samplers.py --runs 20 --honest 200 --seed 1

The exit status is 1 where a rule is broken.
"""

from __future__ import annotations

import argparse
import collections
import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dpcheck
from dpcheck import Status
from dpcheck.model.verdict import Verdict
from dpcheck.privacy.run.bulk_agreement import SEPARATE

Draw = Callable[[np.random.Generator, int], NDArray[Any]]

#: The claim of every learner, and its calls' noise where they are correct: Laplace of scale 1 on records 0 and 1.
CLAIM = 1.0


def laplace(rng: np.random.Generator, size: int) -> NDArray[Any]:
    return rng.laplace(size=size)


def of_uniform(uniform: NDArray[Any]) -> NDArray[Any]:
    """Laplace noise from numbers between 0 and 1."""
    near = np.clip(np.minimum(uniform, 1.0 - uniform), 1e-300, None)
    return -np.sign(uniform - 0.5) * np.log(2.0 * near)


def of_scale(scale: float) -> Draw:
    return lambda rng, n: scale * laplace(rng, n)


def repeated(block: int) -> Draw:
    return lambda rng, n: np.repeat(laplace(rng, n // block + 1), block)[:n]


def copied_at(lag: int) -> Draw:
    """Each stretch of ``lag`` draws comes twice."""

    def draw(rng: np.random.Generator, size: int) -> NDArray[Any]:
        values = laplace(rng, size)
        for start in range(0, size, 2 * lag):
            again = values[start + lag : start + 2 * lag]
            again[:] = values[start : start + len(again)]
        return values

    return draw


def antithetic(rng: np.random.Generator, size: int) -> NDArray[Any]:
    half = laplace(rng, size // 2 + 1)
    return np.concatenate([half, -half])[:size]


def moving_average(rng: np.random.Generator, size: int) -> NDArray[Any]:
    """Normal scores of neighbours with a correlation of a half, as Laplace noise."""
    from scipy.special import ndtr

    plain = rng.normal(size=size + 1)
    return of_uniform(np.asarray(ndtr((plain[1:] + plain[:-1]) / math.sqrt(2.0))))


def autoregressive(rng: np.random.Generator, size: int) -> NDArray[Any]:
    from scipy.signal import lfilter
    from scipy.special import ndtr

    plain = rng.normal(size=size) * math.sqrt(1.0 - 0.5**2)
    plain[:1] /= math.sqrt(1.0 - 0.5**2)
    return of_uniform(np.asarray(ndtr(lfilter([1.0], [1.0, -0.5], plain))))


def stratified(rng: np.random.Generator, size: int) -> NDArray[Any]:
    return of_uniform(rng.permutation((np.arange(size) + rng.random(size)) / size))


def cycle(rng: np.random.Generator, size: int) -> NDArray[Any]:
    return of_uniform((rng.random() + np.arange(size) * 0.6180339887498949) % 1.0)


def tiled(rng: np.random.Generator, size: int) -> NDArray[Any]:
    """A list of noise, gone through again and again."""
    return np.resize(laplace(rng, 64), size)


#: Draws of the right law that depend on each other.
DEPENDENT: dict[str, Draw] = {
    "blocks of 10": repeated(10),
    "pairs": repeated(2),
    "copies at lag 7": copied_at(7),
    "copies at lag 50": copied_at(50),
    "copies, shuffled": lambda rng, n: rng.permutation(repeated(2)(rng, n)),
    "antithetic halves": antithetic,
    "antithetic, shuffled": lambda rng, n: rng.permutation(antithetic(rng, n)),
    "stratified": stratified,
    "sorted": lambda rng, n: np.sort(laplace(rng, n)),
    "cycle of a list": tiled,
    "low discrepancy": cycle,
    "moving average": moving_average,
    "autoregressive": autoregressive,
    "one shift for all": lambda rng, n: laplace(rng, n) + 0.5 * rng.normal(),
}
#: Independent draws of another law.
SCALES = (0.3, 0.6, 0.8, 0.95, 1.05, 1.25, 1.6, 3.0)


@dataclass(frozen=True)
class Sampled:
    """Laplace noise of a scale in its calls, and something else in ``sample``."""

    draw: Draw
    scale: float = 1.0

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(dataset[0]) + self.scale * float(rng.laplace())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        return float(dataset[0]) + self.draw(rng, size)


@dataclass(frozen=True)
class Result:
    """What came of a run; ``rule`` is the rule it broke, or nothing."""

    family: str
    kind: str
    status: str
    rule: str
    why: str
    calls: int
    seconds: float


def rule_of(family: str, verdict: Verdict) -> str:
    """The rule that a verdict breaks, or nothing."""
    status = verdict.status
    said = [finding.detail for finding in verdict.findings if finding.kind == SEPARATE]
    if family == "honest":
        accused = status in (Status.VIOLATED, Status.LEARNER_FAILED)
        return "an honest sampler was accused" if accused else ""
    if family == "leaky calls":
        return "leaky calls were cleared" if status is Status.NO_VIOLATION_FOUND else ""
    if status is Status.VIOLATED:
        return "correct calls were accused"
    if status is Status.LEARNER_FAILED or (said and "total variation above" in said[0]):
        return ""
    return "no power is stated"


def families() -> list[tuple[str, str, Sampled]]:
    """All that lie: family, kind, learner."""
    found = [("dependent", name, Sampled(draw)) for name, draw in DEPENDENT.items()]
    found += [("other noise", f"scale {scale:g}", Sampled(of_scale(scale))) for scale in SCALES]
    found += [("leaky calls", f"true epsilon {1 / scale:.2f}", Sampled(laplace, scale)) for scale in (0.3, 0.5, 0.7)]
    return found


def audited(family: str, kind: str, learner: Any, seed: int, calls: int, alpha: float) -> Result:
    """The verdict on one learner."""
    began = time.process_time()
    verdict = dpcheck.audit(
        learner,
        CLAIM,
        pairs=[([0.0], [1.0])],
        alpha=alpha,
        seed=seed,
        max_samples=calls,
        max_seconds=math.inf,
        isolation="none",
    )
    why = verdict.failure or "; ".join(finding.detail for finding in verdict.findings)
    cost = time.process_time() - began
    return Result(family, kind, str(verdict.status), rule_of(family, verdict), why, verdict.samples, cost)


def main() -> int:
    """Audit, print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20, help="seeds of each lie")
    parser.add_argument("--honest", type=int, default=200, help="seeds of the honest sampler")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-samples", type=int, default=200_000)
    parser.add_argument("--alpha", type=float, default=1e-6)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    tasks = [task for task in families() for _ in range(given.runs)]
    tasks += [("honest", "Laplace", Sampled(laplace))] * given.honest
    found: list[Result] = []
    for number, (family, kind, learner) in enumerate(tasks):
        seed = given.seed * 1_000_003 + number
        result = audited(family, kind, learner, seed, given.max_samples, given.alpha)
        found.append(result)
        if result.rule:
            print(f"{result.rule}: {kind}, seed {seed}\n    {result.status}: {result.why}", flush=True)
    table = collections.Counter((result.family, result.kind, result.status) for result in found)
    for (family, kind, status), times in sorted(table.items()):
        print(f"{family:12} {kind:22} {status:22} {times:5}")
    broken = sum(bool(result.rule) for result in found)
    seconds = sum(result.seconds for result in found)
    print(f"{len(found)} audits, {broken} against the rules, {seconds:.0f} s of the processor")
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(result) for result in found], indent=1) + "\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
