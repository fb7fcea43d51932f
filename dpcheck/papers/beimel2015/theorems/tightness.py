"""Where Beimel, Nissim and Stemmer (2015) call bounds optimal."""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems.bounds import BOOST_LABELLED, GENERIC_LABELLED, LABELLED_NECESSARY
from dpcheck.proof.tightness import Tightness

_SIZES = (2, 3, 5, 10, 30, 100, 300, 1000, 10**4)

TIGHTNESS = (
    Tightness(
        source="beimel2015:rem-3.a",
        name="labels of GenericLearner",
        says="the labeled sample complexity in Theorem 3.3 is optimal (ignoring the dependency in α, β, ε)",
        upper=GENERIC_LABELLED,
        lower=LABELLED_NECESSARY,
        gap=1,
        hidden="the accuracy, the failure probability and the privacy parameter",
        along="vc",
        values=_SIZES,
        fixed={"failure": "0.01", "epsilon": 1},
        series=("accuracy", ("0.1", "0.03", "0.01")),
    ),
    Tightness(
        source="beimel2015:cor-4.17",
        name="labels of LabelBoost, for rectangles and other classes",
        says="a non-active semi-supervised private learner with optimal O(ℓ) labeled sample complexity",
        upper=BOOST_LABELLED,
        lower=LABELLED_NECESSARY,
        gap=1,
        hidden="the accuracy and the failure probability; the privacy parameter is 1",
        along="vc",
        values=_SIZES,
        fixed={"failure": "0.01"},
        series=("accuracy", ("0.1", "0.03", "0.01")),
    ),
)
"""Two claims: the labelled samples of the two learners, in the VC dimension."""
