"""The learners of Wang, Lei & Fienberg 2016, "Learning with Differential Privacy".

By the exponential mechanism: ``RegularisedExponential`` (alg-1 on finitely many hypotheses), ``ExponentialOnInterval``
and ``LogConcaveExponential`` (alg-1 and alg-logconcave on an interval), ``LogConcaveOnBox`` (alg-logconcave on a box),
``CoverExponential`` and ``RepresentedExponential`` (alg-cover), ``BestSubset`` (alg-subset). By noise:
``PerturbedMinimiser`` (alg-laplace10).
Made of other learners: ``SubsampledLearner`` (alg-sub), ``BoostedLearner`` (alg-boost), ``Unprivate`` (alg-unprivate).
The best of all: ``OptimalPrivateLearner`` (alg-generic-6, alg-generic-7) of a ``FiniteProblem``, and ``best_epsilon``.
Of finite sets: ``Support`` (alg-support), ``EmptySet`` (alg-empty).
"""

from dpcheck.learners.wang2016.boosting import BoostedLearner
from dpcheck.learners.wang2016.boxes import LogConcaveOnBox
from dpcheck.learners.wang2016.convex_losses import CoordinateDistances, LogisticLoss
from dpcheck.learners.wang2016.cover import CoverExponential, RepresentedExponential, risk_cover
from dpcheck.learners.wang2016.generic import BestEpsilon, OptimalPrivateLearner, best_epsilon
from dpcheck.learners.wang2016.logconcave import LogConcaveExponential
from dpcheck.learners.wang2016.losses import Clipped, Loss, PowerLoss, Rescaled, ZeroOneLoss
from dpcheck.learners.wang2016.on_interval import ExponentialOnInterval
from dpcheck.learners.wang2016.perturbation import PerturbedMinimiser
from dpcheck.learners.wang2016.problems import FiniteProblem, absolute_loss, classification
from dpcheck.learners.wang2016.regularised import RegularisedExponential
from dpcheck.learners.wang2016.subsample import SubsampledLearner
from dpcheck.learners.wang2016.subset import BestSubset
from dpcheck.learners.wang2016.supports import EmptySet, Support
from dpcheck.learners.wang2016.unprivate import Unprivate

__all__ = [
    "BestEpsilon",
    "BestSubset",
    "BoostedLearner",
    "Clipped",
    "CoordinateDistances",
    "CoverExponential",
    "EmptySet",
    "ExponentialOnInterval",
    "FiniteProblem",
    "LogConcaveExponential",
    "LogConcaveOnBox",
    "LogisticLoss",
    "Loss",
    "OptimalPrivateLearner",
    "PerturbedMinimiser",
    "PowerLoss",
    "RegularisedExponential",
    "RepresentedExponential",
    "Rescaled",
    "SubsampledLearner",
    "Support",
    "Unprivate",
    "ZeroOneLoss",
    "absolute_loss",
    "best_epsilon",
    "classification",
    "risk_cover",
]
