"""The learners of Bassily, Thakkar & Thakurta 2018, "Model-Agnostic Private Learning".

``StableRelease`` (alg-1, A_stab) releases a function's value where it is far from changing; ``PrivateAnswers`` (alg-2,
A_binClas) answers public queries by the votes of models trained on disjoint chunks; ``accounting`` has the proof of its
privacy, ``choosing_sizes`` the circular choice of its sizes. ``OnlineAnswers`` is alg-2 for queries that arrive one at
a time, on disk between them; ``PrivateLabels`` (hpriv) labels public points, and ``KnowledgeTransfer`` (alg-3, A_priv)
trains a classifier on these.
"""

from dpcheck.learners.bassily2018.accounting import answering_claim, answering_delta
from dpcheck.learners.bassily2018.answering import PrivateAnswers
from dpcheck.learners.bassily2018.answers import ABSTAINED_CODE, UNANSWERED_CODE, answer_table, answers_law
from dpcheck.learners.bassily2018.base_learners import ChunkMajority, EmpiricalMinimiser, LeastPositive
from dpcheck.learners.bassily2018.choosing_sizes import (
    Agnostic,
    AgnosticFinite,
    OneSidedThresholds,
    Realisable,
    Sizes,
    least_records,
    solve_sizes,
)
from dpcheck.learners.bassily2018.composition import composed_claim, scale_for
from dpcheck.learners.bassily2018.label_private import LabelPrivateTransfer
from dpcheck.learners.bassily2018.noisy_majority import ConstantAnswers, Majority, NoisyMajority
from dpcheck.learners.bassily2018.one_by_one import OneByOne
from dpcheck.learners.bassily2018.online import Budget, OnlineAnswers
from dpcheck.learners.bassily2018.printed import PrintedAnswers
from dpcheck.learners.bassily2018.separate_runs import separate_runs_claim
from dpcheck.learners.bassily2018.sizes import Scales, printed_scales, proved_scales
from dpcheck.learners.bassily2018.sparse_vector import SparseVector
from dpcheck.learners.bassily2018.stability import StableRelease, distance_to_instability, largest_stability
from dpcheck.learners.bassily2018.transfer import KnowledgeTransfer, PrivateLabels
from dpcheck.learners.bassily2018.votes import (
    ABSTAINED,
    UNANSWERED,
    ConstantModel,
    Distance,
    HypothesisModel,
    HypothesisModels,
    count_votes,
    leading_label,
    margins,
    printed_distance,
    vote_changes,
    votes_of,
)

__all__ = [
    "ABSTAINED",
    "ABSTAINED_CODE",
    "UNANSWERED",
    "UNANSWERED_CODE",
    "Agnostic",
    "AgnosticFinite",
    "Budget",
    "ChunkMajority",
    "ConstantAnswers",
    "ConstantModel",
    "Distance",
    "EmpiricalMinimiser",
    "HypothesisModel",
    "HypothesisModels",
    "KnowledgeTransfer",
    "LabelPrivateTransfer",
    "LeastPositive",
    "Majority",
    "NoisyMajority",
    "OneByOne",
    "OneSidedThresholds",
    "OnlineAnswers",
    "PrintedAnswers",
    "PrivateAnswers",
    "PrivateLabels",
    "Realisable",
    "Scales",
    "Sizes",
    "SparseVector",
    "StableRelease",
    "answer_table",
    "answering_claim",
    "answering_delta",
    "answers_law",
    "composed_claim",
    "count_votes",
    "distance_to_instability",
    "largest_stability",
    "leading_label",
    "least_records",
    "margins",
    "printed_distance",
    "printed_scales",
    "proved_scales",
    "scale_for",
    "separate_runs_claim",
    "solve_sizes",
    "vote_changes",
    "votes_of",
]
