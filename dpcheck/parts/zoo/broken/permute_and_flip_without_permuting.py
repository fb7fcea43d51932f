"""Which of two counts is larger, candidates tried in a fixed order."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.permute_and_flip import PermuteAndFlip
from dpcheck.parts.zoo.entry import Entry, Swap


def permute_and_flip_without_permuting() -> PermuteAndFlip:
    """The right chances, in the order of the columns."""
    return PermuteAndFlip(epsilon=1.0, permute=False)


ENTRY = Entry(
    name="permute_and_flip_without_permuting",
    learner=permute_and_flip_without_permuting,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, 0), after=(0, 1)),
    correct=False,
    defect="candidates are tried in a fixed order, and the best is always taken: none after it can come out",
)
