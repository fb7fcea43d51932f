"""``dpcheck schema``: the JSON Schemas of what dpcheck writes."""

from __future__ import annotations

from typing import Annotated

from dpcheck.cli import completion
from dpcheck.cli import options as opt


def schema(
    name: Annotated[
        str | None,
        opt.argument(
            "NAME",
            "A document such as dpcheck-run/1 (run will do); without it the documents are listed.",
            completion.documents,
        ),
    ] = None,
    names: Annotated[bool, opt.flag(None, "List the documents, a name a line.", "--list"), opt.NO_SETTING] = False,
) -> None:
    """Print the JSON Schema (draft 2020-12) of a document that dpcheck writes."""
    from dpcheck.cli.documents import put, put_words
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.report.schemas import schema_names, schema_text, title_of

    if name is not None and names:
        raise InvalidArgument(f"--list names every document: drop it, or NAME, got {name!r}")
    if name is not None:
        put(schema_text(name))
    elif names:
        put("".join(f"{one}\n" for one in schema_names()))
    else:
        width = max(map(len, schema_names()))
        put_words("".join(f"{one:<{width}}  {title_of(one)}\n" for one in schema_names()))
