"""The instances behind chaudhuri2011's label privacy: what they count, that they stand, and that broken ones do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcheck.model.law import Law
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner
from dpcheck.papers.chaudhuri2011.theorems import label_learner_instances, label_privacy_instances
from dpcheck.parts.classes import Atoms, Doubling, GridThresholds
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.proof.instances import Enumeration


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("enumerate_all", "count"),
    [
        (label_privacy_instances.two_flips, 16),
        (label_privacy_instances.choice_of_two, 2048),
        (label_privacy_instances.two_far_hypotheses, 1),
        (label_privacy_instances.five_singletons, 1),
        (label_privacy_instances.ladders_without_close_pairs, 20),
        (label_privacy_instances.fair_on_equal_data, 2),
        (label_privacy_instances.halves_of_the_sphere, 624),
        (label_privacy_instances.obtuse_directions, 242),
        (label_learner_instances.agreeing_at_the_only_point, 1024),
        (label_learner_instances.label_pairs, 1672),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_each_instance_stands(enumerate_all: Callable[[], Enumeration], count: int) -> None:
    found = enumerate_all()
    assert not found.failure
    assert found.count == count


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(5)])
def test_a2_keeps_alpha_in_the_labels_from_end_to_end(epsilon: Fraction) -> None:
    assert not label_learner_instances.label_pairs(epsilon).failure


def test_a2_keeps_nothing_of_the_points() -> None:
    assert label_learner_instances.label_pairs(labels_only=False).failure == "loss inf"


@dataclass(frozen=True)
class TwiceTheRate(LabelPrivateLearner):
    """Forgets the half in the exponent."""

    def distribution(self, dataset: Any) -> Law:
        candidates, choice = self.choice(dataset)
        return Choice(2 * self.rate(dataset), choice.scores).law(as_outputs(candidates))


def test_a_learner_without_the_half_in_the_exponent_is_seen() -> None:
    broken = TwiceTheRate(GridThresholds(4), Fraction(1), accuracy=0.5)
    assert label_learner_instances.label_pairs(learner=broken).failure


def test_a_ladder_with_four_branches_has_too_small_a_dimension() -> None:
    assert label_privacy_instances.ladders_without_close_pairs(4).failure


def test_laws_that_lose_twice_as_much_are_no_witnesses() -> None:
    assert label_privacy_instances.two_flips(2).failure
    assert label_privacy_instances.choice_of_two(2).failure


def test_ten_records_are_enough_for_sauer() -> None:
    assert label_learner_instances.agreeing_at_the_only_point(10).failure


def test_a_learner_that_slips_too_often_is_no_witness() -> None:
    assert label_privacy_instances.fair_on_equal_data(Fraction(1, 2)).failure


def test_a_wrong_doubling_dimension_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_ball(family: Any, law: Atoms, scale: Fraction) -> Doubling:
        return Doubling(1, scale)

    monkeypatch.setattr("dpcheck.parts.classes.doubling_dimension", one_ball)
    assert label_privacy_instances.two_far_hypotheses().failure
    assert label_privacy_instances.five_singletons().failure


def test_right_angles_allow_a_packing_as_large_as_printed() -> None:
    assert label_privacy_instances.obtuse_directions(0).failure == "8 directions"


def test_open_halves_do_not_cover_the_sphere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the boundary a direction orthogonal to u is in neither half."""

    class Open(np.ndarray):
        def __ge__(self, other: Any) -> Any:
            return np.asarray(self) > other

    whole = np.array
    monkeypatch.setattr(label_privacy_instances.np, "array", lambda value: whole(value).view(Open))
    assert label_privacy_instances.halves_of_the_sphere().failure
