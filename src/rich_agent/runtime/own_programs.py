"""Starts modules of this program as processes of their own, with this one's path of modules."""

import json
import sys
from typing import Final

_START: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv.pop(1)); from {module} import main; main()"
)


def own_program(module: str) -> list[str]:
    """The command that calls `main` of a module; arguments may follow it."""
    start = _START.format(module=module)
    return [sys.executable, "-I", "-c", start, json.dumps(sys.path)]
