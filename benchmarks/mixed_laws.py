"""Declared laws over outputs of any kind, honest and lying, drawn by hypothesis.

A learner has some tables of probabilities; a statistic of the dataset says which one is its law. Honest calls draw from
that table. A lie leaks at least three times the claim, and is nothing that the declared laws show: a cell made
likelier, half of the cells, an output that the law does not name, one that equals a named one and can be told from it.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from dpcheck import AddRemove, ApproxDP, LabelsOnly, Law, PrivatePart, PureDP, Records, ReplaceOne
from dpcheck.model.claims import claim_point
from dpcheck.model.neighbours.enumeration_beside import every_pair


class Colour(enum.Enum):
    """Answers with names."""

    RED = 1
    GREEN = 2
    BLUE = 3


class Level(enum.IntEnum):
    """Answers with names that are numbers."""

    LOW = 10_000
    HIGH = 10_001


Point = collections.namedtuple("Point", ["x", "y"])


@dataclass(frozen=True)
class Fitted:
    """A model as an answer."""

    slope: float
    name: str
    inner: tuple[int, ...] = ()


#: Answers that come once.
ALONE: tuple[Any, ...] = (
    None, True, False, Colour.RED, Colour.GREEN, Colour.BLUE, Level.LOW, Level.HIGH, "", b"", (), math.inf, -math.inf,
    math.nan, -0.0, 0.0, 0, Fraction(0), decimal.Decimal(0), 0j, frozenset(), "0", ..., datetime.date(2020, 2, 29), 1,
    1.0, Fraction(1, 3), "1", (1,), (1.0,), (True,), frozenset({1}), frozenset({1.0}), (None,), ((),),
)  # fmt: skip
#: Ways to make an answer of a number that no other answer has; the second says how a law that wants keys lists it.
MADE: dict[str, Callable[[int], Any]] = {
    "int": lambda i: i + 2,
    "negative int": lambda i: -i - 2,
    "huge int": lambda i: 2**70 + i,
    "np.int64": lambda i: np.int64(i + 100_000),
    "np.int32": lambda i: np.int32(i + 200_000),
    "np.uint8 or more": lambda i: np.uint16(i + 30_000),
    "float": lambda i: i + 0.625,
    "whole float": lambda i: float(i + 2),
    "irrational float": lambda i: math.sqrt(i + 2.5),
    "tiny float": lambda i: (i + 1) * 5e-324,
    "np.float64": lambda i: np.float64(i + 0.375),
    "np.float32": lambda i: np.float32(i + 0.1),
    "np.bool_ in a tuple": lambda i: (np.bool_(i % 2), i),
    "str": lambda i: f"answer {i}",
    "str with more": lambda i: f"naïve\n{i}\u2028",
    "np.str_": lambda i: np.str_(f"text {i}"),
    "bytes": lambda i: b"\x00%d" % i,
    "tuple": lambda i: (i, i + 1),
    "nested tuple": lambda i: ((i, None), ("a", (float(i),))),
    "mixed tuple": lambda i: (i, "a", None, 0.5, True),
    "named tuple": lambda i: Point(i, -i),
    "list": lambda i: [i, "list"],
    "nested list": lambda i: [[i], [i, [0.5]]],
    "int array": lambda i: np.array([i, 7, 7]),
    "int32 array": lambda i: np.array([i, 8, 8, 8], dtype=np.int32),
    "float32 array": lambda i: np.array([i + 0.1, 9], dtype=np.float32),
    "float array": lambda i: np.array([[i, 0.5], [0.5, -0.0]]),
    "bool array": lambda i: np.array([i >> b & 1 for b in range(12)], dtype=bool),
    "text array": lambda i: np.array([f"a{i}", "b"]),
    "object array": lambda i: np.array([i, None, "c"], dtype=object),
    "scalar array": lambda i: np.array(i + 300_000),
    "frozenset": lambda i: frozenset({i, "set"}),
    "Fraction": lambda i: Fraction(i + 1, 1009),
    "whole Fraction": lambda i: Fraction(i + 400_000),
    "Decimal": lambda i: decimal.Decimal(i) / 8 + decimal.Decimal("0.001"),
    "complex": lambda i: complex(i, 1),
    "dataclass": lambda i: Fitted(i + 0.5, "fit", (i,)),
    "dict": lambda i: {"weight": i, "more": [1, 2]},
    "dict of arrays": lambda i: {"coef": np.array([i, 1.5]), 3: None},
    "set": lambda i: {i + 500_000, "loose"},
    "date": lambda i: datetime.date(2000, 1, 1) + datetime.timedelta(days=i),
}
#: How a law says its probabilities.
SAID = ("fractions", "floats", "floats off by rounding", "np.float64", "balls", "logs", "exact", "exact and logs")
#: The places a lie can stand in.
KINDS = (
    "cell", "one dataset", "rare cell", "first half", "every other", "some half", "outside", "exception", "twin",
    "never", "swapped", "point mass",
)  # fmt: skip
RELATIONS = ("one record", "records", "add and remove", "labels", "private part", "pair", "pairs")


def listed(output: Any) -> Any:
    """How a law that wants keys lists an answer.

    >>> listed([1, np.array([2.5, 3])])
    (1, (2.5, 3.0))
    """
    if isinstance(output, np.ndarray):
        return listed(output.tolist())
    if type(output) is list or type(output) is tuple:
        return tuple(map(listed, output))
    return frozenset(output) if type(output) is set else output


def twin_of(output: Any) -> Any:
    """An answer that equals another one, or looks the same, and can be told from it; None where there is none.

    >>> twin_of(3), twin_of((1, 2.0)), twin_of("a")
    (3.0, [1, 2.0], np.str_('a'))
    """
    kind = type(output)
    if kind is bool:
        return int(output)
    if kind is int:
        return float(output) if abs(output) < 2**53 else Fraction(output)
    if kind is float:
        return -output if output == 0.0 else (np.float32(output) if output == np.float32(output) else Fraction(output))
    if kind in (str, bytes):
        return np.str_(output) if kind is str and "\x00" not in output else bytearray(output) if kind is bytes else None
    if isinstance(output, np.generic) and output.dtype.kind in "iu":
        return float(output)
    if kind is Fraction:
        return decimal.Decimal(output.numerator) / output.denominator
    if kind is decimal.Decimal:
        return Fraction(output)
    if kind is tuple:
        return list(output)
    if kind is list:
        return tuple(output)
    if kind is np.ndarray:
        return output.astype(np.float64 if output.dtype.kind in "biu" else object) if output.dtype.kind != "O" else None
    if kind is frozenset:
        return set(output)
    if kind is dict:
        return collections.OrderedDict(output)
    return None


def number_of(dataset: Any) -> int:
    """A number that says which dataset it is, whatever its form."""
    named = [name for name in ("x", "y", "private", "public") if hasattr(dataset, name)]
    parts = [f"{name}{np.asarray(getattr(dataset, name)).astype(float).tolist()}" for name in named]
    text = "".join(parts) if parts else str(np.asarray(dataset, dtype=float).tolist())
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big")


@dataclass(frozen=True, eq=False)
class Mixed:
    """Declares the table that a dataset's number chooses, and draws from it; on the liars' datasets from ``lies``.

    ``outputs`` are what calls give, ``extra`` those that only lies give. ``said`` is one of :data:`SAID`.
    """

    outputs: tuple[Any, ...]
    weights: tuple[tuple[int, ...], ...]
    said: str
    as_dict: bool
    kind: str = "fair"
    extra: tuple[Any, ...] = ()
    lies: tuple[tuple[float, ...], ...] = ()
    liars: frozenset[int] = frozenset()
    sums: list[Any] = field(default_factory=list)

    def table(self, dataset: Any) -> int:
        return number_of(dataset) % len(self.weights)

    def drawn(self, number: int) -> Any:
        """The cumulative probabilities of calls on a dataset, over ``outputs`` and ``extra``."""
        place = number % len(self.weights)
        if number in self.liars:
            return np.cumsum(self.lies[place])
        chances = np.array(self.weights[place], dtype=float)
        return np.cumsum(chances / chances.sum())

    def __call__(self, dataset: Any, rng: Any) -> Any:
        number = number_of(dataset) if not self.sums or self.sums[0] is not dataset else self.sums[1]
        if not self.sums or self.sums[0] is not dataset:
            self.sums[:] = [dataset, number, self.drawn(number)]
        sums = self.sums[2]
        place = min(int(np.searchsorted(sums, rng.random() * sums[-1], side="right")), len(sums) - 1)
        given = self.outputs[place] if place < len(self.outputs) else self.extra[place - len(self.outputs)]
        if isinstance(given, Exception):
            raise given
        return given

    def distribution(self, dataset: Any) -> Any:
        weights = self.weights[self.table(dataset)]
        total = sum(weights)
        possible = [place for place, weight in enumerate(weights) if weight]
        exact = [Fraction(weights[place], total) for place in possible]
        outputs = [self.outputs[place] for place in possible]
        floats = np.array([float(chance) for chance in exact])
        with np.errstate(divide="ignore"):
            logs = np.log(floats)
        if self.said == "logs":
            return Law(outputs, log_probabilities=logs)
        if self.said == "exact and logs":
            return Law(outputs, log_probabilities=logs, exact=exact)
        chances: Sequence[Any] = exact
        if self.said.startswith("floats"):
            off = 1e-12 if self.said != "floats" and floats.min() > 1e-5 else 0.0
            chances = (floats * (1.0 + off * (-1) ** len(outputs))).tolist()
        elif self.said == "np.float64":
            chances = list(floats)
        elif self.said == "balls":
            from flint import arb, fmpq

            chances = [arb(fmpq(chance.numerator, chance.denominator)) for chance in exact]
        if self.as_dict:
            return dict(zip(map(listed, outputs), chances, strict=True))
        if self.said in ("fractions", "exact", "balls"):
            return Law(outputs, exact=chances)
        return Law(outputs, log_probabilities=np.log(np.array(chances, dtype=float)))

    def difference(self) -> float:
        """The largest total variation between calls and law of a liar's dataset."""
        return max((self.difference_on(number) for number in self.liars), default=0.0)

    def difference_on(self, number: int) -> float:
        place = number % len(self.weights)
        law = np.array([*self.weights[place], *[0] * len(self.extra)], dtype=float)
        lie = np.array(self.lies[place], dtype=float)
        return float(np.abs(law / law.sum() - lie / lie.sum()).sum() / 2)


