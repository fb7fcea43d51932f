"""Warnings that came with an answer, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

#: Texts of warnings are shown with at most this many characters, and so many different ones.
SHOWN_TEXT, SHOWN_KINDS = 100, 3


def warnings_in_words(texts: Sequence[str]) -> str:
    """How many warnings of which texts, short: what a reader can count.

    >>> warnings_in_words(["UserWarning: a", "UserWarning: a"]), warnings_in_words(["UserWarning: a"])
    ('2 warnings UserWarning: a', 'a warning: UserWarning: a')
    >>> warnings_in_words([])
    'no warning'
    """
    times = Counter(texts)
    words = [
        f"a warning: {_short(text)}" if count == 1 else f"{count} warnings {_short(text)}"
        for text, count in list(times.items())[:SHOWN_KINDS]
    ]
    if len(times) > SHOWN_KINDS:
        words.append(f"{sum(list(times.values())[SHOWN_KINDS:])} others")
    return " and ".join(words) if words else "no warning"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SHOWN_TEXT else flat[: SHOWN_TEXT - 3] + "..."
