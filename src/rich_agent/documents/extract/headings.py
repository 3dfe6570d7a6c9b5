"""Writes the id that leads to a heading after the words of the heading."""

import re
from collections.abc import Iterator

from lxml.etree import XPath
from lxml.html import HtmlElement
from lxml.html.builder import E

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_WRAPPERS = frozenset({"section", "div", "header", "span", "a"})
_BOXES = ("note", "tip", "warning", "caution", "important", "admonition", "callout")
_IS_BOX = " or ".join(
    f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')" for name in _BOXES
)
_BOX_TITLES = XPath(
    " | ".join(
        f".//{heading}[parent::div or parent::aside][parent::*[{_IS_BOX}]]" for heading in HEADINGS
    )
)
_LONGEST = 200
_NOT_IN_ANCHOR = re.compile(r"[\s{}*`<>\\\[\]]")
_WORD = re.compile(r"\w")


def mark_headings(body: HtmlElement) -> None:
    """Write the id of each heading after its words, as `{#id}`; links in headings become text.

    Titles of notes and warnings are not treated as headings, because the text after the box does
    not belong to it. Nor are headings of more than 200 characters: in Markdown, `---` below a
    paragraph makes the paragraph a heading.
    """
    for title in [*_BOX_TITLES(body), *body.find_class("admonition-title")]:
        title.tag = "strong"
        title.addprevious(E.p())
        title.getprevious().append(title)
    for heading in list(body.iter(*HEADINGS)):
        anchor = _anchor(heading)
        for link in list(heading.iter("a")):
            if _WORD.search(link.text_content()):
                link.drop_tag()
            else:
                link.drop_tree()
        if len(heading.text_content().strip()) > _LONGEST:
            heading.tag = "p"
        elif heading.text_content().strip():
            add_anchor(heading, anchor)


def add_anchor(heading: HtmlElement, anchor: str) -> None:
    """Write an id after a heading's words, if the id is valid."""
    if anchor and not _NOT_IN_ANCHOR.search(anchor):
        _append_text(heading, f" {{#{anchor}}}")


def has_anchor(heading: HtmlElement) -> bool:
    """Whether an id leads to the heading."""
    return bool(_anchor(heading))


def _anchor(heading: HtmlElement) -> str:
    """The id that leads to a heading: of the heading, of an element in it, or of its section."""
    return next((name for name in _names(heading) if not _NOT_IN_ANCHOR.search(name)), "")


def _names(heading: HtmlElement) -> Iterator[str]:
    yield from filter(None, [heading.get("id")])
    for element in heading.iterdescendants("a", "span"):
        yield from filter(None, [element.get("id"), element.get("name")])
    child = heading
    for parent in heading.iterancestors():
        anchor_names: list[str] = []
        for sibling in child.itersiblings(preceding=True):
            if _has_text(sibling):
                yield from anchor_names
                return
            anchor_names += filter(None, [sibling.get("id"), sibling.get("name")])
        if parent.tag not in _WRAPPERS or _is_text(parent.text):
            yield from anchor_names
            return
        yield from filter(None, [parent.get("id"), *anchor_names])
        child = parent


def _has_text(element: HtmlElement) -> bool:
    return _is_text(element.text_content()) or _is_text(element.tail)


def _is_text(text: str | None) -> bool:
    return bool(text and text.strip())


def _append_text(element: HtmlElement, text: str) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text
