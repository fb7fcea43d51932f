"""The sum of a tenth of the records, always the first, with noise for a random tenth."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.mechanisms.queries import OfTheFirst, total
from dpcheck.parts.zoo.entry import Entry, Swap


def amplification_without_sampling() -> Laplace:
    """The epsilon that a random tenth would amplify to 1: log(1 + 10 (e - 1)), about 2.9."""
    return Laplace(scale=1 / math.log1p(10 * math.expm1(1.0)), query=OfTheFirst(1, total))


ENTRY = Entry(
    name="amplification_without_sampling",
    learner=amplification_without_sampling,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=10),
    swap=Swap(before=1.0, after=0.0, rest=(0.0,) * 9),
    correct=False,
    defect="amplification by sampling is claimed, and the sample is not random",
)
