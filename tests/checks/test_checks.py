"""Checks: each both ways, what they say, who may add one, and that no learner takes one down."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from checked_subjects import Subject as Checked
from checked_subjects import correct, failing

import dpcheck
from dpcheck import AddRemove, Case, CheckResult, PureDP, Records, ReplaceOne, check_learner, parametrize_with_checks
from dpcheck.checks import CheckFailed, CheckInconclusive, CheckStatus, Subject, careless
from dpcheck.checks import outcome as outcomes
from dpcheck.checks.catalogue.privacy import apart
from dpcheck.checks.defects import ATTRIBUTE
from dpcheck.checks.discovery import Check, all_checks, checks_in, distinct
from dpcheck.checks.events import CheckFinished, CheckStarted
from dpcheck.checks.judgement import equality_basis, judged_claim
from dpcheck.checks.rows import rows_taken
from dpcheck.checks.runner import run_check, run_checks
from dpcheck.checks.subject import WAYS_TO_ERR, subject_of
from dpcheck.model.data import Labelled, SemiPrivate, same_dataset
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import Status
from dpcheck.privacy.run.limits import Limits
from tests.handmade import verdict

pytest_plugins = ["pytester"]

#: Correct learners need only not fail: so few calls do not bring a check to say more.
FEW_CALLS = 48
#: What the learners with one defect each need at most to be caught, all but surely: most in some hundreds.
CALLS = 12_000
#: Data on which a learner of numbers runs; nothing is declared, nothing is searched.
PAIRS = [([0.0, 1.0, 0.0, 3.0], [0.0, 1.0, 1.0, 3.0])]


def noisy_sum(dataset: Any, rng: Any) -> float:
    return float(np.clip(np.asarray(dataset, dtype=float), 0, 3).sum() + 3 * rng.laplace())


def checked(learner: Any, *names: str, **arguments: Any) -> tuple[CheckResult, ...]:
    chosen = {"pairs": PAIRS, "max_samples": FEW_CALLS, **arguments}
    return check_learner(learner, chosen.pop("claim", 1.0), checks=list(names) or None, **chosen)


def of_status(results: tuple[CheckResult, ...], status: CheckStatus) -> list[str]:
    return [f"{result.check}: {result.sentence}" for result in results if result.status is status]


#: A learner that is right on whole numbers of a small sum; one with fractions; one that holds a function by value.
ALSO: dict[str, tuple[Any, Any, str]] = {
    "a large sum": (careless.sums_in_the_dtype_of_the_data, (0, 10), "dtype_of_the_input"),
    "fractions": (careless.writes_where_there_are_fractions, (0.0, 10.0), "read_only_input"),
    "a lambda": (careless.HoldsALambda, (0, 1), "pickling"),
}


class TestBothWays:
    def test_every_check_has_a_learner_that_must_fail_it(self) -> None:
        assert list(failing()) == [check.name for check in all_checks()]
        assert len(all_checks()) >= 24

    def test_a_check_that_declares_no_such_learner_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delattr(all_checks()[0].function, ATTRIBUTE)
        assert list(failing()) == [check.name for check in all_checks()[1:]]

    @pytest.mark.some(3)
    @pytest.mark.parametrize("name", sorted(failing()))
    def test_a_check_fails_the_learner_with_its_defect(self, name: str, seed: int) -> None:
        subject = failing()[name]
        (result,) = check_learner(
            subject.learner,
            subject.claim,
            **subject.data,
            checks=[name],
            max_samples=CALLS,
            max_seconds=120.0,
            call_timeout=2.0,
            seed=seed,
            name=subject.name,
        )
        assert result.status is CheckStatus.FAILED, str(result)
        assert result.hint
        assert result.level in (0.0, 1e-9)

    @pytest.mark.turns(12)
    @pytest.mark.parametrize("name", ALSO)
    def test_other_learners_with_the_defect_fail_too(self, name: str, seed: int) -> None:
        learner, records, check = ALSO[name]
        (result,) = check_learner(
            learner,
            1.0,
            neighbours=ReplaceOne(records=records),
            checks=[check],
            max_samples=20_000,
            max_seconds=120.0,
            seed=seed,
        )
        assert result.status is CheckStatus.FAILED, str(result)

    @pytest.mark.some(1)
    @pytest.mark.parametrize(
        "subject", [one for one in correct() if one.cheap], ids=lambda subject: subject.name.replace(" ", "_")
    )
    def test_a_correct_learner_fails_no_check(self, subject: Checked, seed: int) -> None:
        results = check_learner(
            subject.learner, subject.claim, **subject.data, max_samples=FEW_CALLS, max_seconds=5.0, seed=seed
        )
        unknown = tuple(result for result in results if result.check not in subject.known)
        assert of_status(unknown, CheckStatus.FAILED) == []
        assert of_status(results, CheckStatus.ERROR) == []
        assert len(of_status(results, CheckStatus.PASSED)) >= 10
        assert [result.check for result in results] == [check.name for check in all_checks()]


def two_numbers(dataset: Any, rng: Any) -> Any:
    return noisy_sum(dataset, rng) + rng.laplace(size=2)


def numbers_by_name(dataset: Any, rng: Any) -> dict[str, Any]:
    return {"sum": noisy_sum(dataset, rng), "noise": float(rng.normal()), "text": "as asked"}


class TestComparisons:
    """Whatever a learner answers, comparisons of two ways of running it are decided by the calls that are the default.

    A false alarm has the level 1e-9 of a check; whether one is inconclusive is no chance but for the coin's unevenness.
    """

    @pytest.mark.some(1)
    @pytest.mark.parametrize("learner", [noisy_sum, two_numbers, numbers_by_name])
    def test_they_are_decided_by_the_default_calls(self, learner: Any, seed: int) -> None:
        (result,) = check_learner(
            learner, 1.0, pairs=PAIRS, checks=["statelessness"], max_seconds=300.0, isolation="none", seed=seed
        )
        assert result.status is CheckStatus.PASSED, str(result)

    @pytest.mark.turns(12)
    def test_one_of_many_is_decided_too(self, seed: int) -> None:
        (result,) = check_learner(
            noisy_sum,
            1.0,
            pairs=PAIRS,
            checks=["container_of_the_input"],
            max_seconds=300.0,
            isolation="none",
            seed=seed,
        )
        assert result.status is CheckStatus.PASSED, str(result)


class TestNothingIsTakenDown:
    @pytest.mark.some(1)
    @pytest.mark.parametrize("name", ["segfaults", "hangs", "forks_and_both_return", "answers_its_dataset"])
    def test_a_learner_that_dies_fails_the_check_and_the_others_go_on(self, name: str) -> None:
        from dpcheck.parts.zoo.hostile import hostile

        found = hostile(name)
        names = ["answers_on_ordinary_data", "input_unchanged", "statelessness", "refusal_of_an_impossible_delta"]
        results = check_learner(
            found.factory, 1.0, pairs=[found.pair], checks=names, call_timeout=0.3, max_samples=60, max_seconds=3.0
        )
        assert len(results) == len(names)
        died = found.expected == "learner failed"
        assert [result.learner_failed for result in results[:1]] == [died]
        assert results[0].status is (CheckStatus.FAILED if died else CheckStatus.PASSED), str(results[0])
        assert of_status(results, CheckStatus.ERROR) == []

    def test_a_check_that_raises_is_an_error_of_the_check(self) -> None:
        def check_broken(subject: Subject) -> Any:
            raise RuntimeError("a slip")

        result = run_check(subject(noisy_sum), Check("check_broken", check_broken, "here"))
        assert (result.status, result.learner_failed) == (CheckStatus.ERROR, False)
        assert "RuntimeError: a slip" in result.sentence
        assert "here" in result.hint

    def test_a_check_that_asserts_fails_and_one_that_returns_nothing_is_an_error(self) -> None:
        def check_asserting(subject: Subject) -> Any:
            raise AssertionError("not so")

        def check_silent(subject: Subject) -> Any:
            return None

        one = subject(noisy_sum)
        assert run_check(one, Check("check_asserting", check_asserting, "")).sentence == "not so"
        assert run_check(one, Check("check_silent", check_silent, "")).status is CheckStatus.ERROR

    def test_ctrl_c_ends_the_run_and_keeps_what_is_done(self) -> None:
        def check_first(subject: Subject) -> Any:
            return outcomes.passed("done")

        def check_second(subject: Subject) -> Any:
            raise KeyboardInterrupt

        run = run_checks(
            subject(noisy_sum), [Check("check_first", check_first, ""), Check("check_second", check_second, "")]
        )
        assert next(run).status is CheckStatus.PASSED
        with pytest.raises(KeyboardInterrupt):
            next(run)


def subject(learner: Any, **arguments: Any) -> Subject:
    given: dict[str, Any] = {"alpha": 1e-9, "max_samples": FEW_CALLS, "max_seconds": 10.0, "call_timeout": 5.0}
    limited = {name: arguments.pop(name) for name in list(arguments) if name in Limits.__annotations__}
    return subject_of(learner, 1.0, limits=Limits(**{**given, **limited}), **{"pairs": PAIRS, **arguments})


class TestResults:
    @pytest.mark.turns(4)
    def test_a_result_says_what_it_rests_on(self, seed: int) -> None:
        (result,) = checked(noisy_sum, "privacy_of_the_claim", claim=0.1, max_samples=CALLS, seed=seed)
        assert result.status is CheckStatus.FAILED
        assert result.evidence is not None
        assert result.evidence.status is Status.VIOLATED
        assert result.level == 1e-9
        assert result.calls == result.evidence.samples
        assert result.evidence.alpha == pytest.approx(1e-9 / WAYS_TO_ERR)
        assert "level 1e-09" in str(result)

    @pytest.mark.turns(6)
    def test_levels_are_of_each_statistical_check_and_0_elsewhere(self, seed: int) -> None:
        results = checked(noisy_sum, "statelessness", "container_of_the_input", "empty_data", alpha=1e-4, seed=seed)
        levels = {result.check: result.level for result in results}
        assert levels == {
            "check_statelessness": 1e-4, "check_container_of_the_input": 1e-4, "check_empty_data": 0.0,
        }  # fmt: skip

    @pytest.mark.turns(4)
    @pytest.mark.parametrize("name", ["container_of_the_input", "extremes_of_the_domain", "infinity_in"])
    def test_the_shares_of_a_check_add_up_to_no_more_than_its_level(self, name: str, seed: int) -> None:
        one = subject(noisy_sum, pairs=None, neighbours=ReplaceOne(records=(0, 3)), max_samples=48, seed=seed)
        (check,) = [check for check in all_checks() if check.name == f"check_{name}"]
        check.function(one)
        assert 0 < one.spent.level <= 1e-9 * (1 + 1e-9)

    def test_a_result_is_neither_true_nor_false(self) -> None:
        (result,) = checked(noisy_sum, "empty_data")
        with pytest.raises(TypeError, match=r"compare result\.status"):
            bool(result)

    def test_every_status_has_a_meaning(self) -> None:
        assert all(status.meaning.endswith(".") for status in CheckStatus)

    def test_what_does_not_apply_says_why(self) -> None:
        names = ("privacy_of_the_claim", "order_of_records", "refusal_of_an_impossible_delta")
        results = checked(noisy_sum, *names, "agreement_of_sample_with_calls", claim=None)
        skipped = of_status(results, CheckStatus.NOT_APPLICABLE)
        assert any("nothing is claimed" in sentence for sentence in skipped)
        assert any("order_blind = True" in sentence for sentence in skipped)
        assert any("not a factory" in sentence for sentence in skipped)
        assert any("no sample" in sentence for sentence in skipped)

    @pytest.mark.turns(4)
    def test_the_same_seed_gives_the_same_results(self) -> None:
        def run() -> list[tuple[Any, ...]]:
            names = ("statelessness", "privacy_of_the_claim", "use_of_the_rng")
            return [(r.status, r.calls, r.level) for r in checked(noisy_sum, *names, seed=7)]

        assert run() == run()


class TestExpectedFailures:
    def test_an_expected_failure_is_no_news_and_passing_is(self) -> None:
        expected = {"empty_data": "nobody asks", "input-unchanged": "it is slow"}
        first, second = checked(
            lambda data, rng: sum(data) / len(data), "empty_data", "input_unchanged", expected_failures=expected
        )
        assert (first.status, first.expected) == (CheckStatus.EXPECTED_FAILURE, "nobody asks")
        assert second.status is CheckStatus.UNEXPECTEDLY_PASSED
        assert first.status.as_expected
        assert not second.status.as_expected

    def test_what_does_not_apply_stays_so(self) -> None:
        (result,) = checked(noisy_sum, "order_of_records", expected_failures={"order_of_records": "no"})
        assert result.status is CheckStatus.NOT_APPLICABLE

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"expected_failures": {"emty_data": "why"}}, "did you mean 'check_empty_data'"),
            ({"expected_failures": {"empty_data": " "}}, "must say why"),
            ({"expected_failures": ["empty_data"]}, "must be a dict"),
            ({"checks": ["purety"]}, "checks must name checks"),
            ({"checks": []}, "at least one check"),
            ({"checks": "empty_data"}, "must be a list of names"),
            ({"on_fail": "rise"}, "did you mean 'raise'"),
            ({"allow_inconclusive": 1}, "True or False"),
            ({"alpha": 2.0}, "alpha must be"),
            ({"max_samples": 3}, "max_samples must be"),
            ({"pairs": None}, "neighbours, dataset or pairs"),
        ],
    )
    def test_arguments_are_refused_in_one_line(self, arguments: dict[str, Any], words: str) -> None:
        with pytest.raises(InvalidArgument) as caught:
            check_learner(noisy_sum, 1.0, **{"pairs": PAIRS, **arguments})
        assert words in str(caught.value)
        assert "\n" not in str(caught.value)


class TestOnFail:
    def test_it_raises_at_the_first_that_fails(self) -> None:
        seen: list[Any] = []
        with pytest.raises(CheckFailed) as caught:
            checked(
                lambda data, rng: sum(data) / len(data), "empty_data", "input_unchanged",
                on_fail="raise", on_event=seen.append,
            )  # fmt: skip
        assert caught.value.result.check == "check_empty_data"
        assert isinstance(caught.value, AssertionError)
        assert [type(event) for event in seen] == [CheckStarted, CheckFinished]

    def test_inconclusive_does_not_pass_a_gate_unless_allowed(self) -> None:
        few = {"max_samples": 48, "on_fail": "raise"}
        with pytest.raises(CheckInconclusive):
            checked(noisy_sum, "privacy_of_the_claim", **few)
        assert checked(noisy_sum, "privacy_of_the_claim", allow_inconclusive=True, **few)

    def test_it_warns(self) -> None:
        with pytest.warns(UserWarning, match="check_empty_data: FAILED"):
            checked(lambda data, rng: sum(data) / len(data), "empty_data", on_fail="warn")


class TestDiscovery:
    def test_names_begin_with_check_and_docstrings_say_what_is_asked(self) -> None:
        for check in all_checks():
            assert check.name.startswith("check_")
            assert check.sentence.endswith("."), check.name
            assert len(check.sentence) <= 120, check.name

    def test_the_order_is_fixed_and_imported_functions_do_not_count(self) -> None:
        from dpcheck.checks.catalogue import sizes

        assert [check.name for check in checks_in([sizes])] == [
            "check_empty_data", "check_one_record", "check_duplicates",
        ]  # fmt: skip

    def test_two_checks_of_one_name_are_an_error(self) -> None:
        twice = [Check("check_a", lambda subject: None, origin) for origin in ("here", "there")]
        with pytest.raises(InvalidArgument, match="check_a from here and there"):
            distinct(twice)

    def test_modules_without_checks_hold_none(self) -> None:
        assert checks_in([ModuleType("empty")]) == []


class TestRows:
    @pytest.mark.parametrize(
        ("dataset", "wanted"),
        [
            ([5, 6, 7], [7, 5]),
            ((5, 6, 7), (7, 5)),
            (np.array([5, 6, 7]), np.array([7, 5])),
            ((np.array([[1.0], [2.0], [3.0]]), [0, 1, 2]), (np.array([[3.0], [1.0]]), [2, 0])),
            (Labelled([[1], [2], [3]], [0, 1, 2]), Labelled([[3], [1]], [2, 0])),
            (SemiPrivate([5, 6, 7], [1]), SemiPrivate([7, 5], [1])),
        ],
    )
    def test_rows_are_taken_in_order_and_the_type_stays(self, dataset: Any, wanted: Any) -> None:
        assert same_dataset(rows_taken(dataset, [2, 0]), wanted)

    def test_a_frame_has_fresh_labels(self) -> None:
        pandas = pytest.importorskip("pandas")
        taken = rows_taken(pandas.DataFrame({"a": [1, 2, 3]}), [2, 2])
        assert taken["a"].tolist() == [3, 3]
        assert taken.index.tolist() == [0, 1]

    @pytest.mark.parametrize("steps", [2, 5])
    def test_pairs_at_a_distance_are_so_many_steps_apart(self, steps: int) -> None:
        replaced = apart(Pair([0] * 6, [1, *[0] * 5], ""), steps)
        assert replaced is not None
        assert sum(replaced.right) == steps
        removed = apart(Pair([3, 4], [3], ""), steps)
        assert removed is not None
        assert len(removed.left) - len(removed.right) == steps

    def test_too_few_records_have_no_such_pair(self) -> None:
        assert apart(Pair([0, 0], [1, 0], ""), 3) is None
        assert apart(Pair([0, 0], [1, 1], ""), 2) is None


class TestSentences:
    """What a maintainer reads: precise, and about the right thing."""

    @pytest.mark.turns(6)
    def test_outside_the_domain_says_which_of_the_three(self, seed: int) -> None:
        records = {"neighbours": ReplaceOne(records=(0, 3)), "pairs": None, "seed": seed}

        def refuses(dataset: Any, rng: Any) -> float:
            if max(dataset) > 3 or min(dataset) < 0:
                raise ValueError("records must be in [0, 3]")
            return noisy_sum(dataset, rng)

        def leaks(dataset: Any, rng: Any) -> float:
            return float(sum(dataset) + 3 * rng.laplace())

        said = [
            checked(learner, "outside_the_domain", max_samples=2 * CALLS, **records)[0]
            for learner in (refuses, noisy_sum, leaks)
        ]
        assert [result.status.value for result in said] == ["passed", "passed", "failed"], list(map(str, said))
        for result, word in zip(said, ("refuses (ValueError", "clipping", "takes it as it comes"), strict=True):
            assert word in result.sentence

    @pytest.mark.turns(6)
    def test_an_odd_record_is_one_step_away_under_every_relation(self, seed: int) -> None:
        def clips(dataset: Any, rng: Any) -> float:
            return float(np.clip(np.asarray(dataset, dtype=float), -1, 1).sum() + rng.laplace())

        def shows_features(dataset: Any, rng: Any) -> float:
            x, y = dataset
            return float(100 * np.sum(x) + np.sum(y) + rng.laplace())

        labelled = Records.labelled(features=(-1, 1), labels=[0, 1])
        for learner, relation in (
            # a clipped record replaced moves the sum by 2, one removed by 1
            (clips, AddRemove(records=(-1, 1))),
            (shows_features, dpcheck.LabelsOnly(records=labelled)),
        ):
            given = {"pairs": None, "neighbours": relation, "max_samples": 2 * CALLS, "seed": seed}
            (result,) = checked(learner, "outside_the_domain", **given)
            assert result.status is CheckStatus.PASSED, str(result)

    def test_equal_records_are_as_many_as_the_data_at_hand(self) -> None:
        def wants_eight(dataset: Any, rng: Any) -> float:
            if len(dataset) < 8:
                raise ValueError("dataset must hold at least 8 records")
            return noisy_sum(dataset, rng)

        (result,) = checked(wants_eight, "duplicates", pairs=[([0.0, 1.0] * 5, [0.0, 1.0] * 4 + [1.0, 1.0])])
        assert result.status is not CheckStatus.FAILED, str(result)

    def test_groups_stay_inside_the_declared_sizes(self) -> None:
        given = {"pairs": None, "neighbours": AddRemove(records=(0, 3), size=5)}
        (result,) = checked(noisy_sum, "group_privacy_at_distance_2", **given)
        assert result.status is CheckStatus.NOT_APPLICABLE, str(result)

    def test_refusing_the_ends_of_the_domain_is_no_accident(self, seed: int) -> None:
        def refuses(dataset: Any, rng: Any) -> float:
            if 0 in dataset or 3 in dataset:
                raise ValueError("records must be inside (0, 3)")
            return noisy_sum(dataset, rng)

        records = {"neighbours": ReplaceOne(records=(0, 3)), "pairs": None, "seed": seed}
        (result,) = checked(refuses, "extremes_of_the_domain", **records)
        assert (result.status, result.learner_failed) == (CheckStatus.FAILED, False)
        assert "it refuses datasets of extreme records (ValueError: records must" in result.sentence

    @pytest.mark.parametrize(("said", "named"), [("mu must be positive", True), ("it must be positive", False)])
    def test_a_refusal_names_its_parameter_in_a_word_of_its_own(self, said: str, named: bool) -> None:
        class Refuses:
            def __init__(self, mu: Any = 1.0) -> None:
                if not isinstance(mu, int | float) or not 0 < mu < 1e9:
                    raise ValueError(said)

            def __call__(self, dataset: Any, rng: Any) -> float:
                return float(rng.random())

        (result,) = checked(Refuses, "refusal_of_impossible_noise")
        assert (result.status is CheckStatus.PASSED) is named, str(result)

    @pytest.mark.turns(6)
    def test_an_empty_neighbour_belongs_to_the_claim(self, seed: int) -> None:
        def refuses(dataset: Any, rng: Any) -> float:
            if len(dataset) == 0:
                raise ValueError("dataset must hold at least one record")
            return noisy_sum(dataset, rng)

        def under(relation: Any) -> CheckResult:
            given = {"pairs": None, "neighbours": relation, "max_samples": CALLS, "seed": seed}
            return checked(refuses, "empty_data", **given)[0]

        assert under(ReplaceOne(records=(0, 3))).status is CheckStatus.PASSED
        assert under(AddRemove(records=(0, 3))).status is CheckStatus.FAILED
        assert under(AddRemove(records=(0, 3), size=range(2, 9))).status is CheckStatus.PASSED

    def test_a_claimed_exponent_is_the_limit(self) -> None:
        from dpcheck.checks.careless import holds_all_differences

        class Claims:
            memory_exponent = 2

            def __call__(self, dataset: Any, rng: Any) -> float:
                return holds_all_differences(dataset, rng)

        (result,) = checked(Claims(), "memory_against_n")
        assert result.status is CheckStatus.PASSED, str(result)
        assert "claimed: n^2" in result.sentence

    @pytest.mark.turns(6)
    def test_an_epsilon_of_0_may_hide_the_data(self, seed: int) -> None:
        def factory(hides: bool) -> Any:
            class Learner:
                def __init__(self, epsilon: Any = 1.0) -> None:
                    if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not 0 <= epsilon < 1e9:
                        raise ValueError(f"epsilon must be a finite number of at least 0, got {epsilon!r}")
                    self.epsilon = epsilon

                def __call__(self, dataset: Any, rng: Any) -> int:
                    truth = int(sum(dataset) > 4)
                    keep = 1 / (1 + np.exp(-self.epsilon)) if hides else 0.99
                    return truth if rng.random() < keep else 1 - truth

            return Learner

        for hides, status in ((True, CheckStatus.PASSED), (False, CheckStatus.FAILED)):
            (result,) = checked(factory(hides), "refusal_of_an_impossible_epsilon", max_samples=CALLS, seed=seed)
            assert result.status is status, str(result)

    def test_a_hang_for_a_parameter_is_said(self) -> None:
        class HangsForNan:
            def __init__(self, delta: Any = 0.0) -> None:
                if isinstance(delta, str) or delta < 0 or delta > 1:
                    raise ValueError(f"delta must be a probability, got {delta!r}")
                while delta != delta:
                    pass

            def __call__(self, dataset: Any, rng: Any) -> float:
                return float(rng.random())

        (result,) = checked(HangsForNan, "refusal_of_an_impossible_delta", call_timeout=0.5)
        assert result.status is CheckStatus.FAILED
        assert result.learner_failed
        assert "delta = nan" in result.sentence

    @pytest.mark.turns(12)
    def test_labels_frames_and_public_parts_are_data_too(self, seed: int) -> None:
        def fitted(dataset: Any, rng: Any) -> Any:
            x, y = dataset.private if isinstance(dataset, SemiPrivate) else dataset
            table = np.clip(np.asarray(x, dtype=float), 0, 1)
            signs = np.where(np.asarray(y) > 0, 1.0, -1.0)
            return table.T @ signs + 8 * rng.laplace(size=table.shape[1])

        names = [
            "read_only_input", "memory_against_n", "nan_in", "outside_the_domain", "group_privacy_at_distance_2",
            "extremes_of_the_domain", "empty_data", "one_record", "input_unchanged",
        ]  # fmt: skip
        x, y = np.array([[0.0, 1.0], [1.0, 0.5], [0.25, 0.5]]), np.array([0, 1, 1])
        records = Records.labelled(features=([0, 0], [1, 1]), labels=[0, 1])
        for dataset, relation in (
            ((x, y), ReplaceOne(records=records)),
            (SemiPrivate((x, y), public=[1]), dpcheck.PrivatePart(records=records)),
        ):
            results = check_learner(
                fitted,
                PureDP(1.0),
                dataset=dataset,
                neighbours=relation,
                checks=names,
                max_samples=FEW_CALLS,
                seed=seed,
            )
            assert of_status(results, CheckStatus.ERROR) == []
            failures = {r.check for r in results if r.status is CheckStatus.FAILED}
            assert failures <= {"check_nan_in"}, list(map(str, results))


class TestPytest:
    CASES = """
        import pytest
        from dpcheck import Case, ReplaceOne, parametrize_with_checks

        def tidy(dataset, rng):
            return float(rng.normal())

        def careless(dataset, rng):
            return sum(dataset) / len(dataset) + 9 * rng.laplace()

        NAMES = ["empty_data", "input_unchanged", "order_of_records"]
        FEW = {"pairs": [([0, 1], [1, 1])], "max_samples": 60, "checks": NAMES}

        @parametrize_with_checks([
            Case(tidy, 1.0, id="tidy", **FEW),
            Case(careless, 1.0, **FEW),
            Case(careless, 1.0, id="announced", expected_failures={"empty_data": "nobody asks"}, **FEW),
            Case(tidy, 1.0, id="too soon", expected_failures={"empty_data": "was so once"}, **FEW),
        ])
        def test_learner(case, check):
            check(case)
    """

    @pytest.mark.turns(6)
    def test_a_test_for_each_learner_and_check(self, pytester: pytest.Pytester) -> None:
        pytester.makepyfile(test_it=textwrap.dedent(self.CASES))
        result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-rA", "-n", "2")
        result.assert_outcomes(passed=5, failed=2, skipped=4, xfailed=1)
        text = result.stdout.str()
        assert "test_learner[careless-check_empty_data]" in text
        assert "FAILED test_it.py::test_learner[too_soon-check_empty_data]" in text  # strict
        assert "ZeroDivisionError" in text
        assert "order_blind = True claims it" in text
        assert "nobody asks" in text

    @pytest.mark.parametrize(
        ("cases", "words"),
        [
            ([], "at least one Case"),
            (Case(noisy_sum, 1.0, pairs=PAIRS), "with the brackets"),
            ([noisy_sum], "must hold Case"),
            ([Case(noisy_sum, 1.0, pairs=PAIRS)] * 2, "give them an id="),
            ([Case(noisy_sum, 1.0, pairs=PAIRS, checks=["emty_data"])], "did you mean"),
        ],
    )
    def test_cases_are_refused_in_one_line(self, cases: Any, words: str) -> None:
        with pytest.raises(InvalidArgument, match=words):
            parametrize_with_checks(cases)

    def test_names_are_the_same_every_time(self) -> None:
        def names() -> list[str]:
            cases = [Case(noisy_sum, 1.0, pairs=PAIRS), Case(lambda d, r: 0, 1.0, pairs=PAIRS)]
            return [str(parameter.id) for parameter in parametrize_with_checks(cases).args[1]]

        assert names() == names()
        assert len(set(names())) == 2 * len(all_checks())


@pytest.fixture
def stranger(tmp_path: Path) -> Callable[[str, str], None]:
    """A distribution of somebody else's that announces entry points; gives a function that writes it."""

    def write(module: str, points: str) -> None:
        (tmp_path / "strangers_checks.py").write_text(textwrap.dedent(module))
        about = tmp_path / "strangers-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[dpcheck.checks]\n{points}\n")

    return write


