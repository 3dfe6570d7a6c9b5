"""Finds the parts of a page that a reader does not see, which may be meant to mislead a model.

Only an element's own attributes count; stylesheets are not read.
"""

import re
from collections.abc import Mapping
from typing import Final

from lxml.html import HtmlElement
from PIL import ImageColor

_CLASSES = frozenset({"sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text"})
_NOTHING = re.compile(r"[+-]?0*+(?:\.0*+)?(?:px|em|rem|ex|ch|pt|pc|cm|mm|in|%|vw|vh)?")
_FAR_OUT = re.compile(r"-\s*\d{3,}")
_FARTHER_OUT = re.compile(r"-\s*\d{4,}")
_UNSEEN_CLIP = re.compile(r"rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01]")
_UNSEEN_PATH = re.compile(r"inset\(\s*(?:100|[5-9]\d)%|circle\(\s*0")
_UNSEEN_SCALE = re.compile(r"(?:scale[xy]?|scale3d)\(\s*+(?:0?\.0*+|0*+)\s*+[,)]")
_TINY_FONT = re.compile(r"[+-]?(?:0*\.\d+|[01](?:\.\d*)?)px|[+-]?0*\.0\d*(?:r?em|%)?")
_CHANNELS = re.compile(r"\d+(?:\.\d+)?%?")
_PAPER: Final = (255, 255, 255)
_NEAR: Final = 24  # in each channel, of 255; text with less contrast is unreadable


def is_hidden(element: HtmlElement) -> bool:
    """Whether the element's own attributes hide it.

    `hidden="until-found"` does not count, because a browser's search finds such text.
    """
    if (
        element.get("hidden", "until-found") != "until-found"
        or element.get("aria-hidden", "").strip().lower() == "true"
        or not _CLASSES.isdisjoint(element.classes)
    ):
        return True
    if "style" not in element.attrib and element.tag != "font":
        return False
    style = _declarations(element)
    return _takes_no_part(style) or _is_out_of_sight(style) or _has_papers_colour(element, style)


def _declarations(element: HtmlElement) -> dict[str, str]:
    """The properties of the style attribute in lower case; the last one of a name counts."""
    style = element.get("style", "").lower().replace("!important", "")
    pairs = (declaration.partition(":") for declaration in style.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _takes_no_part(style: Mapping[str, str]) -> bool:
    return (
        style.get("display") == "none"
        or style.get("visibility") in {"hidden", "collapse"}
        or style.get("content-visibility") == "hidden"
        or _is_nothing(style.get("opacity"))
        or _TINY_FONT.fullmatch(style.get("font-size", "")) is not None
        or _is_nothing(style.get("font-size"))
        or style.get("color") == "transparent"
        or style.get("-webkit-text-fill-color") == "transparent"
    )


def _is_out_of_sight(style: Mapping[str, str]) -> bool:
    placed = style.get("position") in {"absolute", "fixed"}
    sides = (style.get(side, "") for side in ("left", "top", "right", "bottom"))
    boxes = ("width", "height", "max-width", "max-height")
    return (
        (placed and any(map(_FAR_OUT.match, sides)))
        or _FAR_OUT.match(style.get("text-indent", "")) is not None
        or _FARTHER_OUT.match(style.get("margin-left", "")) is not None
        or _UNSEEN_CLIP.match(style.get("clip", "")) is not None
        or _UNSEEN_PATH.match(style.get("clip-path", "")) is not None
        or _UNSEEN_SCALE.search(style.get("transform", "")) is not None
        or ("hidden" in style.get("overflow", "") and any(_is_nothing(style.get(b)) for b in boxes))
    )


def _is_nothing(value: str | None) -> bool:
    return value is not None and value != "" and _NOTHING.fullmatch(value) is not None


def _has_papers_colour(element: HtmlElement, style: Mapping[str, str]) -> bool:
    """Whether the text has the colour of its background, which is white by default."""
    ink = _colour(style.get("color") or element.get("color", ""))
    if ink is None:
        return False
    paper = next(filter(None, map(_paper, [element, *element.iterancestors()])), None)
    return all(abs(a - b) <= _NEAR for a, b in zip(ink, paper or _PAPER, strict=True))


def _paper(element: HtmlElement) -> tuple[int, ...] | None:
    """The background colour in the element's own style."""
    style = _declarations(element)
    background = style.get("background-color") or style.get("background", "")
    return _colour(background or element.get("bgcolor", ""))


def _colour(words: str) -> tuple[int, ...] | None:
    """Red, green and blue of the colour at the beginning of the words, None if there is none."""
    words = words.strip().lower()
    if words.startswith("rgb"):
        channels = _CHANNELS.findall(words)[:3]
        values = [float(part.rstrip("%")) * (2.55 if "%" in part else 1) for part in channels]
        return tuple(map(round, values)) if len(values) == 3 else None
    try:
        return ImageColor.getrgb(words.partition(" ")[0])[:3]
    except ValueError:
        return None
