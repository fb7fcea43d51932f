"""What the benchmarks share: their options, seeds, processes, intervals, tables and the JSON they leave."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from importlib import metadata
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

# Both doors are imported at once, not at their first use: source files that change during a long run do no harm then.
import dpcheck.privacy.run.audit
import dpcheck.privacy.run.measure  # noqa: F401
from dpcheck.model.verdict.record import environment
from dpcheck.privacy.statistics.evidence import binomial_lower, binomial_upper

#: Each worker is one thread: threads of linear algebra would fight over the cores that ``--jobs`` hands out.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
#: A table is written to files and CI logs as wide as it needs; on a terminal rich knows better.
FILE_WIDTH = 150
#: Where there is no terminal, a line is printed each time this part of the work is done.
LINE_PART = 0.1
#: Extras whose versions a result may depend on.
EXTRAS = ("scikit-learn", "diffprivlib")

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Settings:
    """What was asked for on the command line."""

    seed: int
    jobs: int
    quick: bool
    json: Path | None
    only: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)
    kept: Path | None = None


def settings(
    description: str,
    arguments: Sequence[str] | None = None,
    *,
    only: str = "",
    numbers: Mapping[str, tuple[float, str]] | None = None,
    kept: str = "",
) -> Settings:
    """Read the command line; without ``--seed`` take fresh entropy, and print it.

    ``only`` says what an option of that name picks, where a benchmark can run a part of its rows; ``numbers`` are
    options of its own, above 0: the default (of its type) and the help of each; ``kept`` says what is kept in a file
    from run to run, where a benchmark goes on from there.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--seed", type=_seed, default=None, help="all randomness comes from it (default: fresh)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes; results do not depend on it (2)")
    parser.add_argument("--quick", action="store_true", help="few runs: does it work? (the rules are not for these)")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="write every cell to this file")
    if only:
        parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help=only)
    if kept:
        parser.add_argument("--kept", type=Path, default=None, metavar="FILE", help=kept)
    for name, (default, words) in (numbers or {}).items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{words} ({default:g})")
    given = parser.parse_args(arguments)
    for name in numbers or {}:
        if not getattr(given, name) > 0:
            parser.error(f"--{name} must be above 0, got {getattr(given, name):g}")
    if given.jobs < 1:
        parser.error(f"--jobs must be at least 1, got {given.jobs}")
    for option in ("json", "kept"):
        file = getattr(given, option, None)
        if file is not None and not file.resolve().parent.is_dir():
            parser.error(f"--{option} must be in a directory that exists, got {file}")
    seed = given.seed if given.seed is not None else int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    print(f"seed: {seed}", flush=True)
    return Settings(
        seed,
        given.jobs,
        given.quick,
        given.json,
        tuple(given.only) if only else (),
        {name: getattr(given, name) for name in numbers or {}},
        given.kept if kept else None,
    )


def _seed(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 0, got {text}")
    return value


def child_seed(seed: int, *key: int) -> int:
    """The seed of one run: it depends on the benchmark's seed and the run's key alone."""
    return int(np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0])


def spread(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    jobs: int,
    title: str,
    size: Callable[[Task], int] = lambda task: 1,
) -> list[Result]:
    """The results of all tasks, in their order, with a progress bar on stderr (in a log a line now and then).

    Parameters
    ----------
    function : callable, at the top level of its module
    tasks : sequence of picklable tasks
    jobs : int, processes; 1 works in this one
    title : str
    size : callable, how many runs a task holds
    """
    results: dict[int, Result] = {}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    total, told = sum(size(task) for task in tasks), 0.0
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task(title, total=total)

        def advance(place: int) -> None:
            nonlocal told
            progress.advance(bar, size(tasks[place]))
            done = progress.tasks[bar].completed
            if not progress.console.is_terminal and done >= told + LINE_PART * total:
                told = done
                print(f"{title}: {done:,.0f} of {total:,}", file=sys.stderr, flush=True)

        if jobs == 1:
            for place, task in enumerate(tasks):
                results[place] = function(task)
                advance(place)
        else:
            for name in ONE_THREAD:
                os.environ.setdefault(name, "1")
            with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
                futures = {pool.submit(function, task): place for place, task in enumerate(tasks)}
                try:
                    for future in as_completed(futures):
                        place = futures[future]
                        results[place] = future.result()
                        advance(place)
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
    return [results[place] for place in range(len(tasks))]


@dataclass(frozen=True)
class Rate:
    """A count of events in independent runs, with its Clopper-Pearson interval."""

    events: int
    runs: int
    low: float
    high: float

    @staticmethod
    def of(events: int, runs: int, level: float) -> Rate:
        """The interval that misses the truth with probability at most ``level``, half of it on either side."""
        low = float(binomial_lower(events, runs, level / 2.0))
        high = float(binomial_upper(events, runs, level / 2.0))
        return Rate(events, runs, low, high)

    @property
    def share(self) -> float:
        """Events per run."""
        return self.events / self.runs

    def __str__(self) -> str:
        return f"{self.events}/{self.runs} = {self.share:.2%} [{self.low:.2%}, {self.high:.2%}]"


def show(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> None:
    """Print a table; the first ``left`` columns are text, the others numbers. A cell "FAILS" or "misses" is red."""
    table = Table(title=title, title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < left else "right", overflow="fold")
    for row in rows:
        table.add_row(*(f"[bold red]{cell}[/]" if cell in ("FAILS", "misses") else cell for cell in row))
    console = Console(width=None if sys.stdout.isatty() else FILE_WIDTH, highlight=False)
    console.print(table)


def write_json(
    settings: Settings,
    began: float,
    passed: bool,
    cells: dict[str, Any],
    views: Mapping[str, Callable[[dict[str, Any]], str]] | None = None,
) -> None:
    """Write the command, the versions, and every cell, when a file was asked for; beside it the views, by suffix.

    A view is made of what was written and read again, and so of the record alone.
    """
    if settings.json is None:
        return
    document = {
        "command": shlex.join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *_arguments(settings.json)]),
        "seed": settings.seed,
        "jobs": settings.jobs,
        "quick": settings.quick,
        "seconds": round(time.monotonic() - began, 1),
        "versions": {**asdict(environment()), **_extras(), "commit": _commit()},
        "processor": platform.processor() or platform.machine(),
        "passed": passed,
        **cells,
    }
    settings.json.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    written = json.loads(settings.json.read_text(encoding="utf-8"))
    for suffix, view in (views or {}).items():
        settings.json.with_suffix(suffix).write_text(view(written), encoding="utf-8")
    print(f"written: {settings.json}")


def _arguments(report: Path) -> list[str]:
    """The command line's arguments, without the folders of whoever ran it."""
    named = [f"reports/{report.name}" if argument.endswith(report.name) else argument for argument in sys.argv[1:]]
    return [Path(argument).name if Path(argument).is_absolute() else argument for argument in named]


def _extras() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in EXTRAS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def _commit() -> str:
    """The commit that was run, with "-dirty" when files differ from it; empty outside a clone."""
    asked = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
