"""``dpcheck report``: papers, learners and audits as pages, Markdown and JSON, with an index and the errata."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.model.errors import InvalidArgument

FOLDER = Path("reports")


#: They say how a report is made: nothing reads them where one is only drawn.
OF_A_RUN = ("quick", "jobs", "seed", "keep")


def report(
    context: typer.Context,
    targets: Annotated[
        list[str] | None,
        opt.argument(
            "TARGET...",
            "A paper (alon2019), one of its entries (alon2019:thm-3.1) or measurements (alon2019/private-cost); a "
            "learner (alon2019.cover, or any target of dpcheck audit); a Python file that declares a paper of your "
            "own; a JSON file that dpcheck audit or measure wrote. By default everything: all papers, all learners of "
            "dpcheck learners, the errata, the findings, and an index.",
            completion.reported,
        ),
        opt.Setting(place=opt.OBJECT),
    ] = None,
    out: Annotated[
        Path,
        opt.option(
            opt.RESULT,
            "The folder to write to, made if it is not there.",
            "--out",
            "--output",
            metavar="DIR",
            shown=True,
        ),
        opt.A_FILE,
    ] = FOLDER,
    records: Annotated[
        Path | None,
        opt.option(
            opt.RESULT,
            "Run nothing: only build the pages, of the JSON records that an earlier report left in this folder.",
            "--from",
            metavar="DIR",
        ),
        opt.NO_SETTING,  # "records" are those of the data
    ] = None,
    quick: Annotated[
        bool,
        opt.flag(
            opt.BUDGET,
            "Fewer sizes and trials for a first look, with wide intervals, which is marked on every page; or all "
            "of them: some minutes a paper, up to an hour for everything.",
            "--quick/--full",
        ),
    ] = False,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    keep: Annotated[
        bool,
        opt.flag(
            opt.RESULT,
            "Keep the record of what is done (.progress in the folder) when the report is complete.",
            "--keep",
        ),
    ] = False,
    part_timeout: Annotated[
        float | None,
        opt.number(
            opt.BUDGET,
            "A measurement or a learner's page that takes longer is ended, and the others go on; by default an hour "
            "(--quick) or four, and twenty times what a paper says it takes. Numbers depend on calls alone.",
            "SECONDS",
        ),
    ] = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Write reports: what is known of each result and step, and what comes of the claims where learners are run.

    Every certificate is replayed, every claim that can be run is run, and each paper, learner and audit gets a page
    that needs nothing else, with the same as Markdown and JSON. Ctrl-C leaves a report of what is there, and the same
    command goes on from there, also after it was killed: what is done is kept, what was under way is begun again. The
    same seed gives the same numbers. The exit status is 1 when a claim is contradicted and no erratum says why.
    """
    if seed < 0:
        raise InvalidArgument(f"--seed must be at least 0, got {seed}")
    if part_timeout is not None and not part_timeout > 0:
        raise InvalidArgument(f"--part-timeout must be a number of seconds above 0, got {part_timeout:g}")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise InvalidArgument(f"report needs matplotlib ({error}): pip install 'dpcheck[plot]'") from error
    if records is not None and targets:
        raise InvalidArgument(f"--from builds all pages of its records: leave out {targets[0]!r}")
    from dpcheck.cli.documents import put
    from dpcheck.cli.file_names import check_name
    from dpcheck.cli.nothing_given import refuse_unread
    from dpcheck.cli.report_run import Asked, build_pages, make_report
    from dpcheck.cli.settings import typed_options
    from dpcheck.report.whole.units import Level

    if records is not None:
        check_name("--from", records)
        refuse_unread(typed_options(context), OF_A_RUN, beside="--from")
        for path in build_pages(records, out):
            put(f"{path}\n")
        return
    asked = Asked(tuple(targets or ()), out, Level(seed, quick), jobs, keep, quiet, part_timeout)
    raise typer.Exit(make_report(asked))
