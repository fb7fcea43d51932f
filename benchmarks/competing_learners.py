"""Private learners of a finite problem beside the optimal one, and the exact worst excess risk of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from dpcheck import Labelled, Law
from dpcheck.papers.alon2019.learners import GenericLearner
from dpcheck.papers.wang2016.learners.generic import OptimalPrivateLearner
from dpcheck.papers.wang2016.learners.regularised import RegularisedExponential
from dpcheck.papers.wang2016.learners.subsample import SubsampledLearner
from dpcheck.parts.classes import FiniteHypothesisClass
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.permute_and_flip import PermuteAndFlip
from dpcheck.parts.risk import linear_program
from dpcheck.parts.risk.problems import FiniteProblem

#: Responses of all records are enumerated for randomised response; with more of them it does not compete.
MOST_RESPONSES = 4096
#: By how much an excess computed in doubles may be off: their laws are right to 2^-41, and risks are at most 1.
OF_DOUBLES = 1e-11


@dataclass(frozen=True)
class Excess:
    """A worst excess risk: it is from ``low`` to ``high``, which are equal where the law is in fractions."""

    low: Fraction
    high: Fraction


def datasets(problem: FiniteProblem, size: int) -> Iterator[Any]:
    """A dataset for each histogram of so many records."""
    counts, _ = linear_program.histograms(size, len(problem.records))
    for row in counts.tolist():
        records = [record for record, times in zip(problem.records, row, strict=True) for _ in range(times)]
        yield Labelled([x for x, _ in records], [y for _, y in records]) if problem.labelled else records


def worst_excess(problem: FiniteProblem, size: int, law: Callable[[Any], Any]) -> Excess:
    """``sup_Z (E Rhat(h, Z) - min Rhat(., Z))`` of a learner with this law, over all datasets of a size.

    Source: wang2016 eq. (6), without the epsilon.
    """
    every = [_excess(problem, size, dataset, mixture([1], [law(dataset)])) for dataset in datasets(problem, size)]
    return Excess(max(each.low for each in every), max(each.high for each in every))


def _excess(problem: FiniteProblem, size: int, dataset: Any, law: Law) -> Excess:
    from flint import arb, ctx, fmpq

    values = problem.sums(list(law.outputs), dataset).values
    least = int(problem.sums(problem.hypotheses, dataset).values.min())
    costs = [Fraction(int(value) - least, size) * problem.unit for value in values]
    if law.exact is None:
        chances = np.exp(np.asarray(law.log_probabilities, dtype=float)).tolist()
        about = Fraction(math.fsum(chance * float(cost) for chance, cost in zip(chances, costs, strict=True)))
        return Excess(about - Fraction(OF_DOUBLES), about + Fraction(OF_DOUBLES))
    if all(isinstance(chance, Fraction) for chance in law.exact):
        exact = sum((chance * cost for chance, cost in zip(law.exact, costs, strict=True)), Fraction(0))
        return Excess(exact, exact)
    with ctx.workprec(128):
        ball = sum(
            (
                arb(fmpq(cost.numerator, cost.denominator)) * chance
                for cost, chance in zip(costs, law.exact, strict=True)
            ),
            arb(0),
        )
        return Excess(_fraction(ball.lower()), _fraction(ball.upper()))


def _fraction(point: Any) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def competitors(
    problem: FiniteProblem, size: int, epsilon: Fraction, family: FiniteHypothesisClass | None = None
) -> dict[str, Callable[[Any], Any]]:
    """The laws of the learners that compete, each epsilon-DP on datasets of this size."""
    found: dict[str, Callable[[Any], Any]] = {
        "0-private: the best constant law": OptimalPrivateLearner(problem, 0, size).distribution,
        "0-private: uniform": lambda dataset: dict.fromkeys(problem.hypotheses, Fraction(1, len(problem.hypotheses))),
    }
    hypotheses = np.array([float(h) for h in problem.hypotheses])
    if problem.swing(problem.hypotheses) > 0:
        exact = RegularisedExponential(problem, hypotheses, epsilon)
        found["exponential mechanism, exact sensitivity"] = exact.distribution
        found["exponential mechanism, the paper's sensitivity"] = RegularisedExponential(
            problem, hypotheses, epsilon, sensitivity="paper_bound"
        ).distribution
        found["permute-and-flip"] = permute_and_flip(problem, epsilon)
        drawn = math.isqrt(size)
        # what the claim is amplified from; a hair less, for the claim is rounded up
        base = math.log1p(math.expm1(float(epsilon)) * size / drawn) * (1 - 1e-12)
        part = SubsampledLearner(RegularisedExponential(problem, hypotheses, base), size)
        assert part.claim.epsilon(0.0) <= float(epsilon)
        found["exponential mechanism on a subsample"] = part.distribution
    if len(problem.records) ** size <= MOST_RESPONSES:
        found["randomised response, then the minimiser"] = randomised_response(problem, size, epsilon)
    if family is not None:
        found["alon2019 generic learner"] = GenericLearner(family, epsilon).distribution
    return found


def permute_and_flip(problem: FiniteProblem, epsilon: Fraction) -> Callable[[Any], Any]:
    """Permute-and-flip over the hypotheses, scored by summed loss."""
    hypotheses = list(problem.hypotheses)

    def scores(dataset: Any) -> Any:
        return -problem.sums(hypotheses, dataset).values * float(problem.unit)

    mechanism = PermuteAndFlip(float(epsilon), float(problem.swing(hypotheses)), scores=scores)
    return lambda dataset: {hypotheses[i]: chance for i, chance in mechanism.distribution(dataset).items()}


def randomised_response(problem: FiniteProblem, size: int, epsilon: Fraction) -> Callable[[Any], dict[Any, Fraction]]:
    """The empirical risk minimiser on records that each answered at random: private record by record.

    A record stays with a probability ``ratio`` times that of each other one; the ratio is a rational below
    ``e^epsilon``.
    """
    ratio, kinds = linear_program.ratio_between(epsilon)[0], len(problem.records)
    other = 1 / (ratio + kinds - 1)
    responses = np.array(list(product(range(kinds), repeat=size)))
    totals = np.stack([(responses == kind).sum(axis=1) for kind in range(kinds)], axis=1) @ problem.table.T
    answers = totals.argmin(axis=1)

    def law(dataset: Any) -> dict[Any, Fraction]:
        kept = (responses == problem.codes(dataset)).sum(axis=1)
        found: dict[Any, Fraction] = {}
        for answer in np.unique(answers).tolist():
            ways = np.bincount(kept[answers == answer], minlength=size + 1).tolist()
            chance = sum((times * ratio**stay for stay, times in enumerate(ways)), Fraction(0)) * other**size
            found[problem.hypotheses[answer]] = chance
        return found

    return law
