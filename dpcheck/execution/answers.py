"""What comes back from running a learner: its answers, and what was noticed while it ran."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

#: ``is``: a content of a plain type under another type's name, then its own attributes. ``fields``: attributes by
#: name. ``items``: parts under keys. ``members``: without order. ``frame``: columns by name, then the index. ``text``:
#: nothing but a text. ``unread``: nothing could be had of it.
Form = Literal["is", "fields", "items", "members", "frame", "text", "unread"]
FORMS: frozenset[str] = frozenset({"is", "fields", "items", "members", "frame", "text", "unread"})
#: What is said of answers that are there for whoever asks them only: reading an iterator uses it up, and may never end.
READ_ONCE = "an iterator, which is used up by reading it"
READ_LATER = "an asynchronous iterator, which is used up by reading it"
NOT_RUN = "a coroutine, of which nothing has run yet"


@dataclass(frozen=True)
class Raised:
    """An exception as an answer: its type, its message with digits masked, and these (which make no other answer).

    ``written`` are the numbers as the message has them; ``held`` is a portrait of it where there is more to it than its
    message. ``places``: the message has what may be a place in memory, which is not looked at.
    """

    kind: str
    message: str
    written: tuple[str, ...] = field(default=(), compare=False, repr=False)
    held: Any = field(default=None, compare=False, repr=False)
    places: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Opaque:
    """An answer that cannot be handed over as it is: its type and a digest of what could be read of it."""

    kind: str
    digest: str


@dataclass(frozen=True, eq=False)
class Portrait:
    """An object as plain data: ``kind`` is the name of its type, ``parts`` are (name, value), both plain or portraits.

    ``cut``: something of it, or of its parts, was not looked at. ``predicted``: what a model says on the rows that
    it was asked about; it follows from the other parts.
    """

    kind: str
    form: Form
    parts: tuple[tuple[Any, Any], ...] = ()
    text: str = ""
    cut: bool = False
    predicted: NDArray[np.float64] | None = None

    __hash__ = None  # type: ignore[assignment]  # parts are arrays and lists; what is looked up is made canonical

    def __repr__(self) -> str:
        if self.form in ("text", "unread"):
            return " ".join(self.text.split()) or f"an object of type {self.kind}"
        if self.form == "is":
            (_, content), *more = self.parts
            inner = ", ".join([repr(content), *(f"{name}={part!r}" for name, part in more)])
        elif self.form == "fields":
            inner = ", ".join(f"{name}={part!r}" for name, part in self.parts)
        elif self.form == "members":
            inner = ", ".join(repr(part) for _, part in self.parts)
        else:
            inner = ", ".join(f"{name!r}: {part!r}" for name, part in self.parts)
        return f"{self.kind}({inner})"


@dataclass(frozen=True)
class Answers:
    """The answers of ``count`` runs on one dataset, in the order of the runs.

    ``values`` is an array (first axis: runs) when all answers are numbers of one type or arrays of one shape and
    dtype, else a list. ``packed`` is the type of the answers in an array with one number for each (empty where nobody
    knows, as of draws of ``sample``; :func:`dpcheck.execution.handover.packed_type`). ``warned`` maps the index of a
    run to the warnings it gave (category and masked message). ``owned`` is how many generators of the learner's own
    were seeded anew, ``caches`` what remembers answers for it, ``lasting`` whether it can reach anything that outlives
    a request, and ``stores`` anything that holds many values. ``outside``: what it opened outside its process, in
    words; only watched where the request is one of those that forget. ``making`` are those of the ``seconds`` in which
    the learner was made.
    """

    values: NDArray[Any] | list[Any]
    warned: dict[int, tuple[str, ...]] = field(default_factory=dict)
    printed: int = 0
    changed_input: bool = False
    used_rng: bool = True
    seconds: float = 0.0
    owned: int = 0
    caches: tuple[str, ...] = ()
    lasting: bool = False
    stores: bool = False
    packed: str = ""
    outside: tuple[str, ...] = ()
    making: float = 0.0

    @property
    def count(self) -> int:
        """How many runs these are."""
        return len(self.values)


@dataclass(frozen=True)
class Request:
    """Runs asked for: ``count`` runs of a fresh learner on dataset number ``dataset``, randomness from ``seed``.

    ``bulk`` asks for one call to the learner's ``sample`` instead of separate calls, ``forgetting`` for runs whose
    caches of answers are empty, and of which is noted what they open outside their process.
    """

    dataset: int
    count: int
    seed: SeedSequence
    bulk: bool = False
    forgetting: bool = False

    @property
    def asked(self) -> str:
        """What is asked, as a text: two requests with the same one have the same answers.

        >>> Request(0, 3, SeedSequence(7)).asked == Request(0, 3, SeedSequence(7)).asked
        True
        """
        seed = self.seed
        return repr(
            (self.dataset, self.count, self.bulk, self.forgetting, seed.entropy, seed.spawn_key, seed.pool_size)
        )


#: Told each request and its answers, as they come.
Heard = Callable[[Request, Answers], object]


class Runner(Protocol):
    """Runs a learner somewhere: in this process or in a worker that may die without harm."""

    def run(self, requests: list[Request], heard: Heard | None = None) -> list[Answers]:
        """Answers in the order of the requests, whatever the number of workers; ``heard`` is told them as they come.

        Raises
        ------
        LearnerDied
            When the learner hangs past the time limit of a call, or its process dies; the message says on which
            dataset, and ``args[1]`` is that dataset's number.
        """
        ...

    def expect(self, requests: Sequence[Request]) -> None:
        """These may be asked next, and nothing else that was expected before.

        Workers that would have nothing to do may begin with them while requests are run. What they give is there when
        it is asked for; until then nobody has seen it, and what is never asked for is as if it had not been run.
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


class ClosingRunner(Runner, Protocol):
    """A runner that closes itself at the end of a ``with`` block."""

    def __enter__(self) -> Runner:
        """Itself."""
        ...

    def __exit__(self, *_: object) -> None:
        """Close."""
        ...
