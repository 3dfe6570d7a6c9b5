"""Converts EPUB books to HTML: the chapters as their style sheets show them.

Books whose chapters are encrypted are refused.
"""

import html.entities
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final
from urllib.parse import unquote

import lxml.html
from lxml import etree
from lxml.html import HtmlElement

from rich_agent.documents.extract.alternatives import alternative_text
from rich_agent.documents.extract.archive import parse_xml, text_parts
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.html import parse_page
from rich_agent.documents.extract.plain import decode
from rich_agent.domain.inventory import Tally

_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_NO_BOM_UTF16: Final = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_PROLOG: Final = re.compile(r"\A\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!DOCTYPE[^>\[]*+>)?", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31};)")
_XML_ENTITIES: Final = frozenset(("amp;", "lt;", "gt;", "quot;", "apos;"))
_EMPTY_TAG: Final = re.compile(r"<([A-Za-z][\w-]{0,30})((?:\s[^<>]{0,2000})?)/>")
_VOID: Final = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link",
                          "meta", "source", "track", "wbr"))  # fmt: skip
_NO_DISPLAY: Final = re.compile(
    r"(?:^|;)\s*+(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)\b", re.IGNORECASE
)
_SELECTOR: Final = re.compile(r"(?:[A-Za-z][\w-]*+)?(?:[.#][\w-]++)*+")
_SELECTOR_NAME: Final = re.compile(r"[.#]?[\w-]++")
_FONT_SCRAMBLERS: Final = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_REPEATED: Final = 3  # a picture that stands in so many places is decoration
_SMALL_PX: Final = 38  # about 1 cm


@dataclass(frozen=True, slots=True)
class _Chapter:
    """A part of a book: its name in the archive, and its page."""

    name: str
    page: HtmlElement


def epub_html(data: bytes) -> tuple[str, Tally]:
    """The chapters of a book in reading order, and a count of its pictures.

    The texts of pictures stand in their places. What is outside the order (`linear="no"`) comes
    last; the table of contents is left out.

    Raises: ExtractionError.
    """
    parts = text_parts(data)
    if "META-INF/container.xml" not in parts:
        raise ExtractionError("this is not an EPUB book")
    root = parse_xml(parts["META-INF/container.xml"]).find(".//{*}rootfile")
    package_name = root.get("full-path", "") if root is not None else ""
    if package_name not in parts:
        raise ExtractionError("the book has no table of its parts")
    package = parse_xml(parts[package_name])
    chapter_names = [name for name in _reading_order(package, package_name) if name in parts]
    _require_unlocked(parts, chapter_names)
    chapters = list(_chapters(parts, chapter_names))
    tally = Tally()
    _read_pictures(chapters, _cover(package, package_name), tally)
    title = package.findtext(f".//{_DC_TITLE}") or ""
    bodies = "".join(_body(chapter, parts, tally) for chapter in chapters)
    return f"<title>{escape(title)}</title>{bodies}", tally


def _reading_order(package: etree._Element, package_name: str) -> Iterator[str]:
    """The names of the chapters: the spine's linear items, then its other ones."""
    folder = posixpath.dirname(package_name)
    items = {item.get("id", ""): item for item in package.iter("{*}item")}
    contents = {
        _resolve(folder, reference.get("href", ""))
        for reference in package.iter("{*}reference")
        if reference.get("type") == "toc"
    }
    spine = list(package.iter("{*}itemref"))
    aside = [reference for reference in spine if reference.get("linear") == "no"]
    names = []
    for reference in [*(one for one in spine if one.get("linear") != "no"), *aside]:
        item = items.get(reference.get("idref", ""))
        if item is not None and "nav" not in item.get("properties", "").split():
            names.append(_resolve(folder, item.get("href", "")))
    yield from dict.fromkeys(name for name in names if name not in contents)


def _cover(package: etree._Element, package_name: str) -> str:
    """The name of the picture on the cover, "" without one."""
    metas = package.iter("{*}meta")
    named_ids = [meta.get("content") for meta in metas if meta.get("name") == "cover"]
    for item in package.iter("{*}item"):
        if "cover-image" in item.get("properties", "").split() or item.get("id") in named_ids:
            return _resolve(posixpath.dirname(package_name), item.get("href", ""))
    return ""


def _resolve(folder: str, link: str) -> str:
    """The name in the archive that a relative link leads to."""
    return posixpath.normpath(posixpath.join(folder, unquote(link.partition("#")[0])))


def _require_unlocked(parts: Mapping[str, bytes], chapter_names: Sequence[str]) -> None:
    """Refuse a book with encrypted chapters; scrambled fonts do not matter."""
    encryption = parts.get("META-INF/encryption.xml")
    if encryption is None:
        return
    for entry in parse_xml(encryption).iter("{*}EncryptedData"):
        method = entry.find("{*}EncryptionMethod")
        algorithm = method.get("Algorithm", "") if method is not None else ""
        references = entry.iter("{*}CipherReference")
        locked_names = {unquote(reference.get("URI", "")) for reference in references}
        if algorithm not in _FONT_SCRAMBLERS and not locked_names.isdisjoint(chapter_names):
            raise ExtractionError("the book is protected against copying", "encrypted")


