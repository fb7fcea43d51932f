"""Laws that are not those of the calls are found or named as too small to be seen; honest ones are never accused.

Every comparison is made at alpha = 1e-9, as everywhere in this suite.
"""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from mixed_laws import ALONE, MADE, alphabet, listed

import dpcheck
from dpcheck import AddRemove, LabelsOnly, Law, PrivatePart, PureDP, Records, ReplaceOne, SemiPrivate, Status
from dpcheck.execution.answers import Request
from dpcheck.execution.calls import where
from dpcheck.model.neighbours.enumeration_beside import every_pair
from dpcheck.model.verdict import Verdict
from dpcheck.privacy.exact.declared import NotALaw, declared
from dpcheck.privacy.exact.fit import Fit, KnownLaw, splits_of, visible_anywhere, visible_in_a_split
from dpcheck.privacy.run.goodness_of_fit import most_calls, plan_of_calls
from dpcheck.privacy.run.limits import Limits
from dpcheck.privacy.run.question import ask
from tests.lying_laws import FORMS, InForms, Told, honest, liars
from tests.statistical_tests import LEVEL

#: What comes of a law that is not that of the calls: calls alone refute the claim, or they do not.
FOUND = (Status.VIOLATED, Status.LEARNER_FAILED)
FEW = settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))


class Coin:
    """Fair, whatever the data."""

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(rng.integers(2))

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        return {0: Fraction(1, 2), 1: Fraction(1, 2)}


honest_coin = Coin()


def said_of_the_law(verdict: Verdict) -> str:
    """Why the law is not that of the calls, whichever verdict says it."""
    details = [finding.detail for finding in verdict.findings if finding.kind == "declared law"]
    return " ".join([verdict.failure, *details])


def judged(learner: Any, claim: Any, **options: Any) -> Verdict:
    where = {"pairs": [([0], [1])]} if "neighbours" not in options else {}
    defaults: dict[str, Any] = {"alpha": LEVEL, "isolation": "none", "max_seconds": math.inf, **where}
    return dpcheck.audit(learner, claim, **(defaults | options))


@pytest.mark.turns(4)
@FEW
@given(liars(), st.integers(0, 2**30))
def test_a_lie_of_three_times_the_claim_is_found_or_below_what_is_said_to_be_seen(learner: Told, seed: int) -> None:
    where = ReplaceOne(records=[0, 1], size=learner.records)
    verdict = judged(learner, learner.epsilon, neighbours=where, exhaustive=True, seed=seed)
    if verdict.status in FOUND:
        return
    assert learner.kind != "outside"
    assert verdict.exact is not None
    worst = max(
        learner.difference([number >> place & 1 for place in range(learner.records)])
        for number in range(2**learner.records)
        if learner.told([number >> place & 1 for place in range(learner.records)])
    )
    assert worst <= max(seen.anywhere for seen in verdict.exact.seen), str(verdict)


@pytest.mark.turns(4)
@FEW
@given(honest(), st.integers(0, 2**30))
def test_an_honest_law_is_never_accused(learner: Told, seed: int) -> None:
    where = ReplaceOne(records=[0, 1], size=learner.records)
    verdict = judged(learner, learner.epsilon + 1e-6, neighbours=where, exhaustive=True, seed=seed, max_samples=20_000)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)


@dataclass(frozen=True)
class Even:
    """Declares a uniform law; calls prefer ``lie(dataset, rng)``, else draw from it."""

    cells: int
    lie: Any

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(self.lie(list(dataset), rng))

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        return {place: Fraction(1, self.cells) for place in range(self.cells)}


def of_a_parity(dataset: list[int], rng: Any) -> int:
    bit = dataset[-1] if rng.random() < 2 / 3 else 1 - dataset[-1]
    return 2 * int(rng.integers(50)) + bit


def a_twentieth_off(dataset: list[int], rng: Any) -> bool:
    return bool(rng.random() < 0.5 + 0.05 * dataset[-1])


