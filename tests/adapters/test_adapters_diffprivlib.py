"""diffprivlib's models and mechanisms as learners: what is read from them, and that a wrong claim is caught."""

from __future__ import annotations

import copy
import pickle
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest

import dpcheck
from dpcheck.adapters.diffprivlib import from_diffprivlib
from dpcheck.adapters.estimator import from_estimator
from dpcheck.adapters.recognition import adapted
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import AddRemove, ReplaceOne

pytest.importorskip("diffprivlib.models")
from diffprivlib import mechanisms, models

# Each audit accuses a learner that keeps its claim with at most this probability, whatever the seed.
ALPHA = 1e-9


@pytest.mark.parametrize(
    ("model", "records"),
    [
        (models.GaussianNB(bounds=([0, 0], [50, 1])), "features (0 to 50, 0 to 1), labels not declared"),
        (models.StandardScaler(bounds=(0.0, 5.0)), "0 to 5"),
        (models.KMeans(n_clusters=2, bounds=([0.0], [5.0])), "(0 to 5)"),
        (
            models.LinearRegression(bounds_X=([0.0], [5.0]), bounds_y=(1.0, 2.0)),
            "features (0 to 5), labels 1 to 2",
        ),
        (models.LogisticRegression(data_norm=3.0), "features -3 to 3, labels not declared"),
        (
            models.RandomForestClassifier(bounds=(0.0, 5.0), classes=[0, 1]),
            "features 0 to 5, labels one of (0, 1)",
        ),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "fit") else "",
)
def test_a_model_brings_its_claim_and_records(model, records):
    learner = from_diffprivlib(model)
    assert learner.claim == PureDP(1.0)
    assert isinstance(learner.neighbours, ReplaceOne)
    assert str(learner.neighbours.records) == records
    assert learner.untold == ()


def test_what_a_model_is_not_told_is_warned_of():
    with pytest.warns(UserWarning, match="was not told bounds and classes and reads them from the data") as caught:
        learner = from_diffprivlib(models.RandomForestClassifier(), labels=[0, 1])
    assert learner.untold == ("bounds", "classes")
    assert str(learner.neighbours.records) == "features not declared, labels one of (0, 1)"
    assert len(caught) == 1


def test_what_is_asked_for_wins():
    model = models.GaussianNB(epsilon=0.5, bounds=(0.0, 5.0))
    learner = from_diffprivlib(model, neighbours="add-remove", records=(1.0, 2.0), labels=["a", "b"], size=4)
    assert isinstance(learner.neighbours, AddRemove)
    assert learner.neighbours.size == 4
    assert str(learner.neighbours.records) == "features 1 to 2, labels one of ('a', 'b')"
    own = ReplaceOne(records=(0.0, 1.0))
    assert from_diffprivlib(model, neighbours=own).neighbours is own


@pytest.mark.parametrize(
    ("mechanism", "claim", "records"),
    [
        (mechanisms.Laplace(epsilon=0.5, sensitivity=2.0), PureDP(0.5), "0 to 2"),
        (mechanisms.Geometric(epsilon=1.0, sensitivity=2), PureDP(1.0), "one of (0, 1, 2)"),
        (mechanisms.GaussianAnalytic(epsilon=1.0, delta=0.1, sensitivity=1.0), ApproxDP(1.0, 0.1), "0 to 1"),
        (mechanisms.LaplaceTruncated(epsilon=1.0, sensitivity=4.0, lower=1.0, upper=3.0), PureDP(1.0), "1 to 3"),
        (mechanisms.GeometricFolded(epsilon=1.0, sensitivity=1, lower=0.5, upper=9), PureDP(1.0), "one of (1, 2)"),
        (mechanisms.Binary(epsilon=1.0, value0="no", value1="yes"), PureDP(1.0), "one of ('no', 'yes')"),
    ],
    ids=lambda value: type(value).__name__ if hasattr(value, "randomise") else "",
)
def test_a_mechanism_is_about_numbers_within_its_sensitivity(mechanism, claim, records):
    learner = from_diffprivlib(mechanism)
    assert learner.claim == claim
    assert (learner.neighbours.size, str(learner.neighbours.records)) == (1, records)
    dataset = [learner.neighbours.records.extremes("no" if "no" in records else 1.0)[0]]
    if isinstance(mechanism, mechanisms.Geometric):
        dataset = [np.int64(2)]
    assert len(learner.sample(dataset, 3, np.random.default_rng(0))) == 3


