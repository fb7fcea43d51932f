"""Markdown of whole reports: nothing that a stranger's record says becomes a link, an image, HTML or a heading."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dpcheck.report import errata, findings, tightness
from dpcheck.report.paper import markdown as paper
from dpcheck.report.whole import audit_markdown, index_markdown, learner_markdown
from tests.handmade_reports import AUDIT, ERRATA, INDEX, LEARNER, PAPER, hostile, survey

#: A claim as ``reporting.tightness`` records it, of somebody's own paper; numbers in text are read as numbers.
BOUNDS = (
    {
        "source": "mine:thm-1", "status": "PROVED", "name": "a rate", "says": "this is tight", "size": "private",
        "upper": {"source": "mine:thm-1", "derivation": "by hand"},
        "lower": {"source": "mine:thm-2", "derivation": "by hand"},
        "gap": "log(1/accuracy)", "hidden": "constants", "along": "accuracy", "series": "vc",
        "fixed": {"failure": "0.1"}, "slope": 0.0, "agrees": True, "reproduce": "dpcheck theorems mine:thm-1 --compare",
        "ratios": [{"at": Fraction(1, 10), "series": Fraction(3), "ratio": 2.0, "excess": 2.0}],
    },
)  # fmt: skip
WRITERS: dict[str, tuple[Callable[[Any], str], Any]] = {
    "index": (index_markdown.render, INDEX),
    "paper": (paper.render, PAPER),
    "learner": (learner_markdown.render, LEARNER),
    "audit": (audit_markdown.render, AUDIT),
    "errata": (errata.render, ERRATA),
    "findings": (findings.render, survey()),
    "upper against lower bounds": (lambda claims: tightness.render_markdown(claims, "bounds.svg"), BOUNDS),
}
#: Each would do something if it were let through.
HOSTILE = {
    "a link": "[press](https://example.org)",
    "an image": "![seen](https://example.org/seen.png)",
    "an image in a link": "[![a](https://example.org/a.png)](https://example.org)",
    "a reference": "[a][b]\n\n[b]: https://example.org 'x'\n",
    "an address": "<https://example.org>",
    "HTML": "<img src=https://example.org/x> </details> <script>alert(1)</script>",
    "a heading": "x\n\n# private\n\ny",
    "a heading below a line": "private\n=======\n\n",
    "a heading after other ends": "x\r\r## private\u2028# private\x0b# private\x85# private",
    "a code fence": "x\n```\n# private\n```\n[a](https://example.org)",
    "code that does not end": "a ` b",
    "a cell": "x | y",
    "an escape": "\\[a](https://example.org) \\<img src=x>",
}


def shape(text: str) -> tuple[list[str], list[str]]:
    """Links, images and HTML; and headings by their level."""
    from markdown_it import MarkdownIt

    acts, headings = [], []
    for token in MarkdownIt("gfm-like", {"linkify": False}).enable("table").parse(text):
        if token.type == "heading_open":
            headings.append(token.tag)
        if token.type in ("html_block", "hr"):
            acts.append(token.type)
        for inner in token.children or ():
            if inner.type in ("link_open", "image", "html_inline"):
                acts += [f"{inner.type} {inner.attrs.get('href', inner.attrs.get('src', inner.content))}"]
    return acts, headings


@pytest.mark.parametrize("writer", WRITERS)
def test_strangers_words_are_words(writer: str) -> None:
    render, record = WRITERS[writer]
    ours = shape(render(record))

    def told(words: str) -> Any:
        made = hostile(record, words)
        # the libraries are ours, and are looked up by name
        return made if writer != "findings" else {**made, "libraries": record["libraries"]}

    broken = [case for case, words in HOSTILE.items() if shape(render(told(words))) != ours]
    assert broken == []


@pytest.mark.parametrize(
    "case", [case for case in HOSTILE if case not in ("a cell", "code that does not end", "an escape")]
)
def test_words_that_are_not_escaped_would_do_something(case: str) -> None:
    assert shape(f"# ours\n\nwords {HOSTILE[case]}\n") != shape("# ours\n\nwords x\n")
