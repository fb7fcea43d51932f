"""Which of five counts is largest, by the exponential mechanism."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.exponential import ExponentialMechanism
from dpcheck.parts.zoo.entry import Entry, Swap


def exponential_mechanism() -> ExponentialMechanism:
    """Weights exp(score / 2) for sensitivity 1."""
    return ExponentialMechanism(epsilon=1.0)


ENTRY = Entry(
    name="exponential_mechanism",
    learner=exponential_mechanism,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=(1, 0, 0, 0, 0), after=(0, 1, 1, 1, 1), rest=((1, 0, 0, 0, 0),)),
)
