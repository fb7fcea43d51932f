"""The project's own learners: the minimiser is one, the noise has its law, ``sample`` agrees with calls."""

import cloudpickle
import numpy as np
import pytest

from dpcheck.model.claims import PureDP
from dpcheck.model.data import Labelled, replace_record
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.learners.logistic_regression import (
    PerturbedLogisticRegression,
    minimiser,
    sensitivity,
)
from dpcheck.parts.learners.mean import PerturbedMean
from dpcheck.parts.mechanisms.norm_noise import in_unit_ball, norm_noise

# Each statistical test here alarms falsely with this probability, whatever the seed.
LEVEL = 1e-9


@pytest.fixture
def data():
    rng = np.random.default_rng(7)
    x = in_unit_ball(rng.normal(size=(60, 3)))
    return x, (x[:, 0] + 0.3 * rng.normal(size=60) > 0).astype(int)


@pytest.mark.parametrize("regularisation", [1e-3, 0.1, 10.0])
def test_the_minimiser_has_no_slope(data, regularisation):
    x, y = data
    weights = minimiser(data, regularisation)
    signed = x * np.where(y > 0, 1, -1)[:, None]
    gradient = regularisation * weights - signed.T @ (1 / (1 + np.exp(signed @ weights))) / len(x)
    assert np.linalg.norm(gradient) < 1e-9


def test_the_minimiser_is_scikit_learns(data):
    linear_model = pytest.importorskip("sklearn.linear_model")
    theirs = linear_model.LogisticRegression(C=1 / (0.1 * 60), fit_intercept=False, tol=1e-10).fit(*data)
    assert minimiser(data, 0.1) == pytest.approx(theirs.coef_[0], abs=1e-6)


def test_separable_data_and_one_row_are_fitted():
    assert np.isfinite(minimiser((np.eye(2), [1, 0]), 1e-6)).all()
    assert minimiser(([[1.0]], [1]), 1.0).shape == (1,)


@pytest.mark.parametrize("regularisation", [0.01, 0.1, 1.0])
def test_no_replacement_moves_the_minimiser_by_more_than_its_sensitivity(data, regularisation):
    rng = np.random.default_rng()
    weights = minimiser(data, regularisation)
    for _ in range(100):
        record = (3 * rng.normal(size=3), int(rng.integers(2)))
        moved = minimiser(replace_record(data, int(rng.integers(60)), record), regularisation)
        assert np.linalg.norm(moved - weights) <= sensitivity(60, regularisation)


def test_the_sensitivity_is_reached_by_the_mean():
    n = 5
    left, right = np.tile([1.0, 0.0], (n, 1)), np.tile([1.0, 0.0], (n, 1))
    right[0] = [-1.0, 0.0]
    assert np.linalg.norm(left.mean(axis=0) - right.mean(axis=0)) == pytest.approx(2 / n)


def test_the_noise_has_a_gamma_length_and_a_uniform_direction():
    from scipy import stats

    rng = np.random.default_rng()
    noise = norm_noise(3, 0.5, 20_000, rng)
    length = np.linalg.norm(noise, axis=1)
    assert stats.kstest(length, stats.gamma(3, scale=0.5).cdf).pvalue > LEVEL
    # Archimedes: each coordinate of a uniform point on the sphere in three dimensions is uniform on [-1, 1].
    for coordinate in (noise / length[:, None]).T:
        assert stats.kstest(coordinate, stats.uniform(-1, 2).cdf).pvalue > LEVEL


@pytest.mark.parametrize("learner", [PerturbedLogisticRegression(2.0, 0.5), PerturbedMean(2.0)], ids=repr)
def test_sample_and_calls_have_one_law(learner, data):
    from scipy import stats

    rng = np.random.default_rng()
    dataset = data if isinstance(learner, PerturbedLogisticRegression) else data[0]
    calls = np.array([learner(dataset, rng) for _ in range(2000)])
    bulk = learner.sample(dataset, 4000, rng)
    assert calls.shape[1:] == bulk.shape[1:] == (3,)
    for j in range(3):
        assert stats.ks_2samp(calls[:, j], bulk[:, j]).pvalue > LEVEL / 3


def test_rows_are_shortened_and_never_stretched():
    rows = in_unit_ball([[3.0, 4.0], [0.1, 0.0], [0.0, 0.0]])
    assert rows.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.1, 0.0], [0.0, 0.0]]
    assert in_unit_ball([0.5, 2.0]).tolist() == [[0.5], [1.0]]


def test_kinds_of_datasets_are_fitted_alike(data):
    x, y = data
    expected = minimiser(data, 0.1)
    assert minimiser(Labelled(x, y), 0.1) == pytest.approx(expected)
    assert minimiser((x.tolist(), y.tolist()), 0.1) == pytest.approx(expected)
    assert minimiser((x, np.where(y > 0, 1, -1)), 0.1) == pytest.approx(expected)


def test_claims_and_pickles():
    for learner in (PerturbedLogisticRegression(0.5), PerturbedMean(0.5)):
        assert learner.claim == PureDP(0.5)
        assert learner.neighbours.name == "replace-one"
        assert cloudpickle.loads(cloudpickle.dumps(learner)) == learner


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: PerturbedLogisticRegression(epsilon=0), "epsilon must be a finite number above 0, got 0"),
        (lambda: PerturbedLogisticRegression(regularisation=float("nan")), "regularisation must be a finite"),
        (lambda: PerturbedMean(-1.0), "epsilon must be a finite number above 0, got -1.0"),
        (lambda: minimiser([1, 2], 1.0), "must have labels"),
        (lambda: minimiser((np.zeros((0, 2)), []), 1.0), "at least one record"),
        (lambda: minimiser(([[float("nan")]], [1]), 1.0), "finite numbers"),
        (lambda: in_unit_ball([["a"]]), "rows of numbers"),
    ],
)
def test_wrong_use_is_refused_in_one_line(make, says):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert says in str(caught.value)
