"""The learners of Bassily, Thakkar & Thakurta 2018, "Model-Agnostic Private Learning".

``StableRelease`` (alg-1, A_stab) releases a function's value where it is far from changing; ``PrivateAnswers`` (alg-2,
A_binClas) answers public queries by the votes of models trained on disjoint chunks; ``accounting`` has the proof of its
privacy, ``choice_of_sizes`` the circular choice of its sizes. ``OnlineAnswers`` is alg-2 for queries that arrive one at
a time, on disk between them; ``PrivateLabels`` (hpriv) labels public points, and ``KnowledgeTransfer`` (alg-3, A_priv)
trains a classifier on these.
"""

from dpcheck.papers.bassily2018.learners.accounting import answering_claim, answering_delta
from dpcheck.papers.bassily2018.learners.answers import ABSTAINED_CODE, UNANSWERED_CODE, answer_table, answers_law
from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority, EmpiricalMinimiser, LeastPositive
from dpcheck.papers.bassily2018.learners.choice_of_sizes import (
    Agnostic,
    AgnosticFinite,
    OneSidedThresholds,
    Realisable,
    Sizes,
    least_records,
    solve_sizes,
)
from dpcheck.papers.bassily2018.learners.composition import composed_claim, scale_for
from dpcheck.papers.bassily2018.learners.label_private import LabelPrivateTransfer
from dpcheck.papers.bassily2018.learners.noisy_majority import ConstantAnswers, Majority, NoisyMajority
from dpcheck.papers.bassily2018.learners.one_by_one import OneByOne
from dpcheck.papers.bassily2018.learners.online import Budget, OnlineAnswers
from dpcheck.papers.bassily2018.learners.printed import PrintedAnswers
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.separate_runs import separate_runs_claim
from dpcheck.papers.bassily2018.learners.sizes import printed_scales, proved_scales
from dpcheck.papers.bassily2018.learners.sparse_vector import SparseVector
from dpcheck.papers.bassily2018.learners.stability import StableRelease, distance_to_instability, largest_stability
from dpcheck.papers.bassily2018.learners.transfer import KnowledgeTransfer, PrivateLabels
from dpcheck.papers.bassily2018.learners.votes import (
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
