"""What a table says of a learner, spelt as the arguments of ``dpcheck audit``: for audits that run elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpcheck.cli.learners_settings import KEYS as OF_LEARNERS
from dpcheck.cli.learners_settings import spelt_bounds, spelt_columns, spelt_values
from dpcheck.cli.options import Setting
from dpcheck.model.errors import InvalidArgument

#: What only ``record`` and ``compare`` read: an audit measures no risk and counts its calls by ``max-samples``.
OF_BASELINES = ("distribution", "sizes", "risk", "calls", "learn-calls", "trials", "cost")
#: What a table may say of an audit: what it may say of a learner, and what only audits are told.
KEYS: Mapping[str, Setting] = {
    **{key: one for key, one in OF_LEARNERS.items() if key not in (*OF_BASELINES, "target", "name")},
    "max-samples": Setting("a whole number", (int,)),
    "call-timeout": Setting("a number of seconds", (int, float)),
    "detect": Setting("a number", (int, float)),
    "shrink": Setting("true or false", (bool,)),
    "exhaustive": Setting("true or false", (bool,)),
}
_COMMAS = ("records", "labels")


def arguments_of(said: Mapping[str, Any]) -> list[str]:
    """The arguments of ``dpcheck audit`` that say this; values have the types that :data:`KEYS` wants.

    Raises
    ------
    InvalidArgument
        For values that the command line has no words for.

    Examples
    --------
    >>> arguments_of({"epsilon": 1.0, "bounds": [[-1, 1]], "options": {"depth": 3}, "shrink": False})
    ['--epsilon=1.0', '--bounds=-1,1', '--option=depth=3', '--no-shrink']
    """
    spelt: list[str] = []
    for key, value in said.items():
        match key:
            case "bounds":
                spelt += [f"--bounds={one}" for one in spelt_bounds(value)]
            case "columns":
                spelt.append(f"--columns={spelt_columns(value)}")
            case "renyi":
                if len(value) != 2:
                    raise InvalidArgument(f"renyi must be [order, epsilon], got {value!r}")
                spelt += ["--renyi", *map(str, value)]
            case "options":
                spelt += [f"--option={name}={_literal(name, one)}" for name, one in value.items()]
            case "option":
                spelt += [f"--option={one}" for one in ([value] if isinstance(value, str) else value)]
            case "shrink":
                spelt.append("--shrink" if value else "--no-shrink")
            case "exhaustive":
                spelt += ["--exhaustive"] if value else []
            case _ if key in _COMMAS:
                spelt.append(f"--{key}={spelt_values(key, value)}")
            case _:
                spelt.append(f"--{key}={value}")
    return spelt


def _literal(name: str, value: Any) -> str:
    if not name.isidentifier():
        raise InvalidArgument(f"options must have names that a function's arguments can have, got {name!r}")
    if isinstance(value, str | int | float | bool | list | dict):
        return repr(value)
    raise InvalidArgument(f"options: {name} must be a text, a number, a truth value or a list of such, got {value!r}")
