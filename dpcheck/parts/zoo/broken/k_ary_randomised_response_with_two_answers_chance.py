"""Which of four answers most people gave, kept with probability e / (e + 1)."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo.entry import Entry, Swap


def k_ary_randomised_response_with_two_answers_chance() -> RandomisedResponse:
    """Keeps with probability e / (e + 1), as epsilon 1 allows for two answers only."""
    return RandomisedResponse(epsilon=1.0 + math.log(3), categories=4)


ENTRY = Entry(
    name="k_ary_randomised_response_with_two_answers_chance",
    learner=k_ary_randomised_response_with_two_answers_chance,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1, 2, 3])),
    swap=Swap(before=1, after=0),
    correct=False,
    defect="four answers are kept with the probability that is right for two",
)
