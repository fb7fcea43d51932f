"""Audits of several zoo entries at once, each in a process of its own; a verdict does not depend on the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcheck.model.verdict import Verdict


@contextmanager
def at_once(
    processes: int,
    names: Sequence[str],
    effort: dict[str, Any],
    audit: Callable[[str, dict[str, Any]], Verdict] | None = None,
) -> Iterator[Callable[[str], Callable[[], Verdict]]]:
    """Start the audits; yields what gives, for an entry's name, a function that waits for its verdict.

    Parameters
    ----------
    processes : int, how many at a time; with 1 nothing is started
    names : the entries, in the order in which they are wanted
    effort : arguments of the audit, which can be pickled
    audit : what gives the verdict on a name, a function that can be pickled; that of the zoo's entries by default
    """
    if processes == 1:
        yield _nothing_started
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_alone)
    try:
        started = {name: pool.submit(audit or audited, name, effort) for name in names}
        yield lambda name: started[name].result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def audited(name: str, effort: dict[str, Any]) -> Verdict:
    """The verdict on one entry, in whatever process this is called."""
    from dpcheck.cli.zoo_targets import audit_of_entry, zoo_entries

    (entry,) = zoo_entries([name])
    return audit_of_entry(entry, **effort)


def _nothing_started(name: str) -> Callable[[], Verdict]:
    raise AssertionError(f"no audit of {name} was started")


def _alone() -> None:
    """Ctrl-C ends this process without a word: the one that waits says what there is to say.

    Nothing else is set, the number of threads of linear algebra least of all: sums made in another order differ in
    their last bits, and a verdict must not depend on ``--jobs``.
    """
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
