"""What must be true of every page, found in its text alone: no browser is needed."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import unquote

VOID = {"meta", "link", "br", "col", "input", "hr", "img", "wbr"}
_ADDRESSES = ("src", "href", "data", "action", "formaction", "poster", "srcset", "xlink:href", "ping")
_NAMED = ("aria-labelledby", "aria-describedby", "for")


class Page(HTMLParser):
    """Collects what the checks ask about; ``faults`` has what is wrong with the tags themselves."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.open: list[tuple[str, list[str], dict[str, str]]] = []
        self.ids: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.names: list[tuple[str, dict[str, str], str, bool]] = []
        self.headings: list[int] = []
        self.faults: list[str] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.feed(html)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag, _, _ in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if len(found) != len(attrs):
            self.faults.append(f"an attribute twice in <{tag}>")
        self.tags.append((tag, found))
        if "id" in found:
            self.ids.append(found["id"])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append((tag, [], found))
        else:
            self._end(tag, found, "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes nothing")
            return
        _, text, found = self.open.pop()
        self._end(tag, found, "".join(text))

    def handle_data(self, data: str) -> None:
        numbers = self.open and self.open[-1][2].get("type") == "application/json"
        if self.open and self.open[-1][0] in ("script", "style") and not numbers:
            (self.scripts if self.open[-1][0] == "script" else self.styles).append(data)
        for _, text, _ in self.open:
            text.append(data)

    def _end(self, tag: str, attributes: dict[str, str], text: str) -> None:
        labelled = any(outer == "label" for outer, _, _ in self.open)
        self.names.append((tag, attributes, text.strip(), labelled))


@cache
def read(html: str) -> Page:
    """The page of a text, read once: of a whole report each page is asked about by all others."""
    return Page(html)


def faults_of(html: str, path: str = "page.html", pages: Mapping[str, str] | None = None) -> list[str]:
    """Everything that is wrong with a page; nothing when it is as it should be.

    Parameters
    ----------
    html : the page
    path : where it is, from the report's folder
    pages : all pages of the report by their paths, for links between them
    """
    page = read(html)
    others = {name: read(text) for name, text in (pages or {}).items() if name != path} | {path: page}
    return [
        *page.faults,
        *_identities(page),
        *_links(page, path, others),
        *_outside(page, path, others),
        *_headings(page),
        *_labels(page),
        *_landmarks(page),
        *_scripts(page),
    ]


def _identities(page: Page) -> list[str]:
    twice = {id for id in page.ids if page.ids.count(id) > 1}
    named = {name for _, attributes in page.tags for key in _NAMED for name in attributes.get(key, "").split()} | set(
        re.findall(r"url\(#([^)]+)\)", page.html)
    )
    return [
        *(f"id {id!r} is there twice" for id in sorted(twice)),
        *(f"id {id!r} holds white space or nothing" for id in page.ids if not id or re.search(r"\s", id)),
        *(f"{name!r} is named and not there" for name in sorted(named - set(page.ids))),
    ]


def _links(page: Page, path: str, others: Mapping[str, Page]) -> list[str]:
    found = []
    for tag, attributes in page.tags:
        link = attributes.get("href", "")
        if tag != "a" and not link.startswith("#"):
            continue
        if tag == "a" and not link:
            found.append("a link leads nowhere")
            continue
        file, _, part = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
        if target not in others:
            found.append(f"{link} leads to no page")
        elif part and unquote(part) not in others[target].ids:
            found.append(f"{link} leads to no part of {target}")
    return found


#: The one file that pages share: it draws their charts.
SHARED = "charts.js"


def _outside(page: Page, path: str, others: Mapping[str, Page]) -> list[str]:
    addresses = [(tag, attributes[name]) for tag, attributes in page.tags for name in _ADDRESSES if name in attributes]
    # a picture that is in the page is no other file
    addresses = [one for one in addresses if one[0] != "img" or not one[1].startswith("data:image/svg+xml;base64,")]
    found = [
        f"<{tag}> asks for {address}"
        for tag, address in addresses
        if re.match(r"[a-z][a-z0-9+.-]*:|//", address, re.IGNORECASE) and address != "data:,"
    ]
    shared = {posixpath.relpath(SHARED, posixpath.dirname(path) or ".")} if SHARED in others else set()
    found += [
        f"<{tag}> is another file"
        for tag, a in addresses
        if tag not in ("a", "use", "link") and a and not (tag == "script" and a in shared)
    ]
    style = "".join(page.styles) + "".join(attributes.get("style", "") for _, attributes in page.tags)
    found += [f"style asks for {what}" for what in re.findall(r"url\((?!#)[^)]*\)|@import[^;]*", style)]
    found += [
        f"<{tag}> refreshes"
        for tag, attributes in page.tags
        if attributes.get("http-equiv", "Content-Security-Policy") != "Content-Security-Policy"
    ]
    return found


def _headings(page: Page) -> list[str]:
    levels = page.headings
    found = [] if levels[:1] == [1] and levels.count(1) == 1 else ["there is not one first heading"]
    return found + [f"a heading {after} follows a heading {before}" for before, after in pairwise(levels)
                    if after > before + 1]  # fmt: skip


def _labels(page: Page) -> list[str]:
    found = []
    for tag, attributes, text, labelled in page.names:
        named = bool(text or attributes.get("aria-label") or attributes.get("aria-labelledby"))
        if tag in ("a", "button", "summary", "h1", "h2", "h3", "h4", "h5", "title", "caption") and not named:
            found.append(f"<{tag}> has no name")
        if tag in ("input", "select", "textarea") and not (
            labelled or attributes.get("aria-label") or attributes.get("aria-labelledby")
        ):
            found.append(f"<{tag}> has no label")
        if tag == "img" and "alt" not in attributes:
            found.append("<img> has no alt")
        if tag == "svg" and not (attributes.get("role") and named):
            found.append("<svg> has no role or no name")
        if tag == "th" and "scope" not in attributes:
            found.append(f"<th> {text[:20]!r} has no scope")
    tables = sum(tag == "table" for tag, _ in page.tags)
    captions = sum(tag == "caption" for tag, _ in page.tags)
    captions += sum(tag == "table" and "aria-label" in attributes for tag, attributes in page.tags)
    return found + ([] if tables == captions else [f"{tables} tables have {captions} captions"])


def _landmarks(page: Page) -> list[str]:
    tags = [tag for tag, _ in page.tags]
    found = [f"there is not one <{tag}>" for tag in ("main", "title", "header") if tags.count(tag) < 1]
    found += [] if tags.count("main") == 1 else ["there is not one <main>"]
    names = [attributes.get("aria-label", "") for tag, attributes in page.tags if tag == "nav"]
    if "" in names or len(names) != len(set(names)):
        found.append("the <nav> have no names of their own")
    return found + ([] if ("html", {"lang": "en"}) in page.tags else ["the language is not said"])


def _scripts(page: Page) -> list[str]:
    script = "".join(page.scripts)
    found = [f"the script uses {word}" for word in re.findall(
        r"\beval\b|new Function|innerHTML|document\.write|fetch\(|XMLHttpRequest|importScripts|\bimport\(|WebSocket|"
        r"sendBeacon|EventSource", script)]  # fmt: skip
    handlers = [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    return [*found, *(f"an attribute {name}" for name in handlers)]
