"""Which columns answers have: fixed from a few answers that never enter a game, so that weights can be fixed too.

Coordinates line up: dictionaries by key, sets and texts by members (1 or 0), lists by position with NaN beyond their
end, lengths as coordinates of their own. Columns made from them (:mod:`dpcheck.privacy.statistics.derived`) follow.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.anywhere import FEW_ITEMS, items_of
from dpcheck.privacy.statistics.derived import (
    MOST_BITS,
    WHOLE,
    pairs_compared,
)
from dpcheck.privacy.statistics.late import LATE, LATE_WORDS, settled_contents
from dpcheck.privacy.statistics.leaves import LEFT_OUT, MOST_LISTED, Leaf, Pooled, Probe, drawn, leaves_of, numbers_of
from dpcheck.privacy.statistics.members import ASCENDING, BIT_COUNTS, COUNTS, HELD, never_again
from dpcheck.privacy.statistics.sparse import holds_codes
from dpcheck.privacy.statistics.whole import LARGEST_WHOLE, MOST_DECIMALS, TOGETHER, at_places, decimals_of
from dpcheck.privacy.statistics.wide import slot_names

Floats = NDArray[np.float64]

#: Outputs with more coordinates than this are not looked at one by one for good.
MAX_COLUMNS = 256
#: Of outputs with more numbers than that, so many have a column of their own for good; of the others those that tell
#: most are chosen as outputs come in (:mod:`dpcheck.privacy.statistics.wide`).
FIXED_OF_MANY = 32
#: Whole numbers that lie closer together than this are told apart one by one; of others the digits are looked at.
FEW_WHOLE_NUMBERS = 32
#: Of at most so many whole numbers of an output the digits are looked at.
MOST_WHOLE_NUMBERS = 1 << 17
#: Numbers of one part of an answer that become coordinates; more only where there is nothing else.
MOST_OF_ONE_PART = 64
#: Members of one set (keys of one dictionary, words of one text) that are looked at one by one.
MOST_MEMBERS = 32
#: Members that were not there in the first answers are counted in so many groups.
MEMBER_GROUPS = 4
#: How the weight of columns is shared out among kinds of columns; a kind that is not there leaves its part to others.
SHARES = {
    "coordinate": 8.0,
    "member": 8.0,
    "bits": 4.0,
    "length": 2.0,
    "slot": 8.0,
    "digit": 2.0,
    "item": 2.0,
    "whole": 2.0,
    "part": 2.0,
    "pair": 2.0,
    "constant": 1.0,
    "group": 1.0,
    "late": 1.0,
}
#: Numbers by which an answer is written down; they are looked at together with all others, not one by one.
SPREAD_OUT = (
    *(" character", " types", " place of key", " lengths", " keys", " members", " whole"),
    *(COUNTS, BIT_COUNTS, ASCENDING),
)
#: All others together, where some numbers are of those.
NUMBERS = " numbers"
#: Those of them whose digits are looked at.
OF_DIGITS = (" character", " keys", " members", " whole", ASCENDING)
#: Of so many parts the whole numbers of each are added up.
MOST_TOGETHER = 8
#: Of so many parts the numbers of each are.
MOST_SUMMED = 16
#: Members that never come again are looked for within each other so many times.
POOLED_WITHIN = 3
#: Texts of which more than this part are different are not told apart one by one.
SELDOM_REPEATED = 0.8
#: ... where there are so many of them at least.
ENOUGH_TEXTS = 6


@dataclass(frozen=True)
class Layout:
    """Where each part of an answer goes.

    ``numbers``: (path, first column, how many); ``members``: (path, member, column); ``groups``: (path, first
    column) of the members not listed. ``sizes``: the usual size of each of these columns. Then come the columns
    made from the coordinates ``whole``, of ``pairs`` of them, and the lowest bits of ``bits``. ``names`` and
    ``shares`` (of the weight of columns, with sum 1) are of all columns. ``coded``: whether the first answers held
    codes among their numbers (:func:`dpcheck.privacy.statistics.sparse.holds_codes`).

    The last ``slots`` columns are filled by the game (:mod:`dpcheck.privacy.statistics.wide`) with what it learned of
    ``wide``, (path, first place, how many) of all numbers where some have no column of their own, and of ``digits``,
    the same of the whole numbers whose digits are looked at, and ``listed``, (path, members) of sets with too many
    members for columns of their own. ``single``: there is one number and its digits, nothing else.

    ``sums``: (path, first, how many) of the parts that have columns like those of ``whole`` to themselves, since in a
    sum of everything the noise of one part covers what another holds; the places are of ``wide`` where there is one,
    else of coordinates. They come after those of ``whole``.

    ``marked``: whether what stands anywhere in an output is looked for (:mod:`dpcheck.privacy.statistics.anywhere`).
    """

    numbers: tuple[tuple[str, int, int], ...]
    members: tuple[tuple[str, str, int], ...]
    groups: tuple[tuple[str, int], ...]
    sizes: tuple[float, ...]
    whole: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    bits: tuple[int, ...]
    names: tuple[str, ...]
    shares: tuple[float, ...]
    coded: bool = False
    wide: tuple[tuple[str, int, int], ...] = ()
    digits: tuple[tuple[str, int, int], ...] = ()
    slots: int = 0
    single: bool = False
    listed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    pooled: tuple[str, ...] = ()
    late: int = 0
    bits_are_events: bool = False
    settled: tuple[tuple[str, tuple[str, ...]], ...] = ()
    decimals: tuple[tuple[int, ...], ...] = ()
    sums: tuple[tuple[str, int, int], ...] = ()
    marked: bool = False

    @property
    def known_numbers(self) -> int:
        """How many numbers (and members, as 1 or 0) an output has, where some have no column of their own; else 0."""
        return sum(size for _, _, size in self.wide) + sum(len(members) for _, members in self.listed)

    @property
    def numbers_in_all(self) -> int:
        """The same with the columns of late parts."""
        return self.known_numbers + self.late

    @property
    def known_whole_numbers(self) -> int:
        """Of how many whole numbers of the first answers' parts the digits are looked at."""
        return sum(size for _, _, size in self.digits)

    @property
    def together(self) -> tuple[tuple[str, int, int], ...]:
        """Of which whole numbers words are made of all together: those of one part, and of all parts."""
        several = [(_named(path), start, size) for path, start, size in self.digits if size > 1][:MOST_TOGETHER]
        if len(self.digits) > 1:
            several.append(("output", 0, self.known_whole_numbers))
        return tuple(several)

    @property
    def first_late_word(self) -> int:
        """Where the words of late parts begin: after those of all whole numbers together, if there are several."""
        return self.known_whole_numbers + len(TOGETHER) * len(self.together)

    @property
    def whole_numbers(self) -> int:
        """The same with the words of all of them together, and of late parts."""
        return self.first_late_word + (LATE_WORDS if self.late else 0)

    @property
    def ranges(self) -> tuple[tuple[str, int], ...]:
        """All numbers of an output in their order, in words: (of what, how many)."""
        members = [(_member_name(path, member), 1) for path, some in self.listed for member in some]
        late = [("parts not seen at first (by a hash of their place)", self.late)] if self.late else []
        return (*((_named(path), size) for path, _, size in self.wide), *members, *late)

    @property
    def whole_ranges(self) -> tuple[tuple[str, int], ...]:
        """The whole numbers whose digits are looked at, in words: (of what, how many)."""
        late = [("whole numbers of parts not seen at first", LATE_WORDS)] if self.late else []
        together = [(f"{words} of {name}", 1) for name, _, _ in self.together for words in TOGETHER]
        decimals = self.decimals or ((0,),) * len(self.digits)
        each = [
            (f"{_units(places)}{_named(path)}", size)
            for (path, _, size), places in zip(self.digits, decimals, strict=True)
        ]
        return (*each, *together, *late)

    @property
    def plain(self) -> int:
        """How many columns are parts of the answer itself."""
        return len(self.sizes)

    @property
    def measured(self) -> int:
        """How many of the first columns are numbers of the answer, each with a column of its own; 0 of one or none."""
        numbers = 0 if self.wide else sum(size for _, _, size in self.numbers)
        return numbers if numbers > 1 else 0

    def to_text(self) -> str:
        """The layout in one line, for a record."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @staticmethod
    def from_text(text: str) -> Layout:
        """The layout from its line.

        Raises
        ------
        ValueError
            When it is not one.
        """
        held = json.loads(text)
        try:
            # records of before there were scores of codes, or slots, go on without them
            held = {"coded": False, "wide": [], "digits": [], "slots": 0, "single": False, "listed": [], **held}
            held = {
                "pooled": [],
                "late": 0,
                "bits_are_events": False,
                "settled": [],
                "decimals": [],
                "sums": [],
                "marked": False,
                **held,
            }
            layout = Layout(**{field.name: _tuples(held[field.name]) for field in fields(Layout)})
            layout.check()
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"not a layout: {error!r}") from error
        return layout

    def check(self) -> None:
        """Raise ValueError unless all columns exist and the shares sum to at most 1."""
        ends = [start + size for _, start, size in self.numbers] + [column + 1 for _, _, column in self.members]
        ends += [start + MEMBER_GROUPS for _, start in self.groups]
        used = [*self.whole, *self.bits, *(column for pair in self.pairs for column in pair)]
        made = len(WHOLE) * (bool(self.whole) + len(self.sums))
        total = self.plain + made + len(self.pairs) + len(self.bits) + self.slots
        good = (
            max(ends, default=0) == self.plain
            and max(used, default=0) < max(self.plain, 1)
            and len(self.names) == len(self.shares) == total
            and all(share >= 0 for share in self.shares)
            and sum(self.shares) <= 1 + 1e-9
            and isinstance(self.coded, bool)
            and isinstance(self.single, bool)
            and isinstance(self.bits_are_events, bool)
            and self.late in (0, LATE)
            and len(self.decimals) in (0, len(self.digits))
            and all(type(n) is int and -1 <= n <= MOST_DECIMALS for places in self.decimals for n in places)
            and all(self.decimals)
            and isinstance(self.marked, bool)
            and self.slots == len(slot_names(self.numbers_in_all, self.whole_numbers, marked=self.marked))
            and all(size > 0 for _, _, size in (*self.wide, *self.digits, *self.sums))
            and all(start >= 0 for _, start, _ in self.sums)
            and max((start + size for _, start, size in self.sums), default=0)
            <= (self.known_numbers if self.wide else self.plain)
        )
        if not good:
            raise ValueError("not a layout: its columns do not belong together")


def _units(decimals: Sequence[int]) -> str:
    """Of rounded numbers, in words before their name: what of them is whole; nothing for whole numbers and bits.

    >>> _units((2,)), _units((0,)), _units((0, 3))
    ('the number of 0.01s in ', '', 'the number of units of its last decimal place in ')
    """
    if max(decimals) <= 0:
        return ""
    unit = f"{10.0 ** -decimals[0]:g}s" if len(set(decimals)) == 1 else "units of its last decimal place"
    return f"the number of {unit} in "


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def fit_layout(answers: Sequence[Any], *, exact: bool, probe: Probe | None = None) -> Layout | None:
    """The layout for answers like these; None when their single number, or which answer it is, says all.

    Parameters
    ----------
    answers : sequence
        Answers that never enter a game.
    exact : bool
        Whether bit patterns are events.
    probe : optional
        What models are asked.

    Examples
    --------
    >>> fit_layout([{"a": 1.0}, {"a": 2.0, "b": 3.0}], exact=False).names[:3]
    ("output['a']", 'length of output', "output['b']")
    >>> fit_layout([0.5, 0.7], exact=False) is None
    True
    """
    parts = [leaves_of(answer, probe) for answer in answers]
    if not exact and all(_says_all(some) for some in parts):
        numbers = [some[0].numbers for some in parts if some[0].numbers is not None]
        return _single(numbers)  # one number, or none: rules on it and on which answer it is say all
    texts = [one for one in answers if one is not None]
    if all(type(one) in (str, bytes) for one in texts) and not _may_never_repeat(texts):
        return None  # plain words: which one it is says all
    pooled: Pooled = frozenset()
    for _ in range(POOLED_WITHIN):
        more = never_again(parts) - pooled
        if not more:
            break
        pooled |= more
        parts = [leaves_of(answer, probe, pooled) for answer in answers]
    late = any(numbers_of(drawn(answer, probe)) is None for answer in answers)
    builder = _Builder(len(answers))
    for place, some in enumerate(parts):
        builder.see(place, some)
    items = max((len(items_of(drawn(one, probe), some, exact=exact)) for one, some in zip(answers, parts, strict=True)))
    layout = builder.layout(exact, LATE if late else 0, marked=items > FEW_ITEMS)
    if layout is None:
        return None
    columns = {path for path, _, _ in (*layout.numbers, *layout.wide, *layout.digits)}
    columns |= {path for path, _ in (*layout.groups, *layout.listed)}
    settled = settled_contents(parts, frozenset(columns)) if late else ()
    return replace(layout, pooled=tuple(sorted(pooled)), settled=settled)


def _says_all(leaves: Sequence[Leaf]) -> bool:
    """Whether an answer is one number, or one thing that is none; a complex number is two."""
    if len(leaves) != 1 or leaves[0].path not in ("", " value"):
        return False
    numbers = leaves[0].numbers
    return numbers is None or numbers.size == 1


def _single(numbers: Sequence[NDArray[Any]]) -> Layout | None:
    """One number with its digits where it is a whole one of many; None where rules on the number say all."""
    if not _far_apart(numbers) or not all(array.size == 1 for array in numbers):
        return None  # of few whole numbers, however large, each is an answer of its own
    digits = (("", 0, 1),)
    names = ("output", *slot_names(0, 1))
    shares = (0.9, *(0.1 / (len(names) - 1) for _ in names[1:]))
    layout = Layout(digits, (), (), (0.0,), (), (), (), names, shares, digits=digits, slots=len(names) - 1, single=True)
    layout = replace(layout, decimals=((_decimals(numbers),),))
    layout.check()
    return layout


def _decimals(arrays: Sequence[NDArray[Any]], *, every: bool = False) -> int:
    """0 for whole numbers, the decimal places of floats that were rounded to some, -1 for others; not finite is none.

    ``every``: of all floats, rather than of some.
    """
    floats = [array for array in arrays if array.dtype.kind == "f"]
    if any(array.dtype.kind not in "iuf" or array.size == 0 for array in arrays):
        return -1
    whole = len(floats) < len(arrays)
    if not any(np.isfinite(array).any() for array in floats):
        return 0 if whole else -1
    decimals = decimals_of(floats, every=every)
    return 0 if decimals < 0 and whole and not every else decimals


def _far_apart(numbers: Sequence[NDArray[Any]]) -> bool:
    """Whether these are whole (or rounded) numbers of which too many are possible to tell each apart."""
    decimals = _decimals(numbers) if numbers else -1
    if decimals < 0:
        return False
    whole = [array if array.dtype.kind != "f" else array[at_places(array, decimals)] for array in numbers]
    ends = [(float(array.min()), float(array.max())) for array in whole if array.size]
    if sum(array.size for array in whole) < sum(array.size for array in numbers):
        ends.append((0.0, 0.0))  # of few whole numbers among others each may be large
    low, high = min((low for low, _ in ends), default=0.0), max((high for _, high in ends), default=0.0)
    return (high - low) * 10.0**decimals >= FEW_WHOLE_NUMBERS


def _beyond_doubles(arrays: Sequence[NDArray[Any]]) -> bool:
    """Whether some are whole numbers that no double tells from their neighbours, however near each other they are."""
    whole = [array for array in arrays if array.dtype.kind in "iu"]
    return any(float(array.max()) >= LARGEST_WHOLE or float(array.min()) <= -LARGEST_WHOLE for array in whole)


def _decimals_by_place(arrays: Sequence[NDArray[Any]]) -> tuple[int, ...]:
    """The decimal places of all numbers, or by position where these were rounded to different ones; 0 for bits."""
    decimals = _decimals([array for array in arrays if array.size], every=True)
    if decimals >= 0 or not any(array.dtype.kind == "f" for array in arrays):
        return (max(decimals, 0),)
    longest = max(array.size for array in arrays)
    if longest > MOST_OF_ONE_PART:
        return (0,)
    places = [[array[place : place + 1] for array in arrays if array.size > place] for place in range(longest)]
    return tuple(_decimals(some) if _far_apart(some) else -1 for some in places) if longest > 1 else (0,)


def _seldom_repeat(answers: Sequence[Any]) -> bool:
    return len(answers) >= ENOUGH_TEXTS and len(set(answers)) > SELDOM_REPEATED * len(answers)


def _may_never_repeat(texts: Sequence[Any]) -> bool:
    """Whether texts are, or may be, nearly all different: their characters are to be looked at.

    Of a few texts among other answers it cannot be said that they come again: none did.
    """
    return len(set(texts)) == len(texts) > 0 if len(texts) < ENOUGH_TEXTS else _seldom_repeat(texts)


class _Builder:
    """Collects what the first answers hold."""

    def __init__(self, answers: int) -> None:
        self.answers = answers
        self.numbers: dict[str, list[tuple[int, NDArray[Any]]]] = {}
        self.members: dict[str, list[tuple[int, tuple[str, ...]]]] = {}

    def see(self, place: int, leaves: Sequence[Leaf]) -> None:
        for leaf in leaves:
            if leaf.numbers is not None:
                self.numbers.setdefault(leaf.path, []).append((place, leaf.numbers))
            else:
                self.members.setdefault(leaf.path, []).append((place, leaf.members))

    def layout(self, exact: bool, late: int, *, marked: bool = False) -> Layout | None:
        numbers: list[tuple[str, int, int]] = []
        kinds: list[str] = []
        sizes: list[float] = []
        floats: list[int] = []
        tables: list[Floats] = []
        only = len([path for path in self.numbers if not path.endswith(" length")]) == 1
        wide = self._wide(only=only, exact=exact)
        digits = self._digits(exact)
        for path, seen in self.numbers.items():
            length = path.endswith(" length")
            if path.endswith(SPREAD_OUT):
                continue
            if length and not self._varies([(place, tuple(array.tolist())) for place, array in seen]):
                continue
            most = FIXED_OF_MANY if wide else MAX_COLUMNS if only else MOST_OF_ONE_PART
            size = min(
                max(array.size for _, array in seen), most, (2 * FIXED_OF_MANY if wide else MAX_COLUMNS) - len(kinds)
            )
            if size <= 0:
                continue
            table = np.full((self.answers, size), np.nan)
            for place, array in seen:
                table[place, : min(size, array.size)] = array[:size]
                if array.dtype.kind == "f" and not length:
                    floats += range(len(kinds), len(kinds) + min(size, array.size))
            numbers.append((path, len(kinds), size))
            varying = (table != table[:1]).any(axis=0) & ~np.isnan(table).all(axis=0)
            if "." in path and not varying.any():
                numbers.pop()
                floats = [column for column in floats if column < len(kinds)]
                continue  # a setting of an object, not what was fitted: the answer's token has it still
            if not length:
                tables.append(table[:, varying])  # what never varies is no code: nothing else ever stands there
            kinds += ["length" if length else "coordinate" if one else "constant" for one in varying]
            sizes += _usual(table)
        members: list[tuple[str, str, int]] = []
        groups: list[tuple[str, int]] = []
        listed: list[tuple[str, tuple[str, ...]]] = []
        for path, seen_members in self.members.items():
            if not self._varies(seen_members) or path == LEFT_OUT:
                continue
            if path.endswith((" value", " type")) and _seldom_repeat([some for _, some in seen_members]):
                continue  # texts that are all different: which one it is says nothing
            times: dict[str, int] = {}
            for _, some in seen_members:
                for member in some:
                    times[member] = times.get(member, 0) + 1
            if path.endswith(HELD) and max(times.values(), default=0) == 1:
                continue
            if len(kinds) >= MAX_COLUMNS:
                listed.append((path, tuple(sorted(times)[:MOST_LISTED])))
                continue
            # those seen nearest to every other time say most; in a fixed order
            ranked = sorted(times, key=lambda member: (abs(2 * times[member] - self.answers), member))[:MOST_MEMBERS]
            if len(times) > len(ranked):
                others = sorted(times, key=lambda member: (abs(2 * times[member] - self.answers), member))
                listed.append((path, tuple(sorted(others[:MOST_LISTED]))))
            for member in sorted(ranked):
                members.append((path, member, len(kinds)))
                kinds.append("member")
                sizes.append(0.0)
            groups.append((path, len(kinds)))
            kinds += ["group"] * MEMBER_GROUPS
            sizes += [0.0] * MEMBER_GROUPS
        coordinates = [column for column, kind in enumerate(kinds) if kind in ("coordinate", "constant")]
        varied = [column for column in coordinates if kinds[column] == "coordinate"]
        compared = varied if len(varied) >= 2 else coordinates
        whole = tuple(coordinates) if len(coordinates) >= 2 else ()
        sums = self._sums(wide or [one for one in numbers if not one[0].endswith(" length")]) if whole else ()
        pairs = pairs_compared(compared) if whole else ()
        bits = tuple(sorted(set(floats)))[:MOST_BITS] if exact else ()
        in_all = sum(size for _, _, size in wide) + sum(len(some) for _, some in listed)
        whole_in_all = sum(size for _, _, size in digits)
        slots = slot_names(in_all + late, whole_in_all + (LATE_WORDS if late else 0), marked=marked)
        slot, digit = "slot" if in_all else "late", "digit" if whole_in_all else "late"
        kinds_of_all = [
            *kinds,
            *(["whole"] * len(WHOLE) if whole else []),
            *["part"] * (len(WHOLE) * len(sums)),
            *["pair"] * len(pairs),
            *["bits"] * len(bits),
            *[_kind_of_slot(name, slot, digit) for name in slots],
        ]
        if len(kinds_of_all) < 2:
            return None
        summed = [*(["output"] if whole else []), *(_summed(path) for path, _, _ in sums)]
        names = (*_names(numbers, members, groups, pairs, bits, summed), *slots)
        layout = Layout(
            tuple(numbers),
            tuple(members),
            tuple(groups),
            tuple(sizes),
            whole,
            pairs,
            bits,
            names,
            _shares(kinds_of_all),
            coded=bool(tables) and holds_codes(np.concatenate(tables, axis=1)),
            wide=wide,
            digits=digits,
            slots=len(slots),
            listed=tuple(listed),
            late=late,
            bits_are_events=exact,
            decimals=tuple(_decimals_by_place([one for _, one in self.numbers[path]]) for path, _, _ in digits),
            sums=sums,
            marked=marked,
        )
        layout.check()
        return layout

    def _sums(self, parts: Sequence[tuple[str, int, int]]) -> tuple[tuple[str, int, int], ...]:
        """The parts whose numbers are taken together apart from the others': those that vary come first."""
        if len(parts) < 2:
            return ()  # its numbers are all there are
        several = [one for one in parts if one[2] > 1]
        several.sort(key=lambda one: not self._varies([(place, a.tobytes()) for place, a in self.numbers[one[0]]]))
        own = [one for one in parts if not one[0].endswith(SPREAD_OUT)]
        found = several[:MOST_SUMMED]
        if 1 < len(own) < len(parts):  # they come first: what an answer is written down by is noise beside them
            found.append((NUMBERS, 0, sum(size for _, _, size in own)))
        return tuple(found)

    def _wide(self, *, only: bool, exact: bool) -> tuple[tuple[str, int, int], ...]:
        """All numbers of all parts, where some would have no column of their own."""
        sizes = {path: max(array.size for _, array in seen) for path, seen in self.numbers.items()}
        for path in [path for path in sizes if path.endswith(SPREAD_OUT)]:
            seen = [(place, array.tobytes()) for place, array in self.numbers[path]]
            if not self._varies(seen) or (
                path.endswith(" character") and not _may_never_repeat([one for _, one in seen])
            ):
                del sizes[path]
        sizes = {path: size for path, size in sizes.items() if not path.endswith(" length")}
        if not exact:  # the low bits of floats are no events
            sizes = {path: size for path, size in sizes.items() if not path.endswith(BIT_COUNTS)}
        fixed = [size for path, size in sizes.items() if not path.endswith(SPREAD_OUT)]
        most = MAX_COLUMNS if only else MOST_OF_ONE_PART
        varies = [path for path in sizes if len({array.size for _, array in self.numbers[path]}) > 1]
        if max(fixed, default=0) <= most and sum(fixed) <= MAX_COLUMNS and len(fixed) == len(sizes) and not varies:
            return ()
        for path in varies:  # later ones may be longer still
            sizes[path] = 2 * sizes[path] + MOST_OF_ONE_PART
        own_first = sorted(sizes.items(), key=lambda one: one[0].endswith(SPREAD_OUT))
        return _in_a_row([(path, size) for path, size in own_first if size])

    def _digits(self, exact: bool) -> tuple[tuple[str, int, int], ...]:
        """The whole numbers of many (and, where bits are events, the floats) whose digits are looked at."""
        found: list[tuple[str, int]] = []
        for path, seen in self.numbers.items():
            arrays = [array for _, array in seen if array.size]
            floats = exact and any(array.dtype.kind == "f" for array in arrays)
            ordered = path.endswith((" length", *SPREAD_OUT)) and not path.endswith(OF_DIGITS)
            letters = path.endswith(" character") and arrays and arrays[0].dtype != np.uint8
            if ordered or letters or not arrays:
                continue
            if not (floats or _far_apart(arrays) or _beyond_doubles(arrays) or max(_decimals_by_place(arrays)) > 0):
                continue
            if len(arrays) > 1 and all(np.array_equal(array, arrays[0]) for array in arrays):
                continue  # a setting; of a part that was there once it cannot be said
            room = MOST_WHOLE_NUMBERS - sum(size for _, size in found)
            size = min(max(array.size for array in arrays), room)
            if size > 0:
                found.append((path, size))
        return _in_a_row(found)

    def _varies(self, seen: Sequence[tuple[int, Any]]) -> bool:
        return len({place for place, _ in seen}) < self.answers or len({value for _, value in seen}) > 1


