"""``check_learner``: runs checks one after the other, whatever the learner does in one of them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args

from dpcheck.checks.discovery import Check, checks_named, full_name
from dpcheck.checks.events import CheckFinished, CheckStarted
from dpcheck.checks.kept_results import Found, KeptResults, found_before, keep_found, results_kept
from dpcheck.checks.needs import unmet
from dpcheck.checks.outcome import Outcome, failed, not_applicable
from dpcheck.checks.result import CheckFailed, CheckInconclusive, CheckResult, CheckStatus
from dpcheck.checks.subject import Spent, Subject, subject_of
from dpcheck.model.data.forms import Form
from dpcheck.model.errors import DpcheckError, InvalidArgument, LearnerDied, nearest, true_or_false
from dpcheck.privacy.run.limits import Limits, a_directory

#: The level of each statistical check: a suite runs thousands, and a red one must mean a defect.
ALPHA = 1e-9
#: Most calls of each check: what brings a claim of 0.5, at this level, to a leak of twice that; of two situations each
#: has half, which brings a claim of 1 there.
MAX_SAMPLES = 30_000
#: A check of a slow learner ends here, in whatever it can say then: thirty of them stay within some minutes.
MAX_SECONDS = 30.0
CALL_TIMEOUT = 10.0

OnFail = Literal["collect", "raise", "warn"]


def check_learner(
    learner: Any,
    claim: Any = None,
    *,
    neighbours: Any = None,
    dataset: Any = None,
    pairs: Any = None,
    alpha: float = ALPHA,
    max_samples: int = MAX_SAMPLES,
    max_seconds: float = MAX_SECONDS,
    seed: int = 0,
    isolation: str = "auto",
    max_memory: int | str | None = None,
    max_processes: int | None = None,
    max_files: int | None = None,
    jobs: int = 1,
    call_timeout: float = CALL_TIMEOUT,
    checks: Sequence[str] | None = None,
    expected_failures: Mapping[str, str] | None = None,
    on_fail: OnFail = "collect",
    allow_inconclusive: bool = False,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    form: Form | str | None = None,
    numerics: str = "real",
    warnings: str = "finding",
    on_event: Callable[[Any], object] | None = None,
    journal: str | Path | None = None,
) -> tuple[CheckResult, ...]:
    """Put a learner to every check that applies to it: privacy, purity, odd data, forms, parameters, cost.

    Each check runs by itself, in worker processes: a learner that hangs or dies makes that check fail, and the others
    go on.

    Parameters
    ----------
    learner : callable ``(dataset, rng) -> output``, or a factory of such
    claim : float, PureDP, ApproxDP, ZeroConcentratedDP, RenyiDP or GaussianDP, optional
        What is promised; the learner's own when left out. Without any, the checks that need one do not apply.
    neighbours, dataset, pairs : as for :func:`dpcheck.audit`
        Where the data come from; with declared records all checks of the domain apply.
    alpha : float
        The level of *each* statistical check: the probability at most that it fails a learner that does what it asks.
        Of a whole call with k such checks it is at most ``k * alpha``; every result states its own.
    max_samples, max_seconds : int, float
        Most calls and seconds of each audit or comparison that a check makes.
    seed : int
        All randomness comes from it.
    isolation, max_memory, max_processes, max_files : as for :func:`dpcheck.audit`
    jobs : int, at least 1
        How many worker processes an audit has; results do not depend on it.
    call_timeout : float, seconds
        A call that takes longer is a hang.
    checks : list of str, optional
        The names of those to run, with or without ``check_``; all by default.
    expected_failures : dict of name to reason, optional
        Checks that are known to fail and why; one of them that passes is "unexpectedly passed".
    on_fail : "collect", "raise" or "warn"
        Whether a check that fails is only in the results, raises :class:`~dpcheck.checks.CheckFailed` at once
        (:class:`~dpcheck.checks.CheckInconclusive` where it could not tell), or warns.
    allow_inconclusive : bool
        Whether inconclusive checks count as passed for ``on_fail``.
    options : dict, optional
        Arguments for a factory.
    name : str, optional
        How results call the learner.
    form, numerics, warnings : as for :func:`dpcheck.audit`
        What checks do not set themselves.
    on_event : callable, optional
        Hears :class:`~dpcheck.checks.events.CheckStarted`, ``CheckFinished`` and the events of the audits between.
    journal : path, optional
        A directory in which what checks find, and what the learner answers, is kept as it comes. The same checks with
        the same journal, after they were ended in whatever way, go on from there. That a learner died or hung is not
        kept, nor what a check makes of a declared law before it is done.

    Returns
    -------
    tuple of CheckResult
        One for each check, in their fixed order, also for those that do not apply.

    Raises
    ------
    InvalidArgument
        For arguments that cannot be used, in one line.

    Examples
    --------
    >>> results = check_learner(lambda data, rng: sum(data) + rng.laplace(), 1.0, pairs=[([0, 1], [1, 1])],
    ...                         checks=["empty_data", "input_unchanged"])
    >>> [(result.check, result.status.value) for result in results]
    [('check_empty_data', 'passed'), ('check_input_unchanged', 'passed')]
    """
    if on_fail not in get_args(OnFail):
        known = get_args(OnFail)
        raise InvalidArgument(
            f"on_fail must be one of {', '.join(known)}, got {on_fail!r}{nearest(str(on_fail), known)}"
        )
    true_or_false("allow_inconclusive", allow_inconclusive)
    chosen = checks_named(checks)
    expected = checked_expectations(expected_failures)
    subject = subject_of(
        learner,
        claim,
        neighbours=neighbours,
        dataset=dataset,
        pairs=pairs,
        limits=Limits(
            alpha=alpha,
            numerics=numerics,
            warnings=warnings,
            max_samples=max_samples,
            max_seconds=max_seconds,
            call_timeout=call_timeout,
            isolation=isolation,
            max_memory=max_memory,
            max_processes=max_processes,
            max_files=max_files,
            seed=seed,
            jobs=jobs,
            journal=a_directory(journal),
        ),
        options=options,
        name=name,
        form=form,
        listener=on_event,
    )
    results = []
    with results_kept(subject) as kept:
        for result in run_checks(subject, chosen, expected, kept):
            results.append(result)
            _told(result, on_fail, allow_inconclusive=allow_inconclusive)
    return tuple(results)


def checked_expectations(expected: Mapping[str, str] | None, argument: str = "expected_failures") -> dict[str, str]:
    """Expected failures under the full names of their checks; ``argument`` is what they stand in, for the message.

    Raises
    ------
    InvalidArgument
        When there is no such check, or a reason is missing.

    Examples
    --------
    >>> checked_expectations({"pickling": "holds a lock"})
    {'check_pickling': 'holds a lock'}
    """
    if expected is None:
        return {}
    if not isinstance(expected, Mapping):
        raise InvalidArgument(f"{argument} must be a dict of names to reasons, got {expected!r}")
    found = {}
    for name, reason in expected.items():
        if not isinstance(reason, str) or not reason.strip():
            raise InvalidArgument(f"{argument} must say why for each check, got {reason!r} for {name!r}")
        found[full_name(name, argument)] = reason
    return found


def run_checks(
    subject: Subject,
    checks: Iterable[Check],
    expected: Mapping[str, str] | None = None,
    kept: KeptResults | None = None,
) -> Iterator[CheckResult]:
    """The result of each check as soon as it is there.

    Raises
    ------
    KeyboardInterrupt
        When somebody pressed Ctrl-C; the results before it have been given.
    """
    tell = subject.listener if subject.listener is not None else _nobody
    chosen = tuple(checks)
    for number, check in enumerate(chosen, start=1):
        tell(CheckStarted(check.name, subject.target.name, number, len(chosen)))
        result = run_check(subject, check, (expected or {}).get(check.name, ""), kept)
        tell(CheckFinished(result))
        yield result


def run_check(subject: Subject, check: Check, expected: str = "", kept: KeptResults | None = None) -> CheckResult:
    """The result of one check; ``expected`` is the reason given for its failure, or empty.

    Where it is kept that an earlier run had it, it is not made again.
    """
    part = None if kept is None else kept.part(check)
    found = None if part is None else found_before(part)
    if found is None:
        found = _found(replace(subject, question=replace(subject.question, kept=part)), check)
        if part is not None:
            keep_found(part, found)
    outcome = found.outcome
    status = outcome.status
    if expected and status is CheckStatus.FAILED:
        status = CheckStatus.EXPECTED_FAILURE
    elif expected and status is CheckStatus.PASSED:
        status = CheckStatus.UNEXPECTEDLY_PASSED
    return CheckResult(
        check=check.name,
        target=subject.target.name,
        status=status,
        # strangers' messages have lines of their own
        sentence=" ".join(outcome.sentence.split()),
        hint=" ".join(outcome.hint.split()),
        # the level is what was planned: a check that ended early, at its first failure, has no smaller one
        level=subject.level if found.by_chance else 0.0,
        evidence=outcome.evidence,
        calls=found.calls,
        seconds=found.seconds,
        learner_failed=outcome.learner_failed,
        expected=expected,
    )


def _found(subject: Subject, check: Check) -> Found:
    spent = Spent()
    began = time.monotonic()
    outcome = _outcome(replace(subject, spent=spent), check)
    return Found(outcome, spent.calls, spent.level > 0, time.monotonic() - began)


def _outcome(subject: Subject, check: Check) -> Outcome:
    try:
        if subject.target.died:
            raise LearnerDied(subject.target.died)
        reason = unmet(check.function, subject)
        if reason:
            return not_applicable(reason)
        found = check.function(subject)
    except LearnerDied as error:
        return failed(str(error), "mend the learner first: nothing else can be said of it here", learner_failed=True)
    except AssertionError as error:  # how a stranger's check may say that it failed
        return failed(str(error) or "an assertion of the check failed")
    except Exception as error:
        said = " ".join(str(error).split()) or "no message"
        ours = "an argument that the check gave was refused" if isinstance(error, DpcheckError) else "the check raised"
        return Outcome(
            CheckStatus.ERROR,
            f"{ours}: {type(error).__name__}: {said}",
            f"please report it to whoever wrote the check ({check.origin})",
        )
    if isinstance(found, CheckResult):
        return Outcome(found.status, found.sentence, found.hint, found.evidence, found.learner_failed)
    if not isinstance(found, Outcome):
        return Outcome(
            CheckStatus.ERROR,
            f"the check returned {found!r}, not an Outcome such as dpcheck.checks.passed(sentence)",
            f"please report it to whoever wrote the check ({check.origin})",
        )
    return found


def _told(result: CheckResult, on_fail: OnFail, *, allow_inconclusive: bool) -> None:
    trouble = trouble_of(result, allow_inconclusive=allow_inconclusive)
    if trouble is None:
        return
    if on_fail == "raise":
        raise trouble
    if on_fail == "warn":
        warnings.warn(str(result), UserWarning, stacklevel=3)


def trouble_of(result: CheckResult, *, allow_inconclusive: bool = False) -> CheckFailed | CheckInconclusive | None:
    """What to raise for a result that does not pass a gate; None for one that does."""
    if result.status.as_expected:
        return None
    if result.status is CheckStatus.INCONCLUSIVE:
        return None if allow_inconclusive else CheckInconclusive(result)
    return CheckFailed(result)


def _nobody(event: object) -> None:
    """Nobody listens."""
