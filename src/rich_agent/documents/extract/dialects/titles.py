"""Titles that tools display over boxes, tabs and figures, by the names of their parameters."""

import re
from collections.abc import Mapping
from html import escape
from typing import Final

# In the order of preference. Sources: the components of Docusaurus, Starlight, Nextra, Mintlify,
# VitePress and GitBook; the short codes of Hugo, its Book, Relearn and Docsy themes.
_DISPLAYED: Final = (
    *("title", "label", "header", "heading", "summary", "caption", "text", "question", "content"),
    "description",
)
# Boxes that display their own name. Sources: GitHub, Docusaurus, VitePress, MkDocs, docutils,
# Quarto, Obsidian.
_NAMED_BOXES: Final = frozenset(
    ("abstract", "attention", "bug", "caution", "danger", "details", "error", "example", "failure",
     "hint", "important", "info", "note", "question", "quote", "seealso", "success", "summary",
     "tip", "todo", "warning")
)  # fmt: skip
_QUOTES: Final = "\"'"
_FILE: Final = re.compile(r"[\w-]++\.[a-z]{2,5}")


def displayed_title(parameters: Mapping[str, str]) -> str:
    """The text that a component displays itself: its title, and what describes it."""
    values = {name.lower(): value.strip() for name, value in parameters.items()}
    texts = [values[name] for name in _DISPLAYED if values.get(name)]
    if "description" in values and len(texts) > 1 and texts[-1] == values["description"]:
        return f"{texts[0]}: {texts[-1]}"
    return texts[0] if texts else ""


def box_title(name: str, title: str | None = None) -> str:
    """The title over a box: the given one, or else the name that tools display; "" if none."""
    if title is not None and (given := title.strip().strip(_QUOTES)):
        return given
    kind = name.strip().lower().removeprefix("callout-").replace("-", " ")
    return kind.capitalize() if title is None and kind in _NAMED_BOXES else ""


def is_address(text: str) -> bool:
    """Whether a text is the place of a file or a page rather than words."""
    has_blanks = any(map(str.isspace, text))
    return not has_blanks and (
        any(mark in text for mark in "/\\#") or _FILE.fullmatch(text) is not None
    )


def title_line(title: str) -> str:
    """A title as a paragraph of its own; Markdown within it is read."""
    return f"<strong>{escape(title, quote=False)}</strong>" if title else ""
