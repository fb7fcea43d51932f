"""A smaller form of the pair that was found: judged on streams of its own, then certified again on fresh calls.

The level: the pairs found share half of alpha, the smaller one has the other half (weights of one average). What is
asked while shrinking is a function of the pair alone: its coins and calls come from the digest of the pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from dpcheck.model.data import digest
from dpcheck.model.errors import LearnerDied
from dpcheck.model.neighbours import Pair
from dpcheck.model.neighbours.shrinker import Exhausted, shrunk
from dpcheck.model.verdict import Finding, Stop
from dpcheck.privacy.run.agreement_phase import Opening
from dpcheck.privacy.run.allocation import interim_size, pairs_share
from dpcheck.privacy.run.caller import Caller
from dpcheck.privacy.run.certification import Run, certify_pairs, tell_progress
from dpcheck.privacy.run.events import PhaseStarted
from dpcheck.privacy.statistics.claim_evidence import log_evidence_against
from dpcheck.privacy.statistics.evidence import log_evidence
from dpcheck.privacy.statistics.game import Feature, Game, certify, game_against, learn, tally, with_features
from dpcheck.privacy.statistics.state import SHRUNK, PairState

#: A smaller pair is taken when the evidence on its own stream reaches this many to one: it is only a step.
STEP_ODDS = 100.0
#: Calls for one step: as many as the pair found had needed, and never fewer than these.
LEAST_STEP_CALLS = 3_000
#: A step may take this many times the calls after which the pair found had that evidence.
STEP_PATIENCE = 2.0
#: Calls by which the smaller pair has to be certified, in those that the pair found had needed.
CERTIFY_PATIENCE = 8.0
#: Part of the calls left that steps may use; the rest certifies.
STEPS_PART = 0.6
#: Calls that steps may use where no number of calls was asked for: pairs are small from the start.
PLANNED_STEPS = 20_000
#: Part of the seconds after which no further step is begun.
STEPS_UNTIL = 0.75
#: Features of the output that a step looks at.
FEATURES_ASKED = 3
#: First word of the keys of the streams of steps.
STEP_KEY = 4_000_001
#: The half of alpha that is kept for the smaller pair, as a weight.
SHRUNK_WEIGHT = 1.0 - pairs_share(shrinking=True)


@dataclass
class _Steps:
    """The predicate: does the claim look violated on this pair, on the pair's own stream?"""

    run: Run
    caller: Caller
    opening: Opening
    place: int
    calls: int
    budget: int
    telling: frozenset[tuple[str, int]]
    by_draws: bool
    known: dict[str, bool] = field(default_factory=dict)
    asked: int = 0
    lacked: str = ""

    def __call__(self, pair: Pair) -> bool:
        key = self._key(pair)
        if key not in self.known:
            if self.run.seconds > STEPS_UNTIL * self.run.question.max_seconds:
                self.lacked = "seconds"
            elif self.run.state.samples + self.calls > self.budget or self.run.calls_left < 2 * self.calls:
                self.lacked = "calls"
            if self.lacked:
                raise Exhausted
            self.asked += 1
            self.known[key] = self._holds(pair, key)
        return self.known[key]

    def _key(self, pair: Pair) -> str:
        """What names a pair: its digests, or its place among those asked about where its values have no digest."""
        digests = [digest(data)["sha256"] for data in (pair.left, pair.right)]
        return " ".join(digests) if all(digests) else f"{self.asked:x} 0"

    def _holds(self, pair: Pair, key: str) -> bool:
        words = [int(part[:15], 16) for part in key.split()]
        serving = self.run.serve(self.caller, [pair])
        sides = serving.question.dataset_numbers()[0]
        shape = self.run.shapes.get(self.place, self.opening.shape)
        game = with_features(game_against(shape, self.run.state.claim), self.telling)
        while size := interim_size(game.calls, self.calls - game.calls, dear=serving.making > 0.0):
            interim = serving.interim_data(sides, size, (STEP_KEY, *words, game.calls), bulk=self.by_draws)
            game = learn(serving.noticed.kinds.named(certify(game, interim.batch)), interim.batch)
            self.run.state = self.run.state.with_calls("shrink", size)
            evidence = log_evidence_against(tally(game), self.run.state.claim)
            tell_progress(self.run, evidence, pair.change)
            if evidence >= math.log(STEP_ODDS):
                return True
        return False


