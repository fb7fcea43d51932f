"""Audits of the worst pairs of some events: what dpcheck certifies, and which accountants it refutes.

Each samples an output from which the privacy loss can be read (a sum, a count, the loss itself), so nothing is lost.
The last ones are run with half the noise that their event says: a planted mistake, of a mechanism whose accountant is
right.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dpcheck

Event = Mapping[str, Any]
Floats = NDArray[np.float64]
#: A certified bound exceeds the truth with at most this probability, each.
ALPHA = 1e-4
OUTPUTS = 200_000


@dataclass(frozen=True)
class Audit:
    """An event's name, the delta at which it is measured, and what its noise is multiplied by when it is run."""

    event: str
    delta: float
    noise: float = 1.0


AUDITS = (
    Audit("randomised response, noise 0.5, buckets 2, 10 steps, replace-one", 1e-2),
    Audit("randomised response, noise 0.9, buckets 2, 100 steps, replace-one", 1e-5),
    Audit("gaussian, sigma 2, 1 step, replace-one", 1e-2),
    Audit("laplace, scale 2, 10 steps, replace-one", 1e-2),
    Audit("without replacement Gaussian, records 1000, batch 100, sigma 2, 1 step, replace-one", 1e-5),
    Audit("gaussian, sigma 1, 1 step", 1e-2),
    Audit("laplace, scale 1, 1 step", 1e-5),
    Audit("Poisson Gaussian, rate 0.5, sigma 1, 1 step", 1e-2),
    Audit("Poisson Gaussian, rate 0.1, sigma 2, 100 steps", 1e-2),
    Audit("gaussian, sigma 1, 1 step", 1e-2, noise=0.5),
    Audit("laplace, scale 1, 1 step", 1e-5, noise=0.5),
)


def sampler(event: Event, noise: float = 1.0) -> Callable[[Any, int, np.random.Generator], Floats]:
    """Outputs of the worst pair: of dataset 1 with the record, of 0 without it or with the other one."""
    (part,) = event["parts"]
    moved = 2.0 if event["relation"] == "replace-one" else 1.0
    count = int(part["count"])

    def sample(dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        there = float(np.asarray(dataset).sum())
        match part["kind"]:
            case "gaussian":
                shift = math.sqrt(count) * moved / (part["sigma"] * noise)
                return np.asarray(rng.normal(size=size) + shift * there)
            case "laplace":
                shift = moved / (part["scale"] * noise)
                drawn = rng.laplace(size=(size, count)) + shift * there
                return np.asarray((np.abs(drawn) - np.abs(drawn - shift)).sum(axis=1))
            case "randomised response":
                other = part["noise"] * noise / part["buckets"]
                return np.asarray(rng.binomial(count, 1 - other if there else other, size=size), dtype=np.float64)
            case "Poisson Gaussian" | "without replacement Gaussian":
                rate = part["rate"] if "rate" in part else part["batch"] / part["records"]
                shift = moved / (part["sigma"] * noise)
                taken = rng.random((size, count)) < rate * there
                drawn = rng.normal(size=(size, count)) + shift * taken
                losses = np.log1p(rate * np.expm1(shift * drawn - shift**2 / 2))
                return np.asarray(losses.sum(axis=1))
        raise ValueError(f"kind must be one with a sampler, got {part['kind']!r}")

    return sample


def certified(event: Event, audit: Audit, seed: int, outputs: int = OUTPUTS) -> float:
    """The lower bound of epsilon at the audit's delta that `dpcheck.measure` certifies."""
    found = dpcheck.measure(
        dpcheck.from_sampler(sampler(event, audit.noise)),
        delta=audit.delta,
        pairs=[([1], [0])],
        alpha=ALPHA,
        max_samples=outputs,
        max_seconds=math.inf,  # the number of outputs is fixed: not fewer on a busy machine
        isolation="none",
        seed=seed,
    )
    if found.failure:
        raise RuntimeError(f"{audit.event}: {found.failure}")
    return float(found.epsilon_lower)


def compared(audit: Audit, bound: float, truth: tuple[float, float], said: Mapping[str, float]) -> dict[str, Any]:
    """What the bound refutes: accountants that say less; and whether it is below the truth of what was run."""
    refuted = sorted(name for name, value in said.items() if value < bound)
    return {
        "event": audit.event,
        "delta": audit.delta,
        "noise": audit.noise,
        "certified": bound,
        "low": truth[0],
        "high": truth[1],
        "holds": bound <= truth[1],
        "refuted": refuted,
        "not_refuted": sorted(set(said) - set(refuted)),
    }
