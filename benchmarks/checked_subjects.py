"""The learners on which checks are shown both ways: correct ones, and for each check one that must fail it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpcheck import ApproxDP, LabelsOnly, PureDP, Records, ReplaceOne
from dpcheck.papers.alon2019.learners import CoverLearner, LabelPrivate
from dpcheck.parts.classes import AllFunctions, GridThresholds, PointFunctions
from dpcheck.parts.learners.logistic_regression import PerturbedLogisticRegression
from dpcheck.parts.learners.mean import PerturbedMean
from dpcheck.parts.mechanisms.discrete_gaussian import DiscreteGaussian, calibrated_discrete_sigma
from dpcheck.parts.mechanisms.gaussian import Gaussian, calibrated_sigma
from dpcheck.parts.mechanisms.laplace import Geometric, Laplace
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo import entry
from dpcheck.parts.zoo.hostile import careless, declaring, hostile


@dataclass(frozen=True)
class Subject:
    """A learner, what it claims, where its data come from, and whether a test can afford all checks of it.

    ``checks`` are those it is here for; all of them where none is named.

    ``known`` names the checks that it fails, truly, and why that is no defect of a learner whose claim is about real
    numbers.
    """

    name: str
    learner: Any
    claim: Any = field(default_factory=lambda: PureDP(1.0))
    data: dict[str, Any] = field(default_factory=dict)
    cheap: bool = True
    known: dict[str, str] = field(default_factory=dict)
    checks: tuple[str, ...] = ()


#: No claim of these learners is about doubles: their papers add real-valued noise.
DOUBLES = {"check_floating_point": "noise in doubles, as textbooks draw it; the claim is about real numbers"}
BITS = {"neighbours": ReplaceOne(records=[0, 1])}
NUMBERS = {"neighbours": ReplaceOne(records=(0, 1))}
#: Arrays of bytes and doubles, for learners that take nothing else.
ARRAYS = {"pairs": [(np.array([0.0, 1.0, 0.0, 3.0]), np.array([0.0, 1.0, 1.0, 3.0]))]}


def _label_private() -> LabelPrivate:
    return LabelPrivate(CoverLearner(GridThresholds(9)))


def correct() -> tuple[Subject, ...]:
    """Correct learners: none of them may fail a check."""
    features = [1, 2, 3, 4, 5, 6, 7, 8]
    box = ([-1.0, -1.0], [1.0, 1.0])
    return (
        Subject("randomised response", RandomisedResponse, data=BITS),
        Subject(
            "perturbed mean",
            PerturbedMean,
            data={"neighbours": ReplaceOne(records=Records.bounded(*box))},
            known=DOUBLES,
        ),
        Subject(
            "perturbed logistic regression",
            PerturbedLogisticRegression,
            data={"neighbours": ReplaceOne(records=Records.labelled(features=box, labels=[0, 1]))},
            cheap=False,
            known=DOUBLES,
        ),
        Subject(
            "alon2019 cover learner, label-private",
            _label_private,
            claim=None,
            data={"neighbours": LabelsOnly(records=Records.labelled(features=features, labels=[0, 1]))},
        ),
        *_with_a_law(),
        *_with_noise_to_choose(),
        *_with_a_small_law(),
    )


#: Few learners have what these checks look at: each gets its three correct ones.
OF_LAWS = (
    "check_agreement_of_distribution_with_calls",
    "check_agreement_of_sample_with_distribution",
    "check_floating_point",
)


def _with_a_law() -> tuple[Subject, ...]:
    return tuple(
        Subject(
            found.name,
            found.learner,
            found.claim,
            {"pairs": [(pair.left, pair.right) for pair in found.pairs]},
            cheap=False,
            checks=OF_LAWS,
        )
        for found in map(entry, ("k_ary_randomised_response", "exponential_mechanism", "permute_and_flip"))
    )


def gaussian_sum(epsilon: float = 1.0, delta: float = 0.01) -> Gaussian:
    """Calibrated for a sum of bits."""
    return Gaussian(sigma=calibrated_sigma(epsilon, delta))


def discrete_gaussian_sum(epsilon: float = 1.0, delta: float = 0.01) -> DiscreteGaussian:
    """Calibrated for a sum of bits."""
    return DiscreteGaussian(sigma=calibrated_discrete_sigma(epsilon, delta))


def _with_noise_to_choose() -> tuple[Subject, ...]:
    of_delta, of_noise = ("check_refusal_of_an_impossible_delta",), ("check_refusal_of_impossible_noise",)
    approximate, noise = ApproxDP(1.0, 0.01), {"scale": 1.0}
    return (
        Subject("Gaussian sum", gaussian_sum, approximate, BITS, cheap=False, checks=of_delta),
        Subject("discrete Gaussian sum", discrete_gaussian_sum, approximate, BITS, cheap=False, checks=of_delta),
        Subject("Laplace", Laplace, data={**BITS, "options": noise}, cheap=False, checks=of_noise),
        Subject("geometric noise", Geometric, data={**BITS, "options": noise}, cheap=False, checks=of_noise),
        Subject("Gaussian", Gaussian, data={**BITS, "options": {"sigma": 4.0}}, cheap=False, checks=of_noise),
    )


#: Learners whose laws are finite and small: of so weak a claim as that at distance 5 runs say little.
OF_FINITE_LAWS = ("check_order_of_records", "check_group_privacy_at_distance_5")


def _with_a_small_law() -> tuple[Subject, ...]:
    few = Records.labelled(features=[0, 1, 2, 3], labels=[0, 1])
    return tuple(
        Subject(
            f"alon2019 cover learner of {name}, label-private",
            LabelPrivate(CoverLearner(hypotheses)),
            claim=None,
            data={"neighbours": LabelsOnly(records=few)},
            cheap=False,
            checks=OF_FINITE_LAWS,
        )
        for name, hypotheses in (("points", PointFunctions(4)), ("all functions", AllFunctions(4)))
    )


def _zoo(name: str) -> Subject:
    found = entry(name)
    return Subject(f"zoo:{name}", found.learner, found.claim, {"neighbours": found.relation})


def _hostile(name: str, data: dict[str, Any] | None = None) -> Subject:
    return Subject(name, hostile(name).factory, data=data or ARRAYS)


def _careless(name: str, data: dict[str, Any] | None = None) -> Subject:
    return Subject(name, getattr(careless, name), data=data or NUMBERS)


def failing() -> dict[str, Subject]:
    """For each check the learner that must fail it."""
    return {
        "check_answers_on_ordinary_data": _hostile("raises_always"),
        "check_silence": _hostile("prints_much"),
        "check_surroundings_unchanged": _hostile("changes_its_surroundings"),
        "check_dtype_of_the_input": _careless("subtracts_in_the_dtype_of_the_data", ARRAYS),
        "check_container_of_the_input": _careless("sums_by_method", ARRAYS),
        "check_read_only_input": _hostile("mutates_its_dataset"),
        "check_time_against_n": _careless("compares_all_triples"),
        "check_memory_against_n": _careless("holds_all_differences"),
        "check_outside_the_domain": _zoo("laplace"),
        "check_nan_in": _zoo("sum_with_clipping"),
        "check_infinity_in": _zoo("laplace"),
        "check_floating_point": _zoo("laplace_in_floats"),
        "check_agreement_of_sample_with_calls": _hostile("ReusesOneDraw"),
        "check_agreement_of_distribution_with_calls": Subject(
            "DeclaresAnotherLaw", declaring.DeclaresAnotherLaw, PureDP(2.0), BITS
        ),
        "check_agreement_of_sample_with_distribution": _careless("SamplesAnotherLawThanItDeclares"),
        "check_order_of_records": _careless("looks_at_the_first_record"),
        "check_refusal_of_an_impossible_epsilon": _careless("TakesAnyParameter"),
        "check_refusal_of_an_impossible_delta": _careless("TakesAnyParameter"),
        "check_refusal_of_impossible_noise": _careless("TakesAnyParameter"),
        "check_privacy_of_the_claim": _zoo("laplace_with_half_the_scale"),
        "check_group_privacy_at_distance_2": _zoo("laplace_with_half_the_scale"),
        "check_group_privacy_at_distance_5": _zoo("one_seed_for_all_calls"),
        "check_extremes_of_the_domain": _zoo("outliers_refused"),
        "check_use_of_the_rng": _hostile("ignores_rng"),
        "check_determinism_under_a_seed": _careless("draws_from_the_system"),
        "check_global_generators_left_alone": _hostile("seeds_the_global_generators"),
        "check_empty_data": _careless("divides_by_the_number_of_records"),
        "check_one_record": _careless("divides_by_one_less_than_the_number_of_records"),
        "check_duplicates": _careless("refuses_equal_records"),
        "check_input_unchanged": _hostile("mutates_its_dataset"),
        "check_statelessness": _careless("RemembersWhatItSaw"),
        "check_independence_of_calls": _hostile("CarriesNoiseOver"),
        "check_pickling": _careless("HoldsALock"),
    }
