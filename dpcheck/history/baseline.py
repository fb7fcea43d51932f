"""The baseline: a file that is reviewed like code. Counts in fixed bins, one quantity a line, nothing that is noise."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from dpcheck.model.errors import RecordCorrupt
from dpcheck.model.harmless import one_line
from dpcheck.model.written_json import check_types, read_json

SCHEMA_NAME = "dpcheck-baseline"
#: Raised whenever a field changes its meaning.
SCHEMA_VERSION = 2
#: A larger file is not read: a thousand learners take less.
MAX_CHARACTERS = 64 * 1024 * 1024
#: Blocks of calls that an entry has at most: the exact test of more takes too long.
MOST_BLOCKS = 64
#: No count above this: far beyond any run, far below what would not fit an integer of numpy's.
MOST_COUNTED = 10**12


@dataclass(frozen=True)
class View:
    """One way to look at outputs, fixed before it is counted: bins, what is guessed in each, and counts on both sides.

    ``kind`` is "number" (column ``column``), "score" (``score``: centre, spread, slope of a linear score, and its
    offset), "answer" or "form" (``answers``: digests of the answers told apart; the last bin holds all others).
    ``edges`` are those of the bins of numbers (the last bin holds what is no number). ``guesses`` per bin: 1 for D,
    -1 for D', 0 for none. ``on_left`` and ``on_right`` count the outputs on D and on D'.
    """

    what: str
    kind: str
    column: int
    edges: tuple[float, ...]
    score: tuple[tuple[float, ...], ...]
    answers: tuple[str, ...]
    guesses: tuple[int, ...]
    on_left: tuple[int, ...]
    on_right: tuple[int, ...]


@dataclass(frozen=True)
class Told:
    """How well outputs tell which dataset they are of, by what is learned anew in each block of calls.

    ``what`` is one of :data:`dpcheck.history.distinguishers.SUMMED`, ``sums`` its sum in each block.
    """

    what: str
    sums: tuple[int, ...]


@dataclass(frozen=True)
class ExactLoss:
    """The losses of declared laws, computed and not sampled: epsilon at the entry's delta, delta at the claim."""

    epsilon: float
    delta: float
    arithmetic: str


@dataclass(frozen=True)
class Privacy:
    """How well two neighbouring datasets are told apart.

    ``pair`` says what differs; the digests tell whether the same two datasets are still there (``pair_number`` among
    those of ``pair_seed`` where they have none). ``layout`` and ``scale`` fix how outputs become columns. The event is
    what the first of ``views`` guesses. ``certified`` is a lower bound on epsilon at ``delta``, wrong with probability
    ``level``. ``told`` are sums over blocks of ``block_calls`` calls, and ``kinds`` how many answers there were of each
    kind (exceptions by type, None, NaN, types) on D and on D'.
    """

    relation: str
    pair: str
    pair_number: int
    pair_seed: int
    left_digest: str
    right_digest: str
    delta: float
    level: float
    event: str
    certified: float
    layout: str
    scale: tuple[float, ...]
    views: tuple[View, ...]
    block_calls: int
    told: tuple[Told, ...]
    kinds: Mapping[str, tuple[int, int]]
    exact: ExactLoss | None = None


@dataclass(frozen=True)
class RiskCounts:
    """The risk of one task: trials by risk, between ``cuts`` (a risk equal to a cut is not above it).

    The last count is of trials without a risk: the learner raised, or what it gave has none. ``mean`` is of the others.
    """

    cuts: tuple[float, ...]
    counts: tuple[int, ...]
    mean: float
    kind: str

    @property
    def trials(self) -> int:
        """How many were counted."""
        return sum(self.counts)


