"""The distributions that are released: built as they are for an index, and installed where no clone is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
#: Kinds of files that the package reads at work.
DATA = (".json", ".html", ".css", ".js", ".md", ".v", ".typed", ".txt")
NEEDED_OF_SOURCES = ("pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "tests/test_wheel.py")
#: What an environment is made of where only a wheel is installed: its name, and what it may ask for in brackets.
_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?")


def read_by_the_package() -> set[str]:
    """The files beside the modules, in the clone."""
    files = {path for path in (ROOT / "dpcheck").rglob("*") if path.suffix in DATA and "__pycache__" not in path.parts}
    return {path.relative_to(ROOT).as_posix() for path in files}


def wrong_wheel(names: set[str]) -> list[str]:
    """What a wheel lacks of the package's files, and what has no place in it."""
    wanted = read_by_the_package() | {f.relative_to(ROOT).as_posix() for f in (ROOT / "dpcheck").rglob("*.py")}
    lacking = [f"lacks {name}" for name in sorted(wanted - names)]
    strange = [name for name in sorted(names) if not re.match(r"dpcheck(-[\d.]+\.dist-info)?/", name)]
    return lacking + [f"has {name}" for name in strange]


def wrong_sources(names: set[str]) -> list[str]:
    """What an archive of sources lacks."""
    inside = {name.partition("/")[2] for name in names}
    return [f"lacks {name}" for name in (*NEEDED_OF_SOURCES, *sorted(read_by_the_package())) if name not in inside]


def needed(name: str) -> set[str]:
    """The distributions that one needs without its extras, and those that these need, by the environment's metadata."""
    found: set[str] = set()
    left = [name]
    while left:
        try:
            asked = distribution(left.pop()).requires or []
        except PackageNotFoundError:
            continue  # for another system, or another Python
        for one in asked:
            match = _REQUIREMENT.match(one)
            if match is not None and "extra ==" not in one and match[1] not in found:
                found.add(match[1])
                left.append(match[1])
    return found


def link_dependencies(wheel: Path, packages: Path) -> None:
    """Link to a new environment's packages what the wheel says that it needs, and nothing else that is here."""
    with zipfile.ZipFile(wheel) as opened:
        (metadata,) = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        lines = opened.read(metadata).decode().splitlines()
    asked = [line.partition(": ")[2] for line in lines if line.startswith("Requires-Dist: ") and "extra ==" not in line]
    names = {match[1] for match in map(_REQUIREMENT.match, asked) if match is not None}
    for name in names | {below for one in names for below in needed(one)}:
        try:
            one = distribution(name)
        except PackageNotFoundError:
            continue
        for top in {Path(file).parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            place = packages / top
            if not place.exists():
                place.symlink_to(str(one.locate_file(top)))


def run_there(command: list[str], folder: Path, within: float = 120.0) -> subprocess.CompletedProcess[str]:
    """Run a command that sees nothing of the clone."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, timeout=within, env=own
    )  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The archive of sources of this clone, and the wheel that is built from it."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("built")
    for place, target in ((ROOT, "sdist"), (folder, "wheel")):
        if target == "wheel":
            (sources,) = folder.glob("*.tar.gz")
            with tarfile.open(sources) as archive:
                # the earliest releases of 3.11 know no filters
                safely: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
                archive.extractall(folder, **safely)
            place = folder / sources.name.removesuffix(".tar.gz")
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)],
            capture_output=True, text=True, check=False, cwd=place, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return sources, wheel


def test_the_wheel_has_what_the_package_reads_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as opened:
        names = set(opened.namelist())
    assert wrong_wheel(names) == []
    for name in ("dpcheck/report/pages/templates/base.html", "dpcheck/papers/alon2019/certificates.json"):
        assert wrong_wheel(names - {name}) == [f"lacks {name}"]
    assert wrong_wheel(names | {"tests/test_wheel.py"}) == ["has tests/test_wheel.py"]


def test_the_sources_have_what_a_release_needs(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as opened:
        names = set(opened.getnames())
    assert wrong_sources(names) == []
    root = built[0].name.removesuffix(".tar.gz")
    assert wrong_sources(names - {f"{root}/CITATION.cff"}) == ["lacks CITATION.cff"]


def test_the_wheel_works_where_no_clone_is(built: tuple[Path, Path], tmp_path: Path) -> None:
    """In an environment of what the wheel asks for; .ci/extra has an installer fetch all of that."""
    home = tmp_path / "home"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True, timeout=120)
    packages = next(home.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(built[1]) as opened:
        opened.extractall(packages)
    link_dependencies(built[1], packages)
    python = str(home / "bin" / "python")
    start = [python, "-c", "import sys; from dpcheck.cli import main; sys.argv[0] = 'dpcheck'; main()"]
    said = run_there([*start, "--version"], tmp_path)
    assert said.stdout == f"dpcheck {built[1].name.split('-')[1]}\n", said.stderr
    where = run_there([python, "-c", "import dpcheck; print(dpcheck.__file__)"], tmp_path)
    assert where.stdout.strip() == str(packages / "dpcheck" / "__init__.py")
    audit = ["audit", "zoo:laplace_with_half_the_scale", "--max-samples", "2000", "--isolation", "none", "--quiet"]
    audited = run_there([*start, *audit, "--expect", "violated"], tmp_path)
    assert audited.returncode == 0, audited.stdout + audited.stderr
    proved = run_there([*start, "theorems", "alon2019:lem-3.2"], tmp_path)
    assert "PROVED" in proved.stdout, proved.stderr
    # A dependency that pyproject had forgotten would be missing here.
    (packages / "numpy").unlink()
    assert run_there([*start, *audit], tmp_path).returncode != 0
