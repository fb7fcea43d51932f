"""A sum of numbers in [0, 1] with Laplace noise, rounded to a whole number."""

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.grid_laplace import LaplaceOnGrid
from dpcheck.parts.zoo.entry import Entry, Swap


def laplace_rounded() -> LaplaceOnGrid:
    """Rounding what is noisy already costs nothing."""
    return LaplaceOnGrid(scale=1.0, step=1.0)


ENTRY = Entry(
    name="laplace_rounded",
    learner=laplace_rounded,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
)
