"""Files that are not what they should be: how they are damaged, and rules that say whether they still can be read.

The rules are not dpcheck's: numpy, zipfile, tomllib, sqlite3, a strict reading of JSON and the published schemas say
what is unusable. What they let pass may be read, or refused for another reason.
"""

from __future__ import annotations

import io
import json
import random
import sqlite3
import tempfile
import tomllib
import warnings
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

#: What a file can be instead of a file.
FOLDER, PIPE, DANGLING, CIRCLE, NOTHING = "a folder", "a pipe", "a link to nothing", "a link to itself", "nothing"
THINGS = (FOLDER, PIPE, DANGLING, CIRCLE, NOTHING)
#: What stands where something else should, in JSON.
WRONG: tuple[Any, ...] = (
    None, True, -1, 10**400, 1e308, "", "9" * 500, "1e999999999", [], {}, [[[]]], "((((((", "x^9", "\ud800", "\x1b[31m",
)  # fmt: skip
#: Contents that are no file of any kind here but the last, which are no JSON.
_NO_FILE = (b"", b"\x00", b"\xff\xfe\x00", b"\x00" * 4096, b"\x1b[31mred\x1b[0m\n", b"\r\r\r\n")
_NO_JSON = (
    b"[]", b"3", b"null", b"[" * 100_000, b'{"a":' * 50_000, b"9" * 5_000, b"{}", b'{"schema": "dpcheck-run/99"}',
    b'{"schema": 3}', b'{"schema": "\\ud800"}', b"NaN", b'"' + b"a" * 100_000,
)  # fmt: skip
_PUT_IN = (b"\x00", b"\xff\xfe", b"9" * 400, b"1e999", b"[" * 3000, b'"', b"\r", b"-", b"nan", b",,", b"\xe9")


def edited(content: bytes, random: random.Random) -> bytes:
    """Some bytes changed, cut out, doubled, put in or lost at the end."""
    made = bytearray(content)
    for _ in range(random.randint(1, 3)):
        place, size = random.randint(0, len(made)), random.choice((1, 2, 16, 200))
        match random.randint(0, 5):
            case 0:
                made[place : place + size] = random.randbytes(size)
            case 1:
                del made[place : place + size]
            case 2:
                made[place:place] = made[place : place + size]
            case 3:
                made[place:place] = random.choice(_PUT_IN)
            case 4:
                del made[place:]
            case _:
                if made:
                    made[min(place, len(made) - 1)] ^= 1 << random.randint(0, 7)
    return bytes(made)


