"""The headline claims of alon2019, measured: covers, learners, the reduction and exact privacy, beside their bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

import dpcheck
from dpcheck import Records, ReplaceOne
from dpcheck.classes import GridThresholds, HalfPlanes, Rectangles, Thresholds
from dpcheck.learners.alon2019 import CoverLearner, Dummies, FixedPublic, FromSemiPrivate, GenericLearner
from dpcheck.reality.measuring import Run
from dpcheck.reality.model import Chart, Mark, Measurement, Outcome, Series, Table, Word
from dpcheck.theorems.alon2019.bounds import BOUNDS, best_slack
from dpcheck.theorems.bounds import evaluate, solve, value_of
from dpcheck.utility.covers import interval_cover_failure, interval_cover_failures, least_public
from dpcheck.utility.curves import sweep
from dpcheck.utility.distributions import UniformInterval, random_needle_tail, two_points
from dpcheck.utility.failure import FailureRate, failure_rate
from dpcheck.utility.reduction import Enclosure, reduction_table

#: The failure probability at which sizes are compared.
_FAILURE = Fraction(1, 10)
#: All intervals of one plot hold together, save with this probability.
_LEVEL = 0.05
_EXACT = "Exact: nothing was sampled. Probabilities are sums of fractions, or balls of as many bits as it takes."


def _intervals(count: int, trials: int) -> str:
    return (
        f"Intervals are Clopper-Pearson, {trials:,} trials a point; all {count} of them hold together with probability "
        f"at least {1 - _LEVEL:.0%}."
    )


def _of_rates(name: str, colour: int, x: Sequence[float], found: Sequence[FailureRate]) -> Series:
    return Series(
        name,
        "measured",
        colour,
        tuple(float(value) for value in x),
        tuple(each.rate for each in found),
        tuple(each.interval[0] for each in found),
        tuple(each.interval[1] for each in found),
        tuple(each.trials for each in found),
    )


def _own_size(
    learner: Any, distribution: Any, *, accuracy: float, epsilon: float, said: str, seed: int
) -> tuple[Outcome, int]:
    """Theorem 3.1 at the sizes that its explicit form names, for thresholds (d = 1)."""
    public = int(_size("public", accuracy=accuracy, failure=_FAILURE, vc=1))
    private = int(_size("private", accuracy=accuracy, failure=_FAILURE, epsilon=epsilon, cover=public + 1))
    found = failure_rate(
        learner,
        distribution,
        sizes={"private": private, "public": public},
        accuracy=accuracy,
        failure=_FAILURE,
        trials=2_000,
        seed=seed,
    )
    words: dict[str | None, Word] = {"holds": "holds", "contradicted": "contradicted"}
    low, high = found.interval
    return (
        Outcome(
            words.get(found.verdict, "undecided"),
            f"thm-3.1 on {said}: with n_pub = {public:,} and n_priv = {private:,}, excess error above {accuracy:g} has "
            f"probability at most {float(_FAILURE):g}",
            f"{found.failures} of {found.trials} trials failed; failure probability in [{low:.3g}, {high:.3g}] at "
            f"level {found.level:g}; the word is wrong with probability at most {_wrong(found):g}",
        ),
        found.trials,
    )


def _wrong(found: FailureRate) -> float:
    return found.contradicted_level if found.verdict == "contradicted" else found.holds_level


def _size(name: str, **values: Any) -> float:
    found = evaluate(BOUNDS[name], **values)
    return found if isinstance(found, int) else float(found)


def public_cost(seed: int, quick: bool) -> Measurement:
    """Claim 1: how many public points a cover takes."""
    accuracies = (0.2, 0.1, 0.05, 0.02, 0.01, 0.005)
    drawn = (0.2, 0.05, 0.01)
    sizes = np.unique(np.geomspace(1, 20_000, 40 if quick else 90).astype(int))
    curves = []
    for colour, accuracy in enumerate(drawn):
        exact = interval_cover_failures(sizes, accuracy)
        bound = [float(value_of(BOUNDS["cover_failure"], accuracy=accuracy, public=int(n), vc=1)) for n in sizes]
        xs = tuple(float(n) for n in sizes)
        curves.append(Series(f"exact, alpha = {accuracy:g}", "exact", colour, xs, tuple(map(float, exact))))
        curves.append(Series(f"right side of (1), alpha = {accuracy:g}", "bound", colour, xs, tuple(bound)))
    least = [least_public(accuracy, _FAILURE) for accuracy in accuracies]
    closed = [_size("cover_public", accuracy=a, failure=_FAILURE, vc=1) for a in accuracies]
    tight = [
        int(solve(BOUNDS["cover_public_tight"], for_="public", failure=_FAILURE, accuracy=a, vc=1))  # type: ignore[arg-type]
        for a in accuracies
    ]
    square = [1 / a**2 for a in accuracies]
    slopes = {
        name: float(np.polyfit(np.log(accuracies), np.log(values), 1)[0])
        for name, values in (("exact", least), ("(1) solved", tight), ("closed form", closed))
    }
    tried = accuracies[: 3 if quick else 4]
    holds = all(
        interval_cover_failure(int(size), a) <= _FAILURE for a, size in zip(tried, closed[: len(tried)], strict=True)
    )
    below = all(
        e <= b * (1 + 1e-12)
        for s, t in zip(curves[::2], curves[1::2], strict=True)
        for e, b in zip(s.y, t.y, strict=True)
    )
    return Measurement(
        "public-cost",
        "A cover costs about 1/alpha public points, not 1/alpha²",
        ("alon2019:lem-3.3", "alon2019:lem-3.3-eq1", "alon2019:thm-3.1"),
        "Thresholds under the uniform law on [0, 1], the lowest threshold of each cell standing for it: Bad happens "
        "when a gap between public points is longer than alpha, for then a threshold is farther than alpha from the "
        "one that stands for it (another one may be near, so there is no cover at most as often). That probability is "
        "computed, not sampled, and set beside the bound (1); then the least n_pub at which it is at most 0.1, beside "
        "the explicit sizes.",
        f"The least n_pub grows from {least[0]} at alpha = 0.2 to {least[-1]:,} at alpha = 0.005: a log-log slope of "
        f"{slopes['exact']:.3f} in alpha (log(1/alpha) makes it steeper than -1). The closed form asks for "
        f"{closed[0] / least[0]:.0f} to {closed[-1] / least[-1]:.0f} times as many.",
        _EXACT,
        (
            Chart(
                "cover-failure",
                "P[Bad]: some threshold is far from its representative",
                "public points n_pub",
                "probability of Bad",
                tuple(curves),
                x_range=(1, 20_000),
                y_range=(0, 1.05),
                alt="Exact probabilities of Bad fall from 1 to 0, at larger n_pub for smaller alpha; the bound "
                "follows far to the right of each.",
            ),
            Chart(
                "least-public",
                "Public points for P[Bad] of at most 0.1",
                "accuracy alpha",
                "n_pub",
                (
                    Series("needed, exact", "exact", 0, accuracies, tuple(map(float, least))),
                    Series("(1) solved for n_pub", "bound", 1, accuracies, tuple(map(float, tight))),
                    Series("closed form (8/alpha)(...)", "bound", 2, accuracies, tuple(map(float, closed))),
                    Series("d/alpha², labelled data alone (order only)", "bound", 3, accuracies, tuple(square)),
                ),
                y_log=True,
                alt="On log-log axes the exact need and both explicit sizes have slope about -1, d/alpha² has slope "
                "-2.",
            ),
        ),
        (
            Table(
                "Public points for P[Bad] of at most 0.1",
                ("alpha", "needed, exactly", "(1) solved", "closed form", "1/alpha²"),
                tuple(
                    (f"{a:g}", f"{n:,}", f"{t:,}", f"{int(c):,}", f"{s:,.0f}")
                    for a, n, t, c, s in zip(accuracies, least, tight, closed, square, strict=True)
                ),
            ),
            Table("Log-log slope in alpha", ("size", "slope"), tuple((k, f"{v:.3f}") for k, v in slopes.items())),
        ),
        (
            Outcome(
                "holds" if holds else "contradicted",
                "lem-3.3 at its own size, n_pub = ceil((8/alpha)(2 log(32/alpha) + log(20))): no cover with "
                "probability at most 0.1",
                f"P[Bad], which bounds it, computed as fractions for alpha = {', '.join(f'{a:g}' for a in tried)}",
            ),
            Outcome(
                "holds" if below else "contradicted",
                "lem-3.3-eq1: P[Bad] at most the right side of (1), d = 1",
                f"at {len(sizes)} sizes for each of {len(drawn)} accuracies",
            ),
        ),
    )


def _cover_learner(epsilon: float = 1.0) -> CoverLearner:
    return CoverLearner(Thresholds(), epsilon)


def private_cost(seed: int, quick: bool) -> Measurement:
    """Claim 2: how many private examples the choice takes."""
    accuracy, public, epsilons = 0.1, 100, (0.05, 0.2, 1.0)
    privates = (30, 100, 300, 1000) if quick else (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    trials = 80 if quick else 1_000
    law = UniformInterval(noise=0.1)
    found = sweep(
        _cover_learner,
        law,
        sizes={"private": privates, "public": public},
        accuracy=accuracy,
        options={"epsilon": epsilons},
        trials=trials,
        level=_LEVEL,
        seed=seed,
    )
    series, marks, rows = [], [], []
    for colour, epsilon in enumerate(epsilons):
        rates = [point.result for point in found.points if point.options["epsilon"] == epsilon]
        series.append(_of_rates(f"A_SSPP, epsilon = {epsilon:g}", colour, privates, rates))
        size = _size("private", accuracy=accuracy, failure=_FAILURE, epsilon=epsilon, cover=public + 1)
        two = [32 * math.log(8 * (public + 1) / float(_FAILURE)) / accuracy**2,
               8 * math.log(4 * (public + 1) / float(_FAILURE)) / (epsilon * accuracy)]  # fmt: skip
        enough = next((n for n, rate in zip(privates, rates, strict=True) if rate.interval[1] <= _FAILURE), None)
        rows.append(
            (f"{epsilon:g}", "" if enough is None else f"{enough:,}", f"{two[0]:,.0f}", f"{two[1]:,.0f}", f"{size:,}")
        )
        if colour == 0:
            marks.append(Mark(f"explicit n_priv at these epsilon: {size:,.0f}", x=size, colour=4))
    own = [(_cover_learner(1.0), UniformInterval(noise=0.1), "thresholds on [0, 1] with 10% label noise, epsilon = 1")]
    if not quick:
        own.append((_cover_learner(0.05), law, "thresholds on [0, 1] with 10% label noise, epsilon = 0.05"))
    outcomes = [
        _own_size(learner, where, accuracy=accuracy, epsilon=float(learner.epsilon), said=said, seed=seed + i)
        for i, (learner, where, said) in enumerate(own)
    ]
    return Measurement(
        "private-cost",
        "The choice costs max(1/alpha², 1/(epsilon alpha)) private examples",
        ("alon2019:thm-3.1", "alon2019:thm-kln"),
        f"A_SSPP on thresholds over [0, 1] with 10% of labels flipped, n_pub = {public}: how often its excess error is "
        f"above {accuracy:g}, against n_priv. Below epsilon = alpha the second term is the larger one.",
        "A failure of 0.1 is passed (by the whole interval) at n_priv = "
        + ", ".join(f"{row[1] or 'none of these'} for epsilon = {row[0]}" for row in rows)
        + "."
        + _growth(rows)
        + " The explicit sizes are the same for all three, as their constant for 1/alpha² is four times that for "
        "1/(epsilon alpha); they are far above what this law needs.",
        _intervals(len(found.points), trials),
        (
            Chart(
                "private-cost",
                "Excess error above 0.1 has this probability",
                "private examples n_priv",
                "probability of failure",
                tuple(series),
                (*marks, Mark("claimed failure 0.1", y=float(_FAILURE), colour=5)),
                y_range=(-0.02, 1.02),
                alt="Failure falls with n_priv, first for epsilon = 1, last for epsilon = 0.05; the explicit size lies "
                "to the right of all curves.",
            ),
        ),
        (
            Table(
                f"Private examples, alpha = 0.1, failure 0.1, cover of {public + 1}",
                ("epsilon", "passed at", "32 log(8N/beta)/alpha²", "8 log(4N/beta)/(epsilon alpha)", "explicit n_priv"),
                tuple(rows),
            ),
        ),
        tuple(outcome for outcome, _ in outcomes),
        trials=trials * len(found.points) + sum(count for _, count in outcomes),
    )


def _growth(rows: Sequence[tuple[str, ...]]) -> str:
    """How the need grows from the largest epsilon to the smallest, where both were reached."""
    first, last = rows[0], rows[-1]
    if not first[1] or not last[1]:
        return ""
    times, apart = float(first[1].replace(",", "")) / float(last[1].replace(",", "")), float(last[0]) / float(first[0])
    said = f" From epsilon = {last[0]} to {first[0]} (a factor of {apart:g}) it grows by a factor of {times:g}"
    return said + (
        ": on this law the term 1/(epsilon alpha) is what counts." if apart / 2 <= times <= 2 * apart else "."
    )


def _needle_learner(bits: int) -> CoverLearner:
    return CoverLearner(GridThresholds(2**bits), 1.0)


def infinite_classes(seed: int, quick: bool) -> Measurement:
    """Claim 3: the size of the domain does not matter."""
    accuracy, private, publics = 0.02, 2_000, (5, 50, 500)
    bits = (8, 60) if quick else (8, 16, 32, 60)
    trials = 60 if quick else 400
    level = _LEVEL / (len(bits) * len(publics))
    series = []
    seeds = iter(np.random.SeedSequence(seed).generate_state(len(bits) * len(publics)).tolist())
    for colour, public in enumerate(publics):
        rates = [
            failure_rate(
                _needle_learner(size),
                random_needle_tail(2**size, accuracy),
                sizes={"private": private, "public": public},
                accuracy=accuracy,
                trials=trials,
                level=level,
                seed=next(seeds),
            )
            for size in bits
        ]
        series.append(_of_rates(f"n_pub = {public}", colour, bits, rates))
    everywhere = tuple(range(3, 61))
    proper = [_size("proper_packing", points=2**size, failure=_FAILURE, epsilon=1) for size in everywhere]
    improper_bits = tuple(size for size in everywhere if size >= 10)[:: 12 if quick else 5]
    improper = [
        float(best_slack(accuracy=accuracy, failure=_FAILURE, epsilon=1, bits=size, digits=12)[1])
        for size in improper_bits
    ]
    flat = int(_size("private", accuracy=accuracy, failure=_FAILURE, epsilon=1, cover=501))
    spread = max(max(one.y) - min(one.y) for one in series)
    together = all(max(one.low) <= min(one.high) for one in series)
    outcomes = [
        _own_size(
            _needle_learner(size),
            random_needle_tail(2**size, 0.1),
            accuracy=0.1,
            epsilon=1.0,
            said=f"the needle-tail over 2^{size} points, epsilon = 1",
            seed=seed + size,
        )
        for size in ((60,) if quick else (8, 60))
    ]
    return Measurement(
        "infinite-classes",
        "Classes of infinite Littlestone dimension become learnable",
        ("alon2019:thm-3.1", "alon2019:thm-4.3"),
        f"Thresholds on 2^L points under the needle-tail law (an atom, and a tail of mass {4 * accuracy:g} in which "
        f"the threshold hides): A_SSPP with n_priv = {private:,} and epsilon = 1, against L. Beside it what pure "
        "private learners without public data need: at least the packing bounds, which grow like L.",
        (
            "As far as the intervals tell, the failure does not change with L: they overlap for each n_pub"
            if together
            else "The failure changes with L: for some n_pub not all intervals overlap"
        )
        + f" (the largest spread is {spread:.3f}). "
        + f"The packing bounds rise from {proper[5]:.1f} at L = 8 to {proper[-1]:.1f} at L = 60 (proper, epsilon = 1); "
        "they are lower bounds, small beside the n_priv used here, and what counts is that they grow without end.",
        _intervals(len(bits) * len(publics), trials),
        (
            Chart(
                "flat-in-bits",
                f"A_SSPP, excess error above {accuracy:g}: flat in L",
                "L: thresholds on 2^L points",
                "probability of failure",
                tuple(series),
                x_log=False,
                y_range=(-0.03, 1.02),
                alt="Three horizontal lines: failure does not depend on L, only on n_pub.",
            ),
            Chart(
                "needed-in-bits",
                "Examples asked for, epsilon = 1, failure 0.1",
                "L: thresholds on 2^L points",
                "private examples",
                (
                    Series("without public data, proper: at least", "bound", 0, everywhere, tuple(proper)),
                    Series("without public data, any pure: at least", "bound", 1, improper_bits, tuple(improper)),
                    Series("A_SSPP, used here", "exact", 2, (8, 60), (float(private),) * 2),
                    Series(
                        "A_SSPP, explicit n_priv (alpha = 0.02, n_pub = 500)", "bound", 3, (3, 60), (float(flat),) * 2
                    ),
                ),
                x_log=False,
                y_log=True,
                alt="Two rising lower bounds for learners without public data, two horizontal lines for A_SSPP above "
                "them.",
            ),
        ),
        (),
        tuple(outcome for outcome, _ in outcomes),
        trials=trials * len(bits) * len(publics) + sum(count for _, count in outcomes),
    )


def lower_against_upper(seed: int, quick: bool) -> Measurement:
    """Claim 4: 1/(1600 alpha) against the explicit upper bound."""
    beta = Fraction(1, 18)
    rows, upper, need, lower, covered = [], [], [], [], []
    accuracies = ("0.1", "1/16", "0.03", "0.01", "0.003", "0.001", "0.0003", "0.0001")
    for text in accuracies:
        accuracy = Fraction(text)
        above = int(_size("public", accuracy=text, failure=beta, vc=1))
        exact = (
            least_public(accuracy, beta) if accuracy >= (Fraction(3, 1000) if quick else Fraction(1, 1000)) else None
        )
        upper.append(float(above))
        if accuracy <= Fraction(1, 16):
            least = float(value_of(BOUNDS["public_necessary"], accuracy=text))
            lower.append((float(accuracy), least))
            ratio, shown = _three(above / least), f"{least:.4g}"
        else:
            ratio, shown = f"({_three(float(1600 * accuracy) * above)} formally)", "says nothing"
        if exact is not None:
            need.append(float(exact))
            covered.append(float(accuracy))
        over_log = _three(float(1600 * accuracy) * above / math.log(1 / accuracy))
        rows.append((text, shown, "" if exact is None else f"{exact:,}", f"{above:,}", ratio, over_log))
    values = [float(Fraction(text)) for text in accuracies]
    return Measurement(
        "lower-against-upper",
        "1/(1600 alpha) against what suffices",
        ("alon2019:thm-4.1", "alon2019:thm-4.2", "alon2019:obs-1.b"),
        "Thresholds (d = 1) at beta = 1/18: the public examples that thm-4.1 says are needed, those with which "
        "Bad has that probability under the uniform law on [0, 1], and those that the explicit form of thm-3.1 says "
        "suffice.",
        f"The two bounds are a factor of {rows[0][4].strip('()').split(' ')[0]} (alpha = 0.1, formally) to "
        f"{rows[-1][4]} (alpha = 1e-4) apart, and the ratio grows no faster than log(1/alpha): that it is at most "
        "200,000 log(1/alpha) for alpha <= 1/100 is proved under obs-1.b. Neither d nor beta is in the lower bound, "
        "which asks for one public example, no more, while alpha is above 1/1600.",
        _EXACT,
        (
            Chart(
                "lower-upper",
                "Public examples at failure 1/18",
                "accuracy alpha",
                "n_pub",
                (
                    Series("suffices: explicit thm-3.1", "bound", 0, tuple(values), tuple(upper)),
                    Series("Bad on [0, 1] at most 1/18, exact", "exact", 1, tuple(covered), tuple(need)),
                    Series("needed: 1/(1600 alpha)", "bound", 2, *zip(*lower, strict=True)),
                ),
                y_log=True,
                alt="Three nearly parallel lines on log-log axes: the upper bound five to six orders above the lower "
                "one, the exact size for Bad in between.",
            ),
        ),
        (
            Table(
                "Lower against upper bound, d = 1, beta = 1/18",
                (
                    "alpha",
                    "needed (thm-4.1)",
                    "Bad on [0, 1], exact",
                    "suffices (thm-3.1)",
                    "ratio",
                    "ratio / log(1/alpha)",
                ),
                tuple(rows),
            ),
        ),
    )


def _three(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{float(f'{value:.3g}'):,.0f}"


def reduction_at_work(seed: int, quick: bool) -> Measurement:
    """Claim 5: B on the two-point law."""
    bits = (8, 32) if quick else (8, 16, 32)
    privates = (10, 100, 1000, 10_000) if quick else (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
    trials = 40 if quick else 300
    level = _LEVEL / (len(bits) * len(privates))
    seeds = iter(np.random.SeedSequence(seed).generate_state(len(bits) * len(privates)).tolist())
    series = []
    for colour, size in enumerate(bits):
        rates = []
        for private in privates:
            learner = FromSemiPrivate(GenericLearner(GridThresholds(2**size), 1.0), private, 1, Dummies([0]))
            rates.append(
                failure_rate(
                    learner,
                    two_points(2 ** (size - 1)),
                    sizes={"private": learner.elements},
                    accuracy=Fraction(1, 4),
                    trials=trials,
                    level=level,
                    seed=next(seeds),
                )
            )
        series.append(_of_rates(f"B, L = {size}", colour, privates, rates))
        xs = tuple(float(n) for n in np.unique(np.geomspace(10, 1000, 60).astype(int)))
        least = tuple(1 / (1 + math.exp(math.ceil(n / 10)) / (2.0**size - 2)) for n in xs)
        series.append(Series(f"packing: at least, L = {size}", "bound", colour, xs, least))
    wanted = int(_size("generic", accuracy=Fraction(1, 400), failure=Fraction(1, 18), epsilon=1, hypotheses=2**8 + 1))
    exact = [] if quick else _loss_of_reduction()
    last = next(one for one in series if one.role == "measured")
    return Measurement(
        "reduction-at-work",
        "The reduction at work: B, made of a semi-private learner",
        ("alon2019:lem-4.4", "alon2019:clm-4.6", "alon2019:clm-4.5"),
        "B over the full-class exponential mechanism (n_pub = 1, epsilon = 1) on the two-point law D_t, dummies at the "
        "point 0, alg-3 filling up: how often err(B) is above 1/4, against the n_priv of the learner inside; B itself "
        "gets ntilde = ceil(n_priv/10). Dashed: no pure private learner with ntilde examples can fail less on the "
        "worst t (packing).",
        f"With L = 8 B fails with probability {last.y[-1]:.3f} at n_priv = {int(last.x[-1]):,}, and "
        f"{last.y[privates.index(1000)]:.2f} at 1,000, far to the right of the packing bound. For large n_priv what is "
        "in its way are the labels of the dummies: the constant 1 beats the true threshold when they favour it by more "
        "than the n_priv/200 examples that speak against it, with probability about Phi(-sqrt(n_priv)/200), which is "
        f"{_normal_below(-math.sqrt(last.x[-1]) / 200):.3f} at n_priv = {int(last.x[-1]):,}, for every L.",
        _intervals(len(bits) * len(privates), trials),
        (
            Chart(
                "reduction",
                "B errs by more than 1/4 with this probability",
                "n_priv of the learner inside (B gets a tenth)",
                "probability of failure",
                tuple(series),
                y_range=(-0.02, 1.04),
                alt="Failure of B falls from 1 to near 0 between a thousand and a hundred thousand; the packing curves "
                "fall to 0 between a hundred and three hundred.",
            ),
        ),
        tuple(exact),
        (
            Outcome(
                "not reachable",
                f"clm-4.6 at its own size: n_priv = {wanted:,} for alpha = 1/400, L = 8, then err(B) <= 1/4 except "
                "with probability 1/16",
                f"each trial places {wanted:,} records (a gigabyte of positions), and a verdict takes a hundred trials "
                "and more",
            ),
        ),
        left_out="B at the sizes of clm-4.6" + ("; exact loss of B (--quick)" if quick else ""),
        trials=trials * len(bits) * len(privates),
    )


def _normal_below(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _loss_of_reduction() -> list[Table]:
    """Exact losses of B beside that of the learner inside."""
    records = Records.labelled(features=[0, 1, 3], labels=[0, 1])
    inside = CoverLearner(GridThresholds(4), 1.0)
    rows = []
    for private, public, probability in ((25, 1, None), (6, 2, Fraction(1, 2))):
        learner = FromSemiPrivate(inside, private, public, Dummies([0]), "fill", probability)
        loss, answer = _exact_loss(learner, records, 2)
        chance = learner.position_probability
        rows.append((str(private), str(public), str(chance), "2", f"{loss:.4f}", "1", answer))
    columns = ("n_priv", "n_pub", "p", "ntilde", "exact epsilon of B", "claim", "answer")
    return [Table("B over A_SSPP (thresholds on 4 points): every pair of neighbours", columns, tuple(rows))]


def _exact_loss(learner: Any, records: Any, size: int) -> tuple[float, str]:
    """The largest log-ratio over all pairs of neighbouring datasets, and whether the claim was decided to hold."""
    verdict = dpcheck.audit(
        learner,
        neighbours=ReplaceOne(records=records, size=size),
        exhaustive=True,
        isolation="none",
        seed=0,
        max_seconds=math.inf,
    )
    return verdict.epsilon_lower, "" if verdict.exact is None else str(verdict.exact.answer)


def exact_privacy(seed: int, quick: bool) -> Measurement:
    """Claim 6: the largest log-ratio of A_SSPP, over all neighbours."""
    grid = [(i, j) for i in range(3) for j in range(3)]
    line = Records.labelled(features=list(range(4)), labels=[0, 1])
    plane = Records.labelled(features=grid, labels=[0, 1])
    cases: list[tuple[str, Any, Any, Any, int]] = [
        ("thresholds on 4 points, lowest", CoverLearner(GridThresholds(4), 1.0), [1, 2], line, 2 if quick else 6)
    ]
    if not quick:
        cases += [
            ("thresholds on 4 points, highest", CoverLearner(GridThresholds(4), 1.0, "highest"), [1, 2], line, 6),
            ("thresholds on 4 points, middle", CoverLearner(GridThresholds(4), 1.0, "middle"), [1, 2], line, 6),
            ("half-planes on a 3 × 3 grid", CoverLearner(HalfPlanes(), 1.0), grid, plane, 3),
            ("rectangles on a 3 × 3 grid", CoverLearner(Rectangles(), 1.0), grid, plane, 3),
        ]
    series, rows, answers = [], [], []
    for colour, (name, learner, public, records, most) in enumerate(cases):
        found = [_exact_loss(FixedPublic(learner, public), records, size) for size in range(1, most + 1)]
        sizes = tuple(float(size) for size in range(1, most + 1))
        series.append(Series(name, "exact", colour, sizes, tuple(loss for loss, _ in found)))
        rows.append((name, *(f"{loss:.6f}" for loss, _ in found), *("",) * (6 - most)))
        answers += [answer for _, answer in found]
    largest = max(max(one.y) for one in series)
    if len({one.y for one in series[:3]}) == 1 and len(series) > 1:
        series[:3] = [replace(series[0], name="thresholds on 4 points, all three rules")]
    return Measurement(
        "exact-privacy",
        "A_SSPP is epsilon-private, with little to spare",
        ("alon2019:lem-3.2",),
        "The exact output laws of A_SSPP at epsilon = 1 on every pair of neighbouring private samples of n_priv "
        "records: the largest log-ratio of probabilities, over three rules for representatives and three classes. "
        "Doubles find the worst pair; that the claim holds is decided in exact arithmetic, for polynomials in "
        "exp(1/2).",
        f"The loss grows with n_priv and stays below the claim: {series[0].y[0]:.4f} at n_priv = 1, at most "
        f"{largest:.4f} here.",
        "Exact: all neighbouring pairs were compared, nothing was sampled.",
        (
            Chart(
                "exact-loss",
                "Exact privacy loss beside the claim",
                "private records n_priv",
                "largest log-ratio (nats)",
                tuple(series),
                (Mark("claimed epsilon = 1", y=1.0, colour=7),),
                x_log=False,
                y_range=(0, 1.08),
                alt="Losses rise with n_priv towards the claimed epsilon of 1 and stay below it.",
            ),
        ),
        (Table("Exact loss by n_priv, epsilon = 1", ("learner", *(str(n) for n in range(1, 7))), tuple(rows)),),
        (
            Outcome(
                "holds" if all(answer == "holds" for answer in answers) else "undecided",
                "lem-3.2: A_SSPP is epsilon-private in S_priv, for these public samples",
                f"decided exactly in each of {len(answers)} cases, over all pairs of neighbours",
            ),
        ),
    )


def agnostic_realisable(seed: int, quick: bool) -> Measurement:
    """Claim 7: noise does not change the public sample."""
    accuracy, private = 0.05, 2_000
    publics = (5, 20, 80) if quick else (2, 5, 10, 20, 40, 80, 160, 320)
    noises = (0.0, 0.1, 0.3)
    trials = 60 if quick else 500
    level = _LEVEL / (len(publics) * len(noises))
    seeds = iter(np.random.SeedSequence(seed).generate_state(len(publics) * len(noises)).tolist())
    series = []
    for colour, noise in enumerate(noises):
        rates = [
            failure_rate(
                _cover_learner(1.0),
                UniformInterval(noise=noise),
                sizes={"private": private, "public": public},
                accuracy=accuracy,
                trials=trials,
                level=level,
                seed=next(seeds),
            )
            for public in publics
        ]
        series.append(_of_rates(f"A_SSPP, noise {noise:g}", colour, publics, rates))
    sizes = np.unique(np.geomspace(publics[0], publics[-1], 60).astype(int))
    cover = interval_cover_failures(sizes, accuracy)
    bound = Series("P[Bad], exact", "exact", 4, tuple(float(n) for n in sizes), tuple(float(value) for value in cover))
    outcomes = [
        _own_size(
            _cover_learner(1.0),
            UniformInterval(noise=noise),
            accuracy=0.1,
            epsilon=1.0,
            said=f"thresholds on [0, 1], noise {noise:g}, epsilon = 1",
            seed=seed + place,
        )
        for place, noise in enumerate(() if quick else (0.0, 0.3))
    ]
    at = publics.index(20)
    limits = interval_cover_failures(publics, accuracy)
    below = all(low <= limit for one in series for low, limit in zip(one.low, limits, strict=True))
    return Measurement(
        "agnostic-realisable",
        "Agnostic learning takes no more public points than realisable",
        ("alon2019:thm-3.1", "alon2019:lem-3.3"),
        f"A_SSPP on thresholds over [0, 1] with n_priv = {private:,}, epsilon = 1, alpha = {accuracy:g}, and no, 10% "
        "and 30% label noise, against n_pub; beside it the exact probability of Bad (a gap longer than "
        "alpha), which bounds that of no alpha-cover. With noise a threshold at distance r has excess error "
        "(1 - 2 noise) r, so that it is more easily within alpha.",
        "At n_pub = 20 it fails with probability "
        + ", ".join(f"{one.y[at]:.3f} (noise {noise:g})" for one, noise in zip(series, noises, strict=True))
        + ", and Bad has probability "
        + f"{limits[at]:.3f}. "
        + (
            "Nowhere is the failure above that of Bad (by its interval): noise does not raise what the public sample "
            "must hold. It is below it, as one good hypothesis suffices, while Bad asks after a good one for each "
            "threshold."
            if below
            else "At some n_pub the failure is above that of Bad: there the private sample is what is too small."
        ),
        _intervals(len(publics) * len(noises), trials),
        (
            Chart(
                "noise",
                f"Excess error above {accuracy:g} has this probability",
                "public points n_pub",
                "probability of failure",
                (*series, bound),
                y_range=(-0.02, 1.04),
                alt="Failure falls with n_pub alike for all three noise levels, left of the curve of Bad's failure.",
            ),
        ),
        (),
        tuple(outcome for outcome, _ in outcomes),
        trials=trials * len(publics) * len(noises) + sum(count for _, count in outcomes),
    )


def numbers_in_the_reduction(seed: int, quick: bool) -> Measurement:
    """Claim 9: the four probabilities of lemma 4.4."""
    ratios, publics = (0.1, 1, 3, 10, 30, 100), (1, 10, 100)
    found = tuple(dict.fromkeys(reduction_table(ratios, publics)))
    rows = [
        (
            f"{each.public}",
            f"{each.private:,}",
            f"{each.available}",
            _against(each.leaves_early, Fraction(1, 100)),
            _against(each.runs_out, Fraction(1, 200)),
            f"{each.no_real_public.middle:.6f}",
            _against(each.public_distance, Fraction(1, 100)),
        )
        for each in found
    ]
    many = [Fraction(number, 10) for number in range(1, 1001, 40 if quick else 8)]
    series = []
    for colour, public in enumerate((1, 100)):
        table = [each for each in reduction_table(many, [public]) if each.private >= 1]
        xs = tuple(each.private / public for each in table)
        floor = 1e-14
        soon = tuple(max(floor, each.leaves_early.middle) for each in table)
        short = tuple(max(floor, each.runs_out.middle) for each in table)
        series.append(Series(f"leaves early, n_pub = {public}", "exact", 2 * colour, xs, soon))
        series.append(Series(f"runs out, n_pub = {public}", "exact", 2 * colour + 1, xs, short))
    worst = max(found, key=lambda each: each.leaves_early.middle)
    where = f"n_priv = {worst.private}, n_pub = {worst.public}"
    out = max(each.runs_out.high for each in found)
    distance = max(1 - (1 - Fraction(1, 100 * public)) ** public for public in publics)
    sums = (Fraction(1, 18) + Fraction(1, 100), Fraction(1, 17) + Fraction(1, 100))
    repaired = (Fraction(1, 18) + Fraction(1, 200)) / Fraction(99, 100)
    return Measurement(
        "numbers-in-the-reduction",
        "The four probabilities inside lemma 4.4",
        ("alon2019:clm-4.6", "alon2019:lem-4.4"),
        "For p = 1/(100 n_pub) and ntilde = ceil(n_priv/(10 n_pub)): the printed loop of alg-3 leaves before position "
        "n_priv is filled; one more element is asked for than there is (what matters where alg-3 fills up with "
        "dummies); a public sample of the mixture holds no real example; the total variation of it from the dummies. "
        "Set against the 0.01 of (2), and the sums against 1/17 and 1/16.",
        f"The printed loop leaves early with probability up to {worst.leaves_early.middle:.4f} ({where}), above 0.01; "
        f"filling up, one element is missing with probability at most {out:.5f}; the distance is at most "
        f"{float(distance):.5f}. 1/18 + 0.01 = {float(sums[0]):.4f} is above 1/17 = {1 / 17:.4f}, and 1/17 + 0.01 = "
        f"{float(sums[1]):.4f} above 1/16 = 0.0625; the repaired chain ends at {float(repaired):.4f}.",
        _EXACT,
        (
            Chart(
                "reduction-numbers",
                "Leaving early, and running out of examples",
                "n_priv / n_pub",
                "probability",
                tuple(series),
                (Mark("0.01, the limit for leaving early in (2)", y=0.01, colour=5),
                 Mark("0.005, the limit for running out in its repair", y=0.005, colour=7)),
                y_log=True,
                y_range=(1e-9, 1.3),
                alt="The probability of leaving early lies above 0.01 up to ratios near ten times one and far below "
                "for large ratios; that of running out stays below 0.005 throughout.",
            ),
        ),
        (
            Table(
                "Each probability, marked where it is above its limit",
                ("n_pub", "n_priv", "ntilde", "leaves early (0.01)", "runs out (0.005)", "no real public example",
                 "distance (0.01)"),
                tuple(rows),
            ),
        ),
        (
            Outcome(
                _word(worst.leaves_early, Fraction(1, 100)),
                "C46.(2): the printed loop fills position n_priv except with probability below 0.01",
                f"it does not with probability {worst.leaves_early.middle:.4f} at {where}",
            ),
            Outcome(
                "holds" if out <= 0.005 else "undecided",
                "the repair of (2): filling up, running out has probability at most 0.005",
                f"at most {out:.5f} in this table; for all sizes by proof, see C46.chernoff",
            ),
            _compared(distance <= Fraction(1, 100), "C46.tv: distance at most 0.01", f"at most {float(distance):.6f}, "
                      "compared as fractions; for all sizes by proof, see C46.99"),
            _compared(sums[0] <= Fraction(1, 17), "C46.17a: 1/18 + 0.01 <= 1/17", f"{float(sums[0]):.5f} against "
                      f"{1 / 17:.5f}"),
            _compared(sums[1] < Fraction(1, 16), "C46.16a: 1/17 + 0.01 < 1/16", f"{float(sums[1]):.5f} against 0.0625"),
            _compared(repaired < Fraction(1, 16), "the repair of (4): (1/18 + 0.005)/0.99 < 1/16",
                      f"{float(repaired):.5f} against 0.0625"),
        ),
    )  # fmt: skip


def _compared(true: bool, claim: str, detail: str) -> Outcome:
    """A relation between exact numbers, which is never undecided."""
    return Outcome("holds" if true else "contradicted", claim, detail)


def _word(value: Enclosure, limit: Fraction) -> Word:
    return "contradicted" if value > limit else "holds" if value <= limit else "undecided"


def _against(value: Enclosure, limit: Fraction) -> str:
    number = f"{value.middle:.2g}" if value.middle < 1e-4 else f"{value.middle:.5f}"
    return f"{number} (above)" if value > limit else number


RUNS: tuple[Run, ...] = (
    Run(
        "public-cost",
        (
            "alon2019:lem-3.3",
            "alon2019:lem-3.3-eq1",
            "alon2019:thm-3.1",
        ),
        public_cost,
    ),
    Run(
        "private-cost",
        (
            "alon2019:thm-3.1",
            "alon2019:thm-kln",
        ),
        private_cost,
    ),
    Run(
        "infinite-classes",
        (
            "alon2019:thm-3.1",
            "alon2019:thm-4.3",
        ),
        infinite_classes,
    ),
    Run(
        "lower-against-upper",
        (
            "alon2019:thm-4.1",
            "alon2019:thm-4.2",
            "alon2019:obs-1.b",
        ),
        lower_against_upper,
    ),
    Run(
        "reduction-at-work",
        (
            "alon2019:lem-4.4",
            "alon2019:clm-4.6",
            "alon2019:clm-4.5",
        ),
        reduction_at_work,
    ),
    Run("exact-privacy", ("alon2019:lem-3.2",), exact_privacy),
    Run(
        "agnostic-realisable",
        (
            "alon2019:thm-3.1",
            "alon2019:lem-3.3",
        ),
        agnostic_realisable,
    ),
    Run(
        "numbers-in-the-reduction",
        (
            "alon2019:clm-4.6",
            "alon2019:lem-4.4",
        ),
        numbers_in_the_reduction,
    ),
)
"""In the order of the page: the headline claims 1, 2, 3, 4, 5, 6, 7 and 9 of the inventory."""

#: Entries of which there is nothing to run, with the reason.
NOT_RUN: Mapping[str, str] = {}
