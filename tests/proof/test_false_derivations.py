"""Nothing false is derived: statements that a finite model refutes, by the ways in which one errs about probability."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.false_derivations import false_statements, verdict


def test_none_of_a_few_false_statements_is_proved(seed: int) -> None:
    draw = np.random.default_rng(seed)
    judged = 0
    for found in false_statements(seed % 2**32, 1, 10):
        if draw.uniform() < 0.1:
            judged += 1
            assert verdict(found.derivation) != "PROVED", found
    assert judged >= 5


@pytest.mark.extra
def test_none_of_a_thousand_false_statements_is_proved(seed: int) -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    for found in false_statements(seed % 2**32, 4, 200):
        proved = verdict(found.derivation) == "PROVED"
        counts[found.family, proved] += 1
        assert not proved, found
    assert sum(counts.values()) >= 1_000
    assert len(counts) >= 12
