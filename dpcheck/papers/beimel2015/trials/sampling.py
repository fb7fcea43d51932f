"""Random parts and draws with replacement: exact losses beside the printed constants."""

from __future__ import annotations

import math
from fractions import Fraction

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.beimel2015.learners import IndependentResampling, UniformSubsampling
from dpcheck.papers.beimel2015.learners.amplified import RESAMPLED_FACTOR, RESAMPLED_RATIO, printed_entries
from dpcheck.papers.beimel2015.trials.laws import (
    as_ball,
    largest_delta,
    largest_over_pairs,
    nats,
    precisely,
)
from dpcheck.papers.beimel2015.trials.mechanisms import InOrder, Powers, Presence
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly, result
from dpcheck.parts.mechanisms.amplification import ball, resampled_claim
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Series, Table
from dpcheck.trial.relations import all_true

_DELTA = Fraction(1, 100)
_BITS = Records.labelled(features=[0], labels=[0, 1])


@precisely
def subsampling(seed: int, quick: bool) -> Measurement:
    """Headline claim 11, first part: clm-4.3 on an algorithm that is served worst."""
    rows: list[tuple[str, ...]] = []
    ratios_hold, deltas_hold, attained = [], [], []
    settings = [
        (n, epsilon, ratio)
        for n in (1, 2)
        for epsilon in ((Fraction(1),) if quick else (Fraction(1), Fraction(1, 2)))
        for ratio in (Fraction(2), Fraction(3), Fraction(8))
    ]
    for n, epsilon, ratio in settings:
        whole = printed_entries(n, epsilon, PureDP(ratio=ratio))
        relation = ReplaceEntry(_BITS, whole, whole)
        pure = UniformSubsampling(Presence(ratio), n, 0, of_labelled=whole, of_unlabelled=0)
        found, _ = largest_over_pairs(pure.distribution, relation, pure)
        exact = 1 + Fraction(n, whole) * (ratio - 1)
        leaking = UniformSubsampling(Presence(ratio, _DELTA), n, 0, of_labelled=whole, of_unlabelled=0)
        delta, pairs = largest_delta(leaking.distribution, relation, exact, leaking)
        # at the larger e^epsilon less is left
        printed_delta = 4 * epsilon * _DELTA / (3 + ratio)
        at_epsilon, _ = largest_delta(leaking.distribution, relation, ball(epsilon).exp(), leaking)
        ratios_hold.append(below(as_ball(found), ball(epsilon).exp()))
        deltas_hold.append(below(at_epsilon, as_ball(printed_delta)))
        attained.append(found == exact and delta == Fraction(n, whole) * _DELTA)
        rows.append(
            (
                str(n),
                f"{float(epsilon):g}",
                f"ln {ratio}",
                str(whole),
                str(pairs),
                f"{nats(found):.5f}",
                f"{nats(exact):.5f}",
                f"{float(as_ball(at_epsilon)):.3g}",
                f"{float(printed_delta):.3g}",
            )
        )
    curve = [0.05 * i for i in range(1, 101)]
    curves = [
        Series(
            f"exact at the printed t, epsilon = {epsilon:g}",
            "exact",
            colour,
            tuple(curve),
            tuple(math.log1p(epsilon / (3 + math.exp(s)) * math.expm1(s)) for s in curve),
        )
        for colour, epsilon in enumerate((1.0, 0.5, 0.1))
    ]
    in_order = _in_order()
    return Measurement(
        "subsampling",
        "A random part of the records: the printed epsilon, and the exact one",
        (result("clm-4.3"), result("rem-4.4")),
        "An algorithm that tells by randomised response whether a label is 1 (with delta: sometimes beyond doubt) is "
        f"run on n random records of t = ceil((n / epsilon)(3 + e^epsilon*)), delta = {float(_DELTA):g}. Its law is "
        "computed as fractions on every pair of neighbouring databases of t records, and its largest loss set beside "
        "the printed (epsilon, 4 epsilon delta / (3 + e^epsilon*)) and the exact log(1 + (n/t)(e^epsilon* - 1)).",
        ("On every pair of settings the exact formula is attained" if all(attained) else "The exact formula is above")
        + f"; the printed epsilon is {min(float(r[1]) / float(r[5]) for r in rows):.3g} to "
        f"{max(float(r[1]) / float(r[5]) for r in rows):.3g} times what is lost. {in_order.detail}",
        EXACT,
        (
            Chart(
                "subsampling",
                "Loss after subsampling at the printed size",
                "epsilon* of the algorithm",
                "epsilon",
                tuple(curves),
                tuple(
                    Mark(f"printed epsilon = {epsilon:g}", y=epsilon, colour=colour)
                    for colour, epsilon in enumerate((1.0, 0.5, 0.1))
                ),
                x_log=False,
                y_log=True,
                alt="The exact loss rises with epsilon* and stays below each printed epsilon.",
            ),
        ),
        (
            Table(
                "Exact loss of randomised response on a random part",
                (
                    "n",
                    "epsilon",
                    "epsilon*",
                    "t",
                    "pairs",
                    "loss",
                    "log(1 + (n/t)(e^epsilon* - 1))",
                    "delta at epsilon",
                    "printed delta",
                ),
                tuple(rows),
            ),
        ),
        (
            decided(
                "clm-4.3",
                "a random part of the printed size is epsilon-private: pure epsilon* to epsilon",
                all_true(ratios_hold),
                f"the largest loss over all pairs at {len(settings)} settings, fractions",
                kind="privacy",
                learner="beimel2015.subsampled",
            ),
            decided(
                "clm-4.3",
                "delta becomes at most 4 epsilon delta / (3 + e^epsilon*)",
                all_true(deltas_hold),
                f"the largest delta at e^epsilon over all pairs at {len(settings)} settings",
                kind="privacy",
                learner="beimel2015.subsampled",
            ),
            exactly(
                "clm-4.3",
                "the exact formula log(1 + (n/t)(e^epsilon* - 1)) with delta n/t is attained",
                all(attained),
                "equality of fractions at every setting",
                kind="privacy",
                learner="beimel2015.subsampled",
            ),
            in_order,
        ),
    )


