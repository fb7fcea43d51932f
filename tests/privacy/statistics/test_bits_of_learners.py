"""The low bits of continuous learners: what they release lies on a public grid, and a cell's law keeps the claim."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcheck
from dpcheck import check_learner
from dpcheck.checks.screening import most_promising
from dpcheck.checks.subject import subject_of
from dpcheck.execution.answers import Answers
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Pair, ReplaceOne
from dpcheck.papers.wang2016.learners.boxes import LogConcaveOnBox
from dpcheck.papers.wang2016.learners.logconcave import LogConcaveExponential
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.parts.mechanisms.cells import NoiseOfCells, PublicGrid, less_rounding, whole_laplace
from dpcheck.parts.zoo.discovery import entry
from dpcheck.privacy.run.limits import Limits
from dpcheck.privacy.statistics.bit_promise import bit_promise
from dpcheck.privacy.statistics.observations import observe
from dpcheck.privacy.statistics.promise import said, simple_events

UNIT = st.sampled_from([0.0, 1.0, 0.5, 0.3]) | st.floats(0, 1)
MEDIAN, THRESHOLDS, BELL = ExponentialOnInterval("absolute"), ExponentialOnInterval(), LogConcaveExponential()
#: Learners of numbers, and a function that makes of numbers the records that they take.
LEARNERS = {
    "median": (MEDIAN, list),
    "thresholds": (THRESHOLDS, lambda x: (list(x), [1] * len(x))),
    "log-concave": (BELL, list),
    "in floats": (entry("median_on_interval_in_floats").learner(), list),
}


@pytest.mark.parametrize("name", ["median", "thresholds", "log-concave"])
@settings(max_examples=12, deadline=None)
@given(rest=st.lists(UNIT, max_size=4), one=UNIT, other=UNIT)
def test_the_law_of_cells_keeps_the_claim(name, rest, one, other):
    """Exact up to how well logarithms are known: no level."""
    learner, made = LEARNERS[name]
    laws = [learner.law_of_cells(made([each, *rest])) for each in (one, other)]
    loss = float(np.abs(laws[0].log_probabilities - laws[1].log_probabilities).max())
    assert loss <= 1.0 + laws[0].error + laws[1].error


@pytest.mark.parametrize("name", list(LEARNERS))
def test_what_comes_out_is_the_middle_of_a_cell_of_a_public_grid(name, rng):
    """Of flat pieces and steep ones; the version that draws in doubles does not keep to the grid. Exact: no level."""
    learner, made = LEARNERS[name]
    middles = PublicGrid(0.0, 1.0, 4096).middles
    data = [made(x) for x in ([0.0, 1.0], [0.0, 0.0], [0.5, 0.3, 1.0])]
    on_grid = [bool(np.isin(learner.sample(each, 1000, rng), middles).all()) for each in data]
    assert on_grid == [name != "in floats"] * 3


def test_vectors_and_noise_lie_on_public_grids(rng):
    box, noisy = LogConcaveOnBox(), PerturbedMinimiser()
    for records in ([0.0, 0.0, 1.0], [0.3, 0.0, 1.0]):
        drawn = box.sample([(x, 1 - x) for x in records], 500, rng)
        assert np.isin(drawn, box.cells([(0.0, 0.0)] * 3).middles).all()
        assert (noisy.sample(records, 500, rng) % noisy.noise(records).step == 0).all()


def test_noise_in_whole_steps_has_the_law_of_laplace(rng):
    """Each frequency within 6.5 standard deviations of its probability: level below 1e-9 for the nine together."""
    rate, draws = Fraction(1, 2), 100_000
    found = whole_laplace(rate, draws, rng)
    for k in range(-4, 5):
        chance = np.tanh(float(rate) / 2) * np.exp(-abs(k) * float(rate))
        assert abs((found == k).mean() - chance) < 6.5 * np.sqrt(chance / draws)
    noise = NoiseOfCells(0.5, 1.0)
    assert Fraction(noise.step) * (noise.steps - 2) >= Fraction(noise.sensitivity)


def test_refusals():
    with pytest.raises(InvalidArgument, match="low must be below high"):
        PublicGrid(1.0, 0.0, 4)
    with pytest.raises(InvalidArgument, match="high must be farther from low"):
        PublicGrid(1.0, np.nextafter(1.0, 2.0), 4)
    with pytest.raises(InvalidArgument, match="epsilon must be above"):
        less_rounding(1e-12, 1000, 1.0)


#: Of each old learner the power of 2 that its draws on the left dataset are multiples of, as its entry says.
STEPS = {
    "distances_on_box_in_floats": 58,
    "log_concave_in_floats": 58,
    "median_on_interval_in_floats": 53,
    "perturbed_minimiser_in_floats": 54,
    "thresholds_on_interval_in_floats": 54,
}


@pytest.mark.parametrize("name", list(STEPS))
def test_the_old_learners_have_the_event_that_their_entries_name(name, rng):
    """Exact on the left; on the right at least 0.013: fewer than 300 of 50,000 with probability far below 1e-9."""
    found, step = entry(name), 2.0 ** STEPS[name]
    drawn = [found.learner().sample(side, 50_000, rng) * step for side in (found.pairs[0].left, found.pairs[0].right)]
    beside = [int((each != np.rint(each)).reshape(50_000, -1)[:, 0].sum()) for each in drawn]
    assert beside[0] == 0
    assert beside[1] > 300


def test_the_old_learners_and_the_new_have_one_density(rng):
    """Their profile is that of the densities, to a cell's 1/64; and single draws are what bulk draws are."""
    for name in STEPS:
        found = entry(name)
        learner = found.learner()
        pair = [learner._records(side) for side in (found.pairs[0].left, found.pairs[0].right)]
        assert found.profile(found.pairs[0]).epsilon(0.0) == pytest.approx(
            learner.learner.exact_loss(*pair), abs=1 / 64
        )
        drawn = learner(found.pairs[0].left, rng)
        assert np.shape(drawn) == np.shape(learner.sample(found.pairs[0].left, 1, rng)[0])


