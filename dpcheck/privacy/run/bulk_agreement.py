"""Draws of ``sample`` beside separate calls, for as long as an audit uses both.

Draws are quick: rules learn from them, and what they suggest is looked for. Only separate calls count for or against a
claim: they alone are what the learner does. At each interim analysis there are draws and calls under the same rules,
fitted before either: so the two are compared in the very events that a claim would be refuted with, and draws of one
sample are looked at for dependence, for as long as they are used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim, PureDP
from dpcheck.model.verdict import Finding, as_number
from dpcheck.privacy.run.agreement_phase import FAR_APART, disagreement
from dpcheck.privacy.run.caller import Caller, InterimData
from dpcheck.privacy.run.question import COIN_STREAM, Question
from dpcheck.privacy.statistics.agreement import rows
from dpcheck.privacy.statistics.claim_evidence import log_evidence_against
from dpcheck.privacy.statistics.dependence import FIRST_START, Dependence
from dpcheck.privacy.statistics.game import (
    Batch,
    Game,
    Shape,
    best_guesses,
    both,
    certified_calls,
    certify,
    learn,
    new_game,
    tally,
    uncounted,
    with_counts,
)
from dpcheck.privacy.statistics.judge import UNCONFIRMED
from dpcheck.privacy.statistics.observations import Observations, join
from dpcheck.privacy.statistics.same_law import SameLaw, Slots, smallest_seen
from dpcheck.privacy.statistics.state import State

#: The part of the outputs that are separate calls: always at least this ...
CALLS_SHARE = 0.1
#: ... this while the calls alone would not yet have shown the leak asked for ...
SHARE_BEHIND = 0.5
#: ... and this where that would not be enough, or outputs look like a leak: some draws are left to see that they do.
#: Where it would not be enough either all are calls: outputs are scarce, and draws save seconds only.
SHARE_MOST = 0.8
#: Evidence (nats) of draws, or of calls, that is worth more calls.
PROMISING = 3.0
#: Draws are looked at for dependence until so many have been seen; then at one interim analysis in so many.
WATCHED_DRAWS, SELDOM = 20_000, 5
#: The comparison of laws and the test of dependence share one level.
SHARED_LEVEL = math.log(2.0)
#: Calls and draws of each interim analysis of a comparison that is no audit; as many draws in one sample as audits
#: make, and more.
FULL_SIZES = ((200, 200), (200, 600), (400, 2_000), (1_500, 10_000), (1_500, 10_000), (1_500, 10_000), (1_500, 20_000))
#: Names the column of an output that is one number.
ONE_NUMBER = Shape(1, repeats=False, others=False)
#: Pairs of small samples on each dataset that are looked at for dependence first, and the draws of each.
SMALL_SAMPLES, SMALL_SAMPLE = 30, 150
#: The kind of the finding that says what calls and draws were used for.
SEPARATE = "separate calls"
#: Guesses of outputs (1: D, -1: D', 0: none), and in words what they go by.
Guess = Callable[[Observations], tuple[NDArray[np.int8], str]]
#: First words of the keys of the streams of draws, of the slots and of the ranks.
DRAWS_KEY, SLOTS_KEY, RANKS_KEY = 1_000_004, 1_000_005, 1_000_006
#: Nats that averaging over partitions costs a difference in one of them, at the most.
PARTITIONS = math.log(4.0 * 2.0 * 12.0)


@dataclass
class Sampling:
    """What was seen of draws beside calls. ``suspects`` are the games with the counts of draws instead of calls.

    ``shape`` names the columns of outputs.
    """

    shape: Shape = ONE_NUMBER
    suspects: dict[int, Game] = field(default_factory=dict)
    laws: dict[int, SameLaw] = field(default_factory=dict)
    dependence: Dependence = field(default_factory=Dependence)
    evidences: dict[int, float] = field(default_factory=dict)
    draws: int = 0
    calls: int = 0
    analyses: int = 0

    def watch_draws(self, caller: Caller, drawn: InterimData, key: tuple[int, ...]) -> None:
        """Draws of one more interim analysis: do those of one sample depend on each other?"""
        before = self.draws
        self.draws += len(drawn.batch.coins)
        self.analyses += 1
        if before < WATCHED_DRAWS or self.analyses % SELDOM == 0:
            rng = np.random.default_rng(caller.question.stream(COIN_STREAM, RANKS_KEY, *key))
            for one, other in drawn.apart.values():
                self.dependence = self.dependence.see(one, other, rng)

    def compare(
        self, place: int, guess: Guess, called: Batch, drawn: Batch, caller: Caller, key: tuple[int, ...]
    ) -> None:
        """Calls and draws on a pair, compared in all parts of the outputs and in guesses that have seen neither."""
        self.calls += len(called.coins)
        slots, event = slots_of(caller.question, guess, called, drawn, key)
        self.laws[place] = self.laws.get(place, SameLaw()).see(slots, event)

    def suspect(self, place: int, game: Game) -> Game:
        """The game of a pair with the counts of draws; before there are any, its own."""
        return self.suspects.get(place, game)

    def count(self, place: int, game: Game, drawn: Batch, claim: Claim) -> None:
        """Count the guesses on draws of the rules of ``game``, which has not seen them."""
        suspect = certify(with_counts(game, self.suspects.get(place, uncounted(game))), drawn)
        self.suspects[place] = suspect
        self.evidences[place] = log_evidence_against(tally(suspect), claim)

    def take_rules(self, place: int, game: Game) -> None:
        """Take over the rules of a game that has learned more."""
        if place in self.suspects:
            self.suspects[place] = with_counts(game, self.suspects[place])

    def share(self, place: int, weight: float, alpha: float, evidence: float, lacking: int, left: int) -> float:
        """The part of a pair's next interim data that is separate calls.

        Its calls gave so much ``evidence``, it lacks so many of them, and has ``left`` outputs.
        """
        if self.suspected(place, weight, alpha) or max(evidence, self.evidences.get(place, 0.0)) >= PROMISING:
            return SHARE_MOST
        if lacking <= 0:
            return CALLS_SHARE
        return next((part for part in (SHARE_BEHIND, SHARE_MOST) if lacking <= part * left), 1.0)

    def suspected(self, place: int, weight: float, alpha: float) -> bool:
        """Whether the draws on a pair would refute the claim if they were calls."""
        return weight > 0.0 and self.evidences.get(place, 0.0) + math.log(weight) >= -math.log(alpha)

    @property
    def _law(self) -> tuple[float, int]:
        """The most evidence against one law, and its pair; the j-th pair compared has weight 6 / (pi j)^2."""
        found = [
            (law.evidence + math.log(FIRST_START) - 2.0 * math.log(number), place)
            for number, (place, law) in enumerate(self.laws.items(), 1)
        ]
        return max(found, default=(0.0, -1))

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence that ``sample`` does not give independent draws of the law of calls."""
        return max(self._law[0], self.dependence.evidence) - SHARED_LEVEL

    @property
    def complaint(self) -> str:
        """What is said of a learner whose ``sample`` does not agree with its calls."""
        law, place = self._law
        if self.dependence.evidence >= law:
            return (
                f"outputs of one sample depend on each other (evidence {as_number(self.evidence)}): "
                f"{self.dependence.words}; its sample must give independent draws of the law of its calls."
            )
        return (
            f"its sample does not follow the law of its calls (evidence {as_number(self.evidence)}): "
            f"{self.laws[place].difference(self.shape.name)}; its sample must give independent draws of the law of "
            "its calls."
        )

    def power(self, needed: float) -> str:
        """What the comparison of draws and calls would have seen, in words; ``needed`` nats are a disagreement."""
        slots = min((law.slots for law in self.laws.values()), default=0)
        where = "" if len(self.laws) <= 1 else f" of each of {len(self.laws)} pairs, at least"
        weight_lost = 2.0 * math.log(max(len(self.laws), 1)) - math.log(FIRST_START)
        least = smallest_seen(slots, needed + SHARED_LEVEL + PARTITIONS + weight_lost)
        if least >= 1.0:
            return f"The two were compared on {slots:,} outputs{where}: too few to see a difference"
        return (
            f"The two were compared on {slots:,} outputs{where}: a total variation above {least:.2g} that shows in "
            "one of the events compared would have been seen with probability 0.95"
        )

    def findings(self, state: State, *, decided: bool) -> tuple[Finding, ...]:
        """What a verdict must say of the draws it used; ``decided`` says that it does not rest on what calls lack."""
        if not self.draws:
            return ()
        alpha, weights = state.record.alpha, [pair.weight for pair in state.pairs]
        calls = sum(certified_calls(pair.game) for pair in state.pairs if pair.game is not None)
        words = (
            f"{calls:,} separate calls count for the claim; {self.draws:,} draws of sample were learned from only. "
            f"{self.power(disagreement(alpha))}"
        )
        found: tuple[Finding, ...] = (Finding(SEPARATE, words),)
        suspected = [i for i, weight in enumerate(weights) if self.suspected(i, weight, alpha)]
        if suspected and not decided:
            place = max(suspected, key=lambda i: self.evidences[i])
            event = self.laws[place].event if place in self.laws else ""
            found += (
                Finding(
                    UNCONFIRMED,
                    f"draws of sample speak against the claim (evidence {as_number(self.evidences[place])}, "
                    f"{event}), {calls:,} separate calls do not confirm it, and neither do they differ from the draws "
                    "enough to say that sample has another law: more calls decide (max_samples, max_seconds)",
                ),
            )
        return found


