"""The paper's learners that are tried, and beside them the worst ones for a claim, and ones that do not keep it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.wang2016.learners import FiniteProblem, OptimalPrivateLearner, RegularisedExponential
from dpcheck.papers.wang2016.trials.exact import THREE, TWO


def papers_own(epsilon: float, size: int) -> dict[str, tuple[Any, FiniteProblem]]:
    """The paper's learners from ``size`` records over two and three hypotheses, each with its problem."""
    return {
        "wang2016.regularised, two hypotheses": (RegularisedExponential(TWO, [0, 1], epsilon), TWO),
        "wang2016.regularised, three hypotheses": (RegularisedExponential(THREE, [0.0, 0.5, 1.0], epsilon), THREE),
        "wang2016.generic": (OptimalPrivateLearner(TWO, epsilon, size), TWO),
    }


@dataclass(frozen=True)
class Notices:
    """Says whether a record 1 was seen, by randomised response with e^epsilon = ``ratio``; tells all with ``delta``.

    Of all (epsilon, delta)-DP learners it gains least by subsampling: the amplification bound is attained. Without a
    ratio it says it plainly, and keeps no claim but (0, gamma) on a sample.
    """

    ratio: Fraction | None = Fraction(2)
    delta: Fraction = Fraction(0)
    order_blind: ClassVar[bool] = True

    @property
    def claim(self) -> PureDP | ApproxDP | None:
        """As it says."""
        if self.ratio is None:
            return None
        return ApproxDP(PureDP(ratio=self.ratio).epsilon_value, self.delta) if self.delta else PureDP(ratio=self.ratio)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """The exact law, in fractions: 0, 1, and "seen" for sure."""
        seen = int(any(int(z) == 1 for z in dataset))
        if self.ratio is None:
            return {seen: Fraction(1)}
        true = self.ratio / (1 + self.ratio) * (1 - self.delta)
        found: dict[Any, Fraction] = {seen: true, 1 - seen: 1 - self.delta - true}
        if self.delta:
            found["seen" if seen else "nothing seen"] = self.delta
        return found

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One answer."""
        law = self.distribution(dataset)
        return list(law)[int(rng.choice(len(law), p=[float(p) for p in law.values()]))]


@dataclass(frozen=True)
class Response:
    """The only record, 0 or 1, kept with probability ``(ratio + delta)/(1 + ratio)``: (epsilon, delta)-DP, no less.

    The most unstable of all such learners.
    """

    ratio: Fraction
    delta: Fraction = Fraction(0)
    order_blind: ClassVar[bool] = True

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        """The exact law, in fractions."""
        kept = (self.ratio + self.delta) / (1 + self.ratio)
        seen = int(dataset[0])
        return {seen: kept, 1 - seen: 1 - kept}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        """One answer."""
        return int(dataset[0]) ^ int(rng.random() >= float((self.ratio + self.delta) / (1 + self.ratio)))


@dataclass(frozen=True)
class Returns:
    """The sample itself, in order: it hides nothing, whatever it is run on."""

    order_blind: ClassVar[bool] = False

    def distribution(self, dataset: Any) -> dict[tuple[Any, ...], Fraction]:
        """All on one output."""
        return {tuple(int(z) for z in dataset): Fraction(1)}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """The sample."""
        return tuple(int(z) for z in dataset)


@dataclass(frozen=True)
class Differing:
    """On two binary records: "bad" with probability 1/4 if they are equal, 1/2 if not; log(2)-DP.

    Its subsampled version is worse on a dataset of four records than it is under any distribution.

    Source: wang2016:lem-10, L10.stmt.
    """

    order_blind: ClassVar[bool] = True

    def distribution(self, dataset: Any) -> dict[str, Fraction]:
        """The exact law."""
        bad = Fraction(1, 4) if int(dataset[0]) == int(dataset[1]) else Fraction(1, 2)
        return {"good": 1 - bad, "bad": bad}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> str:
        """One answer."""
        return "bad" if rng.random() < float(self.distribution(dataset)["bad"]) else "good"


@dataclass(frozen=True)
class Minimiser:
    """A minimiser of the empirical risk, the first of those that tie: not private."""

    problem: Any
    order_blind: ClassVar[bool] = True

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """All on one hypothesis."""
        return {self.problem.minimisers(dataset)[0]: Fraction(1)}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """The minimiser."""
        return self.problem.minimisers(dataset)[0]
