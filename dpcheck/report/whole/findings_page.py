"""The findings in other libraries as a page, of the survey's record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from dpcheck.report.findings import command_of, introduction, shown_result, sorted_out
from dpcheck.report.over_seeds import over_seeds
from dpcheck.report.pages.layout import Place, page, unique
from dpcheck.report.whole.model import Count
from dpcheck.report.whole.paths import file_name


def render(document: Mapping[str, Any], place: Place = Place()) -> str:  # noqa: B008, a frozen value
    """The page; ``place`` says where it is written and which pages it can lead to.

    Parameters
    ----------
    document : the record ``dpcheck-survey/1``
    place : where the page is written and which others are there
    """
    found, warned = sorted_out(document)
    versions = ", ".join(f"{library['name']} {library['version']}" for library in document["libraries"])
    told = {one["name"] for one in (*found, *warned)}
    subjects = [_subject(one, document, one["name"] in told) for one in document["subjects"]]
    return page(
        "findings.html",
        place,
        document=document,
        introduction=[introduction(document, versions)],
        found=[_finding(one) for one in found],
        warned=[_finding(one) for one in warned],
        subjects=subjects,
        words=unique(count.word for one in subjects for count in one["words"]),
    )


def _anchor(one: Mapping[str, Any]) -> str:
    return f"finding-{file_name(one['name'])}"


def _finding(one: Mapping[str, Any]) -> dict[str, Any]:
    shown = shown_result(one)
    source = one["source"] or {}
    return {
        **one,
        "anchor": _anchor(one),
        "times": sum(result["status"] == "violated" for result in one["results"]),
        "seeds": len(one["results"]),
        **{key: shown[key] for key in ("claim", "relation", "bound", "calls", "seed", "witness", "reproducible")},
        "source_text": source.get("text", "") if source.get("line") else "",
        "source_place": f"{source.get('file', '')}:{source.get('line', '')}, {source.get('function', '')}",
        "command": command_of(one, shown["seed"]),
    }


def _subject(one: Mapping[str, Any], document: Mapping[str, Any], told: bool) -> dict[str, Any]:
    """A row of the table of all subjects."""
    audits = [result for result in one["results"] if "claim" in result]
    row: dict[str, Any] = {
        **one,
        "anchor": _anchor(one) if told else "",
        "words": [Count(word, count) for word, count in Counter(r["status"] for r in one["results"]).items()],
        "seeds": len(one["results"]),
        "command": command_of(one, document["seed"]),
        "claim": "", "relation": "", "lower": "", "calls": "", "seconds": "",
    }  # fmt: skip
    if audits:
        row["claim"], row["relation"] = audits[0]["claim"], audits[0]["relation"]
        row["lower"], row["calls"], row["seconds"] = over_seeds(
            (result["epsilon_lower"], result["calls"], result["seconds"]) for result in audits
        )
    return row
