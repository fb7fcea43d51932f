"""The zoo's entries as targets: each brings its own claim, relation and pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpcheck.claims import Claim
from dpcheck.cli.resolved import Resolved
from dpcheck.errors import InvalidArgument, TargetNotFound, nearest
from dpcheck.learner import as_target

if TYPE_CHECKING:
    from dpcheck.zoo.entry import Entry

ZOO = "zoo"


def zoo_names() -> tuple[str, ...]:
    """The names of all entries."""
    from dpcheck.zoo import entries

    return tuple(entry.name for entry in entries())


def zoo_entries(names: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of these names (all for none); ``-`` is as good as ``_``, and ``zoo:`` may stand before.

    Raises
    ------
    TargetNotFound
        For a name there is no entry of, naming the nearest.
    """
    from dpcheck.zoo import entries

    by_name = {entry.name: entry for entry in entries()}
    if not names:
        return tuple(by_name.values())
    wanted = [name.removeprefix(f"{ZOO}:").replace("-", "_") for name in names]
    for name in wanted:
        if name not in by_name:
            raise TargetNotFound(
                f"target {ZOO}:{name}: there is no entry {name!r}{nearest(name, by_name)}; see dpcheck zoo"
            )
    return tuple(by_name[name] for name in dict.fromkeys(wanted))


def resolve_zoo(name: str, options: Mapping[str, Any], claim: Claim | float | None) -> Resolved:
    """An entry as a target; a claim made on the command line wins over its own.

    Raises
    ------
    TargetNotFound
        When there is no such entry.
    InvalidArgument
        When options are given, which an entry does not take.
    """
    (entry,) = zoo_entries([name])
    if options:
        raise InvalidArgument(f"--option {next(iter(options))} was given, but {ZOO}:{entry.name} takes no options")
    return resolved_entry(entry, claim)


def resolved_entry(entry: Entry, claim: Claim | float | None = None) -> Resolved:
    """The entry as a target with its claim, relation and pairs."""
    return Resolved(
        # the zoo tests audits by calls: a law that the entry declares would give the answer away
        target=replace(as_target(entry.learner, name=f"{ZOO}:{entry.name}"), by_calls=True),
        claim=entry.claim if claim is None else claim,
        relation=entry.relation,
        pairs=[(pair.left, pair.right) for pair in entry.pairs],
    )
