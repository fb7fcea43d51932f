"""Are the calls fresh that are compared with a declared law? Each request is served by a fresh learner.

A law says what one call gives, and nothing of two: a counter whose parity is the answer agrees with fair coins in every
count. So the outputs of two datasets are also looked at in their turn: whether fresh learners repeat each other, and
whether outputs follow from earlier ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.caller import Caller
from dpcheck.privacy.run.freshness import FreshnessWatch
from dpcheck.privacy.run.question import COIN_STREAM, Question
from dpcheck.privacy.statistics.lags import History
from dpcheck.privacy.statistics.observations import Observations

#: Datasets that are looked at, from the first, and most outputs of all of them.
DATASETS, MOST_OUTPUTS = 2, 1 << 14
#: First words of the keys of these streams.
TURN_KEY, TURN_LAGS_KEY = 1_000_013, 1_000_014


@dataclass
class CallsInTurn:
    """What the calls have shown of the freshness of runs, request by request."""

    watch: FreshnessWatch = field(default_factory=FreshnessWatch)
    history: History = field(default_factory=History)
    waiting: dict[int, Observations] = field(default_factory=dict)
    calls: int = 0

    def see(self, caller: Caller, dataset: int, answers: Answers) -> None:
        """The answers of one request, which are the next calls of the run.

        Parameters
        ----------
        caller : Caller
        dataset : int
            The place of the dataset in the order in which datasets are compared.
        answers : Answers
        """
        first, self.calls = self.calls, self.calls + answers.count
        if dataset >= DATASETS or self.history.outputs >= MOST_OUTPUTS:
            return
        seen = caller.observed(answers)
        self.history.add(seen, dataset, first)
        before = self.waiting.pop(dataset, None)
        if before is None:
            self.waiting[dataset] = seen
            return
        rng = np.random.default_rng(caller.question.stream(COIN_STREAM, TURN_KEY, dataset, first))
        self.watch.freshness.see({dataset: (before, seen)}, rng)

    def complaint(self, question: Question) -> str:
        """What is said of a learner whose runs are not fresh, or nothing."""
        if self.history.outputs:
            rng = np.random.default_rng(question.stream(COIN_STREAM, TURN_LAGS_KEY))
            self.watch.lags, self.watch.drifts = self.history.evidence(rng), self.history.drifts
        return self.watch.complaint() if self.watch.fails(question.limits.alpha) else ""
