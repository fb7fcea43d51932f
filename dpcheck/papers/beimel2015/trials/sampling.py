"""Random parts and draws with replacement: exact losses beside the printed constants."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.beimel2015.learners import IndependentResampling, UniformSubsampling
from dpcheck.papers.beimel2015.learners.amplified import RESAMPLED_FACTOR, RESAMPLED_RATIO, printed_entries
from dpcheck.papers.beimel2015.trials.laws import as_ball, largest_delta, largest_over_pairs, nats, precisely
from dpcheck.papers.beimel2015.trials.mechanisms import InOrder, Powers, Presence
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly
from dpcheck.parts.mechanisms.amplification import ball, resampled_claim
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, bound, exact, line

_LEARNER = "beimel2015.subsampled"
_DELTA = Fraction(1, 100)
_BITS = Records.labelled(features=[0], labels=[0, 1])


@precisely
def subsampling(seed: int, quick: bool) -> Findings:
    """Headline claim 11, first part: clm-4.3 on an algorithm that is served worst."""
    settings = [
        (n, epsilon, ratio)
        for n in (1, 2)
        for epsilon in ((Fraction(1),) if quick else (Fraction(1), Fraction(1, 2)))
        for ratio in (Fraction(2), Fraction(3), Fraction(8))
    ]
    parts = [_part(*each) for each in settings]
    curve = [0.05 * i for i in range(1, 101)]
    rows = [row for part in parts for row in part.rows()]
    for epsilon in (1.0, 0.5, 0.1):
        losses = [math.log1p(epsilon / (3 + math.exp(s)) * math.expm1(s)) for s in curve]
        rows += exact(f"exact at the printed t, epsilon = {epsilon:g}", losses, **{"epsilon*": curve})
    attained = all(part.attained for part in parts)
    in_order = _in_order()
    outcomes = [
        decided(
            "clm-4.3",
            "a random part of the printed size is epsilon-private: pure epsilon* to epsilon",
            all_true(below(as_ball(part.loss), ball(part.epsilon).exp()) for part in parts),
            f"the largest loss over all pairs at {len(settings)} settings, fractions",
            kind="privacy",
            learner=_LEARNER,
        ),
        decided(
            "clm-4.3",
            "delta becomes at most 4 epsilon delta / (3 + e^epsilon*)",
            all_true(below(part.delta, as_ball(part.printed_delta)) for part in parts),
            f"the largest delta at e^epsilon over all pairs at {len(settings)} settings",
            kind="privacy",
            learner=_LEARNER,
        ),
        exactly(
            "clm-4.3",
            "the exact formula log(1 + (n/t)(e^epsilon* - 1)) with delta n/t is attained",
            attained,
            "equality of fractions at every setting",
            kind="privacy",
            learner=_LEARNER,
        ),
        in_order,
    ]
    over = [float(part.epsilon) / nats(part.loss) for part in parts]
    told = (
        "On every pair of settings the exact formula is attained" if attained else "The exact formula is above"
    ) + f"; the printed epsilon is {min(over):.3g} to {max(over):.3g} times what is lost. {in_order.detail}"
    return Findings(rows, outcomes, told)


SUBSAMPLING = Page(
    "A random part of the records: the printed epsilon, and the exact one",
    "An algorithm that tells by randomised response whether a label is 1 (with delta: sometimes beyond doubt) is "
    f"run on n random records of t = ceil((n / epsilon)(3 + e^epsilon*)), delta = {float(_DELTA):g}. Its law is "
    "computed as fractions on every pair of neighbouring databases of t records, and its largest loss set beside "
    "the printed (epsilon, 4 epsilon delta / (3 + e^epsilon*)) and the exact log(1 + (n/t)(e^epsilon* - 1)).",
    (
        Plot(
            "subsampling",
            "Loss after subsampling at the printed size",
            "epsilon*",
            "epsilon",
            x_label="epsilon* of the algorithm",
            x_log=False,
            scale="log",
            lines=tuple(Line(f"printed epsilon = {epsilon:g}", y=epsilon) for epsilon in (1.0, 0.5, 0.1)),
        ),
    ),
    (Pivot("Exact loss of randomised response on a random part", ("n", "epsilon", "epsilon*", "t"), digits=5),),
    evidence=EXACT,
)


@dataclass(frozen=True)
class _Part:
    """The largest loss and delta of randomised response on n records of t, over all pairs, in fractions."""

    drawn: int
    epsilon: Fraction
    ratio: Fraction
    whole: int
    pairs: int
    loss: Any
    exact: Fraction
    attained: bool
    delta: Any
    printed_delta: Fraction

    def rows(self) -> list[Row]:
        """A line of the table."""
        values = {
            "pairs": self.pairs,
            "loss": nats(self.loss),
            "log(1 + (n/t)(e^epsilon* - 1))": nats(self.exact),
            "delta at epsilon": as_ball(self.delta),
        }
        at = {"n": self.drawn, "epsilon": float(self.epsilon), "epsilon*": f"ln {self.ratio}", "t": self.whole}
        return [*line(values, at), *line({"printed delta": self.printed_delta}, at, "bound")]


def _part(n: int, epsilon: Fraction, ratio: Fraction) -> _Part:
    whole = printed_entries(n, epsilon, PureDP(ratio=ratio))
    relation = ReplaceEntry(_BITS, whole, whole)
    pure = UniformSubsampling(Presence(ratio), n, 0, of_labelled=whole, of_unlabelled=0)
    loss, _ = largest_over_pairs(pure.distribution, relation, pure)
    formula = 1 + Fraction(n, whole) * (ratio - 1)
    leaking = UniformSubsampling(Presence(ratio, _DELTA), n, 0, of_labelled=whole, of_unlabelled=0)
    delta, pairs = largest_delta(leaking.distribution, relation, formula, leaking)
    # at the larger e^epsilon less is left
    at_epsilon, _ = largest_delta(leaking.distribution, relation, ball(epsilon).exp(), leaking)
    return _Part(
        n,
        epsilon,
        ratio,
        whole,
        pairs,
        loss,
        formula,
        attained=loss == formula and delta == Fraction(n, whole) * _DELTA,
        delta=at_epsilon,
        printed_delta=4 * epsilon * _DELTA / (3 + ratio),
    )


def _in_order() -> Outcome:
    """rem-4.4: an algorithm that looks at the order, with and without the shuffle."""
    ratio, drawn, whole = Fraction(3), 2, 3
    relation = ReplaceEntry(Records.labelled(features=[0, 1, 2], labels=[0]), whole, whole)
    losses = {}
    for order in ("random", "sorted"):
        learner = UniformSubsampling(InOrder(ratio), drawn, 0, of_labelled=whole, of_unlabelled=0, order=order)
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
def resampling(seed: int, quick: bool) -> Findings:
    """Headline claim 11, second part: clm-4.5 exactly on tiny samples, and its formula for all."""
    ratio = Fraction(27, 10)  # below e: epsilon is 0.993
    sizes = (1, 2, 3, 4) if quick else (1, 2, 3, 4, 5)
    rows: list[Row] = []
    losses, formulas, growth = [], [], []
    for n in sizes:
        relation = ReplaceEntry(_BITS, n, n)
        powers = IndependentResampling(Powers(ratio, n), n, 0)
        found, pairs = largest_over_pairs(powers.distribution, relation, powers)
        formula = (1 + (ratio - 1) / n) ** n
        leaking = IndependentResampling(Presence(ratio, _DELTA), n, 0)
        delta, _ = largest_delta(leaking.distribution, relation, formula, leaking)
        losses.append(found)
        formulas.append(formula)
        growth.append(delta / _DELTA)
        values = {
            "pairs": pairs,
            "loss": nats(found),
            "n log(1 + (e^epsilon - 1)/n)": nats(formula),
            "delta, times": growth[-1],
            "formula for delta, times": (formula - 1) / (ratio - 1),
        }
        rows += line(values, {"n": n})
    many = [1, 2, 5, 10, 100, 10**4, 10**9]
    general = [float(resampled_claim(PureDP(1.0), n, n).epsilon(0.0)) for n in many]
    rows += exact("exact, all pairs (epsilon = log 2.7)", map(nats, losses), draws=sizes)
    rows += bound("n log(1 + (e - 1)/n), epsilon = 1", general, draws=many)
    worst, most = max(map(nats, losses)), float(max(growth))
    over = f"for n = {sizes[0]} to {sizes[-1]}"
    outcomes = [
        exactly("clm-4.5", claim, true, detail, kind="privacy", learner="beimel2015.resampled")
        for claim, true, detail in (
            (
                "n draws with replacement are (log 244)-private for epsilon at most 1",
                all(loss <= RESAMPLED_RATIO for loss in losses),
                f"largest loss {worst:.4f} over all pairs {over}, fractions",
            ),
            (
                "delta grows by a factor of at most 2467",
                max(growth) <= RESAMPLED_FACTOR,
                f"largest factor {most:.4f} {over}, fractions",
            ),
            (
                "the exact formula (1 + (e^epsilon - 1)/n)^n is attained",
                losses == formulas,
                f"equality of fractions {over}",
            ),
        )
    ]
    told = (
        f"The largest loss is {worst:.4f} where log 244 = {math.log(244):.4f} is printed"
        + (", and equals " if losses == formulas else ", and differs from ")
        + "n log(1 + (e^epsilon - 1)/n)"
        + (" for every n tried" if losses == formulas else "")
        + f"; delta grows by a factor of at most {most:.3f} where 2467 is printed. At epsilon = 1 the formula stays "
        f"below e - 1 = {math.e - 1:.4f} up to n = 10^9 ({general[-1]:.4f})."
    )
    return Findings(rows, outcomes, told)


RESAMPLING = Page(
    "Draws with replacement: log 244 is printed, e - 1 is lost",
    "An algorithm of epsilon = log 2.7 that says yes with a probability proportional to 2.7^k, k the labels 1 it "
    "is given, is run on n draws with replacement from n records: no algorithm loses more. Its law is computed as "
    f"fractions on all pairs. Delta is measured on one that tells a bit beyond doubt with probability "
    f"{float(_DELTA):g}.",
    (
        Plot(
            "resampling",
            "Loss after drawing n of n records with replacement",
            "draws",
            "epsilon",
            x_label="n",
            scale="linear",
            lines=(Line("printed: log 244", y=math.log(244)), Line("e - 1", y=math.e - 1)),
        ),
    ),
    (Pivot("Draws with replacement, epsilon = log 2.7", ("n",), digits=5),),
    evidence=EXACT,
)