@dataclass(frozen=True, eq=False)
class Case:
    """A learner with the question it is audited with."""

    learner: Mixed
    claim: Any
    where: dict[str, Any]
    relation: str

    @property
    def words(self) -> str:
        said = f"{self.learner.said}{' dict' if self.learner.as_dict else ''}"
        return f"{self.learner.kind}, {len(self.learner.outputs)} cells, {self.relation}, {said}, {self.claim}"


def relation_of(name: str, rng: np.random.Generator) -> tuple[dict[str, Any], list[tuple[Any, Any]]]:
    """What an audit is asked with, and all pairs that it may compare."""
    labelled = Records.labelled(features=[0, 1], labels=[0, 1])
    if name in ("pair", "pairs"):
        some = [([float(a)], [float(b)]) for a, b in rng.permutation(40)[: 2 if name == "pair" else 12].reshape(-1, 2)]
        return {"pairs": some}, some
    relation: Any = {
        "one record": lambda: ReplaceOne(records=[0, 1], size=1),
        "records": lambda: ReplaceOne(records=[0, 1, 2], size=int(rng.integers(2, 4))),
        "add and remove": lambda: AddRemove(records=[0, 1], size=range(0, 4)),
        "labels": lambda: LabelsOnly(records=labelled, size=2),
        "private part": lambda: PrivatePart(records=[0, 1], size=2, public=[5, 6]),
    }[name]()
    found = every_pair(relation)
    pairs = [found.pair(place) for place in range(len(found.pairs))]
    return {"neighbours": relation, "exhaustive": True}, [(pair.left, pair.right) for pair in pairs]


