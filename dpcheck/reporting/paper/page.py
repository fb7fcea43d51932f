"""The report as one HTML file that needs nothing else: style, script and plots are inside."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from dpcheck.reporting.paper.charts import chart_svg
from dpcheck.reporting.paper.graph import SIGNS, graph_svg, unconnected
from dpcheck.reporting.paper.model import PaperReport
from dpcheck.reporting.paper.summary import MEANINGS, checked_sentence, faults_of, headline, owners

_GREEK = {
    "alpha": "α", "beta": "β", "delta": "δ", "eps": "ε", "epsilon": "ε", "eta": "η", "lambda": "λ", "Delta": "Δ",
}  # fmt: skip
_OVER = {"tilde": "\u0303", "hat": "\u0302"}


def render(report: PaperReport) -> str:
    """The page.

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    charts = {
        f"{measurement.key}/{chart.key}": Markup(chart_svg(chart))
        for measurement in report.measurements
        for chart in measurement.charts
    }
    whole = sum(count for _, count in report.shares) or 1
    faults = faults_of(report.results)
    text: str = _template().render(
        report=report,
        charts=charts,
        graph=Markup(graph_svg(report.results)),
        alone=unconnected(report.results),
        signs=SIGNS,
        meanings=MEANINGS,
        checked=checked_sentence(report),
        headline=headline(report),
        owners=owners(report.results),
        shares=[(status, count, 100 * count / whole) for status, count in report.shares if count],
        errata=[fault for fault in faults if fault.clean],
        readings=[fault for fault in faults if not fault.clean],
    )
    return text


@cache
def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("dpcheck.reporting.paper"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["typeset"] = typeset
    environment.filters["kind"] = lambda status: status.split(" ")[0].lower()
    environment.filters["mathml"] = lambda text: Markup(text)  # made by dpcheck.reporting.paper.mathml, which escapes
    return environment.get_template("page.html")


def typeset(text: str) -> Markup:
    """Plain mathematics as HTML: Greek letters, signs, indices and powers; what stood in backticks is set apart.

    Examples
    --------
    >>> print(typeset("`n_pub >= d/alpha^2`"))
    <span class="m">n<sub>pub</sub> ≥ d/α<sup>2</sup></span>
    """
    html = str(escape(text))
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
