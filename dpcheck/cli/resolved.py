"""A target that has been found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcheck.model.claims import Claim
from dpcheck.model.learner import Target


@dataclass(frozen=True)
class Resolved:
    """A target ready to be run, with what it brings along: its claim, relation and pairs (or None).

    ``domain`` is a relation with records, for when the command line gives no data; ``relation`` is then for data given.
    """

    target: Target
    claim: Claim | float | None = None
    relation: Any = None
    pairs: Any = None
    domain: Any = None
