"""Of tests with many cases continuous integration runs some, others each time."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import slowest

CASES = [f"tests/test_many.py::test_many[{number}]" for number in range(50)]


@pytest.fixture
def conftest(request: pytest.FixtureRequest) -> Any:
    path = Path(__file__).parent.parent / "conftest.py"
    return next(
        plugin for plugin in request.config.pluginmanager.get_plugins() if getattr(plugin, "__file__", "") == str(path)
    )


def test_a_run_takes_so_many_and_the_same_ones_for_its_seed(conftest: Any) -> None:
    taken = conftest.drawn(CASES, 7, 5)
    assert len(taken) == 7
    assert taken == conftest.drawn(CASES, 7, 5) != conftest.drawn(CASES, 7, 6)
    assert conftest.drawn(CASES, 50, 5) == conftest.drawn(CASES, 60, 5) == set(CASES)


def test_no_case_is_left_out_for_ever(conftest: Any) -> None:
    assert {case for seed in range(200) for case in conftest.drawn(CASES, 7, seed)} == set(CASES)


def test_all_have_the_marker_extra_that_are_not_drawn_and_all_are_run_by_it(
    conftest: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    class Item:
        def __init__(self, nodeid: str, *args: int) -> None:
            self.nodeid, self.args, self.extra = nodeid, args, False

        def get_closest_marker(self, name: str) -> Any:
            return self if name == "some" and self.args else None

        def add_marker(self, marker: Any) -> None:
            self.extra = marker.name == "extra"

    def run(expression: str, *asked: str) -> tuple[int, int]:
        monkeypatch.setattr(request.config, "args", list(asked))
        monkeypatch.setattr(request.config.option, "markexpr", expression)
        marked, others = [Item(case, 7) for case in CASES], [Item("tests/test_few.py::test_few[1]")]
        conftest.pytest_collection_modifyitems(request.config, [*marked, *others])
        return sum(item.extra for item in marked), sum(item.extra for item in others)

    assert run("not extra", "tests") == (43, 0)
    assert run("extra", "tests") == (50, 0)
    assert run("not extra", CASES[3]) == (0, 0)


def test_the_longer_a_test_takes_the_more_rarely_a_run_of_all_has_it(
    conftest: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    class Item:
        def __init__(self, nodeid: str) -> None:
            self.nodeid, self.extra = nodeid, False
            self.args = (6,)

        def get_closest_marker(self, name: str) -> Any:
            if name == "extra":
                return self if self.extra else None
            return self if "test_made" in self.nodeid and name in ("every_run", "some") else None

        def add_marker(self, marker: Any) -> None:
            self.extra = self.extra or marker.name == "extra"

    seconds = {f"tests/test_many.py::test_{name}": took for name, took in (("quick", 0.1), ("slow", 30), ("made", 30))}
    (tmp_path / "seconds.json").write_text(json.dumps(seconds))
    monkeypatch.setattr(conftest, "SECONDS", tmp_path / "seconds.json")

    def run(expression: str, asked: str) -> dict[str, int]:
        monkeypatch.setattr(request.config, "args", [asked])
        monkeypatch.setattr(request.config.option, "markexpr", expression)
        names = ("test_quick", "test_slow", "test_not_measured_yet", "test_made")
        items = [Item(f"tests/test_many.py::{name}[{number}]") for name in names for number in range(12)]
        conftest.pytest_collection_modifyitems(request.config, items)
        return {name: sum(not item.extra for item in items if f"::{name}[" in item.nodeid) for name in names}

    others = {"test_quick": 12, "test_not_measured_yet": 12, "test_made": 6}
    assert run("not extra", "tests") == {**others, "test_slow": 1}
    assert run("extra", "tests") == {**others, "test_slow": 0, "test_made": 0}
    assert run("not extra", __file__) == {**others, "test_slow": 12}


def test_drawn_cases_that_take_long_take_turns_too(
    conftest: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    class Item:
        def __init__(self, nodeid: str) -> None:
            self.nodeid, self.extra, self.args = nodeid, False, (10,)

        def get_closest_marker(self, name: str) -> Any:
            return self if name == "some" or (name == "extra" and self.extra) else None

        def add_marker(self, marker: Any) -> None:
            self.extra = self.extra or marker.name == "extra"

    (tmp_path / "seconds.json").write_text(json.dumps({CASES[0].partition("[")[0]: 5.0}))
    monkeypatch.setattr(conftest, "SECONDS", tmp_path / "seconds.json")
    monkeypatch.setattr(request.config.option, "markexpr", "not extra")

    def run(asked: str) -> int:
        monkeypatch.setattr(request.config, "args", [asked])
        items = [Item(case) for case in CASES]
        conftest.pytest_collection_modifyitems(request.config, items)
        return sum(not item.extra for item in items)

    assert run("tests") == 1
    assert run(__file__) == 10


def test_what_takes_turns_by_its_seconds_is_there(conftest: Any) -> None:
    seconds = json.loads(conftest.SECONDS.read_text(encoding="utf-8"))
    assert seconds
    assert [name for name in seconds if not slowest.is_there(name)] == []


def test_seconds_are_kept_that_a_run_did_not_measure_and_those_of_tests_that_are_gone_are_not(
    conftest: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = "tests/test_drawn_cases.py::"
    before = {f"{here}test_no_case_is_left_out_for_ever": 2.0, f"{here}test_that_is_gone": 2.0}
    (tmp_path / "seconds.json").write_text(json.dumps(before))
    here_as = 'file="tests/test_drawn_cases.py" classname="tests.test_drawn_cases"'
    cases = "".join(
        f'<testcase {here_as} name="{name}" time="{seconds}"/>'
        for name, seconds in (
            ("test_a_run_takes_so_many_and_the_same_ones_for_its_seed[1]", 1.0),
            ("test_a_run_takes_so_many_and_the_same_ones_for_its_seed[2]", 2.0),
            ("test_what_takes_turns_by_its_seconds_is_there", 0.2),
        )
    )
    (tmp_path / "all.xml").write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    monkeypatch.setattr(slowest, "SECONDS", tmp_path / "seconds.json")
    monkeypatch.setattr(sys, "argv", ["slowest.py", str(tmp_path / "all.xml")])
    assert slowest.main() == 0
    assert json.loads((tmp_path / "seconds.json").read_text()) == {
        f"{here}test_a_run_takes_so_many_and_the_same_ones_for_its_seed": 1.5,
        f"{here}test_no_case_is_left_out_for_ever": 2.0,
    }
    assert "2 tests take 0.3 s or more" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (None, "got all.xml"),
        ("no XML", "got all.xml"),
        ('<testsuites><testcase classname="tests.test_help" name="test_a" time="1"/></testsuites>', "xunit1"),
    ],
    ids=["no file", "no XML", "no names of files"],
)
def test_what_says_no_seconds_is_refused_in_a_line(
    written: str | None, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(slowest, "SECONDS", tmp_path / "seconds.json")
    monkeypatch.setattr(sys, "argv", ["slowest.py", "all.xml"])
    if written is not None:
        Path("all.xml").write_text(written)
    with pytest.raises(SystemExit, match=f"^junit must .*{said}"):
        slowest.main()
    assert not (tmp_path / "seconds.json").exists()
