"""Which of two answers most people gave, kept with probability e / (e + 1)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo.entry import Entry, Swap


def randomised_response() -> RandomisedResponse:
    """Two answers at epsilon 1."""
    return RandomisedResponse(epsilon=1.0)


ENTRY = Entry(
    name="randomised_response",
    learner=randomised_response,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0),
    aliases=("randresp",),
)
