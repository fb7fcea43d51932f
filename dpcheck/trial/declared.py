"""A user's own paper against reality: what stands beside ``PAPER`` in a Python file becomes runs like those of papers.

The file declares ``PAPER`` and, beside it, ``CHECKS`` (upper bounds, lower bounds and claims of privacy), ``RUNS``
(measurements of one's own) and ``NOT_RUN`` (entries of which there is nothing to run, with the reason). A worker
process imports the file again, so that nothing has to be handed over but its path.
"""

from __future__ import annotations

import functools
import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from dpcheck.execution.watch import watched
from dpcheck.model.claims.points import as_claim
from dpcheck.model.disk import real_path
from dpcheck.model.errors import InvalidArgument, nearest, true_or_false
from dpcheck.model.learner import as_target
from dpcheck.proof.bounds import Bound, exact_number
from dpcheck.proof.registry import module_of, paper_of
from dpcheck.proof.statement import Paper
from dpcheck.trial import lower, privacy, upper
from dpcheck.trial.lower import LowerBound, measure_lower_bound
from dpcheck.trial.model import MEANINGS, Measurement, Outcome, Taken
from dpcheck.trial.page import Page
from dpcheck.trial.privacy import PrivacyCheck, measure_privacy
from dpcheck.trial.rows import Findings
from dpcheck.trial.run import Run
from dpcheck.trial.upper import UpperBound, measure_upper_bound, own_sizes
from dpcheck.trial.where import APART
from dpcheck.utility.distributions import Distribution, RandomInstance

Check = UpperBound | LowerBound | PrivacyCheck
#: What a check is called in messages and in the keys of runs.
_NAMES: dict[type, str] = {UpperBound: "upper-bound", LowerBound: "lower-bound", PrivacyCheck: "privacy"}
#: How what is found of it is shown.
_PAGES: dict[type, Page] = {UpperBound: upper.PAGE, LowerBound: lower.PAGE, PrivacyCheck: privacy.PAGE}


@dataclass(frozen=True)
class DeclaredPaper:
    """What a user's file or package declares: the paper, its runs, and the entries of which there is nothing to run.

    ``source`` is the file's path, or the key of an installed paper, by which :mod:`dpcheck.trial.measurements` finds
    the runs again, in any process.
    """

    source: str
    paper: Paper
    runs: tuple[Run, ...]
    not_run: Mapping[str, str]


def load(path: str | Path) -> DeclaredPaper:
    """Read a user's file.

    Parameters
    ----------
    path : path of a Python file with ``PAPER`` and, optionally, ``CHECKS``, ``RUNS`` and ``NOT_RUN``

    Raises
    ------
    InvalidArgument
        One line: the file, which declaration, which argument, what it got and what it wants.
    """
    file = real_path(path)
    stamp = file.stat().st_mtime_ns if file.is_file() else 0
    return _load(file, stamp)


@functools.lru_cache(maxsize=8)
def _load(path: Path, stamp: int) -> DeclaredPaper:
    folder = str(path.parent)
    if folder not in sys.path:  # a learner in a file beside it is imported as in a script
        sys.path.insert(0, folder)
    module = module_of(path, "report")
    return declared_in(module, paper_of(module, path.name), path.name, str(path))


def declared_in(module: ModuleType, paper: Paper, name: str, source: str) -> DeclaredPaper:
    """What a module declares of a paper.

    Parameters
    ----------
    module : module with, optionally, ``CHECKS``, ``RUNS`` and ``NOT_RUN``
    paper : Paper whose results they are about
    name : what the module is called in messages
    source : by which the runs are found again

    Raises
    ------
    InvalidArgument
        One line: the module, which declaration, which argument, what it got and what it wants.
    """
    ids = tuple(theorem.id for theorem in paper.theorems)
    with watched(f"what {name} declares was being looked at"):
        runs = (*_checks(module, name, ids), *_runs(module, name, ids))
    keys = [run.key for run in runs]
    for key in keys:
        if keys.count(key) > 1:
            raise InvalidArgument(f"{name}: two runs have the key {key!r}: give each one of RUNS a key of its own")
    return DeclaredPaper(source, paper, runs, _not_run(module, name, ids))


