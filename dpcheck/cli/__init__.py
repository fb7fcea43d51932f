"""The command line: parse, call the same functions as Python does, translate what they return.

Command bodies import what they need when they run: ``dpcheck --help`` does not even load numpy.
"""

from __future__ import annotations


def main() -> None:
    """Run ``dpcheck`` with the process's arguments and end with its exit status."""
    from dpcheck.cli.streams import flushed, reopen_missing

    # Before anything is opened that could take the place of a closed stream.
    reopen_missing()
    import signal
    import sys

    from dpcheck.cli.app import run
    from dpcheck.cli.failures import complain, exit_of_trouble, trouble_of

    signal.signal(signal.SIGTERM, _terminated)
    status = run(sys.argv[1:])
    lost = flushed()
    if lost is not None:
        trouble, line = trouble_of(lost)
        complain(line)
        status = exit_of_trouble(trouble)
    sys.exit(status)


def _terminated(number: int, frame: object) -> None:
    """SIGTERM is what CI servers and batch systems send: like Ctrl-C it ends the run, and what is found is kept."""
    import os

    # Not print: the signal may have come in the middle of one.
    os.write(2, b"dpcheck: terminated (SIGTERM): ending as on Ctrl-C\n")
    raise KeyboardInterrupt
