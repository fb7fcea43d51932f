"""What changed: each quantity of a baseline against fresh calls, by an exact test at a level of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dpcheck.history.answer_kinds import OTHERS, gives_nothing, table_of_kinds
from dpcheck.history.baseline import Cost, Entry, ExactLoss, Privacy, RiskCounts, View
from dpcheck.history.cost import LEAST_BLOCKS, MARGIN
from dpcheck.history.distinguishers import BEST_GUESS, FARTHEST, ITSELF, ONE_ONLY, OUTERMOST
from dpcheck.history.privacy import Counted, event_words
from dpcheck.history.two_sample import (
    POWER,
    Drift,
    detectable_shift,
    drift,
    drift_of_histograms,
    fewest_p,
    permutation_test,
    ranked_higher,
    risen,
)
from dpcheck.history.views import table_of
from dpcheck.model.bounds_shown import at_least

Integers = NDArray[np.int64]

#: The level of each quantity, unless told otherwise: the contract's for audits.
ALPHA = 1e-6
#: Losses computed from the same law may differ by the rounding of logarithms on another machine, relative.
EXACT_SLACK = 2.0**-40
#: Of an answer that comes in such a share of the calls on one dataset it is said how many calls it takes, where that is
#: less than so many times as many.
RARE, MOST_TIMES = 1e-3, 1e3


class Kind(StrEnum):
    """What a comparison of one quantity says; the value is the word that the user reads."""

    WORSE = "worse"
    CHANGED = "changed"
    INCONCLUSIVE = "inconclusive"
    BETTER = "better"
    UNCHANGED = "no change shown"
    NOT_COMPARED = "not compared"

    @property
    def meaning(self) -> str:
        """The one sentence that says what it means."""
        return _MEANINGS[self]


_MEANINGS = {
    Kind.WORSE: "The learner leaks more, errs more, gives no answer more often or costs more than the baseline says.",
    Kind.CHANGED: "The learner does something else than the baseline says; that it is worse is not shown.",
    Kind.INCONCLUSIVE: "Time allowed for so few calls that no change, however large, could be shown: give it more.",
    Kind.BETTER: "The learner leaks less, errs less, answers more often or costs less; dpcheck record keeps it.",
    Kind.UNCHANGED: "Calls of now and of then can come of the same law; this is no proof that they do.",
    Kind.NOT_COMPARED: "The two cannot be compared, and the line says why.",
}


class State(StrEnum):
    """What became of an entry; the value is the phrase that the user reads."""

    COMPARED = "compared"
    NEW = "new: written, review and commit it"
    NOT_PRODUCED = "nothing produces it any more: dpcheck record --prune drops it"
    FAILED = "could not be measured"


@dataclass(frozen=True)
class Change:
    """One quantity: before, now, and the p-value of the test at ``level`` (0 and NaN where nothing is sampled)."""

    quantity: str
    kind: Kind
    before: float
    now: float
    p_value: float
    level: float
    sentence: str


@dataclass(frozen=True)
class Compared:
    """One entry: ``problem`` says why it could not be measured; ``fresh`` is what was measured where it is new."""

    name: str
    state: State
    changes: tuple[Change, ...] = ()
    problem: str = ""
    trouble: str = ""
    fresh: Entry | None = None
    seconds: float = 0.0

    @property
    def level(self) -> float:
        """The sum of the levels: it bounds the probability that an unchanged learner is said to have changed."""
        return sum(change.level for change in self.changes)

    def of_kind(self, *kinds: Kind) -> tuple[Change, ...]:
        """The changes of these kinds."""
        return tuple(change for change in self.changes if change.kind in kinds)


@dataclass(frozen=True)
class Comparison:
    """All entries of one run of ``compare``."""

    results: tuple[Compared, ...]
    alpha: float
    seed: int
    strict: bool = False
    argv: tuple[str, ...] = ()
    path: str = ""
    allow_inconclusive: bool = False

    @property
    def level(self) -> float:
        """The sum of all levels of the run."""
        return sum(result.level for result in self.results)


def compare_privacy(before: Privacy, again: Counted, level: float, cut_at: float | None = None) -> tuple[Change, ...]:
    """How well the two datasets are told apart, which kinds of answers there are, and the outputs themselves.

    Outputs that are a bijection of those of then (shifted, negated, relabelled) are another law that tells as much:
    they have changed, and nothing is worse.

    Parameters
    ----------
    before : Privacy
        Of the baseline.
    again : Counted
        Fresh calls.
    level : float
        Of each quantity.
    cut_at : seconds, optional
        The time limit into which no more calls fitted, where that ended them.
    """
    sums = {one.what: one.sums for one in before.told}
    told = _advantage(sums.get(BEST_GUESS, ()), again.sums[BEST_GUESS], before.block_calls, level)
    rare = _given_away(sums, again.sums, before.block_calls, level, cut_at)
    kinds = _kinds(before.kinds, again, level)
    return told, rare, kinds, _outputs(before, again.tables, level, {told.kind, rare.kind})


def _too_few(quantity: str, before: int, now: int, level: float) -> Change | None:
    """Where so few blocks were made that no change, however large, could be shown."""
    if before and now and fewest_p(before, now) <= level:
        return None
    enough = before > 0 and fewest_p(before, before) <= level  # as many as the baseline has would do
    what = "compare it with more of max-seconds" if enough else "record it again with more of max-seconds"
    sentence = (
        f"{quantity} was counted in {before} blocks of calls, and now in {now}, too few to show any change at "
        f"{level:g}: {what}"
    )
    kind = Kind.INCONCLUSIVE if enough else Kind.NOT_COMPARED
    return Change(quantity, kind, math.nan, math.nan, math.nan, 0.0, sentence)


def _advantage(then: Sequence[int], now: Sequence[int], calls: int, level: float) -> Change:
    """Right guesses less wrong ones, each version guessed by rules of its own: an exact permutation test of blocks."""
    quantity = "distinguishing advantage"
    few = _too_few(quantity, len(then), len(now), level)
    if few is not None:
        return few
    test = permutation_test(then, now)
    old, new = _mean(then, calls), _mean(now, calls)
    p_value = f"p = {_p(test.p_value)}"
    right = f"{0.5 + 0.5 * old:.4g} and now {0.5 + 0.5 * new:.4g} of the best guesses are right"
    if test.has_risen(level) or test.has_fallen(level):
        kind, verb = (Kind.WORSE, "rose") if test.has_risen(level) else (Kind.BETTER, "fell")
        sentence = f"{quantity} {verb} from {old:.4g} to {new:.4g}, {p_value}: {right}"
        return Change(quantity, kind, old, new, test.p_value, level, sentence)
    caught = old + detectable_shift(then, len(now), level) / calls
    told = f"a rise to {caught:.3g}" if caught < 1.0 else "not even a rise to 1" if old < 1.0 else ""
    would = f"; {told} would be caught" if told else ""
    sentence = f"{quantity} {old:.4g}, now {new:.4g}, {p_value}{would}"
    return Change(quantity, Kind.UNCHANGED, old, new, test.p_value, level, sentence)


def _mean(sums: Sequence[int], calls: int) -> float:
    return sum(sums) / (len(sums) * calls)


#: What gives a record away however seldom it comes, and the words for it.
_GIVEN_AWAY = {
    ITSELF: "outputs that came again, and of one dataset only",
    ONE_ONLY: "outputs, sums or differences of their numbers that came again, and of one dataset only",
    OUTERMOST: "outermost numbers, nearly all of one dataset",
    FARTHEST: "the numbers farthest out, all of one dataset",
}


def _given_away(
    then: Mapping[str, Sequence[int]],
    now: Mapping[str, Sequence[int]],
    calls: int,
    level: float,
    cut_at: float | None,
) -> Change:
    """Rare outputs that are all but surely of one dataset: an equal part of the level for each way to see them."""
    part = level / len(_GIVEN_AWAY)
    quantity = "share that gives a record away"
    tests, few = {}, None
    for what in _GIVEN_AWAY if not then else [what for what in _GIVEN_AWAY if what in then]:
        few = few or _too_few(quantity, len(then.get(what, ())), len(now[what]), part)
        tests[what] = permutation_test(then.get(what, ()), now[what])
    if few is not None:
        return few
    rises = {what: test.rose for what, test in tests.items()}
    falls = {what: test.fell for what, test in tests.items()}
    p_value = min(1.0, 2.0 * len(_GIVEN_AWAY) * min(*rises.values(), *falls.values()))
    grew, shrank = min(rises, key=rises.__getitem__), min(falls, key=falls.__getitem__)
    rose, fell = tests[grew].has_risen(part), tests[shrank].has_fallen(part)
    told = grew if rose or not fell else shrank
    old, new = _mean(then[told], calls), _mean(now[told], calls)
    if rose or fell:  # what leaks more in one way leaks more, whatever it does in the other
        kind, verb = (Kind.WORSE, "rose") if rose else (Kind.BETTER, "fell")
        sentence = f"{quantity} {verb} from {old:.2%} to {new:.2%} of the calls, p = {_p(p_value)}: {_GIVEN_AWAY[told]}"
        return Change(quantity, kind, old, new, p_value, level, sentence)
    what = ITSELF if ITSELF in tests else ONE_ONLY  # baselines of before have no other
    would = _rare_words(then[what], len(now[what]), calls, part, cut_at)
    sentence = f"{quantity} {old:.2%} of the calls, now {new:.2%}, p = {_p(p_value)}{would}"
    return Change(quantity, Kind.UNCHANGED, old, new, p_value, level, sentence)


def _rare_words(sums: Sequence[int], again: int, calls: int, level: float, cut_at: float | None) -> str:
    """How rare an answer of one dataset only would be caught, and how many calls one in :data:`RARE` of them takes."""
    caught, made = _share_caught(sums, again, calls, level), again * calls
    would = f"one answer given in {caught:.2g} of the calls on one dataset only would be caught" if caught < 1 else ""
    if caught <= RARE:
        return f"; {would} with these {made:,} calls"
    times = 2.0
    while times < MOST_TIMES and _share_caught(sums, again, calls, level, times) > RARE:
        times *= 1.1
    if times >= MOST_TIMES:
        return f"; {would} with these {made:,} calls" if would else ""
    takes = f"one given in {RARE:g} of them takes about {float(f'{times * made:.2g}'):,.0f} calls"
    seconds = "" if cut_at is None else f" (record and compare with max-seconds = {float(f'{times * cut_at:.2g}'):g})"
    return f"; {would + f' with these {made:,} calls, and ' if would else ''}{takes}{seconds}"


def _share_caught(sums: Sequence[int], again: int, calls: int, level: float, times: float = 1.0) -> float:
    """The share of the calls on one dataset in which an answer of its own is found with probability about 0.95.

    An answer counts in a block where it comes twice. An estimate, by which nothing is decided; 1.0 for no such share.
    With ``times`` as many calls in each block, what comes by chance grows with them.
    """
    from scipy.stats import t

    calls = round(times * calls)
    blocks = len(sums)
    degrees = blocks + again - 2
    reach = float(t.isf(0.5 * level, degrees) + t.ppf(POWER, degrees))
    spread = times * float(np.var(np.asarray(sums, dtype=np.float64), ddof=1))

    def shown(share: float) -> bool:
        expected = 0.5 * calls * share
        counted = expected * -math.expm1(-expected)  # those that do not come alone
        return counted >= reach * math.sqrt(spread / blocks + (spread + counted + 1.0) / again)

    low, high = 0.0, 1.0
    if not shown(high):
        return 1.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if shown(middle) else (middle, high)
    return high


def _kinds(then: Mapping[str, tuple[int, int]], again: Counted, level: float) -> Change:
    """The share of each kind of answers on either dataset: Fisher's exact tests, Bonferroni over kinds and datasets.

    Kinds that the baseline does not know, and that are no answers, are tested together too, against all that it counts
    without a name: whatever else is new does not hide them.
    """
    quantity = "kinds of answers"
    now, every = table_of_kinds(then, again.on_left, again.on_right), _all_kinds(again)
    lost = {kind: both for kind, both in every.items() if kind not in then and gives_nothing(kind)}
    tests = []
    for side, name in ((0, "D"), (1, "D'")):
        calls = sum(both[side] for both in then.values()), sum(both[side] for both in now.values())

        def words(kind: str, old: int, new: int, name: str = name, calls: tuple[int, int] = calls) -> str:
            return f"{kind} on {name} went from {_rate(old, calls[0])} to {_rate(new, calls[1])}"

        for kind, counts in now.items():
            old, new = then.get(kind, (0, 0))[side], counts[side]
            told = f"answers: {kind}" if kind != OTHERS else _new_words(every, then)
            tests.append((drift(old, calls[0], new, calls[1]), gives_nothing(kind), words(told, old, new)))
        old, new = then.get(OTHERS, (0, 0))[side], sum(both[side] for both in lost.values())
        more = Drift(risen(old, calls[0], new, calls[1]), 1.0)
        tests.append((more, True, words(_new_words(lost, then), old, new)))
    share = 1.0 / len(tests)
    worse = [one for one in tests if one[1] and one[0].has_risen(share * level)]
    better = [one for one in tests if one[1] and one[0].has_fallen(share * level)]
    first, _, told = min(worse or better or tests, key=lambda one: one[0].p_value)
    p_value = min(1.0, first.p_value / share)
    unanswered = _unanswered(then), _unanswered(every)
    if worse or better or p_value <= level:
        kind = Kind.WORSE if worse else Kind.BETTER if better else Kind.CHANGED
        return Change(quantity, kind, *unanswered, p_value, level, f"share of {told}, p = {_p(p_value)}")
    least = _new_kind_caught([sum(both[side] for both in then.values()) for side in (0, 1)], again, share * level)
    would = f"; one that is new in {least:.2g} of the calls would be caught" if least < 1.0 else ""
    sentence = f"kinds of answers as they were, p = {_p(p_value)}{would}"
    return Change(quantity, Kind.UNCHANGED, *unanswered, p_value, level, sentence)


def _all_kinds(again: Counted) -> dict[str, tuple[int, int]]:
    kinds = {*again.on_left, *again.on_right}
    return {kind: (again.on_left.get(kind, 0), again.on_right.get(kind, 0)) for kind in sorted(kinds)}


def _new_words(counts: Mapping[str, tuple[int, int]], then: Mapping[str, tuple[int, int]]) -> str:
    """Answers of kinds that the baseline does not know, by the most frequent of them."""
    new = {kind: sum(both) for kind, both in counts.items() if kind not in then}
    most = max(new, key=new.__getitem__, default="")
    return f"answers of a new kind (mostly {most})" if most else f"answers: {OTHERS}"


def _unanswered(kinds: Mapping[str, tuple[int, int]]) -> float:
    """The share of calls that give no answer."""
    calls = sum(map(sum, kinds.values()))
    return sum(sum(both) for kind, both in kinds.items() if gives_nothing(kind)) / calls if calls else math.nan


def _new_kind_caught(then: Sequence[int], again: Counted, level: float) -> float:
    """The share of calls in which a kind that was never there is found with probability about 0.95."""
    calls = min(sum(again.on_left.values()), sum(again.on_right.values()))
    hits = next((hits for hits in range(1, calls) if 2.0 * risen(0, min(then), hits, calls) <= level), calls)
    return min(1.0, (hits + 1.7 * math.sqrt(hits) + 1.0) / calls) if calls else 1.0


def _outputs(before: Privacy, now: Sequence[Integers], level: float, told: set[Kind]) -> Change:
    """Are the outputs themselves as they were? Every view on either dataset, by exact tests; ``told``: what else is.

    Half of the level goes to the event of the baseline, shared by its four probabilities; half to all views, shared by
    views and datasets, and in each by its cuts or answers.
    """
    quantity = "outputs"
    found = []
    sides = _sides(before.views[0], table_of(before.views[0]), now[0])
    found += [(min(1.0, 2.0 * len(sides) * p), words) for p, words in sides]
    for view, table in zip(before.views, now, strict=True):
        for column, side in ((1, "D"), (0, "D'")):
            p, words = _law(view, table_of(view)[:, column], table[:, column])
            found.append((min(1.0, 2.0 * 2 * len(before.views) * p), f"{words} on {side}"))
    p_value, words = min(found)
    if p_value > level:
        sentence = f"outputs: no change of their laws shown, p = {_p(p_value)}"
        return Change(quantity, Kind.UNCHANGED, math.nan, math.nan, p_value, level, sentence)
    if Kind.WORSE in told:
        kind, so = Kind.CHANGED, "and tell the two datasets apart better"
    elif Kind.BETTER in told:
        kind, so = Kind.BETTER, "and tell the two datasets apart less well"
    else:
        kind, so = Kind.CHANGED, "and are not shown to tell the two datasets apart better or less well"
    return Change(
        quantity, kind, math.nan, math.nan, p_value, level, f"outputs changed, {so}: {words}, p = {_p(p_value)}"
    )


def _law(view: View, then: Integers, now: Integers) -> tuple[float, str]:
    """The p-value that the law of one view on one dataset changed, and where it is most."""
    if view.kind in ("number", "score"):
        whole = int(then[:-1].sum()), int(now[:-1].sum())  # the last bin holds what is no number
        tests = [
            (int(then[cut:-1].sum()), int(now[cut:-1].sum()), f"P[{view.what} > {edge:.6g}]")
            for cut, edge in enumerate(view.edges, start=1)
        ]
        tests.append((*whole, f"P[{view.what} is a number]"))
    else:
        tests = [
            (int(then[place]), int(now[place]), f"P[{view.what} is one of those known]") for place in range(len(then))
        ]
    calls = int(then.sum()), int(now.sum())
    best = 1.0, view.what
    for old, new, what in tests:
        p = drift(old, calls[0], new, calls[1]).p_value
        if p < best[0]:
            best = p, f"{what} went from {_rate(old, calls[0])} to {_rate(new, calls[1])}"
    return min(1.0, best[0] * len(tests)), best[1]


def _sides(view: View, then: Integers, now: Integers) -> list[tuple[float, str]]:
    """For D and D', and the guesses of either: the p-value that its probability changed, and the words that say so."""
    signs = np.array(view.guesses)
    found = []
    for column, side in ((1, "D"), (0, "D'")):
        calls_then, calls_now = int(then[:, column].sum()), int(now[:, column].sum())
        for sign, name in ((1, "D"), (-1, "D'")):
            hits_then, hits_now = int(then[signs == sign, column].sum()), int(now[signs == sign, column].sum())
            p_value = drift(hits_then, calls_then, hits_now, calls_now).p_value
            rates = f"{_rate(hits_then, calls_then)} to {_rate(hits_now, calls_now)}"
            found.append((p_value, f"P[guess {name}] on {side} went from {rates} (by {event_words(view)})"))
    return found


