"""The pytest plugin: fixture ``dp_audit``, marker ``dpcheck``, and the options ``--dpcheck-...``.

It is loaded in every pytest run of a project that has dpcheck installed, so it imports nothing but pytest
until a test asks for an audit.
"""

from __future__ import annotations

import argparse
import errno
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dpcheck.model.bounds_shown import at_most
from dpcheck.model.disk import is_of_the_system, put_back, real_path, set_aside, try_folder, write_whole
from dpcheck.model.errors import InvalidArgument, nearest, true_or_false

if TYPE_CHECKING:
    from dpcheck.model.claims import Claim
    from dpcheck.model.verdict import Verdict
    from dpcheck.report.finished import Audited, Location

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
    "warnings",
    "max_samples",
    "max_seconds",
    "call_timeout",
    "isolation",
    "max_memory",
    "max_processes",
    "max_files",
    "seed",
    "jobs",
)
# The options that name a file, and the module that renders it.
_FILES = {"--dpcheck-json": "dpcheck.report.run_json", "--dpcheck-sarif": "dpcheck.report.sarif"}
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
        "--dpcheck-sarif",
        metavar="FILE",
        type=Path,
        default=None,
        help="write what the audits found to FILE as SARIF, for code scanning",
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
    options = ("dpcheck_json", "dpcheck_sarif", "dpcheck_alpha", "dpcheck_seed")
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse a marker with an argument or a value it cannot have: a misspelt level must not be ignored."""
    if hasattr(config, "workerinput"):  # a process of pytest-xdist ends with a traceback then: see the setup of a test
        return
    checked: set[int] = set()
    for item in items:
        for mark in item.iter_markers(MARKER):
            # The mark of a class or module is one object for all its tests.
            if id(mark) not in checked:
                checked.add(id(mark))
                _check_marker(item, mark)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """What collection refuses, where pytest-xdist runs the tests: each test with such a marker is an error."""
    if hasattr(item.config, "workerinput"):
        try:
            for mark in item.iter_markers(MARKER):
                _check_marker(item, mark)
        except pytest.UsageError as error:
            raise pytest.fail.Exception(str(error), pytrace=False) from None


def _check_marker(item: pytest.Item, mark: pytest.Mark) -> None:
    where = f"{item.nodeid}: marker {MARKER}"
    _check_arguments(where, mark)
    _check_values(where, mark)


def _check_arguments(where: str, mark: pytest.Mark) -> None:
    if mark.args:
        raise pytest.UsageError(f"{where} takes arguments by name only, got {mark.args[0]!r}")
    for name in mark.kwargs:
        if name not in MARKER_ARGUMENTS:
            raise pytest.UsageError(f"{where} has no argument {name!r}{nearest(name, MARKER_ARGUMENTS)}")


def _check_values(where: str, mark: pytest.Mark) -> None:
    """Let the limits of an audit look at the values."""
    from dpcheck.privacy.run.limits import Limits

    values = dict(mark.kwargs)
    try:
        _expected(values.pop("expect", None))
        true_or_false("allow_inconclusive", values.pop("allow_inconclusive", False))
        Limits(**{"alpha": ALPHA, **values})
    except InvalidArgument as error:
        raise pytest.UsageError(f"{where}: {error}") from error


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test that says by its own marker how it is audited, and then is not audited at all."""
    __tracebackhide__ = True
    yield
    # The marker of a class or module sets defaults for those of its tests that ask for the fixture.
    asked = "dp_audit" in getattr(item, "fixturenames", ())
    marked = any(asked or mark in item.own_markers for mark in item.iter_markers(MARKER))
    if marked and not item.stash.get(_AUDITS_OF_ITEM, []):
        pytest.fail(
            f"marked {MARKER}, but made no audit: call the fixture dp_audit(learner, claim, ...) or remove the marker",
            pytrace=False,
        )


@dataclass(frozen=True)
class Auditor:
    """What the fixture ``dp_audit`` gives: a function that audits, and fails the test where it must."""

    defaults: Mapping[str, Any]
    origin: str
    keep: Callable[[Audited], None] = field(repr=False)
    locate: Callable[[Any], Location | None] = field(repr=False, default=lambda learner: None)

    def __call__(self, learner: Any, claim: Claim | float | None = None, **arguments: Any) -> Verdict:
        """Audit a learner and fail the test unless the verdict is the expected one.

        Parameters
        ----------
        learner : the learner or a factory of learners
        claim : Claim or epsilon; the learner's own when left out
        expect : "no violation found" (default), "violated", "inconclusive" or "learner failed"
        allow_inconclusive : bool, whether an inconclusive audit passes (default: it fails)
        arguments : those of :func:`dpcheck.audit`

        Raises
        ------
        DpViolation, DpInconclusive, LearnerFailed
            When the learner is refuted, not decided (unless that is allowed), or could not be audited; each is an
            :class:`dpcheck.UnexpectedVerdict`, which is raised where a violation was expected and none was found.
        InvalidArgument
            When an argument cannot be used.
        """
        __tracebackhide__ = True
        from dpcheck.privacy.run.audit import audit
        from dpcheck.privacy.run.gate import unexpected
        from dpcheck.report.exit_status import Exit, exit_of
        from dpcheck.report.finished import Audited
        from dpcheck.report.words import said_of

        chosen = {**self.defaults, **arguments}
        expected = _expected(chosen.pop("expect", None))
        allow_inconclusive = true_or_false("allow_inconclusive", chosen.pop("allow_inconclusive", False))
        place = self.locate(learner)
        result = Audited(audit(learner, claim, **chosen), expected, allow_inconclusive, self.origin, place)
        self.keep(result)
        if exit_of(result) is not Exit.AS_EXPECTED:
            trouble = unexpected(result.verdict)
            trouble.add_note(f"dpcheck: {said_of(result)}")
            raise trouble
        return result.verdict


