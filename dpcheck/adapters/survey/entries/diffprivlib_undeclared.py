"""diffprivlib's models that are told no bounds: they warn, read them from the data, and cannot keep the claim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcheck.adapters.survey.data import columns
from dpcheck.adapters.survey.libraries import DIFFPRIVLIB
from dpcheck.adapters.survey.subject import Prepared, Subject
from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.model.verdict import Status

EPSILON = 1.0
CLAIM = PureDP(EPSILON)
WARNED = (
    "diffprivlib raises a PrivacyLeakWarning here: this is what the warning is about, not a defect of the library. "
    "Audited under replace-one, with records anywhere in the range given."
)
WHY = "The bounds are the least and the greatest value of the data, so one record decides them, and the noise."
_ROWS = slice(0, 12)


def _subject(name: str, what: str, data: str, prepare: Callable[[], Prepared], code: str, line: str) -> Subject:
    return Subject(
        name=f"diffprivlib-{name}-undeclared",
        library=DIFFPRIVLIB,
        what=what,
        data=data,
        prepare=prepare,
        expected=Status.VIOLATED,
        why=WHY,
        code=code,
        line=line,
        relation_note=WARNED,
        max_samples=10_000,
        shrink=False,
    )


def _learner(model: Any, output: Any) -> Any:
    from dpcheck.adapters.estimator import from_estimator

    return from_estimator(model, output=output)


def _radius(labelled: bool) -> tuple[Any, ReplaceOne]:
    x, y = columns("breast_cancer", "mean radius", rows=_ROWS if not labelled else slice(14, 26))
    if labelled:
        return (x, y), ReplaceOne(Records.labelled(features=([0.0], [200.0])))
    return x, ReplaceOne(Records.bounded([0.0], [200.0]))


def _naive_bayes() -> Prepared:
    from diffprivlib.models import GaussianNB

    dataset, relation = _radius(labelled=True)
    return Prepared(_learner(GaussianNB(epsilon=EPSILON), ("theta_", "var_")), CLAIM, relation, dataset)


naive_bayes = _subject(
    "naive-bayes",
    "GaussianNB(epsilon=1); means and variances",
    "breast cancer, mean radius, 12 patients",
    _naive_bayes,
    "diffprivlib.models.naive_bayes:GaussianNB._partial_fit",
    "self.bounds = (np.min(X, axis=0), np.max(X, axis=0))",
)


def _logistic_regression() -> Prepared:
    from diffprivlib.models import LogisticRegression

    from dpcheck.adapters.survey.public_parts import WithPublicLabels

    rows, _ = columns("breast_cancer", "mean radius", rows=slice(0, 3))
    model = _learner(LogisticRegression(epsilon=EPSILON, fit_intercept=False), "coef_")
    return Prepared(WithPublicLabels(model), CLAIM, ReplaceOne(Records.bounded([0.0], [2000.0])), rows)


logistic_regression = _subject(
    "logistic-regression",
    "LogisticRegression(epsilon=1, fit_intercept=False), labels public; the coefficient",
    "breast cancer, mean radius, 3 patients",
    _logistic_regression,
    "diffprivlib.models.logistic_regression:LogisticRegression.fit",
    "self.data_norm = np.linalg.norm(X, axis=1).max()",
)


def _linear_regression() -> Prepared:
    from diffprivlib.models import LinearRegression

    x, _ = columns("iris", "petal width (cm)", rows=_ROWS)
    y, _ = columns("iris", "petal length (cm)", rows=_ROWS)
    relation = ReplaceOne(Records.labelled(features=([-30.0], [30.0]), labels=(0.0, 70.0)))
    model = _learner(LinearRegression(epsilon=EPSILON, fit_intercept=False), "coef_")
    return Prepared(model, CLAIM, relation, (x, y[:, 0]))


linear_regression = _subject(
    "linear-regression",
    "LinearRegression(epsilon=1, fit_intercept=False); the slope",
    "iris, petal length from petal width, 12 flowers",
    _linear_regression,
    "diffprivlib.models.linear_regression:LinearRegression.fit",
    "self.bounds_X = (np.min(X, axis=0), np.max(X, axis=0))",
)


def _kmeans() -> Prepared:
    from diffprivlib.models import KMeans

    rows, relation = _radius(labelled=False)
    return Prepared(_learner(KMeans(n_clusters=2, epsilon=EPSILON), "cluster_centers_"), CLAIM, relation, rows)


kmeans = _subject(
    "kmeans",
    "KMeans(n_clusters=2, epsilon=1); the centres",
    "breast cancer, mean radius, 12 patients",
    _kmeans,
    "diffprivlib.models.k_means:KMeans.fit",
    "self.bounds = (np.min(X, axis=0), np.max(X, axis=0))",
)


def _scaler() -> Prepared:
    from diffprivlib.models import StandardScaler

    rows, relation = _radius(labelled=False)
    return Prepared(_learner(StandardScaler(epsilon=EPSILON), ("mean_", "var_")), CLAIM, relation, rows)


scaler = _subject(
    "standard-scaler",
    "StandardScaler(epsilon=1); mean and variance",
    "breast cancer, mean radius, 12 patients",
    _scaler,
    "diffprivlib.models.standard_scaler:StandardScaler.partial_fit",
    "self.bounds = (np.min(X, axis=0), np.max(X, axis=0))",
)


def thresholds(fitted: Any) -> float:
    """Where the first tree splits: a number between the bounds."""
    return float(fitted.estimators_[0].tree_.threshold[0])


def _forest() -> Prepared:
    from diffprivlib.models import RandomForestClassifier

    dataset, relation = _radius(labelled=True)
    model = RandomForestClassifier(n_estimators=1, max_depth=1, epsilon=EPSILON, classes=[0, 1])
    return Prepared(_learner(model, thresholds), CLAIM, relation, dataset)


forest = _subject(
    "random-forest",
    "RandomForestClassifier(n_estimators=1, max_depth=1, epsilon=1, classes=[0, 1]); where the tree splits",
    "breast cancer, mean radius, 12 patients",
    _forest,
    "diffprivlib.models.forest:RandomForestClassifier.fit",
    "self.bounds = (np.min(X, axis=0), np.max(X, axis=0))",
)
