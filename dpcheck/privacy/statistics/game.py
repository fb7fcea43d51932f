"""The label game on one pair: a value that grows by pure functions ``certify`` and ``learn``.

``certify(game, batch)`` counts right and wrong guesses of rules fitted on earlier batches only; ``learn(game, batch)``
then lets the rules see the batch. Rules not yet fitted and answers not yet seen have no counts: that
wealth is not staked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim, claim_point
from dpcheck.privacy.statistics.anywhere import words_of_mark
from dpcheck.privacy.statistics.bank import (
    COVERAGES,
    FEW_COVERAGES,
    MAX_ANSWERS,
    MAX_ATOMS,
    SCORE_EDGES,
    Bins,
    Guesses,
    Rules,
    atom_weights,
    bins_of_sorted,
    centres_of,
    guesses_of_leans,
    leans_of,
    posteriors,
    rules_for,
    value_sums,
    words_of,
)
from dpcheck.privacy.statistics.distances import DISTANCES, fit_distances
from dpcheck.privacy.statistics.divergence_game import (
    DivergenceGame,
    View,
    Wealth,
    new_divergence_game,
    played,
    uncounted_bets,
)
from dpcheck.privacy.statistics.divergences import BoundedDivergences, divergences_bounded
from dpcheck.privacy.statistics.evidence import GRADES, Tally, full_stakes, log_e_processes
from dpcheck.privacy.statistics.kinds import told_kinds, twins_of, with_kinds
from dpcheck.privacy.statistics.leaves import leaves_of
from dpcheck.privacy.statistics.observations import UNNAMED, Observations, join
from dpcheck.privacy.statistics.score_words import score_words
from dpcheck.privacy.statistics.scores import LinearScore, Score, fit_scores, one_thread, score_names
from dpcheck.privacy.statistics.sparse import fit_part_scores, part_names
from dpcheck.privacy.statistics.wager_fits import CUTTINGS, FORECASTING, Wager, all_fitted
from dpcheck.privacy.statistics.wagers import Bets
from dpcheck.privacy.statistics.wide import (
    Slots,
    digit_name,
    first_chosen,
    kept_values,
    refilled,
    slot_values,
    with_outputs,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Kind = Literal["column", "slot", "score", "answer", "form"]
#: A feature's place, and a table that turns its past into a posterior.
Viewed = tuple[int, str]

#: Past outputs kept to fit bins and scores; from then on bins stay and only their histograms grow.
MEMORY = 20_000
#: Part of the weight of wholes that come again, where none of the first ones did; the place of their feature.
CAME_AGAIN_WEIGHT, CAME_AGAIN = 0.02, 1
#: Weight of guesses from what an answer is apart from its numbers (its type, shape, texts, warnings).
FORM_WEIGHT = 0.05
#: Bins and scores are fitted anew each time the past has grown by this factor.
REFIT_GROWTH = 1.25
#: With fewer features than this columns are read as they lie.
FEW_FEATURES = 8
#: Part of the weight of scores that scores of codes and numbers get, where there are codes: the others lose 0.2 nats.
CODED_SHARE = 0.2
#: The same for the score of distances, where an output has two numbers or more.
DISTANCE_SHARE = 0.2
#: Features, those of most weight, of which one is bet on against bounds on divergences.
MOST_VIEWED = 12


#: Part of a feature's weight that its wager gets: it wins most often, and a rule that does has so much less.
WAGER_SHARE = 0.7
#: Columns have wagers where there are at most so many: fitting one takes milliseconds at every interim analysis.
MOST_WAGERS = 12

#: Tables of each coordinate among many, and of each column of a layout (which may be a member, a length, a key).
PLAIN_COLUMN_TABLES: tuple[str, ...] = ("parts-8", "rising", "falling", "linear")
COLUMN_TABLES: tuple[str, ...] = ("parts-8", "spikes", "rising", "falling", "linear")


@dataclass(frozen=True)
class Batch:
    """Calls up to one interim analysis: the outputs, and the coin of each (1: ran on D, 0: ran on D')."""

    seen: Observations
    coins: NDArray[np.int8]
    #: What one game's rules make of it: asked for when they are counted and again when they learn.
    known: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)


def both(one: Batch, other: Batch) -> Batch:
    """Two batches as one."""
    return Batch(join([one.seen, other.seen]), np.concatenate([one.coins, other.coins]))


@dataclass(frozen=True)
class Shape:
    """What outputs look like, known from calls that never enter the game: it decides the bank and its weights.

    ``names`` of the columns and their ``shares`` of the weight of columns (sum at most 1) come from a layout; without
    one, columns are numbers by position, all alike. ``coded`` is how many of the first columns hold codes among their
    numbers and are taken apart for scores of their own (0: none is), ``measured`` how many of the first columns are
    numbers whose distances are measured (0: none is). The last ``slots`` columns are filled by the game with what it
    learned of all numbers (:mod:`dpcheck.privacy.statistics.wide`); ``ranges`` and ``whole_ranges`` say what these
    numbers, and the whole numbers with digits, are called. ``single``: the first column is all there is, but for these.
    """

    columns: int
    repeats: bool
    others: bool
    names: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    coded: int = 0
    measured: int = 0
    slots: int = 0
    single: bool = False
    whole_numbers: int = 0
    ranges: tuple[tuple[str, int], ...] = ()
    whole_ranges: tuple[tuple[str, int], ...] = ()

    @property
    def fixed(self) -> int:
        """How many columns are not filled by the game."""
        return self.columns - self.slots

    def name(self, column: int) -> str:
        """A column in words.

        >>> Shape(1, False, False).name(0), Shape(2, False, False).name(1)
        ('output', 'output[1]')
        """
        if self.names:
            return self.names[column]
        return "output" if self.columns == 1 else f"output[{column}]"

    def share(self, column: int) -> float:
        """A column's part of the weight of columns."""
        return self.shares[column] if self.shares else 1.0 / self.columns


