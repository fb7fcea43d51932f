"""Audits through the front door: the broken are caught, the correct are not, nothing takes the audit down.

Verdicts on correct learners are asked for at alpha = 1e-9: a wrong one is a false alarm of this suite with at most that
probability. Verdicts on broken ones rest on budgets of many times the calls that the leak needs.
"""

from __future__ import annotations

import math
import re
import secrets
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import ApproxDP, PureDP, ReplaceOne, Status
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import from_sampler
from dpcheck.model.verdict import Finding, Stop, Verdict
from dpcheck.model.verdict.record import verdict_document
from dpcheck.parts.zoo.hostile import answering, bulk, hanging, leaving, raising, randomness
from dpcheck.privacy.run.events import Finished, PhaseStarted, Progress, Started
from dpcheck.privacy.run.limits import LEAST_SAMPLES
from dpcheck.privacy.statistics.detectable import POWER, Detectable, calls_to_catch, detectable_leak, smallest_caught
from dpcheck.privacy.statistics.evidence import Tally, full_stakes, log_e_processes
from tests.statistical_tests import LEVEL, statistical_test

#: One record apart; the sum crosses 1, which is where the hostile learners of the zoo change their behaviour.
PAIR = [(np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0]))]
ONE_PAIR = [([0.0], [1.0])]


def audited(learner: Any, claim: Any = 1.0, **options: Any) -> Verdict:
    defaults = {"pairs": ONE_PAIR, "alpha": LEVEL, "max_samples": 20_000, "isolation": "none", "max_seconds": math.inf}
    return dpcheck.audit(learner, claim, **(defaults | options))


def finding(verdict: Verdict, kind: str) -> Finding:
    return next(f for f in verdict.findings if f.kind == kind)


def kinds(verdict: Verdict) -> set[str]:
    return {f.kind for f in verdict.findings}


class Laplace:
    """Scale 1 on sums of one changed record: exactly 1-DP."""

    claim = PureDP(1.0)

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + rng.laplace(scale=self.scale))


class BulkLaplace(Laplace):
    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        return sum(dataset) + rng.laplace(scale=self.scale, size=size)


# --- the broken are caught, the correct are not ------------------------------------------------------------------


def test_half_the_scale_is_a_violation(seed: int) -> None:
    verdict = audited(Laplace(0.5), seed=seed, max_samples=100_000)
    assert verdict.status is Status.VIOLATED
    assert verdict.stop is Stop.VIOLATION
    assert verdict.samples < 20_000
    assert 1.0 < verdict.epsilon_lower < 2.0  # certified above the claim, and never above the truth
    # at the stop the evidence at delta = 0 is just above the threshold; bets at delta > 0 are weighted otherwise
    assert 0.0 <= verdict.delta_lower <= 1.0 - math.exp(-0.5)  # the true delta at epsilon 1
    if verdict.log_evidence >= -math.log(LEVEL) + math.log(3.0):  # the most that the other weights can cost
        assert verdict.delta_lower > 0.0
    assert verdict.parameter_lower == verdict.epsilon_lower
    assert verdict.log_evidence >= -math.log(LEVEL)
    assert verdict.evidence >= verdict.threshold == 1 / LEVEL
    assert verdict.witness is not None
    assert verdict.witness.change == "row 0: 0 replaced by 1"
    assert "output" in verdict.witness.event
    assert "private" not in str(verdict).lower().replace("1-dp", "")


@pytest.mark.turns(6)
@pytest.mark.parametrize("learner", [Laplace(), BulkLaplace(), Laplace], ids=["calls", "bulk", "factory"])
def test_the_right_scale_is_not(learner: Any, seed: int) -> None:
    verdict = audited(learner, seed=seed)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.stop is Stop.MAX_SAMPLES
    assert verdict.samples == 20_000
    assert verdict.epsilon_lower < 1.0
    assert 1.0 < verdict.detectable_epsilon <= verdict.detect == 2.0
    assert "not a proof of privacy" in str(verdict)


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("sigma", "expected"),
    [(4.0, Status.NO_VIOLATION_FOUND), (1.0, Status.VIOLATED)],
    ids=["enough noise", "too little"],
)
def test_approximate_claims(sigma: float, expected: Status, seed: int) -> None:
    """sigma = 4 gives delta(0.5) = 0.013; sigma = 1 gives delta(0.5) = 0.24 (Balle & Wang 2018).

    At 30,000 calls 1 to 2% of the seeds look for a leak of so rare a shape that the verdict is inconclusive.
    """
    verdict = audited(
        lambda data, rng: sum(data) + rng.normal(scale=sigma), ApproxDP(0.5, 0.02), seed=seed, max_samples=60_000
    )
    assert verdict.status is expected


@pytest.mark.turns(4)
def test_a_function_of_the_data_alone_is_a_violation(seed: int) -> None:
    verdict = audited(lambda data, rng: float(sum(data)), 5.0, seed=seed)
    assert verdict.status is Status.VIOLATED
    assert verdict.epsilon_lower > 5.0


def test_a_constant_is_not(seed: int) -> None:
    verdict = audited(lambda data, rng: 3, 0.1, seed=seed)
    assert verdict.status is not Status.VIOLATED
    assert verdict.epsilon_lower == 0.0


