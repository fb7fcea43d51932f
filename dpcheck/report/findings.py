"""The findings of the survey, for users and authors of the libraries: one JSON record, and Markdown made of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.harmless import one_line
from dpcheck.model.verdict import Status, Verdict
from dpcheck.report.finished import Audited, NotAudited
from dpcheck.report.over_seeds import over_seeds
from dpcheck.report.paper.markdown import code, heading

if TYPE_CHECKING:
    from dpcheck.adapters.survey import Subject
    from dpcheck.model.verdict import Witness

SCHEMA = "dpcheck-survey/1"


def document_of(
    subjects: Sequence[Subject],
    missing: Mapping[str, str],
    results: Mapping[str, Sequence[Audited | NotAudited]],
    *,
    alpha: float,
    seed: int,
    seeds: int,
    command: str,
) -> dict[str, Any]:
    """The record ``dpcheck-survey/1``: all that the report says, as plain data.

    Parameters
    ----------
    subjects : the subjects, in the order of the report
    missing : by subject, why its library is not here (empty where it is)
    results : by subject, one result a seed
    alpha : float, the level of each audit
    seed, seeds : the first seed, and how many there are
    command : str, what makes the report again
    """
    from dpcheck.model.verdict.record import environment, plain

    libraries = {one.library.name: one.library for one in subjects}
    return {
        "schema": SCHEMA,
        "command": command,
        "seed": seed,
        "seeds": seeds,
        "alpha": alpha,
        "environment": plain(environment()),
        "libraries": [
            {"name": name, "version": library.version, "url": library.url, "license": library.license}
            for name, library in libraries.items()
        ],
        "subjects": [_subject(one, missing.get(one.name, ""), results.get(one.name, ()), seed) for one in subjects],
    }


def _subject(one: Subject, missing: str, results: Sequence[Audited | NotAudited], seed: int) -> dict[str, Any]:
    source = None if missing else one.source()
    return {
        "name": one.name,
        "library": one.library.name,
        "version": one.library.version,
        "what": one.what,
        "data": one.data,
        "expected": one.expected.value,
        "why": one.why,
        "relation_note": one.relation_note,
        "upstream": one.upstream,
        "missing": missing,
        "source": None
        if source is None
        else {"file": source.file, "function": source.function, "line": source.line, "text": source.text},
        "results": [_result(result, seed + number) for number, result in enumerate(results)],
    }


def _result(result: Audited | NotAudited, seed: int) -> dict[str, Any]:
    if isinstance(result, NotAudited):
        return {"seed": seed, "status": result.trouble.value, "problem": result.problem}
    verdict = result.verdict
    return {
        "seed": seed,
        "status": verdict.status.value,
        "claim": str(verdict.claim),
        "relation": verdict.relation,
        "bound": _bound(verdict),
        "epsilon_lower": float(at_least(verdict.epsilon_lower, ".4f")),
        "delta_lower": float(at_least(verdict.delta_lower, ".4f")),
        "calls": verdict.samples,
        "seconds": round(verdict.seconds, 1),
        "reproducible": verdict.reproducible,
        "witness": _witness(verdict.witness),
        "found": _witness(verdict.found),
    }


def _bound(verdict: Verdict) -> str:
    """The certified bound in words."""
    from dpcheck.model.claims import claim_point

    delta = claim_point(verdict.claim)[1]
    return f"epsilon{f' at delta = {delta:.3g}' if delta else ''} above {at_least(verdict.epsilon_lower)}"


def _witness(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    counts = witness.counts
    return {
        "change": witness.change,
        "left": witness.left,
        "right": witness.right,
        "event": witness.event,
        "direction": witness.direction,
        "correct": counts.correct,
        "wrong": counts.wrong,
        "calls": counts.calls,
        "epsilon_alone": "inf" if witness.epsilon_alone == float("inf") else round(witness.epsilon_alone, 4),
    }


def to_json(document: Mapping[str, Any]) -> str:
    """The record as a file that reviews well."""
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def render(document: Mapping[str, Any]) -> str:
    """The report as Markdown, made of the record alone."""
    subjects = document["subjects"]
    found, warned = sorted_out(document)
    versions = ", ".join(f"[{lib['name']} {lib['version']}]({lib['url']})" for lib in document["libraries"])
    lines = [
        "# Findings in other libraries",
        "",
        introduction(document, versions),
        "",
        f"## Violations ({len(found)})",
        "",
    ]
    for number, one in enumerate(found, 1):
        lines += _finding(one, number, document)
    if warned:
        lines += [
            f"## Used against the library's own warning ({len(warned)})",
            "",
            "Each of these models warns (PrivacyLeakWarning) that it was given no bounds and takes them from the data. "
            "That is a use to avoid, not a defect; the audits show that the warning is to be taken seriously.",
            "",
        ]
        for one in warned:
            lines += _warned(one)
    lines += [*_table(subjects, document), ""]
    return "\n".join(lines)


def sorted_out(document: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The subjects that break their claim, and of those apart what was used against the library's own warning."""
    violated = [one for one in document["subjects"] if _times(one, Status.VIOLATED) and one["source"] is not None]
    found = [one for one in violated if "undeclared" not in one["name"]]
    return found, [one for one in violated if one not in found]


