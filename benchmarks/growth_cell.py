"""The cells of ``growth.py``, each in a process of its own, so that its memory is its own: a line of JSON for a line.

It uses what any version of dpcheck has, so that an older checkout can be measured by the same lines (``PYTHONPATH``).
"""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
from numpy.random import Generator  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

#: Memory that a cell may take, in bytes.
MOST_MEMORY = 4 << 30
#: Outputs of the runs before the measured ones.
WARM_OUTPUTS = 400

#: What a sampler draws: (record, size, rng) -> outputs.
Sampler = Callable[[int, int, Generator], Any]


def numbers(record: int, size: int, rng: Generator) -> NDArray[Any]:
    """The record plus Laplace noise."""
    return record + rng.laplace(size=size)


def vectors(width: int) -> Sampler:
    """The record plus Laplace noise, and numbers that say nothing: drawn as fast as can be."""

    def draw(record: int, size: int, rng: Generator) -> NDArray[Any]:
        found = rng.random((size, width))
        found[:, 0] = record + rng.laplace(size=size)
        return found

    return draw


def dictionaries(record: int, size: int, rng: Generator) -> list[dict[str, Any]]:
    """Dictionaries of two numbers, a list of two, and one of two words."""
    rows = rng.laplace(size=(size, 4)).tolist()
    words = np.where(rng.random(size) < 0.73, "yes", "no").tolist()
    return [
        {"mean": one + record, "size": two, "weights": rest, "label": word}
        for (one, two, *rest), word in zip(rows, words, strict=True)
    ]


def sets(record: int, size: int, rng: Generator) -> list[frozenset[int]]:
    """Sets of some of eight whole numbers."""
    there = rng.random((size, 8)) < 0.5 + 0.1 * record
    return [frozenset(np.flatnonzero(row).tolist()) for row in there]


def texts(record: int, size: int, rng: Generator) -> list[str]:
    """Sentences with a number."""
    return [f"the answer is {value:.3f} today" for value in (record + rng.laplace(size=size)).tolist()]


FORMS: dict[str, Sampler] = {"dictionaries": dictionaries, "sets": sets, "texts": texts, "numbers": numbers}


class Timed:
    """A sampler that adds up its own processor seconds."""

    def __init__(self, draw: Sampler) -> None:
        self.draw, self.seconds = draw, 0.0

    def __call__(self, dataset: Any, size: int, rng: Generator) -> Any:
        """``size`` outputs."""
        began = time.process_time()
        found = self.draw(dataset[0], size, rng)
        self.seconds += time.process_time() - began
        return found


def run(door: str, draw: Sampler, outputs: int, pairs: int, seed: int) -> tuple[float, float, int, float]:
    """The harness's own processor seconds, all seconds by the wall clock, the outputs it drew, and its bound."""
    import dpcheck

    timed = Timed(draw)
    learner = dpcheck.from_sampler(lambda data, size, rng: timed(data, size, rng))
    common: dict[str, Any] = {
        "pairs": [([0, extra], [1, extra]) for extra in range(pairs)],
        "max_samples": outputs,
        "max_seconds": 3600.0,
        "isolation": "none",
        "seed": seed,
    }
    began, wall = time.process_time(), time.perf_counter()
    found: Any
    if door == "measure":
        found = dpcheck.measure(learner, **common)
    else:  # at its claim, so that nothing ends it early
        found = dpcheck.audit(learner, 1.5, detect=None, **common)
    own = time.process_time() - began - timed.seconds
    return own, time.perf_counter() - wall, int(found.samples), float(found.epsilon_lower)


def forked(asked: dict[str, Any], most_seconds: float) -> dict[str, Any]:
    """One cell in a fork of this process, in which everything is loaded: its memory is its own, and can be too much."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
            signal.alarm(math.ceil(most_seconds))
            draw = FORMS.get(asked["form"]) or vectors(asked["coordinates"])
            own, wall, made, bound = run(asked["door"], draw, asked["outputs"], asked["pairs"], asked["seed"])
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # Linux counts in KiB
            told = {"own": own, "wall": wall, "outputs": made, "bound": bound, "peak": peak}
        except MemoryError:
            told = {"out_of_memory": True}
        except BaseException as error:
            told = {"error": repr(error)}
        os.write(writing, json.dumps(told).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if text:
        found: dict[str, Any] = json.loads(text)
        return found
    return {"given_up": True} if os.waitstatus_to_exitcode(status) == -signal.SIGALRM else {"out_of_memory": True}


def main() -> int:
    """A line of JSON for each line that asks for a cell."""
    for door in ("measure", "audit"):  # loads and makes what a run needs
        for draw in (numbers, vectors(3), dictionaries):
            run(door, draw, WARM_OUTPUTS, 1, 0)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(forked(asked, asked["most_seconds"])), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
