"""What learners refuse of the hypothesis class they are given: the Python class itself, a stranger, an unknown rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.alon2019.learners import CoverLearner, GenericLearner
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.parts.classes import Adversarial, GridThresholds, Thresholds
from dpcheck.parts.classes.references import UniformLine
from dpcheck.parts.learners.families import checked_family

MAKERS: dict[str, Callable[[Any], Any]] = {
    "generic": GenericLearner,
    "cover": CoverLearner,
    "A1": lambda family: ReferenceLearner(family, UniformLine()),
    "A2": LabelPrivateLearner,
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(
    ("family", "words"), [(GridThresholds, "got the Python class"), ("thresholds", "family must be a hypothesis class")]
)
def test_what_is_no_class_of_hypotheses_is_refused(name: str, family: Any, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        MAKERS[name](family)


def test_an_unknown_rule_is_refused_when_the_learner_is_made() -> None:
    for make in (CoverLearner, LabelPrivateLearner):
        with pytest.raises(InvalidArgument, match="rule must be one of lowest, highest, middle"):
            make(Thresholds(), rule="zzz")
    worst = Adversarial([0.5], [1])
    assert checked_family(Thresholds(), worst) == Thresholds()


def test_a_table_of_one_column_is_read_as_that_column_and_no_other() -> None:
    assert Thresholds().points([[0.5], [1.0]]).tolist() == [0.5, 1.0]
    assert GridThresholds(4).points([[3.0], [1.0]]).tolist() == [3, 1]
    for family in (Thresholds(), GridThresholds(4)):
        with pytest.raises(InvalidArgument, match=r"in the shape \(1, 2\)"):
            family.points([[0.0, 1.0]])
