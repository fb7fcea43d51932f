"""A second judge, z3 or cvc5: every formula that it can read is given to it, and whatever it sees otherwise is red.

The judge looks for a point where a formula fails. Exponentials and logarithms are unknown functions to it, of which it
is told that they rise and lie above (below) a tangent: where there are any, a point that it finds is looked at exactly,
and says nothing unless the formula fails there. A formula that is PROVED here must not fail; of one that is REFUTED the
judge must not show that it holds; what one that is VACUOUS assumes must hold nowhere. Statuses do not rest on it.

    pip install -e '.[judges]'
    python benchmarks/second_judge.py --json judged.json
    python benchmarks/second_judge.py --judge cvc5
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.progress import track
from solver_reading import Reading, Unreadable

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.judges import keep
from dpcheck.proof.prover.checker import CheckFailed, check_refutation
from dpcheck.proof.prover.language import parse_formula
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Claim, Status
from dpcheck.proof.status import claims_of
from dpcheck.proof.store import key_of


@dataclass(frozen=True)
class Judge:
    """A solver: the module with its language, and what is called otherwise in each."""

    name: str
    language: ModuleType
    version: str
    solver: Callable[[int], Any]


def z3() -> Judge:
    """z3."""
    language = import_module("z3")

    def solver(milliseconds: int) -> Any:
        made = language.Solver()
        made.set("timeout", milliseconds)
        return made

    return Judge("z3", language, language.get_version_string(), solver)


def cvc5() -> Judge:
    """cvc5, in the language that has z3's names."""
    language = import_module("cvc5.pythonic")

    def solver(milliseconds: int) -> Any:
        made = language.Solver()
        made.setOption("tlimit-per", milliseconds)
        return made

    return Judge("cvc5", language, import_module("cvc5").__version__, solver)


JUDGES: dict[str, Callable[[], Judge]] = {"z3": z3, "cvc5": cvc5}


def judged(judge: Judge, claim: Claim, status: Status, milliseconds: int) -> str:
    """``agrees``, ``no answer``, ``not read``, or ``disagrees``, of what is proved, refuted or vacuous here."""
    if status is Status.VACUOUS:
        return judged(judge, Claim(claim.variables, claim.assume, "0 = 1"), Status.PROVED, milliseconds)
    language = judge.language
    try:
        reading = Reading(parse_formula(claim.formula), language)
    except Unreadable:
        return "not read"
    solver = judge.solver(milliseconds)
    solver.add(*reading.known, *reading.premises, language.Not(reading.goal))
    found = solver.check()
    if found == language.unsat:
        return "disagrees" if status is Status.REFUTED else "agrees"
    if found != language.sat:
        return "no answer"
    if not (reading.exact or fails(judge, claim, reading, solver.model())):
        return "no answer"
    return "agrees" if status is Status.REFUTED else "disagrees"


def fails(judge: Judge, claim: Claim, reading: Reading, model: Any) -> bool:
    """Whether the formula fails at the point of a model, exactly."""
    point = {}
    for name, symbol in reading.names.items():
        value = model.eval(symbol, model_completion=True)
        if not (judge.language.is_rational_value(value) or judge.language.is_int_value(value)):
            return False
        point[name] = str(Fraction(str(value)))
    try:
        check_refutation(claim.formula, point)
    except CheckFailed:
        return False
    return True


def options() -> argparse.Namespace:
    """What is asked; one line where it cannot be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", choices=tuple(JUDGES), default="z3", help="who is asked, by default z3")
    parser.add_argument("--milliseconds", type=int, default=700, help="most for each formula")
    parser.add_argument("--paper", help="only the formulas of this one")
    parser.add_argument("--keep", action="store_true", help="keep which formulas the judge agrees on, for all who ask")
    parser.add_argument("--json", type=Path, help="where the counts are written")
    asked = parser.parse_args()
    if asked.milliseconds < 1:
        parser.error(f"--milliseconds must be at least 1, got {asked.milliseconds}")
    if asked.json is not None and not asked.json.resolve().parent.is_dir():
        parser.error(f"--json must be in a directory that exists, got {asked.json}")
    if asked.paper is not None and asked.keep:
        parser.error("--keep must come without --paper: what is kept is of all of them")
    try:
        asked.judge = JUDGES[asked.judge]()
    except ImportError:
        parser.error(f"{asked.judge} is not installed (pip install -e '.[judges]')")
    asked.registry = Registry()
    try:
        asked.papers = [asked.registry.paper(asked.paper)] if asked.paper else list(asked.registry.papers.values())
    except InvalidArgument as error:
        parser.error(f"--paper: {error}")
    return asked


def main() -> int:
    """Give a judge every formula that is decided here; the exit status is 1 where it disagrees."""
    asked = options()
    judge: Judge = asked.judge
    began = time.monotonic()
    counts: dict[str, Counter[str]] = {}
    disagreements, agreed = [], []
    for paper in asked.papers:
        key = paper.key
        counts[key] = Counter()
        for claim in track(claims_of(paper), description=key, disable=not sys.stderr.isatty()):
            status = asked.registry.evaluations[key].claim(claim).status
            if status not in (Status.PROVED, Status.REFUTED, Status.VACUOUS):
                continue
            answer = judged(judge, claim, status, asked.milliseconds)
            counts[key][answer] += 1
            if answer == "agrees":
                agreed.append(key_of(claim))
            if answer == "disagrees":
                disagreements.append(f"{key}: {status.value} {claim.variables} | {claim.assume} | {claim.claim}")
    print(f"{judge.name} {judge.version}")
    for key, found in (*counts.items(), ("all", sum(counts.values(), Counter()))):
        print(f"{key}: {', '.join(f'{count} {answer}' for answer, count in found.most_common())}")
    print(f"{time.monotonic() - began:.0f} s", *disagreements, sep="\n")
    if asked.keep:
        keep(judge.name, judge.version, dict.fromkeys(agreed, ""))
    if asked.json:
        record = {"counts": counts, "disagreements": disagreements, judge.name: judge.version}
        asked.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
