"""Learners that keep their randomness or their answers are audited or fail; they are never accused for it."""

from __future__ import annotations

import importlib
import math
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import SeedSequence

from dpcheck import Status, audit, measure
from dpcheck.execution.answers import Answers, Request
from dpcheck.execution.executor import Executor
from dpcheck.execution.own_generators import owned_by
from dpcheck.model.learner import as_target
from dpcheck.model.verdict import Verdict
from dpcheck.privacy.run.freshness import FreshnessWatch
from dpcheck.privacy.statistics.freshness import Freshness
from dpcheck.privacy.statistics.lags import History
from dpcheck.privacy.statistics.observations import Observations, observe
from dpcheck.privacy.statistics.remembered import memory_evidence
from tests.ways_to_keep import CYCLED, FOUND, NOT_FOUND, OUTSIDE, ConstantSeed, OwnsOne, from_the_clock, remembering

PAIR = [([0.0, 1.0], [1.0, 1.0])]
ANSWERS_KEPT = ["lru_cache of a method", "lru_cache of the module", "dict", "dict of the module", "joblib.Memory"]


def audited(learner: Any, seed: int, isolation: str = "none", **options: Any) -> Verdict:
    arguments: dict[str, Any] = {"max_samples": 600, "pairs": PAIR, "max_seconds": 300.0}
    return audit(learner, 1.0, seed=seed, isolation=isolation, **{**arguments, **options})


# --- kept randomness ---------------------------------------------------------------------------------------------


@pytest.mark.some(2)
@pytest.mark.parametrize("way", FOUND)
def test_a_generator_of_its_own_is_seeded_anew_and_said_so(way: str, seed: int) -> None:
    verdict = audited(FOUND[way](1.0), seed)
    assert verdict.status is not Status.VIOLATED
    assert verdict.status is not Status.LEARNER_FAILED
    assert verdict.reproducible
    assert "owns its generator" in {finding.kind for finding in verdict.findings}


@pytest.mark.turns(4)
@pytest.mark.parametrize("way", ["attribute", "closure", "of the class"])
def test_the_same_in_a_worker(way: str, seed: int) -> None:
    verdict = audited(FOUND[way](1.0), seed, "process")
    assert verdict.status in (Status.NO_VIOLATION_FOUND, Status.INCONCLUSIVE)
    assert "owns its generator" in {finding.kind for finding in verdict.findings}


@pytest.mark.turns(6)
@pytest.mark.parametrize("way", ["attribute", "default argument", "random.Random in a slot", "spawned"])
def test_a_leak_behind_a_generator_of_its_own_is_found(way: str, seed: int) -> None:
    assert audited(FOUND[way](0.2), seed, max_samples=2000).status is Status.VIOLATED


@pytest.mark.turns(4)
@pytest.mark.parametrize("scale", [1.0, 0.2])
@pytest.mark.parametrize("way", NOT_FOUND)
def test_noise_that_starts_again_is_a_failure_and_no_violation(way: str, scale: float, seed: int) -> None:
    verdict = audited(NOT_FOUND[way](scale), seed)
    assert verdict.status is Status.LEARNER_FAILED
    assert "its runs are not fresh" in verdict.failure
    assert "draw from the rng that each call is given" in verdict.failure


class PartlyBuffered:
    """Noise of its own that starts again, under a little of the noise that it should have drawn."""

    def __init__(self, little: float) -> None:
        self.noise = np.random.default_rng().laplace(size=5_000)
        self.used, self.little = 0, little

    def __call__(self, dataset: Any, rng: Any) -> float:
        self.used += 1
        return float(sum(dataset) + self.noise[self.used] + rng.normal(scale=self.little))


@pytest.mark.parametrize("little", [0.1, 0.3, 0.7])
def test_noise_that_starts_again_under_other_noise_is_no_violation(little: float, seed: int) -> None:
    assert audited(PartlyBuffered(little), seed, max_samples=2000).status is Status.LEARNER_FAILED


class FlipsKeptCoins:
    """Randomised response with coins that start again: outputs of two kinds only."""

    def __init__(self) -> None:
        self.coins = (np.random.default_rng().random(5_000) < 0.25).tolist()
        self.used = 0

    def __call__(self, dataset: Any, rng: Any) -> int:
        self.used += 1
        return int(dataset[0]) ^ int(self.coins[self.used])


