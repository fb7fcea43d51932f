"""The papers' learners as targets: each brings its claim, its relation, and a small domain to search pairs in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dpcheck.cli.resolved import Resolved
from dpcheck.model.claims import Claim, as_claim
from dpcheck.model.errors import TargetNotFound, nearest
from dpcheck.model.learner import as_target, attribute_of, declares_law, target_for

if TYPE_CHECKING:
    from dpcheck.model.verdict import Verdict
    from dpcheck.parts.learners.entry import LearnerEntry

LEARNER = "learner"
#: The loss of declared laws does not depend on it: it stands in where nothing is claimed.
_ANY_EPSILON = 1.0
#: Calls of a learner without a declared law (laws are compared with few, and decided without any): enough to see twice
#: the claim; and of one whose claim is false as printed, enough to refute it on every seed.
MAX_SAMPLES, PRINTED_SAMPLES = 200_000, 1_000_000


def learner_names() -> tuple[str, ...]:
    """The names of all entries."""
    from dpcheck.parts.learners.discovery import entries

    return tuple(entry.name for entry in entries())


def learner_entries(names: Sequence[str], paper: str | None = None) -> tuple[LearnerEntry, ...]:
    """The entries of these names (all for none), of one paper if it is named.

    A paper's name means all of its learners.

    Raises
    ------
    TargetNotFound
        For a name there is no entry of, and for a paper without learners, naming the nearest.

    Examples
    --------
    >>> [entry.name for entry in learner_entries(["learner:alon2019.label-private"])]
    ['alon2019.label_private']
    """
    from dpcheck.parts.learners.discovery import entries

    papers = list(dict.fromkeys(entry.paper for entry in entries()))
    if paper is not None and paper not in papers:
        raise TargetNotFound(
            f"--paper must be a paper with learners ({', '.join(papers)}), got {paper!r}{nearest(paper, papers)}"
        )
    found: list[LearnerEntry] = []
    for name in names:
        of_paper = [entry for entry in entries() if entry.paper == name]
        found += of_paper or [learner_entry(name)]
    chosen = dict.fromkeys(found) if names else dict.fromkeys(entries())
    elsewhere = [entry.name for entry in chosen if names and paper not in (None, entry.paper)]
    if elsewhere:
        raise TargetNotFound(f"--paper {paper} has no learner {elsewhere[0]!r}: leave --paper out, or the name")
    return tuple(entry for entry in chosen if paper in (None, entry.paper))


def learner_entry(name: str) -> LearnerEntry:
    """The entry of this name; ``-`` is as good as ``_``, and ``learner:`` may stand before it.

    Raises
    ------
    TargetNotFound
        When there is no such entry, naming the nearest; for a paper's name, naming its first.
    """
    from dpcheck.parts.learners.discovery import entries

    known = {entry.name: entry for entry in entries()}
    short = name.removeprefix(f"{LEARNER}:")
    spelt = short if short in known else short.replace("-", "_")
    if spelt in known:
        return known[spelt]
    of_paper = [entry.name for entry in entries() if entry.paper == spelt]
    if of_paper:
        raise TargetNotFound(f"target {LEARNER}:{short} names a paper: name a learner of it, such as {of_paper[0]}")
    hint = nearest(spelt, [*known, *{entry.paper for entry in entries()}])
    raise TargetNotFound(f"target {LEARNER}:{short}: there is no learner {short!r}{hint}; see dpcheck learners")


def resolve_learner(name: str, options: Mapping[str, Any], claim: Claim | float | None) -> Resolved:
    """An entry as a target; a claim made on the command line wins over its own, and fills the options it has.

    Raises
    ------
    TargetNotFound
        When there is no such entry.
    InvalidArgument
        When an option is not one of its factory's, or the learner cannot be made with it.
    """
    return resolved_learner(learner_entry(name), options, claim)


def resolved_learner(
    entry: LearnerEntry, options: Mapping[str, Any] | None = None, claim: Claim | float | None = None
) -> Resolved:
    """The entry as a target, with the claim, the learner's own relation, and the one of its small domain."""
    name = f"{LEARNER}:{entry.name}"
    target = target_for(entry.learner, name=name, options=options, claim=claim)
    filled = dict(target.options) != dict(options or {})
    if claim is not None and filled and attribute_of(target, "claim") != as_claim(claim):
        # its epsilon is that of a part of it: filled in, it would be accused of what it does not promise
        target = as_target(entry.learner, name=name, options=options)
    return Resolved(
        target,
        claim if claim is not None else attribute_of(target, "claim"),
        relation=attribute_of(target, "neighbours"),
        domain=entry.relation(),
    )


def audit_of_learner(entry: LearnerEntry, **effort: Any) -> Verdict:
    """Audit an entry on its small domain: over all pairs where it declares its law, else by calls.

    Where it knows the loss of its densities the calls go to the pairs of largest loss, else to pairs searched. Where
    nothing is claimed the loss is what counts, and the verdict is about a claim made here.
    """
    from dpcheck.parts.learners.loss_of_densities import loss_of_densities
    from dpcheck.privacy.run.audit import audit

    found, densities = resolved_learner(entry), loss_of_densities(entry)
    effort.setdefault("max_samples", PRINTED_SAMPLES if entry.as_printed else MAX_SAMPLES)
    if densities is not None and not declares_law(found.target):
        effort.setdefault("pairs", [(pair.left, pair.right) for pair in densities.pairs])
    return audit(
        found.target,
        _ANY_EPSILON if found.claim is None else found.claim,
        neighbours=found.domain,
        exhaustive=declares_law(found.target),
        **effort,
    )


def audited(name: str, effort: dict[str, Any]) -> Verdict:
    """The verdict on one entry, in whatever process this is called."""
    return audit_of_learner(learner_entry(name), **effort)


def code_of(name: str) -> str:
    """A digest of the code of one entry, as far as that has one; its files are around it."""
    from dpcheck.execution.learner_code import digest_of_learner

    return digest_of_learner(resolved_learner(learner_entry(name)).target)
