"""Every statistical test of this project's statistics in one table; the tests compute themselves from it.

A test makes ``runs`` independent runs and counts those in which something happened. When the code is right, that has
at most (or, for something good, at least) probability ``chance`` in each run; the threshold is the binomial quantile
at ``LEVEL``, so that a red test means a defect whatever the seed. ``broken`` is what the probability becomes when the
code is wrong in the way described: from it follows the power, which is held to be large too.
"""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import binom

#: The probability of a false alarm of any one statistical test.
LEVEL = 1e-9
#: A test that would miss the defect it is there for more often than this is not worth its time.
MISSED = 1e-3


@dataclass(frozen=True)
class StatisticalTest:
    """One line of the table.

    ``counts`` is "bad" (red when there are too many) or "good" (red when there are too few).
    """

    name: str
    null: str
    counts: str
    runs: int
    chance: float
    broken: float
    defect: str
    derivation: str

    @property
    def limit(self) -> int:
        """The largest count of bad runs, or the smallest count of good ones, that is not yet a red test."""
        if self.counts == "bad":
            return int(binom.isf(LEVEL, self.runs, self.chance))
        return int(binom.ppf(LEVEL, self.runs, self.chance))

    def passes(self, count: int) -> bool:
        """Whether so many runs are compatible with right code."""
        return count <= self.limit if self.counts == "bad" else count >= self.limit

    @property
    def size(self) -> float:
        """The probability of a red test when the code is right: at most :data:`LEVEL`."""
        return self._red(self.chance)

    @property
    def power(self) -> float:
        """The probability of a red test when the code has the defect."""
        return self._red(self.broken)

    def _red(self, chance: float) -> float:
        if self.counts == "bad":
            return float(binom.sf(self.limit, self.runs, chance))
        return float(binom.cdf(self.limit - 1, self.runs, chance))


_VILLE = "Ville's inequality: under the null the evidence ever reaches 1/alpha with probability at most alpha"
_PEEKING = "rules that have seen the outputs they guess on (learn before certify)"

