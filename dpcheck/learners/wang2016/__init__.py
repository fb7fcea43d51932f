"""The learners of Wang, Lei & Fienberg 2016, "Learning with Differential Privacy".

Made of other learners: ``SubsampledLearner`` (alg-sub), ``BoostedLearner`` (alg-boost), ``Unprivate`` (alg-unprivate).
The best of all: ``OptimalPrivateLearner`` (alg-generic-6, alg-generic-7) of a ``FiniteProblem``, and ``best_epsilon``.
Of finite sets: ``Support`` (alg-support), ``EmptySet`` (alg-empty).
"""

from dpcheck.learners.wang2016.boosting import BoostedLearner
from dpcheck.learners.wang2016.generic import BestEpsilon, OptimalPrivateLearner, best_epsilon
from dpcheck.learners.wang2016.problems import FiniteProblem, absolute_loss, classification
from dpcheck.learners.wang2016.subsample import SubsampledLearner
from dpcheck.learners.wang2016.supports import EmptySet, Support
from dpcheck.learners.wang2016.unprivate import Unprivate

__all__ = [
    "BestEpsilon",
    "BoostedLearner",
    "EmptySet",
    "FiniteProblem",
    "OptimalPrivateLearner",
    "SubsampledLearner",
    "Support",
    "Unprivate",
    "absolute_loss",
    "best_epsilon",
    "classification",
]
