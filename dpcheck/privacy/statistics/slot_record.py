"""What a game learned of all numbers, in and out of a record, so that an audit goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.anywhere import MARKS
from dpcheck.privacy.statistics.wide import (
    CHOSEN_DIGITS,
    CHOSEN_ITEMS,
    CHOSEN_NUMBERS,
    JOINT,
    Slots,
    marks_that_tell,
    signs_of,
)

#: Where more of the outputs kept would have to be written than this, slots start anew in an audit that goes on.
MOST_WRITTEN = 1 << 17
#: Of the counts of marks those are written that are so many standard errors apart; the others start anew.
WORTH_WRITING = 2.0

_NAMES = ("centre", "spread", "sums", "ones", "kept", "past", "slopes", "offsets", "chosen_numbers", "chosen_digits")


def slot_arrays(slots: Slots | None) -> dict[str, NDArray[Any]]:
    """Slots as arrays by name; none where there are no slots, or too much would have to be written.

    >>> slot_arrays(None)
    {}
    """
    if slots is None or int(np.count_nonzero(np.nan_to_num(slots.kept))) + slots.marks.size > MOST_WRITTEN:
        return {}
    telling = np.flatnonzero(marks_that_tell(slots) >= WORTH_WRITING) if slots.chosen_items else np.zeros(0, np.int64)
    return {
        "slots.numbers": np.array([slots.numbers]),
        "slots.centre": slots.centre,
        "slots.spread": slots.spread,
        "slots.sums": slots.sums,
        "slots.ones": slots.ones,
        "slots.kept": slots.kept,
        "slots.past": np.array(slots.past, dtype=np.int64),
        "slots.slopes": np.array(slots.slopes, dtype=np.float64).reshape(len(slots.slopes), slots.numbers),
        "slots.offsets": np.array(slots.offsets, dtype=np.float64),
        "slots.chosen_numbers": np.array(slots.chosen_numbers, dtype=np.int64),
        "slots.chosen_digits": np.array(slots.chosen_digits, dtype=np.int64),
        "slots.chosen_items": np.array(slots.chosen_items, dtype=np.int64),
        "slots.telling": telling,
        "slots.there": slots.there[:, telling],
        "slots.marks": slots.marks,
        "slots.words": np.frombuffer(json.dumps(slots.words).encode(), dtype=np.uint8),
    }


def slots_from(arrays: Mapping[str, NDArray[Any]], count: int) -> Slots | None:
    """The slots that arrays hold; None where they hold none.

    Parameters
    ----------
    arrays : mapping
        Arrays by name, those of a record.
    count : int
        How many columns the game fills.

    Raises
    ------
    ValueError
        When the arrays do not belong together.
    """
    if "slots.ones" not in arrays:  # those of earlier versions neither: these start anew
        return None
    numbers = int(arrays["slots.numbers"][0])
    held = {name: arrays[f"slots.{name}"] for name in _NAMES}
    width = numbers + held["ones"].shape[-1]
    chosen, digits = held["chosen_numbers"].tolist(), held["chosen_digits"].tolist()
    good = (
        numbers >= 0
        and held["centre"].shape == (numbers,)
        and held["spread"].shape == (numbers,)
        and held["sums"].shape == (5, 2, numbers)
        and held["ones"].shape == (2, width - numbers)
        and held["kept"].ndim == 2
        and held["kept"].shape[1] == width
        and held["past"].shape == (2,)
        and held["slopes"].shape in ((0, numbers), (len(JOINT), numbers))
        and held["offsets"].shape == held["slopes"].shape[:1]
        and len(chosen) == (CHOSEN_NUMBERS if numbers else 0)
        and len(digits) == (CHOSEN_DIGITS if width > numbers else 0)
        and all(-1 <= place < numbers for place in chosen)
        and all(place == -1 or numbers <= place < width for place in digits)
        and all(
            held[name].dtype.kind == "f" for name in ("centre", "spread", "sums", "ones", "kept", "slopes", "offsets")
        )
        and bool((held["spread"] > 0).all())
    )
    if not good:
        raise ValueError("the slots of a game do not belong together")
    slots = Slots(
        numbers,
        held["centre"],
        held["spread"],
        held["sums"],
        held["ones"],
        (int(held["past"][0]), int(held["past"][1])),
        held["kept"],
        signs_of(numbers),
        tuple(held["slopes"]),
        tuple(held["offsets"].tolist()),
        tuple(chosen),
        tuple(digits),
    )
    slots = _with_marks(slots, arrays)
    if slots.columns != count:
        raise ValueError("the slots of a game are others than its columns")
    return slots


def _with_marks(slots: Slots, arrays: Mapping[str, NDArray[Any]]) -> Slots:
    """The slots with what was written of marks; records of before there were marks have none."""
    if not arrays.get("slots.chosen_items", np.zeros(0)).size:
        return slots
    items, telling, times, marks = (arrays[f"slots.{name}"] for name in ("chosen_items", "telling", "there", "marks"))
    words = json.loads(bytes(arrays["slots.words"]))
    good = (
        len(items) == CHOSEN_ITEMS == len(words)
        and all(place == -1 or 0 <= place - slots.width < MARKS for place in items.tolist())
        and telling.dtype.kind == times.dtype.kind == "i"
        and times.shape == (2, len(telling))
        and all(0 <= mark < MARKS for mark in telling.tolist())
        and bool((times >= 0).all())
        and marks.ndim == 2
        and marks.dtype == np.uint16
        and all(type(one) is str for one in words)
    )
    if not good:
        raise ValueError("the marks of a game do not belong together")
    there = np.zeros((2, MARKS), np.int64)
    there[:, telling] = times
    return replace(slots, there=there, marks=marks, chosen_items=tuple(items.tolist()), words=tuple(words))
