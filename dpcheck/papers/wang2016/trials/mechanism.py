"""The exponential mechanism for the regularised empirical risk: its tail, its utility, and hypotheses of M bits."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.wang2016.learners import (
    ExponentialOnInterval,
    FiniteProblem,
    RegularisedExponential,
    RepresentedExponential,
    risk_cover,
)
from dpcheck.papers.wang2016.theorems.bounds import BOUNDS
from dpcheck.papers.wang2016.theorems.mechanism_instances import (
    five_hypotheses,
    many_bad_hypotheses,
    ties_by_the_regulariser,
)
from dpcheck.papers.wang2016.trials.exact import (
    BITS,
    EXACT,
    THREE,
    TWO,
    at_most,
    binary_pairs,
    curve,
    instance,
    privacy,
    tally,
    together,
    two_laws,
    worst_of,
)
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.proof.bounds import value_of
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Series, Shade, Table, Word
from dpcheck.trial.relations import compared
from dpcheck.trial.run import Run
from dpcheck.utility.bounded_means import mean_interval
from dpcheck.utility.stability import Bounds, as_bounds, expected_losses

#: All intervals of one chart hold together, save with this probability; a claim that holds, with this.
_LEVEL, _HOLDS = 0.05, 1e-3


def _logarithms(n: int, epsilon: Fraction, volume: int, times: int = 9) -> Bounds:
    """``9 (2 log n + log K)/(n eps)``, enclosed."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(BITS):
        scale = arb(fmpq(times * epsilon.denominator, n * epsilon.numerator))
        return as_bounds(scale * (2 * arb(n).log() + arb(volume).log()))


