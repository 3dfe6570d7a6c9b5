"""Converts RTF to HTML: paragraphs, lists with their numbers, tables, notes, remarks.

Text that nobody sees is left out. Pictures and objects are counted, equations are not read.

Source: Rich Text Format Specification 1.9.1 (Microsoft, 2008).
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from itertools import pairwise, repeat
from typing import Final

from rich_agent.documents.extract.alternatives import alternative_text
from rich_agent.documents.extract.colours import WHITE, Colour, is_unreadable
from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.documents.extract.list_lines import ListLine, lines_html
from rich_agent.documents.extract.table_markup import table_of_markup
from rich_agent.domain.inventory import Tally

_TOKEN: Final = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<value>-?[0-9]{1,10})? ?"
    r"|\\'(?P<byte>[0-9A-Fa-f]{2})|\\(?P<sign>[^A-Za-z])|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]++)"
    r"|[\r\n]++|\\"
)
_CHARACTERS: Final[Mapping[str, str]] = {
    "tab": " ", "line": " ", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ",
    "qmspace": " ", "column": " ", "nestcell": " ", "nestrow": " ",
}  # fmt: skip
_SIGNS: Final[Mapping[str, str]] = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\"}
_CHARSETS: Final[Mapping[int, str]] = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gb18030", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250",
}  # fmt: skip
_SKIPPED: Final = frozenset(
    ("listtable", "pict", "background", "nonshppict", "private1", "xe", "tc",
     "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "upr", "bkmkstart", "bkmkend",
     "template", "datafield", "do", "falt", "panose", "mmathPr", "author", "info",
     "object", "result", "nonesttables")
)  # fmt: skip
# Destinations that other programs may skip, but that hold what a person sees.
_OPEN: Final = frozenset(
    ("shppict", "shpinst", "ud", "picprop", "formfield", "field", "shp", "fldrslt")
)
_MARGINS: Final = frozenset(
    ("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf")
)
_FLOWS: Final = _MARGINS | {"footnote", "annotation", "shptxt"}
_KNOWN_WITHIN: Final = frozenset(("title", "pict", "sn", "sv"))
"""Destinations that are read within ones that are not."""
_TABLES: Final[Mapping[str, str]] = {
    "fonttbl": "fonts", "colortbl": "colours", "stylesheet": "styles"
}  # fmt: skip
_LABELS: Final = frozenset(("listtext", "pntext"))
_BUFFERED: Final = _LABELS | {"title", "sn", "sv", "atnauthor", "fldinst", "mmath"}
_SILENT_FIELDS: Final = frozenset(("TOC", "PAGE", "NUMPAGES", "SECTIONPAGES", "INDEX"))
_COLOUR_CHANNELS: Final = ("red", "green", "blue")
_OF_TEXT: Final[Mapping[str, tuple[str, str]]] = {
    "uc": ("skipped", "1"), "v": ("is_hidden", ""), "deleted": ("is_hidden", ""),
    "fs": ("size", "24"), "cf": ("ink", "0"), "highlight": ("paper", "0"), "cb": ("paper", "0"),
    "chcbpat": ("paper", "0"), "cbpat": ("paper", "0"), "super": ("script", "sup"),
    "sub": ("script", "sub"), "nosupersub": ("script", ""),
}  # fmt: skip
"""The property of text that a word sets, and its value without a number."""
_UNKNOWN: Final = -1  # in place of the number of a colour
_TINY: Final = 4  # half points
_ICON: Final = 567  # twips in a centimetre
_CHECKBOX: Final = 1
_DEFAULT_RESULT: Final = 25
_DEEPEST: Final = 500
_LEVELS: Final = 9
_MOST_CELLS: Final = 200_000
_MOST_COLUMNS: Final = 100
_NEAR_TWIPS: Final = 40  # of edges that a person takes for one
_MOST_CHARACTERS: Final = 20_000_000  # of a table, with the repeated text of its merged cells


@dataclass(slots=True)
class _State:
    """The settings within a group."""

    target: str = "body"
    """The destination that text goes to, "skip" for none."""
    charset: str = "cp1252"
    skipped: int = 1
    """The number of characters that stand for one of Unicode."""
    is_hidden: bool = False
    size: int = 24
    ink: int = 0
    paper: int = 0
    ground: int = 0
    """The number of the colour under the text and its paper, as for `_paper`."""
    script: str = ""
    opened: str = ""
    """The destination that begins with this group, "" if none does."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a table: its cells, how each is merged, and where each ends, in twips."""

    cells: Sequence[str]
    kinds: Sequence[str]
    edges: Sequence[int]

    @property
    def is_laid_out(self) -> bool:
        """Whether the places of all cells are told, in order."""
        return len(self.edges) >= len(self.cells) and all(a < b for a, b in pairwise(self.edges))

    def spans(self, columns: Sequence[int]) -> Iterator[int]:
        """The number of columns that each cell covers, where columns end at these places."""
        begin = 0
        for edge in self.edges[: len(self.cells)]:
            end = bisect_right(columns, edge)
            yield max(1, end - begin)
            begin = max(end, begin)


