"""Alg-2 for queries that arrive one at a time: an object that keeps the budget, on disk where it outlives a process."""

from __future__ import annotations

import contextlib
import os
import pickle
import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP
from dpcheck.model.data import describe_value
from dpcheck.model.errors import BudgetSpent, InvalidArgument, RecordCorrupt, StaleHandle
from dpcheck.model.neighbours import AddRemove, Relation, ReplaceOne
from dpcheck.papers.bassily2018.learners.accounting import answering_claim
from dpcheck.papers.bassily2018.learners.base_learners import EmpiricalMinimiser, LeastPositive
from dpcheck.papers.bassily2018.learners.chunks import goes_by_position
from dpcheck.papers.bassily2018.learners.ledger import Ledger
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Guard, Scales
from dpcheck.papers.bassily2018.learners.steps import Steps
from dpcheck.papers.bassily2018.learners.votes import (
    ABSTAINED,
    UNANSWERED,
    Distance,
    Tie,
    as_distance,
    check_tie,
    checked_classes,
    is_model,
    leading_label,
    votes_of,
)
from dpcheck.parts.classes import HypothesisClass
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.parameters import count, positive, probability

#: Read by any Python that runs dpcheck.
_PICKLE_PROTOCOL = 5
_FORKED = "its process was forked; only the parent may answer"


@dataclass(frozen=True)
class Budget:
    """Queries and abstentions: how many were spent, or how many are left.

    Both can be told from the answers that were given, so neither is private.

    Examples
    --------
    >>> Budget(queries=2, abstentions=1)
    Budget(queries=2, abstentions=1)
    """

    queries: int
    abstentions: int


#: Trees and forests hold features in 32 bits, and raise at what is larger: such a query would cost the whole budget.
_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Terms:
    """What an object was opened for; nothing of it is private.

    Parameters
    ----------
    steps : Steps
        The scales, the guard, and what is drawn.
    queries : int
        m: the most queries that are answered, for which the claim is made.
    classes : labels
    tie : "last" or "first"
    distance : "printed", "votes" or a Distance
    shape : shape of one query, or None where it is not known
    epsilon, delta : those of the claim
    by_position : bool, whether the records went to their chunks by where they stand
    numbers : bool, whether a query is made of numbers alone
    family : hypothesis class, optional, whose points queries are
    """

    steps: Steps
    queries: int
    classes: tuple[Hashable, ...]
    tie: Tie
    distance: str | Distance
    shape: tuple[int, ...] | None
    epsilon: float | None
    delta: float
    by_position: bool = False
    numbers: bool = False
    family: HypothesisClass | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "queries", count("queries", self.queries))
        object.__setattr__(self, "classes", checked_classes(self.classes))
        check_tie(self.tie)
        as_distance(self.distance)
        if self.epsilon is not None:
            object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))
        object.__setattr__(self, "delta", probability("delta", self.delta))
        if self.shape is not None:
            object.__setattr__(self, "shape", tuple(int(each) for each in self.shape))


