"""``dpcheck one-run``: what the scores of canaries say about a training that was run once, or a few times."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dpcheck.cli import options as opt
from dpcheck.cli.training_documents import Outside, Written, write_verdict

# One statement at the usual confidence, as of measure.
ALPHA = 0.05


@opt.grouped
def one_run(
    context: typer.Context,
    scores: Annotated[
        Path,
        opt.argument(
            "SCORES",
            "A table (.csv) with columns score (the higher, the more a canary looks as if it had been in), included "
            "(1 or 0) and, where there are several runs, run; or a .npz file with arrays scores and included.",
        ),
        opt.NO_SETTING,
    ],
    *,
    claimed: opt.Claimed,
    neighbours: Annotated[
        Outside,
        opt.option(opt.CLAIM, "A canary that is out is not there, or has another record in its place.", shown=True),
        opt.NO_SETTING,
    ] = Outside.ADD_REMOVE,
    detect: Annotated[
        float | None,
        opt.number(
            opt.CLAIM,
            "The epsilon that must not be missed, else the verdict is inconclusive. By default twice the claim's.",
            "EPSILON",
        ),
        opt.NO_SETTING,
    ] = None,
    at_delta: Annotated[
        float | None,
        opt.number(
            opt.CLAIM, "The delta at which epsilon is certified. By default the claim's, 1e-5 for a curve.", "DELTA"
        ),
    ] = None,
    alpha: Annotated[
        float,
        opt.number(
            opt.BUDGET, "The probability of a false alarm. (That of audits, in settings, is not read here.)", shown=True
        ),
        opt.NO_SETTING,
    ] = ALPHA,
    guesses: Annotated[
        str | None,
        opt.option(
            opt.BUDGET,
            "How many canaries are guessed, half of them to be in; or IN,OUT. Fix it before you see scores. By default "
            "what refutes the smallest leak.",
            metavar="N",
        ),
        opt.NO_SETTING,
    ] = None,
    control: Annotated[
        Path | None,
        opt.option(
            opt.BUDGET,
            "Scores of a training that is known to leak (the same without noise): they show that the score can see "
            "canaries, without which a clean verdict wants that these tell them better apart than coins.",
            metavar="SCORES",
        ),
        opt.NO_SETTING,
    ] = None,
    format: Annotated[
        Written,
        opt.option(opt.RESULT, "What is written; it never changes the exit status.", shown=True),
        opt.NO_SETTING,
    ] = Written.TEXT,
    output: opt.Output = None,
    plot: Annotated[
        Path | None,
        opt.option(opt.RESULT, "Draw scores and trade-off (needs dpcheck[plot]).", metavar="FILE.svg"),
        opt.A_FILE,
    ] = None,
    json_file: opt.JsonFile = None,
    allow_inconclusive: opt.AllowInconclusive = False,
    traceback: opt.Traceback = False,
) -> None:
    """Audit a training that is too slow to be run often, by the scores of canaries from one run, or a few.

    Canaries are records that were put into the data, or not, each by a fair coin of its own (dpcheck.canaries in
    Python does it). After the training each gets a score. Those with the highest scores are guessed to have been in,
    those with the lowest to have been out; a training that keeps its claim does not let too many guesses be right.
    A score that is empty is not guessed. Nothing is trained here, so that nothing is to be kept: dpcheck.one_run in
    Python trains, and has journal=. Exit status: 0 no violation found, 1 violated, 3 inconclusive.
    """
    from dpcheck.cli.asked import claim_of
    from dpcheck.cli.documents import check_writable
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.cli.file_names import check_apart, check_name
    from dpcheck.cli.measure_command import check_plot
    from dpcheck.cli.scores_file import load_scores
    from dpcheck.cli.settings import typed_options
    from dpcheck.cli.values import check_at_delta
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.model.verdict import Status
    from dpcheck.privacy.one_run.verdict import one_run_verdict
    from dpcheck.report.exit_status import Exit, exit_of_verdict
    from dpcheck.report.training_page import one_run_page

    check_plot(plot)
    check_at_delta(at_delta)
    check_writable("--output", output)
    check_writable("--json", json_file)
    for name, path in (("SCORES", scores), ("--control", control)):
        if path is not None:
            check_name(name, path)
    # Scores that are their own control show nothing.
    check_apart({"SCORES": scores}, {"--control": control, "--output": output, "--json": json_file, "--plot": plot})
    claim = claim_of(claimed, typed_options(context))
    if claim is None:
        raise InvalidArgument(
            "a claim must be given (--epsilon or --ratio, and --delta; --rho; --mu; or --renyi), got none"
        )
    from dpcheck.model.verdict.plots import as_svg

    with out_of_the_way(output, json_file, plot):
        asked: dict[str, Any] = {
            "alpha": alpha,
            "guesses": _guesses(guesses),
            "detect": detect,
            "delta": at_delta,
            "neighbours": neighbours.value,
        }
        shown = None if control is None else one_run_verdict(*load_scores("--control", control), claim, **asked)
        verdict = one_run_verdict(*load_scores("SCORES", scores), claim, control=shown, target=scores.name, **asked)
        write_verdict(
            verdict, format, one_run_page, output, json_file, ("--plot", plot, lambda: as_svg(verdict.plot()))
        )
    status = exit_of_verdict(verdict.status, expected=Status.NO_VIOLATION_FOUND, allow_inconclusive=allow_inconclusive)
    if status is not Exit.AS_EXPECTED:
        raise typer.Exit(status)


def _guesses(text: str | None) -> int | tuple[int, int] | None:
    """How many guesses, as typed."""
    from dpcheck.model.errors import InvalidArgument

    if text is None:
        return None
    parts = text.split(",")
    if len(parts) > 2 or not all(part.strip().isdecimal() for part in parts):
        raise InvalidArgument(f"--guesses must be a whole number such as 100, or IN,OUT such as 60,40, got {text!r}")
    numbers = [int(part) for part in parts]
    return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])
