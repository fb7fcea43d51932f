"""Exact audits through the front door: declared laws are compared with calls, then with each other.

Where a law is that of the calls, the comparison of the two is asked for at alpha = 1e-9, as everywhere in this suite.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import AddRemove, ApproxDP, IntegerScores, Law, PureDP, ReplaceOne, Status, by_calls
from dpcheck.model.claims import claim_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import as_target, declares_law
from dpcheck.model.verdict import Stop, Verdict
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo import entries
from dpcheck.parts.zoo.hostile import declaring
from dpcheck.privacy.exact.declared import declared, float_logs
from dpcheck.privacy.exact.fit import DECIDING, Fit, KnownLaw, splits_of
from dpcheck.privacy.run.events import Counted, Finished, PhaseStarted, Started
from tests.statistical_tests import LEVEL, statistical_test

ONE_PAIR = [([0], [1])]


@dataclass(frozen=True)
class Bit:
    """Reports the last bit truly with probability ``keep``; declares it in any form."""

    keep: Any = Fraction(3, 4)
    really: float | None = None

    def __call__(self, dataset: Any, rng: Any) -> int:
        truth = int(dataset[-1])
        chance = float(self.keep) if self.really is None else self.really
        return truth if rng.random() < chance else 1 - truth

    def distribution(self, dataset: Any) -> dict[int, Any]:
        truth = int(dataset[-1])
        return {truth: self.keep, 1 - truth: 1 - self.keep}


@dataclass(frozen=True)
class Vote:
    """The exponential mechanism on how often each of three values occurs."""

    epsilon: Any = 1
    order_blind = True

    def _scores(self, dataset: Any) -> list[int]:
        return [list(dataset).count(value) for value in range(3)]

    def __call__(self, dataset: Any, rng: Any) -> int:
        weights = np.exp(float(self.epsilon) / 2 * np.array(self._scores(dataset)))
        return int(rng.choice(3, p=weights / weights.sum()))

    def distribution(self, dataset: Any) -> Law:
        return Law(range(3), exact=IntegerScores(self.epsilon, self._scores(dataset)))


@dataclass(frozen=True)
class InBalls:
    """A coin whose bias is a ball of the precision of the moment, ``e^e / (1 + e^e)`` away from sharp numbers."""

    sharp: bool = True

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(rng.random() < 1 / (1 + math.exp(-1))) ^ (1 - int(dataset[-1]))

    def distribution(self, dataset: Any) -> dict[int, Any]:
        from flint import arb, ctx

        with ctx.workprec(ctx.prec if self.sharp else 53):
            chance = 1 / (1 + arb(-1).exp())
            truth = int(dataset[-1])
            return {truth: chance, 1 - truth: 1 - chance}


def exactly(learner: Any, claim: Any, **options: Any) -> Verdict:
    data = {} if "neighbours" in options else {"pairs": ONE_PAIR}
    defaults: dict[str, Any] = {"alpha": LEVEL, "isolation": "none", "max_seconds": math.inf, **data}
    verdict = dpcheck.audit(learner, claim, **(defaults | options))
    again = Verdict.from_json(verdict.to_json())
    assert replace(again, record=None) == replace(verdict, record=None)
    return verdict


# --- verdicts


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    ("keep", "claim", "status", "epsilon", "answer"),
    [
        (Fraction(3, 4), PureDP(ratio=3), Status.NO_VIOLATION_FOUND, math.log(3), "holds"),
        (Fraction(3, 4), PureDP(ratio=Fraction(299, 100)), Status.VIOLATED, math.log(3), "violated"),
        (Fraction(1), 5.0, Status.VIOLATED, math.inf, "violated"),
        (Fraction(3, 4), ApproxDP(0.0, Fraction(1, 2)), Status.NO_VIOLATION_FOUND, 0.0, "holds"),
        (Fraction(3, 4), ApproxDP(0.0, Fraction(4999, 10000)), Status.VIOLATED, math.log(10004 / 10000), "violated"),
        (0.75, math.log(3), Status.NO_VIOLATION_FOUND, math.log(3), "equal to within 2^-40"),
        (0.75, math.log(3) - 1e-11, Status.VIOLATED, math.log(3), "violated"),
        (0.75, 1.2, Status.NO_VIOLATION_FOUND, math.log(3), "holds"),
        (Fraction(1, 2), 0.0, Status.NO_VIOLATION_FOUND, 0.0, "holds"),
    ],
)
def test_a_declared_law_is_answered_exactly(
    keep: Any, claim: Any, status: Status, epsilon: float, answer: str, seed: int
) -> None:
    verdict = exactly(Bit(keep), claim, seed=seed)
    assert verdict.status is status
    assert verdict.stop is Stop.EXACT
    assert verdict.exact is not None
    assert verdict.exact.answer == answer
    assert verdict.epsilon_lower == pytest.approx(epsilon, rel=1e-12, abs=1e-12)
    assert "exact" in verdict.method
    assert "About the declared law, over 1 pair" in str(verdict)
    assert verdict.pairs_tried == 1
    assert verdict.samples == verdict.exact.compared > 1000


@dataclass(frozen=True)
class ManyAtTheClaim:
    """Dataset (i, side): one side of the i-th of many random mechanisms whose loss is exactly log 3, or exactly 1."""

    kind: str
    seed: int

    def distribution(self, dataset: Any) -> Any:
        number, side = (int(value) for value in dataset)
        rng = np.random.default_rng([self.seed, number])
        size, base = int(rng.integers(2, 7)), int(rng.integers(1, 10**9))
        if self.kind == "scores":  # two scores are exchanged, and epsilon is 2 over their difference
            scores = [int(score) for score in rng.integers(-6, 7, size)]
            scores[1] = scores[0] + int(rng.integers(1, 9))
            epsilon = Fraction(2, scores[1] - scores[0])
            return Law(range(size), exact=IntegerScores(epsilon, [*scores[:2][:: 1 - 2 * side], *scores[2:]]))
        weights = [*[3 * base, base][:: 1 - 2 * side], *(int(w) for w in rng.integers(1, 10**9, size - 2))]
        law = {output: Fraction(weight, sum(weights)) for output, weight in enumerate(weights)}
        return {output: float(chance) for output, chance in law.items()} if self.kind == "floats" else law

    def __call__(self, dataset: Any, rng: Any) -> int:
        law = self.distribution(dataset)
        if isinstance(law, Law):
            exact = law.exact
            weights = np.exp(float(exact.epsilon) / 2 * (np.array(exact.scores) - max(exact.scores)))
        else:
            weights = np.array([float(chance) for chance in law.values()])
        return int(rng.choice(len(weights), p=weights / weights.sum()))


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("kind", "at", "below"),
    [
        ("fractions", PureDP(ratio=3), PureDP(ratio=3 - Fraction(1, 10**12))),
        ("scores", PureDP(1), PureDP(1 - Fraction(1, 10**12))),
        ("floats", PureDP(ratio=3), PureDP(ratio=3 - Fraction(1, 10**10))),
    ],
)
def test_two_thousand_random_mechanisms_at_their_claim(kind: str, at: Any, below: Any, seed: int) -> None:
    where = {"pairs": [([number, 0], [number, 1]) for number in range(2000)], "seed": seed, "max_samples": 6000}
    verdict = exactly(ManyAtTheClaim(kind, seed), at, **where)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert verdict.exact is not None
    assert verdict.exact.answer == ("equal to within 2^-40" if kind == "floats" else "holds")
    assert verdict.pairs_tried == 2000
    assert verdict.epsilon_lower == pytest.approx(at.epsilon_value, rel=1e-14)
    assert exactly(ManyAtTheClaim(kind, seed), below, **where).status is Status.VIOLATED


def test_the_witness_has_the_output_and_both_probabilities(seed: int) -> None:
    verdict = exactly(Bit(), 1.0, seed=seed, pairs=[([5, 1], [5, 0])])
    assert verdict.witness is not None
    assert verdict.exact is not None
    assert verdict.witness.change == "row 1: 1 replaced by 0"
    shown = {"[5, 1]": verdict.exact.left_probability, "[5, 0]": verdict.exact.right_probability}
    event = verdict.witness.event
    assert event in ("output is 1", "output is 0")
    assert shown == (
        {"[5, 1]": "3/4", "[5, 0]": "1/4"} if event == "output is 1" else {"[5, 1]": "1/4", "[5, 0]": "3/4"}
    )
    text = str(verdict)
    assert f"D = {verdict.witness.left}, D' = {verdict.witness.right}" in text
    assert f"{event}: probability {shown[verdict.witness.left]} on D, {shown[verdict.witness.right]} on D'" in text


def test_balls_are_asked_for_again_until_they_decide(seed: int) -> None:
    claim = PureDP(Fraction(1) - Fraction(1, 10**60))  # the loss is 1: 53 bits cannot tell
    assert exactly(InBalls(), claim, seed=seed).status is Status.VIOLATED
    blunt = exactly(InBalls(sharp=False), claim, seed=seed)
    assert blunt.status is Status.INCONCLUSIVE
    assert blunt.exact is not None
    assert blunt.exact.answer in {f"equal to within 2^-{k}" for k in range(48, 54)}


def test_balls_that_stay_equal_prove_nothing_and_say_what_would(seed: int) -> None:
    verdict = exactly(InBalls(), 1.0, seed=seed)
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.exact is not None
    assert int(verdict.exact.answer.removeprefix("equal to within 2^-")) > 4000
    assert any("IntegerScores" in finding.detail for finding in verdict.findings)
    assert exactly(InBalls(), 1.0001, seed=seed).status is Status.NO_VIOLATION_FOUND


@pytest.mark.turns(4)
def test_pairs_of_a_dataset_are_compared(seed: int) -> None:
    data = {"pairs": None, "dataset": [0, 1, 2, 1], "neighbours": ReplaceOne(records=[0, 1, 2])}
    verdict = exactly(Vote(), 1.0, seed=seed, **data)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.pairs_tried > 4
    assert exactly(Vote(2), 1.0, seed=seed, **data).status is Status.VIOLATED


@pytest.mark.some(1)
@pytest.mark.parametrize("relation", [ReplaceOne, AddRemove])
def test_all_pairs_of_a_domain(relation: Any, seed: int) -> None:
    where = {"neighbours": relation(records=range(3), size=range(1, 5)), "exhaustive": True, "seed": seed}
    verdict = exactly(Vote(), 1.0, **where)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.pairs_tried == {ReplaceOne: 3 * (1 + 3 + 6 + 10), AddRemove: 3 * (1 + 3 + 6 + 10)}[relation]
    assert f"over all {verdict.pairs_tried} pairs of the declared domain" in str(verdict)
    loss = Fraction(verdict.epsilon_lower) - Fraction(1, 10**12)
    assert exactly(Vote(), PureDP(loss), **where).status is Status.VIOLATED


def test_a_learner_that_minds_the_order_gets_every_sequence(seed: int) -> None:
    where = {"neighbours": ReplaceOne(records=[0, 1], size=3), "exhaustive": True, "seed": seed}
    verdict = exactly(Bit(), PureDP(ratio=3), **where)
    assert (verdict.status, verdict.pairs_tried) == (Status.NO_VIOLATION_FOUND, 12)


def test_a_learner_that_minds_the_order_must_not_say_that_it_does_not(seed: int) -> None:
    class Last(Bit):
        order_blind = True

    where = {"neighbours": ReplaceOne(records=[0, 1], size=3), "exhaustive": True, "seed": seed}
    verdict = exactly(Last(), PureDP(ratio=3), **where)
    assert verdict.status is Status.LEARNER_FAILED
    assert re.match(r"It has order_blind = True, but its distribution on \[.*\] and on \[.*\] differ", verdict.failure)


def test_a_leak_on_one_pair_of_a_domain_is_found(seed: int) -> None:
    class OnThreeOnes(Bit):
        def distribution(self, dataset: Any) -> dict[int, Any]:
            keep = Fraction(9, 10) if sum(dataset) == 3 else Fraction(3, 4)
            return {1: keep, 0: 1 - keep}

        def __call__(self, dataset: Any, rng: Any) -> int:
            return int(rng.random() < (0.9 if sum(dataset) == 3 else 0.75))

    where = {"neighbours": ReplaceOne(records=[0, 1], size=4), "exhaustive": True, "seed": seed}
    verdict = exactly(OnThreeOnes(), PureDP(ratio=2), **where)
    assert verdict.status is Status.VIOLATED
    assert verdict.epsilon_lower == pytest.approx(math.log(2.5), rel=1e-14)
    assert verdict.witness is not None
    assert 3 in {verdict.witness.left.count("1"), verdict.witness.right.count("1")}
    assert exactly(OnThreeOnes(), PureDP(ratio=Fraction(5, 2)), **where).status is Status.NO_VIOLATION_FOUND


@pytest.mark.turns(4)
def test_a_worker_gives_the_verdict_of_this_process(seed: int) -> None:
    found = [
        exactly(Vote(), 0.7, neighbours=ReplaceOne(records=range(3), size=5), exhaustive=True, seed=seed, **where)
        for where in ({"isolation": "none"}, {"isolation": "auto"}, {"isolation": "auto", "jobs": 2})
    ]
    assert len({(v.status, v.epsilon_lower, v.samples, v.exact, v.witness) for v in found}) == 1


def test_rounding_of_a_law_in_floats_makes_no_infinite_epsilon(seed: int) -> None:
    verdict = exactly(RandomisedResponse(epsilon=1.0, delta=0.01), ApproxDP(1.0, 0.01), seed=seed)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.epsilon_lower == pytest.approx(1.0, rel=1e-9)
    smaller = exactly(RandomisedResponse(epsilon=1.0, delta=0.01), ApproxDP(1.0, 0.01 * (1 - 1e-11)), seed=seed)
    assert smaller.status is Status.VIOLATED
    assert smaller.epsilon_lower == math.inf
    assert smaller.delta_lower == pytest.approx(0.01, rel=1e-12)


DECLARING = [found for found in entries() if declares_law(as_target(found.learner))]


@pytest.mark.some(2)
@pytest.mark.parametrize("found", DECLARING, ids=lambda found: found.name)
def test_entries_of_the_zoo_that_declare_their_law(found: Any, seed: int) -> None:
    pairs = [(pair.left, pair.right) for pair in found.pairs]
    verdict = exactly(found.learner, found.claim, pairs=pairs, seed=seed)
    assert verdict.status is (Status.NO_VIOLATION_FOUND if found.correct else Status.VIOLATED), str(verdict)
    _, delta = claim_point(found.claim)
    truth = max(found.truth(pair, delta * (1 + 1e-9)) for pair in found.pairs)
    assert verdict.epsilon_lower == pytest.approx(truth, rel=1e-6)


# --- the law against the calls


HOSTILE = {
    declaring.DeclaresAnotherLaw: r"^Its distribution is not the law of its calls \(evidence [\d.e+]+ after",
    declaring.DeclaresTooFewOutputs: "a call on .* gave 1, to which it gives no probability",
    declaring.DeclaresNoLaw: "^Its distribution on .* gives probabilities that sum to 0.9, not to 1. Mend it, or hide",
    declaring.DeclaresANegativeProbability: "gives output 1 the probability -0.25",
    declaring.DeclaresNotANumber: "gives output 0 the probability nan",
    declaring.DeclaresAnythingElse: "must return a mapping output -> probability or a Law, and returned list",
    declaring.RaisesInDistribution: "raised ValueError: no law for 3 records",
    declaring.HangsInDistribution: "^In its distribution the learner gave no sign of life for 0.5 s. The dataset was",
    declaring.LeavesInDistribution: "^In its distribution the learner ended its process with exit status 3",
}


@pytest.mark.some(2)
@pytest.mark.parametrize("learner", HOSTILE, ids=lambda learner: learner.__name__)
def test_a_distribution_that_is_not_the_law_is_a_failure_with_the_evidence(learner: Any, seed: int) -> None:
    verdict = exactly(
        learner, 2.0, pairs=[([0, 1, 0], [0, 1, 1])], seed=seed, isolation="process", call_timeout=0.5, alpha=1e-6
    )
    assert verdict.status is Status.LEARNER_FAILED
    assert verdict.exact is None
    assert "\n" not in verdict.failure
    assert re.search(HOSTILE[learner], verdict.failure), verdict.failure
    audited = dpcheck.audit(
        by_calls(learner), 2.0, pairs=[([0, 1, 0], [0, 1, 1])], isolation="none", max_samples=2000, seed=seed
    )
    assert audited.status is not Status.LEARNER_FAILED


def test_a_wrong_law_on_some_datasets_only_is_caught(seed: int) -> None:
    class Sometimes(Bit):
        def distribution(self, dataset: Any) -> dict[int, Any]:
            return {0: Fraction(1, 2), 1: Fraction(1, 2)}

        def __call__(self, dataset: Any, rng: Any) -> int:
            return int(rng.random() < (0.5 if sum(dataset) < 2 else 0.95))

    where = {"neighbours": ReplaceOne(records=[0, 1], size=3), "exhaustive": True, "seed": seed}
    verdict = exactly(Sometimes(), 1.0, **where)
    assert verdict.status is Status.VIOLATED  # calls alone refute it: their loss is log 10
    assert "is not the law of its calls" in str(verdict)


def evidence_of(learner: Any, seed: int) -> float:
    """The most evidence, over interim analyses, that the law of a learner on one dataset is not that of its calls."""
    law = declared(learner.distribution([1]))
    logs, splits = float_logs(law)[0], splits_of(law.outputs)
    known, fit, most = KnownLaw.of(logs, splits, None, 0.0), Fit(np.array([DECIDING])), -math.inf
    rng = np.random.default_rng([seed, 7])
    for size in (20, 30, 50, 100, 200):
        calls = [learner([1], rng) for _ in range(size)]
        fit.add(0, known, np.array([calls.count(output) for output in law.outputs], dtype=np.float64))
        most = max(most, fit.log_evidence)
    return most


def test_an_honest_law_is_rarely_doubted(seed: int) -> None:
    test = statistical_test("declared law: compared with calls of that law")
    assert test.passes(sum(evidence_of(Bit(), seed + run) >= math.log(20) for run in range(test.runs)))


def test_a_law_with_another_bias_is_doubted(seed: int) -> None:
    test = statistical_test("declared law: compared with calls of that law")
    doubted = sum(evidence_of(Bit(really=0.5), seed + run) >= math.log(20) for run in range(test.runs))
    assert not test.passes(doubted)


# --- by calls, and what is refused


def test_a_law_can_be_hidden(seed: int) -> None:
    verdict = exactly(by_calls(Bit()), 2.0, max_samples=3000, seed=seed)
    assert verdict.exact is None
    assert "label game" in verdict.method
    assert by_calls(Vote, epsilon=2).make().epsilon == 2


@pytest.mark.turns(4)
def test_a_distribution_that_takes_no_dataset_is_none_of_ours(seed: int) -> None:
    class Fitted(Bit):
        distribution = "binomial"  # type: ignore[assignment]  # as estimators name their parameters

    class WithMore(Bit):
        def distribution(self, dataset: Any, size: int) -> Any:  # type: ignore[override]
            raise AssertionError

    for learner in (Fitted(), WithMore()):
        assert not declares_law(as_target(learner))
        assert exactly(learner, 2.0, max_samples=2000, seed=seed).exact is None


def test_an_exact_audit_has_nothing_to_resume(seed: int) -> None:
    verdict = exactly(Bit(), 1.0, seed=seed)
    with pytest.raises(InvalidArgument, match="resume must be None for a learner with distribution"):
        exactly(Bit(), 1.0, seed=seed, resume=verdict)


@pytest.mark.turns(4)
def test_listeners_hear_how_far_it_is(seed: int) -> None:
    heard: list[Any] = []
    where = {"neighbours": ReplaceOne(records=range(3), size=8), "exhaustive": True}
    exactly(Vote(), 1.0, seed=seed, on_event=heard.append, **where)
    assert isinstance(heard[0], Started)
    assert heard[0].pairs == 108
    assert [event.phase for event in heard if isinstance(event, PhaseStarted)] == ["laws", "pairs", "agreement"]
    counted = [event for event in heard if isinstance(event, Counted)]
    assert {event.what for event in counted} >= {"laws", "pairs"}
    assert all(0 < event.done <= event.total for event in counted)
    assert isinstance(heard[-1], Finished)


@pytest.mark.turns(4)
def test_the_clock_leaves_an_enumeration_inconclusive(seed: int) -> None:
    class Slow(Vote):
        def distribution(self, dataset: Any) -> Law:
            import time

            time.sleep(0.02)
            return super().distribution(dataset)

    where = {"neighbours": ReplaceOne(records=range(3), size=12), "exhaustive": True, "max_seconds": 0.5}
    verdict = exactly(Slow(), 1.0, seed=seed, **where)
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.stop is Stop.MAX_SECONDS
    assert verdict.pairs_not_tried > 0


def test_few_calls_are_said_to_be_few(seed: int) -> None:
    verdict = exactly(Bit(), 2.0, max_samples=100, seed=seed)
    assert verdict.samples <= 100
    assert any(finding.kind == "declared law" for finding in verdict.findings)


# --- the command line


LEARNERS = """
from fractions import Fraction

