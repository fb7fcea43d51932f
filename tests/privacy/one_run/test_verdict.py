"""The verdict on scores: what it says, what it is not fooled by, what it refuses."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator

import dpcheck
from dpcheck import ApproxDP, GaussianDP, InvalidArgument, OneRunVerdict, Status, one_run_verdict
from dpcheck.model.verdict.plots import as_svg
from dpcheck.privacy.one_run.verdict import guess


def scored(mu: float, rng: Generator, count: int = 1000) -> tuple[Any, Any]:
    """Scores of normal laws that are ``mu`` spreads apart, and who was in."""
    included = rng.random(count) < 0.5
    return mu * included + rng.normal(size=count), included


def test_a_leak_is_refuted_and_its_bounds_lie_below_the_truth(rng: Generator) -> None:
    verdict = one_run_verdict(*scored(3.0, rng), ApproxDP(1.0, 1e-5))
    assert verdict.status is Status.VIOLATED
    assert verdict.p_value <= verdict.alpha
    assert 2.0 < verdict.epsilon_lower < GaussianDP(3.0).epsilon(1e-5)
    of_normal = one_run_verdict(*scored(3.0, rng), GaussianDP(0.5))
    assert 0.5 < of_normal.parameter_lower < 3.0


def test_a_verdict_is_no_truth_value(rng: Generator) -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(one_run_verdict(*scored(0.0, rng), 1.0))


def test_equal_scores_say_nothing_in_whatever_order_they_come() -> None:
    included = np.sort(np.random.default_rng(0).random(2000) < 0.5)[::-1]  # all that are in come first
    verdict = one_run_verdict(np.ones(2000), included, 0.1)
    assert verdict.status is Status.INCONCLUSIVE
    assert [finding.kind for finding in verdict.findings] == ["scores alike"]
    assert "see the finding" in str(verdict)
    few = np.zeros(2000)
    few[:10] = 1.0  # ties among the rest
    assert one_run_verdict(few, included, 0.5).status is not Status.VIOLATED


def test_missing_scores_are_not_guessed_and_told(rng: Generator) -> None:
    scores, included = scored(3.0, rng)
    scores[:100] = np.nan
    verdict = one_run_verdict(scores, included, ApproxDP(1.0, 1e-5))
    assert verdict.canaries == 1000
    assert any("100 of 1,000 canaries have none" in finding.detail for finding in verdict.findings)
    assert guess(np.array([np.nan, 1.0, np.nan]), np.array([True, True, False]), 1, 0).right_in == 1


def test_several_runs_count_as_one_of_all_their_canaries() -> None:
    scores, included = scored(2.0, np.random.default_rng(3), 1200)
    one = one_run_verdict(scores, included, ApproxDP(1.0, 1e-5))
    several = one_run_verdict(scores.reshape(3, 400), included.reshape(3, 400), ApproxDP(1.0, 1e-5))
    assert (several.runs, several.canaries) == (3, 1200)
    assert (several.right, several.p_value, several.epsilon_lower) == (one.right, one.p_value, one.epsilon_lower)
    assert "1,200 in 3 runs" in str(several)


def test_too_few_canaries_for_the_claim_are_inconclusive_and_say_so(rng: Generator) -> None:
    verdict = one_run_verdict(*scored(3.0, rng, 200), ApproxDP(8.0, 1e-5))
    assert verdict.status is Status.INCONCLUSIVE
    assert "no scores of 200 canaries could refute it" in str(verdict)


def test_a_score_the_wrong_way_round_is_told_and_decides_nothing(rng: Generator) -> None:
    scores, included = scored(3.0, rng)
    verdict = one_run_verdict(-scores, included, 1.0)
    assert verdict.status is Status.INCONCLUSIVE
    assert "scores turned around" in [finding.kind for finding in verdict.findings]
    assert "give minus the loss" in str(verdict)


def test_scores_that_are_missing_where_a_canary_is_out_are_told(rng: Generator) -> None:
    scores, included = scored(0.0, rng)
    scores[~included] = np.nan
    verdict = one_run_verdict(scores, included, 1.0, guesses=100)
    assert verdict.status is Status.INCONCLUSIVE
    assert "missing scores tell" in [finding.kind for finding in verdict.findings]


def test_scores_no_better_than_coins_clear_nothing_unless_a_control_is_caught_by_them(rng: Generator) -> None:
    """Null: scores that have nothing to do with who was in; the finding is missing in 1 of 100 runs, in 5 never."""
    found = [one_run_verdict(*scored(0.0, rng), 1.0) for _ in range(5)]
    assert any(one.status is Status.INCONCLUSIVE for one in found)
    assert any("nothing shows that this score can see canaries" in str(one) for one in found)
    control = one_run_verdict(*scored(5.0, rng), 1.0)
    assert control.status is Status.VIOLATED
    with_control = one_run_verdict(*scored(0.0, rng), 1.0, control=control)
    assert with_control.status is Status.NO_VIOLATION_FOUND


def test_one_more_right_guess_decides_and_all_numbers_agree() -> None:
    claim, included = GaussianDP(1.0), np.random.default_rng(4).random(1000) < 0.5
    needed = one_run_verdict(included.astype(float), included, claim, guesses=200).needed
    inside, outside = np.flatnonzero(included), np.flatnonzero(~included)
    for wrong in (200 - needed, 200 - needed + 1):
        scores = np.zeros(1000)
        scores[inside[: 100 - wrong]] = 2.0
        scores[outside[:100]] = -1.0
        scores[outside[100 : 100 + wrong]] = 3.0  # guessed to be in
        verdict = one_run_verdict(scores, included, claim, guesses=200)
        assert verdict.right == 200 - wrong
        refuted = wrong == 200 - needed
        assert (verdict.status is Status.VIOLATED) == refuted
        assert (verdict.p_value <= verdict.alpha) == refuted
        assert (verdict.parameter_lower >= 0.999) == refuted


def test_other_numbers_are_numbers_too() -> None:
    scores, included = scored(3.0, np.random.default_rng(1))
    plain = one_run_verdict(scores, included, 1.0, guesses=100)
    masked = np.ma.masked_array(scores, mask=np.arange(1000) < 10)
    assert one_run_verdict(masked, included, 1.0, guesses=100).findings[0].kind == "scores missing"
    large = np.argsort(np.argsort(scores)) + 2**60
    for given, coins in ((scores[:, None], included[:, None]), (large, included), (scores, included.astype(object))):
        assert one_run_verdict(given, coins, 1.0, guesses=np.int64(100)).right == plain.right


def test_exactly_half_in_is_told() -> None:
    included = np.arange(200) % 2 == 0
    verdict = one_run_verdict(np.random.default_rng(0).normal(size=200), included, 1.0)
    assert "exactly half in" in [finding.kind for finding in verdict.findings]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"scores": [1.0, 2.0]}, "included must have a coin for each score, got shape (1000,)"),
        ({"scores": ["a"] * 1000}, "scores must be numbers"),
        ({"scores": [[1.0], [2.0, 3.0]]}, "scores must be numbers"),
        ({"scores": np.full(1000, np.nan)}, "scores must be numbers, got NaN for every canary"),
        ({"included": [2] * 1000}, "included must be True or False"),
        ({"included": ["yes"] * 1000}, "included must be True or False"),
        ({"included": np.ones(1000, bool)}, "included must be fair coins, one for each canary, got 1,000 in of 1,000"),
        ({"alpha": 0}, "alpha must be a probability above 0"),
        ({"alpha": True}, "alpha must be a probability"),
        ({"guesses": 0}, "guesses must be a number of canaries of at least 1"),
        ({"guesses": 1001}, "guesses must be at most 1,000, the canaries with scores, got 1001"),
        ({"guesses": (5, -1)}, "guesses must be a number"),
        ({"guesses": "many"}, "guesses must be a number"),
        ({"detect": 0.5}, "detect must be an epsilon above the claim's, 1, got 0.5"),
        ({"delta": 1.0}, "delta must be a probability of at least 0 and below 1"),
        ({"neighbours": "replace_one"}, "neighbours must be one of add-remove, replace-one"),
        ({"claim": "private"}, "claim must be"),
        ({"scores": np.zeros((2, 2, 2)), "included": np.zeros((2, 2, 2), bool)}, "scores must be of shape (m,)"),
        (
            {"scores": np.zeros((500, 2)), "included": np.arange(1000).reshape(500, 2) % 2},
            "a row for each run and a column for each canary, got 500 rows of 2: transpose them",
        ),
        (
            {"scores": np.zeros((2, 500)), "included": np.tile(np.arange(500) % 2, (2, 1))},
            "included must have coins of its own for each run, got runs 1 and 2 that agree on 500 of 500 canaries",
        ),
        (
            {"scores": pd.Series(range(1000)), "included": pd.Series([0, 1] * 500, index=range(1, 1001))},
            "included must have the index of scores, got another",
        ),
        ({"scores": np.zeros(1000, complex)}, "scores must be numbers"),
        ({"control": "a verdict"}, "control must be a verdict of one_run_verdict or one_run"),
    ],
)
def test_wrong_arguments_are_refused_in_a_line(changed: dict[str, Any], words: str) -> None:
    scores, included = scored(1.0, np.random.default_rng(0))
    given: dict[str, Any] = {"scores": scores, "included": included, "claim": 1.0, **changed}
    with pytest.raises(InvalidArgument) as refused:
        one_run_verdict(given.pop("scores"), given.pop("included"), given.pop("claim"), **given)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_its_figure_shows_both_laws_the_cuts_and_the_claim() -> None:
    verdict = one_run_verdict(*scored(3.0, np.random.default_rng(2)), GaussianDP(1.0), guesses=(60, 40))
    figure = verdict.plot()
    scores, trade_off = figure.axes
    labels = [text.get_text() for text in scores.get_legend().get_texts()]
    assert any(label.startswith("in the data") for label in labels)
    assert any(label.endswith("of 60 right)") for label in labels)
    assert any(label.endswith("of 40 right)") for label in labels)
    assert trade_off.lines[0].get_label() == "the claim, 1-GDP: none below"
    lowest = trade_off.lines[1].get_ydata().min()
    assert lowest == 0.0
    assert as_svg(figure) == as_svg(verdict.plot())
    ties = one_run_verdict(np.zeros(100), np.random.default_rng(0).random(100) < 0.5, 1.0)
    assert len(ties.plot().axes[1].lines[1].get_xdata()) == 2


def test_json_has_all_of_it(rng: Generator) -> None:
    verdict = one_run_verdict(*scored(3.0, rng), GaussianDP(1.0), guesses=(60, 40))
    found = json.loads(verdict.to_json())
    assert found["schema"] == "dpcheck-one-run/1"
    assert found["verdict"]["claim"]["kind"] == "gaussian"
    assert (found["verdict"]["guesses_in"], found["verdict"]["guesses_out"]) == (60, 40)
    assert found["verdict"]["status"] == "violated"
    assert isinstance(verdict, OneRunVerdict)
    assert "<pre>" in verdict._repr_html_()


def test_claims_at_their_boundary_are_not_accused(rng: Generator) -> None:
    """Null: normal laws mu apart under mu-GDP and its curve; level 1e-9 for each of 20 runs."""
    claim = GaussianDP(1.0)
    for other in (claim, ApproxDP(claim.epsilon(1e-5), 1e-5)):
        for _ in range(10):
            assert one_run_verdict(*scored(1.0, rng), other, alpha=1e-9, guesses=100).status is not Status.VIOLATED


def test_the_same_guesses_under_half_the_claim_are_accused(rng: Generator) -> None:
    """The broken version of the test above: what it looks at can fail."""
    accused = [one_run_verdict(*scored(4.0, rng), GaussianDP(1.0), guesses=100).status for _ in range(10)]
    assert dpcheck.Status.VIOLATED in accused