class OnlineAnswers:
    """Private answers to queries that may depend on the answers before them, until the budget is spent.

    The models are trained once. An answer is a label, or "⊥" where the votes have no sufficient consensus; after
    ``rounds`` abstentions, or ``queries`` queries, nothing is answered any more:
    :class:`~dpcheck.model.errors.BudgetSpent`. The claim is made for the whole of the answers, to at most ``queries``
    of them: the more there are, the likelier a label is given that hardly has consensus.

    Made by :meth:`train` from private records, by :meth:`of_models`, or by :meth:`resume`.

    *What is kept.* With :meth:`save` the state goes to a directory for its owner's eyes only. It holds the private
    models and the noisy threshold, which is not drawn anew when it is read and never shown: whoever can read it needs
    no answers. Each answer is charged there durably *before* it is given, so that no crash forgets one. One process at
    a time may have it open.

    *What counts as spent.* An answer that was interrupted (a keyboard interrupt, a kill, a full disk) costs all the
    queries asked for and one abstention, though nothing was given out: the threshold is drawn anew, which no round of
    labels costs more than. A model that raises an error would tell of private records, unprotected: everything is spent
    then. So queries are looked at first (their shape, finite numbers, whether they are points of the base learner's
    class of hypotheses), and those refused cost nothing.

    *What is refused.* A closed object, a copy, a pickle, the child of a fork, an object whose directory was resumed or
    changed by others; a directory that is open, that is a copy, or whose state is older than what was written.

    *What no program can prevent.* Somebody who brings back all files of the directory as they were, in place (a
    snapshot of the disk, the image of a machine), who edits them, or who trains again on the same records: each of
    these asks the same records twice, and the claims add up. The randomness is the operating system's, fresh for each
    call and never saved; machines started from one image had better not have the same. How long an answer takes, which
    depends on private models, is hidden by nobody here.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.votes import ConstantModel
    >>> scales = Scales(threshold=50.0, threshold_scale=1.0, query_scale=2.0, models=200, cutoff=1)
    >>> online = OnlineAnswers.of_models([ConstantModel(1)] * 200, scales, queries=10)
    >>> online.answer(0.5), online.answer_many([0.1, 0.9]), online.spent
    (1, (1, 1), Budget(queries=3, abstentions=0))
    """

    def __init__(
        self,
        terms: Terms,
        models: Sequence[Any],
        spent: Budget,
        bar: float,
        rng: np.random.Generator | None,
        ledger: Ledger | None = None,
    ) -> None:
        self._terms = terms
        self._models = models
        self._spent = spent
        self._bar = bar
        self._rng = rng
        self._ledger = ledger
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._self = id(self)
        self._closed = False
        #: Set as long as an answer is made: where it still is when the next one begins, that one broke off for good.
        self._answering = False

    # --- how it is made

    @classmethod
    def of_models(
        cls,
        models: Sequence[Any],
        scales: Scales,
        *,
        queries: int,
        classes: Sequence[Hashable] = (0, 1),
        guard: Guard = "printed",
        tie: Tie = "last",
        distance: str | Distance = "printed",
        epsilon: float | None = None,
        delta: float = 1e-6,
        by_position: bool = False,
        shape: tuple[int, ...] | None = None,
        numbers: bool = False,
        family: HypothesisClass | None = None,
        rng: Any = None,
    ) -> Self:
        """An object that asks given models; that one record changes one of them only is the caller's word.

        Parameters
        ----------
        models : sequence of k objects with a ``predict`` of many points at once, or functions
            k is ``scales.models``.
        scales : Scales
        queries : int, at least 1
            The most queries that may be asked, for which the claim is made.
        classes, guard, tie, distance, epsilon, delta
            As for :class:`~dpcheck.papers.bassily2018.learners.private_answers.PrivateAnswers`.
        by_position : bool
            Whether records went to the models by where they stand: then only replacing one changes one model.
        shape : the shape of one query, optional
            Queries of another are refused before a model sees them; ``n_features_in_`` where left out.
        numbers : bool
            Whether queries that are not made of numbers alone are refused likewise.
        family : hypothesis class, optional
            Queries that are no points of it are refused likewise. Public: it must not depend on the records.
        rng : numpy Generator or seed, for tests alone
            The randomness of the operating system, fresh for each call, when left out.

        Raises
        ------
        InvalidArgument
            When an argument is none of these.
        """
        if not isinstance(scales, Scales):
            raise InvalidArgument(f"scales must be Scales, got {describe_value(scales)}")
        if not hasattr(models, "__len__") or len(models) != scales.models:
            given = len(models) if hasattr(models, "__len__") else describe_value(models)
            raise InvalidArgument(f"models must be scales.models = {scales.models} of them, got {given}")
        strangers = [place for place, model in enumerate(models) if not is_model(model)]
        if strangers:
            raise InvalidArgument(
                f"models must have predict(x), or be functions of m points, got {describe_value(models[strangers[0]])} "
                f"in place {strangers[0]}"
            )
        if shape is None:
            features = next((model.n_features_in_ for model in models if hasattr(model, "n_features_in_")), None)
            shape = None if features is None else (int(features),)
        terms = Terms(
            Steps(scales, guard),
            queries,
            tuple(classes),
            tie,
            distance,
            shape,
            epsilon,
            delta,
            by_position,
            numbers,
            family,
        )
        generator = None if rng is None else np.random.default_rng(rng)
        return cls.opened(terms, models, generator)

    @classmethod
    def train(
        cls,
        dataset: Any,
        base: Any,
        scales: Scales,
        *,
        queries: int,
        rng: Any = None,
        split: Any = "random",
        salt: int = 0,
        **options: Any,
    ) -> Self:
        """An object that trains its models, once, on disjoint chunks of private records.

        Parameters
        ----------
        dataset : labelled records
        base : base learner, as for :class:`~dpcheck.papers.bassily2018.learners.private_answers.PrivateAnswers`
        scales : Scales
        queries : int, at least 1
            The most queries that may be asked, for which the claim is made.
        rng : numpy Generator or seed, for tests alone
        split, salt : as for ``PrivateAnswers``; a split by position makes the relation replace-one
        options : the others of :meth:`of_models`
            ``shape`` and ``numbers`` are those of the records, and ``family`` the base learner's, where left out.

        Raises
        ------
        InvalidArgument
            When an argument is none of these, or a record has a label that is not among the classes.
        """
        answers = PrivateAnswers(base, (), scales, classes=options.get("classes", (0, 1)), split=split, salt=salt)
        generator = None if rng is None else np.random.default_rng(rng)
        models = answers.trained_models(dataset, np.random.default_rng() if generator is None else generator)
        points = private_records(dataset)[0]
        of_records = {
            "shape": tuple(points.shape[1:]) if hasattr(points, "shape") else None,
            "numbers": _are_numbers(points),
            "family": _family_of(base),
            "by_position": goes_by_position(answers.split),
        }
        return cls.of_models(models, scales, queries=queries, rng=generator, **{**of_records, **options})

    @classmethod
    def opened(cls, terms: Terms, models: Sequence[Any], rng: np.random.Generator | None = None) -> Self:
        """An object on whose terms nothing has been spent yet."""
        bars = terms.steps.bars(1, np.random.default_rng() if rng is None else rng)
        return cls(terms, models, Budget(0, 0), float(bars[0]), rng)

    # --- what may be known of it

    @property
    def claim(self) -> ApproxDP:
        """What is promised of all answers together, to at most ``queries`` queries.

        Raises
        ------
        AttributeError
            Where nothing is proved for these scales.

        Source: :mod:`dpcheck.papers.bassily2018.learners.accounting`.
        """
        terms = self._terms
        try:
            return answering_claim(
                terms.steps.scales,
                terms.queries,
                epsilon=terms.epsilon,
                delta=terms.delta,
                guard=terms.steps.guard,
                distance=terms.distance,
            )
        except InvalidArgument as error:
            raise AttributeError(f"{type(self).__name__} has no claim: {error}") from error

    @property
    def neighbours(self) -> Relation:
        """One record added or removed, of those that the models were trained on; or replaced: see ``train``."""
        return ReplaceOne() if self._terms.by_position else AddRemove()

    @property
    def spent(self) -> Budget:
        """The queries asked and the abstentions given, with what interrupted answers cost."""
        return self._spent

    @property
    def remaining(self) -> Budget:
        """The queries and abstentions that are left; when either is 0 nothing is answered."""
        limit = self._terms.steps.limit
        return Budget(max(0, self._terms.queries - self._spent.queries), max(0, limit - self._spent.abstentions))

    def __repr__(self) -> str:
        return f"OnlineAnswers(spent={self.spent}, remaining={self.remaining})"

    # --- what it is for

    def answer(self, query: Any) -> Any:
        """A label, or "⊥".

        Raises
        ------
        BudgetSpent
            When nothing may be answered any more.
        StaleHandle
            When this object may not answer: closed, copied, forked, resumed elsewhere.
        InvalidArgument
            When the query has another shape, or numbers that are not finite; this costs nothing.
        """
        return self._answers(query[None] if isinstance(query, np.ndarray) else [query])[0]

    def answer_many(self, queries: Any) -> tuple[Any, ...]:
        """The answers to m queries, as if they were asked one after the other: labels, "⊥", and None after the last.

        They are counted at once, and charged at once: much faster than one by one. An interruption costs them all.

        Raises
        ------
        BudgetSpent, StaleHandle, InvalidArgument
            As :meth:`answer`; where the budget ends within the m queries those after are None, as in alg-2.
        """
        return self._answers(queries)

    def _answers(self, queries: Any) -> tuple[Any, ...]:
        self._of_this_process()
        with self._lock:
            self._usable()
            asked = self._checked(queries)
            left = self.remaining
            if not left.queries or not left.abstentions:
                raise BudgetSpent(self._what_is_spent())
            number = min(len(asked), left.queries)
            if not number:
                return ()
            self._answering = True
            after: tuple[Budget, float] | None = None
            try:
                if self._ledger is not None:
                    self._ledger.announce(number)
                consensus = self._consensus(asked[:number])
                if consensus is None:
                    after = Budget(self._terms.queries, self._terms.steps.limit), 0.0
                else:
                    answers, after = self._decided(*consensus)
                self._commit(*after)
                self._answering = False
            except BaseException:
                self._commit(*(after or self._interrupted(number)))
                self._answering = False
                raise
            if consensus is None:
                raise BudgetSpent("a model failed on this query, and that tells of private records: all is spent now")
            return answers + (UNANSWERED,) * (len(asked) - len(answers))

    def _consensus(self, queries: Any) -> tuple[NDArray[Any], list[Hashable]] | None:
        """The distances and leading labels of the queries; None where a model failed, of which nothing may be told."""
        try:
            counts = votes_of(self._models, queries, self._terms.classes)
            places = leading_label(counts, self._terms.tie).tolist()
            return as_distance(self._terms.distance).of(counts), [self._terms.classes[place] for place in places]
        except Exception:
            return None

    def _decided(self, distances: NDArray[Any], labels: list[Hashable]) -> tuple[tuple[Any, ...], tuple[Budget, float]]:
        """The answers, and what is spent and in force after them."""
        answered, bar, abstentions = self._terms.steps.run(distances, self._bar, self._spent.abstentions, self._fresh())
        answers = tuple(label if said else ABSTAINED for label, said in zip(labels, answered.tolist(), strict=False))
        return answers, (Budget(self._spent.queries + len(answers), abstentions), bar)

    def _interrupted(self, queries: int) -> tuple[Budget, float]:
        """What is spent where an answer broke off: all that was asked for, and the round."""
        spent = Budget(self._spent.queries + queries, self._spent.abstentions + 1)
        return spent, float(self._terms.steps.bars(1, self._fresh())[0])

    def _fresh(self) -> np.random.Generator:
        return np.random.default_rng() if self._rng is None else self._rng

    def _commit(self, spent: Budget, bar: float) -> None:
        """On disk first: what is in memory never knows of more than what a crash would leave."""
        if self._ledger is not None:
            self._ledger.commit(_state(self._terms, spent, bar))
        self._spent, self._bar = spent, bar

    def _checked(self, queries: Any) -> Any:
        shape = self._terms.shape
        try:
            given = queries if hasattr(queries, "shape") else np.asarray(queries)
        except ValueError:  # rows of different lengths
            raise InvalidArgument("queries must be points of one shape, got points of several") from None
        if not given.shape:
            raise InvalidArgument(f"queries must be a list or array of points, got {queries!r}")
        if shape is not None and tuple(given.shape[1:]) != shape:
            raise InvalidArgument(f"queries must have the shape (m, ...) with ... = {shape}, got {tuple(given.shape)}")
        if _lacks_a_number(given):
            raise InvalidArgument("queries must be finite numbers: models refuse others, and that tells of them")
        if self._terms.numbers and not _are_numbers(given):
            raise InvalidArgument(f"queries must be numbers, as the records are, got {describe_value(queries)}")
        if self._terms.numbers and np.abs(np.asarray(given)).max(initial=0) > _LARGEST:
            raise InvalidArgument(
                f"queries must be numbers of at most {_LARGEST:.4g}, got a larger one: models hold "
                "features in 32 bits and refuse it, and that tells of them"
            )
        if self._terms.family is not None:
            self._terms.family.points(queries)
        return queries

    def _what_is_spent(self) -> str:
        limit = self._terms.steps.limit
        return (
            f"the budget is spent: {self._spent.queries} of at most {self._terms.queries} queries, "
            f"{self._spent.abstentions} of {limit} abstentions; nothing is answered any more"
        )

    def _of_this_process(self) -> None:
        """Before the lock: a forked child may have it as another thread held it, and nobody there will give it up."""
        if self._process != os.getpid():
            raise StaleHandle(f"this object may not answer any more: {_FORKED}")

    def _usable(self) -> None:
        problem = self._problem()
        if problem is not None:
            raise StaleHandle(f"this object may not answer any more: {problem}")

    def _problem(self) -> str | None:
        if self._closed:
            return "it was closed"
        if self._process != os.getpid():
            return _FORKED
        if self._self != id(self):
            return "it is a copy; only the original may answer"
        if self._answering:
            return "an answer broke off and could not be charged; resume() what is on disk, if it was saved"
        return None if self._ledger is None else self._ledger.problem()

    # --- how it is kept

    def save(self, path: Any) -> None:
        """Keep the state in a new directory from now on; it is written before each answer.

        Parameters
        ----------
        path : str or path of a directory that is not there yet

        Raises
        ------
        InvalidArgument
            When there is something already, or the models cannot be pickled.
        StaleHandle
            When this object may not answer, or is kept somewhere already.
        """
        self._of_this_process()
        with self._lock:
            self._usable()
            if self._ledger is not None:
                raise StaleHandle(f"this object is kept in {self._ledger.path} already: a second copy could answer too")
            models, state = _pickled(self._terms, self._models), _state(self._terms, self._spent, self._bar)
            self._answering = True
            try:
                self._ledger = Ledger.create(path, models, state)
            except InvalidArgument:
                self._answering = False
                raise
            except BaseException:
                # what could not be taken back may be resumed: this object is then not to answer beside it
                self._answering = os.path.lexists(path)
                raise
            self._answering = False

    @classmethod
    def resume(cls, path: Any, *, moved: bool = False, rng: Any = None) -> Self:
        """The object that was saved in a directory, with what was spent and the threshold in force.

        An answer that was announced there and never charged is charged now, as an interrupted one. The models are
        unpickled, which runs what is in the file: open no directory that you did not make.

        Parameters
        ----------
        path : str or path of the directory
        moved : bool
            Your word that the directory was moved here from another disk, and that no other copy of it will answer.
        rng : numpy Generator or seed, for tests alone

        Raises
        ------
        InvalidArgument
            When there is none, or others may read it.
        StaleHandle
            When it is open already, is a copy, or its state is older than what was written.
        RecordCorrupt
            When a file is damaged or of another version.
        """
        ledger, found = Ledger.open(path, moved=moved)
        try:
            terms, models = _unpickled(found.models, found.state)
            spent, bar = _spent_of(found.state)
            online = cls(terms, models, spent, bar, None if rng is None else np.random.default_rng(rng), ledger)
            if found.unfinished:
                spent, bar = online._interrupted(found.unfinished)
            # whoever had it open before is told by this that it has moved on
            ledger.announce(found.unfinished)
            online._commit(spent, bar)
        except BaseException:
            ledger.close()
            raise
        return online

    def close(self) -> None:
        """Answer no more; what was saved may be resumed."""
        with self._lock if self._process == os.getpid() else contextlib.nullcontext():
            self._closed = True
            if self._ledger is not None:
                self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise StaleHandle(
            "an object that keeps a budget cannot be copied or pickled, for a copy would spend it too: save()"
        )


