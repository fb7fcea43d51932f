"""A sum of numbers in [0, 1] with noise in proportion to the largest of them."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.data_scaled_laplace import LaplaceScaledByTheData
from dpcheck.parts.mechanisms.queries import largest
from dpcheck.parts.zoo.entry import Entry, Swap


def scale_from_the_data() -> LaplaceScaledByTheData:
    """The sensitivity is read off the data."""
    return LaplaceScaledByTheData(scale=largest)


ENTRY = Entry(
    name="scale_from_the_data",
    learner=scale_from_the_data,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.5, rest=(0.5,)),
    correct=False,
    defect="the scale of the noise is the largest record",
)
