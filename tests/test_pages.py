"""Pages of docs and README: each is found, each link leads somewhere, each block runs or says who else runs it."""

from __future__ import annotations

import importlib.util
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from docs.making import assembled
from docs.making.blocks import ELSEWHERE, FILE, OUTPUT, ROOT, NotSaid, blocks, commands, pages
from docs.making.recording import recorded
from docs.making.running import Ran, agrees, run, written
from dpcheck.report.pages.layout import Place

NAMES = [path.relative_to(ROOT).as_posix() for path in pages()]
#: Pages with something to run.
RUNNING = [
    name
    for name in NAMES
    if any(one.kind not in (FILE, OUTPUT, ELSEWHERE) for one in blocks((ROOT / name).read_text("utf-8"), name))
]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_each_block_is_run_or_says_who_runs_it(name: str) -> None:
    for block in blocks(text_of(name), name):
        if block.argument.startswith("run by "):
            for file in block.argument.removeprefix("run by ").split(", "):
                assert (ROOT / file).is_file(), block.place


@pytest.mark.parametrize(
    "page",
    [
        "```yaml\na: 1\n```\n",
        "```\nx = 1\n```\n",
        "```text\nprinted by nothing\n```\n",
        "<!-- not run: -->\n```python\nx = 1\n```\n",
        "<!-- file: ../elsewhere.py -->\n```python\nx = 1\n```\n",
        "<!-- status: failed -->\n```sh\nfalse\n```\n",
        "```python\nx = 1\n",
    ],
    ids=["yaml", "no language", "text of nothing", "no reason", "a file elsewhere", "no status", "no end"],
)
def test_a_block_that_nobody_runs_is_refused(page: str) -> None:
    with pytest.raises(NotSaid, match=r"page\.md:\d"):
        blocks(page, "page.md")


@pytest.mark.some(1)
@pytest.mark.parametrize("name", RUNNING)
def test_what_a_page_shows_is_what_comes(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "docs.making.running", name], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


GOOD = (
    "<!-- file: said.py -->\n```python\nprint('said')\n```\n\n```python\nprint(6 * 7)\n```\n\n```text\n42\n```\n\n"
    "```sh\npython said.py\n```\n\n```text\nsaid\n```\n\n<!-- status: 3 -->\n```sh\n"
    "python -c 'raise SystemExit(3)'\n```\n"
)
TESTED = "<!-- pytest: 1 passed -->\n```python\ndef test_it():\n    assert True\n```\n"


@pytest.mark.parametrize(
    ("right", "wrong", "place"),
    [
        ("", "", ""),
        ("print(6 * 7)", "print(6 * 8)", "page.md:11"),
        ("print(6 * 7)", "print(6 / 0)", "page.md:7"),
        ("\n42\n", "\n43\n", "page.md:11"),
        ("sh\npython said.py", "sh\npython unsaid.py", "page.md:15"),
        ("\nsaid\n", "\nunsaid\n", "page.md:19"),
        ("SystemExit(3)", "SystemExit(0)", "page.md:24"),
    ],
    ids=["none", "a result", "an exception", "an output", "a command", "its output", "a status"],
)
def test_a_broken_block_is_caught(right: str, wrong: str, place: str) -> None:
    assert right in GOOD
    faults = [one.wrong for one in run(GOOD.replace(right, wrong, 1), "page.md") if one.wrong]
    assert [fault[: len(place) + 1] for fault in faults] == ([f"{place}:"] if place else [])


@pytest.mark.parametrize(("right", "wrong"), [("True", "False"), ("1 passed", "2 passed")])
def test_a_broken_test_is_caught(right: str, wrong: str) -> None:
    (ran,) = run(TESTED.replace(right, wrong), "page.md")
    assert ran.wrong.startswith("page.md:3: not '")


def test_outputs_are_compared_without_clocks_and_ends_of_lines() -> None:
    assert agrees("took 3 s,\nall of it", "took 4.2 s, all of it\n")
    assert agrees("first\n...\nlast\n", "first\nany\nthing\nlast\n")
    assert not agrees("first\n...\nlast\n", "first\nany\nthing\nelse\n")
    assert not agrees("3 calls", "4 calls")


def test_outputs_are_written_into_a_page() -> None:
    stale = GOOD.replace("42", "41")
    ran = run(stale, "page.md")
    assert [one.wrong != "" for one in ran] == [True, False, False]
    assert written(stale, ran, "page.md") == GOOD


def test_commands_may_be_of_several_lines() -> None:
    (block,) = blocks("```sh\n# a comment\ndpcheck audit x \\\n  --epsilon 1\ndpcheck zoo\n```\n", "page.md")
    assert commands(block) == ["dpcheck audit x --epsilon 1", "dpcheck zoo"]


