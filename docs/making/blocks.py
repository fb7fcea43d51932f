"""The code blocks of a page of Markdown, and what is to be done with each.

Python and shell run, in the order of the page, in one folder and one Python program for the whole page. Comments on the
lines before a block say otherwise:

- ``<!-- file: NAME -->``: it is a file of that folder;
- ``<!-- pytest: 2 passed -->``: a test file, and what pytest says of it (``2 passed of NAME or NAME``: of those tests);
- ``<!-- status: 1 -->``: the exit status of its commands;
- ``<!-- recording -->``: the site shows a picture of the terminal;
- ``<!-- not run: WHY -->``, ``<!-- run by FILE -->``: it is left to somebody else.

A ``text`` block is what the block before it prints.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: What a block may be; the words after the colon are the argument.
PYTHON, SHELL, FILE, PYTEST, OUTPUT, ELSEWHERE = "python", "shell", "file", "pytest", "output", "elsewhere"
#: Read where they are, and drawn by others: about the house, for those who build it.
FOR_CONTRIBUTORS = ("docs/plan.md", "docs/slowest_tests.md")
_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>[^\s`]*)\s*$")
_MARK = re.compile(r"^<!-- (?P<words>(?:file|pytest|status|recording|not run|run by)\b.*?) -->$")


class NotSaid(Exception):
    """A block of which nobody knows how it is tested, or a mark that means nothing."""


@dataclass(frozen=True)
class Block:
    """One block: where it stands, its text, and what is done with it.

    ``first`` and ``last`` are the numbers of its lines, from 1, fences left out.
    """

    page: str
    first: int
    last: int
    language: str
    text: str
    kind: str
    argument: str = ""
    recorded: bool = False

    @property
    def place(self) -> str:
        """Where it stands, as an editor reads it."""
        return f"{self.page}:{self.first}"


def pages() -> list[Path]:
    """The pages whose blocks are tested: README, and all of docs."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in found if path.relative_to(ROOT).as_posix() not in FOR_CONTRIBUTORS]


def blocks(text: str, page: str) -> list[Block]:
    """The blocks of a page, in their order.

    >>> [(one.kind, one.argument) for one in blocks("<!-- file: a.py -->\\n```python\\nx = 1\\n```\\n", "page.md")]
    [('file', 'a.py')]
    """
    found: list[Block] = []
    lines = text.splitlines()
    place = 0
    while place < len(lines):
        opened = _FENCE.match(lines[place])
        if opened is None:
            place += 1
            continue
        end = next((n for n in range(place + 1, len(lines)) if lines[n] == opened["fence"]), None)
        if end is None:
            raise NotSaid(f"{page}:{place + 1}: a block without an end")
        language = opened["language"]
        if not language.startswith("{"):  # the generator's own, such as a list of pages
            inside = "\n".join(lines[place + 1 : end]) + "\n"
            found.append(_block(found, _marks_above(lines, place), Block(page, place + 2, end, language, inside, "")))
        place = end + 1
    return found


def _marks_above(lines: Sequence[str], place: int) -> list[str]:
    """The comments right above a block, without a line between."""
    found: list[str] = []
    for line in reversed(lines[:place]):
        marked = _MARK.match(line)
        if marked is None:
            break
        found.append(marked["words"])
    return found


def _block(before: Sequence[Block], marks: Sequence[str], read: Block) -> Block:
    recorded = "recording" in marks
    others = [mark for mark in marks if mark != "recording"]
    mark = " and ".join(others)
    word, _, argument = (part.strip() for part in mark.partition(":"))
    kind = ""
    if len(others) > 1 or (recorded and read.language != "sh"):
        pass
    elif word == "file" and argument and "/" not in argument:
        kind = FILE
    elif word == "pytest" and argument and read.language == "python":
        kind = PYTEST
    elif word == "not run" and argument:
        kind = ELSEWHERE
    elif word.startswith("run by ") and not argument:
        kind, argument = ELSEWHERE, word
    elif read.language == "python" and not mark:
        kind = PYTHON
    elif read.language == "sh" and (not mark or (word == "status" and argument.isdigit())):
        kind = SHELL
    elif read.language == "text" and not mark and before and before[-1].kind in (PYTHON, SHELL):
        kind = OUTPUT
    if not kind:
        raise NotSaid(
            f"{read.page}:{read.first - 1}: {read.language or 'a block'}{f' marked {mark!r}' if mark else ''}: mark it "
            "with 'file: NAME', 'pytest: N passed', 'status: N', 'recording', 'not run: WHY' or 'run by FILE'"
        )
    return Block(read.page, read.first, read.last, read.language, read.text, kind, argument, recorded)


def commands(block: Block) -> list[str]:
    """The commands of a block of shell: one a line, but for lines that end in a backslash; comments are left out."""
    joined = block.text.replace("\\\n", " ")
    return [" ".join(line.split()) for line in joined.splitlines() if line.strip() and not line.startswith("#")]
