"""The page of requirements names the tests that show them."""

from tests.docs.requirements import PAGE, filled, known_proofs, listed


def test_page_of_requirements_is_up_to_date() -> None:
    """`make docs` writes it anew."""
    page = PAGE.read_text("utf-8")
    assert page == filled(page)


def test_every_requirement_has_a_row_and_a_test() -> None:
    """An id that a test carries stands on the page, and each row has a test."""
    rows = listed(PAGE.read_text("utf-8"))
    assert set(rows) == set(known_proofs())
    assert len(rows) == len(set(rows))
