"""How wide the page of who reads is, and how text and tables are made to fit it: no word is cut, no border wraps."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

#: Narrower than this no page is taken to be: what fits nowhere is folded by the terminal.
NARROWEST = 20
#: What a line goes on below stands at most so far to the right, as a share of the page.
_DEEPEST = 0.4
#: Spaces, and words that two spaces or more part from what is said of them.
_LABEL = re.compile(r" *\S+(?: \S+)*? {2,}")


def page_width() -> int | None:
    """The columns that are to be filled: what ``COLUMNS`` says of the terminal, or it has; None in a file or a pipe.

    A pipe is as wide as its lines, so that what is searched in them is on one line, whatever ``COLUMNS`` says: others
    export it, pytest-xdist for one.
    """
    if not sys.stdout.isatty():
        return None
    return max(NARROWEST, shutil.get_terminal_size().columns)


def folded(text: str, width: int | None) -> str:
    """The text in lines of at most so many columns; a line goes on below where its words began.

    A word that is longer than a line (a path, a name) stays whole, so that it can be copied.

    Examples
    --------
    >>> print(folded("  claims  pure differential privacy of one record", 30))
      claims  pure differential
              privacy of one
              record
    >>> print(folded("Next: dpcheck audit zoo:laplace --epsilon 1", 30))
    Next: dpcheck audit
      zoo:laplace --epsilon 1
    """
    if width is None:
        return text
    return "\n".join(_folded_line(line, width) for line in text.split("\n"))


def _folded_line(line: str, width: int) -> str:
    if len(line) <= width:
        return line
    label = _LABEL.match(line)
    deep = len(line) - len(line.lstrip()) + 2
    if label is not None and len(label[0]) <= _DEEPEST * width:
        deep = len(label[0])
    folded_lines = textwrap.wrap(
        line,
        width,
        subsequent_indent=" " * min(deep, int(_DEEPEST * width)),
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )
    return "\n".join(folded_lines)


def fitted(table: Table, console: Console) -> Table | Group:
    """The table, or, where it would have to cut words, its rows one below the other.

    Examples
    --------
    >>> from rich.console import Console
    >>> from rich.table import Table
    >>> table = Table("name", "claim", "true epsilon")
    >>> table.add_row("a_name_that_is_long", "1-DP", "0.911")
    >>> Console(width=34).print(fitted(table, Console(width=34)))
    a_name_that_is_long
      claim 1-DP; true epsilon 0.911
    """
    spans = _spans(table, console)
    room = console.width - 1 - _PADDING * len(spans)
    missing = sum(most for _, most in spans) - sum(least for least, _ in spans)
    left = room - sum(least for least, _ in spans)
    if left < 0:
        return _rows_below_each_other(table, console.width)
    if left < missing:  # rich would take as much from a column of one word as from a column of sentences
        for column, (least, most) in zip(table.columns, spans, strict=True):
            column.width = least + left * (most - least) // missing
    return table


def _spans(table: Table, console: Console) -> list[tuple[int, int]]:
    """How wide each column must be for no word to be cut, and no line that may not wrap; and for no line to wrap."""
    from rich.measure import Measurement

    options = console.options.update(width=_UNBOUNDED)
    spans = []
    for column in table.columns:
        found = [Measurement.get(console, options, cell) for cell in (column.header, *column.cells)]
        most = max(one.maximum for one in found)
        spans.append((most if column.no_wrap else max(one.minimum for one in found), most))
    return spans


#: As wide as any table; a space on each side of a cell, and the line beside it.
_UNBOUNDED, _PADDING = 10_000, 3


def _rows_below_each_other(table: Table, width: int) -> Group:
    """Each row as a paragraph: what it is about, and below it each other column's head with what stands in it."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table as Grid
    from rich.text import Text

    heads = [str(column.header) for column in table.columns[1:]]
    columns = [list(column.cells) for column in table.columns]
    parts: list[Text | Padding] = [Text(str(table.title), style="italic")] if table.title else []
    for first, *others in zip(*columns, strict=True):
        for line in _as_text(first).split("\n"):
            indent = len(line.plain) - len(line.plain.lstrip())
            parts.append(Padding(line[indent:], (0, 0, 0, indent), expand=False))
        facts = [
            Text.assemble((f"{head} ", "dim"), _as_text(cell))
            for head, cell in zip(heads, others, strict=True)
            if str(cell)
        ]
        together = Text("; ").join(facts)
        if together.cell_len <= width - _INDENT:
            parts.append(Padding(together, (0, 0, 0, _INDENT), expand=False))
            continue
        below = Grid.grid(padding=(0, 2))
        below.add_column(no_wrap=True, style="dim")
        below.add_column(overflow="fold")
        for head, cell in zip(heads, others, strict=True):
            if str(cell):
                below.add_row(Text(head), _as_text(cell))
        parts.append(Padding(below, (0, 0, 0, _INDENT), expand=False))
    if table.caption:
        parts.append(Text(str(table.caption), style="dim"))
    return Group(*parts)


_INDENT = 2


def _as_text(cell: object) -> Text:
    from rich.text import Text

    shown = cell.copy() if isinstance(cell, Text) else Text(str(cell))
    shown.overflow = "fold"
    return shown
