"""``dpcheck survey FILE.toml``: a list of one's own, audited in environments of its own; whatever fails is listed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcheck.cli import app, survey_of_file
from dpcheck.cli.survey_file import chosen, read_survey
from dpcheck.cli.survey_runs import with_imported
from dpcheck.execution.environments import Made, NotMade, Wanted
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict import Status, Verdict
from tests.handmade import verdict

ROOT = Path(__file__).resolve().parents[2]
SUBJECTS = """
def kept(dataset, rng):
    return float(sum(dataset) + rng.laplace(scale=1.0))

def exact(dataset, rng):
    import of_the_environment
    return float(sum(dataset))
"""
SURVEY = """
[survey]
title = "What is out there"
max-samples = 400

[[environment]]
name = "lib-0.9"
requirements = ["lib==0.9"]

[[environment]]
name = "lib-0.10"
requirements = ["lib==0.10"]

[[environment]]
name = "none-1"
requirements = ["nowhere"]

[[subject]]
name = "sum"
environments = ["lib-*", "none-1"]
target = "subjects.py:exact"
mended = "subjects.py:kept"
expected = { "lib-0.9" = "violated" }
epsilon = 1.0
records = [0, 1]
promise = "its manual says 1-DP"
finding = "no noise: subjects.py, line 6"

