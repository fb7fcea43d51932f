"""A learner that replaces what dpcheck's own work rests on: no internal error, and no verdict beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcheck import Status, audit
from dpcheck.cli.app import run

PLAIN = "def learn(dataset, rng):\n    return sum(dataset) + rng.laplace(scale=9.0)\n"
#: What stands at the module's end, or at the beginning of a call.
PATCHES = {
    "a generator": "np.random.default_rng = lambda *given: None",
    "noise": "np.random.laplace = lambda *given, **named: 0.0",
    "a reading": "np.asarray = lambda *given, **named: None",
    "a sum": "np.sum = lambda *given, **named: 0.0",
    "a class": "np.ndarray = list",
    "a part of Python": "import builtins; builtins.len = lambda one: 3",
    "a module that is loaded": "import sys; sys.modules['numpy'] = sys.modules['pickle'] = None",
    "a module of Python's": "import copy; copy.deepcopy = lambda one, memory=None: 0",
}


@pytest.mark.some(3)
@pytest.mark.parametrize("patch", PATCHES)
@pytest.mark.parametrize("at_import", [True, False], ids=["imported", "called"])
def test_no_verdict_rests_on_what_was_replaced(
    patch: str, at_import: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = PATCHES[patch]
    called = f"import numpy as np\ndef learn(dataset, rng):\n    {code}\n    return rng.laplace(scale=9.0)\n"
    (tmp_path / "mine.py").write_text(f"import numpy as np\n{PLAIN}{code}\n" if at_import else called)
    asked = ["--epsilon", "1", "--bounds", "0,1", "--max-samples", "200", "--allow-inconclusive", "--quiet"]
    status = run(["audit", "mine.py:learn", *asked])
    said = capsys.readouterr()
    assert status == (2 if at_import else 4), said
    assert "dpcheck's own work rests on" in said.out + said.err
    assert "internal error" not in said.err


def test_in_the_audits_own_process_it_is_put_back() -> None:
    before = np.sort

    def learner(dataset: Any, rng: Any) -> float:
        np.sort = lambda given: given  # type: ignore[assignment]
        return float(rng.laplace(scale=9.0))

    found = audit(learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=200)
    assert np.sort is before
    assert found.status is Status.LEARNER_FAILED
    assert "replaces numpy.sort" in found.failure


def test_a_module_that_is_taken_away_in_the_audits_own_process_is_put_back() -> None:
    def learner(dataset: Any, rng: Any) -> float:
        sys.modules["json"] = sys.modules["numpy"] = None  # type: ignore[assignment]
        return float(rng.laplace(scale=9.0))

    found = audit(learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=200)
    assert sys.modules["numpy"] is np
    assert found.status is Status.LEARNER_FAILED
    assert "replaces the module json, the module numpy" in found.failure
