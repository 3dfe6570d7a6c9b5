"""Reads the tags of templates: short codes of Hugo and Quarto, tags of Liquid, Jinja and GitBook.

What a template computes is not known. The text between its tags stays, and so do their titles.
"""

import re
from dataclasses import dataclass
from typing import Final

from rich_agent.documents.extract.dialects.titles import box_title, displayed_title, is_address

CLOSERS: Final = {"{{<": ">}}", "{{%": "%}}", "{%": "%}", "{#": "#}"}
"""How a tag ends, by how it begins."""
_WORD: Final = re.compile(
    r"(?:([A-Za-z_][\w-]*+)\s*+[=:]\s*+)?+(\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)|'[^']*+(?:'|\Z)|`[^`]*+(?:`|\Z)|[^\s\"'`]++)"
)
_CLOSING: Final = re.compile(r"\{(?:\{[<%]-?\s*+/|%-?\s*+end)\s*+([\w.-]++)")
_QUOTES: Final = "\"'`"
_COMMENT: Final = "/*"
# Lists of tabs have an id, and hints of GitBook and Hugo's Book theme only a colour.
_UNTITLED: Final = ("tabs", "hint")


@dataclass(frozen=True, slots=True)
class TemplateTag:
    """A tag of a template."""

    title: str = ""
    """The text that it displays."""
    written: str = ""
    """The tag itself, if it only shows how one is written."""


def names_of_pairs(text: str) -> frozenset[str]:
    """The names of the tags that have a closing tag somewhere in the text."""
    return frozenset(match[1] for match in _CLOSING.finditer(text))


def template_tag(opening: str, inner: str, pairs: frozenset[str]) -> TemplateTag:
    """The tag with these marks and this content."""
    inner = inner.strip().strip("-").strip()
    if inner.startswith(_COMMENT) and opening.startswith("{{"):
        content = inner.removeprefix(_COMMENT).removesuffix("*/")
        return TemplateTag(written=f"{opening}{content}{CLOSERS[opening]}")
    name, _, arguments = inner.partition(" ")
    if opening == "{#" or name.startswith(("/", "end")):
        return TemplateTag()
    named: dict[str, str] = {}
    unnamed: list[str] = []
    for match in _WORD.finditer(arguments):
        value = match[2].strip(_QUOTES)
        if match[1]:
            named.setdefault(match[1], value)
        elif match[2][0] in _QUOTES:
            unnamed.append(value)
    title = displayed_title(named)
    if not title and name in pairs:
        title = _title_of_pair(name, named, unnamed, arguments)
    return TemplateTag(title)


def _title_of_pair(name: str, named: dict[str, str], unnamed: list[str], arguments: str) -> str:
    """The title of a box: its name parameter, its first words in quotes, or its own kind."""
    if name.endswith(_UNTITLED):
        return ""
    if named.get("name"):
        return named["name"]
    words = next((text for text in unnamed if text and not is_address(text)), "")
    kind = arguments.partition(" ")[0].strip(_QUOTES)
    return words if words and words != kind else words or box_title(kind) or box_title(name)
