"""Writes what shows each requirement, tests and mutants: `python -m tests.docs.requirements`."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.mutants import known_mutants
from tests.sources import parsed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/requirements.md"
_ROW = re.compile(r"^\| ([A-Z]{2,}-?[\w.]*) \| ([^|]+) \|.*$", re.MULTILINE)
_SHOWN = 3


def known_proofs() -> Mapping[str, Sequence[str]]:
    """The tests that carry each id, as `file::test`, from the marks in their source."""
    found = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        where = file.relative_to(ROOT).as_posix()
        tree = parsed(file)
        for_all = [one for node in tree.body if _is_pytestmark(node) for one in _ids(node)]
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and "test" in node.name:
                marked = (one for decorator in node.decorator_list for one in _ids(decorator))
                for requirement in dict.fromkeys([*for_all, *marked]):
                    found[requirement].append(f"{where}::{node.name}")
    return found


def _is_pytestmark(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node.targets[0])


def _ids(node: ast.AST) -> Iterator[str]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.req":
            yield from (str(one.value) for one in call.args if isinstance(one, ast.Constant))


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
