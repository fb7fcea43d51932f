"""Of tests with many cases continuous integration runs some, others each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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
