"""The exact instances that the lines of section 4 and appendix A.5 are refuted by."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcheck.proof.instances import Enumeration

_TENTH = Fraction(1, 10)


def many_bad_hypotheses(exponent_of_bad: int = 500) -> Enumeration:
    """One hypothesis without loss against ceil(e^500) that lose 1, n = 1000, eps = 1: these have half of the law."""
    from flint import arb, ctx

    with ctx.workprec(4000):
        records = 1000
        count = arb(exponent_of_bad).exp().ceil()
        weight = count * (-arb(records) / 2).exp()  # eps = 1, Dq = 1/n: a unit of risk weighs eps/(2 Dq) = n/2 nats
        chance = weight / (1 + weight)
        beyond = 2 * 4 * (arb(201) / 100) * arb(records).log() / records
        bound = 9 * (arb(201) / 100) * arb(records).log() / records
        stands = 2 * chance >= 1 and beyond < 1 and bound < chance and chance * records**2 > 1
        covered = (1 + count).log() <= arb(60_000) / 100  # K = 1, rho = 1/100 at t_0 = exp(-60000)
    failure = "" if stands and covered else f"probability {chance.str(6)}, bound {bound.str(6)}"
    return Enumeration(
        "n = 1000, eps = 1: a hypothesis without loss and ceil(e^500) that lose 1 at the only record that D gives", 1, failure
    )  # fmt: skip


def _scores(losses: list[Fraction], extra: list[Fraction], records: int, epsilon: Fraction) -> list[Fraction]:
    """The logarithms of the weights that alg-1 gives hypotheses on records that lose these; another record loses 0."""
    from dpcheck.papers.wang2016.learners import FiniteProblem, RegularisedExponential

    numbers = tuple(range(len(losses)))
    problem = FiniteProblem(("given", "other"), numbers, tuple((loss, Fraction(0)) for loss in losses))
    choice = RegularisedExponential(problem, list(numbers), epsilon, extra).choice(["given"] * records)
    return [choice.rate * Fraction(score) for score in choice.scores.tolist()]


def five_hypotheses(hypotheses: int = 5) -> Enumeration:
    """A2 holds with K = #H and rho = 0, and the printed bound is negative: five hypotheses, n = 2, eps = 1/2."""
    losses = [Fraction(i, hypotheses) for i in range(hypotheses)]
    scores = _scores(losses, [Fraction(0)] * hypotheses, 2, Fraction(1, 2))
    weights = [math.exp(score) for score in scores]
    mean = sum(weight * float(loss) for weight, loss in zip(weights, losses, strict=True)) / sum(weights)
    most = max(Fraction(hypotheses, sum(loss <= t for loss in losses)) for t in losses)  # mu(H)/mu(S_t), all t > 0
    bound = 9 * (2 * math.log(2) - math.log(hypotheses)) / (2 * 0.5)
    stands = most <= hypotheses and bound < -0.1 and mean > 0
    return Enumeration(
        "five hypotheses that lose 0, 1/5, .., 4/5, n = 2, eps = 1/2, g_n = 0", 1, "" if stands else f"bound {bound}"
    )


def ties_by_the_regulariser(zeta: Fraction = _TENTH, hypotheses: int = 10) -> Enumeration:
    """One hypothesis loses 0 and has g_n = zeta, the others lose 1/5 and have g_n = -zeta: a uniform law if zeta = 1/10."""
    losses = [Fraction(0)] + [Fraction(1, 5)] * (hypotheses - 1)
    scores = _scores(losses, [zeta] + [-zeta] * (hypotheses - 1), 10**6, Fraction(1, 100))
    excess = sum(losses, Fraction(0)) / hypotheses
    rate = 9 * 2 * math.log(10**6) / 10**4 + 2 / 100 + float(zeta)
    stands = len(set(scores)) == 1 and float(excess) > rate + 0.01
    failure = "" if stands else f"scores {sorted(set(scores))[:2]}, excess {float(excess)}, rate {rate}"
    return Enumeration(
        "ten hypotheses, n = 10^6 equal records, eps = 1/100: one loses 0 and has g_n = 1/10, nine lose 1/5 and have -1/10", 1, failure
    )  # fmt: skip


