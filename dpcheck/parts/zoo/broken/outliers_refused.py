"""A sum that is clipped and noisy, and an exception where a record is above ten."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.queries import Sum, largest
from dpcheck.parts.mechanisms.wrappers import Refusing
from dpcheck.parts.zoo.entry import Entry, Swap

#: Above this a record is refused.
_MOST = 10


def outliers_refused() -> Refusing:
    """The right noise, and a check of the input that everybody sees."""
    return Refusing(Laplace(scale=1.0, query=Sum(0.0, 1.0)), most=_MOST, query=largest)


ENTRY = Entry(
    name="outliers_refused",
    learner=outliers_refused,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 100)),
    swap=Swap(before=100.0, after=1.0, rest=(1.0,)),
    correct=False,
    defect="an exception tells that a record is out of bounds",
)
