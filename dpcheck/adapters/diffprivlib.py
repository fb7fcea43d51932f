"""diffprivlib's models and mechanisms as learners that bring their claim, their relation and their records."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.adapters.estimator import WHAT_TO_INSTALL, EstimatorLearner, from_estimator
from dpcheck.model.claims import ApproxDP, Claim, PureDP
from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import AddRemove, Records, Relation, ReplaceOne, as_relation
from dpcheck.model.neighbours.records import as_records

#: What a model reads from the data when it is not told, and so cannot keep its claim.
_TOLD = ("bounds", "bounds_X", "bounds_y", "data_norm", "classes")
#: Mechanisms whose input is no number: a function, a matrix, or nothing at all.
_NOT_OF_A_NUMBER = ("Vector", "Bingham", "Exponential", "PermuteAndFlip", "ExponentialCategorical")
#: Mechanisms on whole numbers.
_OF_WHOLE_NUMBERS = ("Geometric", "GaussianDiscrete")
#: More whole numbers than this within the sensitivity are given by their ends.
_NUMBERS_LISTED = 16
_SEEDS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class DiffprivlibModel:
    """The learner of a model; made by :func:`from_diffprivlib`. ``untold`` are the arguments it reads from the data."""

    estimator: EstimatorLearner
    claim: Claim
    neighbours: Relation
    untold: tuple[str, ...]

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"from_diffprivlib({type(self.estimator.estimator).__name__})"

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One fit of a fresh clone."""
        return self.estimator(dataset, rng)


