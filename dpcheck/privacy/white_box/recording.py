"""A training recorded, or replayed: with batches and releases of an earlier run in place of its own."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from dpcheck.execution.portrait import portray
from dpcheck.execution.surroundings import seed_global_generators
from dpcheck.execution.wire import write_plain
from dpcheck.model.data import size_of

Floats = NDArray[np.float64]
Records = NDArray[np.intp]


#: The precision of a double.
EXACT = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Play:
    """A run that is asked for: on which data, and what takes the place of its own batches and releases.

    ``batches`` and ``releases`` (rows, one for each step) begin again where a training has more steps. ``keep`` says
    whether noise, and what is released, are kept: of most replays only the sums without noise are compared.

    In a replay the generators are set anew at each batch and each release, from ``draws`` and the number of the step:
    so that who is in a batch does not change what is drawn for others and for later steps (dropout, augmentation).
    """

    dataset: Any
    batches: tuple[Records, ...] = ()
    releases: Floats | None = None
    keep: bool = False
    draws: int = 0


@dataclass(frozen=True)
class Recording:
    """What was recorded of a run: of each step its batch, its sum without noise, and what was released.

    ``before`` and ``noise`` have a row for each release, in units of sums (times ``divided_by``); ``after`` is in units
    of what was released. ``noise`` and ``after`` are empty where they were not asked for. ``output`` tells outputs
    apart. ``precision`` is the relative distance of neighbouring numbers in the coarsest type of what was summed,
    ``skipped`` how many batches without records were followed by no release.
    """

    batches: tuple[Records, ...]
    before: Floats
    noise: Floats
    after: Floats
    divided_by: Floats
    output: str
    precision: float = EXACT
    skipped: int = 0

    @property
    def steps(self) -> int:
        """How many releases there are."""
        return len(self.before)


class TranscriptMisused(ValueError):
    """A training that hands its transcript something else than batches and releases."""


class _Recorder:
    """The transcript of one run."""

    def __init__(self, play: Play, rng: Generator) -> None:
        self._play, self._rng = play, rng
        self._size = size_of(play.dataset)
        self._waiting: Records | None = None
        self._asked = 0
        self.skipped = 0
        self.batches: list[Records] = []
        self.before: list[Floats] = []
        self.noise: list[Floats] = []
        self.after: list[Floats] = []
        self.divided_by: list[float] = []
        self.precision = EXACT

    def batch(self, records: Any) -> Any:
        asked = np.asarray(list(records) if isinstance(records, range) else records)
        if asked.ndim != 1 or (asked.dtype.kind not in "biu" and asked.size):
            raise TranscriptMisused(
                f"transcript.batch takes positions of records or a mask, got {asked.dtype} of shape {asked.shape}"
            )
        if self._waiting is not None:
            if len(self._waiting):
                raise TranscriptMisused(
                    f"transcript.batch was called again before release {len(self.before) + 1}: hand over all records "
                    "of a release at once"
                )
            self.skipped += 1
        mask = asked.dtype.kind == "b"
        used = np.flatnonzero(asked) if mask else asked.astype(np.intp)
        if used.size and not 0 <= used.min() <= used.max() < self._size:
            raise TranscriptMisused(
                f"transcript.batch takes positions from 0 to {self._size - 1:,}, those of the dataset as it was given, "
                f"got {'a negative one' if used.min() < 0 else f'{used.max():,}'}"
            )
        if self._play.batches:
            used = self._play.batches[self._asked % len(self._play.batches)]
        self._waiting = used
        self._asked += 1
        self._draw_anew(0)
        if not mask:
            return used.tolist() if isinstance(records, list) else used
        given = np.zeros(asked.shape, dtype=bool)
        given[used] = True
        return given

    def release(self, before: Any, after: Any, *, divided_by: float = 1.0) -> Any:
        place = len(self.before)
        if self._waiting is None:
            raise TranscriptMisused(
                f"release {place + 1} has no batch: call transcript.batch before each release (with "
                "range(len(dataset)) where all records are used)"
            )
        clean, noisy = flat(before), flat(after)
        if not clean.size:
            raise TranscriptMisused(f"release {place + 1} has no numbers")
        if not (np.isfinite(clean).all() and np.isfinite(noisy).all()):
            raise TranscriptMisused(f"release {place + 1} is not finite")
        if clean.shape != noisy.shape:
            raise TranscriptMisused(
                f"release {place + 1} has {clean.size:,} numbers before the noise and {noisy.size:,} after it"
            )
        if self.before and clean.shape != self.before[0].shape:
            raise TranscriptMisused(
                f"release {place + 1} has {clean.size:,} numbers, the first {self.before[0].size:,}: all must be alike"
            )
        divisor = float(divided_by)
        if not 0.0 < divisor < np.inf:
            raise TranscriptMisused(f"divided_by of release {place + 1} must be positive and finite, got {divisor!r}")
        self.batches.append(self._waiting)
        self._waiting = None
        self.before.append(clean * divisor)
        self.divided_by.append(divisor)
        self.precision = max(self.precision, precision_of(before))
        if self._play.keep:
            self.noise.append((noisy - clean) * divisor)
            self.after.append(noisy)
        planted = self._play.releases
        self._draw_anew(1)
        if planted is None:
            return after
        if planted.shape[1] != clean.size:
            raise TranscriptMisused(
                f"release {place + 1} has {clean.size:,} numbers, in another run {planted.shape[1]:,}"
            )
        return filled(after, planted[place % len(planted)])

    def _draw_anew(self, phase: int) -> None:
        """Set the generators to where they are at this place of any replay."""
        if self._play.releases is None:
            return
        seed = SeedSequence(self._play.draws, spawn_key=(len(self.before), phase))
        state = type(self._rng.bit_generator)(seed).state
        self._rng.bit_generator.state = state
        seed_global_generators(seed)
        torch = sys.modules.get("torch")
        if torch is not None and hasattr(torch, "manual_seed"):
            torch.manual_seed(int(seed.generate_state(1)[0]))


@dataclass(frozen=True)
class Recorded:
    """A training as a learner of plays, whose output is what was recorded, in plain parts."""

    train: Callable[..., Any]

    def __call__(self, play: Play, rng: Generator) -> tuple[Any, ...]:
        """Run the training once."""
        recorder = _Recorder(play, rng)
        output = _digest(self.train(play.dataset, rng, recorder))  # compiled steps have run when it is read
        if not recorder.before:
            raise TranscriptMisused("the training released nothing: it must call transcript.release in each step")
        sizes = np.array([len(batch) for batch in recorder.batches], dtype=np.int64)
        return (
            np.concatenate(recorder.batches).astype(np.int64),
            sizes,
            np.array(recorder.before),
            np.array(recorder.noise),
            np.array(recorder.after),
            np.array(recorder.divided_by),
            recorder.precision,
            recorder.skipped,
            output,
        )


def recording_of(answer: Any) -> Recording:
    """What :class:`Recorded` gave, put together again."""
    records, sizes, before, noise, after, divided_by, precision, skipped, output = answer
    edges = np.cumsum(np.asarray(sizes))[:-1]
    batches = tuple(np.split(np.asarray(records, dtype=np.intp), edges))
    sums, added, released, divisors = (np.asarray(part) for part in (before, noise, after, divided_by))
    return Recording(batches, sums, added, released, divisors, output, precision, skipped)


def flat(value: Any) -> Floats:
    """The numbers of an array, or of a list, tuple or dict of arrays, in one row.

    >>> flat({"weights": np.ones((2, 2)), "bias": 3.0}).tolist()
    [3.0, 1.0, 1.0, 1.0, 1.0]
    """
    parts = _parts(value)
    if parts is not None:
        return np.concatenate([flat(part) for part in parts]) if parts else np.empty(0)
    try:
        found = np.asarray(value.detach().cpu().double() if hasattr(value, "detach") else value)
    except ValueError as error:
        raise TranscriptMisused(f"a release must be numbers or arrays of them: {error}") from None
    if found.dtype.kind not in "biuf":
        raise TranscriptMisused(f"a release must be numbers or arrays of them, got {type(value).__name__}")
    return found.astype(np.float64).ravel()


def precision_of(value: Any) -> float:
    """The relative distance of neighbouring numbers in the coarsest type of a value's parts.

    >>> precision_of([np.zeros(2, dtype=np.float32), 1.0]) == 2.0**-23
    True
    """
    parts = _parts(value)
    if parts is not None:
        return max(map(precision_of, parts), default=EXACT)
    name = str(getattr(value, "dtype", "float64")).rpartition(".")[2]
    return {"float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}.get(name, EXACT)


def filled(template: Any, row: Floats) -> Any:
    """The numbers of a row, in the form of ``template``.

    >>> filled([np.zeros(2), (np.zeros((1, 1)),)], np.array([1.0, 2.0, 3.0]))
    [array([1., 2.]), (array([[3.]]),)]
    """
    made, _ = _filled(template, row, 0)
    return made


def _filled(template: Any, row: Floats, start: int) -> tuple[Any, int]:
    parts = _parts(template)
    if parts is None:
        shape = tuple(getattr(template, "shape", ()))
        end = start + int(np.prod(shape, dtype=np.int64))
        if hasattr(template, "new_tensor"):  # a tensor of torch
            return template.new_tensor(row[start:end].reshape(shape)), end
        if isinstance(template, list | tuple):  # numbers
            numbers = row[start : start + len(template)].tolist()
            return (tuple(numbers) if isinstance(template, tuple) else numbers), start + len(template)
        if not shape:
            return float(row[start]), end
        dtype = template.dtype if isinstance(template, np.ndarray) and template.dtype.kind == "f" else np.float64
        return row[start:end].reshape(shape).astype(dtype), end
    made = []
    for part in parts:
        one, start = _filled(part, row, start)
        made.append(one)
    if isinstance(template, dict):
        named = dict(zip(sorted(template, key=str), made, strict=True))
        return {key: named[key] for key in template}, start
    return (tuple(made) if isinstance(template, tuple) else made), start


def _parts(value: Any) -> list[Any] | None:
    """The parts of a list, tuple or dict that is not just numbers."""
    if isinstance(value, dict):  # by name, so that two dicts in another order are the same
        return [value[key] for key in sorted(value, key=str)]
    if isinstance(value, list | tuple) and any(hasattr(part, "shape") or isinstance(part, list) for part in value):
        return list(value)
    return None


def _digest(output: Any) -> str:
    return hashlib.sha256(bytes(write_plain(portray(output)))).hexdigest()