def on_one_of_many(dataset: list[int], rng: Any) -> bool:
    return bool(rng.random() < (0.8 if dataset == [1, 0, 1, 1, 0, 1] else 0.5))


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("learner", "claim", "options"),
    [
        (Even(100, of_a_parity), 0.1, {}),
        (Even(2, a_twentieth_off), 0.01, {}),
        (Even(2, on_one_of_many), 0.5, {"neighbours": ReplaceOne(records=[0, 1], size=6), "exhaustive": True}),
    ],
)
def test_what_agreement_did_not_look_at_is_found(learner: Any, claim: float, options: Any, seed: int) -> None:
    verdict = judged(learner, claim, seed=seed, **options)
    assert verdict.status in FOUND, str(verdict)
    assert "is not the law of its calls (evidence" in said_of_the_law(verdict)


@pytest.mark.some(2)
@pytest.mark.parametrize("form", range(len(FORMS)))
def test_equal_outputs_that_can_be_told_apart_are_two(form: int, seed: int) -> None:
    verdict = judged(InForms(form), 1.0, seed=seed, max_samples=600)
    assert verdict.status in FOUND
    assert any(why in said_of_the_law(verdict) for why in ("does not tell apart", "to which it gives no probability"))
    same = judged(InForms(form, leaking=False), 1.0, seed=seed, max_samples=2000)
    assert same.status is Status.NO_VIOLATION_FOUND, str(same)


@dataclass(frozen=True)
class Vague:
    """Randomised response whose law is known to within an error, and whose calls lose another epsilon."""

    declared: float
    true: float
    error: float

    def distribution(self, dataset: Any) -> Law:
        chance = 1.0 / (1.0 + math.exp(-self.declared))
        law = np.log([chance, 1.0 - chance])
        return Law([0, 1], law[:: 1 - 2 * int(dataset[0])], error=self.error)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(dataset[0]) ^ int(rng.random() > 1.0 / (1.0 + math.exp(-self.true)))


@pytest.mark.some(2)
@pytest.mark.parametrize("error", [1e-6, 0.01, 0.1, 0.6, 5.0])
def test_a_law_known_badly_clears_nothing_that_it_does_not_say(error: float, seed: int) -> None:
    at_the_claim = judged(Vague(1.0, 1.0, error), 1.0, seed=seed)
    assert at_the_claim.status is Status.INCONCLUSIVE, str(at_the_claim)
    assert any(finding.kind == "equal to the claim" for finding in at_the_claim.findings)
    lying = judged(Vague(0.2, 6.0, error), 1.0, seed=seed)
    assert lying.status in (*FOUND, Status.INCONCLUSIVE), str(lying)
    if error <= 0.6:  # a likelihood ratio of 400 is no matter of an error of 0.6
        assert lying.status in FOUND
    fair = judged(Vague(0.2, 0.2, error), 1.0, seed=seed)
    assert fair.status not in FOUND
    assert (fair.status is Status.NO_VIOLATION_FOUND) == (error <= 0.1), str(fair)


@given(st.floats(0.05, 3.0), st.floats(0.0, 1.0), st.floats(-1.0, 1.0), st.integers(0, 2**30))
@FEW
def test_calls_within_the_error_of_a_law_are_not_accused(declared: float, error: float, part: float, seed: int) -> None:
    """The law of the calls is off by at most the error, in the logarithm of every probability."""
    chance = 1.0 / (1.0 + math.exp(-declared))
    low = max(chance * math.exp(-error), 1.0 - (1.0 - chance) * math.exp(error))
    high = min(chance * math.exp(error), 1.0 - (1.0 - chance) * math.exp(-error))
    true = low + (high - low) * (part + 1.0) / 2.0
    law = KnownLaw.of(np.log([chance, 1.0 - chance]), splits_of([0, 1]), None, error)
    rng, fit = np.random.default_rng(seed), Fit(np.array([0.4]))
    worst = -math.inf
    for _ in range(30):
        ones = rng.binomial(100, true)
        fit.add(0, law, np.array([ones, 100.0 - ones]))
        worst = max(worst, fit.log_evidence)
    assert worst < -math.log(LEVEL)


