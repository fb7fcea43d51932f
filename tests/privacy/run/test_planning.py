"""Plans: what they promise is what audits do, they say what their words mean, and refuse what cannot be planned."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Status
from dpcheck.model.verdict.record import claim_record, plain
from dpcheck.privacy.run.power_analysis import COVERAGES, MULTIPLES, Caught, Cost, Plan, plan
from dpcheck.privacy.statistics.game import Shape
from tests.playing import FEW_VALUES, NUMBERS, Law, most_evidence, response
from tests.statistical_tests import statistical_test


def diluted(epsilon: float, coverage: float, *, among_numbers: bool = False) -> Law:
    """A randomised response that shows in a part of the outputs; the rest says nothing."""
    answer = response(epsilon)

    def law(rng: np.random.Generator, coins: Any) -> Any:
        outputs = np.where(rng.random(len(coins)) < coverage, answer(rng, coins), 2.0)
        return outputs + rng.random(len(coins)) if among_numbers else outputs

    return law


#: Shape of the outputs, claim, leak, coverage, alpha.
LEAKS = {
    "half of the noise": (FEW_VALUES, (1.0, 0.0), 2.0, 1.0, 1e-6),
    "in a quarter": (FEW_VALUES, (1.0, 0.0), 2.0, 0.25, 1e-6),
    "in a twentieth": (FEW_VALUES, (1.0, 0.0), 2.0, 0.05, 0.05),
    "near the claim": (FEW_VALUES, (1.0, 0.0), 1.5, 1.0, 0.05),
    "with delta": (FEW_VALUES, (1.0, 1e-3), 2.0, 0.25, 1e-6),
    "a small claim": (FEW_VALUES, (0.5, 0.0), 1.0, 1.0, 1e-6),
    "numbers": (NUMBERS, (1.0, 0.0), 2.0, 1.0, 1e-6),
    "a quarter of numbers": (NUMBERS, (1.0, 0.0), 2.0, 0.25, 1e-6),
    "a twentieth of numbers": (NUMBERS, (1.0, 0.0), 2.0, 0.05, 0.05),
    "numbers near the claim": (NUMBERS, (1.0, 0.0), 1.5, 0.25, 0.05),
    "numbers with delta": (NUMBERS, (1.0, 1e-5), 2.0, 0.25, 1e-6),
}


def caught(name: str, part: float, runs: int, rng: np.random.Generator) -> int:
    """How often a leak is caught within a part of the calls that the plan says it takes."""
    shape, claim, leak, coverage, alpha = LEAKS[name]
    calls = Cost(*claim, alpha, 0.95, shape, leak).calls(leak, coverage)
    assert calls is not None
    law = diluted(leak, coverage, among_numbers=shape is NUMBERS)
    budget = int(part * calls)
    needed = -math.log(alpha)
    return sum(most_evidence(law, shape, claim, budget, rng) >= needed for _ in range(runs))


#: Half a minute each.
SLOW = {"a twentieth of numbers", "numbers near the claim", "numbers with delta"}


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.extra] if name in SLOW else []) for name in LEAKS]
)
def test_a_planned_leak_is_caught(name: str, rng: np.random.Generator) -> None:
    line = statistical_test("plan: a leak is caught within the planned calls")
    assert line.chance == 0.95
    assert line.passes(caught(name, 1.0, line.runs, rng))


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["in a quarter", "a quarter of numbers"])
def test_a_plan_of_a_tenth_of_the_calls_would_be_noticed(name: str, rng: np.random.Generator) -> None:
    # Of a quarter the leak is caught in half of the runs: 40 of them do not tell it from the plan with certainty.
    line = statistical_test("plan: a leak is caught within the planned calls")
    assert not line.passes(caught(name, 0.1, line.runs, rng))


@pytest.mark.extra
def test_whole_audits_of_several_pairs_catch_a_leak_on_any_of_them(seed: int) -> None:
    line = statistical_test("plan: a leak is caught within the planned calls")
    leak = plan(1.0, pairs=2, coverage=1.0, alpha=0.05, shape=FEW_VALUES).leaks[-1]
    assert leak.calls is not None

    truth = 1.0 / (1.0 + math.exp(-leak.epsilon))

    def leaks_the_last(dataset: Any, rng: Any) -> int:
        return int(dataset[2]) if rng.random() < truth else 1 - int(dataset[2])

    pairs = [([0, 0, 0], [0, 1, 0]), ([0, 0, 0], [0, 0, 1])]
    found = [
        dpcheck.audit(
            leaks_the_last, 1.0, pairs=pairs, alpha=0.05, max_samples=16 + leak.calls, isolation="none", seed=seed + i
        )
        for i in range(line.runs)
    ]
    assert line.passes(sum(verdict.status is Status.VIOLATED for verdict in found))


def test_a_table_has_every_leak_at_every_coverage() -> None:
    found = plan(1.0, seconds_per_call=0.5)
    assert [(leak.epsilon, leak.coverage) for leak in found.leaks] == [(m, c) for m in MULTIPLES for c in COVERAGES]
    assert found.detect == 2.0
    assert all(leak.calls is not None and leak.seconds == 0.5 * leak.calls for leak in found.leaks)
    (only,) = plan(1.0, detect=1.7, coverage=0.5).leaks
    assert (only.epsilon, only.coverage, only.seconds) == (1.7, 0.5, None)
    assert plan(1.0).budget is None
    assert plan(1.0).catches == ()


def test_harder_leaks_take_more_calls() -> None:
    def calls(**changed: Any) -> int:
        asked = {"claim": 1.0, "detect": 2.0, "coverage": 0.5, **changed}
        (leak,) = plan(asked.pop("claim"), **asked).leaks
        assert leak.calls is not None
        return leak.calls

    usual = calls()
    assert calls(detect=1.5) > 2 * usual
    assert calls(coverage=0.25) > 2 * usual
    assert calls(alpha=1e-9) > usual > calls(alpha=0.05)
    assert calls(power=0.5) < usual < calls(power=0.999)
    assert calls(pairs=2) >= 4 * usual - 4
    assert calls(claim=ApproxDP(1.0, 0.1)) > usual


@pytest.mark.turns(4)
def test_a_budget_catches_what_takes_as_many_calls() -> None:
    found = plan(1.0, max_samples=80_000, pairs=3)
    assert (found.budget, found.pairs_tried) == (80_000, 3)
    for leak in found.catches[:-1]:  # of so few guesses as the last one's a single one counts for more than that
        assert Cost(1.0, 0.0, 1e-6, 0.95, NUMBERS, 2.0).calls(leak.epsilon, leak.coverage, 3) == pytest.approx(
            80_000, rel=0.05
        )
    one, two = (plan(1.0, detect=2.0, coverage=0.25, pairs=n).leaks[0].calls for n in (1, 2))
    assert one is not None
    assert two is not None
    assert [plan(1.0, max_samples=n).pairs_in_budget for n in (one - 1, one, two - 1, two)] == [0, 1, 1, 2]


@pytest.mark.turns(4)
def test_a_budget_for_fewer_pairs_says_how_many_are_tried() -> None:
    found = plan(1.0, max_samples=100_000, pairs=100)
    assert found.pairs_tried is not None
    assert 1 < found.pairs_tried < 100
    assert found.catches == plan(1.0, max_samples=100_000, pairs=found.pairs_tried).catches
    assert f"on the first {found.pairs_tried} of 100 pairs (an audit with it tries no more)" in " ".join(
        str(found).split()
    )


def test_a_budget_of_time_is_one_of_calls() -> None:
    assert plan(1.0, seconds_per_call=0.5, max_seconds=600.0).budget == 1200
    assert plan(1.0, seconds_per_call=0.5, max_seconds=600.0, max_samples=100).budget == 100
    assert plan(1.0, max_seconds=math.inf).budget is None


def test_what_a_slow_learners_minute_catches_is_said() -> None:
    found = plan(1.0, seconds_per_call=1.0, max_seconds=60.0)
    assert found.catches == tuple(Caught(coverage, math.inf) for coverage in COVERAGES)
    assert found.pairs_in_budget == 0
    assert (
        "catches no privacy loss of any size. It does not reach detect = 2 in 25% of the outputs on any pair"
        in " ".join(str(found).split())
    )


def test_a_leak_within_delta_is_never_caught() -> None:
    found = plan(ApproxDP(1.0, 0.1))
    assert {leak.calls for leak in found.leaks if leak.coverage == 0.05} == {None}
    assert "never" in str(found)
    assert "hidden by the claim's delta" in str(found)
    assert "hidden" not in str(plan(PureDP(1.0)))


def test_a_claim_of_nothing_at_all_can_be_planned_for() -> None:
    found = plan(0.0)
    assert found.detect == 0.1
    assert [leak.epsilon for leak in found.leaks[::3]] == pytest.approx([0.01, 0.025, 0.05, 0.1])


def test_the_json_is_the_plan() -> None:
    found = plan(ApproxDP(1.0, 0.1), seconds_per_call=1.0, max_seconds=60.0)
    told = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert told["schema"] == "dpcheck-plan/1"
    assert told["claim"] == plain(claim_record(ApproxDP(1.0, 0.1)))
    assert told["budget"] == 60
    assert {row["calls"] for row in told["leaks"] if row["coverage"] == 0.05} == {None}
    assert told["catches"] == [{"coverage": coverage, "epsilon": None} for coverage in COVERAGES]
    assert json.loads(plan(1.0, max_seconds=math.inf, max_samples=10**6).to_json())["max_seconds"] is None


def test_the_text_teaches_in_lines_that_fit() -> None:
    text = str(plan(1.0, seconds_per_call=0.5, max_seconds=600.0, pairs=2))
    assert "e^2 = 7.39" in text
    assert "not shown that there is nothing" in text
    assert "private" not in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("Next: ")) <= 110
    # a command is one line, whatever its length
    assert text.splitlines()[-1].startswith(
        "Next: dpcheck audit TARGET --epsilon 1 --alpha 1e-06 --detect 2 --max-samples"
    )
    assert text.replace("<", "&lt;") in plan(1.0, seconds_per_call=0.5, max_seconds=600.0, pairs=2)._repr_html_()


def test_what_outputs_look_like_changes_the_plan() -> None:
    def calls(shape: Shape) -> int:
        found: Plan = plan(1.0, detect=2.0, coverage=0.05, shape=shape)
        assert found.leaks[0].calls is not None
        return found.leaks[0].calls

    assert calls(NUMBERS) > calls(FEW_VALUES)
    assert calls(Shape(0, repeats=True, others=True)) < calls(NUMBERS)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"claim": "much"}, "claim must be an epsilon"),
        ({"claim": 40.0}, "claim must have an epsilon below 40"),
        ({"detect": 1.0}, "detect must be above the claimed epsilon 1, got 1.0"),
        ({"detect": math.nan}, "detect must be a positive finite number"),
        ({"alpha": 0.0}, "alpha must be strictly between 0 and 1"),
        ({"power": 1.0}, "power must be strictly between 0 and 1"),
        ({"coverage": 0.0}, "coverage must be a part of the outputs, above 0 and at most 1, got 0.0"),
        ({"coverage": [0.5, 2.0]}, "coverage must be a part of the outputs, above 0 and at most 1, got 2.0"),
        ({"coverage": []}, "coverage must be a part of the outputs such as 0.25, or several, got none"),
        ({"coverage": True}, "coverage must be a part of the outputs"),
        ({"pairs": 0}, "pairs must be a whole number of at least 1"),
        ({"pairs": 10**7}, "pairs must be at most 1,000,000"),
        ({"seconds_per_call": 0.0}, "seconds_per_call must be a positive finite number"),
        ({"max_samples": 0}, "max_samples must be a whole number of at least 1"),
        ({"max_seconds": -1.0}, "max_seconds must be a positive number"),
        ({"max_seconds": 60.0}, "seconds_per_call must be given beside max_seconds"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_one_line(arguments: dict[str, Any], says: str) -> None:
    asked = {"claim": 1.0, **arguments}
    with pytest.raises(InvalidArgument) as error:
        plan(asked.pop("claim"), **asked)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_slow_calls_have_other_doors() -> None:
    said = " ".join(str(plan(ApproxDP(2.0, 1e-5), seconds_per_call=60.0, max_seconds=36_000.0)).split())
    assert "one of it with 1,000 canaries in the data (60 s; dpcheck one-run) would show a privacy loss of" in said
    assert "in about 38 trainings (38 min; dpcheck white-box)" in said
    assert "cannot refute this claim" in " ".join(str(plan(ApproxDP(9.0, 1e-5), seconds_per_call=60.0)).split())


def test_quick_calls_have_not() -> None:
    assert "other doors" not in str(plan(1.0, seconds_per_call=0.001, max_seconds=60.0))
    assert "other doors" not in str(plan(1.0))
    assert "other doors" not in str(plan(1.0, seconds_per_call=0.5, detect=30.0, coverage=1.0))