def _lacks_a_number(points: Any) -> bool:
    """Whether a number is not finite or missing, in arrays of numbers or of objects and in data frames."""
    values = np.asarray(points)
    if values.dtype.kind in "fc":
        return not np.isfinite(values).all()
    if values.dtype.kind != "O":
        return False
    # pandas.NA and NaT are of no type that could be named without pandas, and equal nothing
    return any(
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float | np.floating) and not np.isfinite(value))
        for value in values.flat
    )


def _are_numbers(points: Any) -> bool:
    """Whether points are made of real numbers alone: arrays, data frames of numbers, lists."""
    return np.asarray(points).dtype.kind in "biuf"


def _family_of(base: Any) -> HypothesisClass | None:
    """The class of hypotheses that a base learner of this package says it learns."""
    return base.family if isinstance(base, LeastPositive | EmpiricalMinimiser) else None


def _state(terms: Terms, spent: Budget, bar: float) -> dict[str, Any]:
    """What stands in the file: the numbers of the terms, so that it can be read, and what was spent."""
    return {
        "scales": asdict(terms.steps.scales),
        "guard": terms.steps.guard,
        "queries": terms.queries,
        "tie": terms.tie,
        "shape": None if terms.shape is None else list(terms.shape),
        "epsilon": terms.epsilon,
        "delta": terms.delta,
        "by_position": terms.by_position,
        "numbers": terms.numbers,
        "spent": asdict(spent),
        "noisy_threshold": bar,
    }


