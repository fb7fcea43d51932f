"""One spelling of records at every door: pairs of numbers are refused with both right ones, the rest means the same."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcheck.strategies
from dpcheck.cli.learners_settings import spelt_values
from dpcheck.cli.options import Given, settings_of
from dpcheck.cli.settings import defaults_for
from dpcheck.cli.values import declared_records, parse_values
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import (
    AddRemove,
    EntryAndTranscript,
    LabelsOnly,
    PrivatePart,
    Records,
    ReplaceEntry,
    ReplaceOne,
)
from dpcheck.model.neighbours.domains import Bounds, Columns, Values

#: Every place in Python that takes records, and how what it read is got at.
DOORS: dict[str, Callable[[Any], Any]] = {
    "ReplaceOne": lambda given: ReplaceOne(records=given).records,
    "ReplaceOne, first argument": lambda given: ReplaceOne(given).records,
    "AddRemove": lambda given: AddRemove(records=given).records,
    "LabelsOnly": lambda given: Records(LabelsOnly(records=given).records.domain.labels),  # type: ignore[union-attr]
    "PrivatePart": lambda given: PrivatePart(records=given).records,
    "PrivatePart, public": lambda given: PrivatePart(records=[0, 1], public=given).public,
    "PrivatePart of AddRemove": lambda given: PrivatePart(AddRemove(records=given)).records,
    "EntryAndTranscript": lambda given: EntryAndTranscript(records=given).records,
    "features": lambda given: Records(Records.labelled(features=given, labels=[0, 1]).domain.features),  # type: ignore[attr-defined]
    "labels": lambda given: Records(Records.labelled(features=(0, 1), labels=given).domain.labels),  # type: ignore[attr-defined]
}
#: Doors that give no relation back, for refusals only.
OTHERS: dict[str, Callable[[Any], Any]] = {
    "strategies.records": dpcheck.strategies.records,
    "strategies.datasets": dpcheck.strategies.datasets,
    "features of ReplaceEntry": lambda given: ReplaceEntry(Records.labelled(features=given, labels=[0, 1])),
}

NUMBERS = st.one_of(st.integers(-99, 99), st.floats(-99, 99, allow_nan=False), st.booleans())
PAIR = st.tuples(NUMBERS, NUMBERS)
PAIRS = st.lists(PAIR, min_size=1, max_size=8)


def spelt(pairs: list[tuple[Any, Any]]) -> list[Any]:
    """The pairs in all forms that somebody may type."""
    found: list[Any] = [
        pairs,
        [list(pair) for pair in pairs],
        [np.array(pair) for pair in pairs],
        np.array(pairs, dtype=np.float64),
        np.array(pairs, dtype=np.int64),
        set(pairs),
        tuple(pairs),
    ]
    return found


@settings(max_examples=30, deadline=None)
@given(pairs=PAIRS, door=st.sampled_from([*DOORS, *OTHERS]))
def test_pairs_are_refused_at_every_door_with_both_spellings(pairs: list[tuple[Any, Any]], door: str) -> None:
    for form in spelt(pairs):
        with pytest.raises(InvalidArgument) as refused:
            (DOORS | OTHERS)[door](form)
        message = str(refused.value)
        assert "\n" not in message
        assert "Records.bounded([" in message
        assert "Records.of([(" in message


def test_the_spellings_of_the_message_are_right() -> None:
    """What the message says can be typed as it stands, and means what it says."""
    with pytest.raises(InvalidArgument) as refused:
        ReplaceOne(records=[(0, 1), (18, 99)])
    message = str(refused.value)
    assert message.startswith("records must say what its pairs are")
    columns, values = (
        eval(message[message.index(start) : message.index(end) + len(end)], {"Records": Records})
        for start, end in (("Records.bounded", "99])"), ("Records.of", "99)])"))
    )
    assert columns.domain == Columns((Bounds(0, 1), Bounds(18, 99)))
    assert values.domain.values == ((0, 1), (18, 99))


@pytest.mark.parametrize("low_high", [([0, 1], [18, 99]), (np.array([0, 18]), np.array([1, 99])), ((0, 0), (1, 1))])
def test_two_rows_of_two_are_refused_where_they_could_be_columns(low_high: Any) -> None:
    with pytest.raises(InvalidArgument, match="all low bounds first"):
        ReplaceOne(records=low_high)


@settings(max_examples=30, deadline=None)
@given(
    low=st.integers(-99, 99),
    width=st.integers(1, 99),
    columns=st.integers(1, 5),
    values=st.lists(st.one_of(st.integers(), st.text(), st.tuples(NUMBERS, NUMBERS, NUMBERS)), min_size=1, max_size=5),
)
def test_what_is_clear_means_the_same_at_every_door(low: int, width: int, columns: int, values: list[Any]) -> None:
    wide = Columns((Bounds(low, low + width),) * columns)
    for door in DOORS.values():
        assert door((low, low + width)).domain == Bounds(low, low + width)
        assert door(([low] * columns, [low + width] * columns)).domain == wide
        assert door(Records.bounded([low] * columns, [low + width] * columns)).domain == wide
        for listed in (values, Records.of(values)):
            read = door(listed).domain
            assert isinstance(read, Values)
            assert read.values == tuple(values)
        assert door(Records.of([(0, 1), (18, 99)])).domain.values == ((0, 1), (18, 99))


# --- settings and command line -----------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(pairs=PAIRS)
def test_bounds_are_those_of_columns_in_settings_and_records_are_no_rows(pairs: list[tuple[Any, Any]]) -> None:
    rows = [list(pair) for pair in pairs]
    known = {"audit": settings_of(Given)}
    ordered = [sorted(map(float, pair)) for pair in pairs]
    bounds = defaults_for({"bounds": ordered}, known)["audit"]["bounds"]
    read = declared_records(records=None, bounds=bounds, labels=None, labelled=False, labels_only=False)
    columns = tuple(Bounds(low, high) for low, high in ordered)
    assert read is not None
    assert read.domain == (columns[0] if len(columns) == 1 else Columns(columns))
    text = ",".join(map(repr, pairs))
    refusals: tuple[Callable[[], Any], ...] = (
        lambda: defaults_for({"records": rows}, known),
        lambda: defaults_for({"labels": rows}, known),
        lambda: spelt_values("records", rows),
        lambda: parse_values("--records", text),
        lambda: parse_values("--labels", f"[{text}]"),
    )
    for refuse in refusals:
        with pytest.raises(InvalidArgument, match=r"bounds = \[\[0, 1\], \[18, 99\]\].*Records.of\(\[\(0, 1\)"):
            refuse()


LEARNER = """
import numpy as np
def mean_of_ages(dataset, rng):
    rows = np.clip(np.asarray(dataset, dtype=float).reshape(-1, 2), [0, 18], [1, 99])
    return rows[:, 1].sum() + rng.laplace(scale=1.0)
