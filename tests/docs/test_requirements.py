"""The page of requirements names the tests that show them, and mutants that these tests catch."""

import ast

import pytest

from tests.docs.requirements import PAGE, filled, known_proofs, listed
from tests.mutants import ROOT, known_mutants


@pytest.mark.costs("it reads all tests")
def test_page_of_requirements_is_up_to_date() -> None:
    """`make docs` writes it anew."""
    page = PAGE.read_text("utf-8")
    assert page == filled(page)


def test_every_requirement_has_a_row_and_a_test() -> None:
    """An id that a test carries stands on the page, and each row has a test."""
    rows = listed(PAGE.read_text("utf-8"))
    assert set(rows) == set(known_proofs())
    assert len(rows) == len(set(rows))


def test_every_requirement_has_a_test_that_is_not_left_to_soak() -> None:
    """`make test` shows each of them, and catches each mutant."""
    quick = known_proofs(soak=False)
    assert quick.keys() == known_proofs().keys()
    for mutant in known_mutants():
        assert set(mutant.tests) & set(quick[mutant.requirement]), mutant.breaks


def test_every_requirement_has_a_mutant_that_can_be_applied() -> None:
    """Its text stands in its file once, and what it becomes is a program; see `make soak`."""
    mutants = known_mutants()
    assert {one.requirement for one in mutants} == set(known_proofs())
    for mutant in mutants:
        source = mutant.source()
        assert source != (ROOT / mutant.file).read_text("utf-8")
        if mutant.file.endswith(".py"):
            ast.parse(source)


def test_mutants_name_tests_of_their_requirement() -> None:
    """Each of these tests exists, and carries the id."""
    known = known_proofs()
    for mutant in known_mutants():
        assert mutant.tests, mutant.breaks
        assert set(mutant.tests) <= set(known[mutant.requirement]), mutant.breaks
