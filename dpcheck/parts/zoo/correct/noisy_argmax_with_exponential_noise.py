"""Which of five counts is largest, after exponential noise on each."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.exponential import NoisyArgmax
from dpcheck.parts.zoo.entry import Entry, Swap


def noisy_argmax_with_exponential_noise() -> NoisyArgmax:
    """Scale 2 for sensitivity 1 and epsilon 1."""
    return NoisyArgmax(scale=2.0, noise="exponential")


ENTRY = Entry(
    name="noisy_argmax_with_exponential_noise",
    learner=noisy_argmax_with_exponential_noise,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, 0, 0, 0, 0), after=(0, 1, 1, 1, 1), rest=((1, 0, 0, 0, 0),)),
)