@dataclass(frozen=True)
class Feature:
    """A feature of the output with its bins, the histogram of the past, its rules and their counts.

    ``bins`` is None until first fitted (its rules stake nothing until then); ``known`` are the tokens told apart by an
    "answer" feature; ``sums`` the sum of past values per bin; ``guesses`` (K, B); ``counts`` (K, 3): right, wrong,
    calls watched.
    """

    kind: Kind
    name: str
    place: int
    rules: Rules
    bins: Bins | None
    known: NDArray[np.uint64]
    histogram: Integers
    sums: Floats
    guesses: Guesses
    counts: Integers
    watched: int
    wager: Wager | None = None
    #: The tables of several features in one array, and the row of this one: it is counted with them.
    stack: tuple[Guesses, int] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Atom:
    """One answer that is bet on by itself, in both directions: ``counts`` (2, 3) for guessing D and D'."""

    token: int
    name: str
    counts: Integers


@dataclass(frozen=True)
class Memory:
    """Past outputs kept for fitting."""

    columns: Floats
    tokens: NDArray[np.uint64]
    forms: NDArray[np.uint64]
    coins: NDArray[np.int8]


@dataclass(frozen=True)
class Game:
    """The state of the label game on one pair; ``kinds`` are the words for kinds of outputs, by their form tokens.

    Where the claim bounds Rényi divergences, ``bounded`` are those and ``divergences`` the bets against them.
    """

    shape: Shape
    epsilon: float
    delta: float
    calls: int
    features: tuple[Feature, ...]
    atoms: tuple[Atom, ...]
    atom_weight: float
    memory: Memory | None
    fitted_at: int
    scores: tuple[Score, ...]
    boosted: bool
    kinds: Mapping[int, str] = field(default_factory=dict)
    slots: Slots | None = None
    bounded: BoundedDivergences | None = None
    divergences: DivergenceGame | None = None


def game_against(shape: Shape, claim: Claim, *, boosted: bool = True) -> Game:
    """A game against all that a claim says: its point, and the divergences it bounds.

    >>> from dpcheck.model.claims import GaussianDP, ZeroConcentratedDP
    >>> shape = Shape(1, False, False)
    >>> [game_against(shape, claim).bounded is None for claim in (GaussianDP(1.0), ZeroConcentratedDP(0.5))]
    [True, False]
    """
    game = new_game(shape, *claim_point(claim), boosted=boosted)
    bounded = divergences_bounded(claim)
    if bounded is None:
        return game
    return replace(game, bounded=bounded, divergences=new_divergence_game(bounded, len(_views_of(game))))


def with_features(game: Game, chosen: frozenset[tuple[str, int]]) -> Game:
    """A game before its first call that looks at these features alone, by kind and place."""
    kept = replace(game, features=tuple(f for f in game.features if (f.kind, f.place) in chosen))
    if kept.bounded is None:
        return kept
    return replace(kept, divergences=new_divergence_game(kept.bounded, len(_views_of(kept))))


def new_game(shape: Shape, epsilon: float, delta: float, *, boosted: bool = True, wagers: bool = True) -> Game:
    """A game before its first call, with all weights fixed.

    Parameters
    ----------
    shape : Shape
        What the outputs look like.
    epsilon, delta : float
        The claim at stake: it decides which rules join and how they grade their guesses.
    boosted : bool
        Whether boosted trees join (where scikit-learn is installed).
    wagers : bool
        Whether features have wagers: sooner sure, at twice the time.
    """
    betting = _betting if wagers else _guessing
    atom_weight = 0.05
    if shape.repeats or shape.others:
        atom_weight = (
            0.2 if shape.names and not shape.single else 0.4
        )  # with a layout an answer has parts, which say more
    rest = 1.0 - atom_weight - FORM_WEIGHT
    kinds = rules_for(("each",), FEW_COVERAGES, delta, FORM_WEIGHT)
    features: list[Feature] = [_feature("form", "the kind of answer", 0, kinds)]
    if shape.others or shape.columns == 0 or (shape.repeats and shape.fixed > 1):
        share = rest if shape.columns == 0 else (0.2 if shape.names and not shape.single else 0.3) * rest
        features.append(betting("answer", "the answer", 0, ("each", "each-cautious"), COVERAGES, delta, share))
        rest -= share
    elif shape.columns > 1:
        # of continuous numbers nothing comes again, unless they are made from few seeds: then that says all
        share = CAME_AGAIN_WEIGHT * rest
        features.append(betting("answer", "an answer that came before", CAME_AGAIN, ("each",), COVERAGES, delta, share))
        rest -= share
    if shape.fixed == 1 and (shape.single or not shape.slots):
        tables = ("each", "each-cautious") if shape.repeats else ("parts-8", "parts-32", "parts-128", "linear")
        tables = (*tables, "rising", "falling")
        alone = rest * (shape.share(0) if shape.single else 1.0)
        features.append(betting("column", "output", 0, tables, COVERAGES, delta, alone))
        features += _slot_features(shape, delta, rest)
    elif shape.columns and not shape.fixed:
        features += _slot_features(shape, delta, rest)
    elif shape.columns > 1:
        names = score_names(boosted)
        apart = part_names(boosted) if shape.coded else ()
        measured = shape.measured > 1
        joint = 0.5 * rest * (1.0 - CODED_SHARE if apart else 1.0)
        each = joint * (1.0 - DISTANCE_SHARE if measured else 1.0) / len(names)
        features += [
            betting("score", name, i, ("score", "rising"), FEW_COVERAGES, delta, each) for i, name in enumerate(names)
        ]
        if measured:
            share = joint * DISTANCE_SHARE
            features.append(betting("score", DISTANCES, len(names), ("score", "rising"), FEW_COVERAGES, delta, share))
        for i, name in enumerate(apart, len(names) + measured):
            # what a few codes give away is rare: it takes rules that guess on few outputs
            share = 0.5 * rest * CODED_SHARE / len(apart)
            features.append(betting("score", name, i, ("score", "rising"), COVERAGES, delta, share))
        columns = COLUMN_TABLES if shape.names else PLAIN_COLUMN_TABLES
        column = betting if shape.fixed <= MOST_WAGERS else _guessing
        features += [
            column("column", shape.name(j), j, columns, FEW_COVERAGES, delta, 0.5 * rest * shape.share(j))
            for j in range(shape.fixed)
        ]
        features += _slot_features(shape, delta, 0.5 * rest)
    none = np.zeros(0, np.uint64)
    nothing = Memory(np.zeros((0, shape.columns)), none, none, np.zeros(0, np.int8))
    return Game(shape, epsilon, delta, 0, tuple(features), (), atom_weight, nothing, 0, (), boosted)


