"""Claims and relations as plain data and back, so that a worker process can say what its learner declares."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from dpcheck.execution.wire import NotPlain

#: How the written parts begin: a range, a tuple, an object of one of dpcheck's classes, anything plain.
_RANGE, _TUPLE, _MADE, _PLAIN = "range", "tuple", "made", "plain"


@cache
def _classes() -> dict[str, type]:
    """What relations are made of, by name; loaded where a learner declares one."""
    from dpcheck.model.neighbours import AddRemove, EntryAndTranscript, LabelsOnly, PrivatePart, Records, ReplaceOne
    from dpcheck.model.neighbours.domains import Bounds, Columns, LabelledDomain, Values
    from dpcheck.model.neighbours.entries import ReplaceEntry

    relations = (ReplaceOne, AddRemove, LabelsOnly, PrivatePart, EntryAndTranscript, ReplaceEntry)
    kinds: tuple[type, ...] = (*relations, Records, Bounds, Columns, LabelledDomain, Values)
    return {kind.__name__: kind for kind in kinds}


def is_own(value: Any) -> bool:
    """Whether it is an object of exactly one of dpcheck's classes of relations and records.

    >>> is_own(0)
    False
    """
    return _classes().get(type(value).__name__) is type(value)


def relation_parts(value: Any) -> Any:
    """A relation of dpcheck's, its records and its sizes, as plain data.

    Raises
    ------
    NotPlain
        When it holds a strategy, or an object of another class.

    Examples
    --------
    >>> from dpcheck.model.neighbours import ReplaceOne
    >>> relation_of(relation_parts(ReplaceOne(records=(0, 1), size=3))).size
    3
    """
    if type(value) is range:
        return (_RANGE, value.start, value.stop, value.step)
    if type(value) is tuple:
        return (_TUPLE, *map(relation_parts, value))
    if is_own(value):
        return (_MADE, type(value).__name__, {f.name: relation_parts(getattr(value, f.name)) for f in fields(value)})
    if type(value).__module__.partition(".")[0] == "dpcheck":
        raise NotPlain(f"an object of type {type(value).__qualname__} is no plain data")
    return (_PLAIN, value)


def relation_of(parts: Any) -> Any:
    """What was written by :func:`relation_parts`.

    Raises
    ------
    NotPlain
        When these are no such parts.
    """
    if type(parts) is not tuple or not parts:
        raise NotPlain("no parts of a relation")
    kind, *content = parts
    if kind == _PLAIN and len(content) == 1:
        return content[0]
    if kind == _TUPLE:
        return tuple(map(relation_of, content))
    if kind == _RANGE and len(content) == 3 and all(type(number) is int for number in content) and content[2]:
        return range(*content)
    if kind == _MADE and len(content) == 2 and type(content[0]) is str and type(content[1]) is dict:
        made_of = _classes().get(content[0])
        if made_of is not None and [field.name for field in fields(made_of)] == list(content[1]):
            # As it was, past a constructor that reads shorter spellings.
            made: Any = object.__new__(made_of)
            for name, part in content[1].items():
                object.__setattr__(made, name, relation_of(part))
            return made
    raise NotPlain("no parts of a relation")


def claim_parts(claim: Any) -> Any:
    """A claim as plain data: a number as it is, one of dpcheck's as the fields of its record.

    Raises
    ------
    NotPlain
        When it is of another class.

    Examples
    --------
    >>> from dpcheck.model.claims import ApproxDP
    >>> claim_of(claim_parts(ApproxDP(1.0, 1e-6)))
    ApproxDP(epsilon=1.0, delta=1e-06)
    """
    from dpcheck.model.claims import Claim, as_claim

    if not isinstance(claim, Claim):
        # A number stays itself; what is no claim at all raises.
        return (_PLAIN, None if claim is None or not as_claim(claim) else claim)
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.model.verdict.record import claim_record

    try:
        record = claim_record(claim)
    except InvalidArgument as other:
        raise NotPlain(str(other)) from None
    return (_MADE, {field.name: getattr(record, field.name) for field in fields(record)})


def claim_of(parts: Any) -> Any:
    """What was written by :func:`claim_parts`.

    Raises
    ------
    NotPlain
        When these are no such parts.
    """
    from dpcheck.model.errors import DpcheckError
    from dpcheck.model.verdict import ClaimRecord
    from dpcheck.model.verdict.record import recorded_claim

    if type(parts) is not tuple or len(parts) != 2:
        raise NotPlain("no parts of a claim")
    kind, content = parts
    if kind == _PLAIN:
        return content
    try:
        return recorded_claim(ClaimRecord(**content))
    except (DpcheckError, TypeError, ValueError) as wrong:
        raise NotPlain(f"no parts of a claim: {wrong}") from None
