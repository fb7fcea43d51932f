"""How often a learner misses its accuracy: the probability that the excess risk of what it returns is too large.

Every trial draws a fresh sample, runs a fresh learner on it and computes the excess risk: exactly where the
distribution knows the risk of a hypothesis, else from fresh points, with what the estimate may get wrong put into what
is counted. The number of failures becomes an interval and, where a failure probability is claimed, a verdict that may
be reached at any time, each wrong one with a probability fixed before.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Generator as Chunks
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from dpcheck.execution import Isolation
from dpcheck.execution.answers import Answers, Raised, Request
from dpcheck.execution.executor import Executor
from dpcheck.execution.fresh_learners import FreshLearners
from dpcheck.execution.introspection import described
from dpcheck.model.bounds_shown import within
from dpcheck.model.data import Labelled, SemiPrivate, is_labelled
from dpcheck.model.data.forms import AUTO, FORMS, PLAIN_FORMS, Form, form_of, has_pandas
from dpcheck.model.errors import InvalidArgument, LearnerDied, NoHypothesis
from dpcheck.model.harmless import one_line
from dpcheck.model.learner import Target, attribute_of
from dpcheck.utility.arguments import between, exact, whole
from dpcheck.utility.distributions import Distribution, RandomInstance, predictions
from dpcheck.utility.evidence import (
    ROUNDING_SLACK,
    anytime_interval,
    fixed_interval,
    log_evidence_contradicted,
    log_evidence_holds,
    threshold,
)

SCHEMA = "dpcheck-failure-rate/1"
#: Trials without ``trials=``: enough for an interval of a hundredth, and for the verdict on twice or half the claim
#: where that is a hundredth or more.
TRIALS = 10_000
#: Trials of the first chunk: a learner that raises on all of them has not been given what it takes.
FIRST_CHUNK = 25
#: A chunk is to last about so long, in seconds: progress is then told often and handing over costs nothing.
CHUNK_SECONDS = 0.5
LARGEST_CHUNK = 4096
#: Fresh points per trial that a risk without a closed form is estimated from.
RISK_SAMPLE = 20_000
#: Probability, per trial, that such an estimate says too much; it is taken off the claim that is tested.
INNER_LEVEL = 1e-4
#: Seconds that a trial may take: a learner that hangs is named.
TRIAL_SECONDS = 60.0
#: Of what a learner raises so many characters are told.
LONGEST_WORDS = 500
#: First word of a trial's spawn keys, a stream each; of what the learner keeps to draw from; and of chunks of trials.
_DATA, _LEARNER, _RISK, _INSTANCE, _OWN_GENERATORS, _CHUNK = range(6)
#: What became of a trial.
_FINE, _UNCLEAR, _FAILED = range(3)
#: What an answer in words begins with: the learner raised; an argument was refused; a trial could not be drawn.
_RAISED, _REFUSED, _NOT_DRAWN = "raised ", "refused ", "not drawn "
#: What the trials are asked: what becomes of the next one, and whether their risks are exact.
_NEXT, _HOW = "the next trial", "how risks are had"
_EXACT, _SAMPLED = "exact", "sampled"
_QUESTIONS = (_NEXT, _HOW)

#: Of each trial what became of it and whether it raised; how the first that did so did.
Part: TypeAlias = tuple[NDArray[np.int8], NDArray[np.bool_], str | None]


@dataclass(frozen=True)
class Evidence:
    """Two e-processes at the moment of stopping, as natural logarithms, and what each had to reach."""

    holds: float
    contradicted: float
    holds_threshold: float
    contradicted_threshold: float


@dataclass(frozen=True)
class FailureRate:
    """How often a learner's excess risk exceeded an accuracy; see :func:`failure_rate`.

    ``failures`` counts the trials that failed, ``unclear`` those in which an estimated risk could not tell, ``errors``
    those failures in which the learner raised or returned no hypothesis (``first_error`` says how). ``interval``
    encloses the failure probability, save with probability ``level``, in the sense of ``interval_method``. ``verdict``
    is "holds", "contradicted" or "undecided" for the claim ``failure``, None without one; a wrong "holds" has
    probability at most ``holds_level``, a wrong "contradicted" at most ``contradicted_level``.
    """

    learner: str
    distribution: str
    sizes: dict[str, int]
    accuracy: Fraction
    trials: int
    failures: int
    unclear: int
    errors: int
    first_error: str | None
    interval: tuple[float, float]
    level: float
    interval_method: str
    failure: Fraction | None
    verdict: str | None
    evidence: Evidence | None
    holds_level: float
    contradicted_level: float
    risk: str
    stop: str
    seconds: float
    seed: int

    @property
    def rate(self) -> float:
        """The share of trials that failed; NaN without trials."""
        return self.failures / self.trials if self.trials else math.nan

    def __bool__(self) -> bool:
        raise TypeError("a failure rate is neither true nor false: look at its verdict or at its interval")

    def __str__(self) -> str:
        low, high = self.interval
        size = ", ".join(f"{name} {count:,}" for name, count in self.sizes.items())
        told = (
            f"{self.learner} on {self.distribution} ({size}): the excess risk exceeded {float(self.accuracy):g} in "
            f"{self.failures:,} of {self.trials:,} trials"
        )
        if self.unclear:
            told += f" (and perhaps in {self.unclear:,} more)"
        if self.errors:
            told += f", {self.errors:,} of them by an error ({self.first_error})"
        told += f"; failure probability in {within(low, high, '.4g')} at level {self.level:g}."
        if self.failure is not None:
            claim = f"that it is at most {float(self.failure):g}"
            reading = {
                "holds": f"The claim {claim} holds (wrong with probability at most {self.holds_level:g}).",
                "contradicted": f"The claim {claim} is contradicted (wrong with probability at most "
                f"{self.contradicted_level:g}).",
                "undecided": f"The claim {claim} is undecided.",
            }
            told += f" {reading[str(self.verdict)]}"
        return told

    def to_json(self) -> str:
        """The result as JSON; fractions are strings such as "1/10", infinite evidence is null."""
        told = asdict(self)
        told["accuracy"] = str(self.accuracy)
        told["failure"] = None if self.failure is None else str(self.failure)
        if told["evidence"] is not None:
            told["evidence"] = {key: x if math.isfinite(x) else None for key, x in told["evidence"].items()}
        told["rate"] = self.rate if self.trials else None
        return json.dumps({"schema": SCHEMA, **told}, indent=1, allow_nan=False) + "\n"


def failure_rate(
    learner: Any,
    distribution: Distribution | RandomInstance,
    *,
    sizes: Mapping[str, int],
    accuracy: Any,
    failure: Any = None,
    trials: int | None = None,
    budget: float | None = None,
    level: float = 0.05,
    holds_level: float = 1e-3,
    contradicted_level: float = 1e-9,
    family: Any = None,
    best: Any = None,
    risk: str = "auto",
    risk_sample: int = RISK_SAMPLE,
    dataset: Callable[[Distribution, Mapping[str, int], Generator], Any] | None = None,
    options: Mapping[str, Any] | None = None,
    tolerant: bool = False,
    seed: int = 0,
    jobs: int = 1,
    isolation: Isolation = "auto",
    trial_timeout: float = TRIAL_SECONDS,
    on_progress: Callable[[int, int], None] | None = None,
    form: Form | str | None = None,
) -> FailureRate:
    """The probability that the excess risk of the learner's output exceeds ``accuracy``, from fresh samples.

    Parameters
    ----------
    learner : learner or factory of learners
        A fresh one (from the factory, or a copy) serves each trial, so that trials are independent whatever it keeps;
        generators that it owns are seeded for each.
    distribution : Distribution or RandomInstance
    sizes : mapping of names to numbers of records
        One size (``{"private": 500}``): the learner is handed ``Labelled(x, y)``. ``private`` and ``public``:
        ``SemiPrivate(private=Labelled(x, y), public=points)``. Other parts need ``dataset``.
    accuracy : number in [0, 1]
        Excess risk allowed: exceeding it is a failure, meeting it is not. Floats by their shortest decimal.
    failure : number in (0, 1), optional
        The claimed failure probability; with it the run ends as soon as the claim is decided.
    trials : int, optional
        The largest number of trials (10,000 by default); without ``failure`` and ``budget``, their number.
    budget : float, optional
        Seconds after which no new chunk is begun. A run ended by it is valid, but depends on the machine.
    level : float
        Probability that ``interval`` misses the truth. Clopper-Pearson (proved with ball arithmetic) where the number
        of trials was fixed in advance, else a confidence sequence, which holds at any stopping time.
    holds_level, contradicted_level : float
        Probability of each wrong verdict, at any time.
    family : class with ``predict(hypotheses, points)``, optional
        The learner's ``family`` by default (or that of the ``learner`` it is made of); without any, hypotheses are
        thresholds (numbers) or callables.
    best : number, optional
        The best risk in the class, where the distribution does not know it.
    risk : "auto", "exact" or "sampled"
        Exact by default wherever the distribution can.
    risk_sample : int
        Fresh points per trial where the risk is sampled.
    dataset : callable ``(distribution, sizes, rng) -> dataset``, optional
        Another way to draw what the learner is handed, such as :func:`labelled_public`.
    options : mapping, optional
        Arguments of the factory.
    tolerant : bool
        Whether a learner that raises in each of the first 25 trials is measured all the same, as one that fails.
    seed : int
        Trial i draws from ``SeedSequence(seed, spawn_key=(stream, i))``: results do not depend on ``jobs``.
    jobs : int
        Worker processes.
    isolation : {"auto", "process", "container", "none"}
        Where trials are made: in a worker process where all they need can be sent to one (auto), in one or an error,
        or here, one after the other.
    trial_timeout : float
        Seconds that one trial may take.
    on_progress : callable ``(trials so far, failures so far)``, optional
    form : str or Form, optional
        How the learner is handed its data, as for :func:`dpcheck.audit`; as drawn when not given, and where it raises
        then on data with labels, in the first form in which it answers.

    Returns
    -------
    FailureRate
        A trial in which the learner raises or returns no hypothesis is a failure, and is counted as an error too.

    Raises
    ------
    InvalidArgument
        When an argument cannot be used; NoHypothesis, which is one, when (unless ``tolerant``) the learner raises in
        each of the first 25 trials.
    LearnerDied
        When a trial hangs, or ends the process that makes it.

    Source: alon2019:def-2.2 (accuracy), with the sequential verdict of Ville 1939.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> def smallest_one(dataset, rng):
    ...     x, y = dataset
    ...     return x[y == 1].min() if y.any() else 100
    >>> result = failure_rate(smallest_one, UniformGrid(100), sizes={"private": 100}, accuracy=0.1, failure=0.05)
    >>> result.verdict, result.risk
    ('holds', 'exact')
    """
    patience = float(exact("trial_timeout", trial_timeout, "a number of seconds above 0"))
    if not patience > 0:
        raise InvalidArgument(f"trial_timeout must be a number of seconds above 0, got {trial_timeout!r}")
    processes = whole("jobs", jobs, 1)
    target = described(learner, isolation=isolation, wanted=(), options=options)
    if target.died:
        raise LearnerDied(target.died)
    random = isinstance(distribution, RandomInstance)
    if not random and not isinstance(distribution, Distribution):
        raise InvalidArgument(f"distribution must draw samples and know risks (a Distribution), got {distribution!r}")
    if risk not in ("auto", "exact", "sampled"):
        raise InvalidArgument(f"risk must be 'auto', 'exact' or 'sampled', got {risk!r}")
    for name, function in (("dataset", dataset), ("on_progress", on_progress)):
        if function is not None and not callable(function):
            raise InvalidArgument(f"{name} must be callable, got {function!r}")
    if budget is not None and not exact("budget", budget, "a number of seconds above 0") > 0:
        raise InvalidArgument(f"budget must be a number of seconds above 0, got {budget!r}")
    claimed = None if failure is None else between("failure", failure, 0, 1)
    experiment = _Experiment(
        target=target,
        distribution=distribution,
        sizes=_checked_sizes(sizes, dataset is not None),
        accuracy=between("accuracy", accuracy, 0, 1, closed=True),
        family=family,
        best=None if best is None else between("best", best, 0, 1, closed=True),
        risk=risk,
        risk_sample=whole("risk_sample", risk_sample, 1),
        dataset=dataset,
        seed=whole("seed", seed, 0),
        form=form_of(form),
    )
    levels = (
        float(between("holds_level", holds_level, 0, 1)),
        float(between("contradicted_level", contradicted_level, 0, 1)),
    )
    limit = TRIALS if trials is None else whole("trials", trials, 1)
    interval_level = float(between("level", level, 0, 1))
    begun = time.perf_counter()
    deadline = None if budget is None else begun + float(budget)
    trials_of = Target(_MakesTrials(experiment), True, target.name)
    with Executor(processes, isolation).runner(trials_of, _QUESTIONS, call_timeout=patience) as runner:
        inner = 0.0 if _is_exact(runner, experiment.seed) else INNER_LEVEL
        if claimed is not None and claimed <= 10 * inner:
            raise InvalidArgument(
                f"failure must be above {10 * inner:g} where risks are estimated from samples, got {failure!r}"
            )
        rule = _Rule(None if claimed is None else float(claimed), inner, *levels)
        run = _run(_Work(runner, experiment.seed, processes), rule, limit, deadline, on_progress, tolerant)
    outcomes = run.outcomes
    failed, unclear = int((outcomes == _FAILED).sum()), int((outcomes == _UNCLEAR).sum())
    fixed = claimed is None and budget is None
    return FailureRate(
        learner=target.name,
        distribution=distribution.name,
        sizes=dict(experiment.sizes),
        accuracy=experiment.accuracy,
        trials=len(outcomes),
        failures=failed,
        unclear=unclear,
        errors=int(run.errors.sum()),
        first_error=run.first_error,
        interval=_interval(failed, unclear, len(outcomes), interval_level, inner, fixed),
        level=interval_level,
        interval_method="Clopper-Pearson, number of trials fixed in advance"
        if fixed
        else "confidence sequence of a Beta mixture, valid at any stopping time",
        failure=claimed,
        verdict=None if claimed is None else rule.verdict(outcomes),
        evidence=None if claimed is None else rule.evidence(outcomes),
        holds_level=rule.holds_level,
        contradicted_level=rule.contradicted_level,
        risk="exact"
        if not inner
        else f"sampled: {experiment.risk_sample} fresh points a trial, each estimate wrong with probability {inner:g}",
        stop=run.stop,
        seconds=time.perf_counter() - begun,
        seed=experiment.seed,
    )


def labelled_public(distribution: Distribution, sizes: Mapping[str, int], rng: Generator) -> SemiPrivate:
    """A semi-private dataset whose public part is labelled too: the ``dataset`` of fully supervised learners.

    Examples
    --------
    >>> from dpcheck.utility.distributions import UniformInterval
    >>> made = labelled_public(UniformInterval(), {"private": 3, "public": 2}, default_rng(0))
    >>> len(made.public.y)
    2
    """
    return SemiPrivate(private=distribution.draw(sizes["private"], rng), public=distribution.draw(sizes["public"], rng))


def _checked_sizes(sizes: Any, free: bool) -> dict[str, int]:
    if not isinstance(sizes, Mapping) or not sizes:
        raise InvalidArgument(f"sizes must be a mapping such as {{'private': 500, 'public': 50}}, got {sizes!r}")
    for name in sizes:
        if not isinstance(name, str) or not name.strip():
            raise InvalidArgument(f"the keys of sizes must be names, such as 'private', got {name!r}")
    found = {str(name): whole(f"sizes[{name!r}]", size, 0) for name, size in sizes.items()}
    if not free and len(found) > 1 and set(found) != {"private", "public"}:
        raise InvalidArgument(
            f"sizes must be one size, or 'private' and 'public'; other parts need dataset=, got {', '.join(found)}"
        )
    return found


@dataclass(frozen=True)
class _Experiment:
    """All that a trial depends on; the same in every process."""

    target: Target
    distribution: Any
    sizes: dict[str, int]
    accuracy: Fraction
    family: Any
    best: Fraction | None
    risk: str
    risk_sample: int
    dataset: Callable[[Distribution, Mapping[str, int], Generator], Any] | None
    seed: int
    form: Form | None = None

    def forms(self, drawn: Any) -> tuple[Form | None, ...]:
        """The forms in which the learner may be handed a sample, the first one first (None: as it is drawn)."""
        if self.form is not None and self.form.kind != AUTO:
            return (self.form,)
        if self.form is None and (self.dataset is not None or not is_labelled(drawn)):
            return (None,)
        kinds = FORMS if is_labelled(drawn) else PLAIN_FORMS
        return (None, *(Form(kind) for kind in kinds if kind != "frame" or has_pandas()))

    def rng(self, stream: int, number: int) -> Generator:
        """The generator of one stream of one trial."""
        return default_rng(SeedSequence(self.seed, spawn_key=(stream, number)))

    def an_instance(self) -> Distribution:
        """The distribution; of a random instance one that no trial uses."""
        if isinstance(self.distribution, RandomInstance):
            return self.distribution.instance(default_rng(SeedSequence(self.seed, spawn_key=(_INSTANCE,))))
        return self.distribution  # type: ignore[no-any-return]

    def is_exact(self) -> bool:
        """Whether risks are computed rather than estimated: decided before the first trial.

        Raises
        ------
        InvalidArgument
            When they cannot be had as asked.
        """
        able = self.an_instance().has_exact_risk(self.family)
        if self.risk == "exact" and not able:
            raise InvalidArgument(
                f"risk='exact' needs a distribution with exact risks, got {self.an_instance().name}: use 'sampled'"
            )
        return able and self.risk != "sampled"

    def bar_of(self, instance: Distribution) -> Fraction:
        """The largest risk that is no failure."""
        best = instance.best_risk(self.family) if self.best is None else self.best
        if best is None:
            raise InvalidArgument(
                f"best must be given: the best risk of {_class_name(self.family)} on {instance.name} is not known"
            )
        return best + self.accuracy

    def sample(self, instance: Distribution, rng: Generator) -> Any:
        """What the learner is handed."""
        if self.dataset is not None:
            return self.dataset(instance, self.sizes, rng)
        if len(self.sizes) == 1:
            return instance.draw(next(iter(self.sizes.values())), rng)
        private: Labelled = instance.draw(self.sizes["private"], rng)
        return SemiPrivate(private=private, public=instance.draw_unlabelled(self.sizes["public"], rng))


@dataclass(frozen=True)
class _MakesTrials:
    """A factory of :class:`_Trials`."""

    experiment: _Experiment

    def __call__(self) -> _Trials:
        return _Trials(self.experiment)


class _Trials:
    """A learner whose answers are what became of trials of another, one after the other.

    The number of the first is the last word of the key of the stream it is given. A trial in which the other learner
    raises, or one that could not be drawn, is answered with words that say so.
    """

    def __init__(self, experiment: _Experiment) -> None:
        self._experiment = experiment
        self._learners = FreshLearners(experiment.target)
        self._number = -1
        self._forms: tuple[Form | None, ...] = ()

    def __call__(self, dataset: Any, rng: Generator) -> int | str:
        """What became of the next trial; of the question how risks are had, the answer."""
        try:
            if self._number < 0:
                self._begin(rng)
            if dataset == _HOW:
                return _EXACT if self._exactly else _SAMPLED
            number = self._number
            instance, drawn, fresh = self._drawn(number)
        except InvalidArgument as error:
            return f"{_REFUSED}{error}"
        except Exception as error:
            return f"{_NOT_DRAWN}{type(error).__name__}: {error}"
        finally:
            self._number += 1
        try:
            return self._outcome(number, instance, drawn, fresh)
        except Exception as error:  # a stranger's learner may raise anything, and its output be anything
            return f"{_RAISED}{one_line(f'{type(error).__name__}: {error}')[:LONGEST_WORDS]}"

    def _begin(self, rng: Generator) -> None:
        stream: Any = rng.bit_generator.seed_seq
        self._number = stream.spawn_key[-1]
        if self._experiment.family is None:
            self._experiment = replace(self._experiment, family=family_of(self._experiment.target))
        self._exactly = self._experiment.is_exact()
        self._instance = self._experiment.an_instance()
        self._bar = self._experiment.bar_of(self._instance)  # complains now when the best risk is not known
        self._set_counts()

    def _set_counts(self) -> None:
        self._counts = (0, 0) if self._exactly else _critical_counts(self._experiment.risk_sample, self._bar)

    def _drawn(self, number: int) -> tuple[Distribution, Any, Labelled | None]:
        """The distribution of a trial, the sample that the learner is handed, and the points its risk is told on."""
        experiment = self._experiment
        if isinstance(experiment.distribution, RandomInstance):
            self._instance = experiment.distribution.instance(experiment.rng(_INSTANCE, number))
            if (own := experiment.bar_of(self._instance)) != self._bar:
                self._bar = own
                self._set_counts()
        drawn = experiment.sample(self._instance, experiment.rng(_DATA, number))
        rng = experiment.rng(_RISK, number)
        return self._instance, drawn, None if self._exactly else self._instance.draw(experiment.risk_sample, rng)

    def _outcome(self, number: int, instance: Distribution, drawn: Any, fresh: Labelled | None) -> int:
        # the first form in which it answers is kept; one that answers in none has failed as it did in the first
        forms = self._forms or self._experiment.forms(drawn)
        for place, form in enumerate(forms):
            try:
                answer = self._outcome_in(form, number, instance, drawn, fresh)
            except Exception:
                if place + 1 < len(forms):
                    continue
                if place == 0:
                    raise
            else:
                self._forms = (form,)
                return answer
        return self._outcome_in(forms[0], number, instance, drawn, fresh)

    def _outcome_in(
        self, form: Form | None, number: int, instance: Distribution, drawn: Any, fresh: Labelled | None
    ) -> int:
        experiment = self._experiment
        handed = drawn if form is None else form.of(drawn)
        own = SeedSequence(experiment.seed, spawn_key=(_OWN_GENERATORS, number))
        with self._learners.of_trial(own) as learner:
            hypothesis = learner(handed, experiment.rng(_LEARNER, number))
            if fresh is None:
                return _FAILED if instance.risk(experiment.family, hypothesis) > self._bar else _FINE
            wrong = int((predictions(experiment.family, hypothesis, fresh.x) != fresh.y).sum())
        return _FAILED if wrong >= self._counts[1] else _FINE if wrong <= self._counts[0] else _UNCLEAR


def _part_of(answers: Answers) -> Part:
    """What became of each trial, which raised, and how the first of those did, from what a runner gave.

    Raises
    ------
    InvalidArgument
        When a trial could not be drawn.
    """
    values = answers.values
    outcomes = np.full(len(values), _FAILED, dtype=np.int8)
    if isinstance(values, np.ndarray) and values.dtype.kind in "iu" and values.ndim == 1:
        outcomes[:] = values
        return outcomes, np.zeros(len(values), dtype=np.bool_), None
    raised = np.zeros(len(values), dtype=np.bool_)
    first = None
    for place, value in enumerate(values):
        if isinstance(value, int | np.integer):
            outcomes[place] = value
            continue
        raised[place] = True
        told = f"{value.kind}: {value.message}" if isinstance(value, Raised) else str(value)
        if told.startswith(_REFUSED):
            raise InvalidArgument(told.removeprefix(_REFUSED))
        if told.startswith(_NOT_DRAWN):
            raise InvalidArgument(f"distribution (or dataset) must give each trial its sample, got an error: {told}")
        first = first or told.removeprefix(_RAISED)
    return outcomes, raised, first


def _critical_counts(size: int, bar: Fraction) -> tuple[int, int]:
    """Mistakes on fresh points up to which the risk is at most ``bar``, and from which it is above it.

    Each is wrong with probability at most :data:`INNER_LEVEL`. With a bar of 1 no risk is above it.
    """
    from scipy.stats import binom

    if bar >= 1:
        return size, size + 1
    level, p = INNER_LEVEL * (1.0 - ROUNDING_SLACK), float(bar)
    # a risk above the bar makes so few mistakes, one of at most the bar so many, with at most that probability
    fine = int(binom.ppf(level, size, p)) - 1
    while fine >= 0 and binom.cdf(fine, size, p) > level:
        fine -= 1
    failed = int(binom.isf(level, size, p)) + 1
    while binom.sf(failed - 1, size, p) > level:
        failed += 1
    return fine, failed


@dataclass(frozen=True)
class _Rule:
    """When to stop, and with which verdict.

    With risks estimated at an inner level g, a trial that truly fails is counted as possible with probability at least
    1 - g, and one that does not fail is counted as failed with probability at most g: so the claim p <= failure is
    refuted by failures against ``failure + g (1 - failure)``, and p >= failure by possible ones against
    ``failure (1 - g)``.
    """

    failure: float | None
    inner: float
    holds_level: float
    contradicted_level: float

    def logs(self, outcomes: NDArray[np.int8], seen: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Both e-processes, as logarithms, after each trial that follows the first ``seen``."""
        assert self.failure is not None
        number = np.arange(seen + 1, len(outcomes) + 1)
        failed, possible = np.cumsum(outcomes == _FAILED)[seen:], np.cumsum(outcomes != _FINE)[seen:]
        return (
            log_evidence_holds(possible, number, self.failure * (1.0 - self.inner)),
            log_evidence_contradicted(failed, number, self.failure + self.inner * (1.0 - self.failure)),
        )

    def decided(self, outcomes: NDArray[np.int8], seen: int) -> int | None:
        """The number of trials after which the claim was decided, looking at those after the first ``seen``."""
        if self.failure is None:
            return None
        holds, contradicted = self.logs(outcomes, seen)
        over = (holds >= threshold(self.holds_level)) | (contradicted >= threshold(self.contradicted_level))
        first = np.flatnonzero(over)
        return seen + int(first[0]) + 1 if len(first) else None

    def evidence(self, outcomes: NDArray[np.int8]) -> Evidence:
        """The evidence after the last trial."""
        holds, contradicted = self.logs(outcomes, len(outcomes) - 1)
        needed = threshold(self.holds_level), threshold(self.contradicted_level)
        return Evidence(float(holds[0]), float(contradicted[0]), *needed)

    def verdict(self, outcomes: NDArray[np.int8]) -> str:
        """What the evidence after the last trial says."""
        found = self.evidence(outcomes)
        if found.contradicted >= found.contradicted_threshold:
            return "contradicted"
        return "holds" if found.holds >= found.holds_threshold else "undecided"


