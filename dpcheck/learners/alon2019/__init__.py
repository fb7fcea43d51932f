"""The learners of Alon, Bassily & Moran 2019, "Limits of Private Learning with Access to Public Data".

``GenericLearner`` (alg-gen), ``CoverLearner`` (alg-1, the paper's A_SSPP), ``FromSemiPrivate`` (alg-2, the paper's B,
with alg-3 and alg-4), ``LabelPrivate`` (obs-1.a), and ``FixedPublic``, a semi-private learner beside one public sample.
"""

from dpcheck.learners.alon2019.adapters import FixedPublic, LabelPrivate
from dpcheck.learners.alon2019.cover import CoverLearner
from dpcheck.learners.alon2019.generic import GenericLearner
from dpcheck.learners.alon2019.reduction import FromSemiPrivate
from dpcheck.learners.alon2019.sampling import Dummies, private_sample, public_sample

__all__ = [
    "CoverLearner",
    "Dummies",
    "FixedPublic",
    "FromSemiPrivate",
    "GenericLearner",
    "LabelPrivate",
    "private_sample",
    "public_sample",
]