class TestStrangersChecks:
    MODULE = """
        from dpcheck.checks import failed, needs, passed
        from dpcheck.checks.needs import a_sample

        def check_answers_are_small(subject):
            \"\"\"Every answer is below 10.\"\"\"
            (answers,) = subject.answers([plain(subject.dataset)], 4)
            large = [value for value in answers.values if value >= 10]
            return failed(f"it answers {large[0]}", "divide") if large else passed("all are small")

        def plain(dataset):
            from dpcheck.checks.situations import plainly
            return plainly(dataset)

        @needs(a_sample)
        def check_that_needs_a_sample(subject):
            \"\"\"Never reached here.\"\"\"
            raise RuntimeError
    """

    def run(self, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        (folder / "mine.py").write_text("def large(dataset, rng):\n    return 11.0\n")
        code = (
            f"import sys; sys.path.insert(0, {str(folder)!r}); "
            "from dpcheck.cli.app import run; sys.exit(run(sys.argv[1:]))"
        )
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            cwd=folder,
            timeout=120,
            check=False,
        )

    @pytest.mark.turns(6)
    def test_they_run_like_all_others(self, stranger: Callable[[str, str], None], tmp_path: Path) -> None:
        stranger(self.MODULE, "mine = strangers_checks")
        listed = self.run(tmp_path, "check", "--list")
        assert "check_answers_are_small\n    Every answer is below 10.\n" in listed.stdout
        ran = self.run(
            tmp_path, "check", "mine.py:large", "--epsilon", "1", "--bounds", "0,1", "--only", "answers_are_small",
            "--only", "that_needs_a_sample", "--quiet",
        )  # fmt: skip
        assert ran.returncode == 1, ran.stderr
        assert "it answers 11.0" in ran.stdout
        assert "no sample(dataset, size, rng)" in ran.stdout

    @pytest.mark.parametrize(
        ("points", "words"),
        [
            ("mine = strangers_checks:nothing", "cannot be loaded"),
            ("mine = json", "must be a check or a module of checks"),
            ("check_empty_data = strangers_checks:check_empty_data", "a check's name must be its own"),
        ],
    )
    def test_what_cannot_be_used_is_said_in_one_line(
        self,
        stranger: Callable[[str, str], None],
        tmp_path: Path,
        points: str,
        words: str,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        from dpcheck.checks import discovery
        from dpcheck.cli import app

        stranger('def check_empty_data(subject):\n    "Mine."\n', points)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "strangers_checks", raising=False)
        monkeypatch.setattr(discovery, "all_checks", discovery.all_checks.__wrapped__)
        assert app.run(["check", "--list"]) == 2
        said = capsys.readouterr().err
        assert words in said
        assert len(said.splitlines()) == 1


