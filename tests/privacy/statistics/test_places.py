"""All numbers of an output count; the list of places says what the code does."""

from __future__ import annotations

import math
from collections import defaultdict, deque
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.execution.answers import Answers
from dpcheck.execution.handover import raised
from dpcheck.execution.portrait import portray
from dpcheck.privacy.run.caller import with_columns
from dpcheck.privacy.statistics import wide
from dpcheck.privacy.statistics.bank import fit_bins
from dpcheck.privacy.statistics.game import Batch, Shape, certify, learn, new_game
from dpcheck.privacy.statistics.layout import MAX_COLUMNS, Layout, fit_layout
from dpcheck.privacy.statistics.leaves import DEEPEST, drawn, leaves_of, left_out
from dpcheck.privacy.statistics.observations import observe
from dpcheck.privacy.statistics.places import NOT_WATCHED, PLACES, TOGETHER, UNSEEN, findings_on_places, not_looked_at
from dpcheck.privacy.statistics.wide import LEAST_EACH, Block, Wide, new_slots, refilled, slot_values, with_outputs


def batch_of(layout: Layout, values: Any, coins: Any) -> Batch:
    return Batch(observe(Answers(values), "real", None, layout), np.asarray(coins, np.int8))


@pytest.mark.parametrize("gaps", [False, True])
def test_sums_in_tiles_are_the_sums(gaps: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(11)
    values, coins = rng.normal(size=(90, 400)), rng.integers(0, 2, 90).astype(np.int8)
    values[:, 7] = np.round(values[:, 7])
    if gaps:
        values[rng.random(values.shape) < 0.1] = np.nan
    layout = fit_layout([row[~np.isnan(row)] for row in values[:12]] if gaps else list(values[:12]), exact=True)
    assert layout is not None
    numbers = np.full((90, layout.numbers_in_all), np.nan)
    numbers[:, : min(400, numbers.shape[1])] = values[:, : numbers.shape[1]]
    seen = Wide(
        (Block(numbers[:40], np.zeros((40, 0), np.uint64)), Block(numbers[40:], np.zeros((50, 0), np.uint64))), 1, True
    )
    order = rng.permutation(90)
    monkeypatch.setattr(wide, "TILE", 64)
    monkeypatch.setattr(wide, "AT_ONCE", 1000)
    slots = with_outputs(None, replace(seen, order=order), coins[order])
    sized = np.clip((numbers - slots.centre) / slots.spread, -wide.FAR, wide.FAR)
    near = wide.SAME * np.abs(slots.centre) / slots.spread
    for side in (0, 1):
        ours = sized[coins == side]
        for kind, wanted in enumerate((ours, ours**2, ours**4, np.abs(ours) <= near, ~np.isnan(ours))):
            assert slots.sums[kind, side] == pytest.approx(np.nansum(wanted.astype(float), axis=0))


def test_a_slot_stays_empty_until_a_number_tells_more_than_luck() -> None:
    chosen = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        values, coins = rng.normal(size=(100, 400)), rng.integers(0, 2, 100)
        layout = fit_layout(list(values[:12]), exact=False)
        assert layout is not None
        batch = batch_of(layout, values, coins)
        assert batch.seen.wide is not None
        slots = refilled(with_outputs(None, batch.seen.wide, batch.coins))
        chosen += sum(place >= 0 for place in slots.chosen)
    assert chosen <= 8  # the bar is above the expected largest of four times as many


@pytest.mark.parametrize("place", [0, 31, 32, 256, 399])
@pytest.mark.parametrize("kind", ["record", "shift", "spread", "atom"])
def test_the_number_that_tells_is_chosen(place: int, kind: str) -> None:
    rng = np.random.default_rng(place)
    values, coins = rng.normal(size=(200, 400)), rng.integers(0, 2, 200)
    told = values[:, place]
    told = {
        "record": coins.astype(float),
        "shift": told + 2.0 * coins,
        "spread": told * (1.0 + 3.0 * coins),
        "atom": np.where((coins == 1) & (rng.random(200) < 0.7), 0.25, told),
    }[kind]
    values[:, place] = told
    layout = fit_layout(list(values[:12]), exact=False)
    assert layout is not None
    batch = batch_of(layout, values, coins)
    assert batch.seen.wide is not None
    slots = refilled(with_outputs(None, batch.seen.wide, batch.coins))
    assert place in slots.chosen_numbers


def test_what_fills_a_slot_comes_from_earlier_outputs_only() -> None:
    rng = np.random.default_rng(3)
    values, coins = rng.normal(size=(300, 300)), rng.integers(0, 2, 300)
    values[:, 299] = coins
    layout = fit_layout(list(values[:12]), exact=False)
    assert layout is not None
    game = new_game(with_columns(Shape(1, False, False), layout), 1.0, 0.0, boosted=False)
    first = batch_of(layout, values[:100], coins[:100])
    assert certify(game, first) is game
    game = learn(game, first)
    known = game.slots
    other = batch_of(layout, values[100:], 1 - coins[100:])
    assert certify(game, other).slots is known
    assert certify(game, other).features[-1].guesses is game.features[-1].guesses


def test_a_number_that_the_first_outputs_lack_is_chosen_later() -> None:
    """However far from 0 it lies: its middle is learned when it is first there."""
    rng = np.random.default_rng(2)
    values, coins = rng.normal(size=(400, 300)), rng.integers(0, 2, 400)
    layout = fit_layout(list(values[:12]), exact=False)
    assert layout is not None
    values[:, 299] = 97.0 + coins
    values[:40, 299] = np.nan
    slots = None
    for part in (slice(0, 40), slice(40, 400)):
        wide = batch_of(layout, values[part], coins[part]).seen.wide
        assert wide is not None
        slots = refilled(with_outputs(slots, wide, coins[part].astype(np.int8)))
    assert slots is not None
    assert 299 in slots.chosen_numbers


def test_outputs_of_another_width_leave_the_slots_empty() -> None:
    values = np.random.default_rng(1).normal(size=(40, 300))
    layout = fit_layout(list(values[:12]), exact=False)
    assert layout is not None
    wide = batch_of(layout, values, [0, 1] * 20).seen.wide
    assert wide is not None
    slots = new_slots(wide)
    narrow = replace(wide, blocks=tuple(replace(block, numbers=block.numbers[:, :5]) for block in wide.blocks))
    assert np.isnan(slot_values(slots, narrow, 40, layout.slots)).all()
    assert min(slots.past) < LEAST_EACH


@pytest.mark.parametrize(
    "answer",
    [
        np.zeros(MAX_COLUMNS + 1),
        {f"k{i}": float(i) for i in range(300)},
        {1, 2, 3},
        "a b c",
        2**200,
        [[1.0, 2.0], [3.0]],
        {"b": 1, "a": (None, True, b"x")},
    ],
)
def test_all_of_it_is_looked_at(answer: Any) -> None:
    assert left_out(leaves_of(answer)) == ()


def _function(**said: Any) -> Any:
    held = {"weight": said.pop("weight", 0)}
    exec("def predict(x): return weight * x", held)
    made = held["predict"]
    for name, value in said.items():
        setattr(made, name, value)
    return made


def _error(**held: Any) -> ValueError:
    error = ValueError("row")
    for name, value in held.items():
        setattr(error, name, value)
    return error


def _raised(error: BaseException) -> Any:
    return raised(error, (), portray)


def _table(dtype: str, note: str) -> Any:
    import pandas as pd

    frame = pd.DataFrame({"a": pd.Series([1, 2], dtype=dtype)})
    frame.attrs["note"] = note
    return frame


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1], [np.int64(1)]),
        ({"a": True}, {"a": np.True_}),
        ({"a": np.datetime64(0, "s")}, {"a": np.datetime64(0, "ms")}),
        ({"a": 0.5}, {"a": np.array(0.5)}),
        (deque([1], 3), deque([1], 4)),
        (defaultdict(int), defaultdict(float)),
        (datetime(2020, 1, 1), datetime(2020, 1, 1, fold=1)),
        (_function(weight=0), _function(weight=1)),
        (_function(__annotations__={"x": int}), _function(__annotations__={"x": float})),
        (_function(__qualname__="a"), _function(__qualname__="b")),
        (_function(__doc__="a"), _function(__doc__="b")),
        (lambda x: x, lambda y: y),
        ([0].append, [1].append),
        (_error(__cause__=ValueError("a")), _error(__cause__=ValueError("b"))),
        (_raised(_error(hidden=0)), _raised(_error(hidden=1))),
        (_raised(_error(__notes__=["a"])), _raised(_error(__notes__=["b"]))),
        (type("A", (), {"__module__": "one"})(), type("A", (), {"__module__": "two"})()),
        (type("A", (), {"weight": 0})(), type("A", (), {"weight": 1})()),
        (_table("int64", "a"), _table("Int64", "a")),
        (_table("int64", "a"), _table("int64", "b")),
    ],
)
def test_what_is_told_apart_is_told_apart_part_by_part(one: Any, other: Any) -> None:
    """Not by the whole answer alone, of which noise makes each a new one."""
    parts = [
        {(leaf.path, leaf.members, None if leaf.numbers is None else leaf.numbers.tobytes()) for leaf in leaves_of(it)}
        for it in (one, other)
    ]
    assert parts[0] != parts[1]


