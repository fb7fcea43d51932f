"""The index of a report as a page: every paper, theorem, learner and audit, and what came of the claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from markupsafe import Markup

from dpcheck.report.packages.document import PAGE, SurveyOfPackages
from dpcheck.report.packages.findings import headline
from dpcheck.report.pages.layout import Place, page, unique
from dpcheck.report.pages.numbers import shown_number
from dpcheck.report.pages.outcome_rows import rows_of_placed
from dpcheck.report.paper.graph import Node, graph_svg, unconnected
from dpcheck.report.paper.model import PaperReport
from dpcheck.report.paper.slack import slacks_of
from dpcheck.report.paper.slack_figure import SlackRow, slack_svg
from dpcheck.report.paper.summary import MEANINGS
from dpcheck.report.whole.index_summary import sentences
from dpcheck.report.whole.model import WORDS, Count, IndexReport, TheoremLine
from dpcheck.report.whole.paths import part_path


def render(
    report: IndexReport,
    place: Place = Place(),  # noqa: B008, a frozen value
    papers: Sequence[PaperReport] = (),
    packages: SurveyOfPackages | None = None,
) -> str:
    """The page.

    Parameters
    ----------
    report : the index's record
    place : where the page is written and which pages it can lead to
    papers : the records of its papers, of which the figure of how loose their bounds are is made
    packages : the survey of packages, where the report has one
    """
    used = {count.word for line in report.papers for count in (*line.proofs, *line.statements) if count.count}
    used |= {status for line in report.theorems for status in (line.status, line.proof, line.repaired)}
    words = {count.word for counts in (report.outcomes, *(line.outcomes for line in report.papers)) for count in counts}
    words |= {"not run"} if any(line.not_run for line in report.theorems) else set()
    return page(
        "index.html",
        place,
        record="index.json",
        report=report,
        sentences=sentences(report),
        unexplained=rows_of_placed([one for one in report.contradicted if not one.outcome.expected], place),
        explained=rows_of_placed([one for one in report.contradicted if one.outcome.expected], place),
        statuses=[status for status, _ in MEANINGS if status in used],
        words=[word for word in WORDS if word in words],
        known={line.id for line in report.theorems},
        papers=unique(line.paper for line in report.theorems),
        graphs=_graphs(report.theorems, place),
        odd=[line for line in report.learners if not line.as_expected],
        verdicts=[Count(word, count) for word, count in Counter(line.status for line in report.learners).most_common()],
        packages=None if packages is None else (PAGE, headline(packages), packages.command),
        slack=Markup(slack_svg(_slack_rows(papers, place))),
        most_steps=max((line.steps for line in report.papers), default=0),
        most_claims=max((sum(count.count for count in line.outcomes) for line in report.papers), default=0),
    )


def _slack_rows(papers: Sequence[PaperReport], place: Place) -> list[SlackRow]:
    """A row for each paper, the loosest first, by the middle one of its bounds."""
    found = []
    for report in papers:
        slacks = tuple(one for measurement in report.measurements for one in slacks_of(measurement))
        if slacks and not report.part:
            half = median(one.middle for one in slacks)
            said = f"{len(slacks)} bounds, the middle one {shown_number(half)}×"
            row = SlackRow(report.paper, report.title, place.to(part_path(report.paper), "part-slack"), slacks, said)
            found.append((half, row))
    return [row for _, row in sorted(found, key=lambda one: -one[0])]


def _graphs(theorems: tuple[TheoremLine, ...], place: Place) -> list[tuple[str, Markup, tuple[TheoremLine, ...]]]:
    """For each paper its graph, and the results that are not in it."""
    found = []
    for number, paper in enumerate(unique(line.paper for line in theorems)):
        lines = [line for line in theorems if line.paper == paper]
        graph = graph_svg(_nodes(lines, place), f"graph-{number}")
        if graph:
            found.append((paper, Markup(graph), unconnected(lines)))
    return found


def _nodes(lines: list[TheoremLine], place: Place) -> tuple[Node, ...]:
    """The lines as boxes; errata reach from each that has a refuted statement or proof to all that rest on it."""
    faulty = {line.id for line in lines if "REFUTED" in (line.status, line.proof)}
    by_id = {line.id: line for line in lines}
    below: dict[str, set[str]] = {}

    def all_below(id: str) -> set[str]:
        if id not in below:
            below[id] = set()
            for other in by_id[id].rests_on:
                if other in by_id:
                    below[id] |= {other} | all_below(other)
        return below[id]

    nodes = []
    for line in lines:
        touched = tuple(by_id[other].short for other in by_id if other in faulty & all_below(line.id))
        link = place.to_result(line.id)
        nodes.append(
            Node(
                line.id, line.short, line.title, line.status, line.repaired, line.rests_on, line.used_by, touched,
                line.id in faulty or bool(touched), link,
            )
        )  # fmt: skip
    return tuple(nodes)