[[subject]]
name = "lost"
environments = ["lib-0.9"]
target = "subjects.py:nothing"
epsilon = 1.0
records = [0, 1]
promise = "its manual says 1-DP"
"""


def written(folder: Path, survey: str = SURVEY) -> Path:
    (folder / "subjects.py").write_text(SUBJECTS)
    (folder / "my.toml").write_text(survey)
    return folder / "my.toml"


def made_up(wanted: Wanted, folder: Path, tool: Any) -> Made:
    if "nowhere" in wanted.requirements:
        raise NotMade("there is no version of nowhere")
    pin = wanted.requirements[0]
    return Made(wanted.name, Path("python"), "3.11.7", (pin, "numpy==2.4.6"), wanted.name, 2.0)


def found_there(name: str, effort: Mapping[str, Any]) -> Verdict:
    """What audits would find: the mistake is in the older version only, and the mended copy is clean."""
    assert "--max-samples=400" in effort["commands"][name].arguments
    wrong = "lib-0.9" in name and "mended" not in name
    return verdict(Status.VIOLATED if wrong else Status.NO_VIOLATION_FOUND, target=name)


@pytest.fixture
def surveyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Runs the command on the survey, without any environment, and gives its exit status and document."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(survey_of_file, "made", made_up)

    def run(*arguments: str, audited: Any = found_there, survey: str = SURVEY) -> tuple[int, dict[str, Any]]:
        monkeypatch.setattr(survey_of_file, "audited_there", audited)
        written(tmp_path, survey)
        status = app.run(["survey", "my.toml", *arguments, "--output", "out"])
        return status, json.loads((tmp_path / "out" / "survey.json").read_text(encoding="utf-8"))

    return run


def words(document: Mapping[str, Any]) -> dict[str, tuple[str, bool]]:
    """By row what was found, and whether that was expected."""
    return {
        f"{one['name']} {row['environment']}{' mended' * row['mended']}": (result["found"], result["as_expected"])
        for one in document["subjects"]
        for row in one["rows"]
        for result in row["results"]
    }


RIGHT = {
    "sum lib-0.9": ("violated", True),
    "sum lib-0.9 mended": ("no violation found", True),
    "sum lib-0.10": ("no violation found", True),
    "sum lib-0.10 mended": ("no violation found", True),
}


def test_each_subject_in_each_environment_and_its_mended_copy(surveyed: Any, capsys: Any) -> None:
    status, document = surveyed("sum", "--only", "lib")
    assert (status, words(document)) == (0, RIGHT)
    assert document["command"] == "dpcheck survey my.toml sum --only=lib"
    assert [(one["package"], one["version"]) for one in document["environments"]] == [("lib", "0.9"), ("lib", "0.10")]
    said = capsys.readouterr()
    assert "4 of 4: sum, mended, in lib-0.10 (seed 0): no violation found, 900 calls" in said.err
    assert "4 rows: 1 violated, 4 as expected, 0 not as expected, 0 failed" in said.out


def test_what_is_dear_is_audited_on_fewer_seeds(surveyed: Any, tmp_path: Path) -> None:
    dear = SURVEY.replace("promise =", "seeds = 2\npromise =", 1)
    _, document = surveyed("sum", "--only", "lib-0.9", "--seeds", "3", survey=dear)
    results = [row["results"] for one in document["subjects"] for row in one["rows"]]
    assert [[one["seed"] for one in those] for those in results] == [[0, 1], [0, 1]]
    assert "on seeds 0 to 2 (0 of 2 rows; the others, whose learners are slow, on the first 2)" in (
        (tmp_path / "out" / "survey.md").read_text(encoding="utf-8")
    )
    everywhere = SURVEY.replace("max-samples = 400", "max-samples = 400\nseeds = 1")
    _, document = surveyed("sum", "--only", "lib-0.9", "--seeds", "3", survey=everywhere)
    assert [len(row["results"]) for one in document["subjects"] for row in one["rows"]] == [1, 1]
    _, document = surveyed("sum", "--only", "lib-0.9", "--seeds", "3")
    assert [len(row["results"]) for one in document["subjects"] for row in one["rows"]] == [3, 3]


def test_a_verdict_that_is_swapped_is_caught(surveyed: Any) -> None:
    def swapped(name: str, effort: Mapping[str, Any]) -> Verdict:
        other = {Status.VIOLATED: Status.NO_VIOLATION_FOUND, Status.NO_VIOLATION_FOUND: Status.VIOLATED}
        return verdict(other[found_there(name, effort).status])

    status, document = surveyed("sum", "--only", "lib", audited=swapped)
    assert status == 1
    assert not any(as_expected for _, as_expected in words(document).values())


def test_what_cannot_be_made_or_audited_is_listed_and_the_others_go_on(surveyed: Any, capsys: Any) -> None:
    from dpcheck.model.errors import LearnerDied, TargetNotFound

    def some(name: str, effort: Mapping[str, Any]) -> Verdict:
        if name.startswith("lost"):
            raise TargetNotFound("target subjects.py:nothing: subjects.py has no 'nothing'")
        if "mended" in name and "0.10" in name:
            raise LearnerDied("its process died (signal 11)")
        return found_there(name, effort)

    status, document = surveyed("--seeds", "2", audited=some)
    assert status == 4, "a learner that failed comes first"
    found = words(document)
    assert {key: found[key] for key in ("sum lib-0.9", "sum lib-0.10")} == {
        key: RIGHT[key] for key in ("sum lib-0.9", "sum lib-0.10")
    }
    assert found["lost lib-0.9"] == found["sum none-1"] == ("usage error", False)
    assert found["sum lib-0.10 mended"] == ("learner failed", False)
    (lost,) = [one for one in document["environments"] if one["problem"]]
    assert (lost["name"], lost["problem"]) == ("none-1", "there is no version of nowhere")
    said = capsys.readouterr().err
    assert said.count("there is no version of nowhere") == 1
    assert said.count("subjects.py has no 'nothing'") == 1, "not once a seed"


def test_a_journal_has_what_is_not_to_be_made_again(surveyed: Any, tmp_path: Path) -> None:
    calls: list[str] = []

    def counted(name: str, effort: Mapping[str, Any]) -> Verdict:
        calls.append(name)
        return found_there(name, effort)

    arguments = ("sum", "--only", "lib", "--journal", "kept")
    _, first = surveyed(*arguments, audited=counted)
    _, second = surveyed(*arguments, audited=counted)
    assert (len(calls), words(second)) == (4, words(first))
    mended = SURVEY.replace("epsilon = 1.0", "epsilon = 2.0", 1)
    surveyed(*arguments, audited=counted, survey=mended)
    assert len(calls) == 8, "what is asked differs"


def test_a_list_makes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    assert app.run(["survey", "my.toml", "--list", "lib-0.10"]) == 0
    shown = capsys.readouterr().out
    assert "sum" in shown
    assert "promised: its manual says 1-DP" in shown
    assert "lost" not in shown
    assert not (tmp_path / ".dpcheck").exists()


def without(key: str) -> str:
    """The survey whose first subject has not this key."""
    lines = SURVEY.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(f"{key} ="))
    return "\n".join(lines[:first] + lines[first + 1 :])


@pytest.mark.parametrize(
    ("survey", "said"),
    [
        ("[survey", "my.toml must be TOML"),
        ("[survey]\ntitel = 1", "my.toml: [survey] has no key 'titel' (did you mean 'title'?)"),
        ("[survei]", "my.toml has no table 'survei' (did you mean 'survey'?)"),
        ("[survey]\nalpha = 'x'", "my.toml: [survey]: alpha must be a number, got 'x'"),
        (SURVEY.replace('title = "What is out there"', "alpha = 2.0"), "alpha of [survey] must be a probability"),
        (SURVEY.replace('"lib-0.10"\nreq', '"lib-0.9"\nreq'), "environments must have different names, got 'lib-0.9'"),
        (SURVEY.replace('name = "lost"', 'name = "sum"'), "subjects must have different names, got 'sum' twice"),
        (SURVEY.replace('["lib-0.9"]', '["lib-0.8"]'), "subject 2 (lost): environments names 'lib-0.8', and"),
        (SURVEY.replace('{ "lib-0.9"', '{ "lib-9"'), "subject 1 (sum): expected names 'lib-9', which is none of its"),
        (SURVEY.replace('= "violated"', '= "violatd"'), "(did you mean 'violated'?)"),
        (SURVEY.replace("subjects.py:exact", "subject.py:exact"), "subject 1 (sum): target must be a file"),
        (SURVEY.replace("subjects.py:kept", "gone.py:kept"), "subject 1 (sum): mended must be a file that is there"),
        (SURVEY.replace("records =", "dataset = 'no.csv'\nrecords =", 1), "subject 1 (sum): dataset must be a file"),
        (SURVEY.replace("records =", "trials = 3\nrecords =", 1), "trials is read by record and compare only"),
        (SURVEY.replace("epsilon =", "epsilom =", 1), "subject 1 has no key 'epsilom' (did you mean 'epsilon'?)"),
        (SURVEY.replace("epsilon = 1.0", "epsilon = 'one'", 1), "subject 1: epsilon must be a number, got 'one'"),
        (without("promise"), "subject 1 (sum) must have promise, got none: nothing is audited at a claim that nobody"),
        (without("target"), "subject 1 (sum) must have target, got none"),
        (SURVEY.replace('name = "lib-0.9"', 'name = "../x"'), "environment 1: name must be made of letters"),
        (SURVEY.replace('["lib==0.9"]', '["./lib"]'), "environment 1 (lib-0.9) must have package"),
        (SURVEY.replace('["lib==0.9"]', '["lib==0.9"]\npython = "3.9"'), "python must be at least 3.11"),
        (SURVEY.replace('["lib==0.9"]', "[]"), "environment 1: requirements must not be empty"),
        (SURVEY.replace("records =", "seeds = 0\nrecords =", 1), "subject 1 (sum): seeds must be at least 1, got 0"),
        (SURVEY.replace("max-samples = 400", "seeds = true"), "seeds must be a whole number of at least 1, got True"),
        (SURVEY.replace("max-samples = 400", "seeds = -1"), "seeds of [survey] must be at least 1, got -1"),
        ("", "my.toml: [[environment]] must be there at least once"),
        ("[survey]\nlists = ['no.toml']", "my.toml: lists of [survey] must be a file that is there, got 'no.toml'"),
        ("[survey]\nlists = ['my.toml']", "a file that my.toml lists must have no lists of its own"),
        (SURVEY.replace("records =", "call-timeout = 0\nrecords =", 1), "call-timeout must be a positive, finite"),
        (SURVEY.replace("records = [0, 1]", "dataset = 'sklearn:iris'\ncolumns = 2", 1), "and a dataset or pairs have"),
        (SURVEY.replace("records = [0, 1]", "pairs = 'subjects.py'\ncolumns = 2", 1), "and a dataset or pairs have"),
        (SURVEY + "[[left-out]]\npackage = 'gone'", "my.toml: left-out 1 must have why, got none"),
    ],
)  # fmt: skip
def test_bad_files_get_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, survey: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, survey)
    assert app.run(["survey", "my.toml"]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line
    assert "my.toml" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.toml"], "a survey's file must be one that can be read, got 'no.toml' (No such file or directory)"),
        (["my.toml", "summ"], "summ must fit a subject, an environment or a package of my.toml (did you mean 'sum'?)"),
        (["my.toml", "--only", "lib-0.8"], "--only lib-0.8 must fit"),
        (["my.toml", "--backend", "dask://x:1"], "--backend runs what dpcheck itself lists: leave it out with my.toml"),
        (["my.toml", "--list", "--environments", "x"], "--list runs nothing: leave out --environments"),
        (["my.toml", "--environments", "my.toml"], "--environments must be a folder, got 'my.toml'"),
        (["--environments", "x"], "--environments is read only with a survey's file (FILE.toml)"),
        (["--only", "x"], "--only is read only with a survey's file (FILE.toml)"),
    ],
)  # fmt: skip
def test_bad_arguments_get_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    assert app.run(["survey", *arguments]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line


def test_what_a_subject_says_reaches_its_audit(tmp_path: Path) -> None:
    said = """options = { depth = 3, kernel = "rbf" }
