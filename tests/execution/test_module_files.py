"""Modules that cannot be sent as code, for what they hold, are imported from their files in the worker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dpcheck.execution.module_files import file_of, packed_without_code, sent_as_code

SOURCE = """
import secrets
import sqlite3
import threading

import dpcheck

ENTROPY, LOCK, TABLE = secrets.SystemRandom(), threading.Lock(), sqlite3.connect(":memory:")


def of_the_system(data, rng):
    return len(data) + ENTROPY.choice([-1, 1]) * ENTROPY.expovariate(1.0)


def locked(data, rng):
    with LOCK:
        return len(data) + rng.laplace()


class Asking:
    def __call__(self, data, rng):
        return len(data) + rng.laplace() + TABLE.execute("select 0.0").fetchone()[0]


asking = Asking()

if __name__ == "__main__":
    verdict = dpcheck.audit(locked, 1.0, pairs=[([0], [])], isolation="process", max_samples=600, detect=8.0)
    print(verdict.status.name, verdict.failure)
"""


@pytest.mark.some(2)
@pytest.mark.parametrize("name", ["of_the_system", "locked", "Asking", "asking"])
def test_through_the_command_line_they_are_audited(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.py").write_text(SOURCE)
    line = f"audit mine.py:{name} --epsilon 1 --neighbours add-remove --bounds 0,1 --max-samples 600"
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", *line.split()], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 3, ran.stdout + ran.stderr
    assert "INCONCLUSIVE" in ran.stdout


def test_a_script_is_imported_where_it_asks_whether_it_runs(tmp_path: Path) -> None:
    for name, source in (("asks.py", SOURCE), ("does.py", SOURCE.replace('if __name__ == "__main__":', "if True:"))):
        (tmp_path / name).write_text(source)
        ran = subprocess.run([sys.executable, name], cwd=tmp_path, capture_output=True, text=True, check=False)
        if name == "asks.py":
            assert ran.returncode == 0, ran.stderr
            assert ran.stdout.startswith(("INCONCLUSIVE", "NO_VIOLATION_FOUND")), ran.stdout
        else:
            assert ran.returncode != 0
            assert "cannot be pickled" in ran.stderr
            assert "--isolation none" in ran.stderr


def test_a_module_without_a_file_is_sent_as_code(tmp_path: Path) -> None:
    assert file_of("no such module") is None
    assert file_of("sys") is None
    assert file_of(__name__) == str(Path(__file__).resolve())
    assert set(sent_as_code()) <= set(sys.modules)
    assert packed_without_code(3, ["sys"])[:2] == b"\x80\x05"