@pytest.mark.turns(6)
def test_what_is_certified_of_the_bits_refutes_the_median_in_doubles_and_not_the_one_on_a_grid():
    """Null: the claim holds for the bits. Level 1e-9 each; 0.43 of the outputs tell, so 40,000 draws are plenty."""
    options = {"pairs": [([1.0, 0.0], [0.0, 0.0])], "numerics": "exact", "alpha": 1e-9, "max_samples": 40_000}
    laws = {key: MEDIAN.law_of_cells(list(key)) for key in ((1.0, 0.0), (0.0, 0.0))}  # once: a call takes milliseconds

    def on_a_grid(dataset, size, rng):
        return MEDIAN.cells(dataset).sample(laws[tuple(dataset)], size, rng)

    certified = [
        dpcheck.measure(dpcheck.from_sampler(each), isolation="none", **options).epsilon_lower
        for each in (entry("median_on_interval_in_floats").learner().sample, on_a_grid)
    ]
    assert certified[0] > 1.0
    assert certified[1] <= 1.0


class TextbookMean:
    """Of records in [0, 1]; the claim is true of real numbers."""

    claim = 1.0

    def __call__(self, dataset, rng):
        return float(np.mean(dataset)) + float(rng.laplace(0.0, 1 / len(dataset)))


OLD_MINIMISER = entry("perturbed_minimiser_in_floats").learner()


@pytest.mark.turns(6)
@pytest.mark.parametrize("learner", [TextbookMean(), OLD_MINIMISER], ids=["mean", "minimiser"])
def test_the_check_of_floating_point_looks_at_small_sizes(learner):
    """Twenty records show little in their bits; one to three are refuted. The level is the check's own."""
    data = np.linspace(0, 1, 20).tolist()
    found = check_learner(learner, 1.0, checks=["floating_point"], dataset=data, neighbours=ReplaceOne((0, 1)))[0]
    assert found.status.value == "failed", found.sentence


