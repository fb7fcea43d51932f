"""What a structured answer holds, part by part: numbers, texts and members under the path that leads to them.

A path is what a reader would write after ``output``: ``['age']``, ``.coef_``, `` length``. Dictionaries are walked by
key, sets and texts give members, lists numbers by position, models their attributes and what they predict.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Opaque, Portrait, Raised
from dpcheck.execution.handover import DEEPEST_NESTING, is_plain
from dpcheck.execution.handover import without_address as without_address
from dpcheck.execution.portrait import Probe as Probe
from dpcheck.execution.portrait import own_state as own_state
from dpcheck.execution.portrait import portray
from dpcheck.execution.portrait import predictor as predictor

#: Containers within containers are walked this far.
DEEPEST = 8
#: At most this many parts of one answer are looked at: an answer may hold a million of them.
MOST_LEAVES = 512
#: At most this many elements of one list that are no numbers are walked, and words of one text taken as members.
MOST_ELEMENTS = 64
#: A member is told by at most this many characters of its text.
SHOWN_MEMBER = 40

_NUMBER_IN_TEXT = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Leaf:
    """One part of an answer: its path, and either numbers in their order or the members it has."""

    path: str
    numbers: NDArray[Any] | None = None
    members: tuple[str, ...] = ()


def drawn(answer: Any, probe: Probe | None = None) -> Any:
    """An answer as plain data, as it is when it comes from a runner; of other objects a portrait is drawn."""
    return answer if is_plain(answer, DEEPEST_NESTING) else portray(answer, probe)


def leaves_of(answer: Any, probe: Probe | None = None) -> list[Leaf]:
    """The parts of an answer; it never raises. ``probe`` is what a model is asked that was not when it was answered.

    Examples
    --------
    >>> [(leaf.path, leaf.numbers.tolist()) for leaf in leaves_of({"a": 1.5, "b": [2, 3]}) if leaf.numbers is not None]
    [("['a']", [1.5]), ("['b']", [2, 3]), ("['b'] length", [2]), (' length', [2])]
    >>> leaves_of({"x"})[0]
    Leaf(path=' member', numbers=None, members=("'x'",))
    """
    found: list[Leaf] = []
    walk = _walk(drawn(answer, probe), "", 0)
    while len(found) < MOST_LEAVES:
        try:
            leaf = next(walk, None)
        except Exception:  # numbers that no double holds, texts that cannot be encoded
            break
        if leaf is None:
            break
        found.append(leaf)
    return found


def numbers_of(value: Any) -> NDArray[Any] | None:
    """A number, or an array of numbers, as an array; None for anything else."""
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind in "fiub" else None
    if isinstance(value, bool | int | np.generic | float):
        try:
            array = np.asarray(value)
        except OverflowError:
            return None
        return array if array.dtype.kind in "fiub" else None
    return None


def nearest_double(value: Decimal | Fraction | int) -> float:
    """The nearest double, infinite beyond the largest."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _walk(value: Any, path: str, depth: int) -> Iterator[Leaf]:
    numbers = numbers_of(value)
    if numbers is not None:
        yield Leaf(path, numbers.reshape(-1))
        if numbers.ndim:
            yield _length(path, numbers.size)
    elif value is None or isinstance(value, Raised | Opaque) or depth >= DEEPEST:
        yield _member(path, value)
    elif type(value) is Portrait:
        yield from _portrait(value, path, depth)
    elif isinstance(value, str | bytes):
        yield from _text(value, path)
    elif isinstance(value, Decimal | Fraction | int):
        yield Leaf(path, np.array([nearest_double(value)]))
    elif isinstance(value, complex | np.complexfloating):
        yield Leaf(path, np.array([value.real, value.imag], dtype=np.float64))
    elif isinstance(value, dict):
        names = sorted(value, key=repr)
        for name in names:
            yield from _walk(value[name], f"{path}[{_shown(name)}]", depth + 1)
        yield Leaf(f"{path} key", None, tuple(map(_shown, names[:MOST_LEAVES])))
        yield _length(path, len(value))
    elif isinstance(value, set | frozenset):
        yield Leaf(f"{path} member", None, tuple(sorted(map(_shown, value))[:MOST_LEAVES]))
        yield _length(path, len(value))
        if all(numbers_of(part) is not None for part in value):
            yield Leaf(f"{path} total", np.array([math.fsum(float(part) for part in value)]))
    elif isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype.names is None):
        yield from _sequence(value, path, depth)
    elif isinstance(value, np.ndarray):
        for name in value.dtype.names or ():
            yield from _walk(value[name], f"{path}[{name!r}]", depth + 1)
    else:
        yield _member(path, value)


