"""Which of two counts is larger, no noise at all."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.exponential import NoisyArgmax
from dpcheck.parts.zoo.entry import Entry, Swap


def argmax_without_noise() -> NoisyArgmax:
    """Scale 0."""
    return NoisyArgmax(scale=0.0)


ENTRY = Entry(
    name="argmax_without_noise",
    learner=argmax_without_noise,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, 0), after=(0, 1)),
    correct=False,
    defect="there is no noise",
    aliases=("argmax_no_noise",),
)
