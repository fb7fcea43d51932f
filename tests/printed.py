"""Printed lines as the language of formulas writes them, so that the two renderings of a step can be compared."""

from __future__ import annotations

import re

_MANY_LETTERS = ("n_pub", "n_priv", "ntilde", "alpha", "beta", "eps", "delta")


def formulas_in(printed: str, spelled: tuple[tuple[str, str], ...] = ()) -> list[str]:
    """The parts of a printed line that stand in backticks, with products and braces written out.

    ``spelled`` holds pieces of the line and what they are in the language, as a step declares them.

    >>> formulas_in("`(1-1/(100 n_pub))^{n_pub} >= 0.99`")
    ['(1-1/(100*n_pub))^(n_pub) >= 0.99']
    """
    for piece, meaning in spelled:
        assert piece in printed, f"{piece!r} is not in {printed!r}"
        printed = printed.replace(piece, meaning)
    return [_written_out(part) for part in re.findall(r"`([^`]*)`", printed)]


def _written_out(text: str) -> str:
    text = text.replace("{", "(").replace("}", ")").replace("[", "(").replace("]", ")")
    # a product is a space between a number, a name or a bracket and the next one
    return re.sub(r"(?<=[\w)])[ ]+(?=[\w(])", "*", text)
