"""Coq judges: every formula of the papers that is decided here, as a theorem with a proof made of its certificate.

Coq's kernel has nothing of ours in it: what it accepts holds by the axioms that are printed, whatever our checker says.

    apt-get install coq libcoq-coquelicot libcoq-interval
    python benchmarks/coq_judge.py --jobs 2 --json coq.json
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rich.progress import Progress

from dpcheck.proof.coq.judge import Judged, judge, prepare, version
from dpcheck.proof.judges import keep, kept_of
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.registry import Registry
from dpcheck.proof.status import claims_of
from dpcheck.proof.store import key_of


def theorems(registry: Registry) -> dict[str, tuple[str, Formula, dict[str, Any]]]:
    """The formulas with an answer, and the paper that each is of, by name."""
    found: dict[str, tuple[str, Formula, dict[str, Any]]] = {}
    for key, paper in registry.papers.items():
        store = registry.evaluations[key].store
        for claim in claims_of(paper):
            answer = store.get(claim)
            if answer is not None and {"proof", "witness", "vacuous"} & set(answer):
                found.setdefault(f"f_{key_of(claim)}", (key, claim.formula, answer))
    return found


def kept_lemmas(registry: Registry) -> dict[str, tuple[Formula, dict[str, Any]]]:
    """The named lemmas with their certificates."""
    return {name: (claim.formula, registry.lemmas.get(claim) or {}) for name, claim in LEMMAS.items()}


def main() -> int:
    """Give Coq the formulas; the exit status is 1 where it accepts fewer than asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--draw", type=int, help="only so many, drawn")
    parser.add_argument("--seed", type=int, default=1, help="for --draw")
    parser.add_argument("--new", action="store_true", help="only those that are not kept as accepted")
    parser.add_argument("--least", type=float, default=0.9, help="the share that must be accepted")
    parser.add_argument("--keep", action="store_true", help="keep which formulas Coq accepts, for all who ask")
    parser.add_argument("--json", type=Path, help="where the answers are written")
    asked = parser.parse_args()
    registry = Registry()
    chosen = theorems(registry)
    if asked.draw is not None and asked.keep:
        parser.error("--keep must come without --draw: what is kept is of all formulas")
    kept = kept_of("Coq")
    if asked.new:
        chosen = {name: one for name, one in chosen.items() if name.removeprefix("f_") not in kept}
    if asked.draw is not None:
        drawn = random.Random(asked.seed).sample(sorted(chosen), min(asked.draw, len(chosen)))
        chosen = {name: chosen[name] for name in drawn}
    lemmas = kept_lemmas(registry)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory, Progress(disable=not sys.stderr.isatty()) as bar:
        prepare(Path(directory), lemmas)
        task = bar.add_task("Coq", total=len(chosen))
        formulas = {name: formula for name, (formula, _) in lemmas.items()}
        theorems_of = [(name, formula, answer) for name, (_, formula, answer) in chosen.items()]
        with ThreadPoolExecutor(asked.jobs) as pool:
            parts = list(
                pool.map(
                    lambda part: judge(Path(directory), part, formulas, lambda: bar.update(task, advance=1)),
                    [theorems_of[start :: asked.jobs] for start in range(asked.jobs)],
                )
            )
    answers = {name: said for found, _ in parts for name, said in found.items()}
    axioms = frozenset(axiom for _, found in parts for axiom in found)
    counts: dict[str, Counter[str]] = {}
    for name, said in answers.items():
        counts.setdefault(chosen[name][0], Counter())[said.answer] += 1
    whole = sum(counts.values(), Counter())
    for key, found in (*counts.items(), ("all", whole)):
        print(f"{key}: {', '.join(f'{count} {answer}' for answer, count in found.most_common())}")
    print(f"Coq {version()}, {(time.monotonic() - began) / 60:.1f} min; axioms: {', '.join(sorted(axioms))}")
    if asked.keep:
        now = {name.removeprefix("f_") for name, said in answers.items() if said.answer == "accepted"}
        keep("Coq", version(), now | (kept if asked.new else frozenset()))
    if asked.json:
        asked.json.write_text(json.dumps(_record(answers, axioms, counts), indent=1) + "\n", encoding="utf-8")
    return 0 if whole["accepted"] >= asked.least * len(answers) else 1


def _record(answers: dict[str, Judged], axioms: frozenset[str], counts: dict[str, Counter[str]]) -> dict[str, Any]:
    others = {name: [said.answer, said.why] for name, said in answers.items() if said.answer != "accepted"}
    return {"coq": version(), "counts": counts, "axioms": sorted(axioms), "others": others}


if __name__ == "__main__":
    sys.exit(main())
