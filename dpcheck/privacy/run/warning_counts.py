"""How often which warnings came with outputs, on each side of each pair: for a finding, not for the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from dpcheck.execution.answers import Answers
from dpcheck.model.data import describe_dataset
from dpcheck.model.verdict import Finding
from dpcheck.privacy.statistics.warned import warnings_in_words

#: Whether warnings are something to be told of, or part of an output as its value is.
Warnings = Literal["finding", "output"]
WARNINGS: tuple[str, ...] = get_args(Warnings)
#: Different lists of warnings kept for a pair: a learner whose warnings never repeat says nothing new after these.
MOST_KINDS = 64


@dataclass
class _Sides:
    """What came with the outputs on D (1) and D' (0) of one pair, which is kept so that it is known again."""

    datasets: tuple[Any, Any]
    outputs: list[int] = field(default_factory=lambda: [0, 0])
    with_any: list[int] = field(default_factory=lambda: [0, 0])
    kinds: dict[tuple[str, ...], list[int]] = field(default_factory=dict)


@dataclass
class WarningCounts:
    """Counts of warnings; ``part_of_outputs`` says whether these were asked for as part of the output.

    Examples
    --------
    >>> counts, warned = WarningCounts(), Answers([0.5, 0.7], warned={0: ("UserWarning: clipped",)})
    >>> counts.note(warned)
    >>> counts.see(([0], [1]), [(1, warned), (0, Answers([0.2]))])
    >>> counts.finding().detail[:78]
    "a warning: UserWarning: clipped came with 1 of 2 outputs on D and 0 of 1 on D'"
    """

    part_of_outputs: bool = False
    texts: Counter[str] = field(default_factory=Counter)
    pairs: dict[tuple[int, int], _Sides] = field(default_factory=dict)

    def note(self, answers: Answers) -> None:
        """Remember that there were warnings, whatever the dataset."""
        for texts in answers.warned.values():
            if len(self.texts) < MOST_KINDS:
                self.texts.update(texts)

    def see(self, pair: tuple[Any, Any], given: Iterable[tuple[int, Answers]]) -> None:
        """Count the calls of one interim analysis: ``given`` are blocks of answers with their side, 1 for D."""
        sides = self.pairs.setdefault((id(pair[0]), id(pair[1])), _Sides(pair))
        for side, answers in given:
            sides.outputs[side] += answers.count
            sides.with_any[side] += len(answers.warned)
            for texts in answers.warned.values():
                if texts in sides.kinds or len(sides.kinds) < MOST_KINDS:
                    sides.kinds.setdefault(texts, [0, 0])[side] += 1

    def finding(self) -> Finding | None:
        """What to say of them: the pair and the list of warnings that differ most between the two sides."""
        if not self.texts:
            return None
        rule = (
            "warnings are part of an output here (warnings='output')"
            if self.part_of_outputs
            else "warnings are no part of an output unless asked for (warnings='output')"
        )
        seen = [
            (_difference(sides, times), sides, texts, times)
            for sides in self.pairs.values()
            for texts, times in sides.kinds.items()
        ]
        if not seen:
            return Finding("warns", f"for instance {min(self.texts)}; {rule}")
        _, sides, texts, times = max(seen, key=lambda one: one[0])
        left, right = (describe_dataset(dataset) for dataset in sides.datasets)
        words = (
            f"{warnings_in_words(texts)} came with {times[1]:,} of {sides.outputs[1]:,} outputs on D and "
            f"{times[0]:,} of {sides.outputs[0]:,} on D' (D = {left}, D' = {right})"
        )
        others = [sides.with_any[side] - times[side] for side in (1, 0)]
        if any(others):
            words += f", other numbers or texts of warnings with {others[0]:,} and {others[1]:,}"
        return Finding("warns", f"{words}; {rule}")


def _difference(sides: _Sides, times: list[int]) -> float:
    """The difference of the shares, in units of what chance makes of as many outputs."""
    left, right = (max(1, sides.outputs[side]) for side in (1, 0))
    share = (times[1] + times[0]) / (left + right)
    spread = max(share * (1.0 - share), 1.0 / (left + right)) * (1.0 / left + 1.0 / right)
    return float(abs(times[1] / left - times[0] / right) / spread**0.5)
