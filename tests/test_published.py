"""What a release is known by: its citation, its notes, its recipe and what is promised, each against pyproject."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from check_jsonschema.builtin_schemas import get_builtin_schema
from jsonschema.validators import validator_for
from ruamel.yaml import YAML

from dpcheck.report.exit_status import Exit

ROOT = Path(__file__).parent.parent
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
NOTES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
RECIPE = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
PROMISES = (ROOT / "docs" / "public.md").read_text(encoding="utf-8")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
VERSION: str = PROJECT["project"]["version"]
#: A version's heading in the notes: its number, and its day or that it is not out.
HEADING = re.compile(r"## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d|unreleased)\)")


#: The parts of a recipe (rattler-build's form, version 1) that ours has.
PARTS = {"schema_version", "context", "package", "source", "build", "requirements", "tests", "about"}


def loaded(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def wrong_notes(text: str) -> list[str]:
    """What is not the form of release notes, or not of pyproject's version."""
    lines = text.splitlines()
    headings = [line for line in lines if line.startswith("## ")]
    found = [HEADING.fullmatch(line) for line in headings]
    wrong = [line for line, match in zip(headings, found, strict=True) if match is None]
    versions = [tuple(map(int, match[1].split("."))) for match in found if match]
    if lines[0] != "# Changelog":
        wrong.append(lines[0])
    if versions != sorted(set(versions), reverse=True):
        wrong.append("versions are not in order, the newest first")
    if not versions or ".".join(map(str, versions[0])) != VERSION:
        wrong.append(f"the newest is {versions[:1]}, pyproject says {VERSION}")
    wrong += [f"{match[1]} has no day" for match in found[1:] if match and match[2] == "unreleased"]
    return wrong


def wrong_citation(text: str, notes: str) -> list[str]:
    """What is not the form of a citation file, or not what pyproject and the release notes say."""
    said = loaded(text)
    schema = get_builtin_schema("vendor.citation-file-format")
    # YAML reads a day as a date, which JSON has none of.
    plain = {key: value.isoformat() if isinstance(value, date) else value for key, value in said.items()}
    wrong = [error.message for error in validator_for(schema)(schema).iter_errors(plain)]
    newest = HEADING.search(notes)
    day = None if newest is None or newest[2] == "unreleased" else newest[2]
    for name, own in (("version", VERSION), ("license", PROJECT["project"]["license"]), ("date-released", day)):
        if plain.get(name) != own:
            wrong.append(f"{name} is {plain.get(name)}, not {own}")
    return wrong


def wrong_recipe(text: str) -> list[str]:
    """What is not the form of a recipe, or not what pyproject says."""
    said = loaded(text)
    project = PROJECT["project"]
    needs = [f"python {project['requires-python']}", *(one.replace(">=", " >=") for one in project["dependencies"])]
    builds = [one.replace(">=", " >=") for one in PROJECT["build-system"]["requires"]]
    (name,) = project["scripts"]
    pairs = {
        "schema_version": (said.get("schema_version"), 1),
        "keys": (set(said), PARTS),
        "version": (said["context"]["version"], VERSION),
        "package": (said["package"], {"name": project["name"], "version": "${{ version }}"}),
        "run": (said["requirements"]["run"], needs),
        "host": (said["requirements"]["host"], [needs[0], "pip", *builds]),
        "entry points": (said["build"]["python"]["entry_points"], [f"{name} = {project['scripts'][name]}"]),
        "noarch": (said["build"]["noarch"], "python"),
        "summary": (said["about"]["summary"], project["description"]),
        "license": (said["about"]["license"], project["license"]),
        "license file": ([said["about"]["license_file"]], project["license-files"]),
    }  # fmt: skip
    return [f"{key}: {got} is not {own}" for key, (got, own) in pairs.items() if got != own]


def wrong_promises(text: str) -> list[str]:
    """Exit statuses that the page of promises leaves out, or calls otherwise."""
    flat = " ".join(text.split())
    return [f"{one.value} {one.words}" for one in Exit if f"{one.value} {one.words}" not in flat]


def test_release_notes_have_their_form() -> None:
    assert wrong_notes(NOTES) == []


def test_the_citation_is_that_of_this_version() -> None:
    assert wrong_citation(CITATION, NOTES) == []


def test_the_recipe_is_that_of_this_version() -> None:
    assert wrong_recipe(RECIPE) == []


def test_the_promises_name_each_exit_status() -> None:
    assert wrong_promises(PROMISES) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"## {VERSION} (", f"## v{VERSION} ("),
        (f"## {VERSION} (", "## 9.0.0 ("),
        (f"## {VERSION} (", f"## {VERSION}\n\n## 0.0.1 ("),
        ("# Changelog", "# News"),
        (f"## {VERSION} (", f"## 0.0.1 (2025-01-31)\n\n## {VERSION} ("),
    ],
)
def test_notes_of_another_form_are_noticed(before: str, after: str) -> None:
    assert wrong_notes(NOTES.replace(before, after, 1))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"version: {VERSION}", "version: 9.0.0"),
        ("license: Apache-2.0", "license: Apache"),
        ("authors:", "writers:"),
        ("type: software", "type: program"),
        ("license:", "date-released: 2020-01-31\nlicense:"),
    ],
)
def test_another_citation_is_noticed(before: str, after: str) -> None:
    assert before in CITATION
    assert wrong_citation(CITATION.replace(before, after, 1), NOTES)


def test_a_release_must_be_cited_by_its_day() -> None:
    released = re.sub(r"\(unreleased\)", "(2026-01-31)", NOTES, count=1)
    if released != NOTES:
        assert wrong_citation(CITATION, released) == ["date-released is None, not 2026-01-31"]
        cited = CITATION.replace("license:", "date-released: 2026-01-31\nlicense:")
        assert wrong_citation(cited, released) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'version: "{VERSION}"', 'version: "9.0.0"'),
        ("    - numpy >=2.0\n", ""),
        ("    - numpy >=2.0\n", "    - numpy >=1.0\n"),
        ("dpcheck = dpcheck.cli:main", "dpcheck = dpcheck:main"),
        ("noarch: python", "noarch: generic"),
        ("requirements:", "needs: {}\nrequirements:"),
        ("schema_version: 1", "schema_version: 2"),
    ],
)
def test_another_recipe_is_noticed(before: str, after: str) -> None:
    assert before in RECIPE
    assert wrong_recipe(RECIPE.replace(before, after, 1))


def test_an_exit_status_left_out_is_noticed() -> None:
    assert wrong_promises(PROMISES.replace("3 inconclusive", "")) == ["3 inconclusive"]