def _kind_of_slot(name: str, slot: str, digit: str) -> str:
    if name.startswith("chosen item"):
        return "item"
    return digit if name.startswith("chosen digit") else slot


def _in_a_row(sizes: Sequence[tuple[str, int]]) -> tuple[tuple[str, int, int], ...]:
    starts = np.cumsum([0, *(size for _, size in sizes)])
    return tuple((path, int(start), size) for (path, size), start in zip(sizes, starts, strict=False))


def _usual(table: Floats) -> list[float]:
    """The median absolute value of each column, 0 where there is none."""
    size = np.abs(np.where(np.isfinite(table), table, np.nan))
    # the lower of two middle values: the middle of two huge ones is no double
    return [
        float(np.nanquantile(column, 0.5, method="lower")) if not np.isnan(column).all() else 0.0 for column in size.T
    ]


def _shares(kinds: Sequence[str]) -> tuple[float, ...]:
    total = sum(SHARES[kind] for kind in set(kinds))
    return tuple(SHARES[kind] / total / kinds.count(kind) for kind in kinds)


def _names(
    numbers: Sequence[tuple[str, int, int]],
    members: Sequence[tuple[str, str, int]],
    groups: Sequence[tuple[str, int]],
    pairs: Sequence[tuple[int, int]],
    bits: Sequence[int],
    summed: Sequence[str],
) -> tuple[str, ...]:
    """Every column in words."""
    found: dict[int, str] = {}
    for path, start, size in numbers:
        alone = size == 1 and not any(other.startswith(path + " length") for other, _, _ in numbers)
        for place in range(size):
            found[start + place] = _named(path) if alone else f"{_named(path)}[{place}]"
        if path.endswith(" length"):
            found[start] = f"length of output{path.removesuffix(' length')}"
    for path, member, column in members:
        found[column] = _member_name(path, member)
    for path, start in groups:
        what, _, kind = path.rpartition(" ")
        for group in range(MEMBER_GROUPS):
            found[start + group] = (
                f"output{what} has a {kind} not seen at first (by its hash in group {group} of {MEMBER_GROUPS})"
            )
    names = [found[column] for column in range(len(found))]
    made = [f"{what} of {part}" for part in summed for what in WHOLE]
    made += [f"{names[one]} - {names[two]}" for one, two in pairs]
    made += [f"lowest bit of {names[column]}" for column in bits]
    return (*names, *made)


def _member_name(path: str, member: str) -> str:
    what, _, kind = path.rpartition(" ")
    return f"output{what} is {member}" if kind == "value" else f"output{what} has {kind} {member}"


def _summed(path: str) -> str:
    return "all numbers of output" if path == NUMBERS else _named(path)


def _named(path: str) -> str:
    what, _, kind = path.rpartition(" ")
    if kind in ("total", "number"):
        return f"{'sum of members' if kind == 'total' else 'number'} in output{what}"
    return f"output{path}"
