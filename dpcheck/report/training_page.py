"""An audit of a training as a page: one run, or a white box."""

from __future__ import annotations

import base64
import dataclasses
from dataclasses import dataclass
from importlib import metadata, util

from dpcheck.model.harmless import one_line
from dpcheck.model.verdict import Environment
from dpcheck.privacy.one_run.lower_bounds import certified_epsilon
from dpcheck.privacy.one_run.values import OneRunVerdict
from dpcheck.privacy.white_box.values import WhiteBoxStatus, WhiteBoxVerdict
from dpcheck.report.pages.layout import Place, page
from dpcheck.report.pages.numbers import shown_at_least, shown_duration, shown_number

#: Deltas at which a page tells what is certified, besides the verdict's own.
DELTAS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
_MEANINGS = {
    WhiteBoxStatus.AS_ACCOUNTED: "No premise of the privacy proof is seen to be broken, and all could be looked at.",
    WhiteBoxStatus.NOT_AS_ACCOUNTED: "A premise of the privacy proof is broken: the proof does not hold for it.",
    WhiteBoxStatus.INCONCLUSIVE: "No premise is seen to be broken, but not all could be looked at.",
    WhiteBoxStatus.TRAINING_FAILED: "The training failed: nothing was seen.",
}


@dataclass(frozen=True)
class Table:
    """A part of a page: ``marked`` is one whose second column is a status."""

    heading: str
    words: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: bool = False


def one_run_page(verdict: OneRunVerdict) -> str:
    """The page of a verdict on one run; its figure is there where matplotlib is."""
    tables: tuple[Table, ...] = ()
    picture = ""
    if not verdict.failure:
        tables = (_certified(verdict),)
        if verdict.scores is not None and util.find_spec("matplotlib") is not None:
            from dpcheck.model.verdict.plots import as_svg

            picture = base64.b64encode(as_svg(verdict.plot()).encode("utf-8")).decode("ascii")
    facts = [
        ("claim", str(verdict.claim)),
        ("neighbours", verdict.relation),
        ("guesses", f"{verdict.right:,} of {verdict.guesses:,} are right; {verdict.needed:,} would refute the claim"),
        ("canaries", f"{verdict.canaries:,}, {verdict.included:,} of them in the data"),
        ("level", f"wrong with probability at most {verdict.alpha:g}"),
    ]
    return page(
        "training.html",
        Place(),
        kind="one run",
        target=one_line(verdict.target),
        status=verdict.status.value,
        meaning=verdict.status.meaning,
        facts=facts,
        words=str(verdict),
        findings=verdict.findings,
        tables=tables,
        picture=picture,
        picture_words=(
            "Left: the scores of canaries that were in the data and of those that were out, with the thresholds of the "
            "guesses. Right: how well scores tell them apart at each threshold, beside the region that the claim "
            "forbids."
        ),
        made=[("rests on", verdict.theorem), ("inclusion", verdict.inclusion), *_made(verdict.environment)]
        + [("took", shown_duration(verdict.seconds))] * bool(verdict.seconds),
        version=metadata.version("dpcheck"),
    )


def _certified(verdict: OneRunVerdict) -> Table:
    """What the guesses certify at several deltas."""
    deltas = sorted({*DELTAS, verdict.delta})
    rows = tuple(
        (
            shown_number(delta) if delta else "0",
            shown_at_least(_certified_at(verdict, delta)),
            shown_number(verdict.claim.epsilon(delta)),
        )
        for delta in deltas
    )
    return Table(
        "What is certified",
        "With the same guesses, at other deltas; each line is a statement by itself.",
        "Epsilon that any valid claim exceeds",
        ("delta", "epsilon certified", "epsilon claimed"),
        rows,
    )


def _certified_at(verdict: OneRunVerdict, delta: float) -> float:
    if delta == verdict.delta:
        return verdict.epsilon_lower
    return certified_epsilon(verdict.right, verdict.guesses, verdict.canaries, delta, verdict.alpha)


def white_box_page(verdict: WhiteBoxVerdict) -> str:
    """The page of a white-box verdict: its premises as a table."""
    tables: tuple[Table, ...] = ()
    if verdict.premises:
        rows = tuple((each.name, each.status.value, each.words) for each in verdict.premises)
        tables = (
            Table(
                "Premises",
                "What the proof that steps of noise are private takes for granted, each looked at by itself.",
                "The premises of the proof",
                ("premise", "seen", "what was seen"),
                rows,
                marked=True,
            ),
        )
    at = f"at delta {verdict.delta:.3g}"
    facts = [
        ("claim", "none" if verdict.claim is None else str(verdict.claim)),
        ("accounted", str(verdict.accounted)),
        ("neighbours", verdict.neighbours),
        ("epsilon accounted", f"{shown_number(verdict.epsilon_accounted)} {at}"),
        ("epsilon of what was seen", f"{shown_number(verdict.epsilon_seen)} {at} (an estimate, no bound)"),
    ]
    return page(
        "training.html",
        Place(),
        kind="white box",
        target=one_line(verdict.target),
        status=verdict.status.value,
        meaning=_MEANINGS[verdict.status],
        facts=facts if verdict.premises else facts[:3],
        words=str(verdict),
        findings=(),
        tables=tables,
        picture="",
        picture_words="",
        made=[
            ("trainings", f"{verdict.trainings:,}"),
            *_made(verdict.environment),
            ("took", shown_duration(verdict.seconds)),
        ],
        version=metadata.version("dpcheck"),
    )


def _made(environment: Environment) -> list[tuple[str, str]]:
    return [(field.name, str(getattr(environment, field.name))) for field in dataclasses.fields(environment)]
