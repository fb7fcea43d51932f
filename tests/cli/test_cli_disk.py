"""Commands where the disk does not do what it is asked: results are shown, nothing is lost, a line says why."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dpcheck
from dpcheck.cli import baseline_files, documents
from dpcheck.cli.app import run
from dpcheck.history.baseline import Baseline
from dpcheck.history.store import Row, Store
from dpcheck.model import disk
from dpcheck.model.errors import InvalidArgument, RecordCorrupt
from dpcheck.proof.coq.theory import write as write_theory
from dpcheck.proof.store import open_store
from tests.failing_disk import FAULTS, Fault, failing

ROOT = Path(dpcheck.__file__).parents[1]
SCORES = "score,included\n" + "".join(f"{(place * 37) % 100},{place % 2}\n" for place in range(40))
ONE_RUN = ("one-run", "scores.csv", "--epsilon", "1", "--delta", "1e-5")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "mine.py").write_text("def f(data, rng):\n    return sum(data) + rng.laplace()\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no room, once what was asked for has been looked at."""

    def no_room(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(documents, "write_whole", no_room)


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("plan", "--epsilon", "1"), "calls"),
        (("learners", "alon2019.cover"), "alon2019.cover"),
        (ONE_RUN, "INCONCLUSIVE"),
        ((*ONE_RUN, "--format", "json"), '"status": "inconclusive"'),
        (("check", "mine.py:f", "--epsilon", "1", "--bounds", "0,1", "--only", "empty_data", "--isolation", "none"),
         "check_empty_data"),
    ],
    ids=lambda given: given[0] if isinstance(given, tuple) else "",
)  # fmt: skip
def test_what_was_found_is_on_the_screen_though_its_file_is_not_written(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], shown: str
) -> None:
    (folder / "out").write_text("of an earlier run")
    assert run([*arguments, "--output", "out"]) == 2
    printed = capsys.readouterr()
    assert shown in printed.out
    assert "--output could not be written to 'out': No space left on device" in printed.err
    assert "internal error" not in printed.err
    assert (folder / "out").read_text() == "of an earlier run"


@pytest.mark.usefixtures("full")
def test_each_document_that_is_not_written_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*ONE_RUN, "--json", "run.json", "--output", "out"]) == 2
    printed = capsys.readouterr()
    for option in ("--json could not be written to 'run.json'", "--output could not be written to 'out'"):
        assert printed.err.count(option) == 1
    assert not (folder / "run.json").exists()


def test_a_document_that_cannot_be_written_keeps_no_other_from_being_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/dev/full")
    asked = ("audit", "mine.py:f", "--epsilon", "1", "--bounds", "0,1", "--max-samples", "300", "--isolation", "none")
    assert run([*asked, "--quiet", "--format", "github", "--output", "out", "--json", "run.json"]) == 2
    assert json.loads((folder / "run.json").read_text())["results"]
    assert (folder / "out").read_text().startswith("::")
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == "dpcheck: what github shows beside it could not be written: No space left on device"


