"""SubSampling: exact losses of its hypothesis, and of hypothesis and questions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product, starmap
from typing import Any

from dpcheck.model.claims import PureDP
from dpcheck.model.data import Labelled
from dpcheck.model.neighbours import Records
from dpcheck.papers.beimel2015.learners import SubSampling
from dpcheck.papers.beimel2015.learners.amplified import printed_entries, shifted_rate
from dpcheck.papers.beimel2015.trials.laws import (
    as_ball,
    delta_at,
    largest,
    largest_ratio,
    nats,
    precisely,
    probabilities,
)
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly, result
from dpcheck.papers.beimel2015.trials.two_bits import TwoBits
from dpcheck.parts.active import WithTranscript
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Measurement, Outcome, Table
from dpcheck.trial.relations import all_true

_DELTA = Fraction(1, 100)
_BITS = Records.labelled(features=[0], labels=[0, 1])


def _single_changes(whole: int) -> list[tuple[Any, Any]]:
    """Pairs of samples that are all alike but for one entry: every background, every place, every change."""
    kinds = list(product((0, 1), (0, 1)))

    def sample(background: Any, place: int, entry: Any) -> Labelled:
        entries = [entry if i == place else background for i in range(whole)]
        return Labelled([x for x, _ in entries], [y for _, y in entries])

    return [
        (sample(background, place, one), sample(background, place, other))
        for background in kinds
        for place in range(whole)
        for i, one in enumerate(kinds)
        for other in kinds[i + 1 :]
    ]


def _laws(method: Any, pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The laws of pairs of samples, those of a sample that comes again computed once."""
    known: dict[Any, Any] = {}

    def law(data: Any) -> Any:
        key = (tuple(data.x), tuple(data.y))
        if key not in known:
            known[key] = probabilities(method(data))
        return known[key]

    return [(law(one), law(other)) for one, other in pairs]


