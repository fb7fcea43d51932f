"""Upper against lower bounds where the papers call them tight or nearly matching: reports/bounds.{json,md,svg}.

    python benchmarks/bounds_compared.py --json reports/bounds.json

No data, no seeds: both bounds are evaluated rigorously (ball arithmetic) at the settings of
``dpcheck/papers/<paper>/theorems/tightness.py``. Fails when a ratio grows faster over its parameter than the paper
says.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from bench import settings, show, write_json
from pictures import STYLE, named

from dpcheck.cli.theorems_tightness import records_of
from dpcheck.proof.registry import Registry
from dpcheck.report.tightness import render_markdown, tightness_figure, verdict_words


def _svg(document: dict[str, Any]) -> str:
    import hashlib
    import json

    from matplotlib import rc_context

    from dpcheck.model.verdict.plots import as_svg

    digest = hashlib.sha256(json.dumps(document["claims"]).encode()).hexdigest()
    with rc_context(STYLE):
        return named(as_svg(tightness_figure(document["claims"])), "Upper over lower bounds", digest)


def main() -> int:
    """Evaluate every claim, print it, and write the report."""
    chosen = settings(__doc__ or "")
    began = time.monotonic()
    registry = Registry()
    claims = records_of(registry, list(registry.papers.values()))
    passed = all(claim["agrees"] for claim in claims)
    show(
        "upper against lower bounds",
        ["claim", "numbers"],
        [[claim["source"], verdict_words(claim)] for claim in claims],
    )
    views = {".md": lambda document: render_markdown(document["claims"], "bounds.svg"), ".svg": _svg}
    write_json(chosen, began, passed, {"claims": claims}, views)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
