"""The same data in other hands: another dtype, another container, memory that cannot be written to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.checks import careless
from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import behaviour_of, judged_equality
from dpcheck.checks.needs import data_as_they_are, needs
from dpcheck.checks.outcome import Outcome, failed, not_applicable, passed
from dpcheck.checks.result import CheckStatus
from dpcheck.checks.situations import Converted, Situation
from dpcheck.checks.subject import DIFFERENCE, Subject
from dpcheck.model.data import (
    Labelled,
    SemiPrivate,
    features_and_labels,
    is_frame,
    is_labelled,
    is_pandas,
    same_dataset,
)
from dpcheck.model.data.rows import record_at, size_of

#: dtypes in which people hold numbers; the values are those that all of them can hold.
DTYPES = ("float32", "int64", "int32", "uint8")
#: A dataset of large sum is repeated to about so many records: a sum of 4 each is beyond a byte.
MOST_RECORDS = 100
#: The part of the way to the other end that the ends of a column are moved for a dataset with fractions.
INWARDS = 0.03125
_NO_RECORD = object()
_OF_PANDAS = ("DataFrame", "Series")
_INPUT = " input"


@dataclass(frozen=True)
class OfDtype:
    """The features as an array of a dtype."""

    dtype: str

    def __call__(self, dataset: Any) -> Any:
        """The dataset in that form."""
        return with_features(dataset, lambda column: np.asarray(column).astype(self.dtype))


@dataclass(frozen=True)
class InContainer:
    """The features (and labels) in another container."""

    kind: str

    def __call__(self, dataset: Any) -> Any:
        """The dataset in that form."""
        changed = with_features(dataset, self._column)
        if self.kind not in ("list", "array") or not is_labelled(changed) or isinstance(changed, SemiPrivate):
            return changed
        x, y = features_and_labels(changed)
        labels = list(np.asarray(y).tolist()) if self.kind == "list" else np.asarray(y)
        return Labelled(x, labels) if isinstance(changed, Labelled) else (x, labels)

    def _column(self, column: Any) -> Any:
        table = np.asarray(column)
        match self.kind:
            case "list":
                return table.tolist()
            case "tuple":
                return tuple(table.tolist())
            case "array":
                return np.ascontiguousarray(table)
            case "array with every second row of memory":
                wide = np.repeat(table, 2, axis=0)
                return wide[::2]
            case "array in Fortran's order":
                return np.asfortranarray(table)
            case "DataFrame":
                import pandas

                return pandas.DataFrame(table, columns=[f"c{j}" for j in range(table.shape[1])])
            case "Series":
                import pandas

                return pandas.Series(table)
        raise ValueError(self.kind)


@dataclass(frozen=True)
class ReadOnly:
    """All arrays of the dataset read-only, as those are that several processes share."""

    def __call__(self, dataset: Any) -> Any:
        """The dataset in that form."""
        for array in arrays_of(dataset):
            array.setflags(write=False)
        return dataset


@dataclass(frozen=True)
class AsItIs:
    """The dataset as it is."""

    def __call__(self, dataset: Any) -> Any:
        """The dataset."""
        return dataset


@must_fail(careless.subtracts_in_the_dtype_of_the_data, pairs=careless.ARRAYS)
def check_dtype_of_the_input(subject: Subject) -> Outcome:
    """The same numbers as float64, float32, int64, int32 or uint8 give one law, or are refused in words."""
    datasets = _to_try(subject)
    if not datasets:
        return not_applicable("the records are no numbers")
    tried: list[tuple[Any, list[str]]] = []
    for dataset in datasets:
        plain = with_features(dataset, lambda column: np.asarray(column).astype(np.float32).astype(np.float64))
        held = _numbers(plain)
        assert held is not None
        with np.errstate(invalid="ignore"):
            fitting = [dtype for dtype in DTYPES if np.array_equal(held.astype(dtype).astype(np.float64), held)]
        if fitting:
            tried.append((plain, fitting))
    if not tried:
        return not_applicable("no other dtype holds these numbers")
    return _worst(
        _one_law(
            subject,
            plain,
            AsItIs(),
            "float64",
            [Situation(plain, Converted(OfDtype(dtype)), f"{dtype}{_INPUT}") for dtype in fitting],
            "convert the input first: numpy.asarray(x, dtype=numpy.float64), before differences and sums",
            share=1 / len(tried),
        )
        for plain, fitting in tried
    )


@must_fail(careless.sums_by_method, pairs=careless.ARRAYS)
@needs(data_as_they_are)
def check_container_of_the_input(subject: Subject) -> Outcome:
    """The same data as list, tuple, array, strided array or DataFrame give one law, or are refused in words."""
    table = _numbers(subject.dataset)
    if table is None:
        return not_applicable("the records are no numbers")
    # a tuple of two columns would be read as (X, y)
    kinds = ["list", "array", "array with every second row of memory"] + (["tuple"] if len(table) != 2 else [])
    if table.ndim == 2:
        kinds.append("array in Fortran's order")
    if _has_pandas():
        kinds.append("DataFrame" if table.ndim == 2 else "Series")
    own = _kind_of(subject.dataset)
    return _one_law(
        subject,
        subject.dataset,
        AsItIs(),
        own,
        [_in_container(subject.dataset, kind) for kind in kinds if kind != own],
        "convert the input first (numpy.asarray), or refuse what is no array with a message that says so",
    )


@must_fail("hostile.leaving:mutates_its_dataset")
def check_read_only_input(subject: Subject) -> Outcome:
    """Arrays that cannot be written to give the same law: the learner has no business writing into its input."""
    datasets = _to_try(subject) or ([subject.dataset] if arrays_of(subject.dataset) else [])
    if not datasets:
        return not_applicable("the dataset holds no arrays")
    return _worst(_read_only(subject, dataset, share=1 / len(datasets)) for dataset in datasets)


def _read_only(subject: Subject, dataset: Any, share: float) -> Outcome:
    """Arrays of one dataset."""
    if not arrays_of(dataset):
        dataset = with_features(dataset, np.asarray)
    situations = [Situation(dataset, Converted(form), words) for form, words in _READ_ONLY]
    before, after = (behaviour_of(given, types_refused=True) for given in subject.answers(situations))
    if before.always_raises:
        return not_applicable(f"it takes no arrays ({before.said})")
    if after.always_raises:
        return failed(f"it fails on arrays that are read-only ({after.said})", "copy the input before writing into it")
    return judged_equality(
        subject.compare(*situations, share=share),
        between="the law of read-only arrays and that of the data as they are",
        differs="read-only arrays give another law",
        hint="copy the input before writing into it",
    )


_READ_ONLY: tuple[tuple[Callable[[Any], Any], str], ...] = (
    (AsItIs(), "the data as they are"),
    (ReadOnly(), "read-only arrays"),
)


def _in_container(dataset: Any, kind: str) -> Situation:
    """The data in another container: pandas' are made here, since importing pandas would count as the learner's time;
    arrays where the learner runs, since copies of arrays have another order in memory.
    """
    if kind in _OF_PANDAS:
        return Situation(InContainer(kind)(dataset), Converted(AsItIs()), f"{kind}{_INPUT}")
    return Situation(dataset, Converted(InContainer(kind)), f"{kind}{_INPUT}")


def _one_law(
    subject: Subject,
    dataset: Any,
    own: Callable[[Any], Any],
    own_words: str,
    forms: Sequence[Situation],
    hint: str,
    *,
    share: float = 1.0,
) -> Outcome:
    """No form is seen to give another law than the first, or it is refused in words by every call."""
    base = Situation(dataset, Converted(own), f"{own_words}{_INPUT}")
    first, *rest = (behaviour_of(given, types_refused=True) for given in subject.answers([base, *forms]))
    if first.always_raises:
        return failed(f"it raises on {base.words} ({first.said})", hint)
    same, refused, unsure = [], [], None
    for other, seen in zip(forms, rest, strict=True):
        words = other.words.removesuffix(_INPUT)
        if seen.refuses:
            refused.append(words)
            continue
        if seen.accidents:
            return failed(f"it breaks on {words} input ({seen.said}), which is neither an answer nor a refusal", hint)
        outcome = judged_equality(
            subject.compare(base, other, share=share / len(forms)),
            between=f"{words} and {own_words} input",
            differs=f"{words} input gives another law than {own_words} input of the same numbers",
            hint=hint,
        )
        if outcome.status is CheckStatus.FAILED:
            return outcome
        if outcome.status is CheckStatus.INCONCLUSIVE:
            unsure = unsure or outcome
        same.append(words)
    if unsure is not None:
        return unsure
    parts = (
        [f"no difference of size {DIFFERENCE:g} from {own_words} input was found with {', '.join(same)}"]
        if same
        else []
    )
    parts += [f"{', '.join(refused)} input is refused in words"] if refused else []
    return passed("; ".join(parts))


def _worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The first that failed (no other is looked at then); else the first that is not passed, else the first."""
    found = []
    for outcome in outcomes:
        if outcome.status is CheckStatus.FAILED:
            return outcome
        found.append(outcome)
    return next((one for one in found if one.status is not CheckStatus.PASSED), found[0])


