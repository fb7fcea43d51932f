"""Which of five counts is largest, by permute-and-flip."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.permute_and_flip import PermuteAndFlip
from dpcheck.parts.zoo.entry import Entry, Swap


def permute_and_flip() -> PermuteAndFlip:
    """Chances exp(-gap / 2) for sensitivity 1."""
    return PermuteAndFlip(epsilon=1.0)


ENTRY = Entry(
    name="permute_and_flip",
    learner=permute_and_flip,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, 0, 0, 0, 0), after=(0, 1, 1, 1, 1), rest=((1, 0, 0, 0, 0),)),
)
