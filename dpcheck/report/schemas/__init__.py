"""The JSON Schemas (draft 2020-12) of the documents that dpcheck writes: every ``*.schema.json`` in this folder.

A document says in its field ``schema`` which one it follows: ``dpcheck-run/1`` is ``dpcheck-run-1.schema.json``.
Fields may be added to a version; none changes its meaning or goes away, so a reader lets unknown ones pass.
"""

from __future__ import annotations

import json
from importlib.resources import files

from dpcheck.model.errors import InvalidArgument, nearest

_ENDING = ".schema.json"
_PREFIX = "dpcheck-"


def schema_names() -> tuple[str, ...]:
    """The names of all documents that have a schema.

    >>> "dpcheck-run/1" in schema_names()
    True
    """
    found = (file.name for file in files(__name__).iterdir() if file.name.endswith(_ENDING))
    return tuple(sorted("/".join(name.removesuffix(_ENDING).rsplit("-", 1)) for name in found))


def schema_text(name: str) -> str:
    """The schema of a document, as JSON; the version (the newest is meant) and ``dpcheck-`` may be left out.

    Raises
    ------
    InvalidArgument
        When there is no such document, naming the nearest.

    Examples
    --------
    >>> json.loads(schema_text("run"))["$schema"]
    'https://json-schema.org/draft/2020-12/schema'
    """
    known = schema_names()
    full = name if name.startswith(_PREFIX) else _PREFIX + name
    versions = [one for one in known if one == full or one.rpartition("/")[0] == full]
    if not versions:
        raise InvalidArgument(
            f"document must be one of {', '.join(known)}, got {name!r}{nearest(full, known) or nearest(name, known)}"
        )
    newest = max(versions, key=lambda one: int(one.rpartition("/")[2]))
    return (files(__name__) / (newest.replace("/", "-") + _ENDING)).read_text(encoding="utf-8")


def title_of(name: str) -> str:
    """What a document is, in a few words."""
    return str(json.loads(schema_text(name)).get("title", ""))
