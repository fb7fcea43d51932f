"""The learners of Beimel, Nissim & Stemmer 2015, "Learning Privately with Labeled and Unlabeled Examples".

``ExponentialLearner`` (alg-5): a choice from a finite list by correct labels.
``GenericLearner`` (alg-1): candidates from sanitised unlabelled points; ``generic_sizes`` is what its theorem asks for.
``LabelBoostProcedure`` (alg-2) and ``LabelBoost`` (alg-3): labels for many points from few, before a private learner,
their sizes (``boost_sizes``) and their privacy (``claim_steps``); ``SubsampledParts`` (clm-4.3 for both parts).
``SubSampling`` (alg-4) and ``TranscriptWrapper`` (thm-5.5): private learners as active ones, see
:mod:`dpcheck.parts.active`; ``UniformSubsampling`` (clm-4.3) and ``IndependentResampling`` (clm-4.5) at their sizes.
"""

from dpcheck.papers.beimel2015.learners.boost_claim import boosted_claim, claim_steps, relabelled_claim
from dpcheck.papers.beimel2015.learners.boost_sizes import BoostConstants, BoostSizes, boost_sizes
from dpcheck.papers.beimel2015.learners.exponential import ExponentialLearner
from dpcheck.papers.beimel2015.learners.generic import GenericLearner
from dpcheck.papers.beimel2015.learners.label_boost import LabelBoost, LabelBoostProcedure
from dpcheck.papers.beimel2015.learners.parts import LabelledPart, SubsampledParts
from dpcheck.papers.beimel2015.learners.resampled import IndependentResampling
from dpcheck.papers.beimel2015.learners.sizes import GenericSizes, generic_sizes, points_for_thresholds
from dpcheck.papers.beimel2015.learners.sub_sampling import SubSampling
from dpcheck.papers.beimel2015.learners.subsampled import UniformSubsampling
from dpcheck.papers.beimel2015.learners.transcript_wrapper import TranscriptWrapper

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
