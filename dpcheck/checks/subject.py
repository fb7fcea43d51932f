"""What a check is given: a learner with its claim and data, and the means to run it where it does no harm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dpcheck.checks.rows import different_records
from dpcheck.checks.situations import Situation, situated
from dpcheck.execution.answers import Answers, Request, Runner
from dpcheck.execution.calls import without_place
from dpcheck.execution.introspection import CLAIM, EVERYTHING, described, said_of
from dpcheck.execution.learner_code import digest_of_learner
from dpcheck.model.claims import Claim, PureDP, claim_point
from dpcheck.model.data import describe_dataset, distinct_datasets
from dpcheck.model.data.forms import Form
from dpcheck.model.data.rows import size_of
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import Target
from dpcheck.model.neighbours import Pair, Relation
from dpcheck.model.neighbours.sizes import size_problem
from dpcheck.model.verdict import Status, Stop, Verdict
from dpcheck.privacy.run.by_calls import run_audit
from dpcheck.privacy.run.caller import Caller, Noticed, caller_for
from dpcheck.privacy.run.data_form import find_form
from dpcheck.privacy.run.declared import run_declared
from dpcheck.privacy.run.events import Listener
from dpcheck.privacy.run.exact import answers_exactly
from dpcheck.privacy.run.limits import Limits
from dpcheck.privacy.run.question import LEARNER_STREAM, Question, ask, first_candidates
from dpcheck.privacy.statistics.judge import default_detect

#: An audit errs against a correct learner in four ways, each at the audit's level: a violation, runs that seem not to
#: be fresh, a ``sample`` that seems not to agree at first, or later. Each audit of a check is therefore held to a
#: quarter of its share.
WAYS_TO_ERR = 4
#: The difference that a comparison of two laws must not miss: the leak, as an epsilon, of telling the two apart. Where
#: it could not have been seen a comparison is inconclusive; mostly far smaller ones are.
DIFFERENCE = 1.0
#: Where a check makes several audits, each has its share of the calls, and at least so many.
LEAST_SHARED_CALLS = 4000
#: Calls that show how a learner behaves on odd data (an exception, NaN, an answer): more show nothing new.
FEW_CALLS = 6
#: First word of the keys of the streams of calls that are part of no audit (pairs have keys from 0 up).
CALLS_KEY = 1_000_006


@dataclass
class Spent:
    """What one check has used so far (grows)."""

    calls: int = 0
    level: float = 0.0


@dataclass(frozen=True, eq=False)
class Subject:
    """A learner that is checked.

    Parameters
    ----------
    question : Question
        The learner, its pairs, and the limits of each check; ``alpha`` is the level of each statistical check.
    spent : Spent
    listener : callable, optional
        Hears the events of the audits that a check makes.
    """

    question: Question
    spent: Spent = field(default_factory=Spent)
    listener: Listener | None = None

    @property
    def target(self) -> Target:
        """The learner, with the way to get a fresh one."""
        return self.question.target

    def said(self, name: str) -> Any:
        """What the learner says of itself, or what is seen of it: one of the names of
        :mod:`dpcheck.execution.introspection`. It is made and looked at where its calls run.

        Raises
        ------
        InvalidArgument
            When it could not be read.
        """
        return said_of(self.target, name)

    @property
    def claim(self) -> Claim | None:
        """What is promised, or None."""
        return self.question.claim

    @property
    def relation(self) -> Relation | None:
        """The neighbouring relation, or None where pairs were given on the user's word."""
        return self.question.relation

    @property
    def level(self) -> float:
        """The level of each statistical check."""
        return self.question.limits.alpha

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """Neighbouring pairs to try: those given or made; with declared records, what a search would try first."""
        return self.question.pairs

    @property
    def pair(self) -> Pair:
        """One pair, the first."""
        return self.pairs[0]

    @property
    def dataset(self) -> Any:
        """A dataset inside the claim's domain: of the first pairs', the one with most different records."""
        datasets = [dataset for pair in self.pairs[:16] for dataset in (pair.left, pair.right)]
        return max(datasets, key=_variety)

    def candidates(self) -> tuple[Pair, ...]:
        """More pairs: the subject's own, and those that a search would begin with where records are declared."""
        if self.question.searched or self.relation is None or self.relation.records is None:
            return self.pairs
        try:
            return (*self.pairs, *first_candidates(self.relation, self.question.limits.seed, self.question.constants))
        except InvalidArgument:  # declared in part: features without labels, say
            return self.pairs

    def ordinary_datasets(self) -> list[Any]:
        """Some datasets inside the claim's domain, each once."""
        return distinct_datasets(one for pair in self.pairs[:4] for one in (pair.left, pair.right))[0]

    def allows_size(self, records: int) -> bool:
        """Whether the claim is about datasets of so many records."""
        declared = None if self.relation is None else self.relation.size
        return size_problem(declared, records) is None

    def audit(
        self,
        *,
        claim: Claim | None = None,
        pairs: Sequence[Pair] | None = None,
        numerics: str | None = None,
        options: dict[str, Any] | None = None,
        share: float = 1.0,
        calls: int | None = None,
        detect: float | None = None,
    ) -> Verdict:
        """An audit of the learner's claim (or another one), on its own pairs or others.

        Parameters
        ----------
        claim : Claim, optional; the subject's when left out
        pairs : sequence of Pair, optional; taken as neighbours, and not searched further
        numerics : "real" or "exact", optional
        options : dict, optional; other options for the learner's factory
        share : float, the part of the check's level that this audit may spend
        calls : int, optional; most calls, when fewer than the check's budget
        detect : float, optional; the leak that must not be missed: twice the claim when left out
        """
        chosen = claim if claim is not None else self.claim
        assert chosen is not None
        question = replace(
            self.question,
            claim=chosen,
            detect=default_detect(claim_point(chosen)[0]) if detect is None else detect,
            limits=replace(
                self.question.limits,
                alpha=self.level * share / WAYS_TO_ERR,
                numerics=numerics or self.question.limits.numerics,
            ),
            max_samples=min(calls or self.question.max_samples, self.question.max_samples),
        )
        if options is not None:
            question = replace(question, target=replace(self.target, options={**self.target.options, **options}))
        if pairs is not None:
            question = replace(question, pairs=tuple(pairs), searched=False, shrinking=False)
        if (numerics is None or numerics == "real") and answers_exactly(question, exhaustive=False):
            return self._counted(run_declared(question, exhaustive=False, listener=self.listener))
        return self._counted(run_audit(question, listener=self.listener))

    def audit_each(
        self,
        pairs: Sequence[Pair],
        *,
        claim: Claim | None = None,
        detect: float | None = None,
        numerics: str | None = None,
        share: float = 1.0,
    ) -> Verdict:
        """An audit on each pair with an equal share of level and calls: the first that is against the learner, or the
        weakest of the others.

        One audit on all of them would try as many as it can afford, and leave the others out.
        """
        found: list[Verdict] = []
        for pair in pairs:
            verdict = self.audit(
                claim=claim,
                pairs=[pair],
                numerics=numerics,
                share=share / len(pairs),
                calls=max(LEAST_SHARED_CALLS, int(share * self.question.max_samples) // len(pairs)),
                detect=detect,
            )
            if verdict.status in (Status.LEARNER_FAILED, Status.VIOLATED):
                return verdict
            found.append(verdict)
        return max(found, key=lambda verdict: verdict.detectable_epsilon)

    def compare(self, one: Situation, other: Situation, *, share: float = 1.0) -> Verdict:
        """Whether two ways of running the learner have one law: the audit's own test at epsilon 0.

        It ends once a difference of size :data:`DIFFERENCE` would have been caught, which takes 7,000 to 12,000 calls
        where outputs are numbers; inconclusive where the check's calls and seconds do not reach it.

        Parameters
        ----------
        one, other : Situation
        share : float, the part of the check's level that this comparison may spend
        """
        question = replace(
            self.question,
            target=situated(self.target, self.question.form),
            form=None,
            claim=PureDP(0.0),
            relation=None,
            relation_name="two ways of running it",
            pairs=(Pair(one, other, f"{one} against {other}"),),
            detect=DIFFERENCE,
            limits=replace(self.question.limits, alpha=self.level * share / WAYS_TO_ERR),
            searched=False,
            shrinking=False,
        )
        return self._counted(run_audit(question, by_power=True, listener=self.listener))

    def answers(self, situations: Sequence[Situation], count: int = FEW_CALLS, *, stream: int = 0) -> list[Answers]:
        """The answers of a few calls in each situation, outside any test.

        Parameters
        ----------
        situations : sequence of Situation
        count : int, calls in each
        stream : int
            Calls of one stream have the same seeds in every situation.

        Raises
        ------
        LearnerDied
            When a call hangs or takes its process along.
        """
        # in one process: what a learner keeps between calls shows in whichever runs them all
        target = situated(self.target, self.question.form)
        runner = self.runner(target, situations)
        try:
            seed = self.question.stream(LEARNER_STREAM, CALLS_KEY, stream)
            given = runner.run([Request(place, count, seed) for place in range(len(situations))])
        except LearnerDied as error:
            raise told_where(error, situations) from error
        finally:
            runner.close()
        self.spent.calls += count * len(situations)
        return given

    def runner(self, target: Target, datasets: Sequence[Any]) -> Runner:
        """What runs a target in one process; where a journal was asked for its answers are kept there.

        Raises
        ------
        LearnerDied
            When the process ends while the target is loaded.
        """
        inner = replace(self.question.executor, jobs=1).runner(
            target, datasets, call_timeout=self.question.limits.call_timeout
        )
        kept = self.question.kept
        return inner if kept is None else kept.runner(inner, datasets, digest_of_learner(target).encode())

    def caller(self, runner: Any, datasets: Sequence[Any]) -> Caller:
        """A caller for these datasets: what the engine's own phases want."""
        question = replace(self.question, pairs=tuple(Pair(dataset, dataset, "") for dataset in datasets))
        return caller_for(question, runner, Noticed())

    def at_stake(self, share: float = 1.0) -> float:
        """A part of the check's level; the result states how much was spent in all."""
        self.spent.level += self.level * share
        return self.level * share

    def _counted(self, verdict: Verdict) -> Verdict:
        if verdict.exact is None or verdict.exact.compared:
            self.spent.level += verdict.alpha * WAYS_TO_ERR
        self.spent.calls += verdict.samples if verdict.exact is None else verdict.exact.compared
        if verdict.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt
        return verdict


def told_where(error: LearnerDied, datasets: Sequence[Any]) -> LearnerDied:
    """The error with the dataset in words."""
    text = without_place(error)
    if error.dataset is not None and 0 <= error.dataset < len(datasets):
        text += f", on {describe_dataset(datasets[error.dataset])}"
    return LearnerDied(text, error.dataset)


def _variety(dataset: Any) -> tuple[int, int]:
    try:
        return different_records(dataset), min(size_of(dataset), 1000)
    except Exception:  # given pairs may hold anything
        return 0, 0


def subject_of(
    learner: Any,
    claim: Any,
    *,
    limits: Limits,
    neighbours: Any = None,
    dataset: Any = None,
    pairs: Any = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    form: Form | str | None = None,
    listener: Listener | None = None,
) -> Subject:
    """A subject, its arguments checked as those of an audit are; the claim may be missing.

    Raises
    ------
    InvalidArgument
        One line: which argument, what it got, what it wants.
    """
    promised = claim if isinstance(claim, int | float | Claim) else None
    target = described(
        learner,
        isolation=limits.isolation,
        resources=limits.resources,
        wanted=EVERYTHING,
        name=name,
        options=options,
        claim=promised,
    )
    # Of one that died before it said anything every check says so, whatever it is about.
    unclaimed = claim is None and (target.died != "" or said_of(target, CLAIM) is None)
    question = ask(
        target,
        claim,
        measuring=unclaimed,
        neighbours=neighbours,
        dataset=dataset,
        pairs=pairs,
        limits=limits,
        shrink=None,
        small=True,
        form=form,
    )
    # settled once: every check hands the learner its data in the same form
    return Subject(replace(find_form(question).question, forms=()), listener=listener)
