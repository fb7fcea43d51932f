"""The minimiser of tenth powers of distances in [0, 1] with Laplace noise as textbooks draw it, in doubles."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners.in_floats import DrawnInFloats
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.parts.zoo.entry import Entry, Swap

#: Of records at 0 and 1 the minimiser is 1/2, and 1/2 + noise is a multiple of 2^-54: where it is below 1/4 in size the
#: noise is above 1/4. Of two records at 0 it is 0, and bare noise is none with probability 0.22.


def perturbed_minimiser_in_floats() -> DrawnInFloats:
    """The scale of its sensitivity, right for real numbers."""
    return DrawnInFloats(PerturbedMinimiser(epsilon=1.0, power=10))


ENTRY = Entry(
    name="perturbed_minimiser_in_floats",
    learner=perturbed_minimiser_in_floats,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=range(1, 1000)),
    swap=Swap(before=1.0, after=0.0, rest=(0.0,)),
    correct=False,
    defect="which doubles can come out depends on the data (Mironov 2012, doi:10.1145/2382196.2382264)",
    numerics="exact",
    truth_of_doubles=math.inf,
)
