"""Which datasets are neighbours: relations, the records they allow, the pairs made or checked under them."""

from dpcheck.model.neighbours.entries import ReplaceEntry
from dpcheck.model.neighbours.entries_and_transcripts import EntryAndTranscript
from dpcheck.model.neighbours.given import pairs_given
from dpcheck.model.neighbours.pairs import Pair, PairsMade, describe_change
from dpcheck.model.neighbours.records import Records
from dpcheck.model.neighbours.relations import AddRemove, LabelsOnly, PrivatePart, Relation, ReplaceOne, as_relation

__all__ = [
    "AddRemove",
    "EntryAndTranscript",
    "LabelsOnly",
    "Pair",
    "PairsMade",
    "PrivatePart",
    "Records",
    "Relation",
    "ReplaceEntry",
    "ReplaceOne",
    "as_relation",
    "describe_change",
    "pairs_given",
]
