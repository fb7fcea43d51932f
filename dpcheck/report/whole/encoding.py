"""Records as JSON and back: handed over by a unit of work, kept in the journal, written for readers."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from dpcheck.model.written_json import check_types

T = TypeVar("T")


def encoded(value: Any) -> str:
    """A frozen dataclass as JSON; numbers that JSON cannot hold are the words ``inf``, ``-inf`` and ``nan``.

    Examples
    --------
    >>> from dpcheck.report.whole.model import Count
    >>> encoded(Count("holds", 3))
    '{"word": "holds", "count": 3}'
    """
    from dpcheck.model.verdict.record import plain

    return json.dumps(plain(value), allow_nan=False)


def decoded(text: str, kind: type[T]) -> T:
    """What :func:`encoded` wrote.

    Raises
    ------
    ValueError
        When it is no such record.

    Examples
    --------
    >>> from dpcheck.report.whole.model import Count
    >>> decoded('{"word": "holds", "count": 3}', Count)
    Count(word='holds', count=3)
    """
    from pydantic import TypeAdapter

    read = json.loads(text)
    made: T = TypeAdapter(kind).validate_python(read)
    check_types(read, made)
    return made


def document(schema: str, value: Any, without: frozenset[str] = frozenset()) -> str:
    """A record as a file that reviews well: its schema first, then its fields; ``without`` names fields left out."""
    from dpcheck.model.verdict.record import plain

    made = _less({"schema": schema, **plain(value)}, without)
    text = json.dumps(made, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # half of a pair of surrogates, in a stranger's name, is no text: it stays an escape
    return text if _is_text(text) else json.dumps(made, indent=1, allow_nan=False) + "\n"


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _less(value: Any, without: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {key: _less(inner, without) for key, inner in value.items() if key not in without}
    if isinstance(value, list):
        return [_less(inner, without) for inner in value]
    return value
