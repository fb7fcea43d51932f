"""Runs every part of the check, prints the minutes of each, and exits non-zero when one fails."""

from __future__ import annotations

import subprocess
import sys
import time

import browser

PARTS: tuple[tuple[str, list[str]], ...] = (
    # Hundreds of processes are started, and where PYTHONDONTWRITEBYTECODE is set each would compile the package anew:
    # 0.7 s of 3.6 s. Tests that write modules of their own keep the machine's setting.
    ("compiled modules", ["compileall", "-q", "dpcheck", "benchmarks"]),
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
    for name, (tool, *arguments) in PARTS:
        print(f"== {name}: {tool} {' '.join(arguments)}", flush=True)
        began = time.monotonic()
        status = subprocess.run([sys.executable, "-m", tool, *arguments], check=False).returncode
        minutes.append(f"{name}: {(time.monotonic() - began) / 60:.1f} min{'' if status == 0 else ' FAILED'}")
        if status != 0:
            failed.append(name)
    print("== minutes", *minutes, sep="\n")
    print(f"{len(failed)} failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
