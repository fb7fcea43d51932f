"""The object that answers online: the law of its answers, its budget, its file, and what kills cannot make it forget.

One test here is statistical, the law of whole sequences: its level is that of all such tests, and its power is shown on
broken objects. What is on disk is tested by killing a process before each of its system calls, and against a disk that
keeps only what was synced; both must show a ledger that writes too late or does not sync.
"""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import shutil
import signal
import tempfile
import threading
import time
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.model.errors import BudgetSpent, InvalidArgument, RecordCorrupt, StaleHandle
from dpcheck.papers.bassily2018.learners import ledger as ledger_module
from dpcheck.papers.bassily2018.learners.accounting import answering_claim
from dpcheck.papers.bassily2018.learners.answers import answers_law
from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority, EmpiricalMinimiser, LeastPositive
from dpcheck.papers.bassily2018.learners.ledger import Ledger
from dpcheck.papers.bassily2018.learners.one_by_one import OneByOne
from dpcheck.papers.bassily2018.learners.online import Budget, OnlineAnswers, Terms, _state
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.steps import Steps
from dpcheck.papers.bassily2018.learners.votes import (
    ABSTAINED,
    UNANSWERED,
    ConstantModel,
    leading_label,
    printed_distance,
)
from dpcheck.papers.bassily2018.mutants.transfer import _ForgetsToCharge, _RedrawsOnResume
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.mixtures import chances
from tests.statistical_tests import LEVEL

#: Ten votes for 1 and none for 0: distance 9, and a threshold there, so that half of the answers are abstentions.
MODELS = [ConstantModel(1)] * 10
EVEN = Scales(threshold=9.0, threshold_scale=1.0, query_scale=2.0, models=10, cutoff=2)
#: Noise so small beside the distance that all is answered, or nothing.
SURE = Scales(threshold=4.0, threshold_scale=0.01, query_scale=0.01, models=10, cutoff=2)
NEVER = Scales(threshold=40.0, threshold_scale=0.01, query_scale=0.01, models=10, cutoff=2)


def online(scales: Scales = EVEN, *, models: Any = MODELS, queries: int = 100, **options: Any) -> OnlineAnswers:
    return OnlineAnswers.of_models(models, scales, queries=queries, **options)


# --- the law


def test_the_law_of_the_steps_is_that_of_the_whole(rng: np.random.Generator) -> None:
    for _ in range(40):
        m = int(rng.integers(1, 6))
        scales = Scales(*rng.uniform([-2, 0.2, 0.2], [40, 8, 8]).tolist(), 9, int(rng.integers(1, 4)))
        guard = "printed" if rng.random() < 0.5 else "strict"
        counts = rng.integers(0, 30, (m, 3))
        exact = answers_law(counts, scales, guard, classes=tuple("abc"))
        labels = ["abc"[place] for place in leading_label(counts).tolist()]
        stepped = Steps(scales, guard).law(printed_distance(counts), labels)
        expected = {
            output: float(chance.log().mid()) for output, chance in zip(exact.outputs, exact.exact, strict=True)
        }
        found = dict(zip(stepped.outputs, stepped.log_probabilities.tolist(), strict=True))
        assert found.keys() == expected.keys()
        assert max(abs(found[output] - expected[output]) for output in expected) < stepped.error


#: A threshold whose noise is far above that of the queries: their answers hang together within a round.
TOGETHER = PrivateAnswers(
    ChunkMajority(), (0, 1, 2), Scales(2.0, 8.0, 0.5, models=5, cutoff=1), split="round_robin", guard="strict"
)
RECORDS = [(0, 1)] * 5
RUNS = 1000


@dataclass(frozen=True, eq=False)
class Asked(OneByOne):
    """With steps of a kind given, and asked in a way given."""

    kind: type[Steps] = Steps
    ask: Callable[[OnlineAnswers, Any], tuple[Any, ...]] | None = None

    def steps(self) -> Steps:
        return self.kind(self.answers.noise(), self.answers.guard)

    def online(self, dataset: Any, rng: np.random.Generator) -> OnlineAnswers:
        # the models that these records always give: not trained again for each of many runs
        terms = Terms(self.steps(), 3, (0, 1), "last", "printed", None, None, 1e-6)
        return OnlineAnswers.opened(terms, [ConstantModel(1)] * 5, rng)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        if self.ask is None:
            return super().__call__(dataset, rng)
        return self.ask(self.online(dataset, rng), self.answers.queries)


