"""What every differentially private mechanism must satisfy, asked of every entry of the zoo.

Each property has a null (what holds for a correct entry), a level (the probability with which a correct
entry fails it, whatever the seed: ``LEVEL``, divided by the number of hypothesis examples), a power (which
broken entries fail it; a test beside it shows it). Seeds are fresh in every run and never decide: evidence
against a true claim reaches ``1 / alpha`` with probability at most alpha, at any number of calls.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import dpcheck
from dpcheck.model.claims import ApproxDP, Claim, PureDP, claim_point
from dpcheck.model.neighbours import Pair
from dpcheck.parts.mechanisms.combinators import Mixture, OnPair, PostProcessed
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.zoo import Entry, entries, entry
from dpcheck.privacy.statistics.evidence import bet_weights, log_evidence
from dpcheck.privacy.statistics.state import restored

#: False alarms per test, over all its examples.
LEVEL = 1e-9

#: Examples where more than a seed is drawn (the first is the simplest); each audit has level LEVEL / EXAMPLES.
EXAMPLES = 2

#: Calls of an audit that is to find nothing: the defects of most broken entries show in fewer.
QUIET_CALLS = 4_000

#: Calls within which every broken entry is caught at LEVEL / EXAMPLES: the hardest, above_threshold with too
#: little query noise, needs 33,000 with the best event known beforehand; audits stop at the violation.
CATCH_CALLS = 200_000

#: Calls that compare two forms of one law; each bulk one draws three.
FORM_CALLS = 2_000

#: Correct entries whose profile at half the truth is so small that half of it cannot be told from it in CATCH_CALLS.
HARDLY_MORE = {"sparse_vector_with_redrawn_threshold", "above_threshold"}

#: Only a safety net: budgets are calls, so that a slow machine does not change a verdict.
SECONDS = 600.0

VIOLATED = dpcheck.Status.VIOLATED

#: Seeds are not made smaller: a smaller seed says nothing, and each trial is an audit.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
PROPERTY = settings(max_examples=EXAMPLES, deadline=None, phases=PHASES)
SEEDS = st.integers(0, 2**32 - 1)

CORRECT = [found for found in entries() if found.correct]
BROKEN = [found for found in entries() if not found.correct]

#: Broken entries that leave too little to see where something else is done too: a fair coin halves the outputs that
#: leak, rounding to 1/8 hides low bits.
SLOW = {
    "above_threshold_with_its_answer",
    "above_threshold_with_little_query_noise",
    "delta_ignored",
    "exponential_mechanism_without_the_two",
    "gaussian_with_half_the_sigma_at_small_delta",
    "noise_drawn_again_until_in_range",
    "noisy_votes_with_half_the_noise",
}
#: An exception has no bulk form, and the combinators here are made for bulk draws.
#: What leaks in low-order bits alone leaks nothing once it is rounded or shifted far.
BULK = [found for found in BROKEN if hasattr(found.learner(), "sample") and found.numerics == "real"]


#: The continuous learners as they drew before they released cells; tests of bits look at each.
OLD_DRAWS = {found.name for found in BROKEN if found.name.endswith("_in_floats")}

ONE_BIT = Pair([0], [1], "the bit that names the dataset")


def each(some: list[Entry]) -> Any:
    """A test for each; draws that were kept for their bits are slow and wrong in these alone: .ci/extra has them."""
    return first_of({found.name for found in some} - OLD_DRAWS, some)


def first_of(names: set[str], some: list[Entry]) -> Any:
    """A test for each, of which .ci/run makes those of these names, and .ci/extra the others."""
    marked = [pytest.param(found, marks=[] if found.name in names else [pytest.mark.extra]) for found in some]
    return pytest.mark.parametrize("found", marked, ids=[found.name for found in some])


def one_per_mechanism(some: list[Entry]) -> list[Entry]:
    """The first entry of each mechanism: for properties of what is done with outputs, not of the laws themselves."""
    return list({type(found.learner()): found for found in reversed(some)}.values())[::-1]


def each_mechanism_first() -> Any:
    """A test for each entry: the first one of each mechanism in .ci/run."""
    return first_of({found.name for found in one_per_mechanism(list(entries()))} - OLD_DRAWS, list(entries()))


def few_of(some: list[Entry]) -> Any:
    """A test for each, that shows that another test can fail: five in .ci/run, all in .ci/extra."""
    return first_of({found.name for found in some[:5]} - OLD_DRAWS, some)


def catch_calls(found: Entry) -> int:
    return max(CATCH_CALLS, found.max_samples)


def audited(learner: Any, claim: Claim, pair: Pair, calls: int, seed: int, numerics: str = "real") -> dpcheck.Verdict:
    """An audit by calls on one pair, at the level of one example, in this process: these learners never hang."""
    return dpcheck.audit(
        dpcheck.by_calls(learner),
        claim,
        pairs=[(pair.left, pair.right)],
        alpha=LEVEL / EXAMPLES,
        max_samples=calls,
        max_seconds=SECONDS,
        isolation="none",
        numerics=numerics,
        seed=seed,
    )


# --- the claim itself


@pytest.mark.some(2)
@each(CORRECT)
def test_a_correct_entry_is_never_caught(found, seed):
    """Null: the claim holds. Level: 1e-9 over its audits. Power: the test of the broken entries below."""
    arguments = {"pairs": [(pair.left, pair.right) for pair in found.pairs], "neighbours": found.relation}
    verdict = dpcheck.assert_private(
        dpcheck.by_calls(found.learner),
        found.claim,
        **arguments,
        alpha=LEVEL / EXAMPLES,
        max_samples=QUIET_CALLS,
        max_seconds=SECONDS,
        isolation="none",
        allow_inconclusive=True,
        seed=seed,
    )
    assert verdict.status is not VIOLATED


@pytest.mark.some(2)
@each(BROKEN)
def test_a_broken_entry_is_caught(found, seed):
    """Power: all but surely within CATCH_CALLS, at the level of the property above."""
    verdict = audited(found.learner, found.claim, found.pairs[0], catch_calls(found), seed, found.numerics)
    assert verdict.status is VIOLATED
    assert verdict.witness is not None


# --- post-processing


def number(output: Any) -> float:
    """An output as a number: a sequence of answers as the binary number it spells, a vector as its weighted sum."""
    if output is None:
        return -100.0
    if isinstance(output, tuple):
        return float(sum(bit << place for place, bit in enumerate(output)))
    if isinstance(output, list):
        return float(sum((place + 1) * value for place, value in enumerate(output)))
    return float(output)


def of_each(output: Any, function: Callable[[Any], Any]) -> Any:
    """A function of a number, of each coordinate of a vector."""
    return tuple(map(function, output)) if isinstance(output, list) else function(output)


@dataclass(frozen=True)
class Rounded:
    width: float

    def __call__(self, output: Any) -> Any:
        return of_each(output, lambda value: math.floor(number(value) / self.width))


@dataclass(frozen=True)
class Above:
    threshold: float

    def __call__(self, output: Any) -> int:
        return int(number(output) > self.threshold)


@dataclass(frozen=True)
class Folded:
    centre: float

    def __call__(self, output: Any) -> float:
        return abs(number(output) - self.centre)


@dataclass(frozen=True)
class Word:
    digits: int

    def __call__(self, output: Any) -> str:
        return f"about {number(output):.{self.digits}f}"


@dataclass(frozen=True)
class Shifted:
    by: float

    def __call__(self, output: Any) -> Any:
        return of_each(output, lambda value: number(value) + self.by)


FUNCTIONS: st.SearchStrategy[Callable[[Any], Any]] = st.one_of(
    st.builds(Rounded, st.floats(0.1, 4)),
    st.builds(Above, st.floats(-3, 6)),
    st.builds(Folded, st.floats(-2, 6)),
    st.builds(Word, st.integers(0, 1)),
)


@pytest.mark.some(1)
@each(one_per_mechanism(CORRECT))
@given(function=FUNCTIONS, seed=SEEDS)
@PROPERTY
def test_a_function_of_the_output_is_as_private(found, function, seed):
    """Null: f(M) keeps M's claim for a function f drawn by hypothesis. Level: 1e-9 over its audits."""
    processed = PostProcessed(found.learner(), function)
    assert audited(processed, found.claim, found.pairs[0], QUIET_CALLS, seed).status is not VIOLATED


