"""Nothing false is derived: statements that a finite model refutes, by the ways in which one errs about probability."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from properties.decided_lines import verdict
from tests.false_derivations import false_statements


def test_none_of_a_few_false_statements_is_proved(seed: int) -> None:
    found = list(false_statements(seed % 2**32, 1, 10))
    assert len(found) >= 150
    for number in np.random.default_rng(seed).choice(len(found), 25, replace=False):
        assert verdict(found[number].derivation) != "PROVED", found[number]


@pytest.mark.extra
def test_none_of_a_thousand_false_statements_is_proved(seed: int) -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    for found in false_statements(seed % 2**32, 4, 200):
        proved = verdict(found.derivation) == "PROVED"
        counts[found.family, proved] += 1
        assert not proved, found
    assert sum(counts.values()) >= 1_000
    assert len(counts) >= 12