@pytest.mark.turns(4)
def test_kept_coins_are_no_violation(seed: int) -> None:
    assert audited(FlipsKeptCoins(), seed, max_samples=2000).status is Status.LEARNER_FAILED


def test_fresh_coins_are_a_violation(seed: int) -> None:
    def flips(dataset: Any, rng: Any) -> int:
        return int(dataset[0]) ^ int(rng.random() < 0.1)

    assert audited(flips, seed, max_samples=4000).status is Status.VIOLATED


@pytest.mark.turns(4)
def test_rare_answers_of_a_fresh_learner_are_looked_at_until_they_tell(seed: int) -> None:
    def flips(dataset: Any, rng: Any) -> int:
        return int(dataset[0]) ^ int(rng.random() < 0.02)

    verdicts = [audited(flips, seed + place, max_samples=100_000) for place in range(6)]
    assert all("too few calls" not in verdict.failure for verdict in verdicts)
    # a fresh learner is doubted on one seed of a thousand
    assert sum(verdict.status is Status.VIOLATED for verdict in verdicts) >= 3


def test_further_calls_grow_until_enough_differ() -> None:
    watch = FreshnessWatch()
    watch.freshness.shown = 2.0
    assert watch.further_calls(64, 100_000, 1e-6, 60.0) == 256
    assert watch.further_calls(64, 100_000, 1.0, 60.0) == 15, "as the seconds allow"
    assert watch.further_calls(64, 148, 1e-6, 60.0) == 0, "calls are kept for asking on and on"
    watch.freshness.shown = 50.0
    assert watch.further_calls(64, 100_000, 1e-6, 60.0) == 0


@pytest.mark.some(1)
@pytest.mark.parametrize("way", ["cycle of 7", "cycle of 100", "cycle under other noise", "cycle of vectors"])
def test_noise_that_comes_back_after_so_many_calls_is_no_violation(way: str, seed: int) -> None:
    verdict = audited(CYCLED[way](1.0), seed, max_samples=20_000)
    assert verdict.status is Status.LEARNER_FAILED
    assert "its runs are not fresh" in verdict.failure


def test_coins_that_come_back_show_in_the_calls_that_confirm_a_violation(seed: int) -> None:
    """The calls up to the violation are too few for two coins of thirty, those that are asked for then are not."""
    learner = CYCLED["cycle of 30 coins"](1.0)
    learner.noise = np.where(np.isin(np.arange(30), [4, 17]), 9.0, 0.0)
    verdict = audited(learner, seed, max_samples=1000)
    assert verdict.status is Status.LEARNER_FAILED
    assert "its runs are not fresh" in verdict.failure


@pytest.mark.turns(4)
@pytest.mark.parametrize("max_samples", [64, 100, 128, 250])
def test_a_small_budget_accuses_nobody_either(max_samples: int, seed: int) -> None:
    assert audited(NOT_FOUND["buffer"](1.0), seed, max_samples=max_samples).status is not Status.VIOLATED


def test_nothing_is_measured_of_noise_that_starts_again(seed: int) -> None:
    found = measure(ConstantSeed, pairs=PAIR, max_samples=600, seed=seed, isolation="none")
    assert "its runs are not fresh" in found.failure
    assert found.epsilon_lower == 0.0


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_requests_repeat_with_their_seed_and_differ_with_another(isolation: Any) -> None:
    with Executor(isolation=isolation).runner(as_target(OwnsOne(1.0)), [[0.0]]) as runner:
        one, again, other = runner.run([Request(0, 5, SeedSequence(s)) for s in (1, 1, 2)])
    assert np.array_equal(one.values, again.values)
    assert not set(map(float, one.values)) & set(map(float, other.values))
    assert one.owned == 1


def test_what_is_not_copied_is_put_back() -> None:
    own = np.random.default_rng(5)

    def learner(dataset: Any, rng: Any) -> float:
        return float(own.random())

    before = own.bit_generator.state
    with Executor(isolation="none").runner(as_target(learner), [[0.0]]) as runner:
        runner.run([Request(0, 5, SeedSequence(1))])
    assert own.bit_generator.state == before


