"""No word that a user reads says more than what was looked at: testing shows no privacy, and no agreement either."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpcheck

PACKAGE = Path(dpcheck.__file__).parent
#: What no finite number of runs shows.
TOO_MUCH = re.compile(
    r"\b(claim holds|(is|are|it's|learner is|provably|certified) private|no leak exists|leaks nothing|"
    r"agree(s)? with (its|separate) calls|give(s)? the same law|hidden entirely|is safe)\b",
    re.IGNORECASE,
)
#: Where words are about what was run, not about a proof or a printed statement.
ROOMS = ("checks", "privacy", "cli", "adapters", "history", "model/verdict", "pytest_plugin.py")
#: Exact answers are decided, of the declared law, and say so.
DECIDED = frozenset({"The claim holds there", "on the pairs compared the claim holds"})


def _files() -> Iterator[Path]:
    for room in ROOMS:
        place = PACKAGE / room
        yield from sorted(place.rglob("*.py")) if place.is_dir() else (place,)


def _said(source: str) -> list[str]:
    """The texts of a module that are no documentation."""
    tree = ast.parse(source)
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
    ]


@pytest.mark.turns(4)
def test_no_text_says_what_runs_cannot_show() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {text!r}"
        for path in _files()
        for text in _said(path.read_text(encoding="utf-8"))
        if TOO_MUCH.search(text) and text not in DECIDED
    ]
    assert not found, found


def test_the_test_sees_such_a_text() -> None:
    assert any(map(TOO_MUCH.search, _said('"""The claim holds: documentation."""\nwords = f"the claim holds for {1}"')))
    assert not any(map(TOO_MUCH.search, _said('"""The claim holds: documentation."""\nwords = "nothing was found"')))
