"""Markdown as clients render it: the addresses that a rendered text leads to or loads."""

from html.parser import HTMLParser

from markdown_it import MarkdownIt
from typing_extensions import override

from rich_agent.domain.answer.links import AllowedLinks

RENDERERS = {
    "commonmark": MarkdownIt("commonmark", {"html": True}),
    "gfm": MarkdownIt("gfm-like", {"html": False, "linkify": True}),
    "gfm with html": MarkdownIt("gfm-like", {"html": True, "linkify": True}),
    "everything": MarkdownIt("js-default", {"html": True, "linkify": True, "breaks": True}),
}
_LEADING = {"href", "src", "srcset", "action", "formaction", "data", "poster", "style"}


class _Ways(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ways: list[str] = []
        self.tags: list[str] = []
        self.text = ""

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where it leads to."""
        self.tags.append(tag)
        self.ways += [
            value or "" for name, value in attrs if name in _LEADING and value != "text-align:left"
        ]

    @override
    def handle_data(self, data: str) -> None:
        """Note what is read."""
        self.text += data


def page(markdown: str, renderer: str) -> _Ways:
    """The page that a client shows."""
    parsed = _Ways()
    parsed.feed(RENDERERS[renderer].render(markdown))
    parsed.close()
    return parsed


def ways_out(markdown: str, allowed: list[str]) -> dict[str, list[str]]:
    """The addresses that are not allowed, for each renderer with any."""
    permitted = AllowedLinks.of(allowed)
    found = {
        name: [way for way in page(markdown, name).ways if not permitted.permit(way)]
        for name in RENDERERS
    }
    return {name: ways for name, ways in found.items() if ways}
