"""prv-accountant: its upper bound, at the errors that it recommends."""

from __future__ import annotations

import math
import sys
from typing import Any

import prv_accountant as prv

from peers.accounts import Accountant, Asked, Event, NotOffered, main

#: In epsilon, and in delta as a part of the delta asked: "typically around 10^-3 delta".
EPSILON_ERROR, DELTA_ERROR = 0.01, 1e-3
#: In delta, where an epsilon is given.
ABSOLUTE_DELTA_ERROR = 1e-10


def variable(given: dict[str, Any], event: Event) -> Any:
    """A privacy random variable."""
    kind, replaced = given["kind"], event["relation"] == "replace-one"
    if kind == "gaussian":
        return prv.GaussianMechanism(given["sigma"], l2_sensitivity=2.0 if replaced else 1.0)
    if kind == "laplace" and not replaced:
        return prv.LaplaceMechanism(1 / given["scale"])
    if kind == "randomised response" and given["buckets"] == 2:
        return prv.PureDPMechanism(math.log((2 - given["noise"]) / given["noise"]))
    if kind == "Poisson Gaussian" and not replaced:
        return prv.PoissonSubsampledGaussianMechanism(given["rate"], given["sigma"])
    raise NotOffered


def by_prv(event: Event) -> Asked:
    """The upper bounds."""
    variables = [variable(given, event) for given in event["parts"]]
    counts = [given["count"] for given in event["parts"]]

    def made(delta_error: float) -> Any:
        return prv.PRVAccountant(
            prvs=variables, max_self_compositions=counts, eps_error=EPSILON_ERROR, delta_error=delta_error
        )

    return Asked(
        lambda delta: made(delta * DELTA_ERROR).compute_epsilon(delta, counts)[2],
        lambda epsilon: made(ABSOLUTE_DELTA_ERROR).compute_delta(epsilon, counts)[2],
    )


ACCOUNTANTS: dict[str, Accountant] = {"prv-accountant": by_prv}

if __name__ == "__main__":
    sys.exit(main(ACCOUNTANTS))
