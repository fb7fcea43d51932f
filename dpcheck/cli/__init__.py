"""The command line: parse, call the same functions as Python does, translate what they return.

Command bodies import what they need when they run: ``dpcheck --help`` does not even load numpy.
"""

from __future__ import annotations


def main() -> None:
    """Run ``dpcheck`` with the process's arguments and end with its exit status."""
    import sys

    from dpcheck.cli.app import run

    sys.exit(run(sys.argv[1:]))
