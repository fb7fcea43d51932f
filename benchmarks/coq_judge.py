"""Coq judges: every formula of the papers that is decided here, and every derivation that is proved, as a theorem.

A formula's proof is made of its certificate; a derivation's, of its rules, from what its formulas say. Coq's kernel has
nothing of ours in it: what it accepts holds by the axioms that are printed, whatever our checker says.

    apt-get install coq libcoq-coquelicot libcoq-interval
    python benchmarks/coq_judge.py --jobs 2 --json coq.json
    python benchmarks/coq_judge.py --jobs 2 --only derivations
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.progress import Progress

from dpcheck.proof.coq.judge import Judged, judge, judge_derivations, prepare, version
from dpcheck.proof.coq.theory import digest_of, digest_of_derivation
from dpcheck.proof.derivation.lines import Derivation
from dpcheck.proof.judges import DERIVATIONS, FORMULAS, given_to, keep, kept_of, key_of_derivation
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


def derivations(registry: Registry) -> dict[str, tuple[str, Derivation, dict[Formula, Mapping[str, Any]]]]:
    """The derivations that are proved, with what is kept of their formulas, and the paper that each is of, by name."""
    found: dict[str, tuple[str, Derivation, dict[Formula, Mapping[str, Any]]]] = {}
    for key in registry.papers:
        evaluation = registry.evaluations[key]
        for derived in evaluation.derivations():
            if derived.status is Status.PROVED:
                name = f"d_{key_of_derivation(derived.derivation)}"
                found.setdefault(name, (key, derived.derivation, evaluation.answers_of(derived)))
    return found


@dataclass(frozen=True)
class Asked:
    """What Coq is asked about: formulas, or derivations, by name with the paper of each; how, and what it is told."""

    of: str
    papers: dict[str, str]
    give: Callable[[Path, Sequence[str], Callable[[str, Judged], None]], tuple[dict[str, Judged], frozenset[str]]]
    given: Callable[[str], str]


def about_formulas(registry: Registry) -> Asked:
    """The formulas, each by its certificate."""
    everything, lemmas = theorems(registry), kept_lemmas(registry)
    formulas = {name: formula for name, (formula, _) in lemmas.items()}

    def give(
        directory: Path, names: Sequence[str], tell: Callable[[str, Judged], None]
    ) -> tuple[dict[str, Judged], frozenset[str]]:
        return judge(directory, [(name, *everything[name][1:]) for name in names], formulas, tell)

    def given(name: str) -> str:
        return digest_of(*everything[name][1:])

    return Asked(FORMULAS, {name: paper for name, (paper, _, _) in everything.items()}, give, given)


def about_derivations(registry: Registry) -> Asked:
    """The derivations, each by its rules, from what its formulas say."""
    everything = derivations(registry)

    def give(
        directory: Path, names: Sequence[str], tell: Callable[[str, Judged], None]
    ) -> tuple[dict[str, Judged], frozenset[str]]:
        return judge_derivations(directory, [(name, *everything[name][1:]) for name in names], tell)

    def given(name: str) -> str:
        return digest_of_derivation(*everything[name][1:])

    return Asked(DERIVATIONS, {name: paper for name, (paper, _, _) in everything.items()}, give, given)


def main() -> int:
    """Give Coq formulas and derivations; the exit status is 1 where it accepts fewer than asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--only", choices=(FORMULAS, DERIVATIONS), help="by default both")
    parser.add_argument("--draw", type=int, help="only so many of each, drawn")
    parser.add_argument("--seed", type=int, default=1, help="for --draw")
    parser.add_argument("--new", action="store_true", help="only those that are not kept as accepted as they are")
    parser.add_argument("--least", type=float, default=0.9, help="the share of each that must be accepted")
    parser.add_argument("--keep", action="store_true", help="keep what Coq accepts, for all who ask")
    parser.add_argument("--json", type=Path, help="where the answers are written")
    options = parser.parse_args()
    for name, least in (("jobs", 1), ("draw", 1), ("seed", 0)):
        value = getattr(options, name)
        if value is not None and value < least:
            parser.error(f"--{name} must be at least {least}, got {value}")
    if not 0 <= options.least <= 1:
        parser.error(f"--least must be a share from 0 to 1, got {options.least:g}")
    if options.json is not None and not options.json.resolve().parent.is_dir():
        parser.error(f"--json must be in a directory that exists, got {options.json}")
    if options.draw is not None and options.keep:
        parser.error("--keep must come without --draw: what is kept is of all of them")
    registry = Registry()
    made = {FORMULAS: about_formulas, DERIVATIONS: about_derivations}
    records = {}
    for of in (options.only,) if options.only else (FORMULAS, DERIVATIONS):
        records[of] = _judged(made[of](registry), options, kept_lemmas(registry))
    if options.draw is None:
        lines = lines_of(registry, kept_of("Coq"), kept_of("Coq", DERIVATIONS))
        print(f"lines, by what is kept: {', '.join(f'{count} {words}' for words, count in lines.items())}")
    if options.json:
        options.json.write_text(json.dumps({"coq": version(), **records}, indent=1) + "\n", encoding="utf-8")
    enough = all(record["accepted"] >= options.least * record["asked"] for record in records.values())
    return 0 if enough else 1


