"""Are a learner's runs fresh? Watched on the calls of the game, asked again before a violation is told.

Repeated noise and remembered answers look like leaks. What an audit refutes must therefore be no more than a claim:
first its runs are shown to be fresh, or the learner has failed.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Request
from dpcheck.execution.imported_anew import imported_anew
from dpcheck.model.errors import LearnerDied
from dpcheck.model.verdict import as_number
from dpcheck.privacy.run.agreement_phase import WATCHED_OUTPUTS, disagreement
from dpcheck.privacy.run.caller import Caller, InterimData, runner_of
from dpcheck.privacy.run.question import COIN_STREAM, LEARNER_STREAM
from dpcheck.privacy.statistics.clocks import Order
from dpcheck.privacy.statistics.freshness import LEAST_BLOCK, Freshness, prediction_evidence
from dpcheck.privacy.statistics.kept_noise import LONG_BLOCK
from dpcheck.privacy.statistics.lags import MOST_REMEMBERED, History
from dpcheck.privacy.statistics.observations import Observations, join
from dpcheck.privacy.statistics.remembered import memory_evidence, others_evidence

#: First words of the keys of these streams.
WATCH_KEY, CONFIRM_KEY, MEMORY_KEY, LAGS_KEY = 1_000_006, 1_000_007, 1_000_008, 1_000_011
LATER_KEY, ON_AND_ON_KEY, APART_KEY, OTHERS_KEY = 1_000_012, 1_000_015, 1_000_016, 1_000_019
#: Calls of each of four fresh learners before a violation is told, and the least that show a repetition.
CONFIRMING_CALLS, LEAST_CONFIRMING_CALLS = 64, 6
#: Seconds that the many may take, or as long as the calls so far have taken.
CONFIRMING_SECONDS = 1.0
#: Noise that is kept under noise that is fresh shows in fewer nats than outputs that are repeated as they are: so many
#: it should have shown before a violation is told; where it has not, this many calls of each learner are made more.
KEPT_SHOWN_ENOUGH, COMPARING_CALLS = 20.0, 24
#: Where so few outputs differ that these show too little: so many times as many, time after time, up to a block of
#: these outputs.
CONFIRMING_GROWTH, MOST_CONFIRMING_CALLS = 4, 4096
#: With this many times the evidence that fails a learner in reach of a full repetition, no further calls are needed.
SHOWN_ENOUGH = 2.0
#: Odds against fresh runs at which no violation is told any more. Correct learners hardly ever come so far, so that
#: this costs nobody but a few of those whose violation is one.
DOUBTFUL = 1000.0
#: The same where the calls left cut short what was asked to confirm the violation.
DOUBTFUL_AFTER_FEW = 20.0
#: That numbers only grow is the reason where it has this part of the most evidence.
OF_THE_BEST = 0.75
#: Against a learner: more evidence than chance often gives, so that it is worth looking again.
SUSPICIOUS = 1.0
#: Learners whose outputs are all alike: more calls of one learner, and how often each dataset is asked anew of learners
#: that have forgotten all. A process of its own is the surest way to forget, and takes a third of a second to start.
CALLS_ALIKE, FORGETTING_REQUESTS, FORGETTING_PROCESSES = 200, 40, 3
#: Learners that take longer for a call are not asked so often: this is the time for all.
MEMORY_SECONDS = 5.0
#: Seconds until learners that ignore their generator are asked again, since noise made from a clock that counts whole
#: seconds is then another; how often each dataset is asked, and how often at least where calls are slow.
LATER, LATER_REQUESTS, LEAST_LATER_REQUESTS = 1.1, 20, 3
#: Calls of the last learner on each dataset that is asked again.
CALLS_ON_AND_ON = 256
#: Those of a learner whose outputs were nearly alike: 24 left 5% of those that keep their coins accused, these none.
CALLS_WHERE_NEARLY_ALIKE = 64
#: Looks at what is remembered that share the level: asked later, and then on and on or in a process just started.
TRIES = 2.0
#: Calls on each dataset in a process that was just started.
CALLS_APART = 16
#: The same where outputs come again among many: noise may be picked from a list that is kept.
CALLS_FOR_OTHERS = 40
#: Two processes pick from lists of their own where less than this part of the answers of one is among the other's.
MOSTLY_OTHERS = 0.5
#: All calls of asking later.
LATER_CALLS = 2 * (LATER_REQUESTS - 1 + CALLS_ON_AND_ON + max(CALLS_WHERE_NEARLY_ALIKE, 2 * CALLS_APART))
#: So many calls more are enough for a violation to be told, where none were left to see whether runs are fresh.
ENOUGH_LEFT = 4 * LEAST_CONFIRMING_CALLS + 2 * CALLS_WHERE_NEARLY_ALIKE

Tokens = NDArray[np.uint64]


@dataclass
class FreshnessWatch:
    """What the interim analyses of a run have shown of its freshness."""

    freshness: Freshness = field(default_factory=Freshness)
    memory: float = 0.0
    remembers: str = ""
    histories: dict[tuple[int, ...], History] = field(default_factory=dict)
    lags: float = 0.0
    drifts: bool = False
    order: Order = field(default_factory=Order)
    outside: str = ""
    unasked: bool = False
    few_left: bool = False
    cut_short: bool = False
    began: float = math.inf

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence against fresh runs."""
        return self.freshness.evidence

    def see(self, caller: Caller, interim: InterimData, key: tuple[int, ...]) -> None:
        """One more interim analysis, until enough was seen; ``key`` without its last part names the pair."""
        self.began = min(self.began, time.monotonic())  # after the first outputs, which is late enough
        if sum(history.outputs for history in self.histories.values()) < MOST_REMEMBERED:
            history = self.histories.setdefault(key[:-1], History())
            for side, first, seen in interim.in_turn:
                history.add(seen, side, first)
                self.order.see(seen)
        if self.freshness.outputs < WATCHED_OUTPUTS and interim.apart:
            rng = np.random.default_rng(caller.question.stream(COIN_STREAM, WATCH_KEY, *key))
            self.freshness.see(interim.apart, rng)

    def look_back(self, caller: Caller, key: tuple[int, ...]) -> None:
        """Whether outputs of the pair of this key came back after so many calls: asked before it is judged."""
        rng = np.random.default_rng(caller.question.stream(COIN_STREAM, LAGS_KEY, *key))
        history = self.histories.get(key[:-1])
        self.lags = history.evidence(rng) if history is not None else 0.0
        self.drifts = history is not None and history.drifts

    def fails(self, alpha: float) -> bool:
        """Whether it fails the learner in an audit of level ``alpha``."""
        return max(self.evidence, self.memory, self.lags, self.order.evidence) >= unfresh(alpha)

    def confirm(self, caller: Caller, sides: tuple[int, int], key: tuple[int, ...], *, round_: int, calls: int) -> int:
        """Look once more, at four fresh learners with ``calls`` calls each; gives how many calls were made.

        ``key`` without its last part names the pair, ``round_`` says how often it was looked at so before.
        """
        blocks: dict[int, tuple[Observations, Observations]] = {}
        history = self.histories.setdefault(key[:-1], History())
        for side, dataset in enumerate(sides):
            some = []
            for place in (0, 1):
                first = caller.noticed.calls
                some.append(caller.outputs(dataset, calls, (CONFIRM_KEY, *key, round_, side, place)))
                history.add(some[-1], 1 - side, first)  # these calls too may bring back earlier ones
            blocks[dataset] = (some[0], some[1])
        rng = np.random.default_rng(caller.question.stream(COIN_STREAM, CONFIRM_KEY, *key, round_))
        self.freshness.see(blocks, rng)
        return 4 * calls

    def ask_later(
        self, caller: Caller, sides: tuple[int, int], key: tuple[int, ...], left: int, per_call: float
    ) -> int:
        """Whether outputs that were all alike on each dataset may be taken for what it computes from them.

        Asked before a violation is told: of learners that have forgotten all, later where they ignore their generator,
        and with an ear to what they open outside their process. Gives how many calls were made.
        """
        history = self.histories.get(key[:-1])
        found = [] if history is None else [(first, history.alike(first)) for first in (0, 1)]
        # kept noise may show in the first call of each learner alone, and a first call may be unlike others
        first, before = next(((first, some) for first, some in found if some is not None), (0, None))
        if before is None:
            nearly = None if history is None else history.nearly_alike()
            if nearly is not None:
                return self._ask_on_and_on(caller, sides, key, left, nearly)
            again = None if history is None else history.come_again()
            kept = caller.noticed.stores or caller.noticed.caches
            return 0 if again is None or not kept else self._ask_for_others(caller, sides, key, left, per_call, again)
        affordable = min((left + 5) // 6, left // 2)  # two thirds of a small budget are for the last learners
        rounds = int(min(LATER_REQUESTS, max(LEAST_LATER_REQUESTS, MEMORY_SECONDS / per_call / 2), affordable))
        if rounds == 0:
            self.unasked = True
            return 0
        if not caller.noticed.used_rng:
            time.sleep(max(0.0, self.began + LATER - time.monotonic()))
        streams = [caller.question.stream(LEARNER_STREAM, LATER_KEY, *key, place) for place in range(2 * rounds)]
        # the last learners are called on and on: kept noise may be alike in the few calls that each was asked so far
        longer = int(max(1, min(CALLS_ON_AND_ON, MEMORY_SECONDS / per_call / 4, left // 2 - rounds)))
        counts = [1] * (2 * rounds - 2) + [longer] * 2
        requests = [
            Request(sides[1 - place % 2], count, stream, forgetting=True)
            for place, (count, stream) in enumerate(zip(counts, streams, strict=True))
        ]
        answers = [caller.observed(some).tokens[first:] for some in caller.answers(requests)]
        after = [np.concatenate(answers[side::2]) for side in (0, 1)]
        evidence = sum(memory_evidence(before[side], after[side]) for side in (0, 1))
        evidence -= math.log((1.0 + first) * TRIES)  # where a first call may be unlike others it is a second try, too
        self._remember(
            evidence,
            f"outputs that were all alike on each dataset were others when it was asked again (evidence "
            f"{as_number(evidence)}): its noise is kept or comes from the clock, so that its runs are not fresh; "
            "draw anew in each call, from the rng that the call is given.",
        )
        if caller.noticed.outside:
            self.outside = ", ".join(sorted(caller.noticed.outside))
        used = sum(counts)
        alike = all(bool((after[side] == before[side][0]).all()) for side in (0, 1))
        if evidence >= math.log(DOUBTFUL):
            return used
        if alike:
            ignores = not caller.noticed.used_rng
            count = int(min(CALLS_APART, max(4, MEMORY_SECONDS / per_call / 32), (left - used) // 4))
            return used + (self._ask_apart(caller, sides, key, count, before) if ignores and count else 0)
        # the few that are others may be rare answers of a fresh learner: outputs are no longer alike, only nearly
        return used + self._ask_on_and_on(caller, sides, key, left - used, before)

    def _remember(self, evidence: float, words: str) -> None:
        """What one more look at what is remembered showed, where it is more than the others did."""
        if evidence > self.memory:
            self.memory, self.remembers = evidence, words

    def _ask_apart(
        self, caller: Caller, sides: tuple[int, int], key: tuple[int, ...], count: int, before: tuple[Tokens, Tokens]
    ) -> int:
        """Whether one that ignores its generator answers otherwise in processes that were just started.

        Each of two is asked ``count`` times on each dataset. There what is drawn once, when it is imported, is drawn
        anew: a key by which noise is made from the data. Classes of its own may look otherwise there than here (they
        are imported, or sent as code), so that the answers of both must be others.
        """
        asked = _twice_apart(caller, sides, (APART_KEY, *key), count)
        if asked is None:
            return 0
        evidence = -math.log(TRIES)
        for side, (one, other) in enumerate(asked):
            evidence += memory_evidence(before[side], one) if one[0] != other[0] else 0.0
        self._remember(
            evidence,
            f"outputs that were all alike on each dataset were others in a process that was just started (evidence "
            f"{as_number(evidence)}): what its noise is made from is drawn once and kept, so that its runs are not "
            "fresh; draw anew in each call, from the rng that the call is given.",
        )
        return 4 * count

    def _ask_for_others(
        self,
        caller: Caller,
        sides: tuple[int, int],
        key: tuple[int, ...],
        left: int,
        per_call: float,
        before: tuple[Tokens, Tokens],
    ) -> int:
        """Whether outputs that come again, among many, are others in a process that was just started.

        Noise that is picked from a list is kept where that list outlives the calls; there it is drawn anew.
        """
        count = int(min(CALLS_FOR_OTHERS, max(4, MEMORY_SECONDS / per_call / 16), left // 4))
        if count < LEAST_CONFIRMING_CALLS:
            return 0
        asked = _twice_apart(caller, sides, (OTHERS_KEY, *key), count)
        if asked is None:
            return 0
        rng = np.random.default_rng(caller.question.stream(COIN_STREAM, OTHERS_KEY, *key))
        evidence = -math.log(TRIES)
        for side, (one, other) in enumerate(asked):  # as above, those of both must be others
            shared = float(np.isin(other, one).mean())
            evidence += others_evidence(before[side], one, rng) if shared < MOSTLY_OTHERS else 0.0
        self._remember(
            evidence,
            f"outputs that came again and again were others in a process that was just started (evidence "
            f"{as_number(evidence)}): noise is picked from a list that is drawn once and kept, so that its runs "
            "are not fresh; draw anew in each call, from the rng that the call is given.",
        )
        return 4 * count

    def _ask_on_and_on(
        self,
        caller: Caller,
        sides: tuple[int, int],
        key: tuple[int, ...],
        left: int,
        before: tuple[Tokens, Tokens],
    ) -> int:
        """Whether one learner that is called on and on answers as those did that were called a few times each."""
        if left < 2 * CALLS_WHERE_NEARLY_ALIKE:
            self.few_left = True
            return 0
        streams = [caller.question.stream(LEARNER_STREAM, ON_AND_ON_KEY, *key, place) for place in (0, 1)]
        requests = [Request(sides[1 - side], CALLS_WHERE_NEARLY_ALIKE, stream) for side, stream in enumerate(streams)]
        after = [caller.observed(answers).tokens[1:] for answers in caller.answers(requests)]
        evidence = -math.log(TRIES)
        for one, other in zip(before, after, strict=True):
            codes = np.unique(np.concatenate([one, other]), return_inverse=True)[1]
            evidence += prediction_evidence(np.repeat([0, 1], [len(one), len(other)]), codes)
        self._remember(
            evidence,
            f"a learner that is called on and on answers otherwise than those that were called a few times each "
            f"(evidence {as_number(evidence)}): what it draws is kept, so that its runs are not fresh; draw anew "
            "in each call, from the rng that the call is given.",
        )
        return 2 * CALLS_WHERE_NEARLY_ALIKE

    def calls_to_confirm(self, alpha: float, left: int, per_call: float) -> int:
        """How many calls of each learner are worth making before a violation is told."""
        shown = self.freshness.shown
        suspicious = self.evidence >= SUSPICIOUS
        enough = shown >= SHOWN_ENOUGH * unfresh(alpha) and self.kept_noise_would_show
        if not suspicious and (shown == 0.0 or enough):
            return 0  # outputs that are all alike would show nothing
        # a kept coin may by luck have been the same at all places seen so far: blocks must be longer than these were
        hard = suspicious or self.freshness.kept.few
        most = CONFIRMING_CALLS if hard else self._calls_until(SHOWN_ENOUGH * unfresh(alpha))
        affordable = max(CONFIRMING_SECONDS / max(per_call, 1e-9), self.freshness.outputs)
        wanted = int(min(most, max(LEAST_CONFIRMING_CALLS, affordable / 4)))
        # outputs that were alike are asked for once more after this: calls are left for that where there are enough
        kept = (2 * CALLS_WHERE_NEARLY_ALIKE, 2 * LEAST_LATER_REQUESTS, 0)
        spared = next((left - some for some in kept if left - some >= 4 * LEAST_CONFIRMING_CALLS), left)
        calls = int(min(wanted, spared // 4))
        self.few_left, self.cut_short = calls < LEAST_CONFIRMING_CALLS, calls < wanted
        return calls if calls >= LEAST_BLOCK else 0

    def _calls_until(self, wanted: float) -> int:
        """How many calls of each of four learners would show so much of a full repetition, as those so far did."""
        missing, each = wanted - self.freshness.shown, 2.0 * self.freshness.shown / self.freshness.outputs
        return int(np.clip(1.0 + missing / (2.0 * each), COMPARING_CALLS, CONFIRMING_CALLS))

    def further_calls(self, last: int, left: int, per_call: float, seconds: float) -> int:
        """How many calls of each learner are made after ``last``, which showed too little; 0 where they showed enough.

        Of outputs that are nearly all alike only the few others show anything, so that blocks must grow; it is looked
        again where something speaks against fresh runs, but not enough, or where kept noise would not have shown yet.
        """
        hidden = last >= LONG_BLOCK and not self.kept_noise_would_show
        if self.doubtful or not (self.few_differ or hidden or self.evidence >= SUSPICIOUS):
            return 0
        affordable = min((left - 2 * CALLS_WHERE_NEARLY_ALIKE) / 4, seconds / per_call / 4, MOST_CONFIRMING_CALLS)
        calls = int(min(CONFIRMING_GROWTH * last if self.few_differ else CONFIRMING_CALLS, affordable))
        return calls if calls >= LEAST_CONFIRMING_CALLS else 0

    @property
    def kept_noise_would_show(self) -> bool:
        """Whether noise kept under other noise would have shown in what was seen; also where all outputs were alike."""
        shown = self.freshness.kept.shown
        return shown is None or shown >= KEPT_SHOWN_ENOUGH

    @property
    def doubtful(self) -> bool:
        """Whether too much speaks against fresh runs for a violation to be told."""
        return max(self.evidence, self.memory, self.lags, self.order.evidence) >= math.log(DOUBTFUL)

    @property
    def unknown(self) -> bool:
        """Whether a full repetition would not have shown in what was seen, or no calls were left to look again."""
        short = self.cut_short and self.evidence >= math.log(DOUBTFUL_AFTER_FEW)
        return self.unasked or self.few_left or self.few_differ or short

    @property
    def few_differ(self) -> bool:
        """Whether so few outputs differ from the others that a full repetition of them would not be seen."""
        return 0.0 < self.freshness.shown < math.log(DOUBTFUL)

    @property
    def undecided(self) -> str:
        """Why outputs that were all alike cannot be taken for what is computed from the data; empty where they can."""
        if not self.outside:
            return ""
        return (
            "its outputs are all alike on each dataset, and it reaches outside its process while it answers "
            f"({self.outside}): what it may keep there cannot be told from what it computes, so that its runs cannot "
            "be taken for fresh; keep nothing there that was drawn, or answer without it."
        )

    def complaint(self) -> str:
        """What is said of a learner whose runs are not fresh."""
        # of two that lie near each other call for call this is the reason, though others may show it better; kept noise
        # that grows by luck in its first few calls does so in all learners, but shows far better that it is kept
        if self.order.evidence >= max(math.log(DOUBTFUL), OF_THE_BEST * max(self.lags, self.memory, self.evidence)):
            return self.order.complaint()
        if self.lags > max(self.memory, self.evidence) and self.drifts:
            return (
                f"a number in its outputs lies near that of the calls just before (evidence {as_number(self.lags)}), "
                "as the time that a call took does, or a state that drifts: outputs tell of each other, so that its "
                "runs are not fresh; leave such numbers out of the output, and draw anew in each call."
            )
        if self.lags > max(self.memory, self.evidence):
            return (
                f"outputs depend on those of earlier calls (evidence {as_number(self.lags)}): its noise comes back "
                "after so many calls, so that its runs are not fresh; draw anew in each call, from the rng that the "
                "call is given."
            )
        return self.remembers if self.memory > self.evidence else self.freshness.complaint()

    def ask_forgetful(self, caller: Caller, sides: tuple[int, int], per_call: float) -> int:
        """Whether a learner whose first outputs were all alike remembers them; gives how many calls were made."""
        used, self.memory, self.remembers = memory(caller, sides, per_call)
        return used


def unfresh(alpha: float) -> float:
    """The evidence (nats) at which runs are taken to be not fresh.

    Half of the level is the older watch's; the four bets of :meth:`FreshnessWatch.fails` share the other half.
    """
    return disagreement(alpha) + math.log(8.0)


def memory(caller: Caller, sides: tuple[int, int], per_call: float) -> tuple[int, float, str]:
    """Whether a learner whose first outputs were all alike remembers them: calls made, evidence, and what is wrong.

    Only where it can: where it holds a cache, or can reach something that outlives a request. Learners that have
    forgotten (caches emptied, or in a process just started) are asked once each, and their answers compared with
    those before, on each dataset.
    """
    noticed = caller.noticed
    if not (noticed.caches or noticed.lasting):
        return 0, 0.0, ""
    question = caller.question
    fits = max(1.0, MEMORY_SECONDS / per_call / 8)
    count = int(min(CALLS_ALIKE, fits, question.max_samples // 16))
    rounds = int(min(FORGETTING_REQUESTS, fits, question.max_samples // 32))
    if rounds == 0:
        return 0, 0.0, ""
    before = [caller.outputs(dataset, count, (MEMORY_KEY, 0, side)) for side, dataset in enumerate(sides)]
    used = 2 * count
    if any(len(np.unique(block.tokens)) > 1 for block in before):
        return used, 0.0, ""
    requests = [
        Request(dataset, 1, question.stream(LEARNER_STREAM, MEMORY_KEY, 1, place, side), forgetting=True)
        for place in range(rounds + FORGETTING_PROCESSES)
        for side, dataset in enumerate(sides)
    ]
    after = [caller.observed(answers) for answers in caller.answers(requests[: 2 * rounds])]
    evidence = _evidence(before, after)
    used += 2 * rounds
    if evidence < unfresh(question.limits.alpha):  # of isolation 'none' too: a module forgets nowhere else
        apart: list[Observations] = []
        for place in range(rounds, rounds + FORGETTING_PROCESSES):
            apart += _apart(caller, requests[2 * place : 2 * place + 2])
        used += len(apart)
        # where it did not forget in its place, those in processes of their own count alone: the better half of two
        # bets, of which this is none where all of them agree, for their classes may look otherwise than here
        agree = all(len({int(block.tokens[0]) for block in apart[side::2]}) < 2 for side in (0, 1))
        evidence = max(evidence, 0.0 if agree else _evidence(before, apart)) - math.log(2.0)
    if evidence < math.log(DOUBTFUL):
        return used, max(evidence, 0.0), ""
    what = f"through {min(noticed.caches)}" if noticed.caches else "in something that outlives its calls"
    return (
        used,
        evidence,
        f"it remembers its answers {what}, so that its runs are not fresh (evidence {as_number(evidence)}): one that "
        "had forgotten them gave others; draw anew in each call, and remember nothing that was drawn.",
    )


def _evidence(before: list[Observations], after: list[Observations]) -> float:
    """Of both datasets together."""
    if len(after) < 2:
        return 0.0
    return sum(memory_evidence(one.tokens, join(after[side::2]).tokens) for side, one in enumerate(before))


def _twice_apart(
    caller: Caller, sides: tuple[int, int], key: tuple[int, ...], count: int
) -> list[tuple[Tokens, Tokens]] | None:
    """Per dataset, ``count`` answers of each of two processes that were just started; None where there are none."""
    found = []
    for which in (0, 1):
        streams = [caller.question.stream(LEARNER_STREAM, *key, which, side) for side in (0, 1)]
        requests = [Request(sides[1 - side], count, stream) for side, stream in enumerate(streams)]
        answers = _apart(caller, requests)
        if len(answers) < len(requests):
            return None
        found.append([some.tokens for some in answers])
    return list(zip(*found, strict=True))


def _apart(caller: Caller, requests: list[Request]) -> list[Observations]:
    """Answers of a process that was just started; none where the learner cannot be sent to one, or fails there."""
    asked = caller.question.limits.isolation
    isolation = "container" if asked == "container" else "process"
    limits = replace(caller.question.limits, isolation=isolation, jobs=1, executor=None)
    try:
        target = imported_anew(caller.question.target)
        runner = runner_of(replace(caller.question, limits=limits, target=target), fresh=True)
    except Exception:  # packing a stranger's learner may raise anything
        return []
    try:
        return [caller.observed(answers) for answers in runner.run(requests)]
    except LearnerDied:
        if target is caller.question.target:
            raise
        return []
    finally:
        runner.close()
