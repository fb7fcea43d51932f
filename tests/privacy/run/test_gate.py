"""``assert_private``: passes, raises with the verdict, and fails closed."""

from __future__ import annotations

import math
import pickle
from typing import Any

import pytest

import dpcheck
from dpcheck import DpInconclusive, DpViolation, LearnerFailed, Status, UnexpectedVerdict, assert_private
from dpcheck.model.errors import InvalidArgument
from tests.statistical_tests import LEVEL

OPTIONS: dict[str, Any] = {"pairs": [([0.0], [1.0])], "isolation": "none", "alpha": LEVEL, "max_seconds": math.inf}


def laplace(dataset: Any, rng: Any) -> float:
    return float(sum(dataset) + rng.laplace())


def half_the_scale(dataset: Any, rng: Any) -> float:
    return float(sum(dataset) + rng.laplace(scale=0.5))


def raises(dataset: Any, rng: Any) -> float:
    raise ValueError("no")


def test_no_violation_passes_and_gives_the_verdict(seed: int) -> None:
    verdict = assert_private(laplace, 1.0, seed=seed, max_samples=20_000, **OPTIONS)
    assert verdict.status is Status.NO_VIOLATION_FOUND


def test_a_violation_raises_an_assertion_error_with_the_verdict(seed: int) -> None:
    with pytest.raises(DpViolation) as caught:
        assert_private(half_the_scale, 1.0, seed=seed, max_samples=100_000, **OPTIONS)
    assert isinstance(caught.value, AssertionError)
    assert not isinstance(caught.value, dpcheck.DpcheckError)
    assert caught.value.verdict.status is Status.VIOLATED
    assert str(caught.value) == str(caught.value.verdict)


def test_inconclusive_fails_closed_unless_allowed(seed: int) -> None:
    with pytest.raises(DpInconclusive) as caught:
        assert_private(laplace, 1.0, seed=seed, max_samples=100, **OPTIONS)
    assert caught.value.verdict.status is Status.INCONCLUSIVE
    allowed = assert_private(laplace, 1.0, seed=seed, max_samples=100, allow_inconclusive=True, **OPTIONS)
    assert allowed.status is Status.INCONCLUSIVE


@pytest.mark.parametrize("allow", [False, True])
def test_a_learner_that_fails_fails_the_gate_whatever_is_allowed(allow: bool) -> None:
    with pytest.raises(LearnerFailed) as caught:
        assert_private(raises, 1.0, allow_inconclusive=allow, **OPTIONS)
    assert caught.value.verdict.status is Status.LEARNER_FAILED


def test_allowing_the_inconclusive_allows_no_violation(seed: int) -> None:
    with pytest.raises(DpViolation):
        assert_private(half_the_scale, 1.0, seed=seed, max_samples=100_000, allow_inconclusive=True, **OPTIONS)


def test_the_three_are_three_and_of_one_root() -> None:
    kinds = (DpViolation, DpInconclusive, LearnerFailed)
    assert all(issubclass(kind, UnexpectedVerdict) and issubclass(kind, AssertionError) for kind in kinds)
    assert not any(issubclass(one, other) for one in kinds for other in kinds if one is not other)


def test_what_is_raised_survives_pickling() -> None:
    with pytest.raises(LearnerFailed) as caught:
        assert_private(raises, 1.0, **OPTIONS)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.verdict, str(again)) == (LearnerFailed, caught.value.verdict, str(caught.value))


def test_wrong_arguments_are_no_violation() -> None:
    with pytest.raises(InvalidArgument):
        assert_private(laplace, -1.0, **OPTIONS)
    with pytest.raises(TypeError):
        assert_private(laplace, 1.0, no_such_argument=1, **OPTIONS)


@pytest.mark.turns(6)
def test_it_stands_in_hypothesis(seed: int) -> None:
    from hypothesis import given, settings
    from hypothesis import strategies as st

    @settings(max_examples=3, database=None)
    @given(st.floats(0.5, 1.0))
    def property_of(record: float) -> None:
        assert_private(
            laplace, 1.0, seed=seed, max_samples=10_000, **(OPTIONS | {"pairs": [([0.0], [record])], "detect": 3.0})
        )

    property_of()
