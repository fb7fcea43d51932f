"""A learner that replaces what dpcheck's own work rests on: no internal error, and no verdict beside it."""

from __future__ import annotations

import subprocess
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
    "what warnings are caught with": "import warnings; warnings.catch_warnings = None",
    "a clock": "import time; time.perf_counter = None",
    "how answers are handed over": "import dpcheck.execution.calls as c; c.settle = lambda one, passing, carry: 0.0",
    "a class of dpcheck's": "import dpcheck.execution.answers as a; a.Answers = a.Request",
    "what a class of dpcheck's does": "import dpcheck.execution.own_generators as o; o.Holdings.of = None",
    "a constant of dpcheck's": "import dpcheck.execution.calls as c; c.COMPARED_FIRST_CALLS = 0",
    "code of dpcheck's": "import dpcheck.execution.calls as c; c.settle.__code__ = (lambda a, b, c=None: 0).__code__",
}


@pytest.mark.some(2)
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


def _in_process(learner: Any) -> Any:
    return audit(learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=200)


def test_whatever_of_dpcheck_is_replaced_in_process_is_named() -> None:
    import warnings

    from dpcheck.execution import calls, surroundings
    from dpcheck.privacy.statistics import judge

    def replaces(holder: Any, name: str, value: Any) -> Any:
        def learner(dataset: Any, rng: Any) -> list[float]:
            setattr(holder, name, value)
            return [float(rng.laplace(scale=9.0)), float(dataset[0])]

        return learner

    for holder, name, value in (
        (calls, "settle", lambda value, passing, carry: 0.0),
        (calls, "same_dataset", lambda left, right: True),
        (surroundings, "np", None),
        (judge, "log_evidence_against", lambda counts, claim: 0.0),
        (judge, "SHOWN_EXCESS", 0.0),
        (warnings, "catch_warnings", None),
    ):
        before = vars(holder).get(name)
        found = _in_process(replaces(holder, name, value))
        assert vars(holder)[name] is before
        assert found.status is Status.LEARNER_FAILED
        assert f"replaces {holder.__name__}.{name} for the whole process" in found.failure


def test_a_learner_that_changes_what_is_its_own_is_well() -> None:
    def learner(dataset: Any, rng: Any) -> float:
        learner.calls = getattr(learner, "calls", 0) + 1  # type: ignore[attr-defined]
        sys.modules.setdefault("of_its_own", sys)
        return float(rng.laplace(scale=9.0))

    assert _in_process(learner).status is not Status.LEARNER_FAILED
    del sys.modules["of_its_own"]


#: As torch 2 does it, for modules of its archives alone.
OF_TORCH = (
    "import inspect\n_one = inspect.getfile\ndef _patched(one):\n    return _one(one)\ninspect.getfile = _patched\n"
)
AS_IF = "_patched.__module__ = 'torch.package.package_importer'\n"


@pytest.mark.parametrize(
    ("code", "status"), [("import torch.package.package_importer\n", 0), (OF_TORCH, 2), (OF_TORCH + AS_IF, 2)]
)
def test_what_a_known_library_replaces_is_left_and_a_learner_that_does_so_is_refused(
    code: str, status: int, tmp_path: Path
) -> None:
    package = tmp_path / "torch" / "package"
    package.mkdir(parents=True)
    (package / "package_importer.py").write_text(OF_TORCH)
    (tmp_path / "mine.py").write_text(f"{code}{PLAIN}")
    asked = ["--epsilon", "1", "--bounds", "0,1", "--max-samples", "200", "--allow-inconclusive", "--quiet"]
    command = [sys.executable, "-m", "dpcheck", "audit", "mine.py:learn", *asked]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == status, ended.stdout + ended.stderr
    assert ("replaces inspect.getfile" in ended.stderr) == (status == 2)
