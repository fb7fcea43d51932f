"""``dpcheck glossary``: what the words of verdicts, plans and measurements mean."""

from __future__ import annotations

from typing import Annotated

from dpcheck.cli import options as opt


def glossary(
    words: Annotated[
        list[str] | None, opt.argument("WORD", "An entry such as power; without it all of them."), opt.NO_SETTING
    ] = None,
) -> None:
    """Say what the words of verdicts, plans and measurements mean, one word a meaning."""
    import textwrap

    from dpcheck.cli.documents import put
    from dpcheck.cli.page_width import page_width
    from dpcheck.model.glossary import PAGE, in_words

    entries = in_words(" ".join(words or [])).splitlines()
    width = min(PAGE, page_width() or PAGE)
    put("".join(textwrap.fill(entry, width, subsequent_indent="   ") + "\n" for entry in entries))