def _listed(module: ModuleType, name: str, file: str, wanted: str) -> tuple[Any, ...]:
    found = getattr(module, name, ())
    if isinstance(found, str) or not isinstance(found, tuple | list):
        raise InvalidArgument(f"{file}: {name} must be a tuple of {wanted}, got {found!r}")
    return tuple(found)


def _checks(module: ModuleType, file: str, ids: tuple[str, ...]) -> tuple[Run, ...]:
    checks = _listed(module, "CHECKS", file, "UpperBound, LowerBound and PrivacyCheck")
    runs: list[Run] = []
    for place, check in enumerate(checks):
        where = f"{file}: CHECKS[{place}]"
        kind = _NAMES.get(type(check))
        if kind is None:
            raise InvalidArgument(f"{where} must be an UpperBound, a LowerBound or a PrivacyCheck, got {check!r}")
        where = f"{where} ({type(check).__name__} of {check.result!r})"
        _known_id(where, "result", check.result, ids)
        try:
            _WANTED[type(check)](check)
        except InvalidArgument as error:
            raise InvalidArgument(f"{where}: {error}") from error
        stem = f"{_slug(check.result)}-{kind}"
        taken = sum(run.key == stem or run.key.startswith(f"{stem}-") for run in runs)
        key = f"{stem}-{taken + 1}" if taken else stem
        runs.append(Run(key, (check.result,), functools.partial(_measure, check), page=_PAGES[type(check)]))
    return tuple(runs)


def _measure(check: Check, seed: int, quick: bool) -> Findings:
    if isinstance(check, PrivacyCheck):
        return measure_privacy(check, seed=seed, quick=quick, isolation="auto")
    arguments = {**APART, **check.arguments}
    if isinstance(check, UpperBound):
        return measure_upper_bound(replace(check, arguments=arguments), seed=seed, quick=quick)
    return measure_lower_bound(replace(check, arguments=arguments), seed=seed, quick=quick)


def _runs(module: ModuleType, file: str, ids: tuple[str, ...]) -> tuple[Run, ...]:
    runs = _listed(module, "RUNS", file, "Run")
    for place, run in enumerate(runs):
        where = f"{file}: RUNS[{place}]"
        if not isinstance(run, Run):
            raise InvalidArgument(f"{where} must be a Run(key, results, measure), got {run!r}")
        if not isinstance(run.key, str) or not run.key.strip() or "/" in run.key:
            raise InvalidArgument(f"{where}: key must be words joined by hyphens, got {run.key!r}")
        if isinstance(run.results, str) or not isinstance(run.results, tuple | list):
            raise InvalidArgument(f"{where}: results must be a tuple of ids, got {run.results!r}")
        for id in run.results:
            _known_id(where, "results", id, ids)
        if not callable(run.measure):
            raise InvalidArgument(f"{where}: measure must be callable as measure(seed, quick), got {run.measure!r}")
        if not (isinstance(run.seconds, tuple | list) and len(run.seconds) == 2 and all(map(_above_zero, run.seconds))):
            raise InvalidArgument(f"{where}: seconds must be two numbers above 0, quick and full, got {run.seconds!r}")
    return tuple(replace(run, measure=functools.partial(_own, f"{file}: {run.key}", run, ids)) for run in runs)


def _own(where: str, run: Run, ids: tuple[str, ...], seed: int, quick: bool) -> Measurement:
    """What a run of the user's own gives, if it is what a page can show."""
    found = run.made(seed, quick)
    if not isinstance(found, Measurement):
        raise InvalidArgument(f"{where}: measure must return a Measurement, got {found!r}")
    if found.key != run.key:
        raise InvalidArgument(f"{where}: measure must return a Measurement with this key, got the key {found.key!r}")
    for name in ("title", "asked", "found", "evidence"):
        _text(f"{where}: Measurement: {name}", getattr(found, name))
    if not (isinstance(found.settings, tuple) and all(isinstance(one, Taken) for one in found.settings)):
        raise InvalidArgument(f"{where}: Measurement: settings must be a tuple of Taken, got {found.settings!r}")
    for id in found.results:
        _known_id(f"{where}: Measurement", "results", id, ids)
    for outcome in found.outcomes:
        if not isinstance(outcome, Outcome):
            raise InvalidArgument(f"{where}: Measurement: outcomes must be Outcomes, got {outcome!r}")
        if outcome.word not in MEANINGS:
            words = ", ".join(MEANINGS)
            raise InvalidArgument(f"{where}: Outcome: word must be one of {words}, got {outcome.word!r}")
        if outcome.result:
            _known_id(f"{where}: Outcome", "result", outcome.result, ids)
    return found


