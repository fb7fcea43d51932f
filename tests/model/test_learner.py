"""The black-box protocol: what is a learner, what a factory, and what is neither."""

from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np
import pytest

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import BulkSampler, Learner, SamplerLearner, Target, as_target, attribute_of, from_sampler


def plain(dataset: Any, rng: Any) -> float:
    return float(rng.random())


def named_with_defaults(dataset: Any = None, rng: Any = None) -> float:
    return 0.0


def with_option(dataset: Any, rng: Any, scale: float = 1.0) -> float:
    return scale


def anything(*args: Any) -> float:
    return float(len(args))


class Stateful:
    claim = PureDP(1.0)

    def __init__(self, epsilon: float = 1.0) -> None:
        self.epsilon = epsilon
        self.calls: list[int] = []

    def __call__(self, dataset: Any, rng: Any) -> float:
        self.calls.append(1)
        return self.epsilon

    def method(self, dataset: Any, rng: Any) -> float:
        return self.epsilon


def makes_one() -> Stateful:
    return Stateful(2.0)


def makes_one_with(*, epsilon: float = 3.0) -> Stateful:
    return Stateful(epsilon)


@pytest.mark.parametrize(
    "learner",
    [
        plain,
        lambda a, b: 0,
        named_with_defaults,
        with_option,
        anything,
        Stateful(),
        Stateful().method,
        functools.partial(with_option, scale=2.0),
    ],
    ids=["function", "lambda", "defaults", "option", "variadic", "instance", "bound method", "partial"],
)
def test_learners(learner: Any) -> None:
    target = as_target(learner)
    assert not target.is_factory
    assert callable(target.make())
    assert isinstance(learner, Learner)


@pytest.mark.parametrize("factory", [Stateful, makes_one, makes_one_with, lambda: plain, lambda scale=1.0: plain])
def test_factories(factory: Any) -> None:
    target = as_target(factory)
    assert target.is_factory
    assert callable(target.make())
    assert target.can_be_copied


def test_a_factory_makes_a_fresh_learner_each_time_with_its_options() -> None:
    target = as_target(Stateful, options={"epsilon": 0.5})
    one, two = target.make(), target.make()
    assert one is not two
    assert one.epsilon == two.epsilon == 0.5
    one(None, None)
    assert two.calls == []


def test_an_instance_is_copied_each_time_deeply() -> None:
    original = Stateful()
    target = as_target(original)
    made = target.make()
    made(None, None)
    assert made is not original
    assert original.calls == []
    assert target.can_be_copied


def test_what_cannot_be_copied_serves_itself_and_says_so() -> None:
    class Locked(Stateful):
        def __init__(self) -> None:
            super().__init__()
            self.lock = threading.Lock()

    original = Locked()
    target = as_target(original)
    assert target.make() is original
    assert not target.can_be_copied


def test_a_closure_may_share_state_and_a_plain_function_does_not() -> None:
    seen: list[int] = []

    def closure(dataset: Any, rng: Any) -> int:
        seen.append(1)
        return len(seen)

    assert not as_target(closure).can_be_copied
    assert as_target(plain).can_be_copied
    assert as_target(plain).make() is plain


@pytest.mark.parametrize("wrong", [3, "module:name", None, [plain], {}])
def test_what_cannot_be_called_is_refused(wrong: Any) -> None:
    with pytest.raises(
        InvalidArgument, match=r"learner must be callable, got .*: a learner is a callable \(dataset, rng\)"
    ):
        as_target(wrong)


@pytest.mark.parametrize("wrong", [lambda a: 0, lambda a, b, c: 0, lambda a, b, c, d=1: 0])
def test_the_wrong_number_of_arguments_is_refused(wrong: Any) -> None:
    with pytest.raises(
        InvalidArgument, match=r"learner must take \(dataset, rng\), got .*a factory is a class or a function"
    ):
        as_target(wrong)


def test_a_function_of_the_parts_of_a_dataset_is_told_its_learner() -> None:
    def fit(X: Any, y: Any, rng: Any) -> None: ...

    with pytest.raises(InvalidArgument, match=r"def learner\(dataset, rng\): return .*fit\(\*dataset, rng\)$"):
        as_target(fit)


@pytest.mark.parametrize(
    "wrong", [dict, int, lambda: 3, lambda: lambda a: 0], ids=["dict", "int", "number", "one-armed"]
)
def test_a_factory_of_something_else_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"learner must be a learner or a factory of one; calling .* gave"):
        as_target(wrong)


