"""``record`` and ``compare``: learners in, a baseline or a comparison out; files are somebody else's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from dpcheck.history.baseline import Baseline, Cost, Entry, Privacy, RiskCounts
from dpcheck.history.comparisons import (
    ALPHA,
    Change,
    Compared,
    Comparison,
    Kind,
    State,
    compare_bound,
    compare_cost,
    compare_exact,
    compare_privacy,
    compare_risks,
    known_to_exceed,
)
from dpcheck.history.cost import measure_cost
from dpcheck.history.privacy import (
    COMPARE,
    CONFIRM,
    RECORD,
    calls_of,
    certify_anew,
    claim_of,
    count_again,
    exact_loss,
    in_its_form,
    record_privacy,
    same_pair,
    seed_for,
)
from dpcheck.history.risks import check_task, measure_risk
from dpcheck.history.subject import Subject
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import Claim, claim_point
from dpcheck.model.errors import DpcheckError, InvalidArgument, LearnerDied
from dpcheck.model.neighbours import Pair
from dpcheck.privacy.run.events import Listener
from dpcheck.privacy.run.question import Question

#: What a comparison of an entry tells whoever waits for it.
Told = Callable[[Compared], object]
NO_TASK = "no task names a distribution or a risk: no utility is recorded"


def record_entry(
    subject: Subject,
    *,
    seed: int = 0,
    alpha: float = ALPHA,
    before: Entry | None = None,
    listener: Listener | None = None,
) -> Entry:
    """What one learner does, measured.

    Parameters
    ----------
    subject : Subject
    seed : int
        Where all randomness starts; the same seed gives the same counts, save the cost.
    alpha : float
        The level of the certified bound.
    before : Entry, optional
        The entry that this one replaces: its cost is kept where the new one shows no change, so that a file under
        review does not change for nothing.
    listener : callable, optional
        Hears the events of :mod:`dpcheck.privacy.run.events`.

    Raises
    ------
    LearnerDied
        When the learner cannot be run.
    InvalidArgument
        When an argument cannot be used.

    Examples
    --------
    >>> import dpcheck
    >>> entry = record_entry(Subject("sum", lambda data, rng: sum(data) + rng.laplace(), pairs=[([0], [1])],
    ...                              isolation="none", calls=20_000, learn_calls=4_000, cost=False))
    >>> 0.8 < entry.privacy.certified < 1.0, entry.notes
    (True, ('no task names a distribution or a risk: no utility is recorded',))
    """
    tell: Listener = listener if listener is not None else _nobody
    check_subject(subject)
    subject, told = in_its_form(subject)
    privacy, pair = record_privacy(subject, seed, alpha, tell)
    own = seed_for(subject.name, seed, RECORD)
    utility = {task.name: measure_risk(subject, task, own) for task in subject.tasks}
    cost = measure_cost(subject, pair.left, own) if subject.cost else None
    if cost is not None and before is not None and before.cost is not None:
        same = compare_cost(before.cost, cost, alpha, lambda: measure_cost(subject, pair.left, own, fresh=True))
        cost = before.cost if same.kind is Kind.UNCHANGED else cost
    claim = claim_of(subject)
    return Entry(
        learner=subject.target or subject.name,
        claim="" if claim is None else str(claim),
        seed=seed,
        privacy=privacy,
        utility=utility,
        cost=cost,
        notes=(*_notes(subject, privacy, claim), *told),
    )


def _notes(subject: Subject, privacy: Privacy, claim: Claim | None) -> tuple[str, ...]:
    notes = [] if subject.tasks else [NO_TASK]
    most = _claimed_epsilon(claim, privacy)
    if most is not None and privacy.certified > most:
        certified = at_least(privacy.certified, ".6g")
        notes.append(f"the claim is violated: epsilon is above {certified} (certified), and it says {most:g}")
    return tuple(notes)


def _claimed_epsilon(claim: Claim | None, privacy: Privacy) -> float | None:
    """The epsilon that is claimed at the delta of the entry; None where nothing is."""
    if claim is None or claim_point(claim)[1] != privacy.delta:
        return None
    return float(claim_point(claim)[0])


def check_subject(subject: Subject) -> None:
    """Refuse, before anything is run, what could not be measured.

    Raises
    ------
    InvalidArgument
    """
    for name, value, least in (
        ("calls", subject.calls, 1_000),
        ("learn_calls", subject.learn_calls, 500),
        ("trials", subject.trials, 100),
    ):
        if type(value) is not int or value < least:
            raise InvalidArgument(f"{name} must be a whole number of at least {least:,}, got {value!r}")
    names = [task.name for task in subject.tasks]
    if len(set(names)) < len(names):
        raise InvalidArgument(f"tasks must have different names, got {', '.join(names)}")
    for task in subject.tasks:
        check_task(task)


def record_baseline(
    subjects: Iterable[Subject],
    baseline: Baseline | None = None,
    *,
    seed: int = 0,
    alpha: float = ALPHA,
    listener: Listener | None = None,
) -> Baseline:
    """A baseline with fresh entries of these learners; all its other entries stay as they are.

    Parameters
    ----------
    subjects : iterable of Subject
    baseline : Baseline, optional
        What is there already.
    seed, alpha, listener : as for :func:`record_entry`

    Examples
    --------
    >>> coin = Subject("coin", lambda data, rng: rng.random() < 0.5 + 0.2 * data[0], pairs=[([0], [1])],
    ...                isolation="none", calls=20_000, learn_calls=4_000, cost=False)
    >>> baseline = record_baseline([coin])
    >>> comparison = compare_baseline([coin], baseline)
    >>> [change.kind.value for change in comparison.results[0].changes]
    ['no change shown', 'no change shown', 'no change shown', 'no change shown']
    """
    found = baseline if baseline is not None else Baseline({})
    for subject in subjects:
        entry = record_entry(
            subject, seed=seed, alpha=alpha, before=found.learners.get(subject.name), listener=listener
        )
        found = found.with_entries({subject.name: entry})
    return found


def compare_entry(
    subject: Subject, before: Entry, *, seed: int = 0, alpha: float = ALPHA, listener: Listener | None = None
) -> tuple[Change, ...]:
    """Measure a learner again on fresh calls, and say of each quantity whether it changed.

    Parameters
    ----------
    subject : Subject
    before : Entry
        Of the baseline.
    seed : int
        Its streams are none of those that a baseline draws from, whatever the two seeds.
    alpha : float
        The level of each quantity: the probability that it is said to have changed when it has not.

    Raises
    ------
    LearnerDied, InvalidArgument
        When the learner cannot be measured.
    """
    tell: Listener = listener if listener is not None else _nobody
    check_subject(subject)
    subject, _ = in_its_form(subject)
    fresh = seed_for(subject.name, seed, COMPARE)
    changes = list(_claims(subject, before))
    longest = subject.patience * subject.max_seconds
    question, pair = same_pair(subject, before.privacy)
    if pair is None:
        sentence = f"the pair of the baseline ({before.privacy.pair}) is not among the pairs any more: the data changed"
        changes.append(Change("pair", Kind.CHANGED, 0.0, 0.0, 1.0, 0.0, sentence))
    else:
        again = count_again(subject, before.privacy, pair, question, fresh, tell)
        made = sum(again.on_left.values()) + sum(again.on_right.values())
        cut_at = subject.max_seconds if made < subject.calls else None
        told, *others = compare_privacy(before.privacy, again, alpha, cut_at)
        recorded = min(subject.calls, calls_of(before.privacy))
        changes += [_with_fewer(told, "calls", made, recorded, longest), *others]
        changes += _bound(subject, before.privacy, pair, question, seed, alpha, tell)
        changes += _other_pairs(pair, question)
    exact = exact_loss(subject, replace(question, limits=replace(question.limits, seed=fresh, alpha=alpha)), tell)
    changes += compare_exact(before.privacy.exact, exact)
    tasks = {task.name: task for task in subject.tasks}

    def measured(name: str, old: RiskCounts) -> RiskCounts:
        risks[name] = measure_risk(subject, tasks[name], fresh, old)
        return risks[name]

    risks: dict[str, RiskCounts] = {}
    for change in compare_risks(before.utility, measured, list(tasks), alpha):
        name = change.quantity.removeprefix("risk at ")
        if name in risks:
            recorded = min(subject.trials, before.utility[name].trials)
            changes.append(_with_fewer(change, "trials", risks[name].trials, recorded, longest))
        else:
            changes.append(change)
    if before.cost is not None and subject.cost and pair is not None:
        dataset = pair.left

        def cost_again() -> Cost:
            return measure_cost(subject, dataset, seed_for(subject.name, seed, CONFIRM), fresh=True)

        changes.append(compare_cost(before.cost, measure_cost(subject, dataset, fresh), alpha, cost_again))
    return tuple(changes)


def _other_pairs(pair: Pair, question: Question) -> tuple[Change, ...]:
    """What stands beside the quantities of one pair where there are others: no calls were made there."""
    others = len(question.pairs) - 1
    if others < 1:
        return ()
    which = "the other pair" if others == 1 else f"the {others:,} other pairs"
    sentence = (
        f"{which}: calls were made on the baseline's alone ({pair.change}), and what changed elsewhere does not show "
        "in them; dpcheck audit looks at others too"
    )
    return (Change("other pairs", Kind.NOT_COMPARED, math.nan, math.nan, math.nan, 0.0, sentence),)


def _with_fewer(change: Change, what: str, made: int, recorded: int, longest: float) -> Change:
    """The change, saying so where so many seconds allowed for fewer calls than the baseline has."""
    if made >= recorded:
        return change
    takes = f"all take about max-seconds = {_seconds_for(recorded, made, longest)}"
    return replace(
        change, sentence=f"{change.sentence}; {made:,} of the baseline's {recorded:,} {what} were made: {takes}"
    )


def _seconds_for(wanted: int, made: int, seconds: float) -> str:
    """The time that so many calls take, where so many took all there was: a little more, in two digits."""
    return f"{float(f'{1.1 * seconds * wanted / max(made, 1):.2g}'):g}"


def cut_by_time(subject: Subject, entry: Entry) -> tuple[str, ...]:
    """What a fresh entry has less of than was asked for, because no more fitted into max_seconds; a line each."""
    counted = [("calls", calls_of(entry.privacy), subject.calls)]
    counted += [(f"trials of the risk at {name}", risk.trials, subject.trials) for name, risk in entry.utility.items()]
    return tuple(
        f"{made:,} of {wanted:,} {what} fitted into max-seconds = {subject.max_seconds:g}; all take about "
        f"max-seconds = {_seconds_for(wanted, made, subject.max_seconds)}"
        for what, made, wanted in counted
        if made < wanted
    )


def _claims(subject: Subject, before: Entry) -> tuple[Change, ...]:
    claim = claim_of(subject)
    now = "" if claim is None else str(claim)
    if now == before.claim:
        return ()
    sentence = f"the claim went from {before.claim or 'none'} to {now or 'none'}"
    return (Change("claim", Kind.CHANGED, 0.0, 0.0, 1.0, 0.0, sentence),)


def _bound(
    subject: Subject, frozen: Privacy, pair: Pair, question: Question, seed: int, alpha: float, tell: Listener
) -> tuple[Change, ...]:
    """What is certified now, from an event of any shape, against the most that epsilon was said to be."""
    claimed = _claimed_epsilon(claim_of(subject), frozen)
    if frozen.exact is not None:
        most, said_by = frozen.exact.epsilon, "the exact loss of the baseline"
    elif claimed is not None:
        most, said_by = claimed, "the claim"
    else:
        return ()
    if frozen.certified > most:  # nothing got worse where it was no better then
        return (known_to_exceed(most, said_by, frozen.certified),)
    own = seed_for(subject.name, seed, CONFIRM)
    certified, event, cut = certify_anew(subject, frozen, pair, question, own, alpha, tell)
    change = compare_bound(most, said_by, certified, event, alpha)
    return (change if change.kind is Kind.WORSE else replace(change, sentence=f"{change.sentence}{cut}"),)


def compare_baseline(
    subjects: Sequence[Subject],
    baseline: Baseline,
    *,
    seed: int = 0,
    alpha: float = ALPHA,
    strict: bool = False,
    whole: bool = True,
    listener: Listener | None = None,
    told: Told | None = None,
) -> Comparison:
    """Measure learners again, and say what changed against a baseline.

    Parameters
    ----------
    subjects : sequence of Subject
    baseline : Baseline
        A learner without an entry is recorded, and its entry is in the result: nothing is accepted unseen.
    seed, alpha : as for :func:`compare_entry`
    strict : bool
        Whether what got better counts against the run too.
    whole : bool
        Whether these are all learners there are, so that other entries of the baseline are ones nothing produces.
    told : callable, optional
        Hears each result as soon as it is there.
    """
    results = []
    for subject in subjects:
        results.append(compare_learner(subject, baseline, seed=seed, alpha=alpha, listener=listener))
        if told is not None:
            told(results[-1])
    for result in not_produced(baseline, {subject.name for subject in subjects}) if whole else ():
        results.append(result)
        if told is not None:
            told(result)
    return Comparison(tuple(results), alpha, seed, strict)


def not_produced(baseline: Baseline, known: Collection[str]) -> tuple[Compared, ...]:
    """The entries of a baseline that are none of the known learners."""
    return tuple(Compared(name, State.NOT_PRODUCED) for name in sorted(set(baseline.learners) - set(known)))


def compare_learner(
    subject: Subject, baseline: Baseline, *, seed: int = 0, alpha: float = ALPHA, listener: Listener | None = None
) -> Compared:
    """One learner against its entry; where it has none it is recorded."""
    before = baseline.learners.get(subject.name)
    began = time.monotonic()
    try:
        if before is None:
            fresh = record_entry(subject, seed=seed, alpha=alpha, listener=listener)
            return Compared(subject.name, State.NEW, fresh=fresh, seconds=time.monotonic() - began)
        changes = compare_entry(subject, before, seed=seed, alpha=alpha, listener=listener)
        return Compared(subject.name, State.COMPARED, changes, seconds=time.monotonic() - began)
    except DpcheckError as error:
        trouble = "learner failed" if isinstance(error, LearnerDied) else "usage error"
        return Compared(
            subject.name, State.FAILED, problem=str(error), trouble=trouble, seconds=time.monotonic() - began
        )


def _nobody(event: object) -> None:
    """Nobody listens."""
