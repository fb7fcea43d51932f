"""The label that most teachers vote for, after noise on the votes (PATE; Papernot et al. 2017, arXiv:1610.05755)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.exponential import NoisyArgmax
from dpcheck.parts.mechanisms.queries import Counts
from dpcheck.parts.zoo.entry import Entry, Swap


def noisy_votes() -> NoisyArgmax:
    """Scale 2: one person's teacher moves two counts by 1."""
    return NoisyArgmax(scale=2.0, scores=Counts(3))


ENTRY = Entry(
    name="noisy_votes",
    learner=noisy_votes,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1, 2])),
    swap=Swap(before=1, after=0, rest=(0, 0, 0, 1, 2)),
)
