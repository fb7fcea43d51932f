"""dp-accounting's two accountants, as its events ask them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import dp_accounting
from dp_accounting import pld, rdp

from peers.accounts import Accountant, Asked, Event, NotOffered, main

RELATIONS = {
    "add-remove": dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
    "replace-one": dp_accounting.NeighboringRelation.REPLACE_ONE,
}


def part(given: Mapping[str, Any]) -> Any:
    """An event of dp-accounting."""
    kind = given["kind"]
    if kind == "gaussian":
        made = dp_accounting.GaussianDpEvent(given["sigma"])
    elif kind == "laplace":
        made = dp_accounting.LaplaceDpEvent(given["scale"])
    elif kind == "randomised response":
        made = dp_accounting.RandomizedResponseDpEvent(given["noise"], given["buckets"])
    elif kind == "discrete laplace":
        made = dp_accounting.dp_event.DiscreteLaplaceDpEvent(given["parameter"], 1)
    elif kind == "Poisson Gaussian":
        made = dp_accounting.PoissonSampledDpEvent(given["rate"], dp_accounting.GaussianDpEvent(given["sigma"]))
    elif kind == "Poisson Laplace":
        made = dp_accounting.PoissonSampledDpEvent(given["rate"], dp_accounting.LaplaceDpEvent(given["scale"]))
    elif kind == "without replacement Gaussian":
        gaussian = dp_accounting.GaussianDpEvent(given["sigma"])
        made = dp_accounting.SampledWithoutReplacementDpEvent(given["records"], given["batch"], gaussian)
    else:
        raise NotOffered
    return dp_accounting.SelfComposedDpEvent(made, given["count"])


def asked(accountant: Any, event: Event) -> Asked:
    """The accountant, with all parts composed."""
    parts = [part(given) for given in event["parts"]]
    whole = parts[0] if len(parts) == 1 else dp_accounting.ComposedDpEvent(parts)
    if not accountant.supports(whole):
        raise NotOffered
    accountant.compose(whole)
    return Asked(accountant.get_epsilon, accountant.get_delta)


def by_pld(event: Event) -> Asked:
    """Privacy loss distributions."""
    if [given["kind"] for given in event["parts"]] == ["discrete gaussian"] and event["relation"] == "add-remove":
        (given,) = event["parts"]
        found = pld.privacy_loss_distribution.from_discrete_gaussian_mechanism(given["sigma"])
        found = found.self_compose(given["count"])
        return Asked(found.get_epsilon_for_delta, found.get_delta_for_epsilon)
    return asked(pld.PLDAccountant(RELATIONS[event["relation"]]), event)


def by_rdp(event: Event) -> Asked:
    """Rényi divergences."""
    return asked(rdp.RdpAccountant(neighboring_relation=RELATIONS[event["relation"]]), event)


ACCOUNTANTS: dict[str, Accountant] = {"dp-accounting PLD": by_pld, "dp-accounting RDP": by_rdp}

if __name__ == "__main__":
    sys.exit(main(ACCOUNTANTS))
