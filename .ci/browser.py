"""Gets a browser for the tests of pages: one that is installed, else Debian's Chromium, else playwright's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

#: What the tests read: the browser's path, or "required" where playwright has its own; with it they never skip.
VARIABLE = "DPCHECK_BROWSER"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def get() -> bool:
    """Set :data:`VARIABLE` and say what was done; False where no browser can be had: then the tests fail, not skip."""
    os.environ.setdefault(VARIABLE, "required")
    if os.environ[VARIABLE] != "required":
        return _said(f"the one that {VARIABLE} names: {os.environ[VARIABLE]}")
    if _installed():
        return True
    for how, commands in (
        ("Debian's packages", _debian()),
        ("playwright", [[sys.executable, "-m", "playwright", "install", "chromium"]]),
    ):
        if not commands:
            continue
        print(f"== browser: none is installed, asking {how}", flush=True)
        if all(subprocess.run(command, check=False).returncode == 0 for command in commands):
            return _installed() or _said(f"from {how}")
    print("== browser: none can be had: the tests of pages in a browser will fail", flush=True)
    return False


def _debian() -> list[list[str]]:
    """How Debian's Chromium is installed; nothing where that cannot be done."""
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return []
    quiet = ["apt-get", "-q", "-y"]
    return [[*quiet, "update"], [*quiet, "install", "--no-install-recommends", "chromium"]]


def _installed() -> bool:
    path = next((path for path in map(shutil.which, _NAMES) if path), None)
    if path is None:
        return False
    os.environ[VARIABLE] = path
    return _said(path)


def _said(which: str) -> bool:
    print(f"== browser: {which}", flush=True)
    return True
