"""One audit in worker processes of this machine, in pools, and on real clusters that lose a worker: same verdict?

The same audit with the same seed is run by two workers of dpcheck's own, of ``concurrent.futures``, of joblib, of a
Dask cluster and of a Ray cluster on this machine, with a learner that costs nothing and with one that sleeps. Of the
clusters a worker is killed in the middle of a second run. Each verdict must be that of dpcheck's own workers, bit by
bit, but for what the clock says; what an audit takes longer is told by call. A cluster that is not installed is left
out, and said.

    python benchmarks/backends.py
    python benchmarks/backends.py --seed 7 --calls 100000 --slow 2000 --only dask
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

from bench import settings, show, write_json
from many_workers import Sleeps, audited

#: Workers of each.
WORKERS = 2
#: What is run, and the seconds after which a worker is killed.
Backend = tuple[dict[str, Any], Callable[[], None] | None]


class Quick(Sleeps):
    """A learner that takes no time."""

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        return float(sum(dataset) + rng.laplace())


@contextmanager
def own() -> Iterator[Backend]:
    """dpcheck's own workers."""
    yield {"jobs": WORKERS}, None


@contextmanager
def processes() -> Iterator[Backend]:
    """A pool of the standard library."""
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        yield {"executor": pool}, None


@contextmanager
def joblib() -> Iterator[Backend]:
    """joblib's."""
    from joblib import Parallel

    yield {"executor": Parallel(n_jobs=WORKERS)}, None


@contextmanager
def dask() -> Iterator[Backend]:
    """A Dask cluster on this machine."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        yield {"executor": client}, lambda: os.kill(next(iter(client.run(os.getpid).values())), 9)


@contextmanager
def ray() -> Iterator[Backend]:
    """A Ray cluster on this machine."""
    import psutil
    import ray as library

    def kill() -> None:
        names = ("ray::_called", "ray::IDLE")
        found = [
            one for one in psutil.process_iter(["cmdline"]) if "".join(one.info["cmdline"] or []).startswith(names)
        ]
        found[0].kill()

    library.init(num_cpus=WORKERS, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        yield {"executor": "ray://auto"}, kill
    finally:
        library.shutdown()


BACKENDS = {"own": own, "processes": processes, "joblib": joblib, "dask": dask, "ray": ray}
NEEDED = {"dask": "distributed", "ray": "ray", "joblib": "joblib"}


@dataclass(frozen=True)
class Line:
    """One audit: by whom, of which learner, whether a worker was killed, its seconds, and whether all was the same."""

    backend: str
    learner: str
    killed: bool
    calls: int
    seconds: float
    longer: float
    same: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Run each, print the table, and say whether all verdicts were the same."""
    began = time.monotonic()
    asked = settings(
        __doc__ or "",
        arguments,
        only=f"backends: {', '.join(BACKENDS)}",
        numbers={
            "calls": (100_000, "calls of the quick learner"),
            "slow": (2_000, "calls of the one that sleeps 10 ms"),
        },
    )
    part = 20 if asked.quick else 1
    learners = ((Quick(0.0), int(asked.numbers["calls"]) // part), (Sleeps(0.01), int(asked.numbers["slow"]) // part))
    wanted: dict[str, tuple[Any, float]] = {}
    found: list[Line] = []
    for name in dict.fromkeys(["own", *(asked.only or BACKENDS)]):
        if name in NEEDED and find_spec(NEEDED[name]) is None:
            print(f"{name}: left out, {NEEDED[name]} is not installed", flush=True)
            continue
        with BACKENDS[name]() as (given, kill):
            for learner, calls in learners:
                for killed in (False, True) if kill is not None and isinstance(learner, Sleeps) else (False,):
                    if killed and kill is not None:
                        threading.Timer(0.3 * wanted[type(learner).__name__][1], kill).start()
                    verdict, made, took = audited(learner, calls, asked.seed, **given)
                    first, alone = wanted.setdefault(type(learner).__name__, (verdict, took))
                    what = type(learner).__name__.lower()
                    found.append(Line(name, what, killed, made, took, (took - alone) / made, verdict == first))
                    print(f"{name}, {what}{' (a worker killed)' * killed}: {took:.1f} s", flush=True)
    rows = [
        (one.backend, one.learner, "yes" if one.killed else "", f"{one.calls:,}", f"{one.seconds:.1f}",
         f"{1e6 * one.longer:.0f}", "yes" if one.same else "NO")
        for one in found
    ]  # fmt: skip
    headings = (
        "workers of",
        "learner",
        "one killed",
        "calls",
        "seconds",
        "longer a call (microseconds)",
        "same verdict",
    )
    show("Backends", headings, rows, left=2)
    same = all(one.same for one in found)
    write_json(asked, began, same, {"lines": [asdict(one) for one in found]})
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
