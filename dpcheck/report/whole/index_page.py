"""The index of a report as a page: every paper, theorem, learner and audit, and what came of the claims."""

from __future__ import annotations

from markupsafe import Markup

from dpcheck.report.pages.layout import Place, page, unique
from dpcheck.report.pages.outcome_rows import rows_of_placed
from dpcheck.report.paper.graph import Node, graph_svg, unconnected
from dpcheck.report.paper.summary import MEANINGS
from dpcheck.report.whole.index_summary import sentences
from dpcheck.report.whole.model import WORDS, IndexReport, TheoremLine


def render(report: IndexReport, place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page; ``place`` says where it is written and which pages it can lead to."""
    used = {count.word for line in report.papers for count in (*line.proofs, *line.statements) if count.count}
    used |= {status for line in report.theorems for status in (line.status, line.proof, line.repaired)}
    words = {count.word for counts in (report.outcomes, *(line.outcomes for line in report.papers)) for count in counts}
    words |= {"not run"} if any(line.not_run for line in report.theorems) else set()
    return page(
        "index.html",
        place,
        report=report,
        sentences=sentences(report),
        unexplained=rows_of_placed([one for one in report.contradicted if not one.outcome.expected], place),
        explained=rows_of_placed([one for one in report.contradicted if one.outcome.expected], place),
        statuses=[status for status, _ in MEANINGS if status in used],
        words=[word for word in WORDS if word in words],
        known={line.id for line in report.theorems},
        papers=unique(line.paper for line in report.theorems),
        graphs=_graphs(report.theorems, place),
    )


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
