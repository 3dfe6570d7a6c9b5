"""Reads markup in a text: elements with attributes, at any depth, whatever they are called.

A tag that is never closed is text, so a prompt may mention the tags that it uses.
"""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TAG = re.compile(r'<(/?)([a-z_]+)((?:\s++[\w-]++="[^"]*+")*+)\s*+(/?)>')
_ATTRIBUTE = re.compile(r'([\w-]++)="([^"]*+)"')


@dataclass(frozen=True, slots=True)
class Element:
    """A name, attributes, and what stands between the tags as it is written.

    `start` and `end` are the places of the whole element in the text that it is read from.
    """

    name: str
    attributes: Mapping[str, str]
    written: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """The content without entities and without white space around it."""
        return html.unescape(self.written).strip()

    @property
    def number(self) -> int:
        """The attribute `n`, 0 where there is none."""
        given = self.attributes.get("n", "")
        return int(given) if given.isdecimal() else 0


def elements(text: str) -> list[Element]:
    """All elements of a text in the order of their beginnings, those within others too."""
    return sorted(_closed(text), key=lambda one: one.start)


def _closed(text: str) -> Iterator[Element]:
    begun: list[re.Match[str]] = []
    opened: dict[str, int] = {}
    for tag in _TAG.finditer(text):
        ends, name, _, is_empty = tag.groups()
        if is_empty:
            yield _element(tag, tag, "")
        elif not ends:
            begun.append(tag)
            opened[name] = opened.get(name, 0) + 1
        elif opened.get(name):
            while begun:
                first = begun.pop()
                opened[first[2]] -= 1
                if first[2] == name:
                    yield _element(first, tag, text[first.end() : tag.start()])
                    break


def _element(first: re.Match[str], last: re.Match[str], written: str) -> Element:
    given = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(first[3])}
    return Element(first[2], given, written, first.start(), last.end())


def without_elements(text: str) -> str:
    """The text outside all elements."""
    kept, at = [], 0
    for one in elements(text):
        if one.start >= at:
            kept.append(text[at : one.start])
            at = one.end
    return "".join([*kept, text[at:]]).strip()
