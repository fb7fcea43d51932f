"""A sum of numbers in [0, 1] with half the noise that the claim needs."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.zoo.entry import Entry, Swap


def laplace_with_half_the_scale() -> Laplace:
    """Scale 1/2 where sensitivity 1 and epsilon 1 need 1."""
    return Laplace(scale=0.5)


ENTRY = Entry(
    name="laplace_with_half_the_scale",
    learner=laplace_with_half_the_scale,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="the scale of the noise is sensitivity / (2 epsilon), half of what the claim needs",
    aliases=("laplace_half_scale",),
)
