"""What commands print fits the page of who reads: 80 and 60 columns, each line whole, no word cut."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

import dpcheck
from dpcheck.cli.page_width import fitted, folded

SCORES = "included,score\n" + "".join(f"{n % 2},{n % 2 * 0.5 + n / 97:.3f}\n" for n in range(100))
#: Each command at little cost. ``record``, ``compare`` and ``history`` need a project; ``survey``, ``demo``, ``report``
#: and ``white-box`` take minutes: of them the lists, or their own tests.
COMMANDS = (
    "zoo", "zoo --audit laplace --max-samples 500", "survey --list", "check --list", "glossary", "schema", "learners",
    "learners alon2019.cover", "learners --classes", "theorems --paper bassily2018", "theorems alon2019:lem-3.2",
    "theorems alon2019:thm-3.1 --evaluate accuracy=0.1 failure=0.05 epsilon=1 vc=3", "plan --epsilon 1",
    "theorems --paper alon2019 --witness", "audit zoo:laplace --max-samples 500", "audit zoo:laplace --dry-run",
    "measure zoo:laplace --max-samples 500", "one-run scores.csv --epsilon 2 --delta 1e-5",
    "check zoo:laplace --only empty_data", "audit --help", "--help",
)  # fmt: skip


#: What an option may be, as a help without frames has it.
CHOICES = re.compile(r"<[\w|-]+>")


def run_wide(command: str, folder: Path, width: int) -> str:
    """What a command prints on a terminal of so many columns."""
    (folder / "scores.csv").write_text(SCORES)
    ours, theirs = os.openpty()
    surroundings = {"PYTHONPATH": str(Path(dpcheck.__file__).parents[1]), "COLUMNS": str(width), "NO_COLOR": "1"}
    with open(folder / "errors", "wb") as errors, open(ours, "rb", buffering=0) as terminal:
        whole = [sys.executable, "-m", "dpcheck", *command.split()]
        begun = subprocess.Popen(
            whole, stdin=subprocess.DEVNULL, stdout=theirs, stderr=errors, cwd=folder,
            env={**os.environ, **surroundings, "TERM": "dumb"},
        )  # fmt: skip
        os.close(theirs)
        printed = b""
        with suppress(OSError):  # the end of a terminal is an error
            while part := terminal.read(1 << 16):
                printed += part
        status = begun.wait(timeout=300)
    assert status in (0, 1, 3), (folder / "errors").read_text()
    return printed.decode().replace("\r\n", "\n")


def test_in_a_pipe_nothing_is_folded_whatever_others_have_exported(tmp_path: Path) -> None:
    whole = [sys.executable, "-m", "dpcheck", "glossary"]
    printed = [
        subprocess.run(whole, capture_output=True, check=True, env={**os.environ, "COLUMNS": width}).stdout
        for width in ("60", "200")
    ]
    assert printed[0] == printed[1]


def too_wide(text: str, width: int) -> list[str]:
    """Lines that are wider, but for a word that is: a path, a command's name, what an option may be, is left whole."""
    lines = [line for line in text.splitlines() if cell_len(CHOICES.sub("<>", line)) > width]
    return [line for line in lines if len(line.split()) > 1]


@pytest.mark.some(3)
@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_fits_the_page(command: str, width: int, tmp_path: Path) -> None:
    printed = run_wide(command, tmp_path, width)
    assert printed
    assert too_wide(printed, width) == []
    assert "…" not in printed


def test_a_line_that_is_too_wide_is_noticed() -> None:
    assert too_wide("a word " * 20, 80)
    assert not too_wide("/a/long/path" * 20, 80)


def test_a_table_folds_no_word_and_says_all() -> None:
    table = Table("name", "what it says", "claim")
    table.add_row("a_name_of_some_length", "some words about it, and some more", "(1, 1e-05)-DP")
    for width in range(28, 100):
        console = Console(width=width)
        with console.capture() as captured:
            console.print(fitted(table, console))
        shown = captured.get()
        assert too_wide(shown, width) == []
        for word in ("a_name_of_some_length", "words", "1e-05)-DP"):
            assert word in shown


def test_text_that_fits_is_as_it_was() -> None:
    text = "  a   b\n\n   c\n"
    assert folded(text, 60) == text
    assert folded("x" * 500 + " y" * 500, None) == "x" * 500 + " y" * 500