def alphabet(cells: int, kinds: Sequence[str], alone: Sequence[int], hashable: bool) -> tuple[Any, ...]:
    """So many answers of some kinds, no two of them in one cell."""
    found: list[Any] = [ALONE[place] for place in dict.fromkeys(alone)][:cells]
    if hashable:  # a dict holds one of those that are equal
        found = list({output: output for output in found}.values())
    keys = set(map(listed, found)) if hashable else set()
    number = 0
    while len(found) < cells:
        made = MADE[kinds[number % len(kinds)]](number)
        number += 1
        if hashable:
            try:
                made = f"instead {number}" if listed(made) in keys else made
            except TypeError:
                made = f"instead {number}"
            keys.add(listed(made))
        found.append(made)
    return tuple(found)


def weights_of(cells: int, tables: int, shape: str, rng: np.random.Generator) -> list[list[int]]:
    """Tables of whole weights."""
    base = rng.integers(1, 100, cells)
    if shape == "rare cells":
        base = np.where(rng.random(cells) < 0.3, 1, base * 10_000)
    elif shape == "one likely":
        base[int(rng.integers(cells))] *= 1000 * cells
    tilt = float(rng.uniform(0.05, 1.5))
    found = []
    for _ in range(tables):
        table = np.maximum(1, np.round(base * 1000 * np.exp(tilt * rng.uniform(-0.5, 0.5, cells)))).astype(int)
        if shape == "support" and cells > 2 and tables > 1:
            table[rng.random(cells) < 0.1] = 0
            table[int(rng.integers(cells))] = 1000
        if shape == "one law":
            table = base * 1000
        if shape == "point mass":
            table = np.where(np.arange(cells) == 0, 1, 0)
        found.append([int(weight) for weight in table])
    return found


