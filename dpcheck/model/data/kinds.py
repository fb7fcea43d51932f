"""What pandas gives, without importing it, and how values and records are shown."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

_SHOWN_TEXT = 40
# A record or dataset is shown whole up to this many values; beyond it, the first few and the last: a line
# must stay a line.
_SHOWN_VALUES = 6
_SHOWN_AT_START = 4
# Six digits tell apart any two values a person can tell apart; a shorter exact form is preferred.
_SHOWN_DIGITS = 6


def is_frame(value: Any) -> bool:
    """Whether ``value`` is a pandas DataFrame (False while pandas is not loaded)."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, getattr(pandas, "DataFrame", ()))


def is_series(value: Any) -> bool:
    """Whether ``value`` is a pandas Series (False while pandas is not loaded)."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, getattr(pandas, "Series", ()))


def is_column(value: Any) -> bool:
    """Whether it can be the features or the labels of a pair."""
    return isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0) or is_pandas(value)


def is_pandas(value: Any) -> bool:
    """Whether ``value`` is a pandas DataFrame or Series."""
    return is_frame(value) or is_series(value)


def describe_value(value: Any) -> str:
    """A value in few words for an error message: its text if short, else its type.

    >>> describe_value({"a": 1}), describe_value("x" * 99)
    ("{'a': 1} of type dict", 'a value of type str')
    """
    try:
        text = repr(value)
    except Exception:
        text = ""
    if not text or len(text) > _SHOWN_TEXT or "\n" in text:
        return f"a value of type {type(value).__name__}"
    return f"{text} of type {type(value).__name__}"


def describe_record(record: Any) -> str:
    """A record as a person would write it, shortened where it is wide.

    Examples
    --------
    >>> describe_record(np.array([0.1, 2.3])), describe_record(([1 / 3, 1.0], 0))
    ('(0.1, 2.3)', '((0.333333, 1), 0)')
    >>> describe_record(list(range(30)))
    '(0, 1, 2, 3, ..., 29)'
    """
    if isinstance(record, np.ndarray) and record.ndim == 0:
        return describe_record(record[()])
    if isinstance(record, list | tuple | np.ndarray):
        values = list(record)
        if len(values) > _SHOWN_VALUES:
            shown = [*map(describe_record, values[:_SHOWN_AT_START]), "...", describe_record(values[-1])]
        else:
            shown = list(map(describe_record, values))
        return f"({', '.join(shown)})"
    if isinstance(record, float | np.floating):
        return f"{float(record):.{_SHOWN_DIGITS}g}"
    if isinstance(record, np.generic):
        return describe_record(record.item())
    try:
        text = repr(record)
    except Exception:
        text = f"a {type(record).__name__} that cannot be shown"
    return text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 3]}..."
