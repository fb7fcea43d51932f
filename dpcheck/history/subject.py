"""What is measured: a learner with its data, and how much effort goes into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpcheck.execution.introspection import described
from dpcheck.model.data.forms import AUTO, Form, form_of
from dpcheck.model.errors import LearnerDied
from dpcheck.model.learner import Target

#: Calls that are counted: noise less by a tenth, and an answer that gives a record away in a thousandth of the calls on
#: one dataset, are shown at 1e-6.
CALLS = 300_000
#: Calls that the event is learned from, apart from those.
LEARN_CALLS = 20_000
#: Trials of a risk that are counted: a rise by a tenth of a risk that spreads like an exponential law is shown at 1e-6
#: by 19,000.
TRIALS = 30_000
#: Seconds for each of privacy and every risk; the number of calls is cut, before any is looked at, to what fits.
MAX_SECONDS = 20.0
CALL_TIMEOUT = 10.0
#: So many times as long may it take to make as many calls, or trials, as the baseline has: on a machine that is busy,
#: or slower than the one that recorded, a comparison ends by calls, and the clock is there for what never ends.
PATIENCE = 6.0


@dataclass(frozen=True)
class Task:
    """What a risk is the risk of: ``name`` such as "n = 1000", and either of two ways to have it.

    On fresh samples of a ``distribution`` (:mod:`dpcheck.utility.distributions`) of these ``sizes``, where its own
    risk of the hypothesis counts unless ``risk`` is given; or on one ``dataset`` with ``risk``, a callable
    ``(output, dataset) -> float``.
    """

    name: str
    distribution: Any = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    dataset: Any = None
    risk: Callable[[Any, Any], float] | None = None


@dataclass(frozen=True)
class Subject:
    """A learner to be recorded or compared.

    Parameters
    ----------
    name : what the baseline calls it
    learner : learner, factory or Target
    claim, neighbours, dataset, pairs, form : as for :func:`dpcheck.audit`; the claim may be None
    tasks : what its risk is measured on; none: no utility
    calls, learn_calls, trials : how many are counted, learned from, tried
    max_seconds, call_timeout, isolation, jobs, numerics, warnings : as for :func:`dpcheck.measure`
    patience : how many times max_seconds the calls may take that a baseline has; 1 holds a comparison to max_seconds
    cost : whether CPU time is measured
    target : where the learner is found, for readers of the baseline; its name, left out
    """

    name: str
    learner: Any
    claim: Any = None
    neighbours: Any = None
    dataset: Any = None
    pairs: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[Task, ...] = ()
    calls: int = CALLS
    learn_calls: int = LEARN_CALLS
    trials: int = TRIALS
    max_seconds: float = MAX_SECONDS
    call_timeout: float = CALL_TIMEOUT
    isolation: str = "auto"
    jobs: int = 1
    numerics: str = "real"
    warnings: str = "finding"
    cost: bool = True
    target: str = ""
    form: Form | str | None = None
    patience: float = PATIENCE


def calls_in_time(wanted: int, recorded: int, each: float, max_seconds: float, patience: float) -> int:
    """How many calls are made that take ``each`` seconds: what fits, but as many as are recorded where patience lasts.

    >>> calls_in_time(1000, 400, 0.01, 5.0, 6.0), calls_in_time(1000, 400, 0.02, 5.0, 6.0)
    (500, 400)
    >>> calls_in_time(1000, 400, 0.02, 5.0, 1.0), calls_in_time(1000, 400, 0.1, 5.0, 6.0)
    (250, 300)
    """
    fit = min(wanted, max_seconds / each)
    return int(max(fit, min(recorded, patience * max_seconds / each)))


def settled_form(subject: Subject) -> Form | None:
    """The form in which the learner takes its data; None for data as they are, or where that is not settled."""
    form = form_of(subject.form)
    return None if form is None or form.kind == AUTO else form


def target_of(subject: Subject) -> Target:
    """The learner as a target, its factory filled from the claim: made and looked at where its calls run.

    Raises
    ------
    LearnerDied
        When it ends or hangs its process there.
    InvalidArgument
        When it is no learner, or cannot be made.
    """
    target = described(
        subject.learner,
        isolation=subject.isolation,
        wanted=(),
        name=subject.name,
        options=subject.options,
        claim=subject.claim,
    )
    if target.died:
        raise LearnerDied(target.died)
    return target
