"""Scikit-learn estimators as learners: fit on the dataset, answer with the fitted parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import describe_value, features_and_labels, is_labelled, private_part
from dpcheck.model.errors import InvalidArgument, nearest

# diffprivlib 0.6.6 imports a name that scikit-learn 1.9 no longer has, and 1.8 refuses one of its arguments.
WHAT_TO_INSTALL = (
    "install dpcheck[sklearn] for scikit-learn, or dpcheck[diffprivlib] for diffprivlib, "
    "which needs scikit-learn below 1.8"
)
# Seeds are drawn below this: diffprivlib and scikit-learn take an int that fits 32 signed bits, not a
# Generator.
_SEEDS = 2**31 - 1
# What an estimator can be asked about rows.
_METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function", "score_samples", "transform")
# What fit notes about the shape of its input, not what it learnt.
_NOT_LEARNT = frozenset({"n_features_in_", "feature_names_in_"})


@dataclass(frozen=True, eq=False)
class EstimatorLearner:
    """The learner of an estimator; made by :func:`from_estimator`."""

    estimator: Any
    output: str | tuple[str, ...] | Callable[[Any], Any] | None
    seeded: tuple[str, ...]
    probe: Any = None

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"from_estimator({type(self.estimator).__name__})"

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One fit of a fresh clone, with every ``random_state`` drawn from ``rng``."""
        from sklearn.base import clone

        estimator = clone(self.estimator)
        for parameter in self.seeded:
            seed = int(rng.integers(_SEEDS))
            if "__" in parameter:
                estimator.set_params(**{parameter: seed})
            else:
                # The same as set_params, which inspects the signature again on each call.
                estimator.random_state = seed
        data = private_part(dataset)
        parts = features_and_labels(data) if is_labelled(data) else (_as_matrix(data),)
        fitted = estimator.fit(*parts)
        if callable(self.output):
            return self.output(fitted)
        if self.probe is not None and isinstance(self.output, str):
            return np.ravel(getattr(fitted, self.output)(self.probe))
        return parameters_of(fitted, self.output)


def from_estimator(
    estimator: Any, output: str | Sequence[str] | Callable[[Any], Any] | None = None, *, probe: Any = None
) -> EstimatorLearner:
    """A learner that fits a clone of a scikit-learn estimator and answers with what it learnt.

    Parameters
    ----------
    estimator : object with ``fit`` and ``get_params``
        Never fitted itself. Its ``random_state``, and that of the parts of a pipeline, are set from ``rng``.
    output : str, list of str, or callable, optional
        A fitted attribute (``"coef_"``), several (made one flat vector of floats, in the order given), or a
        function of the fitted estimator. By default every public numeric attribute whose name ends in
        ``_``, in alphabetical order, because whoever gets the estimator sees them all. A part of a pipeline is
        named as in its parameters (``"scaler__mean_"``); by default a pipeline shows what all its parts learnt.
    probe : array of shape (m, d), optional
        Public rows. ``output`` is then a method (``"predict_proba"``), and the answer what it says of them.

    Raises
    ------
    InvalidArgument
        When it is no estimator (a class, say), scikit-learn is not installed, ``output`` is none of these, or a
        ``probe`` comes without a method.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> learner = from_estimator(Ridge(alpha=1.0), output=["coef_", "intercept_"])
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    >>> [round(float(value), 3) for value in learner((X, y), np.random.default_rng(0))]
    [0.667, 0.333]
    >>> learner = from_estimator(Ridge(alpha=1.0), output="predict", probe=[[0.0], [3.0]])
    >>> [round(float(value), 3) for value in learner((X, y), np.random.default_rng(0))]
    [0.333, 2.333]
    """
    if inspect.isclass(estimator):
        name = estimator.__name__
        raise InvalidArgument(f"estimator must be an instance, got the class {name}: write {name}(...)")
    if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        raise InvalidArgument(
            f"estimator must have fit and get_params, as scikit-learn's have, got {describe_value(estimator)}"
        )
    try:
        import sklearn.base  # noqa: F401
    except ImportError as error:
        raise InvalidArgument(
            f"estimator must be usable, but scikit-learn cannot be imported ({error}): {WHAT_TO_INSTALL}"
        ) from error
    parameters = estimator.get_params(deep=True)
    seeded = tuple(sorted(p for p in parameters if p == "random_state" or p.endswith("__random_state")))
    if probe is not None and not (isinstance(output, str) and callable(getattr(type(estimator), output, None))):
        methods = [name for name in _METHODS if hasattr(type(estimator), name)]
        raise InvalidArgument(
            f"output must be a method of {type(estimator).__name__} ({', '.join(methods)}) where probe is given, "
            f"got {output!r}{nearest(str(output), methods)}"
        )
    return EstimatorLearner(estimator, _checked_output(output), seeded, probe)