@lru_cache(maxsize=256)
def planned_weight(shape: Shape, epsilon: float, delta: float) -> float:
    """The largest weight of one guessing rule: that of the leak that is planned for.

    Where a wager shares a feature with its rules, it wins sooner than they would with all of the weight, which is
    therefore counted as theirs (``benchmarks/stated_power.py`` holds what follows from it).

    >>> 0.01 < planned_weight(Shape(1, False, False), 1.0, 0.0) < 0.1
    True
    """
    return max(
        rule.weight / (1.0 if feature.wager is None else 1.0 - WAGER_SHARE)
        for feature in new_game(shape, epsilon, delta).features
        for rule in feature.rules
    )


def _slot_features(shape: Shape, delta: float, weight: float) -> list[Feature]:
    """The columns that the game fills, with their shares of ``weight``."""
    return [
        _feature("slot", shape.name(j), j, rules_for(COLUMN_TABLES, FEW_COVERAGES, delta, weight * shape.share(j)))
        for j in range(shape.fixed, shape.columns)
    ]


def _filled(game: Game, batch: Batch) -> Batch:
    """The batch with the columns that the game fills, from what earlier outputs showed."""
    if not game.shape.slots:
        return batch
    columns = batch.seen.columns[:, : game.shape.columns]
    if columns.shape[1] < game.shape.columns:
        return batch
    slots, found = batch.known.get("filled", (None, None))
    if slots is not game.slots or not isinstance(found, Batch):
        columns = columns.copy()
        columns[:, game.shape.fixed :] = slot_values(game.slots, batch.seen.wide, len(columns), game.shape.slots)
        found = Batch(replace(batch.seen, columns=columns), batch.coins)
        if game.slots is not None:
            batch.known["filled"] = (game.slots, found)
    return found


def _betting(
    kind: Kind,
    name: str,
    place: int,
    tables: tuple[str, ...],
    coverages: tuple[float, ...],
    delta: float,
    weight: float,
) -> Feature:
    """A feature with rules and a wager, which share its weight."""
    feature = _guessing(kind, name, place, tables, coverages, delta, (1.0 - WAGER_SHARE) * weight)
    forecasts = tuple(table for table in tables if table in FORECASTING)
    return replace(feature, wager=Wager.new(WAGER_SHARE * weight, (CUTTINGS, *forecasts)))


def _guessing(
    kind: Kind,
    name: str,
    place: int,
    tables: tuple[str, ...],
    coverages: tuple[float, ...],
    delta: float,
    weight: float,
) -> Feature:
    """A feature with rules alone."""
    return _feature(kind, name, place, rules_for(tables, coverages, delta, weight))


def _feature(kind: Kind, name: str, place: int, rules: Rules) -> Feature:
    bins = Bins(SCORE_EDGES) if kind == "score" else None
    count = bins.count if bins else 0
    return Feature(
        kind,
        name,
        place,
        rules,
        bins,
        np.zeros(0, np.uint64),
        np.zeros((count, 2), np.int64),
        np.zeros(count),
        np.zeros((len(rules), count), np.int8),
        np.zeros((2, len(rules), GRADES), np.int64),
        0,
    )


def certify(game: Game, batch: Batch) -> Game:
    """Count the guesses of rules fitted on earlier batches; the batch itself changes no rule.

    Examples
    --------
    >>> from dpcheck.execution.answers import Answers
    >>> from dpcheck.privacy.statistics.observations import observe
    >>> batch = Batch(observe(Answers(np.arange(4.0)), "real"), np.array([0, 1, 0, 1], np.int8))
    >>> certify(new_game(Shape(1, False, False), 1.0, 0.0), batch).features[0].counts.sum()
    np.int64(0)
    """
    if game.calls == 0:
        return game
    batch = _filled(game, batch)
    features = _all_counted(game.features, game.scores, batch)
    hits = [
        None if one is None or feature.guesses.shape[1] == 0 else one.hits
        for feature, one in zip(game.features, _binned(game.features, game.scores, batch), strict=True)
    ]
    bets = _bets_paid(game, hits, batch.coins)
    return replace(game, features=features, atoms=_atoms_counted(game.atoms, batch), divergences=bets)


