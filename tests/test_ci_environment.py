"""The check inherits nothing of the machine's but what finds Python, a home and the packages."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / ".ci"
NEEDED = {"PATH": "/bin", "HOME": "/home/u", "LANG": "C.UTF-8", "LC_ALL": "C", "PIP_INDEX_URL": "u", "https_proxy": "p"}
OWN = {
    "PYTHONUNBUFFERED": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "CI": "true",
    "PYTHONPATH": "/x",
    "OMP_NUM_THREADS": "1",
}


def test_what_python_home_and_packages_need_is_kept_and_nothing_else() -> None:
    spec = importlib.util.spec_from_file_location("ci_environment", FOLDER / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.kept({**NEEDED, **OWN}) == NEEDED


@pytest.mark.parametrize("beside", [0, 1], ids=["alone", "beside another"])
def test_every_part_runs_in_it(tmp_path: Path, beside: int) -> None:
    """Through the door: the parts are those of a script of ours that writes down the environment it is given."""
    (tmp_path / "shows.py").write_text(
        "import json, os, sys\nprint('seen', sys.argv[1])\n"
        "open(sys.argv[1], 'w').write(json.dumps(dict(os.environ)))\nsys.exit(len(sys.argv) - 2)\n"
    )
    (tmp_path / "second").mkdir()
    parts = [("one", ["shows", "seen.json"]), ("two", ["shows", "second/seen.json", "fails"])][: 1 + beside]
    # -m finds the script in the working directory
    code = (
        f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import parts, browser\n"
        f"browser.get = lambda: True; parts.GROUPS = ({parts!r},); sys.exit(parts.main())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**NEEDED, "PYTHONUNBUFFERED": "1", "CI": "true"}, check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == beside
    assert run.stdout.count("seen seen.json\n") == 1
    assert ("1 failed: two" if beside else "0 failed") in run.stdout
    for written in [tmp_path / "seen.json", tmp_path / "second" / "seen.json"][: 1 + beside]:
        assert set(NEEDED) <= set(json.loads(written.read_text()))
        assert not {"PYTHONUNBUFFERED", "CI"} & set(json.loads(written.read_text()))


def test_each_of_the_slowest_tests_is_there_and_as_often_as_is_said() -> None:
    page = (FOLDER.parent / "docs" / "slowest_tests.md").read_text(encoding="utf-8")
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("tests", "properties")
        for path in sorted((FOLDER.parent / folder).rglob("test_*.py"))
    )
    rows = re.findall(r"^\| `(test_\w+)`(?:, (?:(turns|some)\((\d+)\))?)?", page, re.MULTILINE)
    assert len(rows) == 30
    for name, marker, count in rows:
        assert f"def {name}(" in sources, name
        place = sources.index(f"def {name}(")
        if marker:
            assert f"mark.{marker}({count})" in sources[sources.rindex("\n\n", 0, place) : place], name


def test_parts_can_be_interrupted_where_the_whole_was_started_in_the_background(tmp_path: Path) -> None:
    # Shells let what they start in the background ignore interrupts; 2 tests waited 308 and 100 s for what they
    # interrupted, and two others met what was left of it.
    (tmp_path / "shows.py").write_text("import signal\nprint(signal.getsignal(signal.SIGINT))\n", encoding="utf-8")
    (tmp_path / "begins.py").write_text(
        "import sys\nsys.path.insert(0, sys.argv[1])\nimport parts\nparts.browser.get = lambda: True\n"
        'parts.GROUPS = ((("it shows", ["shows"]),),)\nsys.exit(parts.main())\n',
        encoding="utf-8",
    )
    begun = [sys.executable, "begins.py", str(FOLDER)]
    done = subprocess.run(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *begun], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "default_int_handler" in done.stdout
