"""Active learners: what their questions give away, how many labels they need, and the hard instance."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from dpcheck.claims import ApproxDP
from dpcheck.classes import GridThresholds
from dpcheck.learners.active import PrivateBinarySearch, WithTranscript
from dpcheck.learners.active.oracle import LabelOracle
from dpcheck.learners.beimel2015 import ExponentialLearner, GenericLearner, SubSampling, TranscriptWrapper
from dpcheck.learners.beimel2015.amplified import printed_entries, printed_sub_sampling_claim, shifted_rate
from dpcheck.learners.beimel2015.generic import ThresholdSanitiser
from dpcheck.learners.hard_instances.beimel2015 import RareThresholds, UniformThreshold, least_labels
from dpcheck.mechanisms.amplification import ball
from dpcheck.neighbours import EntryAndTranscript, Records, ReplaceOne
from dpcheck.reality.beimel2015.laws import (
    as_ball,
    largest_delta,
    largest_over_pairs,
    nats,
    pairs_of_laws,
    precisely,
)
from dpcheck.reality.beimel2015.outcomes import (
    EXACT,
    below,
    decided,
    exactly,
    interval,
    result,
    sampled,
    word_of_often,
)
from dpcheck.reality.model import Chart, Mark, Measurement, Outcome, Series, Shade, Table
from dpcheck.theorems.beimel2015.bounds import AMPLIFIED_LABELLED, BASE
from dpcheck.theorems.bounds import evaluate

_TENTH = Fraction(1, 10)


def _all(found: list[bool | None]) -> bool | None:
    return False if False in found else None if None in found else True


@precisely
def transcripts(seed: int, quick: bool) -> Measurement:
    """Headline claim 8: what hypothesis and questions lose together."""
    grid = GridThresholds(4)
    records = Records.labelled(features=[0, 1, 3] if quick else [0, 1, 2, 3], labels=[0, 1])
    bits = Records.labelled(features=[0, 1], labels=[0, 1])
    learners: tuple[tuple[str, Any, Records, int], ...] = (
        ("transcript wrapper (thm-5.5), 2 of 3 labels", TranscriptWrapper(ExponentialLearner(grid, 1), 2, 1), records, 3),
        ("SubSampling (alg-4), 1 label of 2 of 4", SubSampling(ExponentialLearner(grid, 1), 1, 1, 4), bits, 4),
        ("SubSampling, random part asked for", SubSampling(ExponentialLearner(grid, 1), 1, 1, 4, asked="random"), bits, 4),
        ("binary search, private hypothesis", PrivateBinarySearch(grid, 1), records, 3),
    )
    rows, facts = [], {}
    for name, learner, domain, size in learners:
        alone, pairs = largest_over_pairs(learner.distribution, ReplaceOne(domain, size))
        joint = WithTranscript(learner)
        relation = EntryAndTranscript(domain, size)
        together, _ = largest_over_pairs(joint.distribution, relation)
        delta, _ = largest_delta(joint.distribution, relation, ball(1).exp())
        facts[name] = alone, together, delta
        rows.append((name, f"{pairs:,}", f"{nats(alone):.4f}", "infinite" if together is None else f"{nats(together):.4f}",
                     f"{float(as_ball(delta)):.3g}"))  # fmt: skip
    wrapper, sub, search = facts[learners[0][0]], facts[learners[1][0]], facts[learners[3][0]]
    same = _same_law(learners[0][1], records, 3)
    return Measurement(
        "transcripts",
        "Questions give labels away",
        tuple(map(result, ("thm-5.5", "rem-5.a", "rem-5.2"))),
        "Four active learners of thresholds, each 1-private in its hypothesis: the exact loss of the hypothesis alone and of "
        "hypothesis and questions together, over all pairs of fully labelled samples of three or four entries that differ "
        "in one.",
        f"Alone all lose at most {max(float(row[2]) for row in rows):.4f}. With the questions the wrapper loses "
        f"{rows[0][3]}, SubSampling {rows[1][3]} (alone {rows[1][2]}), and binary search {rows[3][3]}: "
        f"its delta at epsilon 1 is {rows[3][4]}.",
        EXACT,
        (),
        (
            Table("Exact losses, base epsilon 1", ("learner", "pairs", "hypothesis", "with questions", "delta at epsilon 1"), tuple(rows)),
        ),
        (
            decided("thm-5.5", "a private semi-supervised learner that asks for the first m labels is transcript-private at the same "
                    "epsilon", None if wrapper[1] is None else below(as_ball(wrapper[1]), ball(1).exp()),
                    f"hypothesis and questions lose {nats(wrapper[1]):.4f} at epsilon 1 over {rows[0][1]} pairs", kind="privacy"),
            exactly("thm-5.5", "its questions are constant, and the law of the pair is that of the hypothesis", same,
                    "on every sample of the domain", kind="privacy"),
            exactly("rem-5.a", "active learners private by definition 5.3 need not be by 5.4", search[1] is None
                    and bool(as_ball(sub[1]) > as_ball(sub[0])),
                    f"binary search: {rows[3][2]} alone, {rows[3][3]} with its questions; SubSampling: {rows[1][2]} and {rows[1][3]}",
                    kind="privacy"),
            _by_index(),
        ),
    )  # fmt: skip


def _same_law(learner: TranscriptWrapper, records: Records, size: int) -> bool:
    """Whether the pair's law is the hypothesis's, the questions being (0, ..., m - 1)."""
    asked = tuple(range(learner.labelled))
    for left, _, one, _ in pairs_of_laws(learner.law_with_transcript, EntryAndTranscript(records, size)):
        alone = learner.distribution(left)
        if {h for h, _ in one} != set(alone.outputs) or {said for _, said in one} != {asked}:
            return False
    return True


def _by_index() -> Outcome:
    """rem-5.2: two entries with one point may get two labels."""
    oracle = LabelOracle([0, 1], most_labels=2)
    answers = oracle.ask(0), oracle.ask(1)
    return exactly("rem-5.2", "questions are by index: two entries of one point can have different labels", answers == (0, 1),
                   f"the oracle answers {answers} for two entries of one point, and its transcript is {oracle.transcript}")  # fmt: skip


# --- how many labels


@precisely
def labels(seed: int, quick: bool) -> Measurement:
    """Headline claim 7: labels against epsilon and alpha, for each notion of privacy."""
    epsilons = [10.0**-k for k in (0, 0.5, 1, 1.5, 2)]
    accuracy, failure = 0.01, 0.25
    boosted = [float((3 + math.e) / e * 96000 / accuracy * math.log(2240 / (accuracy * failure))) for e in epsilons]
    active = [boosted[0]] * len(epsilons)
    transcript = [least_labels(accuracy, failure, e) for e in epsilons]
    searched = [math.ceil(math.log2(math.ceil(math.log(4) / accuracy) + 1))] * len(epsilons)
    accuracies = [10.0**-k for k in (1, 1.5, 2, 2.5, 3)]
    rows = [
        (
            f"{a:g}", f"{(3 + math.e) * 96000 / a * math.log(2240 / (a * failure)):.3g}",
            f"{least_labels(a, failure, 0.1):.2f}", f"{math.exp(-0.2) / (16 * a):.2f}",
            str(math.ceil(math.log2(math.ceil(math.log(4) / a) + 1))),
        )
        for a in accuracies
    ]  # fmt: skip
    vacuous, deltas = [], (0.0, 1e-12, 1e-6)
    for delta, exponent in product(deltas, (3, 5, 7, 9)):
        vacuous.append((delta, 10**exponent, least_labels(0.001, 0.25, 0.1, delta, 10**exponent)))
    nothing = [(delta, n) for delta, n, m in vacuous if m <= 0]
    slope = float(np.polyfit(np.log(accuracies), np.log([least_labels(a, failure, 0.1) for a in accuracies]), 1)[0])
    held, sizes = _private_active_sizes()
    run = _sub_sampling_run(seed, quick)
    refuted, exact_pairs = _constant_for_every_delta()
    return Measurement(
        "labels",
        "Labels against epsilon: what each notion of privacy costs",
        tuple(map(result, ("thm-5.8", "thm-5.6", "clm-5.7", "int-4", "int-5", "cmp-4.a"))),
        "Labels that the theorems ask for thresholds at alpha = 0.01, beta = 1/4: the semi-supervised learner of thm-4.14, the "
        "private active learner of thm-5.8, the lower bound of thm-5.6 for learners whose questions are seen (its last "
        "inequality as printed), and binary search without privacy. Then SubSampling run at the sizes of clm-5.7.",
        f"From epsilon = 1 to 0.01 thm-4.14's labels grow by {boosted[-1] / boosted[0]:.0f}, thm-5.8's by "
        f"{active[-1] / active[0]:.0f}; thm-5.6 says at least {transcript[0]:.2f} to {transcript[-1]:.2f}. In alpha its slope is "
        f"{slope:.3f}. Of {len(vacuous)} settings of delta and n its bound is below 1 label at "
        f"{sum(m < 1 for _, _, m in vacuous)}, and negative at {len(nothing)}.",
        EXACT + " The runs of SubSampling: their number was fixed before, a claim holds at level 1e-3.",
        (
            Chart(
                "labels-epsilon", "Labels against epsilon, alpha = 0.01, beta = 1/4", "epsilon", "labels m",
                (
                    Series("thm-4.14 (semi-supervised)", "bound", 0, tuple(epsilons), tuple(boosted)),
                    Series("thm-5.8 (private active)", "bound", 1, tuple(epsilons), tuple(active)),
                    Series("thm-5.6: at least (questions private)", "bound", 2, tuple(epsilons), tuple(transcript)),
                    Series("binary search, not private", "bound", 3, tuple(epsilons), tuple(map(float, searched))),
                ),
                y_log=True, alt="thm-4.14 falls with epsilon, the others are flat.",
            ),
            Chart(
                "labels-delta", "The bound of thm-5.6 at alpha = 0.001, epsilon = 0.1", "examples n", "labels m",
                tuple(
                    Series(f"delta = {delta:g}", "bound", colour, tuple(float(n) for d, n, _ in vacuous if d == delta),
                           tuple(max(m, 0.0) for d, _, m in vacuous if d == delta))
                    for colour, delta in enumerate(deltas)
                ),
                shades=(Shade("says nothing: below one label", y=(None, 1.0)),),
                alt="For delta = 0 the bound is flat at 28, for delta = 1e-6 it is 0 from some n on.",
            ),
        ),
        (
            Table("Labels against alpha, beta = 1/4, epsilon = 0.1 (thm-5.8: independent of epsilon)",
                  ("alpha", "thm-5.8", "thm-5.6 at least, as printed", "e^(-2 epsilon)/(16 alpha), repaired", "binary search"), tuple(rows)),
            Table("SubSampling of a learner with epsilon* = 1 and n = 1000", ("epsilon", "t", "loss at most", "delta, times", "proof's", "statement's"), sizes),
        ),
        (
            decided("thm-5.8", "as repaired, for epsilon at most 1: t = O(n/epsilon) examples, the labels do not depend on epsilon or "
                    "delta, and the result is (epsilon, ((7+e)/(3+e^2)) epsilon delta)-private", held,
                    f"at {len(sizes)} values of epsilon, the exact formula at the rounded t", kind="privacy"),
            exactly("int-5", "under definition 5.3 the labels do not depend on the privacy parameters", len(set(active)) == 1,
                    f"m = {active[0]:.3g} for epsilon = 0.01 to 1", kind="order"),
            exactly("cmp-4.a", "the labels of thm-4.14 do not depend on delta", "delta" not in AMPLIFIED_LABELLED.domain,
                    f"the size has the variables {', '.join(sorted(set(AMPLIFIED_LABELLED.domain) - {'labelled'}))}", kind="order"),
            exactly("int-4", "questions that are private cost a factor 1/alpha: the printed bound at delta = 0 is proportional to it",
                    abs(slope + 1) < 1e-6, f"log-log slope {slope:.6f} in alpha", kind="order"),
            *run,
            _fails_for_large_epsilon(),
            refuted, exact_pairs,
            Outcome("says nothing", "thm-5.6: the printed bound with delta > 0 at alpha = 0.001, epsilon = 0.1, beta = 1/4",
                    "negative at " + ", ".join(f"delta = {d:g}, n = {n:.0e}" for d, n in nothing) if nothing else "nowhere negative",
                    result("thm-5.6"), "lower bound"),
        ),
        trials=sum(each.trials for each in run),
    )  # fmt: skip


def _private_active_sizes() -> tuple[bool | None, tuple[tuple[str, ...], ...]]:
    """clm-5.7 at epsilon* = 1, by the exact formula, at the rounded t."""
    found: list[bool | None] = []
    rows = []
    for epsilon in (Fraction(1), _TENTH, Fraction(1, 100)):
        claim = ApproxDP(1.0, Fraction(1, 10**9))
        whole = printed_entries(1000, epsilon, claim, steps=2)
        rate = shifted_rate(Fraction(1000, whole), claim)
        loss = (1 + ball(rate) * (ball(1).exp() - 1)).log()
        factors = [float(printed_sub_sampling_claim(claim, epsilon, version).delta_value * 10**9)  # type: ignore[union-attr, arg-type]
                   for version in ("proof", "statement")]  # fmt: skip
        found += [below(loss, ball(epsilon)), float(rate) <= min(factors)]
        rows.append((f"{float(epsilon):g}", f"{whole:,}", f"{float(loss):.4g}", f"{float(rate):.4g}", f"{factors[0]:.4g}", f"{factors[1]:.4g}"))
    return _all(found), tuple(rows)


def _sub_sampling_run(seed: int, quick: bool) -> list[Outcome]:
    """clm-5.7: the active learner is as accurate as the one inside, at its own t."""
    family = GridThresholds(1 << 10, "down")
    accuracy = failure = _TENTH
    base = int(evaluate(BASE, accuracy=accuracy, failure=failure, epsilon=1, hypotheses=family.size))
    found, rng, trials = [], np.random.default_rng(seed), 70
    for epsilon in (Fraction(1),) if quick else (Fraction(1), _TENTH):
        learner = SubSampling(ExponentialLearner(family, 1), base, 0, epsilon=epsilon)
        failures = 0
        for trial in range(trials):
            law = UniformThreshold(10, 1 << (9 - 3 * (trial % 2)))
            failures += law.error(learner(law.draw(learner.size, rng), rng)) > accuracy
        found.append(
            sampled("clm-5.7", f"within its region SubSampling is an (0.1, 0.1, {float(epsilon):g}) private active learner: the exponential "
                    f"mechanism of epsilon* = 1 over 1025 thresholds, m = n = {base}, t = {learner.size:,}", failures, trials,
                    failure, learner="beimel2015.sub_sampling", size=float(learner.size))
        )  # fmt: skip
    return found


def _fails_for_large_epsilon() -> Outcome:
    """thm-5.8 as printed for every epsilon: one example."""
    functions = list(product((0, 1), repeat=4))
    least = min(
        Fraction(sum(sum(a != b for a, b in zip(h, c, strict=True)) for c in functions if c[x] == y), 4 * 8)
        for x, y, h in product(range(4), (0, 1), functions)
    )
    lam = 11
    alpha = Fraction(1, 16 * lam)
    return exactly(
        "thm-5.8", "as printed, for every epsilon: at epsilon = C n one example is left, and error above lambda alpha has probability "
        "at most lambda beta (alpha = beta = 1/(16 lambda))", least <= 2 * lam * alpha,
        f"all functions on four uniform points: the mean error is at least {least} whatever is answered, {2 * lam * alpha} would be allowed",
        kind="upper bound", expected="thm-5.8, the statement: O(n/epsilon) examples are too few for large epsilon; it holds for epsilon at most 1",
    )  # fmt: skip


class SearchInPart:
    """Binary search, without noise, in a random part of a sample: (0, part / whole)-private, questions included.

    Source: the errata of beimel2015:thm-5.6.
    """

    def __init__(self, drawn: int) -> None:
        self.drawn = drawn

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """The law of (threshold, questions), in fractions."""
        points, labels = list(dataset.x), list(dataset.y)
        found: dict[Any, Fraction] = {}
        parts = list(combinations(range(len(points)), self.drawn))
        for part in parts:
            order = sorted(part, key=lambda i: points[i])
            low, high, asked = 0, len(order), []
            while low < high:
                middle = (low + high) // 2
                asked.append(order[middle])
                low, high = (low, middle) if not labels[order[middle]] else (middle + 1, high)
            threshold = points[order[low]] if low < len(order) else math.inf
            key = threshold, tuple(asked)
            found[key] = found.get(key, Fraction(0)) + Fraction(1, len(parts))
        return found


def _constant_for_every_delta() -> tuple[Outcome, Outcome]:
    """thm-5.6 as printed, for every delta: binary search in a random part."""
    drawn, whole = 2, 4
    learner = SearchInPart(drawn)
    relation = EntryAndTranscript(Records.labelled(features=[0, 1, 2], labels=[0, 1]), whole)
    delta, pairs = largest_delta(learner.distribution, relation, Fraction(1))
    accuracies = [Fraction(1, 1 << k) for k in (6, 12, 24, 48)]
    rows = []
    for alpha in accuracies:
        size = math.ceil(math.log(4) / alpha) if alpha > Fraction(1, 1 << 40) else math.ceil(Fraction(1386294362, 10**9) / alpha)
        rows.append((alpha, size, (size + 1 - 1).bit_length()))
    first_fails = (1 - accuracies[0]) ** rows[0][1]
    quotients = [labels * alpha for alpha, _, labels in rows]
    refuted = exactly(
        "thm-5.6", "as printed, for every delta: m = Omega(1/alpha)", quotients[-1] >= quotients[0] / 1000,
        "binary search in a random part of half the sample is (0, 1/2)-private, questions included, and misses alpha with probability "
        f"at most (1 - alpha)^t = {float(first_fails):.4f} at alpha = 1/64; m alpha is "
        + ", ".join(f"{float(q):.2g}" for q in quotients) + " at alpha = " + ", ".join(f"2^-{a.denominator.bit_length() - 1}" for a in accuracies),
        kind="lower bound", expected="thm-5.6, the statement: the bound says nothing where n delta is above e^(-2 epsilon)/(9 alpha)",
    )  # fmt: skip
    exact = exactly(
        "thm-5.6", "the learner that refutes it is what it is said to be: (0, drawn/all)-private with its questions, and right to alpha "
        "with probability 3/4", delta <= Fraction(drawn, whole) and first_fails <= Fraction(1, 4),
        f"delta = {delta} at epsilon 0 over all {pairs:,} pairs of samples of {whole} entries, {drawn} of them drawn", kind="privacy",
    )  # fmt: skip
    return refuted, exact


# --- the hard instance


@precisely
def hard_instance(seed: int, quick: bool) -> Measurement:
    """thm-5.6: the learners on rare thresholds, with fewer labels than the bound."""
    bits, accuracy, failure, epsilon = 11, Fraction(1, 1024), 0.25, _TENTH
    hard = RareThresholds(bits, accuracy)
    bound = least_labels(accuracy, failure, epsilon)
    repaired = math.exp(-2 * float(epsilon)) / (16 * float(accuracy))
    family = GridThresholds(1 << bits, "down")
    trials = 150 if quick else 600
    rng = np.random.default_rng(seed)
    sizes = (1, 4, 16, math.ceil(bound) - 1)
    rows, outcomes, series = [], [], []

    def fails(learner: Any, examples: int, times: int) -> int:
        missed = 0
        for _ in range(times):
            law = hard.draw_instance(rng)
            missed += law.error(learner(law.draw(examples, rng), rng)) > accuracy
        return missed

    base = ExponentialLearner(family, epsilon)

    def wrapped(m: int) -> tuple[Any, int]:
        return TranscriptWrapper(base, m, 0), m

    def part(m: int) -> tuple[Any, int]:
        return SubSampling(base, m, 0, examples=8 * m), 8 * m

    def generic(m: int) -> tuple[Any, int]:
        inner = GenericLearner(family, ThresholdSanitiser(1 << bits, epsilon, 8), epsilon)
        return TranscriptWrapper(inner, m, 200), m + 200

    kinds: tuple[tuple[str, Any, int], ...] = (
        ("transcript wrapper of the exponential mechanism", wrapped, trials),
        ("SubSampling, its questions seen", part, trials),
        ("transcript wrapper of GenericLearner", generic, trials // 3),
    )
    for colour, (name, make, times) in enumerate(kinds):
        counts = []
        for m in sizes:
            learner, examples = make(m)
            counts.append(fails(learner, examples, times))
        level = 0.05 / (len(kinds) * len(sizes))
        bands = [interval(c, times, level) for c in counts]
        series.append(Series(name, "measured", colour, tuple(map(float, sizes)), tuple(c / times for c in counts),
                             tuple(b[0] for b in bands), tuple(b[1] for b in bands), (times,) * len(sizes)))  # fmt: skip
        word, wrong = word_of_often(counts[-1], times, failure)
        rows.append((name, f"{float(epsilon):g}", *(f"{c} of {times}" for c in counts)))
        outcomes.append(
            Outcome(word, f"thm-5.6: {name} with m = {sizes[-1]} labels, below {bound:.2f}, fails with probability at least 1/4 on some "
                    "target of B", f"{counts[-1]} of {times} runs failed over targets drawn from B (alpha = 1/1024, epsilon = 0.1, delta = 0)",
                    result("thm-5.6"), "lower bound", learner=name, size=bound, level=wrong, trials=times)
        )  # fmt: skip
    search = PrivateBinarySearch(family, 50)
    points = 4096
    missed = fails(search, points, trials // 3)
    asked = search.most_labels(points)
    word, wrong = word_of_often(missed, trials // 3, failure)
    two = _two_targets(accuracy, epsilon, repaired)
    return Measurement(
        "hard-instance",
        "The hard instance for learners whose questions are seen",
        (result("thm-5.6"), result("int-4")),
        f"Points uniform on 2^{bits}, the target uniform on B, the {hard.largest} lowest: alpha = 1/1024, beta = 1/4, epsilon = 0.1, "
        f"delta = 0. The bound is {bound:.2f} labels as printed, {repaired:.2f} as repaired. Every learner of ours whose questions "
        "are private is run with fewer.",
        f"With {sizes[-1]} labels they fail in " + ", ".join(row[-1] for row in rows) + " runs. Binary search, whose questions are private "
        f"for no epsilon, asks for {asked} labels of {points:,} points and fails in {missed} of {trials // 3}: of it the theorem does not "
        "speak.",
        f"Numbers of runs were fixed before; all {len(kinds) * len(sizes)} intervals hold together with probability 95%.",
        (
            Chart(
                "hard", "Failure on the hard instance", "labels m", "probability of error above alpha", tuple(series),
                (Mark("beta = 1/4", y=failure, colour=5), Mark("bound as printed", x=bound, colour=6),
                 Mark("bound as repaired", x=repaired, colour=7)), y_range=(0, 1.05),
                alt="All learners fail nearly always below the bound.",
            ),
        ),
        (Table("Failures on rare thresholds", ("learner", "epsilon", *(f"m = {m}" for m in sizes)), tuple(rows)),),
        (*outcomes, two),
        left_out=f"Binary search with a private hypothesis ({asked} labels, {missed} of {trials // 3} runs failed) is not transcript-private.",
        trials=trials * len(sizes) * len(kinds),
    )  # fmt: skip


def _two_targets(accuracy: Fraction, epsilon: Fraction, repaired: float) -> Outcome:
    """thm-5.6 as repaired: two targets that differ on a point of mass 2 alpha, exactly for the wrapper."""
    m = math.ceil(repaired) - 1
    unseen = (1 - 2 * accuracy) ** m  # no label of the point
    return exactly(
        "thm-5.6", f"as repaired: with m = {m} labels, below e^(-2 epsilon)/(16 alpha) = {repaired:.2f}, any learner that asks for the first "
        "m labels fails with probability above 1/4 for one of two targets that differ on a point of mass 2 alpha",
        unseen / 2 > Fraction(1, 4), f"with probability {float(unseen):.4f} no label of that point is seen, and then one of the two is "
        f"missed at least half the time: {float(unseen / 2):.4f}, as a fraction", kind="lower bound",
    )  # fmt: skip

