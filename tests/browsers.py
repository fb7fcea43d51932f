"""A headless Chromium for tests, and what it says of a page; where none can be had, the tests skip or fail."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

#: Set by continuous integration: the path of a browser, or "required" for playwright's own; without it tests skip.
VARIABLE = "DPCHECK_BROWSER"
#: No request of the browser's own, and no sandbox, which root has none of.
_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: The one file beside a report's pages that they ask for: it draws their charts.
SHARED = "charts.js"
#: What axe-core finds is a fault from here on.
_GRAVE = ("serious", "critical")
_COMPLAINTS = ("error", "warning")


def _found() -> str | None:
    """The browser that the variable names, else one that is installed; None for playwright's own."""
    named = os.environ.get(VARIABLE, "")
    if named not in ("", "required"):
        return named
    return next((path for path in map(shutil.which, _NAMES) if path), None)


@contextmanager
def browser() -> Iterator[Any]:
    """A browser; the test is skipped where there is none, and fails where :data:`VARIABLE` says that there is one."""
    required = bool(os.environ.get(VARIABLE))
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError as error:
        _without(required, f"playwright is not installed ({error})")
        raise
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=_found(), args=list(_FLAGS))
        except Error as error:
            _without(required, f"no browser starts: {str(error).splitlines()[0]}")
            raise
        try:
            yield started
        finally:
            started.close()


def _without(required: bool, why: str) -> None:
    if required:
        pytest.fail(f"{VARIABLE} is set, and {why}")
    pytest.skip(why)


@dataclass
class Seen:
    """A page in the browser, with what it said and asked for."""

    page: Any
    errors: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)


@contextmanager
def opened(started: Any, path: Path, *, scheme: str = "light", width: int = 1280) -> Iterator[Seen]:
    """The page of a file in a profile of its own; every request for anything but files is refused and written down."""
    context = started.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    try:
        seen = Seen(context.new_page())
        seen.page.on("console", lambda said: seen.errors.append(said.text) if said.type in _COMPLAINTS else None)
        seen.page.on("pageerror", lambda error: seen.errors.append(str(error)))

        def routed(route: Any) -> None:
            if route.request.url.startswith(("file://", "blob:")):  # what is taken along is made on the page
                route.continue_()
            else:
                seen.asked.append(route.request.url)
                route.abort()

        context.route("**/*", routed)
        # what is not routed, such as a data: address or a second file, is written down too
        seen.page.on("request", lambda request: _note(request.url, path, seen.asked))
        seen.page.goto(path.as_uri(), wait_until="load")
        yield seen
    finally:
        context.close()


def _note(url: str, path: Path, asked: list[str]) -> None:
    if any((folder / SHARED).as_uri() == url for folder in path.parents[:2]):
        return  # the one file that pages share
    if url.partition("#")[0] != path.as_uri() and not url.startswith(("data:", "blob:")) and url not in asked:
        asked.append(url)


def grave_faults(seen: Seen, *rules: str) -> list[str]:
    """What axe-core finds that is serious or critical, of all its rules or of these: the rule, and its first place."""
    if not seen.page.evaluate("() => 'axe' in window"):
        seen.page.evaluate(_axe())
    asked = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    # a change of size reaches the page's own script with the next frame, so two of them are awaited
    seen.page.evaluate("() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))")
    found = seen.page.evaluate("(asked) => axe.run(document, asked)", asked)
    return [
        f"{one['id']} ({one['impact']}, {len(one['nodes'])}): {one['nodes'][0]['html'][:160]}; "
        f"{one['nodes'][0]['failureSummary'][:200]}"
        for one in found["violations"]
        if one["impact"] in _GRAVE
    ]


def _axe() -> str:
    return (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