def _rate(hits: int, calls: int) -> str:
    return f"{hits / calls:.4g}" if calls else "nothing"


def compare_bound(most: float, said_by: str, certified: float, event: str, level: float) -> Change:
    """A lower bound certified now, from an event of any shape, against what was said to be the most."""
    quantity = "certified epsilon"
    if certified > most:
        sentence = f"epsilon is above {at_least(certified, '.3f')} (certified: {event}), and {said_by} says {most:.6g}"
        return Change(quantity, Kind.WORSE, most, certified, math.nan, level, sentence)
    sentence = f"certified epsilon above {at_least(certified, '.3f')}; {said_by} says {most:.6g}"
    return Change(quantity, Kind.UNCHANGED, most, certified, math.nan, level, sentence)


def known_to_exceed(most: float, said_by: str, certified: float) -> Change:
    """What the baseline certified already to be above what was said to be the most: a violation, and no change."""
    sentence = (
        f"epsilon was above {at_least(certified, '.3f')} (certified) in the baseline already, and {said_by} says "
        f"{most:.6g}"
    )
    return Change("certified epsilon", Kind.NOT_COMPARED, certified, math.nan, math.nan, 0.0, sentence)


def compare_exact(before: ExactLoss | None, now: ExactLoss | None) -> tuple[Change, ...]:
    """Losses of declared laws, which nothing is sampled for: any difference beyond rounding is a change."""
    if before is None and now is None:
        return ()
    if before is None or now is None:
        what = "declares a law, and did not" if before is None else "declares no law any more"
        return (Change("exact loss", Kind.CHANGED, math.nan, math.nan, math.nan, 0.0, f"the learner {what}"),)
    found = []
    for name, old, new in (("epsilon", before.epsilon, now.epsilon), ("delta", before.delta, now.delta)):
        same = old == new or abs(new - old) <= EXACT_SLACK * max(abs(old), abs(new), EXACT_SLACK)
        kind = Kind.UNCHANGED if same else Kind.WORSE if new > old else Kind.BETTER
        verb = "is" if same else "rose" if new > old else "fell"
        values = f"{new:.10g}" if same else f"from {old:.10g} to {new:.10g}"
        if name == "epsilon" or not same:
            sentence = f"exact {name} {verb} {values}, computed from the declared laws"
            found.append(Change(f"exact {name}", kind, old, new, math.nan, 0.0, sentence))
    return tuple(found)


