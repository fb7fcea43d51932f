"""A paper that is a package of its own, outside the repository: a wheel, installed, is there by every door."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sixth_paper"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with dpcheck and the wheel of the sixth paper; gives its Python."""
    place = tmp_path_factory.mktemp("sixth")
    source = place / "source"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__"))
    environment = place / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    purelib = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    # what this environment has, dpcheck among it, without downloading it again
    (Path(purelib) / "of_the_tests.pth").write_text(
        f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    )
    built = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", place, source],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (wheel,) = place.glob("majority2026-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(purelib)
    return python


def run(python: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-m", "dpcheck", *arguments], capture_output=True, text=True, check=False, cwd=folder, timeout=240
    )


@pytest.mark.turns(6)
def test_it_is_there_by_every_door(installed: Path, tmp_path: Path) -> None:
    listed = run(installed, "theorems", folder=tmp_path)
    assert "majority2026" in listed.stdout, listed.stderr
    assert "alon2019" in listed.stdout
    proved = run(installed, "theorems", "--paper", "majority2026", "--prove", folder=tmp_path)
    assert proved.returncode == 0, proved.stderr
    shown = run(installed, "theorems", "majority2026:thm-1", folder=tmp_path)
    assert "proved" in shown.stdout.lower()
    learners = run(installed, "learners", folder=tmp_path)
    assert "majority2026.majority" in learners.stdout, learners.stderr
    audited = run(installed, "audit", "learner:majority2026.majority", "--json", "a.json", folder=tmp_path)
    assert audited.returncode == 0, audited.stderr
    assert "no violation found" in (tmp_path / "a.json").read_text()
    assert "NO VIOLATION FOUND" in audited.stdout
    made = run(installed, "report", "majority2026", "--quick", "--output", "pages", "--quiet", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    page = next((tmp_path / "pages").rglob("majority2026.md")).read_text()
    assert "one record changes no probability by more than a factor of 3" in page


@pytest.mark.turns(12)
def test_one_that_cannot_be_imported_is_named(installed: Path, tmp_path: Path) -> None:
    about = tmp_path / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[dpcheck.papers]\nbroken2026 = broken2026\n")
    (tmp_path / "broken2026.py").write_text("import no_such_package\n")
    for arguments in (["theorems"], ["learners"], ["audit", "zoo:laplace"]):
        done = run(installed, *arguments, folder=tmp_path)
        assert done.returncode == 2, arguments
        assert "the paper broken2026 could not be imported: ModuleNotFoundError" in done.stderr
        assert "(broken2026.py, line 1)" in done.stderr
        assert "Traceback" not in done.stderr
    (tmp_path / "mine.py").write_text("def learn(dataset, rng):\n    return sum(dataset) + rng.laplace()\n")
    asked = ["mine.py:learn", "--epsilon", "1", "--bounds", "0,1", "--max-samples", "600", "--allow-inconclusive"]
    assert run(installed, "audit", *asked, folder=tmp_path).returncode == 0


@pytest.mark.turns(6)
def test_one_that_is_called_otherwise_is_named(installed: Path, tmp_path: Path) -> None:
    """Its trials would be looked for under a name that it does not have, and silently not be run."""
    about = tmp_path / "renamed-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: renamed\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[dpcheck.papers]\nrenamed = renamed2026\n")
    (tmp_path / "renamed2026.py").write_text(
        "from dpcheck.proof.statement import Paper\nPAPER = Paper('another', 'Of another name', ())\n"
    )
    done = run(installed, "theorems", folder=tmp_path)
    assert done.returncode == 2
    assert "the entry point of renamed2026 must be called as its paper is, 'another', got 'renamed'" in done.stderr
