"""The state of an audit between two interim analyses, and its record: one can be made from the other."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.data import describe_dataset, digest
from dpcheck.model.errors import RecordCorrupt
from dpcheck.model.neighbours import Pair
from dpcheck.model.verdict import PairRecord, PhaseCalls, Record
from dpcheck.model.verdict.record import pack, recorded_claim, unpack
from dpcheck.privacy.statistics.bank import Bins
from dpcheck.privacy.statistics.divergence_game import DivergenceGame
from dpcheck.privacy.statistics.evidence import GRADES, Tally
from dpcheck.privacy.statistics.game import Atom, Feature, Game, Memory, Shape, fitted_scores, game_against, tally
from dpcheck.privacy.statistics.slot_record import slot_arrays, slots_from
from dpcheck.privacy.statistics.wager_fits import Wager
from dpcheck.privacy.statistics.wagers import BET_LEVELS, LEANS, Bets

#: The role of a pair that is a smaller form of another one, with a part of alpha kept for it.
SHRUNK = "shrunk"


@dataclass(frozen=True)
class PairState:
    """A pair in words, its weight fixed before the first call, and its game (None while it has not been tried)."""

    change: str
    left: str
    right: str
    left_digest: str
    right_digest: str
    weight: float
    game: Game | None
    role: str = ""

    @staticmethod
    def of(pair: Pair, weight: float = 0.0, role: str = "") -> PairState:
        """A pair before its first call."""
        left, right = (str(digest(data)["sha256"] or "") for data in (pair.left, pair.right))
        words = describe_dataset(pair.left), describe_dataset(pair.right)
        return PairState(pair.change, *words, left, right, weight, None, role)


@dataclass(frozen=True)
class State:
    """All that was seen so far: the record's settings, what outputs look like, and the game of each pair."""

    record: Record
    pairs: tuple[PairState, ...]

    @property
    def claim(self) -> Claim:
        """The claim at stake."""
        return recorded_claim(self.record.claim)

    @property
    def samples(self) -> int:
        """Calls made in all phases."""
        return sum(phase.calls for phase in self.record.phases)

    def tally(self) -> Tally:
        """The counts of all pairs tried, weighted; pairs not yet tried are wealth not staked."""
        tried = [(pair.game, pair.weight) for pair in self.pairs if pair.game is not None]
        return Tally.join([tally(game) for game, _ in tried], [weight for _, weight in tried])

    def with_calls(self, phase: str, calls: int) -> State:
        """The state after so many more calls in this phase; one that has none is not named."""
        known = {p.phase: p.calls for p in self.record.phases}
        if calls == 0 and phase not in known:
            return self
        known[phase] = known.get(phase, 0) + calls
        phases = tuple(PhaseCalls(name, count) for name, count in known.items())
        return replace(self, record=replace(self.record, phases=phases))

    def with_game(self, place: int, game: Game) -> State:
        """The state after more was seen on one pair."""
        pairs = tuple(replace(p, game=game) if i == place else p for i, p in enumerate(self.pairs))
        return replace(self, pairs=pairs)


def completed(state: State) -> Record:
    """The record with the state of every pair packed into it."""
    pairs = tuple(
        PairRecord(
            pair.change,
            pair.left,
            pair.right,
            pair.left_digest,
            pair.right_digest,
            pair.weight,
            pair.game.calls if pair.game is not None else 0,
            _packed(pair.game) if pair.game is not None else "",
            pair.role,
        )
        for pair in state.pairs
    )
    return replace(state.record, pairs=pairs)


def restored(record: Record) -> State:
    """The state of an audit from its record alone.

    Raises
    ------
    RecordCorrupt
        When the packed state does not fit the record's claim.
    """
    claim = recorded_claim(record.claim)
    _check_weights([pair.weight for pair in record.pairs])
    if any(phase.calls < 0 for phase in record.phases):
        raise RecordCorrupt("record must have phases of at least 0 calls, got a negative number")
    pairs = tuple(
        PairState(
            p.change,
            p.left,
            p.right,
            p.left_digest,
            p.right_digest,
            p.weight,
            _unpacked(p.state, claim) if p.state else None,
            p.role,
        )
        for p in record.pairs
    )
    return State(replace(record, pairs=()), pairs)


