"""Sources as they are parsed, each once in a process."""

import ast
from functools import cache
from pathlib import Path


@cache
def parsed(file: Path) -> ast.Module:
    """The module in a file; nobody changes it."""
    return ast.parse(file.read_bytes())
