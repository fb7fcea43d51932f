"""``dpcheck report``: one paper as a page, as Markdown and as JSON, and the errata for its readers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpcheck.cli import options as opt
from dpcheck.errors import InvalidArgument

if TYPE_CHECKING:
    from dpcheck.reporting.errata import CheckedPaper
    from dpcheck.theorems.registry import Registry

FOLDER = "reports"


def report(
    paper: Annotated[
        str,
        typer.Argument(metavar="PAPER", help="The paper's name, such as alon2019; `dpcheck theorems` lists them."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            rich_help_panel=opt.RESULT,
            show_default=False,
            help="The folder to write to, made if it is not there. By default reports/PAPER, with the errata of all "
            "papers in reports/errata.md; with DIR, everything goes there.",
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            rich_help_panel=opt.BUDGET,
            help="Fewer sizes and trials: some 20 seconds for a first look, with wide intervals.",
        ),
    ] = False,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Write a paper's report: what is known of each result and step, and what its learners do.

    Every certificate is replayed, headline claims are measured beside their bounds (of alon2019, so far), and four
    files are written: PAPER.html (one page that needs nothing else), PAPER.md, PAPER.json and errata.md. The same seed
    gives the same numbers.
    """
    from dpcheck.cli.documents import put, write_document
    from dpcheck.cli.failures import say
    from dpcheck.theorems.registry import Registry

    if jobs < 1:
        raise InvalidArgument(f"--jobs must be at least 1, got {jobs}")
    if seed < 0:
        raise InvalidArgument(f"--seed must be at least 0, got {seed}")
    registry = Registry()
    found = registry.paper(paper)
    folder = Path(FOLDER) / found.key if output is None else output
    _make_folder(folder)
    errata = (folder.parent if output is None else folder) / "errata.md"
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise InvalidArgument(f"report needs matplotlib ({error}): pip install 'dpcheck[plot]'") from error
    from dpcheck.reporting.errata import render as render_errata
    from dpcheck.reporting.paper.making import make_report
    from dpcheck.reporting.paper.markdown import render as render_markdown
    from dpcheck.reporting.paper.page import render as render_page
    from dpcheck.reporting.paper.record import render as render_json

    if not quiet:
        say(f"replaying the certificates of {found.key}")
    told = None if quiet else lambda key, place, of: say(f"measuring {place} of {of}: {key.replace('-', ' ')}")
    command = f"dpcheck report {found.key}{f' --seed {seed}' if seed else ''}{' --quick' if quick else ''}"
    made = make_report(registry, found.key, seed=seed, quick=quick, jobs=jobs, command=command, on_begin=told)
    documents = {
        folder / f"{found.key}.html": render_page(made),
        folder / f"{found.key}.md": render_markdown(made),
        folder / f"{found.key}.json": render_json(made),
        errata: render_errata(_checked_papers(registry)),
    }
    for path, text in documents.items():
        write_document("--output", path, text)
    if not quiet:
        say(f"done in {made.seconds:.0f} s")
    put("".join(f"{path}\n" for path in documents))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(f"--output must be a folder, got {str(folder)!r} ({error.strerror or error})") from error


def _checked_papers(registry: Registry) -> list[CheckedPaper]:
    from dpcheck.reporting.errata import CheckedPaper
    from dpcheck.reporting.paper.building import results_of
    from dpcheck.theorems.records import inventory_of

    papers: list[CheckedPaper] = []
    for key, paper in registry.papers.items():
        inventory = inventory_of(paper)
        if inventory is not None:
            papers.append(
                CheckedPaper(
                    key,
                    paper.title,
                    inventory.authors,
                    inventory.year,
                    results_of(paper, registry.evaluations[key]),
                    {step.label: step.section for step in inventory.steps},
                )
            )
    return papers
