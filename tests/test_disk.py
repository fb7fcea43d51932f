"""What is written to the disk: whole or not at all, whatever fails, and by nobody else."""

from __future__ import annotations

import ast
import errno
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import dpcheck
from dpcheck.model import disk
from tests.failing_disk import FAULTS, Fault, Killed, failing

PACKAGE = Path(dpcheck.__file__).parent
#: Names that files may have: with spaces, lines, bytes that are no text, and as long as names are.
NAMES = ("run.json", "with space", "two\nlines", os.fsdecode(b"\xff\xfe"), "-x", "n" * 255, "ü" * 127)


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_file_of_any_name_is_written_set_aside_and_put_back(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    disk.write_whole(file, "old")
    disk.write_whole(file, b"new")
    aside = disk.set_aside(file)
    assert (aside.read_bytes(), list(tmp_path.iterdir())) == (b"new", [aside])
    disk.put_back(aside, file)
    assert (file.read_bytes(), list(tmp_path.iterdir())) == (b"new", [file])


def test_a_link_stays_one_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    there, link = tmp_path / "elsewhere" / "run.json", tmp_path / "link"
    link.symlink_to(there)
    for text in ("first", "second"):  # the first leads to what is not there
        disk.write_whole(link, text)
        assert (link.is_symlink(), there.read_text()) == (True, text)
    assert disk.set_aside(link) == there.with_name("run.json.earlier")
    assert link.is_symlink()


def test_who_may_read_a_file_is_as_it_was(tmp_path: Path) -> None:
    file, new = tmp_path / "run.json", tmp_path / "new.json"
    file.write_text("old")
    file.chmod(0o640)
    disk.write_whole(file, "second")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    disk.set_aside(file)
    disk.write_whole(file, "third")  # of the file that was set aside for it
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        disk.write_whole(new, "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


def test_what_this_process_has_open_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    with file.open("w") as held:
        held.write("before\n")
        held.flush()
        disk.write_whole(Path(f"/dev/fd/{held.fileno()}"), "between\n")
        held.write("after\n")
    assert file.read_text() == "before\nbetween\nafter\n"


def test_what_is_added_is_added_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    disk.append(file, "one\n")
    for at in range(1, 9):
        before = file.read_text()
        with failing(at, FAULTS["full"]) as here, suppress(OSError):
            disk.append(file, "two\n")
        assert file.read_text() == (before if here.fired else f"{before}two\n")
        if not here.fired:
            break
    assert at == 3


def test_a_folder_is_there_with_all_of_its_files_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "theory"
    for fault in (FAULTS["full"], FAULTS["read-only"], FAULTS["broken"]):
        for at in range(1, 30):
            with failing(at, fault) as here, suppress(OSError), disk.directory_whole(folder) as fresh:
                for name in ("a", "b"):
                    disk.write_whole(fresh / name, name)
            assert folder.exists() != here.fired
            if folder.exists():
                break
        assert sorted(each.name for each in folder.iterdir()) == ["a", "b"]
        assert list(tmp_path.iterdir()) == [folder]
        for each in folder.iterdir():
            each.unlink()
        folder.rmdir()


@pytest.mark.parametrize("fault", [*FAULTS, "interrupted"])
def test_whatever_fails_a_file_is_old_or_new_and_nothing_is_beside_it(tmp_path: Path, fault: str) -> None:
    file, how = tmp_path / "run.json", FAULTS.get(fault, Fault(gently=True))
    how = Fault(gently=True) if how.killed else how  # this process goes on
    for at in range(1, 20):
        file.write_text("old")
        file.chmod(0o600)
        with failing(at, how) as here, suppress(OSError, Killed):
            disk.write_whole(file, "new, and longer")
        assert file.read_text() == ("old" if here.fired and not how.short else "new, and longer")
        assert list(tmp_path.iterdir()) == [file]
        if not here.fired:
            break
    assert at == 6


def test_a_file_system_that_gives_nothing_to_the_disk_is_written_to_all_the_same(tmp_path: Path) -> None:
    with failing(3, Fault(errno.EINVAL)) as here:
        disk.write_whole(tmp_path / "run.json", "new")
    assert (here.fired, here.log[2], (tmp_path / "run.json").read_text()) == (True, "sync", "new")


# --- nobody else writes

#: Files of the package that write by themselves, and why.
WRITE_BY_THEMSELVES = {
    "model/disk.py": "the seam",
    "cli/child_process.py": "signals and pipes, no files",
    "cli/streams.py": "the null device",
    "cli/survey_runs.py": "a folder of its own that is gone afterwards",
    "execution/forked.py": "pipes",
    "execution/frames.py": "pipes",
    "execution/own_generators.py": "a folder of its own that is gone afterwards",
    "execution/processes.py": "the null device",
    "execution/supervisor.py": "pipes, and memory that has no name",
    "execution/worker.py": "pipes, and a file of the system's",
    "model/verdict/record.py": "memory",
    "papers/bassily2018/learners/ledger.py": "a learner's own ledger, whose writes are counted in its tests",
    "parts/zoo/hostile/dying.py": "hostile",
    "parts/zoo/hostile/leaving.py": "hostile",
}
_WRITERS = {"write_text", "write_bytes", "mkdir", "makedirs", "mkstemp", "mkdtemp", "fdopen", "savez", "touch"}
_OF_OS = {"open", "replace", "rename", "renames", "link", "unlink", "remove", "write", "pwrite", "truncate", "mkdir"}
_OF_TEMPFILE = {"TemporaryFile", "NamedTemporaryFile", "TemporaryDirectory", "SpooledTemporaryFile"}
_MAY_WRITE = re.compile(rf"\b({'|'.join(sorted(_WRITERS | _OF_TEMPFILE))}|os\.\w+|open)\(")


def _writes(source: str) -> Iterator[str]:
    """The calls of a module that write a file, or may."""
    if not _MAY_WRITE.search(source):  # most have none, and need not be parsed
        return
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        owner = called.value.id if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) else ""
        given = (*node.args, *(each.value for each in node.keywords))
        modes = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        opened = name == "open" and any(set(mode) <= set("rwaxbt+") and set(mode) & set("wax+") for mode in modes)
        if opened or name in _WRITERS or name in _OF_TEMPFILE or (owner == "os" and name in _OF_OS):
            yield f"{owner}.{name}" if owner else name


def test_the_package_writes_by_the_seam_alone() -> None:
    found = {
        str(path.relative_to(PACKAGE)): calls
        for path in sorted(PACKAGE.rglob("*.py"))
        if (calls := sorted(set(_writes(path.read_text(encoding="utf-8")))))
    }
    others = {name: calls for name, calls in found.items() if name not in WRITE_BY_THEMSELVES}
    assert not others, f"write by dpcheck.model.disk: {others}"
    assert set(WRITE_BY_THEMSELVES) <= set(found), "files that no longer write by themselves"


@pytest.mark.parametrize(
    "line",
    [
        "Path('x').write_text('y')",
        "open('x', 'w')",
        "path.open(mode='ab')",
        "os.replace(a, b)",
        "tempfile.TemporaryFile()",
    ],
)
def test_the_test_sees_who_writes(line: str) -> None:
    assert list(_writes(line))
    assert not list(_writes("open('data'); path.open('rb'); os.read(3, 4); text.replace('a', 'b')"))


# --- a process that is killed


@pytest.mark.turns(4)
@pytest.mark.parametrize("at", [4, 6])
def test_a_process_that_is_killed_while_it_writes_leaves_what_was_there(tmp_path: Path, at: int) -> None:
    (tmp_path / "plan.txt").write_text("of an earlier run")
    run = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("failing_disk.py")), "killed", str(at), "plan", "--epsilon", "1",
         "--output", "plan.txt"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )  # fmt: skip
    assert run.returncode == 4
    assert "the process was ended by SIGKILL" in run.stderr
    assert not (tmp_path / "plan.txt").exists()
    assert (tmp_path / "plan.txt.earlier").read_text() == "of an earlier run"
