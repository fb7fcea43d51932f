"""``dpcheck audit``: audit targets and say whether each is as private as it claims."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import options as opt
from dpcheck.report.formats import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from dpcheck.cli.asked import Asked
    from dpcheck.cli.resolved import Resolved
    from dpcheck.model.verdict import Verdict
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.privacy.run.question import Question

# The contract's defaults for audits from the command line.
ALPHA = 1e-6


@opt.grouped
def audit(
    context: typer.Context,
    *,
    targets: opt.Targets = None,
    claimed: opt.Claimed,
    given: opt.Given,
    exhaustive: opt.Exhaustive = False,
    alpha: opt.Alpha = ALPHA,
    detect: Annotated[
        float | None,
        opt.number(
            opt.BUDGET,
            "The privacy loss that must not be missed: stopping before it would have been caught is "
            "inconclusive. By default twice the claim, at least the claim plus 0.1.",
            "EPSILON",
        ),
    ] = None,
    max_samples: Annotated[
        int | None,
        opt.whole(
            opt.BUDGET,
            "At most this many calls of the learner: 1,000,000 by default, and for labelled data and datasets "
            "150,000, of which as many are made as it takes.",
            "CALLS",
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        opt.number(
            opt.BUDGET,
            "At most this long per target: 60 by default, and up to 600 where it takes more to decide, or for labelled "
            "data and datasets, whose audits end by calls.",
            "SECONDS",
        ),
    ] = None,
    dry_run: opt.DryRun = False,
    shrink: Annotated[
        bool | None,
        opt.option(
            opt.BUDGET,
            "Make a violating pair smaller and certify it again, with half of alpha; by default searched pairs.",
            "--shrink/--no-shrink",
        ),
    ] = None,
    called: opt.Called,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    option: opt.LearnerOptions = None,
    expect: Annotated[
        str,
        opt.option(
            opt.RESULT,
            "The verdict that makes the exit status 0: no-violation, violated, inconclusive or learner-failed.",
            metavar="VERDICT",
            shown=True,
        ),
    ] = "no-violation",
    allow_inconclusive: opt.AllowInconclusive = False,
    format: opt.FormatOption = TEXT.name,
    output: opt.Output = None,
    json_file: opt.JsonFile = None,
    sarif_file: opt.SarifFile = None,
    journal: opt.Journal = None,
    backend: opt.Backend = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Audit learners: is each as private as it claims?

    Runs each TARGET on neighbouring datasets and tests its claim at the level --alpha. Pairs are given (--pairs),
    made from real data and small datasets like them (--dataset), or searched: --bounds 0,10 alone is enough.
    A violation comes with the pair and the event that show it; no violation found is no proof of privacy, and
    says what would have been caught.
    """
    from functools import partial

    from dpcheck.cli.asked import asked_of, claim_of
    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, finish, teller
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.cli.file_names import check_apart
    from dpcheck.cli.jobs import Job, run_jobs
    from dpcheck.cli.settings import typed_options
    from dpcheck.cli.values import backend_of, parse_options
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.report.expected import expected_status
    from dpcheck.report.finished import Run

    expected = expected_status("--expect", expect)
    check_writable("--output", output)
    check_writable("--json", json_file)
    check_writable("--sarif", sarif_file)
    check_apart(given.read(targets), {"--output": output, "--json": json_file, "--sarif": sarif_file})
    learner_options = parse_options(option or [])
    asked = asked_of(claim_of(claimed, typed_options(context)), given, exhaustive=exhaustive)
    limits = Limits(
        alpha=alpha,
        detect=detect,
        max_samples=max_samples,
        max_seconds=max_seconds,
        **vars(called),
        jobs=jobs,
        seed=seed,
        journal=journal,
        executor=backend_of(backend),
    )
    if dry_run and exhaustive:
        from dpcheck.model.errors import InvalidArgument

        raise InvalidArgument("--dry-run shows pairs and budgets of calls, which --exhaustive does not make: drop one")
    if dry_run:
        from dpcheck.cli.dry_run import plain_format, show_audits
        from dpcheck.cli.nothing_given import refuse_unread
        from dpcheck.cli.settings import was_typed

        refuse_unread(typed_options(context), ("sarif_file",), beside="--dry-run")
        as_json = plain_format(format, typed=was_typed(context, "format"), why="with --dry-run")
        asking = [
            (name, partial(_question, name, learner_options, asked, limits, shrink))
            for name in dict.fromkeys(targets or [])
        ]
        with out_of_the_way(output, json_file):
            show_audits(asking, as_json=as_json, output=output, json_file=json_file, traceback=traceback)
    with out_of_the_way(output, json_file, sarif_file):
        with display(quiet=quiet) as listener:
            told = teller(format, output, listener)
            results = run_jobs(
                [
                    Job(
                        name,
                        partial(_prepared, name, learner_options, asked, limits, shrink, listener),
                        expected,
                        allow_inconclusive,
                    )
                    for name in dict.fromkeys(targets or [])
                ],
                traceback=traceback,
                listener=listener,
                told=told,
            )
        finish(
            Run(results, ("dpcheck", *sys.argv[1:]), seed),
            told,
            format=format,
            output=output,
            json_file=json_file,
            sarif_file=sarif_file,
        )


def _prepared(
    name: str,
    options: dict[str, Any],
    asked: Asked,
    limits: Limits,
    shrink: bool | None,
    listener: Callable[[Any], object],
) -> Callable[[], Verdict]:
    """The audit of one target, found and checked."""
    from functools import partial

    from dpcheck.privacy.run.audit import audit as run_audit

    # Asked for what it refuses only, and asked again when its turn comes: the pairs of all targets at once could
    # fill the memory.
    found, arguments = _target_and_arguments(name, options, asked, limits, shrink)
    _question_of(found, arguments, limits)
    return partial(run_audit, found.target, found.claim, on_event=listener, **arguments, **vars(limits))


def _question(name: str, options: dict[str, Any], asked: Asked, limits: Limits, shrink: bool | None) -> Question:
    """What an audit of one target asks, for a dry run."""
    return _question_of(*_target_and_arguments(name, options, asked, limits, shrink), limits)


def _target_and_arguments(
    name: str, options: dict[str, Any], asked: Asked, limits: Limits, shrink: bool | None
) -> tuple[Resolved, dict[str, Any]]:
    """A target that carries a claim or is given one, and the arguments of its audit beside the limits."""
    from dataclasses import replace

    from dpcheck.cli.targets import resolve
    from dpcheck.model.errors import InvalidArgument

    found = resolve(name, options, asked.claim, isolation=limits.isolation, resources=limits.resources)
    if asked.exhaustive:  # the zoo's entries are there to test audits by calls, unless their laws are asked for
        found = replace(found, target=replace(found.target, by_calls=False))
    if found.claim is None:
        raise InvalidArgument(
            f"{name} carries no claim: give --epsilon or --ratio (and --delta), --rho, --mu or --renyi"
        )
    return found, {**asked.arguments_for(found), "shrink": shrink}


def _question_of(found: Resolved, arguments: dict[str, Any], limits: Limits) -> Question:
    from dpcheck.privacy.run.question import ask

    return ask(found.target, found.claim, measuring=False, small=True, limits=limits, **arguments)
