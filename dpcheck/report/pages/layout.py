"""What all pages share: the environment of their templates, and where each page stands among the others."""

from __future__ import annotations

import base64
import hashlib
import math
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from dpcheck.model.harmless import printable
from dpcheck.model.verdict import Status
from dpcheck.report.pages.asked_charts import CHARTS_SCRIPT, chart_spec
from dpcheck.report.pages.chart_numbers import columns_of_words, is_thinned, rows_of
from dpcheck.report.pages.numbers import shown_at_least, shown_at_most, shown_duration, shown_number
from dpcheck.report.pages.outcome_groups import together
from dpcheck.report.pages.typesetting import breakable, prose, typeset
from dpcheck.report.paper.summary import MEANINGS, SIGNS
from dpcheck.report.whole.paths import learner_path, part_path
from dpcheck.trial.model import MEANINGS as OUTCOME_MEANINGS

#: The pages that every page links to, where they are there: path from the report's folder, name for the reader.
MAIN_PAGES = (
    ("index.html", "All reports"),
    ("errata.html", "Errata"),
    ("findings.html", "Findings"),
    ("packages/survey.html", "Packages"),
)

#: Tables of numbers with more rows are folded: their chart, or the words above them, say it first.
LONGEST_TABLE = 12


@dataclass(frozen=True)
class Place:
    """Where a page is written, and which pages are written with it: links lead only to those.

    Parameters
    ----------
    path : from the report's folder, such as ``alon2019/alon2019.html``
    pages : the paths of all pages of the report, and of the files that have their numbers

    Examples
    --------
    >>> Place("learners/cover.html", ("index.html", "alon2019/alon2019.html")).to("alon2019/alon2019.html")
    '../alon2019/alon2019.html'
    """

    path: str = ""
    pages: tuple[str, ...] = ()

    def to(self, path: str, part: str = "") -> str:
        """A relative link to another page, or to a part of it by its id; "" where that page is not written."""
        if path not in self.pages or (path == self.path and not part):
            return ""
        link = "" if path == self.path else posixpath.relpath(path, posixpath.dirname(self.path) or ".")
        return link + (f"#{part}" if part else "")

    def to_result(self, id: str) -> str:
        """A link to a result by its id: its own page, else its place on its paper's; "" where neither is written."""
        paper, _, short = id.partition(":")
        return (self.to(part_path(paper, short)) or self.to(part_path(paper), short)) if short else ""

    def to_paper(self, paper: str) -> str:
        """A link to a paper's page; "" where it is not written."""
        return self.to(part_path(paper))

    def to_step(self, paper: str, short: str, label: str) -> str:
        """A link to a line of a result's proof; "" where neither the result's page nor the paper's is written."""
        own = part_path(paper, short)
        return self.to(own, f"step-{label}") or self.to(part_path(paper), f"step-{label}")

    def to_measurement(self, paper: str, key: str) -> str:
        """A link to a measurement of a paper: its own page, else its place on its paper's; "" without both."""
        return self.to(part_path(paper, key)) or self.to(part_path(paper), f"measure-{key}")

    def to_part(self, paper: str, part: str) -> str:
        """A link to the page that a paper's result or measurement has alone; "" where it has none."""
        return self.to(part_path(paper, part))

    def to_learner(self, name: str) -> str:
        """A link to a learner's page; "" where it is not written."""
        return self.to(learner_path(name))

    def main(self) -> tuple[tuple[str, str], ...]:
        """The links that stand on every page: where to, and their names; this page itself has none."""
        return tuple((self.to(path), name) for path, name in MAIN_PAGES if self.to(path))


def page(template: str, place: Place, **parts: Any) -> str:
    """A page made of its template and what is shown on it; every word that is not ours to trust is escaped.

    ``record`` is the path, from the report's folder, of the file that has its numbers.

    Control characters and those that turn the direction of what is read are written as escapes too.
    """
    parts.setdefault("charted", False)
    parts["record"] = place.to(parts.get("record", ""))
    text: str = _environment().get_template(template).render(place=place, signs=SIGNS, **parts)
    return printable(text)


