"""The measurements of a paper: which there are, and each run with a seed of its own."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256

from dpcheck.execution.executor import Executor
from dpcheck.execution.function_calls import Call
from dpcheck.execution.paper_folders import paper_folder
from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.registry import paper_in
from dpcheck.trial.declared import DeclaredPaper, declared_in, load
from dpcheck.trial.model import Measurement
from dpcheck.trial.run import Run


def runs_of(paper: str) -> tuple[Run, ...]:
    """The measurements of a paper, in the order of its page; none where the project has none.

    ``paper`` is a paper's key, or the path of a user's file (it ends in ``.py``), which is read where this runs.
    """
    declared = _declared(paper)
    return () if declared is None else declared.runs


def not_run(paper: str) -> Mapping[str, str]:
    """The entries of which there is nothing to run, each with the reason; ``paper`` as for :func:`runs_of`."""
    declared = _declared(paper)
    return {} if declared is None else declared.not_run


def _declared(paper: str) -> DeclaredPaper | None:
    """What is declared of a paper: in a user's file, or in the trials of an installed one."""
    return load(paper) if _is_file(paper) else _installed(paper)


@cache
def _installed(paper: str) -> DeclaredPaper | None:
    folder = paper_folder(paper)
    trials = None if folder is None else folder.part("trials") if folder.is_folder else folder.root
    if folder is None or trials is None:
        return None
    return declared_in(trials, paper_in(folder), folder.name, folder.name)


def _is_file(paper: str) -> bool:
    return paper.endswith(".py")


def seed_of(seed: int, paper: str, key: str) -> int:
    """The seed of one measurement: it does not depend on which others there are, nor on where a user's file stands."""
    from numpy.random import SeedSequence

    if _is_file(paper):
        paper = load(paper).paper.key
    name = int.from_bytes(sha256(f"{paper}/{key}".encode()).digest()[:8], "big")
    return int(SeedSequence([seed, name]).generate_state(1, "uint32")[0])


def make(paper: str, key: str, *, seed: int, quick: bool) -> Measurement:
    """Make one measurement of a paper; it is timed.

    Raises
    ------
    InvalidArgument
        When the paper has no such measurement.
    """
    run = next((run for run in runs_of(paper) if run.key == key), None)
    if run is None:
        raise InvalidArgument(f"{paper} has no measurement {key!r}; it has {', '.join(r.key for r in runs_of(paper))}")
    begun = time.perf_counter()
    found = run.made(seed_of(seed, paper, key), quick)
    return replace(found, seconds=time.perf_counter() - begun, quick=quick)


def measure(paper: str, *, seed: int, quick: bool, jobs: int = 1) -> tuple[Measurement, ...]:
    """All measurements of a paper, in order; ``jobs`` changes nothing but time."""
    keys = [run.key for run in runs_of(paper)]
    made = partial(make, paper, seed=seed, quick=quick)
    with Executor(jobs).submitted([Call(made, (key,), f"{paper}/{key}") for key in keys]) as value:
        return tuple(map(value, range(len(keys))))
