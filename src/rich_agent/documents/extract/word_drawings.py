"""Reads the drawings of Word documents: charts, diagrams, text boxes, pictures and objects."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from lxml import etree

from rich_agent.documents.extract.alternatives import alternative_text
from rich_agent.documents.extract.colours import Colour
from rich_agent.documents.extract.drawings import chart_html, diagram_html
from rich_agent.documents.extract.word_document import MC, Link, R, WordDocument, known_form
from rich_agent.documents.extract.word_numbering import W
from rich_agent.documents.extract.word_styles import read_colour
from rich_agent.domain.inventory import VisiblePart

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WP: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_WPS: Final = "{http://schemas.microsoft.com/office/word/2010/wordprocessingShape}"
_PIC: Final = "{http://schemas.openxmlformats.org/drawingml/2006/picture}"
_C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_V: Final = "{urn:schemas-microsoft-com:vml}"
_O: Final = "{urn:schemas-microsoft-com:office:office}"
_ICON_EMU: Final = 360_000  # 1 cm
_ICON_POINTS: Final = 28.35
_SIZE: Final = re.compile(
    r"(?:^|;)\s*+(?:width|height):\s*+(\d{1,6}(?:\.\d{0,6})?)(pt|in|cm|mm|px)?", re.IGNORECASE
)
_POINTS: Final[Mapping[str, float]] = {"pt": 1, "in": 72, "cm": 28.35, "mm": 2.835, "px": 0.75}
_OBJECT_KINDS: Final[Mapping[str, VisiblePart]] = {
    "equation": "equation",
    "msgraph": "chart",
    "chart": "chart",
    "forms": "field",
}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The text around a drawing: the relations of its part, and what is known of the drawing."""

    links: Mapping[str, Link]
    is_margin: bool = False
    """Whether the text is a header or footer."""
    alternative: str | None = ""
    """The text that stands for its pictures, None if they are decoration."""


@dataclass(slots=True)
class DrawingReader:
    """Reads drawings; `read_box` gives the HTML of a text box on a paper of its own."""

    document: WordDocument
    read_box: Callable[[etree._Element, Colour], str]

    def read(self, drawing: etree._Element, around: Surroundings) -> Iterator[str]:
        """The blocks that a drawing shows."""
        properties = drawing.find(f"*/{_WP}docPr")
        if properties is not None and properties.get("hidden", "0") not in {"0", "false"}:
            return
        if drawing.tag == f"{W}object":
            self._note_object(drawing, around)
            return
        marks = drawing.iter("{*}decorative")
        is_decorative = _is_icon(drawing.find(f"*/{_WP}extent")) or any(
            mark.get("val") in {"1", "true"} for mark in marks
        )
        words = None if is_decorative else _alternative(properties)
        yield from self._shapes(drawing, replace(around, alternative=words))

    def _shapes(self, parent: etree._Element, around: Surroundings) -> Iterator[str]:
        """The blocks of the shapes within an element."""
        for element in parent:
            tag = str(element.tag)
            if tag == f"{MC}AlternateContent":
                form = known_form(element)
                yield from self._shapes(form, around) if form is not None else ()
            elif tag == f"{W}txbxContent":
                yield self.read_box(element, _paper_of_box(element))
            elif tag in {f"{_PIC}pic", f"{_V}imagedata"}:
                yield self._picture(element, around)
            elif tag in {f"{_DGM}relIds", f"{_C}chart", f"{_CX}chart"}:
                yield self._part(element, around)
            elif tag == f"{_V}textpath":
                yield f"<p>{escape(element.get('string', ''))}</p>"
            elif tag.endswith("}contentPart"):
                self.document.tally.note_unread("drawing")
            elif "hidden" not in element.get("style", ""):
                yield from self._shapes(element, around)

    def _part(self, element: etree._Element, around: Surroundings) -> str:
        """A chart or a diagram in a part of its own."""
        is_chart = element.tag != f"{_DGM}relIds"
        link = around.links.get(element.get(f"{R}id" if is_chart else f"{R}dm", ""))
        content = self.document.parts.get(link.target) if link else None
        read = chart_html if is_chart else diagram_html
        html = read(content) if content is not None else ""
        note = self.document.tally.note_read if html else self.document.tally.note_unread
        note("chart" if is_chart else "diagram")
        return html

    def _picture(self, picture: etree._Element, around: Surroundings) -> str:
        """The text that stands for a picture; counts the picture once, in the body only."""
        if picture.tag == f"{_V}imagedata":
            link_id, words = picture.get(f"{R}id", ""), _old_alternative(picture.getparent())
        else:
            reference = picture.find(f".//{_A}blip")
            link_id = reference.get(f"{R}embed", "") if reference is not None else ""
            words = _alternative(picture.find(f"{_PIC}nvPicPr/{_PIC}cNvPr")) or around.alternative
        link = around.links.get(link_id)
        name = link.target if link else link_id
        is_decorative = words is None or around.alternative is None or around.is_margin
        if is_decorative or name in self.document.pictures:
            return ""
        self.document.pictures.add(name)
        note = self.document.tally.note_read if words else self.document.tally.note_unread
        note("picture")
        return f"<p>{escape(words)}</p>" if words else ""

    def _note_object(self, element: etree._Element, around: Surroundings) -> None:
        """Count what another program put there."""
        if around.is_margin:
            return
        program = "forms"
        if element.find(f".//{W}control") is None:
            embedded = element.find(f".//{_O}OLEObject")
            program = embedded.get("ProgID", "").lower() if embedded is not None else ""
        kinds = (_OBJECT_KINDS[word] for word in program.split(".") if word in _OBJECT_KINDS)
        self.document.tally.note_unread(next(kinds, "object"))


def _is_icon(size: etree._Element | None) -> bool:
    """Whether a drawing is smaller than an icon; one without a real size is not."""
    sides = [_length(size.get(side, "")) for side in ("cx", "cy")] if size is not None else [0]
    return min(sides) > 1 and max(sides) < _ICON_EMU


def _old_alternative(shape: etree._Element | None) -> str | None:
    """The text that stands for a picture of the old form, None if it is as small as an icon."""
    if shape is None:
        return ""
    lengths = [
        float(match[1]) * _POINTS[(match[2] or "pt").lower()]
        for match in _SIZE.finditer(shape.get("style", ""))
    ]
    is_icon = len(lengths) > 1 and max(lengths) < _ICON_POINTS
    return None if is_icon else alternative_text(shape.get("alt", ""))


def _length(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 12 else 0


def _alternative(properties: etree._Element | None) -> str:
    """The text that an author gave for a picture, "" if there is none."""
    return alternative_text(properties.get("descr", "")) if properties is not None else ""


def _paper_of_box(content: etree._Element) -> Colour:
    """The colour behind a text box, None if it is unknown, as where something shines through."""
    shape = next(content.iterancestors(f"{_WPS}wsp"), None)
    fill = shape.find(f"{_WPS}spPr/{_A}solidFill/{_A}srgbClr") if shape is not None else None
    colour = read_colour(fill.get("val", "")) if fill is not None else None
    return colour if isinstance(colour, tuple) else None