def compare_risk(task: str, before: RiskCounts, now: RiskCounts, level: float) -> Change:
    """The risk of one task: did trials above some cut become more frequent?"""
    test = drift_of_histograms(before.counts, now.counts)
    rose, fell = test.has_risen(level), test.has_fallen(level)
    quantity = f"risk at {task}"
    lost = [f"{risk.counts[-1]:,} of {risk.trials:,} trials without a risk" for risk in (before, now)]
    tail = f" ({lost[0]}, now {lost[1]})" if before.counts[-1] or now.counts[-1] else ""
    p_value = f"p = {_p(test.p_value)}"
    if not rose and not fell:
        sentence = f"{quantity} {before.mean:.4g}, now {now.mean:.4g}, {p_value}{tail}"
        return Change(quantity, Kind.UNCHANGED, before.mean, now.mean, test.p_value, level, sentence)
    if rose and fell:
        sentence = f"{quantity} spreads otherwise: {before.mean:.4g} in the mean, now {now.mean:.4g}, {p_value}{tail}"
        return Change(quantity, Kind.CHANGED, before.mean, now.mean, test.p_value, level, sentence)
    kind, verb = (Kind.WORSE, "rose") if rose else (Kind.BETTER, "fell")
    sentence = f"{quantity} {verb} from {before.mean:.4g} to {now.mean:.4g}, {p_value}{tail}"
    return Change(quantity, kind, before.mean, now.mean, test.p_value, level, sentence)


