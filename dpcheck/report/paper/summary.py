"""The sentences that head a paper's report, computed from it, for all its views."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dpcheck.report.paper.model import NotRun, PaperReport, ResultShown, StepShown
from dpcheck.report.whole.model import WORDS
from dpcheck.trial.claims import claims_run
from dpcheck.trial.model import Outcome

#: What the words of a status mean, in the order in which a reader meets them.
MEANINGS = (
    (
        "PROVED",
        "its formulas are the line, or it was derived from laws, events and private algorithms by rules; a certificate "
        "of each formula, found by a search, was replayed just now by a small checker that shares no code with it",
    ),
    (
        "ARGUED",
        "formulas (of a statement: its steps) were proved in this way, and words lead from them to what is printed",
    ),
    (
        "HOLDS ON INSTANCES",
        "it holds on every member of a finite family that was enumerated completely; no proof is offered",
    ),
    ("CITED", "it rests on another paper's result that is not checked here"),
    ("UNDECIDED", "neither shown nor refuted"),
    ("VACUOUS", "nothing satisfies its hypotheses, or it says nothing on part of its domain"),
    ("REFUTED", "it fails at a point or instance that was evaluated exactly, or its opposite is proved"),
    ("STATED", "a definition or a remark for the record: it counts in no share"),
)

#: A sign for each status beside its colour.
SIGNS = {
    "PROVED": "✓", "ARGUED": "~", "HOLDS ON INSTANCES": "#", "CITED": "”", "UNDECIDED": "?", "VACUOUS": "∅",
    "REFUTED": "✗", "STATED": "·",
}  # fmt: skip


#: How statuses begin that say that something was decided in its favour here.
_DECIDED = ("PROVED", "ARGUED", "HOLDS")


#: What stands for the severity of what fails without an erratum.
UNEXPLAINED = "no explanation"


@dataclass(frozen=True)
class Fault:
    """A refuted line or statement with the result it belongs to; ``step`` is None for a statement."""

    result: ResultShown
    step: StepShown | None

    @property
    def clean(self) -> bool:
        """Whether the line is legible in the paper's text, so that it may be called an erratum."""
        erratum = self.result.erratum if self.step is None else self.step.erratum
        return erratum is not None and erratum.quality == "clean"

    @property
    def severity(self) -> str:
        """How grave it is, as its erratum says; a line of somebody's own may have none."""
        erratum = self.result.erratum if self.step is None else self.step.erratum
        return UNEXPLAINED if erratum is None else erratum.severity


def steps_of(report: PaperReport) -> tuple[StepShown, ...]:
    """Every step of the proofs once, in the order of the results."""
    return tuple({step.label: step for result in report.results for step in result.steps}.values())


def owners(results: Sequence[ResultShown]) -> dict[str, str]:
    """The first result whose proof has a step, by the step's label."""
    found: dict[str, str] = {}
    for result in results:
        for step in result.steps:
            found.setdefault(step.label, result.short)
    return found


def faults_of(results: Sequence[ResultShown]) -> tuple[Fault, ...]:
    """Everything refuted: each statement, then the lines of its proof, each once."""
    seen: set[str] = set()
    found = []
    for result in results:
        if result.status == "REFUTED":
            found.append(Fault(result, None))
        for step in result.steps:
            if step.status == "REFUTED" and step.label not in seen:
                seen.add(step.label)
                found.append(Fault(result, step))
    return tuple(found)


def by_loss(results: Sequence[ResultShown]) -> tuple[Fault, ...]:
    """Everything refuted, what a reader loses most by first: by severity, then statements, then by what rests on it."""
    gravest = ("false", "gap", "constant", "slip", "edge")
    above = {result.id: len(resting_on(results, result.id)) for result in results}

    def loss(fault: Fault) -> tuple[int, bool, int]:
        rank = gravest.index(fault.severity) if fault.severity in gravest else len(gravest)
        return rank, fault.step is not None, -above[fault.result.id]

    return tuple(sorted(faults_of(results), key=loss))


def resting_on(results: Sequence[ResultShown], id: str) -> tuple[str, ...]:
    """The ids of the results that rest on one, directly or not, in the paper's order."""
    above = {result.id: result.used_by for result in results}
    found: set[str] = set()
    waiting = list(above.get(id, ()))
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += above.get(other, ())
    return tuple(result.id for result in results if result.id in found)


def touching(results: Sequence[ResultShown]) -> dict[str, tuple[str, ...]]:
    """For each result, those with a refuted statement or line that it rests on, directly or not: their short names."""
    found: dict[str, list[str]] = {result.id: [] for result in results}
    for faulty in dict.fromkeys(fault.result.id for fault in faults_of(results)):
        for other in resting_on(results, faulty):
            found[other].append(faulty.partition(":")[2] or faulty)
    return {id: tuple(names) for id, names in found.items()}


