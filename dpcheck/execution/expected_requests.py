"""Requests run by a crew of workers: those asked for, and meanwhile those that may be asked next.

Whatever the crew is, processes of this machine or the workers of a cluster, who waits for answers has them in the order
of the requests, and of several failures the earliest. What was only expected is there when it is asked for; until then
nobody sees it, and a failure of it is none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dpcheck.execution.answers import Answers, Heard, Request

#: What came of a request.
Outcome = Answers | Exception


@dataclass
class Work:
    """A request under way, and at which place it is waited for; None where it is only expected to be."""

    request: Request
    place: int | None


@dataclass
class ExpectedRequests:
    """What is expected, by what is asked, in its order; and what came of it that nobody asked for yet.

    Examples
    --------
    >>> from numpy.random import SeedSequence
    >>> expected = ExpectedRequests()
    >>> expected.expect([Request(0, 3, SeedSequence(7))], under_way=[])
    >>> expected.next().count, expected.next()
    (3, None)
    """

    waiting: dict[str, Request] = field(default_factory=dict)
    ahead: dict[str, Outcome] = field(default_factory=dict)

    def __len__(self) -> int:
        """How many are not begun."""
        return len(self.waiting)

    def expect(self, requests: Sequence[Request], under_way: Iterable[Work]) -> None:
        """Expect these, and forget what came of others."""
        wanted = {request.asked: request for request in requests}
        self.ahead = {asked: given for asked, given in self.ahead.items() if asked in wanted}
        known = {*self.ahead, *(work.request.asked for work in under_way)}
        self.waiting = {asked: request for asked, request in wanted.items() if asked not in known}

    def next(self) -> Request | None:
        """The first that is not begun, which now is; None where there is none."""
        return self.waiting.pop(next(iter(self.waiting))) if self.waiting else None

    def not_begun(
        self, requests: Sequence[Request], under_way: Iterable[Work], settle: Callable[[int, Outcome], object]
    ) -> Iterator[int]:
        """The places of requests that nobody began with; ``settle`` is told what came of others, if it did by now."""
        begun = {work.request.asked: work for work in under_way}
        for place, request in enumerate(requests):
            asked = request.asked
            self.waiting.pop(asked, None)
            if asked in self.ahead:
                settle(place, self.ahead.pop(asked))
            elif asked in begun:
                begun.pop(asked).place = place
            else:
                yield place

    def clear(self) -> None:
        """Expect nothing."""
        self.waiting.clear()
        self.ahead.clear()


class Crew(Protocol):
    """Workers that are given requests, and tell what came of them."""

    @property
    def under_way(self) -> Collection[Work]:
        """What they are at."""
        ...

    def begin(self, left: int, work: Callable[[], Work | None]) -> None:
        """Give ``work`` to those that have none, while there is some; ``left`` are asked for and not begun."""
        ...

    def ended(self) -> Iterable[tuple[Work, Outcome]]:
        """Wait until something happens, and tell what came of what ended: none, or some."""
        ...


def run_requests(
    crew: Crew, expected: ExpectedRequests, requests: Sequence[Request], heard: Heard | None
) -> list[Answers]:
    """Answers in the order of the requests; ``heard`` is told them, and those that are not asked yet, as they come.

    Raises
    ------
    Exception
        That of the earliest request that failed.
    """
    answers: list[Answers | None] = [None] * len(requests)
    failures: dict[int, Exception] = {}

    def settle(place: int, outcome: Outcome) -> None:
        if isinstance(outcome, Answers):
            answers[place] = outcome
        else:
            failures[place] = outcome

    left = deque(expected.not_begun(requests, crew.under_way, settle))

    def work() -> Work | None:
        """What is asked for first, then what is expected."""
        if left:
            place = left.popleft()
            return Work(requests[place], place)
        following = expected.next()
        return None if following is None else Work(following, None)

    while True:
        if not failures:
            crew.begin(len(left), work)
        # Requests before a failed one are waited for: they may fail too, and the earliest failure counts.
        last = min(failures, default=len(requests))
        awaited = any(one.place is not None and one.place < last for one in crew.under_way)
        if not awaited and (failures or not left):
            break
        for one, outcome in crew.ended():
            if heard is not None and isinstance(outcome, Answers):
                heard(one.request, outcome)
            if one.place is not None:
                settle(one.place, outcome)
            else:
                expected.ahead[one.request.asked] = outcome
    if failures:
        raise failures[min(failures)]
    return [given for given in answers if given is not None]
