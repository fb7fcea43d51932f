"""How large each kind of page of a report is: pixels at two widths, words before its first figure, seconds to load.

``python benchmarks/page_sizes.py FOLDER`` reads the pages that ``dpcheck report --from reports --out FOLDER`` wrote. Of
each kind the tallest page at 1,280 pixels is shown; what is folded away counts for nothing, as for a reader.
"""

from __future__ import annotations

import argparse
import os
import shutil
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

#: Chromium as the tests of pages take it: what DPCHECK_BROWSER names, else one that is installed.
_BROWSERS = (os.environ.get("DPCHECK_BROWSER", ""), "chromium", "chromium-browser", "google-chrome")
WIDTHS = (1280, 390)
HEIGHT = 800
#: So often each page is loaded; the median counts.
LOADS = 3
#: Words that a reader passes: those drawn before the first picture, or all where there is none.
_WORDS = """() => {
  const shown = (one) => one.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  const first = [...document.querySelectorAll('main figure, main svg')].find(shown);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let before = 0, all = 0;
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest('script, style, svg, .unseen') || !shown(parent)) continue;
    const words = node.textContent.split(/\\s+/).filter(Boolean).length;
    all += words;
    if (!first || first.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING) before += words;
  }
  return [first ? before : -1, all];
}"""
_TALL = "() => document.documentElement.scrollHeight"
_LOADED = "() => performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"


@dataclass(frozen=True)
class Size:
    """A page: its height at each width, words before its first figure (None without one) and in all, seconds, bytes."""

    path: str
    tall: tuple[int, ...]
    before: int | None
    words: int
    seconds: float
    size: int


def kind_of(path: str, text: str) -> str:
    """What kind of page this text is, at a path from the report's folder."""
    folder, _, name = path.rpartition("/")
    if folder in ("learners", "audits"):
        return {"learners": "learner", "audits": "audit"}[folder]
    stem = name.removesuffix(".html")
    if not folder:
        return "learners" if stem == "learners" else stem
    if stem == folder:
        return "paper"
    if stem == "errata":
        return "errata"
    return "measurement" if _MEASUREMENT in text else "result"


#: What stands above the heading of a measurement's page alone.
_MEASUREMENT = "a measurement of"


def sizes(folder: Path, chosen: int) -> dict[str, list[Size]]:
    """The pages of a folder by kind, at most ``chosen`` of each, evenly spread, with the largest file."""
    paths: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*.html")):
        paths[kind_of(path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8"))].append(path)
    from playwright.sync_api import sync_playwright

    found: dict[str, list[Size]] = {}
    executable = next((path for path in map(shutil.which, filter(None, _BROWSERS)) if path), None)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        for kind, list_of in paths.items():
            largest = max(list_of, key=lambda path: path.stat().st_size)
            some = {largest, *list_of[:: max(1, len(list_of) // chosen)][:chosen]}
            found[kind] = [measured(started, path, folder) for path in sorted(some)]
        started.close()
    return found


def measured(started: Any, path: Path, folder: Path) -> Size:
    """One page."""
    tall: list[int] = []
    seconds: list[float] = []
    before, words = None, 0
    for width in WIDTHS:
        context = started.new_context(viewport={"width": width, "height": HEIGHT})
        page = context.new_page()
        for _ in range(LOADS):
            page.goto(path.as_uri(), wait_until="load")
            page.evaluate("() => new Promise((then) => setTimeout(then, 60))")
            if width == WIDTHS[0]:
                seconds.append(page.evaluate(_LOADED))
        tall.append(page.evaluate(_TALL))
        if width == WIDTHS[0]:
            first, words = page.evaluate(_WORDS)
            before = None if first < 0 else first
        context.close()
    return Size(
        path.relative_to(folder).as_posix(), tuple(tall), before, words, median(seconds), path.stat().st_size
    )  # fmt: skip


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--of-each", type=int, default=6, metavar="N", help="at most so many pages of a kind")
    asked = parser.parse_args()
    print("| kind | tallest page | pixels at 1280 | at 390 | words to the first figure | words shown | seconds | kB |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for kind, pages in sizes(asked.folder, asked.of_each).items():
        one = max(pages, key=lambda size: size.tall[0])
        before = "no figure" if one.before is None else f"{one.before:,}"
        print(
            f"| {kind} | {one.path} | {one.tall[0]:,} | {one.tall[1]:,} | {before} | {one.words:,} | "
            f"{one.seconds:.2f} | {one.size // 1024:,} |"
        )


if __name__ == "__main__":
    main()
