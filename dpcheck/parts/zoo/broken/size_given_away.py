"""A mean of numbers in [0, 1] with noise of scale 1/n, of people who come and go."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.parts.mechanisms.data_scaled_laplace import LaplaceScaledByTheData
from dpcheck.parts.mechanisms.queries import Mean, one_over_the_size
from dpcheck.parts.zoo.entry import Entry, Swap


def size_given_away() -> LaplaceScaledByTheData:
    """The scale that a mean needs where n is public."""
    return LaplaceScaledByTheData(scale=one_over_the_size, query=Mean(0.0, 1.0))


ENTRY = Entry(
    name="size_given_away",
    learner=size_given_away,
    claim=PureDP(1.0),
    relation=AddRemove(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=None, rest=(1.0,)),
    correct=False,
    defect="the scale of the noise tells the number of records, which is not public under add/remove",
)