def test_looking_runs_nothing_of_the_learner() -> None:
    class Touchy:
        def __init__(self) -> None:
            self.source = np.random.default_rng()

        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError("touched")

        def __iter__(self) -> Any:
            raise RuntimeError("touched")

    assert len(owned_by(Touchy()).generators) == 1


# --- kept answers ------------------------------------------------------------------------------------------------


@pytest.mark.turns(4)
@pytest.mark.parametrize("way", ANSWERS_KEPT)
def test_answers_kept_are_a_failure_and_no_violation(way: str, seed: int, tmp_path: Path) -> None:
    verdict = audited(remembering(tmp_path)[way](0.3), seed, max_samples=3000)
    assert verdict.status is Status.LEARNER_FAILED
    assert "its runs are not fresh" in verdict.failure
    assert "remembers" in verdict.failure


@pytest.mark.turns(6)
def test_the_same_in_a_worker_and_on_disk(seed: int, tmp_path: Path) -> None:
    verdict = audited(remembering(tmp_path)["joblib.Memory"](1.0), seed, "process", max_samples=3000)
    assert verdict.status is Status.LEARNER_FAILED
    assert "joblib.Memory" in verdict.failure


WEIGHTS = [1.0, 2.0]


@pytest.mark.turns(6)
@pytest.mark.parametrize("way", OUTSIDE)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_what_is_kept_outside_the_process_is_a_failure_and_no_violation(
    way: str, isolation: str, seed: int, tmp_path: Path
) -> None:
    if isolation == "process" and way != "a file for each dataset":
        pytest.skip("one way shows that a worker tells what was opened")
    verdict = audited(OUTSIDE[way](tmp_path), seed, isolation)
    assert verdict.status is Status.LEARNER_FAILED
    assert "reaches outside its process" in verdict.failure


@pytest.mark.turns(4)
def test_noise_from_a_clock_of_whole_seconds_is_a_failure_and_no_violation(seed: int) -> None:
    verdict = audited(from_the_clock, seed)
    assert verdict.status is Status.LEARNER_FAILED
    assert "fresh" in verdict.failure


@pytest.mark.turns(6)
@pytest.mark.parametrize("way", [*OUTSIDE, "the clock"])
def test_no_bound_is_told_of_what_is_kept_outside_the_process(way: str, seed: int, tmp_path: Path) -> None:
    learner = OUTSIDE[way](tmp_path) if way in OUTSIDE else from_the_clock
    measured = measure(learner, pairs=PAIR, seed=seed, isolation="none", max_samples=3000)
    assert "fresh" in measured.failure
    assert measured.epsilon_lower == 0.0


@pytest.mark.turns(4)
def test_a_bound_is_told_of_a_deterministic_leak(seed: int) -> None:
    measured = measure(lambda data, _: sum(data), pairs=PAIR, seed=seed, isolation="none", max_samples=3000)
    assert not measured.failure
    assert measured.epsilon_lower > 4.0
    assert measured.samples <= 3000


@pytest.mark.turns(4)
@pytest.mark.parametrize("learner", [lambda data, _: sum(data), lambda data, rng: sum(data) + 0.0 * rng.laplace()])
def test_a_deterministic_leak_stays_a_violation(learner: Any, seed: int) -> None:
    assert audited(learner, seed).status is Status.VIOLATED


def test_without_calls_left_to_ask_again_nothing_is_told() -> None:
    watch = FreshnessWatch(histories={(0,): constant_history()})
    assert watch.ask_later(None, (0, 1), (0, 0), 1, 1e-6) == 0  # type: ignore[arg-type]
    assert watch.unknown


def constant_history() -> History:
    history = History()
    for side in (0, 1):
        history.add(observe(Answers(np.full(8, float(side))), "real"), side, 8 * side)
    return history


@pytest.mark.turns(6)
def test_a_deterministic_leak_that_could_remember_is_still_a_violation(seed: int) -> None:
    verdict = audited(lambda dataset, rng: float(dataset[0] * WEIGHTS[0]), seed, max_samples=3000)
    assert verdict.status is Status.VIOLATED