@pytest.mark.parametrize("calls", [48, 80, 150])
def test_a_law_that_few_calls_were_held_against_is_not_cleared(calls: int, seed: int) -> None:
    verdict = judged(Vague(1.0, 1.0, 2.0**-41), 1.0, seed=seed, max_samples=calls)
    assert verdict.status is Status.INCONCLUSIVE, str(verdict)
    assert "the law as declared" in said_of_the_law(verdict)
    assert "to hold the law against more calls: call it again with max_samples=2000" in str(verdict)
    cleared = judged(Vague(1.0, 1.0, 2.0**-41), 1.0, seed=seed, max_samples=2000)
    assert cleared.status is Status.NO_VIOLATION_FOUND
    assert "to hold the law against more calls" in str(cleared)
    assert "to hold the law against more calls" not in str(judged(Vague(1.0, 1.0, 2.0**-41), 1.0, seed=seed))


#: An answer of calls, and what a law that wants keys lists for it.
PACKED: tuple[tuple[Any, Any], ...] = (
    (np.array([1, None], dtype=object), (1, None)),
    (np.array([[1, None], ["a", (2,)]], dtype=object), ((1, None), ("a", (2,)))),
    (np.array(None, dtype=object), None),
    ({1, "a"}, frozenset({1, "a"})),
    ({date(2020, 2, 29)}, frozenset({date(2020, 2, 29)})),
    (np.array(7), 7),
    (np.array(0.1, dtype=np.float32), float(np.float32(0.1))),
)


@dataclass(frozen=True)
class Packed:
    """An honest learner of two answers, one of which its law lists as a key; rare enough for both to come alone."""

    place: int

    def __call__(self, dataset: Any, rng: Any) -> Any:
        return PACKED[self.place][0] if rng.random() < 0.995 else "nothing"

    def distribution(self, dataset: Any) -> Any:
        return {PACKED[self.place][1]: Fraction(199, 200), "nothing": Fraction(1, 200)}


@pytest.mark.parametrize("place", range(len(PACKED)))
def test_an_answer_that_no_key_can_be_is_listed_as_what_it_holds(place: int, seed: int) -> None:
    verdict = judged(Packed(place), 1.0, seed=seed, max_samples=1200)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)


@pytest.mark.parametrize("outputs", [[[1], (1,)], [np.int64(1), 1], [{1}, frozenset({1})], [np.array([1]), (1,)]])
def test_one_content_packed_in_two_ways_is_refused_in_words(outputs: Any) -> None:
    with pytest.raises(NotALaw, match="hold the same and differ in how it is packed"):
        declared(Law(outputs, exact=[Fraction(1, 2), Fraction(1, 2)]))


@dataclass(frozen=True)
class Behind:
    """Declares a fair coin; calls toss one that shows the record, with so much privacy."""

    epsilon: float

    def __call__(self, dataset: Any, rng: Any) -> bool:
        chance = 0.2 if self.epsilon == 0.0 else 1.0 / (1.0 + math.exp(-self.epsilon))
        return bool(rng.random() < chance) ^ (bool(dataset[-1]) and self.epsilon > 0.0)

    def distribution(self, dataset: Any) -> dict[bool, Fraction]:
        return {False: Fraction(1, 2), True: Fraction(1, 2)}


def test_a_wrong_law_does_not_switch_the_audit_off(seed: int) -> None:
    """Calls are audited alone, on pairs with the dataset that contradicts the law."""
    where = {"neighbours": ReplaceOne(records=[0, 1], size=3), "exhaustive": True}
    leaky = judged(Behind(3.0), 0.5, seed=seed, **where)
    assert leaky.status is Status.VIOLATED, str(leaky)
    assert leaky.exact is None
    assert 0.5 < leaky.epsilon_lower <= 3.0
    assert leaky.witness is not None
    assert leaky.witness.counts.calls > 0
    assert "is not the law of its calls" in said_of_the_law(leaky)
    assert sum(phase.calls for phase in leaky.phases) == leaky.samples
    private = judged(Behind(0.0), 0.5, seed=seed, max_samples=6_000, **where)
    assert private.status is Status.LEARNER_FAILED, str(private)
    assert "calls besides, on pairs where they contradict the law, and these do not refute it" in said_of_the_law(
        private
    )
    assert private.epsilon_lower == 0.0


