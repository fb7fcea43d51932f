"""Kinds of answers in words: all that an answer is apart from its numbers, such that a reader can check it.

Answers of one kind have one form token (:class:`dpcheck.privacy.statistics.observations.Observations`); a game that
bets on kinds keeps, for each it has seen, the words for one answer of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Opaque, Portrait, Raised
from dpcheck.execution.handover import type_name
from dpcheck.privacy.statistics.leaves import leaves_of, numbers_of
from dpcheck.privacy.statistics.observations import Observations, Warned, describe_answer
from dpcheck.privacy.statistics.warned import warnings_in_words

#: Kinds that are named, kinds told of in one event, and characters of one.
MOST_NAMED, MOST_TOLD, SHOWN_KIND = 64, 3, 160
#: A scalar of numpy, as it is written down; and what stands in it.
_TYPED = re.compile(r"\bnp\.\w+\(('[^']*'|\"[^\"]*\"|[^()]*)\)")
#: Members of a container that are described, and how deep.
_MEMBERS, _DEPTH = 6, 3


def with_kinds(known: Mapping[int, str], seen: Observations) -> Mapping[int, str]:
    """The words for each kind, with those of answers seen for the first time.

    Examples
    --------
    >>> from dpcheck.execution.answers import Answers
    >>> from dpcheck.privacy.statistics.observations import observe
    >>> sorted(with_kinds({}, observe(Answers([1.5, 2.5, None, (1.0, "a")]), "real")).values())
    ['None', 'a number (float)', "a tuple (a number, 'a')"]
    """
    kinds = seen.kinds
    if len(seen.answers) != len(seen):
        return known
    if len(known) >= MOST_NAMED or not len(kinds) or (int(kinds[0]) in known and bool((kinds == kinds[0]).all())):
        return known
    different, first = np.unique(kinds, return_index=True)
    fresh = [place for token, place in zip(different, first, strict=True) if int(token) not in known]
    if not fresh:
        return known
    named = {int(kinds[place]): _name(seen, int(place)) for place in fresh[: MOST_NAMED - len(known)]}
    return {**known, **named}


def named_answers(tokens: NDArray[np.uint64], seen: Observations) -> Mapping[int, str]:
    """The words for the answers with these tokens, for as many as are named; those that were not kept have none.

    >>> from dpcheck.execution.answers import Answers
    >>> from dpcheck.privacy.statistics.observations import observe
    >>> seen = observe(Answers(["yes", "no"]), "real")
    >>> list(named_answers(seen.tokens, seen).values())
    ["'yes'", "'no'"]
    """
    if len(seen.answers) != len(seen):
        return {}
    different, first = np.unique(seen.tokens, return_index=True)
    places = np.minimum(np.searchsorted(different, tokens), max(len(different) - 1, 0))
    some = [int(place) for place in places[:MOST_NAMED] if len(different)]
    return _NamedWhenAsked({int(different[place]): int(first[place]) for place in some}, seen)


@dataclass(frozen=True)
class _NamedWhenAsked(Mapping[int, str]):
    """Words for answers, found when they are asked for: to write a thousand numbers down takes longer than all else."""

    places: Mapping[int, int]
    seen: Observations

    def __getitem__(self, token: int) -> str:
        return describe_answer(self.seen.answer(self.places[token]), alone=True)

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


def told_kinds(
    tokens: NDArray[np.uint64], guesses: NDArray[Any], names: Mapping[int, str], others: str
) -> tuple[str, str]:
    """The event and direction, in words, of a rule that guesses by which of these an output is.

    Parameters
    ----------
    tokens : array, shape (n,)
        The ones told apart.
    guesses : array, shape (n + 1,)
        Positive where D is guessed, negative for D'; the last is for all others.
    names : mapping
        The words for each token, where there are any.
    others : str
        What an output is that is none of them, in words.
    """
    sides = {side: _side(tokens, guesses, names, others, sign) for side, sign in (("D", 1), ("D'", -1))}
    told = {side: words for side, words in sides.items() if words}
    if len(told) == 2:
        left, right = told.values()
        alike = "; they differ in what these words leave out" if left == right else ""
        return f"output is {left} (likelier on D) or {right} (likelier on D'){alike}", "likelier on the dataset named"
    if not told:
        return "no output in particular", "on neither dataset"
    side, words = next(iter(told.items()))
    return f"output is {words}", f"likelier on {side}"


def _side(tokens: NDArray[np.uint64], guesses: NDArray[Any], names: Mapping[int, str], others: str, sign: int) -> str:
    chosen = [int(place) for place in np.flatnonzero(np.sign(guesses) == sign)]
    known = [names[int(tokens[place])] for place in chosen if place < len(tokens) and int(tokens[place]) in names]
    unnamed = sum(place < len(tokens) for place in chosen) - len(known)
    words = [name + twins_of(name, names) for name in known[:MOST_TOLD]]
    left_out = len(known) - len(words) + unnamed
    if left_out:
        words.append(f"one of {left_out} more that were seen before" if words else f"one of {left_out} seen before")
    if any(place >= len(tokens) for place in chosen):
        words.append(others)
    return " or ".join(words)


def twins_of(name: str, names: Mapping[int, str]) -> str:
    """Other answers that a reader may take for this one, since they differ in their types alone.

    Examples
    --------
    >>> twins_of("[0]", {1: "[0]", 2: "[np.int64(0)]", 3: "[1]"})
    ', which is not [np.int64(0)]'
    """
    bare = _TYPED.sub(r"\1", name)
    twins = sorted({other for other in names.values() if other != name and _TYPED.sub(r"\1", other) == bare})
    return f", which is not {' nor '.join(twins[:MOST_TOLD])}" if twins else ""


def _name(seen: Observations, place: int) -> str:
    special = "" if seen.plain is None else _special_words(seen.columns[place, : seen.plain])
    answer = seen.answer(place)
    return kind_in_words(answer) + special + _beside_words(answer)


def _special_words(row: NDArray[np.float64]) -> str:
    """Which numbers are not finite, as far as the columns say."""
    found = [
        f"{name} in {count} place{'' if count == 1 else 's'}"
        for name, count in (("inf", int((row == np.inf).sum())), ("-inf", int((row == -np.inf).sum())))
        if count
    ]
    return f" with {' and '.join(found)}" if found else ""


def _beside_words(answer: Any) -> str:
    """The signs of zeros and the bits of NaNs among the numbers of an answer.

    >>> _beside_words([0.5, -0.0]), _beside_words(0.0)
    (' with -0.0 in 1 place', '')
    """
    zeros, absent = 0, set[str]()
    for leaf in leaves_of(answer.answer if isinstance(answer, Warned) else answer):
        if leaf.numbers is None or leaf.numbers.dtype.kind != "f":
            continue
        zeros += int(((leaf.numbers == 0) & np.signbit(leaf.numbers)).sum())
        missing = leaf.numbers[np.isnan(leaf.numbers)]
        usual = np.array(np.nan, missing.dtype).tobytes()
        absent |= {one.tobytes()[::-1].hex() for one in missing[:_MEMBERS] if one.tobytes() != usual}
    words = f" with -0.0 in {zeros} place{'' if zeros == 1 else 's'}" if zeros else ""
    return words + (f" with NaN of the bits {' and '.join(sorted(absent))}" if absent else "")


def kind_in_words(answer: Any) -> str:
    """What an answer is apart from its numbers; what has none is described whole. Never raises.

    Examples
    --------
    >>> kind_in_words(np.zeros((3, 2))), kind_in_words({"weights": [0.5, 0.25], "name": "ridge"})
    ('an array of shape (3, 2) of float64', "a dict {'weights': a list of 2 numbers, 'name': 'ridge'}")
    >>> kind_in_words(Warned(0.5, ("UserWarning: a", "UserWarning: a"))), kind_in_words(Raised("ValueError", "bad #"))
    ('a number (float) with 2 warnings UserWarning: a', "raises ValueError('bad #') (# is any number)")
    """
    if isinstance(answer, Warned):
        return f"{kind_in_words(answer.answer)} with {warnings_in_words(answer.warnings)}"
    try:
        words = _words(answer, 0)
    except Exception:  # a stranger's object may raise anything when it is looked at
        words = describe_answer(answer)
    return words if len(words) <= SHOWN_KIND else words[: SHOWN_KIND - 3] + "..."


def _words(answer: Any, depth: int) -> str:
    if isinstance(answer, Raised | Opaque | str | bytes | bool) or answer is None:
        return describe_answer(answer)
    numbers = numbers_of(answer)
    if numbers is not None and numbers.ndim == 0:
        usual = depth and type(answer) is float
        return "a number" if usual else f"a number ({type_name(answer)})"
    if isinstance(answer, np.ndarray):
        first = answer.reshape(-1)[:SHOWN_KIND]
        shown = first.astype(str) if answer.dtype.kind in "mM" else first
        content = "" if answer.dtype.kind in "biufc" else f": {describe_answer(shown.tolist())}"
        return f"an array of shape {answer.shape} of {answer.dtype}{content}"
    kind = answer.kind if type(answer) is Portrait else type(answer).__name__
    if depth >= _DEPTH:
        return f"a {kind}"
    if isinstance(answer, dict):
        parts = [f"{_key(key)}: {_words(value, depth + 1)}" for key, value in list(answer.items())[:_MEMBERS]]
        return f"a {kind} {{{_listed(parts, len(answer))}}}"
    if isinstance(answer, tuple | list):
        types = {type_name(part) for part in answer} if len(answer) > 1 else set()
        if len(types) == 1 and all(numbers_of(part) is not None and not np.ndim(part) for part in answer):
            told = "numbers" if types == {"float"} else f"numbers ({types.pop()})"
            return f"a {kind} of {len(answer)} {told}"
        parts = [_words(part, depth + 1) for part in answer[:_MEMBERS]]
        return f"a {kind} ({_listed(parts, len(answer))})"
    if isinstance(answer, set | frozenset):
        return f"a {kind} of {len(answer)}: {describe_answer(answer)}"
    if type(answer) is Portrait and answer.form == "fields" and answer.parts:
        # of a fitted model what is not of numbers, as its classes are, tells kinds apart
        telling = sorted(answer.parts, key=lambda part: _is_of_numbers(part[1]))[:_MEMBERS]
        parts = [f"{name}={_words(part, depth + 1)}" for name, part in telling]
        return f"a {answer.kind} ({_listed(parts, len(answer.parts))})"
    if type(answer) is Portrait:
        return f"a {answer.kind}: {describe_answer(answer)}"
    if is_dataclass(answer) and not isinstance(answer, type):
        parts = [f"{part.name}={_words(getattr(answer, part.name), depth + 1)}" for part in fields(answer)[:_MEMBERS]]
        return f"a {kind} ({_listed(parts, len(fields(answer)))})"
    if hasattr(answer, "shape") and hasattr(answer, "columns"):
        return f"a {kind} of shape {tuple(answer.shape)}"
    return "a number" if isinstance(answer, int | float | complex) else f"a {kind}: {describe_answer(answer)}"


def _is_of_numbers(part: Any) -> bool:
    return numbers_of(part) is not None or (isinstance(part, np.ndarray) and part.dtype.kind in "biufc")


def _key(key: Any) -> str:
    return describe_answer(key)


def _listed(parts: Sequence[str], count: int) -> str:
    more = [f"{count - len(parts)} more"] if count > len(parts) else []
    return ", ".join([*parts, *more])
