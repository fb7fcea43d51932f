"""Answers of any structure: what one gives depends on it alone, and leaks in structure are caught."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcheck
from dpcheck import Status
from dpcheck.execution.answers import Answers
from dpcheck.privacy.game import Batch, certify, learn, new_game, tally
from dpcheck.privacy.layout import fit_layout
from dpcheck.privacy.observations import observe
from dpcheck.run.calling import shape_of

LEVEL = 1e-9
PAIRS = [(np.array([0.0]), np.array([1.0]))]

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
    assert alone.columns.shape == together.columns.shape or layout is None


@given(st.lists(_ANSWERS, min_size=2, max_size=12), _NUMERICS, st.sampled_from([0.0, 1e-5]))
def test_any_opening_gives_a_game_whose_weights_are_at_most_1(opening: list[Any], numerics: Any, delta: float) -> None:
    unlaid = observe(Answers(opening), numerics)
    layout = fit_layout(opening, exact=numerics == "exact")
    game = new_game(shape_of(unlaid, layout), 1.0, delta, boosted=False)
    assert sum(rule.weight for feature in game.features for rule in feature.rules) + game.atom_weight <= 1 + 1e-9
    seen = observe(Answers(opening), numerics, None, layout)
    batch = Batch(seen, (np.arange(len(opening)) % 2).astype(np.int8))
    assert np.isfinite(tally(certify(learn(game, batch), batch)).weight).all()


# --- leaks -------------------------------------------------------------------------------------------------------


def _event(data: Any, rng: np.random.Generator, *, leaks: bool) -> bool:
    return bool(rng.random() < ((0.6 if data[0] else 0.05) if leaks else 0.3))


def lacks_a_key(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> dict[str, float]:
    found = {"mean": rng.laplace(), "spread": rng.normal()}
    if _event(data, rng, leaks=leaks):
        del found["spread"]
    return found


def lets_in_a_member(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> set[int]:
    found = {one for one in range(1, 8) if rng.random() < 0.3}
    return found | {0} if _event(data, rng, leaks=leaks) else found


def leaks_by_length(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> list[float]:
    return [float(x) for x in rng.normal(size=rng.integers(2, 6) + 4 * _event(data, rng, leaks=leaks))]


def repeats_a_coordinate(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> Any:
    found = rng.normal(size=3)
    return np.where(_event(data, rng, leaks=leaks) & (np.arange(3) == 2), found[0], found)


def agrees_in_sign(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> Any:
    sign = rng.choice((-1.0, 1.0))
    other = sign if _event(data, rng, leaks=leaks) else -sign
    return np.abs(rng.normal(size=2)) * (sign, other)


def writes_it_down(data: Any, rng: np.random.Generator, *, leaks: bool = True) -> str:
    return f"about {rng.laplace(scale=0.3) + (data[0] if leaks else 0.0):.5f} of all"


LEARNERS = [lacks_a_key, lets_in_a_member, leaks_by_length, repeats_a_coordinate, agrees_in_sign, writes_it_down]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_leak_in_structure_is_caught_and_its_harmless_twin_is_not(learner: Any, seed: int) -> None:
    common: dict[str, Any] = {"pairs": PAIRS, "alpha": LEVEL, "isolation": "none", "seed": seed}
    caught = dpcheck.audit(learner, 1.0, max_samples=15_000, **common)
    assert caught.status is Status.VIOLATED
    assert caught.witness is not None
    twin = dpcheck.audit(lambda data, rng: learner(data, rng, leaks=False), 1.0, max_samples=1500, **common)
    assert twin.status is not Status.VIOLATED
    assert not twin.failure


def test_an_audit_of_structured_answers_goes_on_as_if_it_had_not_stopped(seed: int) -> None:
    common: dict[str, Any] = {"pairs": PAIRS, "alpha": LEVEL, "isolation": "none", "seed": seed}

    def twin(data: Any, rng: Any) -> Any:
        return lacks_a_key(data, rng, leaks=False)

    ends: list[int] = []
    through = dpcheck.audit(
        twin, 1.0, max_samples=900, on_event=lambda e: ends.append(getattr(e, "calls", 0)), **common
    )
    looks = [end for end in ends if end]
    first = dpcheck.audit(twin, 1.0, max_samples=looks[4], **common)
    again = dpcheck.Verdict.from_json(first.to_json())
    second = dpcheck.audit(twin, 1.0, max_samples=through.samples + looks[0] - 32, resume=again, **common)
    assert second.log_evidence == through.log_evidence


PROGRAM = """
def broken(dataset, rng):
    found = {"mean": rng.laplace(), "spread": rng.normal()}
    if rng.random() < (0.6 if dataset[0] else 0.05):
        del found["spread"]
    return found
"""


def test_through_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PROGRAM)
    np.savez(tmp_path / "pairs.npz", left=[[1.0, 0.5]], right=[[0.0, 0.5]])
    asked = ["audit", "mine.py:broken", "--epsilon", "1", "--pairs", "pairs.npz", "--max-samples", "15000"]
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", *asked, "--json", "run.json"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert "spread" in done.stdout or "kind of answer" in done.stdout or "score" in done.stdout
    text = (tmp_path / "run.json").read_text()
    json.loads(text)
    assert "output['spread']" in text  # the columns are in the record, so that the audit can go on
