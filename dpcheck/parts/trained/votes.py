"""Teachers on parts of the data vote on public questions, and the votes are told with noise (PATE)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from dpcheck.model.training import UNRECORDED, GaussianSteps, Transcript
from dpcheck.parts.trained.entry import FEATURES, Data

TEACHERS, QUESTIONS = 50, 30
#: One record is seen by one teacher, who changes a vote: one less here, one more there.
ACCOUNTED = GaussianSteps(noise_multiplier=6.0, clipping_norm=math.sqrt(2.0), steps=QUESTIONS, additive=False)


def by_record(x: NDArray[np.float64], batch: NDArray[np.intp]) -> NDArray[np.intp]:
    """The teacher of each record, which no other record changes."""
    bits = np.ascontiguousarray(x[batch], dtype=np.float64).view(np.uint64)
    mixed = np.bitwise_xor.reduce(bits * np.arange(1, 2 * x.shape[1], 2, dtype=np.uint64), axis=1)
    teachers: NDArray[np.intp] = ((mixed ^ (mixed >> np.uint64(29))) % np.uint64(TEACHERS)).astype(np.intp)
    return teachers


def by_place(x: NDArray[np.float64], batch: NDArray[np.intp]) -> NDArray[np.intp]:
    """The teachers in turn: where a record is gone, all after it go to others."""
    return (np.asarray(batch) % TEACHERS).astype(np.intp)


@dataclass(frozen=True)
class Votes:
    """A training ``(dataset, rng, transcript) -> labels of the public questions``."""

    accounted: GaussianSteps = ACCOUNTED
    teachers: Callable[[NDArray[np.float64], NDArray[np.intp]], NDArray[np.intp]] = by_record

    def __call__(self, dataset: Data, rng: Generator, transcript: Transcript = UNRECORDED) -> NDArray[np.intp]:
        """Answer the questions from ``(X, y)``."""
        x, y = dataset
        questions = default_rng(3).normal(size=(QUESTIONS, FEATURES))
        answers = np.zeros(QUESTIONS, dtype=np.intp)
        for place, question in enumerate(questions):
            batch = transcript.batch(np.arange(len(x)))
            votes = np.bincount(_votes(x[batch], y[batch], self.teachers(x, batch), question), minlength=2)
            noisy = votes + rng.normal(0.0, self.accounted.deviation, 2)
            answers[place] = np.argmax(transcript.release(votes.astype(np.float64), noisy))
        return answers


def _votes(
    x: NDArray[np.float64], y: NDArray[np.int64], teacher: NDArray[np.intp], question: NDArray[np.float64]
) -> NDArray[np.intp]:
    """Each teacher's answer: the class whose mean is nearer, of what this teacher was given."""
    distances = []
    for label in (0, 1):
        own = y == label
        sums = np.zeros((TEACHERS, x.shape[1]))
        np.add.at(sums, teacher[own], x[own])
        counts = np.bincount(teacher[own], minlength=TEACHERS)
        means = sums / np.maximum(1, counts)[:, None]
        distances.append(np.where(counts > 0, np.linalg.norm(means - question, axis=1), np.inf))
    return (distances[1] < distances[0]).astype(np.intp)