@pytest.mark.parametrize(
    "made", [list, np.array, lambda bits: pd.DataFrame({"bit": bits}), lambda bits: [{"bit": [bit]} for bit in bits]]
)
def test_equal_datasets_of_given_pairs_are_counted_once(made: Any) -> None:
    """Both pairs have ``[0, 1]`` on their left, as two objects."""
    pairs = [(made([0, 1]), made([1, 1])), (made([0, 1]), made([0, 0]))]
    verdict = judged(honest_coin, 1.0, pairs=pairs, max_samples=30_000)
    assert verdict.exact is not None
    assert (verdict.exact.datasets_compared, verdict.exact.datasets) == (3, 3)
    assert "on 3 of 3 datasets agree with it" in str(verdict)
    told = dpcheck.check_learner(honest_coin, 1.0, pairs=pairs, checks=["answers_on_ordinary_data"], isolation="none")
    assert "on 3 datasets" in told[0].sentence


def test_the_words_say_what_was_compared_and_what_would_have_been_seen(seed: int) -> None:
    verdict = judged(Told("fair", 3, 1.0, 0.0, 0), 1.1, seed=seed)
    words = str(verdict)
    assert "nothing of this was estimated" in words
    assert "on 2 of 2 datasets agree with it" in words
    assert "any event whose probability is off by" in words
    assert "about the declared law only" not in words
    alone = judged(Told("fair", 3, 1.0, 0.0, 0), 1.1, seed=seed, max_seconds=1e-9)
    assert alone.exact is None or "No call was compared" in str(alone) or alone.samples > 0


def test_what_is_said_to_be_seen_is_seen(seed: int) -> None:
    """The stated powers hold: differences just above them are refuted in at least 0.95 of runs (0.8 at level 1e-9)."""
    rng = np.random.default_rng(seed)
    calls, cells, runs, threshold = 3000, 6, 120, 20.0
    law = np.full(cells, 1 / cells)
    splits = splits_of(range(cells))
    known = KnownLaw.of(np.log(law), splits, None, 0.0)
    anywhere = visible_anywhere(cells, calls, threshold)
    half = visible_in_a_split(calls, len(splits) + 15, threshold)
    one_cell, by_half = law.copy(), law.copy()
    one_cell += np.where(np.arange(cells) == 0, anywhere, -anywhere / (cells - 1))
    by_half += np.where(np.arange(cells) % 2 == 0, 1, -1) * half / 3
    for moved in (one_cell, by_half):
        found = 0
        for _ in range(runs):
            fit = Fit(np.array([1.0]))
            fit.add(0, known, rng.multinomial(calls, np.clip(moved, 0, None) / np.clip(moved, 0, None).sum()) * 1.0)
            found += fit.log_evidence >= threshold
        assert found >= 0.8 * runs


def test_evidence_against_the_right_law_has_mean_at_most_one(rng: np.random.Generator) -> None:
    """Exactly: the evidence after n calls, averaged over all outcomes with their probabilities."""
    law, calls = np.array([0.5, 0.3, 0.2]), 12
    known = KnownLaw.of(np.log(law), splits_of(range(3)), np.log(law[::-1]), 0.0)
    total = 0.0
    for a in range(calls + 1):
        for b in range(calls + 1 - a):
            counts = np.array([a, b, calls - a - b], dtype=np.float64)
            chance = math.exp(
                math.lgamma(calls + 1)
                + sum(n * math.log(p) - math.lgamma(n + 1) for n, p in zip(counts, law, strict=True))
            )
            fit = Fit(np.array([0.75]))
            fit.add(0, known, counts)
            total += chance * math.exp(fit.log_evidence)
    assert total <= 1.0 + 1e-9
    assert total > 0.9


