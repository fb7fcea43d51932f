"""Environments of packages: used again while they are what they were made of, made again when anything differs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dpcheck.execution import environments as subject
from dpcheck.execution.environments import NOTE, Made, NotMade, Pip, Uv, Wanted, environments_in, made, tool_here
from dpcheck.model.errors import InvalidArgument
from tests.this_environment import ThisOne

LIB = Wanted("lib-1", ("lib==1.0",))


def what_is_made_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which changes have an environment made again, of those that should."""
    tool, again = ThisOne(), []
    first = made(LIB, folder, tool)
    assert made(LIB, folder, tool).digest == first.digest
    assert tool.created == ["lib-1"], "one that is there is used"

    def changed(what: str, wanted: Wanted = LIB) -> None:
        tool.created.clear()
        made(wanted, folder, tool)
        again.extend([what] if tool.created else [])

    lock = folder / "lib-1.txt"
    lock.write_text(lock.read_text() + "other==2.0\n")
    changed("lock")
    changed("python", Wanted("lib-1", LIB.requirements, f"3.{__import__('sys').version_info.minor}"))
    (folder / "lib-1" / NOTE).write_text("{")
    changed("note")
    return again


@pytest.mark.turns(3)
def test_an_environment_is_made_again_when_what_it_was_made_of_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert what_is_made_again(tmp_path, monkeypatch) == ["lock", "python", "note"]


@pytest.mark.turns(3)
def test_another_dpcheck_is_put_into_the_environment_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = ThisOne()
    first = made(LIB, tmp_path, tool)
    (kept,) = (tmp_path / "lib-1").rglob("dpcheck/__init__.py")
    kept.write_text("raise SystemExit('an older one')\n")
    (kept.parent / "gone.py").write_text("")
    monkeypatch.setattr(subject, "source_digest", lambda: "of another dpcheck")
    again = made(LIB, tmp_path, tool)
    assert tool.created == ["lib-1"]
    assert again.digest != first.digest
    assert again.packages == first.packages
    assert "older" not in kept.read_text()
    assert not (kept.parent / "gone.py").exists()
    assert made(LIB, tmp_path, tool).seconds == 0.0


@pytest.mark.turns(6)
def test_one_that_is_used_though_its_lock_changed_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "_digest_of_packages", lambda wanted, lock: json.dumps(wanted.requirements))
    assert "lock" not in what_is_made_again(tmp_path, monkeypatch)


@pytest.mark.turns(2)
def test_it_runs_this_dpcheck_and_nothing_of_this_process(tmp_path: Path) -> None:
    there = made(LIB, tmp_path, ThisOne())
    code = "import dpcheck, importlib.metadata as m; print(dpcheck.__file__); print(m.version('dpcheck'))"
    ran = subprocess.run(
        [there.interpreter, "-P", "-c", code], capture_output=True, text=True, check=True, env=subject.variables_there()
    )
    where, version = ran.stdout.splitlines()
    assert Path(where).is_relative_to(tmp_path)
    assert version
    assert any(one.startswith("numpy==") for one in there.packages)
    assert (tmp_path / "lib-1.txt").read_text().splitlines()[0] == "# Locked by dpcheck survey: lib==1.0"


def test_a_lock_that_was_made_for_something_else_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "locks" / "lib.txt"
    lock.parent.mkdir()
    lock.write_text("# Locked by dpcheck survey: lib==0.9\nlib==0.9\n")
    with pytest.raises(NotMade, match=r"lock lib.txt was made for lib==0.9, and not for lib==1.0: take it away"):
        made(Wanted("lib-1", ("lib==1.0",), lock=lock), tmp_path, ThisOne())


def test_a_folder_that_is_no_environment_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "lib-1").mkdir()
    (tmp_path / "lib-1" / "thesis.tex").write_text("mine")
    with pytest.raises(NotMade, match="is there and is no environment"):
        made(LIB, tmp_path, ThisOne())
    assert (tmp_path / "lib-1" / "thesis.tex").read_text() == "mine"


@pytest.mark.turns(3)
def test_what_was_ended_while_it_was_taken_away_or_made_is_made_again(tmp_path: Path) -> None:
    class Ended(ThisOne):
        def create(self, place: Path, python: str) -> None:
            (place / "lib").mkdir(parents=True)
            raise KeyboardInterrupt

    tool = ThisOne()
    with pytest.raises(KeyboardInterrupt):
        made(LIB, tmp_path, Ended())
    made(LIB, tmp_path, tool)
    assert tool.created == ["lib-1"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["lib-1", "lib-1.txt"], "no mark stays"
    shutil.rmtree(tmp_path / "lib-1")
    (tmp_path / "lib-1").mkdir()
    with pytest.raises(NotMade, match="is there and is no environment"):
        made(LIB, tmp_path, tool)


def test_what_cannot_be_resolved_says_why_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(NotMade, match="there is no version of nowhere"):
        made(Wanted("none", ("nowhere",)), tmp_path, ThisOne())
    assert not (tmp_path / "none" / NOTE).exists()
    with pytest.raises(NotMade, match=r"no-such-program cannot be run"):
        Uv("/no-such-program").create(tmp_path / "x", "")
    with pytest.raises(NotMade, match=r"there is no Python 3\.99 here, and pip gets none: pip install uv"):
        Pip().create(tmp_path / "x", "3.99")


def test_a_folder_is_for_one_survey_at_a_time(tmp_path: Path) -> None:
    with (
        environments_in(tmp_path / "e"),
        pytest.raises(
            InvalidArgument, match=rf"must be free, got '.*', which another survey has \(process {os.getpid()}\): wait"
        ),
        environments_in(tmp_path / "e"),
    ):
        pass
    with environments_in(tmp_path / "e") as again:
        assert again.is_dir()


@pytest.mark.extra
@pytest.mark.parametrize("name", ["uv", "pip"])
def test_real_environments_have_what_was_locked(tmp_path: Path, name: str) -> None:
    tool: Any = tool_here() if name == "uv" else Pip()
    if tool.name != name:
        pytest.skip("uv is not here")
    there = made(Wanted("six-old", ("six==1.15.0",)), tmp_path, tool)
    assert "six==1.15.0" in there.packages
    assert there.seconds > 0
    lock = (tmp_path / "six-old.txt").read_text()
    assert "six==1.15.0" in lock
    assert ("--hash=sha256:" in lock) == (name == "uv")
    again: Made = made(Wanted("six-old", ("six==1.15.0",)), tmp_path, tool)
    assert (again.seconds, again.packages) == (0.0, there.packages)
    with pytest.raises(NotMade, match="six"):
        made(Wanted("six-none", ("six==99.0",)), tmp_path, tool)
    shutil.rmtree(tmp_path / "six-old")
