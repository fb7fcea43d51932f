"""Assembles the sources of the site: pages of docs, reports and rules as they stand, and what is made for it alone.

Pages keep their links to each other; a link to a file of the repository that is no page names the file instead.
"""

from __future__ import annotations

import html
import inspect
import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

from docs.making.blocks import FOR_CONTRIBUTORS, PYTEST, PYTHON, ROOT, SHELL, blocks, commands
from docs.making.recording import recorded
from docs.making.running import Ran

#: Folders of the repository whose pages are the site's, and where they stand there.
BROUGHT_IN = {"reports": "reports", "dpcheck/proof": "rules"}
_LINK = re.compile(r"(?<!\\)\[(?P<words>[^\[\]]+)\]\((?P<to>[^()\s]+)\)")
_FENCED = re.compile(r"(^`{3,}.*?^`{3,}\s*?$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_WHOLE = re.compile(r"^<!-- whole: (\S+) -->$", re.MULTILINE)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def places() -> dict[str, str]:
    """Where each page and picture of the repository stands in the site."""
    found = {
        path.relative_to(ROOT).as_posix(): path.relative_to(ROOT / "docs").as_posix()
        for kind in ("*.md", "*.svg")
        for path in sorted((ROOT / "docs").rglob(kind))
    }
    for folder, place in BROUGHT_IN.items():
        for kind in ("*.md", "*.svg"):
            for path in sorted((ROOT / folder).rglob(kind)):
                found[path.relative_to(ROOT).as_posix()] = f"{place}/{path.relative_to(ROOT / folder).as_posix()}"
    found["CHANGELOG.md"] = "changelog.md"
    found["CONTRIBUTING.md"] = "contributing.md"
    found["reports/README.md"] = "reports/list.md"
    return {source: place for source, place in found.items() if source not in FOR_CONTRIBUTORS}


def assemble(into: Path, ran: Sequence[Ran]) -> None:
    """Write all sources into an empty folder."""
    where = places()
    kept = {(one.page, one.line): one for one in ran}
    for source, place in where.items():
        path = into / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if not source.endswith(".md"):
            shutil.copy(ROOT / source, path)
            continue
        text = linked((ROOT / source).read_text(encoding="utf-8"), source, where)  # no line moves
        if source.startswith("docs/"):
            text = with_files(with_output(text, source, place, kept, into))
        path.write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "docs" / "conf.py", into / "conf.py")
    shutil.copytree(ROOT / "docs" / "_static", into / "_static")
    for make in MADE.values():
        for place, text in make().items():
            (into / place).parent.mkdir(parents=True, exist_ok=True)
            (into / place).write_text(text, encoding="utf-8")
    with (into / "index.md").open("a", encoding="utf-8") as index:
        index.write(contents())


def linked(text: str, source: str, where: Mapping[str, str]) -> str:
    """A page whose links lead to pages of the site; of a file that is none the name is told.

    >>> linked("[a](../x.md), [b](y.py)", "docs/z.md", {"docs/z.md": "z.md", "x.md": "reports/x.md"})
    '[a](reports/x.md), b (`docs/y.py`)'
    """

    def one(found: re.Match[str]) -> str:
        words, to = found["words"], found["to"]
        if re.match(r"[a-z]+:|#", to):
            return found[0]
        target, _, anchor = to.partition("#")
        name = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if name in where:
            here = posixpath.relpath(where[name], posixpath.dirname(where.get(source, source)) or ".")
            return f"[{words}]({here}{'#' * bool(anchor)}{anchor})"
        if name in MADE_FROM_DOCS:
            here = posixpath.relpath(MADE_FROM_DOCS[name], posixpath.dirname(where.get(source, source)) or ".")
            return f"[{words}]({here})"
        return f"{words} (`{name}`)" if words.strip("`") != name else f"`{name}`"

    parts = _FENCED.split(text)
    return "".join(part if part.startswith("`") else _LINK.sub(one, part) for part in parts)


