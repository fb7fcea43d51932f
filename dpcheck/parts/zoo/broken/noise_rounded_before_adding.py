"""A sum of numbers in [0, 1] plus Laplace noise that was rounded before it was added."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.grid_laplace import LaplaceOnGrid
from dpcheck.parts.zoo.entry import Entry, Swap


def noise_rounded_before_adding() -> LaplaceOnGrid:
    """The noise is rounded instead of the noisy sum."""
    return LaplaceOnGrid(scale=1.0, step=1.0, round_noise_only=True)


ENTRY = Entry(
    name="noise_rounded_before_adding",
    learner=noise_rounded_before_adding,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=0.5, after=0.0),
    correct=False,
    defect="the noise is a whole number, so that what follows the decimal point is the data's",
)
