"""Which of twenty counts is largest, with weights exp(epsilon score)."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.exponential import ExponentialMechanism
from dpcheck.parts.zoo.entry import Entry, Swap


def exponential_mechanism_without_the_two() -> ExponentialMechanism:
    """Weights exp(score) where scores that move both ways need exp(score / 2)."""
    return ExponentialMechanism(epsilon=2.0)


ENTRY = Entry(
    name="exponential_mechanism_without_the_two",
    learner=exponential_mechanism_without_the_two,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, *(0,) * 19), after=(0, *(1,) * 19)),
    correct=False,
    defect="the exponent lacks the division by 2 that scores moving both ways cost",
)