def test_the_random_state_is_drawn_from_rng():
    learner = from_diffprivlib(mechanisms.Laplace(epsilon=1.0, sensitivity=1.0))
    draws = [learner([0.0], np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]


def test_a_mechanism_can_be_copied_and_sent():
    learner = from_diffprivlib(mechanisms.Laplace(epsilon=1.0, sensitivity=1.0))
    for other in (copy.deepcopy(learner), pickle.loads(pickle.dumps(learner))):
        assert other([0.0], np.random.default_rng(0)) == learner([0.0], np.random.default_rng(0))


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        (models.GaussianNB, "got the class GaussianNB"),
        (mechanisms.Vector(epsilon=1.0, function_sensitivity=1.0, dimension=2), "a mechanism that randomises a number"),
        (3, "subject must be a model or a mechanism of diffprivlib"),
        (models.GaussianNB(epsilon=float("inf"), bounds=(0, 1)), "finite epsilon"),
    ],
    ids=["class", "vector", "number", "infinite"],
)
def test_what_cannot_be_audited_is_refused_in_one_line(subject, said):
    with pytest.raises(InvalidArgument, match=said) as caught:
        from_diffprivlib(subject)
    assert "\n" not in str(caught.value)


def test_without_diffprivlib_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "diffprivlib.models", None)
    with pytest.raises(InvalidArgument, match=r"dpcheck\[diffprivlib\].* scikit-learn below 1\.8") as caught:
        from_diffprivlib(object())
    assert "\n" not in str(caught.value)


def test_it_is_recognised_where_a_learner_is_wanted():
    assert adapted(mechanisms.Laplace(epsilon=0.5, sensitivity=1.0)).claim == PureDP(0.5)
    assert adapted(models.GaussianNB(epsilon=0.5, bounds=(0, 1))).claim == PureDP(0.5)
    assert adapted(mechanisms.Laplace) is mechanisms.Laplace


def test_a_pipeline_shows_what_its_parts_learnt_or_says_of_a_probe():
    from sklearn.pipeline import make_pipeline

    x, y = np.linspace(0.0, 1.0, 12).reshape(-1, 1), np.arange(12) % 2
    pipeline = make_pipeline(
        models.StandardScaler(epsilon=0.5, bounds=(0.0, 1.0)), models.GaussianNB(epsilon=0.5, bounds=(-3.0, 3.0))
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        named = from_estimator(pipeline, output=["standardscaler__mean_", "gaussiannb__class_count_"])
        assert len(named((x, y), np.random.default_rng(0))) == 3
        assert len(from_estimator(pipeline)((x, y), np.random.default_rng(0))) > 6
        asked = from_estimator(pipeline, output="predict_proba", probe=[[0.0], [1.0]])
        assert np.sum(asked((x, y), np.random.default_rng(0))) == pytest.approx(2.0)
    with pytest.raises(InvalidArgument, match="output must be a method of Pipeline"):
        from_estimator(pipeline, output="predict_probability", probe=[[0.0]])
    with pytest.raises(InvalidArgument, match="standardscaler__mean_"):
        from_estimator(pipeline, output="standardscaler__means_")((x, y), np.random.default_rng(0))


@pytest.mark.turns(6)
def test_a_right_claim_is_not_accused_and_half_the_noise_behind_it_is():
    right = from_diffprivlib(mechanisms.Laplace(epsilon=1.0, sensitivity=1.0))
    verdict = dpcheck.audit(right, alpha=ALPHA, max_samples=3_000, isolation="none")
    assert verdict.status is not dpcheck.Status.VIOLATED, str(verdict)
    wrong = replace(right, mechanism=mechanisms.Laplace(epsilon=2.0, sensitivity=1.0))
    verdict = dpcheck.audit(wrong, alpha=ALPHA, max_samples=30_000, isolation="none", shrink=False)
    assert verdict.status is dpcheck.Status.VIOLATED, str(verdict)
