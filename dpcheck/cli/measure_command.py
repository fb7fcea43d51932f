"""``dpcheck measure``: how much a learner leaks, without any claim."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt

# The contract's defaults of measure: one statement at the usual confidence, from a fixed number of calls.
ALPHA = 0.05
MAX_SAMPLES = 200_000
MAX_SECONDS = 60.0


@opt.grouped
def measure(
    *,
    target: Annotated[
        str | None,
        opt.argument(
            "TARGET",
            "One learner: package.module:name, path/file.py:name, zoo:name or learner:paper.name. By default target in "
            "[tool.dpcheck], or the one that targets has there.",
            completion.targets,
        ),
        opt.Setting(place=opt.OBJECT),
    ] = None,
    delta: Annotated[float, opt.number(opt.CLAIM, "The delta at which epsilon is measured.", shown=True)] = 0.0,
    given: opt.Given,
    alpha: opt.Alpha = ALPHA,
    max_samples: opt.MaxSamples = MAX_SAMPLES,
    max_seconds: opt.MaxSeconds = MAX_SECONDS,
    dry_run: opt.DryRun = False,
    called: opt.Called,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    option: opt.LearnerOptions = None,
    plot: Annotated[
        Path | None,
        opt.option(opt.RESULT, "Draw the privacy profile (needs dpcheck[plot]).", metavar="FILE.svg"),
        opt.A_FILE,
    ] = None,
    json_file: opt.JsonFile = None,
    journal: opt.Journal = None,
    backend: opt.Backend = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Measure how much a learner leaks: a certified lower bound on its epsilon, and its privacy profile.

    Learns on a first part of the calls what tells two neighbouring datasets apart, and certifies it on the
    rest, in stages that later ones learn from.
    """
    from dpcheck.cli.asked import asked_of
    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, hand_out
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.cli.file_names import check_apart
    from dpcheck.cli.settings import the_one_target
    from dpcheck.cli.targets import resolve
    from dpcheck.cli.values import backend_of, parse_options
    from dpcheck.model.verdict import Stop
    from dpcheck.model.verdict.plots import as_svg
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.privacy.run.measure import measure as run_measure
    from dpcheck.report.exit_status import Exit
    from dpcheck.report.measurement import render

    check_plot(plot)
    check_writable("--json", json_file)
    target = the_one_target(Path.cwd(), "measure") if target is None else target
    check_apart(given.read([target]), {"--json": json_file, "--plot": plot})
    asked = asked_of(None, given)
    limits = Limits(
        alpha=alpha,
        max_samples=max_samples,
        max_seconds=max_seconds,
        **vars(called),
        jobs=jobs,
        seed=seed,
        journal=journal,
        executor=backend_of(backend),
    )
    with out_of_the_way(json_file, plot):
        found = resolve(target, parse_options(option or []), isolation=limits.isolation, resources=limits.resources)
        if dry_run:
            from dpcheck.cli.dry_run import show_measurement

            show_measurement(found.target, asked.arguments_for(found), limits, delta, json_file=json_file)
        with display(quiet=quiet) as listener:
            limited = {name: value for name, value in vars(limits).items() if name != "detect"}
            measured = run_measure(
                found.target, delta=delta, **asked.arguments_for(found), **limited, on_event=listener
            )
        hand_out(
            lambda: render(measured),
            None,
            ("--json", json_file, measured.to_json),
            ("--plot", plot if measured.profile else None, lambda: as_svg(measured.plot())),
            words=True,
        )
    if measured.stop is Stop.INTERRUPTED:
        raise typer.Exit(Exit.INTERRUPTED)
    if measured.failure:
        raise typer.Exit(Exit.LEARNER_FAILED)


def check_plot(plot: Path | None) -> None:
    """Refuse, before anything is run, what could not be drawn afterwards."""
    from importlib.util import find_spec

    from dpcheck.cli.documents import check_writable
    from dpcheck.model.errors import InvalidArgument

    check_writable("--plot", plot)
    if plot is not None and plot.suffix.lower() != ".svg":
        raise InvalidArgument(f"--plot must be a file that ends in .svg, got {str(plot)!r}")
    if plot is not None and find_spec("matplotlib") is None:
        raise InvalidArgument("--plot needs matplotlib: pip install 'dpcheck[plot]'")
