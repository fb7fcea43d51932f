"""The committed costs of the survey's environments are of its list, and their page is made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import environments_from_nothing as benchmark
import pytest

from dpcheck.cli.survey_file import read_survey


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(benchmark.REPORT.read_text(encoding="utf-8"))
    return found


def test_each_environment_of_the_list_was_made(report: dict[str, Any]) -> None:
    assert not report["quick"]
    assert report["passed"]
    asked = [one.name for one in read_survey(benchmark.LIST).environments]
    assert [one["name"] for one in report["environments"]] == asked
    assert all(one["on_disk"] > 0 and one["packages"] > 0 for one in report["environments"])


def test_the_page_is_that_of_the_numbers(report: dict[str, Any]) -> None:
    page = benchmark.REPORT.with_suffix(".md").read_text(encoding="utf-8")
    assert page == benchmark.render(report)
    assert "/tmp/" not in page


def test_an_environment_that_was_not_made_is_not_counted() -> None:
    cost = benchmark.Cost("one", 60.0, 100.0, 200.0, 3)
    lost = benchmark.Cost("two", 0.0, 0.0, 0.0, 0, "uv pip sync ended with 1")
    assert "1 of 2 environments made from nothing in 1 minutes" in benchmark.summary([cost, lost], 7200.0)
    assert "2.0 hours" in benchmark.summary([cost, lost], 7200.0)
    assert benchmark.rows([lost])[0][-1] == "uv pip sync ended with 1"


def test_what_nobody_counted_is_not_said() -> None:
    cost = benchmark.Cost("one", 60.0, None, 200.0, 3)
    assert "received" not in benchmark.summary([cost], 7200.0)


def test_disks_are_measured_by_files(tmp_path: Path) -> None:
    (tmp_path / "within").mkdir()
    (tmp_path / "within" / "file").write_bytes(b"x" * 2_000_000)
    (tmp_path / "link").symlink_to(tmp_path / "within" / "file")
    assert benchmark.on_disk(tmp_path) == pytest.approx(2.0, abs=0.01)
