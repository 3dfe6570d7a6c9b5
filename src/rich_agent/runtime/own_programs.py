"""Starts modules of this program as processes of their own, with this one's path of modules."""

import json
import sys
from pathlib import Path
from typing import Final

_START: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv.pop(1)); from {module} import main; main()"
)


def own_program(module: str) -> list[str]:
    """The command that calls `main` of a module; arguments may follow it."""
    start = _START.format(module=module)
    # Never from the folder that it runs in: what was confined there may have written to it.
    modules = [place for place in sys.path if Path(place).is_absolute()]
    return [sys.executable, "-I", "-c", start, json.dumps(modules)]