def with_output(text: str, source: str, place: str, kept: Mapping[tuple[str, int], Ran], into: Path) -> str:
    """A page with what its commands printed: folded below them, or as a picture of the terminal."""
    lines = text.splitlines()
    found = blocks(text, source)
    following = {one.first: after.kind for one, after in pairwise(found)}
    for block in reversed(found):
        ran = kept.get((source, block.first))
        if ran is None or block.kind not in (SHELL, PYTHON, PYTEST) or not ran.printed.strip():
            continue
        if following.get(block.first) != "output" and block.kind != PYTEST:
            printed = html.escape(_COLOURS.sub("", ran.printed).rstrip()).replace("\n\n", "\n&#8203;\n")
            lines[block.last + 1 : block.last + 1] = [
                "",
                '<details class="printed"><summary>What it printed when this site was built</summary>',
                f"<pre>{printed}</pre>",
                "</details>",
                "",
            ]
        if block.recorded:
            name = f"{PurePosixPath(place).stem}-terminal-{block.first}.svg"
            picture = recorded(commands(block), ran.printed, title=PurePosixPath(place).stem)
            (into / place).parent.joinpath(name).write_text(picture, encoding="utf-8")
            said = _COLOURS.sub("", ran.printed).strip().splitlines()[0]
            lines[block.last + 1 : block.last + 1] = ["", f"![The terminal: {said}]({name})"]
    return "\n".join(lines) + "\n"


def with_files(text: str) -> str:
    """A page with the files that it names whole, folded: ``<!-- whole: examples/my_bounds.py -->``."""

    def one(found: re.Match[str]) -> str:
        code = html.escape((ROOT / found[1]).read_text(encoding="utf-8").rstrip()).replace("\n\n", "\n&#8203;\n")
        return f"<details><summary><code>{found[1]}</code>, whole</summary>\n<pre>{code}</pre>\n</details>"

    return _WHOLE.sub(one, text)


