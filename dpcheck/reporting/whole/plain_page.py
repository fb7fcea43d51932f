"""A plain page around Markdown, with everything escaped."""

from __future__ import annotations

from markupsafe import escape


def page_of(title: str, markdown: str) -> str:
    """A self-contained page that shows Markdown as it is."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n"
        f"<pre>{escape(markdown)}</pre>\n</main>\n</body>\n</html>\n"
    )