@pytest.mark.some(3)
@pytest.mark.parametrize(
    "learner",
    [
        raising.raises_on_one_neighbour,
        answering.answers_in_the_type_of_the_data,
        lambda d, rng: None if d.sum() > 1 else 1.0,
        lambda d, rng: math.nan if d.sum() > 1 else float(rng.random()),
        lambda d, rng: math.inf if d.sum() > 1 else -math.inf,
        lambda d, rng: [1.0] * int(d.sum()),
        lambda d, rng: np.zeros(3, np.float32 if d.sum() > 1 else np.float64),
        lambda d, rng: {"found": d.sum() > 1},
        lambda d, rng: "yes" if d.sum() > 1 else "no",
        lambda d, rng: (rng.normal(), "yes" if d.sum() > 1 else "no"),
        lambda d, rng: {"noise": rng.normal(), "exact": float(d.sum())},
    ],
    ids=[
        "raises",
        "type",
        "None",
        "NaN",
        "infinity",
        "length",
        "dtype",
        "dictionary",
        "word",
        "in a tuple",
        "in a dictionary",
    ],
)
def test_whatever_differs_between_neighbours_is_a_leak(learner: Any, seed: int) -> None:
    verdict = audited(learner, 1.0, pairs=PAIR, seed=seed)
    assert verdict.status is Status.VIOLATED
    assert verdict.witness is not None


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "learner",
    [
        raising.raises_sometimes,
        answering.answers_none,
        answering.answers_nan,
        answering.answers_infinity,
        answering.answers_ragged,
        answering.answers_huge_numbers,
        answering.answers_unhashable_values,
        answering.answers_itself_in_a_list,
        answering.answers_a_function,
        answering.answers_unpleasant_objects,
        answering.ReusesItsBuffer,
        randomness.spawns_its_generators,
        leaving.prints_much,
    ],
    ids=lambda f: f.__name__,
)
def test_odd_answers_are_no_leak_when_neighbours_get_them_alike(learner: Any, seed: int) -> None:
    verdict = audited(learner, 1.0, pairs=PAIR, seed=seed, max_samples=400)
    assert verdict.status in (Status.INCONCLUSIVE, Status.NO_VIOLATION_FOUND)


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [2, 3])
def test_answers_that_are_longer_now_and_then_are_answers(wide: int, seed: int) -> None:
    """The opening calls saw coordinates; later there may be more of them."""

    def grows(dataset: Any, rng: Any) -> Any:
        return rng.normal(size=wide + (rng.random() < 0.1))

    assert audited(grows, 1.0, seed=seed, max_samples=1500).status in (Status.INCONCLUSIVE, Status.NO_VIOLATION_FOUND)


@pytest.mark.turns(6)
def test_low_order_bits_are_no_violation_of_a_real_valued_claim_and_one_of_an_exact_one(seed: int) -> None:
    """A discrete mechanism in tenths, once added up and once not: equal numbers, other last bits."""

    def tenths(dataset: Any, rng: Any) -> float:
        steps = int(rng.geometric(0.2) - rng.geometric(0.2))
        return 0.1 + steps * 0.1 if dataset[0] else (steps + 1) * 0.1

    assert audited(tenths, 0.1, seed=seed).status is not Status.VIOLATED
    assert audited(tenths, 0.1, seed=seed, numerics="exact").status is Status.VIOLATED
    assert audited(lambda d, rng: {"value": tenths(d, rng)}, 0.1, seed=seed).status is not Status.VIOLATED


# --- learners that fail ------------------------------------------------------------------------------------------


def test_raising_on_every_dataset_is_a_failure_even_with_different_errors() -> None:
    def raises(dataset: Any, rng: Any) -> Any:
        raise (ValueError if dataset[0] else TypeError)("no")

    verdict = audited(raises)
    assert verdict.status is Status.LEARNER_FAILED


def test_a_learner_that_raises_nearly_everywhere_has_not_failed(seed: int) -> None:
    """The first pair gives nothing but errors; another dataset answers, so that there is something to audit."""

    def raises(dataset: Any, rng: Any) -> float:
        if dataset[0] < 5:
            raise ValueError("too small")
        return float(rng.random())

    pairs = [([0.0], [1.0]), ([2.0], [7.0])]
    assert audited(raises, pairs=pairs, seed=seed, max_samples=100_000).status is Status.VIOLATED


def test_one_that_wants_an_array_is_told_how_to_get_one() -> None:
    def clipped(data: Any, rng: np.random.Generator) -> float:
        return float(data.clip(0, 1).sum() + rng.laplace())

    where: dict[str, Any] = {"neighbours": ReplaceOne(records=(0.0, 1.0)), "isolation": "none", "max_samples": 2000}
    refused = dpcheck.audit(clipped, 1.0, **where)
    assert refused.status is Status.LEARNER_FAILED
    assert "a list (form 'table' hands over an array)" in refused.failure
    assert "(an array: --form table; in Python form='table')" in str(refused)
    assert dpcheck.audit(clipped, 1.0, form="table", **where).status is Status.INCONCLUSIVE


def test_a_learner_that_always_raises_has_failed() -> None:
    verdict = audited(raising.raises_always, pairs=PAIR)
    assert verdict.status is Status.LEARNER_FAILED
    assert verdict.stop is Stop.LEARNER
    assert "raises ValueError('row 3 is bad') on every dataset tried" in verdict.failure
    assert (verdict.epsilon_lower, verdict.delta_lower) == (0.0, 0.0)
    assert verdict.failure in str(verdict)


@pytest.mark.turns(4)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_learner_that_hangs_has_failed_in_time(isolation: str) -> None:
    began = time.monotonic()
    verdict = audited(hanging.hangs, pairs=PAIR, call_timeout=0.5, isolation=isolation)
    assert verdict.status is Status.LEARNER_FAILED
    assert time.monotonic() - began < 30.0
    assert "The dataset was" in verdict.failure


def test_a_learner_that_hangs_on_one_neighbour_terminates_differently() -> None:
    verdict = audited(hanging.hangs_on_one_neighbour, pairs=PAIR, call_timeout=0.5)
    assert verdict.status is Status.LEARNER_FAILED
    assert "terminates differently" in kinds(verdict)


def test_a_learner_whose_process_dies_has_failed() -> None:
    from dpcheck.parts.zoo.hostile import dying

    verdict = audited(dying.dies_on_one_neighbour, pairs=PAIR, isolation="process")
    assert verdict.status is Status.LEARNER_FAILED
    assert "terminates differently" in kinds(verdict)


@pytest.mark.turns(4)
def test_a_learner_that_hangs_now_and_then_is_not_said_to_end_differently_on_a_neighbour(tmp_path: Path) -> None:
    calls = tmp_path / "calls"

    def hangs_later(dataset: Any, rng: np.random.Generator) -> float:
        with calls.open("a") as file:
            file.write("x")
        if calls.stat().st_size > 300:
            time.sleep(60.0)
        return float(sum(dataset) + rng.laplace())

    verdict = audited(hangs_later, pairs=PAIR, call_timeout=0.5)
    assert verdict.status is Status.LEARNER_FAILED
    assert "It had answered there before" in verdict.failure
    assert "terminates differently" not in kinds(verdict)


