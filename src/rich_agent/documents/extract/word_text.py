"""Reads the paragraphs of Word documents: the words that a person sees, as HTML within a line."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import groupby
from typing import Final

from lxml import etree

from rich_agent.documents.extract.colours import Colour
from rich_agent.documents.extract.equations import equation_html
from rich_agent.documents.extract.scripts import lowered_text, raised_text
from rich_agent.documents.extract.symbols import is_symbol_font, symbol
from rich_agent.documents.extract.word_document import (
    MC,
    Link,
    R,
    WordDocument,
    is_contents,
    known_form,
)
from rich_agent.documents.extract.word_fields import EMPTY, TICKED, Fields, form_value, is_form
from rich_agent.documents.extract.word_numbering import W, value_of
from rich_agent.documents.extract.word_styles import RunLook, read_shade

_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_W14: Final = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_WRAPPERS: Final = frozenset(
    f"{W}{name}" for name in ("ins", "moveTo", "smartTag", "customXml", "dir", "bdo", "rubyBase")
)
_FORM_CONTROLS: Final = ("dropDownList", "comboBox", "date", "text")
_DRAWINGS: Final = frozenset({f"{W}drawing", f"{W}pict", f"{W}object"})
_SIGNS: Final[Mapping[str, str]] = {
    f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-",
}  # fmt: skip
_PRIVATE: Final = re.compile("[\uf000-\uf0ff]")
_WORD: Final = re.compile(r"\w")
_TAGS: Final = {"bold": "strong", "italic": "em", "struck": "s"}
_PAGE_NUMBER: Final = "\f"  # stands where one is left out
_MOST_PAGE_WORDS: Final = 4


@dataclass(slots=True)
class Story:
    """A text that flows on its own: the body, a header, a note or a text box."""

    links: Mapping[str, Link] = field(default_factory=dict)
    fields: Fields = field(default_factory=Fields)
    drop_cap: str = ""
    """The large first letters of the next paragraph."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of text with the same marks."""

    text: str
    marks: tuple[str, ...] = ()
    address: str = ""
    is_html: bool = False


@dataclass(slots=True)
class ParagraphLine:
    """The content of a paragraph while it is read."""

    story: Story
    look: RunLook
    paper: Colour
    pieces: list[_Piece] = field(default_factory=list)
    drawings: list[etree._Element] = field(default_factory=list)
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    address: str = ""

    @property
    def text(self) -> str:
        """The words without marks."""
        return "".join(piece.text for piece in self.pieces)

    def html(self, *, is_heading: bool = False) -> str:
        """The words with their marks; a heading has none but raised and lowered letters."""
        pieces = _without_inner_emphasis(self.pieces, is_heading=is_heading)
        return "".join(map(_piece_html, _merged(pieces))).strip()


def _merged(pieces: list[_Piece]) -> Iterator[_Piece]:
    kinds = groupby(pieces, lambda piece: (piece.marks, piece.address, piece.is_html))
    for (marks, address, is_html), group in kinds:
        yield _Piece("".join(piece.text for piece in group), marks, address, is_html)


def _without_inner_emphasis(pieces: list[_Piece], *, is_heading: bool) -> list[_Piece]:
    """The pieces, of which none is emphasised within a word, where marks would cut the word."""
    merged = [*_merged(pieces)]
    befores = ["", *(piece.text[-1:] for piece in merged)]
    afters = [*(piece.text[:1] for piece in merged[1:]), ""]
    return [
        _without_emphasis(piece)
        if is_heading or piece.address or _is_cut(before, piece.text, after)
        else piece
        for before, piece, after in zip(befores, merged, afters, strict=False)
    ]


def _is_cut(before: str, text: str, after: str) -> bool:
    """Whether a word goes on beyond the text."""
    return bool(
        (_WORD.match(before) and _WORD.match(text[:1]))
        or (_WORD.match(after) and _WORD.match(text[-1:]))
    )


def _without_emphasis(piece: _Piece) -> _Piece:
    marks = tuple(mark for mark in piece.marks if mark not in _TAGS)
    return replace(piece, marks=marks)


def _piece_html(piece: _Piece) -> str:
    if piece.is_html:
        return piece.text
    text = piece.text
    if "sup" in piece.marks:
        text = raised_text(text)
    elif "sub" in piece.marks:
        text = lowered_text(text)
    html = escape(text, quote=False).replace("\n", "<br>")
    if not piece.text.strip():
        return html
    for tag in (_TAGS[mark] for mark in piece.marks if mark in _TAGS):
        html = f"<{tag}>{html}</{tag}>"
    return f'<a href="{escape(piece.address)}">{html}</a>' if piece.address else html


