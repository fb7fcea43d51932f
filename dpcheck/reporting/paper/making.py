"""Makes a paper's report: statuses from the registry, measurements, and the headline."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from dpcheck.reality.measuring import measure
from dpcheck.reporting.paper.building import results_of
from dpcheck.reporting.paper.model import PaperReport
from dpcheck.theorems.records import inventory_of
from dpcheck.theorems.registry import Registry
from dpcheck.theorems.statement import Status
from dpcheck.theorems.status import claims_of, shares


def make_report(
    registry: Registry,
    key: str,
    *,
    seed: int = 0,
    quick: bool = False,
    jobs: int = 1,
    command: str = "",
    on_begin: Callable[[str, int, int], None] | None = None,
) -> PaperReport:
    """The report of a paper.

    Parameters
    ----------
    registry : Registry
    key : the paper's name
    seed : int, where the randomness of all measurements starts
    quick : fewer sizes and trials
    jobs : processes for the measurements
    command : what regenerates it, for the reader
    on_begin : told of each measurement, its number, and how many there are

    Raises
    ------
    InvalidArgument
        When there is no such paper; the nearest is suggested.
    """
    begun = time.perf_counter()
    paper = registry.paper(key)
    evaluation = registry.evaluations[key]
    results = results_of(paper, evaluation)
    counts = shares(evaluation.step(step.label) for step in paper.steps)
    claims = [evaluation.claim(claim) for claim in claims_of(paper)]
    inventory = inventory_of(paper)
    measurements = measure(key, seed=seed, quick=quick, jobs=jobs, on_begin=on_begin)
    try:
        installed = version("dpcheck")
    except PackageNotFoundError:
        installed = ""
    return PaperReport(
        paper=key,
        title=paper.title,
        authors=() if inventory is None else inventory.authors,
        year=0 if inventory is None else inventory.year,
        version=installed,
        command=command or f"dpcheck report {key}",
        seed=seed,
        quick=quick,
        shares=tuple((status.value, count) for status, count in counts.items()),
        paper_steps=len(paper.steps),
        formulas=len(claims),
        replayed=sum(found.status is not Status.UNDECIDED for found in claims),
        results=results,
        measurements=measurements,
        seconds=time.perf_counter() - begun,
    )
