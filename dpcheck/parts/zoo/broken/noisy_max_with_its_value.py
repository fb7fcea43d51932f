"""Report-noisy-max that releases the noisy score instead of the index (Ding et al. 2018)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.exponential import NoisyMax
from dpcheck.parts.zoo.entry import Entry, Swap


def noisy_max_with_its_value() -> NoisyMax:
    """Scale 2, right for the index of the largest of any number of counts at epsilon 1."""
    return NoisyMax(scale=2.0)


ENTRY = Entry(
    name="noisy_max_with_its_value",
    learner=noisy_max_with_its_value,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(0,) * 5, after=(1,) * 5, rest=((1,) * 5,)),
    correct=False,
    defect="the noisy score is released, the noise being enough for the index alone",
    aliases=("noisy_max_value",),
)
