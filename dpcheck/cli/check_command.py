"""``dpcheck check``: put targets to the checks that apply to them, and say what each found."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dpcheck.cli import completion
from dpcheck.cli import options as opt
from dpcheck.report.formats import FORMATS, JSON, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dpcheck.checks.discovery import Check
    from dpcheck.checks.kept_results import KeptResults
    from dpcheck.checks.subject import Subject
    from dpcheck.cli.asked import Asked
    from dpcheck.cli.display import Display
    from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked

# The defaults of dpcheck.check_learner (a test compares them), spelt out since reading them would load numpy.
ALPHA = 1e-9
MAX_SAMPLES = 30_000
MAX_SECONDS = 30.0
# The panel of --help.
CHECKS = "The checks"


@opt.grouped
def check(
    context: typer.Context,
    *,
    targets: opt.Targets = None,
    claimed: opt.Claimed,
    given: opt.Given,
    only: Annotated[
        list[str] | None,
        opt.option(
            CHECKS,
            "Run this check only; repeat it for more. check_ may be left out.",
            metavar="NAME",
            completes=completion.checks,
        ),
        opt.NO_SETTING,
    ] = None,
    expected_failure: Annotated[
        list[str] | None,
        opt.option(
            CHECKS,
            "A check that is known to fail, and why; passing is then not as expected. Repeat it for more.",
            metavar="NAME=REASON",
        ),
    ] = None,
    list_checks: Annotated[bool, opt.flag(CHECKS, "Show every check and what it asks, and stop.", "--list")] = False,
    alpha: Annotated[
        float,
        opt.number(
            opt.BUDGET, "The probability of a false alarm of each statistical check, fixed before the run.", shown=True
        ),
    ] = ALPHA,
    max_samples: opt.MaxSamples = MAX_SAMPLES,
    max_seconds: Annotated[
        float, opt.number(opt.BUDGET, "At most this long for each audit that a check makes.", "SECONDS", shown=True)
    ] = MAX_SECONDS,
    called: opt.Called,
    jobs: opt.Jobs = 1,
    seed: opt.Seed = 0,
    journal: opt.Journal = None,
    option: opt.LearnerOptions = None,
    allow_inconclusive: Annotated[
        bool, opt.flag(opt.RESULT, "Let inconclusive checks pass.", "--allow-inconclusive")
    ] = False,
    format: opt.CheckFormatOption = TEXT.name,
    output: opt.Output = None,
    json_file: opt.JsonFile = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Check learners: privacy, purity, state, randomness, odd data, dtypes, forms, parameters, cost.

    Puts each TARGET to every check that applies to it. Each check runs by itself: a learner that hangs or dies fails
    that check, and the others go on. --alpha is the level of each statistical check. Without a claim, the checks that
    need one do not apply.
    """
    from dpcheck.checks.discovery import all_checks, checks_named
    from dpcheck.checks.runner import checked_expectations
    from dpcheck.cli.asked import asked_of, claim_of
    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, put, put_words
    from dpcheck.cli.earlier_documents import out_of_the_way
    from dpcheck.cli.file_names import check_apart
    from dpcheck.cli.settings import typed_options
    from dpcheck.cli.values import parse_options

    if list_checks:
        (put if format == JSON.name else put_words)(_listed(all_checks(), as_json=format == JSON.name))
        return
    chosen = checks_named(only or None, "--only")
    expected = checked_expectations(_reasons(expected_failure or []), "--expected-failure")
    check_writable("--output", output)
    check_writable("--json", json_file)
    check_apart(given.read(targets), {"--output": output, "--json": json_file})
    asked = asked_of(claim_of(claimed, typed_options(context)), given)
    limits: dict[str, Any] = {
        "alpha": alpha,
        "max_samples": max_samples,
        "max_seconds": max_seconds,
        **vars(called),
        "seed": seed,
        "jobs": jobs,
        "journal": journal,
    }
    from dpcheck.report.checks.finished import CheckRun

    learner_options = parse_options(option or [])
    with out_of_the_way(output, json_file):
        with display(quiet=quiet) as shown:
            listener = _progress(shown)
            learners = _all(
                list(dict.fromkeys(targets or [])),
                lambda name: _subject(name, learner_options, asked, limits, listener),
                chosen,
                expected,
                traceback=traceback,
            )
        run = CheckRun(learners, ("dpcheck", *sys.argv[1:]), seed, allow_inconclusive, max_samples, max_seconds)
        _deliver(run, format, output, json_file)


def _reasons(texts: Sequence[str]) -> dict[str, str]:
    from dpcheck.model.errors import InvalidArgument

    found = {}
    for text in texts:
        name, equals, reason = text.partition("=")
        if not equals or not reason.strip():
            raise InvalidArgument(f"--expected-failure must be NAME=REASON, got {text!r}")
        found[name] = reason.strip()
    return found


def _listed(checks: Sequence[Check], *, as_json: bool) -> str:
    import json

    if as_json:
        listed = [{"check": one.name, "asks": one.sentence, "origin": one.origin} for one in checks]
        return json.dumps(listed, indent=1) + "\n"
    return "".join(f"{one.name}\n    {one.sentence}\n" for one in checks)


