"""Whatever becomes of a journal's file, it never gives an answer that was not kept, and nothing of it is deleted."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import SeedSequence

from dpcheck.execution.answers import Answers, Request
from dpcheck.execution.call_journal import CallJournal
from dpcheck.execution.executor import Executor
from dpcheck.model.learner import as_target

OF = {"target": "t", "learner": "1"}


def _answers(values: list[float]) -> Answers:
    left = iter(values)
    runner = Executor(isolation="none").runner(as_target(lambda data, rng: next(left)), [[]])
    return runner.run([Request(0, len(values), SeedSequence(0))])[0]


@st.composite
def damages(draw: st.DrawFn, size: int) -> tuple[int, int, bytes]:
    """From where to where a file is replaced, and by what."""
    first = draw(st.integers(0, size))
    last = draw(st.one_of(st.just(size), st.integers(first, min(size, first + 40))))
    return first, last, draw(st.binary(max_size=40))


@given(
    kept=st.lists(
        st.tuples(st.binary(min_size=32, max_size=32), st.lists(st.floats(), min_size=1, max_size=4)),
        max_size=5,
        unique_by=lambda entry: entry[0],
    ),
    data=st.data(),
)
def test_a_damaged_journal_gives_what_was_kept_or_nothing(
    kept: list[tuple[bytes, list[float]]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kept"
        journal = CallJournal(path, OF)
        for asked, values in kept:
            journal.add(asked, 0.25, _answers(values))
        journal.close()
        whole = path.read_bytes()
        first, last, instead = data.draw(damages(len(whole)))
        damaged = whole[:first] + instead + whole[last:]
        path.write_bytes(damaged)
        journal = CallJournal(path, OF)
        for asked, values in kept:
            found = journal.find(asked)
            assert found is None or np.array_equal(found[1].values, np.array(values), equal_nan=True)
        assert len(journal) <= len(kept)
        if journal.set_aside is not None:
            assert journal.set_aside.read_bytes() == damaged
        elif damaged == whole:
            assert len(journal) == len(kept)
        journal.add(b"\0" * 32, 0.5, _answers([1.0]))
        journal.close()
        assert not journal.lost
        again = CallJournal(path, OF)
        assert again.find(b"\0" * 32) is not None
        again.close()