@pytest.mark.parametrize("epsilon", [0.0123, 0.1234, 1.2341, 2.0, 12.341, 123.41, 650.001])
def test_what_would_have_been_caught_is_never_told_smaller_than_it_is(epsilon: float) -> None:
    made = verdict(detectable_epsilon=epsilon)
    loss = judged_claim(made, about="it keeps it", broken="no", hint="").sentence
    ratio = equality_basis(made)
    for words, of, size in ((loss, "privacy loss", epsilon), (ratio, "likelihood ratio", math.exp(epsilon))):
        told = float(re.findall(rf"{of} of ([0-9.e+-]+) in", words)[0])
        assert size <= told <= 1.011 * size, words


REPORTS = Path(__file__).resolve().parents[2] / "reports"


def reported() -> set[str]:
    """The checks that the table in the reports is about."""
    return {cell["check"] for cell in json.loads((REPORTS / "checks.json").read_text(encoding="utf-8"))["must_fail"]}


def test_the_table_in_the_reports_kept_its_rule() -> None:
    document = json.loads((REPORTS / "checks.json").read_text(encoding="utf-8"))
    names = reported()
    assert names <= {check.name for check in all_checks()}
    assert document["passed"] is True
    assert document["quick"] is False
    assert {cell["check"] for cell in document["must_fail"] if cell["status"] == "failed"} == names
    passes = [cell["check"] for cell in document["correct"] if cell["status"] == "passed"]
    assert {name for name in names if passes.count(name) >= 3} == names
    shown = (REPORTS / "checks.md").read_text(encoding="utf-8").replace("\\_", "_")
    assert all(f"| {name.removeprefix('check_')} |" in shown for name in names)


@pytest.mark.extra  # whoever adds a check need not make the reports again: that is done before a release
def test_the_table_in_the_reports_is_about_all_checks() -> None:
    assert reported() == {check.name for check in all_checks()}
