"""What a game learned of all numbers, in and out of a record, so that an audit goes on where it stopped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.wide import CHOSEN_DIGITS, CHOSEN_NUMBERS, JOINT, Slots, signs_of

#: Where more of the outputs kept would have to be written than this, slots start anew in an audit that goes on.
MOST_WRITTEN = 1 << 17

_NAMES = ("centre", "spread", "sums", "ones", "kept", "past", "slopes", "offsets", "chosen_numbers", "chosen_digits")


def slot_arrays(slots: Slots | None) -> dict[str, NDArray[Any]]:
    """Slots as arrays by name; none where there are no slots, or too much would have to be written.

    >>> slot_arrays(None)
    {}
    """
    if slots is None or int(np.count_nonzero(np.nan_to_num(slots.kept))) > MOST_WRITTEN:
        return {}
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
    if slots.columns != count:
        raise ValueError("the slots of a game are others than its columns")
    return slots
