"""What is loaded when: a door that nobody has walked through yet must cost nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# Each costs between a third of a second and two (measured), and no door needs them before it is used.
HEAVY = (
    "scipy.stats",
    "scipy.special",
    "statsmodels",
    "sklearn",
    "sympy",
    "matplotlib",
    "pandas",
    "hypothesis",
    "diffprivlib",
    "cloudpickle",
    "junitparser",
)
DOORS = {
    "import dpcheck": ("import dpcheck", HEAVY),
    "the pytest plugin": (
        "import dpcheck.pytest_plugin",
        (*HEAVY, "numpy", "typer", "rich", "dpcheck.model.claims"),
    ),
    "the command line": ("from dpcheck.cli.app import run; run(['--version'])", (*HEAVY, "numpy")),
    "dpcheck --help": ("from dpcheck.cli.app import run; run(['--help'])", (*HEAVY, "numpy")),
    "dpcheck audit --help": ("from dpcheck.cli.app import run; run(['audit', '--help'])", (*HEAVY, "numpy")),
    "dpcheck plan --help": ("from dpcheck.cli.app import run; run(['plan', '--help'])", (*HEAVY, "numpy")),
    "a usage error": ("from dpcheck.cli.app import run; run(['audit', '--epsilo'])", (*HEAVY, "numpy")),
}


#: A search and a certification, as short as they come.
AUDITED = """
import dpcheck
dpcheck.audit(
    lambda d, rng: float(d[0] + rng.laplace()),
    1.0, neighbours=dpcheck.ReplaceOne(records=(0, 1)), max_samples=600, isolation="none",
)
"""
DOORS["an audit"] = (AUDITED, tuple(name for name in HEAVY if name not in ("scipy.special", "cloudpickle")))


def loaded(code: str, folder: Path) -> set[str]:
    code = f"import sys\n{code}\nprint('LOADED', *sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder, timeout=60
    )
    return set(ran.stdout.splitlines()[-1].split()[1:])


@pytest.mark.turns(4)
@pytest.mark.parametrize("door", DOORS)
def test_a_door_loads_nothing_heavy(door: str, tmp_path: Path) -> None:
    code, heavy = DOORS[door]
    assert loaded(code, tmp_path) & set(heavy) == set()


def test_a_pytest_run_that_audits_nothing_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text(
        f"import sys\ndef test_nothing():\n    assert not set({(*HEAVY, 'numpy')!r}) & set(sys.modules)\n"
    )
    code = (
        "import sys, pytest\n"
        "from importlib.metadata import entry_points\n"
        "known = any(e.value == 'dpcheck.pytest_plugin' for e in entry_points(group='pytest11'))\n"
        "plugin = [] if known else ['-p', 'dpcheck.pytest_plugin']\n"
        # Other plugins of this environment may load what they like.
        "sys.exit(pytest.main(['-q', *plugin, '-p', 'no:hypothesispytest', '-p', 'no:cov', '.']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60
    )
    assert ran.returncode == 0, ran.stdout