def utility(seed: int, quick: bool) -> Measurement:
    """Lemmas 36 and 37 and theorem 19 on finite classes, exactly; and where they fail as printed."""
    outcomes: list[Outcome] = []
    lemma, aerm, theorem = [], [], []
    rows: dict[str, list[float]] = {"exact": [], "bound": [], "own": [], "excess": []}
    sizes = (4, 16, 64, 256) if quick else (4, 16, 64, 128, 256)
    # (11) is below 1 where 2 epsilon is, and n epsilon is in the hundreds
    cells = [(n, epsilon) for n in sizes for epsilon in (Fraction(1, 4), Fraction(1))] + [(2048, Fraction(1, 8))]
    speaks: dict[str, list[bool]] = {"wang2016:lem-36": [], "wang2016:lem-37": [], "wang2016:thm-19": []}
    zeta = Fraction(1, 20)
    for problem in (TWO, THREE):
        count = len(problem.hypotheses)
        numbers = [float(h) for h in problem.hypotheses]
        for penalties in (None, [zeta if place else -zeta for place in range(count)]):
            for n, epsilon in cells:
                if n > sizes[-1] and problem is not TWO:
                    continue
                learner = RegularisedExponential(problem, numbers, epsilon, penalties, "paper_bound")
                table = expected_losses(learner, problem, n)
                width = Fraction(0) if penalties is None else zeta
                log = _logarithms(n, epsilon, count)
                limit = Bounds(log.low + 2 * width, log.high + 2 * width)
                whole = Bounds(limit.low + 2 * epsilon, limit.high + 2 * epsilon)
                # a tenth, a half, and the distance from a half at which n records leave most doubt
                for chance in (Fraction(1, 10), Fraction(1, 2), Fraction(1, 2) + Fraction(1, 2 * math.isqrt(n))):
                    risks = table.under([1 - chance, chance])
                    said = f"#H = {count}, n = {n}, epsilon = {epsilon}, P(1) = {chance}, sup|g| = {width}"
                    aerm.append(at_most("wang2016:lem-37", said, risks.above_minimum, limit))
                    speaks["wang2016:lem-37"].append(limit.high < 1)
                    if penalties is None:  # F is the empirical risk
                        lemma.append(at_most("wang2016:lem-36", said, risks.above_minimum, log))
                        speaks["wang2016:lem-36"].append(log.high < 1)
                    theorem.append(at_most("wang2016:thm-19", said, risks.excess, whole))
                    speaks["wang2016:thm-19"].append(whole.high < 1)
                if problem is THREE and penalties is None and epsilon == 1:
                    rows["exact"].append(float(table.always_above_minimum()))
                    doubtful = (Fraction(1, 2) + Fraction(j, 4 * math.isqrt(n)) for j in range(1, 9))
                    rows["excess"].append(max(float(table.under([1 - p, p]).excess) for p in doubtful if p <= 1))
                    rows["bound"].append(float(log))
                    rows["own"].append(4 * math.log(count) / n)
    for found, result, words in (
        (lemma, "wang2016:lem-36", "E F is at most E F* + 9 (2 log n + log #H)/(n eps)"),
        (aerm, "wang2016:lem-37", "as repaired: the AERM rate is at most 9 (2 log n + log #H)/(n eps) + 2 sup|g|"),
        (
            theorem,
            "wang2016:thm-19",
            "as repaired: the excess risk is at most 9 (2 log n + log #H)/(n eps) + 2 eps + 2 sup|g|",
        ),
    ):
        one = together(
            found,
            f"{words} on finite classes (K = #H, rho = 0), n = {sizes[0]} to {sizes[-1]}, epsilon 1/4 and 1, and n = "
            "2048, epsilon 1/8",
            f"{len(found)} exact comparisons; in {sum(speaks[result])} of them the bound is below 1, in the others it "
            "says nothing",
        )
        outcomes.append(replace(one, kind="upper bound", learner="wang2016.regularised"))
    outcomes += [
        instance(
            "wang2016:lem-36",
            "as printed, for every n: E q >= -E F* - 9 [(rho + 2) log n + log K]/(n eps)",
            many_bad_hypotheses(),
            "E q is at most -1/2, the bound is above -1/8",
            kind="upper bound",
            expected="lem-36, L36.tail: A2 speaks of t < t_0, the proof takes another t",
        ),
        instance(
            "wang2016:lem-37",
            "as printed, with log(1/K): the AERM rate is at most 9 [(rho + 2) log n + log(1/K)]/(n eps) + zeta",
            five_hypotheses(),
            "the bound is below 0, the rate above it",
            kind="upper bound",
            expected="lem-37: log(1/K) for log K, and zeta for 2 zeta",
        ),
        instance(
            "wang2016:thm-19",
            "as printed, with sup|g| once: the excess risk is at most (11)",
            ties_by_the_regulariser(),
            "the excess risk is 0.18, (11) at most 0.145",
            kind="upper bound",
            expected="thm-19, T19.rate: sup|g| counts twice",
        ),
    ]
    chart = Chart(
        "utility",
        "Exponential mechanism over {0, 1/2, 1}, epsilon = 1",
        "n",
        "excess",
        (
            curve("worst excess empirical risk", 0, sizes, rows["exact"]),
            curve("excess risk, largest near P(1) = 1/2", 1, sizes, rows["excess"]),
            curve("9 (2 log n + log #H)/(n eps) (lem-37)", 2, sizes, rows["bound"], bound=True),
            curve("4 log(#H)/(n eps), by Gibbs's principle", 3, sizes, rows["own"], bound=True),
        ),
        (Mark("1: a bound above says nothing", y=1.0, colour=5),),
        y_log=True,
        alt="The exact excess far below both bounds.",
        shades=(Shade("a bound here says nothing", y=(1.0, None)),),
    )
    return Measurement(
        "exponential-utility",
        "The exponential mechanism nearly minimises",
        ("wang2016:lem-36", "wang2016:lem-37", "wang2016:thm-19"),
        "Algorithm 1 with the paper's sensitivity 2/n on binary records and two or three hypotheses, with and "
        "without a regulariser: its exact excess under distributions of a bit, beside the bounds; and the instances "
        "that break the bounds as printed.",
        "On three hypotheses at epsilon = 1 the bound of lemma 37 is "
        f"{min(b / a for a, b in zip(rows['exact'], rows['bound'], strict=True)):.3g} times the worst excess or "
        f"more, that of Gibbs's principle {min(b / a for a, b in zip(rows['exact'], rows['own'], strict=True)):.3g} "
        f"times. {tally(outcomes)}",
        EXACT,
        (chart,),
        (),
        tuple(outcomes),
    )


