"""Sphinx's settings of the site; ``.ci/site.py`` assembles the sources and builds it."""

from importlib import metadata
from typing import Any

project = "dpcheck"
author = "the authors of dpcheck"
project_copyright = ""
release = metadata.version("dpcheck")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
exclude_patterns = ["conf.py"]
nitpicky = False

html_theme = "furo"
html_title = "dpcheck"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]

myst_enable_extensions = ["colon_fence", "html_image"]
myst_heading_anchors = 4
#: The five papers' reports and records of runs have headings of their own order, and quote what prints.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False


def sources_apart(_app: Any, _what: str, _name: str, _one: Any, _options: Any, lines: list[str]) -> None:
    """A paragraph "Source: ..." below a section of a docstring is none of its parameters: it is given a section."""
    for place in range(len(lines) - 1, 0, -1):
        if lines[place].startswith("Source: ") and not lines[place - 1].strip():
            lines[place : place + 1] = ["References", "----------", lines[place].removeprefix("Source: ")]


def setup(app: Any) -> None:
    """Before napoleon reads the sections."""
    app.connect("autodoc-process-docstring", sources_apart, priority=400)
