"""The measurements of wang2016: what they compute against the learners themselves, and that they can fail."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcheck.model.claims import PureDP
from dpcheck.model.data import Labelled
from dpcheck.papers.wang2016.hard_instances import PackedThresholds
from dpcheck.papers.wang2016.learners import (
    BoostedLearner,
    OptimalPrivateLearner,
    RegularisedExponential,
    SubsampledLearner,
    ZeroOneLoss,
    absolute_loss,
)
from dpcheck.papers.wang2016.theorems import PAPER
from dpcheck.papers.wang2016.trials import boosting, continuous, finite_sets, generalisation, mechanism, separation
from dpcheck.papers.wang2016.trials.exact import (
    TWO,
    at_most,
    binary,
    binary_pairs,
    exponential,
    kept,
    loss_of,
    point,
    privacy,
    resampled,
    subsampled,
    tally,
    together,
    two_laws,
)
from dpcheck.papers.wang2016.trials.learners_tried import Differing, Minimiser, Notices, Response, Returns
from dpcheck.parts.classes import AllFunctions
from dpcheck.parts.mechanisms.mixtures import chances
from dpcheck.parts.mechanisms.resampling import Resampled
from dpcheck.trial.coverage import uncovered
from dpcheck.trial.measurements import make, runs_of
from dpcheck.trial.model import MEANINGS
from dpcheck.utility.stability import Bounds, expected_losses

#: Runs of well under a second.
CHEAP = (
    "stability-from-privacy", "always-aerm", "characterisation", "restricted-families", "growing-grid", "unprivate",
    "finite-sets", "exponential-tail", "hypotheses-of-bits", "covers", "log-concave", "best-subset",
    "transition-in-delta", "approximate-characterisation", "tenth-power",
)  # fmt: skip


def test_every_claim_of_the_paper_is_covered() -> None:
    assert uncovered(PAPER) == ()


@pytest.mark.some(3)
@pytest.mark.parametrize("key", CHEAP)
def test_cheap_runs_say_what_they_announce_and_break_nothing_unexplained(key: str) -> None:
    run = next(run for run in runs_of("wang2016") if run.key == key)
    found = make("wang2016", key, seed=3, quick=True)
    assert {outcome.result for outcome in found.outcomes} == set(run.results) == set(found.results)
    for outcome in found.outcomes:
        assert outcome.word in MEANINGS
        assert outcome.claim
        assert outcome.detail
        assert outcome.word != "contradicted" or outcome.expected, outcome
        assert outcome.level <= 1e-3
    for chart in found.charts:
        assert chart.series
        assert all(len(series.x) == len(series.y) > 0 for series in chart.series)
    for table in found.tables:
        assert all(len(row) == len(table.columns) for row in table.rows)


AGAIN = """
import json, sys
from dataclasses import asdict
from dpcheck.trial.measurements import make
made = {key: asdict(make("wang2016", key, seed=3, quick=True)) | {"seconds": 0} for key in sys.argv[1:]}
print(json.dumps(made, sort_keys=True))
"""


@pytest.mark.turns(6)
def test_a_seed_gives_the_same_numbers_in_any_process_and_order() -> None:
    drawn = ["finite-sets", "hypotheses-of-bits", "best-subset"]
    orders = (("1", drawn), ("2", drawn[::-1]))
    first, second = (
        subprocess.run(
            [sys.executable, "-c", AGAIN, *keys],
            env={**os.environ, "PYTHONHASHSEED": hashes},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for hashes, keys in orders
    )
    assert first == second


def test_tables_of_samples_are_those_of_the_learners_on_samples() -> None:
    learner = OptimalPrivateLearner(TWO, 1.0, 2)
    table = expected_losses(learner, TWO, 2)
    drawn = expected_losses(SubsampledLearner(learner, 5, 2), TWO, 5, form="histogram")
    again = expected_losses(Resampled(learner, 2, 5), TWO, 5, form="histogram")
    assert subsampled(table, 5).entries == drawn.entries
    assert resampled(table, 5).entries == again.entries
    assert subsampled(table, 5).stability() == drawn.stability()
    law = [Fraction(2, 5), Fraction(3, 5)]
    assert subsampled(table, 5).under(law).excess == table.under(law).excess


def test_words_tell_apart_what_holds_and_what_does_not() -> None:
    one, two = point(Fraction(1, 3)), point(Fraction(2, 3))
    assert at_most("r", "c", one, two).word == "holds"
    assert at_most("r", "c", one, one).word == "holds"
    broken = at_most("r", "c", two, one, expected="why")
    assert (broken.word, broken.expected) == ("contradicted", "why")
    assert at_most("r", "c", Bounds(Fraction(0), Fraction(1)), one).word == "undecided"
    both = together([at_most("r", "c", one, two), broken], "all", "fine")
    assert both.word == "contradicted"
    assert "1 of 2" in both.detail
    assert tally([both]) == "Of 1 claims: 1 contradicted; the errata explain 1 of the contradictions."
    assert float(exponential(1)) == pytest.approx(math.e)


def test_a_learner_that_breaks_its_claim_is_contradicted() -> None:
    pairs = binary_pairs(4)
    loud = two_laws(RegularisedExponential(TWO, [0, 1], 2.0), pairs)
    assert privacy("wang2016:lem-34", "1-DP", loud, PureDP(1.0)).word == "contradicted"
    assert kept(two_laws(RegularisedExponential(TWO, [0, 1], 1.0), pairs), PureDP(1.0)) == "holds"
    # amplification without a sample: the claim of a half of the records does not hold for all of them
    notices = two_laws(Notices(Fraction(2)), pairs)
    assert kept(notices, PureDP(ratio=Fraction(3, 2))) == "contradicted"
    assert kept(notices, PureDP(ratio=Fraction(2))) == "holds"
    assert loss_of(two_laws(Notices(None), pairs)) == math.inf
    # a minimiser is not stable, so lemma 8 would be broken for it
    minimiser = expected_losses(Minimiser(TWO), TWO, 4).stability()
    assert at_most("wang2016:lem-8", "stable", minimiser, point(Fraction(1, 2))).word == "contradicted"


def test_a_learner_that_beats_the_packing_is_caught() -> None:
    hard = PackedThresholds(0.25, 8)

    class Fits:
        """The middle of the cell that the data are in: not private."""

        def distribution(self, dataset: Any) -> dict[float, int]:
            return {float(np.mean(dataset.x)): 1}

        def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
            return np.full(size, float(np.mean(dataset.x)))

    assert separation.packing_by_calls("fits", Fits(), hard, 100, 0).word == "contradicted"
    least = separation.least_at_home(Fits(), hard)
    assert least == 1.0
    assert separation.packing_outcome("fits", least, hard).word == "contradicted"
    for name, learner in separation.tried(0.25, hard).items():
        found = separation.least_at_home(learner, hard)
        assert 0 < found < 1
        assert separation.packing_outcome(name, found, hard).word == "holds"


def test_a_learner_that_fits_every_packed_dataset_has_too_small_a_risk() -> None:
    hard = PackedThresholds(0.5, 10)  # more datasets than are run where they decide

    class Fits:
        """Not private: the middle of the cell of the data."""

        def distribution(self, dataset: Any) -> dict[float, int]:
            return {float(np.mean(dataset.x)): 1}

    every = separation.fits(Fits(), hard)
    assert len(every) == hard.number > separation.MOST_DATASETS
    assert max(each.risk for each in every) == 0
    assert separation.risk_outcome("fits", max(each.risk for each in every), hard).word == "contradicted"
    private = separation.tried(0.5, hard)["wang2016.thresholds_on_interval"]
    kept = separation.fits(private, hard)
    assert len(kept) == separation.MOST_DATASETS
    one = kept[0]
    # outside its interval a threshold errs on one half or more, within it on one half at most
    assert (1 - one.at_home) / 2 <= one.risk <= 1 - one.at_home / 2
    assert separation.risk_outcome("kept", one.risk, hard).word == "holds"


def test_no_private_learner_of_few_points_minimises() -> None:
    risk, least = finite_sets.risk_of_few_points(8, 0.5)
    assert least <= risk.low
    # one that answers a point it was given is below: it is not private
    many, bound = finite_sets.risk_of_few_points(8, 50.0)
    assert bound < 0
    assert many.high < least


def test_every_case_of_the_unprivate_learner_is_run() -> None:
    found = make("wang2016", "unprivate", seed=0, quick=True)
    told = " ".join(outcome.claim for outcome in found.outcomes)
    assert all(way in told for way in finite_sets._WAYS.values())


def test_bits_are_what_the_exponential_mechanism_makes_of_them() -> None:
    points, n, epsilon, noise = 2, 3, 0.8, 0.25
    learner = RegularisedExponential(ZeroOneLoss(AllFunctions(points)), None, epsilon, None, "paper_bound")
    records = list(itertools.product(range(points), (0, 1)))
    expected = 0.0
    for data in itertools.product(records, repeat=n):
        weight = math.prod((1 - noise if y else noise) / points for _, y in data)
        dataset = Labelled([x for x, _ in data], [y for _, y in data])
        for hypothesis, chance in chances(learner.distribution(dataset)):
            labels = learner.loss.family.predict(np.array([hypothesis]), np.arange(points))[0]  # type: ignore[attr-defined]
            expected += weight * chance * (1 - 2 * noise) * float(np.mean(labels == 0))
    found = mechanism.excess_of_bits(points, n, epsilon, noise, 40_000, np.random.default_rng(0))
    # Hoeffding at 1e-9 for numbers from 0 to 1/2
    assert abs(float(found.mean()) - expected) <= 0.5 * math.sqrt(math.log(2e9) / (2 * 40_000))


def test_sums_of_boosting_are_those_of_its_law() -> None:
    n, gap, epsilon = 6, 0.4, 0.5
    learner = BoostedLearner(RegularisedExponential(TWO, [0, 1], epsilon, None, "paper_bound"), TWO, n, 0.9)
    wrong = 0.0
    for ones in range(n + 1):
        weight = math.comb(n, ones) * ((1 + gap) / 2) ** ones * ((1 - gap) / 2) ** (n - ones)
        wrong += weight * dict(chances(learner.distribution(binary(ones, n)))).get(0, 0.0)
    single = boosting.chance_of_wrong(learner.part_size, epsilon, gap)
    found = boosting.failure_of_boosting(
        single, learner.candidates, learner.part_size, float(learner.epsilon_of_choice), gap
    )
    assert found == pytest.approx(wrong, rel=1e-9)


def test_lengths_of_sublevel_sets() -> None:
    assert continuous.sublevel_length([Fraction(0)], Fraction(1, 4)) == Fraction(1, 4)
    assert continuous.sublevel_length([Fraction(1, 2)], Fraction(1, 4)) == Fraction(1, 2)
    assert continuous.sublevel_length([Fraction(0), Fraction(1)], Fraction(1, 8)) == 1  # constant F


def test_private_outputs_generalise_and_minimisers_do_not() -> None:
    rng = np.random.default_rng(1)
    private = generalisation.deviations(600, 600, 0.05, 200, rng)
    fitted = generalisation.deviations(600, 600, math.inf, 200, rng)
    assert private.max() < 0.2 < fitted.min()
    assert generalisation.deviation_of_bit(10, 0.3, 0.5) == pytest.approx(2 * (1 + 10 + 45) / 2**10)
    assert float(generalisation.excess_of_noise(1000)) * 1000**2 > 1.4


def test_learners_tried_declare_what_they_do() -> None:
    rng = np.random.default_rng(2)
    fixed = absolute_loss([0, 1])
    for learner, dataset in (
        (Notices(Fraction(3), Fraction(1, 10)), [0, 1, 0]),
        (Notices(Fraction(3)), [0, 0]),
        (Response(Fraction(2), Fraction(1, 5)), [1]),
        (Differing(), [0, 1]),
        (Returns(), [1, 0]),
        (Minimiser(fixed), [1, 1, 0]),
    ):
        law = learner.distribution(dataset)
        assert sum(law.values()) == 1
        drawn = [learner(dataset, rng) for _ in range(2_000)]
        for output, chance in law.items():
            share = sum(each == output for each in drawn) / len(drawn)
            # Hoeffding at 1e-10
            assert abs(share - float(chance)) <= math.sqrt(math.log(2e10) / (2 * len(drawn)))