class LineReader:
    """Reads what stands within paragraphs."""

    def __init__(self, document: WordDocument) -> None:
        self._document = document
        self._readers: Mapping[str, Callable[[etree._Element, ParagraphLine], None]] = {
            f"{W}r": self._run,
            f"{W}hyperlink": self._hyperlink,
            f"{W}fldSimple": self._simple_field,
            f"{W}sdt": self._control,
            f"{_M}oMath": self._equation,
            f"{_M}oMathPara": self._inner,
            f"{MC}AlternateContent": self._alternatives,
            **dict.fromkeys(_WRAPPERS, self._inner),
        }
        self._run_readers: Mapping[
            str, Callable[[etree._Element, RunLook, ParagraphLine], None]
        ] = {
            f"{W}t": self._text,
            f"{W}sym": self._symbol,
            f"{W}fldChar": self._field_character,
            f"{W}instrText": self._instruction,
            f"{W}footnoteReference": self._note_reference,
            f"{W}endnoteReference": self._note_reference,
            f"{W}commentReference": self._remark,
            f"{W}ruby": self._ruby,
            **dict.fromkeys(_SIGNS, self._sign),
            **dict.fromkeys(_DRAWINGS, self._drawing),
        }

    def read(self, paragraph: etree._Element, story: Story, paper: Colour) -> ParagraphLine:
        """The content of a paragraph on a paper; None is one of an unknown colour."""
        properties = paragraph.find(f"{W}pPr")
        style = self._document.styles.paragraph(value_of(properties, "pStyle"))
        shade = read_shade(properties) or style.paper
        own_paper = shade if isinstance(shade, tuple) else paper
        line = ParagraphLine(story, style.look, own_paper)
        self._inner(paragraph, line)
        if _PAGE_NUMBER in line.text:
            _drop_page_words(line)
        return line

    def _inner(self, parent: etree._Element, line: ParagraphLine) -> None:
        for child in parent:
            reader = self._readers.get(child.tag)
            if reader is not None:
                reader(child, line)

    def _alternatives(self, element: etree._Element, line: ParagraphLine) -> None:
        form = known_form(element)
        if form is not None:
            self._inner(form, line)

    def _hyperlink(self, element: etree._Element, line: ParagraphLine) -> None:
        link = line.story.links.get(element.get(f"{R}id", ""))
        outer = line.address
        line.address = link.target if link and link.is_outside else outer
        self._inner(element, line)
        line.address = outer

    def _simple_field(self, element: etree._Element, line: ParagraphLine) -> None:
        line.story.fields.begin(element.find(f"{W}ffData"), element.get(f"{W}instr", ""))
        line.story.fields.separate()
        self._inner(element, line)
        line.story.fields.end()

    def _control(self, element: etree._Element, line: ParagraphLine) -> None:
        properties, content = element.find(f"{W}sdtPr"), element.find(f"{W}sdtContent")
        if content is None or is_contents(element):
            return
        box = properties.find(f"{_W14}checkbox") if properties is not None else None
        if box is not None:
            checked = box.find(f"{_W14}checked")
            is_ticked = checked is not None and checked.get(f"{_W14}val", "1") not in {"0", "false"}
            self._add(TICKED if is_ticked else EMPTY, line.look, line)
        else:
            self._inner(content, line)
        is_field = any(_child(properties, name) is not None for name in _FORM_CONTROLS)
        if line.story.fields.are_shown and (box is not None or is_field):
            self._document.tally.note_read("field")

    def _equation(self, element: etree._Element, line: ParagraphLine) -> None:
        if not line.story.fields.are_shown:
            return
        html = equation_html(element)
        if html:
            before = line.pieces[-1].text[-1:] if line.pieces else ""
            line.pieces.append(_Piece(f" {html}" if _WORD.match(before) else html, is_html=True))
            self._document.tally.note_read("equation")

    def _run(self, run: etree._Element, line: ParagraphLine) -> None:
        look = self._document.styles.run_look(run.find(f"{W}rPr"), line.look)
        for child in run:
            if child.tag == f"{MC}AlternateContent":
                form = known_form(child)
                children = [] if form is None else [*form]
            else:
                children = [child]
            for element in children:
                reader = self._run_readers.get(element.tag)
                if reader is not None:
                    reader(element, look, line)

    def _add(self, text: str, look: RunLook, line: ParagraphLine) -> None:
        """Add letters if they are shown; count the words that are hidden."""
        fields = line.story.fields
        if fields.is_page_number:
            line.pieces.append(_Piece(_PAGE_NUMBER))
        if not text or not fields.are_shown:
            return
        if self._is_unseen(look, line):
            self._document.tally.note_unread("hidden_word", len(text.split()))
            return
        marks = [
            mark
            for mark, is_set in (
                ("bold", look.is_bold),
                ("italic", look.is_italic),
                ("struck", look.is_struck),
            )
            if is_set
        ]
        if look.script in {"superscript", "subscript"}:
            marks.insert(0, look.script[:3])
        line.pieces.append(_Piece(text, tuple(marks), line.address or fields.address))

    def _is_unseen(self, look: RunLook, line: ParagraphLine) -> bool:
        return look.over(self._document.styles.defaults).is_unseen(line.paper)

    def _text(self, element: etree._Element, look: RunLook, line: ParagraphLine) -> None:
        text = element.text or ""
        if look.font and is_symbol_font(look.font):
            text = "".join(self._sign_of(look.font, letter) for letter in text)
        elif _PRIVATE.search(text):
            text = _PRIVATE.sub(lambda match: self._sign_of("Symbol", match[0]), text)
        self._add(text, look, line)

    def _sign_of(self, font: str, letter: str) -> str:
        """The sign that a font draws for a letter; letters without a sign are counted."""
        sign = symbol(font, ord(letter))
        if not sign:
            self._document.tally.note_unread("letter")
        return sign

    def _symbol(self, element: etree._Element, look: RunLook, line: ParagraphLine) -> None:
        try:
            code = int(element.get(f"{W}char", ""), 16)
            letter = chr(code)
        except (ValueError, OverflowError):
            return
        self._add(self._sign_of(element.get(f"{W}font", ""), letter), look, line)

    def _sign(self, element: etree._Element, look: RunLook, line: ParagraphLine) -> None:
        is_page_break = element.get(f"{W}type", "textWrapping") != "textWrapping"
        self._add(" " if is_page_break else _SIGNS[element.tag], look, line)

    def _field_character(self, element: etree._Element, look: RunLook, line: ParagraphLine) -> None:
        kind, fields = element.get(f"{W}fldCharType"), line.story.fields
        if kind == "begin":
            fields.begin(element.find(f"{W}ffData"))
        elif kind == "separate":
            fields.separate()
        elif kind == "end":
            ended = fields.end()
            if value := form_value(ended):
                self._add(value, look, line)
            if is_form(ended.kind) and fields.are_shown:
                self._document.tally.note_read("field")
            elif ended.kind == "EQ" and not ended.shows_result:
                self._document.tally.note_unread("equation")

    def _instruction(self, element: etree._Element, _: RunLook, line: ParagraphLine) -> None:
        line.story.fields.instruct(element.text or "")

    def _note_reference(self, element: etree._Element, look: RunLook, line: ParagraphLine) -> None:
        kind = element.tag.removeprefix(W).removesuffix("Reference")
        note_id = element.get(f"{W}id", "")
        if not line.story.fields.are_shown or look.is_hidden:
            return
        has_own_mark = element.get(f"{W}customMarkFollows", "0") not in {"0", "false", "off"}
        label = "" if has_own_mark else self._document.note_label(kind, note_id)
        if label:
            line.pieces.append(_Piece(f"[{label}]"))
        line.notes.append((kind, note_id, label))

    def _remark(self, element: etree._Element, _: RunLook, line: ParagraphLine) -> None:
        line.remarks.append(element.get(f"{W}id", ""))

    def _ruby(self, element: etree._Element, _: RunLook, line: ParagraphLine) -> None:
        """Read the letters without their pronunciation, as of pages."""
        base = element.find(f"{W}rubyBase")
        if base is not None:
            self._inner(base, line)

    def _drawing(self, element: etree._Element, look: RunLook, line: ParagraphLine) -> None:
        if line.story.fields.are_shown and not look.is_hidden:
            line.drawings.append(element)


def _drop_page_words(line: ParagraphLine) -> None:
    """Drop the words around numbers of pages that were left out, such as "Page of".

    Between tabs and line breaks, few words without a digit belong to the number.
    """
    segments = (
        segment.replace(_PAGE_NUMBER, "")
        for segment in re.split(r"[\t\n]", line.text)
        if _PAGE_NUMBER not in segment
        or len(segment.split()) > _MOST_PAGE_WORDS
        or any(map(str.isdecimal, segment))
    )
    line.pieces[:] = [_Piece("\t".join(segments))]


def _child(parent: etree._Element | None, name: str) -> etree._Element | None:
    return parent.find(f"{W}{name}") if parent is not None else None
