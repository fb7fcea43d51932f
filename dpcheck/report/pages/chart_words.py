"""The words in charts: plain mathematics with its signs, and raised and lowered letters in the SVG."""

from __future__ import annotations

import re
import textwrap

_LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "eta": "η", "kappa": "κ",
    "lambda": "λ", "xi": "ξ", "rho": "ρ", "tau": "τ",
}  # fmt: skip
_SIGNS = (("<=", "≤"), (">=", "≥"), ("hhat", "ĥ"))
_NO_BREAK = "\u00a0"
#: A power: in parentheses, which it then needs no more, or a word or a number. An index stands behind a single
#: letter: names of learners keep their underscores.
_MOVED = re.compile(
    r"\^(?:\((?P<bracketed>[^()<>]+)\)|(?P<power>-?\w+))"
    r"|(?<![\w.])(?P<base>[A-Za-zα-ω])_(?P<index>[A-Za-z0-9]+)(?!\w)"
)
#: How far powers stand above the line and indices below it, in the height of letters, and how large both are.
_UP, _DOWN, _SIZE = 0.4, 0.22, 0.72


def said(words: str) -> str:
    """Signs for plain mathematics; a dollar sign would start mathematics of the plotting library's own.

    Examples
    --------
    >>> said("2 gamma (e^eps - 1), delta = 1e-06")
    '2 γ (e^ε - 1), δ = 10^-6'
    >>> said("xi(floor(sqrt n))")
    'ξ(⌊√n⌋)'
    """
    words = words.replace("$", r"\$")
    for plain, sign in _SIGNS:
        words = words.replace(plain, sign)
    words = re.sub(r"(?<![\w.])1e([+-]?)0*([1-9]\d*)", lambda found: f"10^{found[1].strip('+')}{found[2]}", words)
    words = re.sub(r"(?<=\d)e([+-]?)0*([1-9]\d*)(?!\w)", lambda found: f"·10^{found[1].strip('+')}{found[2]}", words)
    words = re.sub(r"(?<![A-Za-z])[A-Za-z]+(?![A-Za-z])", lambda found: _LETTERS.get(found[0], found[0]), words)
    words = re.sub(r"\bsqrt(?: (?=\w)|\((\w+)\)|(?=\())", lambda found: f"√{found[1] or ''}", words)
    return re.sub(r"\bfloor\(([^()]*)\)", r"⌊\1⌋", words)


def wrapped(words: str, letters: int) -> str:
    """The words with signs on lines of so many letters; an equation is not broken at its sign.

    Examples
    --------
    >>> wrapped("Failure with epsilon = 1", 15)
    'Failure with\\nε\\xa0=\\xa01'
    """
    words = re.sub(r" (=|<|≤|≥|>) ", rf"{_NO_BREAK}\1{_NO_BREAK}", said(words))
    return "\n".join(textwrap.wrap(words, letters)) or words


def raised_and_lowered(svg: str) -> str:
    """The SVG with powers raised and indices lowered in its text.

    Examples
    --------
    >>> raised_and_lowered("<text>2^L points</text>")
    '<text>2<tspan dy="-0.556em" font-size="72%">L</tspan><tspan dy="0.4em"> points</tspan></text>'
    """
    return re.sub(r"(<text[^>]*>)([^<]*)(</text>)", lambda found: found[1] + _moved(found[2]) + found[3], svg)


def _moved(text: str) -> str:
    """A text as elements, each moved against the one before it; what follows a power or an index goes back."""
    made, at = [], 0.0
    for height, part in _parts(text):
        size = _SIZE if height else 1.0
        down = (height - at) / size
        moved = f' dy="{down:.3g}em"' if abs(down) > 1e-9 else ""
        small = f' font-size="{100 * _SIZE:g}%"' if height else ""
        made.append(f"<tspan{moved}{small}>{part}</tspan>" if moved or small else part)
        at = height
    return "".join(made)


def _parts(text: str) -> list[tuple[float, str]]:
    """How far below the line each part stands, in letters' heights, and its text."""
    parts, at = [], 0
    for found in _MOVED.finditer(text):
        before, (power, index) = text[at : found.start()], (found["bracketed"] or found["power"], found["index"])
        parts.append((0.0, before + (found["base"] or "")))
        parts.append((-_UP, power) if power else (_DOWN, index))
        at = found.end()
    return [(height, part) for height, part in (*parts, (0.0, text[at:])) if part]
