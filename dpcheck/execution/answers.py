"""What comes back from running a learner: its answers, and what was noticed while it ran."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from numpy.random import SeedSequence
from numpy.typing import NDArray


@dataclass(frozen=True)
class Raised:
    """An exception as an answer: its type, its message with digits masked, and these (which make no other answer)."""

    kind: str
    message: str
    numbers: tuple[float, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Opaque:
    """An answer that cannot be handed over as it is: its type and a digest of what could be read of it."""

    kind: str
    digest: str


@dataclass(frozen=True)
class Answers:
    """The answers of ``count`` runs on one dataset, in the order of the runs.

    ``values`` is an array (first axis: runs) when all answers are numbers of one dtype or arrays of one shape and
    dtype, else a list. ``warned`` maps the index of a run to the warnings it gave (category and masked message).
    """

    values: NDArray[Any] | list[Any]
    warned: dict[int, tuple[str, ...]] = field(default_factory=dict)
    printed: int = 0
    changed_input: bool = False
    used_rng: bool = True
    seconds: float = 0.0

    @property
    def count(self) -> int:
        """How many runs these are."""
        return len(self.values)


@dataclass(frozen=True)
class Request:
    """Runs asked for: ``count`` runs of a fresh learner on dataset number ``dataset``, randomness from ``seed``.

    ``bulk`` asks for one call to the learner's ``sample`` instead of separate calls.
    """

    dataset: int
    count: int
    seed: SeedSequence
    bulk: bool = False


class Runner(Protocol):
    """Runs a learner somewhere: in this process or in a worker that may die without harm."""

    def run(self, requests: list[Request]) -> list[Answers]:
        """Answers in the order of the requests, whatever the number of workers.

        Raises
        ------
        LearnerDied
            When the learner hangs past the time limit of a call, or its process dies; the message says on which
            dataset, and ``args[1]`` is that dataset's number.
        """
        ...

    def serve(self, datasets: Sequence[Any]) -> None:
        """Take other datasets: from now on requests name these by number.

        Raises
        ------
        InvalidArgument
            When one of them cannot be sent to where the learner runs.
        """
        ...

    @property
    def bulk_available(self) -> bool:
        """Whether the learner offers ``sample``."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What the record should say about how the learner was run (in process and why, not copied, ...)."""
        ...

    def close(self) -> None:
        """End the workers."""
        ...
