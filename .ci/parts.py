"""Runs every part of the check, prints the minutes of each, and exits non-zero when one fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import browser
import environment

Part = tuple[str, list[str]]

#: Parts of a group run side by side, one a core, and what they print is shown as each ends; groups run in their order.
#: Hundreds of processes start: each would compile what it imports of the package (0.7 s of 3.6 s), and each pytest
#: rewrite the assertions of its plugins and their packages (1.8 s of 4.5 s), until some process had kept all of it.
GROUPS: tuple[tuple[Part, ...], ...] = (
    (("compiled modules", ["compileall", "-q", "dpcheck", "benchmarks"]),),
    (
        ("pages of reports", ["pytest", "-q", "-m", "extra", "tests/report/test_committed_reports.py"]),
        ("types", ["mypy"]),
        ("documentation examples", ["pytest", "--doctest-modules", "dpcheck", "-q"]),
        ("compiled tests", ["pytest", "-qq", "--no-summary", "--collect-only"]),
        ("style", ["ruff", "check", "."]),
        ("format", ["ruff", "format", "--check", "."]),
    ),
    (("tests and properties", ["pytest", "-q", "-n", "2", "--durations=30"]),),
)
CORES = 2


def main() -> int:
    """Run the groups in order; later ones run even when an earlier one failed."""
    # Started in the background or by nohup it ignores interrupts, and so would all that the tests start and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    failed: list[str] = []
    minutes: list[str] = []
    if not browser.get():
        failed.append("a browser for the tests of pages")
    inherited = environment.kept(os.environ)

    def run(part: Part, shown_later: bool) -> tuple[int, str, float]:
        began = time.monotonic()
        output = subprocess.PIPE if shown_later else None
        done = subprocess.run(
            [sys.executable, "-m", part[1][0], *part[1][1:]],
            env=inherited, check=False, stdout=output, stderr=subprocess.STDOUT if output else None,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
        return done.returncode, done.stdout or "", (time.monotonic() - began) / 60

    began = time.monotonic()
    for group in GROUPS:
        with ThreadPoolExecutor(CORES) as pool:
            shown_later = len(group) > 1
            runs = [pool.submit(run, part, shown_later) for part in group]
            for part, running in zip(group, runs, strict=True):
                print(f"== {part[0]}: {' '.join(part[1])}", flush=True)
                status, printed, took = running.result()
                print(printed, end="", flush=True)
                minutes.append(f"{part[0]}: {took:.1f} min{'' if status == 0 else ' FAILED'}")
                if status != 0:
                    failed.append(part[0])
    print("== minutes", *minutes, f"all of it: {(time.monotonic() - began) / 60:.1f} min", sep="\n")
    print(f"{len(failed)} failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