def _subject(
    name: str,
    options: dict[str, Any],
    asked: Asked,
    limits: dict[str, Any],
    listener: Callable[[Any], object],
) -> Subject:
    """A target, found and ready to be checked."""
    from dataclasses import replace

    from dpcheck.checks.subject import subject_of
    from dpcheck.cli.targets import resolve
    from dpcheck.privacy.run.limits import Limits

    limited = Limits(**limits)  # refused before the learner is made
    found = resolve(name, options, asked.claim, isolation=limited.isolation, resources=limited.resources)
    # The zoo hides the laws of its entries from audits; they are forms to be checked like any other. Its pairs show one
    # leak each, and its relations declare the records that checks of the domain need.
    target = replace(found.target, by_calls=False)
    arguments = asked.arguments_for(found)
    if asked.pairs is None and getattr(arguments["neighbours"], "records", None) is not None:
        arguments["pairs"] = None
    return subject_of(target, found.claim, **arguments, limits=limited, listener=listener)


def _all(
    names: Sequence[str],
    prepared: Callable[[str], Subject],
    checks: Sequence[Check],
    expected: dict[str, str],
    *,
    traceback: bool,
) -> tuple[Checked | NotChecked, ...]:
    """Every target with its results; whatever happens to one, the others go on."""
    from contextlib import ExitStack

    from dpcheck.checks.kept_results import results_kept
    from dpcheck.cli.failures import complain, print_traceback, trouble_of
    from dpcheck.report.checks.finished import NotChecked
    from dpcheck.report.finished import Trouble

    def troubled(name: str, error: BaseException) -> NotChecked:
        if traceback:
            print_traceback(error)
        trouble, problem = trouble_of(error)
        complain(problem if len(names) == 1 or name in problem else f"{name}: {problem}")
        return NotChecked(name, trouble, problem)

    # All are prepared before the first check runs: what is misspelt is said at once, and who has another's journal.
    ready: list[tuple[Subject, KeptResults | None] | NotChecked] = []
    done: list[Checked | NotChecked] = []
    with ExitStack() as journals:
        for name in names:
            try:
                subject = prepared(name)
                ready.append((subject, journals.enter_context(results_kept(subject))))
            except Exception as error:
                ready.append(troubled(name, error))
        stopped = False
        for name, one in zip(names, ready, strict=True):
            if isinstance(one, NotChecked):
                done.append(one)
            elif stopped:
                done.append(NotChecked(name, Trouble.INTERRUPTED, "not run"))
            else:
                checked = _checked(name, *one, checks, expected)
                done.append(checked)
                stopped = checked.interrupted
                if stopped:
                    complain("interrupted")
                for line in () if one[1] is None else one[1].parts.trouble:
                    complain(f"{name}: {line}")
    return tuple(done)


def _checked(
    name: str, subject: Subject, kept: KeptResults | None, checks: Sequence[Check], expected: dict[str, str]
) -> Checked:
    from dpcheck.checks.runner import run_checks
    from dpcheck.report.checks.finished import Checked

    results = []
    try:
        for result in run_checks(subject, checks, expected, kept):
            results.append(result)  # noqa: PERF402  (what is there when Ctrl-C comes is kept)
    except KeyboardInterrupt:
        return Checked(name, tuple(results), interrupted=True)
    return Checked(name, tuple(results))


def _progress(shown: Display) -> Callable[[Any], object]:
    """The display of audits, told which check is under way."""
    from dpcheck.checks.events import CheckStarted
    from dpcheck.cli.display import Turn
    from dpcheck.privacy.run.events import PhaseStarted, Started

    class CheckTurn(Turn):
        """Which check of a learner comes next."""

        def __str__(self) -> str:
            return f"check {self.number} of {self.of}"

    def tell(event: Any) -> None:
        if isinstance(event, CheckStarted):
            shown(CheckTurn(event.number, event.of))
            shown(Started(event.target, None, "", 0, 1, 1.0, 0.5))
            shown(PhaseStarted(event.check))
        else:
            shown(event)

    return tell


def _deliver(run: CheckRun, format: str, output: Any, json_file: Any) -> None:
    """Write every document that was asked for, and end with the run's exit status, the same for every format."""
    from dpcheck.cli.documents import hand_out, put, put_words, show
    from dpcheck.cli.failures import complain
    from dpcheck.cli.nothing_given import nothing_to_check
    from dpcheck.report.checks.finished import exit_status
    from dpcheck.report.checks.words import summary_of
    from dpcheck.report.exit_status import Exit

    status = exit_status(run)
    view = FORMATS[format].views["checks"]
    if not run.learners:
        complain(nothing_to_check("dpcheck check mylearner.py:Learner --epsilon 1 --bounds 0,1"))

    def shown() -> None:
        if format != TEXT.name or not sys.stdout.isatty():
            (put_words if format == TEXT.name else put)(view(run))
        else:
            show(view(run))

    said = format == TEXT.name and not run.results  # what is wrong has been said on standard error
    hand_out(
        lambda: view(run),
        output,
        ("--json", json_file, lambda: JSON.views["checks"](run)),
        summary=summary_of(run),
        shown=(lambda: None) if said else shown,
    )
    raise typer.Exit(Exit(status))
