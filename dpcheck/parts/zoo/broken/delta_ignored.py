"""Randomised response that tells the truth with probability 0.01, claimed as pure."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo.entry import Entry, Swap


def delta_ignored() -> RandomisedResponse:
    """(1, 0.01)-private, and no more."""
    return RandomisedResponse(epsilon=1.0, delta=0.01)


ENTRY = Entry(
    name="delta_ignored",
    learner=delta_ignored,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0),
    correct=False,
    defect="the delta of the mechanism is left out of the claim",
    max_samples=500_000,
)
