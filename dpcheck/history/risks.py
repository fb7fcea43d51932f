"""The risk of what a learner returns, trial by trial, counted between cuts that were fixed before."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from dpcheck.execution import Isolation
from dpcheck.execution.answers import Answers, Request
from dpcheck.execution.executor import Executor
from dpcheck.execution.fresh_learners import FreshLearners
from dpcheck.history.baseline import RiskCounts
from dpcheck.history.cuts import just_above, just_below
from dpcheck.history.subject import Subject, Task, calls_in_time, settled_form, target_of
from dpcheck.model.data import SemiPrivate
from dpcheck.model.data.forms import Form
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import Target
from dpcheck.utility.distributions import Distribution, predictions
from dpcheck.utility.failure import family_of

Floats = NDArray[np.float64]

#: The part of the trials that the cuts are chosen from, apart from those that are counted.
PILOT_PART = 0.2
#: Where the cuts are: quantiles of the pilot trials; far out, where a risk that spreads shows most, and in the middle.
QUANTILES = (0.1, 0.25, 0.5, 0.65, 0.8, 0.9, 0.97, 0.99, 0.997)
#: Trials that show what one costs.
TIMED_TRIALS = 20
#: Trials of one request, served by one generator.
CHUNK = 500
#: Trials below which nothing could be told.
LEAST_TRIALS = 100
#: Fresh points that a risk without a closed form is estimated from, as part of each trial.
RISK_SAMPLE = 2_000
#: First words of the keys of the streams.
PILOT_KEY, COUNT_KEY, TIMING_KEY = 4_100_001, 4_100_002, 4_100_003


#: Added to the key of a request's stream, before the number of the trial, for what a learner keeps to draw from.
_OWN_GENERATORS = 4_100_004

#: How a risk is had: by the function given, in closed form, or on fresh points.
KINDS = ("given", "exact", "sampled")


@dataclass(frozen=True)
class _How:
    """A dataset that asks how the risk is had."""


_HOW = _How()


@dataclass(frozen=True)
class _MakesTrials:
    """A factory of :class:`_Trial`, each with a fresh learner for every call."""

    target: Target
    task: Task
    form: Form | None

    def __call__(self) -> _Trial:
        family = None if self.task.distribution is None else family_of(self.target)
        return _Trial(self.target, self.task, family, self.form)


class _Trial:
    """A learner whose answer is the risk of another's: on the dataset it is given, or on a sample it draws."""

    def __init__(self, target: Target, task: Task, family: Any, form: Form | None) -> None:
        self.task = task
        self.form = form
        self.family = family
        self._learners = FreshLearners(target)
        self._trials = 0

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float | str:
        """The risk of one run; of the question how it is had, the answer."""
        if isinstance(dataset, _How):
            return self.kind
        stream: Any = rng.bit_generator.seed_seq
        seed = SeedSequence(stream.entropy, spawn_key=(*stream.spawn_key, _OWN_GENERATORS, self._trials))
        self._trials += 1
        with self._learners.of_trial(seed) as learner:
            return self._risk(learner, dataset, rng)

    def _risk(self, learner: Any, dataset: Any, rng: np.random.Generator) -> float:
        task = self.task
        if task.distribution is None:
            assert task.risk is not None
            return float(task.risk(learner(self._handed(dataset), rng), dataset))
        drawn = _sample(task, rng)
        output = learner(self._handed(drawn), rng)
        if task.risk is not None:
            return float(task.risk(output, drawn))
        if task.distribution.has_exact_risk(self.family):
            return float(task.distribution.risk(self.family, output))
        fresh = task.distribution.draw(RISK_SAMPLE, rng)
        return float((predictions(self.family, output, fresh.x) != fresh.y).mean())

    def _handed(self, dataset: Any) -> Any:
        return dataset if self.form is None else self.form.of(dataset)

    @property
    def kind(self) -> str:
        """How the risk is had: one of :data:`KINDS`."""
        if self.task.risk is not None:
            return "given"
        return "exact" if self.task.distribution.has_exact_risk(self.family) else "sampled"


def _sample(task: Task, rng: np.random.Generator) -> Any:
    sizes = task.sizes
    if set(sizes) == {"private", "public"}:
        private = task.distribution.draw(sizes["private"], rng)
        return SemiPrivate(private=private, public=task.distribution.draw_unlabelled(sizes["public"], rng))
    return task.distribution.draw(next(iter(sizes.values())), rng)


def check_task(task: Task) -> None:
    """Refuse a task that no risk can come of.

    Raises
    ------
    InvalidArgument
    """
    if (task.distribution is None) == (task.dataset is None):
        raise InvalidArgument(f"task {task.name!r} must have a distribution (with sizes) or a dataset (with risk)")
    if task.distribution is None and not callable(task.risk):
        raise InvalidArgument(f"task {task.name!r} must have a risk (output, dataset) -> float, got {task.risk!r}")
    if task.distribution is not None:
        if not isinstance(task.distribution, Distribution):
            raise InvalidArgument(f"distribution must draw samples and know risks, got {task.distribution!r}")
        several = len(task.sizes) != 1 and set(task.sizes) != {"private", "public"}
        if several or any(type(size) is not int or size < 0 for size in task.sizes.values()):
            raise InvalidArgument(
                f"sizes must be one size, or 'private' and 'public', each at least 0, got {dict(task.sizes)!r}"
            )


@dataclass(frozen=True)
class _Trials:
    """Runs trials of one task."""

    runner: Any
    seed: int
    jobs: int

    def risks(self, trials: int, key: int) -> Floats:
        """The risks of so many trials; NaN where there is none."""
        found: list[Floats] = []
        sizes = [min(CHUNK, trials - done) for done in range(0, trials, CHUNK)]
        for start in range(0, len(sizes), self.jobs):
            requests = [
                Request(0, size, SeedSequence(self.seed, spawn_key=(key, start + place)))
                for place, size in enumerate(sizes[start : start + self.jobs])
            ]
            found += [_numbers(answers) for answers in self.runner.run(requests)]
        return np.concatenate(found) if found else np.zeros(0)