def _sequence(value: Any, path: str, depth: int) -> Iterator[Leaf]:
    """Numbers by position (what is no number leaves a gap), then what the gaps hold."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "c":
            yield from _walk(value.real, f"{path}.real", depth + 1)
            yield from _walk(value.imag, f"{path}.imag", depth + 1)
            return
        value = value.reshape(-1).tolist()
    kinds = set(map(type, value))
    if kinds <= {int} or kinds <= {bool} or kinds <= {float}:
        numbers = np.asarray(value, dtype=None if value else np.float64)
        if numbers.dtype.kind in "fiub":
            yield Leaf(path, numbers)
            yield _length(path, len(value))
            return
    single = [numbers_of(part) for part in value[:MOST_LEAVES]]
    scalars = [float(part.reshape(())) if part is not None and part.size == 1 else math.nan for part in single]
    if any(part is not None and part.size == 1 for part in single):
        yield Leaf(path, np.array(scalars))
    for place, part in enumerate(value[:MOST_ELEMENTS]):
        if single[place] is None or single[place].size != 1:  # type: ignore[union-attr]
            yield from _walk(part, f"{path}[{place}]", depth + 1)
    yield _length(path, len(value))


def _text(value: str | bytes, path: str) -> Iterator[Leaf]:
    """The text itself, its length, its words, and the numbers in it."""
    yield _member(path, value)
    yield _length(path, len(value))
    if isinstance(value, str):
        numbers = _NUMBER_IN_TEXT.findall(value[:10_000])[:MOST_ELEMENTS]
        if numbers:
            yield Leaf(f"{path} number", np.array([float(number) for number in numbers]))
        words = dict.fromkeys(_NUMBER_IN_TEXT.sub("#", value[:10_000]).split())
        if len(words) > 1:
            yield Leaf(f"{path} word", None, tuple(sorted(_shown(word) for word in words)[:MOST_ELEMENTS]))


def _portrait(value: Portrait, path: str, depth: int) -> Iterator[Leaf]:
    """What was drawn of an object, under the names that its own parts have."""
    if value.predicted is not None:
        yield Leaf(f"{path}.predict_proba", value.predicted.reshape(-1))
    if value.form in ("text", "unread"):
        yield _member(path, value)
    elif value.form == "is":
        (_, content), *attributes = value.parts
        yield from _walk(content, path, depth)
        for name, part in attributes:
            yield from _walk(part, f"{path}.{name}", depth + 1)
    elif value.form == "fields":
        for name, part in value.parts:
            yield from _walk(part, f"{path}.{name}", depth + 1)
    elif value.form == "members":
        members = sorted(_shown(part) for _, part in value.parts)
        yield Leaf(f"{path} member", None, tuple(members[:MOST_LEAVES]))
        yield _length(path, len(members))
    elif value.form == "items":
        shown = sorted(((_shown(name), part) for name, part in value.parts), key=lambda pair: pair[0])
        for name, part in shown:
            yield from _walk(part, f"{path}[{name}]", depth + 1)
        yield Leaf(f"{path} key", None, tuple(name for name, _ in shown[:MOST_LEAVES]))
        yield _length(path, len(shown))
    else:
        *columns, (_, index) = value.parts
        for name, part in columns[:MOST_ELEMENTS]:
            yield from _walk(part, f"{path}[{_shown(name)}]", depth + 1)
        yield Leaf(f"{path} column", None, tuple(_shown(name) for name, _ in columns[:MOST_LEAVES]))
        yield from _walk(index, f"{path}.index", depth + 1)
        yield _length(path, _rows(index))


def _rows(index: Any) -> int:
    held = index.parts[0][1] if type(index) is Portrait and index.form == "is" else index
    return len(held) if isinstance(held, np.ndarray | list) else 0


def _length(path: str, length: int) -> Leaf:
    return Leaf(f"{path} length", np.array([length]))


def _member(path: str, value: Any) -> Leaf:
    return Leaf(f"{path} value", None, (_shown(value),))


def _shown(value: Any) -> str:
    if isinstance(value, Raised):
        return f"raises {value.kind}({value.message!r})"[: 2 * SHOWN_MEMBER]
    if isinstance(value, np.generic):
        value = value.item()
    try:
        text = without_address(repr(value))
    except Exception as error:
        return f"{type(value).__name__} ({type(error).__name__})"
    return text if len(text) <= SHOWN_MEMBER else f"{text[: SHOWN_MEMBER - 3]}...{hash_text(text):04x}"


def hash_text(text: str) -> int:
    """16 bits of a text that do not depend on the process.

    >>> hash_text("a") == hash_text("a"), hash_text("a") == hash_text("b")
    (True, False)
    """
    import hashlib

    return int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=2).digest(), "little")