def hashed(text: str) -> str:
    """The source of a content security policy that allows an element with just this text.

    >>> print(hashed("alert(1)"))
    'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='
    """
    found = base64.b64encode(hashlib.sha256(printable(text).encode("utf-8")).digest()).decode("ascii")
    return Markup(f"'sha256-{found}'")


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in the order in which they come."""
    return tuple(dict.fromkeys(names))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("dpcheck.report.pages"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["hashed"] = hashed
    environment.filters["at_least"] = shown_at_least
    environment.filters["at_most"] = shown_at_most
    environment.filters["typeset"] = typeset
    environment.filters["breakable"] = breakable
    environment.filters["prose"] = prose
    environment.filters["kind"] = lambda status: status.split(" ")[0].lower()
    environment.filters["tone"] = word_tone
    environment.filters["sign"] = word_sign
    environment.filters["share"] = lambda count, whole: f"{100 * count / whole:.0f}%"
    environment.filters["numbers"] = rows_of
    environment.filters["columns_of_words"] = columns_of_words
    environment.filters["thinned"] = is_thinned
    environment.filters["short"] = lambda id: id.partition(":")[2] or id
    environment.filters["number"] = shown_number
    environment.filters["together"] = together
    environment.filters["spec"] = chart_spec
    environment.globals["charts_script"] = CHARTS_SCRIPT
    environment.filters["percent"] = lambda count, whole: f"{100 * count / whole:.3f}%"
    environment.globals["longest_table"] = LONGEST_TABLE
    environment.globals["infinity"] = math.inf
    environment.globals["meaning_of_status"] = dict(MEANINGS)
    environment.globals["meaning_of_word"] = _meanings()
    environment.filters["duration"] = shown_duration
    environment.filters["mathml"] = lambda text: Markup(text)  # made by dpcheck.report.paper.mathml, which escapes
    return environment


def _meanings() -> dict[str, str]:
    """One sentence for each word of outcomes and verdicts."""
    return {
        **{str(word): said for word, said in OUTCOME_MEANINGS.items()},
        **{one.value: one.meaning for one in Status},
    }


#: Words of outcomes and verdicts, by the tone of colour they are shown in; a sign stands beside each.
_TONES = {
    "holds": "proved", "contradicted": "refuted", "undecided": "undecided", "not reachable": "vacuous",
    "compatible": "holds", "not compatible": "refuted", "says nothing": "vacuous", "not run": "stated",
    "violated": "refuted", "no violation found": "cited", "inconclusive": "undecided", "learner failed": "refuted",
    "failed": "refuted", "measured": "cited", "interrupted": "undecided", "as accounted": "cited",
    "not as accounted": "refuted", "training failed": "refuted", "seen to hold": "cited", "broken": "refuted",
    "worse": "refuted", "changed": "undecided", "better": "proved", "unchanged": "cited", "new": "stated",
    "recorded": "stated",
}  # fmt: skip
_WORD_SIGNS = {
    "holds": "✓", "contradicted": "✗", "undecided": "?", "not reachable": "↗", "compatible": "≈", "not compatible": "≉",
    "says nothing": "∅", "not run": "·", "violated": "✗", "no violation found": "·", "inconclusive": "?",
    "learner failed": "!", "failed": "!", "measured": "·", "interrupted": "?", "as accounted": "·",
    "not as accounted": "✗", "training failed": "!", "seen to hold": "·", "broken": "✗", "worse": "✗", "changed": "≠",
    "better": "✓", "unchanged": "·", "new": "+", "recorded": "·",
}  # fmt: skip


def word_tone(word: str) -> str:
    """The class that colours a word; grey for words we do not know."""
    return _TONES.get(word, "stated")


def word_sign(word: str) -> str:
    """The sign beside a word, so that its colour is not all that tells it apart."""
    return _WORD_SIGNS.get(word, "")
