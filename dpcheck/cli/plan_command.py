"""``dpcheck plan``: how many calls it takes to catch a leak, and what a budget can catch."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.report.formats import TEXT

if TYPE_CHECKING:
    from dpcheck.cli.asked import Asked
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.privacy.run.preview import Trial

# The level of audits from the command line, whose calls are counted here.
ALPHA = 1e-6
POWER = 0.95
# They say how a target is called: without one nothing reads them.
OF_A_TARGET = (*opt.Given.__annotations__, *opt.Called.__annotations__, "seed", "option")


@opt.grouped
def plan(
    context: typer.Context,
    *,
    target: Annotated[
        str | None,
        opt.argument(
            "[TARGET]",
            "A learner whose calls are timed, a few of them: package.module:name, path/file.py:name, "
            "zoo:name or learner:paper.name. It may carry the claim. By default target in [tool.dpcheck], or none.",
            completion.targets,
        ),
        opt.Setting(place=opt.OBJECT),
    ] = None,
    claimed: opt.Claimed,
    detect: Annotated[
        float | None,
        opt.number(
            opt.CLAIM,
            "The privacy loss that must not be missed. Without it the table has 1.1, 1.25, 1.5 and 2 times the claim.",
            "EPSILON",
        ),
    ] = None,
    coverage: Annotated[
        list[float] | None,
        opt.number(
            opt.CLAIM,
            "The part of the outputs in which the loss is; repeat it for more. By default 1, 0.25 and 0.05.",
            "PART",
        ),
    ] = None,
    given: opt.Given,
    alpha: opt.Alpha = ALPHA,
    power: Annotated[
        float, opt.number(opt.BUDGET, "The probability with which the leak is to be caught.", shown=True)
    ] = POWER,
    pair_count: Annotated[
        int,
        opt.whole(
            opt.BUDGET,
            "How many pairs of neighbours share the calls, where the leak may be on any of them.",
            shown=True,
        ),
    ] = 1,
    max_samples: Annotated[
        int | None, opt.whole(opt.BUDGET, "A budget of calls: what would it catch?", "CALLS")
    ] = None,
    max_seconds: Annotated[
        float | None,
        opt.number(
            opt.BUDGET, "A budget of time: what would it catch? Needs --seconds-per-call or a TARGET.", "SECONDS"
        ),
    ] = None,
    seconds_per_call: Annotated[
        float | None,
        opt.number(
            opt.BUDGET,
            "What a call of the learner takes; the table then shows times too. A TARGET is timed instead.",
            "SECONDS",
        ),
    ] = None,
    called: opt.Called,
    seed: opt.Seed = 0,
    option: opt.LearnerOptions = None,
    format: opt.FormatOption = TEXT.name,
    output: opt.Output = None,
    traceback: opt.Traceback = False,
) -> None:
    """Plan an audit: how many calls does it take to catch a leak, and what does a budget catch?

    Nothing is audited. A leak has a privacy loss, larger than claimed, and a coverage (the part of the outputs it is
    in): noise of half the scale loses twice the claim in most outputs, a forgotten special case in few.
    The table says after how many calls **dpcheck audit** catches it with probability --power.
    """
    from dpcheck.cli.asked import asked_of, claim_of
    from dpcheck.cli.documents import check_writable, hand_out
    from dpcheck.cli.dry_run import plain_format
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.cli.file_names import check_apart
    from dpcheck.cli.nothing_given import refuse_unread
    from dpcheck.cli.page_width import page_width
    from dpcheck.cli.settings import typed_options, was_typed
    from dpcheck.cli.values import parse_options
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.privacy.run.limits import Limits
    from dpcheck.privacy.run.power_analysis import COVERAGES, MOST_PAIRS, PAGE, describe_plan
    from dpcheck.privacy.run.power_analysis import plan as planned

    if not 1 <= pair_count <= MOST_PAIRS:  # the computation's own word for it is that of a file here
        raise InvalidArgument(f"--pair-count must be a whole number from 1 to {MOST_PAIRS:,}, got {pair_count:,}")
    check_writable("--output", output)
    check_apart(given.read([target] if target is not None else []), {"--output": output})
    as_json = plain_format(format, typed=was_typed(context, "format"), why="of a plan")
    claim: Any = claim_of(claimed, typed_options(context))
    shape: dict[str, Any] = {}
    said = ""
    with out_of_the_way(output):
        if target is None:
            refuse_unread(typed_options(context), OF_A_TARGET, needs="a TARGET")
            if claim is None:
                raise InvalidArgument(
                    "a claim must be given (--epsilon or --ratio, and --delta; --rho; --mu; or --renyi), or a TARGET "
                    "that carries one"
                )
            if seconds_per_call is None and not was_typed(context, "max_seconds"):
                max_seconds = None  # in settings: the budget of this project's audits, which says nothing by itself
            if max_seconds is not None and seconds_per_call is None:
                raise InvalidArgument("--max-seconds needs --seconds-per-call, or a TARGET whose calls are timed")
        else:
            asked = asked_of(claim, given)
            limits = Limits(
                alpha=alpha,
                max_samples=max_samples,
                max_seconds=max_seconds,
                **vars(called),
                seed=seed,
            )
            claim, trial = _claim_and_trial(target, parse_options(option or []), asked, limits)
            shape = {"shape": trial.shape}
            if seconds_per_call is None:
                seconds_per_call = trial.seconds_per_call
                said = f"{target}: one call takes {seconds_per_call:.2g} s (measured by {trial.calls} calls).\n"
        found = planned(
            claim,
            detect=detect,
            alpha=alpha,
            seconds_per_call=seconds_per_call,
            max_samples=max_samples,
            max_seconds=max_seconds,
            pairs=pair_count,
            coverage=coverage or COVERAGES,
            power=power,
            **shape,
        )
        page = page_width() if output is None else None
        text = found.to_json() if as_json else f"{said}{describe_plan(found, _audit(target), page or PAGE)}\n"
        hand_out(lambda: text, output, words=not as_json)


def _audit(target: str | None) -> str:
    """The audit of the target that was planned for, on the same data; nothing where there is no target."""
    from dpcheck.model.verdict.next_steps import OF_PLANS, command_line

    typed = command_line(("dpcheck", *sys.argv[1:]))
    if target is None or typed is None:
        return ""
    return typed.changed(target, {}, command="audit", drop=OF_PLANS)


def _claim_and_trial(target: str, options: dict[str, Any], asked: Asked, limits: Limits) -> tuple[Any, Trial]:
    """The claim of a target, and what a few calls of it showed."""
    from dataclasses import replace

    from dpcheck.cli.targets import resolve
    from dpcheck.model.errors import InvalidArgument, LearnerDied
    from dpcheck.privacy.run.least_size import FEWEST_CALLS
    from dpcheck.privacy.run.preview import trial_of
    from dpcheck.privacy.run.question import ask

    found = resolve(target, options, asked.claim, isolation=limits.isolation, resources=limits.resources)
    if found.claim is None:
        raise InvalidArgument(
            f"{target} carries no claim: give --epsilon or --ratio (and --delta), --rho, --mu or --renyi"
        )
    question = ask(
        found.target,
        found.claim,
        measuring=False,
        small=True,
        limits=replace(limits, max_samples=FEWEST_CALLS, max_seconds=60.0),
        **asked.arguments_for(found),
    )
    trial = trial_of(question)
    if trial.failure:
        raise LearnerDied(trial.failure)
    return question.claim, trial