TABLE = (
    StatisticalTest(
        "declared law: compared with calls of that law",
        "a coin and its own law, at any look",
        counts="bad",
        runs=60,
        chance=0.05,
        broken=0.9,
        defect="a law that declares a bias of 3/4 where calls have none",
        derivation=_VILLE,
    ),
    StatisticalTest(
        "anytime: Laplace at its claim",
        "a Laplace mechanism with exactly the claimed epsilon, all looks",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.9,
        defect=_PEEKING,
        derivation=_VILLE,
    ),
    StatisticalTest(
        "anytime: randomised response at its claim",
        "a randomised response with exactly the claimed epsilon, all looks",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.6,
        defect="a claim read as epsilon = 0.75 where 1 was said",
        derivation=_VILLE,
    ),
    StatisticalTest(
        "anytime: reveal with probability delta, else randomised response",
        "the extremal mechanism of (epsilon, delta), all looks",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.9,
        defect="delta/2 charged to rules that guess either dataset",
        derivation=_VILLE,
    ),
    StatisticalTest(
        "anytime: one-sided event at its claim",
        "one event e^epsilon times likelier on D, the rest nearly alike, all looks",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.6,
        defect="a claim read as epsilon = 0.75 where 1 was said",
        derivation=_VILLE,
    ),
    StatisticalTest(
        "search false alarms",
        "a randomised response of parity: every pair of bits searched has exactly the claimed epsilon",
        counts="bad",
        runs=40,
        chance=0.05,
        broken=0.8,
        defect="pairs certified on the calls that chose them, or a weight of 1 for each of them",
        derivation=_VILLE + "; the j-th pair has weight 6/(pi^2 j^2), pairs not yet chosen are wealth not staked",
    ),
    StatisticalTest(
        "anytime: Gaussian at its mu, over the points of the claim",
        "a Gaussian with exactly the claimed mu, all looks, evidence averaged over the claim's points",
        counts="bad",
        runs=60,
        chance=0.05,
        broken=0.75,
        defect="a claim read as mu = 0.5 where 1 was said",
        derivation=_VILLE,
    ),
    StatisticalTest(
        "anytime: lattice noise at its rho, by bets against divergences",
        "noise on 25 whole numbers with exactly the claimed rho of zCDP, all looks",
        counts="bad",
        runs=40,
        chance=0.05,
        broken=0.75,
        defect=_PEEKING,
        derivation=_VILLE,
    ),
    StatisticalTest(
        "fixed horizon: rho of laws that are the same",
        "rho_lower of a learned bet on untouched outputs is above 0",
        counts="bad",
        runs=60,
        chance=0.05,
        broken=0.9,
        defect="certified on the outputs that were learned from",
        derivation="Markov's inequality: under the null the wealth reaches 1/alpha with probability at most alpha",
    ),
    StatisticalTest(
        "fixed horizon: randomised response at its epsilon",
        "epsilon_lower of learned rules on untouched calls exceeds the truth",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.4,
        defect="a bound at its median: about half of the runs exceed the truth",
        derivation="the test is exact at alpha",
    ),
    StatisticalTest(
        "fixed horizon: Laplace at its epsilon",
        "epsilon_lower of learned rules on untouched calls exceeds the truth",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.4,
        defect="a bound at its median: about half of the runs exceed the truth",
        derivation="the test is exact at alpha",
    ),
    StatisticalTest(
        "fixed horizon: answers that say nothing",
        "epsilon_lower of a hundred words that do not depend on the dataset exceeds 0",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.9,
        defect="certifying on the calls that were learned from",
        derivation="the test is exact at alpha",
    ),
    StatisticalTest(
        "fixed horizon: two stages that say nothing",
        "epsilon_lower of two stages, the second learned from the first, exceeds 0 on words that say nothing",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.9,
        defect="certifying the second stage on calls that its rule was learned from",
        derivation="each stage's p-value is valid given what came before it; the weights are fixed",
    ),
    StatisticalTest(
        "fixed horizon: two stages of a randomised response",
        "epsilon_lower of two stages, the second learned from the first, exceeds the truth",
        counts="bad",
        runs=100,
        chance=0.05,
        broken=0.4,
        defect="a bound at its median: about half of the runs exceed the truth",
        derivation="each stage's p-value is valid given what came before it; the weights are fixed",
    ),
    StatisticalTest(
        "fixed horizon: reveal with probability delta",
        "epsilon_lower at delta exceeds the truth, for the extremal mechanism",
        counts="bad",
        runs=150,
        chance=0.05,
        broken=0.9,
        defect="no charge for delta",
        derivation="the test is exact at alpha, nuisance included",
    ),
    StatisticalTest(
        "fixed horizon: the region holds at all its points",
        "some point of the privacy profile or of the trade-off curve is on the wrong side of the truth",
        counts="bad",
        runs=150,
        chance=0.05,
        broken=0.34,
        defect="pointwise bounds: some point was wrong in 34.7% of the runs measured",
        derivation="a union bound over nested events, each by Clopper and Pearson",
    ),
    StatisticalTest(
        "measure: pure",
        "measure() of a Laplace mechanism says more than its epsilon",
        counts="bad",
        runs=60,
        chance=0.05,
        broken=0.75,
        defect="learning calls certified",
        derivation="the test is exact at alpha",
    ),
    StatisticalTest(
        "measure: approximate",
        "measure(delta=) of a Gaussian mechanism says more than its epsilon",
        counts="bad",
        runs=60,
        chance=0.05,
        broken=0.75,
        defect="learning calls certified",
        derivation="the test is exact at alpha",
    ),
    StatisticalTest(
        "detectable: a leak of the detectable size is caught",
        "a randomised response of detectable_epsilon, diluted to the coverage told, is caught",
        counts="good",
        runs=1000,
        chance=0.95,
        broken=0.85,
        defect="half the power promised",
        derivation="it is the smallest leak whose 95% quantile of wrong guesses still gives the evidence",
    ),
    StatisticalTest(
        "power: a leak of the size told is caught",
        "a learner with a leak drawn at random, of the size that a verdict after some calls tells, is caught in these",
        counts="good",
        runs=60,
        chance=0.95,
        broken=0.35,
        defect="twice the calls of an audit that knows the event",
        derivation="the cost of learning is near the largest quotient that was measured; benchmarks/stated_power.py",
    ),
    StatisticalTest(
        "plan: a leak is caught within the planned calls",
        "a leak of the size and coverage planned for is caught within the calls that the plan says it takes",
        counts="good",
        runs=40,
        chance=0.95,
        broken=0.25,
        defect="a quarter of the calls it takes",
        derivation="the plan's power; its calls were fitted to the 95% quantiles of benchmarks/planning.py",
    ),
    StatisticalTest(
        "agreement: another law",
        "a sample of squares of uniform draws, whose calls are uniform draws, is found out at 1e-6",
        counts="good",
        runs=40,
        chance=0.69,
        broken=0.05,
        defect="a comparison that sees next to nothing",
        derivation="38 of 40 audits were stopped by it when measured: with confidence 0.9999 at least 0.69",
    ),
    StatisticalTest(
        "agreement: an honest sample",
        "sample and separate calls of one law are told apart",
        counts="bad",
        runs=60,
        chance=0.05,
        broken=0.7,
        defect="comparing draws of different laws",
        derivation=_VILLE,
    ),
    StatisticalTest(
        "baselines: unchanged outputs",
        "counts of one law, then and now: the outputs are said to have changed at 0.05",
        counts="bad",
        runs=800,
        chance=0.05,
        broken=0.15,
        defect="each probability of the event, and each cut of a view, tested at the whole level",
        derivation="Fisher's exact test, conditional on all hits; half of the level for the event, shared by its four "
        "probabilities, half for the view, shared by datasets and cuts; of 400 comparisons with the defect 15% alarmed",
    ),
    StatisticalTest(
        "baselines: an unchanged risk",
        "histograms of one law, then and now: the risk is said to have changed at 0.05",
        counts="bad",
        runs=600,
        chance=0.05,
        broken=0.18,
        defect="seven cuts each tested at the whole level",
        derivation="Fisher's exact test above each of seven cuts, Bonferroni over cuts and directions; of 1,500 "
        "comparisons with the defect 18% alarmed",
    ),
)


def statistical_test(name: str) -> StatisticalTest:
    """The line of the table with this name.

    Raises
    ------
    KeyError
        When there is none.
    """
    return {line.name: line for line in TABLE}[name]