def _judged(
    about: Asked, options: argparse.Namespace, lemmas: dict[str, tuple[Formula, dict[str, Any]]]
) -> dict[str, Any]:
    """Coq's answers, counted and told; those accepted are kept, where asked for."""
    before = given_to("Coq", about.of)
    # Of what is written otherwise now, or is no more, nothing was accepted.
    kept = {name[2:]: about.given(name) for name in about.papers if name[2:] in before}
    kept = {key: given for key, given in kept.items() if given == before[key]}
    chosen = sorted(name for name in about.papers if not (options.new and name[2:] in kept))
    if options.draw is not None:
        chosen = random.Random(options.seed).sample(chosen, min(options.draw, len(chosen)))
    answers: dict[str, Judged] = {}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory, Progress(disable=not sys.stderr.isatty()) as bar:
        prepare(Path(directory), lemmas)
        task, one_at_a_time = bar.add_task(f"Coq: {about.of}", total=len(chosen)), threading.Lock()

        def told(name: str, said: Judged) -> None:
            with one_at_a_time:
                answers[name] = said
                bar.update(task, advance=1)
                if options.keep and len(answers) % KEPT_AFTER == 0:  # a run of half an hour may be stopped
                    keep("Coq", version(), kept | _accepted(about, answers), about.of)

        with ThreadPoolExecutor(options.jobs) as pool:
            parts = [chosen[start :: options.jobs] for start in range(options.jobs)]
            found = list(pool.map(lambda part: about.give(Path(directory), part, told), parts))
    axioms = frozenset(axiom for _, each in found for axiom in each)
    counts: dict[str, Counter[str]] = {}
    for name, said in answers.items():
        counts.setdefault(about.papers[name], Counter())[said.answer] += 1
    whole = sum(counts.values(), Counter())
    print(f"{about.of}:")
    for key, each in (*counts.items(), ("all", whole)):
        print(f"{key}: {', '.join(f'{count} {answer}' for answer, count in each.most_common())}")
    print(f"Coq {version()}, {(time.monotonic() - began) / 60:.1f} min; axioms: {', '.join(sorted(axioms))}")
    if options.keep:
        keep("Coq", version(), (kept if options.new else {}) | _accepted(about, answers), about.of)
    others = {name: [said.answer, said.why] for name, said in answers.items() if said.answer != "accepted"}
    return {
        "asked": len(answers), "accepted": whole["accepted"], "counts": counts, "axioms": sorted(axioms),
        "others": others, "seconds": {name: round(said.seconds, 1) for name, said in answers.items()},
    }  # fmt: skip


def lines_of(registry: Registry, formulas: Collection[str], follows: Collection[str]) -> dict[str, int]:
    """Of the lines that are PROVED, those of which Coq accepts all formulas, and of these those that follow so."""
    found = {"PROVED": 0, "with all formulas accepted": 0, "accepted as a whole": 0}
    for key, paper in registry.papers.items():
        for step in paper.steps:
            result = registry.evaluations[key].step(step.label).printed
            if result.status is not Status.PROVED:
                continue
            found["PROVED"] += 1
            claims = claims_of(Paper(paper.key, paper.title, (), (step,)))
            if all(key_of(claim) in formulas for claim in claims):
                found["with all formulas accepted"] += 1
                derived = result.derived
                found["accepted as a whole"] += derived is not None and key_of_derivation(derived.derivation) in follows
    return found


def _accepted(about: Asked, answers: dict[str, Judged]) -> dict[str, str]:
    return {name[2:]: about.given(name) for name, said in answers.items() if said.answer == "accepted"}


if __name__ == "__main__":
    sys.exit(main())
