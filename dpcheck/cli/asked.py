"""What the options ask of a target: its claim, relation and data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpcheck.claims import ApproxDP, Claim, PureDP
from dpcheck.cli.resolved import Resolved
from dpcheck.errors import InvalidArgument


@dataclass(frozen=True)
class Asked:
    """The claim, relation and data of a command line, before it is known which target they are for.

    ``relation`` and ``records`` are None where the target's own (or the default) are to be used.
    """

    claim: Claim | None
    relation: str | None
    records: Any
    dataset: Any
    pairs: Any
    size: int | range | None = None
    exhaustive: bool = False

    def arguments_for(self, found: Resolved) -> dict[str, Any]:
        """The arguments ``neighbours``, ``dataset`` and ``pairs`` of an audit of this target.

        Raises
        ------
        InvalidArgument
            When neither the command line nor the target says what data to run on.
        """
        relation = self._relation_for(found)
        if self.exhaustive:
            return {"neighbours": relation, "exhaustive": True}
        if self.dataset is not None:
            return {"neighbours": relation, "dataset": self.dataset}
        pairs = self.pairs if self.pairs is not None else found.pairs
        if pairs is None:
            raise InvalidArgument(
                f"{found.target.name} brings no data: give --dataset FILE (neighbours are made from it) "
                "or --pairs FILE.npz"
            )
        return {"neighbours": relation, "pairs": pairs}

    def _relation_for(self, found: Resolved) -> Any:
        from dpcheck.neighbours import AddRemove, LabelsOnly, ReplaceOne, as_relation

        if self.relation is not None:
            by_name = {kind.name: kind for kind in (ReplaceOne, AddRemove, LabelsOnly)}
            return by_name[self.relation](records=self.records, size=self.size)
        if self.records is None and self.size is None:
            return found.relation
        if found.relation is None:
            return ReplaceOne(records=self.records, size=self.size)
        own = as_relation(found.relation)
        if not isinstance(own, ReplaceOne | AddRemove | LabelsOnly):
            raise InvalidArgument(
                f"{found.target.name} brings its own relation {own.name}: its records cannot be declared here"
            )
        return type(own)(
            records=self.records if self.records is not None else own.records,
            size=self.size if self.size is not None else own.size,
        )


def claim_of(epsilon: float | None, delta: float | None, ratio: Fraction | None = None) -> Claim | None:
    """The claim two options make, or None for none.

    Raises
    ------
    InvalidArgument
        When delta stands alone, or one is out of range.

    Examples
    --------
    >>> claim_of(1.0, None), claim_of(None, None)
    (PureDP(epsilon=1.0), None)
    """
    if ratio is not None:
        if epsilon is not None:
            raise InvalidArgument(f"--ratio {ratio} and --epsilon {epsilon:g} both state the claim: give one of them")
        return PureDP(ratio=ratio) if delta is None else ApproxDP(delta=delta, ratio=ratio)
    if epsilon is None:
        if delta is not None:
            raise InvalidArgument(f"--delta {delta:g} needs --epsilon beside it")
        return None
    return PureDP(epsilon) if delta is None else ApproxDP(epsilon, delta)


def asked_of(
    *,
    claim: Claim | None,
    neighbours: str | None,
    records: str | None,
    bounds: Sequence[str],
    labels: str | None,
    dataset: str | None,
    label: str | None,
    pairs: Path | None,
    size: str | None = None,
    exhaustive: bool = False,
) -> Asked:
    """Read the files and values the options name.

    Raises
    ------
    InvalidArgument
        When one of them cannot be used, or two contradict each other.
    """
    from dpcheck.cli.datasets import load_dataset
    from dpcheck.cli.pairs_file import load_pairs
    from dpcheck.cli.values import declared_records, parse_size
    from dpcheck.data import is_labelled

    if dataset is not None and pairs is not None:
        raise InvalidArgument("--dataset and --pairs both give the data: give one of them")
    if exhaustive and (dataset is not None or pairs is not None):
        given = "--dataset" if dataset is not None else "--pairs"
        raise InvalidArgument(f"--exhaustive makes all pairs of the declared domain: give {given} or it, not both")
    if label is not None and dataset is None:
        raise InvalidArgument(f"--label {label} names a column of a dataset: give --dataset FILE too")
    data = None if dataset is None else load_dataset(dataset, label)
    loaded = None if pairs is None else load_pairs(pairs)
    example = data if data is not None else loaded[0][0] if loaded else None
    labelled = is_labelled(example)
    declared = declared_records(
        records=records,
        bounds=bounds,
        labels=labels,
        labelled=labelled,
        labels_only=neighbours == "labels-only",
    )
    return Asked(claim, neighbours, declared, data, loaded, parse_size(size), exhaustive)
