"""Is the declared law that of the calls? Every call is a bet against the law, on dataset after dataset.

The law is known, so each call is compared with it directly (:mod:`dpcheck.privacy.exact.fit`). Datasets of the largest
declared losses come first and get as many calls as show a leak of the size that the audit is asked for; what is left
of the budget goes round the others. An output that the law gives no probability, and two outputs that the law does
not tell apart, need no test. Whether runs are fresh is seen on the same calls: those of the first two datasets.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Raised, Request
from dpcheck.model.claims import claim_point
from dpcheck.model.data import describe_dataset
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import SeenDifference, as_number
from dpcheck.privacy.exact.fit import (
    DECIDING,
    OTHERS,
    Fit,
    KnownLaw,
    calls_wanted,
    splits_of,
    visible_anywhere,
    visible_in_a_split,
)
from dpcheck.privacy.exact.output_keys import counted, loose_output, plain_output
from dpcheck.privacy.exact.table import Table
from dpcheck.privacy.run.agreement_phase import disagreement
from dpcheck.privacy.run.caller import Caller, Noticed, runner_of
from dpcheck.privacy.run.calls_in_turn import CallsInTurn
from dpcheck.privacy.run.kept_calls import kept_calls
from dpcheck.privacy.run.question import LEARNER_STREAM, Question
from dpcheck.privacy.statistics.observations import Numerics, describe_answer
from dpcheck.privacy.statistics.places import CALLS_OF_ONE_LEARNER
from dpcheck.privacy.statistics.warned import warnings_in_words

#: Most calls that a law is compared with, all datasets together, and those of one dataset.
MOST_CALLS, MOST_ON_ONE = 40_000, 10_000
#: Calls enough where the law itself breaks the claim: only whether it is the law of the calls is left to be seen.
WHERE_VIOLATED = 6000
#: The part of them that goes to the datasets of the largest losses where there are too many for all to get theirs.
CLOSELY = 0.5
#: Where datasets are many, each is to get so many calls, in at most this part of the budget: a leak on one of a
#: thousand is then seen, and audits of few datasets stay as quick as they are.
ON_EACH_OF_MANY, PART_FOR_MANY = 256, 0.5
#: Fewer calls on a dataset than this show little: the datasets that would get fewer are left out.
FEWEST = 64
#: A difference in the probability of half the outputs is looked for down to the smaller, and never less well than to
#: the larger of these.
LEAST_SHIFT, LARGEST_SHIFT = 0.04, 0.1
#: By how much the probability of a half of the outputs may be off, on the datasets with most calls, and go unseen
#: behind a clean verdict.
UNSEEN_SHIFT = 0.25
#: Calls after which the clock is read again, and the factor from one turn of a dataset to the next.
CALLS_BETWEEN_CLOCKS, GROWTH = 2000, 4
#: First word of the keys of these streams.
_LAW_KEY = 1_000_005


@dataclass(frozen=True)
class Agreement:
    """How many calls were compared with the declared law, on how many datasets, and what is wrong with it.

    ``complaint`` is empty when they agree, else ``doubted`` are the numbers of the datasets that speak against it, the
    worst first; ``seen`` says how large a difference would have been seen, for the datasets compared closely and for
    the others. ``planned`` counts the datasets that the calls of a whole budget would have been made on.
    """

    calls: int
    complaint: str
    complete: bool
    datasets: int = 0
    seen: tuple[SeenDifference, ...] = ()
    doubted: tuple[int, ...] = ()
    planned: int = 0


@dataclass(frozen=True)
class Plan:
    """How many calls each dataset gets, in their order: the deciding ones first."""

    calls: NDArray[np.int64]
    deciding: int

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each dataset's evidence, fixed before the first call."""
        count, first = len(self.calls), min(self.deciding, len(self.calls))
        weights = np.full(count, OTHERS / max(1, count - first))
        weights[:first] = DECIDING / max(1, first)
        return weights


def most_calls(max_samples: int, datasets: int) -> int:
    """Most calls that laws on so many datasets are compared with.

    >>> most_calls(1_000_000, 8), most_calls(1_000_000, 1024), most_calls(1_000_000, 10**6)
    (40000, 262144, 500000)
    """
    return max(MOST_CALLS, min(ON_EACH_OF_MANY * datasets, int(PART_FOR_MANY * max_samples)))