def _bets_paid(game: Game, hits: Sequence[Integers | None], coins: NDArray[np.int8]) -> DivergenceGame | None:
    """The bets against bounds on divergences after outputs that fell into these bins of the features.

    Which of them is bet on may not depend on these outputs: those that have no place fall into the bin of NaN.
    """
    if game.divergences is None or game.bounded is None:
        return game.divergences
    seen = _views_of(game)
    views = [_view(game.features[place], table) for place, table in seen]
    fallen = [
        hits[place] if view is None else _all_placed(view, hits[place], coins)
        for (place, _), view in zip(seen, views, strict=True)
    ]
    return played(game.divergences, game.bounded, views, fallen)


def _all_placed(view: View, hits: Integers | None, coins: NDArray[np.int8]) -> Integers:
    if hits is not None:
        return hits
    last = np.zeros(view.past.shape, np.int64)
    last[-1] = np.bincount(coins, minlength=2)
    return last


def _views_of(game: Game) -> list[Viewed]:
    """The features of most weight, with each of their tables: what bets against bounds on divergences choose from."""
    heaviest = sorted(range(len(game.features)), key=lambda i: -float(game.features[i].rules.weights.sum()))
    chosen = sorted(heaviest[:MOST_VIEWED])
    return [(place, table) for place in chosen for table in game.features[place].rules.tables]


def _view(feature: Feature, table: str) -> View | None:
    if feature.guesses.shape[1] == 0 or not feature.histogram.any():
        return None
    return View(feature.histogram, posteriors(table, feature.histogram, _centres(feature)))


def divergence_event(game: Game) -> str:
    """What the bets against bounds on divergences look at, in words."""
    if game.divergences is None or game.divergences.leader < 0:
        return ""
    place = _views_of(game)[game.divergences.leader][0]
    return _named(game.features[place], game).name


def learn(game: Game, batch: Batch) -> Game:
    """Let bins, tables, scores and single answers see the batch."""
    batch = _filled(game, batch)
    slots = game.slots
    features = _all_remembered(game.features, game.scores, batch)
    calls, memory, fitted_at, scores, atoms = (
        game.calls + len(batch.coins),
        game.memory,
        game.fitted_at,
        game.scores,
        game.atoms,
    )
    refit = False
    # scores are fitted to the memory, so that it stays where there are any
    joint = any(feature.kind == "score" for feature in game.features)
    if memory is not None and len(memory.coins) < MEMORY:
        memory = _with(memory, batch, game.shape.columns)
        refit = calls >= REFIT_GROWTH * fitted_at
        if game.shape.slots and batch.seen.wide is not None:
            slots = with_outputs(slots, batch.seen.wide, batch.coins)
            if refit:
                before = slots
                slots = _with_words(refilled(slots), batch.seen)
                memory = _with_chosen(memory, game.shape, before, slots)
        if refit:
            if joint:
                scores = fitted_scores(game.shape, memory, boosted=game.boosted, known=scores)
            by_column = _Columns(memory)
            features = [_refitted(feature, memory, by_column) for feature in features]
            atoms = _atoms_born(atoms, memory, batch.seen)
            fitted_at = calls
        if calls >= MEMORY and not joint:
            memory = None
    # the many columns of a layout wait for the next refit: their tables cost more than one analysis teaches
    waiting = bool(game.shape.names) and not refit and calls < MEMORY
    wanted = [not (waiting and feature.kind == "column") for feature in features]
    features = _all_retabled(features, game.epsilon, game.delta, wanted)
    return replace(
        game,
        calls=calls,
        features=tuple(features),
        atoms=atoms,
        memory=memory,
        fitted_at=fitted_at,
        scores=scores,
        kinds=with_kinds(game.kinds, batch.seen),
        slots=slots,
    )


def _with_words(slots: Slots, seen: Observations) -> Slots:
    """The slots with words for marks that were chosen now, from an output that has them."""
    assert seen.wide is not None
    words = list(slots.words)
    for k, place in enumerate(slots.chosen_items):
        if place >= 0 and not words[k]:
            there = np.flatnonzero(seen.wide.column(place) > 0)
            if len(there):
                answer = seen.answer(int(there[0]))
                words[k] = words_of_mark(answer, leaves_of(answer), place - slots.width, exact=seen.wide.exact)
    return replace(slots, words=tuple(words))


def _with_chosen(memory: Memory, shape: Shape, before: Slots, after: Slots) -> Memory:
    """The memory with what is known of newly chosen numbers: their values in the first outputs kept whole."""
    start = shape.fixed + first_chosen(after)
    changed = [
        (start + k, now) for k, (was, now) in enumerate(zip(before.chosen, after.chosen, strict=True)) if was != now
    ]
    if not changed:
        return memory
    columns = memory.columns.copy()
    for place, chosen in changed:
        columns[:, place] = np.nan
        if chosen >= 0:
            values = kept_values(after, chosen)[: len(columns)]
            columns[: len(values), place] = values
    return replace(memory, columns=columns)


def fitted_scores(shape: Shape, memory: Memory, *, boosted: bool, known: tuple[Score, ...] = ()) -> tuple[Score, ...]:
    """The scores of a game in the order of its features, fitted to a past: functions of it, ``known`` saves work."""
    most = len(score_names(boosted))
    scores = fit_scores(memory.columns[:, : shape.fixed], memory.coins, boosted=boosted, known=known[:most])
    if len(scores) < most:  # places are given in order: the last ones are born last
        return scores
    if shape.measured > 1:
        linear = scores[0]
        assert isinstance(linear, LinearScore)
        with one_thread() if most > 1 else nullcontext():  # where there are trees, scikit-learn is loaded already
            distances = fit_distances(memory.columns[:, : shape.measured], memory.coins, linear)
        if distances is None:
            return scores
        scores, most = (*scores, distances), most + 1
    if not shape.coded:
        return scores
    coded = memory.columns[:, : shape.coded]
    return scores + fit_part_scores(coded, memory.coins, boosted=boosted, known=known[most:])