def at_full_size(caller: Caller, sides: tuple[int, int], shape: Shape) -> Sampling:
    """Compare calls with draws of samples as large as an audit draws, in the events that tell two datasets apart.

    Many small samples come first: what their draws have in common shows in the number of samples.
    """
    sampling = Sampling(shape)
    for number in range(SMALL_SAMPLES):
        rng = np.random.default_rng(caller.question.stream(COIN_STREAM, RANKS_KEY, number))
        for side in sides:
            keys = [(DRAWS_KEY, number, side, which) for which in (0, 1)]
            one, other = (caller.outputs(side, SMALL_SAMPLE, key, bulk=True) for key in keys)
            sampling.draws += 2 * SMALL_SAMPLE
            sampling.dependence = sampling.dependence.see(one, other, rng)
        if sampling.evidence >= FAR_APART:
            return sampling
    game = new_game(shape, 0.0, 0.0, boosted=False)
    for number, (calls, draws) in enumerate(FULL_SIZES):
        key = (DRAWS_KEY, SMALL_SAMPLES + number)
        called = caller.interim_data(sides, calls, (*key, 0), bulk=False)
        drawn = caller.interim_data(sides, draws, (*key, 1), bulk=True)
        sampling.watch_draws(caller, drawn, key)
        guess = partial(best_guesses, sampling.suspect(0, game))
        sampling.compare(0, guess, called.alike, drawn.batch, caller, key)
        sampling.count(0, game, drawn.batch, PureDP(0.0))
        game = learn(game, both(called.alike, drawn.batch))
        sampling.take_rules(0, game)
        if sampling.evidence >= FAR_APART:
            break
    return sampling


