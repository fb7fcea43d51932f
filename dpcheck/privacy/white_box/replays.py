"""Replays of a training: on other data, with other records in its batches, and with the releases of an earlier run.

Where releases and batches are given, nothing of a training whose steps are what was accounted can depend on the data
but the sums before the noise, and those by what each record of the batch gives. So two replays that differ by one
record in each batch show what this record gives, in each step at the same model; and replays on other data, with the
same releases, must have the same output.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.data import features_and_labels, is_labelled, size_of, take_records
from dpcheck.model.data.joined import join_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.training import GaussianSteps
from dpcheck.privacy.one_run.made_records import mislabelled
from dpcheck.privacy.white_box.one_gone import LEFT_OUT
from dpcheck.privacy.white_box.recording import EXACT, Floats, Play, Recording, Records
from dpcheck.privacy.white_box.sampling import members_of

#: Records of which some are taken as canaries: the largest of them.
LOOKED_AT = 500
#: Rounding of sums, in clipping norms, and of divisors; for numbers of less precision so many of their distances, and
#: of those of the sum.
ROUNDING, RELATIVE, DISTANCES, SUMMED = 1e-6, 1e-9, 1_000, 32
#: What reaches so much of the clipping norm was clipped.
REACHED = 0.99
#: So many numbers of noise are not the same by chance, be they on a grid: 0.4 to this power is below 1e-15.
TELLING = 64
SIGNS = (1.0, -1.0)


@dataclass(frozen=True)
class Replays:
    """Replays by name, in their order."""

    plays: dict[tuple[str, int], Play]
    count: int


def standing_out(dataset: Any, count: int, rng: Generator) -> Any:
    """Records that may make gradients large: large ones with another label, then one of each label, small and large."""
    size = size_of(dataset)
    some = np.sort(rng.permutation(size)[:LOOKED_AT])
    order = some[np.argsort(-_lengths(take_records(dataset, some)), kind="stable")]
    if not is_labelled(dataset):
        return take_records(dataset, _first(np.array([*order[: count // 2 + 1], order[-1], *order]), count))
    half = (count + 1) // 2
    values = _labels(dataset)
    last = {label: place for place, label in enumerate(values)}
    rare = [last[label] for label, _ in reversed(Counter(values).most_common())][: max(1, (count - half) // 2)]
    kept = take_records(dataset, _first(np.array([*rare, order[-1], *order]), count))
    try:
        wrong = mislabelled(take_records(dataset, order), len(order), rng)
    except InvalidArgument:  # one label only
        return kept
    largest = np.argsort(-_lengths(wrong), kind="stable")[:half]
    return join_records(take_records(wrong, largest), take_records(kept, np.arange(count - len(largest))))


def small_ones(dataset: Any, count: int, rng: Generator) -> Any:
    """The smallest records, of one label where there are labels: what statistics of the data are another of."""
    size = size_of(dataset)
    some = np.sort(rng.permutation(size)[:LOOKED_AT])
    order = some[np.argsort(_lengths(take_records(dataset, some)), kind="stable")]
    if is_labelled(dataset):
        values = np.array(_labels(take_records(dataset, order)))
        order = order[values == values[0]]
    return take_records(dataset, order[:count])


def _labels(dataset: Any) -> list[str]:
    """The label of each record, as a text."""
    labels = features_and_labels(dataset)[1]
    return [str(label) for label in (labels.tolist() if hasattr(labels, "tolist") else list(labels))]


def _first(places: Records, count: int) -> Records:
    """So many different places, in their order."""
    return np.array(list(dict.fromkeys(places.tolist()))[:count], dtype=np.intp)


def _lengths(records: Any) -> Floats:
    """The norms of records; all alike where they are no numbers."""
    try:
        column = features_and_labels(records)[0] if is_labelled(records) else records
        numbers = np.asarray(column, dtype=np.float64).reshape(size_of(records), -1)
    except (InvalidArgument, TypeError, ValueError):
        return np.zeros(size_of(records))
    found: Floats = np.linalg.norm(np.nan_to_num(numbers), axis=1)
    return found


def planned(
    dataset: Any, canaries: Any, small: Any, recorded: Recording, accounted: GaussianSteps, neighbours: str, seed: int
) -> Replays:
    """The replays, from the first recorded run and the canaries, which take the place of the last records.

    Each canary is in every batch where batches are sampled: each release is to be safe by itself. Else it goes where a
    record of the recorded run went, since sums of several steps are released too (DP-FTRL).
    """
    size, count = size_of(dataset), size_of(canaries)
    own = size - count
    data = join_records(take_records(dataset, np.arange(own)), canaries)
    batches = tuple(_not_empty(batch[batch < own]) for batch in recorded.batches)
    # the smaller half stays, so that largest and smallest, mean and spread of all become others
    stays = np.zeros(size, dtype=bool)
    stays[np.argsort(_lengths(take_records(dataset, np.arange(own))), kind="stable")[: max(1, own // 2)]] = True
    first = int(np.flatnonzero(stays)[0])
    half = tuple(_not_empty(batch[stays[batch]], first) for batch in batches)
    around, few = np.arange(size) % count, np.arange(size) % size_of(small)
    others = {
        "other data": take_records(canaries, around),
        "small data": take_records(small, few),
    }
    halves = {
        "half other": take_records(join_records(data, canaries), np.where(stays, np.arange(size), size + around)),
        "half small": take_records(join_records(data, small), np.where(stays, np.arange(size), size + few)),
    }
    places = _places(recorded.batches, own, count, accounted)
    plays: dict[tuple[str, int], Play] = {}
    for way, sign in enumerate(SIGNS):
        releases = sign * recorded.after
        plays["base", way] = Play(data, batches, releases, keep=True, draws=seed)
        for canary in range(count):
            joined = _joined(batches, [(own + canary, places[canary])])
            plays[f"with {canary}", way] = Play(data, joined, releases, draws=seed)
        everybody = _joined(batches, [(own + canary, places[canary]) for canary in range(count)])
        plays["with all", way] = Play(data, everybody, releases, keep=True, draws=seed)
        for name, other in others.items():
            plays[name, way] = Play(other, batches, releases, draws=seed)
        plays["half", way] = Play(data, half, releases, draws=seed)
        for name, other in halves.items():
            plays[name, way] = Play(other, half, releases, draws=seed)
    planted = plays["base", 0].releases
    plays["again", 0] = Play(data, batches, planted, draws=seed)
    plays["other draws", 0] = Play(data, batches, planted, draws=seed + 1)  # of steps: what it begins with is the same
    plays["other seed", 0] = Play(data, batches, planted, keep=True, draws=seed + 1)
    if neighbours == "add-remove":
        plays["one less", 0] = Play(take_records(data, np.arange(size - 1)), batches, planted, draws=seed)
        alone = {int(batch[0]) for batch in batches if len(batch) == 1}
        middle = min((one for one in range(own) if one not in alone), key=lambda one: abs(one - own // 2), default=None)
        if middle is not None:  # no batch is left without records
            there = (batch[batch != middle] for batch in batches)
            moved = tuple(batch - (batch > middle) for batch in there)
            rest = take_records(data, np.delete(np.arange(size), middle))
            plays["one gone", 0] = Play(rest, moved, planted, draws=seed)
    if accounted.sampling_rate is not None:
        nobody = list(batches)
        nobody[min(1, len(batches) - 1)] = np.zeros(0, dtype=np.intp)  # a first batch may be special to a library
        plays["nobody", 0] = Play(data, tuple(nobody), planted, draws=seed)
    return Replays(plays, count)


def number_of_replays(canaries: int, neighbours: str, *, sampled: bool, others_stay: bool = False) -> int:
    """How many replays there are with so many canaries; ``others_stay``: it is asked whether others do."""
    return len(SIGNS) * (canaries + 7) + 3 + 2 * (neighbours == "add-remove") + sampled + LEFT_OUT * others_stay


def _not_empty(batch: Records, spare: int = 0) -> Records:
    return batch if batch.size else np.array([spare], dtype=np.intp)


def _joined(batches: tuple[Records, ...], more: list[tuple[int, NDArray[np.bool_]]]) -> tuple[Records, ...]:
    """Batches with more records, each in the batches of its own."""
    made = []
    for step, batch in enumerate(batches):
        joining = [record for record, where in more if where[step]]
        made.append(np.concatenate([batch, np.array(joining, dtype=np.intp)]))
    return tuple(made)


def _places(batches: tuple[Records, ...], own: int, count: int, accounted: GaussianSteps) -> list[NDArray[np.bool_]]:
    """In which batches each canary goes."""
    if accounted.sampling_rate is not None:
        return [np.ones(len(batches), dtype=bool)] * count
    members = members_of(batches, max(own, 1 + max(int(batch.max(initial=0)) for batch in batches)))[:, :own] > 0
    busiest = np.argsort(-members.sum(axis=0), kind="stable")
    return [members[:, busiest[place % own]] for place in range(count)]


@dataclass(frozen=True)
class Seen:
    """What replays show: of clipping, of noise, and of what is left over, in words; empty where nothing is wrong.

    ``largest`` is the largest norm of what one record gave, ``failed`` why something could not be seen, ``misused`` how
    the training does not do what its transcript says, ``rounding`` by how many clipping norms sums may be rounded.
    """

    largest: float = 0.0
    at_step: int = 0
    mixed: str = ""
    unsure: str = ""
    divided: str = ""
    moved: str = ""
    noise: str = ""
    leftovers: str = ""
    size: str = ""
    failed: str = ""
    misused: str = ""
    rounding: float = ROUNDING


def compared(
    replays: Replays, found: dict[tuple[str, int], Recording | str], clipping_norm: float, neighbours: str
) -> Seen:
    """What the replays show; where one failed there is a message in its place."""
    base, again, other = found["base", 0], found["again", 0], found["other draws", 0]
    for one in (base, again):
        if isinstance(one, str):
            return Seen(failed=f"a replay failed: {one}")
    assert isinstance(base, Recording)
    assert isinstance(again, Recording)
    if not _same(base, again, clipping_norm) or base.output != again.output:
        return Seen(
            failed="two replays with the same seed, batches and releases differ: it has randomness of its own, or "
            "keeps something from run to run"
        )
    misused = _misused(found, clipping_norm)
    if misused:
        return Seen(misused=misused)
    draws = isinstance(other, Recording) and not _same(base, other, clipping_norm)
    gifts = [_gifts(replays, found, way, clipping_norm) for way in range(len(SIGNS))]
    mixed = next(filter(None, (each.mixed for each in gifts)), "")
    best = max(gifts, key=lambda each: each.largest)
    largest, at_step, unsure = best.largest, best.at_step, ""
    allowed = clipping_norm * (1.0 + base_rounding(base, clipping_norm))
    if largest > allowed and (draws or (mixed and _seeded(found, clipping_norm))):
        # what is drawn for others may have changed with one record more (a generator of its own is at another place):
        # only what two canaries gave apart is sure to be theirs
        best = max(gifts, key=lambda each: each.halves)
        largest, at_step = best.halves, best.halves_at
        if largest <= allowed:
            unsure = "it draws at random, and what is drawn for others may change with one record more"
    if draws:
        mixed = ""
    failures = [why for (kind, way), why in found.items() if isinstance(why, str) and way == 0 and kind != "nobody"]
    return Seen(
        largest=largest,
        at_step=at_step,
        mixed=mixed,
        unsure=unsure,
        divided=next(filter(None, (each.divided for each in gifts)), "") if neighbours == "add-remove" else "",
        moved="" if draws or _seeded(found, clipping_norm) else _moved(found, clipping_norm),
        noise=_noise_of_data(found),
        leftovers=_leftovers(found, clipping_norm),
        size=_size_used(found, clipping_norm),
        failed=f"{len(failures)} of {len(found)} replays failed: {failures[0]}" if failures else "",
        rounding=base_rounding(base, clipping_norm),
    )


def base_rounding(recording: Recording, clipping_norm: float) -> float:
    """By how many clipping norms sums may differ though they are the same."""
    size = float(np.linalg.norm(recording.before, axis=1).max(initial=0.0)) / clipping_norm
    coarse = DISTANCES * recording.precision if recording.precision > EXACT else 0.0
    return max(ROUNDING, coarse, SUMMED * recording.precision * size)


@dataclass(frozen=True)
class _Gifts:
    """What canaries gave in replays of one way; ``halves`` is half of the largest difference of two of them."""

    largest: float = 0.0
    at_step: int = 0
    halves: float = 0.0
    halves_at: int = 0
    mixed: str = ""
    divided: str = ""


def _gifts(replays: Replays, found: dict[tuple[str, int], Recording | str], way: int, clipping_norm: float) -> _Gifts:
    clean = found["base", way]
    if isinstance(clean, str):
        return _Gifts()
    ones = [found[f"with {canary}", way] for canary in range(replays.count)]
    there = [one for one in ones if isinstance(one, Recording) and one.before.shape == clean.before.shape]
    if not there:
        return _Gifts()
    given = np.array([one.before - clean.before for one in there])
    norms = np.linalg.norm(given, axis=2)
    place = int(norms.argmax()) % norms.shape[1]
    # what is drawn for others is the same beside each of them, and falls out of differences
    apart = np.array([np.linalg.norm(given - one, axis=2).max(axis=0) for one in given]).max(axis=0) / 2.0
    divided = next(filter(None, (_division(clean.divided_by, one.divided_by) for one in there)), "")
    mixed, everything = "", found["with all", way]
    if len(there) == replays.count and isinstance(everything, Recording) and everything.before.shape == given[0].shape:
        rounding = replays.count * max(base_rounding(clean, clipping_norm), base_rounding(everything, clipping_norm))
        room = rounding * clipping_norm
        far = np.linalg.norm(everything.before - clean.before - given.sum(axis=0), axis=1) > room
        if far.any():
            step = int(np.flatnonzero(far)[0]) + 1
            mixed = f"records change what others of the same batch give (step {step:,})"
    return _Gifts(float(norms.max()), place + 1, float(apart.max()), int(apart.argmax()) + 1, mixed, divided)


def _misused(found: dict[tuple[str, int], Recording | str], clipping_norm: float) -> str:
    """How the training does not go on with what its transcript gives back."""
    down, up, other, all_in = (found[name] for name in (("base", 0), ("base", 1), ("other draws", 0), ("with all", 0)))
    half = found["half", 0]
    if isinstance(down, str):
        return ""
    both = isinstance(up, Recording) and isinstance(other, Recording)
    if both and _same(down, up, clipping_norm) and not _same(down, other, clipping_norm):
        return "it does not go on with what transcript.release gives back: other releases change nothing"
    there = isinstance(half, Recording) and isinstance(all_in, Recording)
    if there and np.any(down.before) and _same(down, half, clipping_norm) and _same(down, all_in, clipping_norm):
        return "it does not use the records that transcript.batch gives back: other batches change nothing"
    return ""


def _moved(found: dict[tuple[str, int], Recording | str], clipping_norm: float) -> str:
    """Whether records give other things where they stand one place before, as they do where one before them is gone."""
    base, less, gone = (found.get((name, 0), "") for name in ("base", "one less", "one gone"))
    if isinstance(base, str) or isinstance(less, str) or isinstance(gone, str) or not _same(base, less, clipping_norm):
        return ""  # what the number of records changes is told by itself
    if gone.before.shape != base.before.shape:
        return ""
    norms = np.linalg.norm(base.before - gone.before, axis=1) / clipping_norm
    step = int(norms.argmax())
    if norms[step] <= 1.0 + max(base_rounding(one, clipping_norm) for one in (base, gone)):
        return ""
    return (
        f"with one record gone, and those after it one place before, the sum of step {step + 1:,} changes by "
        f"{norms[step]:.3g} clipping norms: what a record gives depends on its place"
    )


def _seeded(found: dict[tuple[str, int], Recording | str], clipping_norm: float) -> bool:
    """Whether sums or the output depend on the seed, though releases are given."""
    base, other = found["base", 0], found["other seed", 0]
    if isinstance(base, str) or isinstance(other, str):
        return True
    return not _same(base, other, clipping_norm) or base.output != other.output


def _close(one: Recording, other: Recording, clipping_norm: float) -> NDArray[np.bool_]:
    """Steps whose sums are the same but for rounding."""
    room = max(base_rounding(one, clipping_norm), base_rounding(other, clipping_norm)) * clipping_norm
    near: NDArray[np.bool_] = np.linalg.norm(one.before - other.before, axis=1) <= room
    return near


def _same(one: Any, other: Any, clipping_norm: float) -> bool:
    return one.before.shape == other.before.shape and bool(_close(one, other, clipping_norm).all())


def _division(one: Floats, other: Floats) -> str:
    if one.shape != other.shape:
        return ""
    different = np.flatnonzero(np.abs(one - other) > RELATIVE * one)
    if not different.size:
        return ""
    step = int(different[0])
    return (
        f"the sum of step {step + 1:,} is divided by {one[step]:.6g}, and by {other[step]:.6g} where one more record "
        "is in the batch, so that the size of the noise tells it"
    )


def _noise_of_data(found: dict[tuple[str, int], Recording | str]) -> str:
    """Noise that comes from the sums: the same under another seed, or larger with other records in the batch."""
    base, other, all_in = found["base", 0], found["other seed", 0], found["with all", 0]
    # of a few numbers of discrete noise all may be the same by chance
    if isinstance(base, str) or base.noise.size < TELLING or not base.noise.any():
        return ""
    if isinstance(other, Recording) and other.noise.shape == base.noise.shape:
        near = np.abs(base.noise - other.noise).max() <= 1e-6 * np.abs(base.noise).max()
        if near:
            return "with the same sums, another seed has the same noise"
    if isinstance(all_in, Recording) and all_in.noise.shape == base.noise.shape:
        lengths = np.linalg.norm(base.noise, axis=1), np.linalg.norm(all_in.noise, axis=1)
        # of one number a step, a direction says nothing
        if base.noise.shape[1] > 1 and all(each.all() for each in lengths):
            cosines = (base.noise * all_in.noise).sum(axis=1) / (lengths[0] * lengths[1])
            parts = lengths[1] / lengths[0]
            room = 1e-9 if base.precision <= EXACT else 1e-3
            changed = (cosines > 1.0 - room) & (np.abs(parts - 1.0) > 1e-3 + 10.0 * room)
            if (cosines > 1.0 - room).all() and changed.any():
                step = int(np.flatnonzero(changed)[0])
                times = f"{parts[step]:.3g} times as large"
                return f"the noise of step {step + 1:,} is {times} with other records in the batch"
    return ""


def _leftovers(found: dict[tuple[str, int], Recording | str], clipping_norm: float) -> str:
    """What depends on the data though batches and releases are the same."""
    for way in range(len(SIGNS)):
        for name, other, whole in (
            ("half", "half other", True),
            ("half", "half small", True),
            ("base", "other data", False),
            ("base", "small data", False),
        ):
            one, two = found[name, way], found[other, way]
            if isinstance(one, str) or isinstance(two, str):
                continue
            if one.steps != two.steps:
                return (
                    f"with the same batches and releases there are {one.steps:,} releases on one dataset and "
                    f"{two.steps:,} on another"
                )
            if whole and not _same(one, two, clipping_norm):
                where = ""
                if one.before.shape == two.before.shape:
                    where = f" (step {int(np.flatnonzero(~_close(one, two, clipping_norm))[0]) + 1:,})"
                return f"records that are in no batch change what the others give{where}"
            if _division(one.divided_by, two.divided_by):
                return "with the same batches sums are divided by a number that depends on the data"
            if one.output != two.output:
                return "with the same batches and releases the output still depends on the data"
    # where it depends on the seed, a generator may be at another place with batches of other sizes
    seeded = _seeded(found, clipping_norm)
    for way in range(len(SIGNS)):
        alike: dict[tuple[int, ...], set[tuple[int, str]]] = {}
        for (kind, of), one in found.items():
            if of == way and isinstance(one, Recording) and (kind == "base" or kind.startswith("with")):
                sizes = tuple(map(len, one.batches)) if seeded else ()
                alike.setdefault(sizes, set()).add((one.steps, one.output))
        if any(len(outputs) > 1 for outputs in alike.values()):
            return "with the same releases the output, or the number of releases, depends on who is in the batches"
    nobody, base = found.get(("nobody", 0), ""), found["base", 0]
    if isinstance(nobody, Recording) and isinstance(base, Recording) and nobody.steps != base.steps:
        return f"where nobody is in a batch there are {nobody.steps:,} releases in place of {base.steps:,}"
    return ""


def _size_used(found: dict[tuple[str, int], Recording | str], clipping_norm: float) -> str:
    """What the number of records changes, though the one that is missing is in no batch."""
    base, other, less = found["base", 0], found["other seed", 0], found.get(("one less", 0), "")
    if isinstance(base, str) or isinstance(less, str):
        return ""
    without = "without one record, which is in no batch,"
    if base.steps != less.steps:
        return f"{without} there are {less.steps:,} releases in place of {base.steps:,}"
    if _division(base.divided_by, less.divided_by):
        return f"{without} sums are divided by {less.divided_by[0]:.6g} in place of {base.divided_by[0]:.6g}"
    # with another number of records the generator may be at another place
    fixed = isinstance(other, Recording) and _same(base, other, clipping_norm)
    if fixed and not _same(base, less, clipping_norm):
        return f"{without} the others give something else"
    if fixed and isinstance(other, Recording) and base.output == other.output and base.output != less.output:
        return f"{without} the output is another, with the same releases"
    return ""
