"""Defaults from ``[tool.dpcheck]`` in the pyproject.toml of the current directory; flags win over them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpcheck.errors import InvalidArgument, nearest

FILE = "pyproject.toml"
# Far above any pyproject.toml written by a person; a larger one is a mistake or worse.
MAX_BYTES = 4 * 1024 * 1024


def read_settings(folder: Path) -> dict[str, Any]:
    """The table ``[tool.dpcheck]``, with ``max-samples`` and ``max_samples`` both spelt ``max_samples``.

    Raises
    ------
    InvalidArgument
        When the file is no TOML, or names one setting twice.
    """
    path = folder / FILE
    if not path.is_file():
        return {}
    if path.stat().st_size > MAX_BYTES:
        raise InvalidArgument(f"{FILE} must be at most {MAX_BYTES} bytes, got {path.stat().st_size}")
    try:
        tools = tomllib.loads(path.read_bytes().decode("utf-8")).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InvalidArgument(f"{FILE} must be TOML, got: {error}") from error
    table = tools.get("dpcheck", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise InvalidArgument(f"[tool.dpcheck] in {FILE} must be a table, got {table!r}")
    settings: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name in settings:
            raise InvalidArgument(f"[tool.dpcheck] in {FILE} names {key!r} twice, with - and with _")
        settings[name] = value
    return settings


def defaults_for(
    settings: Mapping[str, Any], parameters: Mapping[str, Mapping[str, bool]]
) -> dict[str, dict[str, Any]]:
    """The settings sorted by command, as typer's ``default_map``.

    Parameters
    ----------
    settings : mapping
        What :func:`read_settings` returned.
    parameters : mapping
        For each command its options, and whether each takes several values.

    Raises
    ------
    InvalidArgument
        For a setting that no command has, naming the nearest; for a table; for a list where one value goes.

    Examples
    --------
    >>> defaults_for({"alpha": 1e-9}, {"audit": {"alpha": False}, "zoo": {}})
    {'audit': {'alpha': 1e-09}, 'zoo': {}}
    """
    known = {option: several for options in parameters.values() for option, several in options.items()}
    for name, value in settings.items():
        shown = name.replace("_", "-")
        if name not in known:
            candidates = [option.replace("_", "-") for option in known]
            raise InvalidArgument(f"[tool.dpcheck] in {FILE} has no setting {shown!r}{nearest(shown, candidates)}")
        if isinstance(value, list) and not known[name]:
            raise InvalidArgument(f"[tool.dpcheck] in {FILE}: {shown} must be one value, got the list {value!r}")
        if not isinstance(value, str | int | float | bool | list):
            raise InvalidArgument(
                f"[tool.dpcheck] in {FILE}: {shown} must be a string, a number or a list, got {value!r}"
            )
    return {
        command: {name: _as_given(settings[name], several) for name, several in options.items() if name in settings}
        for command, options in parameters.items()
    }


def _as_given(value: Any, several: bool) -> Any:
    if several:
        return [str(item) for item in value] if isinstance(value, list) else [str(value)]
    return value