def introduction(document: Mapping[str, Any], versions: str) -> str:
    """What heads the findings; ``versions`` names the libraries."""
    return (
        f"What audits of {versions} found on their learners, run on scikit-learn's bundled data with "
        f"dpcheck {heading(document['environment']['dpcheck'])} and "
        f"Python {heading(document['environment']['python'])}. Each audit accuses a learner that "
        f"keeps its claim with probability at most {document['alpha']:g}, whatever it finds; "
        f"there were {document['seeds']} of each subject, on seeds {document['seed']} to "
        f"{document['seed'] + document['seeds'] - 1}. A violation is a statement about a claim under a neighbouring "
        "relation: where a library does not name its relation, the one assumed is named, and why. No violation found "
        "is no proof of privacy. The subjects were chosen: data, bounds and outputs were tried until a leak that the "
        "code lets one expect showed in few calls, so that the shares below say nothing of how often these libraries "
        "leak; each verdict stands on calls of its own. The prose says how the code was read; numbers, pairs, events "
        f"and lines of code are what the audits and the installed libraries gave. This file is generated by "
        f"{code(document['command'] + ' --output reports')}."
    )


def command_of(one: Mapping[str, Any], seed: int) -> str:
    """What makes one result of a subject again."""
    return f"dpcheck survey {one['name']} --seed {seed}"


def _times(one: Mapping[str, Any], status: Status) -> int:
    return sum(result["status"] == status.value for result in one["results"])


