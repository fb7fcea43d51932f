"""``dpcheck record``: write down what learners do, for review; the one command that changes a baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import baseline_files as files
from dpcheck.cli import options as opt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dpcheck.cli.learners_settings import Configured
    from dpcheck.history.baseline import Baseline, Entry
    from dpcheck.report.exit_status import Exit

ALPHA = 1e-6
MAX_SECONDS = 20.0


def record(
    names: files.Names = None,
    baseline: files.BaselineFile = files.BASELINE,
    only: files.Only = None,
    new_only: Annotated[
        bool, opt.flag(opt.LEARNER, "Record learners without an entry only.", "--new-only"), opt.NO_SETTING
    ] = False,
    prune: Annotated[
        bool, opt.flag(opt.LEARNER, "Drop entries that no configured learner produces.", "--prune"), opt.NO_SETTING
    ] = False,
    alpha: opt.Alpha = ALPHA,
    max_seconds: opt.MaxSeconds = MAX_SECONDS,
    call_timeout: opt.CallTimeout = opt.CALL_TIMEOUT,
    isolation: opt.IsolationOption = opt.Isolation.PROCESS,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    history: files.HistoryFile = files.HISTORY,
    no_history: files.NoHistory = False,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Write what learners do into a baseline: privacy, risk and cost, as counts that later runs are compared with.

    Learners are those of [tool.dpcheck] learners in pyproject.toml, or the TARGETs given. Entries that were not asked
    for stay as they are. Review the file like code and commit it; dpcheck compare then says what changed.

    Claim, data and learner are what [tool.dpcheck] says there, by the names that these options have in dpcheck audit
    (epsilon, bounds, columns, dataset, size, form, ...); a learner's entry wins over them.
    """
    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, put_words
    from dpcheck.cli.failures import complain
    from dpcheck.cli.file_names import check_apart, check_database
    from dpcheck.cli.learners_settings import chosen, read_learners, shared_settings
    from dpcheck.history.baseline import Baseline
    from dpcheck.history.rows import row_of_entry
    from dpcheck.history.store import commit_of
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.report.exit_status import FIRST_THAT_APPLIES, Exit

    if prune and (names or only):
        raise InvalidArgument("--prune drops what no configured learner produces: give it without TARGET and --only")
    baseline, history = files.placed(baseline), files.placed(history)
    if not no_history:
        check_database("--history", history)
    check_apart({"--baseline": baseline}, {"--history": None if no_history else history})
    configured = read_learners(Path.cwd())
    asked = chosen(configured, names or [], only or [], shared_settings(Path.cwd()))
    check_writable("--baseline", baseline)
    before = files.read_baseline(baseline) or Baseline({})
    if not asked:
        complain(NOTHING)
        raise typer.Exit(Exit.NOTHING_TO_CHECK)
    if new_only:
        asked = tuple(one for one in asked if one.name not in before.learners)
    effort = effort_of(isolation, jobs, max_seconds, call_timeout)
    with display(quiet=quiet) as listener:
        found, cuts, exits = _entries(asked, before, effort, seed, alpha, listener, traceback)
    if found or prune:  # another process may have written meanwhile
        before = files.read_baseline(baseline) or Baseline({})
    after = before.with_entries(found)
    if prune:
        after = after.without(set(before.learners) - {one.name for one in configured})
    changed, lost = bool(found or after.learners.keys() != before.learners.keys()), None
    try:
        wrote = changed and files.write_baseline(baseline, after)
    except InvalidArgument as error:
        wrote, lost = False, error
    put_words(_summary(baseline, before, after, found, cuts, wrote=wrote))
    if lost is not None:
        raise lost
    commit = commit_of(Path.cwd())
    rows = [row_of_entry(name, entry, commit) for name, entry in found.items()]
    files.keep(None if no_history else history, rows)
    raise typer.Exit(next(exit for exit in FIRST_THAT_APPLIES if exit in {*exits, Exit.AS_EXPECTED}))


NOTHING = (
    "nothing to check: name a TARGET, or list learners in pyproject.toml, as in [tool.dpcheck] "
    "learners = ['mine.py:Learner']"
)


def effort_of(isolation: opt.Isolation, jobs: int, max_seconds: float | None, call_timeout: float) -> dict[str, Any]:
    """How learners are run, as the command line says it; the settings of a learner win over it.

    A time limit that somebody gave is kept to; by default the calls of a baseline may take longer.
    """
    return {
        "isolation": isolation.value,
        "jobs": jobs,
        "call_timeout": call_timeout,
        **({"max_seconds": MAX_SECONDS} if max_seconds is None else {"max_seconds": max_seconds, "patience": 1.0}),
    }


def _entries(
    asked: Sequence[Configured],
    before: Baseline,
    effort: Mapping[str, Any],
    seed: int,
    alpha: float,
    listener: Any,
    traceback: bool,
) -> tuple[dict[str, Entry], dict[str, tuple[str, ...]], set[Exit]]:
    """The entry of each learner, and what of it time cut short; whatever happens to one, the others go on."""
    from dpcheck.cli.display import Turn
    from dpcheck.cli.failures import complain, exit_of_trouble, print_traceback, trouble_of
    from dpcheck.cli.learners_settings import subject_of, told_with_place
    from dpcheck.history.baseline_runs import cut_by_time, record_entry

    found: dict[str, Entry] = {}
    cuts: dict[str, tuple[str, ...]] = {}
    exits: set[Exit] = set()
    for number, one in enumerate(asked, start=1):
        listener(Turn(number, len(asked)))
        try:
            subject = subject_of(one, effort)
            with told_with_place(one):
                found[one.name] = record_entry(
                    subject, seed=seed, alpha=alpha, before=before.learners.get(one.name), listener=listener
                )
            cuts[one.name] = cut_by_time(subject, found[one.name])
        except (Exception, KeyboardInterrupt) as error:
            if traceback:
                print_traceback(error)
            trouble, line = trouble_of(error)
            exits.add(exit_of_trouble(trouble))
            complain(line if one.name in line else f"{one.name}: {line}")
            if isinstance(error, KeyboardInterrupt):
                break
    return found, cuts, exits


def _summary(
    path: Path,
    before: Baseline,
    after: Baseline,
    found: Mapping[str, Entry],
    cuts: Mapping[str, Sequence[str]],
    *,
    wrote: bool,
) -> str:
    """A line per learner, and one about the file."""
    from dpcheck.history.rows import quantities_of_entry
    from dpcheck.model.harmless import one_line

    lines = []
    for name, entry in found.items():
        numbers = ", ".join(f"{what} {value:.4g}" for what, value in quantities_of_entry(entry).items())
        state = "recorded" if name not in before.learners else "recorded again"
        lines.append(one_line(f"{name}: {state}: {numbers}"))
        lines += [f"  {one_line(note)}" for note in (*entry.notes, *cuts[name])]
    dropped = sorted(set(before.learners) - set(after.learners))
    lines += [one_line(f"{name}: dropped, nothing produces it") for name in dropped]
    if wrote:
        kept = len(after.learners) - len(found)
        lines.append(f"Wrote {path}: {len(found)} recorded, {kept} as before. Review it and commit it.")
    else:
        lines.append(f"{path} is as it was." if path.exists() else f"Nothing was recorded: there is no {path}.")
    return "\n".join(lines) + "\n"