# --- sums


@pytest.mark.turns(6)
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 400), st.floats(-9e-10, 9e-10), st.integers(0, 1))
@example(1, 1e-15, 1)  # no more than rounding in the sum, and a thousand times that in a rare cell
def test_a_sum_that_is_not_one_makes_no_violation_at_the_claim(share: int, noise: float, cell: int) -> None:
    small = Fraction(share, 1000)
    laws = []
    for place in (0, 1):
        chances = [float(small), float(3 * small), float(1 - 4 * small)] if 4 * share < 1000 else [0.25, 0.75, 0.0]
        chances = [*chances[:2][:: 1 - 2 * place], chances[2]]
        chances[cell] += noise * (1 - 2 * place)
        laws.append({number: chance for number, chance in enumerate(chances) if chance > 0})

    class Given:
        def __call__(self, dataset: Any, rng: Any) -> int:
            law = laws[int(dataset[0])]
            return int(rng.choice(list(law), p=np.array(list(law.values())) / sum(law.values())))

        def distribution(self, dataset: Any) -> Any:
            return laws[int(dataset[0])]

    verdict = judged(Given(), PureDP(ratio=3), max_samples=48)
    assert verdict.status is not Status.VIOLATED, str(verdict)


def test_a_violation_beyond_what_the_sum_leaves_open_is_one(seed: int) -> None:
    for excess in (0.0, 1e-10):
        law = declared({0: 0.75 + excess, 1: 0.25})
        assert law.error >= (excess / 0.25 if excess else 0.0)
    with pytest.raises(NotALaw, match="divide them by their sum, give Fractions, or state their error"):
        declared({0: 1.0 - 1e-7 + 5e-10, 1: 1e-7})

    class Over:
        def __call__(self, dataset: Any, rng: Any) -> int:
            return int(dataset[0]) ^ int(rng.random() < 0.25)

        def distribution(self, dataset: Any) -> dict[int, float]:
            return {int(dataset[0]): 0.75 + 1e-10 + 1e-6, 1 - int(dataset[0]): 0.25 - 1e-6}

    assert judged(Over(), PureDP(ratio=3), seed=seed).status is Status.VIOLATED


# --- exhaustive


def test_all_pairs_of_private_parts_beside_every_public_part(seed: int) -> None:
    relation = PrivatePart(records=[0, 1], size=2, public=[5, 6])
    found = every_pair(relation)
    parts = 1 + 2 + 4
    assert (found.size, len(found.pairs), len(found.datasets())) == (4 * parts, 4 * parts, 4 * parts)
    for place in range(len(found.pairs)):
        pair = found.pair(place)
        assert relation.distance_problem(pair.left, pair.right) is None
        assert pair.left == found.datasets()[found.pairs[place][0]] == found.dataset(int(found.pairs[place][0]))
    assert every_pair(relation, order_blind=True).size == 3 * (1 + 2 + 3)

    class Leaky:
        def __call__(self, dataset: SemiPrivate, rng: Any) -> int:
            return int(rng.random() < self.distribution(dataset)[1])

        def distribution(self, dataset: SemiPrivate) -> dict[int, Fraction]:
            sure = list(dataset.public) == [6, 5]
            chance = Fraction(9, 10) if sure and sum(dataset.private) else Fraction(1, 2)
            return {0: 1 - chance, 1: chance}

    verdict = judged(Leaky(), 1.0, neighbours=relation, exhaustive=True, seed=seed)
    assert verdict.status is Status.VIOLATED
    labelled = Records.labelled(features=[0, 1], labels=[0, 1])
    for of in (LabelsOnly(records=labelled, size=1), AddRemove(records=[0, 1], size=range(1, 3))):
        found = every_pair(PrivatePart(of=of))
        assert len(found.pairs) > 0
        assert PrivatePart(of=of).distance_problem(found.pair(0).left, found.pair(0).right) is None


