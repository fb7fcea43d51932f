"""autodp's accountants: Rényi divergences, and characteristic functions (AFA)."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from autodp import mechanism_zoo, transformer_zoo

from peers.accounts import Accountant, Asked, Event, NotOffered, main


def moved(event: Event) -> float:
    """How far a neighbour moves a sum of records of norm 1: autodp's noise is over this."""
    return 2.0 if event["relation"] == "replace-one" else 1.0


def mechanism(given: Mapping[str, Any], event: Event, by_phi: bool) -> Any:
    """A mechanism of autodp, with the one representation that is asked for."""
    kind, off = given["kind"], {"RDP_off": by_phi, "phi_off": not by_phi}
    if kind == "gaussian":
        return mechanism_zoo.GaussianMechanism(given["sigma"] / moved(event), approxDP_off=True, **off)
    if kind == "laplace" and event["relation"] == "add-remove":
        return mechanism_zoo.LaplaceMechanism(given["scale"], **off)
    if kind == "randomised response" and given["buckets"] == 2:
        return mechanism_zoo.RandresponseMechanism(1 - given["noise"] / 2, **off)
    if kind == "discrete gaussian" and event["relation"] == "add-remove" and not by_phi:
        return mechanism_zoo.DiscreteGaussianMechanism(given["sigma"])
    raise NotOffered


def by_rdp(event: Event) -> Asked:
    """Each part's Rényi divergence, sampled where it says so; then composed."""
    made = []
    for given in event["parts"]:
        if given["kind"] == "Poisson Gaussian" and event["relation"] == "add-remove":
            inner = mechanism_zoo.GaussianMechanism(given["sigma"])
            sampled = transformer_zoo.AmplificationBySampling(PoissonSampling=True)
            made.append(sampled(inner, given["rate"], improved_bound_flag=True))
        elif given["kind"] == "Poisson Laplace" and event["relation"] == "add-remove":
            # the tighter bound is for mechanisms that meet a condition, which its documents leave to the user
            sampled = transformer_zoo.AmplificationBySampling(PoissonSampling=True)
            made.append(sampled(mechanism_zoo.LaplaceMechanism(given["scale"]), given["rate"]))
        elif given["kind"] == "without replacement Gaussian":
            inner = mechanism_zoo.GaussianMechanism(given["sigma"] / moved(event))
            inner.neighboring = "replace_one"
            sampled = transformer_zoo.AmplificationBySampling(PoissonSampling=False)
            made.append(sampled(inner, given["batch"] / given["records"], improved_bound_flag=True))
        else:
            made.append(mechanism(given, event, by_phi=False))
    whole = transformer_zoo.Composition()(made, [given["count"] for given in event["parts"]])
    return Asked(whole.get_approxDP, whole.get_approx_delta)


def by_phi(event: Event) -> Asked:
    """Characteristic functions; where records are sampled both directions are asked for, and the larger is taken."""
    sampled = any(given["kind"].startswith("Poisson") for given in event["parts"])
    if sampled and event["relation"] != "add-remove":
        raise NotOffered
    both = [_composed(event, way) for way in (("add_only", "remove_only") if sampled else ("add_remove",))]
    return Asked(
        lambda delta: max(one.get_approxDP(delta) for one in both),
        lambda epsilon: max(one.get_approx_delta(epsilon) for one in both),
    )


def _composed(event: Event, way: str) -> Any:
    made = []
    for given in event["parts"]:
        if given["kind"] == "Poisson Gaussian":
            inner = mechanism({**given, "kind": "gaussian"}, event, by_phi=True)
            inner.neighboring = way
            sample = transformer_zoo.AmplificationBySampling_pld(PoissonSampling=True, neighboring=way)
            made.append(sample(inner, given["rate"]))
        else:
            made.append(mechanism(given, event, by_phi=True))
    return transformer_zoo.ComposeAFA()(made, [given["count"] for given in event["parts"]])


def by_gaussians(event: Event) -> Asked:
    """The analytic Gaussian mechanism, and its compositions."""
    if any(given["kind"] != "gaussian" for given in event["parts"]):
        raise NotOffered
    made = [mechanism_zoo.ExactGaussianMechanism(given["sigma"] / moved(event)) for given in event["parts"]]
    whole = transformer_zoo.ComposeGaussian()(made, [given["count"] for given in event["parts"]])
    return Asked(whole.get_approxDP)


ACCOUNTANTS: dict[str, Accountant] = {
    "autodp RDP": by_rdp,
    "autodp AFA": by_phi,
    "autodp exact Gaussian": by_gaussians,
}

if __name__ == "__main__":
    sys.exit(main(ACCOUNTANTS))
