"""LabelBoost's privacy, step by step and end to end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpcheck.model.claims import ApproxDP, PureDP, exact_point
from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.beimel2015.learners import LabelBoost, boost_sizes, claim_steps
from dpcheck.papers.beimel2015.learners.amplified import printed_entries
from dpcheck.papers.beimel2015.learners.boost_claim import ClaimStep
from dpcheck.papers.beimel2015.learners.boost_entries import TINY, label_boost
from dpcheck.papers.beimel2015.learners.boost_sizes import PRINTED
from dpcheck.papers.beimel2015.trials.laws import as_ball, largest_delta, largest_over_pairs, nats, precisely
from dpcheck.papers.beimel2015.trials.mechanisms import Presence
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided, exactly, out_of_reach
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Page, Pivot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, line

_LEARNER = "beimel2015.label_boost"
_TENTH = Fraction(1, 10)
#: The base learner's.
_DELTA = Fraction(1, 10**9)


@dataclass(frozen=True)
class _Step:
    """A step from a (1, delta) base learner: what its claim is, and whether it keeps what is printed."""

    made: ClaimStep

    @property
    def nats(self) -> float:
        """Epsilon after it."""
        return exact_point(self.made.claim).nats

    @property
    def times(self) -> float:
        """Delta after it over that of the base learner."""
        return float(exact_point(self.made.claim).delta / _DELTA)

    @property
    def printed(self) -> tuple[float, int]:
        """Epsilon, and delta over the base learner's, as printed."""
        assert self.made.printed is not None
        epsilon, times = self.made.printed
        return math.log(244) if epsilon == "log 244" else float(epsilon), times

    @property
    def kept(self) -> bool:
        """Whether it is no more than is printed."""
        return self.nats <= self.printed[0] and exact_point(self.made.claim).delta <= self.printed[1] * _DELTA

    def rows(self) -> list[Row]:
        """A line of the table."""
        at = {"after": self.made.step}
        values = {"rate": self.made.rate, "epsilon": self.nats, "delta, times": self.times}
        printed = dict(zip(("printed epsilon", "printed delta, times"), self.printed, strict=True))
        return [*line(values, at), *line(printed, at, "bound")]


@precisely
def privacy_recursion(seed: int, quick: bool) -> Findings:
    """Headline claim 6: epsilon and delta after each step, as printed and exactly."""
    labelled = PRINTED.sufficient_labelled(_TENTH, _TENTH, 1)
    exponents = (9, 1000) if quick else (6, 9, 12, 100, 1000)
    runs = [boost_sizes(labelled, 10**exponent, 1, _TENTH, _TENTH) for exponent in exponents]
    of_runs = [[_Step(each) for each in claim_steps(ApproxDP(1.0, _DELTA), sizes, 1)] for sizes in runs]
    steps, shown = [step for each in of_runs for step in each], of_runs[0]
    pure_held = [exact_point(each.claim).delta == 0 for sizes in runs for each in claim_steps(PureDP(1.0), sizes, 1)]
    whole_rows, losses, whole, finite = _whole_boost()
    outcomes = (
        exactly(
            "lem-4.6",
            "every step keeps what is printed for it, (1, 41 delta) at the end",
            all(step.kept for step in steps),
            f"{len(steps)} steps of {len(exponents)} runs with the printed constants",
            kind="privacy",
            learner=_LEARNER,
        ),
        exactly(
            "thm-4.13",
            "with the printed constants a (1, delta) base learner makes LabelBoost (1, 41 delta)-private",
            all(step.kept for step in steps),
            f"the steps of lem-4.6 at the rates of the rounded sizes: ({shown[-1].nats:.4f}, {shown[-1].times:.4g} "
            "delta)",
            kind="privacy",
            learner=_LEARNER,
        ),
        _constants(),
        *whole,
        exactly(
            "rem-4.15",
            "(1) a pure base learner makes LabelBoost pure",
            all(pure_held) and finite,
            f"delta 0 at each of {len(pure_held)} steps, and the outputs of the two laws are the same on all pairs",
            kind="privacy",
            learner=_LEARNER,
        ),
        _amplified(),
    )
    told = (
        f"At the end epsilon is {shown[-1].nats:.4f} and delta {shown[-1].times:.4g} times the base's, where 1 and 41 "
        f"are printed. With tiny constants the exact losses are {losses}."
    )
    rows = [row for step in shown for row in step.rows()]
    return Findings([*rows, *whole_rows], outcomes, told, {"exponent": exponents[0], "labelled": labelled})


