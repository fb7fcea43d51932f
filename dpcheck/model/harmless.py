"""What makes strangers' words harmless: on a terminal, in XML, on one line."""

from __future__ import annotations

import re

# C0 (but tab and newline), DEL and C1 drive terminals and are not XML; bidirectional overrides reorder what a
# reader sees; lone surrogates and the two noncharacters are not XML either.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def printable(text: str) -> str:
    """The text with control characters written as escapes: safe on a terminal and in XML.

    >>> printable("red: \\x1b[31m")
    'red: \\\\x1b[31m'
    """
    return _UNSAFE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"


def one_line(text: str) -> str:
    """The text, printable and on one line.

    >>> one_line("a\\n  b")
    'a b'
    """
    return printable(" ".join(text.split()))
