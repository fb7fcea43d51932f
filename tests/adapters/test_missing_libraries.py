"""Trainings of libraries that are not there: one line says what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpcheck import InvalidArgument, from_jax_privacy, from_opacus, record_jax_privacy, record_opacus

MADE: dict[str, Any] = {
    "opacus": [
        lambda: from_opacus(lambda dataset, seed: None, lambda outputs, labels: 0.0),
        lambda: record_opacus(None, None, None),  # type: ignore[arg-type]
    ],
    "jax": [
        lambda: from_jax_privacy(None, lambda parameters, *batch: 0.0, {}, None),
        lambda: record_jax_privacy(None, None),  # type: ignore[arg-type]
    ],
}
LIBRARIES = {"opacus": "opacus", "jax": "jax_privacy"}


@pytest.mark.parametrize(("extra", "place"), [(extra, place) for extra in MADE for place in range(2)])
def test_a_library_that_is_not_there_is_named(extra: str, place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, LIBRARIES[extra], None)
    with pytest.raises(InvalidArgument, match=rf"need it \(.*\): install dpcheck\[{extra}\]$"):
        MADE[extra][place]()


def test_the_command_line_says_so_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import sys\n"
        "sys.modules['opacus'] = None\n"
        "from dpcheck import from_opacus\n"
        "train = from_opacus(lambda dataset, seed: None, lambda outputs, labels: 0.0)\n"
    )
    (tmp_path / "data.csv").write_text("a,b\n1,0\n2,1\n")
    asked = [sys.executable, "-m", "dpcheck", "white-box", "train.py:train", "--dataset", "data.csv"]
    ran = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "install dpcheck[opacus]" in ran.stderr
    assert "Traceback" not in ran.stderr
