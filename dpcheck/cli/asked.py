"""What the options ask of a target: its claim, relation and data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpcheck.cli.options import Claimed, Given
from dpcheck.cli.resolved import Resolved
from dpcheck.model.claims import ApproxDP, Claim, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dpcheck.model.errors import InvalidArgument, LearnerDied

if TYPE_CHECKING:
    from dpcheck.model.data.forms import Form
    from dpcheck.model.neighbours import Records


@dataclass(frozen=True)
class Asked:
    """The claim, relation and data of a command line, before it is known which target they are for.

    ``relation`` and ``records`` are None where the target's own (or the default) are to be used; ``how`` says how data
    are given, to whom none were.
    """

    claim: Claim | None
    relation: str | None
    records: Any
    dataset: Any
    pairs: Any
    size: int | range | None = None
    semi_private: bool = False
    exhaustive: bool = False
    form: Any = None
    how: str = (
        "give --bounds LOW,HIGH or --records VALUES (pairs are searched), --dataset FILE (pairs are made from it) or "
        "--pairs FILE.npz"
    )

    def arguments_for(self, found: Resolved) -> dict[str, Any]:
        """The arguments ``neighbours``, ``dataset``, ``pairs`` and ``form`` of an audit of this target.

        Raises
        ------
        InvalidArgument
            When neither the command line nor the target says what data to run on.
        """
        if found.domain is not None and self.dataset is None and self.pairs is None:
            found = replace(found, relation=found.domain)
        relation = self._relation_for(found)
        shared = {"neighbours": relation, **({} if self.form is None else {"form": self.form})}
        if self.exhaustive:
            return {**shared, "exhaustive": True}
        if self.dataset is not None:
            return {**shared, "dataset": self.dataset}
        pairs = self.pairs if self.pairs is not None else found.pairs
        if pairs is not None:
            return {**shared, "pairs": pairs}
        if getattr(relation, "records", None) is None and not hasattr(relation, "pair_strategy"):
            if found.target.died:
                raise LearnerDied(found.target.died)
            raise InvalidArgument(f"{found.target.name} brings no data: {self.how}")
        return shared

    def _relation_for(self, found: Resolved) -> Any:
        from dpcheck.model.neighbours import (
            AddRemove,
            EntryAndTranscript,
            LabelsOnly,
            PrivatePart,
            ReplaceEntry,
            ReplaceOne,
            as_relation,
        )

        if self.relation is not None:
            named = self._relation_named(self.relation)
            # on the domain that the target brings, where no records are declared
            if found.relation is not found.domain or found.domain is None or self.records is not None:
                return named
            if named.name == found.domain.name and self.size is None:
                return found.domain
            if isinstance(named, ReplaceEntry) and isinstance(found.domain, ReplaceEntry):
                return replace(found.domain, size=self.size)
            return type(named)(records=found.domain.records, size=named.size or found.domain.size)
        if found.relation is None:
            undeclared = self.records is None and self.size is None and not self.semi_private
            return None if undeclared else self._relation_named(ReplaceOne.name)
        if self.records is None and self.size is None:
            return found.relation
        own = as_relation(found.relation)
        if isinstance(own, PrivatePart):
            return PrivatePart(
                type(own.of),
                records=self.records if self.records is not None else own.records,
                size=self.size if self.size is not None else own.size,
                public=own.public,
            )
        if not isinstance(own, ReplaceOne | AddRemove | LabelsOnly | ReplaceEntry | EntryAndTranscript):
            raise InvalidArgument(
                f"{found.target.name} brings its own relation {own.name}: its records cannot be declared here"
            )
        return replace(
            own,
            records=self.records if self.records is not None else own.records,
            size=self.size if self.size is not None else own.size,
        )

    def _relation_named(self, name: str) -> Any:
        from dpcheck.model.neighbours import (
            AddRemove,
            EntryAndTranscript,
            LabelsOnly,
            PrivatePart,
            ReplaceEntry,
            ReplaceOne,
        )

        kinds = (ReplaceOne, AddRemove, LabelsOnly, ReplaceEntry, EntryAndTranscript)
        by_name = {kind.name: kind for kind in kinds}
        if name in by_name and not self.semi_private:
            return by_name[name](records=self.records, size=self.size)
        # beside a public part each relation is one of the private part
        return PrivatePart(by_name.get(name, ReplaceOne), records=self.records, size=self.size)


def claim_of(claimed: Claimed, typed: Collection[str] | None = None) -> Claim | None:
    """The claim the options make, or None for none.

    ``typed`` names the options that stood on the command line; a claim made there replaces one of another kind in the
    settings. Left out, all of them count alike.

    Raises
    ------
    InvalidArgument
        When they make claims of more than one kind, delta stands alone, or one is out of range.

    Examples
    --------
    >>> claim_of(Claimed(epsilon=1.0)), claim_of(Claimed()), claim_of(Claimed(renyi=(8, 0.5)))
    (PureDP(epsilon=1.0), None, RenyiDP(order=8.0, epsilon=0.5))
    >>> claim_of(Claimed(epsilon=1.0, rho=0.5), typed={"rho"})
    ZeroConcentratedDP(rho=0.5)
    """
    given = {name: value for name, value in vars(claimed).items() if value is not None}
    chosen = {_kind(name) for name in given if typed is None or name in typed} or {_kind(name) for name in given}
    given = {name: value for name, value in given.items() if _kind(name) in chosen}
    if len(chosen) > 1:
        shown = " and ".join(f"--{name}" for name in given)
        raise InvalidArgument(
            f"the claim must be of one kind (--epsilon or --ratio, and --delta; --rho; --mu; or --renyi), got {shown}"
        )
    if "rho" in given:
        return ZeroConcentratedDP(given["rho"])
    if "mu" in given:
        return GaussianDP(given["mu"])
    if "renyi" in given:
        return RenyiDP(*given["renyi"])
    delta, ratio = given.get("delta"), given.get("ratio")
    if "ratio" in given:
        if "epsilon" in given:
            raise InvalidArgument(
                f"--ratio {ratio} and --epsilon {given['epsilon']:g} both state the claim: give one of them"
            )
        return PureDP(ratio=ratio) if delta is None else ApproxDP(delta=delta, ratio=ratio)
    if "epsilon" not in given:
        if delta is not None:
            raise InvalidArgument(f"--delta {delta:g} needs --epsilon beside it")
        return None
    return PureDP(given["epsilon"]) if delta is None else ApproxDP(given["epsilon"], delta)


def _kind(option: str) -> str:
    """The kind of claim an option is part of."""
    return "epsilon" if option in ("delta", "ratio") else option


def asked_of(claim: Claim | None, given: Given, *, exhaustive: bool = False) -> Asked:
    """Read the files and values the options name.

    Raises
    ------
    InvalidArgument
        When one of them cannot be used, or two contradict each other.
    """
    from dpcheck.cli.datasets import load_dataset
    from dpcheck.cli.pairs_file import load_pairs
    from dpcheck.cli.values import declared_records, parse_size
    from dpcheck.model.data import SemiPrivate, is_labelled

    dataset, label, pairs, public = given.dataset, given.label, given.pairs, given.public
    if dataset is not None and pairs is not None:
        raise InvalidArgument("--dataset and --pairs both give the data: give one of them")
    if exhaustive and (dataset is not None or pairs is not None):
        named = "--dataset" if dataset is not None else "--pairs"
        raise InvalidArgument(f"--exhaustive makes all pairs of the declared domain: give {named} or it, not both")
    if label is not None and dataset is None and (given.labels is None or pairs is not None):
        raise InvalidArgument(f"--label {label} names a column of a dataset: give --dataset FILE too")
    if public is None and given.public_label is not None:
        raise InvalidArgument(
            f"--public-label {given.public_label} names a column of a public part: give --public FILE too"
        )
    if public is not None and dataset is None and pairs is None:
        raise InvalidArgument("--public is the public part alone: give the private one by --dataset or --pairs")
    if public is None and given.neighbours == "private-part" and (dataset is not None or pairs is not None):
        raise InvalidArgument("--neighbours private-part needs a public part: give --public FILE")
    data = None if dataset is None else load_dataset(dataset, label)
    loaded = None if pairs is None else load_pairs(pairs)
    if public is not None:
        shared = _public_part(public, given.public_label)
        data = None if data is None else SemiPrivate(data, shared)
        loaded = [(SemiPrivate(left, shared), SemiPrivate(right, shared)) for left, right in loaded or []] or None
    example = data if data is not None else loaded[0][0] if loaded else None
    declared = declared_records(
        records=given.records,
        bounds=given.bounds or [],
        labels=given.labels,
        labelled=is_labelled(example),
        labels_only=given.neighbours == "labels-only",
        searching=data is None and loaded is None,
        columns=given.columns,
    )
    return Asked(
        claim,
        given.neighbours,
        declared,
        data,
        loaded,
        size=parse_size(given.size),
        semi_private=public is not None,
        exhaustive=exhaustive,
        form=_form(given, declared, data),
    )


def _form(given: Given, declared: Records | None, data: Any) -> Form | None:
    """The form of the data, with the names that columns have in the file or on the command line.

    Where none is asked for, the first in which the learner answers, of data from a file, with labels or of columns.
    """
    from dpcheck.cli.datasets import header_of
    from dpcheck.cli.values import parse_columns
    from dpcheck.model.data import is_frame
    from dpcheck.model.data.forms import AUTO, LABEL, Form, whole_columns
    from dpcheck.model.neighbours.domains import Columns, LabelledDomain

    asked = given.form is not None
    kind = AUTO if given.form is None else given.form.value
    if given.pairs is not None:
        if asked:
            raise InvalidArgument(
                f"--form {kind} is for data that are read or searched: pairs are handed over as given"
            )
        return None
    if data is None:
        several = declared is not None and isinstance(declared.domain, LabelledDomain | Columns)
        if not several and not asked:
            return None
        return Form(kind, parse_columns(given.columns)[1], given.label or LABEL)
    if not asked and is_frame(data):
        return None  # what reads a table with texts reads a data frame
    assert given.dataset is not None
    names, label_name = header_of(given.dataset, given.label)
    return Form(kind, names, label_name or LABEL, whole_columns(data))


def _public_part(file: str, label: str | None) -> Any:
    from dpcheck.cli.datasets import load_dataset

    return load_dataset(file, label, "--public", "--public-label")
