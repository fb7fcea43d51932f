"""Samplers that lie: correct calls are never accused whatever ``sample`` does, and leaky calls do not hide behind it.

Everything is at a level of 1e-9; kinds that must be found are found with many times the draws that they need.
"""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import dpcheck
from dpcheck import Status
from dpcheck.execution.answers import Answers
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Verdict
from dpcheck.privacy.run.allocation import calls_to_reach
from dpcheck.privacy.run.bulk_agreement import ONE_NUMBER, SHARE_MOST, Sampling
from dpcheck.privacy.run.call_kinds import CallKinds
from dpcheck.privacy.run.certification import _behind
from dpcheck.privacy.statistics.dependence import Dependence
from dpcheck.privacy.statistics.game import learn, new_game
from dpcheck.privacy.statistics.observations import observe
from dpcheck.privacy.statistics.same_law import SameLaw, Slots, smallest_seen
from dpcheck.privacy.statistics.state import PairState
from tests.playing import batch_of
from tests.statistical_tests import LEVEL

ENOUGH = -math.log(LEVEL)
Draw = Callable[[np.random.Generator, int], NDArray[Any]]


def laplace(rng: np.random.Generator, size: int) -> NDArray[Any]:
    return rng.laplace(size=size)


def half(draw: NDArray[Any], size: int) -> NDArray[Any]:
    return np.concatenate([draw, -draw])[:size]


def from_uniform(uniform: NDArray[Any]) -> NDArray[Any]:
    near = np.minimum(uniform, 1.0 - uniform)
    return np.sign(uniform - 0.5) * -np.log(2.0 * near + 1e-300)


def chain(rng: np.random.Generator, size: int) -> NDArray[Any]:
    return from_uniform((rng.random() + np.cumsum(0.4 * rng.random(size))) % 1.0)


def strata(rng: np.random.Generator, size: int) -> NDArray[Any]:
    return from_uniform(rng.permutation((np.arange(size) + rng.random(size)) / size))


def centred(rng: np.random.Generator, size: int) -> NDArray[Any]:
    draws = rng.laplace(size=size)
    return draws - draws.mean()


def first_is_special(rng: np.random.Generator, size: int) -> NDArray[Any]:
    return np.concatenate([[50.0], rng.laplace(size=size - 1)])


