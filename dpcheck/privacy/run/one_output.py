"""A learner all of whose outputs are the same: it keeps any claim, and most likely does not return what it learned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpcheck.model.verdict import Finding
from dpcheck.privacy.statistics.observations import Observations, describe_answer

#: From so many outputs on it is told: fewer may be alike by luck of a learner that answers one of few things.
ENOUGH = 200
#: The kind of the finding.
ONE_OUTPUT = "one output"


def _bits_differ(seen: Observations) -> bool:
    """Whether numbers that are rounded to one are not."""
    answers = seen.answers
    if not isinstance(answers, np.ndarray) or answers.dtype.kind != "f" or not len(answers):
        return False
    return answers.tobytes() != np.broadcast_to(answers[0], answers.shape).tobytes()


@dataclass
class OneOutput:
    """Whether all outputs so far were the same, and how many there were.

    ``token`` and ``low`` are those of the first one.
    """

    token: int | None = None
    low: int | None = None
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
        if seen.low is not None:
            self.low = int(seen.low[0]) if self.low is None else self.low
            self.varied = bool((seen.low != self.low).any())
        self.varied |= bool(
            (seen.tokens != self.token).any() or (seen.kinds != seen.kinds[0]).any() or _bits_differ(seen)
        )
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
