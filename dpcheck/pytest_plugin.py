"""The pytest plugin: fixture ``dp_audit``, marker ``dpcheck``, and the options ``--dpcheck-...``.

It is loaded in every pytest run of a project that has dpcheck installed, so it imports nothing but pytest
until a test asks for an audit.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dpcheck.errors import DpViolation, InvalidArgument, nearest

if TYPE_CHECKING:
    from dpcheck.claims import Claim
    from dpcheck.reporting.finished import Audited
    from dpcheck.verdict import Verdict

# A suite runs thousands of audits, and its red runs must mean defects: this is the level of each.
ALPHA = 1e-9
SEED = 0
MARKER = "dpcheck"
# What the marker may say; everything but the first two goes to the audit as it is.
MARKER_ARGUMENTS = (
    "expect",
    "allow_inconclusive",
    "alpha",
    "detect",
    "numerics",
    "max_samples",
    "max_seconds",
    "call_timeout",
    "isolation",
    "seed",
    "jobs",
)
# The attribute of a report that carries its test's audits, also out of the workers of pytest-xdist.
_REPORT_ATTRIBUTE = "dpcheck_audits"


@dataclass(frozen=True)
class _Settings:
    alpha: float
    seed: int


_AUDITS_OF_ITEM = pytest.StashKey[list["Audited"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("dpcheck", "differential privacy audits (dpcheck)")
    group.addoption(
        "--dpcheck-json",
        metavar="FILE",
        type=Path,
        default=None,
        help="write the records of all audits to FILE",
    )
    group.addoption(
        "--dpcheck-alpha",
        metavar="NUMBER",
        type=_probability,
        default=None,
        help=f"probability of a false alarm of each audit (default: {ALPHA:g})",
    )
    group.addoption(
        "--dpcheck-seed",
        metavar="N",
        type=int,
        default=None,
        help=f"where the randomness of all audits starts (default: {SEED})",
    )


def _probability(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.0 < number < 1.0:
        raise argparse.ArgumentTypeError(f"must be a probability between 0 and 1, got {text!r}")
    return number


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and what gathers the audits of the run."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}({', '.join(f'{name}=...' for name in MARKER_ARGUMENTS)}): how dp_audit audits here",
    )
    # Workers of pytest-xdist have this attribute; their reports are gathered by the controller.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Gatherer(config), "dpcheck-gatherer")


def pytest_report_header(config: pytest.Config) -> str | None:
    """The header line, for runs that use an option of this plugin."""
    options = ("dpcheck_json", "dpcheck_alpha", "dpcheck_seed")
    return _header(config) if any(config.getoption(name) is not None for name in options) else None


def pytest_report_collectionfinish(config: pytest.Config, items: Sequence[pytest.Item]) -> str | None:
    """The same line below the number of tests, for runs that use the fixture and no option."""
    if pytest_report_header(config) is not None:
        return None
    return _header(config) if any("dp_audit" in getattr(item, "fixturenames", ()) for item in items) else None


def _header(config: pytest.Config) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("dpcheck")
    except PackageNotFoundError:
        found = "(not installed)"
    settings = _settings(config)
    return f"dpcheck: {found}, alpha {settings.alpha:g} per audit, seed {settings.seed}"


def _settings(config: pytest.Config) -> _Settings:
    alpha, seed = config.getoption("dpcheck_alpha"), config.getoption("dpcheck_seed")
    return _Settings(ALPHA if alpha is None else alpha, SEED if seed is None else seed)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a marker with an argument it does not have: a misspelt level must not be ignored."""
    for item in items:
        for mark in item.iter_markers(MARKER):
            _check_arguments(f"{item.nodeid}: marker {MARKER}", mark)


def _check_arguments(where: str, mark: pytest.Mark) -> None:
    if mark.args:
        raise pytest.UsageError(f"{where} takes arguments by name only, got {mark.args[0]!r}")
    for name in mark.kwargs:
        if name not in MARKER_ARGUMENTS:
            raise pytest.UsageError(f"{where} has no argument {name!r}{nearest(name, MARKER_ARGUMENTS)}")


