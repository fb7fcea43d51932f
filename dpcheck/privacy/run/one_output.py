"""A learner all of whose outputs are the same: it keeps any claim, and most likely does not return what it learned."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.model.verdict import Finding
from dpcheck.privacy.statistics.low_bits import as_they_came
from dpcheck.privacy.statistics.observations import Observations, describe_answer

#: From so many outputs on it is told: fewer may be alike by luck of a learner that answers one of few things.
ENOUGH = 200
#: The kind of the finding.
ONE_OUTPUT = "one output"


@dataclass
class OneOutput:
    """Whether all outputs so far were the same, and how many there were.

    ``token`` is that of the first one, ``bits`` are those of its numbers, which may be rounded to one and not the same.
    """

    token: int | None = None
    bits: bytes | None = None
    count: int = 0
    varied: bool = False
    example: str = ""
    none: bool = False

    def see(self, seen: Observations) -> None:
        """More outputs, on any dataset."""
        if self.varied or not len(seen):
            return
        if self.token is None:
            answer = seen.answer(0)
            self.token, self.example, self.none = (
                int(seen.tokens[0]),
                describe_answer(answer, alone=True),
                answer is None,
            )
        self.varied = bool((seen.tokens != self.token).any() or (seen.kinds != seen.kinds[0]).any())
        numbers = as_they_came(seen)
        if numbers is not None and not self.varied:
            self.bits = numbers[0].tobytes() if self.bits is None else self.bits
            self.varied = numbers.tobytes() != self.bits * len(numbers)
        self.count += len(seen)

    def finding(self) -> Finding | None:
        """What is said where all outputs were one.

        Examples
        --------
        >>> OneOutput(1, None, 1_043, False, "None", True).finding().detail
        'every one of 1,043 outputs was None: none of these data showed in it; does the learner return what it learned?'
        >>> OneOutput(1, None, 1_043, True, "None", True).finding() is None
        True
        """
        if self.varied or self.count < ENOUGH:
            return None
        ask = "does the learner return what it learned" if self.none else "is it what the learner was to return"
        said = f"every one of {self.count:,} outputs was {self.example}: none of these data showed in it; {ask}?"
        return Finding(ONE_OUTPUT, said)
