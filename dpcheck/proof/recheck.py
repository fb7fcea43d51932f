"""Everything again: certificates replayed by the checker, enumerations run by their functions."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from dpcheck.execution.executor import Executor
from dpcheck.execution.function_calls import Call, Ended, value_of
from dpcheck.proof.enumerations import Function, as_data, counts, enumerations_of, from_data, kept_for, name_of
from dpcheck.proof.instances import Enumeration
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Paper
from dpcheck.proof.status import ClaimResult, claims_of

#: So many certificates are replayed between two reports of progress.
_CHUNK = 20


@dataclass
class Rechecked:
    """What came of one paper.

    Parameters
    ----------
    claims : the answers of the checker
    computed : results of enumerations by their functions
    differing : for people: enumerations that are not what is kept, or raised
    unkept : how many had no kept result, or one of another source
    replay_seconds, seconds : spent on certificates, and on enumerations, over all processes
    """

    claims: list[ClaimResult] = field(default_factory=list)
    computed: dict[Function, Enumeration] = field(default_factory=dict)
    differing: list[str] = field(default_factory=list)
    unkept: int = 0
    replay_seconds: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True)
class _Task:
    """A slice of a paper's claims, or of its enumerations, by their places."""

    paper: str
    kind: str
    first: int
    last: int

    def __str__(self) -> str:
        which = f"{self.first + 1}" if self.last == self.first + 1 else f"{self.first + 1} to {self.last}"
        return f"{self.paper}, {self.kind} {which}"


@dataclass(frozen=True)
class _Done:
    task: _Task
    claims: tuple[ClaimResult, ...] = ()
    counted: tuple[Enumeration | str, ...] = ()
    seconds: float = 0.0


def recheck(
    registry: Registry,
    papers: Sequence[Paper],
    *,
    extra: Path | None = None,
    jobs: int = 1,
    on_done: Callable[[int], None] | None = None,
) -> dict[str, Rechecked]:
    """Replay every certificate of some papers and run all their enumerations.

    Parameters
    ----------
    registry : the papers with what is kept of them; their evaluations take the fresh results
    extra : a user's module of the registry
    jobs : processes
    on_done : told how many more are done
    """
    tasks = [_Task(paper.key, "enumerations", i, i + 1) for paper in papers for i in range(len(enumerations_of(paper)))]
    for paper in papers:
        whole = len(claims_of(paper))
        tasks += [_Task(paper.key, "claims", i, min(i + _CHUNK, whole)) for i in range(0, whole, _CHUNK)]
    found = {paper.key: Rechecked() for paper in papers}
    for done in _run(registry, tasks, extra, jobs):
        _take(registry, done, found[done.task.paper])
        if on_done is not None:
            on_done(done.task.last - done.task.first)
    for paper in papers:
        order = {claim: i for i, claim in enumerate(claims_of(paper))}
        found[paper.key].claims.sort(key=lambda result: order[result.claim])
        found[paper.key].differing.sort()
        registry.evaluations[paper.key].take(found[paper.key].claims, found[paper.key].computed)
    return found


def keep_enumerations(
    registry: Registry,
    paper: Paper,
    functions: Iterable[Function],
    *,
    extra: Path | None = None,
    jobs: int = 1,
    on_done: Callable[[int], None] | None = None,
) -> int:
    """Run those whose kept result is missing or stale, write the results, and return how many were run."""
    store = registry.evaluations[paper.key].store
    asked = set(functions)
    everything = enumerations_of(paper)
    tasks = [
        _Task(paper.key, "enumerations", i, i + 1)
        for i, function in enumerate(everything)
        if function in asked and counts(function, store.enumerations.get(name_of(function) or "")) is None
    ]
    before = dict(store.enumerations)
    store.enumerations = kept_for(everything, store.enumerations)
    for done in _run(registry, tasks, extra, jobs):
        for function, result in zip(everything[done.task.first : done.task.last], done.counted, strict=True):
            data = None if isinstance(result, str) else as_data(function, result)
            name = name_of(function)
            if name is not None and data is not None:
                store.enumerations[name] = data
        if on_done is not None:
            on_done(1)
    if store.enumerations != before:
        store.save()
    return len(tasks)


def _take(registry: Registry, done: _Done, found: Rechecked) -> None:
    found.claims += done.claims
    found.replay_seconds += sum(result.seconds for result in done.claims)
    if done.task.kind != "enumerations":
        return
    found.seconds += done.seconds
    functions = enumerations_of(registry.papers[done.task.paper])[done.task.first : done.task.last]
    store = registry.evaluations[done.task.paper].store
    for function, result in zip(functions, done.counted, strict=True):
        name = name_of(function)
        if isinstance(result, str):
            found.differing.append(f"{name}: {result}")
            continue
        found.computed[function] = result
        kept = store.enumerations.get(name or "")
        believed = counts(function, kept)
        found.unkept += believed is None
        shown = from_data(kept)
        if shown is not None and shown != result:
            found.differing.append(f"{name}: kept is {shown}, computed is {result}")


def _run(registry: Registry, tasks: Sequence[_Task], extra: Path | None, jobs: int) -> Iterator[_Done]:
    executor = Executor(jobs)
    perform = partial(_perform, registry) if executor.here(len(tasks)) else partial(_perform_elsewhere, extra)
    calls = [Call(perform, (task,), str(task)) for task in tasks]
    with contextlib.closing(executor.run(calls)) as events:
        for event in events:
            if isinstance(event, Ended):
                yield value_of(event, calls)


#: A process that performs several tasks reads the registry once.
_registry = cache(Registry)


def _perform_elsewhere(extra: Path | None, task: _Task) -> _Done:
    return _perform(_registry(extra), task)


def _perform(registry: Registry, task: _Task) -> _Done:
    paper, evaluation = registry.papers[task.paper], registry.evaluations[task.paper]
    if task.kind == "claims":
        lemmas = evaluation.lemmas()
        claims = claims_of(paper)[task.first : task.last]
        return _Done(task, tuple(evaluation.replay(claim, evaluation.store, lemmas) for claim in claims))
    began = time.monotonic()
    counted = tuple(_computed(function) for function in enumerations_of(paper)[task.first : task.last])
    return _Done(task, counted=counted, seconds=time.monotonic() - began)


def _computed(function: Function) -> Enumeration | str:
    try:
        found = function()
        return Enumeration(str(found.family), int(found.count), str(found.failure))
    except Exception as error:  # one that raises is reported like one that differs
        return f"raised {type(error).__name__}: {error}"
