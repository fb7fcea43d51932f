"""The exact instances that the lines of chaudhuri2011's section 4 and appendices A to C are decided on."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcheck.proof.instances import Enumeration


def radius_beyond_the_diameter(log_inverse_delta: Fraction = Fraction(69, 10)) -> Enumeration:
    """A1's step 1 for thresholds under the uniform distribution, C = 1, delta = exp(-6.9): eps0 is above the diameter.

    d_U = 1, so eps0 = eps/(4 khat) = exp(x)/4 with x = log(1/delta) - m/(1/(alpha eps) + 1/eps^2); and exp(x) is at
    least 1 + x + x^2/2 + x^3/6.
    """
    count, failure = 0, ""
    for m in range(1, 4):
        for alpha in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)):
            for eps in (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)):
                count += 1
                x = log_inverse_delta - m / (1 / (alpha * eps) + 1 / eps**2)
                if not (1 + x + x**2 / 2 + x**3 / 6) / 4 > 1:
                    failure = f"m = {m}, alpha = {alpha}, eps = {eps}"
    return Enumeration(
        "thresholds, U uniform, C = 1, delta = exp(-6.9), m in {1, 2, 3}, alpha in {0.1, 0.5, 0.9}, eps in {0.1, 0.25, 0.5}: "
        "eps0 > 1", count, failure,
    )  # fmt: skip


def one_record_meets_the_conditions(closeness: int = 16) -> Enumeration:
    """(4) and (5) with m = 1 at alpha = 1/2, kappa = d_U = 1 and eps = delta = exp(-1/(16 C)), for C = 1..1000.

    With x = 1/(16 C), exp(x) <= 1/(1 - x): (4) asks for C (2 exp(x) + exp(2x)) 2x records, (5) for C 2 exp(x) 2x.
    """
    failure = ""
    for constant in range(1, 1001):
        x = Fraction(1, closeness * constant)
        most = 1 / (1 - x)
        if constant * (2 * most + most**2) * 2 * x > 1 or constant * 2 * most * 2 * x > 1:
            failure = f"C = {constant}"
    return Enumeration(
        "C = 1..1000, alpha = 1/2, kappa = d_U = 1, eps = delta = exp(-1/(16 C)): one record is enough for (4) and (5)",
        1000,
        failure,
    )


def one_mistake_is_too_many(inverse_mean: int = 50) -> Enumeration:
    """T9.chern2 at delta = 1/25, err(g_0) = 1/(50 m), m = 1..300: the chance of a mistake, exact.

    The bound on m err(g_0, S) is 1/50 + sqrt((3/50) log 100), and log 100 < 4.61.
    """
    failure = "" if math.log(100) < 4.61 else "log(100)"
    mean = Fraction(1, inverse_mean)  # of the number of mistakes
    if not 3 * mean * Fraction(461, 100) < (1 - mean) ** 2:
        failure = "one mistake is allowed"
    for m in range(1, 301):
        if not 1 - (1 - mean / m) ** m > Fraction(1, 100):
            failure = f"m = {m}"
    return Enumeration(
        "delta = 1/25, err(g_0) = 1/(50 m), m = 1..300: Pr[a mistake] > 1/100, and one is above the bound", 300, failure
    )


def too_many_mistakes(m: int = 90_000, mistakes: int = 676) -> Enumeration:
    """T9.(9) at eps = 1/100, err(g_0) = 1/400, m = 90000: Pr[X > 675] is above delta/4 = (46/125)^300, exact.

    m >= (3/eps) log(4/delta) = 90000 log(125/46), because exp(1) >= 1957/720 > 125/46.
    """
    failure = "" if Fraction(1957, 720) > Fraction(125, 46) and m >= 90_000 else "the size is too small"
    if not 4 * mistakes > 3 * m // 100:
        failure = "not more than 3 eps m/4 mistakes"
    # binom 399^(m - k)/400^m against (46/125)^300, in integers
    if not math.comb(m, mistakes) * 399 ** (m - mistakes) * 125**300 > 46**300 * 400**m:
        failure = "the tail is not above delta/4"
    return Enumeration(
        "eps = 1/100, err(g_0) = eps/4, m = 90000, delta = 4 (46/125)^300: exactly 676 mistakes", 1, failure
    )


def a_hypothesis_and_its_complement(records_times_alpha: int = 3) -> Enumeration:
    """A1r on two complementary hypotheses, C = 1: G is both, and their scores differ by m on every sample.

    alpha = 3/m, eps = delta = 1/2, kappa = 1, m = 40..139: the law is 1/(1 + exp(alpha m/2)) = 1/(1 + exp(3/2)) on the
    complement, exp(3/2) < 4.5, against #G exp(-3 eps m/20) = 2 exp(-3m/40) <= 2 exp(-3) < 2/20.
    """
    from dpcheck.papers.chaudhuri2011.learners import ReferenceLearner
    from dpcheck.parts.classes import FiniteClass
    from dpcheck.parts.classes.references import Atoms

    count, failure = 0, ""
    for m in range(40, 140):
        count += 1
        alpha = Fraction(records_times_alpha, m)
        learner = ReferenceLearner(
            FiniteClass([[0], [1]]), Atoms([0]), alpha, accuracy=0.5, failure=0.5, constant=1.0, realisable=True
        )
        law = learner.distribution(([0] * m, [0] * m))
        scores = sorted(law.exact.scores)
        if learner.required_size(1.0) > m or learner.radius(m) >= 1 or scores != [-m, 0]:
            failure = f"m = {m}: the net or the size is not as said"
        if learner.rate(([0] * m, [0] * m)) * m != Fraction(3, 2):
            failure = f"m = {m}: the exponent is not 3/2"
    if not 1 / (1 + Fraction(9, 2)) > Fraction(2, 20):
        failure = "the bound holds"
    return Enumeration(
        "two complementary hypotheses, C = 1, alpha = 3/m, eps = delta = 1/2, m = 40..139: A1r errs everywhere with "
        "probability 1/(1 + exp(3/2))", count, failure,
    )  # fmt: skip


def a_third_of_the_circle(angle: int = 60) -> Enumeration:
    """n = 2, gamma = 1/2: abs(cos f) <= 1/2 within 30 degrees of 90 and of 270, a third of the circle."""
    inside = 0
    for sector in range(12):  # of 30 degrees; cos is monotone in each, and 60 degrees is where it is 1/2
        ends = [30 * sector % 360, 30 * (sector + 1) % 360]
        inside += all(angle <= end % 180 <= 180 - angle for end in ends)
    failure = "" if inside == 4 else f"{inside} of 12 sectors"
    if not 2 * (1 - Fraction(1, 4)) > 1:  # exp(-1/4) >= 3/4
        failure = "the denominator is positive"
    return Enumeration(
        "n = 2, gamma = 1/2, A = W: 4 of the 12 sectors of 30 degrees, U(W) = 1/3, D(W) = 1", 12, failure
    )


def a_density_without_bound(divisor: int = 4) -> Enumeration:
    """D([0, a]) = sqrt(a) against kappa a at a = 1/(4 kappa^2), kappa = 1..1000, squared."""
    failure = ""
    for kappa in range(1, 1001):
        a = Fraction(1, divisor * kappa**2)
        if not a > (kappa * a) ** 2:
            failure = f"kappa = {kappa}"
    return Enumeration(
        "U uniform on [0, 1], D([0, a]) = sqrt(a), a = 1/(4 kappa^2): no kappa = 1..1000 will do", 1000, failure
    )


def singletons_in_blocks(scale: int = 2) -> Enumeration:
    """Singletons over blocks 1..4 of 2^k points of mass 4^-k: 2^k balls at the scale 2 4^-k, exact smallest covers.

    Smaller scales (``scale`` 1) leave the members of a block alone.
    """
    from dpcheck.parts.classes import FiniteClass
    from dpcheck.parts.classes.doubling import doubling_dimension
    from dpcheck.parts.classes.references import Atoms

    blocks = 4
    weights = [4 ** (blocks - k) for k in range(1, blocks + 1) for _ in range(2**k)]
    weights.append(4**blocks - sum(weights))  # the rest of the mass: a point of its own, in no singleton of a block
    points = len(weights)
    table = [[int(i == j) for j in range(points)] for i in range(points)]
    failure = ""
    for k in range(1, blocks + 1):
        found = doubling_dimension(FiniteClass(table), Atoms(range(points), weights=weights), Fraction(scale, 4**k))
        if found.balls < 2**k:
            failure = f"block {k}: {found.balls} balls"
    return Enumeration(
        "singletons over blocks k = 1..4 of 2^k points of mass 4^-k, the rest on one more point: at least 2^k balls of "
        "half the radius for a ball of radius 2 4^-k", blocks, failure,
    )  # fmt: skip


def a_packing_of_one() -> Enumeration:
    """Two points at distance 1 have doubling dimension 1, and B(z, 1/8) = {z} is a 1-packing; (4/8)^1 = 1/2."""
    from dpcheck.parts.classes import FiniteClass
    from dpcheck.parts.classes.doubling import doubling_dimension
    from dpcheck.parts.classes.references import Atoms

    found = doubling_dimension(FiniteClass([[0], [1]]), Atoms([0]))
    failure = "" if found.balls == 2 and Fraction(4, 8) ** 1 < 1 else f"{found.balls} balls"
    return Enumeration("{0, 1} with distance 1, z = 0, r = 1/8, eps = 1: the packing {0}", 1, failure)
