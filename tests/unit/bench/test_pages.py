"""The pages of documentation that extraction is measured with."""

import pytest

from bench.pages.__main__ import OWN, Page, count, ours, read_pages

PAGES = list(read_pages(OWN / "labels.json", [OWN]))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.url)
def test_extraction_keeps_documentation_and_drops_what_is_around_it(page: Page) -> None:
    """Nothing is lost of what ten generators make of a text, and none of their words stay."""
    found = count([page], {page.url: ours(page)})
    assert (found.wrong, found.missing) == (0, 0)
    assert found.right == len(page.wanted) > 0
