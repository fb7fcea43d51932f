"""Files that dpcheck reads, with bytes of them damaged: one clear line, and never an internal error."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcheck.cli.app import run
from dpcheck.history import Baseline, Subject
from dpcheck.history.running import record_baseline
from dpcheck.history.store import Row, Store

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


@pytest.mark.some(3)
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