class KeepsItsLabel:
    """Answers with the sum of the last dataset it saw, whatever it is given now: state carried between calls."""

    def __init__(self) -> None:
        self.last: float | None = None

    def __call__(self, dataset: Any, rng: Any) -> float:
        answer = 0.0 if self.last is None else self.last
        self.last = answer + rng.normal()
        return self.last


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    ("learner", "words"),
    [
        (randomness.RemembersItsFirstAnswer, "depend on each other, its runs are not fresh"),
        (randomness.RemembersItsFirstAnswer(), "depend on each other, its runs are not fresh"),
        (randomness.CountsItsCalls, "depend on each other, counter or buffer of its own starts again"),
        (KeepsItsLabel, "depend on each other, its runs are not fresh"),
    ],
    ids=["remembers, a factory", "remembers, an instance", "counts", "walks"],
)
def test_state_carried_between_calls_is_a_failure_and_no_violation(learner: Any, words: str, seed: int) -> None:
    verdict = audited(learner, pairs=PAIR, seed=seed, alpha=1e-6)
    assert verdict.status is Status.LEARNER_FAILED
    assert all(part in verdict.failure for part in words.split(", "))


class SamplesFarAway(Laplace):
    """Its ``sample`` is shifted, on all datasets alike: no leak, and not what its calls do."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        return 5.0 + sum(dataset) + rng.laplace(size=size)


@pytest.mark.turns(4)
@pytest.mark.parametrize("learner", [bulk.ReusesOneDraw, SamplesFarAway], ids=lambda f: f.__name__)
def test_a_sample_that_is_not_what_it_claims_is_a_failure_and_no_violation(learner: Any, seed: int) -> None:
    verdict = audited(learner, pairs=PAIR, seed=seed, max_samples=40_000)
    assert verdict.status is Status.LEARNER_FAILED
    assert "sample" in verdict.failure


def test_a_sample_of_a_law_only_a_little_different_is_never_a_violation(seed: int) -> None:
    """Squares of uniform draws: whether it is found out or not, neighbours are alike."""
    assert audited(bulk.SamplesAnotherLaw, pairs=PAIR, seed=seed, max_samples=3000).status is not Status.VIOLATED


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "learner", [bulk.SamplesTooFew, bulk.SamplesNothing, bulk.RaisesInSample], ids=lambda f: f.__name__
)
def test_a_sample_that_gives_no_outputs_is_a_failure_and_nothing_worse(learner: Any, seed: int) -> None:
    assert audited(learner, pairs=PAIR, seed=seed, max_samples=40_000).status is Status.LEARNER_FAILED


@pytest.mark.turns(4)
def test_a_sampler_is_a_learner(seed: int) -> None:
    right = from_sampler(lambda data, size, rng: sum(data) + rng.laplace(size=size))
    wrong = from_sampler(lambda data, size, rng: sum(data) + rng.laplace(scale=0.5, size=size))
    assert audited(right, seed=seed).status is Status.NO_VIOLATION_FOUND
    assert audited(wrong, seed=seed).status is Status.VIOLATED


# --- findings ----------------------------------------------------------------------------------------------------


def test_what_it_does_besides_answering_is_a_finding(seed: int) -> None:
    few = {"pairs": PAIR, "max_samples": 60, "seed": seed}
    assert finding(audited(leaving.mutates_its_dataset, **few), "changes its input").detail
    printed = finding(audited(leaving.prints_much, **few), "prints")
    assert re.search(r"it wrote [\d,]+ bytes", printed.detail)
    ignores = audited(lambda d, rng: secrets.randbelow(10**6) / 10**6, **few)
    assert finding(ignores, "ignores rng").detail.startswith("it did not draw from the generator it was given")
    assert not ignores.reproducible
    clean = audited(lambda d, rng: float(rng.random()), **few)
    assert not {"changes its input", "prints", "ignores rng"} & kinds(clean)
    assert clean.reproducible
    assert "ignores rng" not in kinds(audited(randomness.spawns_its_generators, **few))


@pytest.mark.some(2)
@pytest.mark.parametrize("answer", [None, 3.0, (0, "a"), np.zeros(2)], ids=str)
@pytest.mark.parametrize("isolation", ["none", "process"])
def test_a_learner_with_one_output_is_told_so(answer: Any, isolation: str) -> None:
    """It fails nothing: some learner may always answer the same."""
    few = {"pairs": PAIR, "max_samples": 3_000, "isolation": isolation, "detect": 4.0}
    found = audited(lambda data, rng: answer, **few)
    assert found.status is Status.NO_VIOLATION_FOUND
    told = finding(found, "one output").detail
    assert told.startswith(f"every one of {found.samples:,} outputs was ")
    assert ("was None: " in told) == (answer is None)
    once = [answer, 1.0]
    assert "one output" not in kinds(audited(lambda data, rng: once[int(rng.random() < 0.05)], **few))


def test_few_outputs_that_are_alike_are_no_finding() -> None:
    assert "one output" not in kinds(audited(lambda data, rng: 3.0, pairs=PAIR, max_samples=100))


def test_a_learner_that_writes_into_its_dataset_gets_a_fresh_one_each_time(seed: int) -> None:
    """It answers what it found in the first row, then overwrites it: with fresh copies there is nothing to see."""
    verdict = audited(leaving.mutates_its_dataset, pairs=PAIR, seed=seed, max_samples=1000)
    assert verdict.status is not Status.VIOLATED
    assert PAIR[0][0].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.turns(6)
def test_a_hard_coded_seed_is_a_violation_where_the_data_show(seed: int) -> None:
    def seeded(dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + np.random.default_rng(0).laplace())

    verdict = audited(seeded, 1.0, seed=seed)
    assert verdict.status is Status.VIOLATED
    assert "ignores rng" in kinds(verdict)
    assert audited(randomness.has_its_own_seed, 1.0, pairs=PAIR, seed=seed).status is not Status.VIOLATED


@pytest.mark.turns(6)
def test_warnings_are_part_of_the_answer_where_asked_for(seed: int) -> None:
    import warnings

    def warns_on_one(dataset: Any, rng: Any) -> float:
        if dataset[0]:
            warnings.warn("careful", UserWarning, stacklevel=1)
        return float(rng.random())

    asked = {"seed": seed, "warnings": "output"}
    assert audited(warns_on_one, **asked).status is Status.VIOLATED  # though no two answers are alike
    assert audited(lambda d, rng: 0.0 * warns_on_one(d, rng), **asked).status is Status.VIOLATED
    masked = audited(leaving.warns, pairs=PAIR, max_samples=400, **asked)  # numbers in messages are masked
    assert masked.status is not Status.VIOLATED


# --- pairs and datasets ------------------------------------------------------------------------------------------


@pytest.mark.turns(4)
def test_a_leak_on_one_of_many_pairs_is_found(seed: int) -> None:
    """Nine pairs that show nothing and one that shows all."""
    pairs = [([float(i)], [float(i) + 0.1]) for i in range(9)] + [([0.0], [50.0])]
    verdict = audited(Laplace(), 1.0, pairs=pairs, seed=seed, max_samples=300_000)
    assert verdict.status is Status.VIOLATED
    assert verdict.witness is not None
    assert verdict.witness.change == "row 0: 0 replaced by 50"
    assert (verdict.pairs_tried, verdict.pairs_not_tried) == (10, 0)


def test_many_correct_pairs_are_not_accused(seed: int) -> None:
    verdict = audited(Laplace(), 1.0, pairs=[([float(i)], [float(i) + 1.0]) for i in range(5)], seed=seed)
    assert verdict.status in (Status.NO_VIOLATION_FOUND, Status.INCONCLUSIVE)
    assert verdict.epsilon_lower < 1.0


@pytest.mark.turns(4)
def test_given_pairs_the_budget_cannot_bring_anywhere_are_explored(seed: int) -> None:
    pairs = [([float(i)], [float(i) + 1.0]) for i in range(200)]
    verdict = audited(Laplace(), 1.0, pairs=pairs, seed=seed)
    assert verdict.pairs_tried + verdict.pairs_not_tried == 200
    assert 0 < verdict.pairs_tried < 100
    assert "200 pairs explored" in finding(verdict, "search").detail
    assert f"{verdict.pairs_not_tried} more only explored" in str(verdict)
    assert verdict.status is not Status.VIOLATED


@pytest.mark.some(2)
@pytest.mark.parametrize("calls", [1_500, 3_000, 20_000])
@pytest.mark.parametrize("place", [0, 3, 7])
def test_a_record_given_away_on_one_of_the_given_pairs_is_found_with_few_calls(
    calls: int, place: int, seed: int
) -> None:
    def learner(dataset: Any, rng: np.random.Generator) -> float:
        return float(rng.laplace()) + (100.0 if dataset[0] == place + 0.5 else 0.0)

    pairs = [([float(i)], [i + 0.5]) for i in range(8)]
    verdict = audited(learner, 1.0, pairs=pairs, seed=seed, max_samples=calls, detect=4.0)
    assert verdict.status is Status.VIOLATED, str(verdict)
    assert verdict.witness is not None
    assert verdict.witness.change == f"row 0: {place} replaced by {place + 0.5}"


@pytest.mark.turns(6)
@pytest.mark.parametrize("calls", [100, 300, 700])
def test_given_pairs_that_nobody_looked_at_are_not_cleared(calls: int, seed: int) -> None:
    pairs = [([float(i)], [i + 1.0]) for i in range(8)]
    verdict = audited(Laplace(), 1.0, pairs=pairs, seed=seed, max_samples=calls, detect=1e9)
    assert verdict.status is Status.INCONCLUSIVE
    assert "of 8 pairs" in finding(verdict, "pairs not tried").detail


@pytest.mark.turns(6)
@pytest.mark.parametrize("way", ["an iterator", "a list of it", "another kind", "a text"])
def test_outputs_of_pairs_that_were_only_explored_are_looked_at_or_named(way: str, seed: int) -> None:
    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        noise, record = float(rng.laplace()), int(dataset[0] == 7.5)
        if not 7.0 <= dataset[0] <= 7.5:
            return noise
        bit = 2 * int(rng.integers(0, 2**40)) + record
        return {
            "an iterator": iter([record]),
            "a list of it": [iter([record])],
            "another kind": {"noise": noise, "bit": bit},
            "a text": f"{noise} {'ab'[record]}",
        }[way]

    pairs = [([float(i)], [i + 0.5]) for i in range(12)]
    verdict = audited(learner, 1.0, pairs=pairs, seed=seed, max_samples=3_000, detect=4.0)
    assert verdict.status in (Status.INCONCLUSIVE, Status.VIOLATED), str(verdict)
    assert "not looked at" in [one.kind for one in verdict.findings] or verdict.status is Status.VIOLATED


@pytest.mark.turns(6)
@pytest.mark.parametrize("raised", [False, True])
def test_an_unread_output_that_comes_now_and_then_among_numbers_is_named(raised: bool, seed: int) -> None:
    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        if rng.random() < 0.03:
            if raised:
                raise ValueError(iter([dataset[0]]))
            return iter([dataset[0]])
        return float(rng.laplace())

    verdict = audited(learner, 1.0, pairs=[([0], [1])], seed=seed, max_samples=1_500, detect=30.0)
    assert verdict.status is Status.INCONCLUSIVE
    assert "list_iterator" in finding(verdict, "not looked at").detail


def test_an_audit_that_chose_among_given_pairs_goes_on(seed: int) -> None:
    pairs = [([float(i)], [i + 1.0]) for i in range(8)]
    limits: dict[str, Any] = {"pairs": pairs, "seed": seed, "detect": 4.0}
    first = audited(Laplace(), 1.0, max_samples=3_000, **limits)
    longer = audited(Laplace(), 1.0, max_samples=6_000, resume=first, **limits)
    assert longer.samples > first.samples
    assert (longer.pairs_tried, longer.pairs_not_tried) == (first.pairs_tried, first.pairs_not_tried)
    for others in ([([9.0], [9.5])] * 8, [*pairs, ([9.0], [9.5])], pairs[:-1], [*pairs[1:], ([9.0], [9.5])]):
        with pytest.raises(InvalidArgument, match="must be of an audit that chose among the same pairs"):
            audited(Laplace(), 1.0, max_samples=6_000, resume=first, **{**limits, "pairs": others})


def test_an_audit_that_goes_on_says_of_pairs_explored_what_the_first_one_said(seed: int) -> None:
    limits: dict[str, Any] = {"pairs": [([float(i)], [i + 1.0]) for i in range(50)], "seed": seed, "detect": 4.0}
    first = audited(Laplace(), 1.0, max_samples=1_500, **limits)
    longer = audited(Laplace(), 1.0, max_samples=4_000, resume=first, **limits)
    for kind in ("search", "pairs not tried"):
        assert finding(longer, kind) == finding(first, kind)
    assert longer.status is Status.INCONCLUSIVE


@pytest.mark.turns(6)
@pytest.mark.parametrize("numbers", [2, 10])
def test_noise_of_few_seeds_is_told_by_outputs_that_come_again(numbers: int, seed: int) -> None:
    """Each of 4,096 arrays comes on one side alone; none of the first outputs comes twice, and none is bet on alone."""

    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        noise = np.random.default_rng(int(rng.integers(2**11))).laplace(scale=2.0, size=numbers)
        return noise + dataset[0] * (np.arange(numbers) == 0)

    verdict = audited(learner, 1.0, pairs=[([0, 1], [1, 1])], max_samples=12_000, seed=seed)
    assert verdict.status is Status.VIOLATED, str(verdict)


def test_an_audit_goes_on_with_the_same_learner_alone(seed: int) -> None:
    """Two lambdas of a notebook have one name, and so has a learner before and after it was edited."""
    limits: dict[str, Any] = {"pairs": [([0, 1], [1, 1])], "seed": seed}
    first = audited(lambda data, rng: float(sum(data) + rng.laplace()), 1.0, max_samples=1_000, **limits)
    same = audited(lambda data, rng: float(sum(data) + rng.laplace()), 1.0, max_samples=1_500, resume=first, **limits)
    assert same.samples > first.samples
    with pytest.raises(InvalidArgument, match="resume must be of an audit of the same learner"):
        audited(lambda data, rng: float(data[0]), 1.0, max_samples=1_500, resume=first, **limits)
    other = audited(Laplace(), 1.0, max_samples=1_000, **limits)
    with pytest.raises(InvalidArgument, match="resume must be of an audit of the same learner"):
        audited(Laplace(0.5), 1.0, max_samples=1_500, resume=other, **limits)
    assert other.record is not None
    before = replace(other.record, learner="")  # of a record without the field nothing is known
    assert audited(Laplace(0.9), 1.0, max_samples=1_500, resume=before, **limits).samples > other.samples


@pytest.mark.turns(6)
def test_pairs_are_made_from_a_dataset_under_replace_one(seed: int) -> None:
    dataset = np.array([0.0, 0.5, 1.0])
    verdict = audited(Laplace(0.5), 1.0, pairs=None, dataset=dataset, neighbours=ReplaceOne((0.0, 1.0)), seed=seed)
    assert verdict.status is Status.VIOLATED
    assert verdict.relation == "replace-one"
    assert audited(Laplace(), 1.0, pairs=None, dataset=dataset, seed=seed, max_samples=3000).relation == "replace-one"
    assert dataset.tolist() == [0.0, 0.5, 1.0]


def test_given_pairs_are_held_against_the_relation() -> None:
    with pytest.raises(InvalidArgument, match=r"pair 1 .*differs in 2 records"):
        audited(Laplace(), 1.0, pairs=[([0.0, 0.0], [1.0, 1.0])], neighbours=ReplaceOne((0.0, 1.0)))
    assert audited(Laplace(), 1.0, max_samples=50).relation == "neighbours on your word"


def test_claim_and_relation_come_from_the_learner(seed: int) -> None:
    class Promising(Laplace):
        neighbours = ReplaceOne((0.0, 1.0))

    verdict = audited(Promising, None, seed=seed, max_samples=50)
    assert (verdict.claim, verdict.relation) == (PureDP(1.0), "replace-one")


# --- stopping ----------------------------------------------------------------------------------------------------


def test_with_detect_given_it_stops_when_such_a_leak_would_have_been_caught(seed: int) -> None:
    verdict = audited(Laplace(), 1.0, detect=4.0, seed=seed)
    assert verdict.stop is Stop.POWER
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.samples < 5000
    assert verdict.detectable_epsilon <= verdict.detect == 4.0
    assert "with probability 0.9999" in str(verdict)


@pytest.mark.turns(4)
@pytest.mark.parametrize("one_seed", range(6))
def test_a_violation_is_the_reason_when_both_would_be(one_seed: int) -> None:
    verdict = audited(Laplace(0.05), 1.0, detect=39.0, seed=one_seed, alpha=1e-6)
    assert (verdict.status is Status.VIOLATED) == (verdict.stop is Stop.VIOLATION)


@pytest.mark.turns(6)
def test_the_clock_is_a_safety_net_and_says_how_to_do_without_it(seed: int) -> None:
    verdict = audited(Laplace(), 1.0, max_samples=10_000_000, max_seconds=1.5, seed=seed)
    assert verdict.stop is Stop.MAX_SECONDS
    assert 0.3 < verdict.seconds < 14.0
    fitted = f"{verdict.samples} calls fitted into"  # on a machine so busy that these were too few to be repeated
    told = finding(verdict, "stopped by the clock").detail
    if told.startswith(fitted):
        return
    assert told == f"--max-samples {verdict.samples} repeats this run without a clock"
    again = audited(Laplace(), 1.0, max_samples=verdict.samples, seed=seed)
    assert again.log_evidence == verdict.log_evidence
    assert again.samples == verdict.samples


@pytest.mark.some(1)
@pytest.mark.parametrize("budget", [LEAST_SAMPLES, 49, 100, 1000])
def test_the_budget_of_calls_is_kept(budget: int, seed: int) -> None:
    verdict = audited(Laplace(), 1.0, max_samples=budget, seed=seed)
    assert verdict.samples == sum(p.calls for p in verdict.phases) == budget
    assert [p.phase for p in verdict.phases] == ["agreement", "certify"]
    if budget < 1000:
        assert verdict.status is Status.INCONCLUSIVE


def test_the_budget_counts_the_calls_that_were_made(seed: int) -> None:
    made: list[int] = []

    def counted(dataset: Any, rng: Any) -> float:
        made.append(1)
        return float(rng.random())

    verdict = audited(counted, 1.0, max_samples=500, seed=seed)
    assert len(made) == verdict.samples == 500


@pytest.mark.turns(4)
def test_what_a_bulk_sampler_draws_counts_too(seed: int) -> None:
    drawn: list[int] = []

    def sample(dataset: Any, size: int, rng: Any) -> Any:
        drawn.append(size)
        return rng.random(size)

    verdict = audited(from_sampler(sample), 1.0, max_samples=5000, seed=seed)
    assert sum(drawn) == verdict.samples == 5000


def test_ctrl_c_ends_it_with_what_was_found_until_then() -> None:
    def interrupt(event: Any) -> None:
        if isinstance(event, Progress) and event.calls > 1000:
            raise KeyboardInterrupt

    verdict = audited(Laplace(), 1.0, on_event=interrupt)
    assert verdict.stop is Stop.INTERRUPTED
    assert 1000 < verdict.samples < 2000
    assert "it was interrupted" in str(verdict)


@pytest.mark.parametrize("epsilon", [50.0, 700.0])
def test_a_huge_claim_is_audited_like_any_other(epsilon: float) -> None:
    assert audited(Laplace(), epsilon, max_samples=300).status in (Status.INCONCLUSIVE, Status.NO_VIOLATION_FOUND)


@pytest.mark.turns(4)
def test_a_claim_of_nothing_is_refuted_by_anything(seed: int) -> None:
    assert audited(Laplace(), 0.0, seed=seed).status is Status.VIOLATED
    assert audited(lambda d, rng: rng.random(), 0.0, seed=seed, max_samples=3000).status is not Status.VIOLATED
    assert (
        audited(lambda d, rng: sum(d), ApproxDP(0.0, 0.999), seed=seed, max_samples=1000).status is not Status.VIOLATED
    )


# --- events ------------------------------------------------------------------------------------------------------


@pytest.mark.turns(4)
def test_listeners_hear_a_run_from_its_start_to_its_verdict(seed: int) -> None:
    heard: list[Any] = []
    verdict = audited(Laplace(0.5), 1.0, on_event=heard.append, seed=seed)
    assert heard[0] == Started("Laplace", PureDP(1.0), verdict.relation, 1, 20_000, math.inf, LEVEL)
    assert [e.phase for e in heard if isinstance(e, PhaseStarted)] == ["agreement", "certify"]
    assert isinstance(heard[-1], Finished)
    assert heard[-1].verdict == verdict
    assert (heard[-1].pair.left, heard[-1].pair.right) == ONE_PAIR[0]
    progress = [e for e in heard if isinstance(e, Progress)]
    assert [p.calls for p in progress] == sorted({p.calls for p in progress})
    assert progress[-1].calls == verdict.samples
    assert progress[-1].log_evidence == pytest.approx(verdict.log_evidence, rel=1e-9)
    assert all(p.log_evidence < p.log_threshold for p in progress[:-1])
    assert all(p.pair == "row 0: 0 replaced by 1" for p in progress)
    without = audited(Laplace(0.5), 1.0, seed=seed)
    untimed = {"seconds": 0, "seconds_per_call": 0, "record": None}
    assert replace(without, **untimed) == replace(verdict, **untimed)


# --- determinism -------------------------------------------------------------------------------------------------


def timeless(verdict: Verdict) -> dict[str, Any]:
    document = verdict_document(verdict)
    for part in (document["verdict"], document["record"]):
        part["seconds"] = part["seconds_per_call"] = 0.0
        part["findings"] = []
        part["jobs"] = part["isolation"] = None
    return document


@pytest.mark.turns(6)
@pytest.mark.parametrize("learner", [Laplace, BulkLaplace], ids=lambda f: f.__name__)
def test_one_seed_gives_one_verdict_bit_for_bit(learner: Any, seed: int) -> None:
    one, two, other = (audited(learner, 1.0, max_samples=3000, seed=s) for s in (seed, seed, seed + 1))
    assert timeless(one) == timeless(two)
    assert timeless(one) != timeless(other)


@pytest.mark.turns(6)
def test_two_workers_give_the_verdict_of_one_and_of_none(seed: int) -> None:
    runs = [
        audited(Laplace, 1.0, max_samples=4000, seed=seed, isolation=isolation, jobs=jobs)
        for isolation, jobs in (("process", 1), ("process", 2), ("none", 1))
    ]
    assert timeless(runs[0]) == timeless(runs[1]) == timeless(runs[2])


# --- what could have been caught ---------------------------------------------------------------------------------


def test_a_leak_of_the_detectable_size_is_caught(rng: np.random.Generator) -> None:
    """Randomised responses of that size, diluted to the coverage told: the promise, simulated.

    Of the first two counts luck gives as many, and the leak is the planned one; the third ones are more than luck.
    """
    line = statistical_test("detectable: a leak of the detectable size is caught")
    assert line.chance == POWER
    alpha, epsilon, weight = 1e-6, 1.0, 0.02
    for guesses, right, calls, delta in ((2000, 0.7, 10_000, 0.0), (300, 0.7, 800, 0.0), (500, 0.9, 20_000, 1e-3)):
        counts = full_stakes(round(guesses * right), guesses - round(guesses * right), calls)
        weighted = replace(counts, weight=np.array([weight]))
        found = detectable_leak(weighted, weight, epsilon, delta, alpha, answers=None)
        size, guesses = found.epsilon, round(found.coverage * calls)
        wrong = rng.binomial(guesses, 1.0 / (1.0 + math.exp(size)), line.runs)
        played = full_stakes(guesses - wrong, wrong, np.full(line.runs, calls))
        evidence = log_e_processes(played, epsilon, delta) + math.log(weight)
        assert line.passes(int((evidence >= -math.log(alpha)).sum()))
        smaller = rng.binomial(guesses, 1.0 / (1.0 + math.exp(epsilon + 0.8 * (size - epsilon))), line.runs)
        played = full_stakes(guesses - smaller, smaller, np.full(line.runs, calls))
        evidence = log_e_processes(played, epsilon, delta) + math.log(weight)
        assert not line.passes(int((evidence >= -math.log(alpha)).sum()))  # and not a much smaller one


@pytest.mark.turns(4)
def test_a_diluted_leak_of_that_size_is_caught_by_a_whole_audit(seed: int) -> None:
    """The audit says what it could have seen; another learner with thrice that excess, diluted alike, is caught."""
    correct = audited(Laplace(), 1.0, seed=seed, max_samples=10_000, alpha=1e-6)
    coverage, leak = correct.detectable_coverage, 1.0 + 3.0 * (correct.detectable_epsilon - 1.0)
    truth = 1.0 / (1.0 + math.exp(-leak))

    def diluted(dataset: Any, rng: Any) -> int:
        if rng.random() > coverage:
            return -1
        return int(dataset[0]) if rng.random() < truth else 1 - int(dataset[0])

    assert audited(diluted, 1.0, seed=seed, max_samples=10_000, alpha=1e-6).status is Status.VIOLATED


def test_what_would_have_been_caught_follows_from_the_calls_and_not_from_which_rules_lost() -> None:
    """A pair that leaks 0.5, and one that leaks just what is claimed, beside rules that hardly ever guessed."""
    lost, kept = full_stakes(155_000, 95_000, 1_000_000), full_stakes(182_700, 67_300, 1_000_000)
    assert log_e_processes(lost, 1.0, 0.0)[0] < -6.0 < log_e_processes(kept, 1.0, 0.0)[0] < 0.0
    rare, cautious = full_stakes(3, 1, 1_000_000), full_stakes(15_000, 5_500, 1_000_000)
    found = {
        detectable_leak(Tally.join([one, other], [0.5, 0.5]), 0.5, 1.0, 0.0, 1e-6, answers=3)
        for one in (lost, kept)
        for other in (rare, cautious)
    }
    (leak,) = found
    assert leak.coverage == 0.25
    assert 1.0 < leak.epsilon < 1.1


def test_a_rare_event_with_more_evidence_than_luck_has_to_be_caught_too() -> None:
    """Of evidence of 50 to one that three in a thousand outputs gave it may not be said that it would have shown."""
    rare = full_stakes(30, 1, 10_000)
    assert 0.0 < log_e_processes(rare, 1.0, 0.0)[0] + math.log(0.5) < math.log(1e6)
    planned = detectable_leak(full_stakes(50, 50, 10_000), 0.5, 1.0, 0.0, 1e-6, answers=3)
    both = Tally.join([full_stakes(50, 50, 10_000), rare], [0.5, 0.5])
    found = detectable_leak(both, 0.5, 1.0, 0.0, 1e-6, answers=3)
    assert planned.epsilon < 2.0 < found.epsilon
    assert (planned.coverage, round(found.coverage, 4)) == (0.25, 0.0031)


def test_a_rare_event_of_which_luck_gives_as_much_decides_nothing() -> None:
    """Of 6,000 correct audits 7 had an event with more than 1 to one; such a learner was called inconclusive."""
    rare = full_stakes(366, 96, 20_000)  # as it was seen, in 2% of the outputs of Laplace noise at its claim
    assert 0.0 < log_e_processes(rare, 1.0, 0.0)[0] + math.log(0.35) < math.log(20.0)
    planned = detectable_leak(full_stakes(50, 50, 20_000), 0.5, 1.0, 0.0, 1e-9, answers=math.inf)
    both = Tally.join([full_stakes(50, 50, 20_000), rare], [0.5, 0.35])
    assert detectable_leak(both, 0.5, 1.0, 0.0, 1e-9, answers=math.inf) == planned
    assert detectable_leak(both, 0.5, 1.0, 0.0, 1e-9, answers=math.inf, odds=1.0).epsilon == math.inf


@pytest.mark.turns(6)
@pytest.mark.parametrize("learner", [Laplace(), Laplace(5.0)], ids=["at the claim", "a fifth of it"])
def test_how_much_a_correct_learner_leaks_does_not_decide_whether_it_passes(learner: Any, seed: int) -> None:
    """It was inconclusive more often the nearer it was to its claim. Luck above 1 to one happens: then it may be."""
    verdicts = [audited(learner, 1.0, seed=seed + k, max_samples=4_000) for k in range(6)]
    told = {(v.detectable_epsilon, v.detectable_coverage) for v in verdicts if v.log_evidence < 0.0}
    assert len(told) == 1
    assert {coverage for _, coverage in told} == {0.25}


def test_detectable_epsilon_falls_with_calls_and_rises_with_the_claim_and_the_level() -> None:
    def size(calls: int, epsilon: float = 1.0, alpha: float = 1e-6, delta: float = 0.0) -> float:
        counts = full_stakes(calls // 5, calls // 20, calls)
        return detectable_leak(counts, 1.0, epsilon, delta, alpha, answers=None).epsilon

    by_calls = [size(n) for n in (400, 1000, 4000, 16_000, 64_000)]
    assert by_calls == sorted(by_calls, reverse=True)
    assert by_calls[-1] > 1.0
    assert size(4000, epsilon=2.0) > size(4000)
    assert size(4000, alpha=1e-9) > size(4000) > size(4000, alpha=0.05)
    assert size(4000, delta=0.01) > size(4000)


def test_without_guesses_nothing_would_have_been_caught() -> None:
    nothing = Detectable(math.inf, 1.0)
    assert detectable_leak(full_stakes(0, 0, 1000), 1.0, 1.0, 0.0, 1e-6, answers=3) == nothing
    assert detectable_leak(Tally.join([], []), 1.0, 1.0, 0.0, 1e-6, answers=3) == nothing
    two = detectable_leak(full_stakes(2, 0, 8), 1.0, 1.0, 0.0, 1e-6, answers=None)
    assert two.epsilon == math.inf  # two guesses: not 13.8 nats


def test_calls_to_catch_is_the_inverse() -> None:
    for epsilon, delta, leak, coverage in ((1.0, 0.0, 2.0, 0.25), (0.5, 0.0, 0.7, 1.0), (1.0, 1e-3, 2.0, 0.1)):
        calls = calls_to_catch(epsilon, delta, leak, 1e-6, 0.1, coverage, answers=None)
        needed = math.log(1e6) - math.log(0.1)
        assert smallest_caught(int(coverage * calls), calls, epsilon, delta, needed, 1.0, POWER) <= leak
        fewer = int(0.9 * calls)
        assert smallest_caught(int(coverage * fewer), fewer, epsilon, delta, needed, 1.0, POWER) > leak - 0.02


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        (([0, 0, 1], [1, 1, 0]), True),
        (([0], [1, 1, 0]), True),
        (([0, 0, 1], [1, 0, 1]), False),
        (([0, 0, 1], [0, 1]), False),
        ((np.zeros((3, 2)), np.ones((3, 2))), True),
        (("no dataset", "none either"), False),
    ],
)
def test_a_pair_on_the_users_word_that_is_far_apart_is_told(pair: tuple[Any, Any], told: bool) -> None:
    """A correct learner is accused on such a pair, and nothing said why."""
    found = dpcheck.audit(lambda d, rng: 0, 1.0, pairs=[pair], isolation="none", max_samples=60)
    assert told == any(finding.kind == "neighbours" for finding in found.findings)


# --- arguments ---------------------------------------------------------------------------------------------------

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no claim": (
        {"claim": None, "learner": lambda d, rng: 0},
        r"claim must be given, since .* carries none: an epsilon",
    ),
    "claim": (
        {"claim": "1"},
        r"claim must be an epsilon \(a number\), PureDP\(epsilon\), ApproxDP\(epsilon, delta\), .*, got '1'",
    ),
    "negative claim": ({"claim": -1}, "epsilon must be a finite number of nats, at least 0, got -1"),
    "empty claim": (
        {"claim": ApproxDP(1e-5, 1.0)},
        "claim must have a delta below 1, for every learner keeps this one, got epsilon = 1e-05, delta = 1: are",
    ),
    "huge claim": ({"claim": 701.0}, r"claim must have an epsilon of at most 700 \(runs refute no more\), got 701"),
    "learner": ({"learner": 3}, "learner must be callable, got 3 of type int: a learner is"),
    "both": ({"dataset": [1, 2]}, r"give pairs or dataset, not both"),
    "neither": ({"pairs": None}, "neighbours, dataset or pairs must be given, got none"),
    "one bare pair": ({"pairs": ([0], [1])}, r"with the brackets"),
    "no pairs": ({"pairs": []}, r"pairs must be a list of 2-tuples.*got no pair"),
    "pairs": ({"pairs": 3}, r"pairs must be a list of 2-tuples.*got"),
    "empty dataset": ({"pairs": None, "dataset": []}, "dataset must"),
    "neighbours": ({"neighbours": 3}, "neighbours must"),
    "alpha 0": (
        {"alpha": 0.0},
        r"alpha must be strictly between 0 and 1 \(a probability of false alarm such as 1e-6\), got 0.0",
    ),
    "alpha 1": ({"alpha": 1}, "alpha must be strictly between 0 and 1"),
    "alpha nan": ({"alpha": math.nan}, "alpha must be strictly between 0 and 1"),
    "alpha text": ({"alpha": "0.05"}, "alpha must be a probability of false alarm such as 1e-6, got '0.05'"),
    "alpha bool": ({"alpha": True}, "alpha must be a probability"),
    "detect at the claim": ({"detect": 1.0}, "detect must be above the claimed epsilon 1, got 1.0"),
    "detect infinite": ({"detect": math.inf}, "detect must be a positive finite number, got inf"),
    "detect nan": ({"detect": math.nan}, "detect must be a positive finite number, got nan"),
    "detect text": ({"detect": "2"}, "detect must be a positive finite number, got '2'"),
    "numerics": ({"numerics": "exakt"}, r"numerics must be one of real, exact, got 'exakt' \(did you mean 'exact'\?\)"),
    "isolation": (
        {"isolation": "proces"},
        r"isolation must be one of auto, process, container, none, got 'proces' \(did you mean 'process'\?\)",
    ),
    "isolation none": ({"isolation": None}, "isolation must be one of auto, process, container, none, got None"),
    "max_samples 0": ({"max_samples": 0}, "max_samples must be a whole number of at least 48, got 0"),
    "max_samples float": ({"max_samples": 1e6}, "max_samples must be a whole number of at least 48, got 1000000.0"),
    "max_samples below the least": ({"max_samples": 47}, "max_samples must be a whole number of at least 48, got 47"),
    "max_samples bool": ({"max_samples": True}, "max_samples must be a whole number of at least 48, got True"),
    "max_seconds 0": ({"max_seconds": 0}, "max_seconds must be a positive number, got 0"),
    "max_seconds nan": ({"max_seconds": math.nan}, "max_seconds must be a positive number, got nan"),
    "call_timeout infinite": ({"call_timeout": math.inf}, "call_timeout must be a positive finite number, got inf"),
    "call_timeout negative": ({"call_timeout": -1}, "call_timeout must be a positive finite number, got -1"),
    "seed": ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
    "seed float": ({"seed": 1.5}, "seed must be a whole number of at least 0, got 1.5"),
    "seed none": ({"seed": None}, "seed must be a whole number of at least 0, got None"),
    "jobs": ({"jobs": 0}, "jobs must be a whole number of at least 1, got 0"),
    "options": ({"options": {"scale": 1.0}}, "option 'scale' was given, but Laplace is a learner, not a factory"),
    "unknown option": (
        {"learner": Laplace, "options": {"scael": 1.0}},
        r"option 'scael' is not one of Laplace's: scale \(did you mean",
    ),
    "exhaustive with pairs": ({"exhaustive": True}, "pairs must not be given with exhaustive=True"),
    "exhaustive no bool": ({"exhaustive": 1}, "exhaustive must be True or False, got 1"),
    "exhaustive without a relation": (
        {"exhaustive": True, "pairs": None},
        "neighbours must be given with exhaustive=True, with finite records and a size such as ReplaceOne",
    ),
    "exhaustive without a law": (
        {"exhaustive": True, "pairs": None, "neighbours": ReplaceOne(records=[0, 1], size=2)},
        "exhaustive=True wants a learner that declares its law, got Laplace, which has no distribution",
    ),
    "shrink": ({"shrink": 1}, r"shrink must be True, False or None \(searched pairs only\), got 1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_argument_that_cannot_be_used_is_refused_in_one_line_before_anything_runs(case: str) -> None:
    changes, message = REFUSED[case]
    ran: list[int] = []

    class Watched(Laplace):
        def __call__(self, dataset: Any, rng: Any) -> float:
            ran.append(1)
            return 0.0

    Watched.__qualname__ = "Laplace"
    arguments = {"learner": Watched(), "claim": 1.0, "pairs": ONE_PAIR, "isolation": "none"} | changes
    with pytest.raises(InvalidArgument, match=message) as caught:
        dpcheck.audit(**arguments)
    assert "\n" not in str(caught.value)
    assert not ran


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    "arguments",
    [
        {"claim": 1},
        {"claim": ApproxDP(1, 0)},
        {"alpha": np.float64(0.05)},
        {"alpha": 1e-300},
        {"alpha": 0.999},
        {"detect": 1.0001},
        {"detect": 40},
        {"max_samples": np.int64(60)},
        {"max_seconds": math.inf},
        {"max_seconds": 1},
        {"call_timeout": 1},
        {"seed": 2**200},
        {"seed": np.int64(3)},
        {"shrink": False},
        {"exhaustive": False},
        {"name": "mine"},
        {"numerics": "exact"},
        {"pairs": (([0], [1]), ([1], [0]))},
        {"learner": Laplace, "options": {"scale": 2.0}},
    ],
    ids=str,
)
def test_arguments_at_the_edge_are_accepted(arguments: dict[str, Any]) -> None:
    defaults = {"learner": Laplace(), "claim": 1.0, "pairs": ONE_PAIR, "isolation": "none", "max_samples": 60}
    verdict = dpcheck.audit(**(defaults | arguments))
    assert isinstance(verdict, Verdict)
    assert str(verdict)
    assert verdict.target == arguments.get("name", "Laplace")


def test_defaults_are_those_of_the_door() -> None:
    verdict = dpcheck.audit(Laplace(), pairs=ONE_PAIR, max_samples=60, isolation="none")
    assert (verdict.alpha, verdict.seed, verdict.claim) == (1e-6, 0, PureDP(1.0))
    assert verdict.detect == 2.0
    assert verdict.threshold == pytest.approx(1e6)
    assert audited(Laplace(), 0.01, max_samples=60).detect == pytest.approx(0.11)
