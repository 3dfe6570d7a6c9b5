"""Writes what shows each requirement, tests and mutants: `python -m tests.docs.requirements`."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tests.mutants import known_mutants
from tests.sources import parsed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/requirements.md"
_ROW = re.compile(r"^\| ([A-Z]{2,}-?[\w.]*) \| ([^|]+) \|.*$", re.MULTILINE)
_SHOWN = 3
_SOAK = "pytest.mark.soak"


@cache
def known_proofs(*, soak: bool = True) -> Mapping[str, Sequence[str]]:
    """The tests that carry each id, as `file::test`, from the marks in their source.

    Without `soak` those that `make test` runs alone.
    """
    found = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        where = file.relative_to(ROOT).as_posix()
        tree = parsed(file)
        for_all = [one for node in tree.body if _is_pytestmark(node) for one in _marks(node)]
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and "test" in node.name:
                marks = [*for_all, *(one for part in node.decorator_list for one in _marks(part))]
                if soak or _SOAK not in marks:
                    for requirement in dict.fromkeys(one for one in marks if one != _SOAK):
                        found[requirement].append(f"{where}::{node.name}")
    return found


def _is_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node.targets[0])


def _marks(node: ast.AST) -> Iterator[str]:
    """The requirements that a mark names, and the mark of soak tests."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and ast.unparse(part.func) == "pytest.mark.req":
            yield from (str(one.value) for one in part.args if isinstance(one, ast.Constant))
        elif isinstance(part, ast.Attribute) and ast.unparse(part) == _SOAK:
            yield _SOAK


def filled(page: str) -> str:
    """The page with the tests of each row, their number and the first, and what it breaks."""
    known, mutants = known_proofs(), defaultdict(list)
    for mutant in known_mutants():
        mutants[mutant.requirement].append(mutant)

    def row(found: re.Match[str]) -> str:
        tests = known.get(found[1], ())
        named = ", ".join(f"`{one}`" for one in tests[:_SHOWN])
        more = f" and {len(tests) - _SHOWN} more" if len(tests) > _SHOWN else ""
        broken = "; ".join(f"{one.breaks} (`{_short(one.file)}`)" for one in mutants[found[1]])
        return f"| {found[1]} | {found[2]} | {named}{more} | {broken} |"

    return _ROW.sub(row, page)


def _short(file: str) -> str:
    return file.removeprefix("src/rich_agent/")


def listed(page: str) -> Sequence[str]:
    """The ids of the page's rows."""
    return [found[1] for found in _ROW.finditer(page)]


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
