"""Where a record is gone, or another, are the others in the batches that they would be in with it?

An accounting by participations takes it so: then a record changes no sums but those that it is in. Batches that are cut
from a shuffled or an ordered list move: where one is gone, each full batch is filled up by another. Batches of records
that are sorted move where one is replaced.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.data import size_of, take_records
from dpcheck.model.data.joined import join_records
from dpcheck.privacy.white_box.noise import Broken
from dpcheck.privacy.white_box.recording import Floats, Play, Recording
from dpcheck.privacy.white_box.sampling import Members, members_of

#: How many trainings show whether anything moves; what further ones are called, which draw anew.
LEFT_OUT, ANEW = 3, "without"
#: Trainings that show which batch is smaller where one is gone: more would be needed where batches are few.
MOST_REPLAYS = 16
#: Records and steps from which it is told whether places tell batches; shuffles that this is held against; how many
#: standard deviations are more than chance.
MOST_RECORDS, MOST_STEPS, SHUFFLES, FAR = 400, 200, 200, 6.0
#: Distances of places at which records are looked at for coming together.
LAGS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 50, 64, 100, 128)

Found = Mapping[tuple[str, int], Recording | str]
Played = Callable[[Mapping[tuple[str, int], Play]], Found]


@dataclass(frozen=True)
class OthersSeen:
    """Whether others stay: ``broken`` says how they do not, ``words`` what was seen; None of both: it was not seen.

    ``squares`` is what one record changes, the sum over releases of the square of how many records moved; 0 where it is
    as accounted.
    """

    stay: bool | None
    words: str
    broken: Broken | None = None
    squares: float = 0.0


def others_seen(
    dataset: Any, runs: list[Recording], releases: Floats, uses: int, alpha: float, draws: int, rng: Generator,
    played: Played,
) -> OthersSeen:  # fmt: skip
    """Look whether the others stay in their batches where one record is gone.

    Parameters
    ----------
    dataset : dataset
    runs : trainings on it, each with a seed of its own
    releases : what replays release, a row for each step
    uses : int
        In how many releases a record is at most.
    alpha : float
        The probability that others who stay are said to move.
    draws : int
        What replays draw from.
    rng : generator
        Who is left out is drawn from it.
    played : callable
        Plays replays.
    """
    size = size_of(dataset)
    whole = Play(dataset, releases=releases, draws=draws)
    moved = _moved_by(whole, {one: _without(dataset, one, whole) for one in _looked_at(size)}, played, "gone")
    if isinstance(moved, OthersSeen):
        return moved
    members = [members_of(run.batches, size) for run in runs]
    if (seen := _seen_at_once(moved, members, "gone")) is not None:
        return seen
    if moved[size - 1] == 0.0 and not places_tell(members, rng):
        return OthersSeen(
            True, "others stay in their batches where the last one is gone, and places do not tell batches"
        )
    undecided = OthersSeen(
        None,
        "with the same draws others are in other batches where one is gone; whether as a new draw would put them, too, "
        "was not seen (of a record that is replaced nothing moves: neighbours='replace-one')",
    )
    sizes = _sizes(members)
    if sizes is None:
        return undecided
    left_out = rng.integers(size, size=MOST_REPLAYS)

    def without(first: int, last: int) -> list[Members | None]:
        plays = {
            (ANEW, number): _without(dataset, int(left_out[number]), replace(whole, draws=draws + 2 + number))
            for number in range(first, last)
        }
        return [_members(each, size - 1) for each in played(plays).values()]

    # the first one shows which batches they may be, and so how many more trainings are needed: see the proof
    [one] = without(0, 1)
    if one is None or len(one) != len(sizes):
        return undecided
    count = _trainings_needed(_chance(sizes - one.sum(axis=1), sizes, size, uses), alpha)
    if count > MOST_REPLAYS:
        return undecided
    broken = smaller_batches(sizes, [one, *without(1, count)], size, uses, alpha)
    if broken is None:
        return undecided
    # at best one other fills up each place, and leaves another batch a smaller one
    return OthersSeen(False, broken.words, broken, 5.0 * uses)


def others_seen_beside(
    dataset: Any, canaries: Any, runs: list[Recording], releases: Floats, draws: int, played: Played
) -> OthersSeen:
    """Look whether the others stay in their batches where one record is replaced by a canary: the last, the middle one.

    Parameters
    ----------
    dataset, canaries : datasets
    runs, releases, draws, played
        As for :func:`others_seen`.
    """
    size = size_of(dataset)
    both, whole = join_records(dataset, canaries), Play(dataset, releases=releases, draws=draws)
    others = {}
    for number, one in enumerate(_looked_at(size)):
        kept = np.arange(size)
        kept[one] = size + number % size_of(canaries)
        others[one] = replace(whole, dataset=take_records(both, kept))
    moved = _moved_by(whole, others, played, "another")
    if isinstance(moved, OthersSeen):
        return moved
    return _seen_at_once(moved, [members_of(run.batches, size) for run in runs], "another") or OthersSeen(
        None,
        "with the same draws others are in other batches where one is another; whether as a new draw would put them, "
        "too, was not seen",
    )


def _looked_at(size: int) -> tuple[int, int]:
    """The last record, and one in the middle."""
    return size - 1, (size - 1) // 2


def _moved_by(whole: Play, others: Mapping[int, Play], played: Played, what: str) -> dict[int, float] | OthersSeen:
    """What moves where a record, by its place, is gone or another; that it was not seen, where a training failed."""
    found = played({("whole", 0): whole, **{("one", place): play for place, play in others.items()}})
    for each in found.values():
        if isinstance(each, str):
            return OthersSeen(None, f"whether others stay in their batches where one is {what} was not seen: {each}")
    with_it = _members(found["whole", 0], size_of(whole.dataset))
    return {
        place: _moved(with_it, _members(found["one", place], size_of(play.dataset)), place)
        for place, play in others.items()
    }


def _seen_at_once(moved: dict[int, float], members: list[Members], what: str) -> OthersSeen | None:
    """What needs no further trainings: that nobody moves, or that somebody does in batches that draw nothing."""
    most = max(moved.values())
    if most == 0.0:
        return OthersSeen(True, f"others stay in their batches where the last one is {what}, or one in the middle")
    if not _always_the_same(members) or most == math.inf:
        return None
    words = f"where one record is {what}, others are in other batches, which were the same in {len(members)} trainings"
    return OthersSeen(False, words, Broken(words, 0.0), most)


def smaller_batches(
    sizes: NDArray[np.int64], without: list[Members | None], size: int, uses: int, alpha: float
) -> Broken | None:
    """Whether it is always the same batches that are smaller, whoever is left out.

    Where others stay, and batches with all records always have these sizes, those are smaller that the one who is gone
    would be in. Who that is was drawn, each time anew: so that a batch of s of n records is among them with probability
    s/n at most, independently each time. Of m trainings all show one given set T of batches with probability q(T)^m,
    where q(T) <= b(T), the least s/n of its batches; those sets with b(T)^(m - 1) <= alpha then come with probability
    sum over T of q(T) b(T)^(m - 1) <= alpha, also where m was chosen by the T of the first.

    Parameters
    ----------
    sizes : shape (steps,)
        Of batches with all records.
    without : members with one record less, one training each; None where it failed

    Examples
    --------
    >>> cut = [np.repeat(np.eye(4, dtype=np.int32), 10, axis=1)[:, 1:] for _ in range(6)]
    >>> shifted = [np.roll(each, -1, axis=1) for each in cut]  # any of them: the first batch is the smaller one
    >>> print(smaller_batches(np.full(4, 10), shifted, 40, 1, 1e-2).words)
    whoever is gone, the same batch is smaller (that of step 1, in 6 trainings): others take the place
    """
    lacking = [sizes - each.sum(axis=1) for each in without if each is not None and len(each) == len(sizes)]
    if not lacking or len(lacking) < len(without) or any(not np.array_equal(lacking[0], each) for each in lacking):
        return None
    smaller = np.flatnonzero(lacking[0])
    p_value = _chance(lacking[0], sizes, size, uses) ** (len(lacking) - 1)
    if p_value > alpha:
        return None
    often = f"in {len(lacking):,} trainings"
    if not smaller.size:
        words = f"whoever is gone, no batch is smaller ({often})"
    elif smaller.size == 1:
        words = f"whoever is gone, the same batch is smaller (that of step {smaller[0] + 1:,}, {often})"
    else:
        first = f"that of step {smaller[0] + 1:,} first, {often}"
        words = f"whoever is gone, the same {smaller.size:,} batches are smaller ({first})"
    return Broken(f"{words}: others take the place", p_value)


def places_tell(members: list[Members], rng: Generator) -> bool:
    """Whether a record's place says which batches it is in: by its neighbours, or because they are always the same.

    >>> rng = np.random.default_rng(0)
    >>> drawn = [np.eye(8, dtype=np.int32)[:, rng.integers(8, size=200)] for _ in range(2)]
    >>> in_turn = [np.eye(8, dtype=np.int32)[:, (np.arange(200) + start) % 8] for start in (0, 3)]
    >>> places_tell(drawn, rng), places_tell(in_turn, rng), places_tell([drawn[0]] * 2, rng)
    (False, True, True)
    """
    if len(members) < 2 or _always_the_same(members):
        return True
    size = members[0].shape[1]
    # neighbours, and records from all places: blocks may be larger than so many neighbours are
    among = [np.arange(min(size, MOST_RECORDS))]
    if size > MOST_RECORDS:
        among.append(np.linspace(0, size - 1, MOST_RECORDS).astype(np.intp))
    return any(_tell(run[:MOST_STEPS, some].astype(np.float64), rng) for run in members for some in among)


def _tell(some: Floats, rng: Generator) -> bool:
    """Whether records some places apart come together more, or less, often than shuffled ones; or later ones later."""
    apart = some - some.mean(axis=1, keepdims=True)
    alike = apart.T @ apart
    shuffled = []
    for _ in range(SHUFFLES):
        order = rng.permutation(len(alike))
        shuffled.append(_together(alike[np.ix_(order, order)]))
    far = np.abs(_together(alike) - np.mean(shuffled, axis=0)) > FAR * np.std(shuffled, axis=0) + 1e-9
    return bool(far.any()) or abs(_trend(apart)) > FAR


def _together(alike: Floats) -> Floats:
    """How often records so many places apart come together."""
    return np.array([np.trace(alike, lag) for lag in LAGS if lag < len(alike) // 2])


def _trend(some: Floats) -> float:
    """By how many standard deviations later records are in later batches."""
    steps, records = some.shape
    step, place = np.arange(steps) - 0.5 * (steps - 1), np.arange(records) - 0.5 * (records - 1)
    by_place = step @ some
    spread = float(np.sqrt((place**2).sum() * by_place.var()))
    return float(by_place @ place) / spread if spread > 0.0 else 0.0


def _without(dataset: Any, one: int, play: Play) -> Play:
    kept = np.delete(np.arange(size_of(dataset)), one)
    return replace(play, dataset=take_records(dataset, kept))


def _members(recording: Recording | str, size: int) -> Members | None:
    return None if isinstance(recording, str) else members_of(recording.batches, size)


def _moved(whole: Members | None, other: Members | None, one: int) -> float:
    """What changes beside the record that is gone: 0, or the sum over steps of the square of how many records moved.

    Where it is replaced by another two change at a time, so that half of them counts.
    """
    if whole is None or other is None or len(whole) != len(other):
        return math.inf
    replaced = whole.shape[1] == other.shape[1]
    others = np.delete(other, one, axis=1) if replaced else other
    changed = np.abs(np.delete(whole, one, axis=1) - others).sum(axis=1)
    if not changed.any():
        return 0.0
    own = whole[:, one] + other[:, one] if replaced else whole[:, one]
    return float((((changed + own) / (2.0 if replaced else 1.0)) ** 2).sum())


def _always_the_same(members: list[Members]) -> bool:
    return len(members) > 1 and all(np.array_equal(members[0], other) for other in members[1:])


def _sizes(members: list[Members]) -> NDArray[np.int64] | None:
    """The sizes of batches, where all trainings have the same."""
    sizes: list[NDArray[np.int64]] = [run.sum(axis=1).astype(np.int64) for run in members]
    if len(sizes) < 2 or any(not np.array_equal(sizes[0], other) for other in sizes[1:]):
        return None
    return sizes[0]


def _chance(lacking: NDArray[np.int64], sizes: NDArray[np.int64], size: int, uses: int) -> float:
    """At most the probability that a record, drawn from all, is in just the batches that lack one."""
    smaller = np.flatnonzero(lacking)
    if smaller.size:
        return min(1.0, float(sizes[smaller].min()) / size)
    return max(0.0, 1.0 - float(sizes.sum()) / (uses * size))  # at most so many records are in no batch


def _trainings_needed(chance: float, alpha: float) -> int:
    """How many trainings show at this level that the same batches are always the smaller ones: two at least."""
    if chance >= 1.0:
        return MOST_REPLAYS + 1
    return 2 if chance <= alpha else 1 + math.ceil(math.log(alpha) / math.log(chance))
