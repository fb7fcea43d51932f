"""The report as JSON: all that is on the page, without its pictures."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from dpcheck.reporting.paper.model import SCHEMA, PaperReport

#: What only the page needs.
_DRAWN = frozenset({"mathml"})


def render(report: PaperReport) -> str:
    """The JSON text."""
    record = {"schema": SCHEMA, **_plain(asdict(report))}
    return json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if key not in _DRAWN}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
