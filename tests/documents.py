"""Is a document what its format says? One check per format, against the format's own schema or a reader of it."""

from __future__ import annotations

import functools
import itertools
import json
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema

from dpcheck.report.exit_status import exit_status
from dpcheck.report.finished import Run
from dpcheck.report.schemas import schema_text
from dpcheck.report.words import name_of, said_of

DATA = Path(__file__).parent / "data"
# What must not reach a reader: it drives terminals, reorders text, or is no character.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@functools.cache
def sarif_schema() -> Any:
    schema = json.loads((DATA / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
    return jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())


@functools.cache
def junit_schema() -> Any:
    import xmlschema

    return xmlschema.XMLSchema(str(DATA / "junit-10.xsd"))


@functools.cache
def our_schema(name: str) -> Any:
    """The published schema, and nothing that is not in it."""
    return jsonschema.Draft202012Validator(closed(json.loads(schema_text(name))))


def closed(schema: Any) -> Any:
    """The schema with every object closed: what is written and not published is a mistake here."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    shut = {key: closed(value) for key, value in schema.items()}
    return {**shut, "additionalProperties": False} if shut.get("type") == "object" and "properties" in shut else shut


def check(validator: Any, document: Any) -> None:
    error = next(iter(validator.iter_errors(document)), None)
    assert error is None, f"{list(error.absolute_path)}: {error.message[:300]}"


def strict(text: str) -> Any:
    """JSON as the standard has it: no NaN, no key twice."""

    def refused(constant: str) -> Any:
        raise AssertionError(f"{constant} is no JSON")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), f"a key twice in {[key for key, _ in pairs]}"
        return dict(pairs)

    return json.loads(text, parse_constant=refused, object_pairs_hook=once)


def is_json(text: str, run: Run) -> None:
    document = strict(text)
    check(our_schema("dpcheck-run/1"), document)
    assert document["exit_status"] == exit_status(run)
    assert len(document["results"]) == len(run.results)


def is_sarif(text: str, run: Run) -> None:
    log = strict(text)
    check(sarif_schema(), log)
    (made,) = log["runs"]
    rules = [rule["id"] for rule in made["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert made["invocations"][0]["exitCode"] == exit_status(run)
    for rule in made["tool"]["driver"]["rules"]:
        assert len(rule["properties"]["tags"]) <= 20
    for result in made["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        text = result["message"]["text"]
        assert text.strip()
        assert not UNSAFE.search(text), text
        assert not re.search(r"(?<!\{)(?:\{\{)*\{\d+\}", text), f"a place to fill in: {text[:200]}"
        assert not re.search(r"\]\(", text), f"a link: {text[:200]}"
        # GitHub refuses a file for one result that is nowhere.
        (place,) = result["locations"]
        uri = place["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri), uri
        assert not uri.startswith("/")
        assert ".." not in unquote(uri).split("/")
        assert place["physicalLocation"]["region"]["startLine"] >= 1


def is_junit(text: str, run: Run) -> None:
    import io

    import junitparser

    assert not UNSAFE.search(text)
    error = next(iter(junit_schema().iter_errors(text)), None)
    assert error is None, f"{error.path}: {error.reason}"
    root = ElementTree.fromstring(text.encode())
    assert len(list(root.iter("testcase"))) == len(run.results)
    # What people read such files with agrees.
    read = junitparser.JUnitXml.fromroot(junitparser.JUnitXml.fromstring(text.encode())._elem)
    (suite,) = list(read)
    assert suite.tests == len(run.results)
    assert suite.failures + suite.errors == sum(bool(case.result) for case in suite)
    read.write(io.BytesIO())


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[Any, ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[Any]) -> None:
        self.found.append((tag, tuple(attrs)))


#: The elements that a table, headings and folded code blocks are made of.
_PLAIN_ELEMENTS = frozenset(
    {"h2", "p", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre", "code"}
)


def is_markdown(text: str, run: Run) -> None:
    from markdown_it import MarkdownIt

    assert not UNSAFE.search(text)
    reader = MarkdownIt("commonmark").enable("table")
    rows: list[list[str]] = []
    tokens = reader.parse(text)
    for token, inside in itertools.pairwise(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("td_open", "th_open"):
            assert {child.type for child in inside.children} <= {"text", "text_special"}, inside.content
            rows[-1].append("".join(child.content for child in inside.children))
    # A cell too many is dropped by readers, so that the names tell whether the columns are where they belong.
    assert [row[0] for row in rows[1:]] == [name_of(result) for result in run.results]
    assert [row[2] for row in rows[1:]] == [said_of(result) for result in run.results]
    assert {len(row) for row in rows} <= {7}
    tags = _Tags()
    tags.feed(reader.render(text))
    names = [tag for tag, _ in tags.found]
    assert set(names) <= _PLAIN_ELEMENTS, set(names) - _PLAIN_ELEMENTS
    assert {name for _, attrs in tags.found for name, _ in attrs} <= {"open", "style", "class"}
    assert names.count("details") == names.count("summary") == names.count("pre") == len(run.results)


def is_github(text: str, run: Run) -> None:
    *lines, last = text.rstrip("\n").split("\n")
    assert not UNSAFE.search(text)
    assert len(lines) <= len(run.results)
    for line in [*lines] if run.results else [last]:
        found = re.fullmatch(
            r"::(?:error|warning) (?:file=(?:[^,:%]|%[0-9A-F]{2})*,line=[1-9][0-9]*,)?"
            r"title=(?:[^,:%]|%[0-9A-F]{2})*::(?:[^%]|%25|%0A|%0D)+",
            line,
        )
        assert found, line[:300]
    assert not run.results or not last.startswith("::")


IS = {"json": is_json, "sarif": is_sarif, "junit": is_junit, "markdown": is_markdown, "github": is_github}