def tally(game: Game) -> Tally:
    """The counts of all rules and single answers, with their weights.

    Weights of what has no counts yet are left out: that wealth is not staked.
    """
    parts = [
        Tally(
            feature.counts[0],
            feature.counts[1],
            np.full(len(feature.rules), feature.watched),
            feature.rules.weights,
            feature.rules.shares,
        )
        for feature in _born(game)
    ]
    per_atom = atom_weights(game.atom_weight)
    for atom, weight in zip(game.atoms, per_atom, strict=False):
        both = full_stakes(atom.counts[:, 0], atom.counts[:, 1], atom.counts[:, 2], 0.5)
        parts.append(replace(both, weight=np.full(2, weight)))
    wagers = tuple((f.wager.bets, f.wager.weight) for f in game.features if f.wager is not None and f.wager.born)
    wealth = None if game.divergences is None else Wealth.of(game.divergences)
    return replace(Tally.join(parts, np.ones(len(parts))), wealth=wealth, wagers=wagers)


def _born(game: Game) -> list[Feature]:
    return [feature for feature in game.features if feature.guesses.shape[1]]


def event_words(game: Game, rule: int) -> tuple[str, str]:
    """The event and direction, in words, of the rule at this place of :func:`tally`."""
    for feature in _born(game):
        if rule < len(feature.rules):
            return _rule_words(game, _named(feature, game), rule)
        rule -= len(feature.rules)
    atom, side = divmod(rule, 2)
    name = game.atoms[atom].name
    twins = twins_of(name, {one.token: one.name for one in game.atoms})
    return f"output is {name}{twins}", "likelier on D" if side == 0 else "likelier on D'"


def certified_calls(game: Game) -> int:
    """How many outputs rules were certified on (fewer than were learned from: the first ones only taught)."""
    return max((feature.watched for feature in game.features), default=0)


def uncounted(game: Game) -> Game:
    """The same rules without any count."""
    features = tuple(
        replace(f, counts=np.zeros_like(f.counts), watched=0, wager=f.wager.with_bets(Bets.none()) if f.wager else None)
        for f in game.features
    )
    atoms = tuple(replace(a, counts=np.zeros_like(a.counts)) for a in game.atoms)
    bets = None if game.divergences is None else uncounted_bets(game.divergences)
    return replace(game, features=features, atoms=atoms, divergences=bets)


def with_counts(game: Game, counted: Game) -> Game:
    """The rules of one game with the counts of another that had the same rules before the last outputs were seen."""
    features = tuple(
        replace(
            feature,
            counts=other.counts,
            watched=other.watched,
            wager=feature.wager.with_bets(other.wager.bets) if feature.wager and other.wager else None,
        )
        for feature, other in zip(game.features, counted.features, strict=True)
    )
    kept = counted.atoms[: len(game.atoms)]
    born = tuple(replace(atom, counts=np.zeros_like(atom.counts)) for atom in game.atoms[len(kept) :])
    atoms = tuple(replace(atom, counts=old.counts) for atom, old in zip(game.atoms, kept, strict=False))
    bets = game.divergences
    if bets is not None and counted.divergences is not None:
        bets = replace(bets, log_wealth=counted.divergences.log_wealth)
    return replace(game, features=features, atoms=atoms + born, divergences=bets)


def best_guesses(game: Game, seen: Observations) -> tuple[NDArray[np.int8], str]:
    """What the rule with most evidence guesses of outputs (1: D, -1: D', 0: nothing), and its event in words."""
    counts = tally(game)
    if not len(counts.weight) or not (counts.correct + counts.wrong).any():
        return np.zeros(len(seen), np.int8), ""
    rule = int(np.argmax(log_e_processes(counts, game.epsilon, game.delta) + np.log(counts.weight)))
    words = event_words(game, rule)[0]
    seen = _filled(game, Batch(seen, np.zeros(len(seen), np.int8))).seen
    for feature in _born(game):
        if rule < len(feature.rules):
            placed = _places(feature, game.scores, seen)
            guesses = np.zeros(len(seen)) if placed is None else np.sign(feature.guesses[rule][placed[0]])
            return guesses.astype(np.int8), words
        rule -= len(feature.rules)
    atom, side = divmod(rule, 2)
    hit = seen.tokens == np.uint64(game.atoms[atom].token)
    return np.where(hit, 1 if side == 0 else -1, 0).astype(np.int8), words


def _column_name(game: Game, place: int) -> str:
    """The name of a column, and in a slot that of the number that stands there now."""
    slot = next((one for one in game.features if one.kind == "slot" and one.place == place), None)
    return _named(slot, game).name if slot else game.shape.name(place)


