"""The measurements of a paper's report: which there are, each run with its own seed, several at a time."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from dpcheck.reporting.paper.model import Measurement

#: A measurement: from a seed and whether it is to be quick.
Run = Callable[[int, bool], Measurement]
#: Papers whose headline claims are measured: where the runs are.
_MODULES: Mapping[str, str] = {"alon2019": "dpcheck.reporting.paper.alon2019"}


def runs_of(paper: str) -> Mapping[str, Run]:
    """The measurements of a paper by their keys, in order; none where the project has none."""
    if paper not in _MODULES:
        return {}
    found: Mapping[str, Run] = importlib.import_module(_MODULES[paper]).RUNS
    return found


def measure(
    paper: str,
    *,
    seed: int,
    quick: bool,
    jobs: int = 1,
    on_begin: Callable[[str, int, int], None] | None = None,
) -> tuple[Measurement, ...]:
    """All measurements of a paper, in order; each has a seed of its own, so that ``jobs`` changes nothing but time."""
    keys = list(runs_of(paper))
    seeds = _seeds(seed, len(keys))
    if jobs == 1 or len(keys) < 2:
        found = []
        for place, (key, own) in enumerate(zip(keys, seeds, strict=True), 1):
            if on_begin is not None:
                on_begin(key, place, len(keys))
            found.append(_run(paper, key, own, quick))
        return tuple(found)
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(min(jobs, len(keys)), mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(_run, paper, key, own, quick) for key, own in zip(keys, seeds, strict=True)]
        done = []
        for place, (key, future) in enumerate(zip(keys, waiting, strict=True), 1):
            if on_begin is not None:
                on_begin(key, place, len(keys))
            done.append(future.result())
        return tuple(done)


def _seeds(seed: int, count: int) -> list[int]:
    from numpy.random import SeedSequence

    return [int(own) for own in SeedSequence(seed).generate_state(count, "uint32")]


def _run(paper: str, key: str, seed: int, quick: bool) -> Measurement:
    begun = time.perf_counter()
    found = runs_of(paper)[key](seed, quick)
    return replace(found, seconds=time.perf_counter() - begun)
