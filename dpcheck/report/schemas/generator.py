"""Generates these schemas from the types of what is written: ``python -m dpcheck.report.schemas.generator``.

A test holds that the files are what this generates.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
# How a record writes the floats that JSON cannot hold.
_NUMBER = {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf", "nan"]}]}


def generated() -> dict[str, dict[str, Any]]:
    """The schema of each document whose types are known here, by its name.

    >>> {"dpcheck-baseline/2", "dpcheck-run/1"} <= set(generated())
    True
    """
    from dpcheck.report.learners.document import LearnersDocument
    from dpcheck.report.packages.document import SurveyOfPackages
    from dpcheck.report.schemas import documents, utility_documents

    types: dict[str, tuple[str, Any]] = {
        "dpcheck-run/1": ("A run of dpcheck audit", documents.run_document()),
        "dpcheck-record/1": ("A verdict and its record", documents.record_document()),
        "dpcheck-measurement/1": ("A measurement of dpcheck measure", documents.MeasurementDocument),
        "dpcheck-one-run/1": ("A verdict of dpcheck one-run", documents.one_run_document()),
        "dpcheck-white-box/1": ("A verdict of dpcheck white-box", documents.white_box_document()),
        "dpcheck-baseline/2": ("A baseline of dpcheck record", documents.BaselineDocument),
        "dpcheck-comparison/1": ("A comparison of dpcheck compare", documents.ComparisonDocument),
        "dpcheck-history/1": ("What dpcheck history --json prints", documents.HistoryDocument),
        "dpcheck-survey-of-packages/1": ("What dpcheck survey FILE writes", SurveyOfPackages),
        "dpcheck-learners/1": ("What dpcheck learners --json writes", LearnersDocument),
        "dpcheck-failure-rate/1": ("A failure rate", utility_documents.FailureRateDocument),
        "dpcheck-frontier/1": ("A frontier of two kinds of data", utility_documents.FrontierDocument),
        "dpcheck-sample-complexity/1": ("A sample complexity", utility_documents.SampleComplexityDocument),
        "dpcheck-size-curve/1": ("Sample complexities along something", utility_documents.SizeCurveDocument),
        "dpcheck-slopes/1": ("Sizes against a formula", utility_documents.SlopesDocument),
        "dpcheck-sweep/1": ("Failure rates over settings", utility_documents.SweepDocument),
        "dpcheck-theorems/1": ("What dpcheck theorems --json prints", list[documents.TheoremDocument]),
    }
    made = {name: _schema(name, title, kind) for name, (title, kind) in types.items()}
    for name, (title, kind) in documents.report_documents().items():
        made[name] = _without(_schema(name, title, kind), documents.DRAWN)
    return made


def text_of(schema: dict[str, Any]) -> str:
    """The schema as it is written to its file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def _schema(name: str, title: str, kind: Any) -> dict[str, Any]:
    from pydantic import TypeAdapter

    made = _plain(TypeAdapter(kind).json_schema(mode="serialization"))
    return {"$schema": _DRAFT, "$id": f"urn:dpcheck:{name}", "title": title, **made}


def _plain(node: Any) -> Any:
    """Without the titles that pydantic makes of names, and with the numbers that a record can hold.

    >>> _plain({"title": "Epsilon", "type": "string", "description": "how\\n  much"})
    {'type': 'string', 'description': 'how much'}
    """
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if not isinstance(node, dict):
        return node
    if node.get("type") == "number":
        return {**{key: value for key, value in node.items() if key not in ("type", "title")}, **_NUMBER}
    plain: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):  # the names in it are no keywords
            plain[key] = {name: _plain(inner) for name, inner in value.items()}
        elif key == "description":  # a docstring that is wrapped elsewhere says the same
            plain[key] = " ".join(value.split())
        elif key != "title":
            plain[key] = _plain(value)
    return plain


def _without(node: Any, names: frozenset[str]) -> Any:
    """Without some properties, wherever they are.

    >>> _without({"properties": {"a": {}, "b": {}}, "required": ["a", "b"]}, frozenset({"b"}))
    {'properties': {'a': {}}, 'required': ['a']}
    """
    if isinstance(node, list):
        return [_without(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    less: dict[str, Any] = {}
    for key, value in node.items():
        if key == "properties":
            less[key] = {name: _without(inner, names) for name, inner in value.items() if name not in names}
        elif key == "required":
            less[key] = [name for name in value if name not in names]
        else:
            less[key] = _without(value, names)
    return less


def write() -> None:
    """Write every file anew."""
    from dpcheck.model.disk import write_whole

    for name, schema in generated().items():
        file = Path(__file__).parent / f"{name.replace('/', '-')}.schema.json"
        write_whole(file, text_of(schema))


if __name__ == "__main__":
    write()