def _above_zero(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _not_run(module: ModuleType, file: str, ids: tuple[str, ...]) -> Mapping[str, str]:
    found = getattr(module, "NOT_RUN", {})
    if not isinstance(found, Mapping):
        raise InvalidArgument(f"{file}: NOT_RUN must be a mapping of ids to reasons, got {found!r}")
    for id, reason in found.items():
        _known_id(f"{file}: NOT_RUN", "its keys", id, ids)
        if not isinstance(reason, str) or not reason.strip():
            raise InvalidArgument(f"{file}: NOT_RUN[{id!r}] must say why there is nothing to run, got {reason!r}")
    return dict(found)


def _known_id(where: str, argument: str, id: Any, ids: tuple[str, ...]) -> None:
    if id not in ids:
        hint = nearest(id, ids) if isinstance(id, str) else ""
        raise InvalidArgument(f"{where}: {argument} must name a result of PAPER, got {id!r}{hint or _those(ids)}")


def _those(ids: tuple[str, ...]) -> str:
    return f"; it has {', '.join(ids)}" if ids else "; it has none"


def _slug(id: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", id.partition(":")[2].lower() or id.lower()).strip("-") or "entry"


# --- what each kind of check must have


def _words(claim: Any) -> None:
    if not isinstance(claim, str) or not claim.strip():
        raise InvalidArgument(f"claim must be the promise in words, got {claim!r}")


def _mapping(name: str, value: Any, wanted: str, *, empty: bool = True) -> None:
    if not isinstance(value, Mapping) or (not empty and not value):
        raise InvalidArgument(f"{name} must be {wanted}, got {value!r}")


def _probability(name: str, value: Any, *, above_zero: bool = False) -> None:
    if not 0 <= exact_number(name, value) <= 1:
        raise InvalidArgument(f"{name} must be between 0 and 1, got {value!r}")
    if above_zero and not exact_number(name, value):
        raise InvalidArgument(f"{name} must be above 0 (trials cannot show that nothing ever fails), got {value!r}")


def _text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise InvalidArgument(f"{name} must be text, got {value!r}")


def _records(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidArgument(f"{name} must be a whole number of at least 1, got {value!r}")


def _named(name: str, value: Mapping[Any, Any]) -> None:
    for key in value:
        if not isinstance(key, str) or not key.strip():
            raise InvalidArgument(f"the keys of {name} must be names, got {key!r}")


#: What a declaration hands on to ``failure_rate``; all else it sets itself.
_HANDED_ON = ("best", "family", "risk", "risk_sample", "tolerant", "isolation", "trial_timeout")


def _run_with(check: UpperBound | LowerBound) -> None:
    """What upper and lower bounds have in common."""
    _text("expected", check.expected)
    _named("sizes", check.sizes)
    if check.dataset is not None and not callable(check.dataset):
        raise InvalidArgument(f"dataset must be callable as dataset(distribution, sizes, rng), got {check.dataset!r}")
    _mapping("arguments", check.arguments, f"a mapping with some of {', '.join(_HANDED_ON)}")
    for name in check.arguments:
        if name not in _HANDED_ON:
            hint = nearest(name, _HANDED_ON) if isinstance(name, str) else ""
            raise InvalidArgument(f"arguments may have {', '.join(_HANDED_ON)}, got {name!r}{hint}")


def _law(name: str, value: Any) -> None:
    if not isinstance(value, Distribution | RandomInstance):
        raise InvalidArgument(f"{name} must draw samples and know risks (a Distribution), got {value!r}")


def _upper(check: UpperBound) -> None:
    _words(check.claim)
    _mapping("options", check.options, "a mapping of the factory's arguments")
    as_target(check.learner, options=check.options)
    _law("distribution", check.distribution)
    _mapping("sizes", check.sizes, "a mapping such as {'private': BOUND} or {'private': 500}", empty=False)
    for name, size in check.sizes.items():
        whole = isinstance(size, int) and not isinstance(size, bool) and size >= 0
        if not (whole or isinstance(size, Bound) or callable(size)):
            raise InvalidArgument(f"sizes[{name!r}] must be a Bound, a number of records or a callable, got {size!r}")
    for name in ("settings", "scaled"):
        _mapping(name, getattr(check, name), "a mapping of variables to numbers")
    for name in ("accuracy", "failure"):
        if name not in check.settings:
            raise InvalidArgument(f"settings must have accuracy and failure, got only {', '.join(check.settings)}")
        _probability(f"settings[{name!r}]", check.settings[name], above_zero=name == "failure" and not check.exactly)
        if name in check.scaled:
            _probability(f"scaled[{name!r}]", check.scaled[name], above_zero=name == "failure" and not check.exactly)
    _run_with(check)
    _text("name", check.name)
    _records("reach", check.reach)
    true_or_false("exactly", check.exactly)
    if check.over and check.over not in check.sizes:
        raise InvalidArgument(f"over must be one of the sizes {', '.join(check.sizes)}, got {check.over!r}")
    own_sizes(check)
    if check.scaled:
        own_sizes(check, check.scaled)


def _lower(check: LowerBound) -> None:
    _words(check.claim)
    _mapping("learners", check.learners, "a mapping of names to learners", empty=False)
    _mapping("options", check.options, "a mapping of learners' names to arguments of their factories")
    for name in check.options:
        if name not in check.learners:
            raise InvalidArgument(f"options must name learners, got {name!r}{nearest(name, check.learners)}")
    for name, given in check.options.items():
        _mapping(f"options[{name!r}]", given, "a mapping of the factory's arguments")
    for name, learner in check.learners.items():
        as_target(learner, name=name, options=check.options.get(name))
    if isinstance(check.instances, str) or not isinstance(check.instances, list | tuple) or not check.instances:
        raise InvalidArgument(f"instances must be a tuple of at least one distribution, got {check.instances!r}")
    for place, instance in enumerate(check.instances):
        _law(f"instances[{place}]", instance)
    _mapping("sizes", check.sizes, "a mapping such as {'private': 10}", empty=False)
    for name, size in check.sizes.items():
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise InvalidArgument(f"sizes[{name!r}] must be a number of records, got {size!r}")
    _named("learners", check.learners)
    _probability("accuracy", check.accuracy)
    if not 0 < exact_number("failure", check.failure) < 1:
        raise InvalidArgument(f"failure must be between 0 and 1, both excluded, got {check.failure!r}")
    if check.size is not None and not _above_zero(check.size):
        raise InvalidArgument(f"size must be a finite number above 0 or None, got {check.size!r}")
    if check.complete is not None:
        true_or_false("complete", check.complete)
    _run_with(check)


def _private(check: PrivacyCheck) -> None:
    _words(check.claim)
    _mapping("options", check.options, "a mapping of the factory's arguments")
    as_target(check.learner, options=check.options)
    given = [name for name in ("neighbours", "pairs", "dataset") if getattr(check, name) is not None]
    if not given:
        raise InvalidArgument("neighbours, pairs or dataset must be given: on which datasets the claim is checked")
    try:
        as_claim(check.promised)
    except InvalidArgument as error:
        raise InvalidArgument(f"promised: {error}") from error
    _text("name", check.name)
    _text("expected", check.expected)
    _records("max_samples", check.max_samples)


_WANTED: dict[type, Callable[[Any], None]] = {UpperBound: _upper, LowerBound: _lower, PrivacyCheck: _private}
