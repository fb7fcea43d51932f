"""The ``dpcheck`` command: its subcommands, and how what they raise becomes one line and a status."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from dpcheck.cli.audit_command import audit
from dpcheck.cli.check_command import check
from dpcheck.cli.compare_command import compare
from dpcheck.cli.completion import completing
from dpcheck.cli.demo_command import demo
from dpcheck.cli.failures import complain, exit_of_trouble, print_traceback, trouble_of, usage_errors, usage_line
from dpcheck.cli.glossary_command import glossary
from dpcheck.cli.history_command import history
from dpcheck.cli.learners_command import learners
from dpcheck.cli.measure_command import measure
from dpcheck.cli.nothing_given import refuse_empty
from dpcheck.cli.one_run_command import one_run
from dpcheck.cli.options import Setting, settings_of
from dpcheck.cli.origin import remember, with_origin
from dpcheck.cli.page_width import page_width
from dpcheck.cli.plan_command import plan
from dpcheck.cli.record_command import record
from dpcheck.cli.report_command import report
from dpcheck.cli.schema_command import schema
from dpcheck.cli.settings import defaults_for, read_settings, said_by_settings
from dpcheck.cli.survey_command import survey
from dpcheck.cli.theorems_command import theorems
from dpcheck.cli.time_limit import limited
from dpcheck.cli.white_box_command import white_box
from dpcheck.cli.zoo_command import zoo
from dpcheck.execution.watch import watch_with
from dpcheck.model.errors import InvalidArgument
from dpcheck.report.exit_status import Exit

#: On a page narrower than this the columns of a help with frames would cut options' names.
_FRAMED = 80
_framed = (page_width() or _FRAMED) >= _FRAMED
_strong = "**" if _framed else ""

app = typer.Typer(
    name="dpcheck",
    rich_markup_mode="markdown" if _framed else None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Check what a differentially private learner claims against what it does.",
    epilog=(
        f"Start with {_strong}dpcheck demo{_strong}; then, for a learner of your own:\n\n"
        f"{_strong}dpcheck audit mylearner.py:Learner --epsilon 1 --dataset data.csv --bounds 0,1{_strong}\n\n"
        f"What the words of a verdict mean: {_strong}dpcheck glossary{_strong}\n\n"
        "Names of mechanisms, learners, papers and checks at a press of Tab: "
        f"{_strong}dpcheck --install-completion{_strong}\n\n"
        "Exit status: 0 as expected, 1 not as expected, 2 usage, 3 inconclusive, 4 learner failed, "
        "5 nothing to check, 70 internal error, 130 interrupted."
    ),
)
app.command(no_args_is_help=False)(demo)
# The epilogs are lines to copy: one command each.
app.command(
    epilog="Examples:\n\n"
    "dpcheck audit zoo:laplace_with_half_the_scale\n\n"
    "dpcheck audit learner:alon2019.cover --option epsilon=0.5 --exhaustive\n\n"
    "dpcheck audit mylearner.py:Learner --epsilon 1 --dataset data.csv --label diagnosis --bounds 0,1\n\n"
    "dpcheck audit mypackage.learners:make --epsilon 0.5 --delta 1e-5 --pairs pairs.npz --option depth=3\n\n"
    "dpcheck audit mylearner.py:Learner --epsilon 1 --dataset sklearn:iris --format junit --output out.xml\n\n"
    "dpcheck audit mylearner.py:Learner --epsilon 1 --dataset data.csv --bounds 0,1 --dry-run"
)(audit)
app.command(
    epilog="Examples:\n\n"
    "dpcheck measure mylearner.py:Learner --dataset data.csv --bounds 0,1\n\n"
    "dpcheck measure zoo:laplace --plot laplace.svg"
)(measure)
app.command(
    epilog="Examples:\n\n"
    "dpcheck one-run scores.csv --epsilon 2 --delta 1e-5\n\n"
    "dpcheck one-run scores.npz --mu 1 --guesses 100 --json one_run.json"
)(one_run)
app.command(
    epilog="Examples:\n\n"
    "dpcheck white-box trained:dp_sgd\n\n"
    "dpcheck white-box train.py:train --dataset data.csv --label outcome --epsilon 3 --delta 1e-5 "
    "--noise-multiplier 1.1 --clipping-norm 1 --sampling-rate 0.02 --steps 500"
)(white_box)
app.command(
    epilog="Examples:\n\n"
    "dpcheck plan --epsilon 1\n\n"
    "dpcheck plan --epsilon 1 --detect 1.5 --seconds-per-call 0.2 --max-seconds 3600\n\n"
    "dpcheck plan mylearner.py:Learner --epsilon 1 --dataset data.csv --bounds 0,1 --max-seconds 600"
)(plan)
app.command(
    epilog="Examples:\n\n"
    "dpcheck theorems --paper alon2019\n\n"
    "dpcheck theorems alon2019:lem-3.3\n\n"
    "dpcheck theorems alon2019:thm-3.1 --evaluate accuracy=0.1 failure=0.05 epsilon=1 vc=3\n\n"
    "dpcheck theorems alon2019:thm-3.1 --solve accuracy --given public=100000 failure=0.05 vc=3\n\n"
    "dpcheck theorems --witness\n\n"
    "dpcheck theorems alon2019:lem-3.3 --export coq --to theory\n\n"
    "dpcheck theorems --from my_paper.py --prove\n\n"
    "dpcheck theorems --from my_paper.py --strict"
)(theorems)
app.command(
    epilog="Examples:\n\n"
    "dpcheck report\n\n"
    "dpcheck report alon2019 --quick --out my-reports\n\n"
    "dpcheck report alon2019:thm-3.1 alon2019/private-cost alon2019.cover\n\n"
    "dpcheck report my_paper.py audit.json"
)(report)
app.command(
    epilog="Examples:\n\n"
    "dpcheck learners\n\n"
    "dpcheck learners alon2019.cover\n\n"
    "dpcheck learners --paper alon2019 --classes\n\n"
    "dpcheck learners --audit --jobs 2"
)(learners)
app.command(epilog="Examples:\n\ndpcheck glossary\n\ndpcheck glossary power")(glossary)
app.command(epilog="Examples:\n\ndpcheck schema\n\ndpcheck schema run")(schema)
app.command(
    epilog="Examples:\n\n"
    "dpcheck record\n\n"
    "dpcheck record mylearner.py:Learner --baseline dpcheck-baseline.json\n\n"
    "dpcheck record --new-only"
)(record)
app.command(
    epilog="Examples:\n\n"
    "dpcheck compare\n\n"
    "dpcheck compare --only 'mean*' --strict\n\n"
    "dpcheck compare --format junit --output comparison.xml"
)(compare)
app.command(epilog="Examples:\n\ndpcheck history\n\ndpcheck history mylearner.py:Learner --plot learner.svg")(history)
app.command(
    epilog="Examples:\n\n"
    "dpcheck survey --list\n\n"
    "dpcheck survey diffprivlib-linear-regression\n\n"
    "dpcheck survey opendp --seeds 3 --jobs 2"
)(survey)
app.command(
    epilog="Examples:\n\n"
    "dpcheck check mylearner.py:Learner --epsilon 1 --bounds 0,1\n\n"
    "dpcheck check mylearner.py:Learner --epsilon 1 --dataset data.csv --bounds 0,1 "
    "--expected-failure 'pickling=holds a lock'\n\n"
    "dpcheck check zoo:laplace --only empty_data --only statelessness\n\n"
    "dpcheck check --list"
)(check)
app.command(epilog="Examples:\n\ndpcheck zoo\n\ndpcheck zoo --audit laplace\n\ndpcheck zoo --audit --jobs 2")(zoo)


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("dpcheck")
        except PackageNotFoundError:
            found = "(not installed)"
        print(f"dpcheck {found}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _set_defaults(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        # With rich the help is printed by get_help, without it returned.
        print(context.get_help(), end="")
        raise typer.Exit(Exit.USAGE)
    commands: Any = getattr(context.command, "commands", {})
    if context.invoked_subcommand in commands:
        refuse_empty((context.obj or ())[1:], commands[context.invoked_subcommand].params)
    known = _known_settings()
    try:
        here = Path.cwd()
    except FileNotFoundError as error:
        raise InvalidArgument("the working directory must exist, got one that was deleted") from error
    settings = read_settings(here, known)
    if context.invoked_subcommand in commands:
        own = commands[context.invoked_subcommand].params
        remember(partial(said_by_settings, options=own, settings=settings, argv=context.obj or ()))
    context.default_map = dict(defaults_for(settings, known))


def _known_settings() -> dict[str, dict[str, Setting]]:
    """What the settings may say, by command."""
    found = [one.callback for one in app.registered_commands if one.callback]
    return {one.__name__.replace("_", "-"): settings_of(one) for one in found}


def run(argv: Sequence[str]) -> int:
    """The exit status of ``dpcheck`` with these arguments; prints what it has to say."""
    watch_with(limited)
    remember(None)
    try:
        status = app(args=list(argv), prog_name="dpcheck", standalone_mode=False, obj=tuple(argv))
        return int(status or 0)
    except usage_errors() as error:
        complain(with_origin(usage_line(error)))
        return Exit.USAGE
    except typer.Abort:
        complain("interrupted")
        return Exit.INTERRUPTED
    except BaseException as error:
        if isinstance(error, SystemExit) and completing():
            raise  # typer has answered the shell
        if _help_not_read_to_its_end(error):
            return Exit.AS_EXPECTED
        trouble, line = trouble_of(error)
        complain(line)
        if "--traceback" in argv:
            print_traceback(error)
        return exit_of_trouble(trouble)


def _help_not_read_to_its_end(error: BaseException) -> bool:
    """Whether rich ended the process while it printed help into a pipe that is closed, as ``--help | head`` does."""
    if not (isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError)):
        return False
    # Either rich ends the process where it prints, or typer does, further up.
    both = itertools.chain.from_iterable(traceback.walk_tb(one.__traceback__) for one in (error, error.__context__))
    return any(frame.f_code.co_name == "format_help" for frame, _ in both)
