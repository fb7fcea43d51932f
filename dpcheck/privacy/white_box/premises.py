"""The white-box audit of a training: its transcript, recorded and replayed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import SeedSequence, default_rng

from dpcheck.execution import Isolation
from dpcheck.execution.answers import Raised, Request, Runner
from dpcheck.execution.executor import Executor
from dpcheck.execution.handover import unmasked
from dpcheck.execution.kept_parts import Part
from dpcheck.model.claims import ApproxDP, Claim, as_claim
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import Target
from dpcheck.model.training import GaussianSteps
from dpcheck.model.verdict.record import environment
from dpcheck.privacy.trainings import TRAIN_SECONDS, checked_timeout, training_name, trainings_kept, why_it_died
from dpcheck.privacy.white_box.accounting import epsilon_at, follows
from dpcheck.privacy.white_box.noise import Broken, least_noise_seen, noise_broken
from dpcheck.privacy.white_box.one_gone import ANEW, LEFT_OUT, OthersSeen, others_seen, others_seen_beside
from dpcheck.privacy.white_box.recording import EXACT, Play, Recorded, Recording, recording_of
from dpcheck.privacy.white_box.replays import (
    REACHED,
    TELLING,
    Seen,
    compared,
    number_of_replays,
    planned,
    small_ones,
    standing_out,
)
from dpcheck.privacy.white_box.sampling import Members, members_of, participations_broken, poisson_broken
from dpcheck.privacy.white_box.values import Premise, PremiseStatus, WhiteBoxStatus, WhiteBoxVerdict

ALPHA = 1e-6
#: Where the claim has no delta of its own.
DELTA = 1e-5
COUNT, RUNS = 8, 2
#: Sums that are rounded by more clipping norms than this show nothing of what one record gives.
COARSE = 0.1
_SEEDS, _CANARIES, _OTHERS = 5, 6, 7
NEIGHBOURS = ("add-remove", "replace-one")


def white_box(
    train: Callable[..., Any],
    dataset: Any,
    claim: Claim | float | None,
    accounted: GaussianSteps,
    *,
    neighbours: str = "add-remove",
    public_size: bool = False,
    canaries: Any = None,
    count: int = COUNT,
    runs: int = RUNS,
    alpha: float = ALPHA,
    delta: float | None = None,
    seed: int = 0,
    jobs: int = 1,
    isolation: Isolation = "auto",
    train_timeout: float = TRAIN_SECONDS,
    listener: Callable[[int, int], object] | None = None,
    journal: str | Path | None = None,
) -> WhiteBoxVerdict:
    """Audit a training from inside: is each premise of its privacy proof seen to hold, and does the claim follow?

    The training is run a few times, and replayed about thirty times with batches and releases of the first run: so
    that all differences are the data's. What is looked at by itself, and named when it is broken:

    - clipping: what one record gives to a sum is at most the clipping norm, in each step, whoever is beside it;
    - noise: fresh, independent, Gaussian, and as large as accounted, in each step and each coordinate;
    - sampling: batches are drawn as accounted, and others stay in theirs where one is gone;
    - steps: there are no more releases than accounted;
    - leftovers: nothing but the releases depends on the data (no choice of a model, no stopping, no scaling by
      statistics of the data, no number of records);
    - accounting: the claim follows from the steps.

    Parameters
    ----------
    train : callable ``(dataset, rng, transcript) -> model``
        A training that hands its batches and its releases to ``transcript`` and goes on with what it gets back
        (:class:`dpcheck.Transcript`). All its randomness comes from ``rng``, a ``numpy.random.Generator``.
    dataset : dataset
        What it is trained on.
    claim : Claim, float or None
        What it promises; None: only whether it is what was accounted.
    accounted : GaussianSteps
        What the accountant was told.
    neighbours : {"add-remove", "replace-one"}
    public_size : bool
        Whether the number of records is public: only then may the training use it (add-remove).
    canaries : dataset, optional
        Records that are tried for what they give, of the same kind as the dataset; by default its largest, half of
        them with another label.
    count : int
        How many canaries, where they are not given.
    runs : int, at least 1
        Trainings from which noise and sampling are judged; more where they release a few numbers only.
    alpha : float
        The probability that a training which is as accounted is said not to be: for noise and sampling together, the
        rest is not random.
    delta : float, optional
        Where epsilon is told; by default the claim's own, or 1e-5.
    seed, jobs : int
        Nothing depends on ``jobs``, how many trainings run side by side.
    isolation : {"auto", "process", "container", "none"}
        Where trainings run: see :func:`dpcheck.audit`.
    train_timeout : float
        Seconds that one training may take.
    listener : callable, optional
        Told after each training how many are done, and of how many.
    journal : path, optional
        A directory in which what is recorded of each training is kept as soon as it is done. The same audit with the
        same journal, after it was ended in whatever way, trains only what is left.

    Returns
    -------
    WhiteBoxVerdict
        Its status says whether the training is as accounted, ``premises`` has each premise, ``broken`` their names.

    Raises
    ------
    InvalidArgument
        When an argument cannot be used.

    Examples
    --------
    >>> steps = GaussianSteps(noise_multiplier=4.0, clipping_norm=1.0, steps=10, sampling_rate=0.3)
    >>> def train(data, rng, transcript):
    ...     model = np.zeros(2)
    ...     for _ in range(10):
    ...         batch = transcript.batch(np.flatnonzero(rng.random(len(data)) < 0.3))
    ...         gradients = model - data[batch]
    ...         norms = np.linalg.norm(gradients, axis=1, keepdims=True)
    ...         total = (gradients / np.maximum(1.0, norms)).sum(axis=0)
    ...         model = model - 0.01 * transcript.release(total, total + rng.normal(0.0, 4.0, 2))
    ...     return model
    >>> data = np.random.default_rng(1).normal(size=(60, 2))
    >>> from dpcheck.model.claims import GaussianDP
    >>> white_box(train, data, GaussianDP(1.0), steps, isolation="none").status
    <WhiteBoxStatus.AS_ACCOUNTED: 'as accounted'>
    """
    began = time.monotonic()
    asked = _checked(
        train, dataset, claim, accounted, neighbours, canaries, count, runs, alpha, delta, train_timeout,
        public_size, listener, seed,
    )  # fmt: skip
    executor = Executor(jobs, isolation)
    with trainings_kept(journal, asked.target.name, (train,), "white box", isolation, seed) as kept:
        trainer = _Trainer(asked.target, executor, float(train_timeout), kept)
        found = _looked_at(asked, dataset, canaries, count, runs, seed, trainer, listener, public_size=public_size)
    return replace(found, seconds=time.monotonic() - began)


def _looked_at(
    asked: _Asked,
    dataset: Any,
    canaries: Any,
    count: int,
    runs: int,
    seed: int,
    trainer: _Trainer,
    listener: Callable[[int, int], object] | None,
    *,
    public_size: bool,
) -> WhiteBoxVerdict:
    """The verdict, but for the seconds."""
    accounted, neighbours, alpha = asked.accounted, asked.neighbours, asked.alpha
    seeds = [SeedSequence(seed, spawn_key=(_SEEDS, place)) for place in range(runs + 1)]
    blank = _blank(asked)
    chosen = min(count, asked.size // 2) if canaries is None else size_of(canaries)
    sampled = accounted.sampling_rate is not None
    others_stay = not sampled and accounted.uses < accounted.steps
    told = _Told(listener, runs + number_of_replays(chosen, neighbours, sampled=sampled, others_stay=others_stay))
    trained = {("run", place): Play(dataset, keep=True) for place in range(runs)}
    ordinary = _played(trained, seeds[:runs], trainer, told)
    numbers = sum(one.noise.size for one in ordinary.values() if isinstance(one, Recording))
    if 0 < numbers < TELLING:  # so few may be nothing, or twice the same, by chance where noise is on a grid
        more = -(-runs * TELLING // numbers) - runs
        told.total += more
        others = [SeedSequence(seed, spawn_key=(_SEEDS, runs + 1 + place)) for place in range(more)]
        again = {("run", runs + place): Play(dataset, keep=True) for place in range(more)}
        ordinary |= _played(again, others, trainer, told)
    recordings = list(ordinary.values())
    for place, each in enumerate(recordings):
        if isinstance(each, str):
            which = f" (training {place + 1} of {len(recordings)})" if len(recordings) > 1 else ""
            failure = f"{each[:1].upper()}{each[1:]}{which}."
            return replace(blank, status=WhiteBoxStatus.TRAINING_FAILED, failure=failure)
    done = [each for each in recordings if isinstance(each, Recording)]
    lengths = sorted({each.before.shape[1] for each in done})
    if len(lengths) > 1:
        words = f"Releases have {lengths[0]:,} numbers in one run and {lengths[-1]:,} in another: they must be alike."
        return replace(blank, status=WhiteBoxStatus.TRAINING_FAILED, failure=words)
    if canaries is None:
        canaries = standing_out(dataset, chosen, default_rng(SeedSequence(seed, spawn_key=(_CANARIES,))))
    small = small_ones(dataset, chosen, default_rng(SeedSequence(seed, spawn_key=(_CANARIES, 1))))
    draws = int(SeedSequence(seed, spawn_key=(_CANARIES, 2)).generate_state(1)[0])
    replays = planned(dataset, canaries, small, done[0], accounted, neighbours, draws)
    told.total = told.count + len(replays.plays) + LEFT_OUT * others_stay
    chosen_seeds = [seeds[runs] if kind == "other seed" else seeds[0] for kind, _ in replays.plays]
    found = _played(replays.plays, chosen_seeds, trainer, told)
    seen = compared(replays, found, accounted.clipping_norm, neighbours)
    if seen.misused:
        words = f"{seen.misused[:1].upper()}{seen.misused[1:]}."
        return replace(
            blank, status=WhiteBoxStatus.TRAINING_FAILED, failure=words, trainings=len(recordings) + len(found)
        )
    beside: OthersSeen | None = None
    if others_stay:
        left_out = default_rng(SeedSequence(seed, spawn_key=(_CANARIES, 3)))

        def played(plays: Mapping[tuple[str, int], Play]) -> Mapping[tuple[str, int], Recording | str]:
            told.total = max(told.total, told.count + len(plays))
            drawn = [
                SeedSequence(seed, spawn_key=(_OTHERS, number)) if kind == ANEW else seeds[0] for kind, number in plays
            ]
            return _played(plays, drawn, trainer, told)

        if neighbours == "replace-one":
            beside = others_seen_beside(dataset, canaries, done, done[0].after, draws, played)
        else:
            beside = others_seen(dataset, done, done[0].after, accounted.uses, alpha / 2, draws, left_out, played)
    return replace(_judged(blank, asked, done, seen, beside, public_size), trainings=told.count)


@dataclass(frozen=True)
class _Asked:
    """What was asked, checked."""

    target: Target
    size: int
    claim: Claim | None
    accounted: GaussianSteps
    neighbours: str
    alpha: float
    delta: float


def _checked(
    train: Any,
    dataset: Any,
    claim: Any,
    accounted: Any,
    neighbours: Any,
    canaries: Any,
    count: Any,
    runs: Any,
    alpha: Any,
    delta: Any,
    train_timeout: Any,
    public_size: Any,
    listener: Any,
    seed: Any,
) -> _Asked:
    if not isinstance(public_size, bool):
        raise InvalidArgument(f"public_size must be True or False, got {public_size!r}")
    if listener is not None and not callable(listener):
        raise InvalidArgument(f"listener must be callable, got {listener!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise InvalidArgument(f"seed must be an integer of at least 0, got {seed!r}")
    if not callable(train):
        raise InvalidArgument(f"train must be callable, got {train!r}")
    if not isinstance(accounted, GaussianSteps):
        raise InvalidArgument(f"accounted must be a GaussianSteps, got {accounted!r}")
    if neighbours not in NEIGHBOURS:
        raise InvalidArgument(f"neighbours must be one of {', '.join(NEIGHBOURS)}, got {neighbours!r}")
    if accounted.sampling_rate is not None and neighbours != "add-remove":
        raise InvalidArgument(
            f"neighbours must be 'add-remove' where batches are Poisson samples, got {neighbours!r}: amplification by "
            "them is proved for records that are there or not"
        )
    for name, value in (("count", count), ("runs", runs)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InvalidArgument(f"{name} must be an integer of at least 1, got {value!r}")
    for name, value in (("alpha", alpha), ("delta", 0.5 if delta is None else delta)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
            raise InvalidArgument(f"{name} must be between 0 and 1, got {value!r}")
    checked_timeout(train_timeout)
    size = size_of(dataset)
    if size < 2:
        raise InvalidArgument(f"dataset must have at least two records, got {size}")
    if canaries is not None and not 1 <= size_of(canaries) <= size // 2:
        raise InvalidArgument(
            f"canaries must be between 1 record and half as many as the dataset has ({size // 2:,}), got "
            f"{size_of(canaries):,}"
        )
    stated = None if claim is None else as_claim(claim)
    if delta is None:
        own = stated.delta_value if isinstance(stated, ApproxDP) else 0.0
        delta = own if own > 0.0 else DELTA
    target = Target(Recorded(train), False, training_name(train))
    return _Asked(target, size, stated, accounted, neighbours, float(alpha), float(delta))


def _blank(asked: _Asked) -> WhiteBoxVerdict:
    return WhiteBoxVerdict(
        status=WhiteBoxStatus.INCONCLUSIVE,
        claim=asked.claim,
        accounted=asked.accounted,
        neighbours=asked.neighbours,
        alpha=asked.alpha,
        premises=(),
        delta=asked.delta,
        epsilon_accounted=math.inf,
        epsilon_seen=math.inf,
        largest=0.0,
        noise_seen=0.0,
        steps=0,
        numbers=0,
        trainings=0,
        environment=environment(),
        target=asked.target.name,
    )


@dataclass
class _Told:
    """Who is told how many trainings are done."""

    listener: Callable[[int, int], object] | None
    total: int
    count: int = 0

    def done(self, more: int) -> None:
        self.count += more
        if self.listener is not None:
            self.listener(self.count, self.total)


@dataclass(frozen=True)
class _Trainer:
    """How trainings are run, and where what was recorded is kept."""

    target: Target
    executor: Executor
    timeout: float
    kept: Part | None


def _played(
    plays: Mapping[tuple[str, int], Play], seeds: list[SeedSequence], trainer: _Trainer, told: _Told
) -> dict[tuple[str, int], Recording | str]:
    """What was recorded of each play, or why it failed."""
    requests = [Request(place, 1, one) for place, one in enumerate(seeds)]
    found: dict[tuple[str, int], Recording | str] = {}
    names, datasets, jobs = list(plays), list(plays.values()), trainer.executor.jobs
    with trainer.executor.runner(trainer.target, datasets, call_timeout=trainer.timeout) as inner:
        runner: Runner = inner if trainer.kept is None else trainer.kept.runner(inner, datasets)
        for start in range(0, len(requests), jobs):
            some = names[start : start + jobs]
            try:
                answers = runner.run(requests[start : start + jobs])
            except LearnerDied as error:
                # what became of the others beside it is not known
                return found | dict.fromkeys(names[start:], why_it_died(error))
            for name, answer in zip(some, answers, strict=True):
                value = answer.values[0]
                if isinstance(value, Raised):
                    found[name] = f"the training raised {value.kind}: {unmasked(value)}"
                else:
                    found[name] = recording_of(value)
            told.done(len(some))
    return found


def _judged(
    blank: WhiteBoxVerdict,
    asked: _Asked,
    done: list[Recording],
    seen: Seen,
    others: OthersSeen | None,
    public_size: bool,
) -> WhiteBoxVerdict:
    accounted, alpha = asked.accounted, asked.alpha
    shortest = min(one.steps for one in done)
    noise = np.array([one.noise[:shortest] for one in done]) / accounted.deviation
    sizes = max(float(np.abs(one.before).max(initial=0.0)) for one in done)
    coarse = max(one.precision for one in done)
    loud = noise_broken(noise, alpha / 2, coarse * sizes / accounted.deviation if coarse > EXACT else 0.0)
    if loud is None and seen.noise:
        loud = Broken(seen.noise, 0.0)
    least = least_noise_seen(noise.size, alpha / 2)
    members = [members_of(one.batches, asked.size) for one in done]
    if accounted.sampling_rate is not None:
        drawn = poisson_broken(members, accounted.sampling_rate, alpha / 2)
        as_drawn = f"batches are as coins at {accounted.sampling_rate:.4g} would draw them"
    else:
        drawn = participations_broken(members, accounted.uses)
        as_drawn = f"no record is in more than {accounted.uses:,} releases"
    steps = max(one.steps for one in done)
    premises = [
        _clipping(accounted, seen, public_size),
        _premise("noise", loud, f"as accounted; {least:.2g} of it would have been seen to be too little"),
        _sampling(drawn, as_drawn, others),
        Premise(
            "steps",
            PremiseStatus.BROKEN if steps > accounted.steps else PremiseStatus.SEEN_TO_HOLD,
            f"{steps:,} releases, accounted are {accounted.steps:,}",
        ),
        _leftovers(seen, public_size, sum(one.skipped for one in done)),
    ]
    if asked.claim is not None:
        holds, why = follows(asked.claim, accounted, asked.neighbours)
        status = {True: PremiseStatus.SEEN_TO_HOLD, False: PremiseStatus.BROKEN, None: PremiseStatus.UNDECIDED}[holds]
        premises.append(Premise("accounting", status, why))
    told = epsilon_at(accounted, asked.delta, asked.neighbours)
    statuses = {each.status for each in premises}
    if PremiseStatus.BROKEN in statuses:
        status_of_all = WhiteBoxStatus.NOT_AS_ACCOUNTED
    elif PremiseStatus.UNDECIDED in statuses:
        status_of_all = WhiteBoxStatus.INCONCLUSIVE
    else:
        status_of_all = WhiteBoxStatus.AS_ACCOUNTED
    broken = {each.name for each in premises if each.status is PremiseStatus.BROKEN}
    return replace(
        blank,
        status=status_of_all,
        premises=tuple(premises),
        epsilon_accounted=told,
        epsilon_seen=max(told, _epsilon_seen(asked, broken, loud, seen, others, members))
        if broken - {"accounting"}
        else told,
        largest=seen.largest,
        noise_seen=math.sqrt(float(np.mean(noise**2))),
        steps=steps,
        numbers=noise.shape[2],
    )


def _premise(name: str, broken: Broken | None, holds: str) -> Premise:
    if broken is None:
        return Premise(name, PremiseStatus.SEEN_TO_HOLD, holds)
    return Premise(name, PremiseStatus.BROKEN, broken.words, broken.p_value)


def _sampling(drawn: Broken | None, as_drawn: str, others: OthersSeen | None) -> Premise:
    if drawn is None and others is not None:
        if others.stay is None:
            return Premise("sampling", PremiseStatus.UNDECIDED, f"{as_drawn}; {others.words}")
        return _premise("sampling", others.broken, f"{as_drawn}; {others.words}")
    return _premise("sampling", drawn, as_drawn)


def _clipping(accounted: GaussianSteps, seen: Seen, public_size: bool) -> Premise:
    norm = accounted.clipping_norm
    part = seen.largest / norm
    if part > 1.0 + seen.rounding:
        words = (
            f"a record gives {seen.largest:.4g} to a sum (step {seen.at_step:,}), {part:.3g} times the clipping norm"
        )
        return Premise("clipping", PremiseStatus.BROKEN, words + (f"; {seen.mixed}" if seen.mixed else ""), 0.0)
    if seen.divided and not (public_size and accounted.sampling_rate is None and accounted.uses == accounted.steps):
        return Premise("clipping", PremiseStatus.BROKEN, seen.divided, 0.0)
    if seen.moved and not public_size:
        return Premise("clipping", PremiseStatus.BROKEN, seen.moved, 0.0)
    if seen.rounding > COARSE:
        words = f"sums are rounded by up to {seen.rounding:.2g} clipping norms: what a record gives cannot be seen"
        return Premise("clipping", PremiseStatus.UNDECIDED, words)
    if seen.unsure:
        return Premise("clipping", PremiseStatus.UNDECIDED, seen.unsure)
    if seen.mixed and accounted.additive:
        return Premise("clipping", PremiseStatus.UNDECIDED, f"{seen.mixed}; the most seen is {part:.3g} of the norm")
    if part < REACHED:
        why = seen.failed or "clipping had nothing to do"
        return Premise("clipping", PremiseStatus.UNDECIDED, f"a record gives at most {part:.3g} of the norm: {why}")
    return Premise("clipping", PremiseStatus.SEEN_TO_HOLD, f"no record gives more than {part:.4g} of the norm")


def _leftovers(seen: Seen, public_size: bool, skipped: int) -> Premise:
    name = "leftovers"
    if skipped:
        words = f"after {skipped:,} batches without records there was no release, which tells that nobody was in them"
        return Premise(name, PremiseStatus.BROKEN, words, 0.0)
    if seen.leftovers:
        return Premise(name, PremiseStatus.BROKEN, seen.leftovers, 0.0)
    if seen.size and not public_size:
        return Premise(
            name, PremiseStatus.BROKEN, f"{seen.size} (public_size=True where the number of records is public)", 0.0
        )
    if seen.failed:
        return Premise(name, PremiseStatus.UNDECIDED, seen.failed)
    also = "; the number of records is used, and taken for public" if seen.size else ""
    return Premise(name, PremiseStatus.SEEN_TO_HOLD, f"with the same releases, other data have the same output{also}")


def _epsilon_seen(
    asked: _Asked, broken: set[str], loud: Broken | None, seen: Seen, others: OthersSeen | None, members: list[Members]
) -> float:
    """The epsilon of what was seen: no certified bound."""
    if "leftovers" in broken or (loud is not None and loud.left <= 0.0):
        return math.inf
    accounted = asked.accounted
    left = 1.0 if loud is None else min(1.0, loud.left)
    larger = max(1.0, seen.largest / accounted.clipping_norm)
    changed = replace(
        accounted,
        noise_multiplier=accounted.noise_multiplier * left / larger,
        steps=max(accounted.steps, *map(len, members)),
    )
    if "sampling" in broken:
        uses = max(int(each.sum(axis=0).max()) for each in members)
        changed = replace(changed, sampling_rate=None, participations=min(max(1, uses), changed.steps))
        if others is not None and others.squares > changed.uses:
            multiplier = changed.noise_multiplier * math.sqrt(changed.uses / others.squares)
            changed = replace(changed, noise_multiplier=multiplier)
    return epsilon_at(changed, asked.delta, asked.neighbours)