def claim_of(weights: Sequence[Sequence[int]], tables: set[tuple[int, int]]) -> Any:
    """The claim that these tables keep, with a little room."""
    epsilon, delta = 0.01, 0.0
    laws = [np.array(table, dtype=float) / sum(table) for table in weights]
    for one, other in tables:
        for p, q in ((laws[one], laws[other]), (laws[other], laws[one])):
            both = (p > 0) & (q > 0)
            if both.any():
                epsilon = max(epsilon, float(np.log(p[both] / q[both]).max()))
            delta = max(delta, float(p[q == 0].sum()))
    epsilon = epsilon * (1 + 1e-6) + 1e-6
    return PureDP(epsilon) if delta == 0.0 else ApproxDP(epsilon, min(0.999999, delta * (1 + 1e-6) + 1e-9))


def built(
    cells: int,
    kinds: Sequence[str],
    alone: Sequence[int],
    tables: int,
    shape: str,
    said: str,
    as_dict: bool,
    relation: str,
    lying: bool,
    times: float,
    seed: int,
) -> Case:
    """A learner of these properties; a lie only where its laws can hold one."""
    rng = np.random.default_rng(seed)
    as_dict = as_dict and said not in ("logs", "exact", "exact and logs")
    outputs = alphabet(cells, kinds, alone, as_dict)
    shape = "one law" if lying and shape in ("support", "point mass") else shape
    weights = weights_of(cells, tables, shape, rng)
    where, pairs = relation_of(relation, rng)
    numbers = [(number_of(left), number_of(right)) for left, right in pairs]
    claim = claim_of(weights, {(one % tables, other % tables) for one, other in numbers})
    told = tuple(tuple(table) for table in weights)
    if not lying:
        return Case(Mixed(outputs, told, said, as_dict), claim, where, relation)
    kind = KINDS[int(rng.integers(len(KINDS)))]  # hypothesis is fond of the first
    epsilon, delta = claim_point(claim)
    claim = PureDP(max(epsilon, float(rng.uniform(0.1, 2.0)))) if delta == 0.0 else claim
    known = sorted({number for pair in numbers for number in pair})
    some = {known[int(rng.integers(len(known)))]}
    if kind != "one dataset":
        some |= {number for number in known if rng.random() < 0.3}
    # a lie on both sides of every pair leaks nothing: at least one pair has one side only
    if not any((one in some) != (other in some) for one, other in numbers):
        some = {numbers[0][0]}
    extra: tuple[Any, ...] = ()
    place = int(rng.integers(cells))
    if kind == "outside":
        extra = ("nothing of the kind",)
    elif kind == "exception":
        extra = (ValueError("nothing of the kind"),)
    elif kind == "twin":
        order = [int(p) for p in rng.permutation(cells)]
        place = next((p for p in order if twin_of(outputs[p]) is not None), -1)
        if place < 0:
            extra, place = ("nothing of the kind",), 0
        else:
            extra = (twin_of(outputs[place]),)
    lies = [
        lie_of(kind, np.array(table, dtype=float), place, len(extra), times * claim_point(claim)[0], rng)
        for table in told
    ]
    learner = Mixed(outputs, told, said, as_dict, kind, extra, tuple(map(tuple, lies)), frozenset(some))
    return Case(learner, claim, where, relation)


