"""SARIF 2.1.0: what code scanning shows beside the line that defines a learner.

Written for the reader that most use, GitHub's code scanning, which takes a subset of the standard: every result has
a location there, and a file with one result too many is refused as a whole.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from dpcheck.model.harmless import one_line, printable
from dpcheck.report.exit_status import Exit, exit_of, exit_status
from dpcheck.report.finished import Audited, Location, NotAudited, Run, Trouble
from dpcheck.report.sarif_rules import RULES, Rule, rule_of_finding, rule_of_result
from dpcheck.report.words import details_of, name_of, summary_of

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# GitHub's limits (docs: "SARIF support for code scanning"): results of one run, and the size of the file. That is
# 10 MB when compressed; staying below it as it stands needs no guess at how well it compresses.
MOST_RESULTS = 25_000
MOST_BYTES = 10_000_000
# Of targets without a verdict each has a result; this many are told with the run as well.
_MOST_NOTIFICATIONS = 100
# Far more than a reader shows of a message; the record has all of it.
MOST_CHARACTERS = 4_000
# GitHub refuses the whole file for one result without a location ("expected at least one location"). A learner that
# is defined nowhere in the repository is shown where a project says what it audits.
ANCHOR = Location("pyproject.toml", 1)
# The base of relative URIs that GitHub and others replace by the root of the repository.
_ROOT = "%SRCROOT%"
# A result is the same alert as before while its rule, learner and relation are; the second name is the one GitHub
# reads, which would otherwise take all alerts on one line for the same.
_FINGERPRINT = "dpcheck/v1"
_GITHUBS_FINGERPRINT = "primaryLocationLineHash"
_TROUBLE_OF_CONFIGURATION = frozenset({Trouble.USAGE})


def render(run: Run) -> str:
    """The run as one SARIF log: a result for each target that needs attention, and for what was noticed about it.

    >>> log = json.loads(render(Run(())))
    >>> log["version"], log["runs"][0]["invocations"][0]["exitCode"]
    ('2.1.0', 5)
    """
    encoded = [_encoded(result) for result in _results(run)]
    room = MOST_BYTES - len(_encoded(_log(run, [], len(encoded))))
    kept: list[str] = []
    for text in encoded[:MOST_RESULTS]:
        room -= len(text) + 1
        if room < 0:
            break
        kept.append(text)
    # Parsed again, so that what is written is JSON by construction.
    return _encoded(_log(run, [json.loads(text) for text in kept], len(encoded) - len(kept))) + "\n"


def _encoded(value: Any) -> str:
    # ASCII only, so that a character is a byte.
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def _log(run: Run, results: list[Any], left_out: int) -> dict[str, Any]:
    version = "" if run.environment is None else run.environment.dpcheck
    driver: dict[str, Any] = {"name": "dpcheck", "rules": [_rule(rule) for rule in RULES]}
    if version:
        driver["version"] = one_line(version)
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [_invocation(run, left_out)],
                "columnKind": "unicodeCodePoints",
                "results": results,
                "properties": {"seed": run.seed, "level": run.level, "summary": one_line(summary_of(run))},
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.short},
        "fullDescription": {"text": rule.full},
        "help": {
            "text": f"{rule.full} {rule.advice}",
            "markdown": f"**{rule.short}.** {rule.full}\n\n{rule.advice}",
        },
        "defaultConfiguration": {"level": rule.level},
        "properties": {"tags": list(rule.tags), "precision": "very-high"},
    }


def _invocation(run: Run, left_out: int) -> dict[str, Any]:
    exit = exit_status(run)
    troubled = [result for result in run.results if isinstance(result, NotAudited)]
    notes = [_notification(result) for result in troubled if result.trouble not in _TROUBLE_OF_CONFIGURATION]
    notes = notes[:_MOST_NOTIFICATIONS]
    if left_out:
        notes.append({"level": "warning", "message": {"text": f"{left_out} results did not fit and were left out."}})
    return {
        "exitCode": int(exit),
        "exitCodeDescription": exit.words,
        # Of the tool, not of what it checked: a violation is a success.
        "executionSuccessful": exit not in (Exit.USAGE, Exit.INTERNAL_ERROR, Exit.INTERRUPTED, Exit.NOTHING_TO_CHECK),
        "commandLine": _short(one_line(" ".join(run.argv))),
        "toolExecutionNotifications": notes,
        "toolConfigurationNotifications": [
            _notification(result) for result in troubled if result.trouble in _TROUBLE_OF_CONFIGURATION
        ][:_MOST_NOTIFICATIONS],
    }


def _notification(result: NotAudited) -> dict[str, Any]:
    return {"level": "error", "message": {"text": _message(f"{name_of(result)}: {result.problem}")}}


def _results(run: Run) -> Iterator[dict[str, Any]]:
    """Results of targets first: what does not fit is left out from the end."""
    for result in run.results:
        rule = rule_of_result(result)
        if rule is not None:
            yield _result(result, rule, _result_text(result), _level(result, rule))
    for audited in run.audited:
        for finding in audited.verdict.findings:
            rule = rule_of_finding(finding)
            if rule is not None:
                yield _result(audited, rule, f"{name_of(audited)}: {finding.kind}: {finding.detail}", rule.level)


def _result_text(result: Audited | NotAudited) -> str:
    wanted = f"\nExpected: {result.expected.value}." if isinstance(result, Audited) else ""
    return details_of(result) + wanted


def _level(result: Audited | NotAudited, rule: Rule) -> str:
    return "note" if exit_of(result) is Exit.AS_EXPECTED else rule.level


def _result(result: Audited | NotAudited, rule: Rule, text: str, level: str) -> dict[str, Any]:
    place = _place(result)
    fingerprint = _fingerprint(result, rule)
    return {
        "ruleId": rule.id,
        "ruleIndex": RULES.index(rule),
        "level": level,
        "message": {"text": _message(text)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri_of(place.file), "uriBaseId": _ROOT},
                    "region": {"startLine": max(1, place.line)},
                },
                "logicalLocations": [{"fullyQualifiedName": _short(name_of(result))}],
            }
        ],
        "partialFingerprints": {_FINGERPRINT: fingerprint, _GITHUBS_FINGERPRINT: f"{fingerprint}:1"},
        "properties": _properties(result),
    }


def _place(result: Audited | NotAudited) -> Location:
    place = result.location
    if place is None or not place.file or place.file.startswith("/") or ".." in place.file.split("/"):
        return ANCHOR
    return place


def uri_of(path: str) -> str:
    """A relative path as a URI: everything that is not plain is escaped, so that no name can leave its place.

    >>> uri_of("my learners/ε\\n.py"), uri_of("a:b/c#d?.py")
    ('my%20learners/%CE%B5%0A.py', 'a%3Ab/c%23d%3F.py')
    """
    try:
        # A name of bytes that are no UTF-8 reaches Python as lone surrogates; those become the bytes again.
        return quote(path.encode("utf-8", "surrogateescape"), safe="/-._~")
    except UnicodeEncodeError:
        return quote(path.encode("utf-8", "backslashreplace"), safe="/-._~")


def _fingerprint(result: Audited | NotAudited, rule: Rule) -> str:
    relation = result.verdict.relation if isinstance(result, Audited) else ""
    origin = result.origin if isinstance(result, Audited) else ""
    parts = "\0".join((rule.id, result.target, relation, origin))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _properties(result: Audited | NotAudited) -> dict[str, Any]:
    known: dict[str, Any] = {"target": _short(name_of(result)), "located": result.location is not None}
    if isinstance(result, NotAudited):
        return known
    verdict = result.verdict
    return {
        **known,
        "status": verdict.status.value,
        "expected": result.expected.value,
        "claim": _short(one_line(str(verdict.claim))),
        "relation": _short(one_line(verdict.relation)),
        "epsilon_lower": _number(verdict.epsilon_lower),
        "alpha": verdict.alpha,
        "calls": verdict.samples,
        "seed": verdict.seed,
        "origin": _short(one_line(result.origin)),
        "findings": [_short(one_line(f"{found.kind}: {found.detail}")) for found in verdict.findings],
    }


def _number(value: float) -> float | str:
    """JSON has no infinity: as in a record, it is a string."""
    return value if math.isfinite(value) else "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def _message(text: str) -> str:
    """Text that reads as itself: SARIF would take ``{0}`` for a place to fill in, and ``[a](b)`` for a link.

    >>> _message("D = {0}, [see](http://x)")
    'D = {{0}}, [see] (http://x)'
    """
    return _short(printable(text)).replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _short(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
