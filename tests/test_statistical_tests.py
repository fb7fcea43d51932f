"""The table of statistical tests: its own errors are what it says, and each of its lines is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.stats import binom

from tests.statistical_tests import LEVEL, MISSED, TABLE, StatisticalTest, statistical_test

LINES = pytest.mark.parametrize("line", TABLE, ids=lambda line: line.name)


@LINES
def test_right_code_turns_it_red_with_probability_at_most_the_level(line: StatisticalTest) -> None:
    assert line.size <= LEVEL
    # and the threshold is no looser than the level asks for
    tighter = line.limit - 1 if line.counts == "bad" else line.limit + 1
    red = (
        binom.sf(tighter, line.runs, line.chance)
        if line.counts == "bad"
        else binom.cdf(line.limit, line.runs, line.chance)
    )
    assert red > LEVEL


@LINES
def test_wrong_code_turns_it_red_nearly_always(line: StatisticalTest) -> None:
    assert line.power >= 1.0 - MISSED


def test_names_are_unique_and_each_line_is_used_by_a_test() -> None:
    names = [line.name for line in TABLE]
    assert len(set(names)) == len(names)
    tests = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(__file__).parent.rglob("test_*.py")
        if path.name != Path(__file__).name
    )
    assert [name for name in names if f'statistical_test("{name}")' not in tests] == []


def test_an_unknown_line_is_an_error() -> None:
    with pytest.raises(KeyError):
        statistical_test("no such test")
