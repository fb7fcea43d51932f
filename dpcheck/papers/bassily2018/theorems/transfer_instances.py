"""The exact instances that the lines on hpriv and the learner made of it are decided on."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcheck.model.bounds_shown import at_least
from dpcheck.papers.bassily2018.theorems.answering_instances import label_chance
from dpcheck.proof.instances import Enumeration


def many_single_runs() -> Enumeration:
    """10^6 runs of alg-2 on one query each, leads 626 and 624 of 15750: chances of a label from the exact law."""
    from dpcheck.papers.bassily2018.learners import answers_law, printed_scales

    epsilon, delta, points = 1.0, 1e-6, 10**6
    scales = printed_scales(epsilon, delta, 0.05, 1, 1)
    half, lam = scales.models // 2, scales.threshold_scale
    labels, failure = [], ""
    for lead in (626, 624):
        law = answers_law([[half - lead // 2, half + lead // 2]], scales)
        assert law.exact is not None
        chance = dict(zip(law.outputs, (float(each.mid()) for each in law.exact), strict=True))[(1,)]
        if abs(chance - label_chance(delta / 2 * math.exp((lead - 1) / (2 * lam)))) > 1e-12:
            failure = f"lead {lead}: {chance}"
        labels.append((1 + chance) / 2)  # a coin where there is none
    apart = points * (labels[0] - labels[1])
    off = [points * each * (1 - each) / (apart / 2) ** 2 for each in labels]
    exact = 1 - off[0] - math.e * off[1]
    if exact <= delta:
        failure = f"{exact}"
    return Enumeration(
        f"10^6 runs at epsilon = 1, delta = 10^-6: the delta of all labels at epsilon = 1 is at least {at_least(exact, '.3f')}",
        1,
        failure,
    )


def one_run() -> Enumeration:
    """T = 1, m = 3, (1, 10^-6): two queries with 8445 of 16889 votes for 1, one with all; the exact law of one run."""
    from dpcheck.papers.bassily2018.learners import answers_law, printed_scales

    scales = printed_scales(1.0, 1e-6, 0.05, 3, 1)
    close, clear = [scales.models // 2, scales.models - scales.models // 2], [0, scales.models]
    ended = wrong = 0.0
    for votes, alone in (([close, close, clear], False), ([clear], True)):
        law = answers_law(votes, scales)
        assert law.exact is not None
        for output, chance in zip(law.outputs, law.exact, strict=True):
            unlabelled = output[-1] not in (0, 1)
            if alone:  # the label 0, or a coin
                wrong += float(chance.mid()) * ((output[-1] == 0) + unlabelled / 2)
            else:
                ended += float(chance.mid()) * unlabelled
    expected = (1 - label_chance(1e-6 / 6)) ** 2
    failure = ""
    if scales.models != 16889 or abs(ended - expected) > 1e-9 or not ended / 2 > 0.499 > wrong:
        failure = f"k = {scales.models}, no third label with probability {ended}, hpriv(p) = 0 with {wrong}"
    return Enumeration(
        f"k = 16889: the third query of the run gets no label with probability {ended:.7f}, a run of its own gives 0 with "
        f"{wrong:.2g}", 1, failure,
    )  # fmt: skip


def one_run_or_many() -> Enumeration:
    """One run on all points is no sample of hpriv; a run for each point is not private."""
    found = (one_run(), many_single_runs())
    return Enumeration(
        "; ".join(each.family for each in found), 2, "; ".join(each.failure for each in found if each.failure)
    )


def first_query_matters() -> tuple[float, ...]:
    """The chance that the last of two queries gets a label in one run, behind a first query with 0, 2 or 3 of 6 votes for 1.

    Small scales (threshold 2, noise 1 and 2), printed guard, from the exact law.
    """
    from dpcheck.papers.bassily2018.learners import Scales, answers_law

    found = []
    for first in (0, 2, 3):
        law = answers_law([[first, 6 - first], [1, 5]], Scales(2.0, 1.0, 2.0, 6, 1))
        assert law.exact is not None
        found.append(
            sum(float(chance.mid()) for output, chance in zip(law.outputs, law.exact, strict=True) if output[1] == 1)
        )
    return tuple(found)


def other_placement() -> Enumeration:
    """C4.1.tail with B/m of thm-3.2 as the limit: one term of the binomial tail is above beta, in integers.

    900 models that are each wrong with probability alpha, 301 of them at once where they are: v_t is 1 with probability
    299/100 alpha or a little more; alpha = 1/100, gamma = 0, beta = 10^-20, and the least m of claim 4.1.
    """
    m, beta = 20263, 1e-20
    limit = 3 * (m / 100 + math.sqrt(m / 100 * math.log(m / beta) / 2))
    above = math.floor(limit) + 1
    term = math.comb(m, above) * 299**above * 9701 ** (m - above)
    failure = ""
    if not (Fraction(900, 30100) >= Fraction(299, 10000) and m >= 400 * math.log(100 / beta) > m - 1):
        failure = "another m"
    if not term * 10**20 > 10000**m:
        failure = f"{above} times with a probability of at most beta"
    return Enumeration(f"Bin(20263, 0.0299) is {above} with probability above 10^-20", 1, failure)


def one_example() -> Enumeration:
    """One example, two targets that differ at a point of mass 1/8: with 7/16 or more an output errs there on one of them.

    C = 1..50, alpha = beta = 1/(16C), every rule from the example to a label there, drawn or not.
    """
    count, failure = 0, ""
    mass = Fraction(1, 8)
    for constant in range(1, 51):
        for eighths in range(9):
            count += 1
            one = Fraction(eighths, 8)  # the chance of the label 1 at the point when it was not seen
            worst = max((1 - mass) * one, (1 - mass) * (1 - one))
            if not (
                worst >= Fraction(7, 16) > Fraction(3, 16 * constant) and mass > constant * Fraction(1, 16 * constant)
            ):
                failure = f"C = {constant}, label 1 with probability {one}"
    return Enumeration(
        "C = 1..50, the label at an unseen point of mass 1/8 is 1 with probability 0, 1/8, ..., 1", count, failure
    )


def accuracy_one_over_m() -> Enumeration:
    """All models have error exactly 1/m: no mistake on m queries with probability (1 - 1/m)^m, m = 2..300."""
    failure = ""
    for m in range(2, 301):
        if not (1 - Fraction(1, m)) ** m < Fraction(1, 2):
            failure = f"m = {m}"
    return Enumeration("m = 2..300 queries, one wrong classifier with error 1/m", 299, failure)
