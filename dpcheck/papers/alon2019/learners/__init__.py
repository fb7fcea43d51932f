"""The learners of Alon, Bassily & Moran 2019, "Limits of Private Learning with Access to Public Data".

``GenericLearner`` (alg-gen), ``CoverLearner`` (alg-1, the paper's A_SSPP), ``FromSemiPrivate`` (alg-2, the paper's B,
with alg-3 and alg-4), ``LabelPrivate`` (obs-1.a), and ``FixedPublic``, a semi-private learner beside one public sample.
"""

from dpcheck.papers.alon2019.learners.adapters import FixedPublic, LabelPrivate
from dpcheck.papers.alon2019.learners.cover import CoverLearner
from dpcheck.papers.alon2019.learners.generic import GenericLearner
from dpcheck.papers.alon2019.learners.reduction import FromSemiPrivate
from dpcheck.papers.alon2019.learners.sampling import Dummies, private_sample, public_sample

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
