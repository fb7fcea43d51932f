"""The reduction: a private learner made of a semi-private one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.papers.alon2019.learners import Dummies, FromSemiPrivate, GenericLearner
from dpcheck.papers.alon2019.trials.setting import size_of
from dpcheck.parts.classes import GridThresholds
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import TOGETHER, Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared, enclosed
from dpcheck.trial.rows import Findings, Row, bound, exact, rates
from dpcheck.trial.upper import UpperBound, check_upper_bound
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import two_points
from dpcheck.utility.failure import failure_rate
from dpcheck.utility.reduction import reduction_table

#: What the registry says of the probabilities in the reduction as printed.
_SHORT = "alon2019:clm-4.6: alg-3 as printed leaves positions unfilled"
#: Smaller probabilities are drawn as this one.
_FLOOR = 1e-14


def reduction_at_work(seed: int, quick: bool) -> Findings:
    """Claim 5: B on the two-point law."""
    bits = (8, 32) if quick else (8, 16, 32)
    privates = (10, 100, 1000, 10_000) if quick else (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
    level = TOGETHER / (len(bits) * len(privates))
    seeds = iter(np.random.SeedSequence(seed).generate_state(len(bits) * len(privates)).tolist())
    xs = np.unique(np.geomspace(10, 1000, 60).astype(int))
    rows: list[Row] = []
    for size in bits:
        found = []
        for private in privates:
            learner = FromSemiPrivate(GenericLearner(GridThresholds(2**size), 1.0), private, 1, Dummies([0]))
            found.append(
                failure_rate(
                    learner,
                    two_points(2 ** (size - 1)),
                    sizes={"private": learner.elements},
                    accuracy=Fraction(1, 4),
                    trials=40 if quick else 300,
                    level=level,
                    seed=next(seeds),
                    **IN_PLACE,
                )
            )
        rows += rates("B", found, n_priv=privates, L=size)
        least = [1 / (1 + math.exp(math.ceil(n / 10)) / (2.0**size - 2)) for n in xs]
        rows += bound("packing: at least", least, n_priv=xs, L=size)
    smallest = [row.value for row in rows if row.role == "measured" and row.settings["L"] == bits[0]]
    told = (
        f"With L = 8 B fails with probability {smallest[-1]:.3f} at n_priv = {privates[-1]:,}, and "
        f"{smallest[privates.index(1000)]:.2f} at 1,000, where the packing bound on its ntilde = 100 demands "
        f"{1 / (1 + math.exp(100) / (2.0**8 - 2)):.2g}. For large n_priv what is "
        "in its way are the labels of the dummies: the constant 1 beats the true threshold when they favour it by more "
        "than the n_priv/200 examples that speak against it, with probability about Phi(-sqrt(n_priv)/200), which is "
        f"{_normal_below(-math.sqrt(privates[-1]) / 200):.3f} at n_priv = {privates[-1]:,}, for every L."
    )
    outcomes = _at_its_size(seed)
    # one run of the learner is behind all three
    return Findings(rows, outcomes, told, trials=sum(row.trials for row in rows) + outcomes[0].trials)


REDUCTION_AT_WORK = Page(
    "The reduction at work: B, made of a semi-private learner",
    "B over the full-class exponential mechanism (n_pub = 1, epsilon = 1) on the two-point law D_t, dummies at the "
    "point 0, alg-3 filling up: how often err(B) is above 1/4, against the n_priv of the learner inside; B itself "
    "gets ntilde = ceil(n_priv/10). Dashed: no pure private learner with ntilde examples can fail less on the "
    "worst t (packing).",
    (
        Plot(
            "reduction",
            "B errs by more than 1/4 with this probability",
            "n_priv",
            "probability of failure",
            by="L",
            x_label="n_priv of the learner inside (B gets a tenth)",
        ),
    ),
    left_out="B at the size of obs-4.a",
)


@dataclass(frozen=True)
class InCounts:
    """B over the generic learner of thresholds, dummies at the point 0, alg-3 filling up: drawn in counts.

    To that learner the order of records is of no matter: how many elements are used (a binomial number, cut off at as
    many as there are) and how many of the dummies have label 1 is all that it depends on, whatever n_priv is. Its law
    is that of ``FromSemiPrivate(GenericLearner(GridThresholds(points), epsilon), private, 1, Dummies([0]))``.
    """

    points: int
    private: int
    epsilon: float = 1.0

    @property
    def elements(self) -> int:
        """ntilde, the records that B is given."""
        return -(-self.private // 10)

    def weights(self, x: Any, y: Any, used: int, ones: int) -> Any:
        """The chances of the thresholds 0, 1, ..., where so many elements are used and so many dummies have label 1."""
        counts = np.zeros((self.points, 2), dtype=np.int64)
        np.add.at(counts, (np.asarray(x)[:used], np.asarray(y)[:used]), 1)
        counts[0] += (self.private - used - ones, ones)
        # a threshold is wrong on the ones below it and on the zeros from it on
        below = np.concatenate([[0], np.cumsum(counts[:, 1])])
        beyond = np.concatenate([np.cumsum(counts[::-1, 0])[::-1], [0]])
        mistakes = below + beyond
        weights = np.exp(-(mistakes - mistakes.min()) * (self.epsilon / 2))
        return weights / weights.sum()

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        """A threshold."""
        used = min(int(rng.binomial(self.private, 1 / 100)), len(dataset.y))
        ones = int(rng.binomial(self.private - used, 0.5))
        return int(rng.choice(self.points + 1, p=self.weights(dataset.x, dataset.y, used, ones)))


#: The points of the two-point law's grid at the sizes of lemma 4.4: L = 2.
_POINTS = 4


def _at_its_size(seed: int) -> tuple[Outcome, ...]:
    """Lemma 4.4 and its claim at their own size, and what the overview makes of them, which is out of reach."""
    rate, small = Fraction(1, 201), Fraction(1, 1001)

    def inside(accuracy: Fraction) -> int:
        # thm-kln for the learner inside
        return int(size_of("generic", accuracy=accuracy, failure=Fraction(1, 18), epsilon=1, hypotheses=_POINTS + 1))

    wanted, far = inside(rate), inside(small)
    learner = InCounts(_POINTS, wanted)
    declared = UpperBound(
        "alon2019:clm-4.6",
        f"B errs by at most 100 n_pub alpha (alpha = 1/201, n_pub = 1, L = 2), with the n_priv = {wanted:,} of thm-kln "
        "for the learner inside",
        learner,
        two_points(_POINTS // 2),
        {"private": learner.elements},
        {"accuracy": 100 * rate, "failure": Fraction(1, 16)},
        name="alon2019.reduction",
        arguments={"family": GridThresholds(_POINTS), "best": 0},
    )
    claim = check_upper_bound(declared, seed=seed, trials=1_000)
    needed = -(-far // 10)
    return (
        claim,
        replace(
            claim,
            result="alon2019:lem-4.4",
            claim=f"B is a (100 n_pub alpha, 1/16)-learner from ceil(n_priv/(10 n_pub)) = {learner.elements:,} "
            "examples (alpha = 1/201, n_pub = 1, L = 2); its privacy is clm-4.5's",
        ),
        Outcome(
            "not reachable",
            "fewer than 1/(1000 alpha) public examples give a private learner of excess below 1/10 (alpha = 1/1001, "
            f"n_pub = 1, L = 2): B with n_priv = {far:,} for the learner inside",
            f"n = {needed:,}: more than the {declared.reach:,} records that are run",
            "alon2019:obs-4.a",
            "upper bound",
            # risks on two points are multiples of 1/2: one run answers for both accuracies
            instead=f"scaled check, n_priv = {wanted:,} for {far:,}: with {learner.elements:,} records, excess risk "
            f"above 0.1, which is one above {float(100 * rate):.3g} on two points, has probability at most 1/16; "
            f"{claim.detail}",
            instead_word=claim.word,
            learner=claim.learner,
            size=float(needed),
            level=claim.level,
            trials=claim.trials,
        ),
    )


def _normal_below(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def numbers_in_the_reduction(seed: int, quick: bool) -> Findings:
    """Claim 9: the four probabilities of lemma 4.4."""
    ratios, publics = (0.1, 1, 3, 10, 30, 100), (1, 10, 100)
    found = tuple(dict.fromkeys(reduction_table(ratios, publics)))
    at = {"n_pub": [each.public for each in found], "n_priv": [f"{each.private:,}" for each in found]}
    at["ntilde"] = [each.available for each in found]
    rows = [
        *exact("leaves early (0.01)", [each.leaves_early.middle for each in found], **at),
        *exact("runs out (0.005)", [each.runs_out.middle for each in found], **at),
        *exact("no real public example", [each.no_real_public.middle for each in found], **at),
        *exact("distance (0.01)", [each.public_distance.middle for each in found], **at),
    ]
    many = [Fraction(number, 10) for number in range(1, 1001, 40 if quick else 8)]
    for public in (1, 100):
        table = [each for each in reduction_table(many, [public]) if each.private >= 1]
        along = {"ratio": [each.private / public for each in table], "n_pub": public}
        rows += exact("leaves early", [max(_FLOOR, each.leaves_early.middle) for each in table], **along)
        rows += exact("runs out", [max(_FLOOR, each.runs_out.middle) for each in table], **along)
    worst = max(found, key=lambda each: each.leaves_early.middle)
    where = f"n_priv = {worst.private}, n_pub = {worst.public}"
    out = max(each.runs_out.high for each in found)
    distance = max(1 - (1 - Fraction(1, 100 * public)) ** public for public in publics)
    sums = (Fraction(1, 18) + Fraction(1, 100), Fraction(1, 17) + Fraction(1, 100))
    repaired = (Fraction(1, 18) + Fraction(1, 200)) / Fraction(99, 100)
    outcomes = (
        enclosed(
            "alon2019:clm-4.6",
            "C46.(2): the printed loop fills position n_priv except with probability below 0.01",
            worst.leaves_early.low,
            worst.leaves_early.high,
            Fraction(1, 100),
            sense="below",
            detail=f"it does not with probability {worst.leaves_early.middle:.4f} at {where}",
            expected=_SHORT,
        ),
        enclosed(
            "alon2019:clm-4.6",
            "the repair of (2): filling up, running out has probability at most 0.005",
            min(each.runs_out.low for each in found),
            out,
            Fraction(1, 200),
            detail=f"at most {out:.5f} in this table; for all sizes by proof, see C46.chernoff",
        ),
        enclosed(
            "alon2019:clm-4.6",
            "as printed: err(B) <= 100 n_pub alpha except with probability 1/16, of a learner that answers wrongly "
            "on fewer than n_priv = 10 records",
            1 - Fraction(99, 100) ** 9,
            1 - Fraction(99, 100) ** 9,
            Fraction(1, 16),
            detail=f"the printed loop hands it fewer with probability 1 - 0.99^9 = {1 - 0.99**9:.4f}",
            expected=_SHORT,
        ),
        compared(
            "alon2019:clm-4.6",
            "C46.tv: distance at most 0.01",
            distance <= Fraction(1, 100),
            f"at most {float(distance):.6f}, compared as fractions; for all sizes by proof, see C46.99",
        ),
        compared(
            "alon2019:clm-4.6",
            "C46.17a: 1/18 + 0.01 <= 1/17",
            sums[0] <= Fraction(1, 17),
            f"{float(sums[0]):.5f} against {1 / 17:.5f}",
            expected="alon2019:C46.17a: the sum is above 1/17",
        ),
        compared(
            "alon2019:clm-4.6",
            "C46.16a: 1/17 + 0.01 < 1/16",
            sums[1] < Fraction(1, 16),
            f"{float(sums[1]):.5f} against 0.0625",
            expected="alon2019:C46.16a: the sum is above 1/16",
        ),
        compared(
            "alon2019:lem-4.4",
            "the repair of (4): (1/18 + 0.005)/0.99 < 1/16",
            repaired < Fraction(1, 16),
            f"{float(repaired):.5f} against 0.0625",
        ),
    )
    told = (
        f"The printed loop leaves early with probability up to {worst.leaves_early.middle:.4f} ({where}), above 0.01; "
        f"filling up, one element is missing with probability at most {out:.5f}; the distance is at most "
        f"{float(distance):.5f}. 1/18 + 0.01 = {float(sums[0]):.4f} is above 1/17 = {1 / 17:.4f}, and 1/17 + 0.01 = "
        f"{float(sums[1]):.4f} above 1/16 = 0.0625; the repaired chain ends at {float(repaired):.4f}."
    )
    return Findings(rows, outcomes, told)


NUMBERS_IN_THE_REDUCTION = Page(
    "The four probabilities inside lemma 4.4",
    "For p = 1/(100 n_pub) and ntilde = ceil(n_priv/(10 n_pub)): the printed loop of alg-3 leaves before position "
    "n_priv is filled; one more element is asked for than there is (what matters where alg-3 fills up with "
    "dummies); a public sample of the mixture holds no real example; the total variation of it from the dummies. "
    "Set against the 0.01 of (2), and the sums against 1/17 and 1/16.",
    (
        Plot(
            "reduction-numbers",
            "Leaving early, and running out of examples",
            "ratio",
            "probability",
            by="n_pub",
            x_label="n_priv / n_pub",
            scale="log",
            least=1e-9,
            lines=(
                Line("0.01, the limit for leaving early in (2)", y=0.01),
                Line("0.005, the limit for running out in its repair", y=0.005),
            ),
        ),
    ),
    (Pivot("Each probability, with its limit", ("n_pub", "n_priv", "ntilde")),),
)
