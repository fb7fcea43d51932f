"""A sum of ten numbers in [0, 1] with noise for their mean."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.zoo.entry import Entry, Swap

_RECORDS = 10


def sum_with_the_noise_of_a_mean() -> Laplace:
    """Scale 1/10 where the sum needs 1."""
    return Laplace(scale=1 / _RECORDS)


ENTRY = Entry(
    name="sum_with_the_noise_of_a_mean",
    learner=sum_with_the_noise_of_a_mean,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=_RECORDS),
    swap=Swap(before=1.0, after=0.0, rest=(0.0,) * (_RECORDS - 1)),
    correct=False,
    defect="the noise is added to the sum before it is divided by the number of records, and released so",
)
