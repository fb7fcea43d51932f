"""Tests and properties find the modules of ``benchmarks/``."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

# One of them is named as the package that pytest-cov is made of: that has to come first.
with contextlib.suppress(ImportError):
    import coverage  # noqa: F401

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
