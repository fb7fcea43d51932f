"""opacus' accountants: Rényi divergences, privacy random variables, and the central limit theorem (GDP)."""

from __future__ import annotations

import sys
from typing import Any

from opacus.accountants import GaussianAccountant, PRVAccountant, RDPAccountant

from peers.accounts import Accountant, Asked, Event, NotOffered, main


def asked(made: Any, event: Event) -> Asked:
    """The accountant with the event as its history of steps."""
    if event["relation"] != "add-remove":
        raise NotOffered
    history = []
    for given in event["parts"]:
        if given["kind"] not in ("gaussian", "Poisson Gaussian"):
            raise NotOffered
        history.append((given["sigma"], given.get("rate", 1.0), given["count"]))
    made.history = history
    return Asked(made.get_epsilon)


def by_gdp(event: Event) -> Asked:
    """The limit theorem, which takes steps of one kind."""
    if len(event["parts"]) > 1:
        raise NotOffered
    return asked(GaussianAccountant(), event)


ACCOUNTANTS: dict[str, Accountant] = {
    "opacus RDP": lambda event: asked(RDPAccountant(), event),
    "opacus PRV": lambda event: asked(PRVAccountant(), event),
    "opacus GDP": by_gdp,
}

if __name__ == "__main__":
    sys.exit(main(ACCOUNTANTS))
