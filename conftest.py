"""Tests and properties find the modules of ``benchmarks/``, and each statistical one has a fresh seed.

The seed is printed in the header and on failure, and repeated with ``--seed``. ``benchmarks/flakiness.py`` runs the
tests that draw at random on many seeds.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import sys
import zlib
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

# One of them is named as the package that pytest-cov is made of: that has to come first.
with contextlib.suppress(ImportError):
    import coverage  # noqa: F401

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

# Examples take as long as the machine is busy: a time limit per example would be a flaky test.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")

#: Seconds of a case of each test that takes 0.3 s or more, as `benchmarks/slowest.py` measured them.
SECONDS = Path(__file__).parent / "tests" / "seconds.json"
#: From so many seconds on, a test is in one run of so many.
TURNS_FROM = ((15.0, 20), (4.0, 12), (1.5, 8), (0.7, 5), (0.3, 4))

_SEED = pytest.StashKey[int]()
#: How often tests that draw at random are run, where that is asked for: all other tests are left out then.
_TIMES = pytest.StashKey[dict[str, int]]()
_ROUND = re.compile(r"(\[)round\d+-|-round\d+(?=[-\]])|\[round\d+\]")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=None, help="seed of the statistical tests (a fresh one by default)")
    parser.addoption(
        "--times",
        metavar="FILE",
        default=None,
        help="run the tests that draw at random alone, each as often as this JSON file says: {test: times}",
    )


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get("seed", config.getoption("--seed"))
    config.stash[_SEED] = secrets.randbits(32) if given is None else given
    times = config.getoption("--times")
    if times is not None:
        config.stash[_TIMES] = json.loads(Path(times).read_text(encoding="utf-8"))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["seed"] = node.config.stash[_SEED]  # every worker of xdist has the seed of the header


def pytest_report_header(config: pytest.Config) -> str:
    return f"statistical tests: --seed {config.stash[_SEED]}"


def draws(test: Any) -> bool:
    """Whether a test, or the function of one, draws at random: by the seed of the run, or as a property."""
    return "seed" in test.fixturenames or hasattr(test.function, "hypothesis")


def plain_name(name: str) -> str:
    """The name of a test without the number of its round.

    >>> plain_name("test_a[round3]"), plain_name("test_a[round3-b]"), plain_name("test_a[b-round3-c]")
    ('test_a', 'test_a[b]', 'test_a[b-c]')
    """
    return _ROUND.sub(r"\1", name)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    times = metafunc.config.stash.get(_TIMES, None)
    if times is not None and draws(metafunc):
        metafunc.fixturenames.append("round_number")
        rounds = range(times.get(metafunc.definition.nodeid, 1))
        metafunc.parametrize("round_number", rounds, indirect=True, ids=[f"round{number}" for number in rounds])


@pytest.fixture
def round_number(request: pytest.FixtureRequest) -> int:
    """The round of a test that is run many times: the runs' seed grows by it."""
    return int(getattr(request, "param", 0))


def drawn(cases: Sequence[str], count: int, seed: int) -> set[str]:
    """So many of the cases of one test, others in every run: what is left out of one run is in another."""
    if len(cases) <= count:
        return set(cases)
    rng = np.random.default_rng([seed, zlib.crc32(cases[0].partition("[")[0].encode())])
    return {cases[number] for number in rng.choice(len(cases), count, replace=False)}


def turns_of(seconds: float) -> int:
    """In one of how many runs of all tests a test is that takes so long: the longer, the more rarely.

    >>> [turns_of(seconds) for seconds in (0.1, 0.5, 2.0, 30.0)]
    [1, 4, 8, 20]
    """
    return next((turns for least, turns in TURNS_FROM if seconds >= least), 1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test marked ``some(count)`` so many cases are run, drawn by the run's seed; the others become ``extra``.

    So do, in a run of all tests, those marked ``turns(runs)``, but for one part in ``runs``, drawn likewise: they were
    chosen by what they cost alone, so that what one of them catches may be caught a run or two later. Others, the drawn
    cases of one test too, take turns by their seconds, but for those marked ``every_run``: what holds files that are
    made to what they are made from.
    """
    if _TIMES in config.stash:
        kept = [item for item in items if isinstance(item, pytest.Function) and draws(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept
        return
    if any("::" in argument for argument in config.args):
        return  # asked for by name
    cases: dict[tuple[str, int], list[pytest.Item]] = {}
    for item in items:
        some = item.get_closest_marker("some")
        if some is not None and item.get_closest_marker("extra") is None:
            cases.setdefault((item.nodeid.partition("[")[0], some.args[0]), []).append(item)
    _take(config, [(found, count) for (_, count), found in cases.items()])
    if any(Path(argument).is_file() for argument in config.args):
        return
    in_turn: dict[int, list[pytest.Item]] = {}
    seconds = json.loads(SECONDS.read_text(encoding="utf-8"))
    for item in items:
        turns = item.get_closest_marker("turns")
        if item.get_closest_marker("extra") is None:
            marked = turns.args[0] if turns is not None else 1
            by_seconds = turns_of(seconds.get(item.nodeid.partition("[")[0], 0.0))
            runs = marked if item.get_closest_marker("every_run") is not None else max(marked, by_seconds)
            if runs > 1:
                item.add_marker(pytest.mark.turns(runs))  # so that ``-m turns`` finds it
                in_turn.setdefault(runs, []).append(item)
    _take(config, [(found, -(-len(found) // runs)) for runs, found in in_turn.items()])


def _take(config: pytest.Config, parts: Sequence[tuple[Sequence[pytest.Item], int]]) -> None:
    """Of each part so many tests are run, drawn by the run's seed; the others become ``extra``."""
    for found, count in parts:
        taken = drawn([item.nodeid for item in found], count, config.stash[_SEED])
        for item in found:
            if item.nodeid not in taken or config.getoption("markexpr") == "extra":
                item.add_marker(pytest.mark.extra)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and "seed" in getattr(item, "fixturenames", ()):
        report.sections.append(("seed", f"repeat with --seed {_seed_of(item)}"))
    return report


def _seed_of(item: Any) -> int:
    callspec = getattr(item, "callspec", None)
    number = callspec.params.get("round_number", 0) if callspec is not None else 0
    return int(item.config.stash[_SEED] + number)


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A seed of this test's own: fresh in every run, another one in every test."""
    return (_seed_of(request.node) << 32) + zlib.crc32(plain_name(request.node.nodeid).encode())


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)
