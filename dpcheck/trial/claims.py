"""Claims, each counted once: one that was run on several instances or with several learners is one claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpcheck.trial.model import Outcome, Word

#: What a claim is called that came out differently on several instances: the first of these words that any has.
ORDER: tuple[Word, ...] = (
    "contradicted", "failed", "not compatible", "undecided", "holds", "compatible", "not reachable", "says nothing",
    "not run",
)  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """What a result claims in the same words, with all outcomes of it."""

    result: str
    text: str
    outcomes: tuple[Outcome, ...]

    @property
    def word(self) -> Word:
        """What became of it: it holds where it holds on one instance and was nowhere broken, or left open."""
        words = {one.word for one in self.outcomes}
        return next(word for word in ORDER if word in words)


def claims_run(outcomes: Iterable[Outcome]) -> Sequence[Claim]:
    """The claims that some outcomes are about, in the order of their first ones.

    Examples
    --------
    >>> made = [Outcome("holds", "c", "on a"), Outcome("undecided", "c", "on b"), Outcome("holds", "d", "")]
    >>> [(one.text, one.word, len(one.outcomes)) for one in claims_run(made)]
    [('c', 'undecided', 2), ('d', 'holds', 1)]
    """
    found: dict[tuple[str, str], list[Outcome]] = {}
    for one in outcomes:
        found.setdefault((one.result, one.claim), []).append(one)
    return [Claim(result, text, tuple(those)) for (result, text), those in found.items()]
