"""A record that comes somewhere in an output, another place each time, is found; a coin there accuses nobody."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.caller import with_columns
from dpcheck.privacy.statistics import anywhere
from dpcheck.privacy.statistics.anywhere import MARKS, hashed, items_of, marks_of_arrays, times_there, words_of_mark
from dpcheck.privacy.statistics.game import Batch, Shape, learn, new_game
from dpcheck.privacy.statistics.layout import fit_layout
from dpcheck.privacy.statistics.leaves import leaves_of
from dpcheck.privacy.statistics.observations import observe
from dpcheck.privacy.statistics.slot_record import slot_arrays, slots_from

Rng = np.random.Generator
Make = Callable[[Rng, int], Any]


def letters(rng: Rng, count: int) -> list[str]:
    return rng.choice(list(string.ascii_lowercase), count).tolist()


def shuffled(rng: Rng, values: Any) -> Any:
    rng.shuffle(values)
    return values


def table(rng: Rng, record: int) -> Any:
    import pandas as pd

    rows = rng.integers(0, 4, size=(60, 6))
    rows[0] = [3, 1, record, 0, 2, 1]
    return pd.DataFrame(shuffled(rng, rows), columns=list("abcdef"))


def row(rng: Rng, record: int) -> Any:
    rows = rng.normal(size=(60, 3))
    rows[rng.integers(60)] = [0.5, float(record), 0.25]
    return rows


def text(rng: Rng, record: int) -> str:
    found = letters(rng, 80)
    found[rng.integers(80)] = "XY"[record]
    return "".join(found)


ANYWHERE: dict[str, Make] = {
    "number of an array": lambda rng, record: shuffled(rng, np.append(rng.laplace(size=99), record)),
    "number of a list": lambda rng, record: shuffled(rng, [*rng.laplace(size=60).tolist(), float(record)]),
    "row of an array": row,
    "row of a table": table,
    "word of a list": lambda rng, record: shuffled(rng, [*("".join(letters(rng, 5)) for _ in range(40)), f"r{record}"]),
    "record of a list": lambda rng, record: shuffled(
        rng, [*({"age": int(x), "zip": int(y)} for x, y in rng.integers(0, 40, (40, 2))), {"age": 7, "zip": 7 + record}]
    ),
    "character of a text": text,
    "bytes in bytes": lambda rng, record: b"".join(
        shuffled(rng, [*(rng.bytes(1) for _ in range(80)), b"\x00\x01\x02" + bytes([record])])
    ),
}


class Learner:
    def __init__(self, make: Make, *, leaks: bool) -> None:
        self.make, self.leaks = make, leaks

    def __call__(self, dataset: list[int], rng: Rng) -> Any:
        return self.make(rng, dataset[0] if self.leaks else int(rng.integers(0, 2)))


def audited(make: Make, *, leaks: bool, calls: int, seed: int) -> dpcheck.Verdict:
    learner = Learner(make, leaks=leaks)
    return dpcheck.audit(
        learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=calls, alpha=1e-9, seed=seed, max_seconds=600
    )


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ANYWHERE)
def test_a_record_somewhere_in_an_output_is_found(name: str, seed: int) -> None:
    """Refuted by what stands there with certainty on one side only; without marks 3,000 calls were clean."""
    assert audited(ANYWHERE[name], leaks=True, calls=1500, seed=seed).status is Status.VIOLATED


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["number of an array", "row of a table", "character of a text"])
def test_a_coin_somewhere_in_an_output_accuses_nobody(name: str, seed: int) -> None:
    assert audited(ANYWHERE[name], leaks=False, calls=400, seed=seed).status is not Status.VIOLATED


def test_the_event_says_what_was_found(seed: int) -> None:
    witness = audited(ANYWHERE["character of a text"], leaks=True, calls=1500, seed=seed).witness
    assert witness is not None
    assert "stands anywhere in output" in witness.event


def test_real_numbers_are_marked_as_they_are_rounded() -> None:
    values = np.array([0.1 + 0.2, 0.3, 1e-17, 0.0, -0.0, np.nan])
    real, exact = hashed(values, exact=False), hashed(values, exact=True)
    assert real[0] == real[1]
    assert real[2] == real[3] == real[4]
    assert exact[0] != exact[1]
    assert exact[2] != exact[3] == exact[4]
    assert real[5] == exact[5] == 0


def test_marks_of_arrays_and_of_the_same_arrays_among_other_answers_are_alike(rng: Rng) -> None:
    for values in (rng.normal(size=(5, 30)), rng.normal(size=(5, 6, 4)), rng.integers(0, 9, (5, 20))):
        at_once = marks_of_arrays(values, exact=False)
        for place, one in enumerate(values):
            alone = items_of(one, leaves_of(one), exact=False)
            assert sorted(alone.tolist()) == sorted(at_once[place].tolist())


def test_rows_are_told_by_all_of_them_and_in_their_order() -> None:
    one, other, turned = ([[1, 2], [3, 4]], [[1, 4], [3, 2]], [[2, 1], [4, 3]])
    marks = [set(items_of(rows, leaves_of(rows), exact=False).tolist()) for rows in (one, other, turned)]
    assert len(marks[0] - marks[1]) == len(marks[0] - marks[2]) == 2


def test_marks_of_long_outputs_are_counted_as_those_of_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    marks = rng.integers(0, MARKS, (9, 500)).astype(np.uint16)
    sorted_ones = times_there(marks)
    monkeypatch.setattr(anywhere, "MANY_MARKS", 100)
    assert (times_there(marks) == sorted_ones).all()


def test_outputs_are_counted_and_not_how_often_a_mark_is_in_one() -> None:
    found = times_there(np.array([[7, 7, 7, 0], [7, 9, 0, 0]], np.uint16))
    assert found.shape == (MARKS,)
    assert (found[7], found[9], found[0]) == (2, 1, 0)


def test_a_mark_is_put_in_words() -> None:
    answer = {"a": [0.5, 2.5], "b": "word"}
    leaves = leaves_of(answer)
    words = {
        words_of_mark(answer, leaves, mark, exact=False) for mark in items_of(answer, leaves, exact=False).tolist()
    }
    assert {"the value 0.5", "the value 2.5", "'word'"} <= words


@pytest.mark.turns(4)
def test_marks_survive_a_record_and_altered_ones_are_refused(rng: Rng) -> None:
    make = ANYWHERE["number of an array"]
    layout = fit_layout([make(rng, place % 2) for place in range(13)], exact=False)
    assert layout is not None
    game = new_game(with_columns(Shape(1, repeats=False, others=False), layout), 1.0, 0.0)
    for _ in range(3):
        coins = rng.integers(0, 2, 200).astype(np.int8)
        seen = observe(Answers([make(rng, int(coin)) for coin in coins]), "real", layout=layout)
        game = learn(game, Batch(seen, coins))
    slots = game.slots
    assert slots is not None
    assert max(slots.chosen_items) >= slots.width
    arrays = slot_arrays(slots)
    again = slots_from(arrays, layout.slots)
    assert again is not None
    assert (again.chosen_items, again.words) == (slots.chosen_items, slots.words)
    telling = arrays["slots.telling"]
    np.testing.assert_array_equal(again.there[:, telling], slots.there[:, telling])
    for name, value in (("telling", telling + MARKS), ("chosen_items", np.array([-2, -1, -1])), ("marks", np.zeros(3))):
        with pytest.raises(ValueError, match="marks"):
            slots_from({**arrays, f"slots.{name}": value}, layout.slots)