def slots_of(question: Question, guess: Guess, called: Batch, drawn: Batch, key: tuple[int, ...]) -> tuple[Slots, str]:
    """Outputs of both sides whose source a fair coin chose, and in words what their guesses go by.

    Coins are thrown until calls or draws are used up, which is known from the coins alone.
    """
    rng = np.random.default_rng(question.stream(COIN_STREAM, SLOTS_KEY, *key))
    taken_calls, taken_draws, sources, sides = [], [], [], []
    for side in (0, 1):
        calls, draws = np.flatnonzero(called.coins == side), rng.permutation(np.flatnonzero(drawn.coins == side))
        coins = rng.integers(0, 2, len(calls) + len(draws)).astype(np.int8)
        heads = np.cumsum(coins)
        over = (heads > len(draws)) | (np.arange(1, len(coins) + 1) - heads > len(calls))
        coins = coins[: int(np.argmax(over)) if over.any() else len(coins)]
        taken_draws.append(draws[: int(coins.sum())])
        taken_calls.append(calls[: len(coins) - int(coins.sum())])
        sources.append(coins)
        sides.append(np.full(len(coins), side, np.int8))
    source, side_of = np.concatenate(sources), np.concatenate(sides)
    some_draws, some_calls = np.concatenate(taken_draws), np.concatenate(taken_calls)
    order = np.empty(len(source), np.int64)
    order[np.concatenate([np.flatnonzero(source == 1), np.flatnonzero(source == 0)])] = np.arange(len(source))
    seen = join(
        [rows(drawn.seen, some_draws, all_numbers=True), rows(called.seen, some_calls, all_numbers=True)], order
    )
    guesses, event = guess(seen)
    return Slots(seen, source, side_of, guesses), event
