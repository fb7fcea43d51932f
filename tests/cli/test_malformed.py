"""Malformed inputs through every command, as ``benchmarks/malformed.py`` draws them: a line, a status, nothing lost."""

from __future__ import annotations

import io
import json
import math
import os
import random
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import malformed
import malformed_cases
import malformed_files
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from malformed_cases import DOORS, KINDS, USAGE, Case, cases, drawn, make_sound
from malformed_files import PIPE

from dpcheck.cli.app import run
from dpcheck.cli.file_names import check_apart
from dpcheck.history import Baseline, Subject
from dpcheck.history.baseline_runs import record_baseline
from dpcheck.model import written_json
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.written_json import check_types, read_json, read_json_file
from dpcheck.report.whole import records

#: Commands whose refusals cost least: those of all the others are the benchmark's.
QUICK = tuple(name for name, door in DOORS.items() if not door.long and door.command not in ("theorems", "white-box"))
#: A target's module, or a process of its own, stays: these kinds are left to processes.
_IN_PROCESS = tuple(kind for kind in KINDS if kind != "target")
#: A reader that waits for a pipe is interrupted after so many seconds.
_LONGEST = 20.0


class _Waited(Exception):
    """Raised where a run waits for what never comes."""


@contextmanager
def _standing_in(folder: Path) -> Iterator[list[str]]:
    rung: list[str] = []
    before, path, modules = Path.cwd(), list(sys.path), set(sys.modules)

    def ring(*_: object) -> None:
        rung.append("no end")
        raise _Waited

    earlier = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, _LONGEST)
    os.chdir(folder)
    try:
        yield rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
        os.chdir(before)
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if name.startswith(("dpcheck_target_", "dpcheck_user_", "mine", "train", "my_theorems")):
                del sys.modules[name]


