"""A sum of numbers in [0, 1] with scale epsilon / sensitivity."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.zoo.entry import Entry, Swap


def laplace_with_the_scale_upside_down() -> Laplace:
    """Scale 1/2 where sensitivity 1 and epsilon 1/2 need 2."""
    return Laplace(scale=0.5)


ENTRY = Entry(
    name="laplace_with_the_scale_upside_down",
    learner=laplace_with_the_scale_upside_down,
    claim=PureDP(0.5),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="the scale is epsilon / sensitivity instead of sensitivity / epsilon",
)