def _in_order() -> Outcome:
    """rem-4.4: an algorithm that looks at the order, with and without the shuffle."""
    ratio, drawn, whole = Fraction(3), 2, 3
    relation = ReplaceEntry(Records.labelled(features=[0, 1, 2], labels=[0]), whole, whole)
    losses = {}
    for order in ("random", "sorted"):
        learner = UniformSubsampling(
            InOrder(ratio),
            drawn,
            0,
            of_labelled=whole,
            of_unlabelled=0,
            order=order,
        )
        losses[order], pairs = largest_over_pairs(learner.distribution, relation)
    promised = 1 + Fraction(drawn, whole) * (ratio - 1)
    fine, broken = losses["random"] <= promised, losses["sorted"] > promised
    return exactly(
        "rem-4.4",
        f"an algorithm that looks at the order must see the {drawn} of {whole} records in random order",
        fine and broken,
        f"over {pairs} pairs the loss is {nats(losses['random']):.4f} shuffled and {nats(losses['sorted']):.4f} in the "
        f"database's order, where {nats(promised):.4f} is promised: "
        + ("only the second is too much" if fine and broken else "this algorithm does not show it"),
        kind="privacy",
        learner="beimel2015.subsampled",
    )


@precisely
def resampling(seed: int, quick: bool) -> Measurement:
    """Headline claim 11, second part: clm-4.5 exactly on tiny samples, and its formula for all."""
    ratio = Fraction(27, 10)  # below e: epsilon is 0.993
    sizes = (1, 2, 3, 4) if quick else (1, 2, 3, 4, 5)
    rows, held, attained, delta_held = [], [], [], []
    for n in sizes:
        relation = ReplaceEntry(_BITS, n, n)
        powers = IndependentResampling(Powers(ratio, n), n, 0)
        found, pairs = largest_over_pairs(powers.distribution, relation, powers)
        exact = (1 + (ratio - 1) / n) ** n
        leaking = IndependentResampling(Presence(ratio, _DELTA), n, 0)
        delta, _ = largest_delta(leaking.distribution, relation, exact, leaking)
        held.append(found <= RESAMPLED_RATIO)
        attained.append(found == exact)
        delta_held.append(delta <= RESAMPLED_FACTOR * _DELTA)
        rows.append(
            (
                str(n),
                str(pairs),
                f"{nats(found):.5f}",
                f"{nats(exact):.5f}",
                f"{float(delta / _DELTA):.4f}",
                f"{float((exact - 1) / (ratio - 1)):.4f}",
            )
        )
    many = [1, 2, 5, 10, 100, 10**4, 10**9]
    claims = [resampled_claim(PureDP(1.0), n, n) for n in many]
    general = [float(claim.epsilon(0.0)) for claim in claims]
    return Measurement(
        "resampling",
        "Draws with replacement: log 244 is printed, e - 1 is lost",
        (result("clm-4.5"),),
        "An algorithm of epsilon = log 2.7 that says yes with a probability proportional to 2.7^k, k the labels 1 it "
        "is given, is run on n draws with replacement from n records: no algorithm loses more. Its law is computed as "
        f"fractions on all pairs. Delta is measured on one that tells a bit beyond doubt with probability "
        f"{float(_DELTA):g}.",
        f"The largest loss is {max(float(row[2]) for row in rows):.4f} where log 244 = {math.log(244):.4f} is printed"
        + (
            ", and equals n log(1 + (e^epsilon - 1)/n) for every n tried"
            if all(attained)
            else ", and differs from n log(1 + (e^epsilon - 1)/n)"
        )
        + f"; delta grows by a factor of at most {max(float(row[4]) for row in rows):.3f} where 2467 is printed. At "
        f"epsilon = 1 the formula stays below e - 1 = {math.e - 1:.4f} up to n = 10^9 ({general[-1]:.4f}).",
        EXACT,
        (
            Chart(
                "resampling",
                "Loss after drawing n of n records with replacement",
                "n",
                "epsilon",
                (
                    Series(
                        "exact, all pairs (epsilon = log 2.7)",
                        "exact",
                        0,
                        tuple(map(float, sizes)),
                        tuple(float(r[2]) for r in rows),
                    ),
                    Series("n log(1 + (e - 1)/n), epsilon = 1", "bound", 1, tuple(map(float, many)), tuple(general)),
                ),
                (Mark("printed: log 244", y=math.log(244), colour=2), Mark("e - 1", y=math.e - 1, colour=3)),
                y_range=(0, 6),
                alt="The exact loss stays below e - 1 = 1.72, far below the printed 5.5.",
            ),
        ),
        (
            Table(
                "Draws with replacement, epsilon = log 2.7",
                ("n", "pairs", "loss", "n log(1 + (e^epsilon - 1)/n)", "delta, times", "formula for delta, times"),
                tuple(rows),
            ),
        ),
        (
            exactly(
                "clm-4.5",
                "n draws with replacement are (log 244)-private for epsilon at most 1",
                all(held),
                f"largest loss {max(float(row[2]) for row in rows):.4f} over all pairs for n = {sizes[0]} to "
                f"{sizes[-1]}, fractions",
                kind="privacy",
                learner="beimel2015.resampled",
            ),
            exactly(
                "clm-4.5",
                "delta grows by a factor of at most 2467",
                all(delta_held),
                f"largest factor {max(float(row[4]) for row in rows):.4f} for n = {sizes[0]} to {sizes[-1]}, fractions",
                kind="privacy",
                learner="beimel2015.resampled",
            ),
            exactly(
                "clm-4.5",
                "the exact formula (1 + (e^epsilon - 1)/n)^n is attained",
                all(attained),
                f"equality of fractions for n = {sizes[0]} to {sizes[-1]}",
                kind="privacy",
                learner="beimel2015.resampled",
            ),
        ),
    )