@pytest.mark.some(1)
@each(one_per_mechanism([found for found in BULK if found.name not in SLOW]))
def test_a_function_that_keeps_the_leak_does_not_hide_it(found, seed):
    """Power: rounded to steps of 1/8, each broken entry is caught all but surely within CATCH_CALLS."""
    processed = PostProcessed(found.learner(), Rounded(0.125))
    assert audited(processed, found.claim, found.pairs[0], catch_calls(found), seed).status is VIOLATED


# --- group privacy


@pytest.mark.some(2)
@pytest.mark.parametrize("distance", [2, 5])
@each(one_per_mechanism(CORRECT))
def test_datasets_some_steps_apart_keep_the_group_claim(found, distance, seed):
    """Null: at distance k the claim of k steps holds, for the truth exactly. Level: 1e-9 over its audits."""
    claim, pair = found.claim.at_distance(distance), found.pair_at_distance(distance)
    epsilon, delta = claim_point(claim)
    assert found.truth(pair, delta) <= epsilon * (1 + 1e-9)
    assert audited(found.learner, claim, pair, QUIET_CALLS, seed).status is not VIOLATED


#: Broken entries that break the group claim too, by at least half as much again, and often enough to be seen.
BREAKS_THE_GROUP_CLAIM = [
    (2, "laplace_with_half_the_scale"),
    (2, "gaussian_with_half_the_sigma"),
    (2, "mean_without_clipping"),
    (2, "noisy_max_with_its_value"),
    (5, "laplace_with_half_the_scale"),
    (5, "mean_without_clipping"),
    (2, "laplace_with_the_wrong_sensitivity"),
    (5, "sum_with_the_noise_of_a_mean"),
]