@dataclass(frozen=True, eq=False)
class DiffprivlibMechanism:
    """The learner of a mechanism, whose dataset is one number; made by :func:`from_diffprivlib`."""

    mechanism: Any
    claim: Claim
    neighbours: Relation

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"from_diffprivlib({type(self.mechanism).__name__})"

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One randomised number, by a mechanism seeded from ``rng``."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` of them; diffprivlib draws them one by one, so what is saved is making the mechanism."""
        made = _seeded(self.mechanism, int(rng.integers(_SEEDS)))
        value = _plain(dataset[0])
        return [made.randomise(value) for _ in range(size)]

    def __getstate__(self) -> dict[str, Any]:
        # Its source of randomness is the system's, which cannot be copied; its arguments can.
        return {**self.__dict__, "mechanism": (type(self.mechanism), _arguments(self.mechanism))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kind, arguments = state["mechanism"]
        self.__dict__.update({**state, "mechanism": kind(**arguments)})


def from_diffprivlib(
    subject: Any,
    *,
    output: str | Sequence[str] | Callable[[Any], Any] | None = None,
    neighbours: Any = None,
    records: Any = None,
    labels: Any = None,
    size: int | range | None = None,
) -> DiffprivlibModel | DiffprivlibMechanism:
    """A learner made of a diffprivlib model or mechanism, with the claim and the relation read from it.

    The claim is ``epsilon`` (and ``delta``). diffprivlib does not name its relation; most of its sensitivities are
    those of replacing one record among a known number, which is the relation unless ``neighbours`` says otherwise.
    The records of a model are its ``bounds`` (``bounds_X`` and ``bounds_y``, ``data_norm``) and ``classes``. What it
    is not told it reads from the data: that breaks the claim, and a warning says so.

    A mechanism's dataset is one number in a list, and its neighbours are numbers within one ``sensitivity``.

    Parameters
    ----------
    subject : model with ``fit``, or mechanism with ``randomise``
        An instance, never fitted itself; seeded from ``rng``.
    output : optional
        What is seen of a fitted model, as for :func:`dpcheck.from_estimator`.
    neighbours : relation, its class or its name, optional
        "replace-one" or "add-remove"; with records of its own it is taken as it is.
    records : optional
        The features (of a mechanism: the numbers) instead of those read from the bounds.
    labels : list of labels or ``(low, high)``, optional
        The labels of a classifier that is not told its classes; those in the data when left out.
    size : int or range, optional
        The numbers of records the claim is about.

    Raises
    ------
    InvalidArgument
        When diffprivlib or scikit-learn cannot be imported, or it is neither a model nor a mechanism of a number.

    Examples
    --------
    >>> from diffprivlib.mechanisms import Laplace
    >>> learner = from_diffprivlib(Laplace(epsilon=0.5, sensitivity=2))
    >>> learner.claim, str(learner.neighbours.records)
    (PureDP(epsilon=0.5), '0 to 2')
    >>> from diffprivlib.models import GaussianNB
    >>> learner = from_diffprivlib(GaussianNB(epsilon=1.0, bounds=([0, 0], [50, 1])), labels=[0, 1])
    >>> learner.claim, str(learner.neighbours.records)
    (PureDP(epsilon=1.0), 'features (0 to 50, 0 to 1), labels one of (0, 1)')
    """
    if inspect.isclass(subject):
        raise InvalidArgument(f"subject must be an instance, got the class {subject.__name__}: write it with (...)")
    _check_installed()
    if hasattr(subject, "randomise") and hasattr(subject, "epsilon"):
        return _of_mechanism(subject, neighbours, records)
    if hasattr(subject, "fit") and hasattr(subject, "epsilon"):
        return _of_model(subject, output, neighbours, records, labels, size)
    raise InvalidArgument(
        "subject must be a model or a mechanism of diffprivlib (for a pipeline or an estimator of scikit-learn use "
        f"from_estimator), got {describe_value(subject)}"
    )


def _check_installed() -> None:
    try:
        import diffprivlib.models  # noqa: F401  # which needs scikit-learn, of the right version
    except ImportError as error:
        raise InvalidArgument(f"from_diffprivlib needs diffprivlib ({error}): {WHAT_TO_INSTALL}") from error


def claim_of(subject: Any) -> Claim:
    """The claim that a model's or mechanism's ``epsilon`` and ``delta`` make."""
    delta = float(getattr(subject, "delta", 0.0) or 0.0)
    epsilon = float(subject.epsilon)
    if math.isinf(epsilon):
        raise InvalidArgument("subject must claim a finite epsilon to be audited, got epsilon = inf")
    return PureDP(epsilon) if delta == 0.0 else ApproxDP(epsilon, delta)


def _of_model(
    model: Any, output: Any, neighbours: Any, records: Any, labels: Any, size: int | range | None
) -> DiffprivlibModel:
    untold = tuple(name for name in _TOLD if getattr(model, name, "not an argument of this model") is None)
    if untold:
        warnings.warn(
            f"{type(model).__name__} was not told {' and '.join(untold)} and reads them from the data, which leaks: "
            f"pass {', '.join(f'{name}=...' for name in untold)}",
            UserWarning,
            stacklevel=3,
        )
    relation = _relation(neighbours, lambda: _records_of(model, records, labels), size)
    return DiffprivlibModel(from_estimator(model, output), claim_of(model), relation, untold)


def _relation(neighbours: Any, read: Callable[[], Records | None], size: int | range | None) -> Relation:
    chosen = as_relation("replace-one" if neighbours is None else neighbours)
    if chosen.records is not None or not isinstance(chosen, ReplaceOne | AddRemove):
        return chosen
    return type(chosen)(records=read(), size=chosen.size if size is None else size)


def _records_of(model: Any, records: Any, labels: Any) -> Records | None:
    bounds = getattr(model, "bounds", None) if hasattr(model, "bounds") else getattr(model, "bounds_X", None)
    norm = getattr(model, "data_norm", None)
    if records is not None:
        features = as_records(records)
    elif bounds is not None:
        features = _bounded(bounds)
    else:
        # rows beyond the norm are shortened to it, so that the claim is about these too
        features = None if norm is None else Records.bounded(-float(norm), float(norm))
    if not _is_supervised(model):
        return features
    if labels is None:
        bounds_y = getattr(model, "bounds_y", None)
        classes = getattr(model, "classes", None)
        labels = _label_bounds(bounds_y) if bounds_y is not None else None if classes is None else list(classes)
    return Records.labelled(features=features, labels=labels)


def _is_supervised(model: Any) -> bool:
    if hasattr(model, "bounds_y"):
        return True
    from sklearn.base import is_classifier, is_regressor

    return bool(is_classifier(model) or is_regressor(model))


def _bounded(bounds: Any) -> Records:
    low, high = (np.asarray(bound, dtype=float) for bound in bounds)
    ends = [float(end) if end.ndim == 0 else end.tolist() for end in (low, high)]
    return Records.bounded(*ends)


def _label_bounds(bounds: Any) -> tuple[float, float]:
    low, high = (np.asarray(bound, dtype=float).ravel() for bound in bounds)
    return float(low.min()), float(high.max())


def _of_mechanism(mechanism: Any, neighbours: Any, records: Any) -> DiffprivlibMechanism:
    kinds = {kind.__name__ for kind in type(mechanism).__mro__}
    refused = kinds & set(_NOT_OF_A_NUMBER)
    if refused:
        raise InvalidArgument(
            f"subject must be a mechanism that randomises a number, got {type(mechanism).__name__}: write a learner "
            "(dataset, rng) -> output that makes the mechanism of a dataset"
        )
    relation = _relation(neighbours, lambda: _numbers_of(mechanism, kinds, records), 1)
    return DiffprivlibMechanism(mechanism, claim_of(mechanism), relation)


def _numbers_of(mechanism: Any, kinds: set[str], records: Any) -> Records | None:
    """The inputs between two of which the claim is made: an interval as long as the sensitivity."""
    if records is not None:
        return as_records(records)
    if "Binary" in kinds:
        return Records.of([mechanism.value0, mechanism.value1])
    if not hasattr(mechanism, "sensitivity"):
        raise InvalidArgument(
            f"records must be given, since {type(mechanism).__name__} has no sensitivity to read them from, got None"
        )
    sensitivity = mechanism.sensitivity
    low, high = getattr(mechanism, "lower", -math.inf), getattr(mechanism, "upper", math.inf)
    start = low if math.isfinite(low) else high - sensitivity if math.isfinite(high) else 0
    end = min(start + sensitivity, high)
    if kinds & set(_OF_WHOLE_NUMBERS):
        first = math.ceil(start)  # folding at half numbers begins there
        last = math.floor(min(first + sensitivity, high))
        inside = last - first + 1 <= _NUMBERS_LISTED
        return Records.of(list(range(first, last + 1)) if inside else [first, last])
    return Records.bounded(float(start), float(end))


def _seeded(mechanism: Any, seed: int) -> Any:
    """The same mechanism with another random state, made from its own arguments as its text form is."""
    return type(mechanism)(**{**_arguments(mechanism), "random_state": seed})


def _arguments(mechanism: Any) -> dict[str, Any]:
    return {name: getattr(mechanism, name) for name in inspect.getfullargspec(type(mechanism)).kwonlyargs}


def _plain(value: Any) -> Any:
    """A number of numpy as Python's own, which the mechanisms insist on."""
    return value.item() if isinstance(value, np.generic) else value