@pytest.mark.parametrize(
    "make",
    [
        lambda whole: whole.to_bytes(8, "little"),
        lambda whole: {whole: 1.0},
        lambda whole: {whole, whole + 5},
        lambda whole: ["a", whole, 0.5],
        lambda whole: ["a", np.int64(whole)],
    ],
    ids=["bytes", "key", "member", "among others", "numpy among others"],
)
def test_whole_numbers_have_digits_wherever_they_stand(make: Any, rng: np.random.Generator) -> None:
    layout = fit_layout([drawn(make(int(whole))) for whole in rng.integers(0, 2**50, 12)], exact=False)
    assert layout is not None
    assert layout.whole_numbers > 0


def nested(depth: int) -> Any:
    found: Any = 1.0
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    "answer",
    [nested(DEEPEST + 1), "x" * 100_001, [(str(i),) for i in range(10_000)], 1 << 70_000],
    ids=["nested", "text", "list", "number"],
)
def test_what_is_left_out_is_said_and_no_clean_verdict_stands_behind_it(answer: Any) -> None:
    said = left_out(leaves_of(answer))
    assert said
    found = findings_on_places(None, said)
    assert [finding.kind for finding in found] == [UNSEEN]
    assert not_looked_at(found)


@pytest.mark.turns(6)
def test_a_clean_verdict_does_not_stand_behind_what_was_not_looked_at() -> None:
    def learner(data: Any, rng: np.random.Generator) -> Any:
        return [rng.laplace() + data[0], nested(DEEPEST + 2)]

    verdict = dpcheck.audit(learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=1500, detect=30.0)
    assert verdict.status is Status.INCONCLUSIVE
    assert any(finding.kind == UNSEEN for finding in verdict.findings)