def _pickled(terms: Terms, models: Sequence[Any]) -> bytes:
    """What a file of numbers cannot hold; functions and classes of a script go by value."""
    import cloudpickle

    kept = {"models": models, "classes": terms.classes, "distance": terms.distance, "family": terms.family}
    try:
        data: bytes = cloudpickle.dumps(kept, _PICKLE_PROTOCOL)
    except Exception as error:  # a stranger's model may raise anything
        raise InvalidArgument(f"models must be such that they can be pickled, got {type(error).__name__}") from None
    return data


def _unpickled(data: bytes, state: Mapping[str, Any]) -> tuple[Terms, Sequence[Any]]:
    """The terms and models that were saved."""
    try:
        kept = pickle.loads(data)
        terms = Terms(
            Steps(Scales(**state["scales"]), state["guard"]),
            state["queries"],
            kept["classes"],
            state["tie"],
            kept["distance"],
            None if state["shape"] is None else tuple(state["shape"]),
            state["epsilon"],
            state["delta"],
            state["by_position"],
            state.get("numbers", False),  # what was saved before these were looked at goes on without
            kept.get("family"),
        )
        models: Sequence[Any] = kept["models"]
    except Exception as error:  # code that is gone or has changed may raise anything
        raise RecordCorrupt(f"what was saved cannot be read: {type(error).__name__}: {error}") from None
    return terms, models


def _spent_of(state: Mapping[str, Any]) -> tuple[Budget, float]:
    try:
        return Budget(**state["spent"]), float(state["noisy_threshold"])
    except (KeyError, TypeError, ValueError) as error:
        raise RecordCorrupt(f"what was spent cannot be read: {type(error).__name__}: {error}") from None
