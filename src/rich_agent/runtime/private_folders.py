"""Folders that hold what users said."""

import os
from pathlib import Path


def make_private(directory: Path) -> None:
    """Create what is missing of a folder for its owner alone; existing folders stay as they are.

    Others may pass through one of root, where PostgreSQL runs as another user. Raises: OSError.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    for place in reversed((directory, *directory.parents)):
        if not place.exists():
            place.mkdir(mode=mode, exist_ok=True)
