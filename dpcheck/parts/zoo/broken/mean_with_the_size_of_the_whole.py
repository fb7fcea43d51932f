"""The mean of the first ten of forty numbers, with noise for a mean of forty."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.queries import Mean, OfTheFirst
from dpcheck.parts.zoo.entry import Entry, Swap

#: All records, a quarter of which are used.
_RECORDS = 40


def mean_with_the_size_of_the_whole() -> Laplace:
    """Scale 1/40 where the mean of ten needs 1/10."""
    return Laplace(scale=1 / _RECORDS, query=OfTheFirst(10, Mean(0.0, 1.0)))


ENTRY = Entry(
    name="mean_with_the_size_of_the_whole",
    learner=mean_with_the_size_of_the_whole,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=_RECORDS),
    swap=Swap(before=1.0, after=0.0, rest=(0.0,) * (_RECORDS - 1)),
    correct=False,
    defect="the noise is for the mean of all records, the mean is over a quarter of them",
)