def tail(seed: int, quick: bool) -> Measurement:
    """Eq. (18): the tail of the mechanism for random problems, every Z and t."""
    from flint import arb, ctx, fmpq

    rng = np.random.default_rng(seed)
    cases: list[Outcome] = []
    tightest = 0.0
    for number in range(20 if quick else 60):
        hypotheses = int(rng.integers(2, 9))
        losses = tuple(tuple(Fraction(int(v), 10) for v in rng.integers(11, size=3)) for _ in range(hypotheses))
        if all(max(row) == min(row) for row in losses):
            continue
        problem = FiniteProblem((0, 1, 2), tuple(range(hypotheses)), losses)
        epsilon = Fraction(int(rng.integers(1, 40)), 10)
        penalties = [Fraction(int(v), 20) for v in rng.integers(-5, 6, size=hypotheses)]
        n = int(rng.integers(1, 12))
        data = rng.integers(3, size=n).tolist()
        learner = RegularisedExponential(problem, list(range(hypotheses)), epsilon, penalties)
        law = mixture([1], [learner.distribution(data)])
        exact = [sum((losses[h][z] for z in data), Fraction(0)) / n + penalties[h] for h in range(hypotheses)]
        best = min(exact)
        rate = learner.rate(data) * n  # eps/(2 Dq), nats per unit of the mean
        chances = {int(output): p for output, p in zip(law.outputs, law.exact, strict=True)}
        for t in sorted({(value - best) / 2 for value in exact} | {Fraction(1, 100)}):
            if t <= 0:
                continue
            near = sum(value <= best + t for value in exact)
            with ctx.workprec(BITS):
                beyond = sum((chances[h] for h, value in enumerate(exact) if value > best + 2 * t), arb(0))
                exponent = -rate * t
                limit = arb(fmpq(hypotheses, near)) * arb(fmpq(exponent.numerator, exponent.denominator)).exp()
                reached, allowed = as_bounds(beyond), as_bounds(limit)
            tightest = max(tightest, float(reached) / float(allowed))
            cases.append(at_most("wang2016:eq-18", f"problem {number}, t = {t}", reached, allowed))
    one = together(
        cases,
        "P(q < -F* - 2t) <= (mu(H)/mu(S_t)) e^(-(eps/(2 Dq)) t) for random problems, regularisers, datasets, all t "
        "that matter",
        f"{len(cases)} exact comparisons; the probability reaches {tightest:.3g} of the bound",
    )
    return Measurement(
        "exponential-tail",
        "The tail of the exponential mechanism",
        ("wang2016:eq-18",),
        "Random finite problems with losses in tenths, regularisers of either sign and datasets of up to 11 "
        "records: the exact probability of a hypothesis beyond F* + 2t, at every t where it changes.",
        f"{tally([one])} The probability reaches {tightest:.3g} of the bound.",
        EXACT + " The problems are drawn; each is then decided exactly.",
        (),
        (),
        (replace(one, kind="upper bound", learner="wang2016.regularised"),),
    )


