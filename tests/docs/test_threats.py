"""The table of threats names tests that exist."""

import ast
import re

import pytest

from tests.docs.reference import ROOT


@pytest.mark.costs("it reads all tests")
def test_every_threat_has_a_test_that_exists() -> None:
    """Each row names at least one, as it is defined."""
    page = (ROOT / "docs" / "reference" / "http-threats.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    rows = [line for line in lines if not line.startswith("| Threat |")]
    assert len(rows) >= 15
    named = [set(re.findall(r"`(test_\w+)`", row)) for row in rows]
    assert all(named), [row for row, tests in zip(rows, named, strict=True) if not tests]
    defined = {
        node.name
        for file in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert set[str]().union(*named) <= defined