def compare_risks(
    before: Mapping[str, RiskCounts],
    measure: Callable[[str, RiskCounts], RiskCounts],
    asked: Sequence[str],
    level: float,
) -> tuple[Change, ...]:
    """All risks of an entry; those that the baseline has and nobody measures now, and the other way round."""
    found = [compare_risk(task, before[task], measure(task, before[task]), level) for task in asked if task in before]
    for task in asked:
        if task not in before:
            sentence = f"risk at {task} is not in the baseline: dpcheck record adds it"
            found.append(Change(f"risk at {task}", Kind.CHANGED, math.nan, math.nan, math.nan, 0.0, sentence))
    for task in before:
        if task not in asked:
            sentence = f"risk at {task} is in the baseline, and not measured any more: dpcheck record drops it"
            found.append(Change(f"risk at {task}", Kind.CHANGED, math.nan, math.nan, math.nan, 0.0, sentence))
    return tuple(found)


def compare_cost(before: Cost, now: Cost, level: float, measure_again: Callable[[], Cost]) -> Change:
    """Cost, on the same machine only: an exact rank test against "less than 1.25 times as dear", made twice.

    Blocks of one run share what happens to the machine meanwhile, so that a change is believed only when a second run,
    in a fresh process, shows it too; each run is held to the whole level, which both together cannot exceed.
    """
    quantity = "cost of a call"
    if before.machine != now.machine:
        sentence = f"cost was recorded on another machine ({before.machine}): record it on this one to compare it"
        return Change(quantity, Kind.NOT_COMPARED, before.median, now.median, math.nan, 0.0, sentence)
    if min(len(before.ratios), len(now.ratios)) < LEAST_BLOCKS:
        sentence = f"cost has {len(before.ratios)} and {len(now.ratios)} blocks, too few to tell: calls take too long"
        return Change(quantity, Kind.NOT_COMPARED, before.median, now.median, math.nan, 0.0, sentence)
    dearer, cheaper = _dearer(before, now), _dearer(now, before)
    if min(dearer, cheaper) <= 0.5 * level:
        again = measure_again()
        dearer, cheaper = max(dearer, _dearer(before, again)), max(cheaper, _dearer(again, before))
        if len(again.ratios) < LEAST_BLOCKS:
            dearer = cheaper = 1.0
    p_value = min(1.0, 2.0 * min(dearer, cheaper))
    times = now.median / before.median
    values = f"{before.median:.3g} to {now.median:.3g} times the reference computation ({times:.2f} times as much)"
    if 2.0 * dearer <= level:
        sentence = f"cost of a call rose from {values}, p = {_p(p_value)} against {MARGIN:g} times"
        return Change(quantity, Kind.WORSE, before.median, now.median, p_value, level, sentence)
    if 2.0 * cheaper <= level:
        sentence = f"cost of a call fell from {values}, p = {_p(p_value)} against 1/{MARGIN:g} times"
        return Change(quantity, Kind.BETTER, before.median, now.median, p_value, level, sentence)
    sentence = f"cost of a call {before.median:.3g}, now {now.median:.3g} times the reference computation"
    return Change(quantity, Kind.UNCHANGED, before.median, now.median, p_value, level, sentence)


def _dearer(before: Cost, now: Cost) -> float:
    return ranked_higher(before.ratios, now.ratios, MARGIN)


def _p(p_value: float) -> str:
    return "1" if p_value >= 1.0 else f"{p_value:.2g}" if p_value > 0.0 else "0 (below what a double holds)"