def _checked_output(output: Any) -> str | tuple[str, ...] | Callable[[Any], Any] | None:
    if output is None or isinstance(output, str) or callable(output):
        checked: str | Callable[[Any], Any] | None = output
        return checked
    if isinstance(output, Sequence) and output and all(isinstance(name, str) for name in output):
        return tuple(output)
    raise InvalidArgument(
        f"output must be the name of a fitted attribute, a list of names, or a callable, got {output!r}"
    )


def parameters_of(fitted: Any, names: str | Sequence[str] | None = None) -> NDArray[np.float64]:
    """Fitted attributes as one flat vector of floats, shape (total size,).

    Raises
    ------
    InvalidArgument
        When the estimator has no such attribute, or it is not numeric.
    """
    chosen = [names] if isinstance(names, str) else list(names) if names is not None else _learnt(fitted)
    parts = []
    for name in chosen:
        owner, attribute = _owner(fitted, name)
        if not hasattr(owner, attribute):
            known = _learnt(fitted)
            raise InvalidArgument(
                f"output must name fitted attributes of {type(fitted).__name__} ({', '.join(known)}), "
                f"got {name!r}{nearest(name, known)}"
            )
        value = np.asarray(getattr(owner, attribute))
        if value.dtype.kind not in "biuf":
            raise InvalidArgument(f"output must name numeric attributes, but {name!r} holds {value.dtype}")
        parts.append(value.astype(np.float64).ravel())
    if not parts:
        raise InvalidArgument(
            f"output must be given: {type(fitted).__name__} has no numeric attribute ending in an underscore"
        )
    return np.concatenate(parts)


def _owner(fitted: Any, name: str) -> tuple[Any, str]:
    """The part of a pipeline (of parts of it) that a name such as ``scaler__mean_`` is about, and its attribute."""
    parts = _parts(fitted)
    step, separator, rest = name.partition("__")
    return _owner(parts[step], rest) if separator and step in parts else (fitted, name)


def _parts(fitted: Any) -> dict[str, Any]:
    """The steps of a pipeline by name; none for anything else."""
    steps = getattr(fitted, "steps", None)
    if not isinstance(steps, list):
        return {}
    return {step[0]: step[1] for step in steps if isinstance(step, tuple) and hasattr(step[1], "fit")}


def _learnt(fitted: Any) -> list[str]:
    parts = _parts(fitted)
    if parts:
        return [f"{step}__{name}" for step, part in parts.items() for name in _learnt(part)]
    return [
        name
        for name, value in sorted(vars(fitted).items())
        if name.endswith("_")
        and not name.startswith("_")
        and name not in _NOT_LEARNT
        and isinstance(value, int | float | np.number | np.ndarray)
        and np.asarray(value).dtype.kind in "biuf"
    ]


def _as_matrix(data: Any) -> Any:
    """Records that are single numbers as a column, since estimators want (n, d)."""
    if isinstance(data, np.ndarray | list) and np.ndim(data) == 1:
        return np.reshape(data, (-1, 1))
    return data
