"""Asking a learner for its laws where its calls run: in a worker process, under the time limit of a call."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.execution.answers import Request, Runner
from dpcheck.execution.calls import without_place
from dpcheck.execution.learner_code import digest_of_learner
from dpcheck.execution.wire import ANSWERS, NotPlain, read_plain, write_plain
from dpcheck.model.data import describe_dataset
from dpcheck.model.errors import LearnerDied
from dpcheck.model.learner import Target
from dpcheck.privacy.exact.declared import Declared, NotALaw, declared
from dpcheck.privacy.exact.output_keys import Object, OfType
from dpcheck.privacy.run.question import LEARNER_STREAM, Question

#: Laws asked for one by one first, to see what one costs.
FIRST_LAWS = 4
#: A message between processes holds laws for about this many seconds of work, so that the clock is looked at.
SECONDS_PER_MESSAGE = 0.25
#: ... and at most so many, so that a message stays small.
LAWS_PER_MESSAGE = 1000
#: What laws are made of besides plain data.
_LAWS = (*ANSWERS, Declared, OfType, Object)
#: First word of the keys of the streams of these requests (pairs have keys from 0 up).
LAW_KEY = 1_000_004


class NoLaw(Exception):
    """A learner's ``distribution`` raised, hung, or gave no law; the text is the sentence that the verdict shows."""


@dataclass(frozen=True)
class _MakesAsker:
    """A factory of :class:`_Asker`, one with a fresh learner for each request."""

    target: Target
    bits: int

    def __call__(self) -> _Asker:
        return _Asker(self.target.make(), self.bits)


@dataclass(frozen=True)
class _Asker:
    """A learner whose datasets are lists of datasets, and whose answers are their declared laws, as bytes."""

    learner: Any
    bits: int

    def __call__(self, datasets: Any, rng: Any) -> bytes:
        """The law, or what is wrong with it, of each dataset."""
        seen: dict[Any, Any] = {}  # laws of one learner mostly share their outputs: each tuple is sent once
        found: list[Declared | str] = []
        with _precision(self.bits):
            for dataset in datasets:
                law = self._law(dataset)
                if isinstance(law, Declared):
                    law = replace(law, outputs=seen.setdefault(law.outputs, law.outputs))
                found.append(law)
        return write_plain(found, _LAWS)

    def _law(self, dataset: Any) -> Declared | str:
        try:
            return declared(self.learner.distribution(dataset))
        except NotALaw as wrong:
            return str(wrong)
        except Exception as error:  # a stranger's method may raise anything
            return f"raised {type(error).__qualname__}: {' '.join(str(error).split())[:200]}"


def _precision(bits: int) -> AbstractContextManager[object]:
    """python-flint's precision while balls are made; not loaded for learners that make none."""
    if bits == 0:
        return nullcontext()
    from flint import ctx

    precision: AbstractContextManager[object] = ctx.workprec(bits)
    return precision


