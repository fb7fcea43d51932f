"""Claims of privacy where they are run: exactly, over pairs of neighbouring datasets, where the learner has a law."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpcheck.execution import Isolation
from dpcheck.execution.introspection import OF_AUDITS, described
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.data.forms import Form
from dpcheck.model.learner import declares_law
from dpcheck.model.verdict import Status, Verdict
from dpcheck.privacy.run.audit import audit
from dpcheck.privacy.run.declared import WRONG_LAW
from dpcheck.trial.model import CONTRADICTED_LEVEL, Outcome, Word
from dpcheck.trial.page import EXACT_OF_LAWS, Page
from dpcheck.trial.rows import Findings

#: Calls that a declared law is compared with before it is believed here; the outcome says what they could have shown.
COMPARED, QUICK_COMPARED = 6_000, 1_000


@dataclass(frozen=True)
class PrivacyCheck:
    """What a theorem promises of a learner's privacy, and on which datasets it is checked.

    Parameters
    ----------
    result : id of the registry's entry
    claim : the promise in words
    learner : learner or factory of learners
    promised : number (epsilon) or claim, such as ``PureDP(1)`` or ``ApproxDP(1, 1e-6)``
    neighbours, pairs, dataset : as in :func:`dpcheck.audit`; one of them
    options : mapping, arguments of the factory
    name : the learner's name in reports
    expected : the id of the erratum and why a contradiction is expected
    max_samples : int, most calls where there is no law
    form : how the learner is handed its data, as in :func:`dpcheck.audit`
    """

    result: str
    claim: str
    learner: Any
    promised: Any
    neighbours: Any = None
    pairs: Any = None
    dataset: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    expected: str = ""
    max_samples: int = 200_000
    form: Form | str | None = None

    def check(self, seed: int, quick: bool = False, isolation: Isolation = "none") -> Outcome:
        """Make it, where ``isolation`` says; quickly, a declared law is compared with fewer calls."""
        return check_privacy(
            self.result,
            self.claim,
            self.learner,
            self.promised,
            pairs=self.pairs,
            neighbours=self.neighbours,
            dataset=self.dataset,
            name=self.name,
            expected=self.expected,
            seed=seed,
            options=dict(self.options) or None,
            max_samples=self.max_samples,
            quick=quick,
            isolation=isolation,
            form=self.form,
        )


def check_privacy(
    result: str,
    claim_words: str,
    learner: Any,
    claim: Any,
    *,
    pairs: Any = None,
    neighbours: Any = None,
    dataset: Any = None,
    name: str = "",
    expected: str = "",
    seed: int,
    options: dict[str, Any] | None = None,
    max_samples: int = 200_000,
    quick: bool = False,
    isolation: Isolation = "none",
    form: Form | str | None = None,
) -> Outcome:
    """Whether a learner keeps a claim of privacy.

    Where the learner declares its law, the answer is exact: over all pairs of neighbours of a finite relation, or over
    the pairs given. Else it is audited by its calls, which can contradict a claim (at level 1e-9) and never show one.

    Parameters
    ----------
    result : id of the registry's entry
    claim_words : what is claimed, in words
    learner : learner or factory
    claim : number (epsilon) or claim
    pairs, neighbours, dataset : as in :func:`dpcheck.audit`; one of them
    name : the learner's name in reports
    expected : the id of the erratum and why a contradiction is expected
    seed : int
    options : arguments of the factory
    max_samples : int
        Most calls where there is no law.
    quick : bool
        Whether a declared law is compared with fewer calls.
    isolation, form : as in :func:`dpcheck.audit`

    Raises
    ------
    InvalidArgument
        When the claim or the pairs cannot be used.

    Examples
    --------
    >>> from dpcheck import Records, ReplaceOne
    >>> from dpcheck.papers.alon2019.learners.entries import generic
    >>> pairs_of = ReplaceOne(records=Records.labelled(features=[0, 1], labels=[0, 1]), size=2)
    >>> found = check_privacy("alon2019:thm-kln", "the generic learner is 1-private", generic(), 1.0,
    ...                       neighbours=pairs_of, seed=0)
    >>> found.word, found.level
    ('holds', 0.0)
    """
    target = described(learner, isolation=isolation, wanted=OF_AUDITS, options=options)
    law = declares_law(target) and isinstance(claim, int | float | PureDP | ApproxDP)

    def audited(who: Any, alpha: float, exhaustive: bool) -> Verdict:
        return audit(
            who,
            claim,
            pairs=pairs,
            neighbours=neighbours,
            dataset=dataset,
            alpha=alpha,
            exhaustive=exhaustive,
            isolation=isolation,
            seed=seed,
            max_samples=min(max_samples, QUICK_COMPARED if quick else COMPARED) if exhaustive else max_samples,
            max_seconds=math.inf,
            form=form,
        )

    # a law that its calls do not follow says nothing of them: then calls alone are asked, and each audit gets half
    verdict = audited(target, CONTRADICTED_LEVEL / 2, law and pairs is None and dataset is None)
    word, detail, level = _read(verdict)
    if law and verdict.status is Status.LEARNER_FAILED:
        second = audited(replace(target, by_calls=True), CONTRADICTED_LEVEL / 2, False)
        word, more, level = _read(second)
        detail = f"{detail.rstrip('.')}; without it, {more}"
        verdict = replace(second, samples=verdict.samples + second.samples)
    return Outcome(
        word,
        claim_words,
        detail,
        result,
        "privacy",
        learner=name,
        level=level,
        expected=expected if word == "contradicted" else "",
        trials=verdict.samples,
    )


def measure_privacy(check: PrivacyCheck, *, seed: int, quick: bool, isolation: Isolation = "none") -> Findings:
    """One claim of privacy as findings, see :data:`PAGE`; a quick run makes at most a tenth of the calls.

    Raises
    ------
    InvalidArgument
        When the claim or the pairs cannot be used.
    """
    calls = max(2_000, check.max_samples // 10) if quick else check.max_samples
    outcome = replace(check, max_samples=calls).check(seed, quick, isolation)
    exact = outcome.level == 0 and outcome.word in ("holds", "contradicted")
    words = {"claim": check.claim, "evidence": EXACT_OF_LAWS if exact else _BY_CALLS}
    return Findings((), (outcome,), f"{outcome.word.capitalize()}: {outcome.detail}.", words)


_BY_CALLS = (
    f"Calls can contradict the claim, wrongly with probability at most {CONTRADICTED_LEVEL:g}; they never show that it "
    "holds."
)
#: What is said of one claim of privacy; nothing is drawn.
PAGE = Page("{claim}", "{claim}: is it kept where two datasets are neighbours?", evidence="{evidence}")


def _read(verdict: Verdict) -> tuple[Word, str, float]:
    exact = verdict.exact
    if exact is None or verdict.status is Status.LEARNER_FAILED:
        return _by_calls(verdict)
    number = verdict.pairs_tried
    where = f"all {number:,} pairs of neighbours" if exact.exhaustive else f"{number:,} pairs"
    loss = f"the largest loss over {where} is {exact.epsilon:.6g}"
    if exact.delta:
        loss += f" (at the claim's delta), the largest delta at the claim's epsilon {exact.delta:.3g}"
    if verdict.status is Status.VIOLATED:
        return "contradicted", f"{loss}, decided in {exact.arithmetic}", 0.0
    if verdict.status is Status.NO_VIOLATION_FOUND:
        return "holds", f"{loss}, decided in {exact.arithmetic}", 0.0
    return "undecided", f"{loss}; {exact.answer}", 0.0


def _by_calls(verdict: Verdict) -> tuple[Word, str, float]:
    if verdict.status is Status.VIOLATED:
        words = (
            f"its calls show a loss of at least {at_least(verdict.epsilon_lower, '.4g')} ({verdict.samples:,} calls)"
        )
        wrong_law = next((finding.detail for finding in verdict.findings if finding.kind == WRONG_LAW), "")
        if wrong_law:
            words = f"{wrong_law.rstrip('.')}; without it, {words}"
        return "contradicted", words, verdict.alpha
    if verdict.status is Status.LEARNER_FAILED:
        return "failed", verdict.failure, 0.0
    return (
        "undecided",
        f"no violation in {verdict.samples:,} calls, which would have shown a loss of "
        f"{verdict.detectable_epsilon:.3g}; calls cannot show that a claim holds",
        0.0,
    )