"""


@pytest.mark.turns(6)
def test_a_learner_that_leaks_inside_its_bounds_does_not_pass_by_their_spelling(tmp_path: Path) -> None:
    """Through the door of the command line: bounds of columns are columns', and the verdict says where it looked."""
    (tmp_path / "mine.py").write_text(LEARNER)
    (tmp_path / "pyproject.toml").write_text("[tool.dpcheck]\nbounds = [[0, 1], [18, 99]]\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "dpcheck", "audit", "mine.py:mean_of_ages", "--epsilon", "1", "--size", "1"]
        return subprocess.run(
            [*command, "--max-samples", "4000", "--quiet", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    found = run("--json", "found.json")
    assert found.returncode == 1, found.stderr
    looked = "Looked at: records 0 to 1 in column 0, 18 to 99 in column 1; datasets of 1 record; "
    assert [line for line in found.stdout.splitlines() if line.startswith(looked)]
    assert '"records 0 to 1 in column 0, 18 to 99 in column 1"' in (tmp_path / "found.json").read_text()
    assert json.loads((tmp_path / "found.json").read_text())
    (tmp_path / "pyproject.toml").write_text("[tool.dpcheck]\nrecords = [[0, 1], [18, 99]]\n")
    refused = run()
    assert refused.returncode == 2
    assert "Records.of([(0, 1), (18, 99)])" in " ".join(refused.stderr.replace("│", " ").split())
