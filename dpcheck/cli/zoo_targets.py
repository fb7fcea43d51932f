"""The zoo's entries as targets: each brings its own claim, relation and pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dpcheck.cli.resolved import Resolved
from dpcheck.model.claims import Claim
from dpcheck.model.errors import InvalidArgument, TargetNotFound, nearest
from dpcheck.model.learner import as_target

if TYPE_CHECKING:
    from dpcheck.model.verdict import Verdict
    from dpcheck.parts.zoo.entry import Entry

ZOO = "zoo"


def zoo_names() -> tuple[str, ...]:
    """The names of all entries, and their aliases."""
    from dpcheck.parts.zoo import by_name

    return tuple(by_name())


def zoo_entries(names: Sequence[str]) -> tuple[Entry, ...]:
    """The entries of these names or aliases (all for none); ``-`` is as good as ``_``, ``zoo:`` may stand before.

    Raises
    ------
    TargetNotFound
        For a name there is no entry of, naming the nearest.
    """
    from dpcheck.parts.zoo import by_name, entries

    if not names:
        return entries()
    known = by_name()
    wanted = [name.removeprefix(f"{ZOO}:").replace("-", "_") for name in names]
    for name in wanted:
        if name not in known:
            raise TargetNotFound(
                f"target {ZOO}:{name}: there is no entry {name!r}{nearest(name, known)}; see dpcheck zoo"
            )
    return tuple(dict.fromkeys(known[name] for name in wanted))


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


def audited(name: str, effort: dict[str, Any]) -> Verdict:
    """The verdict on the entry of a name, in whatever process this is called.

    It is audited on its own pairs, with its own numerics and, where ``max_samples`` is None, its own number of calls.
    """
    from dpcheck.privacy.run.audit import audit

    (entry,) = zoo_entries([name])
    found = resolved_entry(entry)
    return audit(
        found.target,
        found.claim,
        neighbours=found.relation,
        pairs=found.pairs,
        numerics=entry.numerics,
        **{**effort, "max_samples": entry.max_samples if effort["max_samples"] is None else effort["max_samples"]},
    )
