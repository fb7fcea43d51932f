"""Ways of running a learner, as datasets: what two of them give is compared as an audit compares two neighbours.

A :class:`Situation` is a dataset and a way to run the learner on it, and :func:`situated` makes of a learner one whose
datasets are situations. So everything that an audit does for a learner (a process of its own, time limits, seeds,
exceptions as answers) is done for each way of running it, and "do these two ways have one law?" is the audit's own
test at epsilon 0.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any, Protocol

import numpy as np

from dpcheck.model.data import copy_dataset, describe_dataset
from dpcheck.model.data.forms import Form
from dpcheck.model.learner import Target

#: Parts of a learner's state that are looked at for functions without a name, and how deep.
MOST_HELD, DEEPEST_HELD = 10_000, 12


class Runs:
    """Where a way gets its learners from: a fresh one whenever it asks."""

    def __init__(self, target: Target, form: Form | None = None) -> None:
        self.target = target
        self.form = form
        self.kept: dict[Any, Any] = {}

    def fresh(self) -> Any:
        """A learner that has not been called."""
        return self.target.make()

    def handed(self, dataset: Any) -> Any:
        """The dataset in the form in which the learner takes its data."""
        return dataset if self.form is None else self.form.of(dataset)

    @cached_property
    def pickled(self) -> bytes:
        """A fresh learner, pickled by cloudpickle, since its class may be known here alone.

        Raises
        ------
        TypeError
            When it holds what pickle itself would not take: a lambda, or a function made inside another.
        """
        import cloudpickle

        learner = self.fresh()
        found = nameless_function(learner)
        if found:
            raise TypeError(f"cannot pickle the function {found}: it has no name in its module")
        data: bytes = cloudpickle.dumps(learner)
        return data


def nameless_function(value: Any) -> str:
    """A function that pickle would not find by name, of those that the state to be pickled holds; nothing for none.

    >>> nameless_function([1, {"a": abs}]), nameless_function({"a": [lambda: 0]})
    ('', '<lambda>')
    """
    pending, seen, kept = [(value, 0)], set[int](), []
    while pending and len(seen) < MOST_HELD:
        one, depth = pending.pop()
        if id(one) in seen or depth > DEEPEST_HELD:
            continue
        seen.add(id(one))
        kept.append(one)  # states are made on the way, and an id must not be used again
        if isinstance(one, FunctionType):
            if "<" in one.__qualname__:
                return one.__qualname__
        elif isinstance(one, dict):
            pending += [(part, depth + 1) for pair in one.items() for part in pair]
        elif isinstance(one, list | tuple | set | frozenset):
            pending += [(part, depth + 1) for part in one]
        elif not isinstance(one, type | ModuleType | str | bytes | int | float | complex | np.ndarray | np.generic):
            with suppress(Exception):  # it says itself, later, what it cannot do
                pending.append((one.__reduce_ex__(4)[1:], depth + 1))
    return ""


class Way(Protocol):
    """One way to run a learner; a frozen dataclass, so that it can be sent to a worker and compared."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator, /) -> Any:
        """One output."""
        ...


@dataclass(frozen=True, eq=False)
class Situation:
    """A dataset, the way in which the learner is run on it, and both in words."""

    dataset: Any
    way: Way
    words: str

    def __repr__(self) -> str:
        return self.words

    def __deepcopy__(self, memory: Any) -> Situation:
        # Made before every call: the dataset is all that a learner could change.
        return Situation(copy_dataset(self.dataset), self.way, self.words)


def situated(target: Target, form: Form | None = None) -> Target:
    """The target whose datasets are situations, handed over in this form.

    >>> from dpcheck.model.learner import as_target
    >>> learner = situated(as_target(lambda dataset, rng: sum(dataset))).make()
    >>> learner(Situation([1, 2], Plainly(), "as it is"), np.random.default_rng(0))
    3
    """
    return Target(_MakesSituated(target, form), True, target.name)


@dataclass(frozen=True)
class _MakesSituated:
    target: Target
    form: Form | None

    def __call__(self) -> _Situated:
        return _Situated(Runs(self.target, self.form))


@dataclass(frozen=True)
class _Situated:
    runs: Runs = field(repr=False)

    def __call__(self, dataset: Any, rng: Any) -> Any:
        made_here = isinstance(dataset.way, Converted)  # what it makes of the dataset is what takes the form
        given = dataset.dataset if made_here else self.runs.handed(dataset.dataset)
        return dataset.way(self.runs, given, rng)


