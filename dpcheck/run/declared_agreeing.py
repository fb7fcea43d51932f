"""Is the declared law that of the calls? The audit's sequential test, played between the two.

The coin chooses whether an output is drawn from the declared law or comes from a call; what is guessed from is which
output it is, and how likely it was declared. An output that the law gives no probability needs no test.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcheck.data import describe_dataset
from dpcheck.execution.answers import Raised, Request
from dpcheck.neighbours import Pair
from dpcheck.privacy.agreement import mismatch, new_comparison
from dpcheck.privacy.exact.declared import plain_output
from dpcheck.privacy.exact.table import Table
from dpcheck.privacy.game import Batch, Game, Shape, certify, learn
from dpcheck.privacy.observations import Numerics, Observations, describe_answer
from dpcheck.run.agreeing import disagreement
from dpcheck.run.calling import CHUNK, Caller, Noticed, runner_of
from dpcheck.run.question import COIN_STREAM, LEARNER_STREAM, Question

#: Outputs of each look at one group of datasets, half of them calls.
LOOKS = (40, 60, 100, 200, 400, 800, 1600)
#: Beside the two datasets of the pair that decides, so many others are looked at together.
OTHERS = 16
#: What is guessed from: the declared log-probability and the number of the output.
_SHAPE = Shape(2, repeats=True, others=False)
#: First word of the keys of these streams.
_LAW_KEY = 1_000_005


@dataclass(frozen=True)
class Agreement:
    """How many calls were compared with the declared law, and what is wrong with it (empty when they agree)."""

    calls: int
    complaint: str
    complete: bool


def agree_with_law(
    question: Question,
    table: Table,
    groups: Sequence[Sequence[tuple[int, Any]]],
    noticed: Noticed,
    until: float,
) -> tuple[Agreement, tuple[str, ...]]:
    """Compare declared laws with separate calls, on groups of datasets that share a test each.

    Parameters
    ----------
    question : Question
    table : Table
        The declared laws.
    groups : groups of (number of the dataset in the table, dataset)
    noticed : Noticed
        Grows by what the learner does besides answering.
    until : float
        ``time.monotonic()`` at which to stop.

    Returns
    -------
    The agreement, and what the record should say about how the learner was run.

    Raises
    ------
    LearnerDied
        When a call hangs, or takes its process along.
    """
    datasets = [dataset for group in groups for _, dataset in group]
    asked = replace(question, pairs=tuple(Pair(dataset, datasets[0], "") for dataset in datasets))
    places = {id(dataset): place for place, dataset in enumerate(asked.datasets)}
    runner = runner_of(asked)
    try:
        caller = Caller(asked, runner, cast(Numerics, question.numerics), noticed)
        games = [new_comparison(_SHAPE) for _ in groups]
        calls, complete = 0, True
        # each group's test is held to its share of the level
        threshold = disagreement(question.alpha) + math.log(len(groups))
        for look, size in enumerate(LOOKS):
            for number, group in enumerate(groups):
                cost = noticed.seconds / calls if calls else 0.0
                if calls + size > question.max_samples or time.monotonic() + size / 2 * cost > until:
                    complete = False
                    continue
                rows = [(law, places[id(dataset)]) for law, dataset in group]
                batch, wrong = _batch(caller, table, rows, size, (_LAW_KEY, number, look))
                calls += int((batch.coins == 0).sum()) if batch is not None else 0
                if wrong:
                    return Agreement(calls, wrong, False), tuple(runner.notes)
                assert batch is not None
                game: Game = certify(games[number], batch)
                evidence = mismatch(game)
                games[number] = learn(game, batch)
                if evidence >= threshold:
                    shown = describe_dataset(group[0][1])
                    more = f" and {len(group) - 1} more datasets" if len(group) > 1 else ""
                    return (
                        Agreement(
                            calls,
                            "its distribution is not the law of its calls (evidence "
                            f"e^{evidence:.0f} : 1 after {calls:,} calls, seen on {shown}{more}).",
                            False,
                        ),
                        tuple(runner.notes),
                    )
        return Agreement(calls, "", complete), tuple(runner.notes)
    finally:
        runner.close()


def _batch(
    caller: Caller, table: Table, rows: list[tuple[int, int]], size: int, key: tuple[int, ...]
) -> tuple[Batch | None, str]:
    """One look: outputs of the law (coin 1) and of calls (coin 0), or what no law allows."""
    rng = np.random.default_rng(caller.question.stream(COIN_STREAM, *key))
    coins = rng.integers(0, 2, size).astype(np.int8)
    which = rng.integers(0, len(rows), size)
    outputs = np.full(size, -1, dtype=np.int64)
    for row, (dataset, _) in enumerate(rows):
        mine = np.flatnonzero((which == row) & (coins == 1))
        law = np.exp(table.logs[table.of[dataset]])
        outputs[mine] = rng.choice(len(law), len(mine), p=law / law.sum())
    requests: list[Request] = []
    owners: list[NDArray[np.intp]] = []
    for row, (_, place) in enumerate(rows):
        mine = np.flatnonzero((which == row) & (coins == 0))
        for start in range(0, len(mine), CHUNK):
            part = mine[start : start + CHUNK]
            seed = caller.question.stream(LEARNER_STREAM, *key, row, start)
            requests.append(Request(place, len(part), seed))
            owners.append(part)
    for request, part, answers in zip(requests, owners, caller.answers(requests) if requests else [], strict=True):
        dataset = next(law for law, place in rows if place == request.dataset)
        for place, answer in zip(part, answers.values, strict=True):
            column = table.column.get(plain_output(answer)) if not isinstance(answer, Raised) else None
            if column is None or np.isneginf(table.logs[table.of[dataset], column]):
                shown = describe_dataset(caller.question.datasets[request.dataset])
                return None, (
                    f"its distribution is not the law of its calls: a call on {shown} gave "
                    f"{describe_answer(answer)}, to which it gives no probability."
                )
            outputs[place] = column
    laws = table.of[np.array([dataset for dataset, _ in rows])][which]
    columns = np.column_stack([table.logs[laws, outputs], outputs.astype(np.float64)])
    seen = Observations(columns, outputs.astype(np.uint64), [table.outputs[place] for place in outputs])
    return Batch(seen, coins), ""
