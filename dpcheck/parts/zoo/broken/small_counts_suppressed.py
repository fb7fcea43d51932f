"""A noisy count that is only given where the exact count is at least five."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.wrappers import Withholding
from dpcheck.parts.zoo.entry import Entry, Swap


def small_counts_suppressed() -> Withholding:
    """The right noise, and a test without any."""
    return Withholding(Laplace(scale=1.0), least=5)


ENTRY = Entry(
    name="small_counts_suppressed",
    learner=small_counts_suppressed,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.of([0, 1])),
    swap=Swap(before=1, after=0, rest=(1, 1, 1, 1)),
    correct=False,
    defect="whether the count is given depends on the exact count",
)