@dataclass(frozen=True)
class Cost:
    """CPU time of a call over that of a fixed computation run in turns with it, block by block, on one machine."""

    machine: str
    ratios: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle ratio; NaN for none."""
        ordered = sorted(self.ratios)
        return ordered[len(ordered) // 2] if ordered else math.nan


@dataclass(frozen=True)
class Entry:
    """What one learner did. ``utility`` is empty where it has no notion of risk, and ``notes`` say so."""

    learner: str
    claim: str
    seed: int
    privacy: Privacy
    utility: Mapping[str, RiskCounts] = field(default_factory=dict)
    cost: Cost | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Baseline:
    """All entries by name.

    Examples
    --------
    >>> Baseline.from_json(Baseline({}).to_json()) == Baseline({})
    True
    """

    learners: Mapping[str, Entry]

    def to_json(self) -> str:
        """The file: keys sorted, lists of numbers on a line each, nothing in it that changes from run to run."""
        from dpcheck.model.verdict.record import environment

        document = {
            "schema": f"{SCHEMA_NAME}/{SCHEMA_VERSION}",
            "written_by": f"dpcheck {environment().dpcheck}",
            "learners": {name: _plain(entry) for name, entry in self.learners.items()},
        }
        return _written(document, "") + "\n"

    @staticmethod
    def from_json(text: str) -> Baseline:
        """Read what :meth:`to_json` wrote.

        Raises
        ------
        RecordCorrupt
            When it is anything else: one line that says what.
        """
        return _read(text)

    def with_entries(self, entries: Mapping[str, Entry]) -> Baseline:
        """The same baseline with these entries added or replaced."""
        return Baseline({**self.learners, **entries})

    def without(self, names: set[str]) -> Baseline:
        """The same baseline without entries of these names."""
        return Baseline({name: entry for name, entry in self.learners.items() if name not in names})


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def _written(value: Any, margin: str) -> str:
    """JSON with one quantity a line: lists of plain values are not broken up."""
    inner = margin + " "
    if isinstance(value, dict) and value:
        lines = [f"{inner}{_text(key)}: {_written(value[key], inner)}" for key in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{margin}}}"
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(inner + _written(item, inner) for item in value) + f"\n{margin}]"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=True)


def _read(text: str) -> Baseline:
    if len(text) > MAX_CHARACTERS:
        raise RecordCorrupt(f"baseline must have at most {MAX_CHARACTERS:,} characters, got {len(text):,}")
    try:
        document = read_json(text)
    except ValueError as error:
        raise RecordCorrupt(f"baseline must be JSON written by dpcheck record, got unreadable text: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("schema"), str):
        raise RecordCorrupt("baseline must be a JSON object with a 'schema' field written by dpcheck, got neither")
    _check_schema(document["schema"], document.get("written_by"))
    if not isinstance(document.get("written_by", ""), str):
        raise RecordCorrupt(f"baseline written_by must be a text, got {type(document['written_by']).__name__}")
    from pydantic import TypeAdapter, ValidationError

    try:
        learners = TypeAdapter(_types()).validate_python(document.get("learners"))
        check_types(document["learners"], learners)
    except (ValueError, RecursionError) as error:
        why = _first_wrong(error) if isinstance(error, ValidationError | RecursionError) else one_line(str(error))
        raise RecordCorrupt(f"baseline does not have the fields of {SCHEMA_NAME}/{SCHEMA_VERSION}: {why}") from error
    for name, entry in learners.items():
        _check(name, entry)
    return Baseline(learners)


def _first_wrong(error: Any) -> str:
    """Where the first field is that is wrong, and what is wrong with it, as one line."""
    if isinstance(error, RecursionError):
        return "too deep"
    first, *more = error.errors(include_url=False, include_context=False, include_input=False)
    place = " > ".join(str(part)[:60] for part in first["loc"]) or "learners"
    others = f" (and {len(more):,} more)" if more else ""
    return one_line(f"{place}: {first['msg']}{others}")


def _check_schema(schema: str, writer: Any) -> None:
    name, _, number = schema.partition("/")
    if name != SCHEMA_NAME or not number.isascii() or not number.isdigit() or len(number) > 6:
        raise RecordCorrupt(f"baseline schema must be '{SCHEMA_NAME}/{SCHEMA_VERSION}', got {schema[:60]!r}")
    if int(number) != SCHEMA_VERSION:
        from dpcheck.model.verdict.record import environment

        by = one_line(writer)[:40] if isinstance(writer, str) else "another dpcheck"
        again = "move the file away and write it again with dpcheck record"
        raise RecordCorrupt(
            f"baseline schema {int(number)} was written by {by}, this is dpcheck {environment().dpcheck}, which reads "
            f"{SCHEMA_VERSION}: {again if int(number) < SCHEMA_VERSION else f'upgrade dpcheck, or {again}'}"
        )


@cache
def _types() -> Any:
    return dict[str, Entry]


def _check(name: str, entry: Entry) -> None:
    """What types alone do not say: counts that belong together and are counts."""

    def wrong(what: str) -> RecordCorrupt:
        return RecordCorrupt(f"baseline entry {name[:80]!r}: {what}")

    if not entry.privacy.views:
        raise wrong("privacy must have at least one view")
    for view in entry.privacy.views:
        bins = len(view.answers) + 1 if view.kind in ("answer", "form") else len(view.edges) + 2
        lengths = {len(view.guesses), len(view.on_left), len(view.on_right)}
        if view.kind not in ("number", "score", "answer", "form") or lengths != {bins}:
            raise wrong(f"view {view.what[:40]!r} must have {bins} bins with guesses and counts, got {sorted(lengths)}")
        if any(not a < b for a, b in zip(view.edges, view.edges[1:], strict=False)):
            raise wrong(f"the edges of view {view.what[:40]!r} must rise")
        if view.kind == "score" and (len(view.score) != 4 or len({len(part) for part in view.score[:3]}) != 1):
            raise wrong(f"view {view.what[:40]!r} must have centre, spread, slope and offset of a linear score")
        if view.kind == "score" and not (len(view.score[3]) == 1 and all(0 < one < math.inf for one in view.score[1])):
            raise wrong(f"the score of view {view.what[:40]!r} must have spreads above 0, and one offset")
        if any(guess not in (-1, 0, 1) for guess in view.guesses):
            raise wrong(f"the guesses of view {view.what[:40]!r} must be -1, 0 or 1")
        _check_counts((*view.on_left, *view.on_right), wrong)
        if any(len(answer) != 16 or not set(answer) <= set("0123456789abcdef") for answer in view.answers):
            raise wrong(f"the answers of view {view.what[:40]!r} must be digests of 16 hexadecimal digits")
        if list(view.answers) != sorted(set(view.answers)):
            raise wrong(f"the answers of view {view.what[:40]!r} must be sorted, each once")
    _check_told(entry.privacy, wrong)
    for task, risk in entry.utility.items():
        if len(risk.counts) != len(risk.cuts) + 2:
            raise wrong(f"risk {task[:40]!r} must have {len(risk.cuts) + 2} counts, got {len(risk.counts)}")
        if any(not a < b for a, b in zip(risk.cuts, risk.cuts[1:], strict=False)):
            raise wrong(f"the cuts of risk {task[:40]!r} must rise")
        _check_counts(risk.counts, wrong)
    if not (0.0 <= entry.privacy.delta < 1.0 and 0.0 < entry.privacy.level < 1.0):
        raise wrong("privacy must have a delta in [0, 1) and a level in (0, 1)")
    if entry.cost is not None and not all(0.0 < ratio < math.inf for ratio in entry.cost.ratios):
        raise wrong("the ratios of cost must be positive numbers")


def _check_told(privacy: Privacy, wrong: Any) -> None:
    """Sums that blocks of so many calls can have."""
    if not 1 <= privacy.block_calls <= MOST_COUNTED:
        raise wrong(f"block_calls must be a whole number from 1 to {MOST_COUNTED}, got {privacy.block_calls}")
    for told in privacy.told:
        if not told.sums or len(told.sums) > MOST_BLOCKS:
            raise wrong(f"{told.what[:40]!r} must have sums of 1 to {MOST_BLOCKS} blocks, got {len(told.sums)}")
        if any(abs(one) > MOST_COUNTED for one in told.sums):
            raise wrong(f"the sums of {told.what[:40]!r} must be whole numbers up to {MOST_COUNTED}")
    if len({told.what for told in privacy.told}) < len(privacy.told):
        raise wrong("what is told must be there once each")
    _check_counts(tuple(count for both in privacy.kinds.values() for count in both), wrong)


def _check_counts(counts: tuple[int, ...], wrong: Any) -> None:
    if any(not 0 <= count <= MOST_COUNTED for count in counts):
        raise wrong(f"counts must be whole numbers from 0 to {MOST_COUNTED}")