def plainly(dataset: Any, words: str = "") -> Situation:
    """The dataset as it is, with a fresh learner for every call."""
    return Situation(dataset, Plainly(), words or describe_dataset(dataset))


@dataclass(frozen=True)
class Plainly:
    """A fresh learner for every call."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return runs.fresh()(dataset, rng)


@dataclass(frozen=True, eq=False)
class AfterACallOn:
    """A fresh learner is called on another dataset first, and that output is forgotten."""

    other: Any

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> Any:
        """The second output."""
        import contextlib

        learner = runs.fresh()
        with contextlib.suppress(Exception):  # what matters is what the second call gives
            learner(runs.handed(copy_dataset(self.other)), rng)
        return learner(dataset, rng)


@dataclass(frozen=True)
class HowFarApart:
    """Two outputs, of one learner or of two: whether they are equal, and how far apart their numbers are."""

    together: bool

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> tuple[bool, float]:
        """Equal or not, and the largest distance."""
        one = runs.fresh()
        other = one if self.together else runs.fresh()
        first = self._output(one, copy_dataset(dataset), rng)
        second = self._output(other, dataset, rng)
        return apart(first, second)

    @staticmethod
    def _output(learner: Any, dataset: Any, rng: np.random.Generator) -> Any:
        try:
            return copy_dataset(learner(dataset, rng))  # it may be a buffer that the next call overwrites
        except Exception as error:
            return f"{type(error).__qualname__}"


def apart(first: Any, second: Any) -> tuple[bool, float]:
    """Whether two outputs are equal, and the largest distance between their numbers (0.0 where they have none).

    >>> apart(np.array([1.0, 2.0]), np.array([1.0, 5.0])), apart("a", "b")
    ((False, 3.0), (False, 0.0))
    """
    from dpcheck.model.data import same_dataset

    try:
        one, other = (np.asarray(output, dtype=np.float64) for output in (first, second))
        gap = float(np.nanmax(np.abs(one - other), initial=0.0)) if one.shape == other.shape else 0.0
    except (TypeError, ValueError):
        gap = 0.0
    return same_dataset(first, second), gap


@dataclass(frozen=True)
class AfterPickling:
    """A learner that was pickled and read again, as one is that is sent to another process."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        import pickle

        return pickle.loads(runs.pickled)(dataset, rng)


@dataclass(frozen=True)
class Converted:
    """The dataset is given in another form; outputs as numbers of single precision, whose law is what matters.

    The precision of an output often follows that of the input, which is no defect.
    """

    form: Callable[[Any], Any]

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return single_precision(runs.fresh()(runs.handed(self.form(dataset)), rng))


def single_precision(output: Any) -> Any:
    """Numbers as ``float32``, also inside lists, tuples and dictionaries; everything else as it is.

    >>> single_precision([1, 2.0, "a"])
    [np.float32(1.0), np.float32(2.0), 'a']
    """
    if isinstance(output, bool | str | bytes | np.bool_) or output is None:
        return output
    if isinstance(output, int | float | np.integer | np.floating):
        with np.errstate(over="ignore"):
            return np.float32(output)
    if isinstance(output, np.ndarray) and output.dtype.kind in "iuf":
        with np.errstate(over="ignore"):
            return output.astype(np.float32)
    if type(output) in (list, tuple):
        return type(output)(map(single_precision, output))
    if type(output) is dict:
        return {key: single_precision(value) for key, value in output.items()}
    return output


@dataclass(frozen=True)
class OneOfASample:
    """One draw, at random, of a ``sample`` of some draws."""

    size: int
    as_declared: bool = False

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> Any:
        """One output, or (log-probability, number) where it is to be compared with the declared law."""
        law = _law(runs, dataset) if self.as_declared else None
        outputs = runs.fresh().sample(dataset, self.size, rng)
        output = outputs[int(rng.integers(self.size))]
        return output if law is None else _place(law, output)


@dataclass(frozen=True)
class FromTheLaw:
    """A draw from the declared law: the log-probability and the number of the output."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> tuple[float, int]:
        """One draw."""
        _, logs = law = _law(runs, dataset)
        probabilities = np.exp(logs)
        number = int(rng.choice(len(logs), p=probabilities / probabilities.sum()))
        return float(law[1][number]), number


@dataclass(frozen=True)
class SeenByTheLaw:
    """A call: the declared log-probability and the number of its output; -1 for one that the law does not hold."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> tuple[float, int]:
        """One call."""
        law = _law(runs, dataset)
        return _place(law, runs.fresh()(dataset, rng))


#: What stands for the log-probability of an output that the law does not hold: no law's is so small.
_UNKNOWN = -1e9

