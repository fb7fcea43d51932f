"""How an accountant is asked: events and questions come in as JSON, one line of JSON an answer goes out.

Each package has a module here, ``peers.NAME_accounts``, that is run in the package's own environment and imports
nothing but the standard library and the package. An event is::

    {"name": ..., "relation": "add-remove" or "replace-one", "parts": [{"kind": ..., ..., "count": ...}],
     "deltas": [...], "epsilons": [...]}

Noise is over the largest norm of what one record gives, as dp-accounting's events have it. A package that counts it
over how far a neighbour moves the result is given half of it under replace-one.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Event = Mapping[str, Any]
#: One question of one event takes no more seconds of the processor than this, however busy the machine is.
SECONDS = 40


class NotOffered(Exception):
    """The accountant has no such event."""


class Asked(NamedTuple):
    """What an accountant says of an event: epsilon at a delta, and delta at an epsilon (none where it has no such)."""

    epsilon: Callable[[float], float]
    delta: Callable[[float], float] | None = None


Accountant = Callable[[Event], Asked]


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """An alarm after some seconds of the processor, and nothing printed until then."""

    def late(*_: object) -> None:
        raise TimeoutError(f"took longer than {seconds} s of the processor")

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def answers(name: str, accountant: Accountant, event: Event) -> Iterator[dict[str, Any]]:
    """An answer for each question of an event; one that failed says why."""
    failed, asked = "", None
    try:
        with limited(SECONDS):
            asked = accountant(event)
    except NotOffered:
        return
    except Exception as error:
        failed = _words(error)
    for question in ("epsilon", "delta"):
        for at in event["deltas" if question == "epsilon" else "epsilons"]:
            base = {"accountant": name, "event": event["name"], "question": question, "at": at}
            value = math.nan
            if asked is not None:
                function = asked.epsilon if question == "epsilon" else asked.delta
                if function is None:
                    continue
                failed = "not a number"
                try:
                    with limited(SECONDS):
                        value = float(function(at))
                except Exception as error:
                    failed = _words(error)
            if math.isnan(value):
                yield {**base, "value": None, "failed": failed}
            else:
                yield {**base, "value": value if math.isfinite(value) else "infinite"}


def _words(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:160]


def main(accountants: Mapping[str, Accountant], arguments: Sequence[str] | None = None) -> int:
    """Events as JSON from the standard input, answers to the standard output."""
    events = json.load(sys.stdin)
    for event in events:
        for name, accountant in accountants.items():
            for answer in answers(name, accountant, event):
                sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.write(json.dumps({"done": event["name"]}) + "\n")
        sys.stdout.flush()
    return 0