def _expected(expect: Any) -> Any:
    from dpcheck.model.verdict import Status
    from dpcheck.report.expected import expected_status

    return Status.NO_VIOLATION_FOUND if expect is None else expected_status("expect", expect)


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
    return Auditor(defaults, request.node.nodeid, audits.append, partial(_location_of, request.node))


def _location_of(item: pytest.Item, learner: Any) -> Location | None:
    """Where the learner is defined; else where the test is."""
    from dpcheck.report.source_locations import definition_of, location_in, repository_root

    root = repository_root(item.config.rootpath)
    _, line, _ = item.reportinfo()
    found = definition_of(learner, item.path.stem, root)
    return found if found is not None else location_in(root, item.path, (line or 0) + 1)


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


def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
    """Say under ``-v`` what the audits of a test that passed would have caught."""
    audits = getattr(report, _REPORT_ATTRIBUTE, [])
    if not audits or report.outcome != "passed" or hasattr(report, "wasxfail"):
        return None
    return "passed", ".", f"PASSED ({'; '.join(audit['briefly'] for audit in audits)})"


def _as_text(audited: Audited) -> dict[str, Any]:
    from dpcheck.report.words import briefly

    return {
        "briefly": briefly(audited),
        "record": audited.verdict.to_json(),
        "status": audited.verdict.status.value,
        "alpha": audited.verdict.alpha,
        "expected": audited.expected.value,
        "allow_inconclusive": audited.allow_inconclusive,
        "origin": audited.origin,
        "location": None if audited.location is None else (audited.location.file, audited.location.line),
    }


class Gatherer:
    """Gathers the audits of a run from its tests' reports, in the one process that reports the run."""

    def __init__(self, config: pytest.Config) -> None:
        self._audits: list[dict[str, Any]] = []
        self._seed = _settings(config).seed
        self._argv = tuple(map(str, config.invocation_params.args))
        # Made absolute now: tests may change the directory.
        asked = {option: config.getoption(option.strip("-").replace("-", "_")) for option in _FILES}
        self._files = {option: Path(file).absolute() for option, file in asked.items() if file is not None}
        self._problems: list[str] = []
        self._earlier: dict[Path, Path] = {}
        for option, file in self._files.items():
            _check_writable(option, file, str(asked[option]))

    def pytest_sessionstart(self) -> None:
        """Set files aside: should a test end this process, what an earlier run wrote is not taken for this one's."""
        for file in self._files.values():
            if file.is_file() and not is_of_the_system(file):
                with suppress(OSError):  # what cannot be written is said where it is written
                    self._earlier[file] = set_aside(file)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what the report carries."""
        self._audits += getattr(report, _REPORT_ATTRIBUTE, [])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the documents of the run."""
        if not self._files:
            return
        from importlib import import_module

        from dpcheck.model.verdict import Status, Verdict
        from dpcheck.report.finished import Audited, Location, Run

        results = tuple(
            Audited(
                Verdict.from_json(audit["record"]),
                Status(audit["expected"]),
                audit["allow_inconclusive"],
                audit["origin"],
                None if audit["location"] is None else Location(*audit["location"]),
            )
            for audit in self._audits
        )
        run = Run(results, ("pytest", *self._argv), self._seed)
        for option, file in self._files.items():
            try:
                write_whole(file, import_module(_FILES[option]).render(run))
                if file in self._earlier:
                    with suppress(OSError):
                        self._earlier.pop(file).unlink()
            except OSError as error:
                if file in self._earlier:
                    with suppress(OSError):
                        put_back(self._earlier.pop(file), file)
                self._problems.append(f"{option} could not be written to {str(file)!r}: {error.strerror or error}")
                # A run whose records are lost is not green; one that is red stays what it is.
                if session.exitstatus == pytest.ExitCode.OK:
                    session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """One line: how many audits, what they found, and the sum of their levels."""
        for problem in self._problems:
            terminalreporter.write_line(f"dpcheck: {problem}", red=True)
        if not self._audits:
            return
        statuses = [audit["status"] for audit in self._audits]
        counted = ", ".join(f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses))
        level = sum(audit["alpha"] for audit in self._audits)
        terminalreporter.write_line(
            f"dpcheck: {len(statuses)} audit{'' if len(statuses) == 1 else 's'}: {counted}; probability of "
            f"any false alarm of {_the_audits(len(statuses))}: at most {at_most(level)}"
        )


def _the_audits(number: int) -> str:
    # Those of dpcheck.assert_private are not counted: what is said must not sound as if they were.
    return "the dp_audit audit" if number == 1 else f"the {number} dp_audit audits"


def _check_writable(option: str, file: Path, asked: str) -> None:
    """Make a file where it will be made at the end: permissions do not tell what a file system refuses."""
    if file.is_dir() or not file.parent.is_dir():
        raise pytest.UsageError(f"{option} must be a file in a folder that exists, got {asked!r}")
    try:
        # What is no file (a pipe, a terminal) is not tried out: whoever reads it would see an end.
        if not is_of_the_system(file):
            try_folder(file.parent if not file.is_symlink() else real_path(file).parent)
            if file.exists() and not os.access(file, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), asked)
    except OSError as error:
        raise pytest.UsageError(
            f"{option} must be a file that can be written, got {asked!r}: {error.strerror or error}"
        ) from error