@pytest.mark.some(2)
@pytest.mark.parametrize(("distance", "name"), BREAKS_THE_GROUP_CLAIM)
def test_a_broken_entry_breaks_the_group_claim(distance, name, seed):
    """Power: caught all but surely within CATCH_CALLS where the truth exceeds the group claim 1.5 times."""
    found = entry(name)
    claim, pair = found.claim.at_distance(distance), found.pair_at_distance(distance)
    epsilon, delta = claim_point(claim)
    assert found.truth(pair, delta) >= 1.5 * epsilon
    assert audited(found.learner, claim, pair, CATCH_CALLS, seed).status is VIOLATED


# --- mixture


def mixed(first: Entry, second: Entry, weight: float, second_marked: bool) -> tuple[Mixture, Claim]:
    """A coin between two entries, each on its own pair, with the worse of their claims."""
    learners = [OnPair(found.learner(), found.pairs[0].left, found.pairs[0].right) for found in (first, second)]
    last = PostProcessed(learners[1], Shifted(1000.0)) if second_marked else learners[1]
    points = [claim_point(found.claim) for found in (first, second)]
    epsilon, delta = (max(point[i] for point in points) for i in (0, 1))
    return Mixture(learners[0], last, weight), PureDP(epsilon) if delta == 0 else ApproxDP(epsilon, delta)


@pytest.mark.some(1)
@each(one_per_mechanism(CORRECT))
@given(other=st.sampled_from(CORRECT), weight=st.floats(0.1, 0.9), marked=st.booleans(), seed=SEEDS)
@PROPERTY
def test_a_coin_between_two_is_as_private_as_the_worse(found, other, weight, marked, seed):
    """Null: the mixture keeps the worse claim, the coin shown (by a shift) or not. Level: 1e-9 over its audits."""
    mixture, claim = mixed(found, other, weight, marked)
    assert audited(mixture, claim, ONE_BIT, QUIET_CALLS, seed).status is not VIOLATED


@pytest.mark.some(1)
@few_of(one_per_mechanism([found for found in BULK if found.name not in SLOW]))
def test_a_coin_does_not_hide_a_broken_entry(found, seed):
    """Power: with a fair coin, shown, half of the calls leak; caught all but surely within CATCH_CALLS.

    The entries left out need some ten thousands of calls even without the coin.
    """
    mixture, claim = mixed(entry("laplace"), found, 0.5, second_marked=True)
    assert audited(mixture, claim, ONE_BIT, CATCH_CALLS, seed).status is VIOLATED


# --- monotone in the claim


