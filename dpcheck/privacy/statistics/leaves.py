"""What a structured answer holds, part by part: numbers, texts and members under the path that leads to them.

A path is what a reader would write after ``output``: ``['age']``, ``.coef_``, `` length``. Dictionaries are walked by
key, sets and texts give members, lists numbers by position, models their attributes and what they predict.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Opaque, Portrait, Raised
from dpcheck.execution.handover import DEEPEST_NESTING, LONGEST_TEXT, between_fields, is_plain, type_name
from dpcheck.execution.handover import without_address as without_address
from dpcheck.execution.portrait import Probe as Probe
from dpcheck.execution.portrait import own_state as own_state
from dpcheck.execution.portrait import portray
from dpcheck.execution.portrait import predictor as predictor
from dpcheck.privacy.statistics.leaf import Leaf as Leaf
from dpcheck.privacy.statistics.leaf import hash_text as hash_text
from dpcheck.privacy.statistics.members import HELD, MOST_POOLED, numbers_together, taken_together

#: Containers within containers are walked this far.
DEEPEST = 24
#: At most this many parts of one answer are looked at: an answer may hold a million of them.
MOST_LEAVES = 8192
#: At most this many elements of one list that are no numbers are walked, and words of one text taken as members.
MOST_ELEMENTS = 4096
#: The bits of so many NaNs of one part are looked at one by one (all of them together with the whole answer).
MOST_NANS = 256
#: Of more rows of numbers than this the numbers are read in a row.
MANY_ROWS = 64
#: At most this many members of one set, or keys of one dictionary, are looked at.
MOST_LISTED = 8192
#: Of a text this many characters are looked at.
MOST_CHARACTERS = 100_000
#: A member is told by at most this many characters of its text.
SHOWN_MEMBER = 40

#: Of a whole number (or the digits of a decimal) so many words of 64 bits (digits) are looked at.
MOST_WORDS = 1024

_WORD = (1 << 64) - 1
#: Whole answers whose kind (and not their parts alone) says what type they are.
_NAMED = (str, bytes, type, Raised, Opaque, Decimal, Fraction, int, complex, np.complexfloating)
#: Types of numbers, and those of what never is one.
_NUMBERS = (bool, int, np.generic, float)
_NEVER_NUMBERS = frozenset({str, bytes, type(None), dict, list, tuple, set, frozenset})
_WHOLE = re.compile(r"[-+]?\d+")
#: Whole numbers of so many digits have all of them in 64 bits; of others so many digits say their last 64 bits.
_FITTING, _LAST_DIGITS = 18, 64
_NUMBER_IN_TEXT = re.compile(r"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")


def drawn(answer: Any, probe: Probe | None = None) -> Any:
    """An answer as plain data, as it is when it comes from a runner; of other objects a portrait is drawn."""
    return answer if is_plain(answer, DEEPEST_NESTING) else portray(answer, probe)


#: The path of what marks an answer that was not looked at to its end; its members say what was left out.
LEFT_OUT = " not looked at"


#: The ends of the paths of what numbers carry beside what they stand for.
BESIDE_NUMBERS = (" bits of NaN", " bytes of truths")


#: The paths of containers whose members are taken together as well, because they never come again.
Pooled = frozenset[str]


def leaves_of(answer: Any, probe: Probe | None = None, pooled: Pooled = frozenset()) -> list[Leaf]:
    """The parts of an answer; it never raises.

    ``probe`` is what a model is asked that was not when it was answered; of the containers with paths among ``pooled``
    the members are taken together as well (:mod:`dpcheck.privacy.statistics.members`).

    Examples
    --------
    >>> [(leaf.path, leaf.numbers.tolist()) for leaf in leaves_of({"a": 1.5, "b": [2, 3]}) if leaf.numbers is not None]
    [("['a']", [1.5]), ("['b']", [2, 3]), ("['b'] length", [2]), (' length', [2])]
    >>> leaves_of({"x"})[1]
    Leaf(path=' member', numbers=None, members=("'x'",))
    """
    found: list[Leaf] = []
    walk = _walk(drawn(answer, probe), "", 0, pooled)
    while True:
        try:
            leaf = next(walk, None)
        except Exception as error:  # numbers that no double holds, texts that cannot be encoded
            found.append(_left_out(f"parts after one that raises {type(error).__name__} when it is looked at"))
            break
        if leaf is None:
            break
        if len(found) >= MOST_LEAVES:
            found.append(_left_out(f"parts beyond the first {MOST_LEAVES:,} of an output"))
            break
        found.append(leaf)
    return found


def left_out(leaves: Sequence[Leaf]) -> tuple[str, ...]:
    """What of an answer was not looked at, in words.

    >>> left_out(leaves_of([1.0, "a"])), left_out(leaves_of("a" * 200_000))
    ((), ('characters of a text beyond the first 100,000',))
    """
    return tuple(dict.fromkeys(words for leaf in leaves if leaf.path == LEFT_OUT for words in leaf.members))


def left_out_of(answers: Iterable[Any], probe: Probe | None = None, pooled: Pooled = frozenset()) -> tuple[str, ...]:
    """What of answers was not looked at, each once, in words."""
    return tuple(dict.fromkeys(words for answer in answers for words in left_out(leaves_of(answer, probe, pooled))))


def _left_out(words: str) -> Leaf:
    return Leaf(LEFT_OUT, None, (words,))


def numbers_of(value: Any) -> NDArray[Any] | None:
    """A number, or an array of numbers, as an array; None for anything else."""
    if type(value) in _NEVER_NUMBERS:  # asked of every part of every answer, so that these come first
        return None
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind in "fiub" else None
    if isinstance(value, _NUMBERS):
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


def _walk(value: Any, path: str, depth: int, pooled: Pooled) -> Iterator[Leaf]:
    numbers = numbers_of(value)
    says_its_kind = value is None or type(value) is Portrait
    named = numbers is not None or (isinstance(value, _NAMED) and not isinstance(value, np.character))
    if not says_its_kind and (depth or not named or isinstance(value, str | bytes)):
        yield _type(path, value)
    if numbers is not None:
        yield Leaf(path, numbers.reshape(-1))
        yield from _beside(path, numbers)
        if numbers.ndim:
            yield _length(path, numbers.size)
    elif isinstance(value, Raised):
        yield _member(path, value)
        yield Leaf(f"{path} exception", None, (value.kind,))
        yield from _text(value.message[:LONGEST_TEXT], f"{path} message")
        if len(value.message) > LONGEST_TEXT:
            yield _left_out(f"characters of a message beyond the first {LONGEST_TEXT:,}")
        if value.places:
            yield _left_out("what may be a place in memory (0x...) in the message of an exception")
        yield from _as_written(value.written, path)
        if value.held is not None:
            yield from _walk(value.held, path, depth + 1, pooled)
    elif isinstance(value, Opaque):
        yield _member(path, value)
        yield _left_out(f"an object of type {value.kind}, which cannot be read")
    elif depth >= DEEPEST:
        yield _member(path, value)
        yield _left_out(f"what is nested deeper than {DEEPEST} containers")
    elif value is None:
        yield _member(path, value)
    elif type(value) is Portrait:
        yield from _portrait(value, path, depth, pooled)
    elif isinstance(value, str | bytes):
        yield from _text(value, path)
    elif isinstance(value, np.datetime64 | np.timedelta64):
        yield _member(path, value)
        yield Leaf(path, np.array([value.astype(np.int64)]))
    elif isinstance(value, Decimal | Fraction | int):
        yield Leaf(path, np.array([nearest_double(value)]))
        yield from _exactly(value, path)
    elif isinstance(value, complex | np.complexfloating):
        yield Leaf(path, np.array([value.real, value.imag], dtype=np.float64))
        yield from _beside(path, np.array([value.real, value.imag]))
    elif isinstance(value, dict):
        names = sorted(value, key=repr)
        for name in names:
            yield from _walk(value[name], f"{path}[{_value_text(name)}]", depth + 1, pooled)
        shown = list(map(_value_text, names[:MOST_LISTED]))
        yield Leaf(f"{path} key", None, tuple(shown))
        yield from _numbers_among(f"{path} keys", names)
        given = {name: place for place, name in enumerate(value)}
        if any(given[name] != place for place, name in enumerate(names)):
            yield Leaf(f"{path} place of key", np.array([given[name] for name in names[:MOST_LISTED]]))
        if len(names) > MOST_LISTED:
            yield _left_out(f"keys of a dictionary beyond the first {MOST_LISTED:,}")
        yield _length(path, len(value))
        if path in pooled:
            yield from _together(path, [(name, value[name]) for name in names], depth, pooled)
    elif isinstance(value, set | frozenset):
        yield Leaf(f"{path} member", None, tuple(sorted(map(_value_text, value))[:MOST_LISTED]))
        if len(value) > MOST_LISTED:
            yield _left_out(f"members of a set beyond the first {MOST_LISTED:,}")
        yield _length(path, len(value))
        yield from _numbers_among(f"{path} members", value)
        if path in pooled:
            yield from _together(path, [(part,) for part in sorted(value, key=_value_text)], depth, pooled)
        if all(numbers_of(part) is not None for part in value):
            yield Leaf(f"{path} total", np.array([math.fsum(float(part) for part in value)]))
    elif isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype.names is None):
        yield from _sequence(value, path, depth, pooled)
    elif isinstance(value, np.ndarray):
        for name in value.dtype.names or ():
            yield from _walk(value[name], f"{path}[{name!r}]", depth + 1, pooled)
        if between_fields(value):
            yield _left_out("bytes between the fields of a record array")
    else:
        yield _member(path, value)


def _sequence(value: Any, path: str, depth: int, pooled: Pooled) -> Iterator[Leaf]:
    """Numbers by position (what is no number leaves a gap), then what the gaps hold."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "c":
            yield from _walk(value.real, f"{path}.real", depth + 1, pooled)
            yield from _walk(value.imag, f"{path}.imag", depth + 1, pooled)
            return
        if value.dtype.kind in "mM":
            yield Leaf(path, value.reshape(-1).view(np.int64))
            yield _length(path, value.size)
            return
        value = value.reshape(-1).tolist()
    kinds = set(map(type, value))
    if kinds <= {int} or kinds <= {bool} or kinds <= {float}:
        numbers = np.asarray(value, dtype=None if value else np.float64)
        if numbers.dtype.kind in "fiub":
            yield Leaf(path, numbers)
            yield from _beside(path, numbers)
            yield _length(path, len(value))
            return
    if len(value) > MANY_ROWS and kinds <= {list, tuple}:
        rows = _rows_of_numbers(value)
        if rows is not None:
            yield Leaf(path, rows)
            yield Leaf(f"{path} lengths", np.array([len(row) for row in value[:MOST_LISTED]]))
            yield _length(path, len(value))
            return
    single = [numbers_of(part) for part in value]
    scalars = [float(part.reshape(())) if part is not None and part.size == 1 else math.nan for part in single]
    known = [part.dtype for part in single if part is not None and part.size == 1]
    if known:
        short = all(kind == np.float32 for kind in known)  # their low bits are other ones than doubles'
        yield Leaf(path, np.array(scalars, dtype=np.float32 if short else np.float64))
        yield from _beside(path, np.array([part for part in value if isinstance(part, float)], dtype=np.float64))
        if not short and any(kind == np.float32 for kind in known):  # as doubles they are not rounded to decimal places
            yield Leaf(f"{path} single", np.array([part for part in value if isinstance(part, np.float32)]))
        whole = [int(part) & _WORD for part in value if type(part) is int or isinstance(part, np.integer)]
        if whole:  # among others they are doubles with gaps, which have no digits
            yield Leaf(f"{path} whole", np.array(whole, dtype=np.uint64).view(np.int64))
    if len(kinds) > 1:
        yield Leaf(f"{path} types", np.array([hash_text(type_name(part)) for part in value[:MOST_LISTED]]))
    if len(value) > MOST_ELEMENTS and any(part is None or part.size != 1 for part in single[MOST_ELEMENTS:]):
        yield _left_out(f"elements of a list beyond the first {MOST_ELEMENTS:,} that are no numbers")
    for place, part in enumerate(value[:MOST_ELEMENTS]):
        if single[place] is None or single[place].size != 1:  # type: ignore[union-attr]
            yield from _walk(part, f"{path}[{place}]", depth + 1, pooled)
    yield _length(path, len(value))