def _named(feature: Feature, game: Game) -> Feature:
    """The feature with the name of the number that now stands in its slot."""
    slots = game.slots
    which = feature.place - game.shape.fixed - (first_chosen(slots) if slots else 0)
    if feature.kind != "slot" or slots is None or which < 0 or slots.chosen[which] < 0:
        return feature
    place = slots.chosen[which]
    if place >= slots.width:
        words = slots.words[which - len(slots.chosen) + len(slots.words)] or f"the item of mark {place - slots.width}"
        return replace(feature, name=f"how often {words} stands anywhere in output")
    if place < slots.numbers:
        return replace(feature, name=_in_ranges(game.shape.ranges, place))
    whole = max(game.shape.whole_numbers, 1)
    number, digit = divmod(place - slots.numbers, slots.ones.shape[1] // whole)
    return replace(feature, name=f"{digit_name(digit)} of {_in_ranges(game.shape.whole_ranges, number)}")


def _in_ranges(ranges: Sequence[tuple[str, int]], place: int) -> str:
    """What the number at this place is called: ``output['w'][3]``.

    >>> _in_ranges((("output['b']", 1), ("output['w']", 4)), 4)
    "output['w'][3]"
    """
    left = place
    for name, size in ranges:
        if left < size:
            return name if size == 1 else f"{name}[{left}]"
        left -= size
    return "the output" if place == 0 and not ranges else f"number {place} of the output"


def _rule_words(game: Game, feature: Feature, row: int) -> tuple[str, str]:
    guesses = feature.guesses[row]
    sides = [side for side in (1, -1) if (np.sign(guesses) == side).any()]
    if feature.kind in ("answer", "form") or feature.bins is None:
        if feature.kind == "form":
            return told_kinds(feature.known, guesses, game.kinds, "of another kind than any seen before")
        names = {**game.kinds, **{atom.token: atom.name for atom in game.atoms}}
        return told_kinds(feature.known, guesses, names, "one that was not seen before")
    if feature.kind == "score":
        score = game.scores[feature.place] if feature.place < len(game.scores) else None
        return score_words(feature.name, score, guesses, feature.bins.edges, lambda place: _column_name(game, place))
    texts = {side: words_of(guesses, feature.bins.edges, feature.name, side) for side in sides}
    if len(texts) == 2:
        return f"{texts[1]} (likelier on D) or {texts[-1]} (likelier on D')", "likelier on the dataset named"
    side = sides[0] if sides else 1
    return texts.get(side, feature.name), "likelier on D" if side == 1 else "likelier on D'"


def _values(
    feature: Feature, scores: Sequence[Score], seen: Observations, columns: Floats | None = None
) -> Floats | None:
    if feature.kind in ("column", "slot"):
        if feature.place >= seen.columns.shape[1]:
            return np.full(len(seen), np.nan)
        return seen.columns[:, feature.place] if columns is None else columns[feature.place]
    if feature.place < len(scores):
        return scores[feature.place].log_odds(seen.columns)
    return None


def _places(
    feature: Feature, scores: Sequence[Score], seen: Observations, columns: Floats | None = None
) -> tuple[Integers, Floats | None] | None:
    """The bin of each output, and the values behind them; None while the feature cannot tell outputs apart.

    ``columns``: those of the outputs, each in one piece, where they are known so.
    """
    if feature.kind in ("answer", "form"):
        if len(feature.known) == 0:
            return None
        return _answer_places(feature.known, seen.tokens if feature.kind == "answer" else seen.kinds), None
    values = _values(feature, scores, seen, columns)
    if values is None or feature.bins is None:
        return None
    if feature.kind == "slot" and np.isnan(values).all():
        return None  # empty: nothing has earned it yet
    return feature.bins.place(values), values


def _answer_places(known: NDArray[np.uint64], tokens: NDArray[np.uint64]) -> Integers:
    """The place of each token among the known ones (sorted); the place after the last for the others."""
    place = np.minimum(np.searchsorted(known, tokens), len(known) - 1)
    return np.where(known[place] == tokens, place, len(known))


def _histogram(places: Integers, coins: NDArray[np.int8], count: int) -> Integers:
    return np.bincount(places * 2 + coins, minlength=2 * count).reshape(count, 2)


@dataclass(frozen=True)
class _Binned:
    """A batch in the bins of one feature: the bin of each output, the values behind them, and the histogram."""

    places: Integers
    values: Floats | None
    hits: Integers


def _binned(features: Sequence[Feature], scores: Sequence[Score], batch: Batch) -> list[_Binned | None]:
    """The batch in the bins of each feature; None where a feature cannot tell outputs apart yet."""
    made_by = [
        (f.bins, f.known, scores[f.place] if f.kind == "score" and f.place < len(scores) else None) for f in features
    ]
    kept = batch.known.get("binned")
    if kept is not None and len(kept[0]) == len(made_by):
        same = all(
            one is other
            for two, three in zip(kept[0], made_by, strict=True)
            for one, other in zip(two, three, strict=True)
        )
        if same:
            return list(kept[1])
    columns = batch.seen.columns.T if len(features) < FEW_FEATURES else np.ascontiguousarray(batch.seen.columns.T)
    found: list[_Binned | None] = []
    for feature in features:
        placed = _places(feature, scores, batch.seen, columns)
        hits = placed and _histogram(placed[0], batch.coins, _bins_of(feature))
        found.append(None if placed is None or hits is None else _Binned(placed[0], placed[1], hits))
    batch.known["binned"] = (made_by, found)
    return found


def _bins_of(feature: Feature) -> int:
    return feature.bins.count if feature.bins is not None else len(feature.known) + 1


def _all_counted(features: Sequence[Feature], scores: Sequence[Score], batch: Batch) -> tuple[Feature, ...]:
    """All features with the guesses of the batch counted; those whose tables are in one array are counted together."""
    binned = _binned(features, scores, batch)
    found = list(features)
    stacks: dict[int, tuple[Guesses, list[int]]] = {}
    for place, feature in enumerate(features):
        if feature.guesses.shape[1] == 0:
            continue
        one, counts = binned[place], feature.counts
        if one is not None and feature.stack is not None:
            stacks.setdefault(id(feature.stack[0]), (feature.stack[0], []))[1].append(place)
        elif one is not None:
            counts = counts + _right_and_wrong(feature.guesses, feature.rules.graded, one.hits)
        wager = feature.wager
        if one is not None and wager is not None and wager.born:
            wager = wager.settled(one.hits)
        found[place] = replace(feature, counts=counts, watched=feature.watched + len(batch.coins), wager=wager)
    for guesses, places in stacks.values():
        hits = np.zeros((len(guesses), guesses.shape[2], 2), np.int64)
        for place in places:
            one, stack = binned[place], features[place].stack
            assert one is not None
            assert stack is not None
            hits[stack[1], guesses.shape[2] - len(one.hits) :] = one.hits
        counted = _right_and_wrong_together(guesses, features[places[0]].rules.graded, hits)
        for place in places:
            stack = features[place].stack
            assert stack is not None
            found[place] = replace(found[place], counts=found[place].counts + counted[:, stack[1]])
    return tuple(found)


def _right_and_wrong_together(guesses: Guesses, graded: NDArray[np.intp], hits: Integers) -> Integers:
    """The same as :func:`_right_and_wrong` for many features: of (F, K, B) and (F, B, 2), shape (2, F, K, GRADES)."""
    # products in single precision are exact here: of one batch, whose outputs are far fewer than 2^24 / GRADES
    kind = np.float32 if hits.sum(axis=(1, 2)).max(initial=0) < 1 << 20 else np.float64
    signed, outputs = guesses.astype(kind), hits.astype(kind)
    gap = np.matmul(signed, outputs)
    whole = np.matmul(np.abs(signed, out=signed), outputs)
    counts = np.zeros((2, *guesses.shape[:2], GRADES), np.int64)
    on_left, on_right = (whole + gap) / (2 * GRADES), (whole - gap) / (2 * GRADES)  # guesses of D, of D'
    counts[0, :, :, -1] = on_left[:, :, 1] + on_right[:, :, 0]
    counts[1, :, :, -1] = on_left[:, :, 0] + on_right[:, :, 1]
    if len(graded):
        some = guesses[:, graded]
        width, rows = 2 * GRADES + 1, some.shape[0] * some.shape[1]
        by_grade = (some.reshape(rows, -1) + np.int64(GRADES) + width * np.arange(rows)[:, None]).ravel()
        right, left = (
            np.bincount(by_grade, np.repeat(hits[:, :, side], len(graded), axis=0).ravel(), width * rows)
            .reshape(*some.shape[:2], width)
            .astype(np.int64)
            for side in (0, 1)
        )
        counts[0][:, graded] = left[..., GRADES + 1 :] + right[..., GRADES - 1 :: -1]
        counts[1][:, graded] = right[..., GRADES + 1 :] + left[..., GRADES - 1 :: -1]
    return counts


def _right_and_wrong(guesses: Guesses, graded: NDArray[np.intp], hits: Integers) -> Integers:
    """Right and wrong guesses of each rule by grade, shape (2, K, GRADES), of outputs in bins ``hits`` (B, 2).

    Only rules that are ``graded`` make guesses of less than the full grade.
    """
    # float64 products are exact here (counts far below 2^53) and use the fast matrix product
    signed = guesses.astype(np.float64)
    outputs = hits.astype(np.float64)
    gap, whole = signed @ outputs, np.abs(signed) @ outputs  # of D minus D', and of both; each GRADES times too large
    counts = np.zeros((2, len(guesses), GRADES), np.int64)
    on_left, on_right = (whole + gap) / (2 * GRADES), (whole - gap) / (2 * GRADES)  # guesses of D, of D'
    counts[0, :, -1] = on_left[:, 1] + on_right[:, 0]
    counts[1, :, -1] = on_left[:, 0] + on_right[:, 1]
    if len(graded):
        width = 2 * GRADES + 1
        by_grade = (guesses[graded] + np.int64(GRADES) + width * np.arange(len(graded))[:, None]).ravel()
        right, left = (
            np.bincount(by_grade, np.tile(outputs[:, side], len(graded)), width * len(graded)).reshape(-1, width)
            for side in (0, 1)
        )
        counts[0, graded] = left[:, GRADES + 1 :] + right[:, GRADES - 1 :: -1]
        counts[1, graded] = right[:, GRADES + 1 :] + left[:, GRADES - 1 :: -1]
    return counts


def _all_remembered(features: Sequence[Feature], scores: Sequence[Score], batch: Batch) -> list[Feature]:
    """All features with the batch in their histograms."""
    found = []
    for feature, one in zip(features, _binned(features, scores, batch), strict=True):
        if one is None:
            found.append(feature)
            continue
        sums = feature.sums
        if one.values is not None:
            sums = sums + value_sums(one.places, one.values, len(sums))
        wager = feature.wager.scored(one.hits) if feature.wager is not None else None
        found.append(replace(feature, histogram=feature.histogram + one.hits, sums=sums, wager=wager))
    return found


class _Columns:
    """The columns of a memory, each in one piece, and in ascending order."""

    def __init__(self, memory: Memory) -> None:
        self.values = np.ascontiguousarray(memory.columns.T)
        self._sorted: Floats | None = None

    def sorted_values(self, place: int) -> Floats:
        """The finite values of a column in ascending order."""
        if self._sorted is None:  # what is not there comes last
            self._sorted = np.sort(np.where(np.isfinite(self.values), self.values, np.nan), axis=1)
            self._finite = np.isfinite(self.values).sum(axis=1)
        return self._sorted[place, : self._finite[place]]


def _refitted(feature: Feature, memory: Memory, by_column: _Columns) -> Feature:
    """New bins from the memory; a score keeps its bins and its histogram, made before outputs were learned from."""
    if feature.kind == "score":
        return feature
    if feature.kind in ("answer", "form"):
        tokens = memory.tokens if feature.kind == "answer" else memory.forms
        known, times = np.unique(tokens, return_counts=True)
        if feature.kind == "answer" and feature.place == CAME_AGAIN:
            known, times = known[times > 1], times[times > 1]
            if len(known) == 0:
                return feature
        if len(known) > MAX_ANSWERS:
            known = np.sort(known[np.argsort(-times, kind="stable")[:MAX_ANSWERS]])
        places = _answer_places(known, tokens)
        return replace(
            feature,
            known=known,
            histogram=_histogram(places, memory.coins, len(known) + 1),
            sums=np.zeros(len(known) + 1),
        )
    values, coins = by_column.values[feature.place], memory.coins
    if feature.kind == "slot":
        known = ~np.isnan(values)
        values, coins = values[known], coins[known]
        if not len(values):
            return feature
    known_values = by_column.sorted_values(feature.place)
    bins = bins_of_sorted(known_values)
    if len(known_values) and np.isneginf(values).any():  # absent from some outputs, which is less than any number
        bins = replace(bins, edges=np.union1d(known_values[:1], bins.edges))
    places = bins.place(values)
    sums = value_sums(places, values, bins.count)
    return replace(feature, bins=bins, histogram=_histogram(places, coins, bins.count), sums=sums)


def _all_retabled(features: Sequence[Feature], epsilon: float, delta: float, wanted: Sequence[bool]) -> list[Feature]:
    """The features with new tables where these are wanted; those of rules that are alike are made together."""
    found = list(features)
    groups: dict[tuple[Any, ...], list[int]] = {}
    for place, feature in enumerate(features):
        if wanted[place] and len(feature.histogram):
            groups.setdefault(feature.rules.alike, []).append(place)
    for places in groups.values():
        some = [features[place] for place in places]
        bins = max(len(feature.histogram) for feature in some)
        rules = some[0].rules
        leans = np.zeros((len(some), len(rules.families), bins))
        mass = np.zeros((len(some), bins))
        wagers = [feature.wager for feature in some]
        for rows in _of_one_size(some):
            histograms = np.stack([some[row].histogram for row in rows])
            centres = np.stack([_centres(some[row]) for row in rows])
            staked = [wager for row in rows if (wager := wagers[row]) is not None]
            tables = dict.fromkeys((*rules.tables, *(staked[0].tables if staked else ())))
            told = {table: posteriors(table, histograms, centres) for table in tables if table != CUTTINGS}
            start = bins - histograms.shape[1]  # empty bins in front: the last is that of what is no number
            leans[rows, :, start:] = leans_of(rules, histograms, centres, told)
            mass[rows, start:] = histograms.sum(axis=2)
            if staked:
                for row, wager in zip(rows, all_fitted(staked, histograms, told, epsilon, delta), strict=True):
                    wagers[row] = wager
        guesses = guesses_of_leans(rules, leans, mass, epsilon)
        for row, (place, feature) in enumerate(zip(places, some, strict=True)):
            own = guesses[row, :, bins - len(feature.histogram) :]
            stack = (guesses, row) if len(some) > 1 else None
            found[place] = replace(feature, guesses=own, stack=stack, wager=wagers[row])
    return found


def _of_one_size(features: Sequence[Feature]) -> list[list[int]]:
    """The places of features with as many bins, which are reckoned together; all of them have a wager or none."""
    sizes: dict[tuple[int, bool], list[int]] = {}
    for row, feature in enumerate(features):
        sizes.setdefault((len(feature.histogram), feature.wager is not None), []).append(row)
    return list(sizes.values())


def _centres(feature: Feature) -> Floats:
    if feature.kind == "score":
        nothing = np.zeros((len(feature.histogram), 2), np.int64)
        return centres_of(Bins(SCORE_EDGES), nothing, feature.sums)  # a score's bins are log-odds themselves
    if feature.bins is not None:
        return centres_of(feature.bins, feature.histogram, feature.sums)
    return np.full(len(feature.histogram), np.nan)


def _with(memory: Memory, batch: Batch, width: int) -> Memory:
    columns = batch.seen.columns[:, :width]
    if columns.shape[1] < width:
        columns = np.pad(columns, ((0, 0), (0, width - columns.shape[1])), constant_values=np.nan)
    return Memory(
        np.concatenate([memory.columns, columns]),
        np.concatenate([memory.tokens, batch.seen.tokens]),
        np.concatenate([memory.forms, batch.seen.kinds]),
        np.concatenate([memory.coins, batch.coins]),
    )


def _atoms_counted(atoms: tuple[Atom, ...], batch: Batch) -> tuple[Atom, ...]:
    if not atoms:
        return atoms
    tokens = np.array([atom.token for atom in atoms], dtype=np.uint64)
    order = np.argsort(tokens)
    hits = np.zeros((len(atoms), 2), np.int64)
    hits[order] = _histogram(_answer_places(tokens[order], batch.seen.tokens), batch.coins, len(atoms) + 1)[:-1]
    calls = len(batch.coins)
    return tuple(
        replace(
            atom,
            name=batch.seen.name_of(atom.token) if right + left and atom.name.startswith(UNNAMED) else atom.name,
            counts=atom.counts + np.array([[left, right, calls], [right, left, calls]]),
        )
        for atom, (right, left) in zip(atoms, hits, strict=True)
    )


def _atoms_born(atoms: tuple[Atom, ...], memory: Memory, seen: Observations) -> tuple[Atom, ...]:
    """Answers seen twice or more become atoms, numbered by their tokens among those born together."""
    if len(atoms) >= MAX_ATOMS:
        return atoms
    tokens, times = np.unique(memory.tokens, return_counts=True)
    taken = {atom.token for atom in atoms}
    born = [int(token) for token in tokens[times >= 2] if int(token) not in taken][: MAX_ATOMS - len(atoms)]
    return atoms + tuple(Atom(token, seen.name_of(token), np.zeros((2, 3), np.int64)) for token in born)