def contents() -> str:
    """The list of all pages, which the theme shows beside each."""
    parts = []
    for caption, pages in NAV.items():
        names = "\n".join(page if "<" in page else page.removesuffix(".md") for page in pages)
        parts.append(f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{names}\n```\n")
    return "".join(parts)


def reference() -> dict[str, str]:
    """The public names, a page for each group of ``help(dpcheck)``, and a table of all of them."""
    import dpcheck

    left = [name for name in dpcheck.__all__ if name != "strategies"]
    groups = []
    for title, text in _groups(inspect.getdoc(dpcheck) or ""):
        here = list(dict.fromkeys(name for name in re.findall(r"\b[A-Za-z_]\w*\b", text) if name in left))
        left = [name for name in left if name not in here]
        if here:
            groups.append((title, here))
    if left:
        groups.append(("Others", left))
    index = ["# Reference", "", "All public names, in the order in which one needs them."]
    found = {}
    for title, names in groups:
        place = f"reference/{re.sub(r'[^a-z]+', '_', title.lower()).strip('_')}.md"
        groups_made = [(f"dpcheck.{name}", getattr(dpcheck, name)) for name in names]
        index += _group(title, place, groups_made)
        found[place] = _page_of(title, groups_made)
    of_papers = [(path, _named(path)) for path in OF_A_PAPER]
    index += _group(OF_A_PAPER_TITLE, OF_A_PAPER_PAGE, of_papers)
    found[OF_A_PAPER_PAGE] = _page_of(OF_A_PAPER_TITLE, of_papers)
    index += ["", *_below(found)]
    return {"reference.md": "\n".join(index) + "\n", **found}


#: What a paper of one's own is declared with: its protocol is public, wherever it stands.
OF_A_PAPER_TITLE, OF_A_PAPER_PAGE = "A paper of one's own", "reference/a_paper_of_one_s_own.md"
OF_A_PAPER = (
    *(f"dpcheck.proof.statement.{name}" for name in ("Paper", "Theorem", "Step", "Claim", "Repair", "Erratum")),
    *(f"dpcheck.proof.bounds.{name}" for name in ("Bound", "Range", "symbol")),
    "dpcheck.parts.learners.entry.LearnerEntry",
    "dpcheck.trial.upper.UpperBound",
    "dpcheck.trial.lower.LowerBound",
    "dpcheck.trial.privacy.PrivacyCheck",
    "dpcheck.trial.run.Run",
    *(f"dpcheck.trial.page.{name}" for name in ("Page", "Plot", "Pivot")),
    "dpcheck.trial.failures.counted",
    "dpcheck.utility.distributions.FiniteDistribution",
)


def _named(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def _group(title: str, place: str, members: Iterable[tuple[str, Any]]) -> list[str]:
    rows = [f"| {{py:obj}}`{path.rpartition('.')[2]} <{path}>` | {_first_sentence(one)} |" for path, one in members]
    return ["", f"## [{title}]({place})", "", "| name | what it is |", "| --- | --- |", *rows]


def _page_of(title: str, members: Iterable[tuple[str, Any]]) -> str:
    return "\n".join([f"# {title}", "", *(_documented(path, one) for path, one in members)])


def _below(pages: Iterable[str]) -> list[str]:
    """The list of pages that hang below one."""
    return ["```{toctree}", ":hidden:", "", *(page.removesuffix(".md") for page in pages), "```"]


def _first_sentence(one: Any) -> str:
    if not (inspect.isclass(one) or inspect.isroutine(one)):
        one = type(one)
    paragraph = (inspect.getdoc(one) or "").partition("\n\n")[0]
    said = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", " ".join(paragraph.split())).replace("``", "`").replace("|", "\\|")
    return re.split(r"(?<=\.) (?=[A-Z])", said)[0]


#: In what is said of a function: the class that it gives.
NAME_OF_CLASS = r"\b[A-Z]\w+\b"


def _groups(text: str) -> list[tuple[str, str]]:
    """Headings that stand alone at the margin, and the indented lines below each."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("  ") and found:
            # names stand two in, what is said of them far behind, also in the lines below
            names, words = re.split(r" {2,}", line[2:].rstrip() + "   ", maxsplit=1)
            found[-1][1].append(f"{names} {' '.join(re.findall(NAME_OF_CLASS, words))}")
        elif re.fullmatch(r"[A-Z][^:>.]*\??", line):
            found.append((line, []))
    return [(title, "\n".join(lines)) for title, lines in found if lines]


def _documented(path: str, one: Any) -> str:
    kind = "class" if inspect.isclass(one) else "function" if inspect.isroutine(one) else "data"
    members = "\n   :members:" if kind == "class" else ""
    return f"```{{eval-rst}}\n.. auto{kind}:: {path}{members}\n```\n"


def command_line() -> dict[str, str]:
    """What each command's ``--help`` says, by running it: a page each."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    environment.pop("FORCE_COLOR", None)

    def said(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "dpcheck", *words, "--help"],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        return done.stdout.rstrip()

    whole = said()
    names = re.findall(r"^│ ([a-z][a-z-]*)  ", whole.partition("Commands")[2], re.MULTILINE)
    found = {f"command_line/{name}.md": f"# dpcheck {name}\n\n```text\n{said(name)}\n```\n" for name in names}
    commands = [f"[`{name}`](command_line/{name}.md)" for name in names]
    lines = ["# Command line", "", f"Each command by itself: {' · '.join(commands)}.", "", f"```text\n{whole}\n```", ""]
    return {"command_line.md": "\n".join([*lines, *_below(found)]) + "\n", **found}


def papers() -> dict[str, str]:
    """The five papers: the page with charts, and the text that the site's search finds."""
    lines = [
        "# The five papers", "",
        "Each paper whole: its statements, the proof of each line, the bounds, and what came of the claims where "
        'learners were run. <a href="pages/index.html">All of it in one index.</a>',
        "", "| paper | pages with charts | as text, which the search finds |", "| --- | --- | --- |",
    ]  # fmt: skip
    for path in sorted((ROOT / "reports").glob("*/*.md")):
        if path.parent.name == path.stem:
            title = path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
            page = f"pages/{path.stem}/{path.stem}.html"
            lines.append(f'| {title} | <a href="{page}">{path.stem}</a> | [text](reports/{path.stem}/{path.stem}.md) |')
    lines += ["", "[Errata](reports/errata.md), by paper and severity. [Each result](reports/theorems.md).", ""]
    return {"papers.md": "\n".join(lines) + "\n"}


def learners() -> dict[str, str]:
    """Every learner of a paper: its page with charts, and its text."""
    lines = [
        "# The learners", "", "[All of them, and their broken versions](reports/learners.md).", "",
        "| learner | page with charts | as text |", "| --- | --- | --- |",
    ]  # fmt: skip
    names = (path.stem for path in sorted((ROOT / "reports" / "learners").glob("*.md")))
    lines += [
        f'| `{one}` | <a href="pages/learners/{one}.html">page</a> | [text](reports/learners/{one}.md) |'
        for one in names
    ]
    lines += ["", "```{toctree}\n:hidden:\n:glob:\n\nreports/learners/*\n```"]
    return {"learners.md": "\n".join(lines) + "\n"}


#: Pages that the build makes, with those that hang below each.
MADE: dict[str, Callable[[], dict[str, str]]] = {
    "reference.md": reference,
    "command_line.md": command_line,
    "papers.md": papers,
    "learners.md": learners,
}
#: As pages of docs link to them.
MADE_FROM_DOCS = {f"docs/{place}": place for place in MADE}
#: All pages, as they stand beside each; those of learners hang below theirs.
NAV: dict[str, tuple[str, ...]] = {
    "How to": (
        "howto/labelled_data.md", "howto/trainings.md", "howto/tensors.md", "howto/own_relation.md",
        "howto/own_theorem.md", "howto/own_paper.md", "howto/baselines.md", "howto/ci.md", "howto/checks.md",
        "howto/accuracy.md", "howto/other_libraries.md", "howto/papers_learners.md", "many_machines.md",
        "containment.md",
    ),
    "Reference": ("reference.md", "command_line.md", "public.md", "changelog.md", "contributing.md"),
    "Explanation": (
        "explanation/how_it_decides.md", "explanation/how_a_line_is_proved.md", "explanation/bounds_against_reality.md",
        "reports/glossary.md", "reports/what_an_audit_looks_at.md", "rules/reading.md", "rules/prover/certificates.md",
        "rules/derivation/rules.md", "rules/coq/theories.md",
    ),
    "Papers and learners": (
        "papers.md", "learners.md", "reports/findings.md", "reports/packages/survey.md", "reports/environments.md",
        "reports/errata.md", "reports/theorems.md",
        "reports/bounds.md", "reports/index.md", "reports/alon2019/alon2019.md", "reports/bassily2018/bassily2018.md",
        "reports/beimel2015/beimel2015.md", "reports/chaudhuri2011/chaudhuri2011.md", "reports/wang2016/wang2016.md",
    ),
    "Measured": (
        "benchmarks.md", "reports/list.md", "reports/learners.md", "reports/checks.md", "reports/optimal_learner.md",
        "reports/learners_cost.md", "reports/real_data.md", "reports/learners_compared.md",
        "reports/accounting_compared.md", "reports/answers.md", "reports/vote_tables.md",
        "reports/labelled_sizes.md", "reports/sanitisers.md", "reports/growth.md",
    ),
}  # fmt: skip


def not_in_nav() -> list[str]:
    """Pages that nobody would find beside the others."""
    shown = {page for pages in NAV.values() for page in pages} | {"index.md"}
    made = [*places().values(), *MADE]
    return sorted(
        page for page in made if page.endswith(".md") and page not in shown and not page.startswith("reports/learners/")
    )