def excess_of_bits(
    bits: int, n: int, epsilon: float, noise: float, draws: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The expected excess risk, given the sample, of alg-1 over all functions on M points, for some samples.

    The softmax over all 2^M functions is a product: at each point the label 1 has the log odds ``c (ones - zeros)``,
    c = eps/4 nats per mistake with the paper's sensitivity. Points are uniform, labels are 1 with probability
    ``1 - noise``.
    """
    counts = rng.multinomial(n, np.full(bits, 1 / bits), size=draws)
    ones = rng.binomial(counts, 1 - noise)
    odds = np.clip(epsilon / 4 * (2 * ones - counts), -700, 700)
    return np.asarray((1 - 2 * noise) * (1 / (1 + np.exp(odds))).mean(axis=1))


def hard_noise(bits: int, n: int, epsilon: float) -> float:
    """The noise at which the mechanism has most to lose: log odds near 1.28, where x/(1 + e^x) is largest."""
    return 0.5 - min(1.0, 1.28 / (epsilon / 4 * n / bits)) / 2


#: The excess at which sizes are compared, and the sizes tried.
_ACCURACY = 0.1
_SIZES = sorted({round(2 ** (k / 4)) for k in range(4, 100)})


def least_size(bits: int, draws: int, rng: np.random.Generator) -> int:
    """The least size tried from which on the excess at the hardest noise is certified to be at most 0.1, up to 10^4."""
    tried = [n for n in _SIZES if n <= 10_000]
    enough = tried[-1]
    for n in reversed(tried):
        epsilon = min(1.0, math.sqrt((bits + math.log(n)) / n))
        noise = hard_noise(bits, n, epsilon)
        mean = float(excess_of_bits(bits, n, epsilon, noise, draws, rng).mean())
        if mean_interval(mean, draws, _HOLDS / len(tried), high=1 - 2 * noise)[1] > _ACCURACY:
            break
        enough = n
    return enough


def of_bits(seed: int, quick: bool) -> Measurement:
    """Claim 3: the rate of Algorithm 1 on 2^M hypotheses against (11) and the self-contained bound."""
    rng = np.random.default_rng(seed)
    bits = (2, 8) if quick else (1, 4, 8, 12)
    sizes = [int(n) for n in np.unique(np.geomspace(100, 10**6, 6 if quick else 11).round().astype(int))]
    draws = 400 if quick else 2_000
    cells = len(bits) * len(sizes)
    outcomes: list[Outcome] = []
    charts, rows = [], []
    for m in bits:
        measured, low, high, printed, own = [], [], [], [], []
        words: list[Word] = []
        for n in sizes:
            epsilon = min(1.0, math.sqrt((m + math.log(n)) / n))
            noise = hard_noise(m, n, epsilon)
            found = excess_of_bits(m, n, epsilon, noise, draws, rng)
            mean = float(found.mean())
            ends = mean_interval(mean, draws, _LEVEL / cells, high=1 - 2 * noise)
            measured.append(mean)
            low.append(ends[0])
            high.append(ends[1])
            printed.append(float(value_of(BOUNDS["bits"], n=n, epsilon=epsilon, bits=m)))
            own.append(4 * m * math.log(2) / (n * epsilon) + math.tanh(epsilon / 2))
            if printed[-1] < 1:
                strict = mean_interval(mean, draws, _HOLDS / cells, high=1 - 2 * noise)
                against = mean_interval(mean, draws, 1e-9 / cells, high=1 - 2 * noise)
                word: Word = (
                    "holds" if strict[1] <= printed[-1] else "contradicted" if against[0] > printed[-1] else "undecided"
                )
                words.append(word)
        first = next((n for n in range(10, 10**7, 10) if _eleven(m, n) < 1), None)
        asked = next(n for n in _SIZES if _eleven(m, n) <= _ACCURACY)
        enough = least_size(m, draws, rng)
        whole: Word = worst_of(words) if words else "says nothing"
        outcomes.extend(
            Outcome(
                whole,
                f"over 2^{m} hypotheses, eps(n) = sqrt((M + log n)/n), the excess risk is at most (11)",
                f"(11) is below 1 from n = {first:,} on; run at {len(words)} of {len(sizes)} sizes, where it is "
                f"{min((b / a for a, b in zip(measured, printed, strict=True) if b < 1), default=0):.3g} times the "
                f"excess measured or more. For an excess of {_ACCURACY:g} (11) asks for n = {asked:,}, measured n = "
                f"{enough:,} is enough",
                result,
                "upper bound",
                learner="wang2016.regularised",
                level=_HOLDS if whole == "holds" else 1e-9 if whole == "contradicted" else 0.0,
                trials=draws * len(words),
                size=float(asked),
                measured=float(enough),
            )
            for result in ("wang2016:ex-20", "wang2016:thm-19")
        )
        rows.append((str(m), f"{first:,}", f"{measured[-1]:.3g}", f"{printed[-1]:.3g}", f"{own[-1]:.3g}"))
        charts.append(
            Chart(
                f"bits-{m}",
                f"Excess risk over 2^{m} hypotheses",
                "n",
                "expected excess risk",
                (
                    Series(
                        "measured",
                        "measured",
                        0,
                        tuple(map(float, sizes)),
                        tuple(measured),
                        tuple(low),
                        tuple(high),
                        (draws,) * len(sizes),
                    ),
                    curve("(11), ex-20", 1, sizes, printed, bound=True),
                    curve("log(#H)/c + tanh(eps/2)", 2, sizes, own, bound=True),
                ),
                (Mark(f"(11) is below 1 from n = {first:,}", x=float(first or 1), colour=4),),
                y_log=True,
                alt="Measured excess risk far below both bounds; (11) above 1 on the left.",
                shades=(Shade("(11) says nothing", x=(None, float(first or 10**6))),),
            )
        )
    return Measurement(
        "hypotheses-of-bits",
        "Hypotheses of M bits: the rate against its bound",
        ("wang2016:ex-20", "wang2016:thm-19"),
        "All 0-1 functions on M points, uniform points, labels with the noise at which the mechanism loses most at "
        "that n; epsilon(n) = sqrt((M + log n)/n), the paper's sensitivity. Given a sample the law is a product "
        "over points, so the expected excess risk given the sample is exact; samples are drawn.",
        f"(11) says something from n = {rows[0][1]} (M = {bits[0]}) and n = {rows[-1][1]} (M = {bits[-1]}) on; for "
        f"an excess of {_ACCURACY:g} it asks for {min(o.slack or 0 for o in outcomes):.3g} to "
        f"{max(o.slack or 0 for o in outcomes):.3g} times the size that is enough here. {tally(outcomes)}",
        f"Intervals for means of bounded numbers, {draws:,} samples a point; all {cells} hold together with "
        f"probability at least {1 - _LEVEL:.0%}. What holds is wrong with probability at most {_HOLDS:g}, what is "
        "contradicted at 1e-9.",
        tuple(charts),
        (
            Table(
                "Where (11) begins to speak",
                ("M", "first n with (11) < 1", f"excess at n = {sizes[-1]:,}", "(11)", "log(#H)/c + tanh(eps/2)"),
                tuple(rows),
            ),
        ),
        tuple(outcomes),
        trials=draws * cells,
    )


#: Three sets of places of hypotheses, and the probabilities with which they are drawn.
_SETS, _SHARES = ((0, 2), (1,), (0, 1, 2)), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))


def _representation(missed: Fraction, epsilon: float, n: int) -> Bounds:
    """What Gibbs's principle and stability allow a drawn representation, enclosed."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(BITS):
        own = sum(
            (
                arb(fmpq(p.numerator, p.denominator)) * arb(len(one)).log()
                for p, one in zip(_SHARES, _SETS, strict=True)
            ),
            arb(0),
        )
        return as_bounds(
            arb(fmpq(missed.numerator, missed.denominator)) + 2 * own / (n * arb(epsilon)) + (arb(epsilon) / 2).tanh()
        )


def _eleven(bits: int, n: int) -> float:
    epsilon = min(1.0, math.sqrt((bits + math.log(n)) / n))
    return 9 * (2 * math.log(n) + bits * math.log(2)) / (n * epsilon) + 2 * epsilon


def covers(seed: int, quick: bool) -> Measurement:
    """Examples 23 and 24 and remark 5.3: representations, reference laws, and the mechanism that has no law."""
    rng = np.random.default_rng(seed)
    outcomes: list[Outcome] = []
    # example 24: a net of radius r under D* is one of radius c r under every D with D <= c D*
    kinds, radius = 5, Fraction(1, 5)
    cases = []
    for number in range(20 if quick else 60):
        weights = rng.integers(1, 6, size=kinds).tolist()
        losses = tuple(tuple(Fraction(int(v), 4) for v in rng.integers(5, size=kinds)) for _ in range(12))
        problem = FiniteProblem(tuple(range(kinds)), tuple(range(12)), losses)
        reference = [z for z, weight in enumerate(weights) for _ in range(weight)]
        net = [int(h) for h in risk_cover(problem, list(range(12)), reference, float(radius)).tolist()]
        other = rng.integers(0, 6, size=kinds).tolist()
        other[0] += not sum(other)
        law = [Fraction(w, sum(other)) for w in other]
        own = [Fraction(w, sum(weights)) for w in weights]
        ratio = max(p / q for p, q in zip(law, own, strict=True))
        risks = [sum((p * loss for p, loss in zip(law, row, strict=True)), Fraction(0)) for row in losses]
        far = max(
            min(
                sum((p * abs(a - b) for p, a, b in zip(law, losses[h], losses[g], strict=True)), Fraction(0))
                for g in net
            )
            for h in range(12)
        )
        cases.append(
            compared(
                "wang2016:ex-24",
                f"problem {number}",
                far <= ratio * radius and min(risks[g] for g in net) <= min(risks) + ratio * radius,
                f"farthest {float(far):.3g}, c r = {float(ratio * radius):.3g}",
            )
        )
    outcomes.append(
        together(
            cases,
            "a net of radius r for D* is one of radius c r for every D with D <= c D*, and its best hypothesis is "
            "as near to the best of all",
            f"{len(cases)} random finite problems, in fractions",
        )
    )
    # example 23: a representation, drawn before the data
    for epsilon in (0.5, 2.0):
        n = 40
        learner = RepresentedExponential(
            THREE, [[float(THREE.hypotheses[h]) for h in one] for one in _SETS], [2, 1, 1], epsilon
        )
        outcomes.append(
            privacy(
                "wang2016:ex-23",
                f"over a drawn representation the mechanism is epsilon-DP, epsilon = {epsilon:g}",
                two_laws(learner, binary_pairs(n)),
                PureDP(epsilon),
                learner="wang2016.represented",
            )
        )
        table = expected_losses(learner, THREE, n)
        cases = []
        for i in range(6):
            law = [Fraction(5 - i, 5), Fraction(i, 5)]
            risks = [sum((p * loss for p, loss in zip(law, row, strict=True)), Fraction(0)) for row in THREE.losses]
            missed = sum(
                (p * (min(risks[h] for h in one) - min(risks)) for p, one in zip(_SHARES, _SETS, strict=True)),
                Fraction(0),
            )
            cases.append(
                at_most("wang2016:ex-23", f"P(1) = {i}/5", table.under(law).excess, _representation(missed, epsilon, n))
            )
        outcomes.append(
            together(
                cases,
                "and under each distribution its excess risk is at most what the drawn set misses, plus "
                f"log(#set)/c, plus the stability tanh(eps/2): epsilon = {epsilon:g}, n = {n}",
                "exact; " + "; ".join(case.detail for case in cases[:3]),
            )
        )
    refused = 0
    for low, high in ((-math.inf, math.inf), (0.0, math.inf), (-math.inf, 1.0)):
        try:
            ExponentialOnInterval("absolute", 1.0, low, high)
        except InvalidArgument:
            refused += 1
    outcomes.append(
        compared(
            "wang2016:rem-5.3",
            "over an infinite interval a bounded q gives no law: the learner refuses it",
            refused == 3,
            f"{refused} of 3 infinite intervals refused",
            learner="wang2016.interval",
        )
    )
    return Measurement(
        "covers",
        "Covers and representations that are fixed before the data",
        ("wang2016:ex-24", "wang2016:ex-23", "wang2016:rem-5.3"),
        "Random finite problems with a reference law and another law it dominates; the exponential mechanism over a "
        "drawn representation, its exact privacy and excess risk; and the interval on which there is no mechanism.",
        tally(outcomes),
        EXACT + " The problems of example 24 are drawn; each is then decided in fractions.",
        (),
        (),
        tuple(outcomes),
    )


RUNS = (
    Run("exponential-utility", ("wang2016:lem-36", "wang2016:lem-37", "wang2016:thm-19"), utility, (3.5, 7.5)),
    Run("exponential-tail", ("wang2016:eq-18",), tail, (0.1, 0.2)),
    Run("hypotheses-of-bits", ("wang2016:ex-20", "wang2016:thm-19"), of_bits, (0.2, 1.0)),
    Run("covers", ("wang2016:ex-24", "wang2016:ex-23", "wang2016:rem-5.3"), covers, (0.3, 0.5)),
)
