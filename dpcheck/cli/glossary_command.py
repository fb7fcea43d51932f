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
    from dpcheck.model.glossary import PAGE, in_words

    entries = in_words(" ".join(words or [])).splitlines()
    put("".join(textwrap.fill(entry, PAGE, subsequent_indent="   ") + "\n" for entry in entries))
