"""What a witness says of a learned score can be computed by whoever reads it."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.privacy.statistics.score_words import formula
from dpcheck.privacy.statistics.scores import fit_linear

NAMES = ("a", "b", "c")


def computed(words: str, values: dict[str, float]) -> float:
    """The value of a formula as it is printed: ``0.5 + 3 a - 0.5 b``."""
    constant, *terms = re.split(r" (?=[+-] )", words)
    found = float(constant)
    for term in terms:
        sign, factor, name = term.split(" ", 2)
        found += (-1 if sign == "-" else 1) * float(factor) * values[name.strip("()")]
    return found


@pytest.mark.parametrize("width", [1, 2, 3])
def test_the_formula_is_the_score(width: int, rng: np.random.Generator) -> None:
    coins = rng.integers(0, 2, 500).astype(np.int8)
    columns = rng.normal(rng.normal(), 3.0, (500, width)) + np.outer(coins, rng.normal(size=width))
    score = fit_linear(columns, coins)
    words = formula(score, NAMES.__getitem__)
    for row, expected in zip(columns[:20], score.log_odds(columns[:20]), strict=True):
        size = 1.0 + np.abs(score.slope * row / score.spread).sum()  # four digits of each term are printed
        assert abs(computed(words, dict(zip(NAMES, row, strict=False))) - expected) < 2e-3 * size


def test_terms_that_are_left_out_are_counted(rng: np.random.Generator) -> None:
    coins = rng.integers(0, 2, 500).astype(np.int8)
    score = fit_linear(rng.normal(size=(500, 9)) + coins[:, None], coins)
    assert formula(score, str).endswith(
        " + 6 terms of less weight, not shown (each is 0 where its coordinate is at its median)"
    )


def published_members(dataset: Any, rng: Any) -> set[str]:
    """A set in which one name of sixty says which dataset it was."""
    return {f"m{place}" for place in range(60) if rng.random() < 0.5} | ({"m77"} if dataset[0] else set())


def test_a_witness_names_what_its_score_rests_on(seed: int) -> None:
    """Level 1e-9; the leak is total, and a score of all members sees it first or nearly so."""
    verdict = dpcheck.audit(
        published_members, 1.0, pairs=[([0], [1])], alpha=1e-9, max_seconds=math.inf, isolation="none", seed=seed
    )
    assert verdict.status is Status.VIOLATED
    assert verdict.witness is not None
    assert "m77" in verdict.witness.event
