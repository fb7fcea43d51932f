"""Learners whose declared law is not that of their calls, in every way that hypothesis draws, and honest ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

#: The places a lie can stand in.
KINDS = ("cell", "one dataset", "outside", "parity", "order", "form")
#: Outputs that are equal and can be told apart.
FORMS: tuple[tuple[Any, Any], ...] = (
    (0.0, -0.0),
    (0.5, Fraction(1, 2)),
    ([1], (1,)),
    (np.array([1]), [1]),
    (frozenset({1}), frozenset({True})),
    ("a", np.str_("a")),
    (b"a", np.bytes_(b"a")),
    (1, True),
    (1, 1.0),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (np.array([1], dtype=np.int32), np.array([1])),
    ((0.0, 1), (-0.0, 1)),
)


@dataclass(frozen=True)
class Told:
    """Declares randomised response over ``cells`` answers; calls leak ``leak`` nats where ``kind`` says.

    ``kind`` "fair" does as declared. Every lie makes an event ``e^leak`` times likelier on one side of a pair than on
    the other, and is nothing that the law shows.
    """

    kind: str
    cells: int
    epsilon: float
    leak: float
    where: int
    form: int = 0
    records: int = 1

    def law(self, dataset: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        weights = np.ones(self.cells)
        weights[int(dataset[0]) % self.cells] = math.exp(self.epsilon / 2)
        return weights / weights.sum()

    def distribution(self, dataset: Any) -> dict[Any, float]:
        chances = self.law(dataset)
        return {place: float(chance) for place, chance in enumerate(chances / chances.sum())}

    def told(self, dataset: Any) -> bool:
        """Whether this dataset is one on which it lies."""
        if self.kind == "one dataset":
            return sum(int(bit) << place for place, bit in enumerate(dataset)) == self.where % 2**self.records
        return int(dataset[0]) == 1

    def __call__(self, dataset: Any, rng: Any) -> Any:
        chances = self.law(dataset)
        if self.kind in ("fair", "form") or not self.told(dataset):
            drawn = int(rng.choice(self.cells, p=chances))
            if self.kind != "form" or drawn != self.where % self.cells:
                return drawn
            return np.bool_(drawn) if self.told(dataset) else drawn
        if self.kind == "outside":  # an answer that the law does not know, rarely
            return self.cells + 1 if rng.random() < 0.02 else int(rng.choice(self.cells, p=chances))
        place = np.arange(self.cells)
        event = {
            "cell": place == self.where % self.cells,
            "one dataset": place == self.where % self.cells,
            "parity": place % 2 == 1,
            "order": place >= self.cells // 2,
        }[self.kind]
        tilted = tilted_to(chances, event, self.leak)
        return int(rng.choice(self.cells, p=tilted))

    def difference(self, dataset: Any) -> float:
        """The total variation between its calls and its law, where the lie is one of probabilities."""
        place = np.arange(self.cells)
        event = {"parity": place % 2 == 1, "order": place >= self.cells // 2}.get(
            self.kind, place == self.where % self.cells
        )
        chances = self.law(dataset)
        return float(np.abs(tilted_to(chances, event, self.leak) - chances).sum() / 2)


def tilted_to(chances: Any, event: Any, leak: float) -> Any:
    """A law in which an event is ``e^leak`` times likelier, or, if it was too likely, its complement rarer."""
    inside = float(chances[event].sum())
    likelier = inside * math.exp(leak)
    aimed = likelier if likelier < 0.95 else 1.0 - (1.0 - inside) * math.exp(-leak)
    found = np.where(event, chances * (aimed / inside), chances * ((1.0 - aimed) / (1.0 - inside)))
    return found / found.sum()


@dataclass(frozen=True)
class InForms:
    """Declares one output and gives it in one form or the other, as the last record says, with a coin besides."""

    form: int
    leaking: bool = True

    def __call__(self, dataset: Any, rng: Any) -> Any:
        if rng.random() < 0.5:
            return "nothing"
        return FORMS[self.form][int(dataset[-1]) if self.leaking else 0]

    def distribution(self, dataset: Any) -> Any:
        from dpcheck import Law

        return Law(["nothing", FORMS[self.form][0]], exact=[Fraction(1, 2), Fraction(1, 2)])


def liars() -> st.SearchStrategy[Told]:
    """Learners that leak at least three times their claim."""
    return st.builds(
        lambda kind, cells, epsilon, times, where, records: Told(
            kind, cells, epsilon, (times + 1.0) * epsilon, where, records=records if kind == "one dataset" else 1
        ),
        st.sampled_from(KINDS[:-1]),
        st.integers(2, 40),
        st.floats(0.1, 2.0),
        st.floats(3.0, 6.0),
        st.integers(0, 63),
        st.integers(1, 6),
    )


def honest() -> st.SearchStrategy[Told]:
    """Learners whose calls follow their law."""
    return st.builds(
        lambda cells, epsilon, records: Told("fair", cells, epsilon, 0.0, 0, records=records),
        st.integers(2, 40),
        st.floats(0.1, 2.0),
        st.integers(1, 4),
    )