def _check_weights(weights: list[float]) -> None:
    good = all(math.isfinite(weight) and weight >= 0.0 for weight in weights) and sum(weights) <= 1.0 + 1e-9
    if not good:
        raise RecordCorrupt("record must have pair weights of at least 0 that sum to at most 1, got others")


def _check_feature(feature: Feature, unused: NDArray[Any], calls: int) -> None:
    """What every feature of a real game satisfies; counts that were altered mostly do not."""
    bins = feature.histogram.shape[0]
    whole = all(array.dtype.kind == "i" for array in (feature.histogram, feature.counts, feature.guesses))
    spent = feature.counts.sum(axis=(0, 2)) if feature.counts.size else np.zeros(1)
    edges = feature.bins.edges if feature.bins is not None else unused
    fits = (
        whole
        and (feature.bins is not None or len(edges) == 0)
        and feature.guesses.shape[1] == bins
        and feature.sums.shape == (bins,)
        and feature.histogram.shape == (bins, 2)
        and (feature.bins is None or feature.bins.count == bins)
        and (feature.kind not in ("answer", "form") or bins in (0, len(feature.known) + 1))
    )
    if not fits or not (
        (feature.counts >= 0).all()
        and (feature.histogram >= 0).all()
        and (spent <= feature.watched).all()
        and 0 <= feature.watched <= calls
        and (np.abs(feature.guesses) <= GRADES).all()
        and (np.diff(edges) > 0).all()
    ):
        raise ValueError(f"feature {feature.name!r} holds counts that no game could have")


def _packed(game: Game) -> str:
    shape = {
        "columns": game.shape.columns,
        "repeats": game.shape.repeats,
        "others": game.shape.others,
        "names": game.shape.names,
        "shares": game.shape.shares,
        "coded": game.shape.coded,
        "measured": game.shape.measured,
        "slots": game.shape.slots,
        "single": game.shape.single,
        "whole_numbers": game.shape.whole_numbers,
        "calls": game.calls,
        "fitted_at": game.fitted_at,
        "boosted": game.boosted,
        "atoms": [atom.name for atom in game.atoms],
        "kinds": {str(token): name for token, name in game.kinds.items()},
    }
    arrays: dict[str, NDArray[Any]] = {"game": np.frombuffer(json.dumps(shape).encode(), dtype=np.uint8)}
    for i, feature in enumerate(game.features):
        arrays[f"feature{i}.known"] = feature.known
        arrays[f"feature{i}.edges"] = feature.bins.edges if feature.bins is not None else np.zeros(0)
        arrays[f"feature{i}.binned"] = np.array([feature.bins is not None])
        arrays[f"feature{i}.histogram"] = feature.histogram
        arrays[f"feature{i}.sums"] = feature.sums
        arrays[f"feature{i}.guesses"] = feature.guesses
        arrays[f"feature{i}.counts"] = feature.counts
        arrays[f"feature{i}.watched"] = np.array([feature.watched])
        if feature.wager is not None:
            arrays |= {f"feature{i}.{name}": array for name, array in _wager_arrays(feature.wager).items()}
    arrays["atoms.tokens"] = np.array([atom.token for atom in game.atoms], dtype=np.uint64)
    arrays["atoms.counts"] = np.array([atom.counts for atom in game.atoms], dtype=np.int64).reshape(-1, 2, 3)
    if game.memory is not None:
        arrays["memory.columns"] = game.memory.columns
        arrays["memory.tokens"] = game.memory.tokens
        arrays["memory.forms"] = game.memory.forms
        arrays["memory.coins"] = game.memory.coins
    arrays |= slot_arrays(game.slots)
    if game.divergences is not None:
        arrays["divergences.wealth"] = game.divergences.log_wealth
        arrays["divergences.foretold"] = game.divergences.foretold
        arrays["divergences.leader"] = np.array([game.divergences.leader])
    return pack(arrays)


