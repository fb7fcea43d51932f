"""Makes the environments of the peers, each in a folder of its own, outside the repository.

`python benchmarks/peers/environments.py jax_privacy` makes the one of jax-privacy, which is on the package index. The
others are not: clone them first (the repositories are named below) and say where, as in
`python benchmarks/peers/environments.py statdp --source statdp=../statdp`. Their dependencies are installed; their code
is imported from the clone as it is. Nothing of theirs is part of dpcheck.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
#: What an environment keeps about its peer.
NOTE = "peer.json"


@dataclass(frozen=True)
class Peer:
    """What a peer needs: packages, and for those that are not packages a clone of a repository and a folder in it.

    ``module`` is imported to see whether it works.
    """

    requirements: tuple[str, ...]
    module: str
    repository: str = ""
    folder: str = ""


#: Versions with which the reports were made. Where a peer pins its own, those; its unused parts are not installed.
PEERS = {
    "jax_privacy": Peer(("jax-privacy==2.0.0",), "jax_privacy.auditing"),
    "opake": Peer(("opake-auditing==0.16.1",), "opake.auditing"),
    "privacy_guard": Peer(("privacyguard-platform==0.0.2",), "privacy_guard.analysis.mia.fdp_analysis_node"),
    "dp_sniper": Peer(
        (
            "torch==2.15.0",
            "numpy==2.4.6",
            "matplotlib==3.11.2",
            "pandas==3.1.1",
            "tensorboard==2.21.0",
            "scikit-learn==1.9.1",
            "mmh3==5.3.1",
        ),
        "dpsniper.attack.dpsniper",
        repository="eth-sri/dp-sniper",
    ),
    "statdp": Peer(("numpy==2.4.6", "numba==0.68.1", "tqdm==4.70.1"), "statdp.hypotest", repository="cmla-psu/statdp"),
    "dp_auditorium": Peer(
        (
            "tensorflow==2.15.0",
            "numpy==1.26.3",
            "scipy==1.16.3",
            "etils[epath,epy]==1.5.2",
            "google-vizier==0.1.6",
            "protobuf==4.23.4",
            "attrs==21.4.0",
            "googleapis-common-protos==1.56.4",
            "sqlalchemy==1.4.0",
            "portpicker==1.6.0",
            "grpcio-tools==1.60.0",
        ),
        "dp_auditorium.testers",
        repository="google/differential-privacy",
        folder="python/dp_auditorium",
    ),
}


def default_folder() -> Path:
    """The user's cache of the comparison: environments, and the answers of a run that is not finished."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpcheck-peers"


def interpreter(folder: Path, name: str) -> Path:
    """The Python of a peer's environment."""
    return folder / name / "bin" / "python"


def note(folder: Path, name: str) -> dict[str, str]:
    """What is known of an environment that works: its peer's version; empty where there is none."""
    path = folder / name / NOTE
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def make(folder: Path, name: str, source: Path | None) -> dict[str, str]:
    """Make one environment, and return its note; the last step imports the peer.

    Raises
    ------
    subprocess.CalledProcessError
        When a package cannot be had, or the peer cannot be imported.
    """
    peer, place = PEERS[name], folder / name
    venv.create(place, clear=True, with_pip=True)
    python = str(interpreter(folder, name))
    subprocess.run([python, "-m", "pip", "install", "--quiet", *peer.requirements], check=True)
    if source is None:
        (version,) = peer.requirements
    else:
        asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        packages = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        (Path(packages) / "peer.pth").write_text(f"{(source / peer.folder).resolve()}\n", encoding="utf-8")
        version = f"{peer.repository} {_commit(source)}".strip()
    subprocess.run([python, "-c", f"import {peer.module}"], check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
    found = {"version": version}
    (place / NOTE).write_text(json.dumps(found) + "\n", encoding="utf-8")
    return found


def _commit(source: Path) -> str:
    asked = ["git", "-C", str(source), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the environments asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", nargs="*", metavar="PEER", help=f"of {', '.join(PEERS)} (all)")
    parser.add_argument("--folder", type=Path, default=default_folder(), help="where to (the user's cache)")
    parser.add_argument("--source", action="append", default=[], metavar="PEER=PATH", help="where its clone is")
    given = parser.parse_args(arguments)
    names = given.peers or list(PEERS)
    for name in names:
        if name not in PEERS:
            parser.error(f"PEER must be one of {', '.join(PEERS)}, got {name!r}")
    sources: dict[str, Path] = {}
    for text in given.source:
        name, equals, path = text.partition("=")
        if not equals or name not in names or not (Path(path) / PEERS[name].folder).is_dir():
            parser.error(f"--source must be PEER=PATH with a peer that is made and a clone of it, got {text!r}")
        sources[name] = Path(path)
    for name in names:
        if PEERS[name].repository and name not in sources:
            parser.error(f"{name} needs --source {name}=PATH, a clone of {PEERS[name].repository}")
    for name in names:
        began = time.monotonic()
        try:
            found = make(given.folder, name, sources.get(name))
        except subprocess.CalledProcessError as error:
            print(f"{name}: not made: {' '.join(map(str, error.cmd[1:4]))} ended with {error.returncode}")
            return 1
        print(f"{name}: {found['version']}, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