@pytest.mark.some(2)
@each(one_per_mechanism(list(entries())))
def test_evidence_never_grows_with_the_claim(found, seed, rng):
    """Null: the evidence of the same calls against a larger claim is never larger. Exact, so it has no level.

    In epsilon for pure claims (with delta above 0 it need not be), in delta above 0 for all. From delta = 0 to one
    above it may grow by what the bets' weights differ, and no more: these are two tests with other weights.
    The calls are those of one audit, judged again from its record: another audit's guesses would be made for another
    claim. The bound must agree: every epsilon below it is refuted.
    """
    verdict = audited(found.learner, found.claim, found.pairs[0], QUIET_CALLS, seed)
    counts = restored(verdict.record).tally()
    assert log_evidence(counts, *claim_point(found.claim)) == verdict.log_evidence
    drawn = [(sorted(rng.uniform(0, 4, 2)), sorted(rng.uniform(0, 0.5, 2))) for _ in range(20)]
    drawn.append(([0.05833918147844576, 2.867270843023577], [0.0, 1.175494351e-38]))
    for epsilons, deltas in drawn:
        check_monotone(found, verdict, counts, epsilons, deltas)


def check_monotone(found, verdict, counts, epsilons, deltas):
    of_larger_epsilon, of_smaller_epsilon = (log_evidence(counts, epsilon, 0.0) for epsilon in epsilons[::-1])
    assert of_smaller_epsilon >= of_larger_epsilon
    of_larger_delta, of_smaller_delta = (log_evidence(counts, epsilons[0], delta) for delta in deltas[::-1])
    same_bets = (deltas[0] > 0) == (deltas[1] > 0)
    # where the heaviest bet is all that counts the bound is attained, but for rounding
    other_bets = 0.0 if same_bets else math.log((bet_weights(deltas[1]) / bet_weights(deltas[0])).max()) + 1e-9
    assert of_smaller_delta >= of_larger_delta - other_bets
    if isinstance(found.claim, PureDP) and epsilons[0] < verdict.epsilon_lower:
        assert of_smaller_epsilon >= math.log(verdict.threshold) - 1e-9


# --- the law: bulk draws are those of separate calls, and both are the profile's


@pytest.mark.some(2)
@each(one_per_mechanism(list(entries())))
def test_bulk_draws_and_separate_calls_are_told_apart_by_nothing(found, seed):
    """Null: outputs of ``sample`` and of calls have one law, for either dataset. Level: 1e-9 over its audits.

    A (0, 0)-private audit of "which form was used", on one dataset: the equality test of two samplers. Power: the
    broken sampler below.
    """
    learner = found.learner()
    if not hasattr(learner, "sample"):
        return
    for side in (found.pairs[0].left, found.pairs[0].right):
        verdict = audited(InWhichForm(learner, side), PureDP(0.0), ONE_BIT, FORM_CALLS, seed, found.numerics)
        assert verdict.status is not VIOLATED


@dataclass(frozen=True)
class InWhichForm:
    """Dataset ``[0]``: an output of ``sample``, one of several; dataset ``[1]``: of a call."""

    learner: Any
    dataset: Any

    def __call__(self, dataset: Any, rng: Any) -> Any:
        if dataset[0]:
            output = self.learner(self.dataset, rng)
        else:
            output = self.learner.sample(self.dataset, 3, rng)[int(rng.integers(3))]
        output = output.item() if isinstance(output, np.generic) else output
        return output.tolist() if isinstance(output, np.ndarray) else output


def test_bulk_draws_of_another_law_are_told_apart(seed):
    """Power: a sampler of twice the scale is caught all but surely within CATCH_CALLS."""

    class Wider(Laplace):
        def sample(self, dataset: Any, size: int, rng: Any) -> Any:
            return Laplace(2.0).sample(dataset, size, rng)

    form = InWhichForm(Wider(1.0), [1.0])
    assert audited(form, PureDP(0.0), ONE_BIT, CATCH_CALLS, seed).status is VIOLATED


@pytest.mark.some(3)
@each_mechanism_first()
def test_no_event_of_the_draws_exceeds_the_profile(found, seed):
    """Null: ``P(S) <= e^epsilon Q(S) + delta(epsilon)`` for the declared profile, at an epsilon of half the truth.

    Level: 1e-9 over its audits, of the claim (epsilon, delta(epsilon)), which holds exactly. Power: below.
    """
    pair = found.pairs[0]
    profile = found.profile(pair)
    epsilon = min(2.0, profile.epsilon(0.0) / 2)
    # Profiles of cells are lower bounds, right to 1e-3: see test_mechanisms.
    claim = ApproxDP(epsilon, min(1.0 - 1e-9, profile.delta(epsilon) + 1e-3))  # delta 1 is kept by every learner
    assert audited(found.learner, claim, pair, QUIET_CALLS, seed).status is not VIOLATED


