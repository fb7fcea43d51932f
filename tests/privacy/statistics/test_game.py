"""The label game: what certifies was known before; weights never move; no evidence where there is no leak."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpcheck.execution.answers import Answers
from dpcheck.privacy.statistics.evidence import GRADES, log_evidence
from dpcheck.privacy.statistics.game import MEMORY, Batch, Game, Shape, certify, event_words, learn, new_game, tally
from dpcheck.privacy.statistics.observations import Observations, observe
from dpcheck.privacy.statistics.scores import BoostedScore
from dpcheck.privacy.statistics.sparse import part_names
from tests.playing import (
    FEW_VALUES,
    NUMBERS,
    Law,
    among_codes,
    batch_of,
    batches,
    independent,
    interim_sizes,
    laplace,
    most_evidence,
    play,
    response,
    revealing,
)
from tests.statistical_tests import LEVEL

CASES: dict[str, tuple[Law, Shape, tuple[float, float]]] = {
    "laplace": (laplace(3.0), NUMBERS, (1.0, 0.0)),
    "response": (response(3.0), FEW_VALUES, (1.0, 0.0)),
    "revealing": (revealing(1.0, 0.2), FEW_VALUES, (1.0, 1e-3)),
    "several": (
        lambda rng, coins: rng.normal(size=(len(coins), 3)) + coins[:, None],
        Shape(3, False, False),
        (0.5, 0.0),
    ),
    "distances": (
        lambda rng, coins: rng.laplace(size=(len(coins), 3)) + coins[:, None],
        Shape(3, False, False, measured=3),
        (0.5, 0.0),
    ),
    "codes": (among_codes(6), Shape(6, False, False, coded=6), (0.5, 0.0)),
    "words": (
        lambda rng, coins: np.array([f"word {w}" for w in rng.binomial(8, 0.3 + 0.3 * coins)], dtype=object),  # type: ignore[dict-item]
        Shape(0, True, True),
        (0.5, 0.0),
    ),
    "mixed": (
        lambda rng, coins: np.where(rng.random(len(coins)) < 0.2 * coins, np.nan, rng.normal(size=len(coins))),
        Shape(1, False, True),
        (0.5, 0.0),
    ),
}
EVERY_CASE = pytest.mark.parametrize("case", CASES)


def interims_of(case: str, calls: int, rng: np.random.Generator) -> list[Batch]:
    law = CASES[case][0]
    made = []
    for size in interim_sizes(calls):
        coins = rng.integers(0, 2, size).astype(np.int8)
        outputs = law(rng, coins)
        values: Any = list(outputs) if outputs.dtype == object else outputs
        made.append(Batch(observe(Answers(values), "real"), coins))
    return made


def opened(case: str) -> Game:
    _, shape, claim = CASES[case]
    return new_game(shape, *claim)


def counts(game: Game) -> list[Any]:
    seen = tally(game)
    return [seen.correct.tolist(), seen.wrong.tolist(), seen.calls.tolist()]


def same_game(one: Any, two: Any) -> bool:
    """Whether two states are equal, arrays included."""
    if isinstance(one, np.ndarray):
        return one.dtype == two.dtype and np.array_equal(one, two, equal_nan=one.dtype.kind == "f")
    if isinstance(one, BoostedScore):  # trees have no equality of their own: they are equal where they say the same
        probe = np.random.default_rng(0).normal(size=(200, one.width))
        return one.width == two.width and np.array_equal(one.log_odds(probe), two.log_odds(probe))
    if isinstance(one, tuple):
        return len(one) == len(two) and all(map(same_game, one, two))
    if hasattr(one, "log_odds"):  # a score is what it says of outputs; trees have no equality of their own
        columns = np.random.default_rng(0).normal(size=(50, 3))
        return np.array_equal(one.log_odds(columns), two.log_odds(columns))
    if hasattr(one, "__dataclass_fields__"):
        return type(one) is type(two) and all(
            same_game(getattr(one, name), getattr(two, name))
            for name, field in one.__dataclass_fields__.items()
            if field.compare  # others are kept for speed alone
        )
    return bool(one == two) or (one != one and two != two)


# --- predictability ----------------------------------------------------------------------------------------------


@EVERY_CASE
def test_the_first_batch_is_learned_from_and_never_counted(case: str, rng: np.random.Generator) -> None:
    first = interims_of(case, 32, rng)[0]
    game = certify(opened(case), first)
    assert same_game(game, opened(case))
    assert abs(log_evidence(tally(learn(game, first)), game.epsilon, game.delta)) < 1e-12
    permuted = Batch(first.seen, rng.permutation(first.coins))
    learned = learn(certify(opened(case), permuted), permuted)
    assert abs(log_evidence(tally(learned), game.epsilon, game.delta)) < 1e-12


@pytest.mark.turns(4)
@EVERY_CASE
def test_certifying_changes_no_rule_and_learning_no_count(case: str, rng: np.random.Generator) -> None:
    *past, last = interims_of(case, 300, rng)
    game, _ = play(opened(case), past)
    certified = certify(game, last)
    for before, after in zip(game.features, certified.features, strict=True):
        wager = replace(after.wager, bets=before.wager.bets) if after.wager and before.wager else None
        assert same_game(replace(after, counts=before.counts, watched=before.watched, wager=wager), before)
    assert [(a.token, a.name) for a in certified.atoms] == [(a.token, a.name) for a in game.atoms]
    assert same_game((game.memory, game.scores), (certified.memory, certified.scores))
    learned = learn(certified, last)
    for before, after in zip(certified.features, learned.features, strict=True):
        assert np.array_equal(before.counts, after.counts)
        assert before.watched == after.watched
        assert before.wager is None or (after.wager and same_game(before.wager.bets, after.wager.bets))
    for old, new in zip(certified.atoms, learned.atoms, strict=False):
        assert np.array_equal(old.counts, new.counts)
    for new in learned.atoms[len(certified.atoms) :]:
        assert not new.counts.any()


@pytest.mark.turns(4)
@EVERY_CASE
def test_guesses_do_not_depend_on_the_coins_of_their_own_batch(case: str, rng: np.random.Generator) -> None:
    """Exchanging all coins of a batch exchanges right and wrong guesses, and does nothing else."""
    *past, last = interims_of(case, 300, rng)
    game, _ = play(opened(case), past)
    one, two = certify(game, last), certify(game, Batch(last.seen, 1 - last.coins))
    for before, a, b in zip(game.features, one.features, two.features, strict=True):
        assert np.array_equal(a.counts[0] - before.counts[0], b.counts[1] - before.counts[1])
        assert np.array_equal(a.counts[1] - before.counts[1], b.counts[0] - before.counts[0])
    for old, x, y in zip(game.atoms, one.atoms, two.atoms, strict=True):
        assert np.array_equal((x.counts - old.counts)[:, :2], (y.counts - old.counts)[:, 1::-1])


@pytest.mark.some(2)
@EVERY_CASE
def test_the_order_within_a_batch_does_not_count(case: str, rng: np.random.Generator) -> None:
    interims = interims_of(case, 300, rng)
    shuffled = []
    for interim in interims:
        order = rng.permutation(len(interim.coins))
        answers = interim.seen.answers
        moved: Any = answers[order] if isinstance(answers, np.ndarray) else [answers[i] for i in order]
        shuffled.append(
            Batch(
                Observations(interim.seen.columns[order], interim.seen.tokens[order], moved, interim.seen.kinds[order]),
                interim.coins[order],
            )
        )
    one, two = play(opened(case), interims)[0], play(opened(case), shuffled)[0]
    # a fitted score is a sum, which rounds according to its order, of the first outputs alone, or of halves by place
    fitted = [f.name for f in one.features if "score" in f.name or "trees" in f.name]
    assert [f.name for f in one.features] == [f.name for f in two.features]
    for a, b in zip(one.features, two.features, strict=True):
        assert a.name in fitted or np.array_equal(a.counts, b.counts), a.name
    assert fitted or counts(one) == counts(two)
    assert bool(fitted) == (case in ("several", "distances", "codes"))
    assert [a.token for a in one.atoms] == [a.token for a in two.atoms]


@pytest.mark.some(1)
@EVERY_CASE
def test_a_whole_run_with_its_coins_drawn_anew_finds_nothing(case: str, rng: np.random.Generator) -> None:
    """Outputs that leak, coins that have nothing to do with them: evidence of 1/level has probability level."""
    interims = [
        Batch(interim.seen, rng.integers(0, 2, len(interim.coins)).astype(np.int8))
        for interim in interims_of(case, 1500, rng)
    ]
    for claim in ((0.0, 0.0), CASES[case][2]):
        _, most = play(new_game(CASES[case][1], *claim), interims)
        assert most < -math.log(LEVEL)


@pytest.mark.some(1)
@EVERY_CASE
def test_the_same_run_with_its_own_coins_finds_the_leak(case: str, rng: np.random.Generator) -> None:
    """So that the test before this one is not passed by a game that never finds anything."""
    _, most = play(opened(case), interims_of(case, 6000, rng))
    assert most > 15.0


@pytest.mark.turns(6)
def test_a_leak_among_codes_is_found_by_their_scores(rng: np.random.Generator) -> None:
    """Power: of 20 places a number stands at one, and rules on single places see a twentieth of the outputs.

    With them 6,000 calls bring 83 nats more (on seeds 0 to 9, standard deviation 10): 25 are six of those less.
    """
    interims = batches(among_codes(20), 6000, rng)
    plain, coded = (play(new_game(Shape(20, False, False, coded=coded), 0.5, 0.0), interims) for coded in (0, 20))
    assert coded[1] > plain[1] + 25.0
    scores = {feature.name: feature for feature in coded[0].features if feature.kind == "score"}
    assert all(scores[name].counts.sum() > 0 for name in part_names(coded[0].boosted))


@pytest.mark.turns(4)
def test_codes_that_do_not_come_leave_their_scores_in_cash(rng: np.random.Generator) -> None:
    """Their weight was fixed before the first call, and nobody inherits it."""
    interims = batches(lambda rng, coins: rng.normal(size=(len(coins), 3)) + coins[:, None], 600, rng)
    games = [play(new_game(Shape(3, False, False, coded=coded), 0.5, 0.0), interims)[0] for coded in (0, 3)]
    for feature in games[1].features:
        if feature.name in part_names(boosted=True):
            assert feature.counts.sum() == 0
    assert len(games[0].scores) == len(games[1].scores)
    staked = [seen.weight.sum() + sum(weight for _, weight in seen.wagers) for seen in map(tally, games)]
    assert math.isclose(*staked, rel_tol=1e-12)


def test_outputs_independent_of_the_coins_find_nothing_at_epsilon_0(rng: np.random.Generator) -> None:
    assert most_evidence(independent, NUMBERS, (0.0, 0.0), 3000, rng) < -math.log(LEVEL)


def test_a_game_that_learns_before_it_certifies_accuses_the_innocent(rng: np.random.Generator) -> None:
    assert most_evidence(independent, NUMBERS, (0.0, 0.0), 1500, rng, peeking=True) > -math.log(LEVEL)


# --- weights and counts ------------------------------------------------------------------------------------------


@pytest.mark.turns(4)
@EVERY_CASE
def test_weights_are_fixed_before_the_first_call_and_nothing_is_renormalised(
    case: str, rng: np.random.Generator
) -> None:
    game = opened(case)
    seen = [tally(game)]
    for interim in interims_of(case, 600, rng):
        game = learn(certify(game, interim), interim)
        seen.append(tally(game))
    for earlier, later in pairwise(seen):
        assert set(earlier.weight.tolist()) <= set(later.weight.tolist())
        assert len(earlier.weight) <= len(later.weight)
        assert later.weight.sum() <= 1.0 + 1e-12
    rules = [rule.weight for feature in game.features for rule in feature.rules]
    assert sum(rules) <= 1.0
    fixed = [rule.weight for feature in opened(case).features for rule in feature.rules]
    assert rules == fixed


@pytest.mark.turns(6)
@EVERY_CASE
def test_counts_only_grow_and_are_no_more_than_the_calls(case: str, rng: np.random.Generator) -> None:
    game, before = opened(case), 0
    made = 0
    for interim in interims_of(case, 600, rng):
        game = certify(game, interim)
        seen = tally(game)
        guesses = (seen.correct + seen.wrong).sum(axis=1)
        assert (guesses <= seen.calls).all()
        assert (seen.calls <= made + len(interim.coins)).all()
        assert (seen.correct >= 0).all()
        assert int(guesses.sum()) >= before
        before = int(guesses.sum())
        game = learn(game, interim)
        made += len(interim.coins)
        assert game.calls == made


@pytest.mark.turns(4)
@EVERY_CASE
def test_shares_are_those_of_the_sides(case: str, rng: np.random.Generator) -> None:
    game, _ = play(opened(case), interims_of(case, 300, rng))
    seen = tally(game)
    sides = [rule.side for feature in game.features if feature.guesses.shape[1] for rule in feature.rules]
    assert [0.5 if side != "either" else 1.0 for side in sides] == seen.share[: len(sides)].tolist()
    assert (seen.share[len(sides) :] == 0.5).all()
    for feature in game.features:
        for rule, row in zip(feature.rules, feature.guesses, strict=True):
            assert rule.side != "left" or (row >= 0).all()
            assert rule.side != "right" or (row <= 0).all()


def test_atoms_are_answers_seen_twice_and_count_both_directions(rng: np.random.Generator) -> None:
    game, _ = play(new_game(FEW_VALUES, 1.0, 0.0), batches(response(1.0), 100, rng))
    assert {atom.name for atom in game.atoms} == {"0.0", "1.0"}
    for atom in game.atoms:
        guess_left, guess_right = atom.counts
        assert guess_left[:2].tolist() == guess_right[1::-1].tolist()
        assert guess_left[2] == guess_right[2]
    none, _ = play(new_game(NUMBERS, 1.0, 0.0), batches(laplace(1.0), 200, rng))
    assert none.atoms == ()


def test_atoms_born_together_are_numbered_by_their_tokens(rng: np.random.Generator) -> None:
    values = np.repeat(rng.normal(size=20), 3)
    game = learn(new_game(FEW_VALUES, 1.0, 0.0), batch_of(values, np.tile([0, 1, 1], 20).astype(np.int8)))
    tokens = [atom.token for atom in game.atoms]
    assert tokens == sorted(tokens)
    assert len(tokens) == 20


# --- determinism, long runs --------------------------------------------------------------------------------------


@pytest.mark.some(2)
@EVERY_CASE
def test_the_game_is_a_function_of_its_batches(case: str, seed: int) -> None:
    one = play(opened(case), interims_of(case, 600, np.random.default_rng(seed)))
    two = play(opened(case), interims_of(case, 600, np.random.default_rng(seed)))
    assert counts(one[0]) == counts(two[0])
    assert one[1] == two[1]


def test_beyond_the_memory_histograms_still_grow(rng: np.random.Generator) -> None:
    game = new_game(NUMBERS, 1.0, 0.0)
    for _ in range(3):
        coins = rng.integers(0, 2, MEMORY).astype(np.int8)
        batch = batch_of(laplace(2.0)(rng, coins), coins)
        game = learn(certify(game, batch), batch)
    assert game.memory is None
    assert game.calls == 3 * MEMORY
    assert game.features[0].histogram.sum() == 3 * MEMORY
    assert log_evidence(tally(game), 1.0, 0.0) > 100


def test_answers_wider_or_narrower_than_expected_are_played_on(rng: np.random.Generator) -> None:
    game = new_game(Shape(2, False, True), 1.0, 0.0)
    for width in (2, 3, 1, 2):
        coins = rng.integers(0, 2, 60).astype(np.int8)
        batch = Batch(observe(Answers(rng.normal(size=(60, width))), "real"), coins)
        game = learn(certify(game, batch), batch)
    assert game.calls == 240


@pytest.mark.turns(6)
@EVERY_CASE
def test_every_expert_has_words(case: str, rng: np.random.Generator) -> None:
    game, _ = play(opened(case), interims_of(case, 600, rng))
    for rule in range(len(tally(game).calls)):
        event, direction = event_words(game, rule)
        assert event
        assert "\n" not in event
        assert direction


def test_the_words_name_the_event_that_was_guessed(rng: np.random.Generator) -> None:
    game, _ = play(new_game(NUMBERS, 1.0, 0.0), batches(laplace(20.0), 2000, rng))
    seen = tally(game)
    best = int(np.argmax(seen.correct[:, GRADES - 1]))
    event, direction = event_words(game, best)
    assert re.fullmatch(r".*output.* \(likelier on D\) or .*output.* \(likelier on D'\)", event)
    assert direction == "likelier on the dataset named"
