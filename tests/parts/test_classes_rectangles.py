"""Rectangles are counted before they are listed, and those that are too many are refused with the count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.alon2019.learners import CoverLearner
from dpcheck.papers.beimel2015.learners import ExponentialLearner, LabelBoostProcedure
from dpcheck.parts.classes import Rectangles
from dpcheck.parts.classes.rectangles import _number_of_boxes


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=20))
def test_counted_are_as_many_as_listed(points: list[tuple[int, int]]) -> None:
    grid = np.zeros((8, 8), dtype=bool)
    grid[tuple(np.array(points).T)] = True
    used = grid[grid.any(axis=1)][:, grid.any(axis=0)]
    assert _number_of_boxes(used) == (len(Rectangles().representatives(points)), True)


@pytest.mark.parametrize(
    ("m", "what"),
    [(200, r"at most 4,194,304 .* got 200 points with \d+,\d{3},\d{3}:"), (1000, "more than"), (10_000, "at least")],
)
def test_too_many_are_refused_before_they_are_listed(m: int, what: str, rng: np.random.Generator) -> None:
    with pytest.raises(InvalidArgument, match=what):
        Rectangles().representatives(rng.random((m, 2)))


def test_many_points_on_few_lines_are_not_refused(rng: np.random.Generator) -> None:
    assert len(Rectangles().representatives(rng.integers(0, 12, (10_000, 2)))) == 1 + 78**2


@pytest.mark.turns(4)
@pytest.mark.parametrize("learner", ["LabelBoostProcedure", "A_SSPP"])
def test_learners_of_rectangles_on_400_points_refuse(learner: str, rng: np.random.Generator) -> None:
    """They ran for minutes."""
    x, y = rng.random((400, 2)), rng.integers(0, 2, 400)
    made: Any = CoverLearner(Rectangles(), 1.0)
    dataset: Any = SemiPrivate(private=Labelled(x[:5], y[:5]), public=x)
    if learner == "LabelBoostProcedure":
        listed = ExponentialLearner(Rectangles(), 1.0, hypotheses=[(0.0, 1.0, 0.0, 1.0), (0.0, 0.5, 0.0, 0.5)])
        made, dataset = LabelBoostProcedure(listed, Rectangles()), Labelled(x, y)
    with pytest.raises(InvalidArgument, match=r"dichotomies by rectangles, got 400 points with [\d,]{10,}:"):
        made(dataset, rng)