def _reencoded(content: bytes, random: random.Random) -> bytes:
    text = content.decode("latin-1")
    match random.randint(0, 3):
        case 0:
            return text.encode("utf-16")
        case 1:
            return text.encode("utf-32")
        case 2:
            place = random.randint(0, len(content))
            return content[:place] + "é".encode("latin-1") + content[place:]
        case _:
            return content.replace(b"\n", b"\x00\n")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each part of JSON data is."""
    yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*path, key))


def with_part(value: Any, path: tuple[Any, ...], part: Any) -> Any:
    """The data with another part at a place."""
    if not path:
        return part
    first, *rest = path
    items = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    changed = [(key, with_part(inner, tuple(rest), part) if key == first else inner) for key, inner in items]
    return dict(changed) if isinstance(value, dict) else [inner for _, inner in changed]


def _of_json(content: bytes, random: random.Random) -> bytes:
    """A part of another type, left out, or written in a way that JSON has not."""
    data = json.loads(content)
    every = [path for path in places(data) if path]
    path = random.choice(every)
    match random.randint(0, 5):
        case 0 | 1:
            return json.dumps(with_part(data, path, random.choice(WRONG))).encode()
        case 2:
            return json.dumps(with_part(data, path, float(random.choice(("nan", "inf", "-inf"))))).encode()
        case 3:
            # A key that is there twice: which of the two is meant nobody knows.
            key = random.choice(list(data))
            return content.replace(b"{", f'{{"{key}": 3, '.encode(), 1)
        case 4:
            return json.dumps(with_part(data, path, 12345)).replace("12345", "[" * 100_000).encode()
        case _:
            parent = data
            for step in path[:-1]:
                parent = parent[step]
            del parent[path[-1]]
            return json.dumps(data).encode()


def of_text(content: bytes, random: random.Random) -> bytes:
    """Lines doubled, cut, or of another width."""
    lines = content.split(b"\n")
    place = random.randrange(len(lines))
    lines[place] = random.choice(
        (lines[place] + b",7", b"x" + lines[place], b'"' + lines[place], b",,,", b"1e999,-inf")
    )
    return b"\n".join(lines)


def _of_arrays(content: bytes, random: random.Random) -> bytes:
    """Arrays of wrong types, shapes and values, in a file that numpy wrote."""
    whole = io.BytesIO()
    arrays: dict[str, Any] = random.choice(
        (
            {"X": np.array([{}, "x"], dtype=object)},
            {"X": np.array(["a", "b"])},
            {"X": np.array([1 + 2j])},
            {"X": np.array([np.inf, 1.0])},
            {"left": np.zeros((2, 3)), "right": np.zeros((3, 3)), "other": np.zeros(1)},
            {"scores": np.zeros(4), "included": np.zeros(3)},
            {"scores": np.array(["a", "b"]), "included": np.zeros(2)},
            {"X": np.zeros((3, 2)), "y": np.zeros(2)},
            {"X": np.array("2020-01-01", dtype="datetime64[D]")},
            {"a\x1b[31m\n": np.zeros(2), "b": np.zeros(1)},
            {},
        )
    )
    if content[:2] == b"PK":
        np.savez(whole, **arrays)
    else:
        np.save(whole, next(iter(arrays.values()), np.array(3.0)), allow_pickle=True)
    return whole.getvalue()


# --- rules that say what is unusable


def _table(content: bytes) -> bool:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return False
    if len(lines) == 1:
        return True  # a record without a header
    if '"' in text or "\r" in text or "\x00" in text:
        return True  # who knows
    separator = max(",;\t", key=lines[0].count)
    return len({line.count(separator) for line in lines}) == 1


def _array(content: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = np.load(io.BytesIO(content), allow_pickle=False)
        return isinstance(array, np.ndarray) and array.dtype.kind in "biuf" and not np.isinf(array).any()
    except Exception:
        return False


def _archive(content: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, np.load(io.BytesIO(content), allow_pickle=False) as found:
            arrays = [found[name] for name in found.files]
            return archive.testzip() is None and bool(arrays) and all(one.dtype.kind in "biuf" for one in arrays)
    except Exception:
        return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def _refused(constant: str) -> Any:
    raise ValueError(constant)


def strict(content: bytes) -> Any:
    """What JSON says, as its standard has it: UTF-8, each key once, no NaN.

    Raises
    ------
    ValueError, RecursionError
    """
    return json.loads(content.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refused)


@cache
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    from dpcheck.report.schemas import schema_text

    return Draft202012Validator(json.loads(schema_text(schema)))


def _matters(error: Any) -> bool:
    """Whether an error is more than a field that is not there, which earlier versions did not write."""
    if error.validator == "required":
        return False
    if error.validator not in ("anyOf", "oneOf"):
        return True
    branches: dict[Any, list[Any]] = {}
    for inner in error.context:
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    return all(any(map(_matters, inner)) for inner in branches.values())


def _run(content: bytes) -> bool:
    """Of a run a report reads the command and the records; what else is in it may be anything."""
    try:
        found = strict(content)
        argv, kept = found["argv"], found["records"]
        ours = found["schema"] == "dpcheck-run/1" and all(isinstance(word, str) for word in argv)
        return ours and all(_document("dpcheck-record/1")(json.dumps(one).encode()) for one in kept)
    except (ValueError, RecursionError, KeyError, TypeError):
        return False


def _document(schema: str) -> Callable[[bytes], bool]:
    """Whether bytes are a document of a schema."""

    def readable(content: bytes) -> bool:
        try:
            return not any(map(_matters, _validator(schema).iter_errors(strict(content))))
        except (ValueError, RecursionError):
            return False

    return readable


def _record(schema: str) -> Callable[[bytes], bool]:
    """Whether bytes are such a document, or JSON of something else, which stands beside a report's records by right."""

    def readable(content: bytes) -> bool:
        try:
            found = strict(content)
        except (ValueError, RecursionError):
            return False
        other = not isinstance(found, dict) or not str(found.get("schema")).startswith(schema.partition("/")[0])
        return other or not any(map(_matters, _validator(schema).iter_errors(found)))

    return readable


def _certificates(content: bytes) -> bool:
    """Answers are replayed by the checker, so that wrong ones prove nothing: only what is no such file is unusable."""
    try:
        found = strict(content)
        return isinstance(found, dict) and isinstance(found["answers"], dict) and "version" in found
    except (ValueError, RecursionError, KeyError):
        return False


def _settings(content: bytes) -> bool:
    try:
        tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return False
    return True


def _database(content: bytes) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "x"
        file.write_bytes(content)
        try:
            connection = sqlite3.connect(file)
            try:
                return bool(connection.execute("PRAGMA quick_check").fetchone()[0] == "ok")
            finally:
                connection.close()
        except (sqlite3.Error, UnicodeDecodeError):
            return False


def _source(content: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(content, "x.py", "exec")
    except Exception:
        return False
    return True


#: For each kind of file: whether bytes may be read as one.
READABLE: dict[str, Callable[[bytes], bool]] = {
    "table": _table,
    "array": _array,
    "archive": _archive,
    "baseline": _document("dpcheck-baseline/2"),
    "run": _run,
    "measurement": _document("dpcheck-measurement/1"),
    "paper report": _record("dpcheck-paper-report/2"),
    "audit report": _record("dpcheck-audit-report/1"),
    "certificates": _certificates,
    "settings": _settings,
    "history": _database,
    "paper": _source,
}
_JSON = ("baseline", "run", "measurement", "paper report", "audit report", "certificates")


def damaged(kind: str, content: bytes, random: random.Random) -> tuple[str, bytes]:
    """How a file of a kind is damaged, in words, and what it is then."""
    ways: dict[str, Callable[[], bytes]] = {
        "bytes edited": lambda: edited(content, random),
        "cut off": lambda: content[: random.randrange(max(1, len(content)))],
        "no such file at all": lambda: random.choice(_NO_FILE),
        "another encoding": lambda: _reencoded(content, random),
    }
    if kind in _JSON:
        ways |= {
            "a part of it wrong": lambda: _of_json(content, random),
            "another part of it wrong": lambda: _of_json(content, random),
            "other JSON": lambda: random.choice(_NO_JSON),
        }
    elif kind in ("array", "archive"):
        ways["other arrays"] = lambda: _of_arrays(content, random)
    elif kind in ("table", "settings", "paper"):
        ways["lines of it wrong"] = lambda: of_text(content, random)
        ways["other text"] = lambda: random.choice(_NO_JSON)
    name = random.choice(list(ways))
    return name, ways[name]()
