"""jax-privacy's accountant of a DP-SGD training, over dp-accounting's two."""

from __future__ import annotations

import sys
from typing import Any

from jax_privacy.accounting import accountants, analysis

from peers.accounts import Accountant, Asked, Event, NotOffered, main

#: A training set of which every rate that is asked is a whole batch.
RECORDS = 100_000


def asked(config: Any, event: Event) -> Asked:
    """A training of so many updates."""
    if len(event["parts"]) > 1:
        raise NotOffered
    (given,) = event["parts"]
    if given["kind"] == "Poisson Gaussian" and event["relation"] == "add-remove":
        method, rate = analysis.SamplingMethod.POISSON, given["rate"]
    elif given["kind"] == "without replacement Gaussian":
        method, rate = analysis.SamplingMethod.FIXED_BATCH_SIZE, given["batch"] / given["records"]
    else:
        raise NotOffered
    accountant = analysis.DpsgdTrainingAccountant(config)

    def epsilon(delta: float) -> float:
        params = analysis.DpParams(
            noise_multipliers=given["sigma"],
            num_samples=RECORDS,
            delta=delta,
            batch_size=round(rate * RECORDS),
            sampling_method=method,
        )
        return float(accountant.compute_epsilon(given["count"], params))

    return Asked(epsilon)


ACCOUNTANTS: dict[str, Accountant] = {
    "jax-privacy PLD": lambda event: asked(accountants.PldAccountantConfig(), event),
    "jax-privacy RDP": lambda event: asked(accountants.RdpAccountantConfig(), event),
}

if __name__ == "__main__":
    sys.exit(main(ACCOUNTANTS))
