"""Scikit-learn estimators as learners."""

import copy
import sys

import cloudpickle
import numpy as np
import pandas as pd
import pytest

from dpcheck.adapters.estimator import from_estimator, parameters_of
from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import as_target

pytest.importorskip("sklearn")
from sklearn.base import BaseEstimator
from sklearn.linear_model import LinearRegression, Ridge, SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]])
Y = np.array([0.0, 1.0, 2.0, 3.0])


class Noisy(BaseEstimator):
    """Reveals what it was given."""

    def __init__(self, scale=1.0, random_state=None):
        self.scale = scale
        self.random_state = random_state

    def fit(self, X, y=None):
        self.X_ = np.asarray(X, dtype=float)
        self.seed_ = self.random_state
        self.noise_ = np.random.default_rng(self.random_state).normal(scale=self.scale)
        self.words_ = np.array(["text"])
        self._hidden_ = 5.0
        self.n_features_in_ = np.shape(X)[1]
        return self


def test_the_output_is_a_flat_vector():
    learner = from_estimator(Ridge(), output=["coef_", "intercept_"])
    found = learner((X, Y), np.random.default_rng(0))
    expected = Ridge().fit(X, Y)
    assert found == pytest.approx([*expected.coef_, expected.intercept_])
    assert from_estimator(Ridge(), output="coef_")((X, Y), np.random.default_rng(0)) == pytest.approx(expected.coef_)


def test_a_callable_output_sees_the_fitted_estimator():
    learner = from_estimator(Ridge(), output=lambda fitted: fitted.predict([[0.0, 0.0]])[0])
    assert isinstance(float(learner((X, Y), np.random.default_rng(0))), float)


def test_by_default_every_public_numeric_attribute_is_seen():
    found = from_estimator(Noisy())(X, np.random.default_rng(0))
    assert len(found) == X.size + 2  # X_, noise_, seed_; not words_, _hidden_, n_features_in_
    assert found[: X.size].tolist() == X.ravel().tolist()


def test_the_random_state_is_an_int_drawn_from_rng():
    seed = from_estimator(Noisy(), output=lambda fitted: fitted.seed_)
    rng = np.random.default_rng(0)
    first, second = seed(X, rng), seed(X, rng)
    assert type(first) is int
    assert first != second
    assert seed(X, np.random.default_rng(0)) == first


def test_the_parts_of_a_pipeline_are_seeded_too():
    pipeline = make_pipeline(StandardScaler(), SGDClassifier(max_iter=5, tol=None))
    learner = from_estimator(pipeline, output=lambda fitted: fitted[-1].random_state)
    assert learner.seeded == ("sgdclassifier__random_state",)
    assert isinstance(learner((X, [0, 1, 0, 1]), np.random.default_rng(0)), int)


def test_the_original_is_never_fitted_nor_seeded():
    estimator = Noisy()
    from_estimator(estimator)(X, np.random.default_rng(0))
    assert vars(estimator) == {"scale": 1.0, "random_state": None}


@pytest.mark.parametrize(
    "dataset",
    [
        (X, Y),
        (X.tolist(), Y.tolist()),
        Labelled(X, Y),
        (pd.DataFrame(X, columns=["a", "b"]), pd.Series(Y)),
        SemiPrivate(Labelled(X, Y), X),
    ],
    ids=["arrays", "lists", "labelled", "frame", "semi-private"],
)
def test_labelled_datasets_of_every_kind_are_fitted(dataset):
    expected = LinearRegression().fit(X, Y).coef_
    assert from_estimator(LinearRegression(), output="coef_")(dataset, None) == pytest.approx(expected)


@pytest.mark.parametrize("dataset", [X, X.tolist(), pd.DataFrame(X, columns=["a", "b"])])
def test_datasets_without_labels_are_fitted(dataset):
    assert from_estimator(StandardScaler(), output="mean_")(dataset, None) == pytest.approx(X.mean(axis=0))


def test_numbers_are_taken_as_a_column():
    assert from_estimator(StandardScaler(), output="mean_")([1.0, 3.0], None).tolist() == [2.0]


def test_it_is_a_learner_that_can_be_copied_and_shipped():
    learner = from_estimator(Ridge(), output=lambda fitted: fitted.coef_)
    target = as_target(learner)
    assert not target.is_factory
    assert target.can_be_copied
    for other in (copy.deepcopy(learner), cloudpickle.loads(cloudpickle.dumps(learner))):
        rng = np.random.default_rng(0)
        assert other((X, Y), rng).tolist() == learner((X, Y), rng).tolist()
    assert learner.name == "from_estimator(Ridge)"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((Ridge,), "got the class Ridge: write Ridge(...)"),
        ((5,), "must have fit and get_params"),
        ((Ridge(), 5), "output must be the name of a fitted attribute"),
        ((Ridge(), []), "output must be the name of a fitted attribute"),
        ((Ridge(), ["coef_", 3]), "output must be the name of a fitted attribute"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(arguments, says):
    with pytest.raises(InvalidArgument) as caught:
        from_estimator(*arguments)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_attribute_names_the_nearest():
    fitted = Ridge().fit(X, Y)
    with pytest.raises(InvalidArgument, match=r"got 'coeff_' \(did you mean 'coef_'\?\)"):
        parameters_of(fitted, "coeff_")
    with pytest.raises(InvalidArgument, match="numeric attributes"):
        parameters_of(Noisy().fit(X), "words_")
    with pytest.raises(InvalidArgument, match="no numeric attribute"):
        parameters_of(Noisy())


def test_without_scikit_learn_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with pytest.raises(InvalidArgument, match=r"dpcheck\[diffprivlib\].*scikit-learn below 1\.8"):
        from_estimator(Ridge())


@pytest.mark.turns(4)
def test_the_demonstration_has_a_broken_and_a_correct_subject():
    pytest.importorskip("diffprivlib")
    from dpcheck.adapters.demonstration import subjects
    from dpcheck.model.verdict import Status

    found = subjects()
    assert [subject.expected for subject in found] == [Status.VIOLATED, Status.NO_VIOLATION_FOUND]
    for subject in found:
        made = subject.relation.pairs_from(subject.dataset, np.random.default_rng(), 5)
        assert made.pairs[0].change.endswith("replaced by (50, 1) labelled 1")
        assert len(cloudpickle.dumps(subject.learner)) < 100_000


def test_without_diffprivlib_the_demonstration_says_what_to_install(monkeypatch):
    from dpcheck.adapters.demonstration import naive_bayes

    monkeypatch.setitem(sys.modules, "diffprivlib.models", None)
    with pytest.raises(InvalidArgument, match=r"scikit-learn below 1\.8"):
        naive_bayes(1.0, None)
