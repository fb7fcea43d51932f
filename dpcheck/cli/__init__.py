"""The command line: parse, call the same functions as Python does, translate what they return.

Command bodies import what they need when they run: ``dpcheck --help`` does not even load numpy.
"""

from __future__ import annotations


def main() -> None:
    """Run ``dpcheck`` with the process's arguments and end with its exit status."""
    import sys

    from dpcheck.cli.streams import flushed, hold_open, reopen_missing

    # Before anything is opened that could take the place of a closed stream.
    reopen_missing()
    from dpcheck.cli.child_process import guard, tell
    from dpcheck.cli.completion import completing

    # Before anything is loaded that has threads, and before anything of a stranger's runs: from here on in a child.
    # A shell that asks for completions waits for them, and nothing of a stranger's runs.
    if completing():
        _answer_shell()
    guard()
    hold_open()

    from dpcheck.cli.app import run
    from dpcheck.cli.failures import complain, exit_of_trouble, trouble_of

    status = run(sys.argv[1:])
    lost = flushed()
    if lost is not None:
        trouble, line = trouble_of(lost)
        if status != exit_of_trouble(trouble):  # else a line was said already: what could not be written is still held
            complain(line)
        status = exit_of_trouble(trouble)
    tell(status)
    sys.exit(status)


def _answer_shell() -> None:
    """Say what a line could go on with, and end the process: typer does, when it sees who asks."""
    import os
    import sys

    from dpcheck.cli.completion import answers_behind, join_cut_words

    with answers_behind(join_cut_words(os.environ)):
        from dpcheck.cli.app import run

        sys.exit(run(()))
