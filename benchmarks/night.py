"""A night of ten thousand learners on a thousand workers, simulated: what does it take, and what breaks first?

Calls go through the executor that runs them on a cluster (``dpcheck.execution.calls_elsewhere``), as the command line
hands them over with ``--backend``; the cluster is a simulated one. Each of its workers takes a call, is at it for as
long as was drawn for it (lognormal, mean ``--minutes``; hours are shortened ``--faster`` times) and gives the verdict
of a real audit, packed; now and then a worker is lost with its call, and comes back. All of what the coordinator does
is real: the queue, the waiting, unpacking and keeping every verdict. One real audit says what a verdict and a journal
weigh.

Told are the seconds of the clock beside the ideal ones, the processor seconds of the coordinator, its memory, and how
often calls were told (once each). The largest number of verdicts a second is measured with calls that take no time: it
says how many workers a coordinator can feed.

    python benchmarks/night.py
    python benchmarks/night.py --seed 7 --targets 2000 --workers 200 --json reports/night.json
"""

from __future__ import annotations

import heapq
import pickle
import resource
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench import settings, show, write_json

import dpcheck
from dpcheck.execution.executor import Executor
from dpcheck.execution.function_calls import Call, Ended


def noisy(dataset: Sequence[float], rng: Any) -> float:
    """A learner: a sum with noise."""
    return float(sum(dataset) + rng.laplace())


class SimulatedCluster:
    """Workers that are at a call for as long as was drawn for it, all by one thread and one clock.

    Parameters
    ----------
    workers : int
    seconds : of each call, in the order in which calls are submitted first
    lost : float, the part of calls with which a worker is lost, each time they are made
    verdict : bytes, what each call gives
    """

    def __init__(self, workers: int, seconds: Sequence[float], lost: float, verdict: bytes, seed: int) -> None:
        self._max_workers = workers
        self.losses = 0
        self._seconds, self._lost, self._verdict = seconds, lost, verdict
        self._rng = np.random.default_rng(seed)
        self._free, self._queue = workers, deque[tuple[Future[Any], int]]()
        self._running: list[tuple[float, int, Future[Any], bool]] = []
        self._changed, self._ended, self._count = threading.Condition(), False, 0
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        """Begin a call once a worker is free."""
        future: Future[Any] = Future()
        call = arguments[0]
        pickle.dumps((function, arguments))  # as a cluster does
        with self._changed:
            self._queue.append((future, call.arguments[0]))
            self._changed.notify()
        return future

    def end(self) -> None:
        """No more calls."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join()

    def _live(self) -> None:
        while True:
            with self._changed:
                now = time.monotonic()
                while self._queue and self._free:
                    future, place = self._queue.popleft()
                    gone = bool(self._rng.random() < self._lost)
                    self._count += 1
                    until = now + self._seconds[place] * (self._rng.random() if gone else 1.0)
                    heapq.heappush(self._running, (until, self._count, future, gone))
                    self._free -= 1
                if not self._running or self._running[0][0] > now:
                    if self._ended and not self._running:
                        return
                    self._changed.wait(None if not self._running else self._running[0][0] - now)
                    continue
                _, _, future, gone = heapq.heappop(self._running)
                self._free += 1
                self.losses += gone
            if gone:
                future.set_exception(ConnectionError("a worker is gone"))
            else:
                future.set_result((1.0, pickle.loads(self._verdict), None, ""))


@dataclass(frozen=True)
class Night:
    """What came of a simulated night; megabytes are what the coordinator grew by."""

    workers: int
    targets: int
    told: int
    lost: int
    seconds: float
    ideal: float
    processor: float
    megabytes: float


def verdict_and_journal(calls: int, seed: int) -> tuple[bytes, int, float]:
    """A real verdict, packed; the bytes of its journal; and the seconds of its audit."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        verdict = dpcheck.audit(
            noisy, 1.0, pairs=[([0], [1])], max_samples=calls, detect=1.5, seed=seed, journal=Path(folder), name="noisy"
        )
        took = time.monotonic() - began
        return pickle.dumps(verdict), sum(file.stat().st_size for file in Path(folder).iterdir()), took


