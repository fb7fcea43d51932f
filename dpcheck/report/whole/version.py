"""The version of dpcheck that makes a report."""

from __future__ import annotations


def installed_version() -> str:
    """As it is installed; empty where it is not.

    Examples
    --------
    >>> installed_version() == installed_version().strip()
    True
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dpcheck")
    except PackageNotFoundError:
        return ""