def _to_try(subject: Subject) -> list[Any]:
    """Datasets of numbers inside the claim's domain: the subject's, one with fractions, and that of largest sum.

    Whole numbers with a small sum fit into every dtype, and so do their sums.
    """
    found = [subject.dataset] if _numbers(subject.dataset) is not None else []
    numbers = []
    for pair in subject.candidates() if found else ():
        for dataset in (pair.left, pair.right):
            table = _numbers(dataset)
            if table is not None and np.isfinite(table).all():
                numbers.append((dataset, table))
    fractions = [(dataset, table) for dataset, table in numbers if (table != np.floor(table)).any()]
    if fractions:
        found.append(max(fractions, key=lambda one: len(one[1]))[0])
    else:
        found += _with_fractions(subject)
    if numbers:
        found.append(_repeated(subject, max(numbers, key=lambda one: float(np.abs(one[1].sum(axis=0)).max()))[0]))
    kept: list[Any] = []
    for dataset in found:
        if not any(same_dataset(dataset, other) for other in kept):
            kept.append(dataset)
    return kept


def _with_fractions(subject: Subject) -> list[Any]:
    """The subject's dataset with its numbers moved towards each other, if its records are inside the domain then."""
    records = None if subject.relation is None else subject.relation.records
    if records is None or records.contains(_NO_RECORD):  # a strategy cannot be asked
        return []

    def moved(column: Any) -> Any:
        table = np.asarray(column).astype(np.float64)
        low, high = table.min(axis=0), table.max(axis=0)
        return low + INWARDS * (high - low) + (1.0 - 2.0 * INWARDS) * (table - low)

    dataset = with_features(subject.dataset, moved)
    table = _numbers(dataset)
    if table is None or isinstance(dataset, SemiPrivate) or (table == np.floor(table)).all():
        return []
    inside = all(records.contains(record_at(dataset, row)) for row in range(size_of(dataset)))
    return [dataset] if inside else []