# --- through files -----------------------------------------------------------------------------------------------

FILE = """
import numpy as np

class Noisy:
    claim = 1.0
    def __init__(self):
        self.rng = np.random.default_rng({seed})
    def __call__(self, dataset, rng):
        return sum(dataset) + self.rng.laplace()

class Text:
    claim = 1.0
    kept = np.random.default_rng().laplace(size=3000)
    def __init__(self):
        self.used = 0
    def __call__(self, dataset, rng):
        self.used += 1
        return f"{{sum(dataset) + self.kept[self.used] + rng.normal(scale=0.3):.1f}}"

learner = Noisy()
"""


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("name", "seed_of_it", "code"), [("learner", "", (0, 2, 3)), ("Noisy", "7", (3, 4)), ("Text", "", (4,))]
)
def test_a_file_at_the_command_line(name: str, seed_of_it: str, code: tuple[int, ...], tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(FILE.format(seed=seed_of_it))
    np.savez(tmp_path / "pair.npz", left=[[0.0, 1.0]], right=[[1.0, 1.0]])
    command = ["-m", "dpcheck", "audit", f"own.py:{name}", "--pairs", "pair.npz", "--max-samples", "600"]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode in code, said
    assert ("owns its generator" if name == "learner" else "its runs are not fresh") in said


# --- the tests of freshness --------------------------------------------------------------------------------------


def seen(values: Any) -> Observations:
    return observe(Answers(np.asarray(values)), "real")


LAWS = {
    "laplace": lambda rng, n: rng.laplace(size=n),
    "cauchy": lambda rng, n: rng.standard_cauchy(n),
    "randomised response": lambda rng, n: (rng.random(n) < 0.27).astype(float),
    "rare": lambda rng, n: (rng.random(n) < 0.02).astype(float),
    "constant": lambda rng, n: np.ones(n),
    "one of eight": lambda rng, n: rng.integers(0, 8, n).astype(float),
    "an atom": lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.laplace(size=n)),
    "vectors": lambda rng, n: rng.normal(size=(n, 3)),
}


@pytest.mark.some(4)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("size", [2, 9, 40])
def test_fresh_runs_give_no_evidence(law: str, size: int, rng: np.random.Generator) -> None:
    """An e-process: e^20 : 1 is reached with probability 2e-9 at most."""
    draw = LAWS[law]
    for _ in range(5):
        freshness = Freshness()
        for _ in range(8):
            one, two, three, four = (seen(draw(rng, size)) for _ in range(4))
            freshness.see({0: (one, two), 1: (three, four)}, rng)
            assert freshness.evidence < 20.0


@pytest.mark.parametrize("law", ["laplace", "randomised response", "one of eight", "an atom", "vectors"])
def test_blocks_that_repeat_or_share_their_noise_are_found(law: str, rng: np.random.Generator) -> None:
    same, shared = Freshness(), Freshness()
    for _ in range(12):
        block = LAWS[law](rng, 20)
        same.see({0: (seen(block), seen(block))}, rng)
        other, third = LAWS[law](rng, 20), LAWS[law](rng, 20)
        shared.see({0: (seen(block), seen(other)), 1: (seen(block + 3.0), seen(third + 3.0))}, rng)
    assert same.evidence > 20.0
    assert shared.evidence > 20.0


def history_of(sides: Any, values: Any, size: int = 50) -> History:
    """Calls in blocks that alternate between two datasets."""
    found = History()
    for first in range(0, len(sides), size):
        block = sides[first : first + size]
        assert (block == block[0]).all()
        found.add(seen(values[first : first + size]), int(block[0]), first)
    return found


SIDES = np.repeat(np.arange(12) % 2, 50)


@pytest.mark.parametrize("law", LAWS)
def test_fresh_runs_come_back_at_no_lag(law: str, rng: np.random.Generator) -> None:
    """Two e-values and a tail with room: e^21 : 1 is reached with probability 1e-9 at most."""
    for _ in range(3):
        assert history_of(SIDES, LAWS[law](rng, len(SIDES))).evidence(rng) < 21.0


