"""A run whose calls are kept as they come, where a journal was asked for."""

from __future__ import annotations

import glob
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from dpcheck.execution.answers import Runner
from dpcheck.execution.call_journal import CallJournal, JournalledRunner, journal_file
from dpcheck.execution.kept_parts import Parts, made_directory, whose
from dpcheck.execution.learner_code import digest_of_learner
from dpcheck.model.data import digest
from dpcheck.privacy.run.probe_rows import probed_rows
from dpcheck.privacy.run.question import Question


def kept_calls(
    question: Question, runner: Runner, replayed: Callable[[float], object] = lambda seconds: None
) -> Runner:
    """The runner, or one that keeps what it answers in the journal of the question, or of the run that it is part of.

    Parameters
    ----------
    question : Question
    runner : Runner, of its datasets
    replayed : told the seconds that answers of an earlier run took, as they are given again

    Raises
    ------
    InvalidArgument
        Where the journal cannot be used: its folder cannot be made, another run has it, or the learner's code cannot be
        told from another's.
    """
    try:
        if question.kept is not None:
            told, datasets = _asked(question), question.handed(question.datasets)
            return question.kept.runner(runner, datasets, told, replayed)
        if question.limits.journal is None:
            return runner
        return _journalled(question, question.limits.journal, runner, replayed)
    except BaseException:
        runner.close()
        raise


@contextmanager
def kept_throughout(question: Question) -> Iterator[Question]:
    """The question with one journal for all runners that it takes, where one was asked for: laws take several.

    Raises
    ------
    InvalidArgument
        As :func:`kept_calls`.
    """
    directory, target = question.limits.journal, question.target
    if directory is None or question.kept is not None:
        yield question
        return
    options = json.dumps(dict(target.options), sort_keys=True, default=str)
    with Parts(directory, f"{target.name} law", {**whose(target), "options": options}) as parts:
        yield replace(question, kept=parts.part("law"))


def _journalled(
    question: Question, directory: Path, runner: Runner, replayed: Callable[[float], object]
) -> JournalledRunner:
    target = question.target
    of = {**whose(target), "options": json.dumps(dict(target.options), sort_keys=True, default=str)}
    made_directory(directory)
    about = _about(question)
    file = journal_file(directory, target.name, json.dumps(of, sort_keys=True))
    alike = glob.escape(file.name.rpartition("-")[0])
    others = any(each.name != file.name for each in directory.glob(f"{alike}-*.calls"))
    datasets = question.handed(question.datasets)
    return JournalledRunner(runner, CallJournal(file, of), datasets, about, replayed, others)


def _about(question: Question) -> bytes:
    """A digest of what answers depend on beside the learner and what is asked."""
    inputs = probed_rows(question.datasets)
    told = (str(question.form), question.limits.isolation, digest(inputs) if inputs is not None else None)
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).digest()


def _asked(question: Question) -> bytes:
    """The same and the learner, which a part of a run may change: its options, or how it is run."""
    target = question.target
    told = (digest_of_learner(target), dict(target.options), _about(question).hex())
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).digest()