def test_what_is_refused_before_a_run_says_why(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with failing(1, FAULTS["read-only"]):
        assert run([*ONE_RUN, "--output", "out"]) == 2
    expected = "dpcheck: --output must be a file that can be written, got 'out': Read-only file system\n"
    assert capsys.readouterr().err == expected
    assert not (folder / "out").exists()


def test_a_baseline_that_cannot_be_written_is_an_error_that_is_handed_back(folder: Path) -> None:
    path = folder / "b.json"
    path.write_text(Baseline({}).to_json())
    with failing(1, FAULTS["broken"]):
        lost = baseline_files.write_entries(path, {})
    assert lost is None  # it holds exactly that
    path.write_text("damaged")
    assert isinstance(baseline_files.write_entries(path, {}), RecordCorrupt)
    assert path.read_text() == "damaged"


def test_certificates_that_cannot_be_kept_are_said_and_those_that_were_there_stay(folder: Path) -> None:
    path = folder / "mine.certificates.json"
    store = open_store(path)
    store.save()
    before = path.read_bytes()
    for at in range(1, 10):
        store.answers[str(at)] = {}
        with failing(at, FAULTS["broken"]) as here:
            said = ""
            try:
                store.save()
            except InvalidArgument as error:
                said = str(error)
        assert said.startswith("the certificates could not be written to ") == here.fired
        assert (path.read_bytes() == before) == here.fired
        assert [each.name for each in folder.glob("*certificates*")] == [path.name]
        if not here.fired:
            break
    assert at == 6
    assert open_store(path).answers == store.answers


def test_a_theory_that_could_not_be_written_can_be_written_again(folder: Path) -> None:
    said = r"--to must be a directory that can be made, got .*theory: No space left on device"
    for at in (1, 2, 4, 20):
        with failing(at, FAULTS["full from then on"]), pytest.raises(InvalidArgument, match=said):
            write_theory(folder / "theory", (), {})
        assert sorted(each.name for each in folder.iterdir()) == ["mine.py", "scores.csv"]
    write_theory(folder / "theory", (), {})
    assert (folder / "theory" / "README.md").exists()


# --- the history


def test_what_is_beside_a_damaged_history_goes_with_it_first(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    for at in (1, 2):
        path.write_bytes(b"no database" * 100)
        path.with_name("h.sqlite3-wal").write_bytes(b"what was not in it yet")
        with failing(at, Fault(errno.EIO)), pytest.raises(InvalidArgument, match=r"history .* cannot be used"):
            Store(path)
        kept = b"".join(each.read_bytes() for each in tmp_path.glob("h.sqlite3*-wal"))
        assert kept == b"what was not in it yet"
        with Store(path) as store:
            store.add([Row("a", "record", "recorded")])
            assert store.set_aside is not None
        assert b"what was not in it yet" in [each.read_bytes() for each in tmp_path.glob("*.damaged-*-wal")]
        for each in tmp_path.iterdir():
            each.unlink()


def test_a_history_that_another_process_began_anew_is_not_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, times = tmp_path / "h.sqlite3", 0
    path.write_bytes(b"no database" * 100)
    found = Store._opened

    def opened(store: Any) -> sqlite3.Connection:
        nonlocal times
        times += 1
        try:
            return found(store)
        except Exception:
            if times == 1:  # another process is quicker
                path.rename(tmp_path / "h.sqlite3.damaged-1")
                with Store(path) as other:
                    other.add([Row("theirs", "record", "recorded")])
            raise

    monkeypatch.setattr(Store, "_opened", opened)
    with Store(path) as store:
        assert [row.learner for row in store.rows()] == ["theirs"]
        assert store.set_aside is None
    assert (tmp_path / "h.sqlite3.damaged-1").read_bytes() == b"no database" * 100


NO_ROOM = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
from dpcheck.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def test_a_history_is_shown_where_nothing_can_be_written(folder: Path) -> None:
    path = folder / "h.sqlite3"
    with Store(path) as store:
        store.add([Row("mine", "record", "recorded")])
    arguments = ("-c", NO_ROOM, "history", "--history", "h.sqlite3", "--json")
    shown = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    assert [row["learner"] for row in json.loads(shown.stdout)["rows"]] == ["mine"], shown.stderr
    assert (shown.returncode, shown.stderr) == (0, "")
    with Store(path) as store:
        store.add([Row("ahead", "record", "recorded")])
        assert path.with_name("h.sqlite3-wal").stat().st_size  # what is there alone is never left out unsaid
        shown = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    rows = [row["learner"] for row in json.loads(shown.stdout)["rows"]] if shown.stdout else None
    assert (shown.returncode, rows) in ((0, ["mine", "ahead"]), (2, None)), shown.stderr


# --- surroundings


@pytest.mark.turns(4)
def test_without_home_temporary_folder_or_streams_a_run_comes_to_its_end(folder: Path) -> None:
    known = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    known |= dict.fromkeys(("TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), "/nowhere/at/all")
    odd = os.fsdecode(b"odd \xff\nname.json")
    asked = f"'{sys.executable}' -m dpcheck {' '.join(ONE_RUN)} --allow-inconclusive --json \"$0\" <&- >&- 2>&-"
    ran = subprocess.run(["sh", "-c", asked, odd], cwd=folder, env=known, check=False, timeout=120)
    assert ran.returncode == 0
    assert "inconclusive" in json.dumps(json.loads((folder / odd).read_text()))
    assert sorted(each.name for each in folder.iterdir()) == sorted(["mine.py", "scores.csv", odd])


@pytest.mark.turns(4)
@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
def test_standard_output_in_a_file_has_both_the_text_and_the_document(folder: Path) -> None:
    with (folder / "both.txt").open("w") as both:
        subprocess.run(
            [sys.executable, "-m", "dpcheck", *ONE_RUN, "--json", "/dev/stdout"],
            cwd=folder, stdout=both, check=False, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    text = (folder / "both.txt").read_text()
    assert '"status": "inconclusive"' in text
    assert "INCONCLUSIVE" in text


def test_the_disk_that_is_asked_is_the_real_one() -> None:
    assert type(disk.DISK) is disk.Disk