def _rows_of_numbers(value: Sequence[Any]) -> NDArray[Any] | None:
    """The numbers of rows one after the other; None where a row holds anything else."""
    inner = {type(part) for row in value for part in row}
    if not inner <= {int, float, bool} or len(inner) > 1:
        return None
    found = np.array([part for row in value for part in row], dtype=None if inner else np.float64)
    return found if found.dtype.kind in "fiub" else None


def _text(value: str | bytes, path: str) -> Iterator[Leaf]:
    """The text itself, its length, its characters, its words, and the numbers in it."""
    yield _member(path, value)
    yield _length(path, len(value))
    begun = value[:MOST_CHARACTERS]
    if len(value) > MOST_CHARACTERS:
        yield _left_out(f"characters of a text beyond the first {MOST_CHARACTERS:,}")
    if isinstance(begun, bytes):
        yield Leaf(f"{path} character", np.frombuffer(begun, np.uint8))
        return
    yield Leaf(f"{path} character", np.frombuffer(begun.encode("utf-32-le", "surrogatepass"), "<u4"))
    numbers = _NUMBER_IN_TEXT.findall(begun)
    yield from _as_numbers(numbers[:MOST_LISTED], f"{path} number")
    words = dict.fromkeys(_NUMBER_IN_TEXT.sub("#", begun).split())
    if len(words) > 1:
        yield Leaf(f"{path} word", None, tuple(sorted(_value_text(word) for word in words)[:MOST_LISTED]))


