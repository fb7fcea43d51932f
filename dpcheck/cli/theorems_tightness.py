"""``dpcheck theorems --compare``: upper against lower bounds, as tables, JSON and a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcheck.model.errors import InvalidArgument

if TYPE_CHECKING:
    from rich.console import Group

    from dpcheck.proof.registry import Registry
    from dpcheck.proof.statement import Paper, Theorem


def compare_bounds(
    registry: Registry, papers: Sequence[Paper], theorem: Theorem | None, *, plot: Path | None, as_json: bool
) -> None:
    """Print the ratio of the bounds of every claim of tightness, and draw it.

    Raises
    ------
    InvalidArgument
        When the result asked for, or no result, makes such a claim.
    """
    from dpcheck.cli.documents import put, show_drawn, write_document

    records = records_of(registry, papers, theorem)
    if not records:
        makers = [found.id for paper in registry.papers.values() for found in paper.theorems if found.tightness]
        what = theorem.id if theorem is not None else ", ".join(paper.key for paper in papers)
        raise InvalidArgument(f"{what} does not call two bounds close; there are {', '.join(makers)}")
    if as_json:
        import json

        put(json.dumps(records, indent=1) + "\n")
    else:
        for record in records:
            show_drawn(_drawn(record), least_width=130)
    if plot is not None:
        from dpcheck.model.verdict.plots import as_svg
        from dpcheck.report.tightness import tightness_figure

        write_document("--plot", plot, as_svg(tightness_figure(records)))


def records_of(registry: Registry, papers: Sequence[Paper], theorem: Theorem | None = None) -> list[dict[str, Any]]:
    """The records of all claims of tightness of some papers, or of one result."""
    from dpcheck.report.tightness import tightness_record

    return [
        tightness_record(claim, registry.evaluations[paper.key].theorem(found.id).status.value)
        for paper in papers
        for found in paper.theorems
        if found.tightness is not None and theorem in (None, found)
        for claim in found.tightness()
    ]


def _drawn(record: Mapping[str, Any]) -> Group:
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from dpcheck.report.tightness import fixed_words, rows_of, verdict_words

    heads, rows = rows_of(record)
    table = Table()
    for head in heads:
        table.add_column(head, justify="right")
    for row in rows:
        table.add_row(*row)
    gap = "constants" if record["gap"] == "1" else record["gap"]
    return Group(
        Text(f"{record['source']} ({record['status']}): {record['name']}", style="bold"),
        Text(f"“{record['says']}”"),
        Text(f"{record['upper']['source']} over {record['lower']['source']}; gap admitted: {gap}"),
        Text(f"left out: {record['hidden']}"),
        Text(f"here {fixed_words(record)}"),
        table,
        Padding(Text(verdict_words(record), style="green" if record["agrees"] else "bold red"), (0, 0, 1, 0)),
    )
