"""A run of many parts goes on from the part that was not done, and no part is told what another found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import SeedSequence

from dpcheck import InvalidArgument
from dpcheck.execution.answers import Answers, Heard, Request
from dpcheck.execution.kept_parts import Part, Parts, whose
from dpcheck.model.learner import as_target

REQUEST = Request(0, 3, SeedSequence(1))


class Counting:
    """A runner whose answers say how often it was asked."""

    bulk_available, notes = False, ()

    def __init__(self) -> None:
        self.asked = 0

    def run(self, requests: list[Request], heard: Heard | None = None) -> list[Answers]:
        first, self.asked = self.asked, self.asked + sum(request.count for request in requests)
        answers = Answers(np.arange(first + 1, self.asked + 1))
        if heard is not None:
            heard(requests[0], answers)
        return [answers]

    def expect(self, requests: Sequence[Request]) -> None:
        pass

    def serve(self, datasets: Any) -> None:
        pass

    def close(self) -> None:
        pass


def _asked(part: Part, counting: Counting) -> list[int]:
    runner = part.runner(counting, [[]])
    found: list[int] = runner.run([REQUEST])[0].values.tolist()  # type: ignore[union-attr]
    runner.close()
    return found


def test_what_was_found_of_a_part_is_found_by_the_next_run_and_by_no_other_part(tmp_path: Path) -> None:
    with Parts(tmp_path / "kept", "mine", {"seed": "0"}) as parts:
        parts.part("first", b"1").keep("found")
    with Parts(tmp_path / "kept", "mine", {"seed": "0"}) as parts:
        assert parts.part("first", b"1").found(str) == "found"
        assert parts.part("first", b"1").found(dict) is None
        for about in (("first",), ("first", b"2"), ("first1",), (b"1", "first"), ("first", b"1", "")):
            assert parts.part(*about).found(str) is None
    for name, seed in (("other", "0"), ("mine", "1")):
        with Parts(tmp_path / "kept", name, {"seed": seed}) as parts:
            assert parts.part("first", b"1").found(str) is None


def test_a_part_that_asks_the_same_twice_is_told_what_it_was_told(tmp_path: Path) -> None:
    counting = Counting()
    for _ in range(2):
        with Parts(tmp_path / "kept", "mine", {}) as parts:
            part, other = parts.part("first"), parts.part("second")
            assert _asked(part, counting) == [1, 2, 3]
            assert _asked(part, counting) == [4, 5, 6]
            assert _asked(other, counting) == [7, 8, 9]
    assert counting.asked == 9


def test_a_part_that_was_ended_goes_on(tmp_path: Path) -> None:
    counting = Counting()
    with Parts(tmp_path / "kept", "mine", {}) as parts:
        assert _asked(parts.part("first"), counting) == [1, 2, 3]
    with Parts(tmp_path / "kept", "mine", {}) as parts:
        part = parts.part("first")
        assert _asked(part, counting) == [1, 2, 3]
        assert _asked(part, counting) == [4, 5, 6]


def test_two_runs_do_not_have_one_journal_and_one_that_is_over_lets_it_go(tmp_path: Path) -> None:
    with Parts(tmp_path / "kept", "mine", {}) as parts:
        _asked(parts.part("first"), Counting())  # its end does not let the file go
        with pytest.raises(InvalidArgument, match=r"journal must be nobody else's, got .*: another run has it"):
            Parts(tmp_path / "kept", "mine", {})
    Parts(tmp_path / "kept", "mine", {}).close()


def test_what_is_no_plain_data_is_said_and_the_run_goes_on(tmp_path: Path) -> None:
    with Parts(tmp_path / "kept", "mine", {}) as parts:
        parts.part("first").keep(lambda: 0)
        (said,) = parts.trouble
        assert said.startswith("answers could not be kept in the journal: an object of type function")


def test_learners_of_other_code_or_settings_are_others() -> None:
    one, other = (as_target(eval(f"lambda data, rng: {code}", {"__name__": "mine"}), name="t") for code in "01")
    assert whose(one) == whose(one) != whose(other)
