"""Reads what a sheet of an Excel workbook holds besides cells: remarks, charts, boxes, pictures."""

import posixpath
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from lxml import etree

from rich_agent.documents.extract.alternatives import alternative_text
from rich_agent.documents.extract.archive import parse_xml
from rich_agent.documents.extract.drawings import chart_html, diagram_html, drawing_text
from rich_agent.domain.inventory import PartKind, Tally

_RELATION_ID: Final = "}id"
_SMALLEST_EMU: Final = 360_000
"""A centimetre; smaller pictures are icons."""


def related_parts(parts: Mapping[str, bytes], name: str) -> dict[str, tuple[str, str]]:
    """Kind and name of the parts that a part refers to, by relationship id."""
    folder, _, file = name.rpartition("/")
    content = parts.get(f"{folder}/_rels/{file}.rels")
    if content is None:
        return {}
    return {
        relation.get("Id", ""): (
            relation.get("Type", "").rpartition("/")[2],
            posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/"),
        )
        for relation in parse_xml(content)
        if relation.get("TargetMode") != "External"
    }


def sheet_extras(parts: Mapping[str, bytes], name: str, tally: Tally) -> Iterator[str]:
    """The HTML of each thing that can be read; the others are counted.

    Raises: ExtractionError.
    """
    related = [target for target in related_parts(parts, name).values() if target[1] in parts]
    for kind, target in related:
        if kind == "drawing":
            yield from _drawing(parts, target, tally)
    remarks = [target for kind, target in related if kind == "threadedComment"]
    # Older programs find the threads as remarks, too, with a hint for their users.
    remarks = remarks or [target for kind, target in related if kind == "comments"]
    for target in remarks:
        yield from _remarks(parts, target, tally)


def _drawing(parts: Mapping[str, bytes], name: str, tally: Tally) -> Iterator[str]:
    targets = related_parts(parts, name)
    for element in parse_xml(parts[name]).iter("{*}pic", "{*}graphicFrame", "{*}sp", "{*}cxnSp"):
        properties = element.find(".//{*}cNvPr")
        if properties is None or properties.get("hidden") in {"1", "true"}:
            continue
        kind = etree.QName(element).localname
        if kind == "pic":
            yield from _picture(element, properties, tally)
        elif kind == "sp" and (text := drawing_text(element)):
            tally.note_read("drawing")
            yield f"<p>{escape(text)}</p>"
        elif kind == "graphicFrame":
            yield from _frame(parts, targets, element, tally)


def _picture(element: etree._Element, properties: etree._Element, tally: Tally) -> Iterator[str]:
    size = element.find(".//{*}xfrm/{*}ext")
    sides = [size.get(side, "") for side in ("cx", "cy")] if size is not None else []
    is_icon = any(side.isdecimal() and 0 < int(side[:12]) < _SMALLEST_EMU for side in sides)
    decorative = properties.find(".//{*}decorative")
    if is_icon or (decorative is not None and decorative.get("val") in {"1", "true"}):
        return
    if words := alternative_text(properties.get("descr", "")):
        tally.note_read("picture")
        yield f"<p>{escape(words)}</p>"
    else:
        tally.note_unread("picture")


def _frame(
    parts: Mapping[str, bytes],
    targets: Mapping[str, tuple[str, str]],
    element: etree._Element,
    tally: Tally,
) -> Iterator[str]:
    """A chart by its figures, or a diagram by its words."""
    data = element.find(".//{*}graphicData")
    for child in data if data is not None else ():
        for key, value in child.attrib.items():
            kind, target = targets.get(str(value), ("", ""))
            part = parts.get(target)
            if part is not None and str(key).endswith(_RELATION_ID) and kind.startswith("chart"):
                yield _counted(chart_html(part), "chart", tally)
            elif part is not None and kind == "diagramData":
                yield _counted(diagram_html(part), "diagram", tally)


def _counted(html: str, kind: PartKind, tally: Tally) -> str:
    if html:
        tally.note_read(kind)
    else:
        tally.note_unread(kind)
    return html


def _remarks(parts: Mapping[str, bytes], name: str, tally: Tally) -> Iterator[str]:
    root = parse_xml(parts[name])
    authors = dict(_people(parts))
    for number, author in enumerate(root.iterfind("{*}authors/{*}author")):
        authors[str(number)] = author.text or ""
    for remark in root.iter("{*}comment", "{*}threadedComment"):
        texts = (text.text or "" for text in remark.iter("{*}t", "{*}text") if len(text) == 0)
        text = " ".join("".join(texts).split())
        author = authors.get(remark.get("personId") or remark.get("authorId", ""), "")
        if text:
            tally.note_read("remark")
            # Programs begin a remark with the name of its author.
            text = text.removeprefix(f"{author}:").strip()
            place = f"{remark.get('ref', '')} ({author})" if author else remark.get("ref", "")
            yield f"<p>[{escape(place)}: {escape(text)}]</p>"


def _people(parts: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    for name, content in parts.items():
        if name.startswith("xl/persons/"):
            for person in parse_xml(content).iter("{*}person"):
                yield person.get("id", ""), person.get("displayName", "")
