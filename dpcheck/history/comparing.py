"""What changed: each quantity of a baseline against fresh calls, by an exact test at a level of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dpcheck.history.baseline import Cost, Entry, ExactLoss, Privacy, RiskCounts, View
from dpcheck.history.cost import LEAST_BLOCKS, MARGIN
from dpcheck.history.privacy import Again, event_words
from dpcheck.history.two_sample import catches_from, drift, drift_of_histograms, log_odds, ranked_higher, risen
from dpcheck.history.views import guessed, learn_guesses, table_of

Integers = NDArray[np.int64]

#: The level of each quantity, unless told otherwise: the contract's for audits.
ALPHA = 1e-6
#: Losses computed from the same law may differ by the rounding of logarithms on another machine, relative.
EXACT_SLACK = 2.0**-40


class Kind(StrEnum):
    """What a comparison of one quantity says; the value is the word that the user reads."""

    WORSE = "worse"
    CHANGED = "changed"
    BETTER = "better"
    UNCHANGED = "no change shown"
    NOT_COMPARED = "not compared"

    @property
    def meaning(self) -> str:
        """The one sentence that says what it means."""
        return _MEANINGS[self]


_MEANINGS = {
    Kind.WORSE: "The learner leaks more, errs more or costs more than the baseline says.",
    Kind.CHANGED: "The learner does something else than the baseline says; which way is not shown.",
    Kind.BETTER: "The learner leaks less, errs less or costs less; dpcheck record keeps it.",
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

    @property
    def level(self) -> float:
        """The sum of all levels of the run."""
        return sum(result.level for result in self.results)


def compare_privacy(before: Privacy, again: Again, level: float) -> tuple[Change, ...]:
    """The event that was fixed then, an event learned now, and how often outputs fall into it on either side.

    Parameters
    ----------
    before : Privacy
        Of the baseline.
    again : Again
        The same views on fresh calls.
    level : float
        Of each quantity.
    """
    return _event(before, again.counted[0], level), _new_event(before, again, level)


def _event(before: Privacy, now: Integers, level: float) -> Change:
    """The frozen event: are right guesses likelier than they were, and does each side fall into it as often?

    Half of the level goes to the odds of a right guess, half to the four probabilities on the two sides.
    """
    view = before.views[0]
    then = table_of(view)
    right_then, wrong_then = guessed(view.guesses, then)
    right_now, wrong_now = guessed(view.guesses, now)
    odds = drift(right_then, right_then + wrong_then, right_now, right_now + wrong_now)
    sides = _sides(view, then, now)
    side_p = min(1.0, len(sides) * min((p for p, _ in sides), default=1.0))
    p_value = min(1.0, 2.0 * odds.p_value, 2.0 * side_p)
    old, new = log_odds(right_then, wrong_then), log_odds(right_now, wrong_now)
    quantity = "epsilon of the event"
    shown = f"the log-odds of right guesses by {before.event or event_words(view)}"
    if odds.has_risen(0.5 * level):
        kind, verb = Kind.WORSE, "rose"
    elif odds.has_fallen(0.5 * level):
        kind, verb = Kind.BETTER, "fell"
    elif side_p <= 0.5 * level:
        told = min(sides)[1]
        return Change(quantity, Kind.CHANGED, old, new, p_value, level, f"{told}, p = {_p(p_value)}")
    else:
        caught = catches_from(right_now, wrong_now, level)
        would = f"; a rise to {caught:.3g} would be caught" if math.isfinite(caught) else ""
        return Change(
            quantity,
            Kind.UNCHANGED,
            old,
            new,
            p_value,
            level,
            f"epsilon of the event {old:.3f}, now {new:.3f}, p = {_p(p_value)}{would}",
        )
    sentence = f"epsilon of the event {verb} from {old:.3f} to {new:.3f}, p = {_p(p_value)}: {shown}"
    return Change(quantity, kind, old, new, p_value, level, sentence)


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
            found.append((p_value, f"P[guess {name}] on {side} went from {rates}"))
    return found


def _rate(hits: int, calls: int) -> str:
    return f"{hits / calls:.4g}" if calls else "nothing"


def _new_event(before: Privacy, again: Again, level: float) -> Change:
    """An event learned on calls of now and counted on others: is it likelier to be guessed right than it was then?

    Half of the level goes to the odds of a right guess where one is made, half to how often one is made and right: a
    leak that is rare has the odds of no guess that was made before.
    """
    quantity = "epsilon of a newly learned event"
    number, guesses = learn_guesses(again.learned)
    if not any(guesses):
        return Change(
            quantity, Kind.UNCHANGED, 0.0, 0.0, 1.0, level, "nothing tells the two datasets apart in what was learned"
        )
    view = before.views[number]
    right_then, wrong_then = guessed(guesses, table_of(view))
    right_now, wrong_now = guessed(guesses, again.counted[number])
    calls_then, calls_now = int(table_of(view).sum()), int(again.counted[number].sum())
    odds = risen(right_then, right_then + wrong_then, right_now, right_now + wrong_now)
    often = risen(right_then, calls_then, right_now, calls_now)
    p_value = min(1.0, 2.0 * odds, 2.0 * often)
    old, new = log_odds(right_then, wrong_then), log_odds(right_now, wrong_now)
    if 2.0 * odds <= level:
        sentence = f"epsilon of a newly learned event of {view.what} is {new:.3f}, and was {old:.3f}, p = {_p(p_value)}"
        return Change(quantity, Kind.WORSE, old, new, p_value, level, sentence)
    if 2.0 * often <= level:
        rates = f"{_rate(right_then, calls_then)} to {_rate(right_now, calls_now)}"
        sentence = f"P[guessed right] by a newly learned event of {view.what} went from {rates}, p = {_p(p_value)}"
        return Change(quantity, Kind.CHANGED, old, new, p_value, level, sentence)
    sentence = f"epsilon of a newly learned event of {view.what}: {old:.3f}, now {new:.3f}, p = {_p(p_value)}"
    return Change(quantity, Kind.UNCHANGED, old, new, p_value, level, sentence)


def compare_bound(most: float, said_by: str, certified: float, event: str, level: float) -> Change:
    """A lower bound certified now, from an event of any shape, against what was said to be the most."""
    quantity = "certified epsilon"
    if certified > most:
        sentence = f"epsilon is above {certified:.3f} (certified: {event}), and {said_by} says {most:.6g}"
        return Change(quantity, Kind.WORSE, most, certified, math.nan, level, sentence)
    sentence = f"certified epsilon above {certified:.3f}; {said_by} says {most:.6g}"
    return Change(quantity, Kind.UNCHANGED, most, certified, math.nan, level, sentence)


def known_to_exceed(most: float, said_by: str, certified: float) -> Change:
    """What the baseline certified already to be above what was said to be the most: a violation, and no change."""
    sentence = f"epsilon was above {certified:.3f} (certified) in the baseline already, and {said_by} says {most:.6g}"
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
