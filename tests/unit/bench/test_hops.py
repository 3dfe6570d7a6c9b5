"""The questions that need two pages are of the form that their benchmark takes for granted."""

from bench.hops.pages import PACKAGES, load


def test_hops_are_a_hundred_questions_about_two_pages_each() -> None:
    """Every page is of a known package, and no pair comes twice."""
    hops = load()
    assert len({(hop.first, hop.second) for hop in hops}) == 100
    pages = [page for hop in hops for page in (hop.first, hop.second)]
    assert {page.partition("/")[0] for page in pages} == set(PACKAGES)
    assert all(hop.first != hop.second for hop in hops)


def test_hops_do_not_name_their_second_page() -> None:
    """Nor does one hold what the first page calls it."""
    for hop in load():
        words = " ".join(hop.question.casefold().replace("?", "").replace(",", "").split())
        assert f" {hop.bridge.casefold()} " not in f" {words} ", hop.question
