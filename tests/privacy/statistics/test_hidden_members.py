"""A record in a member that never comes again, in a part that is seldom there, or in digits, is in some column."""

from __future__ import annotations

import string
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcheck.execution.answers import Answers, Raised
from dpcheck.privacy.run.caller import Noticed, with_columns
from dpcheck.privacy.run.findings import findings_of
from dpcheck.privacy.statistics.game import Batch, Shape, learn, new_game
from dpcheck.privacy.statistics.late_kinds import LateKinds
from dpcheck.privacy.statistics.layout import Layout, fit_layout
from dpcheck.privacy.statistics.leaves import drawn, leaves_of, left_out
from dpcheck.privacy.statistics.members import MOST_POOLED
from dpcheck.privacy.statistics.observations import observe
from dpcheck.privacy.statistics.places import UNSEEN, not_looked_at
from dpcheck.privacy.statistics.slot_record import slot_arrays, slots_from
from dpcheck.privacy.statistics.whole import decimals_of
from dpcheck.privacy.statistics.wide import Slots, Wide, refilled, with_outputs

Rng = np.random.Generator
Make = Callable[[Rng, int], Any]

#: Outputs that fix the columns, and those after them.
OPENING, LATER = 13, 400


def letters(rng: Rng, count: int = 9) -> str:
    return "".join(rng.choice(list(string.ascii_lowercase), count))


def ending(rng: Rng, record: int) -> str:
    return letters(rng, 8) + "ab"[record]


MEMBERS: dict[str, Make] = {
    "end of a text": lambda rng, record: {letters(rng), letters(rng), ending(rng, record)},
    "length of a text": lambda rng, record: frozenset({letters(rng), letters(rng, 12 + record)}),
    "number in a text": lambda rng, record: {f"{letters(rng)} {2 * int(rng.integers(10**6)) + record} x"},
    "bytes": lambda rng, record: {rng.bytes(9), rng.bytes(8) + bytes([record])},
    "tuple": lambda rng, record: {(float(rng.laplace()), record), (float(rng.laplace()), 7)},
    "set": lambda rng, record: {frozenset({letters(rng), "ab"[record]}), frozenset({letters(rng)})},
    "float": lambda rng, record: {float(rng.normal()), float(rng.normal()) + 9.0 * record},
    "bit of an int": lambda rng, record: {2 * int(rng.integers(2**40)), 2 * int(rng.integers(2**40)) + record},
    "key": lambda rng, record: {letters(rng): 1.0, ending(rng, record): 1.0},
    "value": lambda rng, record: {letters(rng): [float(rng.normal()), 7.0 * record]},
    "attribute": lambda rng, record: SimpleNamespace(**{letters(rng): float(rng.normal()), letters(rng): 7 * record}),
}


def opening_of(make: Make, rng: Rng) -> list[Any]:
    return [drawn(make(rng, place % 2)) for place in range(OPENING)]


def slots_of(layout: Layout, make: Make, rng: Rng) -> tuple[Slots, Wide, np.ndarray]:
    coins = rng.integers(0, 2, LATER).astype(np.int8)
    seen = observe(Answers([drawn(make(rng, int(coin))) for coin in coins]), "real", None, layout)
    assert seen.wide is not None
    return refilled(with_outputs(None, seen.wide, coins)), seen.wide, coins


