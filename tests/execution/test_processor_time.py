"""A learner's import is limited by the processor's time: what waits is slow, and what works on and on is ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dpcheck
from dpcheck.execution import supervisor
from dpcheck.execution.processor_time import processor_seconds
from dpcheck.model.errors import only_slow

pytestmark = pytest.mark.skipif(processor_seconds(os.getpid()) is None, reason="the system tells no processor time")
LEARN = "\ndef learn(dataset, rng):\n    return sum(dataset) + rng.laplace()\n"
SLEEPS = "import time\ntime.sleep({})\n"
WORKS = "import time\nwhile time.process_time() < {}:\n    pass\n"


def test_a_process_that_sleeps_has_had_less_than_one_that_works() -> None:
    codes = (SLEEPS.format(60), WORKS.format(60))
    sleeping, working = (subprocess.Popen([sys.executable, "-c", code]) for code in codes)
    try:
        until = time.monotonic() + 120
        while (processor_seconds(working.pid) or 0.0) < 0.5 and time.monotonic() < until:
            time.sleep(0.05)
        assert (processor_seconds(working.pid) or 0.0) >= 0.5
        assert (processor_seconds(sleeping.pid) or 0.0) < 0.5
    finally:
        for one in (sleeping, working):
            one.kill()
            one.wait()
    assert processor_seconds(working.pid) is None


def audited(folder: Path, code: str, limit: str) -> subprocess.CompletedProcess[str]:
    (folder / "mine.py").write_text(code + LEARN)
    command = [sys.executable, "-m", "dpcheck", "audit", "mine.py:learn", "--epsilon", "1", "--bounds", "0,1"]
    return subprocess.run(
        [*command, "--max-samples", "60", "--quiet"], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "DPCHECK_IMPORT_SECONDS": limit},
    )  # fmt: skip


@pytest.mark.turns(4)
def test_an_import_that_sleeps_beyond_the_limit_is_waited_for(tmp_path: Path) -> None:
    ran = audited(tmp_path, SLEEPS.format(4), limit="1.5")
    assert ran.returncode == 3, ran.stdout + ran.stderr  # too few calls
    assert "60 (" in ran.stdout
    assert "sign of life" not in ran.stdout + ran.stderr


@pytest.mark.turns(4)
def test_an_import_that_works_beyond_the_limit_is_ended(tmp_path: Path) -> None:
    ran = audited(tmp_path, WORKS.format(1000), limit="1.5")
    assert ran.returncode == 4, ran.stdout + ran.stderr
    assert "no sign of life for 1.5 s of the processor's time" in ran.stdout + ran.stderr


@pytest.mark.turns(4)
def test_of_what_never_comes_nothing_is_said_but_that_it_is_slow(tmp_path: Path) -> None:
    ran = audited(tmp_path, SLEEPS.format(1000), limit="0.5")
    said = ran.stdout + ran.stderr
    assert ran.returncode == 3, said
    assert "FAILED" not in said
    assert "5 s passed" in said or "was not done in 5" in said


class Waits:
    """Looked at, it waits."""

    def __call__(self, dataset: list[int], rng: object) -> int:
        return 0

    @property
    def neighbours(self) -> None:
        time.sleep(1000)


@pytest.mark.turns(4)
def test_a_learner_that_waits_when_it_is_looked_at_is_inconclusive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPCHECK_IMPORT_SECONDS", "0.2")
    verdict = dpcheck.audit(Waits, 1.0, pairs=[([0], [1])], max_samples=60)
    assert verdict.status is dpcheck.Status.INCONCLUSIVE
    assert only_slow(verdict.failure)
    assert "undecided. The learner was not done in 2" in str(verdict)
    assert "less busy" in str(verdict)


@pytest.mark.turns(4)
def test_a_limit_by_the_clock_calls_it_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was, and is where no system tells processor time."""
    monkeypatch.setenv("DPCHECK_IMPORT_SECONDS", "0.2")
    monkeypatch.setattr(supervisor, "processor_seconds", lambda process, with_children: None)
    verdict = dpcheck.audit(Waits, 1.0, pairs=[([0], [1])], max_samples=60)
    assert verdict.status is dpcheck.Status.LEARNER_FAILED
    assert "no sign of life for 0.2 s" in verdict.failure
