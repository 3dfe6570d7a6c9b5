"""Packages outside the tree, installed with pip by tests as an operator installs them."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def pip_install(source: Path, target: Path) -> Path:
    """Install the package at `source` into `target`, without the network; returns `target`."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    subprocess.run([*pip, *offline, str(source)], check=True)
    return target
