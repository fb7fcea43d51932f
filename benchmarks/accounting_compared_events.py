"""The events of `accounting_compared.py`, and the pairs of laws that are worst for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from accounting_compared_laws import (
    GaussianLoss,
    LaplaceLoss,
    Loss,
    SampledGaussianLoss,
    SampledLaplaceLoss,
    SampledReplacementLoss,
    discrete_gaussian,
    discrete_laplace,
    randomised_response,
)
from accounting_compared_truth import Steps

Event = Mapping[str, Any]
ADD_REMOVE, REPLACE_ONE = "add-remove", "replace-one"
#: At these deltas epsilon is asked; delta is asked at two epsilons that are near the truth at `EPSILONS_NEAR`.
DELTAS = (1e-2, 1e-5, 1e-8, 1e-12)
EPSILONS_NEAR = (1e-3, 1e-7)
#: Sampling without replacement is told as a batch out of so many records.
RECORDS = 1000

#: What each kind's truth rests on, and what it is the truth of.
THEOREMS = {
    "gaussian": "Balle & Wang 2018, theorem 8; losses of Gaussian steps add up to a normal law",
    "laplace": "the loss is a function of the output; losses of steps add up (Sommer, Meiser & Mohammadi 2019)",
    "randomised response": "two losses and 0, a finite law; sums are multiples of the loss",
    "discrete gaussian": "a lattice of losses (Canonne, Kamath & Steinke 2020)",
    "discrete laplace": "two losses, a finite law",
    "Poisson Gaussian": "dominating pairs of Zhu, Dong & Wang 2022, theorem 11; both are attained",
    "Poisson Laplace": "dominating pairs of Zhu, Dong & Wang 2022, theorem 11; both are attained",
    "without replacement Gaussian": (
        "two pairs that are attained, by records at the norm; Zhu, Dong & Wang 2022, theorem 11, has no worse for "
        "one step"
    ),
}
#: Kinds of which the truth is that of pairs that are attained, and no more: an accountant above it may be tight.
ATTAINED_ONLY = (("Poisson Gaussian", REPLACE_ONE), ("without replacement Gaussian", REPLACE_ONE))


def pairs(event: Event) -> list[Steps]:
    """The ordered pairs that are worst for the event: the losses of their steps, and how often each is made."""
    both = (True, False) if any(_sampled(part) for part in event["parts"]) else (True,)
    return [
        tuple((loss(part, event["relation"], removed), part["count"]) for part in event["parts"]) for removed in both
    ]


def _sampled(part: Mapping[str, Any]) -> bool:
    return str(part["kind"]).startswith(("Poisson", "without"))


def loss(part: Mapping[str, Any], relation: str, removed: bool) -> Loss:
    """The privacy loss of one step. Noise is over the norm of a record: to replace one moves a sum by twice that."""
    moved = 2.0 if relation == REPLACE_ONE else 1.0
    match part["kind"]:
        case "gaussian":
            return GaussianLoss(moved / part["sigma"])
        case "laplace":
            return LaplaceLoss(moved / part["scale"])
        case "randomised response":
            return randomised_response(part["noise"], part["buckets"])
        case "discrete gaussian":
            return discrete_gaussian(part["sigma"])
        case "discrete laplace":
            return discrete_laplace(part["parameter"])
        case "Poisson Gaussian" if relation == REPLACE_ONE:
            return SampledReplacementLoss(part["rate"], 1 / part["sigma"])
        case "Poisson Gaussian":
            return SampledGaussianLoss(part["rate"], 1 / part["sigma"], removed)
        case "Poisson Laplace":
            return SampledLaplaceLoss(part["rate"], 1 / part["scale"], removed)
        case "without replacement Gaussian":
            return SampledGaussianLoss(part["batch"] / part["records"], moved / part["sigma"], removed)
    raise ValueError(f"kind must be one of {', '.join(THEOREMS)}, got {part['kind']!r}")


def events(quick: bool = False) -> list[dict[str, Any]]:
    """All of them; the quick ones are one of each kind, with few steps."""
    made = list(_all())
    if not quick:
        return made
    first: dict[tuple[str, str], dict[str, Any]] = {}
    for event in made:
        if all(part["count"] <= 10 for part in event["parts"]):
            first.setdefault((event["kind"], event["relation"]), event)
    return list(first.values())


def _all() -> Iterator[dict[str, Any]]:
    for sigma, count in ((0.3, 1), (1.0, 1), (10.0, 1), (1.0, 10), (5.0, 100), (20.0, 1000)):
        yield _event(ADD_REMOVE, kind="gaussian", sigma=sigma, count=count)
    for scale, count in ((0.2, 1), (1.0, 1), (1.0, 10), (10.0, 100), (30.0, 1000)):
        yield _event(ADD_REMOVE, kind="laplace", scale=scale, count=count)
    for parameter, count in ((0.5, 1), (0.5, 10), (0.1, 100)):
        yield _event(ADD_REMOVE, kind="discrete laplace", parameter=parameter, count=count)
    for sigma, count in ((0.7, 1), (3.0, 10), (10.0, 100)):
        yield _event(ADD_REMOVE, kind="discrete gaussian", sigma=sigma, count=count)
    for rate, sigma, count in (
        (0.001, 1.0, 1), (0.01, 1.0, 1), (0.1, 0.5, 1), (0.5, 1.0, 1), (0.01, 1.0, 10), (0.1, 2.0, 100),
        (0.001, 0.6, 1000), (0.01, 1.0, 1000), (0.02, 4.0, 1000), (0.5, 10.0, 1000),
    ):  # fmt: skip
        yield _event(ADD_REMOVE, kind="Poisson Gaussian", rate=rate, sigma=sigma, count=count)
    for rate, scale, count in ((0.1, 1.0, 1), (0.05, 1.0, 100)):
        yield _event(ADD_REMOVE, kind="Poisson Laplace", rate=rate, scale=scale, count=count)
    for noise, buckets, count in (
        (0.5, 2, 1),
        (0.5, 2, 10),
        (0.9, 2, 100),
        (0.9, 2, 1000),
        (0.6, 10, 1),
        (0.6, 10, 10),
    ):
        yield _event(REPLACE_ONE, kind="randomised response", noise=noise, buckets=buckets, count=count)
    for sigma, count in ((2.0, 1), (2.0, 10), (40.0, 1000)):
        yield _event(REPLACE_ONE, kind="gaussian", sigma=sigma, count=count)
    yield _event(REPLACE_ONE, kind="laplace", scale=2.0, count=10)
    for rate, sigma, count in ((0.1, 1.0, 1), (0.1, 2.0, 100)):
        yield _event(REPLACE_ONE, kind="Poisson Gaussian", rate=rate, sigma=sigma, count=count)
    for batch, sigma, count in ((100, 2.0, 1), (100, 4.0, 100), (10, 2.0, 1000)):
        yield _event(
            REPLACE_ONE, kind="without replacement Gaussian", records=RECORDS, batch=batch, sigma=sigma, count=count
        )
    yield _mixture({"kind": "gaussian", "sigma": 2.0, "count": 3}, {"kind": "laplace", "scale": 2.0, "count": 5})
    yield _mixture(
        {"kind": "gaussian", "sigma": 5.0, "count": 1},
        {"kind": "Poisson Gaussian", "rate": 0.05, "sigma": 1.0, "count": 50},
    )
    yield _mixture(
        {"kind": "Poisson Gaussian", "rate": 0.01, "sigma": 1.0, "count": 100},
        {"kind": "Poisson Gaussian", "rate": 0.05, "sigma": 2.0, "count": 100},
    )


def _event(relation: str, **part: Any) -> dict[str, Any]:
    return {"name": _named([part], relation), "relation": relation, "kind": part["kind"], "parts": [part]}


def _mixture(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"name": _named(list(parts), ADD_REMOVE), "relation": ADD_REMOVE, "kind": "mixture", "parts": list(parts)}


def _named(parts: list[dict[str, Any]], relation: str) -> str:
    said = []
    for part in parts:
        numbers = [f"{key} {value:g}" for key, value in part.items() if key not in ("kind", "count")]
        steps = f"{part['count']} steps" if part["count"] > 1 else "1 step"
        said.append(f"{part['kind']}, {', '.join(numbers)}, {steps}")
    return " + ".join(said) + (", replace-one" if relation == REPLACE_ONE else "")


def rounded_down(value: float) -> float:
    """To two digits, and no larger: what is asked is a short number."""
    if value <= 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(f"{math.floor(value / unit) * unit:.6g}")
