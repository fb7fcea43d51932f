"""What ``dpcheck demo`` audits: one learner of another library on real data, used wrongly and used right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.adapters.estimator import WHAT_TO_INSTALL, EstimatorLearner, from_estimator
from dpcheck.model.claims import Claim, PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Records, Relation, ReplaceOne
from dpcheck.model.verdict import Status

# Two of the thirty columns: a fit takes 1.8 ms instead of 8, and either bound shows in the noise.
COLUMNS = ("mean radius", "mean concave points")
# What such a measurement can be, known without looking at the patients: a radius below 50 (in the data's
# unit; the largest is 28.1), and a share of the contour.
LOWEST = (0.0, 0.0)
HIGHEST = (50.0, 1.0)
EPSILON = 1.0
# What a fitted Gaussian naive Bayes holds: means, variances, and (noisy) class counts.
LEARNT = ("theta_", "var_", "class_count_")


@dataclass(frozen=True, eq=False)
class Subject:
    """A learner to be audited in public: what ``audit`` needs, what it should say, and a sentence why."""

    name: str
    learner: EstimatorLearner
    dataset: tuple[NDArray[np.float64], NDArray[np.int64]]
    relation: Relation
    claim: Claim
    expected: Status
    explanation: str


def subjects() -> tuple[Subject, ...]:
    """The broken use first, then the correct one, of diffprivlib's GaussianNB on the breast cancer data.

    Raises
    ------
    InvalidArgument
        When diffprivlib or scikit-learn cannot be imported: the message says what to install.
    """
    dataset = breast_cancer(COLUMNS)
    relation = ReplaceOne(Records.labelled(features=Records.bounded(LOWEST, HIGHEST), labels=[0, 1]))
    claim = PureDP(EPSILON)
    return (
        Subject(
            "diffprivlib GaussianNB, bounds taken from the data",
            naive_bayes(EPSILON, bounds=None),
            dataset,
            relation,
            claim,
            Status.VIOLATED,
            "No bounds were given, so it takes the smallest and largest value of each column: one patient "
            "with a large value changes how much noise everyone gets.",
        ),
        Subject(
            "diffprivlib GaussianNB, bounds declared",
            naive_bayes(EPSILON, bounds=(LOWEST, HIGHEST)),
            dataset,
            relation,
            claim,
            Status.NO_VIOLATION_FOUND,
            f"The same learner with bounds known beforehand ({COLUMNS[0]} 0 to 50, {COLUMNS[1]} 0 to 1): "
            "the noise no longer depends on who is in the data. What this audit is too small to see: where a label is "
            "flipped it can lose more than its epsilon (dpcheck survey diffprivlib-naive-bayes).",
        ),
    )


def breast_cancer(columns: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Columns of scikit-learn's breast cancer data (569 patients) by name, and the diagnosis (1 benign).

    Raises
    ------
    InvalidArgument
        When scikit-learn is not installed.
    """
    try:
        from sklearn.datasets import load_breast_cancer
    except ImportError as error:
        raise InvalidArgument(f"this needs scikit-learn ({error}): {WHAT_TO_INSTALL}") from error
    data = load_breast_cancer()
    places = [list(data.feature_names).index(column) for column in columns]
    return np.ascontiguousarray(data.data[:, places]), np.asarray(data.target, dtype=np.int64)


def naive_bayes(epsilon: float, bounds: Any) -> EstimatorLearner:
    """diffprivlib's GaussianNB as a learner that answers with all it learnt.

    Parameters
    ----------
    epsilon : float, nats, above 0
    bounds : ``(lowest, highest)``, one value per column each, or None: taken from the data

    Raises
    ------
    InvalidArgument
        When diffprivlib cannot be imported.
    """
    try:
        from diffprivlib.models import GaussianNB
    except ImportError as error:
        raise InvalidArgument(f"this needs diffprivlib ({error}): {WHAT_TO_INSTALL}") from error
    return from_estimator(GaussianNB(epsilon=epsilon, bounds=bounds), output=LEARNT)