def test_numbers_looked_at_together_are_a_finding() -> None:
    layout = fit_layout(list(np.random.default_rng(0).normal(size=(12, 300))), exact=False)
    (finding,) = findings_on_places(layout, ())
    assert finding.kind == TOGETHER
    assert "300" in finding.detail
    assert not not_looked_at([finding])


def test_the_list_of_places_has_no_place_twice() -> None:
    assert len({place.name for place in PLACES}) == len(PLACES)
    assert all(limit.most > 0 for place in PLACES for limit in place.limits)


def test_the_page_is_made_of_the_list() -> None:
    from dpcheck.report.places import PAGE, page

    assert (Path(__file__).parents[3] / PAGE).read_text(encoding="utf-8") == page(), "python -m dpcheck.report.places"
    for place in PLACES:
        assert place.name in page()
        assert all(f"{limit.most:,}" in page() for limit in place.limits)
    assert all(blind.what in page() for blind in NOT_WATCHED)


def _signed(data: Any, rng: Any) -> float:
    return math.copysign(0.0, -1.0 if data[0] else 1.0)


def _among_others(data: Any, rng: Any) -> Any:
    return [*rng.laplace(size=5), {"a": math.copysign(0.0, -1.0 if data[0] else 1.0)}]


def _payload(data: Any, rng: Any) -> Any:
    return np.array([0x7FF8000000000000 + int(data[0])], np.uint64).view(np.float64)[0]


