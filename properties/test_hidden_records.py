"""One raw record, hidden in a place that hypothesis draws, of an output that it makes of noise: refuted, or said."""

from __future__ import annotations

import string
import types
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dpcheck
from dpcheck import Status
from dpcheck.privacy.statistics.places import UNSEEN

Noise = Callable[[np.random.Generator], Any]
#: Puts the record into what the noise gave.
Hiding = Callable[[Any, int, np.random.Generator], Any]


@dataclass(frozen=True)
class Hidden:
    """An output in words, what makes its noise, and what hides the record there."""

    words: str
    noise: Noise
    hide: Hiding


def _letters(rng: np.random.Generator, count: int) -> str:
    return "".join(rng.choice(list(string.ascii_lowercase), count))


def vectors(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[Hidden]:
    @st.composite
    def make(draw: st.DrawFn) -> Hidden:
        size = draw(sizes)
        place = draw(st.integers(0, size))
        kind = draw(st.sampled_from(["laplace", "normal", "integers", "float32", "list", "matrix"]))

        def noise(rng: np.random.Generator) -> Any:
            if kind == "integers":
                return rng.integers(-1000, 1000, size)
            found = rng.laplace(size=size) if kind == "laplace" else rng.normal(size=size)
            return found.astype(np.float32) if kind == "float32" else found

        def hide(value: Any, record: int, rng: np.random.Generator) -> Any:
            found = np.insert(value, place, record).astype(value.dtype)
            if kind == "matrix":
                return found.reshape(1, -1)
            return found.tolist() if kind == "list" else found

        return Hidden(f"{kind} of {size + 1}, at {place}", noise, hide)

    return make()


@st.composite
def whole_numbers(draw: st.DrawFn) -> Hidden:
    bits = draw(st.integers(8, 200))
    place = draw(st.integers(0, bits - 1))
    kind = draw(st.sampled_from(["int", "array", "float", "text", "fraction", "decimal"]))
    if kind == "array":
        bits = min(bits, 60)
    if kind in ("float", "text"):
        bits = min(bits, 50)
    place = min(place, bits - 1)
    rest = draw(st.sampled_from([2, 3, 5])) if place == 0 else 2

    def noise(rng: np.random.Generator) -> int:
        return int.from_bytes(rng.bytes(-(-bits // 8)), "little") % (1 << bits)

    def hide(value: int, record: int, rng: np.random.Generator) -> Any:
        found = value & ~(1 << place) | (record << place) if rest == 2 else value - value % rest + record
        if kind == "array":
            return np.array([int(rng.integers(0, 10)), found])
        if kind == "fraction":
            return Fraction(found, 3 ** int(rng.integers(1, 9)) * 2 ** int(rng.integers(0, 1))) if found else 0
        shown = {"int": int, "float": float, "text": lambda whole: f"it is {whole} there", "decimal": Decimal}
        return shown[kind](found)

    return Hidden(f"{kind} of {bits} bits, at {place}, rest by {rest}", noise, hide)


@st.composite
def texts(draw: st.DrawFn) -> Hidden:
    before, after = draw(st.integers(1, 300)), draw(st.integers(0, 300))
    kind = draw(st.sampled_from(["character", "case", "word", "bytes", "far", "number", "message"]))

    def noise(rng: np.random.Generator) -> str:
        return _letters(rng, before)

    def hide(value: str, record: int, rng: np.random.Generator) -> Any:
        end = _letters(rng, after)
        if kind == "case":
            return value[:-1] + (value[-1].upper() if record else value[-1]) + end
        if kind == "word":
            words = [_letters(rng, 4) for _ in range(min(before, 90))]
            return " ".join([*words, ("no", "yes")[record], *words[: min(after, 9)]])
        if kind == "bytes":
            return value.encode() + bytes([record]) + end.encode()
        if kind == "far":
            return value + " " * 12_000 + "ab"[record] + end
        if kind == "number":
            return f"{value} {record} {end}"
        if kind == "message":
            if rng.random() < 0.5:
                raise ValueError(f"row {rng.integers(0, 10**6)} of {record}")
            return rng.laplace()
        return value + "ab"[record] + end

    return Hidden(f"text, {kind} at {before} before {after}", noise, hide)


@st.composite
def containers(draw: st.DrawFn) -> Hidden:
    size = draw(st.integers(1, 90))
    kind = draw(
        st.sampled_from(
            [
                "key",
                "value",
                "order",
                "member",
                "length",
                "type",
                "dtype",
                "none",
                "nan",
                "nested",
                "deep",
                "list",
                "tuple",
            ]
        )
    )
    depth = draw(st.integers(1, 20))
    place = draw(st.integers(0, size))

    def noise(rng: np.random.Generator) -> dict[Any, Any]:
        return {f"k{i}": float(x) for i, x in enumerate(rng.laplace(size=size))}

    def hide(value: dict[Any, Any], record: int, rng: np.random.Generator) -> Any:
        values = list(value.values())
        if kind == "key":
            return {**value, f"r{record}": 0.0}
        if kind == "value":
            return {**value, f"k{place}": float(record)}
        if kind == "order":
            return dict(sorted({**value, "z": rng.normal()}.items(), reverse=bool(record)))
        if kind == "member":
            return {*rng.integers(0, 10**6, size).tolist(), -1 - record}
        if kind == "length":
            return values + [float(rng.normal())] * record
        if kind == "type":
            return [*values[:place], (1, 1.0)[record], *values[place:]]
        if kind == "dtype":
            return {"a": values, "b": rng.normal(size=3).astype(("f4", "f8")[record])}
        if kind == "none":
            return [*values[:place], (None, "x")[record], *values[place:]]
        if kind == "nan":
            return np.array([*values[:place], (np.nan, float(rng.normal()))[record], *values[place:]])
        if kind == "nested":
            return [[one] for one in values] + [[float(record)]]
        if kind == "deep":
            found: Any = [float(record), float(rng.normal())]
            for _ in range(depth):
                found = [found]
            return {"a": values, "b": found}
        return (
            [[one, str(one)] for one in values] + [(list, tuple)[record]([1, "x"])]
            if kind == "list"
            else (record, values)
        )

    return Hidden(f"{kind} of {size}, at {place}, depth {depth}", noise, hide)


@st.composite
def made_on_the_way(draw: st.DrawFn) -> Hidden:
    """Code, classes, modules, messages and types of arrays that a call makes, with the record in a word or number."""
    kind = draw(
        st.sampled_from(["constant", "name", "function", "class", "module", "status", "many", "title", "index"])
    )
    words = draw(st.booleans())
    before = draw(st.integers(0, 120))

    def hide(value: float, record: int, rng: np.random.Generator) -> Any:
        said = f"{_letters(rng, 8)}{'ab'[record]}" if words else "ab"[record]
        if kind in ("constant", "name"):
            held = repr(said) if words else str(record)
            return eval(f"lambda x: ({value!r}, {held})" if kind == "constant" else f"lambda x: x.{said} + {value!r}")
        if kind == "function":
            made = eval(f"lambda x: {value!r}")
            made.__qualname__ = said
            return made
        if kind == "class":
            return type(said, (), {"noise": value})()
        if kind == "module":
            found = types.ModuleType(said)
            found.noise = value  # type: ignore[attr-defined]
            return found
        if kind in ("status", "many"):
            if rng.random() < 0.5:
                return value
            numbers = " ".join(map(str, rng.integers(0, 99, before).tolist()))
            raise ValueError(f"{numbers} 0x{record}" if kind == "status" else f"{numbers} {'07'[record:]}")
        if kind == "title":
            return np.full(2, value, "f8").view([((said, "a"), "f8")])
        import pandas as pd

        return pd.Index([value], name=said)

    return Hidden(f"{kind} made on the way, words {words}, {before} before", lambda rng: float(rng.laplace()), hide)


def audited(hidden: Hidden, numerics: str = "real") -> dpcheck.Verdict:
    def learner(data: list[int], rng: np.random.Generator) -> Any:
        return hidden.hide(hidden.noise(rng), data[0], rng)

    return dpcheck.audit(
        learner, 1.0, pairs=[([0], [1])], numerics=numerics, isolation="none", max_samples=700, max_seconds=600.0
    )


def outcome(verdict: dpcheck.Verdict) -> str:
    """``refuted``, ``named`` as not looked at and not clean, or ``silent``."""
    if verdict.status is Status.VIOLATED:
        return "refuted"
    named = any(finding.kind == UNSEEN for finding in verdict.findings)
    return "named" if named and verdict.status is not Status.NO_VIOLATION_FOUND else "silent"


ANY = st.one_of(vectors(st.integers(1, 400)), whole_numbers(), texts(), containers(), made_on_the_way())


@pytest.mark.turns(6)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(ANY)
def test_a_hidden_record_is_refuted_or_its_place_is_named(hidden: Hidden) -> None:
    assert outcome(audited(hidden)) != "silent", hidden.words


@pytest.mark.parametrize("numerics", ["real", "exact"])
def test_low_bits_of_integers_are_part_of_the_answer(numerics: str) -> None:
    hidden = Hidden("int", lambda rng: int(rng.integers(0, 2**40)) * 2, lambda value, record, rng: value + record)
    assert audited(hidden, numerics).status is Status.VIOLATED


@pytest.mark.turns(6)
@pytest.mark.parametrize("size", [256, 999])
def test_a_record_after_many_numbers_is_refuted(size: int) -> None:
    hidden = Hidden("vector", lambda rng: rng.laplace(size=size), lambda value, record, rng: np.append(value, record))
    verdict = audited(hidden)
    assert verdict.status is Status.VIOLATED
    assert verdict.samples <= 300