def links(name: str) -> list[str]:
    """Files to which a page leads, from the root of the repository."""
    prose = re.sub(r"(^`{3,}.*?^`{3,}\s*?$|`[^`\n]+`)", "``", text_of(name), flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"\]\(([^()\s]+)\)", prose)
    inside = [link for link in found if not re.match(r"[a-z]+:|#", link)]
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), link.partition("#")[0])) for link in inside]


@pytest.mark.parametrize("name", [*NAMES, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_each_link_leads_somewhere(name: str) -> None:
    assert [link for link in links(name) if not (ROOT / link).exists() and link not in assembled.MADE_FROM_DOCS] == []


def test_every_page_stands_beside_the_others() -> None:
    assert assembled.not_in_nav() == []
    there = {*assembled.places().values(), *assembled.MADE}
    assert [page for shown in assembled.NAV.values() for page in shown if page not in there] == []


@pytest.mark.turns(4)
def test_every_public_name_has_its_place_in_the_reference() -> None:
    import dpcheck

    made = assembled.reference()
    documented = re.findall(r"auto(?:class|function|data):: dpcheck\.(\w+)$", "".join(made.values()), re.MULTILINE)
    assert sorted(documented) == sorted(set(dpcheck.__all__) - {"strategies"})
    assert "reference/others.md" not in made  # what help(dpcheck) leaves out
    for path in assembled.OF_A_PAPER:
        assert re.search(rf"auto(?:class|function):: {path}$", made[assembled.OF_A_PAPER_PAGE], re.MULTILINE)


def test_files_that_a_page_names_whole_are_there() -> None:
    texts = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")]
    named = {one for text in texts for one in re.findall(r"^<!-- whole: (\S+) -->$", text, re.MULTILINE)}
    assert len(named) >= 4
    for one in named:
        made = assembled.with_files(f"before\n\n<!-- whole: {one} -->\n\nafter\n")
        last = (ROOT / one).read_text(encoding="utf-8").splitlines()[-1]
        assert last.replace('"', "&quot;").replace(">", "&gt;") in made
        assert "<!-- whole" not in made


def test_a_recording_has_the_commands_and_asks_nothing_of_the_network() -> None:
    picture = recorded(["dpcheck audit it"], "\x1b[31mVIOLATED\x1b[0m\n" + "more\n" * 40, title="terminal")
    assert "VIOLATED" in picture
    assert "dpcheck" in picture
    assert "lines" in picture
    assert "@font-face" not in picture
    assert set(re.findall(r"url\((.)", picture)) == {"#"}


def test_output_stands_below_its_command(tmp_path: Path) -> None:
    page = "<!-- recording -->\n```sh\ntrue\n```\n"
    kept = {("docs/x.md", 3): Ran("docs/x.md", 3, "a < b\n\nc\n", recorded=True)}
    made = assembled.with_output(page, "docs/x.md", "x.md", kept, tmp_path)
    assert "a &lt; b" in made
    assert made.index("![The terminal: a < b](x-terminal-3.svg)") < made.index("<details")
    assert (tmp_path / "x-terminal-3.svg").is_file()


@pytest.fixture(scope="module")
def site() -> ModuleType:
    folder = ROOT / ".ci"
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location("ci_site", folder / "site.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b.html#there">b</a> <a href="https://example.org">e</a> <img src="data:image/png;base64,">', ""),
        ('<a href="c.html">c</a>', "a.html: c.html leads nowhere"),
        ('<a href="b.html#nowhere">b</a>', "a.html: b.html#nowhere: no such place in that page"),
        ('<script src="https://example.org/x.js"></script>', "a.html: loads https://example.org/x.js"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "a.html: loads //example.org/x.css"),
        ("<style>@font-face{src:url(https://example.org/f.woff2)}</style>", "a.html: a style asks the network"),
    ],
    ids=["none", "no page", "no anchor", "a script", "a style sheet", "a font"],
)
def test_faults_of_a_built_site_are_seen(site: ModuleType, tmp_path: Path, body: str, fault: str) -> None:
    (tmp_path / "a.html").write_text(body, encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="there">', encoding="utf-8")
    assert site.faults(tmp_path) == ([fault] if fault else [])


def test_pages_of_reports_lead_back_to_the_documentation(site: ModuleType) -> None:
    page = Place("learners/a.html", ("index.html", "learners/a.html")).main()
    assert page
    text = '<nav aria-label="All pages"><ul>\n<li>'
    assert 'href="../../index.html">Documentation' in site.with_way_back(text, Path("pages/learners/a.html"))
    template = (ROOT / "dpcheck" / "report" / "pages" / "templates" / "base.html").read_text(encoding="utf-8")
    assert "Documentation" in site.with_way_back(template, Path("pages/index.html"))  # it finds where links stand


@pytest.mark.extra  # half an hour of a processor with its environment: .ci/extra has it
def test_the_site_is_built_without_a_warning() -> None:
    done = subprocess.run([sys.executable, ".ci/site.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 faults; " in done.stdout
    assert (ROOT / "site" / "index.html").is_file()
