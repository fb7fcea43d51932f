"""From records to tables of votes: one drawn, or all that a random split can give, each with its weight.

For learners whose steps are methods: ``assignment`` and ``chunks`` (who goes where), ``model`` (what is trained on a
chunk), ``counts`` (what the models say of the queries).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.papers.bassily2018.learners.base_learners import draws_nothing
from dpcheck.papers.bassily2018.learners.chunks import is_drawn
from dpcheck.papers.bassily2018.learners.votes import class_places, label_array
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.mixtures import mixture

#: Splits that are enumerated, for a law and for draws.
MOST_SPLITS = 1 << 12
#: A drawn split into more chunks than this has a law for no more than three records: none is declared.
MOST_CHUNKS = 8
#: Seeds of the chunks' coins.
_SEEDS = 2**63 - 1


class Voting(Protocol):
    """The steps from records to votes, as a learner has them."""

    @property
    def base(self) -> Any:
        """What is trained on a chunk."""
        ...

    @property
    def models(self) -> int:
        """How many chunks there are."""
        ...

    @property
    def classes(self) -> Sequence[Hashable]:
        """The labels."""
        ...

    @property
    def split(self) -> Any:
        """How records come to chunks."""
        ...

    def assignment(self, dataset: Any, coins: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
        """The chunk of each record."""
        ...

    def chunks(self, assignment: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """The rows of each chunk."""
        ...

    def model(self, x: Any, y: Any, seed: int = 0) -> Any:
        """The model of one chunk."""
        ...

    def counts(self, models: Sequence[Any]) -> NDArray[np.int64]:
        """The votes for each label on each query."""
        ...


def labelled_arrays(dataset: Any, classes: Sequence[Hashable]) -> tuple[Any, Any]:
    """Points and labels of a dataset, the labels as an array of the classes' type.

    A list of points stays one: as an array all of them would get the type that one record makes necessary, and each
    model would see it.

    Raises
    ------
    InvalidArgument
        When a label is not among them.

    Examples
    --------
    >>> labelled_arrays([(3, 1), (5, 0)], (0, 1))
    ([3, 5], array([1, 0]))
    """
    x, y = private_records(dataset)
    labels = label_array(y if isinstance(y, list | tuple) else np.asarray(y))
    if labels.ndim != 1:
        raise InvalidArgument(f"labels of records must have the shape (n,), got {labels.shape}")
    places = class_places(labels, classes, "labels of records")
    return (list(x) if isinstance(x, tuple) else x), label_array(classes)[places]


def number_of_splits(learner: Voting, dataset: Any) -> int:
    """How many equally likely splits there are; counted up to where there are more than 4096."""
    if not is_drawn(learner.split):
        return 1
    return int(learner.models ** min(len(private_records(dataset)[1]), MOST_SPLITS.bit_length()))


def drawn_models(learner: Voting, dataset: Any, rng: np.random.Generator) -> list[Any]:
    """The k models of one run."""
    records = labelled_arrays(dataset, learner.classes)
    coins = rng.integers(learner.models, size=len(records[1])) if is_drawn(learner.split) else None
    chunks = learner.chunks(learner.assignment(dataset, coins))
    seeds = rng.integers(_SEEDS, size=len(chunks)).tolist()  # as many whatever the records are
    return [_model(learner, records, rows, seed) for rows, seed in zip(chunks, seeds, strict=True)]


def _model(learner: Voting, records: tuple[Any, Any], rows: Any, seed: int = 0) -> Any:
    # chunks without records are many where models are, and cost nothing
    x, y = take_records(records, rows) if len(rows) else (records[0][:0], records[1][:0])
    if isinstance(x, list):
        try:
            x = np.asarray(x)
        except ValueError:  # rows of different lengths
            raise InvalidArgument("points of records must have one shape, got several") from None
    return learner.model(x, y, seed)


def drawn_table(learner: Voting, dataset: Any, rng: np.random.Generator) -> NDArray[np.int64]:
    """The counts of one run, shape (m, c)."""
    return learner.counts(drawn_models(learner, dataset, rng))


def all_tables(learner: Voting, dataset: Any) -> tuple[list[NDArray[np.int64]], list[int]]:
    """The tables of votes of all splits, each once, and of how many splits each comes.

    Models are told by their chunks alone, and a table by its models in any order: few are trained.

    Raises
    ------
    InvalidArgument
        When there are more than 4096 splits.
    """
    x, y = labelled_arrays(dataset, learner.classes)
    if number_of_splits(learner, dataset) > MOST_SPLITS:
        raise InvalidArgument(
            f"dataset must have at most {MOST_SPLITS} splits for a law, got {learner.models}^{len(y)} of them"
        )
    partitions: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for coins in _coins(learner, len(y)):
        chunks = learner.chunks(learner.assignment(dataset, coins))
        partitions[tuple(sorted(tuple(rows.tolist()) for rows in chunks))] += 1
    known: dict[tuple[int, ...], Any] = {}
    tables: dict[bytes, NDArray[np.int64]] = {}
    times: Counter[bytes] = Counter()
    for partition, number in partitions.items():
        for rows in partition:
            if rows not in known:
                known[rows] = _model(learner, (x, y), list(rows))
        counts = np.asarray(learner.counts([known[rows] for rows in partition]))
        tables.setdefault(counts.tobytes(), counts)
        times[counts.tobytes()] += number
    return list(tables.values()), [times[key] for key in tables]


def _coins(learner: Voting, records: int) -> Iterator[NDArray[np.intp] | None]:
    if not is_drawn(learner.split):
        return iter([None])
    every = itertools.product(range(learner.models), repeat=records)
    return (np.array(each, dtype=np.intp) for each in every)


def drawn_answers(
    learner: Voting,
    dataset: Any,
    size: int,
    rng: np.random.Generator,
    answers: Callable[[NDArray[np.int64], int, np.random.Generator], NDArray[np.integer[Any]]],
) -> NDArray[np.integer[Any]]:
    """``size`` independent runs, places of labels of shape (size, m).

    Where the split is a function of the records and the base learner draws nothing, the models are trained once; where
    there are fewer splits than runs, once for each split; else for each run.

    Parameters
    ----------
    learner, dataset, size, rng
    answers : callable (counts, size, rng) -> places of labels, of so many runs on one table of votes
    """
    if not draws_nothing(learner.base) or number_of_splits(learner, dataset) > min(MOST_SPLITS, max(1, size)):
        drawn = [answers(drawn_table(learner, dataset, rng), 1, rng) for _ in range(size)]
        return np.concatenate(drawn) if drawn else np.empty((0, 0), dtype=np.int32)
    tables, weights = all_tables(learner, dataset)
    which = rng.choice(len(tables), size, p=np.array(weights) / sum(weights))
    found = np.empty((size, len(tables[0])), dtype=np.int32)
    for table in np.unique(which).tolist():
        runs = np.flatnonzero(which == table)
        found[runs] = answers(tables[table], len(runs), rng)
    return found


def declares_answers(learner: Voting) -> None:
    """Refuses a law where there is none.

    Raises
    ------
    AttributeError
        When the base learner draws, or there are more than 8 chunks that are drawn.
    """
    if not draws_nothing(learner.base):
        raise AttributeError("a law through a base learner that draws is not declared")
    if is_drawn(learner.split) and learner.models > MOST_CHUNKS:
        raise AttributeError(f"a law over drawn splits into {learner.models:,} chunks is not declared")


def law_of_answers(learner: Voting, dataset: Any, law: Callable[[NDArray[np.int64]], Law]) -> Law:
    """The law of the output: that of each table of votes, mixed by the weights of the tables.

    Raises
    ------
    InvalidArgument
        When there are too many splits.
    """
    tables, weights = all_tables(learner, dataset)
    total = sum(weights)
    return mixture([Fraction(each, total) for each in weights], map(law, tables))
