"""Continuous integration gets a browser, says which, and lets the tests of pages fail where there is none."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import browsers

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def getting(monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = importlib.util.spec_from_file_location("ci_browser", ROOT / ".ci" / "browser.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setenv(module.VARIABLE, "required")
    return module


def test_the_tests_read_the_variable_that_it_sets(getting: Any) -> None:
    assert getting.VARIABLE == browsers.VARIABLE


def test_an_installed_browser_is_named(getting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getting.shutil, "which", lambda name: "/somewhere/chromium" if name == "chromium" else None)
    monkeypatch.setattr(getting.subprocess, "run", None)
    assert getting.get()
    assert getting.os.environ[getting.VARIABLE] == "/somewhere/chromium"


def test_where_none_can_be_had_the_tests_fail(
    getting: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def refused(command: list[str], **_: object) -> SimpleNamespace:
        asked.append(command)
        return SimpleNamespace(returncode=1)

    monkeypatch.setattr(getting.shutil, "which", lambda name: "/bin/apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(getting.os, "geteuid", lambda: 0)
    monkeypatch.setattr(getting.subprocess, "run", refused)
    assert not getting.get()
    assert [command[0] for command in asked] == ["apt-get", getting.sys.executable]
    assert "none can be had" in capsys.readouterr().out
    with pytest.raises(pytest.fail.Exception, match="DPCHECK_BROWSER is set, and no browser"):
        browsers._without(bool(getting.os.environ[getting.VARIABLE]), "no browser starts")


def test_elsewhere_the_tests_are_skipped() -> None:
    with pytest.raises(pytest.skip.Exception):
        browsers._without(False, "no browser starts")
