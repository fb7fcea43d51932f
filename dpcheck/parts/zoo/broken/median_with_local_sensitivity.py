"""The median of numbers in [0, 1] with noise for the neighbours of this dataset alone."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.data_scaled_laplace import LaplaceScaledByTheData
from dpcheck.parts.mechanisms.queries import LocalSensitivityOfTheMedian, median
from dpcheck.parts.zoo.entry import Entry, Swap


def median_with_local_sensitivity() -> LaplaceScaledByTheData:
    """By how much the neighbours of this dataset can move its median, which is no neighbour's business."""
    return LaplaceScaledByTheData(scale=LocalSensitivityOfTheMedian(0.0, 1.0), query=median)


ENTRY = Entry(
    name="median_with_local_sensitivity",
    learner=median_with_local_sensitivity,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0, rest=(0.0, 0.0, 0.0, 1.0)),
    correct=False,
    defect="the noise is scaled by the local sensitivity, which depends on the data",
)
