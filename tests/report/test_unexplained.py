"""A paper of one's own with a line that fails and no erratum yet: reported, and said to be without an explanation."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MINE = """
from dpcheck.proof.statement import Claim, Paper, Step, Theorem

PAPER = Paper(
    key="tiny",
    title="Tiny",
    theorems=(Theorem(id="tiny:lem-1", title="false", kind="accuracy", statement="x^2 <= 1/8", steps=("a",)),),
    steps=(Step("a", printed="x^2 <= 1/8", claims=(Claim("x in [0, 1]", "", "x^2 <= 1/8"),), because="as it is"),),
)
"""


def test_a_line_that_fails_without_an_erratum_is_reported(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(MINE)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "dpcheck", *arguments, "--quiet"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    proved = run("theorems", "--from", "tiny.py", "--paper", "tiny", "--prove")
    assert "REFUTED" in proved.stdout, proved.stderr
    made = run("report", "tiny.py", "--quick", "--out", "made")
    assert "internal error" not in made.stderr
    for name in ("tiny/tiny.html", "tiny/lem-1.html", "tiny/errata.html", "tiny/errata.md"):
        assert "no explanation" in (tmp_path / "made" / name).read_text(encoding="utf-8"), name
    assert "as read here" not in (tmp_path / "made" / "tiny" / "lem-1.html").read_text(encoding="utf-8")
