"""Replays of a training: on other data, with other records in its batches, and with the releases of an earlier run.

Where releases and batches are given, nothing of a training whose steps are what was accounted can depend on the data
but the sums before the noise, and those by what each record of the batch gives. So two replays that differ by one
record in each batch show what this record gives, in each step at the same model; and replays on other data, with the
same releases, must have the same output.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.model.data import features_and_labels, is_labelled, size_of, take_records
from dpcheck.model.data.joined import join_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.training import GaussianSteps
from dpcheck.privacy.one_run.made_records import mislabelled
from dpcheck.privacy.white_box.recording import Floats, Play, Recording, Records
from dpcheck.privacy.white_box.sampling import members_of

#: Records of which some are taken as canaries: the largest of them.
LOOKED_AT = 500
#: Rounding of sums, in clipping norms, and relative; for numbers of less precision so many of their distances.
ROUNDING, RELATIVE, DISTANCES = 1e-6, 1e-9, 1_000
#: What reaches so much of the clipping norm was clipped.
REACHED = 0.99
SIGNS = (1.0, -1.0)


@dataclass(frozen=True)
class Replays:
    """Replays by name, in their order; ``seeds`` is 0 for the seed of the recorded run, 1 for another."""

    plays: dict[tuple[str, int], Play]
    other_seed: frozenset[tuple[str, int]] = field(default_factory=frozenset)
    count: int = 0


def standing_out(dataset: Any, count: int, rng: Generator) -> Any:
    """The largest records, half of them with another label where there are labels: what makes gradients large."""
    size = size_of(dataset)
    some = np.sort(rng.permutation(size)[:LOOKED_AT])
    try:
        column = features_and_labels(dataset)[0] if is_labelled(dataset) else dataset
        numbers = np.asarray(take_records(column, some), dtype=np.float64).reshape(len(some), -1)
        order = some[np.argsort(-np.linalg.norm(np.nan_to_num(numbers), axis=1), kind="stable")]
    except (InvalidArgument, TypeError, ValueError):  # no numbers
        order = some
    chosen = take_records(dataset, order[:count])
    if not is_labelled(dataset):
        return chosen
    half = (count + 1) // 2
    try:
        wrong = mislabelled(take_records(dataset, order), len(order), rng)
    except InvalidArgument:  # one label only
        return chosen
    # they come in another order: the largest of them are looked for again
    features = np.asarray(features_and_labels(wrong)[0], dtype=object)
    try:
        lengths = np.linalg.norm(np.nan_to_num(features.astype(np.float64).reshape(len(order), -1)), axis=1)
        places = np.argsort(-lengths, kind="stable")
    except (TypeError, ValueError):
        places = np.arange(len(order))
    return join_records(take_records(wrong, places[:half]), take_records(chosen, np.arange(count - half)))


def planned(dataset: Any, canaries: Any, recorded: Recording, neighbours: str, accounted: GaussianSteps) -> Replays:
    """The replays, from the first recorded run and the canaries, which take the place of the last records.

    Each canary is in every batch where batches are sampled: each release is to be safe by itself. Else it goes where a
    record of the recorded run went, since sums of several steps are released too (DP-FTRL).
    """
    size, count = size_of(dataset), size_of(canaries)
    own = size - count
    data = join_records(take_records(dataset, np.arange(own)), canaries)
    batches = tuple(_not_empty(batch[batch < own]) for batch in recorded.batches)
    half = tuple(_not_empty(batch[batch < max(1, own // 2)]) for batch in batches)
    around = np.arange(size) % count
    all_other = take_records(canaries, around)
    half_other = join_records(
        take_records(dataset, np.arange(max(1, own // 2))), take_records(canaries, around[max(1, own // 2) :])
    )
    places = _places(recorded.batches, own, count, accounted)
    plays: dict[tuple[str, int], Play] = {}
    for way, sign in enumerate(SIGNS):
        releases = sign * recorded.after
        plays["base", way] = Play(data, batches, releases)
        for canary in range(count):
            plays[f"with {canary}", way] = Play(data, _joined(batches, [(own + canary, places[canary])]), releases)
        everybody = [(own + canary, places[canary]) for canary in range(count)]
        plays["with all", way] = Play(data, _joined(batches, everybody), releases)
        plays["other data", way] = Play(all_other, batches, releases)
        plays["half", way] = Play(data, half, releases)
        plays["half other", way] = Play(half_other, half, releases)
    first = plays["base", 0]
    plays["again", 0] = first
    plays["other seed", 0] = first
    if neighbours == "add-remove":
        fewer = take_records(data, np.arange(size - 1))
        plays["one less", 0] = Play(fewer, batches, first.releases)
    return Replays(plays, frozenset({("other seed", 0)}), count)


def number_of_replays(canaries: int, neighbours: str) -> int:
    """How many replays there are with so many canaries."""
    return len(SIGNS) * (canaries + 5) + 2 + (neighbours == "add-remove")


def _not_empty(batch: Records) -> Records:
    return batch if batch.size else np.zeros(1, dtype=np.intp)


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
    members = members_of(batches, max(own, 1 + max(int(batch.max(initial=0)) for batch in batches)))[:, :own]
    busiest = np.argsort(-members.sum(axis=0), kind="stable")
    return [members[:, busiest[place % own]] for place in range(count)]


@dataclass(frozen=True)
class Seen:
    """What replays show: of clipping and of what is left over, in words; empty words where nothing is wrong.

    ``largest`` is the largest norm of what one record gave, ``failed`` why something could not be seen, ``rounding`` by
    how many clipping norms sums may be rounded.
    """

    largest: float = 0.0
    at_step: int = 0
    mixed: str = ""
    divided: str = ""
    leftovers: str = ""
    size: str = ""
    failed: str = ""
    rounding: float = ROUNDING


def rounding_of(recording: Recording) -> float:
    """By how many clipping norms sums of this precision may differ though they are the same."""
    return max(ROUNDING, DISTANCES * recording.precision)


def compared(replays: Replays, found: dict[tuple[str, int], Recording | str], clipping_norm: float) -> Seen:
    """What the replays show; where one failed there is a message in its place."""
    base, again = found["base", 0], found["again", 0]
    if isinstance(base, str):
        return Seen(failed=f"a replay failed: {base}")
    if isinstance(again, str) or not _same(base, again, clipping_norm) or base.output != again.output:
        return Seen(
            failed="two replays with the same seed, batches and releases differ: it has randomness of its own, or "
            "keeps something from run to run"
        )
    rounding = rounding_of(base)
    largest, at_step, divided, mixed = 0.0, 0, "", ""
    for way in range(len(SIGNS)):
        clean = found["base", way]
        if isinstance(clean, str):
            continue
        total = np.zeros_like(clean.before)
        whole = True
        for canary in range(replays.count):
            one = found[f"with {canary}", way]
            if isinstance(one, str) or one.before.shape != clean.before.shape:
                whole = False
                continue
            given = one.before - clean.before
            total += given
            norms = np.linalg.norm(given, axis=1)
            if norms.max() > largest:
                largest, at_step = float(norms.max()), int(norms.argmax()) + 1
            divided = divided or _division(clean.divided_by, one.divided_by)
        everything = found["with all", way]
        if whole and not isinstance(everything, str) and everything.before.shape == clean.before.shape:
            mixed = mixed or _mixture(everything.before - clean.before, total, clipping_norm, replays.count * rounding)
    leftovers = _leftovers(found, clipping_norm)
    failures = [one for one in found.values() if isinstance(one, str)]
    failed = f"{len(failures)} of {len(found)} replays failed: {failures[0]}" if failures else ""
    return Seen(largest, at_step, mixed, divided, leftovers, _size_used(found, clipping_norm), failed, rounding)


def _close(one: Floats, other: Floats, clipping_norm: float, rounding: float) -> NDArray[np.bool_]:
    """Rows that are the same but for rounding."""
    room = rounding * clipping_norm + RELATIVE * np.linalg.norm(one, axis=1)
    near: NDArray[np.bool_] = np.linalg.norm(one - other, axis=1) <= room
    return near


def _same(one: Recording, other: Recording, clipping_norm: float) -> bool:
    same_shape = one.before.shape == other.before.shape
    return same_shape and bool(_close(one.before, other.before, clipping_norm, rounding_of(one)).all())


def _division(one: Floats, other: Floats) -> str:
    different = np.flatnonzero(np.abs(one - other) > RELATIVE * one)
    if not different.size:
        return ""
    step = int(different[0])
    return (
        f"the sum of step {step + 1:,} is divided by {one[step]:.6g}, and by {other[step]:.6g} where one more record "
        "is in the batch, so that the size of the noise tells it"
    )


def _mixture(together: Floats, total: Floats, clipping_norm: float, rounding: float) -> str:
    near = _close(total, together, clipping_norm, rounding)
    if near.all():
        return ""
    step = int(np.flatnonzero(~near)[0])
    return f"records change what others of the same batch give (step {step + 1:,})"


def _leftovers(found: dict[tuple[str, int], Recording | str], clipping_norm: float) -> str:
    """What depends on the data though batches and releases are the same."""
    for way in range(len(SIGNS)):
        for name, other, whole in (("half", "half other", True), ("base", "other data", False)):
            one, two = found[name, way], found[other, way]
            if isinstance(one, str) or isinstance(two, str):
                continue
            if one.steps != two.steps:
                return (
                    f"with the same batches and releases there are {one.steps:,} releases on one dataset and "
                    f"{two.steps:,} on another"
                )
            if whole and not _same(one, two, clipping_norm):
                step = int(np.flatnonzero(~_close(one.before, two.before, clipping_norm, rounding_of(one)))[0])
                return f"records that are in no batch change what the others give (step {step + 1:,})"
            if _division(one.divided_by, two.divided_by):
                return "with the same batches sums are divided by a number that depends on the data"
            if one.output != two.output:
                return "with the same batches and releases the output still depends on the data"
    for (kind, way), recording in found.items():
        if isinstance(recording, Recording) and kind.startswith("with"):
            clean = found["base", way]
            if isinstance(clean, Recording) and (clean.steps != recording.steps or clean.output != recording.output):
                return "with the same releases the output, or the number of releases, depends on who is in the batches"
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