def _ran(folder: Path, argv: Sequence[str]) -> tuple[int | None, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with _standing_in(folder) as rung, redirect_stdout(out), redirect_stderr(err):
        status = run(argv)
    return None if rung else status, out.getvalue(), err.getvalue()


def _wrong(case: Case, sound: Path) -> str:
    """What is wrong with how a case ends, in this process."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        shutil.copytree(sound, folder)
        malformed.placed(case, folder)
        before = malformed.contents(folder)
        status, out, err = _ran(folder, case.argv)
        return malformed.judged(case, status, out, err, before, malformed.contents(folder))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    make_sound(folder, lambda argv: _ran(folder, argv)[0] or 0)
    return folder


def _case(door: str, argv: Sequence[str] | None = None, put: Sequence[tuple[str, Any]] = (), **more: Any) -> Case:
    """A case that is spelt out, refused as usage."""
    fields: dict[str, Any] = {
        "kind": "file",
        "damage": "",
        "named": ("",),
        "malformed": True,
        "statuses": USAGE,
        **more,
    }
    return Case(door=door, argv=tuple(argv or DOORS[door].argv), put=tuple(put), **fields)


@pytest.mark.turns(2)
@given(random=st.randoms(use_true_random=False), door=st.sampled_from(QUICK), kind=st.sampled_from(_IN_PROCESS))
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_a_malformed_input_is_one_line_a_status_and_nothing_lost(
    sound: Path, random: random.Random, door: str, kind: str
) -> None:
    case = drawn(random, sound, kinds=(kind,), doors=(door,))
    if case is not None and not any("\x00" in word for word in case.argv):
        assert _wrong(case, sound) == "", case


@pytest.mark.turns(3)
def test_a_few_in_processes_of_their_own(sound: Path, seed: int) -> None:
    found = cases(random.Random(seed), sound, kinds=("target", "file", "thing", "option"), doors=("audit of a table",))
    for case in (next(found) for _ in range(2)):
        ended = malformed.ran((case, str(sound), True))
        assert not ended.wrong, ended


# --- what the benchmark found first


@pytest.mark.turns(4)
def test_json_that_says_a_thing_twice_is_refused_by_every_reader(sound: Path) -> None:
    readers = (
        ("compare", "b.json"),
        ("record", "b.json"),
        ("report", "audit.json"),
        ("report", "measured.json"),
        ("report of records", "pages/mine/mine.json"),
        ("theorems", "my_theorems.certificates.json"),
    )
    for number, (door, file) in enumerate(readers):
        content = (sound / file).read_bytes()
        first = next(iter(json.loads(content)))
        wrong = (
            content.replace(b"{", f'{{"{first}": 3, '.encode(), 1),
            content.replace(b"{", b'{"more": NaN, ', 1),
            content.replace(b"{", b'{"more": 1e999, ', 1),
            content.replace(b"{", b'{"more": ' + b"[" * 100_000 + b", ", 1),
        )
        for made in {wrong[0], wrong[1 + number % 3]}:
            assert _wrong(_case(door, put=[(file, made)], named=(Path(file).name,)), sound) == "", (door, made[:60])


def test_json_is_read_as_the_standard_has_it(tmp_path: Path) -> None:
    assert read_json('{"a": [1, 2.5, true, null, "x"]}') == {"a": [1, 2.5, True, None, "x"]}
    for text, said in (
        ('{"a": 1, "b": {"c": 1, "c": 1}}', "'c' is there twice"),
        ("[NaN]", "NaN is no number"),
        ("-Infinity", "no number"),
        ("1e999", "too large for a double"),
        ("[" * 100_000, "too deep"),
        ("", "Expecting value"),
    ):
        with pytest.raises(ValueError, match=said):
            read_json(text)
    with pytest.raises(ValueError, match="it is a folder"):
        read_json_file(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_json_file(tmp_path / "none")


@pytest.mark.turns(4)
def test_a_text_or_a_truth_value_is_no_number_of_a_record(sound: Path) -> None:
    for door, file, field in (
        ("compare", "b.json", "block_calls"),
        ("report", "measured.json", "samples"),
        ("report", "audit.json", "pairs_tried"),
        ("report of records", "pages/audits/mine.py-learn.json", "samples"),
    ):
        content = (sound / file).read_text()
        assert re.search(rf'"{field}": \d+', content)
        made = re.sub(rf'"{field}": \d+', f'"{field}": true', content).encode()
        assert _wrong(_case(door, put=[(file, made)], named=(Path(file).name,)), sound) == "", file
    for read, made in ((True, 1), ("1e999999999", math.inf), ("7", 7), (1, True), ("9" * 500, 10**500)):
        with pytest.raises(ValueError, match="a > 0 must be"):
            check_types({"a": [read]}, {"a": (made,)})
    check_types({"a": ["inf", 1, 2.0, "x", None, True]}, {"a": (math.inf, 1.0, 2, "x", None, True), "b": 1})


def test_a_curve_of_a_record_has_as_many_x_as_y(sound: Path) -> None:
    file = "pages/audits/mine.py-learn.json"
    data = json.loads((sound / file).read_text())
    path = next(one for one in malformed_files.places(data) if one[-2:-1] == ("x",))
    parent = data
    for step in path[:-1]:
        parent = parent[step]
    del parent[path[-1]]
    case = _case("report of records", put=[(file, json.dumps(data).encode())], named=("mine.py-learn.json",))
    assert _wrong(case, sound) == ""


@pytest.mark.parametrize(
    "command", [("one-run", "scores.csv"), ("white-box", "mine.py:train", "--dataset", "data.csv")]
)
def test_a_delta_at_which_an_epsilon_is_told_is_refused_by_its_option(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("in,score\n1,2.0\n0,1.0\n")
    assert run([*command, "--epsilon", "1", "--at-delta", "1.5"]) == 2
    assert capsys.readouterr().err.startswith(
        "dpcheck: --at-delta must be a probability of at least 0 and below 1, got"
    )


def test_a_plan_without_a_target_refuses_what_only_calls_read(sound: Path) -> None:
    for more in (("--call-timeout", "nan"), ("--isolation", "none"), ("--seed", "3"), ("--numerics", "exact")):
        case = _case("plan without a target", (*DOORS["plan without a target"].argv, *more), named=more[:1])
        assert _wrong(case, sound) == ""


def test_a_command_line_of_a_record_is_of_texts(sound: Path) -> None:
    made = (sound / "audit.json").read_bytes().replace(b'"argv": [', b'"argv": [3, ', 1)
    assert _wrong(_case("report", put=[("audit.json", made)], named=("audit.json",)), sound) == ""


@pytest.mark.turns(3)
def test_formulas_of_a_record_that_are_none_are_refused(sound: Path) -> None:
    data = json.loads((sound / "pages/mine/mine.json").read_text())
    claims = [path for path in malformed_files.places(data) if path and path[-1] in ("claim", "variables", "assume")]
    for path, wrong in ((claims[0], True), (claims[1], 3), (claims[2], "((((")):
        made = json.dumps(malformed_files.with_part(data, path, wrong)).encode()
        case = _case("report of records", put=[("pages/mine/mine.json", made)], named=("mine.json",))
        assert _wrong(case, sound) == "", (path, wrong)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("door", "file"),
    [
        ("report of records", "pages/audits/mine.py-learn.json"),
        ("theorems", "my_theorems.certificates.json"),
        ("one-run", "scores.csv"),
        ("report of a paper", "my_theorems.py"),
    ],
)
def test_what_is_no_file_is_refused_and_not_waited_for(door: str, file: str, sound: Path) -> None:
    for thing in (PIPE, malformed.CIRCLE, malformed.FOLDER):
        if (file, thing) != ("my_theorems.py", malformed.FOLDER):
            assert _wrong(_case(door, put=[(file, thing)], named=(Path(file).name,)), sound) == "", thing


@pytest.mark.some(6)
@pytest.mark.parametrize(
    ("door", "more"),
    [
        ("audit of a table", ("--json", "data.csv")),
        ("audit of a table", ("--sarif", "./data.csv")),
        ("audit", ("--output", "mine.py")),
        ("audit of pairs", ("--output", "pairs.npz")),
        ("audit", ("--output", "same", "--json", "same")),
        ("dry run", ("--output", "data.csv")),
        ("measure", ("--json", "data.csv")),
        ("plan", ("--output", "pairs.npz")),
        ("white-box", ("--json", "labelled.csv")),
        ("check", ("--output", "mine.py")),
        ("compare", ("--json", "b.json")),
        ("compare", ("--history", "b.json")),
        ("record", ("--history", "b.json")),
        ("one-run", ("--output", "control.csv")),
    ],
)
def test_no_run_writes_over_what_it_reads(door: str, more: tuple[str, ...], sound: Path) -> None:
    case = _case(door, (*DOORS[door].argv, *more), kind="output", named=("must be another file than",))
    assert _wrong(case, sound) == ""


def test_documents_may_meet_where_nothing_is_replaced(tmp_path: Path) -> None:
    check_apart({"--dataset": "sklearn:iris"}, {"--output": Path("/dev/null"), "--json": Path("/dev/null")})
    check_apart({"--dataset": "data.csv", "--public": "data.csv"}, {"--json": tmp_path / "x"})
    with pytest.raises(InvalidArgument, match=r"--json must be another file than target mine\.py:f"):
        check_apart({"target mine.py:f": "mine.py:f"}, {"--json": Path("mine.py")})


def test_an_option_that_is_refused_leaves_earlier_findings(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    shutil.copytree(sound, folder)
    (folder / "found").mkdir()
    (folder / "found" / "findings.md").write_text("earlier")
    survey = ("survey", "diffprivlib-linear-regression", "--quiet", "--output", "found", "--max-seconds", "0")
    status, out, err = _ran(folder, survey)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert (folder / "found" / "findings.md").read_text() == "earlier"


def test_a_seed_below_zero_is_refused_of_baselines(sound: Path) -> None:
    for door in ("record", "compare"):
        case = _case(door, (*DOORS[door].argv, "--seed", "-1"), named=("seed must be a whole number of at least 0",))
        assert _wrong(case, sound) == ""
    subject = Subject("coin", lambda data, rng: rng.random() < 0.5, pairs=[([0], [1])], calls=1_000, learn_calls=500)
    with pytest.raises(InvalidArgument, match="seed must be a whole number of at least 0, got -1"):
        record_baseline([subject], Baseline({}), seed=-1)


def test_a_dry_run_refuses_a_document_that_it_does_not_write(sound: Path) -> None:
    case = _case("dry run", (*DOORS["dry run"].argv, "--sarif", "x"), named=("leave out --sarif",))
    assert _wrong(case, sound) == ""


@pytest.mark.turns(4)
def test_a_damaged_journal_stands_in_no_runs_way_and_is_kept(sound: Path, tmp_path: Path, seed: int) -> None:
    folder, choice = tmp_path / "here", random.Random(seed)
    shutil.copytree(sound, folder)
    audit = (*DOORS["audit"].argv, "--journal", "kept")
    audit = malformed_cases.without(malformed_cases.without(audit, "--output", 1), "--json", 1)
    first = _ran(folder, audit)
    assert first[0] == 0
    (file,) = (folder / "kept").glob("*.calls")
    content = file.read_bytes()
    line = content.index(b"\n") + 1
    for _ in range(4):
        shutil.rmtree(folder / "kept")
        (folder / "kept").mkdir()
        made = malformed_files.edited(content, choice)
        file.write_bytes(made)
        status, _, err = _ran(folder, audit)
        assert (status, err) == (0, first[2])
        aside = [one.read_bytes() for one in (folder / "kept").iterdir() if one != file]
        # Set aside; or what was cut off, in its first line or in its end, is dropped and the rest goes on.
        assert made in aside or file.read_bytes()[: min(line, len(made))] == made[:line]
    for thing in (PIPE, malformed.FOLDER, malformed.DANGLING):
        shutil.rmtree(folder / "kept")
        (folder / "kept").mkdir()
        malformed.placed(_case("audit", put=[(f"kept/{file.name}", thing)]), folder)
        status, _, err = _ran(folder, audit)
        assert (status, "journal could not be kept in" in err, "Traceback" in err) == (2, True, False), (thing, err)


# --- the harness can fail


@pytest.mark.turns(3)
def test_a_reader_that_is_broken_on_purpose_is_seen(sound: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {}
    twice = _case("report of records", put=[("pages/mine/mine.json", b'{"a": 1, "a": 2}')], named=("mine.json",))
    piped = _case("report of records", put=[("pages/mine/mine.json", PIPE)], named=("mine.json",))
    with monkeypatch.context() as broken:
        broken.setattr(written_json, "_each_once", dict)
        seen["a key twice is read"] = _wrong(twice, sound)
    with monkeypatch.context() as broken:
        broken.setattr(records, "read_json_file", lambda path: json.loads("[" * 100_000))
        seen["what is raised is not caught"] = _wrong(twice, sound)
    with monkeypatch.context() as broken:
        broken.setattr(sys.modules[__name__], "_LONGEST", 0.5)
        broken.setattr(records, "read_json_file", lambda path: path.read_text())
        seen["a pipe is waited for"] = _wrong(piped, sound)
    with monkeypatch.context() as broken:
        broken.setattr("dpcheck.cli.file_names.check_apart", lambda *given: None)
        over = _case("audit of a table", (*DOORS["audit of a table"].argv, "--json", "data.csv"), named=("--json",))
        seen["data are written over"] = _wrong(over, sound)
    assert seen == {
        "a key twice is read": "status 0",
        "what is raised is not caught": "internal error",
        "a pipe is waited for": "no end",
        "data are written over": "status 0",
    }


@pytest.mark.parametrize(
    ("status", "out", "err", "wrong"),
    [
        (2, "", "dpcheck: --alpha wants a number\n", ""),
        (None, "", "", "no end"),
        (0, "fine", "", "status 0"),
        (1, "", "dpcheck: --alpha wants a number\n", "status 1"),
        (70, "", "dpcheck: --alpha: broken\n", "internal error"),
        (2, "", "Traceback (most recent call last):\n", "traceback"),
        (2, "", "dpcheck: internal error: x\n", "internal error"),
        (2, "", "", "not a word"),
        (2, "", "dpcheck: --alpha a\ndpcheck: b\n", "2 lines of error"),
        (2, "", "dpcheck: something is wrong\n", "does not name it"),
        (2, "", "dpcheck: --alpha \x1b[31m\n", "steers the terminal"),
        (2, "x: VIOLATED (claim: 1-DP)", "dpcheck: --alpha\n", "accuses"),
        (2, "", "dpcheck: --alpha " + "x" * 3_000 + "\n", "a line of 3017 characters"),
        (-9, "", "", "status -9"),
    ],
)
def test_each_fault_of_an_end_has_a_name(status: int | None, out: str, err: str, wrong: str) -> None:
    case = _case("audit", named=("--alpha",))
    assert malformed.judged(case, status, out, err, {}, {}) == wrong


def test_files_that_are_lost_or_left_behind_are_seen() -> None:
    case, line = _case("audit", named=("--alpha",)), "dpcheck: --alpha\n"
    for before, after, wrong in (
        ({"data.csv": b"1,2"}, {"data.csv": b""}, "changed: data.csv"),
        ({"data.csv": b"1,2"}, {}, "gone: data.csv"),
        ({}, {".run.json.a1b2": b""}, "left behind: .run.json.a1b2"),
        ({"run.json": b"old"}, {"run.json": b""}, "changed: run.json"),
        ({"run.json": b"old"}, {"run.json": b'{"half'}, "changed: run.json"),
        ({"run.json": b"old"}, {"run.json": b'{"trouble": "usage error"}'}, ""),
        ({"h.sqlite3": b"none"}, {"h.sqlite3.damaged-1": b"none", "h.sqlite3": b""}, ""),
    ):
        assert malformed.judged(case, 2, "", line, before, after) == wrong, (before, after)


def test_the_rules_let_sound_files_pass(sound: Path) -> None:
    for door in DOORS.values():
        for file, kind in door.reads.items():
            assert malformed.READABLE[kind]((sound / file).read_bytes()), file
            assert not malformed.READABLE[kind](b"\xff\xfe\x00"), file