@precisely
def active_subsampling(seed: int, quick: bool) -> Measurement:
    """Headline claim 11, third part: clm-5.7 as printed, in and beyond its region, and rem-5.a."""
    ratio, n = Fraction(3), 2
    epsilons = (Fraction(3),) if quick else (Fraction(4), Fraction(3), Fraction(2), Fraction(3, 2))
    rows = []
    kept, formula_kept, deltas_kept, seen_kept, lost = [], [], [], [], []
    for epsilon in epsilons:
        whole = max(n, printed_entries(n, epsilon, PureDP(ratio=ratio), steps=2))
        learner = SubSampling(TwoBits(ratio), 1, 1, whole)
        leaking = SubSampling(TwoBits(ratio, _DELTA), 1, 1, whole)
        pairs = _single_changes(whole)
        joint = WithTranscript(learner)
        laws = {
            name: _laws(method, pairs)
            for name, method in (
                ("alone", learner.distribution),
                ("leaking", leaking.distribution),
                ("seen", joint.distribution),
            )
        }
        found = largest(starmap(largest_ratio, laws["alone"]))
        seen = largest(starmap(largest_ratio, laws["seen"]))
        rate = shifted_rate(Fraction(n, whole), PureDP(ratio=ratio))
        shifted = 1 + rate * (ratio - 1)
        at_epsilon = ball(epsilon).exp()
        delta = largest(delta_at(a, b, at_epsilon) for a, b in laws["leaking"])
        at_shifted = largest(delta_at(a, b, shifted) for a, b in laws["leaking"])
        printed = (7 + ball(ratio).log()) / (3 + ball(ratio) ** 2) * ball(epsilon * _DELTA)
        kept.append(below(as_ball(found), at_epsilon))
        deltas_kept.append(below(as_ball(delta), printed))
        formula_kept.append(found <= shifted and at_shifted <= rate * _DELTA)
        seen_kept.append(seen == ratio)
        lost.append(below(at_epsilon, as_ball(seen)))
        rows.append(
            (
                f"{float(epsilon):g}",
                str(whole),
                str(len(pairs)),
                f"{nats(found):.4f}",
                f"{nats(shifted):.4f}",
                f"{nats(seen):.4f}",
                f"{float(as_ball(delta)):.3g}",
                f"{float(printed):.3g}",
            )
        )
    beyond = _one_example()
    largest_star = _statement_reaches()
    return Measurement(
        "active-subsampling",
        "SubSampling: its hypothesis gains privacy, its questions lose it again",
        (result("clm-5.7"), result("rem-5.a")),
        "An algorithm of two bits, one of its labelled entry and one of the other, each told with odds 3 to 1, is made "
        "active: n = 2 of t examples are drawn, one label is asked for. The laws are fractions, on every pair of "
        "samples "
        "alike but for one entry. Then clm-5.7 where its t is smaller than n: with epsilon so large one example is "
        "left.",
        f"At the printed t the hypothesis loses {', '.join(row[3] for row in rows)} where epsilon = "
        f"{', '.join(row[0] for row in rows)} is promised; with the questions seen it is "
        + ("log 3 whatever t is: nothing is gained" if all(seen_kept) else f"{', '.join(row[5] for row in rows)}")
        + ". The delta of the statement (7 + epsilon*) is no less than the exact one up to epsilon* = "
        f"{largest_star:.3f}. " + beyond.detail + ".",
        EXACT,
        (),
        (
            Table(
                "SubSampling of two bits, epsilon* = log 3, n = 2, one label",
                (
                    "epsilon",
                    "t",
                    "pairs",
                    "loss",
                    "formula",
                    "loss, questions seen",
                    "delta at epsilon",
                    "printed delta",
                ),
                tuple(rows),
            ),
        ),
        (
            decided(
                "clm-5.7",
                "within its region (epsilon at most 3 + e^(2 epsilon*)) the hypothesis is epsilon-private",
                all_true(kept),
                f"largest losses {', '.join(row[3] for row in rows)}",
                kind="privacy",
                learner="beimel2015.sub_sampling",
            ),
            decided(
                "clm-5.7",
                "within its region delta is at most the statement's (7 + epsilon*)/(3 + e^(2 epsilon*)) epsilon delta",
                all_true(deltas_kept),
                f"{rows[0][6]} at most against {rows[0][7]} at epsilon = {rows[0][0]}",
                kind="privacy",
                learner="beimel2015.sub_sampling",
            ),
            exactly(
                "clm-5.7",
                "as repaired: 1 + r (e^epsilon* - 1) and r delta, r = (n/t) e^epsilon* / (1 + (n/t)(e^epsilon* "
                "- 1)), bound loss and delta",
                all(formula_kept),
                "fractions, at every setting",
                kind="privacy",
                learner="beimel2015.sub_sampling",
            ),
            beyond,
            exactly(
                "rem-5.a",
                "SubSampling is private by definition 5.3 and not by 5.4: with its questions only epsilon* is left",
                all(seen_kept),
                f"loss with the questions: {', '.join(row[5] for row in rows)} (log 3 = {math.log(3):.4f})",
                kind="privacy",
                learner="beimel2015.sub_sampling_transcript",
            ),
        ),
        "" if all(each is not None for each in lost) else "Some comparisons of the loss with the questions overlap.",
    )


def _one_example() -> Outcome:
    """clm-5.7 for every epsilon, with t = 1 example: all functions on four uniform points, every learner."""
    functions = list(product((0, 1), repeat=4))
    best = Fraction(0)  # averaged over targets and examples, the best chance of a hypothesis within 1/16
    for x, y in product(range(4), (0, 1)):
        agreeing = [c for c in functions if c[x] == y]
        hits = max(
            sum(1 for c in agreeing if sum(a != b for a, b in zip(h, c, strict=True)) * 16 <= 4) for h in functions
        )
        best += Fraction(hits, len(agreeing) * 8)
    failing = 1 - best
    return exactly(
        "clm-5.7",
        "as printed, for every epsilon: at epsilon = n (3 + e^(2 epsilon*)) a (1/16, 1/16) learner of all functions "
        "on four points from t = 1 example",
        failing <= Fraction(1, 16),
        f"of all learners of one example the best fails with probability {failing} on average over the 16 targets, "
        "and 1/16 is claimed",
        kind="privacy",
        learner="beimel2015.sub_sampling",
        expected="clm-5.7: beyond epsilon = 3 + e^(2 epsilon*) the pool t is smaller than the n drawn from it",
    )


def _statement_reaches() -> float:
    """Up to which epsilon* the statement's ``7 + epsilon*`` is at least ``e^epsilon*``, which the repair needs."""
    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.exp(middle) <= 7 + middle else (low, middle)
    return low
