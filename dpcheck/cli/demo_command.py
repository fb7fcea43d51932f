"""``dpcheck demo``: a broken and a correct learner on real data, audited before the user's eyes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from dpcheck.cli import options as opt
from dpcheck.report.formats import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from dpcheck.model.verdict import Verdict

ALPHA = 1e-6
# A safety net: it is the number of calls that ends the demonstration, on any machine with the same answer.
MAX_SECONDS = 600.0
# A sixth more than what shows a leak of twice the claim (7,700 calls); some fifteen seconds on an idle core.
MAX_SAMPLES = 9_000
# The width of a page of text that is read, not scanned.
_WIDTH = 79
_NEXT = """
Now a learner of your own, a callable (dataset, rng) -> output:
  dpcheck audit mylearner.py:Learner --epsilon 1 --dataset data.csv --label COLUMN --bounds LOW,HIGH
"""


def demo(
    seed: opt.Seed = 0,
    jobs: opt.Jobs = 1,
    max_seconds: opt.MaxSeconds = MAX_SECONDS,
    json_file: opt.JsonFile = None,
    quiet: opt.Quiet = False,
    traceback: opt.Traceback = False,
) -> None:
    """Audit a broken and a correct learner on real data, and explain both verdicts.

    The exit status is 0 when both are as expected.
    """
    from functools import partial

    from dpcheck.cli.display import display
    from dpcheck.cli.documents import check_writable, deliver, put_words, teller
    from dpcheck.cli.jobs import Job, run_jobs
    from dpcheck.report.exit_status import exit_status
    from dpcheck.report.finished import Run

    check_writable("--json", json_file)
    subjects = _subjects()
    effort: dict[str, Any] = {
        "alpha": ALPHA,
        "max_samples": MAX_SAMPLES,
        "max_seconds": max_seconds,
        "seed": seed,
        "jobs": jobs,
    }
    put_words(_introduction(subjects))
    with display(quiet=quiet) as listener:
        told = teller(TEXT.name, None, listener)
        results = run_jobs(
            [
                Job(
                    subject.name,
                    partial(_prepared, subject, {**effort, "on_event": listener}),
                    subject.expected,
                )
                for subject in subjects
            ],
            traceback=traceback,
            listener=listener,
            told=told,
        )
    run = Run(results, ("dpcheck", *sys.argv[1:]), seed)
    deliver(run, told, format=TEXT.name, output=None, json_file=json_file)
    put_words(_NEXT)
    raise typer.Exit(exit_status(run))


def _subjects() -> tuple[Any, ...]:
    from dpcheck.model.errors import InvalidArgument

    try:
        from dpcheck.adapters.demonstration import subjects

        return tuple(subjects())
    except (ImportError, InvalidArgument) as error:
        reason = error.__cause__ or error
        raise InvalidArgument(
            f"demo needs scikit-learn and diffprivlib: pip install 'dpcheck[demo]' (here: {reason})"
        ) from error


def _prepared(subject: Any, effort: dict[str, Any]) -> Callable[[], Verdict]:
    from functools import partial

    from dpcheck.model.neighbours.schema import of_its_size
    from dpcheck.privacy.run.audit import audit

    return partial(
        audit,
        subject.learner,
        subject.claim,
        neighbours=of_its_size(subject.relation, subject.dataset),
        dataset=subject.dataset,
        name=subject.name,
        **effort,
    )


def _introduction(subjects: tuple[Any, ...]) -> str:
    import textwrap

    from dpcheck.cli.page_width import page_width

    width = min(_WIDTH, page_width() or _WIDTH)

    def indented(text: str) -> str:
        return textwrap.fill(text, width=width, initial_indent="   ", subsequent_indent="   ")

    lines = [f"Auditing {len(subjects)} learners on real data; it takes less than a minute.", ""]
    for number, subject in enumerate(subjects, 1):
        expected = f"Claimed: {subject.claim}. Expected: {subject.expected.value}."
        lines += [f"{number}. {subject.name}", indented(subject.explanation), indented(expected), ""]
    return "\n".join(lines) + "\n"