def shown_result(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """The result whose pair is shown: among the violations the first with the shortest pair."""
    violations = [result for result in one["results"] if result["status"] == Status.VIOLATED.value]
    return min(violations, key=lambda result: len(result["witness"]["left"]) + len(result["witness"]["right"]))


def _linked(address: str) -> str:
    """An address as a link; other words as they are."""
    return f"<{address}>" if re.fullmatch(r"https://[\w./#?=&%-]+", address, re.ASCII) else heading(address)


def _code(text: str) -> str:
    """Text as code on one line, whatever it holds."""
    plain = " ".join(text.split())
    fence = "``" if "`" in plain else "`"
    return f"{fence} {plain} {fence}" if fence == "``" else f"{fence}{plain}{fence}"


def _fenced(text: str) -> str:
    """A stranger's words in a block of code, which they cannot end: a space before what would."""
    return re.sub(r"^( {0,3})(?=`{3})", r"\1    ", text, flags=re.MULTILINE)


def _finding(one: Mapping[str, Any], number: int, document: Mapping[str, Any]) -> list[str]:
    shown = shown_result(one)
    source, witness = one["source"], shown["witness"]
    library = next(lib for lib in document["libraries"] if lib["name"] == one["library"])
    lines = [
        f"### {number}. {heading(one['library'])}: {heading(one['name'].removeprefix(one['library'] + '-'))}",
        "",
        f"{_code(one['what'])}, on {heading(one['data'])}. "
        f"Claim: {heading(shown['claim'])} under {heading(shown['relation'])}. "
        f"Violated on {_times(one, Status.VIOLATED)} of {len(one['results'])} seeds.",
        "",
        f"Certified (seed {shown['seed']}, confidence 1 - {document['alpha']:g}): any valid "
        f"{heading(shown['bound'])}, after {shown['calls']:,} calls.",
        "",
        f"Pair: {heading(witness['change'])}.",
        "",
        "```text",
        f"D  = {_fenced(one_line(witness['left']))}",
        f"D' = {_fenced(one_line(witness['right']))}",
        "```",
        "",
        f"Event: {_code(witness['event'])}, {heading(witness['direction'])}{_guesses(witness)} in "
        f"{witness['calls']:,} calls.",
        "",
    ]
    if shown["found"] is not None:
        lines += [
            f"Found first on: {heading(shown['found']['change'])}; the pair above is a smaller form of that one.",
            "",
        ]
    if source["line"]:
        lines += [
            f"Where: {_code(source['file'] + ':' + str(source['line']))} in {_code(source['function'])} "
            f"({one['library']} {heading(one['version'])}, {heading(library['license'])} licence):",
            "",
            "```python",
            _fenced(source["text"]),
            "```",
            "",
        ]
    lines += [f"Why: {heading(one['why'])}", "", f"Relation: {heading(one['relation_note'])}", ""]
    lines += [f"Upstream: {_linked(one['upstream'])}" if one["upstream"] else "Upstream: no issue is known to us.", ""]
    return [*lines, f"Reproduce: {code(_reproduce(one, shown))}{_drawn(shown)}", ""]


def _guesses(witness: Mapping[str, Any]) -> str:
    """What was counted of an event; nothing where none is shown."""
    if not witness["correct"] + witness["wrong"]:
        return ""
    return f": {witness['correct']:,} right and {witness['wrong']:,} wrong guesses"


def _reproduce(one: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    return command_of(one, shown["seed"])


def _drawn(shown: Mapping[str, Any]) -> str:
    if shown["reproducible"]:
        return ""
    return " (the library draws from the operating system, so the verdict repeats and the counts do not)"


def _warned(one: Mapping[str, Any]) -> list[str]:
    shown = shown_result(one)
    source, witness = one["source"], shown["witness"]
    place = f" ({heading(source['file'])}:{source['line']}: {_code(source['text'])})" if source["line"] else ""
    return [
        f"- **{heading(one['name'])}**: {_code(one['what'])}; {heading(one['data'])}. "
        f"Violated on {_times(one, Status.VIOLATED)} of {len(one['results'])} seeds; "
        f"{heading(shown['bound'])} for a claim of {heading(shown['claim'])}. "
        f"Pair: {heading(witness['change'])}. "
        f"{heading(one['why'])}{place} Reproduce: {code(_reproduce(one, shown))}",
        "",
    ]


def _table(subjects: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> list[str]:
    lines = [
        "## All subjects",
        "",
        f"Verdicts on {document['seeds']} seeds each; the certified bound is the median, calls and seconds are means "
        "on the machine that made this file. The claims of dp-accounting are its privacy profiles: the bound is the "
        "epsilon at the profile's central point.",
        "",
        "| subject | claim | relation | expected | found | epsilon above | calls | seconds |",
        "| --- | --- | --- | --- | --- | ---: | ---: | ---: |",
    ]
    for one in subjects:
        audits = [result for result in one["results"] if "claim" in result]
        found = one["missing"] or _words(one["results"])
        cells = [one["name"], "", "", one["expected"], found, "", "", ""]
        if audits:
            cells[1:3] = [audits[0]["claim"], audits[0]["relation"]]
            cells[5:] = over_seeds((each["epsilon_lower"], each["calls"], each["seconds"]) for each in audits)
        lines.append(f"| {' | '.join(heading(cell).replace('|', '&#124;') for cell in cells)} |")
    lines += ["", "Why each is expected:", ""]
    return [
        *lines,
        *(
            f"- **{heading(one['name'])}**: {_code(one['what'])}; {heading(one['data'])}. {heading(one['why'])}"
            for one in subjects
        ),
    ]


def _words(results: Sequence[Mapping[str, Any]]) -> str:
    counts: dict[str, int] = {}
    for result in results:
        counts[result["status"]] = counts.get(result["status"], 0) + 1
    return ", ".join(f"{word} {count} of {len(results)}" for word, count in counts.items())