def _with_bets(empty: Game, arrays: dict[str, NDArray[Any]]) -> Game:
    """A new game with what its bets against bounds on divergences hold.

    A record of before there were such has none of it: its audit goes on as it began, without.
    """
    if empty.divergences is None:
        return empty
    if not any(name.startswith("divergences.") for name in arrays):
        return replace(empty, bounded=None, divergences=None)
    wealth, foretold = arrays["divergences.wealth"], arrays["divergences.foretold"]
    leader = int(arrays["divergences.leader"][0])
    fits = wealth.shape == empty.divergences.log_wealth.shape and foretold.shape == empty.divergences.foretold.shape
    if not fits or not (np.isfinite(wealth).all() and np.isfinite(foretold).all()) or not -1 <= leader < len(foretold):
        raise ValueError("the bets against bounds on divergences hold what no game could have")
    return replace(empty, divergences=DivergenceGame(wealth, foretold, leader))


def _unpacked(text: str, claim: Claim) -> Game:
    arrays = unpack(text)
    try:
        shape = json.loads(bytes(arrays["game"]))
        empty = _with_bets(game_against(_shape(shape), claim, boosted=bool(shape["boosted"])), arrays)
        features = tuple(_feature(feature, i, arrays) for i, feature in enumerate(empty.features))
        atoms = tuple(
            Atom(int(token), name, counts)
            for token, name, counts in zip(arrays["atoms.tokens"], shape["atoms"], arrays["atoms.counts"], strict=True)
        )
        memory = None
        if any(name.startswith("memory.") for name in arrays):
            memory = Memory(
                arrays["memory.columns"], arrays["memory.tokens"], arrays["memory.forms"], arrays["memory.coins"]
            )
            past = len(memory.coins)
            if memory.columns.shape != (past, shape["columns"]) or not len(memory.tokens) == len(memory.forms) == past:
                raise ValueError("the memory's columns, tokens and coins do not belong together")
            if not np.isin(memory.coins, (0, 1)).all() or past > shape["calls"]:
                raise ValueError("the memory holds coins that no game could have")
        for place, feature in enumerate(features):
            _check_feature(feature, arrays[f"feature{place}.edges"], shape["calls"])
        for atom in atoms:
            if atom.counts.dtype.kind != "i" or (atom.counts < 0).any() or atom.counts[:, 2].max() > shape["calls"]:
                raise ValueError(f"atom {atom.name!r} holds counts that no game could have")
        game = replace(
            empty,
            calls=shape["calls"],
            slots=slots_from(arrays, empty.shape.slots),
            features=features,
            atoms=atoms,
            memory=memory,
            fitted_at=shape["fitted_at"],
            kinds={int(token): str(name) for token, name in shape.get("kinds", {}).items()},
        )
    except (KeyError, ValueError, TypeError, IndexError, OverflowError, AttributeError) as error:
        said = error if isinstance(error, ValueError) else repr(error)
        raise RecordCorrupt(f"state of a pair must fit the record's claim, but: {said}") from error
    scored = any(feature.kind == "score" for feature in game.features)
    if memory is not None and scored and game.fitted_at:
        past = game.fitted_at  # scores are functions of the past at the last fit
        then = Memory(memory.columns[:past], memory.tokens[:past], memory.forms[:past], memory.coins[:past])
        game = replace(game, scores=fitted_scores(game.shape, then, boosted=game.boosted))
    return game


