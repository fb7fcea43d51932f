"""Words that Markdown shows as they are: strangers' words must not become links, images or headings."""

from __future__ import annotations

import re

from dpcheck.model.harmless import one_line

# What Markdown or the HTML inside it would act on, in a cell of a table.
_ACTIVE = re.compile(r"([\\`*_\[\]<>|~&#!@])")
# GitHub makes a link of a bare address.
_ADDRESS = re.compile(r"(?<=[A-Za-z]):(?=//)|(?<=\bwww)\.", re.IGNORECASE)


def as_cell(text: str) -> str:
    """The text on one line, with nothing in it that Markdown or HTML would act on.

    Examples
    --------
    >>> as_cell("a|b")
    'a\\\\|b'
    """
    return without_addresses(_ACTIVE.sub(r"\\\1", one_line(text)))


def without_addresses(text: str) -> str:
    """The text with its addresses written so that they are read, and are no links.

    Examples
    --------
    >>> without_addresses("see https://a.b or www.c.d")
    'see https&#58;//a.b or www&#46;c.d'
    """
    return _ADDRESS.sub(lambda found: f"&#{ord(found[0])};", text)