def _numbers(answers: Answers) -> Floats:
    values = answers.values
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub" and values.ndim == 1:
        return values.astype(np.float64)
    plain = [value if isinstance(value, int | float | np.number) else math.nan for value in values]
    return np.array(plain, dtype=np.float64)


def measure_risk(subject: Subject, task: Task, seed: int, before: RiskCounts | None = None) -> RiskCounts:
    """Count the risks of trials between cuts: those of before, or quantiles of trials apart from those counted.

    Raises
    ------
    InvalidArgument
        When no pilot trial has a risk, or there is no time for enough of them.
    LearnerDied
        When the learner hangs or dies.
    """
    check_task(task)
    cuts, recorded = (None, 0) if before is None else (before.cuts, min(subject.trials, before.trials))
    target = target_of(subject)
    data = [0] if task.distribution is not None else [task.dataset]
    runner = Executor(subject.jobs, cast(Isolation, subject.isolation)).runner(
        Target(_MakesTrials(target, replace(task, dataset=None), settled_form(subject)), True, subject.name),
        [*data, _HOW],
        call_timeout=subject.call_timeout,
    )
    try:
        kind = _kind(runner, len(data))
        trials = _Trials(runner, seed, subject.jobs)
        wanted = subject.trials + (0 if cuts is not None else int(PILOT_PART * subject.trials))
        began = time.monotonic()
        first = trials.risks(TIMED_TRIALS, TIMING_KEY)
        if cuts is None and not np.isfinite(first).any():
            raise InvalidArgument(
                f"risk on {task.name} must be a finite number in some trial, got none in {TIMED_TRIALS}"
                f"{_complaint(runner)}"
            )
        per_trial = (time.monotonic() - began) / TIMED_TRIALS
        if wanted * per_trial > subject.max_seconds:  # the first ones load and compile things
            began = time.monotonic()
            trials.risks(TIMED_TRIALS, TIMING_KEY + 100)
            per_trial = min(per_trial, (time.monotonic() - began) / TIMED_TRIALS)
        fits = calls_in_time(wanted, recorded, max(per_trial, 1e-9), subject.max_seconds, subject.patience)
        if fits < LEAST_TRIALS:
            raise InvalidArgument(
                f"max_seconds must leave time for {LEAST_TRIALS} trials of {per_trial:.3g} s "
                f"({math.ceil(LEAST_TRIALS * per_trial)} s), got {subject.max_seconds:g} s"
            )
        if cuts is None:
            pilot = int(fits * (wanted - subject.trials) / wanted)
            cuts = cuts_of(trials.risks(pilot, PILOT_KEY))
            fits -= pilot
        risks = trials.risks(fits, COUNT_KEY)
    except LearnerDied as error:
        raise LearnerDied(f"on {task.name}: {error}") from error
    finally:
        runner.close()
    return counts_of(risks, cuts, kind)


def _complaint(runner: Any) -> str:
    values = runner.run([Request(0, 1, SeedSequence(0))])[0].values
    shown = values[0]
    kind, message = getattr(shown, "kind", None), getattr(shown, "message", "")
    return f": it raises {kind}: {message}" if kind else f": it gives {shown!r}"


def _kind(runner: Any, place: int) -> str:
    """How the risk is had: the class that the learner says it learns is known where it is made."""
    kind = runner.run([Request(place, 1, SeedSequence(0))])[0].values[0]
    return kind if kind in KINDS else "sampled"


def cuts_of(risks: Floats) -> tuple[float, ...]:
    """Cuts at quantiles, each between two values that occurred where values repeat, and one beyond either end.

    Those at the ends see what has no other cut: a risk that is always the same, and is another now.

    >>> import numpy as np
    >>> cuts_of(np.array([0.0, 0.0, 0.5, 0.5, 1.0]))
    (-1e-12, 0.25, 0.75, 1.00001)
    >>> cuts_of(np.array([0.3, 0.3]))
    (0.299997, 0.300003)
    """
    known = np.sort(risks[np.isfinite(risks)])
    different = np.unique(known)
    if not len(different):
        return ()
    cuts = {just_below(float(different[0])), just_above(float(different[-1]))}
    for quantile in QUANTILES:
        place = int(np.searchsorted(different, known[min(int(quantile * len(known)), len(known) - 1)]))
        place = min(place, len(different) - 2)  # nothing is above the largest: the cut below it
        if place >= 0:
            low, high = float(different[place]), float(different[place + 1])
            middle = 0.5 * (low + high)
            short = float(f"{middle:.4g}")  # fewer digits to read where they suffice
            cuts.add(short if low < short < high else middle if low < middle < high else low)
    return tuple(sorted(cuts))


def counts_of(risks: Floats, cuts: tuple[float, ...], kind: str) -> RiskCounts:
    """The histogram of risks, those that are no number last.

    >>> import numpy as np
    >>> counts_of(np.array([0.1, 0.3, np.nan]), (0.2,), "exact").counts
    (1, 1, 1)
    """
    places = np.searchsorted(np.array(cuts, dtype=np.float64), risks, side="left")
    places = np.where(np.isnan(risks), len(cuts) + 1, places)
    counts = np.bincount(places, minlength=len(cuts) + 2)
    known = risks[~np.isnan(risks)]
    mean = float(f"{known.mean():.6g}") if len(known) else math.nan
    return RiskCounts(cuts, tuple(counts.tolist()), mean, kind)