def plan_of_calls(question: Question, datasets: int, deciding: int, splits: int, most: int) -> Plan:
    """Which datasets are compared, and with how many calls each.

    Parameters
    ----------
    question : Question
        Its ``detect`` says how large a leak must be seen: as a shift of the probability of half the outputs.
    datasets, deciding : int
        How many have a law, and how many of those come first.
    splits : int
        How many splits of the outputs are bet on.
    most : int
        Most calls, all together.
    """
    assert question.claim is not None
    claimed = claim_point(question.claim)[0]
    shift = min(max(_share(question.detect) - _share(claimed), LEAST_SHIFT), LARGEST_SHIFT)
    threshold = _threshold(question) + math.log(max(1, deciding) / DECIDING)
    wanted = calls_wanted(shift, splits, threshold, MOST_ON_ONE)
    if datasets * wanted <= most:
        return Plan(np.full(datasets, wanted, dtype=np.int64), deciding)
    closely = min(datasets, max(deciding, int(CLOSELY * most / wanted)))
    others = datasets - closely
    # what tells enough of the first ones comes first; a lie on one of the others would be seen by nobody without calls
    needed = calls_wanted(UNSEEN_SHIFT, splits, threshold, MOST_ON_ONE)
    spared = max(0, min(FEWEST * others, int((1.0 - CLOSELY) * most), most - closely * needed))
    each = min(wanted, max(1, (most - spared) // max(1, closely)))
    left = most - closely * each
    of_the_rest = min(each, max(FEWEST, left // others)) if others else 0
    others = min(others, left // of_the_rest) if of_the_rest else 0
    calls = np.concatenate([np.full(closely, each), np.full(others, of_the_rest)]).astype(np.int64)
    return Plan(calls, deciding)


def _share(epsilon: float) -> float:
    """The largest probability of the likelier of two answers under epsilon."""
    return 1.0 / (1.0 + math.exp(-min(epsilon, 700.0) / 2.0))


def _threshold(question: Question) -> float:
    return disagreement(question.limits.alpha)


@dataclass
class _Comparison:
    """What grows while calls are compared."""

    caller: Caller
    table: Table
    places: list[int]
    fit: Fit
    made: NDArray[np.int64]
    columns: list[NDArray[np.intp]]
    numbers: list[int]
    towards: Sequence[int]
    splits: NDArray[np.float32]
    errors: list[float]
    doubted: int = -1
    watch: CallsInTurn = field(default_factory=CallsInTurn)
    forms: dict[int, tuple[Any, Any, int]] = field(default_factory=dict)
    loose: dict[Any, int] = field(default_factory=dict)
    common: dict[int, NDArray[np.float32]] = field(default_factory=dict)

    def law(self, row: int) -> KnownLaw:
        """The law of a dataset with its splits: made when wanted, since thousands of them may be large."""
        column = self.columns[row]
        common = self.common.get(id(column))
        if common is None:
            common = self.common[id(column)] = self.splits[:, column]
        logs, other = self.table.logs[self.numbers[row], column], self.table.logs[self.towards[row], column]
        return KnownLaw.of(logs, common, other, self.errors[row])


def agree_with_law(
    question: Question,
    table: Table,
    datasets: Sequence[tuple[int, Any]],
    deciding: int,
    towards: Sequence[int],
    noticed: Noticed,
    until: float,
    most: int = MOST_CALLS,
) -> tuple[Agreement, tuple[str, ...]]:
    """Compare declared laws with separate calls.

    Parameters
    ----------
    question : Question
    table : Table
        The declared laws.
    datasets : (number of the dataset in the table, dataset), those of the largest losses first
    deciding : int
        How many of them, from the first, have a larger share of the level and of the calls.
    towards : for each, the number of a neighbour's law in the table
    noticed : Noticed
        Grows by what the learner does besides answering.
    until : float
        ``time.monotonic()`` at which to stop.
    most : int
        Most calls, where the question's own limit is not smaller.

    Returns
    -------
    The agreement, and what the record should say about how the learner was run.

    Raises
    ------
    LearnerDied
        When a call hangs, or takes its process along.
    """
    splits = splits_of(table.outputs)
    bets = len(splits) + 2 * 7 + 1
    fully = plan_of_calls(question, len(datasets), deciding, bets, min(most, MOST_CALLS))
    plan = plan_of_calls(question, len(datasets), deciding, bets, min(most, question.max_samples))
    datasets = datasets[: len(plan.calls)]
    asked = replace(question, pairs=tuple(Pair(dataset, datasets[0][1], "") for _, dataset in datasets))
    served = {id(dataset): place for place, dataset in enumerate(asked.datasets)}
    numbers = [int(table.of[number]) for number, _ in datasets]
    supports = {law: _support(table, law) for law in set(numbers)}
    errors = [table.laws[law].error + float(table.slack[law]) for law in numbers]
    runner = kept_calls(asked, runner_of(asked))
    try:
        caller = Caller(asked, runner, cast(Numerics, question.limits.numerics), noticed)
        places = [served[id(dataset)] for _, dataset in datasets]
        state = _Comparison(
            caller,
            table,
            places,
            Fit(plan.weights),
            np.zeros(len(datasets), dtype=np.int64),
            [supports[law] for law in numbers],
            numbers,
            towards,
            splits,
            errors,
        )
        for column, output in enumerate(table.outputs):
            key = loose_output(output)
            state.loose[key] = -1 if key in state.loose else column  # two outputs of the laws: neither is meant
        complaint, finished = _rounds(state, plan, _threshold(question), until)
        unfresh = state.watch.complaint(question)
        if unfresh:
            complaint, state.doubted = unfresh, -1
        calls = int(state.made.sum())
        first = np.minimum(plan.calls[: len(fully.calls)], fully.calls[: len(plan.calls)])
        got_theirs = bool((state.made[: len(first)] >= first).all())  # the rest is a surplus: time may be short for it
        complete = (finished or got_theirs) and int(plan.calls.sum()) >= int(fully.calls.sum())
        seen = () if complaint else _detectable_differences(state, plan, bets, _threshold(question))
        rows = [row for row in (state.doubted, *state.fit.against) if row >= 0] if complaint and not unfresh else []
        doubted = tuple(dict.fromkeys(datasets[row][0] for row in rows))
        compared = int((state.made > 0).sum())
        agreement = Agreement(calls, complaint, complete, compared, seen, doubted, len(fully.calls))
        return agreement, tuple(runner.notes)
    finally:
        runner.close()


def _support(table: Table, law: int) -> NDArray[np.intp]:
    """The columns of the outputs that a law gives; one array for all laws that give all of theirs."""
    column = table.columns[law]
    possible = np.isfinite(table.logs[law, column])
    return column if possible.all() else column[possible]


def _rounds(state: _Comparison, plan: Plan, threshold: float, until: float) -> tuple[str, bool]:
    """All datasets in turn, with more calls each time: what is wrong, and whether all calls were made."""
    goal, turn = FEWEST, 0
    cost = 0.0
    while (state.made < plan.calls).any():
        more = np.minimum(goal, plan.calls) - state.made
        waiting = [int(place) for place in np.flatnonzero(more > 0)]
        while waiting:
            some: list[int] = []
            total = 0
            while waiting and (not some or total + more[waiting[0]] <= CALLS_BETWEEN_CLOCKS):
                total += int(more[waiting[0]])
                some.append(waiting.pop(0))
            if time.monotonic() + total * cost > until:
                return "", False
            complaint = _misfit(state, some, more, turn)
            if complaint:
                return complaint, False
            evidence = state.fit.log_evidence
            if evidence >= threshold:
                state.doubted = state.fit.against[0]
                shown = describe_dataset(state.caller.question.datasets[state.places[state.doubted]])
                return (
                    f"its distribution is not the law of its calls (evidence {as_number(evidence)} after "
                    f"{int(state.made.sum()):,} calls, seen most on {shown}).",
                    False,
                )
            cost = state.caller.noticed.seconds / int(state.made.sum())
        goal, turn = goal * GROWTH, turn + 1
    return "", True


def _misfit(state: _Comparison, some: Sequence[int], more: NDArray[np.int64], turn: int) -> str:
    """More calls of some datasets, counted; what no law allows, or nothing."""
    requests: list[Request] = []
    owners: list[int] = []
    for row in some:
        count = int(more[row])
        for start in range(0, count, CALLS_OF_ONE_LEARNER):
            seed = state.caller.question.stream(LEARNER_STREAM, _LAW_KEY, row, turn, start)
            requests.append(Request(state.places[row], min(CALLS_OF_ONE_LEARNER, count - start), seed))
            owners.append(row)
    counts = {row: np.zeros(len(state.columns[row])) for row in some}
    for row, answers in zip(owners, state.caller.answers(requests), strict=True):
        state.made[row] += answers.count
        state.watch.see(state.caller, row, answers)
        state.doubted = row  # the one in hand, should it be failed below
        if answers.warned and state.caller.question.limits.warnings == "output":
            shown = describe_dataset(state.caller.question.datasets[state.places[row]])
            run, texts = min(answers.warned.items())
            ((_, output, _),) = counted(answers.values[run : run + 1], answers.packed)
            return (
                f"its distribution says nothing of warnings, which are part of an output here: a call on {shown} gave "
                f"{describe_answer(output)} and {warnings_in_words(texts)}. Audit its calls alone (dpcheck.by_calls), "
                "or leave warnings out (warnings='finding')."
            )
        within = {int(column): place for place, column in enumerate(state.columns[row])}
        for form, output, times in counted(answers.values, answers.packed):
            column = _column(state, output)
            place = None if column is None else within.get(column)
            if column is None or place is None:
                shown = describe_dataset(state.caller.question.datasets[state.places[row]])
                return (
                    f"its distribution is not the law of its calls: a call on {shown} gave {describe_answer(output)}, "
                    "to which it gives no probability."
                )
            known = state.forms.setdefault(column, (form, output, row))
            if known[0] != form:
                return _two_forms(state, known, output, row)
            counts[row][place] += times
    for row in some:
        state.fit.add(row, state.law(row), counts[row])
    return ""


def _column(state: _Comparison, output: Any) -> int | None:
    """The output of the table that an answer is: itself, or else the only one that equals it in another form."""
    if isinstance(output, Raised):
        return None
    column = state.table.column.get(plain_output(output))
    if column is not None:
        return column
    found = state.loose.get(loose_output(output), -1)
    return found if found >= 0 else None


def _two_forms(state: _Comparison, known: tuple[Any, Any, int], output: Any, row: int) -> str:
    """Two outputs in one cell of the law, in words."""
    datasets = state.caller.question.datasets
    first, second = (describe_dataset(datasets[state.places[place]]) for place in (known[2], row))
    words = [f"{describe_answer(one)} ({type(one).__name__})" for one in (known[1], output)]
    where = f"on {first}" if known[2] == row else f"on {first} and on {second}"
    return (
        f"its distribution does not tell apart {words[0]} and {words[1]}, which its calls {where} gave: give each a "
        "probability of its own, or let the calls give one of them only."
    )


def _detectable_differences(state: _Comparison, plan: Plan, bets: int, threshold: float) -> tuple[SeenDifference, ...]:
    """How large a difference would have been seen: on those with most calls, and on the others."""
    made, found = state.made, []
    weights = plan.weights
    compared = np.flatnonzero(made > 0)
    if not len(compared):
        return ()
    closely = compared[made[compared] == made[compared].max()]
    for rows in (closely, np.setdiff1d(compared, closely)):
        if not len(rows):
            continue
        calls = int(made[rows].min())
        error = max(state.errors[row] for row in rows)
        needed = round(threshold - math.log(float(weights[rows].min())), 3)
        cells = max(len(state.columns[row]) for row in rows)
        found.append(
            SeenDifference(
                len(rows),
                calls,
                visible_anywhere(cells, calls, needed + 2.0 * calls * error),
                visible_in_a_split(calls, bets, needed, error),
            )
        )
    return tuple(found)
