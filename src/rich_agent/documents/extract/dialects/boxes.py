"""Reads the lines that open boxes, tabs and titled code: the titles that tools display."""

import re
from typing import Final

from rich_agent.documents.extract.dialects.titles import box_title

_ALERT: Final = re.compile(r"\s*+\[!([\w -]{1,60})(?:\|[^\]]*+)?\][+-]?(?:\s++(.*))?")
_UNTITLED_ALERT: Final = re.compile(r"\s*+\[!(?:div|video)\b[^\]]*+\]\s*+", re.IGNORECASE)
_INDENTED_BOX: Final = re.compile(r"(?:!!!|\?\?\?\+?)\s++([\w-]++)[\w -]*+(?:\"(.*)\")?\s*+")
_TAB: Final = re.compile(r"===[!+]{0,2}\s++\"(.*)\"\s*+")
_SLASHES: Final = re.compile(r"/{3,}+(?:\s++([a-z][\w-]*+)\s*+(?:\|\s*+(.*))?)?\s*+")
_SLASH_BOXES: Final = frozenset({"tab", "html", "caption", "figure-caption", "definition"})
_NAME: Final = re.compile(
    r"\{\s*+([a-z][\w-]*+)\s*+\}|\{[^{}.]*+\.([\w-]++)[^{}]*+\}|([A-Za-z][\w-]*+)"
)
_NAMED_TITLE: Final = re.compile(
    r"\b(?:title|filename|label|caption)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')"
)
_BRACKETED: Final = re.compile(r"\[([^\[\]]{1,200})\]")
_ATTRIBUTES: Final = re.compile(r"\{[^{}]*+\}")
_DIRECTIVE: Final = re.compile(r"\{([a-z-]++)\}\s*+(.*)")
_DIAGRAMS: Final = frozenset({"mermaid"})
# Directives that are written as code and display text. Sources: docutils, MyST, sphinx-design.
_DIRECTIVES: Final = frozenset(
    ("admonition", "attention", "card", "caution", "danger", "dropdown", "error", "hint",
     "important", "note", "seealso", "tab-item", "tip", "warning")
)  # fmt: skip


def alert_title(quoted: str) -> str | None:
    """The title of a callout, by its first line; None if this is none.

    Sources: GitHub, "Alerts"; Obsidian, "Callouts"; Microsoft Learn, "Markdown reference".
    """
    if _UNTITLED_ALERT.fullmatch(quoted):
        return ""
    match = _ALERT.fullmatch(quoted)
    if match is None:
        return None
    return (match[2] or "").strip() or match[1].strip().replace("-", " ").capitalize()


def indented_box_title(line: str) -> str | None:
    """The title of a box or tab whose content is indented; None if this is none.

    Sources: Python-Markdown, "Admonition"; PyMdown Extensions, "Details" and "Tabbed".
    """
    tab = _TAB.fullmatch(line)
    if tab:
        return tab[1]
    box = _INDENTED_BOX.fullmatch(line)
    return box_title(box[1], box[2]) if box else None


def slash_box_title(line: str) -> str | None:
    """The title of a block between slashes, "" at its end; None if this is none.

    Source: PyMdown Extensions, "Blocks".
    """
    match = _SLASHES.fullmatch(line) if line.startswith("///") else None
    if match is None:
        return None
    name, title = match[1] or "", match[2]
    is_box = not name or name in _SLASH_BOXES or name == "admonition" or bool(box_title(name))
    return box_title(name, title) if is_box else None


def colon_box(line: str) -> tuple[str, str]:
    """The title of a box between colons, "" at its end; and the language, if it holds a diagram.

    Sources: Docusaurus, "Admonitions"; VitePress, "Custom Containers"; Pandoc, `fenced_divs`;
    Quarto, "Callout Blocks"; MyST, `colon_fence`; Microsoft Learn; Azure DevOps, "Mermaid".
    """
    rest = line.strip().strip(":").strip()
    match = _NAME.match(rest)
    name = next(filter(None, match.groups()), "") if match else ""
    if name in _DIAGRAMS:
        return "", name
    title = _NAMED_TITLE.search(rest) or _BRACKETED.search(rest)
    if title:
        return next(filter(None, title.groups()), ""), ""
    words = _ATTRIBUTES.sub("", rest[match.end() :]).strip() if match else ""
    return box_title(name, words if words and "=" not in words else None), ""


def fence_title(info: str, in_group: bool) -> tuple[str, bool]:  # noqa: FBT001
    """The title over code, by what follows its marks; and whether it is a box instead of code.

    Sources: Docusaurus, Nextra, Starlight and MkDocs, "Code blocks"; VitePress, "Code Groups".
    """
    directive = _DIRECTIVE.match(info)
    if directive and directive[1] in _DIRECTIVES:
        return box_title(directive[1], directive[2] or None), True
    title = _NAMED_TITLE.search(info)
    if title:
        return title[1] or title[2] or "", False
    label = _BRACKETED.search(info)
    if label and not info.startswith("{"):
        return label[1], False
    words = info.split()
    return (words[1] if in_group and len(words) > 1 and words[1][0] not in "{/" else ""), False
