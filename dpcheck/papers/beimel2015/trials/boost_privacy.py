"""LabelBoost's privacy, step by step and end to end."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcheck.model.claims import ApproxDP, PureDP, exact_point
from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.beimel2015.learners import LabelBoost, boost_sizes, claim_steps
from dpcheck.papers.beimel2015.learners.amplified import printed_entries
from dpcheck.papers.beimel2015.learners.boost_entries import TINY, label_boost
from dpcheck.papers.beimel2015.learners.boost_sizes import PRINTED
from dpcheck.papers.beimel2015.trials.laws import as_ball, largest_delta, largest_over_pairs, nats, precisely
from dpcheck.papers.beimel2015.trials.mechanisms import Presence
from dpcheck.papers.beimel2015.trials.outcomes import (
    EXACT,
    below,
    decided,
    exactly,
    out_of_reach,
    result,
)
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Measurement, Outcome, Table
from dpcheck.trial.relations import all_true

_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)


@precisely
def privacy_recursion(seed: int, quick: bool) -> Measurement:
    """Headline claim 6: epsilon and delta after each step, as printed and exactly."""
    delta = Fraction(1, 10**9)
    labelled = PRINTED.sufficient_labelled(_TENTH, _TENTH, 1)
    rows, held, pure_held = [], [], []
    exponents = (9, 1000) if quick else (6, 9, 12, 100, 1000)
    for exponent in exponents:
        sizes = boost_sizes(labelled, 10**exponent, 1, _TENTH, _TENTH)
        for step in claim_steps(ApproxDP(1.0, delta), sizes, 1):
            point = exact_point(step.claim)
            assert step.printed is not None
            printed = math.log(244) if step.printed[0] == "log 244" else float(step.printed[0])
            held.append(point.nats <= printed and point.delta <= step.printed[1] * delta)
            if exponent == exponents[0]:
                rows.append(
                    (
                        step.step,
                        "" if step.rate is None else f"{float(step.rate):.5f}",
                        f"{point.nats:.4f}",
                        f"{float(point.delta / delta):.4g}",
                        str(step.printed[0]),
                        str(step.printed[1]),
                    )
                )
        pure_held += [exact_point(each.claim).delta == 0 for each in claim_steps(PureDP(1.0), sizes, 1)]
    # the printed constants, taken one by one
    e = ball(1).exp()
    chain = [
        below(ball(Fraction(4 * 2476, 247)), ball(41)),
        below(ball(247), ball(300)),
        below(4 * e * 41, ball(446)),
        below(4 * 446 / (3 + e**4), ball(41)),
        below(3 + e**4, ball(100)),
        below(4 * e, e**3),
    ]
    end = _whole_boost()
    fourteen = _amplified(quick)
    return Measurement(
        "privacy-recursion",
        "LabelBoost's privacy, step by step",
        tuple(map(result, ("lem-4.6", "thm-4.13", "thm-4.14", "rem-4.15"))),
        "A (1, delta) base learner carried through the steps of LabelBoost with the printed constants and the sampling "
        "rates that the rounded sizes have: by the exact formulas for subsampling, resampling and relabelling, and as "
        "printed. Then LabelBoost with constants so small that its law is computed on every pair of databases.",
        f"At the end epsilon is {rows[-1][2]} and delta {rows[-1][3]} times the base's, where 1 and 41 are printed. "
        f"{end[0]}",
        EXACT,
        (),
        (
            Table(
                f"LabelBoost of a (1, delta) base learner, n = 10^{exponents[0]}, m = {labelled:,}",
                ("after", "rate", "epsilon", "delta, times", "printed epsilon", "printed delta, times"),
                tuple(rows),
            ),
            end[1],
        ),
        (
            exactly(
                "lem-4.6",
                "every step keeps what is printed for it, (1, 41 delta) at the end",
                all(held),
                f"{len(held)} steps of {len(exponents)} runs with the printed constants",
                kind="privacy",
                learner="beimel2015.label_boost",
            ),
            exactly(
                "thm-4.13",
                "with the printed constants a (1, delta) base learner makes LabelBoost (1, 41 delta)-private",
                all(held),
                f"the steps of lem-4.6 at the rates of the rounded sizes: ({rows[-1][2]}, {rows[-1][3]} delta)",
                kind="privacy",
                learner="beimel2015.label_boost",
            ),
            decided(
                "lem-4.6",
                "the printed constants follow from one another: 4 * 2476/247 <= 41, 300 >= 247, 4e * 41 <= 446, "
                "4 * 446/(3 + e^4) <= 41, 100 >= 3 + e^4, 4e <= e^3",
                all_true(chain),
                "six inequalities in balls",
                kind="privacy",
                learner="beimel2015.label_boost",
            ),
            *end[2],
            exactly(
                "rem-4.15",
                "(1) a pure base learner makes LabelBoost pure",
                all(pure_held) and end[3],
                f"delta 0 at each of {len(pure_held)} steps, and the outputs of the two laws are the same on all pairs",
                kind="privacy",
                learner="beimel2015.label_boost",
            ),
            fourteen,
        ),
    )


def _whole_boost() -> tuple[str, Table, list[Outcome], bool]:
    """LabelBoost with tiny constants: the law on every pair."""
    relation = ReplaceEntry(Records.labelled(features=[0, 1], labels=[0, 1]), 5, 2)
    rows, held, finite = [], [], True
    for base in ("exponential", "count"):
        learner = label_boost(base=base)
        found, pairs = largest_over_pairs(learner.distribution, relation, learner)
        claimed = exact_point(learner.claim)
        finite = finite and found is not None
        held.append(below(as_ball(found), ball(Fraction(claimed.nats)).exp()))
        rows.append((base, str(pairs), "1", f"{nats(found):.4f}", f"{claimed.nats:.4f}"))
    delta = Fraction(1, 100)
    grid = GridThresholds(2)
    leaking = LabelBoost(Presence(Fraction(27, 10), delta, of_points=True), grid, 2, 1, 1, 1, 3, TINY, 1, rounding="up")
    point = exact_point(leaking.claim)
    ratio = ball(Fraction(point.nats)).exp() if point.ratio is None else as_ball(point.ratio)
    at, _ = largest_delta(leaking.distribution, relation, ratio)
    at_one, _ = largest_delta(leaking.distribution, relation, ball(1).exp())
    outcomes = [
        decided(
            "lem-4.6",
            "LabelBoost with tiny constants is as private as the steps say, end to end",
            all_true(held),
            "losses " + " and ".join(row[3] for row in rows) + " over all pairs",
            kind="privacy",
            learner="beimel2015.label_boost",
        ),
        out_of_reach(
            "thm-4.13",
            "(1, delta) becomes (1, 41 delta), end to end",
            "the law at the printed constants, from 90000 points on",
            f"scaled, rates 1/2 and 1, delta = {float(delta):g}: over all pairs delta is "
            f"{float(as_ball(at_one)):.4g} at "
            f"epsilon 1 ({41 * float(delta):.3g} is printed) and {float(as_ball(at)):.4g} at the epsilon computed for "
            f"these rates ({float(point.delta):.4g} computed)",
            "holds" if at_one <= 41 * ball(delta) and at <= ball(point.delta) else "contradicted",
            kind="privacy",
            learner="beimel2015.label_boost",
        ),
    ]
    table = Table(
        "LabelBoost with tiny constants (2 + 3 entries, rates 1/2 and 1), every pair",
        ("base learner", "pairs", "its epsilon", "loss", "computed claim"),
        tuple(rows),
    )
    said = f"With tiny constants the exact losses are {' and '.join(row[3] for row in rows)}."
    return said, table, outcomes, finite


def _amplified(quick: bool) -> Outcome:
    """thm-4.14: LabelBoost on a random part, its delta and its sizes."""
    held = []
    epsilons = (Fraction(1), Fraction(1, 10), Fraction(1, 100))
    delta = Fraction(1, 10**9)
    for epsilon in epsilons:
        claim = ApproxDP(1.0, 41 * delta)
        labelled = PRINTED.sufficient_labelled(_TENTH, _TENTH, 1)
        whole = printed_entries(labelled, epsilon, claim)
        rate = ball(Fraction(labelled, whole))
        held.append(below((1 + rate * (ball(1).exp() - 1)).log(), ball(epsilon)))
        # 164/(3 + e) epsilon delta is printed for the same delta up to the constant lambda of the base's
        held.append(below(rate * 41 * ball(delta), ball(164 * epsilon * delta) / (3 + ball(1).exp())))
    return decided(
        "thm-4.14",
        "on a random part at the rate epsilon/(3 + e) the (1, 41 delta) of thm-4.13 becomes (epsilon, (164/(3 + e)) "
        "epsilon delta)",
        all_true(held),
        f"epsilon = {', '.join(f'{float(e):g}' for e in epsilons)}, at the rounded sizes",
        kind="privacy",
        learner="beimel2015.subsampled",
    )