def _repeated(subject: Subject, dataset: Any) -> Any:
    """Its records over and over, where the claim is about datasets of any size: sums grow beyond small dtypes."""
    size = size_of(dataset)
    if subject.relation is None or subject.relation.records is None or isinstance(dataset, SemiPrivate) or not size:
        return dataset
    times = -(-MOST_RECORDS // size)
    if not subject.allows_size(size * times):
        return dataset

    def again(column: Any) -> Any:
        return np.concatenate([np.asarray(column)] * times)

    if is_labelled(dataset):
        x, y = features_and_labels(dataset)
        return Labelled(again(x), again(y)) if isinstance(dataset, Labelled) else (again(x), again(y))
    return again(dataset)


def with_features(dataset: Any, change: Callable[[Any], Any]) -> Any:
    """The dataset with its features (all of it, where it has no labels) changed; labels and public part stay."""
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(with_features(dataset.private, change), dataset.public)
    if is_labelled(dataset):
        x, y = features_and_labels(dataset)
        return Labelled(change(x), y) if isinstance(dataset, Labelled) else (change(x), y)
    return change(dataset)


def arrays_of(dataset: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays that a dataset consists of."""
    if isinstance(dataset, SemiPrivate):
        return arrays_of(dataset.private) + arrays_of(dataset.public)
    if is_labelled(dataset):
        return [part for part in features_and_labels(dataset) if isinstance(part, np.ndarray)]
    return [dataset] if isinstance(dataset, np.ndarray) else []


def _numbers(dataset: Any) -> np.ndarray[Any, Any] | None:
    """The features as an array of doubles, of one or two dimensions; None where they are no numbers."""
    data = dataset.private if isinstance(dataset, SemiPrivate) else dataset
    column = features_and_labels(data)[0] if is_labelled(data) else data
    try:
        size_of(data)
        table = np.asarray(column)
        if table.dtype.kind not in "iuf" or table.ndim not in (1, 2) or len(table) == 0:
            return None
        return table.astype(np.float64)
    except Exception:  # ragged rows, strings, a stranger's type
        return None


def _kind_of(dataset: Any) -> str:
    data = dataset.private if isinstance(dataset, SemiPrivate) else dataset
    column = features_and_labels(data)[0] if is_labelled(data) else data
    if is_pandas(column):
        return "DataFrame" if is_frame(column) else "Series"
    return "array" if isinstance(column, np.ndarray) else "tuple" if isinstance(column, tuple) else "list"


def _has_pandas() -> bool:
    from importlib.util import find_spec

    return find_spec("pandas") is not None