@dataclass(slots=True)
class _Flow:
    """A text that flows on its own: the body, a header, a note."""

    lines: list[ListLine] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    """What stands after the paragraph."""
    label: str = ""
    rows: list[_Row] = field(default_factory=list)
    """The rows of the open table."""
    cells: list[str] = field(default_factory=list)
    cell: list[str] = field(default_factory=list)

    def html(self) -> str:
        """The whole text as HTML."""
        self.close_table()
        return lines_html(self.lines)

    def close_table(self) -> None:
        """End the open table; each row has the text of the cells that it shares with others."""
        table: list[list[str]] = []
        length = 0
        columns = _columns(self.rows)
        for row in self.rows:
            texts: list[str] = []
            spans = row.spans(columns) if columns else repeat(1)
            for cell, (own_text, span) in enumerate(zip(row.cells, spans, strict=False)):
                kind = row.kinds[cell] if cell < len(row.kinds) else ""
                above = table[-1][len(texts)] if table and len(texts) < len(table[-1]) else ""
                shared = above if kind == "below" else texts[-1] if kind == "beside" else ""
                text = own_text or shared
                is_head = not table and len(row.cells) > 1
                texts += [text, *[text if is_head else ""] * (span - 1)]
            length += sum(map(len, texts))
            if length > _MOST_CHARACTERS:
                raise ExtractionError("a table is too large", "too_long")
            if any(texts):
                table.append(texts)
        if table:
            self.lines.append(ListLine(table_of_markup(table), is_block=True))
        self.rows = []


def _columns(rows: Sequence[_Row]) -> list[int]:
    """The ends of a table's columns in twips, [] if they are not told."""
    if not all(row.is_laid_out for row in rows):
        return []
    columns: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges[: len(row.cells)]}):
        if columns and edge - columns[-1] <= _NEAR_TWIPS:
            continue
        columns.append(edge)
    is_fit = len(columns) <= _MOST_COLUMNS and len(columns) * len(rows) <= _MOST_CELLS
    return columns if is_fit else []


@dataclass(slots=True)
class _Paragraph:
    """The settings of a paragraph."""

    style: int = 0
    outline: int | None = None
    depth: int = 0
    is_in_table: bool = False
    table_depth: int = 1