class WholeSum:
    """A double that is a whole number: geometric noise on a rounded sum, which neighbours of [0, 1] move by 2 at most.

    The claim holds, and a call takes microseconds.
    """

    claim = 1.0

    def __call__(self, dataset, rng):
        one, other = rng.geometric(-np.expm1(-0.5), 2)
        return float(round(sum(dataset)) + one - other)


class RarelyFine:
    """A multiple of 2^-30, the same law for all data; of a few records at 0 alone one in fifty has a bit more."""

    claim = 1.0

    def __call__(self, dataset, rng):
        drawn = float(rng.integers(2**30)) / 2**30
        plain = len(dataset) > 10 or any(dataset) or rng.random() > 1 / 50
        return drawn if plain else drawn + 2.0**-40


@pytest.mark.turns(6)
def test_the_check_of_floating_point_finds_bits_of_one_output_in_fifty():
    """One of sixteen small pairs shows it, and only to more calls than each of sixteen could have. Level: the check's.

    It must be seen where it is: some 12,000 of 20,000 calls are needed, so that it is missed less than once in 1,000.
    """
    neighbours = ReplaceOne((0, 1), size=range(1, 100))
    found = check_learner(RarelyFine(), checks=["floating_point"], neighbours=neighbours)[0]
    assert found.status.value == "failed", found.sentence


@pytest.mark.turns(4)
def test_too_few_calls_on_small_data_are_no_pass():
    neighbours = ReplaceOne((0, 1), size=range(1, 100))
    found = check_learner(RarelyFine(), checks=["floating_point"], neighbours=neighbours, max_samples=200)[0]
    assert found.status.value == "inconclusive", found.sentence


@pytest.mark.turns(4)
def test_screening_finds_the_pair_whose_bits_tell():
    """Ten decoys: the odds that luck on one says more than 8 sightings of 400 to 0 are far below 1e-9."""
    neighbours = ReplaceOne((0, 1))
    subject = subject_of(
        RarelyFine(),
        None,
        neighbours=neighbours,
        dataset=[0.0, 1.0],
        limits=Limits(alpha=1e-9, max_samples=20_000, max_seconds=60.0, isolation="none", seed=5),
    )
    decoys = [Pair([1.0, x / 10], [1.0, 1.0], "") for x in range(1, 11)]
    telling = Pair([0.0, 1.0], [0.0, 0.0], "")
    found = most_promising(subject, [*decoys, telling], 60_000)
    assert found.best is telling
    assert found.pairs == 11
    assert found.calls <= 61_000
    assert most_promising(subject, [*decoys, telling], 40).best is decoys[0]  # too few calls to see any bits


def test_bits_are_events_however_rare(rng):
    """No level: one value of a column in fifty speaks with 0.3 nats each, which the events of promise do not show."""
    plain = np.rint(rng.random(4000) * 2**30) / 2**30
    fine = np.where(np.arange(4000) % 50 == 0, plain + 2.0**-40, plain)
    one, other = (observe(Answers(values), "exact") for values in (plain, fine))
    assert bit_promise(one, other, 1.0, 0.0) > 20
    assert max(said(more, less, 1.0).max(initial=0.0) for more, less in simple_events(one, other, 0.0)) < 10
    assert bit_promise(one, one, 1.0, 0.0) == 0.0
    texts = observe(Answers(["a"] * 9), "exact")
    assert bit_promise(texts, texts, 1.0, 0.0) == 0.0


@pytest.mark.extra
def test_the_check_of_floating_point_says_what_it_looked_at():
    data = [0.0, 0.25, 0.5, 1.0]
    found = check_learner(
        WholeSum(), 1.0, checks=["floating_point"], dataset=data, neighbours=ReplaceOne((0, 1)), max_samples=8000
    )[0]
    assert found.status.value != "failed"
    assert "the claim holds for the bits" not in found.sentence
    if found.status.value == "passed":
        assert "small ones, by" in found.sentence
        assert "the most promising), the only ones looked at" in found.sentence