def accuracy(slots: Slots, wide: Wide, coins: np.ndarray) -> float:
    """How well the best chosen number or digit tells the coin: above some threshold, or equal to some value."""
    best = 0.0
    for place in slots.chosen:
        if place >= 0:
            values = wide.column(place)
            some = np.unique(values)
            for value in some[:: max(1, len(some) // 64)]:
                right = np.array([np.mean((values >= value) == coins), np.mean((values == value) == coins)])
                best = max(best, *right, *(1.0 - right))
    return best


@pytest.mark.turns(6)
@pytest.mark.parametrize("name", MEMBERS)
def test_a_member_that_never_comes_again_tells(name: str, rng: Rng) -> None:
    make = MEMBERS[name]
    layout = fit_layout(opening_of(make, rng), exact=False)
    assert layout is not None
    assert layout.pooled
    assert accuracy(*slots_of(layout, make, rng)) > 0.85


def test_members_that_come_again_are_not_taken_together(rng: Rng) -> None:
    for make in (
        lambda: {label for label in "abcde" if rng.random() < 0.5},
        lambda: {"mean": rng.normal(), "spread": rng.laplace()},
        lambda: SimpleNamespace(weight=rng.normal(size=3), name="ridge"),
    ):
        layout = fit_layout([drawn(make()) for _ in range(OPENING)], exact=False)
        assert layout is not None
        assert layout.pooled == ()


def test_more_members_than_are_taken_together_are_said_to_be_left_out() -> None:
    many = {(place, "a") for place in range(MOST_POOLED + 1)}
    assert left_out(leaves_of(many)) == ()
    assert left_out(leaves_of(many, None, frozenset({""})))
    assert left_out(leaves_of(set(range(4 * MOST_POOLED)), None, frozenset({""}))) == ()  # numbers cost less
    assert left_out(leaves_of({1 << 70_000, "a"}, None, frozenset({""})))


# --- parts that the first outputs did not have ---------------------------------------------------------------------

SELDOM: dict[str, Make] = {
    "key": lambda rng, record: {"a": rng.normal(), "extra": [float(rng.normal()), record]},
    "kind": lambda rng, record: [float(rng.normal()), ending(rng, record)],
    "text": lambda rng, record: {"a": rng.normal(), "note": ending(rng, record)},
    "digit": lambda rng, record: {"a": rng.normal(), "extra": 2 * int(rng.integers(2**40)) + record},
    "length": lambda rng, record: {"a": [*rng.normal(size=9).tolist(), 7.0 * record]},
}


@pytest.mark.parametrize("name", SELDOM)
def test_a_part_that_the_first_outputs_did_not_have_tells(name: str, rng: Rng) -> None:
    usual = {"a": [0.5, 1.5] if name == "length" else 0.5, "note": "fine"}
    opening = [{**usual, "noise": float(rng.normal())} for _ in range(OPENING)]
    layout = fit_layout(opening, exact=False)
    assert layout is not None

    def make(rng: Rng, record: int) -> Any:
        return SELDOM[name](rng, record) if rng.random() < 0.8 else opening[int(rng.integers(OPENING))]

    assert accuracy(*slots_of(layout, make, rng)) > 0.7


def test_outputs_like_the_first_ones_have_no_late_parts(rng: Rng) -> None:
    def make(rng: Rng, record: int) -> Any:
        some = {"a": float(rng.normal()), "b": letters(rng), "c": "ridge", "d": [1, 2], "e": rng.normal(size=3)}
        return some | {"f": bool(rng.random() < 0.5), "g": rng.choice(["yes", "no"]), "h": {"x", "y"}}

    layout = fit_layout(opening_of(make, rng), exact=False)
    assert layout is not None
    _, wide, _ = slots_of(layout, make, rng)
    assert np.isnan(wide.blocks[0].numbers[:, layout.known_numbers :]).mean() > 0.99


def test_outputs_of_another_kind_than_numbers_are_said_not_to_be_looked_at(rng: Rng) -> None:
    late = LateKinds()
    late.see(observe(Answers(rng.normal(size=50)), "real"), None)
    late.see(observe(Answers([None, 0.5, *["word"] * 30, *[Raised("ValueError", "singular")] * 9]), "real"), None)
    assert late.finding() is None
    numbered = [Raised("ValueError", "row #", (str(place),)) for place in range(9)]
    for strange in ([[float(x), 1.0] for x in rng.normal(size=9)], [letters(rng) for _ in range(9)], numbered):
        late = LateKinds()
        late.see(observe(Answers([*strange, *rng.normal(size=50)]), "real"), None)
        finding = late.finding()
        assert finding is not None
        assert finding.kind == UNSEEN
    assert not_looked_at(findings_of((), Noticed(used_rng=True, late_kinds=late), (), True, ""))


def test_arrays_longer_than_the_first_ones_are_of_another_kind(rng: Rng) -> None:
    layout = fit_layout(list(rng.normal(size=(OPENING, 3))), exact=False)
    late = LateKinds()
    late.see(observe(Answers(rng.normal(size=(20, 3))), "real", None, layout), layout)
    assert late.finding() is None
    late.see(observe(Answers(rng.normal(size=(20, 4))), "real", None, layout), layout)
    assert late.finding() is not None


def test_what_later_outputs_leave_out_is_said() -> None:
    layout = fit_layout([{"a": float(place)} for place in range(OPENING)], exact=False)
    seen = observe(Answers([{"a": 0.5, "b": "x" * 200_000}]), "real", None, layout)
    noticed = Noticed(used_rng=True, left_out=dict.fromkeys(seen.left_out))
    assert not_looked_at(findings_of((), noticed, (), True, ""))


# --- digits ---------------------------------------------------------------------------------------------------------

DIGITS: dict[str, Make] = {
    "rounded": lambda rng, record: {"a": round((2 * int(rng.normal(scale=1000)) + record) / 1000, 3), "b": "x"},
    "rounded among others": lambda rng, record: [float(rng.normal()), (2 * int(rng.integers(999)) + record) / 100, "x"],
    "parity of a sum": lambda rng, record: _with_parity(rng.integers(0, 2**20, 5), record),
    "bit of two": lambda rng, record: (lambda one: [one, one ^ (2 * int(rng.integers(2**20)) + record)])(
        int(rng.integers(2**20))
    ),
}


def _with_parity(numbers: np.ndarray, record: int) -> np.ndarray:
    numbers[2] += (int(numbers.sum()) + record) % 2
    return numbers


@pytest.mark.parametrize("name", DIGITS)
def test_a_digit_tells(name: str, rng: Rng) -> None:
    layout = fit_layout(opening_of(DIGITS[name], rng), exact=False)
    assert layout is not None
    assert accuracy(*slots_of(layout, DIGITS[name], rng)) == 1.0


def test_whole_numbers_that_one_of_the_first_outputs_had_have_digits() -> None:
    layout = fit_layout([*[None] * 12, np.array([5, 5000])], exact=False)
    assert layout is not None
    assert layout.known_whole_numbers == 2


def test_digits_of_rounded_numbers_are_named_by_their_unit() -> None:
    layout = fit_layout([[place / 8, 0.25 * place] for place in range(8)], exact=False)
    assert layout is not None
    assert layout.whole_ranges[0] == ("the number of 0.001s in output", 2)
    layout = fit_layout([f"{place / 100:.2f}" for place in range(60)], exact=False)
    assert layout is not None
    assert ("the number of 0.01s in number in output", 1) in layout.whole_ranges


def test_real_numbers_do_not_look_rounded(rng: Rng) -> None:
    for scale in (1e-9, 1.0, 1e6, 1e12):
        assert decimals_of([rng.normal(scale=scale, size=4)]) == -1
        assert decimals_of([rng.normal(scale=scale, size=4).astype(np.float32)]) in (-1, 0)


def test_digits_of_rounded_numbers_say_nothing_of_low_order_bits(rng: Rng) -> None:
    values = np.round(rng.normal(scale=100.0, size=(200, 3)), 3)
    layout = fit_layout(list(values[:OPENING]), exact=False)
    assert layout is not None
    assert layout.whole_numbers > 0
    moved = values * (1 + rng.integers(-3000, 3000, values.shape) * 2.0**-53)
    other = observe(Answers(rng.normal(size=(200, 3))), "real", None, layout).wide
    one, two = (observe(Answers(each), "real", None, layout).wide for each in (values, moved))
    assert one is not None
    assert two is not None
    assert other is not None
    np.testing.assert_array_equal(one.blocks[0].whole, two.blocks[0].whole)
    assert not other.blocks[0].whole[:, : layout.known_whole_numbers].any()  # these are no rounded numbers


def test_an_array_and_its_rows_have_the_same_digits(rng: Rng) -> None:
    values = np.round(rng.normal(scale=100.0, size=(20, 3)), 2)
    layout = fit_layout(list(values[:OPENING]), exact=False)
    together = observe(Answers(values), "real", None, layout).wide
    apart = observe(Answers([*values, "company"]), "real", None, layout).wide
    assert together is not None
    assert apart is not None
    np.testing.assert_array_equal(together.blocks[0].whole, apart.blocks[0].whole[:-1])


@pytest.mark.turns(6)
def test_a_label_beyond_the_columns_tells(rng: Rng) -> None:
    def make(rng: Rng, record: int) -> list[str]:
        return [*rng.choice(["fire", "pond"], 120).tolist(), ("fire", "pond")[record]]

    layout = fit_layout(opening_of(make, rng), exact=False)
    assert layout is not None
    assert accuracy(*slots_of(layout, make, rng)) == 1.0


# --- in and out of a record -----------------------------------------------------------------------------------------


def test_slots_survive_a_record_and_altered_ones_are_refused(rng: Rng) -> None:
    make = MEMBERS["tuple"]
    layout = fit_layout(opening_of(make, rng), exact=False)
    assert layout is not None
    game = new_game(with_columns(Shape(1, True, True), layout), 1.0, 0.0, boosted=False)
    coins = rng.integers(0, 2, 60).astype(np.int8)
    batch = Batch(observe(Answers([make(rng, int(coin)) for coin in coins]), "real", None, layout), coins)
    slots = learn(game, batch).slots
    assert slots is not None
    arrays = slot_arrays(slots)
    again = slots_from(arrays, layout.slots)
    assert again is not None
    for name in ("centre", "spread", "sums", "kept", "signs"):
        np.testing.assert_array_equal(getattr(again, name), getattr(slots, name))
    assert again.chosen == slots.chosen
    assert slots_from({}, layout.slots) is None
    for name, value in (("spread", slots.spread[1:]), ("chosen_digits", np.array([0, 1, 2])), ("past", np.zeros(3))):
        with pytest.raises(ValueError, match="slots"):
            slots_from({**arrays, f"slots.{name}": value}, layout.slots)
