"""Builds the site into site/, in a fresh environment of its own: `python3 .ci/site.py`, some minutes.

All blocks of all pages are run first, and what they print is kept; then pages of the reports are built of their
records, and Sphinx builds the rest, for which a warning is an error. Last, every link of every page has to lead
somewhere, and no page may ask anything of the network. `--here` takes the environment that this Python is in, `--quick`
runs no block, and shows what they printed at the build before.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import environment

ROOT = Path(__file__).resolve().parent.parent
SITE, BUILD, VENV = ROOT / "site", ROOT / "build" / "site", ROOT / ".venv-site"
#: What a page loads by itself, which is another thing than a link that a reader may follow.
LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href"), ("object", "data")}
_STYLES = re.compile(r"url\(\s*['\"]?(https?:)?//|@import\s+['\"]https?:")


class Links(HTMLParser):
    """What a page leads to, what it loads, and the anchors that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.to: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what this element says."""
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        for name in ("href", "src", "data"):
            if name in given and (tag, name) in LOADS and given.get("rel", "") not in ("canonical", "next", "prev"):
                self.loaded.append(given[name])
            elif name == "href" and name in given and tag == "a":
                self.to.append(given[name])


def faults(site: Path) -> list[str]:
    """Links that lead nowhere, and what is asked of the network."""
    pages: dict[Path, Links] = {}
    for path in sorted(site.rglob("*.html")):
        pages[path] = Links()
        pages[path].feed(path.read_text(encoding="utf-8"))
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        for link in [*page.to, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    found.append(f"{name}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                found.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{name}: {link}: no such place in that page")
    for kind in ("*.css", "*.svg", "*.html"):
        asking = (path for path in sorted(site.rglob(kind)) if _STYLES.search(path.read_text(encoding="utf-8")))
        found += [f"{path.relative_to(site)}: a style asks the network" for path in asking]
    return found


def main() -> int:
    """Make the environment, and build in it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--here", action="store_true", help="take the environment of this Python")
    parser.add_argument("--quick", action="store_true", help="run no block: show what they printed at the build before")
    given = parser.parse_args()
    inherited = environment.kept(os.environ)
    if not given.here:
        python = VENV / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "-e", f"{ROOT}[docs]"], check=True, env=inherited
        )
        words = [str(python), __file__, "--here", *(["--quick"] if given.quick else [])]
        return subprocess.run(words, check=False, env=inherited, cwd=ROOT).returncode
    return built(quick=given.quick)


#: Where the links begin that every page of the reports has.
_LISTED = '<nav aria-label="All pages"><ul>'


def with_way_back(text: str, place: Path) -> str:
    """A page of the reports with a link to the documentation before those that all pages have.

    >>> with_way_back('<nav aria-label="All pages"><ul>', Path("pages/index.html")).partition("<li>")[2]
    '<a href="../index.html">Documentation</a></li>'
    """
    back = "/".join([*[".."] * (len(place.parts) - 1), "index.html"])
    return text.replace(_LISTED, f'{_LISTED}<li><a href="{back}">Documentation</a></li>', 1)


def built(*, quick: bool) -> int:
    """Build the site with this Python; 1 where something is wrong with it."""
    sys.path.insert(0, str(ROOT))
    from docs.making.assembled import assemble, not_in_nav
    from docs.making.running import Ran

    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    for folder in (SITE, BUILD / "sources", BUILD / "trees"):
        shutil.rmtree(folder, ignore_errors=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    kept, wrong = BUILD / "printed.json", []
    if not quick:
        words = [sys.executable, "-m", "docs.making.running", "--keep", str(kept)]
        if subprocess.run(words, check=False, cwd=ROOT, env=here).returncode != 0:
            wrong.append("blocks of pages, see above")
    ran = [Ran(**one) for one in json.loads(kept.read_text(encoding="utf-8"))] if kept.exists() else []
    wrong += [f"{page}: in no list of pages" for page in not_in_nav()]
    assemble(BUILD / "sources", ran)
    commands = (
        [
            "sphinx",
            "-W",
            "--keep-going",
            "-q",
            "-b",
            "html",
            "-d",
            str(BUILD / "trees"),
            str(BUILD / "sources"),
            str(SITE),
        ],
        ["dpcheck", "report", "--from", "reports", "--out", str(SITE / "pages")],
    )
    for words in commands:
        print(f"== {' '.join(words[:2])}", flush=True)
        if subprocess.run([sys.executable, "-m", *words], check=False, cwd=ROOT, env=here).returncode != 0:
            wrong.append(f"{words[0]}, see above")
    for path in (SITE / "pages").rglob("*.html"):
        path.write_text(with_way_back(path.read_text(encoding="utf-8"), path.relative_to(SITE)), encoding="utf-8")
    for record in (*(ROOT / "reports").glob("*.json"), *(ROOT / "reports").glob("*/*.json")):  # beside their pages
        place = SITE / "pages" / record.relative_to(ROOT / "reports")
        if place.parent.is_dir():
            shutil.copy(record, place)
    wrong += faults(SITE)
    pages = len(list(SITE.rglob("*.html")))
    print(*wrong, f"{pages} pages in {SITE.name}/, {len(wrong)} faults; begin at {SITE.name}/index.html", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
