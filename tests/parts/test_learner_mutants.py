"""Every broken version of the papers' learners is caught by an exact audit, and no right learner by the same one.

Calls decide nothing here: laws are enumerated and compared exactly. `benchmarks/learner_mutants.py` audits them all by
calls too, and writes the report that is held to the code here.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import learner_mutants
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.model.learner import as_target, declares_law
from dpcheck.papers.alon2019.learners import CoverLearner
from dpcheck.parts.learners.discovery import entries, entry
from dpcheck.parts.learners.mutants import Mutant, mutants, mutated
from dpcheck.parts.learners.table_of_classes import class_table
from dpcheck.report.learners.document import listed

#: Each audit compares a few calls with the declared law: at this level a right learner is never accused of them.
LEVEL = 1e-9
CALLS = 1500
REPORT = Path(__file__).resolve().parents[2] / "reports" / "learners.json"
#: How many broken versions each learner has, at least.
LEAST = 5


def named(mutant: Mutant) -> str:
    return f"{mutant.entry}: {mutant.defect}"


def with_law(mutant: Mutant) -> bool:
    return declares_law(as_target(mutant.learner()))


def exactly(learner: Any, relation: Any, seed: int) -> Any:
    return dpcheck.audit(
        learner,
        neighbours=relation,
        exhaustive=True,
        alpha=LEVEL,
        max_samples=CALLS,
        max_seconds=math.inf,
        isolation="none",
        seed=seed,
    )


ALL = mutants()
#: The right learners, as the mutants are made of them and audited.
RIGHT = list({(m.entry, str(m.options), str(m.neighbours())): m for m in ALL}.values())


@pytest.mark.some(13)
@pytest.mark.parametrize("mutant", ALL, ids=named)
def test_a_broken_learner_is_caught_exactly(mutant: Mutant, seed: int) -> None:
    if not with_law(mutant):
        pytest.skip("declares no law: audited by calls below, or by benchmarks/learner_mutants.py")
    verdict = exactly(mutant.learner(), mutant.neighbours(), seed)
    assert verdict.status is Status.VIOLATED, str(verdict)


@pytest.mark.some(6)
@pytest.mark.parametrize("mutant", RIGHT, ids=named)
def test_the_right_learner_passes_the_same_audit(mutant: Mutant, seed: int) -> None:
    if not with_law(mutant):
        pytest.skip("declares no law: audited by calls by benchmarks/learner_mutants.py")
    learner = entry(mutant.entry).learner(**mutant.options)
    verdict = exactly(learner, mutant.neighbours(), seed)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)


@pytest.mark.turns(6)
def test_a_broken_learner_without_a_law_is_caught_by_calls(seed: int) -> None:
    # a defect that shows in a few thousand calls; the others are audited by benchmarks/learner_mutants.py
    mutant = next(one for one in ALL if named(one) == "wang2016.perturbed_minimiser: sometimes without noise")
    pair = [([0] * 8, [0] * 7 + [1])]  # searched for by the benchmark
    verdict = dpcheck.audit(mutant.learner(), pairs=pair, max_seconds=math.inf, isolation="none", seed=seed)
    assert verdict.status is Status.VIOLATED, str(verdict)


def test_each_learner_has_broken_versions_and_each_its_own_defect() -> None:
    names = [named(mutant) for mutant in mutants()]
    assert len(set(names)) == len(names)
    counts = {one.algorithm: 0 for one in entries() if getattr(one.learner(), "claim", None) is not None}
    for mutant in mutants():
        counts[entry(mutant.entry).algorithm] += 1
    assert {algorithm for algorithm, count in counts.items() if count < LEAST} == set()


# --- how mutants are made


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(AttributeError, match="CoverLearner has no 'rat' to be broken"):
        mutated(entry("alon2019.cover").learner(), "learner.rat", None)
    with pytest.raises(AttributeError):
        mutated(entry("alon2019.cover").learner(), "learne.rate", None)


def test_only_the_named_step_of_the_learner_inside_is_replaced() -> None:
    right = entry("alon2019.cover").learner(epsilon=0.5)
    broken = mutated(right, "learner.rate", lambda self, dataset: 7)
    assert broken.learner.rate(None) == 7
    assert right.learner.rate(None) == 0.25
    assert (broken.public, broken.claim) == (right.public, right.claim)
    assert isinstance(broken.learner, CoverLearner)
    assert (broken.order_blind, broken.learner.order_blind) == (True, True)
    # a broken step may look at the order of the records: they are no multiset any more
    assert mutated(right.learner, "rate", lambda self, dataset: 7).order_blind is False


# --- the report


def test_the_report_is_what_its_record_renders() -> None:
    document = json.loads(REPORT.read_text(encoding="utf-8"))
    assert learner_mutants.markdown(document) == REPORT.with_suffix(".md").read_text(encoding="utf-8")
    assert learner_mutants.wrong(document) == []
    assert document["passed"]
    assert not document["quick"]


def test_the_report_is_about_the_learners_and_the_broken_versions_there_are() -> None:
    document = json.loads(REPORT.read_text(encoding="utf-8"))
    reported = [dataclasses.replace(one, audit=None) for one in learner_mutants.learners_of(document)]
    assert reported == [listed(one) for one in entries()], "run: python benchmarks/learner_mutants.py"
    assert learner_mutants.classes_of(document) == class_table(entries()), "run: python benchmarks/learner_mutants.py"
    assert [(one["entry"], one["defect"], one["field"]) for one in document["mutants"]] == [
        (mutant.entry, mutant.defect, mutant.field) for mutant in mutants()
    ], "run: python benchmarks/learner_mutants.py"


def test_a_report_with_a_miss_says_so() -> None:
    document = json.loads(REPORT.read_text(encoding="utf-8"))
    first = document["mutants"][0]
    first["declared"]["status"] = "no violation found"
    (line,) = learner_mutants.wrong(document)
    assert line.startswith(f"{first['entry']}, {first['defect']}, as declared: no violation found")
    assert "BROKEN" in learner_mutants.markdown(document)