def lie_of(kind: str, weights: Any, place: int, extra: int, leak: float, rng: np.random.Generator) -> list[float]:
    """What calls do instead of a law, over its outputs and one more where there is one."""
    law = weights / weights.sum()
    cells = np.arange(len(law))
    if kind in ("outside", "exception", "twin"):
        moved = float(law[place]) if kind == "twin" else float(rng.choice([0.3, 0.05, 0.01]))
        rest = law * (cells != place) if kind == "twin" else law * (1.0 - moved)
        return [*rest.tolist(), moved]
    if kind in ("never", "swapped"):
        found = law.copy()
        other = int(np.argmax(law))
        found[place], found[other] = (0.0, law[other] + law[place]) if place != other else (0.0, 0.0)
        if kind == "swapped" or found.sum() <= 0:
            found = np.roll(law, 1)
        return (found / found.sum()).tolist()
    if kind == "point mass":
        return np.where(cells == place, 1.0, 0.0).tolist()
    event = {
        "first half": cells < max(1, len(law) // 2),
        "every other": cells % 2 == 0,
        "some half": np.isin(cells, rng.permutation(len(law))[: max(1, len(law) // 2)]),
        "rare cell": cells == int(np.argmin(law)),
    }.get(kind, cells == place)
    if event.all() or not event.any():
        event = cells == 0
    inside = float(law[event].sum())
    # the event is e^(leak + epsilon of the laws) times likelier than any law says, or its complement that much rarer
    likelier = inside * math.exp(leak)
    aimed = likelier if likelier < 0.9 else 1.0 - (1.0 - inside) * math.exp(-leak)
    return np.where(event, law * (aimed / inside), law * ((1.0 - aimed) / (1.0 - inside))).tolist()


def cases(*, lying: bool) -> st.SearchStrategy[Case]:
    """Learners of any kind."""
    few, many = st.integers(2, 40), st.integers(100, 2000)
    return st.builds(
        built,
        cells=st.one_of(few, few, few, many),
        kinds=st.lists(st.sampled_from(sorted(MADE)), min_size=1, max_size=6, unique=True),
        alone=st.lists(st.integers(0, len(ALONE) - 1), max_size=6, unique=True),
        tables=st.integers(1, 5),
        shape=st.sampled_from(("even", "rare cells", "one likely", "support", "one law", "point mass")),
        said=st.sampled_from(SAID),
        as_dict=st.booleans(),
        relation=st.sampled_from(RELATIONS),
        lying=st.just(lying),
        times=st.floats(4.0, 7.0),
        seed=st.integers(0, 2**31),
    )