def largest_gap(asked: Asked, rng: np.random.Generator) -> float:
    """The largest difference between how often an output was given and how likely alg-2 gives it."""
    law = dict(chances(TOGETHER.distribution(RECORDS)))
    given = Counter(asked(RECORDS, rng) for _ in range(RUNS))
    return max(abs(given[output] / RUNS - law.get(output, 0.0)) for output in {*given, *law})


#: Hoeffding's inequality for each of at most 16 outputs: null, the object has the law of alg-2.
GAP = math.sqrt(math.log(2 * 16 / LEVEL) / (2 * RUNS))


@pytest.mark.parametrize("ask", [None, lambda one, queries: one.answer_many(queries)], ids=["one by one", "at once"])
def test_sequences_of_answers_have_the_law_of_alg_2(ask: Any, rng: np.random.Generator) -> None:
    assert largest_gap(Asked(TOGETHER, ask=ask), rng) < GAP


@pytest.mark.parametrize("kind", [_ForgetsToCharge, _RedrawsOnResume])
def test_broken_objects_have_another_law(kind: type[Steps], rng: np.random.Generator) -> None:
    # their laws are further from alg-2's than twice the gap: missed with a probability below LEVEL
    broken = Asked(TOGETHER, kind)
    law, right = (dict(chances(learner.distribution(RECORDS))) for learner in (broken, TOGETHER))
    assert max(abs(law.get(output, 0.0) - right.get(output, 0.0)) for output in {*law, *right}) > 2 * GAP
    assert largest_gap(broken, rng) > GAP


def test_saving_and_resuming_between_all_queries_changes_no_answer(tmp_path: Path, seed: int) -> None:
    kept, moved = (online(queries=12, rng=np.random.default_rng(seed)) for _ in range(2))
    moved.save(tmp_path / "answers")
    for query in range(12):
        assert kept._bar == moved._bar  # the noise in force is the same, to the last bit
        answers = []
        for each in (kept, moved):
            try:
                answers.append(each.answer(query))
            except BudgetSpent:
                answers.append(UNANSWERED)
        assert answers[0] == answers[1]
        moved.close()
        moved = OnlineAnswers.resume(tmp_path / "answers", rng=moved._rng)
    assert kept.spent == moved.spent


def test_the_randomness_is_the_operating_systems_and_is_not_saved(tmp_path: Path) -> None:
    first = online(cutoff_of(40))
    first.save(tmp_path / "answers")
    shutil.copytree(tmp_path / "answers", tmp_path / "copy")
    second = OnlineAnswers.resume(tmp_path / "copy", moved=True)
    assert first._bar == second._bar
    # two continuations of one state agree on 40 even coins with a probability below 1e-9
    assert first.answer_many(range(40)) != second.answer_many(range(40))


def cutoff_of(rounds: int) -> Scales:
    return Scales(9.0, 1.0, 2.0, 10, rounds)


# --- the budget


def test_labels_are_free_and_abstentions_are_not() -> None:
    answering = online(SURE, queries=5)
    assert [answering.answer(0) for _ in range(3)] == [1, 1, 1]
    assert (answering.spent, answering.remaining) == (Budget(3, 0), Budget(2, 3))
    silent = online(NEVER, guard="strict")
    assert [silent.answer(0), silent.answer(0)] == [ABSTAINED, ABSTAINED]
    assert (silent.spent, silent.remaining) == (Budget(2, 2), Budget(98, 0))


@pytest.mark.parametrize(("scales", "rounds"), [(SURE, 4), (NEVER, 3)], ids=["queries", "abstentions"])
def test_nothing_is_answered_when_the_budget_is_spent(scales: Scales, rounds: int) -> None:
    spent = online(scales, queries=4)
    for _ in range(rounds):
        spent.answer(0)
    before = spent.spent
    for ask in (spent.answer, lambda query: spent.answer_many([query])):
        with pytest.raises(BudgetSpent, match=r"budget is spent: . of at most 4 queries, . of 3 abstentions"):
            ask(0)
    assert spent.spent == before