def _shape(held: dict[str, Any]) -> Shape:
    """What outputs look like, with weights that cannot exceed what a game may spend."""
    shape = Shape(
        held["columns"],
        held["repeats"],
        held["others"],
        tuple(held.get("names", ())),
        tuple(held.get("shares", ())),
        held.get("coded", 0),
        held.get("measured", 0),
        held.get("slots", 0),
        bool(held.get("single", False)),
        held.get("whole_numbers", 0),
    )
    if any(type(count) is not int or not 0 <= count <= shape.columns for count in (shape.slots,)):
        raise ValueError("no more columns can be filled by the game than there are")
    named = len(shape.names) in (0, shape.columns) and len(shape.names) == len(shape.shares)
    if not named or not all(share >= 0.0 for share in shape.shares) or sum(shape.shares) > 1.0 + 1e-9:
        raise ValueError("the shares of the columns must be at least 0 with sum at most 1, one for each")
    if type(shape.coded) is not int or not 0 <= shape.coded <= shape.columns:
        raise ValueError("no more columns can hold codes than there are")
    if type(shape.measured) is not int or not 0 <= shape.measured <= shape.fixed:
        raise ValueError("no more columns can be measured than there are")
    return shape


def _feature(empty: Feature, place: int, arrays: dict[str, NDArray[Any]]) -> Feature:
    def of(name: str) -> NDArray[Any]:
        return arrays[f"feature{place}.{name}"]

    if empty.wager is not None and f"feature{place}.wager.levels" not in arrays:
        raise ValueError("it was written by an earlier dpcheck, whose audits bet by other rules: audit again")
    if of("guesses").shape[0] != len(empty.rules) or of("counts").shape != empty.counts.shape:
        raise ValueError(
            f"feature {empty.name!r} has {len(empty.rules)} rules here, {of('guesses').shape[0]} there; "
            "a record of another dpcheck cannot be gone on with: audit again"
        )
    return replace(
        empty,
        known=of("known"),
        bins=Bins(of("edges")) if bool(of("binned")[0]) else None,
        histogram=of("histogram"),
        sums=of("sums"),
        guesses=of("guesses"),
        counts=of("counts"),
        watched=int(of("watched")[0]),
        wager=_wager(empty.wager, of) if empty.wager is not None else None,
    )


def _wager_arrays(wager: Wager) -> dict[str, NDArray[Any]]:
    return {
        "wager.losses": wager.losses,
        "wager.forecasts": wager.forecasts,
        "wager.levels": wager.levels,
        "wager.terms": np.array(wager.terms),
        "wager.past_terms": wager.bets.terms,
        "wager.counts": wager.bets.counts,
    }


def _wager(empty: Wager, of: Callable[[str], NDArray[Any]]) -> Wager:
    """A feature's wager, of counts that a game could have."""
    levels, terms, past = of("wager.levels"), of("wager.terms"), of("wager.past_terms")
    counts, forecasts = of("wager.counts"), of("wager.forecasts")
    leans, sizes = past[:, 0], past[:, 1:]
    fits = (
        all(array.dtype.kind == "i" for array in (levels, terms, past, counts))
        and forecasts.shape == (len(empty.tables), len(levels))
        and of("wager.losses").shape == (len(empty.tables),)
        and terms.shape == (3,)
        and past.shape == (len(counts), 3)
        and counts.shape[1:] == (2 * BET_LEVELS + 1, 2)
    )
    if not fits or not (
        (counts >= 0).all()
        and (np.abs(levels) <= BET_LEVELS).all()
        and 0 <= terms[0] < len(LEANS)
        and ((leans >= 0) & (leans < len(LEANS))).all()
        and ((sizes >= 0) & (sizes <= BET_LEVELS)).all()
        and (-terms[2] <= levels).all()
        and (levels <= terms[1]).all()
        and _within_terms(past, counts)
        and counts.sum() <= of("watched")[0]
    ):
        raise ValueError("a wager holds counts that no game could have")
    lean, top, bottom = (int(term) for term in terms)
    return replace(
        empty,
        losses=of("wager.losses"),
        forecasts=forecasts,
        levels=levels,
        terms=(lean, top, bottom),
        bets=Bets(past, counts),
    )


def _within_terms(terms: NDArray[Any], counts: NDArray[Any]) -> bool:
    """Whether no bet was larger than the largest that its terms allow, which delta is charged for."""
    level = np.arange(-BET_LEVELS, BET_LEVELS + 1)
    beyond = (level > terms[:, 1:2]) | (level < -terms[:, 2:3])
    return not counts[beyond].any()