def shrink_found(run: Run, caller: Caller, opening: Opening) -> None:
    """Make the violating pair smaller and certify it; the verdict stays as it is whatever comes of it."""
    place = max(run.evidences, key=lambda i: run.evidences[i] + math.log(run.state.pairs[i].weight))
    game = run.state.pairs[place].game
    assert game is not None
    found = run.question.pairs[place]
    run.tell(PhaseStarted("shrink"))
    calls = max(
        LEAST_STEP_CALLS, int(STEP_PATIENCE * game.calls * math.log(STEP_ODDS) / max(run.evidences[place], 1.0))
    )
    steps_calls = int(STEPS_PART * run.calls_left)
    budget = run.state.samples + (min(PLANNED_STEPS, steps_calls) if run.question.planned else steps_calls)
    telling = _telling(game)
    by_draws = run.bulk and telling[0][0] != "form"  # what an output comes in calls alone may show
    steps = _Steps(run, caller, opening, place, calls, budget, frozenset(telling), by_draws)
    try:
        smaller = shrunk(found, run.question.relation, steps)
    except LearnerDied as error:
        _note(run, f"the learner failed on a smaller pair, so that the one found stands: {error}")
        return
    if smaller is found:
        words = f"there were too few {steps.lacked} left to look for one" if steps.lacked else "none was found"
        if steps.lacked and steps.asked:
            tried = "the one that was tried does not show" if steps.asked == 1 else f"none of {steps.asked} tried shows"
            words = f"{tried} the leak so soon, and the {steps.lacked} meant for this were used up"
        _note(run, f"a smaller pair was looked for: {words}")
        return
    decided, asked = run.state, run.question
    last = len(decided.pairs)
    if place in run.shapes:
        run.shapes[last] = run.shapes[place]
    run.state = replace(decided, pairs=(*decided.pairs, PairState.of(smaller, SHRUNK_WEIGHT, SHRUNK)))
    run.question = replace(asked, pairs=(*asked.pairs, smaller))
    run.tell(PhaseStarted("certify"))
    needed = -math.log(run.question.limits.alpha * SHRUNK_WEIGHT)
    limit = CERTIFY_PATIENCE * max(game.calls, LEAST_STEP_CALLS)

    def certified() -> bool:
        now = run.state.pairs[last].game
        return run.evidences[last] >= needed or (now is not None and now.calls >= limit)

    try:
        serving = run.serve(caller, run.question.pairs)
        certify_pairs(run, serving, opening, [last], certified, until_total=False)
    except LearnerDied as error:
        _note(run, f"the learner failed on the smaller pair: {error}")
    finally:  # also when interrupted: what was decided before stays as it was, its part of alpha uncut
        if run.evidences.get(last, 0.0) < needed:
            run.evidences.pop(last, None)
            run.state = replace(run.state, pairs=decided.pairs)
            run.question = asked
            _note(run, f"a smaller pair ({smaller.change}) could not be certified on fresh calls; the one found stands")
    run.stop, run.failure = Stop.VIOLATION, ""


def _telling(game: Game) -> list[tuple[str, int]]:
    """The features that carried most evidence on the pair found, the most first: a step looks at these alone."""

    def evidence(feature: Feature) -> float:
        alone = replace(game, features=(feature,), atoms=())
        return log_evidence(tally(alone), game.epsilon, game.delta)

    ranked = sorted(game.features, key=evidence, reverse=True)
    return [(feature.kind, feature.place) for feature in ranked[:FEATURES_ASKED]]


def _note(run: Run, text: str) -> None:
    record = run.state.record
    run.state = replace(run.state, record=replace(record, findings=(*record.findings, Finding("shrinking", text))))