def test_a_batch_ends_with_the_budget() -> None:
    assert online(SURE, queries=3).answer_many(range(5)) == (1, 1, 1, UNANSWERED, UNANSWERED)
    silent = online(NEVER)
    assert silent.answer_many(range(5)) == (ABSTAINED,) * 3 + (UNANSWERED,) * 2
    assert silent.spent == Budget(3, 3)
    assert online().answer_many([]) == ()


def test_a_million_queries_at_once() -> None:
    answering = online(SURE, queries=10**6)
    assert set(answering.answer_many(np.zeros(10**6))) == {1}
    assert answering.remaining.queries == 0


def test_what_a_model_raises_is_not_told_and_spends_everything(tmp_path: Path) -> None:
    def models_that_know(queries: Any) -> Any:
        raise ValueError("Alice is 42")

    failing = online(models=[*MODELS[1:], models_that_know])
    failing.save(tmp_path / "answers")
    with pytest.raises(BudgetSpent, match="a model failed") as caught:
        failing.answer(0)
    assert caught.value.__context__ is None
    failing.close()
    for again in (failing, OnlineAnswers.resume(tmp_path / "answers")):
        assert again.remaining == Budget(0, 0)
    with pytest.raises(BudgetSpent):
        again.answer(0)


def test_an_interrupted_answer_is_charged(tmp_path: Path) -> None:
    stop = [True]

    def interrupted(queries: Any) -> Any:
        if stop:
            raise KeyboardInterrupt
        return np.ones(len(queries), dtype=int)

    answering = online(SURE, models=[*MODELS[1:], interrupted])
    bar = answering._bar
    with pytest.raises(KeyboardInterrupt):
        answering.answer(0)
    assert answering.spent == Budget(1, 1)
    assert answering._bar != bar
    with pytest.raises(KeyboardInterrupt):
        answering.answer_many([0] * 7)
    assert answering.spent == Budget(8, 2)
    stop.clear()
    assert answering.answer(0) == 1
    stop.append(True)
    with pytest.raises(KeyboardInterrupt):
        answering.answer(0)
    assert answering.remaining == Budget(90, 0)
    with pytest.raises(BudgetSpent):
        answering.answer(0)


def test_an_answer_that_cannot_be_written_is_not_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering = online(SURE)
    answering.save(tmp_path / "answers")
    answering.answer(0)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(OSError, match="No space"):
            answering.answer(0)
    with pytest.raises(StaleHandle, match="an answer broke off"):
        answering.answer(0)
    answering.close()
    assert OnlineAnswers.resume(tmp_path / "answers").spent == Budget(2, 1)


@pytest.mark.parametrize(
    ("query", "what"),
    [([0.5], r"shape .* = \(2,\), got \(1, 1\)"), ([0.5, math.nan], "finite"), (3.0, r"shape")],
    ids=["short", "no number", "no point"],
)
def test_a_query_that_no_model_could_take_costs_nothing(query: Any, what: str) -> None:
    answering = online(shape=(2,))
    with pytest.raises(InvalidArgument, match=what):
        answering.answer(query)
    assert answering.spent == Budget(0, 0)


def test_what_is_no_list_of_points_costs_nothing() -> None:
    answering = online()
    for queries, what in ((5, "a list or array of points, got 5"), ([[1.0], [1.0, 2.0]], "points of one shape")):
        with pytest.raises(InvalidArgument, match=what):
            answering.answer_many(queries)
    assert answering.spent == Budget(0, 0)


