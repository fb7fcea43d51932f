"""One word a meaning: texts for users keep to the glossary, which the command, the page and the code share."""

from __future__ import annotations

import dataclasses
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpcheck.checks.judgement import judged_claim, judged_equality
from dpcheck.model.claims import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.glossary import NOT_SAID, TERMS, as_markdown, in_words
from dpcheck.model.verdict import ExactAnswer, Status, Stop
from dpcheck.privacy.run.power_analysis import plan
from tests.handmade import WITNESS, measurement, verdict

PAGE = Path(__file__).resolve().parents[2] / "reports" / "glossary.md"


def test_the_page_is_the_glossary() -> None:
    assert PAGE.read_text(encoding="utf-8") == as_markdown()


def test_every_word_is_there_once_and_every_status() -> None:
    words = [term.word.lower() for term in TERMS]
    assert len(set(words)) == len(words)
    assert {status.value for status in Status} <= set(words)
    for wanted in (
        "claim",
        "privacy loss",
        "event",
        "evidence",
        "confidence",
        "power",
        "detect",
        "certified lower bound",
    ):
        assert wanted in words


def test_an_entry_is_found_by_its_word_and_a_misspelt_one_named() -> None:
    assert in_words("Privacy  LOSS").startswith("privacy loss: ")
    with pytest.raises(InvalidArgument, match="did you mean 'event'"):
        in_words("evnt")


def test_the_command_prints_it() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", "glossary", "privacy", "loss"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert " ".join(ran.stdout.split()) == " ".join(in_words("privacy loss").split())


def texts() -> Iterator[str]:
    """What people read, of every kind that can be made by hand."""
    two_sided = dataclasses.replace(WITNESS, direction="likelier on the dataset named")
    for status in Status:
        for claim in (1.0, ApproxDP(1.0, 1e-5), ZeroConcentratedDP(0.5), GaussianDP(1.0), RenyiDP(4, 2.0)):
            for detectable in (1.2, 5.0, math.inf):
                changes = {} if claim == 1.0 else {"claim": claim}
                yield str(verdict(status, detectable_epsilon=detectable, **changes))
        yield str(verdict(status, witness=two_sided, found=two_sided, stop=Stop.INTERRUPTED))
        yield status.meaning
    for answer in ("holds", "violated", "equal to within 2^-100"):
        exact = ExactAnswer(answer, "fractions", 1.1, 0.1, False, 7000, "3/4", "1/4", 4, 4)
        yield str(verdict(Status.VIOLATED if answer == "violated" else Status.NO_VIOLATION_FOUND, exact=exact))
    yield str(measurement())
    yield str(measurement(epsilon_lower=0.0))
    yield str(plan(1.0))
    yield str(plan(ApproxDP(1.0, 1e-5), seconds_per_call=0.2, max_seconds=3600, pairs=3))
    for status in Status:
        for detectable in (1.2, 2.004, math.inf):
            found = verdict(status, detectable_epsilon=detectable)
            yield judged_claim(found, about="the claim", broken="the claim is broken", hint="").sentence
            equal = dataclasses.replace(found, claim=PureDP(0.0))
            yield judged_equality(equal, between="two laws", differs="they differ", hint="").sentence
    yield from (stop.value for stop in Stop)
    yield from (term.meaning for term in TERMS)


def said_by(text: str) -> list[str]:
    """The words in a text that no text for users says."""
    return [
        word
        for word in NOT_SAID
        if re.search(rf"(?<![\w-]){re.escape(word)}(?:es|s|ed)?(?![\w-])", text, re.IGNORECASE)
    ]


@pytest.mark.turns(4)
def test_texts_say_no_word_that_the_glossary_leaves_out() -> None:
    for text in texts():
        assert said_by(text) == [], text


def test_what_would_just_not_have_been_caught_is_not_called_what_was_asked_for() -> None:
    found = verdict(Status.INCONCLUSIVE, detectable_epsilon=2.0004, detect=2.0)
    said = judged_claim(found, about="the claim", broken="the claim is broken", hint="").sentence
    assert "to catch a privacy loss of 2 (claimed: 1): only one of 2.01 or more in " in said


def test_a_word_that_is_left_out_would_be_found() -> None:
    assert said_by("the odds are 3 : 1, guessed right and wrong") == ["odds", "guess", "right and"]
    assert said_by("copyright, oddity") == []
