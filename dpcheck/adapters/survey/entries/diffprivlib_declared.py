"""diffprivlib's models told everything that they can be told: what their claims are about."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.adapters.survey.data import columns
from dpcheck.adapters.survey.libraries import DIFFPRIVLIB
from dpcheck.adapters.survey.public_parts import WithPublicLabels, WithPublicRecords
from dpcheck.adapters.survey.subject import Prepared, Subject
from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import AddRemove, LabelsOnly, Records, ReplaceOne
from dpcheck.model.verdict import Status

EPSILON = 1.0
CLAIM = PureDP(EPSILON)
REPLACING = (
    "diffprivlib does not name its neighbouring relation; this model's sensitivities take the number of records as "
    "known, so it is audited under replace-one."
)
NAIVE_BAYES_LEARNT = ("theta_", "var_", "class_count_")


def _learner(model: Any, output: Any) -> Any:
    from dpcheck.adapters.estimator import from_estimator

    return from_estimator(model, output=output)


def _naive_bayes_features() -> Prepared:
    from diffprivlib.models import GaussianNB

    rows, _ = columns("breast_cancer", "mean radius", rows=slice(0, 8))
    model = _learner(GaussianNB(epsilon=EPSILON, bounds=(0.0, 50.0)), sums_of_classes)
    return Prepared(WithPublicLabels(model), CLAIM, ReplaceOne(Records.bounded([0.0], [50.0])), rows)


naive_bayes_features = Subject(
    name="diffprivlib-naive-bayes-public-labels",
    library=DIFFPRIVLIB,
    what="GaussianNB(epsilon=1, bounds=(0, 50)), labels public; means, variances and class counts",
    data="breast cancer, mean radius, 8 patients",
    prepare=_naive_bayes_features,
    expected=Status.NO_VIOLATION_FOUND,
    why="With labels public one record changes one class only, and the sensitivity of its sum is the width of the "
    "bounds, as the code has it.",
    relation_note=REPLACING,
    max_samples=10_000,
)


def sums_of_classes(fitted: Any) -> Any:
    """Class counts and, a class each, the sum of its records: what counts and means say together."""
    return np.concatenate([fitted.class_count_, fitted.theta_[:, 0] * fitted.class_count_])


def _naive_bayes_labels() -> Prepared:
    from diffprivlib.models import GaussianNB

    x, y = columns("wine", "alcohol", rows=[0, 20, 60])
    model = _learner(GaussianNB(epsilon=EPSILON, bounds=(11.0, 15.0)), sums_of_classes)
    # With a class of its own in the data or not, the label set itself would tell (issue 106); that is kept out here.
    model = WithPublicRecords(model, x=((13.0,), (13.0,)), y=(0, 1))
    return Prepared(model, CLAIM, LabelsOnly([0, 1]), (x, y))


naive_bayes_labels = Subject(
    name="diffprivlib-naive-bayes",
    library=DIFFPRIVLIB,
    what="GaussianNB(epsilon=1, bounds=(11, 15)); class counts, and counts times means",
    data="wine, alcohol in percent, 3 wines of 2 cultivars, and a public one (13) of each",
    prepare=_naive_bayes_labels,
    expected=Status.VIOLATED,
    why="A label moves a record from one class to another: two counts change where the budget is for one, and each "
    "class's sum changes by the value itself (11 to 15), where the noise is scaled to the width of the bounds (4).",
    code="diffprivlib.models.naive_bayes:GaussianNB._update_mean_variance",
    line="local_diameter = upper - lower",
    relation_note=REPLACING + " Changing a label only is a special case of it.",
    max_samples=12_000,
)


def _naive_bayes_size() -> Prepared:
    from diffprivlib.models import GaussianNB

    x, y = columns("wine", "alcohol", rows=[0, 20, 60])
    model = _learner(GaussianNB(epsilon=EPSILON, bounds=(11.0, 15.0)), total_count)
    return Prepared(model, CLAIM, AddRemove(Records.labelled(features=([11.0], [15.0]), labels=[0, 1])), (x, y))


def total_count(fitted: Any) -> float:
    """The sum of the noisy class counts."""
    return float(fitted.class_count_.sum())


naive_bayes_size = Subject(
    name="diffprivlib-naive-bayes-add-remove",
    library=DIFFPRIVLIB,
    what="GaussianNB(epsilon=1, bounds=(11, 15)) under add-remove; the sum of the class counts",
    data="wine, alcohol in percent, 3 wines of 2 cultivars",
    prepare=_naive_bayes_size,
    expected=Status.VIOLATED,
    why="The noisy class counts are moved until they sum to the number of records, which they thus give away: under "
    "add-remove, the relation its counts are calibrated to, nothing else is needed.",
    code="diffprivlib.models.naive_bayes:GaussianNB._noisy_class_counts",
    line="while np.sum(noisy_counts) != n_total",
    relation_note="diffprivlib does not name its neighbouring relation; where the number of records is public "
    "(replace-one) this is no leak, see diffprivlib-naive-bayes for that.",
    max_samples=2_000,
)


def _logistic_regression() -> Prepared:
    from diffprivlib.models import LogisticRegression

    rows, _ = columns("breast_cancer", "mean concave points", rows=slice(0, 8))
    model = _learner(LogisticRegression(epsilon=EPSILON, data_norm=1.0), ("coef_", "intercept_"))
    return Prepared(WithPublicLabels(model), CLAIM, ReplaceOne(Records.bounded([0.0], [1.0])), rows)


logistic_regression = Subject(
    name="diffprivlib-logistic-regression-norm-1",
    library=DIFFPRIVLIB,
    what="LogisticRegression(epsilon=1, data_norm=1), labels public; coefficient and intercept",
    data="breast cancer, mean concave points, 8 patients",
    prepare=_logistic_regression,
    expected=Status.NO_VIOLATION_FOUND,
    why="With rows no longer than 1 and labels known beforehand this is the objective perturbation of Chaudhuri, "
    "Monteleoni & Sarwate (2011), as published.",
    relation_note=REPLACING,
    max_samples=10_000,
)


def _logistic_regression_norm() -> Prepared:
    from diffprivlib.models import LogisticRegression

    model = LogisticRegression(epsilon=EPSILON, data_norm=500.0, fit_intercept=False)
    relation = ReplaceOne(Records.bounded([0.0], [500.0]), size=2)
    return Prepared(WithPublicLabels(_learner(model, "coef_")), CLAIM, relation, np.zeros((2, 1)))


logistic_regression_norm = Subject(
    name="diffprivlib-logistic-regression-norm-500",
    library=DIFFPRIVLIB,
    what="LogisticRegression(epsilon=1, data_norm=500, fit_intercept=False), labels public; the coefficient",
    data="no data: two rows at 0, of which one moves within 0 to 500",
    prepare=_logistic_regression_norm,
    expected=Status.VIOLATED,
    why="The change of the Hessian by one row of length r is up to r^2 / 4, and the mechanism takes r / 4: right for "
    "the published r = 1, too little for any longer norm.",
    code="diffprivlib.mechanisms.vector:Vector.randomise",
    line="epsilon_p = self.epsilon - 2 * np.log(1 + self.function_sensitivity * self.data_sensitivity / self.alpha)",
    relation_note=REPLACING + " Labels go by place, so that nothing but a feature within the norm changes.",
    max_samples=20_000,
)


def _logistic_regression_labels() -> Prepared:
    from diffprivlib.models import LogisticRegression

    x, y = columns("iris", "petal length (cm)", "petal width (cm)", rows=[0, 50, 100])
    model = LogisticRegression(epsilon=EPSILON, data_norm=8.0)
    records = Records.labelled(features=([0.0, 0.0], [7.0, 3.0]), labels=[0, 1, 2])
    return Prepared(_learner(model, ("coef_", "intercept_")), CLAIM, ReplaceOne(records), (x, y))


logistic_regression_labels = Subject(
    name="diffprivlib-logistic-regression",
    library=DIFFPRIVLIB,
    what="LogisticRegression(epsilon=1, data_norm=8); coefficients and intercepts",
    data="iris, petal length and width, 3 flowers, one of each species",
    prepare=_logistic_regression_labels,
    expected=Status.VIOLATED,
    why="The label set is read from the data: the only record of a class decides how many coefficients there are.",
    code="diffprivlib.models.logistic_regression:LogisticRegression.fit",
    line="self.classes_ = np.unique(y)",
    relation_note=REPLACING,
    upstream="https://github.com/IBM/differential-privacy-library/issues/106",
    max_samples=4_000,
)


def _linear_regression(bounds: tuple[float, float]) -> Prepared:
    from diffprivlib.models import LinearRegression

    x, _ = columns("iris", "petal width (cm)", rows=slice(0, 12))
    y, _ = columns("iris", "petal length (cm)", rows=slice(0, 12))
    model = LinearRegression(epsilon=EPSILON, bounds_X=bounds, bounds_y=(0.0, 7.0), fit_intercept=False)
    # Records within the bounds, and not 0: a column of nothing but 0 would have no slope at all.
    records = Records.labelled(features=([0.1], [bounds[1]]), labels=(0.0, 7.0))
    return Prepared(_learner(model, "coef_"), CLAIM, ReplaceOne(records), (x, y[:, 0]))


linear_regression = Subject(
    name="diffprivlib-linear-regression",
    library=DIFFPRIVLIB,
    what="LinearRegression(epsilon=1, bounds_X=(0, 3), bounds_y=(0, 7), fit_intercept=False); the slope",
    data="iris, petal length from petal width, 12 flowers",
    prepare=lambda: _linear_regression((0.0, 3.0)),
    expected=Status.VIOLATED,
    why="The sensitivity of a column's sum of squares is computed from its lower bound twice. With a lower bound of 0 "
    "it is 0, and the sum of squares, by which the slope is divided, gets no noise at all.",
    code="diffprivlib.models.linear_regression:_construct_regression_obj",
    line="sensitivity = np.max(np.abs([bounds_X[0][i], bounds_X[0][i]])) ** 2",
    relation_note=REPLACING,
    upstream="https://github.com/IBM/differential-privacy-library/issues/105",
    max_samples=20_000,
)

linear_regression_symmetric = Subject(
    name="diffprivlib-linear-regression-symmetric",
    library=DIFFPRIVLIB,
    what="LinearRegression(epsilon=1, bounds_X=(-3, 3), bounds_y=(0, 7), fit_intercept=False); the slope",
    data="iris, petal length from petal width, 12 flowers",
    prepare=lambda: _linear_regression((-3.0, 3.0)),
    expected=Status.NO_VIOLATION_FOUND,
    why="With bounds that are symmetric about 0 the lower bound's square is the upper's, and the sensitivity right.",
    relation_note=REPLACING,
    max_samples=10_000,
)


def _kmeans(output: Any) -> Prepared:
    from diffprivlib.models import KMeans

    rows, _ = columns("iris", "petal length (cm)", rows=slice(0, 150, 25))
    model = KMeans(n_clusters=2, epsilon=EPSILON, bounds=(0.0, 7.0))
    return Prepared(_learner(model, output), CLAIM, ReplaceOne(Records.bounded([0.0], [7.0])), rows)


kmeans = Subject(
    name="diffprivlib-kmeans-centres",
    library=DIFFPRIVLIB,
    what="KMeans(n_clusters=2, epsilon=1, bounds=(0, 7)); the centres",
    data="iris, petal length, 6 flowers",
    prepare=lambda: _kmeans("cluster_centers_"),
    expected=Status.NO_VIOLATION_FOUND,
    why="Counts and sums get noise in every round. A record that changes its cluster changes two of each, where the "
    "budget is for one; how much of that the centres, which are their ratio, show, this audit cannot tell from noise.",
    relation_note=REPLACING,
    max_samples=10_000,
)


def centre_and_distance(fitted: Any) -> Any:
    """The centre, and how far from it the only record is: the root of the inertia."""
    return np.array([float(fitted.cluster_centers_[0, 0]), float(np.sqrt(fitted.inertia_))])


def _kmeans_inertia() -> Prepared:
    from diffprivlib.models import KMeans

    model = KMeans(n_clusters=1, epsilon=EPSILON, bounds=(0.0, 7.0))
    relation = ReplaceOne(Records.bounded([0.0], [7.0]), size=range(1, 4))
    return Prepared(_learner(model, centre_and_distance), CLAIM, relation)


kmeans_inertia = Subject(
    name="diffprivlib-kmeans",
    library=DIFFPRIVLIB,
    what="KMeans(n_clusters=1, epsilon=1, bounds=(0, 7)); the centre and the root of inertia_",
    data="no data: pairs of up to three rows searched among records from 0 to 7",
    prepare=_kmeans_inertia,
    expected=Status.VIOLATED,
    why="inertia_, a documented attribute, is the exact sum of squared distances of the records to the noisy centres: "
    "whoever sees both knows a record's distance to a known point, without noise. labels_ is exact too.",
    code="diffprivlib.models.k_means:KMeans.fit",
    line="self.inertia_ = distances[",
    relation_note=REPLACING,
    max_samples=6_000,
)


def _scaler() -> Prepared:
    from diffprivlib.models import StandardScaler

    rows, _ = columns("breast_cancer", "mean radius", rows=slice(0, 8))
    model = StandardScaler(epsilon=EPSILON, bounds=(0.0, 50.0))
    return Prepared(_learner(model, ("mean_", "var_")), CLAIM, ReplaceOne(Records.bounded([0.0], [50.0])), rows)


scaler = Subject(
    name="diffprivlib-standard-scaler",
    library=DIFFPRIVLIB,
    what="StandardScaler(epsilon=1, bounds=(0, 50)); mean and variance",
    data="breast cancer, mean radius, 8 patients",
    prepare=_scaler,
    expected=Status.NO_VIOLATION_FOUND,
    why="Half of epsilon each for mean and variance, with their sensitivities under replace-one.",
    relation_note=REPLACING,
    max_samples=10_000,
)


def labels_of_trees(fitted: Any) -> Any:
    """What each tree says of a radius of 14: what ``predict`` does for one row, without its checks."""
    probe = np.array([[14.0]], dtype=np.float32)
    return np.array([int(np.argmax(tree.tree_.predict(probe))) for tree in fitted.estimators_])


def _forest() -> Prepared:
    from diffprivlib.models import RandomForestClassifier

    x, y = columns("breast_cancer", "mean radius", rows=[17, 18, 19])
    model = RandomForestClassifier(n_estimators=1, max_depth=1, epsilon=EPSILON, bounds=(0.0, 50.0), classes=[0, 1])
    return Prepared(_learner(model, labels_of_trees), CLAIM, LabelsOnly([0, 1]), (x, y))


forest = Subject(
    name="diffprivlib-random-forest",
    library=DIFFPRIVLIB,
    what="RandomForestClassifier(n_estimators=1, max_depth=1, epsilon=1, bounds=(0, 50), classes=[0, 1]); a prediction",
    data="breast cancer, mean radius, 3 patients",
    prepare=_forest,
    expected=Status.VIOLATED,
    why="A leaf's label is chosen with the noise for utilities that all move the same way (monotonic=True). This holds "
    "where a record is added; where one changes its label, one count rises and another falls, and the loss is twice "
    "epsilon.",
    code="diffprivlib.models.forest:_FittingTree.fit",
    line="mech = PermuteAndFlip(epsilon=self.epsilon, sensitivity=1, monotonic=True",
    relation_note="diffprivlib does not name its neighbouring relation. Under add-remove one tree keeps its claim; "
    "several do not, see diffprivlib-random-forest-add-remove.",
    max_samples=20_000,
)


def _forest_add_remove() -> Prepared:
    from diffprivlib.models import RandomForestClassifier

    model = RandomForestClassifier(n_estimators=4, max_depth=1, epsilon=EPSILON, bounds=(0.0, 50.0), classes=[0, 1])
    x, y = columns("breast_cancer", "mean radius", rows=[17, 19, 18, 20])
    records = Records.labelled(features=([0.0], [50.0]), labels=[0, 1])
    return Prepared(_learner(model, labels_of_trees), CLAIM, AddRemove(records, size=4), (x, y))


forest_add_remove = Subject(
    name="diffprivlib-random-forest-add-remove",
    library=DIFFPRIVLIB,
    what="RandomForestClassifier(n_estimators=4, max_depth=1, epsilon=1, bounds=(0, 50), classes=[0, 1]) under "
    "add-remove; all trees' predictions",
    data="breast cancer, mean radius, 4 patients",
    prepare=_forest_add_remove,
    expected=Status.VIOLATED,
    why="Records are dealt to the trees by their place among all: one record less moves the others' places, and "
    "records from one tree to the next, so that more than one tree changes, and by more than one record.",
    code="diffprivlib.models.forest:RandomForestClassifier.fit",
    line="tree_idxs = (tree_idxs // (n_samples / n_more_estimators)).astype(int)",
    relation_note="diffprivlib does not name its neighbouring relation; for replace-one see diffprivlib-random-forest.",
    max_samples=5_000,
)