@pytest.mark.turns(6)
def test_a_lie_through_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from fractions import Fraction\n\n"
        "class Signed:\n"
        "    def __call__(self, dataset, rng):\n"
        "        return -0.0 if dataset[-1] else 0.0\n"
        "    def distribution(self, dataset):\n"
        "        return {0.0: Fraction(1)}\n"
    )
    command = [sys.executable, "-m", "dpcheck", "audit", "mine.py:Signed", "--epsilon", "1", "--records", "0,1"]
    done = subprocess.run(
        [*command, "--size", "1", "--exhaustive"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr  # calls alone refute it
    assert "does not tell apart" in " ".join(done.stdout.split())


@dataclass(frozen=True)
class NowAndThenNothing:
    """Gives the same answer 99 times of 100, so that many batches are packed and some are not."""

    answer: Any

    def __call__(self, dataset: Any, rng: Any) -> Any:
        return self.answer if rng.random() < 0.99 else None

    def distribution(self, dataset: Any) -> Any:
        return dpcheck.Law([self.answer, None], exact=[Fraction(99, 100), Fraction(1, 100)])


@pytest.mark.parametrize(
    "answer",
    [3, np.int64(3), np.int32(3), np.array(3), 0.5, np.float64(0.5), np.array(0.5), True, np.bool_(True), [1, 2]],
    ids=lambda answer: f"{type(answer).__name__} {answer}",
)
def test_how_answers_are_packed_makes_no_two_of_one(answer: Any, seed: int) -> None:
    """An array of numbers and a list of numbers and None are told apart by the batch alone, and by no law."""
    found = judged(NowAndThenNothing(answer), 1.0, seed=seed, max_samples=1000)
    assert found.status is Status.NO_VIOLATION_FOUND, str(found)


def test_of_many_datasets_each_is_called_where_the_budget_allows() -> None:
    question = ask(
        lambda data, rng: 0,
        1.0,
        measuring=False,
        pairs=[([0], [1])],
        limits=Limits(alpha=LEVEL, isolation="none"),
    )
    plan = plan_of_calls(question, 1024, 2, 30, most_calls(question.max_samples, 1024))
    assert len(plan.calls) == 1024
    assert plan.calls.min() >= 64
    assert plan.calls.sum() <= question.max_samples // 2

    few = plan_of_calls(question, 64, 2, 30, 9_000)
    assert len(few.calls) == 64
    assert few.calls.min() >= 64
    assert few.calls.sum() <= 9_000


@pytest.mark.parametrize("calls", [300, 1_000, 3_000])
def test_datasets_without_a_call_are_counted(calls: int, seed: int) -> None:
    """On any of them the calls may be others: what is said is about the law as declared."""
    learner = Told("fair", 4, 1.0, 0.0, 0, records=6)
    where: dict[str, Any] = {"neighbours": ReplaceOne(records=[0, 1], size=6), "exhaustive": True, "seed": seed}
    found = judged(learner, 1.0 + 1e-6, **where, max_samples=calls)
    assert found.exact is not None
    assert f"none on {64 - found.exact.datasets_compared} of 64 datasets" in str(found)
    assert "what is said is about the law as declared" in str(found)
    enough = judged(learner, 1.0 + 1e-6, **where, max_samples=20_000)
    assert enough.status is Status.NO_VIOLATION_FOUND
    assert enough.exact is not None
    assert enough.exact.datasets_compared == 64


def test_a_call_that_no_request_has_is_not_told() -> None:
    assert where(Request(0, 1, np.random.SeedSequence(0)), 10**18) == "in one of its calls on dataset 0"


def test_the_answers_of_a_law_in_a_dict_are_as_many_as_its_keys() -> None:
    for kind in MADE:
        answers = alphabet(2000, [kind, "int"], range(len(ALONE)), hashable=True)
        assert len({listed(answer) for answer in answers}) == len(answers) == 2000, kind
