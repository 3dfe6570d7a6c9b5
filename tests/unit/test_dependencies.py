"""The packages that the product imports are those that it declares: the wheel alone is enough."""

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires

import pytest

from tests.unit.test_structure import modules

OWN = frozenset({"rich_agent", "ingest"})
COMPANIONS = {
    "botocore": "boto3",
    "mcp-types": "mcp",
    "psycopg-pool": "psycopg",
    "pydantic-core": "pydantic",
    "referencing": "jsonschema",
}
"""Distributions that belong to a declared one, which pins them."""


def undeclared(trees: Iterator[ast.Module], declared: set[str]) -> set[str]:
    """The packages that modules import, also inside functions, and no requirement brings."""
    brought = packages_distributions()
    imports = {name for tree in trees for name in _packages_in(tree)}
    return {
        package
        for package in imports - OWN - sys.stdlib_module_names
        if not {_source(name) for name in brought.get(package, [package])} & declared
    }


def _packages_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _source(distribution: str) -> str:
    """The distribution that is declared for this one, as PyPI normalises its name."""
    name = re.sub(r"[-_.]+", "-", distribution).lower()
    return COMPANIONS.get(name, name)


@pytest.mark.costs("it reads all sources")
def test_imports_are_declared_dependencies() -> None:
    """Of the product and of ingest; their extras too."""
    declared = {_source(re.split(r"[^\w.-]", one)[0]) for one in requires("rich-agent") or ()}
    assert undeclared(iter(modules().values()), declared) == set()


def test_import_that_nothing_declares_is_found() -> None:
    """Also one inside a function, of a package that the tests alone need."""
    trees = map(ast.parse, ["def late(): import selenium.webdriver", "import json, httpx"])
    assert undeclared(trees, {"httpx"}) == {"selenium"}
