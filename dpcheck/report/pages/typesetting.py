"""Plain mathematics as HTML, everything else in it escaped."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "epsilon": "ε", "eta": "η", "kappa": "κ",
    "lambda": "λ", "xi": "ξ", "rho": "ρ", "tau": "τ", "Delta": "Δ",
}  # fmt: skip
_OVER = {"tilde": "\u0303", "hat": "\u0302"}


def typeset(text: str) -> Markup:
    """Plain mathematics as HTML: Greek letters, signs, indices and powers; what stood in backticks is set apart.

    Examples
    --------
    >>> print(typeset("`n_pub >= d/alpha^2`"))
    <span class="m">n<sub>pub</sub> ≥ d/α<sup>2</sup></span>
    """
    html = str(escape(text))
    html = re.sub(r"(?<![\d.,])10{7,}(?![\d.]|,\d)", lambda found: f"10^{len(found.group()) - 1}", html)
    for plain, sign in (
        ("&lt;=", "≤"), ("&gt;=", "≥"), ("=&gt;", "⇒"), ("-&gt;", "→"), ("!=", "≠"), (" * ", " · "),
    ):  # fmt: skip
        html = html.replace(plain, sign)
    html = re.sub(r"\^\{([^{}]*)\}", r"<sup>\1</sup>", html)
    html = re.sub(r"\^\(([^()]*)\)", r"<sup>\1</sup>", html)
    html = re.sub(r"\^(-?[A-Za-z0-9]+(?:_[A-Za-z]+)?|\+)", r"<sup>\1</sup>", html)
    for _ in range(2):
        html = re.sub(r"(?<=[A-Za-z*])_\{([^{}]*)\}", r"<sub>\1</sub>", html)
    html = re.sub(r"(?<=[A-Za-z])_(\((?:p)\)|[A-Za-z0-9]+)", r"<sub>\1</sub>", html)
    html = re.sub(r"\b([hHmnSvxz])(tilde|hat)\b", lambda found: found.group(1) + _OVER[found.group(2)], html)
    html = re.sub(r"(?<![A-Za-z])[A-Za-z]+(?![A-Za-z])", lambda found: _GREEK.get(found.group(), found.group()), html)
    html = re.sub(r"`([^`]*)`", r'<span class="m">\1</span>', html)
    return Markup(html)


def breakable(name: str) -> Markup:
    """A name of code that may be broken behind its dots, slashes, colons and underscores.

    Examples
    --------
    >>> print(breakable("alon2019.label_private"))
    alon2019.<wbr>label_<wbr>private
    """
    return Markup("<wbr>").join(escape(part) for part in re.findall(r"[^._:/]*[._:/]+|[^._:/]+", name))


def prose(text: str) -> Markup:
    """Words as they are, with what stands in backticks as code.

    Examples
    --------
    >>> print(prose("see `a < b`"))
    see <code>a &lt; b</code>
    """
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(text))))
