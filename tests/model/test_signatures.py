"""How callables take their dataset and generator: called so where that is certain, else told what to write."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import as_target
from dpcheck.model.signatures import generator_by, what_to_write


def noisy(data: Any, epsilon: float, rng: Any) -> float:
    return float(sum(data) + rng.laplace(scale=1.0 / epsilon))


def by_name(data: Any, *, rng: Any) -> float:
    return noisy(data, 1.0, rng)


def with_defaults(data: Any, epsilon: float = 1.0, rng: Any = None) -> float:
    return noisy(data, epsilon, rng)


class ByName:
    claim = 1.0

    def __call__(self, data: Any, *, scale: float = 1.0, generator: Any) -> float:
        return noisy(data, 1.0 / scale, generator)


class Factory:
    def __init__(self, epsilon: float = 1.0) -> None:
        self.epsilon = epsilon

    def __call__(self, data: Any, *, rng: Any) -> float:
        return noisy(data, self.epsilon, rng)


def parts(x: Any, y: Any, rng: Any) -> int: ...  # type: ignore[empty-body]
def seeded(X: Any, y: Any, random_state: Any = None) -> int: ...  # type: ignore[empty-body]
def swapped(rng: Any, data: Any) -> int: ...  # type: ignore[empty-body]
def no_generator(data: Any) -> int: ...  # type: ignore[empty-body]
def keywords(data: Any, **given: Any) -> int: ...  # type: ignore[empty-body]
def names_only(*, data: Any, rng: Any) -> int: ...  # type: ignore[empty-body]
def needs_more(data: Any, rng: Any, *, epsilon: float) -> int: ...  # type: ignore[empty-body]
def two_more(data: Any, epsilon: float, delta: float, rng: Any) -> int: ...  # type: ignore[empty-body]
def no_dataset(rng: Any) -> int: ...  # type: ignore[empty-body]


PARTIAL = functools.partial(noisy, epsilon=1.0)
TAKEN = {
    "keyword-only": by_name,
    "partial": PARTIAL,
    "defaults": with_defaults,
    "partial of defaults": functools.partial(with_defaults, epsilon=1.0),
    "instance": ByName(),
    "class": ByName,
    "factory": Factory,
    "fixed generator": functools.partial(by_name, rng=np.random.default_rng(0)),
}


@pytest.mark.some(3)
@pytest.mark.parametrize("isolation", ["none", "process"])
@pytest.mark.parametrize("case", TAKEN)
def test_the_generator_is_given_by_its_name(case: str, isolation: str) -> None:
    few: dict[str, Any] = {"pairs": [([0, 1], [1, 1])], "max_samples": 400, "isolation": isolation}
    found = dpcheck.audit(TAKEN[case], 1.0, **few)
    plain = dpcheck.audit(lambda data, rng: noisy(data, 1.0, rng), 1.0, **few)
    assert found.failure == ""
    assert found.log_evidence == plain.log_evidence


@pytest.mark.parametrize("take", [lambda data, rng: 0, lambda *both: 0, lambda data, generator=None: 0, len, max])
def test_two_arguments_by_place_stay_so(take: Any) -> None:
    assert generator_by(take) == "" or take is len


def test_what_it_declares_is_read_through_the_name() -> None:
    target = as_target(ByName)
    assert target.generator == "generator"
    assert target.make().claim == 1.0
    assert not hasattr(target.make(), "sample")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (noisy, "epsilon needs a value; write def learner(dataset, rng): return noisy(dataset, epsilon=..., rng=rng)"),
        (
            functools.partial(noisy, rng=3),
            "epsilon needs a value; write def learner(dataset, rng): return it(dataset, epsilon=..., rng=rng)",
        ),
        (
            needs_more,
            "epsilon needs a value; write def learner(dataset, rng): return needs_more(dataset, epsilon=..., ",
        ),
        (two_more, "epsilon and delta need values; write def learner(dataset, rng): return two_more(dataset, epsilon="),
        (parts, "dataset is (x, y); write def learner(dataset, rng): return parts(*dataset, rng)"),
        (seeded, "dataset is (X, y); write def learner(dataset, rng): return seeded(*dataset, int(rng.integers("),
        (swapped, "write def learner(dataset, rng): return swapped(rng, dataset)"),
        (no_generator, "it takes no generator; write def learner(dataset, rng): return no_generator(dataset), if it"),
        (keywords, "write def learner(dataset, rng): return keywords(dataset, rng=rng)"),
        (names_only, "write def learner(dataset, rng): return names_only(data=dataset, rng=rng)"),
        (no_dataset, "it takes no dataset"),
    ],
)
def test_what_is_refused_says_what_to_write(target: Any, said: str) -> None:
    with pytest.raises(dpcheck.InvalidArgument) as refused:
        dpcheck.audit(target, 1.0, pairs=[([0], [1])])
    text = str(refused.value)
    assert text.startswith("learner must take (dataset, rng), got ")
    assert said in text
    assert "\n" not in text


def test_the_line_that_is_told_makes_a_learner_of_it() -> None:
    line = what_to_write(noisy, "noisy").partition("write ")[2].replace("...", "1.0")
    space: dict[str, Any] = {"noisy": noisy}
    exec(line, space)
    assert generator_by(space["learner"]) == ""
    assert isinstance(space["learner"]([1], np.random.default_rng(0)), float)


def test_a_number_of_the_learners_is_no_place_for_the_generator() -> None:
    """It was handed to ``epsilon``, and the learner was said to raise on every dataset."""

    def noisy(data: Any, epsilon: float) -> float:
        return float(sum(data)) / epsilon

    assert generator_by(noisy) is None
    with pytest.raises(
        InvalidArgument, match=r"epsilon needs a value; write def learner\(dataset, rng\): return noisy"
    ):
        as_target(noisy)
    assert generator_by(lambda data, noise: 0) == ""
