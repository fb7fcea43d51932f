"""A recording of a terminal: commands and what they print, in its colours, as one SVG that asks for no other file."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

#: rich's picture asks a server for its font: ours takes the machine's.
_FORMAT = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace(
    "Fira Code", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono"
)
#: Lines of a picture; what is longer ends in a line that says so.
LINES = 24


def recorded(commands: Sequence[str], printed: str, *, title: str, width: int = 100) -> str:
    """The SVG of a terminal in which these commands were typed.

    >>> "@font-face" in recorded(["true"], "said", title="t")
    False
    """
    console = Console(record=True, width=width, force_terminal=True, file=io.StringIO(), color_system="truecolor")
    for command in commands:
        console.print(Text("$ ", style="bold green") + Text(command, style="bold"))
    lines = Text.from_ansi(printed.rstrip()).wrap(console, width)
    for line in lines[:LINES]:
        console.print(line)
    if len(lines) > LINES:
        console.print(Text(f"... and {len(lines) - LINES} lines more", style="dim"))
    return console.export_svg(title=title, code_format=_FORMAT, unique_id=f"terminal-{title}")
