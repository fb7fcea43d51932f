"""Sphinx's settings of the site; ``.ci/site.py`` assembles the sources and builds it."""

from importlib import metadata

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
