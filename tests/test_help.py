"""``help(dpcheck)`` begins with what there is, in two screens."""

from __future__ import annotations

import pydoc
import re

import dpcheck

#: Two screens of 30 lines: what a terminal shows of 24 to 40 lines, less its prompt.
TWO_SCREENS = 60


def first_screens(name: str = "dpcheck") -> str:
    """What help says before it lists the package's files and everything at length."""
    return pydoc.plain(pydoc.render_doc(name)).partition("\nPACKAGE CONTENTS\n")[0]


def unnamed(text: str) -> list[str]:
    """The public names that a text leaves out."""
    return [name for name in dpcheck.__all__ if not re.search(rf"\b{name}\b", text)]


def test_the_first_two_screens_name_all_that_there_is() -> None:
    shown = first_screens()
    assert len(shown.splitlines()) <= TWO_SCREENS
    assert unnamed(shown) == []


def test_a_name_left_out_is_noticed() -> None:
    assert unnamed(first_screens().replace("from_opendp", "")) == ["from_opendp"]