@dataclass(frozen=True)
class Auditor:
    """What the fixture ``dp_audit`` gives: a function that audits, and fails the test where it must."""

    defaults: Mapping[str, Any]
    origin: str
    keep: Callable[[Audited], None] = field(repr=False)

    def __call__(self, learner: Any, claim: Claim | float | None = None, **arguments: Any) -> Verdict:
        """Audit a learner and fail the test unless the verdict is the expected one.

        Parameters
        ----------
        learner : the learner or a factory of learners
        claim : Claim or epsilon; the learner's own when left out
        expect : "no violation found" (default) or "violated"
        allow_inconclusive : bool, whether an inconclusive audit passes (default: it fails)
        arguments : those of :func:`dpcheck.audit`

        Raises
        ------
        DpViolation
            When the verdict is not the expected one, inconclusive unless allowed, or the learner failed.
        InvalidArgument
            When an argument cannot be used.
        """
        __tracebackhide__ = True
        from dpcheck.reporting.exit_status import Exit, exit_of
        from dpcheck.reporting.finished import Audited
        from dpcheck.reporting.wording import said_of
        from dpcheck.run.audit import audit

        chosen = {**self.defaults, **arguments}
        expected = _expected(chosen.pop("expect", None))
        allow_inconclusive = _flag("allow_inconclusive", chosen.pop("allow_inconclusive", False))
        result = Audited(audit(learner, claim, **chosen), expected, allow_inconclusive, self.origin)
        self.keep(result)
        if exit_of(result) is not Exit.AS_EXPECTED:
            violation = DpViolation(result.verdict)
            violation.add_note(f"dpcheck: {said_of(result)}")
            raise violation
        return result.verdict


def _expected(expect: Any) -> Any:
    from dpcheck.verdict import Status

    if expect is None:
        return Status.NO_VIOLATION_FOUND
    known = (Status.NO_VIOLATION_FOUND, Status.VIOLATED)
    if expect not in known:
        hint = nearest(str(expect), [status.value for status in known])
        raise InvalidArgument(f"expect must be 'no violation found' or 'violated', got {expect!r}{hint}")
    return Status(expect)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidArgument(f"{name} must be True or False, got {value!r}")
    return value


@pytest.fixture
def dp_audit(request: pytest.FixtureRequest) -> Auditor:
    """A function ``dp_audit(learner, claim, ...)`` that fails the test unless the verdict is as expected.

    Every call is an audit with a level of its own (``--dpcheck-alpha``, 1e-9 by default). Inside ``@given``
    use :func:`dpcheck.assert_private` instead: hypothesis runs a test many times, a fixture is made once.
    """
    settings = _settings(request.config)
    defaults: dict[str, Any] = {"alpha": settings.alpha, "seed": settings.seed}
    # The nearest marker comes first and wins: function, then class, then module.
    for mark in reversed(list(request.node.iter_markers(MARKER))):
        defaults.update(mark.kwargs)
    audits: list[Audited] = []
    request.node.stash[_AUDITS_OF_ITEM] = audits
    return Auditor(defaults, request.node.nodeid, audits.append)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put a test's audits into its report, as text, which is what travels between processes."""
    report = yield
    audits = item.stash.get(_AUDITS_OF_ITEM, [])
    if call.when == "call" and audits:
        setattr(report, _REPORT_ATTRIBUTE, [_as_text(audited) for audited in audits])
    return report


def _as_text(audited: Audited) -> dict[str, Any]:
    return {
        "record": audited.verdict.to_json(),
        "status": audited.verdict.status.value,
        "alpha": audited.verdict.alpha,
        "expected": audited.expected.value,
        "allow_inconclusive": audited.allow_inconclusive,
        "origin": audited.origin,
    }


class Gatherer:
    """Gathers the audits of a run from its tests' reports, in the one process that reports the run."""

    def __init__(self, config: pytest.Config) -> None:
        self._audits: list[dict[str, Any]] = []
        self._seed = _settings(config).seed
        self._argv = tuple(map(str, config.invocation_params.args))
        # Made absolute now: tests may change the directory.
        asked = config.getoption("dpcheck_json")
        self._file: Path | None = None if asked is None else Path(asked).absolute()
        if self._file is not None and (self._file.is_dir() or not self._file.parent.is_dir()):
            raise pytest.UsageError(f"--dpcheck-json must be a file in a folder that exists, got {str(asked)!r}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what the report carries."""
        self._audits += getattr(report, _REPORT_ATTRIBUTE, [])

    def pytest_sessionfinish(self) -> None:
        """Write the run document."""
        if self._file is None:
            return
        from dpcheck.reporting.finished import Audited, Run
        from dpcheck.reporting.run_json import render
        from dpcheck.verdict import Status, Verdict

        results = tuple(
            Audited(
                Verdict.from_json(audit["record"]),
                Status(audit["expected"]),
                audit["allow_inconclusive"],
                audit["origin"],
            )
            for audit in self._audits
        )
        self._file.write_text(render(Run(results, ("pytest", *self._argv), self._seed)), encoding="utf-8")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line: how many audits, what they found, and the sum of their levels."""
        if not self._audits:
            return
        statuses = [audit["status"] for audit in self._audits]
        counted = ", ".join(f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses))
        level = sum(audit["alpha"] for audit in self._audits)
        terminalreporter.write_line(
            f"dpcheck: {len(statuses)} audit{'' if len(statuses) == 1 else 's'}: {counted}; probability of "
            f"any false alarm in this run: at most {level:.3g}"
        )
