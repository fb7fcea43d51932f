"""A comparison with a baseline as text, its words and its exit status; the other views of it build on these."""

from __future__ import annotations

from dpcheck.history.comparisons import Change, Compared, Comparison, Kind, State
from dpcheck.model.bounds_shown import at_most
from dpcheck.model.harmless import one_line, printable
from dpcheck.report.exit_status import FIRST_THAT_APPLIES, Exit

#: What is told first.
_ORDER = (Kind.WORSE, Kind.CHANGED, Kind.INCONCLUSIVE, Kind.BETTER, Kind.NOT_COMPARED, Kind.UNCHANGED)
_TROUBLE = {
    "learner failed": Exit.LEARNER_FAILED,
    "interrupted": Exit.INTERRUPTED,
    "internal error": Exit.INTERNAL_ERROR,
}


def exit_of_compared(result: Compared, comparison: Comparison) -> Exit:
    """The exit status one entry would have alone: 1 for worse, changed, new and not produced any more, 3 undecided.

    >>> exit_of_compared(Compared("a", State.NEW), Comparison((), 1e-6, 0)).words
    'not as expected'
    """
    if result.state is State.FAILED:
        return _TROUBLE.get(result.trouble, Exit.USAGE)
    if result.state is not State.COMPARED:
        return Exit.NOT_AS_EXPECTED
    counted = (Kind.WORSE, Kind.CHANGED, Kind.BETTER) if comparison.strict else (Kind.WORSE, Kind.CHANGED)
    if result.of_kind(*counted):
        return Exit.NOT_AS_EXPECTED
    undecided = result.of_kind(Kind.INCONCLUSIVE) and not comparison.allow_inconclusive
    return Exit.INCONCLUSIVE if undecided else Exit.AS_EXPECTED


def exit_of_comparison(comparison: Comparison) -> Exit:
    """Of all entries the first that applies of 130, 70, 4, 1, 2, 3, 5, 0; 5 for none at all.

    >>> exit_of_comparison(Comparison((), 1e-6, 0)).words
    'nothing to check'
    """
    found = {exit_of_compared(result, comparison) for result in comparison.results}
    found = found or {Exit.NOTHING_TO_CHECK}
    return next(exit for exit in FIRST_THAT_APPLIES if exit in found)


def word_of(result: Compared) -> str:
    """One word or phrase: the worst of its changes, or its state."""
    if result.state is State.FAILED:
        return result.trouble or "failed"
    if result.state is State.NEW:
        return "new"
    if result.state is State.NOT_PRODUCED:
        return "not produced any more"
    return next((kind.value for kind in _ORDER[:4] if result.of_kind(kind)), Kind.UNCHANGED.value)


def ordered(result: Compared) -> tuple[Change, ...]:
    """The changes of an entry, the bad ones first."""
    return tuple(sorted(result.changes, key=lambda change: _ORDER.index(change.kind)))


def details_of_compared(result: Compared, path: str = "") -> str:
    """What a person reads about one entry."""
    head = f"{one_line(result.name)}: {word_of(result).upper()}"
    where = f" to {path}" if path else ""
    if result.state is State.FAILED:
        return printable(f"{head}\n  {one_line(result.problem)}")
    if result.state is State.NEW:
        return printable(f"{head}\n  it had no entry in the baseline: one was written{where}; review it and commit it")
    if result.state is State.NOT_PRODUCED:
        return printable(
            f"{head}\n  the baseline has this entry, and no learner of [tool.dpcheck] produces it: "
            "dpcheck record --prune drops it"
        )
    lines = [f"  {change.kind.value}: {one_line(change.sentence)}" for change in ordered(result)]
    if result.of_kind(Kind.BETTER) and not result.of_kind(Kind.WORSE, Kind.CHANGED):
        lines.append("  dpcheck record keeps what got better")
    return printable("\n".join([head, *lines]))


def summary_of_comparison(comparison: Comparison) -> str:
    """The one line about all of it."""
    words = [word_of(result) for result in comparison.results]
    counted = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(words))
    exit = exit_of_comparison(comparison)
    learners = f"{len(words)} learner{'' if len(words) == 1 else 's'}"
    return (
        f"{learners}: {counted or 'nothing to check'}. Each quantity is tested at {comparison.alpha:g}; the "
        f"probability of any false alarm in this run is at most {at_most(comparison.level)}. "
        f"Exit status {exit.value} ({exit.words})."
    )


def render(comparison: Comparison) -> str:
    """Each entry with what changed, and a line about all of them.

    >>> render(Comparison((), 1e-6, 0)).splitlines()[0][:35]
    '0 learners: nothing to check. Each '
    """
    parts = [details_of_compared(result, comparison.path) for result in comparison.results]
    return "\n\n".join([*parts, summary_of_comparison(comparison)]) + "\n"