@pytest.mark.parametrize(
    ("base", "query", "what"),
    [
        (LeastPositive(), "seven", "queries must be numbers, as the records are"),
        (LeastPositive(), np.datetime64("2026-01-01"), "queries must be numbers, as the records are"),
        (lambda x, y: ConstantModel(1), "seven", "queries must be numbers, as the records are"),
        (lambda x, y: ConstantModel(1), 1j, "queries must be numbers, as the records are"),
        (lambda x, y: ConstantModel(1), 1e300, r"queries must be numbers of at most 3.403e\+38"),
        (EmpiricalMinimiser(GridThresholds(10)), 0.37, "points must be"),
    ],
    ids=["text", "a date", "text to a function", "a complex number", "no 32 bits", "off the grid"],
)
def test_a_query_that_is_no_point_of_the_records_costs_nothing(
    base: Any, query: Any, what: str, tmp_path: Path
) -> None:
    """Each was the end of the budget: the model failed on it."""
    x = np.arange(400) % 10
    answering = OnlineAnswers.train((x, (x >= 5).astype(int)), base, SURE, queries=10)
    with pytest.raises(InvalidArgument, match=what):
        answering.answer(query)
    with pytest.raises(InvalidArgument, match=what):
        answering.answer_many([query, query])
    assert answering.spent == Budget(0, 0)
    if not isinstance(base, LeastPositive | EmpiricalMinimiser):
        return
    answering.save(tmp_path / "answers")
    answering.close()
    with OnlineAnswers.resume(tmp_path / "answers") as again:
        with pytest.raises(InvalidArgument, match=what):
            again.answer(query)
        assert again.answer(9) == 1
        assert again.spent == Budget(1, 0)


def test_records_of_text_are_asked_about_text() -> None:
    x = [f"word {n}" for n in range(400)]
    answering = OnlineAnswers.train((x, [1] * 400), lambda x, y: ConstantModel(1), SURE, queries=10)
    assert answering.answer("seven") == 1


