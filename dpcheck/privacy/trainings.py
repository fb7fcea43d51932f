"""What audits of trainings share: how long one may take, what it is called, why it failed, and where it is kept."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dpcheck.execution.answers import Answers, Raised
from dpcheck.execution.call_journal import digest_of_sent
from dpcheck.execution.calls import without_place
from dpcheck.execution.kept_parts import Part, Parts, whose
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import Target
from dpcheck.privacy.run.limits import a_directory

#: Seconds that one training may take where nobody says.
TRAIN_SECONDS = 24 * 3600.0


def checked_timeout(seconds: Any) -> float:
    """The seconds that one training may take.

    Raises
    ------
    InvalidArgument
        When that is no number, not positive, or not finite.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise InvalidArgument(f"train_timeout must be a positive, finite number of seconds, got {seconds!r}")
    return float(seconds)


def training_name(train: Any) -> str:
    """What to call a training.

    >>> training_name(training_name), training_name(3)
    ('training_name', 'int')
    """
    for attribute in ("name", "__name__"):
        try:
            name = getattr(train, attribute)
        except Exception:  # a stranger's attributes may raise
            continue
        if isinstance(name, str):
            return name
    return type(train).__name__


def why_it_died(error: LearnerDied) -> str:
    """What became of a training, without the words for learners that are called many times.

    >>> why_it_died(LearnerDied("the learner hung in one of its calls on dataset 1", 1))
    'the training hung'
    """
    return without_place(error).replace("the learner", "the training", 1)


@contextmanager
def trainings_kept(
    journal: Any, name: str, functions: tuple[Callable[..., Any], ...], *about: Any
) -> Iterator[Part | None]:
    """Where what came of trainings is kept as it comes; None where no journal was asked for.

    That one raised is not kept: what it missed may be there the next time.

    Parameters
    ----------
    journal : path, a directory, or None
    name : str, what they are called
    functions : callables of whoever asks, whose code tells them from others
    about : what else they depend on beside their data and seeds

    Raises
    ------
    InvalidArgument
        Where another run has the journal, it cannot be kept, or the trainings cannot be told from others.
    """
    directory = a_directory(journal)
    if directory is None:
        yield None
        return
    told = digest_of_sent(about)
    if told is None:
        raise InvalidArgument(
            f"journal must be None for {name}: its trainings cannot be told from others, since their records cannot be "
            "pickled"
        )
    of = {**whose(Target(functions, False, name)), "about": told.hex()}
    with Parts(directory, name, of, _gave_something) as parts:
        try:
            yield parts.part("trainings")
        finally:
            for line in parts.trouble:
                warnings.warn(line, UserWarning, stacklevel=4)


def _gave_something(answers: Answers) -> bool:
    return not any(isinstance(answer, Raised) for answer in answers.values)
