"""The page "what an audit looks at", made from the list that the code itself goes by.

``python -m dpcheck.report.places`` writes ``reports/what_an_audit_looks_at.md``; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path

from dpcheck.model.disk import write_whole
from dpcheck.privacy.statistics.places import NOT_WATCHED, PLACES, TOGETHER, UNSEEN, Limit, Place

#: Where the page stands in the repository.
PAGE = Path("reports") / "what_an_audit_looks_at.md"

_HEAD = f"""\
# What an audit looks at

One record can hide anywhere in an output: in one number of many, in a bit, in the order of keys, in a type. This page
lists every place that `dpcheck audit` and `dpcheck measure` know, how they look there, and how far. It is made from the
code's own list (`python -m dpcheck.report.places`).

- What is only looked at together with others is a finding, "{TOGETHER}".
- What is not looked at is a finding, "{UNSEEN}", and no clean verdict stands behind it: the audit is inconclusive.
- What is looked at is fixed by a few outputs that count for nothing, and by earlier outputs: rules never see the
  outputs that they are judged on before they guess.

"""


def page() -> str:
    """The page as Markdown.

    Examples
    --------
    >>> page().splitlines()[0]
    '# What an audit looks at'
    """
    lines = ["| place | of | how | numerics |", "| --- | --- | --- | --- |"]
    lines += [_row(place) for place in PLACES]
    lines += ["", "## How far", "", "| place | most | of | beyond |", "| --- | --- | --- | --- |"]
    lines += [_limit(place, limit) for place in PLACES for limit in place.limits]
    lines += ["", "## What no audit looks at", "", "| what | instead |", "| --- | --- |"]
    lines += [f"| {_cell(blind.what)} | {_cell(blind.instead)} |" for blind in NOT_WATCHED]
    return _HEAD + "\n".join(lines) + "\n"


def _row(place: Place) -> str:
    return f"| {_cell(place.name)} | {_cell(place.types)} | {_cell(place.how)} | {_cell(place.under)} |"


def _limit(place: Place, limit: Limit) -> str:
    return f"| {_cell(place.name)} | {limit.most:,} | {_cell(limit.of)} | {_cell(limit.beyond)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    write_whole(PAGE, page())