@pytest.mark.some(1)
@few_of(one_per_mechanism([found for found in CORRECT if found.name not in HARDLY_MORE]))
def test_a_profile_of_too_little_would_be_exceeded(found, seed):
    """Power: were delta(epsilon) at half the largest loss half as large, the property would fail in CATCH_CALLS calls.

    Where the loss has no largest value, a tenth as large, where it is 0.01: of a Gaussian, 9/10 of that are nine
    standard errors of these calls, half of it would be five. Of a learner with a ``sample`` up to half of the outputs
    are draws, which only teach, and a slow machine begins with them earlier: three times as many outputs.
    """
    pair = found.pairs[0]
    profile = found.profile(pair)
    largest = profile.epsilon(0.0)
    epsilon, part = (largest / 2, 2) if math.isfinite(largest) else (profile.epsilon(0.01), 10)
    epsilon = min(2.0, epsilon)
    claim = ApproxDP(epsilon, profile.delta(epsilon) / part)
    assert audited(found.learner, claim, pair, 3 * CATCH_CALLS, seed).status is VIOLATED


# --- privacy profile


@pytest.mark.some(4)
@each(list(entries()))
@given(epsilons=st.lists(st.floats(0, 5), min_size=3, max_size=3, unique=True).map(sorted))
@settings(max_examples=20, deadline=None)
def test_the_profile_falls_and_is_convex(found, epsilons):
    """Null: delta falls in epsilon, convex in exp(epsilon) (in epsilon randomised response's is concave).

    Exact arithmetic, up to 1e-9: no level.
    """
    profile = found.profile(found.pairs[0])
    low, middle, high = (profile.delta(epsilon) for epsilon in epsilons)
    assert 1 + 1e-12 >= low >= middle >= high >= 0
    a, b, c = (math.exp(epsilon) for epsilon in epsilons)
    share = (b - a) / (c - a) if c > a else 0.0  # distinct epsilons below 1e-16 have one exponential
    assert middle <= low + (high - low) * share + 1e-9


@pytest.mark.some(3)
@each_mechanism_first()
def test_certified_bounds_lie_below_the_profile(found, seed, rng):
    """Null: against any claim, right or wrong, the certified bounds lie below the truth of the pair.

    Level: 1e-9 over its audits, for epsilon_lower and delta_lower each. Power: the test below.
    """
    pair = found.pairs[0]
    epsilon, delta = float(rng.uniform(0.05, 2)), float(rng.choice([0.0, 0.001, 0.02]))
    verdict = audited(found.learner, ApproxDP(epsilon, delta), pair, QUIET_CALLS, seed)
    assert verdict.epsilon_lower <= found.truth(pair, delta) + 1e-9
    assert verdict.delta_lower <= found.profile(pair).delta(epsilon) + 1e-9


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [("laplace", "laplace_with_half_the_scale"), ("gaussian", "gaussian_with_half_the_sigma")],
)
def test_certified_bounds_of_a_broken_entry_exceed_the_profile_of_the_right_one(right, wrong, seed):
    """Power: were the right one's truth taken for the broken one's, the property above would fail."""
    promised, found = entry(right), entry(wrong)
    epsilon, delta = claim_point(found.claim)
    verdict = audited(found.learner, found.claim, found.pairs[0], CATCH_CALLS, seed)
    assert verdict.epsilon_lower > promised.truth(promised.pairs[0], delta)
    assert verdict.delta_lower > promised.profile(promised.pairs[0]).delta(epsilon)


def test_every_property_here_names_its_null_or_its_power():
    """The house rule: a statistical test says what it assumes and what it can see."""
    tests = [value for name, value in globals().items() if name.startswith("test_") and value.__doc__]
    named = [test for test in tests if any(word in test.__doc__ for word in ("Null:", "Power:", "house rule"))]
    assert len(named) == len(tests) == sum(name.startswith("test_") for name in globals())
    assert len(list(itertools.chain(CORRECT, BROKEN))) == len(entries())