def rtf_html(data: bytes) -> tuple[str, Tally]:
    """The text of an RTF file, and a count of its parts.

    Raises: ExtractionError.
    """
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{\\rtf"):
        raise ExtractionError("this is not RTF")
    reader = _Reader()
    reader.read(data.decode("latin-1"))
    title = f"<title>{escape(reader.title)}</title>"
    margins = "".join(dict.fromkeys(reader.margins))
    return f"{title}{reader.flows[0].html()}{margins}", reader.tally


class _Reader:
    """Reads the tokens of a file, one after the other."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.title = ""
        self.margins: list[str] = []
        self.flows = [_Flow()]
        self._states = [_State()]
        self._paragraph = _Paragraph()
        self._outer_paragraphs: list[_Paragraph] = []
        self._bytes = bytearray()
        self._units: list[int] = []
        self._to_skip = 0
        self._buffer: list[str] = []
        """The text of a destination that is not shown as it is."""
        self._charsets: dict[int, str] = {}
        self._font = 0
        self._colours: list[Colour] = []
        self._channels = [0, 0, 0]
        self._outlines: dict[int, int] = {}
        self._style = 0
        self._merges: list[str] = []
        self._merge = ""
        self._grounds: list[int] = []
        """The numbers of the colours of the cells of a row."""
        self._ground = 0
        self._edges: list[int] = []
        self._picture = {"picwgoal": 0, "pichgoal": 0}
        self._property, self._words = "", ""
        self._author = ""
        self._instruction = ""
        self._form: dict[str, int] = {}
        self._note_count = 0
        self._cell_count = 0
        self._handlers = self._words_of_flow()

    def _words_of_flow(self) -> dict[str, Callable[[int | None], None]]:
        """The words that end a piece of text or set a property, with what each does."""
        return {
            **dict.fromkeys(("par", "sect", "page"), self._end_paragraph),
            **{word: partial(self._set_text, word) for word in _OF_TEXT},
            **{word: partial(self._set_paragraph, word) for word in ("outlinelevel", "ilvl", "s")},
            "cell": self._end_cell,
            "row": self._end_row,
            "trowd": self._begin_row,
            "cellx": self._end_definition,
            "clvmrg": partial(self._set_merge, "below"),
            "clmrg": partial(self._set_merge, "beside"),
            "clcbpat": self._set_ground,
            "clshdng": self._set_shading,
            "pard": self._reset_paragraph,
            "intbl": partial(self._set_paragraph, "intbl"),
            "itap": partial(self._set_paragraph, "itap"),
            "plain": self._reset_text,
            "f": self._set_font,
            "ansicpg": self._set_code_page,
        }

    def read(self, text: str) -> None:
        """Read the whole file."""
        position, end = 0, len(text)
        while position < end:
            token = _TOKEN.match(text, position)
            if token is None:
                break
            position = token.end()
            if token["word"] == "bin":
                position += max(0, int(token["value"] or 0))
            else:
                self._read_token(token)
        self._end_paragraph()

    def _read_token(self, token: re.Match[str]) -> None:
        if token["brace"]:
            self._flush()
            self._open() if token["brace"] == "{" else self._close()
        elif token["byte"]:
            if self._is_shown_once():
                self._bytes.append(int(token["byte"], 16))
        elif token["word"]:
            self._control(token["word"], token["value"])
        elif token["sign"] == "*":
            self._states[-1].opened = "*"
        elif token["sign"] in {"\n", "\r"}:
            self._control("par", None)
        elif token["sign"]:
            self._flush()
            self._write(_SIGNS.get(token["sign"], ""))
        elif token["text"]:
            self._plain(token["text"])

    def _is_shown_once(self) -> bool:
        """Whether a character is no stand-in for one of Unicode that came before."""
        if self._to_skip:
            self._to_skip -= 1
            return False
        return True

    def _plain(self, text: str) -> None:
        skipped = min(self._to_skip, len(text))
        self._to_skip -= skipped
        self._bytes += text[skipped:].encode("latin-1")

    def _open(self) -> None:
        if len(self._states) > _DEEPEST:
            raise ExtractionError("it is nested too deeply")
        self._to_skip = 0
        self._states.append(replace(self._states[-1], opened=""))

    def _close(self) -> None:
        self._to_skip = 0
        if len(self._states) == 1:
            return
        state = self._states.pop()
        if state.opened not in {"", "*"}:
            self._end_destination(state.opened)

    def _control(self, word: str, value: str | None) -> None:
        number = int(value) if value else None
        state = self._states[-1]
        if word == "u" and number is not None:
            self._flush_bytes()
            self._units.append(number % 65536)
            self._to_skip = state.skipped
            return
        self._flush()
        self._to_skip = 0
        if state.opened in {"", "*"} and self._begin_destination(word, state):
            return
        if state.target in {"fonts", "colours", "styles"}:
            self._define(word, number)
        elif word in _CHARACTERS:
            self._write(_CHARACTERS[word])
        elif word in self._handlers and state.target != "skip":
            self._handlers[word](number)
        elif word in self._picture:
            self._picture[word] = number or 0
        elif word in {"fftype", "ffres", "ffdefres"}:
            self._form[word] = number or 0

    def _begin_destination(self, word: str, state: _State) -> bool:
        """Lead the text of a group to its place; whether the word names a destination."""
        may_be_skipped = state.opened == "*"
        if state.target == "skip" and word not in _KNOWN_WITHIN:
            return True
        if word in _TABLES:
            state.target = _TABLES[word]
        elif word in _FLOWS:
            self._begin_flow()
            state.target = "body"
            state.ground = _UNKNOWN if word == "shptxt" else 0
        elif word in _BUFFERED:
            state.target = "buffer"
            self._buffer = []
        elif word in _SKIPPED or (may_be_skipped and word not in _OPEN):
            state.target = "skip"
            self._skip(word)
        elif word == "fldrslt":
            is_silent = self._instruction.partition(" ")[0].upper() in _SILENT_FIELDS
            state.target = "skip" if is_silent else state.target
        elif word not in _OPEN:
            return False
        state.opened = word
        return True

    def _skip(self, word: str) -> None:
        """Note what is lost with a destination that is not read."""
        if word == "object":
            self.tally.note_unread("object")
        elif word == "pict":
            self._picture = {"picwgoal": 0, "pichgoal": 0}
        elif word == "background":
            self._colours = [None for _ in self._colours]

    def _end_destination(self, word: str) -> None:
        if word in _MARGINS:
            self.margins.append(self._end_flow())
        elif word in _BUFFERED:
            self._end_buffer(word, " ".join("".join(self._buffer).split()))
            self._buffer = []
        elif word == "shptxt":
            html = self._end_flow()
            self.flows[-1].after.append(html)
        else:
            endings = {
                "footnote": self._end_note,
                "annotation": self._end_remark,
                "field": self._end_field,
                "pict": self._end_picture,
            }
            endings.get(word, lambda: None)()

    def _end_buffer(self, word: str, words: str) -> None:
        if word in _LABELS:
            is_bullet = words in {"·", "o", "§", ""} or "\ue000" <= words <= "\uf8ff"
            self.flows[-1].label = "•" if is_bullet else words
        elif word == "title":
            self.title = words
        elif word == "sn":
            self._property = words
        elif word == "sv" and self._property == "wzDescription":
            self._words = alternative_text(words)
        elif word == "atnauthor":
            self._author = words
        elif word == "fldinst":
            self._instruction = words
        elif word == "mmath":
            self.tally.note_unread("equation")

    def _begin_flow(self) -> None:
        self.flows.append(_Flow())
        self._outer_paragraphs.append(self._paragraph)
        self._paragraph = _Paragraph()

    def _end_flow(self) -> str:
        self._end_paragraph()
        self._paragraph = self._outer_paragraphs.pop()
        return self.flows.pop().html()

    def _end_note(self) -> None:
        html = self._end_flow()
        self._note_count += 1
        mark = f"[{self._note_count}]"
        self._add(mark)
        is_paragraph = html.startswith("<p>")
        note = f"<p>{mark} {html[3:]}" if is_paragraph else f"<p>{mark}</p>{html}"
        self.flows[-1].after.append(note)

    def _end_remark(self) -> None:
        html = self._end_flow()
        if html:
            self.tally.note_read("remark")
            author = f"{escape(self._author)}: " if self._author else ""
            line = html.replace("<p>", f"<p>{author}", 1)
            self.flows[-1].after.append(f"<blockquote>{line}</blockquote>")

    def _end_field(self) -> None:
        if "FORM" in self._instruction:
            self.tally.note_read("field")
        if self._form.get("fftype") == _CHECKBOX:
            result = self._form.get("ffres", _DEFAULT_RESULT)
            is_on = self._form.get("ffdefres", 0) if result == _DEFAULT_RESULT else result
            self._add("☒ " if is_on else "☐ ")
        self._instruction, self._form = "", {}

    def _end_picture(self) -> None:
        """Count a picture; those of headers are logos."""
        words, self._words = self._words, ""
        sides = [side for side in self._picture.values() if side]
        is_small = any(side < _ICON for side in sides)
        if len(self.flows) > 1 or is_small or self._states[-1].target == "skip":
            return
        if words:
            self.tally.note_read("picture")
            self.flows[-1].after.append(f"<p>{escape(words)}</p>")
        else:
            self.tally.note_unread("picture")

    def _define(self, word: str, number: int | None) -> None:
        """Note an entry of the tables of fonts, colours and styles."""
        if word == "f":
            self._font = number or 0
        elif word == "fcharset" and (charset := _CHARSETS.get(number or 0)):
            self._charsets[self._font] = charset
        elif word in _COLOUR_CHANNELS:
            self._channels[_COLOUR_CHANNELS.index(word)] = min(255, max(0, number or 0))
        elif word in {"s", "cs", "ts"}:
            self._style = (number or 0) if word == "s" else -1
        elif word == "outlinelevel" and self._style >= 0:
            self._outlines[self._style] = number or 0

    def _flush(self) -> None:
        self._flush_units()
        self._flush_bytes()

    def _flush_units(self) -> None:
        if self._units:
            units, self._units = self._units, []
            data = b"".join(unit.to_bytes(2, "little") for unit in units)
            self._write(data.decode("utf-16-le", "replace"))

    def _flush_bytes(self) -> None:
        if not self._bytes:
            return
        data, self._bytes = bytes(self._bytes), bytearray()
        self._flush_units()
        self._write(data.decode(self._states[-1].charset, "replace"))

    def _write(self, text: str) -> None:
        """A text in the place of the current group."""
        target = self._states[-1].target
        if target == "colours":
            for _ in range(text.count(";")):
                self._colours.append((self._channels[0], self._channels[1], self._channels[2]))
                self._channels = [0, 0, 0]
        elif target == "buffer":
            self._buffer.append(text)
        elif target == "body" and text:
            if text.strip() and not self._is_seen():
                self.tally.note_unread("hidden_word", len(text.split()))
                return
            script = self._states[-1].script if text.strip() else ""
            words = escape(text)
            self._add(f"<{script}>{words}</{script}>" if script else words)

    def _add(self, html: str) -> None:
        self.flows[-1].pieces.append(html)

    def _is_seen(self) -> bool:
        state = self._states[-1]
        ink = self._colour(state.ink) if state.ink else None
        return not (state.is_hidden or state.size <= _TINY or is_unreadable(ink, self._paper()))

    def _paper(self) -> Colour:
        """The colour that the current text stands on, None if it cannot be told."""
        state, paragraph, column = self._states[-1], self._paragraph, len(self.flows[-1].cells)
        number = state.paper or state.ground
        if not number and paragraph.is_in_table:
            is_told = paragraph.table_depth == 1 and column < len(self._grounds)
            number = self._grounds[column] if is_told else _UNKNOWN
        return self._colour(number) if number else WHITE

    def _colour(self, number: int) -> Colour:
        return self._colours[number] if 0 <= number < len(self._colours) else None

    def _take_words(self) -> str:
        """The text since the last paragraph or cell."""
        flow = self.flows[-1]
        words = " ".join("".join(flow.pieces).split())
        flow.pieces = []
        return words

    def _end_paragraph(self, _: int | None = None) -> None:
        flow, paragraph = self.flows[-1], self._paragraph
        if self._states[-1].target == "skip":
            return
        words = self._take_words()
        if paragraph.is_in_table:
            label = f"{escape(flow.label)} " if flow.label else ""
            flow.cell += [f"{label}{words}"] if words else []
            flow.label = ""
            return
        flow.close_table()
        if words:
            flow.lines.append(self._line(words, flow.label))
        flow.lines += [ListLine(html, is_block=True) for html in flow.after]
        flow.label, flow.after = "", []

    def _line(self, words: str, label: str) -> ListLine:
        outline = self._paragraph.outline
        if outline is None:
            outline = self._outlines.get(self._paragraph.style)
        if outline is not None and outline < _LEVELS:
            tag = f"h{min(6, outline + 1)}"
            number = f"{escape(label)} " if label not in {"", "•"} else ""
            return ListLine(f"<{tag}>{number}{words}</{tag}>", is_block=True)
        depth = min(_LEVELS, max(0, self._paragraph.depth))
        return ListLine(words, depth if label else None, label)

    def _end_cell(self, _: int | None) -> None:
        flow = self.flows[-1]
        words = self._take_words()
        after, flow.after = "".join(flow.after), []
        label = f"{escape(flow.label)} " if flow.label and words else ""
        flow.label = ""
        flow.cells.append(" ".join(filter(None, [*flow.cell, f"{label}{words}"])) + after)
        flow.cell = []
        self._cell_count += 1
        if self._cell_count > _MOST_CELLS:
            raise ExtractionError("a table is too large", "too_long")

    def _end_row(self, _: int | None) -> None:
        flow = self.flows[-1]
        flow.rows.append(_Row(flow.cells, self._merges[:], self._edges[:]))
        flow.cells = []

    def _begin_row(self, _: int | None) -> None:
        self._merges, self._merge = [], ""
        self._grounds, self._ground = [], 0
        self._edges = []

    def _end_definition(self, edge: int | None) -> None:
        self._edges.append(edge or 0)
        self._merges.append(self._merge)
        self._grounds.append(self._ground)
        self._merge, self._ground = "", 0

    def _set_ground(self, number: int | None) -> None:
        self._ground = self._ground or number or 0

    def _set_shading(self, percent: int | None) -> None:
        """Note that a pattern mixes the colour of a cell with another one."""
        self._ground = _UNKNOWN if percent else self._ground

    def _reset_paragraph(self, _: int | None) -> None:
        if self._states[-1].target == "body":
            self._paragraph = _Paragraph()

    def _reset_text(self, _: int | None) -> None:
        state = self._states[-1]
        state.is_hidden, state.size, state.ink, state.paper, state.script = False, 24, 0, 0, ""

    def _set_font(self, number: int | None) -> None:
        default = self._charsets.get(-1, "cp1252")
        self._states[-1].charset = self._charsets.get(number or 0, default)

    def _set_code_page(self, number: int | None) -> None:
        try:
            charset = codecs.lookup(f"cp{number}").name
        except LookupError:
            return
        self._charsets[-1] = self._states[-1].charset = charset

    def _set_text(self, word: str, number: int | None) -> None:
        """Set a property of text."""
        name, default = _OF_TEXT[word]
        state = self._states[-1]
        if name == "script":
            state.script = "" if number == 0 else default
        elif name == "is_hidden":
            state.is_hidden = number != 0
        else:
            setattr(state, name, int(default) if number is None else number)

    def _set_paragraph(self, word: str, number: int | None) -> None:
        """Set a property of the paragraph."""
        if word == "intbl":
            self._paragraph.is_in_table = number != 0
        elif word == "itap":
            self._paragraph.table_depth = 1 if number is None else number
        elif word == "outlinelevel":
            self._paragraph.outline = number
        elif word == "ilvl":
            self._paragraph.depth = number or 0
        else:
            self._paragraph.style = number or 0

    def _set_merge(self, kind: str, _: int | None) -> None:
        self._merge = kind
