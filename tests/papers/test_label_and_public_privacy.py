"""What the label-private and the semi-private learner protect, and what they show: both decided exactly."""

from __future__ import annotations

import math

import pytest

import dpcheck
from dpcheck import LabelsOnly, Records, ReplaceOne, Status
from dpcheck.papers.alon2019.learners import FixedPublic
from dpcheck.papers.chaudhuri2011.exposures import Exposure, features_exposed, public_part_exposed

EPSILON = 1.0
RECORDS = Records.labelled(features=[0, 1, 2, 3], labels=[0, 1])
# The suite's level; an exact audit compares so many calls with the declared law.
WHERE = {"alpha": 1e-9, "max_samples": 1200, "isolation": "none"}
EXPOSED = pytest.mark.parametrize(
    "exposed", [features_exposed(EPSILON), public_part_exposed(EPSILON)], ids=lambda one: one.exposed
)


def exact_loss(verdict: dpcheck.Verdict) -> float:
    assert verdict.exact is not None
    return verdict.exact.epsilon


def test_the_label_private_learner_is_label_private() -> None:
    learner = features_exposed(EPSILON).learner
    verdict = dpcheck.audit(learner, neighbours=LabelsOnly(RECORDS, size=2), exhaustive=True, **WHERE)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert 0.5 < exact_loss(verdict) < EPSILON


def test_the_semi_private_learner_is_private_in_its_private_part() -> None:
    exposed = public_part_exposed(EPSILON)
    for public in (exposed.left, exposed.right):
        learner = FixedPublic(exposed.learner.learner, public)
        verdict = dpcheck.audit(learner, neighbours=ReplaceOne(RECORDS, size=2), exhaustive=True, **WHERE)
        assert verdict.status is Status.NO_VIOLATION_FOUND
        assert 0.5 < exact_loss(verdict) < EPSILON


@pytest.mark.turns(6)
@EXPOSED
def test_and_it_shows_the_other_part_for_certain(exposed: Exposure) -> None:
    pairs = {"neighbours": ReplaceOne(), "pairs": [(exposed.left, exposed.right)]}
    verdict = dpcheck.audit(exposed.learner, EPSILON, **pairs, **WHERE)
    assert verdict.status is Status.VIOLATED
    assert math.isinf(exact_loss(verdict))
    assert math.isinf(exposed.loss)
    # the output that only one side gives is likely there: the calls alone find it
    assert exposed.probability > 0.3
    assert not set(exposed.outputs) & set(exposed.learner.distribution(exposed.right).outputs)
    called = dpcheck.audit(dpcheck.by_calls(exposed.learner), EPSILON, **pairs, alpha=1e-9, isolation="none")
    assert called.status is Status.VIOLATED


def test_what_is_exposed_is_not_what_is_promised() -> None:
    features = features_exposed(EPSILON)
    assert LabelsOnly().distance_problem(features.left, features.right) is not None
    assert features.learner.neighbours == LabelsOnly()
    assert public_part_exposed(EPSILON).learner.learner.neighbours.name == "private-part"


def test_nothing_is_exposed_where_the_candidates_are_the_same() -> None:
    found = features_exposed(EPSILON)
    same = Exposure(found.learner, "nothing", found.left, found.left)
    assert (same.outputs, same.probability, same.loss) == ([], 0.0, 0.0)