def _as_numbers(texts: Sequence[str], path: str) -> Iterator[Leaf]:
    """Numbers written down: whole ones with all their digits where 64 bits hold them, else their last 64 bits."""
    if not texts:
        return
    whole = [text for text in texts if _WHOLE.fullmatch(text)]
    if len(whole) == len(texts) and max(map(len, texts)) <= _FITTING:
        yield Leaf(path, np.array([int(text) for text in texts], dtype=np.int64))
        return
    yield Leaf(path, np.array([float(text) for text in texts]))
    long = [text for text in whole if len(text) > _FITTING]
    if long:
        last = [int(text[-_LAST_DIGITS:]) * (-1 if text[0] == "-" and len(text) > _LAST_DIGITS else 1) for text in long]
        yield Leaf(f"{path} whole", np.array([part & _WORD for part in last], dtype=np.uint64).view(np.int64))


def _as_written(texts: Sequence[str], path: str) -> Iterator[Leaf]:
    """The numbers that masking took out of a message; also as they were written, where this says more than they do."""
    spelled = [str(int(text, 16)) if text[:2] in ("0x", "0X") else text for text in texts]
    yield from _as_numbers(spelled[:MOST_LISTED], f"{path} number")
    if not all(map(_is_usual, texts)):
        yield Leaf(f"{path} number written", None, (_short(" ".join(texts)),))
        codes = np.frombuffer(" ".join(texts).encode("ascii"), np.uint8)
        yield Leaf(f"{path} number written character", codes)