class Bit:
    def __call__(self, dataset, rng):
        return dataset[-1] if rng.random() < 0.75 else 1 - dataset[-1]
    def distribution(self, dataset):
        return {dataset[-1]: Fraction(3, 4), 1 - dataset[-1]: Fraction(1, 4)}

class Liar(Bit):
    def distribution(self, dataset):
        return {0: 0.5, 1: 0.5}

def silent(dataset, rng):
    return 0
"""


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ("Bit --ratio 3 --records 0,1 --size 1..3", 0, "over all 17 pairs of the declared domain"),
        ("Bit --ratio 299/100 --records 0,1 --size 2", 1, "output is "),
        ("Liar --ratio 3 --records 0,1 --size 2", 4, "is not the law of its calls"),
        (
            "silent --epsilon 1 --records 0,1 --size 2",
            2,
            "exhaustive=True wants a learner that declares its law, got mine.py:silent",
        ),
        ("Bit --epsilon 1 --records 0,1", 2, "size must be declared for exhaustive"),
        ("Bit --epsilon 1 --bounds 0,1 --size 2", 2, "records must be finite for exhaustive"),
        ("Bit --epsilon 1 --records 0,1 --size 40", 2, "got 21,990,232,555,520 pairs"),
        ("Bit --epsilon 1 --ratio 3 --records 0,1 --size 2", 2, "--ratio 3 and --epsilon 1 both state the claim"),
        ("Bit --ratio 3/0 --records 0,1 --size 2", 2, "--ratio wants a whole number or a fraction"),
        ("Bit --ratio 3 --records 0,1 --size 3..x", 2, "--size must be a number of records"),
        ("Bit --ratio 3 --records 0,1 --size 2 --dataset x.csv", 2, "--exhaustive makes all pairs"),
    ],
)
def test_the_command_line(arguments: str, status: int, words: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNERS)
    name, *options = arguments.split()
    command = [sys.executable, "-m", "dpcheck", "audit", f"mine.py:{name}", "--exhaustive", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, done.stderr
    assert words in " ".join((done.stdout + done.stderr).split())
    assert status != 2 or len(done.stderr.strip().splitlines()) == 1


@pytest.mark.turns(6)
def test_entries_of_the_zoo_are_audited_by_calls_unless_their_laws_are_asked_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dpcheck", "audit", "zoo:randomised_response", "--max-samples", "3000"]
    by_calling = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "About the declared law" not in by_calling.stdout
    exact = [*command, "--exhaustive", "--records", "0,1", "--size", "3"]
    done = subprocess.run(exact, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert "About the declared law, over all 12 pairs" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr
