"""Random parts, draws with replacement, active subsampling and groups: exact losses beside the printed constants."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product, starmap
from typing import Any

from dpcheck.claims import PureDP
from dpcheck.classes import GridThresholds
from dpcheck.data import Labelled
from dpcheck.learners.active import WithTranscript
from dpcheck.learners.beimel2015 import ExponentialLearner, IndependentResampling, SubSampling, UniformSubsampling
from dpcheck.learners.beimel2015.amplified import RESAMPLED_FACTOR, RESAMPLED_RATIO, printed_entries, shifted_rate
from dpcheck.learners.beimel2015.label_count import NoisyLabelCount
from dpcheck.mechanisms.amplification import ball, resampled_claim
from dpcheck.neighbours import Records, ReplaceEntry, ReplaceOne
from dpcheck.neighbours.enumeration import all_pairs
from dpcheck.reality.beimel2015.laws import (
    as_ball,
    at_distance,
    delta_at,
    largest,
    largest_delta,
    largest_over_pairs,
    largest_ratio,
    nats,
    precisely,
    probabilities,
)
from dpcheck.reality.beimel2015.mechanisms import InOrder, Powers, Presence
from dpcheck.reality.beimel2015.outcomes import EXACT, below, decided, exactly, result
from dpcheck.reality.model import Chart, Mark, Measurement, Outcome, Series, Table

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
                str(n), f"{float(epsilon):g}", f"ln {ratio}", str(whole), str(pairs), f"{nats(found):.5f}",
                f"{nats(exact):.5f}", f"{float(as_ball(at_epsilon)):.3g}", f"{float(printed_delta):.3g}",
            )
        )  # fmt: skip
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
                ("n", "epsilon", "epsilon*", "t", "pairs", "loss", "log(1 + (n/t)(e^epsilon* - 1))",
                 "delta at epsilon", "printed delta"),
                tuple(rows),
            ),
        ),
        (
            decided(
                "clm-4.3", "a random part of the printed size is epsilon-private: pure epsilon* to epsilon",
                _all(ratios_hold), f"the largest loss over all pairs at {len(settings)} settings, fractions",
                kind="privacy",
            ),
            decided(
                "clm-4.3", "delta becomes at most 4 epsilon delta / (3 + e^epsilon*)", _all(deltas_hold),
                f"the largest delta at e^epsilon over all pairs at {len(settings)} settings", kind="privacy",
            ),
            exactly(
                "clm-4.3", "the exact formula log(1 + (n/t)(e^epsilon* - 1)) with delta n/t is attained",
                all(attained), "equality of fractions at every setting", kind="privacy",
            ),
            in_order,
        ),
    )  # fmt: skip


def _all(found: list[bool | None]) -> bool | None:
    if any(each is False for each in found):
        return False
    return None if any(each is None for each in found) else True


def _in_order() -> Outcome:
    """rem-4.4: an algorithm that looks at the order, with and without the shuffle."""
    ratio, drawn, whole = Fraction(3), 2, 3
    relation = ReplaceEntry(Records.labelled(features=[0, 1, 2], labels=[0]), whole, whole)
    losses = {}
    for order in ("random", "sorted"):
        learner = UniformSubsampling(
            InOrder(ratio), drawn, 0, of_labelled=whole, of_unlabelled=0, order=order  # type: ignore[arg-type]
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
        "An algorithm of epsilon = log 2.7 that says yes with a probability proportional to 2.7^k, k the labels 1 it is "
        "given, is run on n draws with replacement from n records: no algorithm loses more. Its law is computed as "
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
                    Series(
                        "n log(1 + (e - 1)/n), epsilon = 1", "bound", 1, tuple(map(float, many)), tuple(general)
                    ),
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
            ),
            exactly(
                "clm-4.5",
                "delta grows by a factor of at most 2467",
                all(delta_held),
                f"largest factor {max(float(row[4]) for row in rows):.4f} for n = {sizes[0]} to {sizes[-1]}, fractions",
                kind="privacy",
            ),
            exactly(
                "clm-4.5",
                "the exact formula (1 + (e^epsilon - 1)/n)^n is attained",
                all(attained),
                f"equality of fractions for n = {sizes[0]} to {sizes[-1]}",
                kind="privacy",
            ),
        ),
    )


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
    from dpcheck.reality.beimel2015.two_bits import TwoBits

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
        laws = {name: _laws(method, pairs) for name, method in (
            ("alone", learner.distribution), ("leaking", leaking.distribution), ("seen", joint.distribution))}  # fmt: skip
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
            (f"{float(epsilon):g}", str(whole), str(len(pairs)), f"{nats(found):.4f}", f"{nats(shifted):.4f}",
             f"{nats(seen):.4f}", f"{float(as_ball(delta)):.3g}", f"{float(printed):.3g}")
        )  # fmt: skip
    beyond = _one_example()
    largest_star = _statement_reaches()
    return Measurement(
        "active-subsampling",
        "SubSampling: its hypothesis gains privacy, its questions lose it again",
        (result("clm-5.7"), result("rem-5.a")),
        "An algorithm of two bits, one of its labelled entry and one of the other, each told with odds 3 to 1, is made "
        "active: n = 2 of t examples are drawn, one label is asked for. The laws are fractions, on every pair of samples "
        "alike but for one entry. Then clm-5.7 where its t is smaller than n: with epsilon so large one example is left.",
        f"At the printed t the hypothesis loses {', '.join(row[3] for row in rows)} where epsilon = "
        f"{', '.join(row[0] for row in rows)} is promised; with the questions seen it is "
        + ("log 3 whatever t is: nothing is gained" if all(seen_kept) else f"{', '.join(row[5] for row in rows)}")
        + f". The delta of the statement (7 + epsilon*) is no less than the exact one up to epsilon* = {largest_star:.3f}. "
        + beyond.detail
        + ".",
        EXACT,
        (),
        (
            Table(
                "SubSampling of two bits, epsilon* = log 3, n = 2, one label",
                ("epsilon", "t", "pairs", "loss", "formula", "loss, questions seen", "delta at epsilon", "printed delta"),
                tuple(rows),
            ),
        ),
        (
            decided(
                "clm-5.7", "within its region (epsilon at most 3 + e^(2 epsilon*)) the hypothesis is epsilon-private",
                _all(kept), f"largest losses {', '.join(row[3] for row in rows)}", kind="privacy",
            ),
            decided(
                "clm-5.7", "within its region delta is at most the statement's (7 + epsilon*)/(3 + e^(2 epsilon*)) epsilon "
                "delta", _all(deltas_kept), f"{rows[0][6]} at most against {rows[0][7]} at epsilon = {rows[0][0]}",
                kind="privacy",
            ),
            exactly(
                "clm-5.7", "as repaired: 1 + r (e^epsilon* - 1) and r delta, r = (n/t) e^epsilon* / (1 + (n/t)(e^epsilon* "
                "- 1)), bound loss and delta", all(formula_kept), "fractions, at every setting", kind="privacy",
            ),
            beyond,
            exactly(
                "rem-5.a", "SubSampling is private by definition 5.3 and not by 5.4: with its questions only epsilon* is left",
                all(seen_kept), f"loss with the questions: {', '.join(row[5] for row in rows)} (log 3 = {math.log(3):.4f})",
                kind="privacy",
            ),
        ),
        "" if all(each is not None for each in lost) else "Some comparisons of the loss with the questions overlap.",
    )  # fmt: skip


def _one_example() -> Outcome:
    """clm-5.7 for every epsilon, with t = 1 example: all functions on four uniform points, every learner."""
    functions = list(product((0, 1), repeat=4))
    best = Fraction(0)  # averaged over targets and examples, the best chance of a hypothesis within 1/16
    for x, y in product(range(4), (0, 1)):
        agreeing = [c for c in functions if c[x] == y]
        hits = max(sum(1 for c in agreeing if sum(a != b for a, b in zip(h, c, strict=True)) * 16 <= 4) for h in functions)
        best += Fraction(hits, len(agreeing) * 8)
    failing = 1 - best
    return exactly(
        "clm-5.7",
        "as printed, for every epsilon: at epsilon = n (3 + e^(2 epsilon*)) a (1/16, 1/16) learner of all functions on four "
        "points from t = 1 example",
        failing <= Fraction(1, 16),
        f"of all learners of one example the best fails with probability {failing} on average over the 16 targets, "
        "and 1/16 is claimed",
        kind="privacy",
        expected="clm-5.7, the statement: beyond epsilon = 3 + e^(2 epsilon*) the pool t is smaller than the n drawn from it",
    )


def _statement_reaches() -> float:
    """Up to which epsilon* the statement's ``7 + epsilon*`` is at least ``e^epsilon*``, which the repair needs."""
    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if math.exp(middle) <= 7 + middle else (low, middle)
    return low


@precisely
def groups(seed: int, quick: bool) -> Measurement:
    """Group privacy of finite algorithms at distances 1 to 4."""
    size, most = 4, 4
    epsilon = Fraction(1, 2)
    grid = GridThresholds(3)
    learners: tuple[tuple[str, Any, Records, Any], ...] = (
        ("exponential mechanism over thresholds (alg-5)", ExponentialLearner(grid, epsilon),
         Records.labelled(features=[0, 2], labels=[0, 1]), ball(epsilon).exp()),
        ("noisy label count", NoisyLabelCount(epsilon), _BITS, ball(epsilon).exp()),
        ("randomised response on a label, ratio 5/3", Presence(Fraction(5, 3)), _BITS, Fraction(5, 3)),
    )  # fmt: skip
    rows, outcomes, series = [], [], []
    for colour, (name, learner, records, ratio) in enumerate(learners):
        listed = all_pairs(ReplaceOne(records, size), order_blind=True)
        datasets = listed.datasets()
        laws = [probabilities(learner.distribution(dataset)) for dataset in datasets]
        found = at_distance(datasets, laws, _replaced, most)
        held = []
        for k in range(1, most + 1):
            # where a bound is attained in balls the enclosures overlap: then what is above is below 2^-100 of it
            limit = ratio**k
            true = found[k] <= limit if isinstance(limit, Fraction) else bool(as_ball(found[k]) <= limit * (1 + ball(Fraction(1, 2**90))))
            held.append(true)
        losses = [nats(found[k]) for k in range(1, most + 1)]
        single = nats(ratio)
        series.append(Series(name, "exact", colour, tuple(map(float, range(1, most + 1))), tuple(v / single for v in losses)))
        rows.append((name, str(len(datasets)), *(f"{v:.4f}" for v in losses), f"{single:.4f}"))
        outcomes.append(
            exactly(
                "def-2.1", f"{name}: k records replaced cost at most k epsilon, k = 1 to {most}", all(held),
                f"largest losses {', '.join(f'{v:.4f}' for v in losses)} over all pairs of {len(datasets)} databases of "
                f"{size} records; epsilon = {single:.4f}"
                + ("" if isinstance(ratio, Fraction) else "; compared to within 2^-90"),
                kind="privacy",
            )
        )  # fmt: skip
    outcomes.append(_group_delta(size, most))
    return Measurement(
        "groups",
        "Several records at once: k epsilon is the price, and is reached",
        (result("def-2.1"),),
        f"Databases of {size} records, as multisets; the largest loss between any two that differ in k records, from the "
        "declared laws of three finite algorithms, in units of the loss of one record.",
        f"At k = {most} the losses are " + ", ".join(f"{s.y[-1]:.3g}" for s in series) + f" times epsilon, of {most} allowed.",
        EXACT,
        (
            Chart(
                "groups", "Loss against the number of records replaced", "records k", "loss in units of epsilon",
                (*series, Series("k", "bound", 4, tuple(map(float, range(1, most + 1))), tuple(map(float, range(1, most + 1))))),
                x_log=False,
                alt="Losses grow with k and stay at or below the line k; one of the algorithms is on it.",
            ),
        ),
        (
            Table(
                "Largest loss at distance k",
                ("algorithm", "databases", *(f"k = {k}" for k in range(1, most + 1)), "epsilon"), tuple(rows),
            ),
        ),
        tuple(outcomes),
    )  # fmt: skip


def _group_delta(size: int, most: int) -> Outcome:
    """Delta of a group: delta (R^k - 1)/(R - 1) at R^k."""
    ratio, delta = Fraction(5, 3), Fraction(1, 50)
    learner = Presence(ratio, delta)
    listed = all_pairs(ReplaceOne(_BITS, size), order_blind=True)
    datasets = listed.datasets()
    laws = [probabilities(learner.distribution(dataset)) for dataset in datasets]
    found = {k: Fraction(0) for k in range(1, most + 1)}
    for i, one in enumerate(datasets):
        for j, other in enumerate(datasets[:i]):
            k = _replaced(one, other)
            if 1 <= k <= most:
                found[k] = largest([found[k], delta_at(laws[i], laws[j], ratio**k)])
    true = all(found[k] <= delta * (ratio**k - 1) / (ratio - 1) for k in found)
    return exactly(
        "def-2.1",
        f"an (epsilon, delta) algorithm is (k epsilon, delta (e^(k epsilon) - 1)/(e^epsilon - 1)) for k records, k = 1 to {most}",
        true,
        "delta at e^(k epsilon), as fractions: " + ", ".join(str(found[k]) for k in found),
        kind="privacy",
    )


def _replaced(one: Any, other: Any) -> int:
    """How many records of a multiset must be replaced to get the other."""
    left, right = (list(zip(each.x, each.y, strict=True)) for each in (one, other))
    for record in left:
        if record in right:
            right.remove(record)
    return len(right)
