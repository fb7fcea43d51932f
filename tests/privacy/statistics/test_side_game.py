"""What an audit does beside its own game, and the quick forms of what an interim analysis does again and again."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pandas
import pytest

from dpcheck.execution.surroundings import generators_kept
from dpcheck.model.data import Labelled, copier, copy_dataset, same_dataset
from dpcheck.parts.mechanisms.cells import PublicGrid
from dpcheck.parts.mechanisms.densities import LogLinearPieces
from dpcheck.privacy.statistics import side_game
from dpcheck.privacy.statistics.agreement import new_independence
from dpcheck.privacy.statistics.evidence import GRADES
from dpcheck.privacy.statistics.game import Batch, _right_and_wrong, _right_and_wrong_together
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.side_game import WAITING_PART, SideGame


def told(coins: np.ndarray) -> Batch:
    """Outputs that say the coin."""
    columns = np.column_stack([coins, coins]).astype(np.float64)
    return Batch(Observations(columns, coins.astype(np.uint64), coins), coins)


def test_outputs_of_a_side_game_wait_for_others_and_none_is_left_out_in_the_end(monkeypatch: Any) -> None:
    learned: list[int] = []
    learn = side_game.learn
    monkeypatch.setattr(side_game, "learn", lambda game, batch: learned.append(len(batch.coins)) or learn(game, batch))
    coins = np.tile(np.array([0, 1], np.int8), 10)
    side = SideGame(new_independence())
    for number in range(1, 31):
        side = side.see(told(coins))
        assert side.calls == 20 * number
        assert side.calls - side.game.calls < WAITING_PART * side.game.calls
    assert side.waiting
    before, after = side, side.settled()
    assert after.evidence > before.evidence > 20.0
    assert (after.calls, after.waiting, after.settled()) == (side.calls, (), after)
    assert sum(learned) == after.game.calls == side.calls
    assert len(learned) < 12


@pytest.mark.parametrize("broken", [False, True])
def test_what_waits_is_bet_on_before_it_is_learned_from(broken: bool, seed: int, monkeypatch: Any) -> None:
    """Outputs that do not tell the coins: nothing speaks against chance, unless they are learned from first."""
    if broken:
        certify, learn = side_game.certify, side_game.learn
        monkeypatch.setattr(side_game, "certify", lambda game, batch: certify(learn(game, batch), batch))
    rng = np.random.default_rng(seed)
    side = SideGame(new_independence())
    for _ in range(20):
        tokens = rng.integers(0, 2**60, 40).astype(np.uint64)
        seen = Observations(rng.normal(size=(40, 2)), tokens, tokens)
        side = side.see(Batch(seen, rng.integers(0, 2, 40).astype(np.int8)))
    assert (side.settled().evidence < 20.8) is not broken


@pytest.mark.parametrize("graded", [(), (0,), (1, 3)])
def test_right_and_wrong_guesses_are_those_counted_one_by_one(graded: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(graded))
    guesses = (rng.integers(-1, 2, (5, 40)) * GRADES).astype(np.int8)
    for row in graded:
        guesses[row] = rng.integers(-GRADES, GRADES + 1, 40)
    hits = rng.integers(0, 1000, (40, 2))
    wanted = np.zeros((2, 5, GRADES), np.int64)
    for row, table in enumerate(guesses.astype(int).tolist()):
        for place, guess in enumerate(table):
            if guess:
                wanted[0, row, abs(guess) - 1] += hits[place, 1 if guess > 0 else 0]
                wanted[1, row, abs(guess) - 1] += hits[place, 0 if guess > 0 else 1]
    assert (_right_and_wrong(guesses, np.array(graded, dtype=np.intp), hits) == wanted).all()


@pytest.mark.parametrize("most", [50, 10**6])
@pytest.mark.parametrize("graded", [(), (0,), (1, 3)])
def test_guesses_of_many_features_are_those_of_each(graded: tuple[int, ...], most: int) -> None:
    rng = np.random.default_rng(most + len(graded))
    guesses = (rng.integers(-1, 2, (7, 5, 40)) * GRADES).astype(np.int8)
    guesses[:, list(graded)] = rng.integers(-GRADES, GRADES + 1, (7, len(graded), 40))
    hits, places = rng.integers(0, most, (7, 40, 2)), np.array(graded, dtype=np.intp)
    found = _right_and_wrong_together(guesses, places, hits)
    for feature in range(7):
        assert (found[:, feature] == _right_and_wrong(guesses[feature], places, hits[feature])).all()


@pytest.mark.parametrize(
    "dataset",
    [
        [1, 2.0, "a"],
        [[1], [2]],
        (1, 2),
        ([1], 2),
        np.arange(3.0),
        np.array([[1], None], dtype=object),
        Labelled(np.eye(2), [0, 1]),
        {"a": [1]},
        pandas.DataFrame({"a": [1.0, 2.0], "b": ["x", None]}),
        pandas.DataFrame({"a": [1.0, 2.0], "b": [[1], [2]]}),
        pandas.Series([1, 2], name="a"),
    ],
)
def test_a_copier_makes_what_a_copy_makes(dataset: Any) -> None:
    make = copier(dataset)
    one, other = make(), make()
    assert type(one) is type(copy_dataset(dataset))
    assert same_dataset(one, dataset)
    assert same_dataset(other, dataset)
    parts = (one.x, one.y) if isinstance(one, Labelled) else (one,)
    theirs = (dataset.x, dataset.y) if isinstance(dataset, Labelled) else (dataset,)
    assert all(part is not their or isinstance(part, tuple) for part, their in zip(parts, theirs, strict=True))
    if isinstance(dataset, pandas.DataFrame):
        one.iloc[0, 0] = 9.0
        assert dataset.iloc[0, 0] == other.iloc[0, 0] == 1.0
        assert not isinstance(dataset["b"][1], list) or one["b"][1] is not dataset["b"][1]
    if isinstance(dataset, tuple | list) and any(isinstance(part, list) for part in dataset):
        assert one[0] is not dataset[0]
        assert one[0] is not other[0]


def test_global_generators_are_put_back_whatever_ends_the_requests() -> None:
    legacy, python = np.random.get_state()[1].tolist(), random.getstate()  # noqa: NPY002

    @generators_kept()
    def interrupted() -> None:
        np.random.seed(5)  # noqa: NPY002
        random.seed(5)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (np.random.get_state()[1].tolist(), random.getstate()) == (legacy, python)  # noqa: NPY002


def test_a_kept_law_of_cells_is_that_of_its_own_grid_and_density() -> None:
    def law(cells: int, slope: float) -> Any:
        return PublicGrid(0.0, 1.0, cells).masses(LogLinearPieces([0.0, 1.0], [0.0], [slope])).log_probabilities

    first = law(4, 1.0).copy()
    others = [law(4, 2.0), law(8, 1.0), law(4, -1.0)]
    assert (law(4, 1.0) == first).all()
    assert all(len(other) != 4 or not np.allclose(other, first) for other in others)
    assert np.allclose(others[2], first[::-1])
    with pytest.raises(ValueError, match="read-only"):
        PublicGrid(0.0, 1.0, 4).middles[0] = 1.0