def _definitions(count: int) -> str:
    return "1 line is a definition" if count == 1 else f"{count} lines are definitions"


def replay_command(report: PaperReport) -> str:
    """What replays all certificates of the paper, from its file where that is a user's."""
    from shlex import quote

    shown = report.results[0] if report.results else None
    start = "dpcheck theorems " if shown is None else shown.command.partition(quote(shown.id))[0]
    return f"{start}--paper {quote(report.paper)} --recheck"


def checked_sentence(report: PaperReport) -> str:
    """What was checked."""
    steps = sum(count for _, count in report.shares)
    return (
        f"Each of the {steps} printed lines of the paper's proofs was put into formulas or a finite "
        f"family and decided by machine, or is marked as cited. Each of its {len(report.results)} results got three "
        "statuses: of the statement as printed, of the printed proof (the least of its steps), and of the repaired "
        f"proof. {report.replayed} of {report.formulas} certificates were replayed by a separate checker for this page"
        + (f"; {_definitions(report.paper_steps - steps)}" if steps != report.paper_steps else "")
        + "."
    )


def headline(report: PaperReport) -> str:
    """What came out, in a few sentences."""
    steps = [step for step in steps_of(report) if step.status != "STATED"]
    refuted = [step for step in steps if step.status == "REFUTED"]
    mended = [step for step in refuted if step.repair is not None and step.repair.status.startswith(_DECIDED)]
    open_ones = [step for step in steps if step.status == "UNDECIDED"]
    claims = [result for result in report.results if result.status != "STATED"]
    broken = [result for result in claims if result.status == "REFUTED"]
    repaired = [result for result in broken if result.repaired.startswith((*_DECIDED, "CITED"))]
    standing = [result for result in claims if result.status in ("PROVED", "HOLDS ON INSTANCES")]
    argued = [result for result in claims if result.status == "ARGUED"]
    cited = [result for result in claims if result.status == "CITED"]
    said = (
        f"Of {len(steps)} steps {len(refuted)} fail as printed"
        + (
            f"; {_share(len(mended), len(refuted))} a repair that was decided in the same way ({_decided(mended)})"
            if refuted
            else ""
        )
        + f", and {len(open_ones) or 'none'} {'is' if len(open_ones) == 1 else 'are'} undecided. "
    )
    said += (
        f"Of {len(claims)} results that claim something {len(standing)} {'stands' if len(standing) == 1 else 'stand'}"
    )
    said += f", {len(argued)} stand by steps that were decided and words between them" if argued else ""
    said += f", {len(cited)} stand on cited work"
    undecided = sum(result.status == "UNDECIDED" for result in claims)
    said += f", {undecided} {'is' if undecided == 1 else 'are'} undecided" if undecided else ""
    if broken:
        said += f", and {len(broken)} fail as printed ({', '.join(result.short for result in broken)})"
        said += ": all hold once repaired" if len(repaired) == len(broken) else f": {len(repaired)} hold once repaired"
        leaning = sum(result.repaired == "CITED" for result in repaired)
        said += f", {leaning} of them on cited work" if leaning else ""
    return said + "."


def _share(some: int, of: int) -> str:
    if some == of:
        return "each has" if of == 1 else f"all {of} have"
    return f"{some} of these {'has' if some == 1 else 'have'}"


def _decided(mended: Sequence[StepShown]) -> str:
    """How many repairs are proved, how many argued, and how many hold on instances only."""
    words = {"PROVED": "proved", "ARGUED": "argued from proved formulas", "HOLDS": "on a complete finite family"}
    counts = Counter(step.repair.status.partition(" ")[0] for step in mended if step.repair is not None)
    return ", ".join(f"{counts[status]} {said}" for status, said in words.items() if counts[status])


def outcomes_sentence(outcomes: Sequence[Outcome], not_run: Sequence[NotRun] = ()) -> str:
    """What came of the claims where they were run, counted; "" where none was."""
    if not outcomes:
        return ""
    claims = claims_run(outcomes)
    counts = {word: sum(claim.word == word for claim in claims) for word in WORDS}
    said = ", ".join(f"{word} {count}" for word, count in counts.items() if count)
    broken = [claim for claim in claims if any(one.broken for one in claim.outcomes)]
    unexplained = sum(any(one.broken and not one.expected for one in claim.outcomes) for claim in broken)
    many = "1 claim was" if len(claims) == 1 else f"{len(claims)} claims were"
    where = f" on {len(outcomes):,} instances" if len(outcomes) > len(claims) else ""
    text = f"{many} run against code{where}: {said}."
    if broken:
        text += (
            " The errata explain every contradiction."
            if not unexplained
            else f" No erratum explains {unexplained} of the contradictions."
        )
    if not_run:
        entries = "1 entry has" if len(not_run) == 1 else f"{len(not_run)} entries have"
        text += f" {entries} nothing to run, each with its reason."
    return text