def test_threads_take_turns() -> None:
    answering = online(SURE, queries=200)
    threads = [threading.Thread(target=lambda: [answering.answer(0) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answering.spent == Budget(200, 0)


# --- how it is opened


def test_it_is_trained_once_on_disjoint_chunks() -> None:
    calls: list[int] = []

    def base(x: Any, y: Any) -> Any:
        calls.append(len(y))
        return LeastPositive()(x, y)

    x = np.linspace(0, 1, 400)
    dataset = (x, (x >= 0.5).astype(int))
    answering = OnlineAnswers.train(dataset, base, SURE, queries=10, split="round_robin", delta=0.5)
    assert calls == [40] * 10
    assert answering.answer_many(np.array([0.1, 0.9])) == (0, 1)
    assert (calls, answering.neighbours.name) == ([40] * 10, "replace-one")
    assert OnlineAnswers.train(dataset, base, SURE, queries=10).neighbours.name == "add-remove"


def test_the_claim_is_that_of_the_accounting(tmp_path: Path) -> None:
    scales = Scales(60.0, 5.0, 10.0, 10, 2)
    answering = online(scales, queries=7, guard="strict", delta=0.01)
    assert answering.claim == answering_claim(scales, 7, delta=0.01, guard="strict")
    answering.save(tmp_path / "answers")
    answering.close()
    assert OnlineAnswers.resume(tmp_path / "answers").claim == answering.claim
    assert getattr(online(EVEN), "claim", None) is None  # labels without consensus are likelier than delta


def test_arguments_are_refused_in_one_line() -> None:
    with pytest.raises(InvalidArgument, match=r"models must be scales\.models = 10 of them, got 3"):
        online(models=MODELS[:3])
    with pytest.raises(InvalidArgument, match="queries must be at least 1, got 0"):
        online(queries=0)
    with pytest.raises(InvalidArgument, match="guard must be one of printed, strict"):
        online(guard="exact")
    with pytest.raises(InvalidArgument, match="delta must be a probability"):
        online(delta=2)


def test_estimators_vote_and_are_kept(tmp_path: Path, rng: np.random.Generator) -> None:
    from sklearn.linear_model import LogisticRegression

    x = rng.normal(size=(400, 2))
    answering = OnlineAnswers.train((x, (x[:, 0] > 0).astype(int)), LogisticRegression(), SURE, queries=10)
    answering.save(tmp_path / "answers")
    answering.close()
    again = OnlineAnswers.resume(tmp_path / "answers")
    assert again.answer_many(np.array([[4.0, 0.0], [-4.0, 0.0]])) == (1, 0)
    with pytest.raises(InvalidArgument, match="shape"):
        again.answer(np.zeros(3))


# --- one object only


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps, cloudpickle.dumps])
def test_it_cannot_be_copied(how: Callable[[Any], Any]) -> None:
    with pytest.raises(StaleHandle, match="a copy would spend it too"):
        how(online())


def test_a_copy_made_by_force_is_refused() -> None:
    original = online(SURE)
    forced = object.__new__(OnlineAnswers)
    forced.__dict__.update(original.__dict__)
    with pytest.raises(StaleHandle, match="it is a copy"):
        forced.answer(0)
    assert original.answer(0) == 1


def in_a_fork(act: Callable[[], None]) -> str:
    """What a forked child raised, by name."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            act()
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.parametrize("saved", [False, True])
def test_the_child_of_a_fork_may_not_answer(saved: bool, tmp_path: Path) -> None:
    answering = online(SURE)
    if saved:
        answering.save(tmp_path / "answers")
        assert "open already" in in_a_fork(lambda: OnlineAnswers.resume(tmp_path / "answers").close())
    assert "StaleHandle: this object may not answer any more: its process was forked" in in_a_fork(
        lambda: answering.answer(0)
    )
    assert answering.answer(0) == 1


def test_nothing_private_is_shown() -> None:
    answering = online()
    assert repr(answering) == (
        "OnlineAnswers(spent=Budget(queries=0, abstentions=0), remaining=Budget(queries=100, abstentions=3))"
    )


# --- the directory


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[OnlineAnswers]:
    answering = online(SURE)
    answering.save(tmp_path / "answers")
    yield answering
    answering.close()


def test_it_is_its_owners_alone_and_says_what_it_holds(saved: OnlineAnswers, tmp_path: Path) -> None:
    place = tmp_path / "answers"
    assert sorted(os.listdir(place)) == ["mark", "models.pickle", "state.json"]
    assert place.stat().st_mode & 0o777 == 0o700
    assert {each.stat().st_mode & 0o777 for each in place.iterdir()} == {0o600}
    saved.answer(0)
    assert {each.stat().st_mode & 0o777 for each in place.iterdir()} == {0o600}
    state = json.loads((place / "state.json").read_text())
    assert (state["version"], state["warning"].partition(":")[0]) == (1, "PRIVATE")
    assert state["state"]["spent"] == {"queries": 1, "abstentions": 0}
    assert os.listdir(tmp_path) == ["answers"]


def test_one_at_a_time_may_have_it_open(saved: OnlineAnswers, tmp_path: Path) -> None:
    with pytest.raises(StaleHandle, match="open already, here or in another process"):
        OnlineAnswers.resume(tmp_path / "answers")
    saved.close()
    with pytest.raises(StaleHandle, match="it was closed"):
        saved.answer(0)
    with OnlineAnswers.resume(tmp_path / "answers") as second:
        assert second.answer(0) == 1
    with pytest.raises(StaleHandle, match="it was closed"):
        second.answer(0)


def test_an_object_that_is_gone_has_closed_it(tmp_path: Path) -> None:
    online(SURE).save(tmp_path / "answers")
    assert OnlineAnswers.resume(tmp_path / "answers").answer(0) == 1


def test_it_is_kept_in_one_place(saved: OnlineAnswers, tmp_path: Path) -> None:
    with pytest.raises(StaleHandle, match=r"kept in .* already"):
        saved.save(tmp_path / "another")
    with pytest.raises(InvalidArgument, match="path must be new"):
        online().save(tmp_path / "answers")
    with pytest.raises(InvalidArgument, match="path must lie in a directory that is there"):
        online().save(tmp_path / "not there" / "answers")
    assert os.listdir(tmp_path) == ["answers"]


def test_a_save_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering = online(SURE)
    seen = []

    def broken(path: Any) -> None:
        seen.append(path)
        if path == tmp_path:  # after the rename
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(ledger_module, "_sync_directory", broken)
    with pytest.raises(OSError, match="Input/output"):
        answering.save(tmp_path / "answers")
    assert (len(seen), os.listdir(tmp_path)) == (2, [])
    assert answering.answer(0) == 1


def test_models_that_cannot_be_pickled_are_refused(tmp_path: Path) -> None:
    held = threading.Lock()
    answering = online(SURE, models=[*MODELS[1:], lambda x: np.ones(len(x), int) if held else None])
    with pytest.raises(InvalidArgument, match="models must be such that they can be pickled"):
        answering.save(tmp_path / "answers")
    assert os.listdir(tmp_path) == []


def put_back(place: Path, old: dict[str, bytes]) -> None:
    """Overwrite files where they are, as somebody does who brings back a copy."""
    for name, data in old.items():
        (place / name).write_bytes(data)


@pytest.mark.parametrize("behind", [1, 2])
def test_an_older_state_is_refused(behind: int, saved: OnlineAnswers, tmp_path: Path) -> None:
    place = tmp_path / "answers"
    saved.answer(0)
    old = {"state.json": (place / "state.json").read_bytes()}
    for _ in range(behind):
        saved.answer(0)
    put_back(place, old)
    with pytest.raises(StaleHandle, match="no longer what it wrote"):  # while it is open
        saved.answer(0)
    saved.close()
    with pytest.raises(StaleHandle, match="older copy"):
        OnlineAnswers.resume(place)


def test_a_copy_of_the_directory_is_refused_unless_it_is_said_to_have_moved(
    saved: OnlineAnswers, tmp_path: Path
) -> None:
    saved.answer(0)
    shutil.copytree(tmp_path / "answers", tmp_path / "copy")
    with pytest.raises(StaleHandle, match="is a copy of what was saved, or has been moved"):
        OnlineAnswers.resume(tmp_path / "copy")
    assert OnlineAnswers.resume(tmp_path / "copy", moved=True).spent == Budget(1, 0)


def test_a_directory_that_is_renamed_is_the_same(saved: OnlineAnswers, tmp_path: Path) -> None:
    saved.close()
    (tmp_path / "answers").rename(tmp_path / "renamed")
    assert OnlineAnswers.resume(tmp_path / "renamed").answer(0) == 1


def test_a_replaced_lock_is_noticed(saved: OnlineAnswers, tmp_path: Path) -> None:
    mark = tmp_path / "answers" / "mark"
    data = mark.read_bytes()
    mark.unlink()
    mark.write_bytes(data)
    with pytest.raises(StaleHandle, match="resumed or replaced"):
        saved.answer(0)


def test_damage_is_told(saved: OnlineAnswers, tmp_path: Path) -> None:
    place = tmp_path / "answers"
    saved.close()
    right = {each.name: each.read_bytes() for each in place.iterdir()}
    state = json.loads(right["state.json"])
    state["state"]["spent"]["queries"] = -50
    edited = json.dumps(state).encode()
    state["version"] = 2
    for name, data, what in (
        ("state.json", edited, "changed or damaged"),
        ("state.json", json.dumps(state).encode(), "must be of version 1"),
        ("state.json", right["state.json"][:40], "cannot be read"),
        ("state.json", b"", "cannot be read"),
        ("models.pickle", right["models.pickle"][:-1], "holds something else"),
        ("mark", b"what?", "cannot be read"),
    ):
        put_back(place, right | {name: data})
        with pytest.raises(RecordCorrupt, match=what):
            OnlineAnswers.resume(place)
    put_back(place, right)
    (place / "state.json").chmod(0o644)
    with pytest.raises(InvalidArgument, match="chmod go="):
        OnlineAnswers.resume(place)
    with pytest.raises(InvalidArgument, match=r"a directory that save\(\) made"):
        OnlineAnswers.resume(tmp_path)


# --- kills


class Late(OnlineAnswers):
    """Gives an answer, and charges it when the next one is asked for."""

    _owes = False

    def _answers(self, queries: Any) -> tuple[Any, ...]:
        ledger, self._ledger = self._ledger, None
        if self._owes and ledger is not None:
            ledger.announce(1)
            ledger.commit(_state(self._terms, self._spent, self._bar))
        answers = super()._answers(queries)
        self._ledger, self._owes = ledger, True
        return answers


#: What a ledger does to its directory, by the functions of the system that do it.
SYSTEM_CALLS = ("open", "write", "pwrite", "fsync", "replace", "close")


def kill_before(call: int) -> None:
    """From now on this process dies before its system call of that number."""
    made = [0]

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            made[0] += 1
            if made[0] > call:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)

        return run

    for name in SYSTEM_CALLS:
        setattr(os, name, counted(getattr(os, name)))


def given_until_killed(kind: type[OnlineAnswers], place: Path, call: int, answers: int) -> tuple[list[str], bool]:
    """The answers that a process gave until it died before one of its system calls, and whether it died."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        write = os.write
        try:
            terms = Terms(Steps(EVEN), 100, (0, 1), "last", "printed", None, None, 1e-6)
            answering = kind.opened(terms, MODELS)
            answering.save(place)
            kill_before(call)
            for _ in range(answers):
                said = answering.answer(0)
                write(writing, b"a" if said == ABSTAINED else b"l")
        except BudgetSpent:
            pass
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = list(file.read())
    return said, os.WIFSIGNALED(os.waitpid(child, 0)[1])


def forgotten(kind: type[OnlineAnswers], directory: Path, answers: int = 2) -> tuple[int, int]:
    """After how many kills a resumed object knows of fewer answers than were given; kills, one before each call."""
    found, call, died = 0, 0, True
    while died:
        place = directory / f"{kind.__name__}{call}"
        given, died = given_until_killed(kind, place, call, answers)
        spent = OnlineAnswers.resume(place).spent
        if spent.queries < len(given) or spent.abstentions < given.count("a"):
            found += 1
        else:  # and no more than the one that was begun
            assert spent.queries <= len(given) + 1
            assert spent.abstentions <= given.count("a") + 1
        call += 1
    return found, call - 1


@pytest.mark.turns(4)
def test_no_kill_makes_it_forget_an_answer(tmp_path: Path) -> None:
    lost, kills = forgotten(OnlineAnswers, tmp_path)
    assert lost == 0
    assert kills == 2 * 11  # open, write and sync of the state, its renaming, the directory's sync, and three marks


def test_an_object_that_charges_late_is_caught_by_kills(tmp_path: Path) -> None:
    assert forgotten(Late, tmp_path)[0] > 0


def test_a_child_forked_while_a_thread_answers_is_refused_and_does_not_hang() -> None:
    asked, told = threading.Event(), threading.Event()

    def waits(points: Any) -> list[int]:
        asked.set()
        told.wait()
        return [1] * len(points)

    answering = online(models=[waits] * 10, scales=SURE)
    thread = threading.Thread(target=answering.answer, args=(0,))
    thread.start()
    asked.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # which ends a child that waits for the lock
        refused = 0
        for asks in (lambda: answering.answer(0), lambda: answering.save("nowhere")):
            try:
                asks()
            except StaleHandle:
                refused += 1
        answering.close()
        os._exit(refused)
    told.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2


def test_a_process_killed_at_any_moment_has_charged_what_it_gave(tmp_path: Path, rng: np.random.Generator) -> None:
    place = tmp_path / "answers"
    answering = online(Scales(4.0, 0.01, 0.01, 10, cutoff=100), queries=10**6)
    answering.save(place)
    answering.close()
    before = 0
    for _ in range(8):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                resumed = OnlineAnswers.resume(place)
                while True:
                    resumed.answer(0)
                    os.write(writing, b"l")
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading, "rb") as file:
            file.read(1)  # it answers
            time.sleep(float(rng.uniform(0, 0.05)))
            os.kill(child, signal.SIGKILL)
            given = 1 + len(file.read())
        os.waitpid(child, 0)
        with OnlineAnswers.resume(place) as resumed:
            spent = resumed.spent.queries
        assert before + given <= spent <= before + given + 1
        before = spent


