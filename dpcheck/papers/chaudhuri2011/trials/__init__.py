"""Every claim of chaudhuri2011 that can be run, where it is run: bounds, lemmas and privacy beside their numbers."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

from dpcheck.trial.model import Measurement
from dpcheck.trial.page import shown
from dpcheck.trial.run import Run


def _made_by(part: str, results: tuple[str, ...]) -> Callable[[int, bool], Measurement]:
    """The measurement of a part, which is loaded when it is made: the parts need scipy and the learners."""

    def measure(seed: int, quick: bool) -> Measurement:
        module = importlib.import_module(f"dpcheck.papers.chaudhuri2011.trials.{part}")
        return shown(part.replace("_", "-"), results, module.PAGE, getattr(module, part)(seed, quick))

    return measure


def _run(part: str, *entries: str, seconds: tuple[float, float]) -> Run:
    results = tuple(f"chaudhuri2011:{entry}" for entry in entries)
    return Run(part.replace("_", "-"), results, _made_by(part, results), seconds)


RUNS: tuple[Run, ...] = (
    _run("no_private_thresholds", "thm-5", seconds=(5, 5)),
    _run("price_of_reference", "thm-8", "ex-1", "obs-4.a", "lem-19", seconds=(3, 8)),
    _run("bands_and_caps", "ex-2", "ex-3", "lem-20", "lem-21", seconds=(1, 4)),
    _run("upper_bounds", "thm-8", "thm-9", seconds=(5, 25)),
    _run("rates", "thm-8", "thm-9", seconds=(1, 8)),
    _run("label_lower_bounds", "thm-12", "lem-11", "lem-24", "thm-10", seconds=(7, 8)),
    _run("separators", "ex-5.2", "lem-25", "thm-9", seconds=(1, 6)),
    _run("label_against_full", "thm-27", "ex-1", seconds=(5, 12)),
    _run("exact_privacy", "thm-7", "thm-26", "obs-2.3", "lem-22", seconds=(1, 7)),
    _run("metric_lemmas", "lem-13", "lem-14", "lem-15", "obs-4.b", seconds=(1, 4)),
    _run("concentration", "lem-16", "lem-17", "lem-18", "lem-23", seconds=(1, 10)),
)
"""In the order of the page: the headline claims 1 to 8 of the inventory, then the lemmas that they rest on."""

#: Entries of which there is nothing to run, with the reason.
NOT_RUN: Mapping[str, str] = {
    "chaudhuri2011:obs-5.1": "a remark on how theorem 10 could be extended; it states no inequality that could be run",
    "chaudhuri2011:rem-28": "a remark that other quantities may take the place of the VC dimension; it names no number",
}
