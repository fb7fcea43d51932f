"""The formats of documents, each declared once: what offers, writes or tests formats reads this table.

Nothing that renders is loaded before it is asked for: the command line reads the table to print its help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

#: What ``audit`` and ``zoo`` write (:class:`~dpcheck.report.finished.Run`), ``check``, ``compare`` and ``learners``.
Document = Literal["run", "checks", "comparison", "learners"]
View = Callable[[Any], str]


@dataclass(frozen=True)
class Format:
    """A format.

    Parameters
    ----------
    name : str
        What ``--format`` calls it.
    views : mapping of str to function
        What writes each document that can have the format. A command offers the formats that its document can have
        (``compare``, which shares the setting with ``audit``, those of a run, and refuses what it lacks).
    beside : function, optional
        What is done with a run besides writing it.

    Examples
    --------
    >>> list(FORMATS["junit"].views)
    ['run', 'checks', 'comparison']
    """

    name: str
    views: Mapping[Document, View]
    beside: Callable[[Any], object] | None = None


def later(module: str, function: str = "render") -> Callable[[Any], Any]:
    """A function of a module of this package, which is loaded when the function is called.

    Examples
    --------
    >>> from dpcheck.report.finished import Run
    >>> later("words", "summary_of")(Run(()))[:28]
    '0 targets: nothing to check.'
    """
    return lambda document: getattr(import_module(f"dpcheck.report.{module}"), function)(document)


#: What is written unless another is asked for; on standard output each result is told as soon as it is there.
TEXT = Format(
    "text",
    {
        "run": later("text"),
        "checks": later("checks.text"),
        "comparison": later("comparison"),
        "learners": later("learners.markdown"),  # in a file; a terminal is shown tables
    },
)
#: What ``--json`` writes.
JSON = Format(
    "json",
    {
        "run": later("run_json"),
        "checks": later("checks.json_document"),
        "comparison": later("comparison_json"),
        "learners": lambda document: str(document.to_json()),
    },
)
JUNIT = Format(
    "junit", {"run": later("junit"), "checks": later("checks.junit"), "comparison": later("comparison_junit")}
)
GITHUB = Format("github", {"run": later("github")}, beside=later("github", "append_step_summary"))
#: What ``--sarif`` writes.
SARIF = Format("sarif", {"run": later("sarif")})
MARKDOWN = Format(
    "markdown",
    {
        "run": later("markdown"),
        "checks": later("checks.markdown"),
        "comparison": later("comparison_markdown"),
        "learners": later("learners.markdown"),
    },
)
#: By name, in the order in which --help names them.
FORMATS = {format.name: format for format in (TEXT, JSON, JUNIT, GITHUB, SARIF, MARKDOWN)}


def formats_of(document: Document) -> list[str]:
    """The names of the formats that a document can have.

    Examples
    --------
    >>> formats_of("checks")
    ['text', 'json', 'junit', 'markdown']
    """
    return [format.name for format in FORMATS.values() if document in format.views]