# --- any sequence of what may happen


class Agreed:
    """A model that says 1 of 1; of 0 every second one does. It breaks off where it is asked for 2."""

    def __init__(self, number: int) -> None:
        self.number = number

    def predict(self, queries: Any) -> Any:
        if 2 in list(queries):
            raise KeyboardInterrupt
        return np.where(np.asarray(queries) == 1, 1, self.number % 2)


def asked(queries: list[int], left: Budget) -> tuple[tuple[Any, ...], Budget]:
    """What alg-2 says of a batch where noise decides nothing, and what it costs."""
    if 2 in queries[: left.queries]:
        return (), Budget(min(len(queries), left.queries), 1)
    said: list[Any] = []
    for query in queries:
        open_ = len(said) < left.queries and said.count(ABSTAINED) < left.abstentions
        said.append((1 if query == 1 else ABSTAINED) if open_ else UNANSWERED)
    return tuple(said), Budget(len(said) - said.count(UNANSWERED), said.count(ABSTAINED))


@settings(max_examples=20)
@given(st.lists(st.lists(st.sampled_from([0, 1, 1, 1, 2]), max_size=4) | st.just("resume"), max_size=7), st.booleans())
def test_what_is_spent_is_what_was_asked_whatever_happens(acts: list[Any], at_once: bool) -> None:
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory) / "answers"
        answering = online(SURE, models=[Agreed(number) for number in range(10)], queries=12)
        answering.save(place)
        left = answering.remaining
        for act in acts:
            if act == "resume":
                answering.close()
                answering = OnlineAnswers.resume(place)
                continue
            for queries in [act] if at_once else [[query] for query in act]:
                try:
                    said = answering.answer_many(queries)
                except BudgetSpent:
                    assert not (left.queries and left.abstentions)
                    continue
                except KeyboardInterrupt:
                    said = ()
                expected, cost = asked(queries, left)
                assert said == expected
                left = Budget(left.queries - cost.queries, left.abstentions - cost.abstentions)
                assert answering.remaining == left
        answering.close()
        with OnlineAnswers.resume(place) as resumed:
            assert resumed.remaining == left


