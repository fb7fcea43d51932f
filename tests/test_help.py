"""``help(dpcheck)`` is what there is, in two screens, and nothing is lost by it: names, completion, types."""

from __future__ import annotations

import ast
import inspect
import os
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dpcheck

#: Two screens of a terminal that is 50 lines high, less its prompt; as wide as the narrowest in use.
TWO_SCREENS, WIDTH = 98, 80


def run_python(code: str, folder: Path) -> str:
    """What a new interpreter prints, where nothing of dpcheck was used before."""
    environment = {**os.environ, "PYTHONPATH": str(Path(dpcheck.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder, timeout=120,
        env=environment,
    )  # fmt: skip
    return done.stdout


def unnamed(text: str) -> list[str]:
    """The public names that a text leaves out."""
    return [name for name in dpcheck.__all__ if not re.search(rf"\b{name}\b", text)]


def too_long(text: str) -> list[str]:
    """Why a text is no two screens: too many lines, or those that are too wide (but of a path)."""
    lines = text.rstrip().splitlines()
    wide = [line for line in lines if len(line) > WIDTH and not line.endswith("__init__.py")]
    return [f"{len(lines)} lines"] * (len(lines) > TWO_SCREENS) + wide


@pytest.fixture(scope="module")
def helped(tmp_path_factory: pytest.TempPathFactory) -> str:
    return run_python("import dpcheck; help(dpcheck)", tmp_path_factory.mktemp("empty"))


def test_help_is_two_screens_that_name_all_that_there_is(helped: str) -> None:
    assert too_long(helped) == []
    assert unnamed(helped) == []


def test_help_is_short_when_all_names_were_used() -> None:
    for name in dpcheck.__all__:
        getattr(dpcheck, name)
    assert too_long(pydoc.plain(pydoc.render_doc(dpcheck))) == []


def test_a_name_left_out_is_noticed(helped: str) -> None:
    assert unnamed(helped.replace("from_opendp", "")) == ["from_opendp"]


def test_names_that_pydoc_finds_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dpcheck, "__all__", ["audit", "Verdict", "DpViolation"])
    assert too_long(pydoc.plain(pydoc.render_doc(dpcheck)))


def test_help_of_each_name_says_what_it_is() -> None:
    for name in dpcheck.__all__:
        value = getattr(dpcheck, name)
        if inspect.isroutine(value) or inspect.isclass(value):
            assert value.__doc__, name
            assert name in pydoc.plain(pydoc.render_doc(value)), name


def test_completion_and_a_star_import_have_all_names(tmp_path: Path) -> None:
    completed = run_python(
        "import dpcheck, rlcompleter\n"
        "ask = rlcompleter.Completer({'dpcheck': dpcheck}).complete\n"
        "print(*iter(iter(ask('dpcheck.', n) for n in range(999)).__next__, None), sep='\\n')",
        tmp_path,
    )
    shown = {line.removeprefix("dpcheck.").partition("(")[0] for line in completed.split()}
    assert set(dpcheck.__all__) <= shown
    assert run_python("from dpcheck import *\nprint(audit.__name__, strategies.__name__)", tmp_path) == (
        "audit dpcheck.strategies\n"
    )


def imported_for_types(source: str) -> dict[str, str]:
    """Where type checkers and editors find each public name: ``from HOME import NAME as NAME``."""
    (block,) = [one for one in ast.parse(source).body if isinstance(one, ast.If)]
    found = [one for one in block.body if isinstance(one, ast.ImportFrom)]
    return {each.name: str(one.module) for one in found for each in one.names if each.asname == each.name}


def test_type_checkers_find_each_name_where_it_is() -> None:
    source = Path(dpcheck.__file__).read_text(encoding="utf-8")
    homes = {**dpcheck._HOMES, "strategies": "dpcheck"}
    assert imported_for_types(source) == homes
    assert imported_for_types(source.replace("import audit as audit", "import audit")) != homes
