"""``dpcheck white-box``: is a training what was accounted for it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.cli.training_documents import Outside, Written, write_verdict

if TYPE_CHECKING:
    from dpcheck.cli.trained_targets import Trained

# The rest of the verdict is not random, and noise tells much: as small as nobody has to think of it.
ALPHA = 1e-6


@opt.grouped
def white_box(
    context: typer.Context,
    target: Annotated[
        str,
        opt.argument(
            "TARGET",
            "package.module:name or path/file.py:name, a training that takes a dataset, rng and transcript; or "
            "trained:NAME, one of our own (trained: lists them).",
            completion.trainings,
        ),
        opt.NO_SETTING,
    ],
    *,
    claimed: opt.Claimed,
    noise_multiplier: Annotated[
        float | None,
        opt.number(opt.CLAIM, "Accounted: the deviation of the noise in a sum, over the clipping norm."),
        opt.NO_SETTING,
    ] = None,
    clipping_norm: Annotated[
        float | None,
        opt.number(opt.CLAIM, "Accounted: the largest norm of what one record gives to a sum."),
        opt.NO_SETTING,
    ] = None,
    steps: Annotated[int | None, opt.count(opt.CLAIM, "Accounted: the most releases."), opt.NO_SETTING] = None,
    sampling_rate: Annotated[
        float | None,
        opt.number(
            opt.CLAIM, "Accounted: the probability of a record to be in a batch (Poisson). Without it: no sampling."
        ),
        opt.NO_SETTING,
    ] = None,
    participations: Annotated[
        int | None,
        opt.count(opt.CLAIM, "Accounted, without sampling: the most releases that use a record; by default all."),
        opt.NO_SETTING,
    ] = None,
    votes: Annotated[
        bool,
        opt.flag(
            opt.CLAIM,
            "Accounted: releases are votes or the like, no sums of what each record gives by itself; the clipping norm "
            "is their sensitivity.",
            "--votes",
        ),
        opt.NO_SETTING,
    ] = False,
    neighbours: Annotated[
        Outside,
        opt.option(opt.CLAIM, "One record is added or removed, or another is in its place.", shown=True),
        opt.NO_SETTING,
    ] = Outside.ADD_REMOVE,
    public_size: Annotated[
        bool,
        opt.flag(opt.CLAIM, "The number of records is public, so that the training may use it.", "--public-size"),
        opt.NO_SETTING,
    ] = False,
    at_delta: Annotated[
        float | None,
        opt.number(opt.CLAIM, "The delta at which epsilon is told. By default the claim's, or 1e-5.", "DELTA"),
        opt.NO_SETTING,
    ] = None,
    dataset: Annotated[
        str | None,
        opt.option(opt.DATA, "file.csv, .npz, .npy or sklearn:NAME: what it is trained on.", metavar="FILE"),
        opt.NO_SETTING,
    ] = None,
    label: Annotated[
        str | None,
        opt.option(opt.DATA, "The dataset's label column, by name or number from 0.", metavar="COLUMN"),
        opt.NO_SETTING,
    ] = None,
    canaries: Annotated[
        str | None,
        opt.option(
            opt.DATA,
            "Records that are tried for what they give, a file like the dataset's. By default its largest, half of "
            "them with another label.",
            metavar="FILE",
        ),
        opt.NO_SETTING,
    ] = None,
    alpha: Annotated[
        float, opt.number(opt.BUDGET, "The probability of a false alarm.", shown=True), opt.NO_SETTING
    ] = ALPHA,
    runs: Annotated[
        int, opt.count(opt.BUDGET, "Trainings from which noise and sampling are judged.", shown=True), opt.NO_SETTING
    ] = 2,
    train_timeout: Annotated[
        float,
        opt.number(opt.LEARNER, "A training that takes longer has failed.", "SECONDS", shown=True),
        opt.NO_SETTING,
    ] = 24 * 3600.0,
    isolation: opt.IsolationOption = opt.Isolation.PROCESS,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    journal: opt.Journal = None,
    format: Annotated[
        Written,
        opt.option(opt.RESULT, "What is written; it never changes the exit status.", shown=True),
        opt.NO_SETTING,
    ] = Written.TEXT,
    output: opt.Output = None,
    json_file: opt.JsonFile = None,
    quiet: opt.Quiet = False,
    allow_inconclusive: opt.AllowInconclusive = False,
    traceback: opt.Traceback = False,
) -> None:
    """Audit a training with noise in each step from inside: is it what was accounted for it?

    The training hands its batches and its releases to a transcript, and is replayed with those of an earlier run: so
    that each premise of its privacy proof is looked at by itself, and what is broken has a name: clipping, noise,
    sampling, steps, leftovers (what depends on the data beside the releases), accounting.
    Exit status: 0 as accounted, 1 not as accounted, 3 inconclusive, 4 the training failed.
    """
    from dpcheck.cli.asked import claim_of
    from dpcheck.cli.datasets import load_dataset
    from dpcheck.cli.documents import check_writable
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.cli.file_names import check_apart
    from dpcheck.cli.settings import typed_options
    from dpcheck.cli.trained_targets import trained_target
    from dpcheck.cli.values import check_at_delta
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.model.training import GaussianSteps
    from dpcheck.privacy.white_box.premises import white_box as audited
    from dpcheck.privacy.white_box.values import WhiteBoxStatus
    from dpcheck.report.exit_status import Exit
    from dpcheck.report.training_page import white_box_page

    check_at_delta(at_delta)
    check_writable("--output", output)
    check_writable("--json", json_file)
    check_apart(
        {"TARGET": target, "--dataset": dataset, "--canaries": canaries}, {"--output": output, "--json": json_file}
    )
    found: Trained = trained_target(target)
    told = {"noise_multiplier": noise_multiplier, "clipping_norm": clipping_norm, "steps": steps}
    given = {name: value for name, value in told.items() if value is not None}
    others = {"sampling_rate": sampling_rate, "participations": participations}
    others = {name: value for name, value in others.items() if value is not None}
    if found.accounted is not None:  # what is said on the command line takes the place of what it brings
        accounted = replace(found.accounted, **given, **others)  # type: ignore[arg-type]
    else:
        missing = [name for name in told if name not in given]
        if missing:
            options = ", ".join(f"--{name.replace('_', '-')}" for name in missing)
            got = ", ".join(f"--{name.replace('_', '-')}" for name in (*given, *others)) or "none"
            raise InvalidArgument(f"what was accounted must be given ({options} too), got {got}")
        accounted = GaussianSteps(**given, **others, additive=not votes)  # type: ignore[arg-type]
    data = found.dataset if dataset is None else load_dataset(dataset, label)
    if data is None:
        raise InvalidArgument("--dataset must be given, got none")
    claim = claim_of(claimed, typed_options(context))
    with out_of_the_way(output, json_file):
        with _progress(shown=not quiet) as listener:
            verdict = audited(
                found.train,
                data,
                found.claim if claim is None else claim,
                accounted,
                neighbours=found.neighbours if found.neighbours and "neighbours" not in typed_options(context)
                else neighbours.value,
                public_size=public_size,
                canaries=None if canaries is None else load_dataset(canaries, label, "--canaries"),
                runs=runs,
                alpha=alpha,
                delta=at_delta,
                seed=seed,
                jobs=jobs,
                isolation=isolation.value,
                train_timeout=train_timeout,
                listener=listener,
                journal=journal,
            )  # fmt: skip
        verdict = replace(verdict, target=target)
        write_verdict(verdict, format, white_box_page, output, json_file)
    statuses = {
        WhiteBoxStatus.AS_ACCOUNTED: Exit.AS_EXPECTED,
        WhiteBoxStatus.NOT_AS_ACCOUNTED: Exit.NOT_AS_EXPECTED,
        WhiteBoxStatus.INCONCLUSIVE: Exit.AS_EXPECTED if allow_inconclusive else Exit.INCONCLUSIVE,
        WhiteBoxStatus.TRAINING_FAILED: Exit.LEARNER_FAILED,
    }
    if statuses[verdict.status] is not Exit.AS_EXPECTED:
        raise typer.Exit(statuses[verdict.status])


@contextmanager
def _progress(*, shown: bool) -> Iterator[Callable[[int, int], Any] | None]:
    """How many trainings are done, on a terminal's standard error."""
    import sys

    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("trainings"), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("trainings")
        yield lambda done, total: bar.update(task, completed=done, total=total)
