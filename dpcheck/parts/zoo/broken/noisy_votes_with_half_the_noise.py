"""The label that most teachers vote for, with noise for one count that moves."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.exponential import NoisyArgmax
from dpcheck.parts.mechanisms.queries import Counts
from dpcheck.parts.zoo.entry import Entry, Swap


def noisy_votes_with_half_the_noise() -> NoisyArgmax:
    """Scale 1 where two counts that move need 2."""
    return NoisyArgmax(scale=1.0, scores=Counts(2))


ENTRY = Entry(
    name="noisy_votes_with_half_the_noise",
    learner=noisy_votes_with_half_the_noise,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0, rest=(0, 0, 0)),
    correct=False,
    defect="the noise is for one vote that moves one count; it moves two",
)
