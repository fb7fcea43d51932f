"""The learners of Beimel, Nissim & Stemmer 2015, "Learning Privately with Labeled and Unlabeled Examples".

``ExponentialLearner`` (alg-5): a choice from a finite list by correct labels.
``GenericLearner`` (alg-1): candidates from sanitised unlabelled points; ``generic_sizes`` is what its theorem asks for.
``LabelBoostProcedure`` (alg-2) and ``LabelBoost`` (alg-3): labels for many points from few, before a private learner,
their sizes (``boost_sizes``) and their privacy (``claim_steps``); ``SubsampledParts`` (clm-4.3 for both parts).
``SubSampling`` (alg-4) and ``TranscriptWrapper`` (thm-5.5): private learners as active ones, see
:mod:`dpcheck.learners.active`; ``UniformSubsampling`` (clm-4.3) and ``IndependentResampling`` (clm-4.5) at their sizes.
"""

from dpcheck.learners.beimel2015.boost_claim import boosted_claim, claim_steps, relabelled_claim
from dpcheck.learners.beimel2015.boost_sizes import BoostConstants, BoostSizes, boost_sizes
from dpcheck.learners.beimel2015.exponential import ExponentialLearner
from dpcheck.learners.beimel2015.generic import GenericLearner
from dpcheck.learners.beimel2015.label_boost import LabelBoost, LabelBoostProcedure
from dpcheck.learners.beimel2015.parts import LabelledPart, SubsampledParts
from dpcheck.learners.beimel2015.resampled import IndependentResampling
from dpcheck.learners.beimel2015.sizes import GenericSizes, generic_sizes, points_for_thresholds
from dpcheck.learners.beimel2015.sub_sampling import SubSampling
from dpcheck.learners.beimel2015.subsampled import UniformSubsampling
from dpcheck.learners.beimel2015.transcript_wrapper import TranscriptWrapper

__all__ = [
    "BoostConstants",
    "BoostSizes",
    "ExponentialLearner",
    "GenericLearner",
    "GenericSizes",
    "IndependentResampling",
    "LabelBoost",
    "LabelBoostProcedure",
    "LabelledPart",
    "SubSampling",
    "SubsampledParts",
    "TranscriptWrapper",
    "UniformSubsampling",
    "boost_sizes",
    "boosted_claim",
    "claim_steps",
    "generic_sizes",
    "points_for_thresholds",
    "relabelled_claim",
]
