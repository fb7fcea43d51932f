"""Strangers' words are read, and act as nothing: no link, no image, no heading."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.report.inert_markdown import as_cell
from dpcheck.report.paper.markdown import heading, prose
from dpcheck.report.whole.index_markdown import cells, said

#: What GitHub makes a link of (GFM, autolinks): a scheme with two slashes, or www and a dot.
LINKED = re.compile(r"[a-z]://|\bwww\.", re.IGNORECASE)
WORDS = ("https://evil.example/x", "HTTP://a.b", "ftp://c", "www.evil.example", "WWW.x", "(", "word", "*")
WRITERS: dict[str, Callable[[str], str]] = {
    "a cell": as_cell,
    "a heading": heading,
    "prose": prose,
    "words of the index": said,
    "a table of the index": lambda text: "\n".join(cells(("said",), ((text,),))),
}


@pytest.mark.parametrize("name", WRITERS)
@given(words=st.lists(st.sampled_from(WORDS)))
def test_no_address_becomes_a_link(name: str, words: list[str]) -> None:
    text = " ".join(words)
    written = WRITERS[name](text)
    assert LINKED.search(written) is None
    read = html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", written))
    assert text.strip() in read


def test_an_address_in_code_stays_as_it_is() -> None:
    assert prose("`https://a.b` and https://a.b") == "`https://a.b` and https&#58;//a.b"