def a_regulariser_that_wins(growth: int = 1) -> Enumeration:
    """g_n = -growth sqrt(n) on the hypothesis that loses 1: the other one has at most half of the law."""
    failure = ""
    for root in range(1, 30):
        good, bad = _scores([Fraction(0), Fraction(1)], [Fraction(0), Fraction(-growth * root)], root**2, Fraction(1))
        if good > bad:
            failure = f"n = {root**2}"
    return Enumeration("two hypotheses, n = 1, 4, 9, .., 841, eps = 1, g_n = 0 and -sqrt(n)", 1, failure)


def corner_of_a_cube(dimension: int = 4) -> Enumeration:
    """The corner {h in [0, 1]^d: sum h <= r} has volume r^d/d!, its share 2^-d of the ball of l_1; against (r/2)^d."""
    volume = [Fraction(1)]  # coefficients of the corner's volume, a polynomial in r; dimension after dimension
    for _ in range(dimension):
        volume = [Fraction(0)] + [a / (k + 1) for k, a in enumerate(volume)]
    share, failure = Fraction(1, 2**dimension), ""
    for r in (Fraction(i, 8) for i in range(1, 9)):
        corner = sum((a * r**k for k, a in enumerate(volume)), Fraction(0))
        ball = Fraction(2**dimension, math.factorial(dimension)) * r**dimension
        if not corner == share * ball < share * r**dimension:
            failure = f"r = {r}"
    return Enumeration(
        "H = [0, 1]^4 with beta_1 = 1/16, F(h) = ||h||_1/4, r = t/L = 1/8, .., 1: S_t is a corner of volume r^4/24", 1, failure
    )  # fmt: skip


def ball_of_13_dimensions(dimension: int = 13) -> Enumeration:
    """The volume of the unit ball of R^13, pi^(13/2)/Gamma(13/2 + 1) = 2^7 pi^6/13!!, is below 1."""
    from flint import arb

    volume = arb.pi() ** (arb(dimension) / 2) / (arb(dimension) / 2 + 1).gamma()
    odd = math.prod(range(3, 14, 2))
    stands = volume < 1 and (volume - 2**7 * arb.pi() ** 6 / odd).contains(0)
    return Enumeration("the cone L ||h|| on the unit ball of R^13", 1, "" if stands else f"volume {volume.str(6)}")


def absolute_loss_of_six(as_printed: bool = True) -> Enumeration:
    """Six records 0 against five and a 1, absolute loss on [0, 1], eps = 1: the density as printed loses 1.61."""
    from dpcheck.papers.wang2016.learners import LogConcaveExponential

    found = LogConcaveExponential(1, epsilon=1.0, as_printed=as_printed).exact_loss([0.0] * 6, [0.0] * 5 + [1.0])
    closed = 2 + math.log(4 / (1 - math.exp(-4))) - math.log(6 / (1 - math.exp(-6)))
    stands = abs(found - closed) < 1e-9 and found > 1.6
    return Enumeration(
        "|h - z| on [0, 1], six records 0 against five 0 and a 1, eps = 1: the exact loss of exp(eps n q/B), B = 1", 1,
        "" if stands else f"loss {found}, closed form {closed}",
    )  # fmt: skip


def an_atom_of_small_mass(atom: bool = True) -> Enumeration:
    """Laws on {a, b, point}: the targets never give the point, the sampler on one dataset does with probability eta."""
    failure = ""
    for eta in (Fraction(1, 10**k) for k in range(1, 10)):
        left = {"a": Fraction(1, 2), "b": Fraction(1, 2), "point": Fraction(0)}
        share = eta if atom else Fraction(0)
        close = {key: (1 - share) * value + (share if key == "point" else 0) for key, value in left.items()}
        distance = sum((abs(close[key] - left[key]) for key in left), Fraction(0)) / 2
        if distance > eta or not close["point"] > 0 == left["point"]:
            failure = f"eta = {eta}"
    return Enumeration(
        "eta = 1/10, .., 10^-9: a law within eta of its target, and infinitely far from it in privacy", 1, failure
    )
