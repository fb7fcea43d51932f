"""A sum of numbers in [0, 1] with staircase noise."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.staircase import Staircase
from dpcheck.parts.zoo.entry import Entry, Swap


def staircase() -> Staircase:
    """Stairs of width 1 for sensitivity 1."""
    return Staircase(epsilon=1.0)


ENTRY = Entry(
    name="staircase",
    learner=staircase,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
)
