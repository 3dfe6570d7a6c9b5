from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.answer.links import AllowedLinks
from rich_agent.web.answers import answer_markdown, sources_markdown
from rich_agent.web.link_guard import LinkGuard
from tests.unit.web.rendered import RENDERERS, page, ways_out


def citation(number: int, link: str, title: str = "Guide", section: str = "") -> Citation:
    """A citation of a document."""
    return Citation(number, f"c{number}", "document", link, link, title, section)


def test_answer_markdown_links_each_marker_to_its_source() -> None:
    """In any renderer, side by side and after an exclamation mark, too."""
    links = ["https://a.example/x#:~:text=one%20two", "https://b.example/wiki/Foo_(bar)?q=<1>"]
    answer = Answer(
        "Yes [1][2]! Wow![1]", tuple(citation(n, url) for n, url in enumerate(links, 1))
    )
    for renderer in RENDERERS:
        shown = page(answer_markdown(answer), renderer)
        assert [way[:18] for way in shown.ways] == [
            "https://a.example/",
            "https://b.example/",
            "https://a.example/",
        ]
        assert shown.text.strip() == "Yes 1 2! Wow! 1"


def test_answer_markdown_begins_with_what_was_streamed() -> None:
    """The sources come behind it."""
    answer = Answer("Yes [1], and\n\n```\ncode", (citation(1, "https://a.example/"),))
    whole = answer_markdown(answer)
    assert whole.startswith(LinkGuard(AllowedLinks(frozenset())).feed(answer.text))
    assert page(whole, "gfm").ways == ["https://a.example/"]


def test_answer_markdown_shows_sources_without_address_as_lines() -> None:
    """A file of the machine has no link; its name is told."""
    answer = Answer("Yes [1][2].", (citation(1, "file:///srv/notes.txt"), citation(2, "photo")))
    shown = page(answer_markdown(answer), "gfm")
    assert shown.ways == []
    assert "[1] Guide · notes.txt" in shown.text
    assert "[2] Guide" in shown.text


def test_sources_markdown_is_not_left_by_a_title() -> None:
    """A title is from a page that anybody may have written."""
    hostile = 'x" [y](https://evil.com) <img src=//evil.com>\n\n[1]: //evil.com ![](//evil.com)\\'
    for link in ("https://a.example/", "file:///srv/a.txt"):
        markdown = "Yes [1]." + sources_markdown([citation(1, link, hostile, hostile)])
        assert ways_out(markdown, ["https://a.example/"]) == {}


def test_answer_markdown_does_not_let_the_model_define_a_source() -> None:
    """The first definition would win."""
    text = "- [ ] [1]: https://evil.com\n\n[1]: //evil.com\n> [1]: /x\n\nYes [1]."
    answer = Answer(text, (citation(1, "https://a.example/"),))
    assert ways_out(answer_markdown(answer), ["https://a.example/"]) == {}
