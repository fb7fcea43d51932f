"""A mean whose noise is right for records in [0, 1], of records that nobody moved there."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.queries import Mean
from dpcheck.parts.zoo.entry import Entry, Swap

#: The fewest records for which the noise would be enough, were they clipped.
_RECORDS = 10


def mean_without_clipping() -> Laplace:
    """Scale 1/10 for at least ten records in [0, 1] and epsilon 1; ``Mean()`` should be ``Mean(0, 1)``."""
    return Laplace(scale=1 / _RECORDS, query=Mean())


ENTRY = Entry(
    name="mean_without_clipping",
    learner=mean_without_clipping,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 100), size=range(_RECORDS, 1000)),
    swap=Swap(before=100.0, after=0.0, rest=(0.0,) * (_RECORDS - 1)),
    correct=False,
    defect="records are not clipped to [0, 1], the range for which the noise is right",
    aliases=("mean_no_clip",),
)
