"""Where each file of a report is, from the report's folder."""

from __future__ import annotations

from hashlib import sha256

#: Names that are longer are cut, and told apart by a digest.
_LONGEST = 80


def file_name(name: str) -> str:
    """A name as that of a file on every system: letters, digits, dots and hyphens; not hidden, never a way up.

    Examples
    --------
    >>> file_name("../my learner:f")
    'my-learner-f'
    """
    kept = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "._-") else "-" for letter in name)
    while ".." in kept or "--" in kept:
        kept = kept.replace("..", ".").replace("--", "-")
    kept = kept.strip(".-") or "unnamed"
    if len(kept) <= _LONGEST:
        return kept
    return f"{kept[:_LONGEST]}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def part_path(paper: str, part: str = "", kind: str = "html") -> str:
    """Where the page of a paper, or of a part of it, is.

    Examples
    --------
    >>> part_path("alon2019", "thm-3.1", "json")
    'alon2019/thm-3.1.json'
    """
    return f"{file_name(paper)}/{file_name(part or paper)}.{kind}"


def learner_path(name: str, kind: str = "html") -> str:
    """Where a learner's page is."""
    return f"learners/{file_name(name)}.{kind}"


def audit_path(name: str, kind: str = "html") -> str:
    """Where an audit's page is."""
    return f"audits/{file_name(name)}.{kind}"