def night(workers: int, seconds: Sequence[float], lost: float, verdict: bytes, seed: int) -> Night:
    """All calls through the executor, on one simulated cluster."""
    cluster = SimulatedCluster(workers, seconds, lost, verdict, seed)
    calls = [Call(noisy, (place,), f"target {place}") for place in range(len(seconds))]
    before, began, processor = _memory(), time.monotonic(), time.process_time()
    told: dict[int, list[Any]] = {}
    for event in Executor(elsewhere=cluster).run(calls):
        if isinstance(event, Ended):
            told.setdefault(event.place, []).append(event.value)
    took, used = time.monotonic() - began, time.process_time() - processor
    cluster.end()
    once = sum(1 for values in told.values() if len(values) == 1 and values[0] is not None)
    ideal = max(sum(seconds) / workers, max(seconds, default=0.0))
    return Night(workers, len(seconds), once, cluster.losses, took, ideal, used, _memory() - before)


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def page(record: Mapping[str, Any]) -> str:
    """The night in words and a table, as Markdown."""
    cells = record["cells"]
    rows = "\n".join(
        f"| {one['workers']:,} | {one['targets']:,} | {one['told']:,} | {one['lost']:,} | {one['seconds']:.1f} | "
        f"{one['ideal']:.1f} | {one['processor']:.1f} | {one['megabytes']:.0f} |"
        for one in cells["nights"]
    )
    weight = f"A verdict of {cells['calls']:,} calls is {cells['verdict']:,} bytes packed"
    most = f"{cells['a second']:,.0f} verdicts a second are the most that one coordinator takes"
    fed = f"{cells['fed']:,.0f} workers with audits of {cells['minutes']:g} minutes"
    return f"""# A night of many learners, simulated

| workers | targets | told once | lost with a worker | seconds | ideal | processor seconds | megabytes |
| --- | --- | --- | --- | --- | --- | --- | --- |
{rows}

Hours are shortened {cells["faster"]:,} times; the last line has calls that take no time.
{most}: it feeds {fed}.
{weight}, a journal of them {cells["journal"]:,} bytes ({cells["journal"] / cells["calls"]:.1f} a call).
The processor is that of the simulated cluster too, which shares the process.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, print, and say whether each target was told once."""
    began = time.monotonic()
    asked = settings(
        __doc__ or "",
        arguments,
        numbers={
            "targets": (10_000, "learners"),
            "workers": (1_000, "workers"),
            "minutes": (5.0, "minutes of an audit, on average"),
            "faster": (100, "so many times faster than the clock"),
            "lost": (0.01, "part of the calls with which a worker is lost"),
            "calls": (20_000, "calls of the one real audit"),
        },
    )
    given = {
        name: asked.numbers[name] / (20 if asked.quick and name in ("targets", "workers") else 1)
        for name in asked.numbers
    }
    targets, workers = int(given["targets"]), int(given["workers"])
    verdict, journal, took = verdict_and_journal(int(given["calls"]), asked.seed % 2**32)
    rng = np.random.default_rng(asked.seed)
    drawn = rng.lognormal(0.0, 1.0, targets)
    seconds = (drawn * given["minutes"] * 60 / np.exp(0.5) / given["faster"]).tolist()
    nights = [
        night(workers, seconds, given["lost"], verdict, asked.seed),
        night(workers, [0.0] * targets, 0.0, verdict, asked.seed),
    ]
    a_second = nights[-1].told / nights[-1].seconds
    rows = [
        (
            *(f"{count:,}" for count in (one.workers, one.targets, one.told, one.lost)),
            *(f"{time:.1f}" for time in (one.seconds, one.ideal, one.processor)),
            f"{one.megabytes:.0f}",
        )
        for one in nights
    ]
    headings = ("workers", "targets", "told once", "lost", "seconds", "ideal", "processor seconds", "megabytes")
    show("A night", headings, rows)
    fed = a_second * given["minutes"] * 60
    print(f"{a_second:,.0f} verdicts a second: {fed:,.0f} workers with audits of {given['minutes']:g} minutes")
    print(f"one real audit: {took:.1f} s; its verdict {len(verdict):,} bytes, its journal {journal:,} bytes")
    cells = {
        "nights": [asdict(one) for one in nights],
        "faster": int(given["faster"]),
        "minutes": given["minutes"],
        "calls": int(given["calls"]),
        "a second": a_second,
        "fed": fed,
        "verdict": len(verdict),
        "journal": journal,
    }
    passed = all(one.told == one.targets for one in nights)
    write_json(asked, began, passed, cells, {".md": page})
    return 0 if passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
