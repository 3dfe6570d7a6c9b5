"""Installs the peers of the benchmarks in a separate environment.

`python -m bench.peers` installs those of documents and retrieval, `python -m bench.peers webhook`
those of the webhook, which are small, and `python -m bench.peers agentdojo` AgentDojo's data. They
never enter the project's dependencies; `.bench-venv` can be deleted at any time.
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
_DIRECTORY = ROOT / ".bench-venv"
_PYTHON = _DIRECTORY / "bin" / "python"


def install(folder: str = "") -> None:
    """Make the environment, or bring it up to the `peers.txt` of a folder of benchmarks.

    What `alone.txt` lists there comes without what it depends on.
    """
    if not _PYTHON.exists():
        venv.create(_DIRECTORY, with_pip=True)
    lists = Path(__file__).parent / folder
    pip: list[str | Path] = [_PYTHON, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "-r", lists / "peers.txt"], check=True)
    if (alone := lists / "alone.txt").exists():
        subprocess.run([*pip, "--no-deps", "-r", alone], check=True)


def peer_python() -> Path:
    """The interpreter of the peers. Raises: SystemExit if they are not installed."""
    if not _PYTHON.exists():
        sys.exit(
            "The peers are not installed. Run: python -m bench.peers [webhook|agentdojo|formats]"
        )
    return _PYTHON


def has_peer(package: str) -> bool:
    """Whether a package is installed there."""
    return any(_DIRECTORY.glob(f"lib/*/site-packages/{package}"))


if __name__ == "__main__":
    install(*sys.argv[1:2])
