"""``dpcheck compare``: measure learners again, and say what changed against the baseline."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import baseline_files as files
from dpcheck.cli import options as opt
from dpcheck.cli.record_command import ALPHA, NOTHING, effort_of
from dpcheck.report.formats import FORMATS, JSON, TEXT, formats_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dpcheck.cli.learners_settings import Configured
    from dpcheck.history.baseline import Baseline
    from dpcheck.history.comparisons import Compared, Comparison


def compare(
    context: typer.Context,
    names: files.Names = None,
    baseline: files.BaselineFile = files.BASELINE,
    only: files.Only = None,
    strict: Annotated[bool, opt.flag(opt.RESULT, "Fail on what got better too.", "--strict")] = False,
    alpha: Annotated[
        float,
        opt.number(
            opt.BUDGET,
            "The probability, for each quantity, that it is said to have changed when it has not.",
            shown=True,
        ),
    ] = ALPHA,
    max_seconds: Annotated[
        float | None,
        opt.number(
            opt.BUDGET,
            "At most this long for the calls of a learner, and for each of its risks: 20 by default, and up to 120 "
            "where as many as the baseline has take longer.",
            "SECONDS",
        ),
    ] = None,
    call_timeout: opt.CallTimeout = opt.CALL_TIMEOUT,
    isolation: opt.IsolationOption = opt.Isolation.PROCESS,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    history: files.HistoryFile = files.HISTORY,
    no_history: files.NoHistory = False,
    allow_inconclusive: opt.AllowInconclusive = False,
    format: opt.FormatOption = TEXT.name,
    output: opt.Output = None,
    json_file: opt.JsonFile = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Measure learners again and say what changed against the baseline that dpcheck record wrote.

    Each quantity has an exact two-sample test at a level of its own. The exit status is 1 when one got worse or
    changed, when the baseline has no entry of a learner (one is written then, for review), and when nothing produces
    an entry any more; it is 3 when time allowed for too few calls to show any change. What got better passes, unless
    --strict.

    Claim, data and learner are what [tool.dpcheck] says there, by the names that these options have in dpcheck audit
    (epsilon, bounds, columns, dataset, size, form, ...); a learner's entry wins over them.
    """
    from fnmatch import fnmatchcase

    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, hand_out
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.cli.failures import complain
    from dpcheck.cli.file_names import check_apart, check_database
    from dpcheck.cli.learners_settings import chosen, read_learners, shared_settings
    from dpcheck.cli.settings import was_typed
    from dpcheck.history.baseline import Baseline
    from dpcheck.history.baseline_runs import not_produced
    from dpcheck.history.comparisons import Comparison, State
    from dpcheck.history.rows import row_of_compared
    from dpcheck.history.store import commit_of
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.report.comparison import exit_of_comparison, summary_of_comparison
    from dpcheck.report.exit_status import Exit

    if not 0.0 < alpha < 1.0:
        raise InvalidArgument(f"--alpha must be strictly between 0 and 1, got {alpha:g}")
    view = _view(format, typed=was_typed(context, "format"))
    check_writable("--output", output)
    check_writable("--json", json_file)
    baseline, history = files.placed(baseline), files.placed(history)
    if not no_history:
        check_database("--history", history)
    check_apart(
        {"--baseline": baseline},
        {"--history": None if no_history else history, "--output": output, "--json": json_file},
    )
    check_writable("--baseline", baseline)
    configured = read_learners(Path.cwd())
    asked = chosen(configured, names or [], only or [], shared_settings(Path.cwd()))
    before = files.read_baseline(baseline) or Baseline({})
    known = {one.name for one in configured}
    stale = () if names else not_produced(before, known)
    if only:
        stale = tuple(one for one in stale if any(fnmatchcase(one.name, pattern) for pattern in only))
    if not asked and not stale:
        complain(NOTHING)
        raise typer.Exit(Exit.NOTHING_TO_CHECK)
    effort = effort_of(isolation, jobs, max_seconds, call_timeout)
    with out_of_the_way(output, json_file):
        with display(quiet=quiet) as listener:
            results = _results(asked, before, effort, seed, alpha, listener, traceback)
        comparison = Comparison(
            (*results, *stale), alpha, seed, strict, ("dpcheck", *sys.argv[1:]), str(baseline), allow_inconclusive
        )
        new = {one.name: one.fresh for one in results if one.state is State.NEW and one.fresh is not None}
        commit = commit_of(Path.cwd())
        rows = [row_of_compared(one, commit) for one in results]
        lost = files.write_entries(baseline, new) if new else None
        try:
            hand_out(
                lambda: view(comparison),
                output,
                ("--json", json_file, lambda: JSON.views["comparison"](comparison)),
                summary=summary_of_comparison(comparison),
                words=format == TEXT.name,
                lost=lost,
            )
        finally:
            files.keep(None if no_history else history, [row for row in rows if row is not None])
    raise typer.Exit(exit_of_comparison(comparison))


def _view(format: str, *, typed: bool) -> Callable[[Comparison], str]:
    """What renders a comparison; a format in settings that only audits have leaves it text."""
    from dpcheck.model.errors import InvalidArgument

    known = formats_of("comparison")
    if typed and format not in known:
        *others, last = known
        raise InvalidArgument(f"--format of compare must be {', '.join(others)} or {last}, got {format}")
    return (FORMATS[format] if format in known else TEXT).views["comparison"]


def _results(
    asked: Sequence[Configured],
    before: Baseline,
    effort: Mapping[str, Any],
    seed: int,
    alpha: float,
    listener: Any,
    traceback: bool,
) -> tuple[Compared, ...]:
    """The comparison of each learner; whatever happens to one, the others go on."""
    from dataclasses import replace

    from dpcheck.cli.display import Turn
    from dpcheck.cli.failures import complain, print_traceback, trouble_of
    from dpcheck.cli.learners_settings import subject_of, told_of
    from dpcheck.cli.origin import with_origin
    from dpcheck.history.baseline_runs import compare_learner, cut_by_time
    from dpcheck.history.comparisons import Compared, State
    from dpcheck.report.finished import Trouble

    results: list[Compared] = []
    for number, one in enumerate(asked, start=1):
        listener(Turn(number, len(asked)))
        try:
            subject = subject_of(one, effort)
            found = compare_learner(subject, before, seed=seed, alpha=alpha, listener=listener)
            for line in () if found.fresh is None else cut_by_time(subject, found.fresh):
                complain(f"{one.name}: {line}")
        except (Exception, KeyboardInterrupt) as error:
            if traceback:
                print_traceback(error)
            trouble, problem = trouble_of(error)
            found = Compared(one.name, State.FAILED, problem=problem, trouble=trouble.value)
        if found.trouble == Trouble.USAGE:
            found = replace(found, problem=with_origin(told_of(one, found.problem)))
        if found.state is State.FAILED:
            complain(found.problem if one.name in found.problem else f"{one.name}: {found.problem}")
        results.append(found)
        if found.trouble == "interrupted":
            break
    results += [
        Compared(one.name, State.FAILED, problem="not run", trouble="interrupted") for one in asked[len(results) :]
    ]
    return tuple(results)