def _is_usual(text: str) -> bool:
    """Whether a number is written as Python writes it."""
    if _WHOLE.fullmatch(text):
        return text == "0" or (text.removeprefix("-")[0] != "0" and text[0] != "+")
    return text[:2] not in ("0x", "0X") and repr(float(text)) == text


def _exactly(value: Decimal | Fraction | int, path: str) -> Iterator[Leaf]:
    """What no double holds of a number: its 64-bit words, of a fraction those above and below its line."""
    if isinstance(value, Fraction):
        parts = {"numerator": value.numerator, "denominator": value.denominator}
    elif isinstance(value, Decimal):
        sign, digits, exponent = value.as_tuple()
        shown = int("".join(map(str, digits[:MOST_WORDS])) or "0") * (-1 if sign else 1)
        parts = {"digits": shown, "exponent": exponent if isinstance(exponent, int) else 0}
    else:
        parts = {"word": value}
    for name, whole in parts.items():
        count = max(1, -(-(whole.bit_length() + 1) // 64))
        words = [(whole >> (64 * place)) & _WORD for place in range(min(count, MOST_WORDS))]
        if count > MOST_WORDS:
            yield _left_out(f"bits of a whole number beyond the first {64 * MOST_WORDS:,}")
        yield Leaf(f"{path} {name}", np.array(words, dtype=np.uint64))


def _portrait(value: Portrait, path: str, depth: int, pooled: Pooled) -> Iterator[Leaf]:
    """What was drawn of an object, under the names that its own parts have."""
    yield Leaf(f"{path} kind", None, (value.kind,))
    if value.cut:
        why = value.text if value.form == "unread" else ""
        yield _left_out(
            f"a part of an object of type {value.kind}"
            + (f": {why}" if why else ", which was too large or could not be read")
        )
    if value.predicted is not None:
        yield Leaf(f"{path}.predict_proba", value.predicted.reshape(-1))
    if value.text and value.form not in ("text", "unread", "frame"):
        yield Leaf(f"{path} text", None, (_short(value.text),))
    if value.form == "text":
        yield from _text(value.text, path)
    elif value.form == "unread":
        yield _member(path, value)
    elif value.form == "is":
        (_, content), *attributes = value.parts
        yield from _walk(content, path, depth, pooled)
        for name, part in attributes:
            yield from _walk(part, f"{path}.{name}", depth + 1, pooled)
    elif value.form == "fields":
        for name, part in value.parts:
            yield from _walk(part, f"{path}.{name}", depth + 1, pooled)
        yield Leaf(f"{path} attribute", None, tuple(str(name) for name, _ in value.parts[:MOST_LISTED]))
        if path in pooled:
            yield from _together(path, value.parts, depth, pooled)
    elif value.form == "members":
        members = sorted(_value_text(part) for _, part in value.parts)
        yield Leaf(f"{path} member", None, tuple(members[:MOST_LISTED]))
        if len(members) > MOST_LISTED:
            yield _left_out(f"members of a set beyond the first {MOST_LISTED:,}")
        yield _length(path, len(members))
        if path in pooled:
            parts = sorted((part for _, part in value.parts), key=_value_text)
            yield from _together(path, [(part,) for part in parts], depth, pooled)
    elif value.form == "items":
        shown = sorted(((_value_text(name), part) for name, part in value.parts), key=lambda pair: pair[0])
        for name, part in shown:
            yield from _walk(part, f"{path}[{name}]", depth + 1, pooled)
        yield Leaf(f"{path} key", None, tuple(name for name, _ in shown[:MOST_LISTED]))
        if len(shown) > MOST_LISTED:
            yield _left_out(f"keys of a dictionary beyond the first {MOST_LISTED:,}")
        yield _length(path, len(shown))
        if path in pooled:
            yield from _together(path, sorted(value.parts, key=lambda pair: _value_text(pair[0])), depth, pooled)
    else:
        *columns, (_, index) = value.parts
        for name, part in columns[:MOST_ELEMENTS]:
            yield from _walk(part, f"{path}[{_value_text(name)}]", depth + 1, pooled)
        if len(columns) > MOST_ELEMENTS:
            yield _left_out(f"columns of a table beyond the first {MOST_ELEMENTS:,}")
        yield Leaf(f"{path} kind of table", None, (_short(value.text),))
        yield Leaf(f"{path} column", None, tuple(_value_text(name) for name, _ in columns[:MOST_LISTED]))
        yield from _walk(index, f"{path}.index", depth + 1, pooled)
        yield _length(path, _rows(index))
        if path in pooled:
            yield from _together(path, columns, depth, pooled)


def _rows(index: Any) -> int:
    held = index.parts[0][1] if type(index) is Portrait and index.form == "is" else index
    return len(held) if isinstance(held, np.ndarray | list) else 0


def _together(path: str, parts: Sequence[Sequence[Any]], depth: int, pooled: Pooled) -> Iterator[Leaf]:
    """The parts of members (of a dictionary keys and values) taken together, whichever has them."""
    names = (f"{path} each",) if all(len(part) == 1 for part in parts) else (f"{path} each key", f"{path} each value")
    for name, held in zip(names, zip(*parts, strict=True), strict=False):
        numbers = _plain_numbers(held)
        if numbers is not None:  # at once: there may be thousands
            yield Leaf(f"{name} type{HELD}", None, (type_name(held[0]),))
            yield from numbers_together(name, numbers)
            continue
        if len(held) > MOST_POOLED:
            yield _left_out(f"members that never come again, beyond the first {MOST_POOLED:,} of one container")
        walked = [list(_walk(part, name, depth + 1, pooled)) for part in held[:MOST_POOLED]]
        yield from dict.fromkeys(leaf for leaves in walked for leaf in leaves if leaf.path == LEFT_OUT)
        yield from taken_together([[leaf for leaf in leaves if leaf.path != LEFT_OUT] for leaves in walked])


def _plain_numbers(values: Sequence[Any]) -> NDArray[Any] | None:
    """Values that are all whole numbers of 64 bits, or all floats, as an array; None for others."""
    kinds = set(map(type, values[: MOST_LISTED + 1]))
    if kinds not in ({int}, {float}):
        return None
    numbers = np.array(values[:MOST_LISTED])
    return numbers if numbers.dtype.kind in "iuf" and (kinds == {float}) == (numbers.dtype.kind == "f") else None


def _numbers_among(path: str, values: Iterable[Any]) -> Iterator[Leaf]:
    """Whole numbers that stand where there is no position, in ascending order: their digits count."""
    whole = sorted(int(value) for value in values if type(value) is int or isinstance(value, np.integer))[:MOST_LISTED]
    if whole and whole[0] >= -(2**63) and whole[-1] < 2**63:
        yield Leaf(path, np.array(whole, dtype=np.int64))


def _beside(path: str, numbers: NDArray[Any]) -> Iterator[Leaf]:
    """What numbers carry beside what they stand for: how many zeros are negative, which bits a NaN or a truth has."""
    if numbers.size == 0:
        return
    if numbers.dtype.kind == "b":
        bytes_of = np.ascontiguousarray(numbers).view(np.uint8).reshape(-1)
        if (bytes_of > 1).any():
            yield Leaf(f"{path} bytes of truths", bytes_of[:MOST_LISTED])
    if numbers.dtype.kind != "f":
        return
    zeros = int(((numbers == 0) & np.signbit(numbers)).sum())
    absent = numbers[np.isnan(numbers)]
    if zeros:
        yield Leaf(f"{path} beside", None, (f"{zeros} negative zeros",))
    if absent.size:
        yield from _of_nans(path, absent[:MOST_NANS])
    if numbers.dtype.itemsize > 8:
        with np.errstate(invalid="ignore", over="ignore"):
            beyond = np.isfinite(numbers) & (numbers.astype(np.float64).astype(numbers.dtype) != numbers)
        if beyond.any():
            yield _left_out("digits of long doubles beyond those that a double holds")


def _of_nans(path: str, absent: NDArray[Any]) -> Iterator[Leaf]:
    """The bits of NaNs that are not the usual ones: which there are, and their digits."""
    usual = np.array(np.nan, absent.dtype).tobytes()
    odd = [one.tobytes() for one in absent if one.tobytes() != usual]
    if odd:
        yield Leaf(f"{path} NaN", None, tuple(sorted({bits.hex() for bits in odd})))
        words = [int.from_bytes(bits[:8], sys.byteorder) for bits in odd]
        yield Leaf(f"{path} bits of NaN", np.array(words, dtype=np.uint64))


def _length(path: str, length: int) -> Leaf:
    return Leaf(f"{path} length", np.array([length]))


def _type(path: str, value: Any) -> Leaf:
    """What kind of thing stands there: its type, of an array also its dtype and shape, of a list that of its parts."""
    if isinstance(value, np.ndarray):
        dtype = value.dtype.str if value.dtype.names is None else value.dtype
        return Leaf(f"{path} type", None, (f"array of {dtype} {value.shape}",))
    if type(value) in (list, tuple):
        alike = set(map(type, value))
        if len(alike) == 1:
            return Leaf(f"{path} type", None, (f"{type(value).__name__} of {type_name(value[0])}",))
    return Leaf(f"{path} type", None, (type_name(value),))


def _member(path: str, value: Any) -> Leaf:
    return Leaf(f"{path} value", None, (_value_text(value),))


def _value_text(value: Any) -> str:
    if type(value) is str and len(value) <= SHOWN_MEMBER:
        return _short_repr(value)
    if isinstance(value, Raised):
        text = f"raises {value.kind}({value.message!r})"
        most = 2 * SHOWN_MEMBER
        return text if len(text) <= most else f"{text[: most - 7]}...{hash_text(text):04x}"
    try:
        text = without_address(repr(value))
    except Exception as error:
        return f"{type(value).__name__} ({type(error).__name__})"
    return _short(text)


@lru_cache(maxsize=1024)
def _short_repr(value: str) -> str:
    """The same of a short text: keys come again in each answer."""
    return _short(without_address(repr(value)))


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_MEMBER else f"{text[: SHOWN_MEMBER - 3]}...{hash_text(text):04x}"
