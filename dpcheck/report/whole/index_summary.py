"""The sentences that head the index, computed from its record, for all its views."""

from __future__ import annotations

from collections.abc import Iterable

from dpcheck.report.whole.model import IndexReport, PlacedOutcome


def sentences(report: IndexReport) -> tuple[str, ...]:
    """What is in the report and what came out, a sentence or two on each."""
    found = []
    if report.papers:
        steps = sum(line.steps for line in report.papers)
        errata = _many(sum(line.errata for line in report.papers), "erratum", "errata")
        readings = _many(sum(line.readings for line in report.papers), "reading")
        refuted = sum(count.count for line in report.papers for count in line.proofs if count.word == "REFUTED")
        definitions = sum(line.definitions for line in report.papers)
        besides = f" (and {_many(definitions, 'definition')})" if definitions else ""
        found.append(
            f"{_many(len(report.papers), 'paper')}, {_many(len(report.theorems), 'result')}, {steps:,} lines of their "
            f"proofs{besides}: {refuted} of the lines fail as printed ({errata} and {readings}, statements "
            "with them)."
        )
    ran = sum(count.count for count in report.outcomes)
    if ran:
        said = ", ".join(f"{count.word} {count.count}" for count in report.outcomes if count.count)
        instances = sum(line.instances for line in report.papers)
        where = f" on {instances:,} instances" if instances > ran else ""
        found.append(f"{_many(ran, 'claim')} of the papers set against running code{where}: {said}.")
    if report.contradicted:
        unexplained = len(_claims(one for one in report.contradicted if not one.outcome.expected))
        orders = any(one.outcome.word == "not compatible" for one in report.contradicted)
        found.append(
            f"{_many(len(_claims(report.contradicted)), 'claim')} contradicted"
            f"{' or not compatible' if orders else ''}, "
            + ("each for a reason that the errata give." if not unexplained else f"{unexplained} without an erratum.")
        )
    elif ran:
        found.append("None was contradicted.")
    if report.learners:
        odd = [line.name for line in report.learners if not line.as_expected]
        found.append(
            f"{_many(len(report.learners), 'learner')} held against {'its' if len(report.learners) == 1 else 'their'} "
            "privacy claims: " + (f"{', '.join(odd)} not as expected." if odd else "all as expected.")
        )
    uncovered = sum(len(line.uncovered) for line in report.papers)
    if uncovered:
        found.append(f"Of {_many(uncovered, 'entry', 'entries')} nothing is said, which is a defect of this report.")
    if report.failed:
        found.append(f"{_many(len(report.failed), 'check')} could not be made.")
    return tuple(found)


def _claims(placed: Iterable[PlacedOutcome]) -> set[tuple[str, str, str]]:
    """The claims of some outcomes, each once."""
    return {(one.paper, one.outcome.result, one.outcome.claim) for one in placed}


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"
