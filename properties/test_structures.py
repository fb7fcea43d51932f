"""Answers of any structure: what one gives depends on it alone, and weights stay weights."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.caller import shape_of
from dpcheck.privacy.statistics.game import Batch, certify, learn, new_game, tally
from dpcheck.privacy.statistics.layout import fit_layout
from dpcheck.privacy.statistics.observations import observe

_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4)
_ANSWERS = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3) | st.integers(0, 3), inner, max_size=4)
        | st.tuples(inner, inner)
        | st.sets(st.integers(0, 9) | st.text(max_size=2), max_size=5)
        | st.lists(st.floats(), max_size=5).map(np.array)
        | st.lists(st.floats(width=32), max_size=3).map(lambda some: np.array(some, np.float32))
    ),
    max_leaves=10,
)
_NUMERICS = st.sampled_from(["real", "exact"])


@pytest.mark.turns(6)
@settings(deadline=None)
@given(st.lists(_ANSWERS, min_size=2, max_size=12), st.lists(_ANSWERS, min_size=1, max_size=6), _NUMERICS, st.data())
def test_an_answer_is_observed_alike_in_any_company(
    opening: list[Any], answers: list[Any], numerics: Any, data: st.DataObject
) -> None:
    layout = fit_layout(opening, exact=numerics == "exact")
    together = observe(Answers(answers), numerics, None, layout)
    place = data.draw(st.integers(0, len(answers) - 1))
    alone = observe(Answers([copy.deepcopy(answers[place])]), numerics, None, layout)
    assert alone.tokens[0] == together.tokens[place]
    assert alone.kinds[0] == together.kinds[place]
    width = min(alone.columns.shape[1], together.columns.shape[1])
    np.testing.assert_array_equal(alone.columns[0, :width], together.columns[place, :width])
    assert alone.columns.shape[1] == together.columns.shape[1] or layout is None


@pytest.mark.turns(6)
@settings(deadline=None, max_examples=30)
@given(st.lists(_ANSWERS, min_size=2, max_size=12), _NUMERICS, st.sampled_from([0.0, 1e-5]))
@example([np.array([0.0, 0.0, 0.0, 8.988465674311579e307])] * 2, "real", 0.0)
@example([np.array([0.0]), *[np.array([-1.2e308])] * 2], "exact", 0.0)
def test_any_opening_gives_a_game_whose_weights_are_at_most_1(opening: list[Any], numerics: Any, delta: float) -> None:
    unlaid = observe(Answers(opening), numerics)
    layout = fit_layout(opening, exact=numerics == "exact")
    game = new_game(shape_of(unlaid, layout), 1.0, delta, boosted=False)
    assert sum(rule.weight for feature in game.features for rule in feature.rules) + game.atom_weight <= 1 + 1e-9
    seen = observe(Answers(opening), numerics, None, layout)
    batch = Batch(seen, (np.arange(len(opening)) % 2).astype(np.int8))
    assert np.isfinite(tally(certify(learn(game, batch), batch)).weight).all()
