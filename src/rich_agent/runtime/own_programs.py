"""Commands that run modules of this program in separate processes, with the same module path."""

import json
import sys
from pathlib import Path
from typing import Final

_START: Final = (
    "import sys, json; sys.path[:] = json.loads(sys.argv.pop(1)); from {module} import main; main()"
)


def own_program(module: str) -> list[str]:
    """The command that calls `main` of a module; arguments can be added to it."""
    start = _START.format(module=module)
    # Never from its working folder, which a confined process may have written to.
    modules = [path for path in sys.path if Path(path).is_absolute()]
    return [sys.executable, "-I", "-c", start, json.dumps(modules)]
