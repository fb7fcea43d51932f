"""The learners of Wang, Lei & Fienberg 2016, "Learning with Differential Privacy".

By the exponential mechanism: ``RegularisedExponential`` (alg-1 on finitely many hypotheses), ``ExponentialOnInterval``
and ``LogConcaveExponential`` (alg-1 and alg-logconcave on an interval), ``LogConcaveOnBox`` (alg-logconcave on a box),
``CoverExponential`` and ``RepresentedExponential`` (alg-cover), ``BestSubset`` (alg-subset). By noise:
``PerturbedMinimiser`` (alg-laplace10).
Made of other learners: ``SubsampledLearner`` (alg-sub), ``BoostedLearner`` (alg-boost), ``Unprivate`` (alg-unprivate).
The best of all: ``OptimalPrivateLearner`` (alg-generic-6, alg-generic-7) of a ``FiniteProblem``, and ``best_epsilon``.
Of finite sets: ``Support`` (alg-support), ``EmptySet`` (alg-empty).
"""

from dpcheck.papers.wang2016.learners.boosting import BoostedLearner
from dpcheck.papers.wang2016.learners.boxes import LogConcaveOnBox
from dpcheck.papers.wang2016.learners.convex_losses import CoordinateDistances, LogisticLoss
from dpcheck.papers.wang2016.learners.cover import CoverExponential, RepresentedExponential, risk_cover
from dpcheck.papers.wang2016.learners.generic import BestEpsilon, OptimalPrivateLearner, best_epsilon
from dpcheck.papers.wang2016.learners.logconcave import LogConcaveExponential
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.papers.wang2016.learners.regularised import RegularisedExponential
from dpcheck.papers.wang2016.learners.subsample import SubsampledLearner
from dpcheck.papers.wang2016.learners.subset import BestSubset
from dpcheck.papers.wang2016.learners.supports import EmptySet, Support
from dpcheck.papers.wang2016.learners.unprivate import Unprivate
from dpcheck.parts.risk.losses import Clipped, Loss, PowerLoss, Rescaled, ZeroOneLoss
from dpcheck.parts.risk.problems import FiniteProblem, absolute_loss, classification

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
