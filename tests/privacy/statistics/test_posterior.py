"""Posteriors of log-odds: calibrated where their model holds, drawn together where nothing differs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dpcheck.privacy.statistics.expected_bound import Goal, best_rule
from dpcheck.privacy.statistics.gaussian_process import smooth
from dpcheck.privacy.statistics.normal_laws import two_normal_laws
from dpcheck.privacy.statistics.one_place import LENGTHS, SPREADS, in_one_place
from dpcheck.privacy.statistics.ordered_posteriors import by_number
from dpcheck.privacy.statistics.posterior import DRAWS, LUCK, Floats, Integers, Posterior, expit, shrunken_answers
from dpcheck.privacy.statistics.segments import in_pieces
from dpcheck.privacy.statistics.subsampled_laws import _surprise, subsampled_laws

Model = Callable[[Integers], Posterior]
MODELS: dict[str, Model] = {
    "answers": shrunken_answers,
    "pieces": in_pieces,
    "smooth": lambda histogram: smooth(histogram, np.arange(len(histogram), dtype=np.float64)),
}


def counted(log_odds: Floats, each: int, rng: np.random.Generator) -> Integers:
    """Outputs per bin with these log-odds."""
    left = rng.binomial(each, expit(log_odds))
    return np.column_stack([each - left, left]).astype(np.int64)


@pytest.mark.parametrize("name", MODELS)
def test_bins_that_say_nothing_are_drawn_together(name: str, rng: np.random.Generator) -> None:
    """What 100 bins of 10 outputs seem to lean to: of its squares about a hundredth is believed, at most a quarter was.

    One lucky bin among them may be believed for its own (its log-odds were above 0.7 in one sample of six).
    """
    histogram = counted(np.zeros(100), 10, rng)
    found = MODELS[name](histogram)
    counted_alone = np.log((histogram[:, 1] + 0.5) / (histogram[:, 0] + 0.5))
    assert np.mean(found.log_odds**2) < 0.5 * np.mean(counted_alone**2)
    assert found.draws.shape == (DRAWS, 100)
    assert found.mass.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("name", MODELS)
def test_what_all_bins_lean_to_is_found(name: str, rng: np.random.Generator) -> None:
    """10,000 outputs with log-odds of 1: their share is known to 0.005, so eight standard errors are a quarter nat."""
    found = MODELS[name](counted(np.ones(100), 100, rng))
    assert abs(float(found.mass @ found.probability) - expit(np.array(1.0))) < 0.04


@pytest.mark.parametrize("name", MODELS)
def test_log_odds_are_as_far_as_counts_say(name: str) -> None:
    """Of 30,000 outputs on one side alone the log-odds were held to be 6 (4 in pieces), and others were guessed."""
    found = MODELS[name](np.array([[30_000, 0]] * 5 + [[0, 30_000]] * 5))
    assert found.log_odds[:5].max() < -8.0
    assert found.log_odds[5:].min() > 8.0
    assert np.abs(found.draws).min() > 7.0


@pytest.mark.parametrize(("name", "truth"), [
    ("answers", np.tile([0.0] * 9 + [1.5], 100)),
    ("pieces", np.repeat([0.0, 1.2, 0.0, -0.8, 0.0], 20)),
    ("smooth", np.sin(np.linspace(0.0, 3.0, 100))),
])  # fmt: skip
def test_a_posterior_comes_nearer_the_truth_than_counts_do(name: str, truth: Floats, rng: np.random.Generator) -> None:
    histogram = counted(truth, 40, rng)
    found = MODELS[name](histogram)
    plain = np.log((histogram[:, 1] + 0.5) / (histogram[:, 0] + 0.5))
    assert np.mean((found.log_odds - truth) ** 2) < 0.75 * np.mean((plain - truth) ** 2)


@pytest.mark.turns(6)
@pytest.mark.parametrize("name", MODELS)
def test_draws_are_spread_as_the_truth_is(name: str, rng: np.random.Generator) -> None:
    """Over many bins the truth is as far from the mean as draws are: within a factor of three.

    A smooth curve has some five degrees of freedom: of twenty of them the factor is known to a seventh.
    """
    missed, spread = 0.0, 0.0
    for _ in range(20):
        truth = {"answers": rng.normal(0.0, 0.5, 300), "pieces": np.repeat(rng.normal(0.0, 0.7, 30), 10)}.get(
            name, np.cos(np.linspace(0.0, 5.0, 300))
        )
        found = MODELS[name](counted(truth, 60, rng))
        missed += float(np.mean((found.log_odds - truth) ** 2))
        spread += float(found.draws.var(axis=0).mean())
    assert 0.3 * spread < missed < 3.0 * spread


@pytest.mark.turns(6)
def test_the_evidence_says_which_model_is_right(rng: np.random.Generator) -> None:
    places = np.arange(200, dtype=np.float64)
    alone = np.zeros(200, bool)
    bump = np.where((places > 90) & (places < 100), 1.5, 0.0)
    wave = np.sin(places / 40.0)
    scattered = rng.permutation(np.repeat([0.0, 0.0, 0.0, 2.0], 50))
    for truth, name in ((bump, "pieces"), (wave, "smooth"), (scattered, "answers by themselves")):
        histogram = counted(truth, 100, rng)
        models = [shrunken_answers(histogram), *by_number(histogram, places, alone)]
        best = max(models, key=lambda model: model.evidence)
        if name == "answers by themselves":  # pieces with a jump at every bin are the same model
            assert best.model != "smooth"
        else:
            assert best.model == name


@pytest.mark.turns(4)
def test_codes_and_what_is_no_number_stand_by_themselves(rng: np.random.Generator) -> None:
    truth = np.concatenate([np.zeros(50), [2.0], np.zeros(49), [-2.0]])
    centres = np.append(np.arange(100.0), np.nan)
    alone = centres == 50.0
    for found in by_number(counted(truth, 400, rng), centres, alone):
        assert found.log_odds[50] > 1.2
        assert found.log_odds[-1] < -1.2
        assert np.abs(found.log_odds[:50]).max() < 0.8


@pytest.mark.turns(4)
def test_bins_that_saw_nothing_say_what_their_neighbours_say(rng: np.random.Generator) -> None:
    histogram = counted(np.linspace(-1.0, 1.0, 40), 100, rng)
    histogram[[0, 1, 20, 39]] = 0
    for found in by_number(histogram, np.arange(40.0), np.zeros(40, bool)):
        assert found.probability[0] == found.probability[1] == found.probability[2]
        assert found.probability[20] in found.probability[[19, 21]]
        assert found.probability[39] == found.probability[38]
        assert (found.mass[[0, 1, 20, 39]] == 0.0).all()


@pytest.mark.parametrize("counts", [[[1, 0]], [[0, 0], [1, 0]], [[10**7, 10**7], [0, 1]], [[5, 5], [0, 10**6]]])
def test_any_counts_have_a_finite_posterior(counts: list[list[int]]) -> None:
    histogram = np.array(counts, dtype=np.int64)
    models = [shrunken_answers(histogram), in_one_place(histogram), in_one_place(histogram, np.arange(len(histogram)))]
    models += by_number(histogram, np.arange(len(histogram), dtype=np.float64), np.zeros(len(histogram), bool))
    for found in models:
        for value in (found.log_odds, found.draws, found.evidence):
            assert np.isfinite(value).all()


@pytest.mark.parametrize("on_a_line", [False, True])
def test_which_place_differs_is_known_as_well_as_is_said(on_a_line: bool, rng: np.random.Generator) -> None:
    """Truths drawn from the prior: the chance that a bin differs is as often right as it says, to six deviations."""
    said, right, apart = 0.0, 0, 0.0
    for _ in range(400):
        truth = np.zeros(40)
        length = int(rng.choice([each for each in LENGTHS if each <= 20])) if on_a_line else 1
        start = int(rng.integers(40 - length + 1))
        truth[start : start + length] = rng.normal(0.0, rng.choice(SPREADS))
        found = in_one_place(counted(truth, 30, rng), np.arange(40) if on_a_line else None)
        differs = (found.draws != 0.0).mean(axis=0)
        place = int(np.argmax(differs))
        said += float(differs[place])
        right += truth[place] != 0.0
        apart += float(np.mean(found.draws[:, place]) - truth[place])
    assert abs(right - said) < 6.0 * np.sqrt(400 * 0.25)
    assert abs(apart) < 6.0 * np.sqrt(400 * 1.0)


def test_of_alike_answers_one_place_is_no_likelier_than_none(rng: np.random.Generator) -> None:
    """Outputs that coins tell nothing of: the evidence of the wrong model is below theirs times k but for one in k."""
    above = 0
    for _ in range(400):
        histogram = counted(np.zeros(60), 20, rng)
        none = -np.log(2.0) * histogram.sum()
        above += in_one_place(histogram, np.arange(60)).evidence - none > np.log(20.0)
    assert above < 400 / 20 + 6.0 * np.sqrt(400 / 20)


def test_where_it_is_not_known_which_answer_leaks_the_likeliest_is_guessed(rng: np.random.Generator) -> None:
    """No bound is to be counted on; but to guess nothing, or all, shows nothing for sure.

    Where ten answers seem to lean alike there is no likeliest: that is one sample of thirty.
    """
    guessed, hoped = 0, 0
    for _ in range(40):
        truth = np.zeros(300)
        truth[123] = 1.4
        rule = best_rule(in_one_place(counted(truth, 24, rng)), Goal(0.0, 0.05, 8_000))
        guessed += rule.weights[123] > 0
        assert np.count_nonzero(rule.weights) > 0
        hoped += rule.expected > 0.0 or rule.chance > 0.0
    # 19 of 24 on one side are the likeliest of 300 in most samples
    assert guessed >= 10
    assert hoped >= 25


def binned(values: Floats, coins: Integers) -> tuple[Integers, Floats, Floats]:
    """A histogram in 60 quantile bins, its centres, its edges."""
    edges = np.quantile(values, np.arange(1, 60) / 60)
    places = np.searchsorted(edges, values)
    histogram = np.bincount(2 * places + coins, minlength=122).reshape(61, 2).astype(np.int64)
    sums = np.bincount(places, values, 61)
    return histogram, np.where(histogram.sum(axis=1) > 0, sums / np.maximum(histogram.sum(axis=1), 1), np.nan), edges


def test_normal_laws_are_believed_where_outputs_are_normal_and_only_there(rng: np.random.Generator) -> None:
    """Refused once in a thousand where outputs are normal: of six samples one is refused twice in 1e9 or less."""
    believed = 0
    for _ in range(6):
        coins = rng.integers(0, 2, 20_000)
        found = two_normal_laws(*binned(rng.normal(size=20_000) + coins, coins))
        believed += len(found)
        for law in found:
            slope = (law.log_odds[50] - law.log_odds[10]) / (law.draws[:, 50] - law.draws[:, 10]).mean()
            assert 0.9 < slope < 1.1
            assert abs(law.mass.sum() - 1.0) < 1e-9
        for other in (rng.laplace(size=20_000), rng.standard_t(3, size=20_000), rng.uniform(size=20_000)):
            assert not two_normal_laws(*binned(other + coins, coins))
    assert believed >= 3


@pytest.mark.turns(6)
@pytest.mark.parametrize("mixed", [0, 1])
def test_a_shifted_part_of_a_normal_law_is_found_on_its_side(mixed: int, rng: np.random.Generator) -> None:
    """Its log-odds far out, where nothing was seen, lie within six of their own standard deviations of the truth."""
    part, shift = float(rng.uniform(0.15, 0.6)), float(rng.uniform(1.5, 3.0))
    believed = 0
    for _ in range(6):
        coins = rng.integers(0, 2, 20_000)
        inside = (rng.random(20_000) < part) & (coins == mixed)
        histogram, centres, edges = binned(rng.normal(size=20_000) + shift * inside, coins)
        side = "on D with" if mixed else "on D' with"
        found = [law for law in subsampled_laws(histogram, centres, edges) if side in law.model]
        believed += len(found)
        for law in found:
            x = centres[-2]
            truth = np.log1p(part * np.expm1(shift * x - 0.5 * shift**2)) * (1.0 if mixed else -1.0)
            assert abs(law.log_odds[-2] - truth) < 6.0 * law.draws[:, -2].std() + 0.1
            assert abs(law.mass.sum() - 1.0) < 1e-9
    assert believed >= 3


def test_a_shifted_part_is_not_believed_of_other_noise(rng: np.random.Generator) -> None:
    coins = rng.integers(0, 2, 20_000)
    inside = (rng.random(20_000) < 0.3) & (coins == 1)
    for other in (rng.laplace(size=20_000), rng.standard_t(3, size=20_000), rng.uniform(-2.0, 2.0, size=20_000)):
        assert not subsampled_laws(*binned(other + 2.0 * inside, coins))


def test_the_slope_of_the_fit_is_that_of_its_surprise(rng: np.random.Generator) -> None:
    at, plain, other = np.linspace(-3.0, 5.0, 40), *rng.poisson(50.0, (2, 41)).astype(float)
    for parameters in rng.uniform([-0.5, 0.0, -3.0, -2.0], [0.5, 0.5, 3.0, 2.0], (5, 4)):  # no bin without mass
        ends = [_surprise(parameters + step, at, plain, other)[0] for step in (*1e-5 * np.eye(4), *-1e-5 * np.eye(4))]
        slope = (np.array(ends[:4]) - ends[4:]) / 2e-5
        assert _surprise(parameters, at, plain, other)[1] == pytest.approx(slope, rel=1e-3, abs=1e-2)


def test_where_hardly_anything_is_seen_a_line_goes_through_the_middle() -> None:
    """The coin is fair: that it fell on D in 53% of 1,000 calls says nothing of any output."""
    left = np.where(np.arange(50) % 5 < 3, 11, 10)
    histogram = np.column_stack([20 - left, left])
    centres = np.linspace(-2.0, 2.0, 50)
    known = smooth(histogram, centres, straight=True)
    assert np.abs(known.log_odds).max() < 0.03
    assert smooth(histogram, centres).log_odds.mean() > 0.08  # without that knowledge it is believed of all outputs


def test_what_bends_by_luck_has_less_evidence(rng: np.random.Generator) -> None:
    histogram = counted(np.zeros(60), 16, rng)
    assert in_pieces(histogram).evidence == pytest.approx(
        in_pieces(histogram, charged=True).evidence + LUCK * np.log(90)
    )
    centres = np.arange(60.0)
    line, any_kernel = (smooth(histogram, centres, straight=straight) for straight in (True, False))
    assert line.evidence > any_kernel.evidence - np.log(40)
    found = by_number(histogram, centres, np.zeros(60, bool), continuous=True)
    assert [one.model for one in found] == ["smooth", "pieces"]
    assert found[1].evidence == pytest.approx(in_pieces(histogram, charged=True).evidence)
