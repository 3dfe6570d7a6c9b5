"""Decodes bytes to text without invisible characters, and reads notebooks as Markdown."""

import codecs
import re
from collections.abc import Mapping
from typing import Final, Literal

from pydantic import BaseModel, Field, ValidationError

from rich_agent.documents.extract.extracted import ExtractionError
from rich_agent.domain.text import normalized

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(
    rb"<(?:meta|\?xml)[^<>]+?(?:charset|encoding)\s*+=\s*+[\"']?\s*+([\w.:-]+)", re.IGNORECASE
)
_META_WITHIN = 4_096
_TEXT_WITHIN = 64 * 1024
# The meaning of these names on the web. Source: WHATWG Encoding Standard, names and labels.
_SUPERSETS: Final[Mapping[str, str]] = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
_DEFAULT_OF_SERVERS: Final = "cp1252"
_ONE_BYTE_EACH: Final = ("cp125", "cp874", "iso8859", "koi8", "mac")
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_GUESSED_BEFORE: Final = 256
_GUESSED_FROM: Final = 512 * 1024
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
# Codecs of Python that are not charsets of pages; the first two take quadratic time.
_NO_CHARSETS = frozenset(
    {"punycode", "idna", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined"}
)
# Bidi controls, zero-width marks and tag characters can hide words from a reader.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
_VARIATION_RUN = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
# Single joiners are legitimate between letters of some scripts and between emoji.
_STRAY_JOINER = re.compile(
    "(?<![^\x00-\x7f\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f\u200c\u200d])"
)
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACE = re.compile("[\u00a0\u2000-\u200a\u202f\u205f]")
_UNUSUAL = re.compile(r"[^\t\n -~]")


def decode(data: bytes, charset: str | None, *, is_html: bool) -> str:
    """The text of the bytes.

    The charset is taken from the byte order mark, `charset` or `<meta>`, in this order, as far as
    the bytes fit it. A claim of an alphabet with one byte for each letter is weak, because any
    bytes fit it: UTF-8 and, if it is the default of servers, `<meta>` are preferred. Bytes that
    fit nothing are in the charset that a browser would guess.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(name, errors="replace")
    claimed, in_page = _codec(charset or ""), ""
    if is_html and (meta_match := _META.search(data, 0, _META_WITHIN)):
        in_page = _codec(meta_match[1].decode("ascii", "replace"))
    if in_page and (not claimed or claimed == _DEFAULT_OF_SERVERS):
        claimed, in_page = in_page, claimed
    codecs_by_rank = list(dict.fromkeys(filter(None, [claimed, in_page, "utf-8"])))
    if claimed.startswith(_ONE_BYTE_EACH):
        codecs_by_rank.sort(key="utf-8".__ne__)
    for codec in codecs_by_rank:
        try:
            return data.decode(codec)
        except UnicodeError:
            continue
    fitting_texts = (_nearly_fitting(data, codec) for codec in codecs_by_rank)
    return next(filter(None, fitting_texts), "") or _guess_text(data)


def _nearly_fitting(data: bytes, codec: str) -> str:
    """The text with a mark for each damaged character, "" if they are too many for this charset.

    Letters of UTF-8 hardly occur by chance, so a few of them are enough.
    """
    text = data.decode(codec, errors="replace")
    damaged_count = text.count("\ufffd")
    other_count = len(_NOT_ASCII.findall(text)) - damaged_count
    return text if other_count >= damaged_count * (1 if codec == "utf-8" else 10) else ""


def _guess_text(data: bytes) -> str:
    from chardetng_py import EncodingDetector  # noqa: PLC0415 - few documents need it

    first = _HIGH_BYTE.search(data)
    start = max(0, first.start() - _GUESSED_BEFORE) if first else 0
    detector = EncodingDetector()
    detector.feed(data[start : start + _GUESSED_FROM], last=False)
    codec = _codec(detector.guess(tld=None, allow_utf8=False)) or _DEFAULT_OF_SERVERS
    return data.decode(codec, errors="replace")


def has_byte_order_mark(data: bytes) -> bool:
    """Whether the bytes begin with a byte order mark of Unicode."""
    return data.startswith(tuple(bom for bom, _ in _BOMS))


def is_text(data: bytes) -> bool:
    """Whether the bytes are text, by their beginning."""
    head = data[:_TEXT_WITHIN]
    if head.startswith((b"%PDF-", b"PK\x03\x04")):
        return False
    return has_byte_order_mark(data) or b"\0" not in head


def _codec(label: str) -> str:
    """The name of Python's codec for a charset, "" if it is unknown."""
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return ""
    return "" if name in _NO_CHARSETS else _SUPERSETS.get(name, name)


def visible(text: str) -> str:
    """The text without invisible characters, in NFC, with plain spaces and LF line ends."""
    if not _UNUSUAL.search(text):
        return text
    text = _LINE_END.sub("\n", text)
    text = _INVISIBLE.sub("", _CONTROL.sub("", text))
    text = _STRAY_JOINER.sub("", _VARIATION_RUN.sub("", text))
    return normalized("NFC", _SPACE.sub(" ", text))


_FENCE = "````"


class _Cell(BaseModel):
    """A cell; its source is a string or a list of lines."""

    cell_type: Literal["markdown", "code", "raw", "heading"]
    source: str | list[str] = ""

    @property
    def text(self) -> str:
        return "".join(self.source).strip()


class _Metadata(BaseModel):
    language_info: dict[str, object] = Field(default_factory=dict)


class _Notebook(BaseModel):
    cells: list[_Cell]
    metadata: _Metadata = Field(default_factory=_Metadata)


def notebook_markdown(data: bytes) -> str:
    """The Markdown cells unchanged, and code cells as fenced code. Raises: ExtractionError."""
    try:
        notebook = _Notebook.model_validate_json(data)
    except ValidationError as error:
        raise ExtractionError("this is not a notebook of version 4") from error
    language = str(notebook.metadata.language_info.get("name", "python"))
    cells = [cell for cell in notebook.cells if cell.text and cell.cell_type != "raw"]
    return "\n\n".join(
        f"{_FENCE}{language}\n{cell.text}\n{_FENCE}" if cell.cell_type == "code" else cell.text
        for cell in cells
    )