_KnownLaw = tuple[dict[Any, int], np.ndarray[Any, np.dtype[np.float64]]]


def _law(runs: Runs, dataset: Any) -> _KnownLaw:
    """The declared law: asked for once, since all calls of one request are on one dataset."""
    if "law" not in runs.kept:
        from dpcheck.privacy.exact.declared import declared, float_logs

        law = declared(runs.fresh().distribution(dataset))
        runs.kept["law"] = {output: number for number, output in enumerate(law.outputs)}, float_logs(law)[0]
    known: _KnownLaw = runs.kept["law"]
    return known


def _place(law: _KnownLaw, output: Any) -> tuple[float, int]:
    from dpcheck.privacy.exact.declared import plain_output

    numbers, logs = law
    number = numbers.get(plain_output(output))
    if number is None or np.isneginf(logs[number]):
        return _UNKNOWN, -1
    return float(logs[number]), number


@dataclass(frozen=True)
class WithOtherSeeds:
    """The global generators start elsewhere than the request's seed would have them; ``rng`` is the same."""

    numpy: bool = False
    python: bool = False
    seed: int = 0

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        import random

        if self.numpy:
            np.random.seed(self.seed)  # noqa: NPY002  (what is checked is who draws from it)
        if self.python:
            random.seed(self.seed)
        return runs.fresh()(dataset, rng)


@dataclass(frozen=True)
class GlobalGenerators:
    """Which global generators a call leaves in another state: "numpy.random", "random"."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> tuple[str, ...]:
        """Their names."""
        import contextlib
        import pickle
        import random

        def states() -> dict[str, bytes]:
            return {
                "numpy.random": pickle.dumps(np.random.get_state()),  # noqa: NPY002  (as above)
                "random": pickle.dumps(random.getstate()),
            }

        before = states()
        with contextlib.suppress(Exception):
            runs.fresh()(dataset, rng)
        after = states()
        return tuple(name for name in before if before[name] != after[name])


@dataclass(frozen=True)
class Surroundings:
    """What a call changes in the process around it."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> tuple[str, ...]:
        """What changed, in words."""
        import contextlib

        before = _surroundings()
        with contextlib.suppress(Exception):
            runs.fresh()(dataset, rng)
        after = _surroundings()
        return tuple(name for name in before if before[name] != after[name])


def _surroundings() -> dict[str, Any]:
    import os
    import signal
    import sys
    import threading
    import warnings

    return {
        "the working directory": os.getcwd(),
        "the environment": dict(os.environ),
        "numpy's error state (numpy.seterr)": np.geterr(),
        "numpy's print options (numpy.set_printoptions)": np.get_printoptions(),
        "the warning filters": list(warnings.filters),
        "the import path (sys.path)": list(sys.path),
        "the recursion limit": sys.getrecursionlimit(),
        "sys.stdout": id(sys.stdout),
        "sys.stderr": id(sys.stderr),
        "the number of threads": threading.active_count(),
        "a running timer (signal.setitimer)": hasattr(signal, "getitimer")
        and signal.getitimer(signal.ITIMER_REAL)[0] > 0,
        "the handlers of signals (signal.signal)": {
            number: signal.getsignal(number) for number in signal.valid_signals()
        },
        "numpy.random.default_rng": id(np.random.default_rng),
    }


@dataclass(frozen=True)
class WithParameter:
    """The learner is made with another value of one parameter, and called once: what came of it, in words."""

    name: str
    value: Any

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> tuple[str, str, str]:
        """Where it was refused ("made", "called" or ""), the exception's type, and its message."""
        target = runs.target
        try:
            learner = target.original(**{**target.options, self.name: self.value})
        except Exception as error:
            return "made", type(error).__qualname__, _message(error)
        try:
            learner(dataset, rng)
        except Exception as error:
            return "called", type(error).__qualname__, _message(error)
        return "", "", ""


def _message(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:300]
    except Exception:
        return ""


@dataclass(frozen=True)
class CpuSeconds:
    """The processor time of one call, in seconds: what other processes do meanwhile does not count."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> float:
        """Seconds."""
        import time

        learner = runs.fresh()
        began = time.process_time()
        learner(dataset, rng)
        return time.process_time() - began


@dataclass(frozen=True)
class PeakBytes:
    """The most memory that one call holds at a time beyond what was held before, in bytes, as Python counts it."""

    def __call__(self, runs: Runs, dataset: Any, rng: np.random.Generator) -> int:
        """Bytes."""
        import tracemalloc

        learner = runs.fresh()
        tracemalloc.start()
        try:
            learner(dataset, rng)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
