"""The errata of papers as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpcheck.report.errata import INTRODUCTION, SEVERITIES, CheckedPaper, touched_by, where_of, witness_command
from dpcheck.report.pages.layout import Place, page
from dpcheck.report.paper.model import FormulaShown
from dpcheck.report.paper.summary import UNEXPLAINED, Fault, by_loss, owners

#: What stands on the first screen: conclusions that do not hold.
GRAVEST = next(iter(SEVERITIES))


@dataclass(frozen=True)
class FaultShown:
    """A refuted line or statement as it stands on the page."""

    anchor: str
    name: str
    link: str
    severity: str
    clean: bool
    where: str
    quotes: str
    printed: str
    reading: str
    explanation: str
    readings: str
    witness: str
    computed: str
    against: tuple[FormulaShown, ...]
    repair: str
    repair_status: str
    because: str
    downstream: str
    touches: str
    command: str


@dataclass(frozen=True)
class PaperErrata:
    """A paper with what is refuted in it."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: int
    faults: tuple[FaultShown, ...]
    link: str = ""

    @property
    def errata(self) -> int:
        """How many are legible as quoted."""
        return sum(fault.clean for fault in self.faults)

    @property
    def readings(self) -> int:
        """How many rest on a reading."""
        return len(self.faults) - self.errata


def render(papers: Sequence[CheckedPaper], place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page; ``place`` says where it is written and which pages it can lead to."""
    shown = [
        PaperErrata(
            paper.key,
            paper.title,
            paper.authors,
            paper.year,
            tuple(_fault_shown(fault, paper, place) for fault in by_loss(paper.results)),
            place.to_paper(paper.key),
        )
        for paper in papers
    ]
    return page(
        "errata.html",
        place,
        papers=shown,
        introduction=INTRODUCTION,
        severities=tuple(SEVERITIES.items()),
        severities_shown=(*SEVERITIES.items(), (UNEXPLAINED, "")),
        worst=[(paper.key, fault) for paper in shown for fault in paper.faults if fault.severity == GRAVEST],
    )


def _fault_shown(fault: Fault, paper: CheckedPaper, place: Place) -> FaultShown:
    result, step = fault.result, fault.step
    erratum = result.erratum if step is None else step.erratum
    owner = "" if step is None else owners(paper.results)[step.label]
    if step is None:
        name, link = f"{result.short}: the statement", place.to_result(result.id)
        printed, reading, against, witness, computed = result.statement, "", result.against, "", result.witness
        repair, status = result.repaired_statement or "no repair", result.repaired
        because, downstream = "", ""
    else:
        name, link = step.label, place.to_step(paper.key, owner, step.label)
        printed = step.printed + (f"; for {step.domain.removeprefix('for ')}" if step.domain else "")
        reading, against, computed = step.reading, step.against, step.computed
        witness = "the opposite is proved" if against else step.witness
        repair, status, because, downstream = "no repair", "", "", ""
        if step.repair is not None:
            repair, status = step.repair.statement, step.repair.status
            because, downstream = step.repair.because, step.repair.downstream
    return FaultShown(
        anchor=f"{paper.key}-{result.short if step is None else 'step-' + step.label}".replace(" ", "-"),
        name=name,
        link=link,
        severity=fault.severity,
        clean=fault.clean,
        where=where_of(fault, paper),
        quotes="" if erratum is None else erratum.quotes,
        printed=printed,
        reading=reading,
        explanation="" if erratum is None else erratum.explanation,
        readings="" if erratum is None else erratum.readings,
        witness=witness,
        computed=computed,
        against=against,
        repair=repair,
        repair_status=status,
        because=because,
        downstream=downstream,
        touches=touched_by(fault, paper),
        command=witness_command(result),
    )