def _chapters(parts: Mapping[str, bytes], names: Sequence[str]) -> Iterator[_Chapter]:
    for name in names:
        page = _parse_chapter(_chapter_text(parts[name]))
        if page is not None:
            yield _Chapter(name, page)


def _chapter_text(content: bytes) -> str:
    """The text of a chapter, by its byte order mark or what its first line declares."""
    for start, charset in _NO_BOM_UTF16:
        if content.startswith(start):
            return content.decode(charset, errors="replace")
    return decode(content, None, is_html=True)


def _parse_chapter(text: str) -> HtmlElement | None:
    """The tree of a chapter, which is XML; read as HTML if it is damaged."""
    source = _ENTITY.sub(_character, _PROLOG.sub("", text, count=1))
    try:
        root = parse_xml(source.encode("utf-8", "replace"))
    except ExtractionError:
        return parse_page(_EMPTY_TAG.sub(_open_and_close, source))
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
    etree.cleanup_namespaces(root)
    return parse_page(lxml.html.tostring(root, encoding="unicode"))


def _character(match: re.Match[str]) -> str:
    """The character that HTML names so; XML knows only five of these names."""
    return match[0] if match[1] in _XML_ENTITIES else html.entities.html5.get(match[1], match[0])


def _open_and_close(match: re.Match[str]) -> str:
    """An empty element of XML as HTML has it."""
    return match[0] if match[1].lower() in _VOID else f"<{match[1]}{match[2]}></{match[1]}>"


def _read_pictures(chapters: Sequence[_Chapter], cover: str, tally: Tally) -> None:
    """Replace pictures by the texts that their authors gave them, and count all but the cover."""
    pictures = [
        (picture, _resolve(posixpath.dirname(chapter.name), _target(picture)))
        for chapter in chapters
        for picture in list(chapter.page.body.iter("img", "image"))
    ]
    uses = Counter(target for _, target in pictures)
    for picture, target in pictures:
        alternative = alternative_text(picture.get("alt") or "")
        if target != cover and alternative:
            tally.note_read("picture")
            _replace_by_text(picture, alternative)
        elif target != cover and uses[target] < _REPEATED and not _is_decoration(picture):
            tally.note_unread("picture")


def _target(picture: HtmlElement) -> str:
    return picture.get("src") or picture.get("href") or picture.get("xlink:href") or ""


def _is_decoration(picture: HtmlElement) -> bool:
    """Whether a picture is marked as without meaning, or is not larger than an icon."""
    sides = [picture.get(side, "").removesuffix("px") for side in ("width", "height")]
    is_small = any(side.isdecimal() and int(side[:6]) <= _SMALL_PX for side in sides)
    return picture.get("alt") == "" or picture.get("role") in {"presentation", "none"} or is_small


def _replace_by_text(picture: HtmlElement, text: str) -> None:
    picture.tag = "span"
    picture.attrib.clear()
    picture.text = text


def _body(chapter: _Chapter, parts: Mapping[str, bytes], tally: Tally) -> str:
    """The visible content of a chapter's body."""
    body = chapter.page.body
    selectors: dict[str, list[frozenset[str]]] = {}
    for names in _hiding_selectors(_style_sheets(chapter, parts)):
        selectors.setdefault(min(names), []).append(names)
    for element in list(body.iterdescendants(etree.Element)) if selectors else ():
        names = frozenset(_names(element))
        if any(selector <= names for name in names for selector in selectors.get(name, ())):
            tally.note_unread("hidden_word", len(element.text_content().split()))
            element.drop_tree()
    body.tag = "section"
    markup: str = lxml.html.tostring(body, encoding="unicode", with_tail=False)
    return markup


def _names(element: HtmlElement) -> Iterator[str]:
    """The names that a selector may give an element: its tag, its id and its classes."""
    yield from (element.tag, f"#{element.get('id', '')}")
    yield from (f".{name}" for name in element.get("class", "").split())


def _style_sheets(chapter: _Chapter, parts: Mapping[str, bytes]) -> Iterator[str]:
    folder = posixpath.dirname(chapter.name)
    for element in chapter.page.iter("style", "link"):
        if element.tag == "style":
            yield element.text_content()
        elif "stylesheet" in element.get("rel", ""):
            yield parts.get(_resolve(folder, element.get("href", "")), b"").decode(errors="replace")


def _hiding_selectors(sheets: Iterable[str]) -> Iterator[frozenset[str]]:
    """The simple selectors of rules that display nothing, as the names that must all fit.

    Rules for some media only, such as paper, do not count.
    """
    for sheet in sheets:
        depth = 0
        for rule in _without_comments(sheet).split("}"):
            selectors, _, declarations = rule.partition("{")
            if depth == 0 and _NO_DISPLAY.search(declarations):
                for selector in map(str.strip, selectors.split(",")):
                    if selector and _SELECTOR.fullmatch(selector):
                        yield frozenset(_SELECTOR_NAME.findall(selector))
            depth = max(0, depth + rule.count("{") - 1)


def _without_comments(sheet: str) -> str:
    pieces, end = [], 0
    while (start := sheet.find("/*", end)) >= 0:
        pieces.append(sheet[end:start])
        end = sheet.find("*/", start + 2) + 2
        if end < 2:
            return "".join(pieces)
    return "".join([*pieces, sheet[end:]])