bounds = [[-1, 1], [0, 5]]
labels = ["yes", "no"]
columns = ["age", "income"]
neighbours = "add-remove"
shrink = false
max_seconds = 7
call_timeout = 30
renyi = [8, 0.5]"""
    survey = SURVEY.replace("records = [0, 1]", said, 1)
    first = read_survey(written(tmp_path, survey)).subjects[0]
    assert first.arguments == (
        "--epsilon=1.0", "--option=depth=3", "--option=kernel='rbf'", "--bounds=-1,1", "--bounds=0,5",
        "--labels=yes,no", "--columns=age,income", "--neighbours=add-remove", "--no-shrink", "--call-timeout=30",
        "--renyi", "8", "0.5", "--max-samples=400",
    )  # fmt: skip
    assert (first.max_seconds, first.found_at) == (7.0, f"{tmp_path / 'subjects.py'}:exact")


def test_a_survey_of_lists_has_the_subjects_of_each_with_its_budget(surveyed: Any, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    left = "[[left-out]]\npackage = 'gone'\nwhy = 'asks for numpy 1'\n"
    (written(tmp_path / "more").parent / "other.toml").write_text(SURVEY.replace('"sum"', '"other"') + left)
    lists = "[survey]\ntitle = 'All'\nlists = ['more/other.toml']\n"
    _, document = surveyed(survey=lists)
    assert (document["title"], [one["name"] for one in document["subjects"]]) == ("All", ["other", "lost"])
    assert document["left_out"] == [{"package": "gone", "version": "", "why": "asks for numpy 1"}]
    assert words(document)["other lib-0.9"] == ("violated", True)
    first = read_survey(tmp_path / "my.toml").subjects[0]
    assert (first.found_at, first.arguments[-1]) == (f"{tmp_path / 'more' / 'subjects.py'}:exact", "--max-samples=400")
    shared = SURVEY.replace('"sum"', '"third"').replace('"lost"', '"fourth"')
    (tmp_path / "more" / "third.toml").write_text(shared)
    (tmp_path / "my.toml").write_text(lists.replace("more/other.toml", "more/other.toml', 'more/third.toml"))
    assert len(read_survey(tmp_path / "my.toml").environments) == 3
    (tmp_path / "more" / "third.toml").write_text(shared.replace('["lib==0.9"]', '["lib==0.8"]'))
    with pytest.raises(InvalidArgument, match=r"environments must have different names, got 'lib-0\.9' twice"):
        read_survey(tmp_path / "my.toml")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import numpy", ["mine.py"]),
        ("import other", ["mine.py", "other.py", "third.py"]),
        ("from inner import deep", ["inner/__init__.py", "inner/deep.py", "mine.py"]),
        ("def f():\n    from third import x", ["mine.py", "third.py"]),
        ("import importlib\nimportlib.import_module('th' + 'ird')", None),
        ("__import__('third')", None),
        ("def (", None),
    ],
)
def test_of_the_files_beside_a_subject_those_are_looked_at_that_it_imports(
    tmp_path: Path, code: str, expected: list[str] | None
) -> None:
    (tmp_path / "inner").mkdir()
    for name, text in (
        ("mine.py", code), ("other.py", "import third"), ("third.py", ""), ("fourth.py", ""),
        ("inner/__init__.py", ""), ("inner/deep.py", ""),
    ):  # fmt: skip
        (tmp_path / name).write_text(text)
    every = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.py"))
    found = [path.relative_to(tmp_path).as_posix() for path in with_imported(tmp_path / "mine.py")]
    assert found == (every if expected is None else expected)


def test_names_are_of_subjects_environments_and_packages(tmp_path: Path) -> None:
    survey = read_survey(written(tmp_path))

    def found(*names: str, only: tuple[str, ...] = ()) -> list[tuple[str, str]]:
        return [(one.name, there.name) for one, there in chosen(survey, names, only)]

    everything = [("sum", "lib-0.9"), ("sum", "lib-0.10"), ("sum", "none-1"), ("lost", "lib-0.9")]
    assert found() == everything
    assert found("lost", "none-1") == [everything[2], everything[3]]
    assert found("sum", only=("lib",)) == everything[:2]
    assert found("lib-0.*") == [everything[0], everything[1], everything[3]]


#: Environments of what this interpreter has, and one module that is there and nowhere else.
THERE = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests")!r})
from dpcheck.cli import survey_of_file
from this_environment import ThisOne
class Tool(ThisOne):
    def install(self, interpreter, lock, start):
        (site,) = interpreter.parents[1].glob("lib/python*/site-packages")
        (site / "of_the_environment.py").write_text("")
survey_of_file.tool_here = Tool
"""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", f"{THERE}\nfrom dpcheck.cli.app import run\nsys.exit(run({list(arguments)!r}))"]


