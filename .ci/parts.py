"""Runs every part of the check, prints the minutes of each, and exits non-zero when one fails."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import browser
import environment

#: Hundreds of processes start: each would compile what it imports of the package (0.7 s of 3.6 s), and each pytest
#: rewrite the assertions of its plugins and their packages (1.8 s of 4.5 s), until some process had kept all of it.
PARTS: tuple[tuple[str, list[str]], ...] = (
    ("compiled modules", ["compileall", "-q", "dpcheck", "benchmarks"]),
    ("compiled tests", ["pytest", "-qq", "--no-summary", "--collect-only"]),
    ("style", ["ruff", "check", "."]),
    ("format", ["ruff", "format", "--check", "."]),
    ("types", ["mypy"]),
    ("documentation examples", ["pytest", "--doctest-modules", "dpcheck", "-q"]),
    ("pages of reports", ["pytest", "-q", "-m", "extra", "tests/test_committed_reports.py"]),
    ("tests and properties", ["pytest", "-q", "-n", "2", "--durations=30"]),
)


def main() -> int:
    """Run the parts in order; later ones run even when an earlier one failed."""
    failed: list[str] = []
    minutes: list[str] = []
    if not browser.get():
        failed.append("a browser for the tests of pages")
    inherited = environment.kept(os.environ)
    for name, (tool, *arguments) in PARTS:
        print(f"== {name}: {tool} {' '.join(arguments)}", flush=True)
        began = time.monotonic()
        status = subprocess.run([sys.executable, "-m", tool, *arguments], env=inherited, check=False).returncode
        minutes.append(f"{name}: {(time.monotonic() - began) / 60:.1f} min{'' if status == 0 else ' FAILED'}")
        if status != 0:
            failed.append(name)
    print("== minutes", *minutes, sep="\n")
    print(f"{len(failed)} failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
