"""Texts of Coq, read by few lines that share nothing with what writes them."""

from __future__ import annotations

import re
from typing import Any


def read(written: str) -> Any:
    """A text as lists in lists: what stands in brackets is a list of its parts.

    >>> read("(f (-1) * 2)")
    ['f', ['-1'], '*', '2']
    """
    tokens = re.findall(r"=>|<>|[():,]|-?\d+|[A-Za-z_][\w']*|[-+*/^<]", written.replace("(-", "( -"))
    place = 0

    def take() -> Any:
        nonlocal place
        token = tokens[place]
        place += 1
        if token != "(":
            return token
        parts = []
        while tokens[place] != ")":
            parts.append(take())
        place += 1
        return parts

    found = []
    while place < len(tokens):
        found.append(take())
    return found[0] if len(found) == 1 else found
