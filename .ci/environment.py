"""The environment that the check runs in: nothing of the machine's but what finds Python, a home and the packages."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: What is kept: where programs are, whose home it is, where temporary files go, the locale, how pip and whoever else
#: downloads reaches its index (proxies, certificates), and the browser that was found. All else is this machine's own:
#: ``PYTHONUNBUFFERED`` hid a bug, ``PYTHONDONTWRITEBYTECODE`` doubled the time, ``CI`` changes what is displayed.
KEPT = re.compile(
    r"PATH|HOME|TMPDIR|LANG|LANGUAGE|LC_\w+|PIP_\w+|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|DPCHECK_BROWSER"
    r"|(https?|all|no)_proxy",
    re.IGNORECASE,
)


def kept(environment: Mapping[str, str]) -> dict[str, str]:
    """Of an environment what the check inherits.

    >>> kept({"PATH": "/bin", "PYTHONUNBUFFERED": "1", "LC_ALL": "C.UTF-8", "PATHOLOGY": "x"})
    {'PATH': '/bin', 'LC_ALL': 'C.UTF-8'}
    """
    return {name: value for name, value in environment.items() if KEPT.fullmatch(name)}