@pytest.mark.parametrize("law", ["laplace", "cauchy", "randomised response", "one of eight", "an atom", "vectors"])
@pytest.mark.parametrize("length", [7, 110, 130])
def test_noise_that_comes_back_is_found_at_any_lag(law: str, length: int, rng: np.random.Generator) -> None:
    noise = np.resize(LAWS[law](rng, max(length, 60))[:length], (600, 3) if law == "vectors" else 600)
    shift = 3.0 * (SIDES if noise.ndim == 1 else SIDES[:, None])
    flipped = np.abs(noise - SIDES) if law == "randomised response" else noise + shift
    if len(np.unique(noise)) > 1:
        assert history_of(SIDES, flipped).evidence(rng) > 7.0


def test_constant_outputs_give_no_evidence_either_way(rng: np.random.Generator) -> None:
    freshness = Freshness()
    for _ in range(50):
        blocks = [seen(np.full(10, value)) for value in (1.0, 1.0, 2.0, 2.0)]
        freshness.see({0: (blocks[0], blocks[1]), 1: (blocks[2], blocks[3])}, rng)
    assert freshness.evidence < 12.0


def test_remembering_is_an_e_value() -> None:
    """Over all places of the different answers among those after the first, its mean is 1."""
    for made, more, different in ((5, 3, 1), (5, 3, 2), (4, 4, 3)):
        total, count = 0.0, 0
        for places in combinations(range(made - 1 + more), different):
            tokens = np.zeros(made + more, dtype=np.uint64)
            tokens[[1 + place for place in places]] = 1
            before, after = tokens[:made], tokens[made:]
            count += 1
            if not before.any():
                total += float(np.exp(memory_evidence(before, after)))
        assert total / count == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("order", "kept", "said"), [(20.0, 5.0, "only grows"), (9.0, 17.0, "not fresh"), (9.0, 300.0, "not fresh")]
)
def test_noise_that_is_kept_and_grows_by_luck_is_no_clock(order: float, kept: float, said: str) -> None:
    """In one of some hundred learners the first few numbers kept do grow, and so in all blocks."""
    watch = FreshnessWatch()
    watch.order.logs[0], watch.order.blocks[0] = order + math.log(2.0), 8  # half is staked on the first
    watch.freshness.logs[0] = kept + 5.0
    assert watch.order.evidence == pytest.approx(order, abs=1e-3)
    assert said in watch.complaint()


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (lambda rng: np.cumsum(rng.normal(size=4_000)), "lies near that of the calls just before"),
        (lambda rng: np.convolve(rng.normal(size=4_099), np.ones(100))[99:4_099], "lies near that of the calls just"),
        (
            lambda rng: np.tile(rng.normal(size=500), 8) + 0.01 * rng.normal(size=4_000),
            "comes back after so many calls",
        ),
        (lambda rng: np.convolve(rng.normal(size=4_001), [1.0, 1.0])[:4_000], "comes back after so many calls"),
    ],
    ids=["a walk", "a load", "a buffer", "the call before"],
)
def test_numbers_that_drift_are_not_told_to_come_back(values: Any, said: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    history, drawn = History(), values(rng)[:, None]
    for place, start in enumerate(range(0, 4_000, 500)):
        block = drawn[start : start + 500]
        history.add(Observations(block, rng.integers(0, 2**62, 500).astype(np.uint64), [], None), place % 2, start)
    watch = FreshnessWatch(lags=history.evidence(rng), drifts=history.drifts)
    assert watch.lags > 50.0
    assert said in watch.complaint()


KEYED = """
import hashlib, math, os
KEY = os.urandom(16)


def keyed(data, rng):
    part = hashlib.blake2b(repr(list(data)).encode(), key=KEY, digest_size=7).digest()
    u = (int.from_bytes(part, "big") + 0.5) / 2.0**56 - 0.5
    return float(sum(data)) - math.copysign(math.log(1.0 - 2.0 * abs(u)), u)


def without_noise(data, rng):
    return float(sum(data))
"""


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Any]:
    """Imports code as a module of a name, until the test ends."""

    def module(name: str, code: str) -> Any:
        (tmp_path / f"{name}.py").write_text(code)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setitem(sys.modules, name, sys)  # forgotten when the test ends
        del sys.modules[name]
        return importlib.import_module(name)

    return module