@dataclass(frozen=True)
class _Run:
    """Outcomes up to the trial that decided, which of them raised, and why it ended."""

    outcomes: NDArray[np.int8]
    errors: NDArray[np.bool_]
    first_error: str | None
    stop: str


@dataclass(frozen=True)
class _Work:
    """Runs trials by their numbers."""

    runner: Any
    seed: int
    jobs: int

    def ask(self, what: str, chunks: Sequence[tuple[int, int]]) -> list[Answers]:
        """The answers to one of the questions of chunks of trials, each from a number to another.

        Raises
        ------
        LearnerDied
            When a trial hangs, or ends the process that makes it.
        """
        requests = [
            Request(_QUESTIONS.index(what), stop - start, SeedSequence(self.seed, spawn_key=(_CHUNK, start)))
            for start, stop in chunks
        ]
        try:
            given: list[Answers] = self.runner.run(requests)
        except LearnerDied as died:
            raise LearnerDied(_ENDED.sub(" in one of the trials", str(died))) from None
        return given

    def chunks(self, limit: int, deadline: float | None) -> Chunks[Part, None, None]:
        """What became of trials, in order; the lengths of chunks change nothing but the time."""
        size, done, together = min(FIRST_CHUNK, limit), 0, 1
        while done < limit and (done == 0 or deadline is None or time.perf_counter() < deadline):
            starts = range(done, min(limit, done + together * size), size)
            begun = time.perf_counter()
            answers = self.ask(_NEXT, [(start, min(start + size, limit)) for start in starts])
            spent, done = time.perf_counter() - begun, min(limit, done + together * size)
            together = self.jobs
            size = _next_size(size, spent, most=max(1, (limit - done) // together))
            yield from map(_part_of, answers)


#: How a runner says in which call a learner ended.
_ENDED = re.compile(r" in (call \d+ of \d+|one of its calls) on dataset \d+")


def _is_exact(runner: Any, seed: int) -> bool:
    """Whether risks are computed rather than estimated; asks where the learner is, which may name its class."""
    (answers,) = _Work(runner, seed, 1).ask(_HOW, [(0, 1)])
    if list(answers.values) in ([_EXACT], [_SAMPLED]):
        return list(answers.values) == [_EXACT]
    _part_of(answers)
    raise LearnerDied(f"the learner could not be asked for the class that it learns: {answers.values[0]}")


def _run(
    work: _Work,
    rule: _Rule,
    limit: int,
    deadline: float | None,
    on_progress: Callable[[int, int], None] | None,
    tolerant: bool,
) -> _Run:
    """Chunks of trials, in order, until the claim is decided, all trials are made or the time is up."""
    outcomes, raised = np.empty(0, dtype=np.int8), np.empty(0, dtype=np.bool_)
    first_error: str | None = None
    stop = "all trials made"
    for found, errors, message in work.chunks(limit, deadline):
        seen = len(outcomes)
        outcomes, raised = np.concatenate([outcomes, found]), np.concatenate([raised, errors])
        first_error = first_error or message
        if seen == 0 and errors.all() and not tolerant:
            raise NoHypothesis(
                f"learner must return a hypothesis, got an error in each of {len(errors)} trials: {message}"
            )
        decided = rule.decided(outcomes, seen)
        if decided is not None:
            outcomes, raised, stop = outcomes[:decided], raised[:decided], "decided"
        if on_progress is not None:
            on_progress(len(outcomes), int((outcomes == _FAILED).sum()))
        if decided is not None:
            break
    else:
        if len(outcomes) < limit:
            stop = "time was up"
    return _Run(outcomes, raised, first_error if raised.any() else None, stop)


def _next_size(size: int, spent: float, most: int) -> int:
    """How many trials last about :data:`CHUNK_SECONDS`, at most eight times as many as before."""
    wanted = size * CHUNK_SECONDS / max(spent, 1e-9)
    return max(1, min(int(wanted), 8 * size, most, LARGEST_CHUNK))


def _interval(failed: int, unclear: int, trials: int, level: float, inner: float, fixed: bool) -> tuple[float, float]:
    """An interval for the failure probability, from counts in which estimated risks may have been wrong."""
    enclose = fixed_interval if fixed else anytime_interval
    if not inner:
        return enclose(failed, trials, level)
    # P(failed) <= p + g (1 - p) and P(possible) >= p (1 - g): an end from each count. The ends of Clopper-Pearson have
    # half the level each; those of the sequence share it, and two sequences need half of it each.
    each = level if fixed else 0.5 * level
    low, high = enclose(failed, trials, each)[0], enclose(failed + unclear, trials, each)[1]
    return max(0.0, (low - inner) / (1.0 - inner)), min(1.0, high / (1.0 - inner))


def family_of(target: Target) -> Any:
    """The class that the learner, or the one it is made of, says it learns; None where none does."""
    found, inner = attribute_of(target, "family"), attribute_of(target, "learner")
    while found is None and inner is not None:
        found, inner = getattr(inner, "family", None), getattr(inner, "learner", None)
    return found


def _class_name(family: Any) -> str:
    return "the class" if family is None else type(family).__name__
