"""How a tool is run: the outputs it may draw, what it answers, and the file in which its process leaves the answers.

Each tool has a module here, ``peers.NAME_audits``, that is run in the tool's own environment. It imports numpy, this
file, the mechanisms and the tool, and writes one line of JSON for each audit.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from peers.mechanisms import MECHANISMS, Mechanism, Outputs, by_name

#: The outputs that a tool may draw for one audit, everything included, and how many of them on one side.
BUDGET, SIDE = 200_000, 100_000
#: The probability of a wrong answer that is asked of every tool.
ALPHA = 0.05
#: The epsilons at which tools are asked that only say whether they reject one, in this order (4% apart from 0.3 on).
GRID = (0.1, 0.2, *(round(0.3 * 1.04**step, 4) for step in range(96)))


class Draws:
    """The outputs of one audit, counted: more than the budget cannot be had."""

    def __init__(self, mechanism: Mechanism, rng: np.random.Generator, budget: int = BUDGET) -> None:
        self.mechanism, self.rng = mechanism, rng
        self.left = budget

    def first(self, size: int) -> Outputs:
        """``size`` outputs on D."""
        self.count(size)
        return self.mechanism.on_first(size, self.rng)

    def second(self, size: int) -> Outputs:
        """``size`` outputs on D'."""
        self.count(size)
        return self.mechanism.on_second(size, self.rng)

    def count(self, size: int) -> None:
        """Charge outputs to the budget; for a tool that draws by itself."""
        if size > self.left:
            raise ValueError(f"size must be at most {self.left}, the outputs left of the budget, got {size}")
        self.left -= size


@dataclass(frozen=True)
class Answer:
    """What a tool said of one mechanism.

    ``epsilon_lower`` is its lower bound at 95%, ``seconds`` the processor seconds of the process, drawing included.
    """

    tool: str
    mechanism: str
    repetition: int
    seed: int
    epsilon_lower: float
    rejected: bool
    outputs: int
    seconds: float


Tool = Callable[[Mechanism, Draws, int], float]


def largest_rejected(rejects: Callable[[float], bool], grid: Sequence[float] = GRID) -> float:
    """The last epsilon of an ascending grid before the first that is not rejected, 0 where there is none.

    It is a lower bound at the level of the single tests, uncorrected: the hypotheses "at most x" are nested and
    tested in an order fixed beforehand, so the bound exceeds the truth only when the first true one is rejected
    (fixed-sequence testing). The tests may share their outputs.

    >>> largest_rejected(lambda x: x < 0.3, grid=(0.1, 0.2, 0.4))
    0.2
    """
    bound = 0.0
    for epsilon in grid:
        if not rejects(epsilon):
            break
        bound = epsilon
    return bound


def run(name: str, tool: Tool, mechanism: Mechanism, seed: int, repetition: int) -> Answer:
    """One audit on fresh outputs; its randomness depends on the seed, the tool, the mechanism and the repetition."""
    key = (zlib.crc32(name.encode()), zlib.crc32(mechanism.name.encode()), repetition)
    drawing, own = np.random.SeedSequence(seed, spawn_key=key).spawn(2)
    draws = Draws(mechanism, np.random.default_rng(drawing))
    began = time.process_time()
    bound = float(tool(mechanism, draws, int(own.generate_state(1)[0])))
    seconds = time.process_time() - began
    if math.isnan(bound):
        raise ValueError(f"{name} on {mechanism.name}: its bound is not a number")
    outputs = BUDGET - draws.left
    return Answer(name, mechanism.name, repetition, seed, bound, bound > mechanism.epsilon, outputs, seconds)


def read(path: Path) -> list[Answer]:
    """The answers in a file of JSON lines; none where there is no file. A last line that was cut off is left out."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [Answer(**json.loads(line)) for line in lines if line.endswith("\n")]


def main(tools: Mapping[str, Tool], arguments: Sequence[str] | None = None) -> int:
    """Run the tools of one environment, and append each answer to a file at once: what is there already is not run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", nargs="+", choices=list(tools), default=list(tools))
    parser.add_argument("--mechanisms", nargs="+", default=[mechanism.name for mechanism in MECHANISMS])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--repetitions", type=int, required=True)
    parser.add_argument("--answers", type=Path, required=True, metavar="FILE")
    given = parser.parse_args(arguments)
    done = {(answer.tool, answer.mechanism, answer.repetition, answer.seed) for answer in read(given.answers)}
    with given.answers.open("a", encoding="utf-8") as told:
        for repetition in range(given.repetitions):
            for name in given.mechanisms:
                for tool in given.tools:
                    if (tool, name, repetition, given.seed) in done:
                        continue
                    answer = run(tool, tools[tool], by_name(name), given.seed, repetition)
                    told.write(json.dumps(asdict(answer)) + "\n")
                    told.flush()
    return 0
