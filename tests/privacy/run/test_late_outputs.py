"""What comes in some outputs only: exceptions now and then, whole or rounded numbers among others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.model.verdict import Verdict
from dpcheck.privacy.statistics import layout

UNSEEN = "not looked at"
Part = Callable[[int, np.random.Generator], Any]


def audited(learner: Any, seed: int, calls: int) -> Verdict:
    return dpcheck.audit(learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=calls, seed=seed)


def digits_are_named(verdict: Verdict) -> bool:
    """Whether numbers came that are whole or rounded as too few of the first outputs were to learn their digits."""
    return any(found.kind == UNSEEN and "their digits" in found.detail for found in verdict.findings)


def now_and_then(share: float, part: Part) -> Any:
    """Real noise that keeps the claim, and ``part`` in so large a share of the calls."""

    def learner(data: Any, rng: np.random.Generator) -> Any:
        return part(data[0], rng) if rng.random() < share else float(data[0] + rng.laplace())

    return learner


def raising(make: Callable[[int], Exception]) -> Part:
    def part(record: int, rng: np.random.Generator) -> Any:
        raise make(record)

    return part


def noted(record: int) -> Exception:
    error = ValueError("no model")
    error.add_note("one" if record else "none")
    return error


def caused(record: int) -> Exception:
    error = ValueError("no model")
    error.__cause__ = KeyError("one" if record else "none")
    return error


def holding(record: int) -> Exception:
    error = ValueError("no model")
    error.record = record  # type: ignore[attr-defined]
    return error


EXCEPTIONS: dict[str, Callable[[int], Exception]] = {
    "number": lambda record: ValueError(record),
    "sentence": lambda record: ValueError(f"could not parse record {record}"),
    "array": lambda record: ValueError(np.array([record, 5])),
    "note": noted,
    "cause": caused,
    "attribute": holding,
}


@pytest.mark.some(1)
@pytest.mark.parametrize("way", EXCEPTIONS)
def test_a_record_in_an_exception_that_is_seldom_raised_is_found_and_shown(way: str, seed: int) -> None:
    """Numbers in the message of an exception and what it holds were no part of the event that it is raised."""
    verdict = audited(now_and_then(0.03, raising(EXCEPTIONS[way])), seed, 40_000)
    assert verdict.status is Status.VIOLATED, str(verdict)
    assert verdict.witness is not None
    if verdict.witness.event.startswith("output is raises"):  # else one was among the first outputs
        held = {"note": "__notes__", "cause": "__cause__", "attribute": "record="}.get(way, "")
        assert held in verdict.witness.event


@pytest.mark.some(1)
@pytest.mark.parametrize("most", [1, 3])
def test_numbers_in_exceptions_that_tell_nothing_are_no_leak(most: int, seed: int) -> None:
    def part(record: int, rng: np.random.Generator) -> Any:
        raise ValueError(f"no convergence after {rng.integers(most)} steps")

    verdict = audited(now_and_then(0.1, part), seed, 20_000)
    assert verdict.status in (Status.NO_VIOLATION_FOUND, Status.INCONCLUSIVE), str(verdict)
    assert not any(found.kind == UNSEEN for found in verdict.findings)


def parity(record: int, rng: np.random.Generator) -> int:
    return int(2 * rng.integers(10**6)) + record


PARITIES: dict[str, Callable[[Any, np.random.Generator], Any]] = {
    "among reals": now_and_then(0.6, parity),
    "floats": now_and_then(0.6, lambda record, rng: float(parity(record, rng))),
    "beside NaN": lambda data, rng: parity(data[0], rng) if rng.random() < 0.95 else math_nan(),
    "in a list": lambda data, rng: [parity(data[0], rng) if rng.random() < 0.95 else math_nan(), 1],
    "in a dict": lambda data, rng: {"count": parity(data[0], rng) if rng.random() < 0.95 else float("inf")},
    "seldom not": lambda data, rng: parity(data[0], rng) if rng.random() < 0.99 else 0.5,
}


def math_nan() -> float:
    return float("nan")


@pytest.mark.some(2)
@pytest.mark.parametrize("way", PARITIES)
def test_the_parity_of_a_whole_number_is_found_among_other_numbers(way: str, seed: int) -> None:
    """One first output that was no whole number left the digits of all unseen."""
    verdict = audited(PARITIES[way], seed, 20_000)
    assert verdict.status is Status.VIOLATED or digits_are_named(verdict), str(verdict)
    assert verdict.status is not Status.NO_VIOLATION_FOUND


@pytest.mark.turns(3)
@pytest.mark.parametrize("places", [3, 6])
def test_numbers_that_are_rounded_on_one_side_only_are_told(places: int, seed: int) -> None:
    def learner(data: Any, rng: np.random.Generator) -> float:
        found = float(data[0] + rng.laplace())
        return round(found, places) if data[0] else found

    assert audited(learner, seed, 20_000).status is Status.VIOLATED


def rounded_on_one_side(record: int, rng: np.random.Generator) -> float:
    return round(float(rng.laplace()), 4) if record else float(rng.laplace())


#: Where a number stands in an output.
STANDS: dict[str, Callable[[Any, np.random.Generator], Any]] = {
    "alone": lambda number, rng: number,
    "scalar": lambda number, rng: np.float64(number),
    "list": lambda number, rng: [float(rng.laplace()), number],
    "dictionary": lambda number, rng: {"a": number, "b": float(rng.laplace())},
    "array": lambda number, rng: np.append(rng.laplace(size=30), float(number)),
    "within": lambda number, rng: {"model": {"weights": np.array([rng.laplace(), float(number)])}},
}


@pytest.mark.some(3)
@pytest.mark.parametrize("rest", ["real", "zero"])
@pytest.mark.parametrize("part", [parity, rounded_on_one_side])
@pytest.mark.parametrize("stands", STANDS)
def test_digits_of_numbers_that_come_seldom_are_looked_at_or_named(
    stands: str, part: Part, rest: str, seed: int
) -> None:
    """None of the first outputs had such a number there: no clean verdict stands behind what was not looked at."""

    def learner(data: Any, rng: np.random.Generator) -> Any:
        seldom = rng.random() < 0.03
        other = float(rng.laplace()) if rest == "real" else 0.0
        return STANDS[stands](part(data[0], rng) if seldom else other, rng)

    verdict = audited(learner, seed, 40_000)
    assert verdict.status is Status.VIOLATED or digits_are_named(verdict), str(verdict)
    assert verdict.status is not Status.NO_VIOLATION_FOUND


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "learner",
    [
        now_and_then(0.6, lambda record, rng: int(2 * rng.integers(10**6))),
        now_and_then(0.5, lambda record, rng: round(float(record + rng.laplace()), 6)),
        lambda data, rng: float(np.clip(data[0] + rng.laplace(), -2, 3)),
        lambda data, rng: np.float32(0.1 * (data[0] + rng.laplace())),
        lambda data, rng: float(data[0] + np.rint(3.0 * rng.standard_cauchy())),
        lambda data, rng: int(data[0] + rng.geometric(0.05) - rng.geometric(0.05)),
        lambda data, rng: float(data[0] + rng.geometric(0.05) - rng.geometric(0.05)),
        now_and_then(0.1, lambda record, rng: float(np.clip(round(record + rng.laplace(), 1), -50, 50))),
        lambda data, rng: [int(data[0] + rng.geometric(0.18) - rng.geometric(0.18)), float(rng.laplace())],
        lambda data, rng: {name: int(data[0] + rng.geometric(0.63) - rng.geometric(0.63)) + 100 for name in "a"},
        lambda data, rng: np.maximum(0.0, np.array([data[0], 0.0, 0.0]) + rng.laplace(size=3)),
        lambda data, rng: [float(data[0] + rng.laplace()), *rng.normal(size=rng.integers(1, 90)).tolist()],
    ],
    ids=[
        "whole now and then",
        "rounded now and then",
        "clipped",
        "single precision",
        "far tails",
        "whole",
        "whole floats",
        "a coarse grid",
        "counts in a list",
        "a histogram",
        "cut at zero",
        "lengths",
    ],
)
def test_whole_and_rounded_numbers_that_tell_nothing_are_no_leak(learner: Any, seed: int) -> None:
    verdict = audited(learner, seed, 20_000)
    assert verdict.status is Status.NO_VIOLATION_FOUND or digits_are_named(verdict), str(verdict)
    assert verdict.status is not Status.VIOLATED


def test_digits_of_some_whole_numbers_are_laid_out_and_were_not(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [104.0, 2231.0, 1 / 3, 570.0, float("nan"), 913.0, -(2.0**0.5), 388.0]
    found = layout.fit_layout(answers, exact=False)
    assert found is not None
    assert found.digits
    rule = layout.decimals_of  # of all or of none, as it was
    monkeypatch.setattr(layout, "decimals_of", lambda arrays, *, every=False: rule(arrays, every=True))
    assert layout.fit_layout(answers, exact=False) is None


@pytest.mark.parametrize(
    ("learner", "shown"),
    [
        (lambda data, rng: data[0] if rng.random() < 0.5 else rng.choice([0, 1]), "which is not np.int64("),
        (lambda data, rng: [data[0] if rng.random() < 0.5 else rng.choice([0, 1])], "which is not [np.int64("),
        (lambda data, rng: {"estimate": 0.5 if data[0] else np.float64(0.5)}, "(numpy.float64)"),
        (lambda data, rng: {"estimate": 0.5 if data[0] else 1}, "(int)"),
        (lambda data, rng: (1 if data[0] else 1.0, float(rng.laplace())), "a tuple of 2 numbers"),
    ],
    ids=["scalar", "list", "dictionary", "int or float", "tuple"],
)
def test_an_event_that_differs_in_type_alone_says_so(learner: Any, shown: str, seed: int) -> None:
    """Its two sides were in the same words, or said of an output what is not so."""
    verdict = audited(learner, seed, 6_000)
    assert verdict.status is Status.VIOLATED, str(verdict)
    assert verdict.witness is not None
    assert shown in verdict.witness.event