@pytest.mark.some(1)
@pytest.mark.parametrize("learner", [_signed, _among_others, _payload])
@pytest.mark.parametrize("numerics", ["real", "exact"])
def test_what_floats_carry_beside_their_number_is_looked_at(learner: Any, numerics: str, seed: int) -> None:
    verdict = dpcheck.audit(
        learner, 1.0, pairs=[([0], [1])], isolation="none", numerics=numerics, max_samples=5_000, seed=seed
    )
    assert verdict.status is Status.VIOLATED


@pytest.mark.turns(4)
def test_zeros_that_noise_signs_are_no_leak(seed: int) -> None:
    """Rounded noise gives -0.0 and 0.0; both datasets give them alike."""
    verdict = dpcheck.audit(
        lambda data, rng: np.round(rng.laplace(scale=0.4, size=3)),
        1.0,
        pairs=[([0], [1])],
        isolation="none",
        max_samples=5_000,
        alpha=1e-9,
        seed=seed,
    )
    assert verdict.status is not Status.VIOLATED


def letters(rng: Any, count: int) -> str:
    return "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), count))


def text_half_of_the_time(dataset: Any, rng: Any) -> Any:
    return float(rng.laplace()) if rng.random() < 0.5 else letters(rng, 60) + "ab"[dataset[0]]


def text_or_nothing(dataset: Any, rng: Any) -> Any:
    return None if rng.random() < 0.5 else letters(rng, 60) + "ab"[dataset[0]]


def word_of_a_message(dataset: Any, rng: Any) -> Any:
    if rng.random() < 0.5:
        return float(rng.laplace())
    raise ValueError(f"{letters(rng, 5)} {('no', 'yes')[dataset[0]]}")


def end_of_a_long_message(dataset: Any, rng: Any) -> Any:
    if rng.random() < 0.5:
        return float(rng.laplace())
    raise ValueError("x" * 500 + "ab"[dataset[0]])


def type_of_an_exception(dataset: Any, rng: Any) -> Any:
    if rng.random() < 0.5:
        return float(rng.laplace())
    raise (ValueError, LookupError)[dataset[0]](letters(rng, 6))


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "learner", [text_half_of_the_time, text_or_nothing, word_of_a_message, end_of_a_long_message, type_of_an_exception]
)
def test_texts_and_messages_among_other_answers_are_looked_at(learner: Any, seed: int) -> None:
    """A record in half of the answers, beside letters that never repeat: refuted at 1e-9 in a few hundred calls."""
    options: dict[str, Any] = {"pairs": [([0], [1])], "isolation": "none", "max_seconds": math.inf}
    verdict = dpcheck.audit(learner, 1.0, alpha=1e-9, max_samples=4000, seed=seed, **options)
    assert verdict.status is Status.VIOLATED, str(verdict)


def test_huge_numbers_have_no_tails_and_warn_of_nothing() -> None:
    assert fit_bins(np.array([10.0**power for power in range(150, 309)] * 3)).count > 50
