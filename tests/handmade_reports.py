"""Small records of every kind of report, made by hand: what views are tried on without running anything."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpcheck.report.errata import CheckedPaper
from dpcheck.report.pages.asked_charts import CHARTS_SCRIPT, charts_script
from dpcheck.report.pages.layout import Place
from dpcheck.report.paper.model import (
    BoundShown,
    ErratumShown,
    FormulaShown,
    NotRun,
    PaperReport,
    RepairShown,
    ResultShown,
    StepShown,
    Unmeasured,
)
from dpcheck.report.whole.model import (
    AuditLine,
    AuditReport,
    Count,
    Curve,
    FindingsLine,
    IndexReport,
    LearnerLine,
    LearnerReport,
    Missing,
    Noted,
    OptionShown,
    PaperLine,
    PlacedOutcome,
    PrivacyCurves,
    TheoremLine,
    WitnessShown,
)
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Series, Shade, Table, Taken

ROOT = Path(__file__).resolve().parent.parent
#: What a page must show as it is, and never act on.
HOSTILE = "<img src=x onerror=alert(1)> & \"quoted\" 'words' </style></script><script>alert(2)</script> $x$ {{ 7 * 7 }}"

#: Wider than any page: it scrolls by itself.
_WIDE = f"<math><mrow>{'<mi>n</mi><mo>+</mo>' * 120}<mi>n</mi></mrow></math>"
_FORMULA = FormulaShown("1/n <= 1", "n in Z[1, inf)", "", "PROVED", "", "arithmetic", _WIDE)
_ERRATUM = ErratumShown("n >= 1/alpha", "It fails at alpha = 1/2.", "constant", "clean", "")
_REPAIR = RepairShown("n >= 2/alpha", "constant", "PROVED", "because 2 > 1", "nothing", (_FORMULA,), "")
_STEP = StepShown(
    "L1.a", "1/n <= 1", "n >= 1", "PROVED", "PROVED", "certificate, replayed", (_FORMULA,), (), "", "", "", "it is so",
    "", "", "", (), None, None,
)  # fmt: skip
_BROKEN = replace(
    _STEP, label="L1.b", status="REFUTED", status_words="REFUTED", formulas=(), witness="alpha = 1/2: 2 against 4",
    because="", erratum=_ERRATUM, repair=_REPAIR,
)  # fmt: skip
_READING = replace(_BROKEN, label="L1.c", erratum=replace(_ERRATUM, quality="reading", readings="with >= it holds"))
_BOUND = BoundShown(
    "lem-1",
    "upper",
    "n >= 2/alpha",
    r"\frac{2}{\alpha}",
    f"alpha in (0, 1); beta in [1/{'3' * 90}, 1]",
    "solved",
    _WIDE,
)


def _result(short: str, title: str, status: str, **changes: Any) -> ResultShown:
    made = ResultShown(
        id=f"toy2026:{short}", short=short, kind="lemma", title=title, statement="for all n >= 1, 1/n <= 1",
        assumptions="", status=status, proof=status, repaired="PROVED" if status == "REFUTED" else status,
        repaired_statement="", cited="", erratum=None, against=(), witness="", claims=(), bounds=(), steps=(),
        rests_on=(), used_by=(), learners=(), checks=(), command=f"dpcheck theorems toy2026:{short}",
    )  # fmt: skip
    return replace(made, **changes)


RESULTS = (
    _result("def-1", "A definition", "STATED"),
    _result("lem-1", "A lemma", "REFUTED", erratum=_ERRATUM, repaired_statement="n >= 2/alpha", bounds=(_BOUND,),
            steps=(_STEP, _BROKEN, _READING), used_by=("toy2026:thm-2",), against=(_FORMULA,)),
    _result("thm-2", "A theorem that rests on it", "CITED", cited="another paper", rests_on=("toy2026:lem-1",)),
    _result("rem-3", "A remark", "PROVED", claims=(_FORMULA,)),
)  # fmt: skip
HOLDS = Outcome(
    "holds", "thm-2 at n = 200: failure at most 0.1", "3 of 100 trials failed", "toy2026:thm-2", learner="toy.learner",
    size=200, measured=40, level=1e-3, trials=100,
)  # fmt: skip
CONTRADICTED = Outcome(
    "contradicted", "lem-1 as printed", "0.3 against 0.2", "toy2026:lem-1", "number", expected="L1.b"
)
OUT_OF_REACH = Outcome(
    "not reachable", "thm-2 at n = 4.1e9", "too many records", "toy2026:thm-2", size=4.1e9, measured=1200.0,
    instead="the scaled check at n = 2,000", instead_word="holds", level=1e-3, trials=500,
)  # fmt: skip
CHART = Chart(
    "failures", "Failure against n", "private records n_priv", "probability of failure",
    (
        Series("measured", "measured", 0, (10.0, 100.0, 1000.0), (0.5, 0.1, 0.0), (0.4, 0.05, 0.0), (0.6, 0.2, 0.03),
               (100, 100, 100)),
        Series("bound", "bound", 1, tuple(float(n) for n in range(10, 1000, 20)),
               tuple(30 / n for n in range(10, 1000, 20))),
        Series("exact", "exact", 2, (10.0, 100.0, 1000.0), (0.45, 0.11, 0.001)),
    ),
    (Mark("own size, n = 200", x=200.0, colour=4), Mark("claimed failure 0.1", y=0.1, colour=5)),
    y_log=True, alt="Failure falls below its bound.",
    shades=(Shade("the bound is above 1: it says nothing here", y=(1.0, None)),),
)  # fmt: skip
MEASUREMENT = Measurement(
    "failures", "Failures beside their bound", ("toy2026:thm-2", "toy2026:lem-1"), "How often it fails against n_priv.",
    "It falls from 0.5 to 0.", "Intervals hold together with probability 95%.", (CHART,),
    (Table("Sizes", ("n", "least", "words"), (("10", "1,200", "far above all that was tried"), ("9", "35", ""))),),
    (HOLDS, CONTRADICTED, OUT_OF_REACH), "nothing of note", 300, 1.5, True, "dpcheck report toy2026:failures",
    (Taken("n_priv", ("10", "100", "1000")), Taken("beta", ("0.05",))),
)  # fmt: skip
PAPER = PaperReport(
    paper="toy2026", title="A toy paper", authors=("A. Author", "B. Author"), year=2026, version="0.1.0",
    command="dpcheck report toy2026 --quick", seed=1, quick=True,
    shares=(("REFUTED", 2), ("PROVED", 1)), paper_steps=3, formulas=3, replayed=3, results=RESULTS,
    measurements=(MEASUREMENT,), seconds=2.0, outcomes=(("holds", 1), ("contradicted", 1), ("not reachable", 1)),
    not_run=(NotRun("toy2026:rem-3", "a remark about history"),), uncovered=(),
    missing=(Unmeasured("slow-one", ("toy2026:thm-2",)),),
    learner_pages=(("toy.learner", "learners/toy.learner.html"),),
)  # fmt: skip
ERRATA = (CheckedPaper("toy2026", "A toy paper", ("A. Author",), 2026, RESULTS, {"L1.b": "Section 2"}),)
WITNESS = WitnessShown(
    "row 1 (0) replaced by (1)", "[0, 1]", "[1, 1]", "output > 0.5", "likelier on D'", 90, 10, 120, 1.2
)
CURVES = PrivacyCurves(
    (
        Curve("certified", "certified", (0.0, 1.0, 2.0), (0.4, 0.1, 0.0)),
        Curve("claimed (1, 0.05)", "claimed", (0.0, 1.0, 2.0), (0.6, 0.05, 0.02)),
    ),
    (
        Curve("certified", "certified", (0.0, 0.1, 0.5, 1.0), (1.0, 0.6, 0.2, 0.0)),
        Curve("claimed", "claimed", (0.0, 0.3, 1.0), (1.0, 0.3, 0.0)),
    ),
    1e-6, "Points of the audit's best events.", "row 1 (0) replaced by (1)",
)  # fmt: skip
LEARNER = LearnerReport(
    name="toy.learner", title="Picks a threshold", description="Picks a threshold by the exponential mechanism.",
    paper="toy2026", algorithm="toy2026:alg-1", theorem="toy2026:thm-2", theorem_statement="it is 1-private",
    as_printed=False, claim="1-DP", claimed_epsilon=1.0, claimed_delta=0.0, assumptions=("records in [0, 1]",),
    relation="replace-one", domain="all datasets of 2 records", law=True, source="dpcheck.parts.learners.toy:learner",
    options=(OptionShown("epsilon", "1.0"),), status="no violation found", expected="no violation found",
    as_expected=True, verdict="toy.learner: NO VIOLATION FOUND (claim: 1-DP)", exact=True, loss=0.9,
    loss_words="epsilon = 0.9", how="exact, over all pairs", pairs=12, calls=0, level=0.0, witness=WITNESS,
    findings=(Noted("low bits", "the low bits of the noise tell"),), curves=replace(CURVES, level=0.0), problem="",
    version="0.1.0", command="dpcheck report toy.learner", audit_command="dpcheck audit toy.learner", seed=1,
    quick=True, seconds=0.5,
    outcomes=(PlacedOutcome("toy2026", "failures", "Failures", HOLDS, "toy2026/toy2026.html", MEASUREMENT.command),),
)  # fmt: skip
AUDIT = AuditReport(
    name="noisy-sum", file="noisy_sum.json", record="dpcheck-record-1", kind="audit", target="my.py:noisy_sum",
    claim="1-DP", claimed_epsilon=1.0, claimed_delta=0.0, relation="replace-one", status="violated",
    meaning="The claim is false.", words="my.py:noisy_sum: VIOLATED", level=1e-6, epsilon_lower=1.7, delta_lower=0.02,
    detectable_epsilon=None, exact=False, arithmetic="", witness=WITNESS, found=WITNESS, findings=(), curves=CURVES,
    phases=(Count("search", 400), Count("test", 2000)), samples=2400, pairs_tried=3, pairs_not_tried=1,
    stop="the evidence reached its threshold", method="bets", reproducible=True,
    environment=(("python", "3.11"), ("numpy", "2.4")), problem="", command="dpcheck audit my.py:noisy_sum", seed=1,
    seconds=0.7, version="0.1.0",
)  # fmt: skip


def _theorem(result: ResultShown) -> TheoremLine:
    outcomes = (Count("holds", 1), Count("not reachable", 1)) if result.short == "thm-2" else ()
    return TheoremLine(
        result.id, "toy2026", result.short, result.kind, result.title, result.status, result.proof, result.repaired,
        outcomes, "a remark about history" if result.short == "rem-3" else "", result.rests_on, result.used_by,
        "toy2026/toy2026.html", result.command,
    )  # fmt: skip


INDEX = IndexReport(
    title="Bounds against reality",
    papers=(
        PaperLine(
            "toy2026", "A toy paper", ("A. Author",), 2026, "toy2026/toy2026.html",
            (Count("REFUTED", 2), Count("PROVED", 1)), 3, (Count("REFUTED", 1), Count("CITED", 1), Count("PROVED", 1)),
            (Count("holds", 1), Count("contradicted", 1), Count("not reachable", 1)), 1, 2, 1, ("toy2026:lem-9",), 300,
            2.0, "dpcheck report toy2026",
        ),
    ),
    theorems=tuple(_theorem(result) for result in RESULTS if result.status != "STATED"),
    learners=(
        LearnerLine("toy.learner", "Picks a threshold", "toy2026", "1-DP", "no violation found", True, "epsilon = 0.9",
                    "exact", "learners/toy.learner.html", "dpcheck report toy.learner"),
    ),
    audits=(AuditLine("noisy-sum", "my.py:noisy_sum", "1-DP", "violated", 1.7, "audits/noisy-sum.html",
                      "dpcheck audit my.py:noisy_sum"),),
    findings=FindingsLine(("lib 1.0",), 27, 9, 27, "findings.html", "dpcheck survey"),
    outcomes=(Count("holds", 1), Count("contradicted", 1), Count("not reachable", 1)),
    contradicted=(PlacedOutcome("toy2026", "failures", "Failures", CONTRADICTED, "toy2026/toy2026.html",
                                MEASUREMENT.command),),
    failed=(Missing("toy2026:broken", "it raised ValueError"),),
    missing=(Missing("toy2026: slow one", "interrupted"),),
    errata_page="errata.html", version="0.1.0", command="dpcheck report --quick", seed=1, quick=True, seconds=3.0,
)  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """A kind of page: where it is written, its record, and what draws it."""

    path: str
    record: Any
    render: Callable[[Any, Place], str]


def survey() -> Mapping[str, Any]:
    """Some subjects of the survey that is in the repository: with and without a violation, and a warned one."""
    found: dict[str, Any] = json.loads((ROOT / "reports" / "survey.json").read_text(encoding="utf-8"))
    told = [one for one in found["subjects"] if one["source"] is not None]
    warned = [one for one in told if "undeclared" in one["name"]]
    untold = [one for one in found["subjects"] if one["source"] is None]
    chosen = [*[one for one in told if one not in warned][:2], *warned[:1], *untold[:2]]
    return {**found, "subjects": [{**one, "results": one["results"][:2]} for one in chosen]}


def kinds() -> dict[str, Kind]:
    """Every kind of page."""
    from dpcheck.report.paper import measurement_page, result_page
    from dpcheck.report.paper import page as paper_page
    from dpcheck.report.whole import audit_page, errata_page, findings_page, index_page, learner_page

    return {
        "index": Kind("index.html", INDEX, index_page.render),
        "paper": Kind("toy2026/toy2026.html", PAPER, paper_page.render),
        # one part of a paper alone: all of it on one page
        "part": Kind("toy2026/part.html", replace(PAPER, part="part"), paper_page.render),
        "result": Kind(
            "toy2026/lem-1.html",
            PAPER,
            lambda record, place: result_page.render(record, record.results[1], place),
        ),
        "measurement": Kind(
            "toy2026/failures.html",
            PAPER,
            lambda record, place: measurement_page.render(record, record.measurements[0], place),
        ),
        "learner": Kind("learners/toy.learner.html", LEARNER, learner_page.render),
        "audit": Kind("audits/noisy-sum.html", AUDIT, audit_page.render),
        "errata": Kind("errata.html", ERRATA, errata_page.render),
        "findings": Kind("findings.html", survey(), findings_page.render),
    }


def written(folder: Path) -> dict[str, Path]:
    """Every kind of page, written to a folder as a report would be: their files by kind."""
    found = {}
    pages = (CHARTS_SCRIPT, *(kind.path for kind in kinds().values()))
    (folder / CHARTS_SCRIPT).write_text(charts_script(), encoding="utf-8")
    for name, kind in kinds().items():
        path = folder / kind.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(kind.render(kind.record, Place(kind.path, pages)), encoding="utf-8")
        found[name] = path
    return found


def hostile(record: Any, words: str = HOSTILE) -> Any:
    """The record with these words behind every text in it that is words; ids, links, words and keys are kept."""
    from dataclasses import fields, is_dataclass

    if is_dataclass(record) and not isinstance(record, type):
        changed = {
            field.name: getattr(record, field.name)
            if field.name in _KEPT
            else hostile(getattr(record, field.name), words)
            for field in fields(record)
        }
        return replace(record, **changed)
    if isinstance(record, str):
        return f"{record} {words}" if record else record
    if isinstance(record, tuple | list):
        return type(record)(hostile(one, words) for one in record)
    if isinstance(record, dict):
        return {key: one if key in _KEPT else hostile(one, words) for key, one in record.items()}
    return record


_KEPT = {
    "id", "short", "key", "paper", "page", "word", "instead_word", "status", "status_words", "proof", "repaired",
    "role", "kind", "mathml", "label", "results", "rests_on", "used_by", "measurement", "learner_pages", "shares",
    "result", "errata_page", "name", "library", "quality", "severity", "uses", "sections", "uncovered", "schema",
    "direction",
}  # fmt: skip
