"""``dpcheck measure``: how much a learner leaks, without any claim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import options as opt

if TYPE_CHECKING:
    pass

# The contract's defaults of measure: one statement at the usual confidence, from a fixed number of calls.
ALPHA = 0.05
MAX_SAMPLES = 200_000
MAX_SECONDS = 60.0
CALL_TIMEOUT = 10.0


def measure(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="package.module:name, path/file.py:name or zoo:name.")
    ],
    delta: Annotated[
        float,
        typer.Option(
            parser=opt.number,
            metavar="NUMBER",
            rich_help_panel=opt.CLAIM,
            help="The delta at which epsilon is measured.",
        ),
    ] = 0.0,
    neighbours: opt.NeighboursOption = None,
    records: opt.Records = None,
    bounds: opt.Bounds = None,
    labels: opt.Labels = None,
    dataset: opt.Dataset = None,
    label: opt.Label = None,
    pairs: opt.Pairs = None,
    alpha: opt.Alpha = ALPHA,
    max_samples: opt.MaxSamples = MAX_SAMPLES,
    max_seconds: opt.MaxSeconds = MAX_SECONDS,
    call_timeout: opt.CallTimeout = CALL_TIMEOUT,
    isolation: opt.IsolationOption = opt.Isolation.PROCESS,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    option: opt.LearnerOptions = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg",
            rich_help_panel=opt.RESULT,
            show_default=False,
            help="Draw the privacy profile (needs dpcheck[plot]).",
        ),
    ] = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Measure how much a learner leaks: a certified lower bound on its epsilon, and its privacy profile.

    Learns on a first part of the calls what tells two neighbouring datasets apart, and certifies it once on
    the rest.
    """
    from dpcheck.run.measure import measure as run_measure

    from dpcheck.cli.asked import asked_of
    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, put
    from dpcheck.cli.targets import resolve
    from dpcheck.cli.values import parse_options

    check_writable("--plot", plot)
    asked = asked_of(
        claim=None,
        neighbours=neighbours,
        records=records,
        bounds=bounds or [],
        labels=labels,
        dataset=dataset,
        label=label,
        pairs=pairs,
    )
    found = resolve(target, parse_options(option or []))
    effort: dict[str, Any] = {
        "delta": delta,
        "alpha": alpha,
        "max_samples": max_samples,
        "max_seconds": max_seconds,
        "call_timeout": call_timeout,
        "isolation": isolation.value,
        "jobs": jobs,
        "seed": seed,
    }
    with display(quiet=quiet) as listener:
        found_out = run_measure(found.target, **asked.arguments_for(found), **effort, on_event=listener)
    put(describe_measurement(found_out))
    if plot is not None:
        _save(found_out, plot)
