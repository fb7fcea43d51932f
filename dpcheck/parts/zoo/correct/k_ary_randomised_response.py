"""Which of four answers most people gave, kept with probability e / (e + 3)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo.entry import Entry, Swap


def k_ary_randomised_response() -> RandomisedResponse:
    """Four answers at epsilon 1."""
    return RandomisedResponse(epsilon=1.0, categories=4)


ENTRY = Entry(
    name="k_ary_randomised_response",
    learner=k_ary_randomised_response,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1, 2, 3])),
    swap=Swap(before=1, after=0),
)