def laws_of(
    question: Question,
    datasets: Sequence[Any],
    *,
    bits: int = 0,
    until: float = float("inf"),
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[Declared | None]:
    """The declared law of each dataset; None for those that the clock left no time for.

    Parameters
    ----------
    question : Question
        Whose learner is asked, how isolated, and for how long a call may take.
    datasets : sequence
    bits : int
        The precision of python-flint meanwhile; 0 leaves it alone.
    until : float
        ``time.monotonic()`` at which to stop asking.
    tell : callable ``(done, total)``

    Raises
    ------
    NoLaw
        When ``distribution`` raises, hangs, takes its process along, or gives no law.
    """
    found: list[Declared | None] = []
    seconds = 0.0
    datasets = question.handed(datasets)
    for first, one_by_one in ((0, True), (FIRST_LAWS, False)):
        some = datasets[:FIRST_LAWS] if one_by_one else datasets[FIRST_LAWS:]
        if not some:
            break
        size = 1
        if not one_by_one:
            share = min(SECONDS_PER_MESSAGE, question.limits.call_timeout / 4)
            size = max(1, min(LAWS_PER_MESSAGE, int(share / max(seconds, 1e-9))))
        chunks = [list(some[start : start + size]) for start in range(0, len(some), size)]
        try:
            asker = Target(_MakesAsker(question.target, bits), True, question.target.name)
            runner: Runner = question.executor.runner(asker, chunks, call_timeout=question.limits.call_timeout)
            if question.kept is not None:
                told = digest_of_learner(asker).encode()
                runner = question.kept.runner(runner, chunks, told)
        except LearnerDied as error:
            raise NoLaw(f"{str(error).rstrip('.')}.") from error
        try:
            for start in range(0, len(chunks), question.limits.jobs):
                if found and time.monotonic() >= until:
                    break
                numbers = range(start, min(start + question.limits.jobs, len(chunks)))
                given, cost = _laws_of_chunks(question, runner, chunks, list(numbers), first)
                seconds = cost if seconds == 0.0 else min(seconds, cost)  # the first ones load and warm up things
                found += given
                tell(len(found), len(datasets))
        finally:
            runner.close()
    return found + [None] * (len(datasets) - len(found))


def _laws_of_chunks(
    question: Question, runner: Any, chunks: list[list[Any]], numbers: list[int], first: int
) -> tuple[list[Declared], float]:
    """The laws of some chunks, and the seconds that one law took."""
    requests = [Request(number, 1, question.stream(LEARNER_STREAM, LAW_KEY, first, number)) for number in numbers]
    try:
        answers = runner.run(requests)
    except LearnerDied as error:
        chunk = chunks[error.dataset] if error.dataset is not None and error.dataset < len(chunks) else []
        where = f"The dataset was {describe_dataset(chunk[0])}." if len(chunk) == 1 else ""
        raise NoLaw(f"In its distribution {without_place(error)}. {where}".strip()) from error
    found: list[Declared] = []
    seconds = 0.0
    for number, answer in zip(numbers, answers, strict=True):
        packed = answer.values[0]
        if not isinstance(packed, bytes):
            raise NoLaw(f"its distribution gives outputs that cannot be handed over: {packed!r}.")
        laws = _read(packed)
        if len(laws) != len(chunks[number]):
            raise NoLaw("its distribution gives what cannot be read here: another number of laws.")
        for dataset, law in zip(chunks[number], laws, strict=True):
            if isinstance(law, str):
                raise NoLaw(f"its distribution on {describe_dataset(dataset)} {law}.")
            found.append(law)
        seconds = answer.seconds / len(chunks[number])
    return found, seconds


def _read(packed: bytes) -> list[Declared | str]:
    """Laws out of the bytes that came from where the learner runs: plain data, whoever wrote them."""
    try:
        laws = read_plain(packed, _LAWS)
    except NotPlain as error:
        raise NoLaw(f"its distribution gives what cannot be read here: {error}.") from error
    if type(laws) is not list or not all(type(law) is str or _is_law(law) for law in laws):
        raise NoLaw("its distribution gives what cannot be read here: no laws.")
    return laws


def _is_law(law: Any) -> bool:
    """Whether what was read has the types that a law's fields have."""
    return (
        type(law) is Declared
        and type(law.outputs) is tuple
        and _all_of(law.numerators, int)
        and type(law.denominator) is int
        and _all_of(law.scores, int)
        and type(law.epsilon) in (int, float, Fraction)
        and _all_of(law.balls, tuple)
        and all(len(ball) == 4 and _all_of(ball, int) for ball in law.balls)
        and (law.logs is None or (type(law.logs) is np.ndarray and law.logs.shape == (len(law.outputs),)))
        and type(law.error) is float
    )


def _all_of(parts: Any, kind: type) -> bool:
    return type(parts) is tuple and all(type(part) is kind for part in parts)