@pytest.mark.turns(6)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_noise_made_from_the_data_by_a_key_drawn_at_import_is_kept(
    isolation: str, imported: Callable[[str, str], Any], seed: int
) -> None:
    """Within a process it computes the same for the same dataset; one that adds no noise does so in all."""
    keyed_noise = imported("keyed_noise", KEYED)
    few: dict[str, Any] = {"pairs": [([0], [1])], "isolation": isolation, "max_samples": 3_000, "seed": seed}
    kept = audit(keyed_noise.keyed, 1.0, **few)
    assert kept.status is Status.LEARNER_FAILED
    assert "in a process that was just started" in kept.failure
    assert audit(keyed_noise.without_noise, 1.0, **few).status is Status.VIOLATED


@pytest.mark.turns(4)
@pytest.mark.parametrize(("learner", "status"), [("keyed", 4), ("without_noise", 1)])
def test_through_the_command_line_noise_made_from_the_data_by_a_kept_key_is_a_failure(
    tmp_path: Path, learner: str, status: int
) -> None:
    """A module in a file is sent to workers as code, with its key: the file itself is imported anew."""
    (tmp_path / "mine.py").write_text(KEYED)
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", "audit", f"mine.py:{learner}", "--epsilon", "1", "--records", "0,1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran.stdout + ran.stderr
    assert ("in a process that was just started" in ran.stdout) is (learner == "keyed")


OWN = """
import hashlib
import sys

import numpy as np

import dpcheck


class Keyed:
    def __init__(self, scale=1.0):
        self.scale, self.key = scale, np.random.default_rng().bytes(8)

    def noise(self, data):
        hashed = hashlib.blake2b(repr(list(data)).encode(), key=self.key, digest_size=8).digest()
        return float(np.random.default_rng(int.from_bytes(hashed, "big")).laplace(0, self.scale))

    def __call__(self, data, rng):
        return float(sum(data)) + self.noise(data)


class Pool:
    def __init__(self, size=50):
        self.pool = np.random.default_rng().laplace(size=size)

    def __call__(self, data, rng):
        return float(sum(data)) + float(rng.choice(self.pool))


class Named(Keyed):
    def __init__(self, width):
        super().__init__(scale=width)


class Many(Pool):
    def __init__(self, how_many):
        super().__init__(how_many)


class Bare(Keyed):
    def __call__(self, data, rng):
        return self.scale * float(sum(data))


class Slotted:
    __slots__ = ("pool",)

    def __init__(self):
        self.pool = np.random.default_rng().laplace(size=50)

    def answer(self, data, rng):
        return float(sum(data)) + float(rng.choice(self.pool))

    __call__ = answer


def closure():
    pool = np.random.default_rng().laplace(size=50)
    return lambda data, rng: float(sum(data)) + float(rng.choice(pool))


POOL = Pool()
NUMBERS = tuple(np.random.default_rng().laplace(size=50).tolist())
slotted, bound, closed = Slotted(), Slotted().answer, closure()
LEARNERS = {"keyed": Keyed(), "pool": Pool(), "bare": Bare(2.0), "slotted": slotted, "bound": bound, "closed": closed}


def numbers(data, rng):
    return float(sum(data)) + NUMBERS[int(rng.integers(50))]


def script(data, rng):
    return POOL(data, rng)


LEARNERS |= {"script": script, "numbers": numbers, "named": Named(1.0), "many": Many(40)}

if __name__ == "__main__":
    verdict = dpcheck.audit(
        LEARNERS[sys.argv[1]], 1.0, pairs=[([0], [1])], isolation=sys.argv[2], max_samples=3_000, seed=int(sys.argv[3])
    )
    print(verdict.status.name, verdict.failure)
"""


