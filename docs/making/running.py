"""Runs a page: every block of Python and shell in its order, and holds what is printed to what the page shows.

``python -m docs.making.running docs/index.md`` says what is wrong, with exit status 1; ``--write`` puts what was
printed into the page's ``text`` blocks; ``--keep FILE`` keeps all of it, for the site.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import linecache
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from itertools import pairwise
from pathlib import Path
from typing import Any

from docs.making.blocks import FILE, OUTPUT, PYTEST, PYTHON, ROOT, SHELL, Block, blocks, commands, pages

WIDTH = 118
#: Seconds that one command may take.
LIMIT = 300
#: What differs from run to run: how long something took, and what that makes of a plan.
_CLOCK = re.compile(
    r",? ?(--)?max[-_]seconds[ =]\S+|(--[a-z-]*seconds[a-z-]*) \S+|in \d+\.\d+s"
    r"|\b\d+(\.\d+)?(e-\d+)? ?(ms|s|min|h|seconds|minutes|hours)\b"
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
#: A line of output that stands for any number of lines.
LEFT_OUT = "..."


@dataclass(frozen=True)
class Ran:
    """What came of one block: everything printed, and what is wrong with it, which is nothing as a rule."""

    page: str
    line: int
    printed: str
    wrong: str = ""
    recorded: bool = False


def run(text: str, page: str) -> list[Ran]:
    """Run all blocks of a page in a folder of its own, in this process and children of it."""
    found = blocks(text, page)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        _programs(Path(folder) / ".programs")
        environment = {
            **os.environ, "PATH": f"{folder}/.programs{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT),
            "COLUMNS": "100", "FORCE_COLOR": "1",
        }  # fmt: skip
        environment.pop("NO_COLOR", None)
        names: dict[str, Any] = {"__name__": "__main__"}
        sys.path.insert(0, folder)
        try:
            return [
                ran
                for place, block in enumerate(found)
                if (ran := _ran(block, _shown(found, place), names, environment)) is not None
            ]
        finally:
            sys.path.remove(folder)


def _programs(folder: Path) -> None:
    """``dpcheck`` and ``python`` are those of this interpreter."""
    folder.mkdir()
    for name, words in {"dpcheck": "-m dpcheck", "python": "", "pytest": "-m pytest"}.items():
        (folder / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
        (folder / name).chmod(0o755)


def _shown(found: Sequence[Block], place: int) -> Block | None:
    following = found[place + 1] if place + 1 < len(found) else None
    return following if following is not None and following.kind == OUTPUT else None


def _ran(block: Block, shown: Block | None, names: dict[str, Any], environment: dict[str, str]) -> Ran | None:
    if block.kind == FILE:
        Path(block.argument).write_text(block.text, encoding="utf-8")
        return None
    if block.kind == PYTHON:
        printed, wrong = _python(block, names)
    elif block.kind == SHELL:
        printed, wrong = _shell(block, environment)
    elif block.kind == PYTEST:
        printed, wrong = _pytest(block, environment)
    else:
        return None
    if not wrong and shown is not None and not agrees(shown.text, _plain(printed)):
        wrong = f"{shown.place}: not what is printed:\n{_plain(printed)}"
    return Ran(block.page, block.first, printed, wrong, block.recorded)


def _python(block: Block, names: dict[str, Any]) -> tuple[str, str]:
    said = io.StringIO()
    source = "\n" * (block.first - 1) + block.text
    # A learner that is defined in the page is found again by its source, as that of a file is.
    name = f"<{block.place}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    with contextlib.redirect_stdout(said):
        try:
            exec(compile(source, name, "exec"), names)
        except BaseException:
            return said.getvalue(), f"{block.place}: {traceback.format_exc()}"
    return said.getvalue(), ""


def _shell(block: Block, environment: dict[str, str]) -> tuple[str, str]:
    printed = []
    wanted = int(block.argument or 0)
    for command in commands(block):
        done = subprocess.run(
            ["bash", "-c", command], env=environment, capture_output=True, text=True, check=False, timeout=LIMIT
        )
        printed.append(done.stdout)
        if done.returncode != wanted:
            return "".join(printed), (
                f"{block.place}: {command}: exit status {done.returncode}, not {wanted}\n{done.stdout}{done.stderr}"
            )
    return "\n".join(printed), ""


def _pytest(block: Block, environment: dict[str, str]) -> tuple[str, str]:
    file = Path(f"test_line_{block.first}.py")
    file.write_text(block.text, encoding="utf-8")
    installed = any(point.value == "dpcheck.pytest_plugin" for point in entry_points(group="pytest11"))
    summary, _, selected = (part.strip() for part in block.argument.partition(" of "))
    plugin = [] if installed else ["-p", "dpcheck.pytest_plugin"]
    options = ["-q", "-p", "no:cacheprovider", "--color=no", "-k", selected]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, *options, str(file)],
        env=environment, capture_output=True, text=True, check=False, timeout=LIMIT,
    )  # fmt: skip
    last = (done.stdout.strip().splitlines() or [""])[-1]
    if done.returncode != 0 or not all(re.search(rf"\b{re.escape(part)}\b", last) for part in summary.split(", ")):
        return done.stdout, f"{block.place}: not '{summary}':\n{done.stdout}{done.stderr}"
    return done.stdout, ""


def _plain(printed: str) -> str:
    return _COLOURS.sub("", printed)


def agrees(shown: str, printed: str) -> bool:
    """Whether a page shows what is printed: clocks and the ends of lines aside, `...` standing for lines left out.

    >>> agrees("Calls: 12\\n...\\nTime: 3 s\\n", "Calls: 12\\nmore\\nTime: 4 s\\n"), agrees("Calls: 12", "Calls: 13")
    (True, False)
    """
    parts = re.split(rf"^{re.escape(LEFT_OUT)}$", shown, flags=re.MULTILINE)
    pattern = r".*".join(re.escape(_words(part)) for part in parts)
    return re.fullmatch(r"\s*" + pattern.replace(r".*", r"\s?.*\s?") + r"\s*", _words(printed), re.DOTALL) is not None


def _words(text: str) -> str:
    return " ".join(_CLOCK.sub("", text).split())


def written(text: str, ran: Sequence[Ran], page: str) -> str:
    """The page with what was printed in its ``text`` blocks; one with lines left out is left as it is."""
    lines = text.splitlines()
    found = blocks(text, page)
    printed = {one.line: one.printed for one in ran}
    for before, block in reversed(list(pairwise(found))):
        if block.kind != OUTPUT or LEFT_OUT in block.text.splitlines() or before.first not in printed:
            continue
        said = _plain(printed[before.first]).rstrip().splitlines()
        lines[block.first - 1 : block.last] = [_filled(line) for line in said]
    return "\n".join(lines) + "\n"


def _filled(line: str) -> str:
    """A line that is too long for a page, in several; a table's row is left as it is."""
    return line.rstrip() if len(line) <= WIDTH or "│" in line else textwrap.fill(line, WIDTH, break_on_hyphens=False)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run pages, all when none is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true", help="put what is printed into the pages")
    parser.add_argument("--keep", type=Path, help="write all that was printed to this file, as JSON")
    given = parser.parse_args(arguments)
    asked = given.pages or pages()
    ran: list[Ran] = []
    for path in asked:
        text, page = path.read_text(encoding="utf-8"), path.resolve().relative_to(ROOT).as_posix()
        # What a page leaves behind in a process is no other page's.
        here = run(text, page) if len(asked) == 1 else _in_a_process(path)
        if given.write:
            path.write_text(written(text, here, page), encoding="utf-8")
        ran += here
    if given.keep is not None:
        given.keep.write_text(json.dumps([asdict(one) for one in ran], indent=1), encoding="utf-8")
    wrong = [one.wrong for one in ran if one.wrong]
    print(*wrong, f"{len(ran)} blocks of {len(asked)} pages were run, {len(wrong)} are wrong", sep="\n")
    return 1 if wrong else 0


def _in_a_process(path: Path) -> list[Ran]:
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "kept.json"
        print(f"== {path.name}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", "docs.making.running", str(path.resolve()), "--keep", str(kept)],
            cwd=ROOT, check=False, capture_output=True, text=True,
        )  # fmt: skip
        if not kept.exists():
            page = path.resolve().relative_to(ROOT).as_posix()
            return [Ran(page, 1, "", f"{page}: it could not be run:\n{done.stdout}{done.stderr}")]
        return [Ran(**one) for one in json.loads(kept.read_text(encoding="utf-8"))]


if __name__ == "__main__":
    sys.exit(main())
