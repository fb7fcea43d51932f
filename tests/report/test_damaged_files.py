"""Files that dpcheck reads, with bytes of them damaged: one clear line, and never an internal error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from malformed_files import places, with_part

from dpcheck.cli.app import run
from dpcheck.cli.report_run import _survey
from dpcheck.history import Baseline, Subject
from dpcheck.history.baseline_runs import record_baseline
from dpcheck.history.store import Row, Store
from dpcheck.report.pages.layout import Place
from dpcheck.report.whole.findings_page import render
from tests.handmade_reports import survey

LEARNER = "def learn(dataset, rng):\n    return 0.0\n"
SETTINGS = '[tool.dpcheck]\nepsilon = 1.0\nbounds = [0, 1]\nmax-seconds = 1\ntargets = ["mine.py:learn"]\n'
#: The command that reads each kind of file, and gets no further than its data where these are sound.
READS: dict[str, tuple[str, list[str]]] = {
    "baseline": ("b.json", ["compare", "--baseline", "b.json", "--no-history", "--only", "nothing*"]),
    "baseline, recorded again": ("b.json", ["record", "--baseline", "b.json", "--no-history", "--prune"]),
    "history": ("h.sqlite3", ["history", "--history", "h.sqlite3"]),
    "settings": ("pyproject.toml", ["audit", "--dry-run"]),
    "pairs": ("p.npz", ["audit", "mine.py:learn", "--epsilon", "1", "--pairs", "p.npz", "--dry-run"]),
    "array": (
        "d.npy",
        ["audit", "mine.py:learn", "--epsilon", "1", "--dataset", "d.npy", "--bounds", "0,1", "--dry-run"],
    ),
    "table": (
        "d.csv",
        ["audit", "mine.py:learn", "--epsilon", "1", "--dataset", "d.csv", "--bounds", "0,9", "--dry-run"],
    ),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind."""
    folder = tmp_path_factory.mktemp("sound")
    (folder / "mine.py").write_text(LEARNER)
    (folder / ".git").mkdir()
    effort: dict[str, Any] = {"isolation": "none", "calls": 1_000, "learn_calls": 500, "cost": False}
    coin = Subject("coin", lambda data, rng: rng.random() < 0.5, pairs=[([0], [1])], **effort)
    (folder / "b.json").write_text(record_baseline([coin], Baseline({})).to_json())
    with Store(folder / "h.sqlite3") as store:
        store.add([Row("coin", "record", "recorded", {"x": 1.0}) for _ in range(20)])
    (folder / "pyproject.toml").write_text(SETTINGS)
    np.savez(folder / "p.npz", left=np.zeros((2, 3)), right=np.ones((2, 3)))
    np.save(folder / "d.npy", np.linspace(0, 1, 12))
    (folder / "d.csv").write_text("a,b\n" + "\n".join(f"{k % 9},{k % 7}" for k in range(12)) + "\n")
    return folder


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes changed, cut out, doubled or put in."""
    made = bytearray(content)
    for _ in range(int(rng.integers(1, 4))):
        place, size = int(rng.integers(0, len(made) + 1)), int(rng.choice([1, 2, 16, 200]))
        match int(rng.integers(0, 6)):
            case 0:
                made[place : place + size] = rng.bytes(size)
            case 1:
                del made[place : place + size]
            case 2:
                made[place:place] = made[place : place + size]
            case 3:
                made[place:place] = rng.choice(
                    [b"\x00", b"\xff\xfe", b"9" * 400, b"1e999", b"[" * 3000, b'"', b"\r", b"-"]
                )
            case 4:
                del made[place:]
            case _:
                if made:
                    made[min(place, len(made) - 1)] ^= 1 << int(rng.integers(0, 8))
    return bytes(made)


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", READS)
def test_a_damaged_file_is_one_line(
    kind: str,
    sound: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rng: np.random.Generator,
) -> None:
    name, arguments = READS[kind]
    for other in sound.iterdir():
        if other.is_file():
            (tmp_path / other.name).write_bytes(other.read_bytes())
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    content, file = (sound / name).read_bytes(), tmp_path / name
    for _ in range(TRIED):
        made = damaged(content, rng)
        file.write_bytes(made)
        status = run(arguments)
        said = capsys.readouterr()
        shown = f"{kind}: status {status} of {made[:3000]!r}: {said.err}"
        assert status in (0, 2, 5), shown
        assert "Traceback" not in said.err, shown
        assert "internal error" not in said.err, shown
        if status == 2:
            assert said.err.count("\n") == 1, shown
            assert len(said.err) < 2_000, shown


#: Damaged versions of each file in one run.
TRIED = 25


#: Ways in which a file is no file of its kind at all; None: it is a folder.
NO_FILES: tuple[bytes | None, ...] = (
    b"", b"\xff\xfe\x00", b"[]", b"3", b"null", b"[" * 100_000, b'{"a":' * 50_000, b"9" * 5_000, b"{}", None,
)  # fmt: skip
#: What stands where something else should.
WRONG: tuple[Any, ...] = (None, True, -1, 10**400, 1e308, "", "9" * 500, "1e999999999", [], {}, [[[]]], "((((((", "x^9")


MINE = "def learn(dataset, rng):\n    return sum(dataset) + rng.laplace()\n"
_ASKED = ["mine.py:learn", "--bounds", "0,1", "--max-samples", "600", "--isolation", "none", "--quiet"]
_THEOREMS = ["theorems", "--from", "my_theorems.py", "--paper", "mine"]
#: What writes a record, its name, what reads it, and the status where it is unharmed.
RECORDS: dict[str, tuple[list[str], str, list[str], int]] = {
    "certificates": ([*_THEOREMS, "--prove"], "my_theorems.certificates.json", _THEOREMS, 0),
    "certificates that are rechecked": (
        [*_THEOREMS, "--prove"],
        "my_theorems.certificates.json",
        [*_THEOREMS, "--recheck"],
        1,
    ),
    "an audit": (
        ["audit", *_ASKED, "--epsilon", "2", "--allow-inconclusive", "--json", "audit.json"],
        "audit.json",
        ["report", "audit.json", "--out", "reports"],
        0,
    ),
    "a measurement": (
        ["measure", *_ASKED, "--json", "measured.json"],
        "measured.json",
        ["report", "measured.json", "--out", "reports"],
        0,
    ),
}


@pytest.mark.some(1)
@pytest.mark.parametrize("record", RECORDS)
def test_a_record_that_reports_read_is_read_or_refused_in_a_line(
    record: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    rng: np.random.Generator,
) -> None:
    """Certificates of a user's theorems, and what ``audit`` and ``measure`` kept: whatever becomes of the file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / ".git").mkdir()
    examples = Path(__file__).parents[2] / "examples"
    (tmp_path / "my_theorems.py").write_bytes((examples / "my_theorems.py").read_bytes())
    (tmp_path / "mine.py").write_text(MINE)
    writes, name, reads, unharmed = RECORDS[record]
    assert run(writes) == 0
    capsys.readouterr()
    file = tmp_path / name
    content = file.read_bytes()
    data = json.loads(content)
    every = list(places(data))
    changed = [
        json.dumps(with_part(data, every[rng.integers(len(every))], WRONG[rng.integers(len(WRONG))])).encode()
        for _ in range(2)
    ]
    cut = content[: int(rng.integers(1, len(content)))]
    for made in (*(NO_FILES[place] for place in rng.permutation(len(NO_FILES))[:2]), None, cut, *changed):
        file.unlink(missing_ok=True)
        file.mkdir() if made is None else file.write_bytes(made)
        status = run(reads)
        said = capsys.readouterr().err
        shown = f"{name} of {made and made[:1000]!r}: {status}, {said[:3000]}"
        assert status in (0, 2, unharmed), shown
        assert "Traceback" not in said, shown
        assert "internal error" not in said, shown
        assert len(said) < 3_000, shown
        file.rmdir() if made is None else file.unlink()


def test_a_damaged_survey_leaves_the_findings_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rng: np.random.Generator
) -> None:
    """A report of an hour does not end, at its end, at a field that is missing in another file."""
    document = json.loads(json.dumps(survey()))
    file = tmp_path / "survey.json"
    file.write_text(json.dumps(document))
    assert _survey(tmp_path) == document
    every = list(places(document))
    for made in (
        *(one for one in NO_FILES if one is not None),
        *(
            json.dumps(with_part(document, every[rng.integers(len(every))], WRONG[rng.integers(len(WRONG))])).encode()
            for _ in range(60)
        ),
    ):
        file.write_bytes(made)
        found = _survey(tmp_path)
        if found is not None:
            render(found, Place("findings.html", ()))
        said = capsys.readouterr().err
        assert said.count("\n") == (found is None), said