PAGE = Page(
    "LabelBoost's privacy, step by step",
    "A (1, delta) base learner carried through the steps of LabelBoost with the printed constants and the sampling "
    "rates that the rounded sizes have: by the exact formulas for subsampling, resampling and relabelling, and as "
    "printed. Then LabelBoost with constants so small that its law is computed on every pair of databases.",
    (),
    (
        Pivot("LabelBoost of a (1, delta) base learner, n = 10^{exponent}, m = {labelled:,}", ("after",)),
        Pivot("LabelBoost with tiny constants (2 + 3 entries, rates 1/2 and 1), every pair", ("base learner",)),
    ),
    EXACT,
)


def _constants() -> Outcome:
    """The printed constants of lem-4.6, taken one by one."""
    e = ball(1).exp()
    chain = [
        below(ball(Fraction(4 * 2476, 247)), ball(41)),
        below(ball(247), ball(300)),
        below(4 * e * 41, ball(446)),
        below(4 * 446 / (3 + e**4), ball(41)),
        below(3 + e**4, ball(100)),
        below(4 * e, e**3),
    ]
    return decided(
        "lem-4.6",
        "the printed constants follow from one another: 4 * 2476/247 <= 41, 300 >= 247, 4e * 41 <= 446, "
        "4 * 446/(3 + e^4) <= 41, 100 >= 3 + e^4, 4e <= e^3",
        all_true(chain),
        "six inequalities in balls",
        kind="privacy",
        learner=_LEARNER,
    )


def _whole_boost() -> tuple[list[Row], str, list[Outcome], bool]:
    """LabelBoost with tiny constants: the law on every pair; whether its losses are finite."""
    relation = ReplaceEntry(Records.labelled(features=[0, 1], labels=[0, 1]), 5, 2)
    rows: list[Row] = []
    held, losses = [], []
    for base in ("exponential", "count"):
        learner = label_boost(base=base)
        found, pairs = largest_over_pairs(learner.distribution, relation, learner)
        claimed = exact_point(learner.claim)
        held.append(below(as_ball(found), ball(Fraction(claimed.nats)).exp()))
        losses.append(nats(found))
        at = {"base learner": base}
        rows += line({"pairs": pairs, "its epsilon": 1, "loss": losses[-1]}, at)
        rows += line({"computed claim": claimed.nats}, at, "bound")
    said = " and ".join(f"{loss:.4f}" for loss in losses)
    private = decided(
        "lem-4.6",
        "LabelBoost with tiny constants is as private as the steps say, end to end",
        all_true(held),
        f"losses {said} over all pairs",
        kind="privacy",
        learner=_LEARNER,
    )
    return rows, said, [private, _leaking(relation)], all(map(math.isfinite, losses))


def _leaking(relation: ReplaceEntry) -> Outcome:
    """thm-4.13 with tiny constants: delta of a base learner that leaks."""
    delta, grid = Fraction(1, 100), GridThresholds(2)
    leaking = LabelBoost(Presence(Fraction(27, 10), delta, of_points=True), grid, 2, 1, 1, 1, 3, TINY, 1, rounding="up")
    point = exact_point(leaking.claim)
    ratio = ball(Fraction(point.nats)).exp() if point.ratio is None else as_ball(point.ratio)
    at, _ = largest_delta(leaking.distribution, relation, ratio)
    at_one, _ = largest_delta(leaking.distribution, relation, ball(1).exp())
    return out_of_reach(
        "thm-4.13",
        "(1, delta) becomes (1, 41 delta), end to end",
        "the law at the printed constants, from 90000 points on",
        f"scaled, rates 1/2 and 1, delta = {float(delta):g}: over all pairs delta is {float(as_ball(at_one)):.4g} at "
        f"epsilon 1 ({41 * float(delta):.3g} is printed) and {float(as_ball(at)):.4g} at the epsilon computed for "
        f"these rates ({float(point.delta):.4g} computed)",
        "holds" if at_one <= 41 * ball(delta) and at <= ball(point.delta) else "contradicted",
        kind="privacy",
        learner=_LEARNER,
    )


def _amplified() -> Outcome:
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
