"""Makes an environment of the lowest versions that pyproject.toml allows, and runs tests in it.

python .ci/lowest.py                       # those below
python .ci/lowest.py tests/cli/test_cli.py     # these
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

FOLDER = ".venv-lowest"
EXTRAS = ("demo", "opendp", "accounting", "plot", "dataframe")
#: Each pinned library is used in one of them.
TESTS = (
    "adapters/test_adapters_accounting", "adapters/test_adapters_diffprivlib", "adapters/test_adapters_opendp",
    "cli/test_cli", "cli/test_cli_files", "model/test_data", "privacy/run/test_audit", "privacy/run/test_gate",
    "privacy/run/test_measure", "privacy/statistics/test_observations", "proof/test_bounds", "proof/test_prover",
    "test_strategies",
)  # fmt: skip
#: A suite beside a package that is called "tests" as well (diffprivlib's) needs a later one.
NOT_PINNED = "pytest"
#: Old versions warn of each other.
QUIET = ("-W", "ignore::DeprecationWarning", "-W", "ignore::PendingDeprecationWarning")


def lowest(requirement: str) -> str:
    """The lowest version that a requirement allows, pinned; nothing where it names none.

    >>> lowest("scikit-learn>=1.5,<1.8"), lowest("dpcheck[diffprivlib]")
    ('scikit-learn==1.5', '')
    """
    found = re.match(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?>=([0-9.]+)", requirement)
    return f"{found.group(1)}=={found.group(2)}" if found and found.group(1) != NOT_PINNED else ""


def main(tests: list[str]) -> int:
    """Install and run; the status of what failed first."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(one for name, some in project["optional-dependencies"].items()
             if name != "dev" for one in some)]  # fmt: skip
    python = f"{FOLDER}/bin/python"
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as constraints:
        print(*(pin for pin in map(lowest, asked) if pin), sep="\n", file=constraints, flush=True)
        for command in (
            [sys.executable, "-m", "venv", "--clear", FOLDER],
            [python, "-m", "pip", "install", "--quiet", "-c", constraints.name, "-e", f".[{','.join(EXTRAS)}]"],
            [python, "-m", "pip", "install", "--quiet", "-c", constraints.name, "pytest-xdist", "jsonschema"],
            [python, "-m", "pytest", "-q", "-n", "2", *QUIET, *(tests or [f"tests/{name}.py" for name in TESTS])],
        ):
            status = subprocess.run(command, check=False).returncode
            if status != 0:
                return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
