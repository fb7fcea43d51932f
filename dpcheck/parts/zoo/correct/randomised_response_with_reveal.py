"""Randomised response that tells the truth, and says so, with probability delta: tight at any delta."""

from dpcheck.model.claims import ApproxDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo.entry import Entry, Swap


def randomised_response_with_reveal() -> RandomisedResponse:
    """Two answers at epsilon 1, revealed with probability 0.01."""
    return RandomisedResponse(epsilon=1.0, delta=0.01)


ENTRY = Entry(
    name="randomised_response_with_reveal",
    learner=randomised_response_with_reveal,
    claim=ApproxDP(1.0, 0.01),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0),
)
