"""Coq judges: every formula of the papers that is decided here, as a theorem with a proof made of its certificate.

Coq's kernel has nothing of ours in it: what it accepts holds by the axioms that are printed, whatever our checker says.

    apt-get install coq libcoq-coquelicot libcoq-interval
    python benchmarks/coq_judge.py --jobs 2 --json coq.json
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rich.progress import Progress

from dpcheck.proof.coq.judge import Judged, judge, prepare, version
from dpcheck.proof.coq.theory import digest_of
from dpcheck.proof.judges import given_to, keep, kept_of
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Paper, Status
from dpcheck.proof.status import claims_of
from dpcheck.proof.store import key_of

#: Answers after which those so far are kept.
KEPT_AFTER = 50


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
    everything = chosen = theorems(registry)
    if asked.draw is not None and asked.keep:
        parser.error("--keep must come without --draw: what is kept is of all formulas")
    kept = kept_of("Coq")

    def given(accepted: frozenset[str]) -> str:
        return digest_of((formula, answer) for name, (_, formula, answer) in everything.items() if name[2:] in accepted)

    if given(kept) != given_to("Coq"):
        if asked.new:
            parser.error("--new must come with formulas that are written as they were: give Coq all of them")
        kept = frozenset()  # of what is written otherwise now Coq has accepted nothing
    if asked.new:
        chosen = {name: one for name, one in chosen.items() if name.removeprefix("f_") not in kept}
    if asked.draw is not None:
        drawn = random.Random(asked.seed).sample(sorted(chosen), min(asked.draw, len(chosen)))
        chosen = {name: chosen[name] for name in drawn}
    lemmas = kept_lemmas(registry)
    before = kept if asked.new else frozenset[str]()
    answers: dict[str, Judged] = {}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory, Progress(disable=not sys.stderr.isatty()) as bar:
        prepare(Path(directory), lemmas)
        task, one_at_a_time = bar.add_task("Coq", total=len(chosen)), threading.Lock()

        def told(name: str, said: Judged) -> None:
            with one_at_a_time:
                answers[name] = said
                bar.update(task, advance=1)
                if asked.keep and len(answers) % KEPT_AFTER == 0:  # a run of half an hour may be stopped
                    so_far = kept | _accepted(answers)
                    keep("Coq", version(), so_far, given(so_far))

        formulas = {name: formula for name, (formula, _) in lemmas.items()}
        asked_of = [(name, formula, answer) for name, (_, formula, answer) in chosen.items()]
        with ThreadPoolExecutor(asked.jobs) as pool:
            parts = [asked_of[start :: asked.jobs] for start in range(asked.jobs)]
            found = list(pool.map(lambda part: judge(Path(directory), part, formulas, told), parts))
    axioms = frozenset(axiom for _, each in found for axiom in each)
    counts: dict[str, Counter[str]] = {}
    for name, said in answers.items():
        counts.setdefault(chosen[name][0], Counter())[said.answer] += 1
    whole = sum(counts.values(), Counter())
    for key, each in (*counts.items(), ("all", whole)):
        print(f"{key}: {', '.join(f'{count} {answer}' for answer, count in each.most_common())}")
    print(f"Coq {version()}, {(time.monotonic() - began) / 60:.1f} min; axioms: {', '.join(sorted(axioms))}")
    if asked.keep:
        keep("Coq", version(), before | _accepted(answers), given(before | _accepted(answers)))
    if asked.draw is None:
        lines = lines_of(registry, before | _accepted(answers))
        print(f"lines: {', '.join(f'{count} {words}' for words, count in lines.items())}")
    if asked.json:
        asked.json.write_text(json.dumps(_record(answers, axioms, counts), indent=1) + "\n", encoding="utf-8")
    return 0 if whole["accepted"] >= asked.least * len(answers) else 1


def lines_of(registry: Registry, accepted: frozenset[str]) -> dict[str, int]:
    """Of the lines that are PROVED, those of which Coq accepts all formulas, and of these those of numbers alone.

    In a line of numbers alone nothing but names is between its formulas and the printed line.
    """
    found = {"PROVED": 0, "with all formulas accepted": 0, "of these of numbers alone": 0}
    for key, paper in registry.papers.items():
        for step in paper.steps:
            if registry.evaluations[key].step(step.label).status is not Status.PROVED:
                continue
            found["PROVED"] += 1
            claims = claims_of(Paper(paper.key, paper.title, (), (step,)))
            if all(key_of(claim) in accepted for claim in claims):
                found["with all formulas accepted"] += 1
                objects = step.derivation.objects if step.derivation is not None else ""
                numbers = all(re.match(r"\s*\w+ in |\s*$", each) for each in objects.split(";"))
                found["of these of numbers alone"] += numbers
    return found


def _accepted(answers: dict[str, Judged]) -> frozenset[str]:
    return frozenset(name.removeprefix("f_") for name, said in answers.items() if said.answer == "accepted")


def _record(answers: dict[str, Judged], axioms: frozenset[str], counts: dict[str, Counter[str]]) -> dict[str, Any]:
    others = {name: [said.answer, said.why] for name, said in answers.items() if said.answer != "accepted"}
    return {"coq": version(), "counts": counts, "axioms": sorted(axioms), "others": others}


if __name__ == "__main__":
    sys.exit(main())