@pytest.mark.turns(6)
def test_it_runs_in_environments_through_the_door(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.dpcheck]\nepsilon = 99.0\n")  # not what is asked of subjects
    arguments = ("survey", "my.toml", "--output", "out", "--jobs", "2", "--json", "run.json", "--only", "lib-0.9")
    ran = subprocess.run(
        command(*arguments), cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ran.returncode == 2, ran.stdout + ran.stderr  # for the one that is lost
    document = json.loads((tmp_path / "out" / "survey.json").read_text(encoding="utf-8"))
    found = words(document)
    assert found["sum lib-0.9"] == ("violated", True), "the module that only its environment has was there"
    assert found["sum lib-0.9 mended"][0] == "inconclusive"
    assert found["lost lib-0.9"] == ("usage error", False)
    (_, lost) = document["subjects"]
    problem = lost["rows"][0]["results"][0]["problem"]
    assert "subjects.py has no 'nothing'" in problem
    assert str(tmp_path) not in json.dumps(document)
    assert (tmp_path / ".dpcheck" / "environments" / "lib-0.9.txt").is_file()
    assert [one["target"] for one in json.loads((tmp_path / "run.json").read_text())["results"]] == [
        "sum in lib-0.9 (seed 0)", "sum, mended, in lib-0.9 (seed 0)", "lost in lib-0.9 (seed 0)",
    ]  # fmt: skip


@pytest.mark.turns(6)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_what_runs_and_says_what_was_not_run(tmp_path: Path, jobs: str) -> None:
    slow = (
        "\n\ndef slow(dataset, rng):\n    import pathlib, time\n    pathlib.Path(__file__).with_name('begun').touch()\n"
    )
    survey = SURVEY.replace("subjects.py:exact", "subjects.py:slow")
    written(tmp_path, survey)
    (tmp_path / "subjects.py").write_text(f"{SUBJECTS}{slow}    time.sleep(5)\n    return 0.0\n")
    process = subprocess.Popen(
        command("survey", "my.toml", "sum", "--only", "lib-0.9", "--output", "out", "--jobs", jobs),
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    until = time.monotonic() + 120
    while not (tmp_path / "begun").exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130, said
    document = json.loads((tmp_path / "out" / "survey.json").read_text(encoding="utf-8"))
    assert {word for word, _ in words(document).values()} <= {"interrupted", "inconclusive"}


def _left(folder: Path) -> list[int]:
    """The processes that audit a learner of this folder."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line for line in listed.splitlines() if f"audit {folder / 'subjects.py'}" in line]
    return [int(line.split()[0]) for line in lines]


@pytest.mark.turns(6)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_ended_leaves_its_record_and_no_process(tmp_path: Path, number: signal.Signals, jobs: str) -> None:
    slow = "\n\ndef slow(dataset, rng):\n    import time\n    time.sleep(60)\n"
    survey = (
        SURVEY.replace("mended =", "call-timeout = 100\nmended =").replace(":kept", ":slow").replace(":exact", ":kept")
    )
    written(tmp_path, survey)
    (tmp_path / "subjects.py").write_text(SUBJECTS + slow)
    arguments = ("survey", "my.toml", "sum", "--only", "lib-0.9", "--output", "out", "--jobs", jobs)
    code = f"{THERE}\nimport sys\nsys.argv = {['dpcheck', *arguments]!r}\nfrom dpcheck.cli import main\nmain()"
    # where the tests run under nohup it is inherited that the signal is ignored, and so it is
    heard = f"import signal\nsignal.signal({int(number)}, signal.SIG_DFL)\n" if number is not signal.SIGKILL else ""
    process = subprocess.Popen(
        [sys.executable, "-c", heard + code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    record = tmp_path / "out" / "survey.json"
    until = time.monotonic() + 300
    while not (record.exists() and _left(tmp_path)) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.1)
    process.send_signal(number)
    said = process.communicate(timeout=120)[1]
    assert process.returncode == (-number if number is signal.SIGKILL else 130), said
    found = words(json.loads(record.read_text(encoding="utf-8")))
    assert found["sum lib-0.9"] == ("inconclusive", False), said
    assert found["sum lib-0.9 mended"][0] == "interrupted"
    until = time.monotonic() + 20
    while (left := _left(tmp_path)) and time.monotonic() < until:
        time.sleep(0.1)
    for each in left:
        os.kill(each, signal.SIGKILL)
    assert left == []


def test_the_record_is_written_after_each_subject(surveyed: Any, tmp_path: Path) -> None:
    seen: list[dict[str, tuple[str, bool]]] = []

    def looked(name: str, effort: Mapping[str, Any]) -> Verdict:
        record = tmp_path / "out" / "survey.json"
        seen.append(words(json.loads(record.read_text(encoding="utf-8"))) if record.exists() else {})
        return found_there(name, effort)

    surveyed("sum", "--only", "lib", audited=looked)
    finished = [{key: one for key, one in found.items() if one[0] != "interrupted"} for found in seen]
    assert [len(found) for found in finished] == [0, 1, 2, 3]
    assert all(found.items() <= RIGHT.items() for found in finished)


def test_what_is_read_is_the_verdict_of_another_process(tmp_path: Path) -> None:
    """A process that ends without one is a learner's failure, with what it said."""
    from dpcheck.cli.survey_runs import Command, run_there
    from dpcheck.model.errors import LearnerDied

    dead = Command((sys.executable, "-c", "import sys; sys.exit('no room')"), 60.0, "x", str(tmp_path))
    with pytest.raises(LearnerDied, match="its audit left no verdict: no room"):
        run_there(dead)
    killed = Command((sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"), 60.0, "x", str(tmp_path))
    with pytest.raises(LearnerDied, match=r"its process died \(signal 9\)"):
        run_there(killed)
    hung = Command((sys.executable, "-c", "import time; time.sleep(60)"), 1.0, "x", str(tmp_path))
    with pytest.raises(LearnerDied, match="its audit took longer than 1 s and was ended"):
        run_there(replace(hung, name="y"))
