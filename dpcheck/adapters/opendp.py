"""OpenDP's measurements as learners: claim, relation and records are read from the object."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpcheck.model.claims import ApproxDP, Claim, ProfileDP, PureDP, RenyiDP, ZeroConcentratedDP
from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import AddRemove, PrivatePart, Records, Relation, ReplaceOne, as_relation
from dpcheck.model.neighbours.domains import Columns, Values
from dpcheck.model.neighbours.records import as_records

WHAT_TO_INSTALL = "install dpcheck[opendp], which has OpenDP 0.12 or newer"
#: Metrics on datasets of records: neighbours by adding or removing a record, or by replacing one.
_ADDING = ("SymmetricDistance", "InsertDeleteDistance")
_REPLACING = ("ChangeOneDistance", "HammingDistance")
#: Metrics on one value, and on a vector of them of which one moves.
_ONE_VALUE = ("AbsoluteDistance", "DiscreteDistance")
_VECTORS = ("L1Distance", "L2Distance", "LInfDistance")
#: Deltas at which a profile is read: those of any (epsilon, delta) people state, and down to where no audit sees.
_DELTAS = tuple(10.0 ** (-exponent / 2.0) for exponent in range(1, 25))
_LARGEST_EPSILON = 700.0
#: More whole numbers than this between two bounds are given by their bounds.
_NUMBERS_LISTED = 16
_WHOLE = re.compile(r"[iu](8|16|32|64|128|size)")


@dataclass(frozen=True, eq=False)
class OpendpLearner:
    """The learner of a measurement; made by :func:`from_opendp`.

    ``unread`` says, a sentence each, what could not be read from the measurement. ``make`` makes it again where it is
    sent to another process, for those that OpenDP cannot write as text.
    """

    measurement: Any
    claim: Claim
    neighbours: Relation | None
    convert: Callable[[Any], Any]
    unread: tuple[str, ...] = ()
    make: Callable[[], Any] | None = None

    @property
    def name(self) -> str:
        """How reports call it."""
        return "from_opendp(Measurement)"

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One release; OpenDP draws from the operating system, not from ``rng``."""
        return self.measurement.invoke(self.convert(dataset))

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` releases of the dataset, converted once; OpenDP makes them one by one."""
        given = self.convert(dataset)
        return [self.measurement.invoke(given) for _ in range(size)]

    def __deepcopy__(self, memo: dict[int, Any]) -> OpendpLearner:
        # A measurement is a function without state, behind a pointer that cannot be copied.
        return replace(self)

    def __getstate__(self) -> dict[str, Any]:
        text = None if self.make is not None else _written(self.measurement)
        return {**self.__dict__, "measurement": text, "features": _features()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        dp = _opendp()
        dp.enable_features(*state.pop("features"))
        make, text = state["make"], state["measurement"]
        measurement = make() if make is not None else dp.deserialize(text)
        self.__dict__.update({**state, "measurement": measurement})


def from_opendp(
    measurement: Any,
    *,
    d_in: Any = None,
    neighbours: Any = None,
    records: Any = None,
    size: int | range | None = None,
    dimension: int | None = None,
    order: float = 8.0,
    convert: Callable[[Any], Any] | None = None,
) -> OpendpLearner:
    """A learner made of an OpenDP measurement, with its claim, relation and records read from the object.

    The claim is ``measurement.map(d_in)``: PureDP for MaxDivergence, ApproxDP for an approximate (or fixed smoothed)
    one, a profile for SmoothedMaxDivergence, ZeroConcentratedDP and RenyiDP (at ``order``) for these divergences.

    The relation is that of the input metric: AddRemove at d_in = 1 for the symmetric and insert-delete distances
    (ReplaceOne at d_in = 2 where the domain fixes the size), ReplaceOne for change-one and Hamming distances. Where
    the input is no dataset but a value, or a vector of sums, a neighbour is a value within d_in: the dataset is then
    a list of the value, of the vector's coordinates (of which one moves), or, for the largest of the differences, of
    one row. Records are the bounds of the domain's atoms; what it does not say stands in the learner's ``unread``.

    Parameters
    ----------
    measurement : opendp Measurement, or a function without arguments that makes one
        The function is what lets user-made measurements be sent to worker processes.
    d_in : optional
        The input distance the claim is read at; that of one record, or 1, when left out.
    neighbours, records, size : optional
        Instead of what is read; records are needed for searched pairs where the domain has no bounds.
    dimension : int, optional
        The length of input vectors where the domain does not say.
    order : float
        At which a Rényi curve is claimed.
    convert : callable, optional
        From a dataset to what the measurement takes; read from its domain when left out.

    Raises
    ------
    InvalidArgument
        When OpenDP cannot be imported, it is no measurement, or its metric or measure cannot be read.

    Examples
    --------
    >>> import opendp.prelude as dp
    >>> dp.enable_features("contrib")
    >>> space = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)), size=100), dp.symmetric_distance()
    >>> learner = from_opendp(space >> dp.t.then_mean() >> dp.m.then_laplace(0.1))
    >>> round(learner.claim.epsilon_value, 6), learner.neighbours.name, str(learner.neighbours.records)
    (1.0, 'replace-one', '0 to 10')
    """
    dp = _opendp()
    make = None
    if inspect.isroutine(measurement) or isinstance(measurement, partial):
        make, measurement = measurement, measurement()
    if not isinstance(measurement, dp.Measurement):
        chain = ": chain a measurement behind it with >>" if isinstance(measurement, dp.Transformation) else ""
        raise InvalidArgument(
            "measurement must be an opendp Measurement, or a function that makes one, got "
            f"{describe_value(measurement)}{chain}"
        )
    metric, domain = _plain_type(measurement.input_metric), measurement.input_domain
    unread: list[str] = []
    element, length = _element_of(domain), getattr(domain, "size", None)
    wanted = None if neighbours is None else as_relation(neighbours)
    by_replacing = _by_replacing(metric, wanted, length, size)
    steps = 2 if metric in _ADDING and by_replacing else 1
    if d_in is None:
        d_in = steps
    claim = _claim(measurement, d_in, order)
    if metric in (*_ADDING, *_REPLACING) and d_in != steps:
        if d_in < steps:  # the claim of too small a distance would accuse whoever keeps it
            raise InvalidArgument(f"d_in must be at least {steps}, which neighbours are apart here, got {d_in!r}")
        unread.append(f"neighbours at d_in = {d_in}: the claim is read there, but the pairs tried are {steps} apart")
    given = as_records(records)
    if wanted is not None and wanted.records is not None:
        relation: Relation | None = wanted
    elif metric in _ADDING or metric in _REPLACING:
        found = given if given is not None else _records(element, unread)
        kind_of = ReplaceOne if by_replacing else AddRemove
        relation = kind_of(records=found, size=size if size is not None else length)
    elif metric in _ONE_VALUE or metric in _VECTORS:
        monotonic = "monotonic" in str(measurement.input_metric)
        relation = _of_values(metric, element, d_in, given, dimension or length, monotonic=monotonic)
    else:
        relation = wanted
        unread.append(f"what neighbours are under {metric}: pass neighbours=... or pairs=[(left, right)]")
    return OpendpLearner(
        measurement, claim, relation, convert or _converter(metric, domain, element), tuple(unread), make
    )


def is_measurement(value: Any) -> bool:
    """Whether it is an opendp Measurement, without importing OpenDP to find out."""
    kind = type(value)
    return kind.__module__.partition(".")[0] == "opendp" and kind.__name__ == "Measurement"


def _opendp() -> Any:
    try:
        import opendp.prelude as dp
    except ImportError as error:
        raise InvalidArgument(f"from_opendp needs OpenDP ({error}): {WHAT_TO_INSTALL}") from error
    if not all(hasattr(dp, name) for name in ("Measurement", "max_divergence", "atom_domain")):
        raise InvalidArgument(f"from_opendp needs another version of OpenDP: {WHAT_TO_INSTALL}")
    return dp


def _features() -> tuple[str, ...]:
    from opendp.mod import GLOBAL_FEATURES

    return tuple(sorted(GLOBAL_FEATURES))


def _written(measurement: Any) -> str:
    """The measurement as OpenDP's text, for another process."""
    try:
        return str(_opendp().serialize(measurement))
    except Exception as error:
        raise TypeError(
            "this measurement cannot be written as text by OpenDP: give from_opendp a function that makes it"
        ) from error


def _plain_type(thing: Any) -> str:
    """The name of a metric or measure without its module and parameters."""
    return re.sub(r"<.*", "", str(thing.type)).rpartition("::")[2].strip()


def _by_replacing(metric: str, wanted: Relation | None, length: int | None, size: int | range | None) -> bool:
    """Whether neighbours have records replaced, not added or removed; as asked for where the metric allows both."""
    adding = isinstance(wanted.of if isinstance(wanted, PrivatePart) else wanted, AddRemove)
    if metric in _ADDING and length is None:
        return size is not None if wanted is None else not adding
    if adding and metric in (*_ADDING, *_REPLACING, *_ONE_VALUE, *_VECTORS):
        fixed = "the domain fixes the size" if metric in _ADDING else f"{metric} is about data of one size"
        raise InvalidArgument(f"neighbours must be replace-one, since {fixed}, got add-remove")
    return True


def _element_of(domain: Any) -> Any:
    """The domain of one record: that of a vector's elements, or the domain itself."""
    return getattr(domain, "element_domain", domain)


def _bounds_of(element: Any) -> tuple[Any, Any] | None:
    try:
        bounds = element.bounds
    except Exception:  # an older OpenDP, or a domain that has none
        bounds = None
    if bounds is None:
        said = re.search(r"bounds=\[(\S+), (\S+)\]", str(element))
        bounds = None if said is None else tuple(float(end) for end in said.groups())
    if bounds is None or any(end is None for end in bounds):
        return None
    return bounds[0], bounds[1]


def _atom(element: Any) -> str:
    """The type of a record's values: f64, i32, bool, String."""
    try:
        return str(element.carrier_type)
    except Exception:
        return ""


def _numbers(low: Any, high: Any, atom: str) -> Values | None:
    """The whole numbers between two bounds, where there are few."""
    if not _WHOLE.fullmatch(atom):
        return None
    first, last = math.ceil(low), math.floor(high)
    return Values(tuple(range(first, last + 1))) if last - first < _NUMBERS_LISTED else Values((first, last))


def _records(element: Any, unread: list[str]) -> Records | None:
    atom, bounds = _atom(element), _bounds_of(element)
    if atom == "bool":
        return Records.of([False, True])
    if bounds is None:
        unread.append(
            f"records: {element} has no bounds, so pairs are made from dataset=..., or searched with records=..."
        )
        return None
    if _WHOLE.fullmatch(atom):
        few = math.floor(bounds[1]) - math.ceil(bounds[0]) < _NUMBERS_LISTED
        return Records(_numbers(*bounds, atom)) if few else Records.bounded(*bounds)  # type: ignore[arg-type]
    return Records.bounded(*bounds)


def _of_values(
    metric: str, element: Any, d_in: Any, given: Records | None, length: int | None, *, monotonic: bool
) -> Relation:
    """Neighbours of a value, or of a vector of them: within d_in of each other, in an interval of that length."""
    atom, bounds = _atom(element), _bounds_of(element)
    start = 0.0 if bounds is None else float(bounds[0])
    end = start + float(d_in) if bounds is None else min(start + float(d_in), float(bounds[1]))
    listed = _numbers(start, end, atom)
    if metric == "DiscreteDistance":
        found = given if given is not None else _records(element, [])
        if found is None:
            raise InvalidArgument(
                f"records must be given, since {element} does not say which values there are, got None"
            )
        return ReplaceOne(records=found, size=1)
    if metric == "AbsoluteDistance":
        return ReplaceOne(records=given or (Records(listed) if listed else Records.bounded(start, end)), size=1)
    if length is None:
        raise InvalidArgument(
            "dimension must be given, as in from_opendp(measurement, dimension=3), since the domain does not say how "
            "long vectors are, got None"
        )
    if metric == "LInfDistance" and monotonic:
        # All coordinates move one way. Of these rows each is at least the one before it, so that any two are
        # neighbours: one coordinate moves from the first row to the second, all but one to the third.
        moved = listed.values[-1] if listed else end
        first = listed.values[0] if listed else start
        ups = (range(0), range(1), range(length - 1))
        rows = dict.fromkeys(tuple(moved if j in up else first for j in range(length)) for up in ups)
        return ReplaceOne(records=given or Records.of(rows), size=1)
    if metric == "LInfDistance":
        row = Records(Columns((listed,) * length)) if listed else Records.bounded([start] * length, [end] * length)
        return ReplaceOne(records=given or row, size=1)
    return ReplaceOne(records=given or (Records(listed) if listed else Records.bounded(start, end)), size=length)


def _converter(metric: str, domain: Any, element: Any) -> Callable[[Any], Any]:
    """From a dataset to what the measurement takes: Python numbers of its type, an array for numpy's domains."""
    atom = _atom(element)
    if metric in _ONE_VALUE:
        return _First(_Typed(atom))
    if metric == "LInfDistance":
        return _First(_AllTyped(atom))
    if hasattr(domain, "element_domain"):
        return _AllTyped(atom)
    return np.asarray


@dataclass(frozen=True)
class _Typed:
    """A value as Python's own number of a type of Rust's; any other value as it is."""

    atom: str

    def __call__(self, value: Any) -> Any:
        plain = value.item() if isinstance(value, np.generic) else value
        if self.atom in ("f32", "f64"):
            return float(plain)
        if self.atom == "bool":
            return bool(plain)
        return round(plain) if _WHOLE.fullmatch(self.atom) else plain


@dataclass(frozen=True)
class _AllTyped:
    """All values of a vector."""

    atom: str

    def __call__(self, dataset: Any) -> list[Any]:
        if self.atom in ("f32", "f64"):
            floats: list[Any] = np.asarray(dataset, dtype=np.float64).ravel().tolist()
            return floats
        one = _Typed(self.atom)
        return [one(value) for value in (dataset.ravel() if isinstance(dataset, np.ndarray) else dataset)]


@dataclass(frozen=True)
class _First:
    """The only record of a dataset."""

    then: Callable[[Any], Any]

    def __call__(self, dataset: Any) -> Any:
        return self.then(dataset[0])


def _claim(measurement: Any, d_in: Any, order: float) -> Claim:
    measure = str(measurement.output_measure.type).replace(" ", "")
    try:
        try:
            promised = measurement.map(d_in)
        except TypeError:  # distances of reals want a float, those of datasets an int
            promised = measurement.map(float(d_in))
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise InvalidArgument(f"d_in must be a distance the measurement can map, got {d_in!r}: {reason}") from error
    pair = isinstance(promised, tuple)
    if "ZeroConcentrated" in measure:
        if not pair:
            return ZeroConcentratedDP(float(promised))
        rho, extra = float(promised[0]), float(promised[1])
        return ZeroConcentratedDP(rho) if extra == 0.0 else _with_extra(ZeroConcentratedDP(rho), extra)
    if "Renyi" in measure or "Rényi" in measure:
        return RenyiDP(order, float(promised(order)))
    if hasattr(promised, "delta") and hasattr(promised, "epsilon"):
        return _profile(promised)
    if pair:
        epsilon, delta = float(promised[0]), float(promised[1])
        return PureDP(epsilon) if delta == 0.0 else ApproxDP(epsilon, delta)
    if measure.endswith("MaxDivergence"):
        return PureDP(float(promised))
    raise InvalidArgument(
        f"measurement must have an output measure of (approximate) max, zero-concentrated or Renyi divergence, "
        f"got {measure}"
    )


def _profile(curve: Any) -> ProfileDP:
    points: dict[float, float] = {}
    for delta in _DELTAS:
        epsilon = float(curve.epsilon(delta))
        if 0.0 <= epsilon <= _LARGEST_EPSILON:
            points[epsilon] = min(points.get(epsilon, 1.0), delta)
    if not points:
        raise InvalidArgument("measurement must promise a finite epsilon at some delta, got infinite ones at all")
    return ProfileDP(sorted(points.items()), "OpenDP's privacy profile")


def _with_extra(claim: ZeroConcentratedDP, extra: float) -> ProfileDP:
    """Approximate zCDP: the (epsilon, delta) of zCDP but for an event of probability ``extra``."""
    points = [(claim.epsilon(delta), extra + (1.0 - extra) * delta) for delta in (claim.delta(0.0), *_DELTAS)]
    kept = {epsilon: min(1.0, delta) for epsilon, delta in sorted(points, reverse=True)}  # of equal ones, the least
    return ProfileDP(sorted(kept.items()), f"{extra:g}-approximate {claim}")