# --- a disk that keeps what was synced


class Disk:
    """What is left of a directory when the machine loses its power: only what was synced, in names and in contents."""

    def __init__(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place = place
        self.contents = {each.stat().st_ino: each.read_bytes() for each in place.iterdir()}
        self.names = {each.name: each.stat().st_ino for each in place.iterdir()}
        sync, rename = os.fsync, os.replace
        # files that lose their names stay open, so that no other file gets their number
        kept: list[int] = []
        weakref.finalize(self, lambda: [os.close(each) for each in kept])

        def replaced(source: Any, target: Any) -> None:
            kept.append(os.open(target, os.O_RDONLY))
            rename(source, target)

        def synced(descriptor: int) -> None:
            sync(descriptor)
            there = os.fstat(descriptor)
            if os.path.samestat(there, os.stat(place)):
                self.names = {each.name: each.stat().st_ino for each in place.iterdir()}
                return
            (file,) = (each for each in place.iterdir() if each.stat().st_ino == there.st_ino)
            self.contents[there.st_ino] = file.read_bytes()

        monkeypatch.setattr(os, "fsync", synced)
        monkeypatch.setattr(os, "replace", replaced)

    def after_a_crash(self, place: Path) -> Path:
        place.mkdir(mode=0o700)
        for name, number in self.names.items():
            (place / name).write_bytes(self.contents.get(number, b""))
            (place / name).chmod(0o600)
        return place


def lost_by_power_cuts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """After how many of three answers, each just given, a power cut leaves a state that forgets it or is unreadable."""
    answering = online(NEVER)
    answering.save(tmp_path / "answers")
    lost = 0
    with monkeypatch.context() as patched:
        disk = Disk(tmp_path / "answers", patched)
        images = []
        for number in range(3):
            answering.answer(0)
            images.append(disk.after_a_crash(tmp_path / f"image{number}"))
    for number, image in enumerate(images):
        try:
            with OnlineAnswers.resume(image, moved=True) as resumed:
                lost += resumed.spent != Budget(number + 1, number + 1)
        except (RecordCorrupt, StaleHandle):
            lost += 1
    return lost


def test_no_power_cut_makes_it_forget_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lost_by_power_cuts(tmp_path, monkeypatch) == 0


def without_syncing_files(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    path.chmod(0o600)


@pytest.mark.parametrize(
    ("name", "broken"), [("_write_synced", without_syncing_files), ("_sync_directory", lambda path: None)]
)
def test_a_ledger_that_does_not_sync_is_caught_by_power_cuts(
    name: str, broken: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, name, broken)
    assert lost_by_power_cuts(tmp_path, monkeypatch) > 0


def test_an_announced_answer_that_was_never_charged_is_charged_when_it_is_resumed(tmp_path: Path) -> None:
    ledger = Ledger.create(tmp_path / "plain", b"", {"asked": 0})
    ledger.announce(7)
    ledger.close()
    again, found = Ledger.open(tmp_path / "plain")
    assert (found.state, found.unfinished) == ({"asked": 0}, 7)
    again.close()
