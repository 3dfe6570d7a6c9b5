"""The parts of a Word document that its texts refer to: styles, lists, notes, remarks, pictures."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from rich_agent.documents.extract.archive import parse_xml
from rich_agent.documents.extract.colours import WHITE, Colour
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.number_formats import format_number
from rich_agent.documents.extract.word_numbering import Numbering, W, read_numbering, value_of
from rich_agent.documents.extract.word_styles import Styles, read_colour, read_styles
from rich_agent.domain.inventory import Tally

R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# Source: ISO/IEC 29500, the namespaces of the strict form.
_STRICT: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w{1,40})/")
_STRICT_WITHIN: Final = 4_096
# What this reader knows of the newer forms that stand beside older ones, by the usual prefixes.
_KNOWN_FORMS: Final = re.compile(
    r"(?:wp|wps|wpg|wpc|wp14|w1[45]|w16\w{0,8}|a1[46]|c1[46]|cx\d{0,2})"
)
_UNWRAPPED: Final = frozenset(
    f"{W}{name}" for name in ("sdtContent", "customXml", "ins", "moveTo", "smartTag")
)


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of a part: the name of another part, or an address outside."""

    target: str
    kind: str
    is_outside: bool


@dataclass(slots=True)
class WordDocument:
    """Parts that the texts of a document refer to, and the count of what they hold."""

    parts: Mapping[str, bytes]
    name: str
    """The name of the main part."""
    tally: Tally = field(default_factory=Tally)
    styles: Styles = field(default_factory=Styles)
    numbering: Numbering = field(default_factory=Numbering)
    paper: Colour = WHITE
    settings: etree._Element | None = None
    notes: dict[tuple[str, str], etree._Element] = field(default_factory=dict)
    remarks: dict[str, etree._Element] = field(default_factory=dict)
    note_labels: dict[tuple[str, str], str] = field(default_factory=dict)
    """The numbers of the notes that were referred to."""
    note_counts: dict[str, int] = field(default_factory=dict)
    pictures: set[str] = field(default_factory=set)
    """The pictures that were counted; each counts once."""

    def links(self, name: str) -> dict[str, Link]:
        """The relations of a part by id."""
        folder, _, file = name.rpartition("/")
        content = self.parts.get(posixpath.join(folder, "_rels", f"{file}.rels"))
        relations = parse_xml(content) if content is not None else ()
        return {relation.get("Id", ""): _link(folder, relation) for relation in relations}

    def read(self, name: str) -> etree._Element | None:
        """The root of a part, None if there is none."""
        content = self.parts.get(name)
        return None if content is None else parse_part(content)

    def part_of_kind(self, kind: str) -> str:
        """The name of the part of a kind that the main part refers to, "" if there is none."""
        links = self.links(self.name).values()
        return next((link.target for link in links if link.kind == kind), "")

    def note_label(self, kind: str, note_id: str) -> str:
        """The number of a note, counted by its first reference."""
        key = (kind, note_id)
        if key not in self.note_labels:
            count = self.note_counts[kind] = self.note_counts.get(kind, 0) + 1
            properties = self.settings.find(f"{W}{kind}Pr") if self.settings is not None else None
            default = "decimal" if kind == "footnote" else "lowerRoman"
            label = format_number(count, value_of(properties, "numFmt") or default)
            self.note_labels[key] = label
        return self.note_labels[key]


def open_document(parts: Mapping[str, bytes]) -> WordDocument:
    """The document in an archive. Raises: ExtractionError if there is none, or it is damaged."""
    root_links = WordDocument(parts, "").links("").values()
    names = [link.target for link in root_links if link.kind == "officeDocument"]
    name = next((name for name in [*names, "word/document.xml"] if name in parts), "")
    if not name:
        raise ExtractionError("this is not a Word document")
    document = WordDocument(parts, name)
    by_kind = {link.kind: link.target for link in document.links(name).values()}
    document.styles = read_styles(document.read(by_kind.get("styles", "")))
    numbering = document.read(by_kind.get("numbering", ""))
    if numbering is not None:
        document.numbering = read_numbering(numbering, document.styles.list_of)
    document.settings = document.read(by_kind.get("settings", ""))
    for kind in ("footnote", "endnote"):
        root = document.read(by_kind.get(f"{kind}s", ""))
        for note in root.iter(f"{W}{kind}") if root is not None else ():
            document.notes[kind, note.get(f"{W}id", "")] = note
    root = document.read(by_kind.get("comments", ""))
    for remark in root.iter(f"{W}comment") if root is not None else ():
        document.remarks[remark.get(f"{W}id", "")] = remark
    return document


def parse_part(content: bytes) -> etree._Element:
    """The root of a part; the strict form of the format becomes the usual one."""
    if b"purl.oclc.org" in content[:_STRICT_WITHIN]:
        content = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", content)
    return parse_xml(content)


def page_paper(root: etree._Element) -> Colour:
    """The colour of the pages, white by default."""
    background = root.find(f"{W}background")
    colour = read_colour(background.get(f"{W}color", "")) if background is not None else None
    return colour if isinstance(colour, tuple) else WHITE


def _link(folder: str, relation: etree._Element) -> Link:
    target = relation.get("Target", "")
    is_outside = relation.get("TargetMode") == "External"
    if not is_outside:
        target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
    return Link(target, relation.get("Type", "").rpartition("/")[2], is_outside)


def unwrapped(parent: etree._Element) -> Iterator[etree._Element]:
    """The children of an element, with those of wrappers that show nothing themselves.

    Such are content controls but tables of contents, insertions, and the form of an element that
    the newest programs know.
    """
    for child in parent:
        if child.tag in _UNWRAPPED:
            yield from unwrapped(child)
        elif child.tag == f"{W}sdt":
            content = child.find(f"{W}sdtContent")
            if content is not None and not is_contents(child):
                yield from unwrapped(content)
        elif child.tag == f"{MC}AlternateContent":
            form = known_form(child)
            if form is not None:
                yield from unwrapped(form)
        else:
            yield child


def known_form(alternatives: etree._Element) -> etree._Element | None:
    """The first of several forms of the same element that is known, else the fallback."""
    for choice in alternatives.findall(f"{MC}Choice"):
        if all(map(_KNOWN_FORMS.fullmatch, choice.get("Requires", "").split())):
            return choice
    return alternatives.find(f"{MC}Fallback")


def is_contents(control: etree._Element) -> bool:
    """Whether a content control holds a table of contents."""
    gallery = control.find(f"{W}sdtPr/{W}docPartObj/{W}docPartGallery")
    return gallery is not None and gallery.get(f"{W}val") == "Table of Contents"