@pytest.mark.some(3)
@pytest.mark.parametrize("isolation", ["none", "process"])
@pytest.mark.parametrize(
    "learner", ["keyed", "pool", "script", "numbers", "slotted", "bound", "closed", "named", "many", "bare"]
)
def test_what_an_object_or_a_script_has_drawn_once_is_kept(
    tmp_path: Path, learner: str, isolation: str, seed: int
) -> None:
    """The object goes with its key, and the script with its list, wherever they are sent: they are made anew there."""
    (tmp_path / "mine.py").write_text(OWN)
    told = subprocess.run(
        [sys.executable, "mine.py", learner, isolation, str(seed)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    if learner == "bare":
        assert told.startswith("VIOLATED"), told
    else:
        assert told.startswith("LEARNER_FAILED"), told
        assert "in a process that was just started" in told


POOLED = """
import functools
import numpy as np

AT_IMPORT = np.random.default_rng().laplace(size=100)
LATER = {}


@functools.lru_cache
def table(size):
    return np.random.default_rng().laplace(size=size)


def at_import(data, rng):
    return float(sum(data)) + rng.choice(AT_IMPORT)


def at_the_first_call(data, rng):
    if not LATER:
        LATER["noise"] = rng.laplace(size=50)
    return float(sum(data)) + rng.choice(LATER["noise"])


def in_a_cache(data, rng):
    return float(sum(data)) + rng.choice(table(50))


def too_little(data, rng):
    return 9 * int(sum(data)) + int(rng.geometric(0.2) - rng.geometric(0.2)) + 0 * len(LATER)
"""


@pytest.mark.turns(6)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_noise_picked_from_a_list_that_is_kept_is_kept(
    isolation: str, imported: Callable[[str, str], Any], seed: int
) -> None:
    """In a process that was just started its outputs are others; whole numbers with too little noise are the same."""
    pooled_noise = imported("pooled_noise", POOLED)
    few: dict[str, Any] = {"pairs": [([0], [1])], "isolation": isolation, "max_samples": 3_000, "seed": seed}
    for learner in (pooled_noise.at_import, pooled_noise.at_the_first_call, pooled_noise.in_a_cache):
        kept = audit(learner, 1.0, **few)
        assert kept.status is not Status.VIOLATED, str(kept)
        assert kept.status is Status.LEARNER_FAILED or kept.samples == 3_000
    assert audit(pooled_noise.too_little, 1.0, **few).status is Status.VIOLATED


OWN_CLASS = """
import functools
import sys


class Model:
    def __init__(self, slope):
        self.slope = slope

    def predict(self, x):
        return self.slope * x


SEEN = []


@functools.lru_cache
def size_of_table(size):
    return size + 1


def without_noise(data, rng):
    return Model(float(sum(data)))


def with_a_cache(data, rng):
    SEEN.append(size_of_table(3))
    return Model(float(sum(data)))


def too_little_noise(data, rng):
    SEEN.append(size_of_table(3))
    return Model(9 * int(sum(data)) + int(rng.geometric(0.2) - rng.geometric(0.2)))


if __name__ == "__main__":
    import dpcheck

    learner = {"without_noise": without_noise, "with_a_cache": with_a_cache, "too_little_noise": too_little_noise}
    found = dpcheck.audit(
        learner[sys.argv[1]], 1.0, pairs=[([0], [1])], isolation=sys.argv[2], max_samples=3_000
    )
    print(found)
    sys.exit(found.status.value != "violated")
"""


@pytest.mark.turns(6)
@pytest.mark.parametrize("door", ["none", "process", "the command line"])
@pytest.mark.parametrize("learner", ["without_noise", "with_a_cache", "too_little_noise"])
def test_an_object_of_a_class_of_its_own_is_the_same_in_a_process_just_started(
    learner: str, door: str, tmp_path: Path
) -> None:
    """The class is imported there and sent as code here, or the other way round: that is no noise that is kept."""
    (tmp_path / "mine.py").write_text(OWN_CLASS)
    command = ["-m", "dpcheck", "audit", f"mine.py:{learner}", "--epsilon", "1", "--records", "0,1", "--size", "1"]
    command += ["--max-samples", "3000"]
    ran = subprocess.run(
        [sys.executable, *(command if door == "the command line" else ["mine.py", learner, door])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == (1 if door == "the command line" else 0), ran.stdout + ran.stderr
    assert "VIOLATED" in ran.stdout