#: The law of their draws is (but for the last) the right one; only together they are not what calls are.
DEPENDENT: dict[str, Draw] = {
    "blocks of ten": lambda rng, n: np.repeat(laplace(rng, n // 10 + 1), 10)[:n],
    "pairs": lambda rng, n: np.repeat(laplace(rng, n // 2 + 1), 2)[:n],
    "tiled": lambda rng, n: np.tile(laplace(rng, n // 2 + 1), 2)[:n],
    "shuffled copies": lambda rng, n: rng.permutation(np.repeat(laplace(rng, n // 2 + 1), 2))[:n],
    "antithetic halves": lambda rng, n: half(laplace(rng, n // 2 + 1), n),
    "antithetic, shuffled": lambda rng, n: rng.permutation(half(laplace(rng, n // 2 + 1), n)),
    "stratified": strata,
    "low discrepancy": lambda rng, n: from_uniform((rng.random() + np.arange(n) * 0.6180339887498949) % 1.0),
    "sorted": lambda rng, n: np.sort(laplace(rng, n)),
    "a common shift": lambda rng, n: laplace(rng, n) + 0.5 * rng.normal(),
    "a chain": chain,
    "one draw": lambda rng, n: np.full(n, rng.laplace()),
    "centred": centred,
    "the first is special": first_is_special,
    "without replacement": lambda rng, n: rng.permutation(np.arange(n) % 10),
}
#: Independent draws, of laws that are hard to look at: ties, heavy tails, constants, rare answers, many columns.
INDEPENDENT: dict[str, Draw] = {
    "laplace": laplace,
    "bits": lambda rng, n: rng.integers(0, 2, n),
    "rare": lambda rng, n: (rng.random(n) < 0.01).astype(int),
    "constant": lambda rng, n: np.zeros(n),
    "cauchy": lambda rng, n: rng.standard_cauchy(n),
    "many values": lambda rng, n: rng.integers(0, 2000, n),
    "vectors": lambda rng, n: rng.normal(size=(n, 9)),
    "some missing": lambda rng, n: np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
    "mostly missing": lambda rng, n: np.where(rng.random((n, 3)) < 0.9, np.nan, rng.normal(size=(n, 3))),
    "infinite": lambda rng, n: rng.choice([-np.inf, 0.0, np.inf], n),
    "no numbers": lambda rng, n: np.array([f"answer {i}" for i in rng.integers(0, 40, n)]),
}


def watched(draw: Draw, rng: np.random.Generator, *, analyses: int = 30, size: int = 150) -> float:
    """The most evidence of dependence at any look."""
    seen, most = Dependence(), 0.0
    for _ in range(analyses):
        one, other = (observe(Answers(list(draw(rng, size))), "real") for _ in range(2))
        seen = seen.see(one, other, rng)
        most = max(most, seen.evidence)
    return most


@pytest.mark.some(3)
@pytest.mark.parametrize("kind", DEPENDENT)
def test_draws_that_depend_on_each_other_are_found_whatever_the_lag(kind: str, rng: np.random.Generator) -> None:
    assert watched(DEPENDENT[kind], rng, analyses=60) > ENOUGH


@pytest.mark.turns(4)
@pytest.mark.parametrize("kind", INDEPENDENT)
def test_independent_draws_are_left_alone(kind: str, rng: np.random.Generator) -> None:
    assert watched(INDEPENDENT[kind], rng) < ENOUGH


def test_missing_numbers_are_like_others_at_the_ends(rng: np.random.Generator) -> None:
    assert watched(INDEPENDENT["mostly missing"], rng) < ENOUGH


def test_dependence_that_only_large_samples_have_is_found_when_they_come(rng: np.random.Generator) -> None:
    seen = Dependence()
    for size in (*([100] * 30), *([1000] * 4)):
        draw = laplace if size == 100 else DEPENDENT["antithetic halves"]
        one, other = (observe(Answers(draw(rng, size)), "real") for _ in range(2))
        seen = seen.see(one, other, rng)
    assert seen.evidence > ENOUGH
    assert seen.words == "their order matters"


def compared(calls: Draw, draws: Draw, rng: np.random.Generator, *, side: Draw | None = None) -> SameLaw:
    """4,000 slots in four analyses; ``side`` draws on D what ``draws`` draws on D'."""
    law = SameLaw()
    for _ in range(4):
        drawn, on_left = rng.integers(0, 2, (2, 1000)).astype(np.int8)
        values = np.where(drawn == 1, draws(rng, 1000), calls(rng, 1000))
        if side is not None:
            values = np.where((drawn == 1) & (on_left == 1), side(rng, 1000), values)
        guesses = np.sign(values).astype(np.int8)
        law = law.see(Slots(observe(Answers(values), "real"), drawn, on_left, guesses), "its sign")
    return law


@pytest.mark.parametrize("kind", ["laplace", "bits", "rare", "constant", "cauchy", "many values"])
def test_one_law_agrees_with_itself(kind: str, rng: np.random.Generator) -> None:
    assert compared(INDEPENDENT[kind], INDEPENDENT[kind], rng).evidence < ENOUGH


def test_other_laws_are_found_and_the_difference_is_told(rng: np.random.Generator) -> None:
    narrow = compared(laplace, lambda r, n: 0.3 * laplace(r, n), rng)
    assert narrow.evidence > ENOUGH
    assert "draws of sample" in narrow.difference(lambda place: "output")
    assert "calls" in narrow.difference(lambda place: "output")
    # draws on D have another law, those on D' have not
    assert compared(laplace, laplace, rng, side=lambda r, n: 0.15 * laplace(r, n)).evidence > ENOUGH
    # values from a pool: the law is nearly right, but its values come again
    pool = rng.laplace(size=500)
    again = compared(laplace, lambda r, n: r.choice(pool, n), rng)
    assert again.evidence > ENOUGH
    assert "an answer given before" in again.difference(lambda place: "output")


def test_a_comparison_says_what_it_would_have_seen(rng: np.random.Generator) -> None:
    """Power: a difference as large as stated is seen in 19 of 20; of 20 runs at least 10 with 1 - 1e-9."""
    least = smallest_seen(3000, ENOUGH)

    def tilted(r: np.random.Generator, n: int) -> NDArray[Any]:
        return np.where(r.random(n) < 0.5 + least, 1, -1) * np.abs(laplace(r, n))

    found = sum(compared(laplace, tilted, rng).evidence > ENOUGH - math.log(4.0 * 2.0 * 12.0) for _ in range(20))
    assert found >= 10
    assert smallest_seen(30_000, ENOUGH) < least < smallest_seen(300, ENOUGH)


@dataclass(frozen=True)
class Sampled:
    """Laplace noise of a scale in its calls, and something else in ``sample``."""

    draw: Draw
    scale: float = 1.0

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(dataset[0]) + self.scale * float(rng.laplace())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        return float(dataset[0]) + self.draw(rng, size)


def audited(learner: Any, seed: int, **changes: Any) -> Verdict:
    settled = {"alpha": LEVEL, "max_samples": 40_000, "max_seconds": math.inf, "isolation": "none"}
    return dpcheck.audit(learner, 1.0, **({"pairs": [([0.0], [1.0])], "seed": seed} | settled | changes))


@pytest.mark.turns(4)
@pytest.mark.parametrize("scale", [0.6, 1.6])
def test_another_noise_in_sample_is_a_failure_and_no_leak(scale: float, seed: int) -> None:
    verdict = audited(Sampled(lambda rng, n: scale * laplace(rng, n)), seed)
    assert verdict.status is Status.LEARNER_FAILED
    assert "sample" in verdict.failure


@pytest.mark.turns(6)
@pytest.mark.parametrize("kind", ["blocks of ten", "shuffled copies", "stratified"])
def test_dependent_draws_are_a_failure_and_no_leak(kind: str, seed: int) -> None:
    verdict = audited(Sampled(DEPENDENT[kind]), seed)
    assert verdict.status is Status.LEARNER_FAILED
    assert "sample" in verdict.failure


@pytest.mark.turns(4)
def test_leaky_calls_do_not_hide_behind_a_good_sample(seed: int) -> None:
    """True epsilon 1.43 of the calls; the default budget is a million."""
    verdict = audited(Sampled(laplace, scale=0.7), seed, max_samples=200_000)
    assert verdict.status in (Status.VIOLATED, Status.LEARNER_FAILED)


@pytest.mark.turns(6)
def test_a_witness_counts_calls_only_and_a_clean_verdict_says_how_many(seed: int) -> None:
    verdict = audited(Sampled(laplace), seed, max_samples=60_000)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    (found,) = (finding.detail for finding in verdict.findings if finding.kind == "separate calls")
    calls = int(found.split()[0].replace(",", ""))
    # at the boundary of its claim one seed in a hundred looks like a leak for a while, which is worth more calls ...
    assert 0.09 * 60_000 < calls < (SHARE_MOST + 0.02) * 60_000
    # ... well within it none does, and three of four outputs are draws
    within = audited(Sampled(lambda rng, n: 4.0 * laplace(rng, n), scale=4.0), seed, max_samples=60_000)
    (said,) = (finding.detail for finding in within.findings if finding.kind == "separate calls")
    assert 0.09 * 60_000 < int(said.split()[0].replace(",", "")) < 0.25 * 60_000
    assert "total variation above" in found
    assert verdict.witness is not None
    assert verdict.witness.counts.calls <= calls
    # a sampler that leaks a little more than its calls would: too near to be told apart, and no verdict on the calls
    near = audited(Sampled(lambda rng, n: 0.97 * laplace(rng, n)), seed, max_samples=40_000)
    assert near.status is not Status.VIOLATED


@pytest.mark.parametrize(
    ("lacking", "left", "evidence", "share"),
    [
        (0, 100, 0.0, 0.1),
        (50, 100, 0.0, 0.5),
        (51, 100, 0.0, 0.8),
        (80, 100, 0.0, 0.8),
        (81, 100, 0.0, 1.0),
        (0, 100, 4.0, 0.8),
        (81, 100, 4.0, 0.8),
    ],
)
def test_draws_are_made_of_what_calls_leave(lacking: int, left: int, evidence: float, share: float) -> None:
    assert Sampling().share(0, 1.0, LEVEL, evidence, lacking, left) == share


@pytest.mark.turns(6)
def test_where_outputs_are_scarce_a_learner_with_a_sample_is_decided_as_one_without(seed: int) -> None:
    """Draws took outputs that the pairs were planned with: what was asked for would not have been caught on them."""
    pairs = [([0.0, float(other)], [1.0, float(other)]) for other in range(4)]
    budget = calls_to_reach(1.0, 0.0, 2.0, LEVEL, ONE_NUMBER, len(pairs))
    verdict = audited(Sampled(lambda rng, n: 1.5 * laplace(rng, n), scale=1.5), seed, pairs=pairs, max_samples=budget)
    assert verdict.pairs_tried == len(pairs)
    assert verdict.status is Status.NO_VIOLATION_FOUND


def test_pairs_that_lack_calls_come_before_one_that_had_half_of_them() -> None:
    """Analyses of a leading pair are of up to 10,000 calls: those promoted late were left with a few thousand."""

    def of(calls: int) -> PairState:
        coins = (np.arange(40) % 2).astype(np.int8)
        game = learn(new_game(ONE_NUMBER, 1.0, 0.0), batch_of(np.arange(40.0), coins))
        watched = tuple(replace(feature, watched=calls - 32) for feature in game.features)
        return replace(PairState.of(Pair([0], [1], "")), weight=0.1, game=replace(game, calls=calls, features=watched))

    pairs = [of(50_000), of(6_000), of(4_000)]
    run: Any = SimpleNamespace(state=SimpleNamespace(pairs=pairs), needed_calls=lambda *_: 5_000)
    assert _behind(run, range(3)) == 2
    run.needed_calls = lambda *_: 3_000  # has what it needs
    assert _behind(run, range(3)) is None
    run.needed_calls = lambda *_: 50_000
    run.state.pairs = [of(15_000), of(6_000), of(6_000)]  # the leading one had less than half more
    assert _behind(run, range(3)) is None


def test_a_clean_verdict_says_when_sample_was_not_used(seed: int) -> None:
    """So few calls are left that comparing the two would cost too much of them: a lying sample does no harm."""
    verdict = audited(Sampled(lambda rng, n: np.repeat(laplace(rng, 1), n)), seed, max_samples=2_000)
    assert verdict.status is not Status.VIOLATED
    (found,) = (finding.detail for finding in verdict.findings if finding.kind == "separate calls")
    assert "all 2,000 calls are separate ones, and nothing is said of its sample" in found


@pytest.mark.turns(4)
@given(st.integers(1, 12), st.sampled_from([0.3, 0.7, 1.0, 1.4]), st.booleans(), st.booleans())
@settings(max_examples=3, deadline=None)
def test_correct_calls_are_never_accused_whatever_sample_does(
    copies: int, scale: float, shuffled: bool, mirrored: bool
) -> None:
    """False alarms: 3 examples at 1e-9 each."""

    def draw(rng: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.repeat(scale * rng.laplace(size=size // copies + 1), copies)[:size]
        values = half(values, size) if mirrored else values
        return rng.permutation(values) if shuffled else values

    assert audited(Sampled(draw), copies, max_samples=40_000).status is not Status.VIOLATED


@pytest.mark.turns(4)
def test_draws_that_refute_without_calls_that_do_are_inconclusive(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing finds the difference: draws alone never end an audit. (The comparisons are switched off.)"""
    from dpcheck.privacy.run import certification
    from dpcheck.privacy.run.bulk_agreement import Sampling

    monkeypatch.setattr(Sampling, "evidence", 0.0)
    monkeypatch.setattr(certification, "agree_with_sample", lambda *given: (0, 0.0))
    verdict = audited(Sampled(lambda rng, n: 0.4 * laplace(rng, n)), seed)
    assert verdict.status is Status.INCONCLUSIVE
    assert "draws of sample speak against the claim" in str([finding.detail for finding in verdict.findings])
    assert verdict.epsilon_lower <= 1.0


def test_a_bound_that_calls_do_not_share_is_not_reported(seed: int) -> None:
    pairs = [([0.0], [1.0])]
    narrow = Sampled(lambda rng, n: 0.6 * laplace(rng, n))
    lied = dpcheck.measure(narrow, pairs=pairs, max_samples=60_000, isolation="none", seed=seed)
    assert "does not follow the law of its calls" in lied.failure or "do not agree" in lied.failure
    assert lied.epsilon_lower == 0.0
    found = dpcheck.measure(Sampled(laplace), pairs=pairs, max_samples=60_000, isolation="none", alpha=LEVEL, seed=seed)
    assert 0.8 < found.epsilon_lower <= 1.0
    assert any(finding.kind == "separate calls" and "alone certify" in finding.detail for finding in found.findings)
    assert found.samples == 60_000


#: What calls show and draws cannot: each makes of one number an output that its draws look like too.
TOLD_BY_CALLS: dict[str, tuple[Callable[[float], Any], Callable[[float], Any]]] = {
    "types of numbers": (float, np.float64),
    "containers": (lambda x: [x], lambda x: (x,)),
    "containers of one number": (lambda x: (x,), lambda x: np.array([x])),
    "named tuples": (lambda x: (x,), lambda x: Named(x)),
    "widths of integers": (lambda x: np.int64(round(x)), lambda x: np.int32(round(x))),
}


class Named(NamedTuple):
    value: float


@dataclass(frozen=True)
class Dressed:
    """A correct ``sample``; its calls dress an output, in a share of the calls, as the record says."""

    kind: str
    share: float = 1.0
    leaking: bool = True

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        plain, other = TOLD_BY_CALLS[self.kind]
        value = float(dataset[0] + rng.laplace())
        second = bool(dataset[0]) if self.leaking else True
        return other(value) if second and rng.random() < self.share else plain(value)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        values = dataset[0] + rng.laplace(size=size)
        if "integers" in self.kind:
            return np.rint(values).astype(np.int64)
        return values if self.kind == "types of numbers" else values[:, None]


@pytest.mark.some(2)
@pytest.mark.parametrize("share", [1.0, 0.3])
@pytest.mark.parametrize("kind", sorted(TOLD_BY_CALLS))
def test_what_calls_say_and_draws_cannot_counts(kind: str, share: float, seed: int) -> None:
    leaky = audited(Dressed(kind, share), seed, max_samples=40_000)
    assert leaky.status is Status.VIOLATED, str(leaky)
    assert leaky.epsilon_lower > 1.0
    fair = audited(Dressed(kind, share, leaking=False), seed, max_samples=40_000)
    assert fair.status not in (Status.VIOLATED, Status.LEARNER_FAILED), str(fair)


@pytest.mark.turns(6)
def test_a_version_that_drops_what_draws_cannot_say_is_caught(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CallKinds, "told", lambda self, seen, answers, numerics: seen)
    assert audited(Dressed("types of numbers"), seed, max_samples=40_000).status is not Status.VIOLATED


def test_an_event_that_calls_alone_show_is_in_words(seed: int) -> None:
    found = audited(Dressed("types of numbers"), seed, max_samples=40_000).witness
    assert found is not None
    assert "a number (numpy.float64)" in found.event


@pytest.mark.turns(6)
def test_warnings_of_calls_count_where_they_are_part_of_the_output(seed: int) -> None:
    class Warns(Dressed):
        def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
            if dataset[0] and rng.random() < 0.5:
                warnings.warn("odd", stacklevel=1)
            return float(dataset[0] + rng.laplace())

    learner = Warns("types of numbers")
    assert audited(learner, seed, max_samples=40_000, warnings="output").status is Status.VIOLATED
    assert audited(learner, seed, max_samples=40_000).status is not Status.VIOLATED


LEARNER = """
import numpy as np

class Typed:
    def __call__(self, dataset, rng):
        value = float(dataset[0]) + rng.laplace()
        return np.float64(value) if dataset[0] else float(value)
    def sample(self, dataset, size, rng):
        return float(dataset[0]) + rng.laplace(size=size)

class Narrow:
    claim = 1.0
    def __call__(self, dataset, rng):
        return float(dataset[0]) + rng.laplace()
    def sample(self, dataset, size, rng):
        return float(dataset[0]) + np.repeat(rng.laplace(size=size // 10 + 1), 10)[:size]
"""


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    ("learner", "status", "said"), [("Narrow", 4, "LEARNER FAILED"), ("Typed", 1, "numpy.float64")]
)
def test_through_the_command_line_a_sample_is_not_believed(
    tmp_path: Path, learner: str, status: int, said: str
) -> None:
    (tmp_path / "mine.py").write_text(LEARNER)
    np.savez(tmp_path / "pairs.npz", left=np.array([[0.0]]), right=np.array([[1.0]]))
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", "audit", f"mine.py:{learner}", "--pairs", "pairs.npz", "--epsilon", "1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert said in ran.stdout, ran.stdout + ran.stderr
    assert ran.returncode == status
