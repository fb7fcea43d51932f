"""Tests and properties find the modules of ``benchmarks/``, and each statistical one has a fresh seed.

The seed is printed in the header and on failure, and repeated with ``--seed``.
"""

from __future__ import annotations

import contextlib
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

_SEED = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=None, help="seed of the statistical tests (a fresh one by default)")


def pytest_configure(config: pytest.Config) -> None:
    given = getattr(config, "workerinput", {}).get("seed", config.getoption("--seed"))
    config.stash[_SEED] = secrets.randbits(32) if given is None else given


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["seed"] = node.config.stash[_SEED]  # every worker of xdist has the seed of the header


def pytest_report_header(config: pytest.Config) -> str:
    return f"statistical tests: --seed {config.stash[_SEED]}"


def drawn(cases: Sequence[str], count: int, seed: int) -> set[str]:
    """So many of the cases of one test, others in every run: what is left out of one run is in another."""
    if len(cases) <= count:
        return set(cases)
    rng = np.random.default_rng([seed, zlib.crc32(cases[0].partition("[")[0].encode())])
    return {cases[number] for number in rng.choice(len(cases), count, replace=False)}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test marked ``some(count)`` so many cases are run, drawn by the run's seed; the others become ``extra``."""
    if any("::" in argument for argument in config.args):
        return  # asked for by name
    cases: dict[tuple[str, int], list[pytest.Item]] = {}
    for item in items:
        marker = item.get_closest_marker("some")
        if marker is not None and item.get_closest_marker("extra") is None:
            cases.setdefault((item.nodeid.partition("[")[0], marker.args[0]), []).append(item)
    for (_, count), found in cases.items():
        taken = drawn([item.nodeid for item in found], count, config.stash[_SEED])
        for item in found:
            if item.nodeid not in taken or config.getoption("markexpr") == "extra":
                item.add_marker(pytest.mark.extra)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and "seed" in getattr(item, "fixturenames", ()):
        report.sections.append(("seed", f"repeat with --seed {item.config.stash[_SEED]}"))
    return report


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """A seed of this test's own: fresh in every run, another one in every test."""
    return (request.config.stash[_SEED] << 32) + zlib.crc32(request.node.nodeid.encode())


@pytest.fixture
def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)
