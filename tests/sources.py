"""Sources as they are parsed, each once in a process."""

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def parsed(file: Path) -> ast.Module:
    """The module in a file; nobody changes it."""
    tree = ast.parse(file.read_bytes())
    # The trees of all modules are 1.4 million objects, which each collection would search again.
    gc.freeze()
    return tree
