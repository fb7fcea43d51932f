"""Runs every part of the check, prints the minutes of each, and exits non-zero when one fails."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import browser

#: Where this is set nothing is kept compiled, and hundreds of processes start: each would compile the package anew
#: (0.7 s of 3.6 s), and each pytest rewrite the assertions of its plugins and their packages (1.8 s of 4.5 s). So it is
#: all compiled once. In the tests it stays as it is set: they write modules of their own.
KEEPS_NOTHING = "PYTHONDONTWRITEBYTECODE"
COMPILING: tuple[tuple[str, list[str]], ...] = (
    ("compiled modules", ["compileall", "-q", "dpcheck", "benchmarks"]),
    ("compiled tests", ["pytest", "-qq", "--no-summary", "--collect-only"]),
)
PARTS: tuple[tuple[str, list[str]], ...] = (
    ("style", ["ruff", "check", "."]),
    ("format", ["ruff", "format", "--check", "."]),
    ("types", ["mypy"]),
    ("documentation examples", ["pytest", "--doctest-modules", "dpcheck", "-q"]),
    ("tests and properties", ["pytest", "-q", "-n", "2"]),
)


def main() -> int:
    """Run the parts in order; later ones run even when an earlier one failed."""
    failed: list[str] = []
    minutes: list[str] = []
    if not browser.get():
        failed.append("a browser for the tests of pages")
    keeping = {name: value for name, value in os.environ.items() if name != KEEPS_NOTHING}
    compiling = [(*part, keeping) for part in COMPILING if KEEPS_NOTHING in os.environ]
    for name, (tool, *arguments), environment in [*compiling, *((*part, None) for part in PARTS)]:
        print(f"== {name}: {tool} {' '.join(arguments)}", flush=True)
        began = time.monotonic()
        status = subprocess.run([sys.executable, "-m", tool, *arguments], env=environment, check=False).returncode
        minutes.append(f"{name}: {(time.monotonic() - began) / 60:.1f} min{'' if status == 0 else ' FAILED'}")
        if status != 0:
            failed.append(name)
    print("== minutes", *minutes, sep="\n")
    print(f"{len(failed)} failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
