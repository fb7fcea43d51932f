"""Requests that may be asked next: those not begun, those under way, and answers that wait to be asked for.

Who runs requests takes from here what there is to do while nothing else is, and looks here first when it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dpcheck.execution.answers import Answers, Request

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
