"""The house as it is planned: two wings, arrows that go down only, and a picture of it that is never stale."""

from __future__ import annotations

import ast
import io
import tokenize
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from dpcheck.execution.paper_folders import paper_folders
from tests.plan_of_imports import DOORS, PACKAGE, PLAN, ROOT, arrows, direct, drawn, floors, rooms

#: The package's own five.
PAPERS = tuple(folder.name for folder in paper_folders() if folder.module.startswith(f"{PACKAGE}."))


def test_the_picture_is_that_of_the_code() -> None:
    assert PLAN.read_text(encoding="utf-8") == drawn(), "run: python tests/plan_of_imports.py"


def test_no_files_import_each_other_in_a_circle() -> None:
    uses = arrows()
    TopologicalSorter({module: uses[module] for module in uses}).prepare()


def test_rooms_are_few_and_each_stands_on_those_below() -> None:
    uses = rooms(arrows())
    assert len(set(uses) - set(DOORS)) <= 13
    floors(uses)
    assert not any("papers" in used for room, used in uses.items() if room != "__main__")


def test_a_circle_is_seen() -> None:
    with pytest.raises(CycleError):
        floors({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert direct({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {"a": {"b"}, "b": {"c"}, "c": set()}


@pytest.mark.turns(6)
def test_the_engine_names_no_paper() -> None:
    named = {
        str(path.relative_to(ROOT)): [text for text in said_by(path) if any(paper in text for paper in PAPERS)]
        for path in sorted((ROOT / PACKAGE).rglob("*.py"))
        if "papers" not in path.relative_to(ROOT).parts
    }
    assert {file: texts for file, texts in named.items() if texts} == {}, "papers are found by their entry points"


def said_by(path: Path) -> list[str]:
    """The names and texts of a file; of the command line not what its help shows as commands to be typed."""
    said = words_and_names(path.read_text(encoding="utf-8"))
    return [text for text in said if "dpcheck " not in text] if "cli" in path.parts else said


def words_and_names(source: str) -> list[str]:
    """The names and texts of a module's code; what documents it (sources, examples) is not code."""
    tree = ast.parse(source)
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents
    ]
    names = [
        token.string for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type == tokenize.NAME
    ]
    return [*texts, *names]


def test_names_in_code_are_found() -> None:
    assert "wang2016" in " ".join(words_and_names('"""Source: alon2019."""\nx = "wang2016:lem-8"\n'))
    assert "alon2019" not in " ".join(words_and_names('"""Source: alon2019."""\nx = "wang2016:lem-8"\n'))
    assert "beimel2015" in words_and_names("from dpcheck.papers.beimel2015 import learners\n")