def test_a_class_that_needs_arguments_is_refused_with_its_error() -> None:
    class Needs:
        def __init__(self, epsilon: float) -> None: ...

        def __call__(self, dataset: Any, rng: Any) -> int:
            return 0

    with pytest.raises(InvalidArgument, match=r"learner .*Needs could not be made: .*epsilon"):
        as_target(Needs)
    assert as_target(Needs, options={"epsilon": 1.0}).is_factory


def test_options_are_for_factories_and_have_names() -> None:
    with pytest.raises(InvalidArgument, match=r"option 'scale' was given, but plain is a learner, not a factory"):
        as_target(plain, options={"scale": 1.0})
    with pytest.raises(
        InvalidArgument, match=r"option 'epsilom' is not one of Stateful's: epsilon \(did you mean 'epsilon'\?\)"
    ):
        as_target(Stateful, options={"epsilom": 1.0})
    with pytest.raises(InvalidArgument, match=r"option 'x' is not one of makes_one's: none"):
        as_target(makes_one, options={"x": 1.0})

    def any_option(**options: Any) -> Any:
        return plain

    assert as_target(any_option, options={"whatever": 1}).options == {"whatever": 1}


def test_names() -> None:
    assert as_target(plain).name == "plain"
    assert as_target(plain, name="mine").name == "mine"
    assert as_target(Stateful()).name == "Stateful"
    assert as_target(functools.partial(with_option, scale=1.0)).name == "partial"


def test_a_target_is_taken_as_it_is() -> None:
    target = Target(plain, False, "mine")
    assert as_target(target) is target


def test_callables_that_raise_when_looked_at_are_survived() -> None:
    class Nasty:
        @property
        def __signature__(self) -> Any:
            raise RuntimeError("do not look at me")

        def __call__(self, dataset: Any, rng: Any) -> int:
            return 0

    assert not as_target(Nasty()).is_factory


def test_attributes_come_from_the_learner_or_from_what_the_factory_makes() -> None:
    class Made(Stateful):
        claim = None  # type: ignore[assignment]

        def __init__(self) -> None:
            super().__init__()
            self.claim = PureDP(3.0)

    class Computed(Stateful):
        @property
        def claim(self) -> PureDP:  # type: ignore[override]
            return PureDP(self.epsilon)

    assert attribute_of(as_target(Stateful()), "claim") == PureDP(1.0)
    assert attribute_of(as_target(Stateful), "claim") == PureDP(1.0)
    assert attribute_of(as_target(Made), "claim") == PureDP(3.0)
    assert attribute_of(as_target(Computed, options={"epsilon": 4.0}), "claim") == PureDP(4.0)
    assert attribute_of(as_target(plain), "claim") is None
    assert attribute_of(as_target(makes_one), "neighbours") is None


def test_a_sampler_makes_a_learner() -> None:
    learner = from_sampler(lambda data, size, rng: np.arange(size) + data)
    assert isinstance(learner, SamplerLearner)
    assert isinstance(learner, BulkSampler)
    assert learner(10, None) == 10
    assert learner.sample(10, 3, None).tolist() == [10, 11, 12]
    assert not as_target(learner).is_factory
    with pytest.raises(InvalidArgument, match=r"sample must be a callable \(dataset, size, rng\) -> outputs, got 3"):
        from_sampler(3)  # type: ignore[arg-type]


def test_options_that_are_no_mapping_are_refused():
    with pytest.raises(InvalidArgument, match="options must be a mapping of the factory's arguments, got 3"):
        as_target(lambda dataset, rng: 0, options=3)  # type: ignore[arg-type]


class FitsWithGenerator:
    def fit(self, X: Any, y: Any, rng: Any) -> None: ...


class FitsOnItsOwn:
    def fit(self, X: Any, y: Any) -> None: ...


class FitsNumbers:
    def fit(self, data: Any, rng: Any) -> None: ...


class Estimates(FitsOnItsOwn):
    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {}


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (FitsWithGenerator, "write def learner(dataset, rng): return FitsWithGenerator(...).fit(*dataset, rng)"),
        (FitsOnItsOwn, "write def learner(dataset, rng): return FitsOnItsOwn(...).fit(*dataset), if it draws from"),
        (FitsNumbers, "write def learner(dataset, rng): return FitsNumbers(...).fit(dataset, rng=rng)"),
        (Estimates, "write learner = dpcheck.from_estimator(Estimates(...))"),
    ],
)
def test_a_class_with_fit_is_told_how_to_be_a_learner(kind: type, line: str) -> None:
    """The most usual form of a learner is answered by its own line, from the class and from an object of it."""
    for given in (kind, kind()):
        with pytest.raises(InvalidArgument) as refused:
            as_target(given)
        assert "it has fit" in str(refused.value)
        assert line in str(refused.value)
