"""The learners on which checks are shown both ways: correct ones, and for each check one that must fail it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

from dpcheck import ApproxDP, LabelsOnly, PureDP, Records, ReplaceOne
from dpcheck.checks.careless import ARRAYS
from dpcheck.checks.defects import Defective, defective_of
from dpcheck.checks.discovery import all_checks
from dpcheck.papers.alon2019.learners import CoverLearner, LabelPrivate
from dpcheck.parts.classes import AllFunctions, GridThresholds, PointFunctions
from dpcheck.parts.learners.logistic_regression import PerturbedLogisticRegression
from dpcheck.parts.learners.mean import PerturbedMean
from dpcheck.parts.mechanisms.discrete_gaussian import DiscreteGaussian, calibrated_discrete_sigma
from dpcheck.parts.mechanisms.gaussian import Gaussian, calibrated_sigma
from dpcheck.parts.mechanisms.laplace import Geometric, Laplace
from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
from dpcheck.parts.zoo import entry


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


def _declared(found: Defective) -> Subject:
    learner, claim, data = found.learner, found.claim or PureDP(1.0), dict(found.data)
    if not isinstance(learner, str):
        return Subject(learner.__name__, learner, claim, data or NUMBERS)
    kind, _, name = learner.partition(":")
    if kind == "zoo":
        known = entry(name)
        return Subject(learner, known.learner, found.claim or known.claim, data or {"neighbours": known.relation})
    return Subject(name, resolve_name(f"dpcheck.parts.zoo.{learner}"), claim, data or {"pairs": ARRAYS})


def failing() -> dict[str, Subject]:
    """For each check the learner that must fail it, as it is declared beside the check."""
    declared = {check.name: defective_of(check.function) for check in all_checks()}
    return {name: _declared(found) for name, found in declared.items() if found is not None}
