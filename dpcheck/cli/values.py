"""Values written on the command line (``0,1``, ``LOW,HIGH``, ``KEY=VALUE``); nothing is ever evaluated."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dpcheck.cli.numbers import NoDouble, double_of
from dpcheck.model.errors import InvalidArgument

if TYPE_CHECKING:
    from dpcheck.model.neighbours.records import Records

# A literal longer than this is no option of a person's, and ast.literal_eval is not for hostile input.
_LONGEST_LITERAL = 10_000
#: Columns that are searched: more take longer to make than most audits.
MOST_COLUMNS = 10_000
# Said where rows are given for values: bounds of columns are meant, or records that are rows.
ROWS = (
    ": bounds of columns are --bounds 0,1 --bounds 18,99 (bounds = [[0, 1], [18, 99]] in pyproject.toml, "
    "Records.bounded([0, 18], [1, 99]) in Python), records that are rows are Records.of([(0, 1), (18, 99)]) in Python"
)
# Truth values as pyproject.toml spells them; Python's own are literals.
_TRUTH = {"true": True, "false": False}


def parse_value(text: str, name: str = "a value") -> Any:
    """A Python literal (number, text in quotes, list, True, None) as such, anything else as text.

    >>> parse_value("3"), parse_value("[1, 2]"), parse_value("rbf")
    (3, [1, 2], 'rbf')
    >>> parse_value("false")  # a text would be taken for true wherever a truth value is wanted
    False
    """
    if len(text) > _LONGEST_LITERAL:
        raise InvalidArgument(f"{name} must be at most {_LONGEST_LITERAL} characters long, got {len(text)}")
    if text in _TRUTH:
        return _TRUTH[text]
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text
    if isinstance(value, float):
        try:
            double_of(text.strip().replace("_", ""))
        except NoDouble as error:
            raise InvalidArgument(f"{name} must be a number that a double holds, got {text!r}: {error}") from None
    return value


def parse_options(options: Sequence[str]) -> dict[str, Any]:
    """``key=value`` arguments for a factory.

    Raises
    ------
    InvalidArgument
        When one has no ``=`` or no name before it, or a name is given twice.

    Examples
    --------
    >>> parse_options(["depth=3", "kernel=rbf"])
    {'depth': 3, 'kernel': 'rbf'}
    """
    parsed: dict[str, Any] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key.isidentifier():
            raise InvalidArgument(f"--option must be KEY=VALUE, as in depth=3, got {option!r}")
        if key in parsed:
            raise InvalidArgument(f"--option {key} must be given once, got it twice")
        parsed[key] = parse_value(value, f"--option {key}")
    return parsed


def parse_values(name: str, text: str) -> list[Any]:
    """Values between commas, numbers as numbers.

    >>> parse_values("--records", "0,1"), parse_values("--records", "yes,no")
    ([0, 1], ['yes', 'no'])
    """
    parts = [part.strip() for part in text.split(",")]
    if any(part.count(opened) != part.count(closed) for part in parts for opened, closed in ("()", "[]")):
        raise InvalidArgument(f"{name} must be values between commas, as in 0,1, got {text!r}{ROWS}")
    if not all(parts):
        raise InvalidArgument(f"{name} must be values between commas, as in 0,1, got {text!r}")
    return [parse_value(part, name) for part in parts]


def parse_bounds(name: str, text: str) -> tuple[float, float]:
    """``LOW,HIGH``, two finite numbers; integers where they are written as such, for records may be whole numbers.

    >>> parse_bounds("--bounds", "-1,2.5"), parse_bounds("--bounds", "0.0,1.0")
    ((-1, 2.5), (0.0, 1.0))
    """
    parts = text.split(",")
    try:
        low, high = map(double_of, parts)
    except NoDouble as error:
        raise InvalidArgument(f"{name} must be numbers that a double holds, got {text!r}: {error}") from None
    except ValueError:
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise InvalidArgument(f"{name} must be LOW,HIGH with LOW at most HIGH, as in 0,1, got {text!r}")
    first, second = (int(part) if re.fullmatch(r"\s*[-+]?[0-9]+\s*", part) else double_of(part) for part in parts)
    return first, second


def declared_records(
    *,
    records: str | None,
    bounds: Sequence[str],
    labels: str | None,
    labelled: bool,
    labels_only: bool,
    searching: bool = False,
    columns: str | None = None,
) -> Records | None:
    """The records a claim is about, as the options declare them; None when they declare nothing.

    Parameters
    ----------
    records : values between commas
    bounds : ``LOW,HIGH`` for all columns, or one per column
    labels : values between commas, or ``LOW..HIGH``
    labelled : whether the learner is given pairs ``(X, y)``
    labels_only : whether the relation is about labels only, so that ``records`` are labels
    searching : whether there are no data, so that the records declared are all there is
    columns : how many columns of features there are, or their names

    Raises
    ------
    InvalidArgument
        When one cannot be read, or two contradict each other.
    """
    from dpcheck.model.neighbours.records import Records

    if records is not None and bounds:
        raise InvalidArgument("--records and --bounds both declare the records: give one of them")
    if labels_only:
        if bounds and not searching:
            raise InvalidArgument("--bounds are those of features, which labels-only leaves alone: give --labels")
        if records is not None and labels is not None:
            raise InvalidArgument("--records and --labels both declare the labels: give one of them")
        labels, records = labels if labels is not None else records, None
    count, _ = parse_columns(columns)
    if count is not None and not searching:
        raise InvalidArgument(
            "--columns are those of data that are searched (--bounds), and a dataset has its own, sklearn:NAME and "
            "--pairs too: leave --columns out, or write the columns that are meant to a file of their own"
        )
    if count is not None and not bounds:
        raise InvalidArgument("--columns are those of data that are searched: give --bounds too")
    features: Records | None = None
    if records is not None:
        features = Records.of(parse_values("--records", records))
    elif bounds:
        pairs = [parse_bounds("--bounds", text) for text in bounds]
        if count is not None:
            pairs = pairs * count if len(pairs) == 1 else pairs
            if len(pairs) != count:
                raise InvalidArgument(f"--bounds must be given once, or once per column ({count}), got {len(pairs)}")
        low, high = ([pair[side] for pair in pairs] for side in (0, 1))
        one = len(pairs) == 1 and count is None
        features = Records.bounded(low[0], high[0]) if one else Records.bounded(low, high)
    if labels is None and not labelled:
        return features
    if labels_only and searching and (features is None or labels is None):
        raise InvalidArgument(
            "labels-only wants features too where pairs are searched: give --bounds and --labels, or --dataset"
        )
    if not labelled and not (searching and features is not None):
        raise InvalidArgument("--labels needs a dataset with labels: give --dataset and --label, or --bounds to search")
    if features is None and labels is None:
        return None
    return Records.labelled(features=features, labels=None if labels is None else _labels(labels))


def parse_columns(text: str | None) -> tuple[int | None, tuple[str, ...] | None]:
    """How many columns, and their names where those are given.

    Raises
    ------
    InvalidArgument
        When it is no number of at least 1, and no names, each once.

    Examples
    --------
    >>> parse_columns("3"), parse_columns("age,income"), parse_columns(None)
    ((3, None), (2, ('age', 'income')), (None, None))
    """
    if text is None:
        return None, None
    if text.isdecimal():
        if not 1 <= int(text) <= MOST_COLUMNS:
            raise InvalidArgument(f"--columns must be from 1 to {MOST_COLUMNS}, got {text}")
        return int(text), None
    names = tuple(name.strip() for name in text.split(","))
    if not all(names) or len(set(names)) < len(names) or len(names) > MOST_COLUMNS:
        raise InvalidArgument(f"--columns must be a number or names between commas, each once, got {text!r}")
    return len(names), names


def parse_size(text: str | None) -> int | range | None:
    """A number of records, or a range of them as ``LOW..HIGH``.

    Raises
    ------
    InvalidArgument
        When it is neither.

    Examples
    --------
    >>> parse_size("5"), parse_size("1..4"), parse_size(None)
    (5, range(1, 5), None)
    """
    if text is None:
        return None
    low, dots, high = text.partition("..")
    try:
        sizes = range(int(low), int(high) + 1) if dots else int(low)
    except ValueError:
        sizes = -1
    if (isinstance(sizes, int) and sizes < 0) or (isinstance(sizes, range) and (len(sizes) == 0 or sizes[0] < 0)):
        raise InvalidArgument(f"--size must be a number of records or LOW..HIGH, as in 1..8, got {text!r}")
    return sizes


def _labels(text: str) -> list[Any] | tuple[float, float]:
    low, dots, high = text.partition("..")
    return parse_bounds("--labels", f"{low},{high}") if dots else parse_values("--labels", text)


def backend_of(address: str | None) -> str | None:
    """The address of a cluster that takes calls; None where none is given.

    Raises
    ------
    InvalidArgument
        In one line, by the option's name.

    Examples
    --------
    >>> backend_of("spark://there")
    Traceback (most recent call last):
    dpcheck.InvalidArgument: --backend must be dask://HOST:PORT, ray://HOST:PORT or ray://auto, got 'spark://there'
    """
    if address is None:
        return None
    from dpcheck.execution.backends import is_address, submitting

    if not is_address(address):
        raise InvalidArgument(f"--backend must be dask://HOST:PORT, ray://HOST:PORT or ray://auto, got {address!r}")
    try:
        submitting(address)
    except InvalidArgument as error:
        raise InvalidArgument(str(error).replace("executor", "--backend", 1)) from error
    return address


def check_at_delta(value: float | None) -> None:
    """Refuse a delta at which an epsilon is told, by the option's name.

    Raises
    ------
    InvalidArgument
        Where it is no probability below 1.

    Examples
    --------
    >>> check_at_delta(1.5)
    Traceback (most recent call last):
    dpcheck.InvalidArgument: --at-delta must be a probability of at least 0 and below 1, got 1.5
    """
    if value is not None and not 0.0 <= value < 1.0:
        raise InvalidArgument(f"--at-delta must be a probability of at least 0 and below 1, got {value:g}")
