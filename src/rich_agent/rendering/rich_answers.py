"""Renders an answer as a rich message with tables, headings and lists; links as permitted."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyromark

from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.answer.links import AllowedLinks, find_links, is_web
from rich_agent.domain.json_values import strings_in
from rich_agent.ports.bot_api import RICH_WORDS, RenderedMessage, RichBlock, TextEntity
from rich_agent.rendering.answers import link_markers, render, render_sources
from rich_agent.rendering.dialect import OPTIONS, read_dialect, verbatim
from rich_agent.rendering.markdown import TextWalk, language_of, named_tag
from rich_agent.rendering.spans import VERBATIM, Reach, nest_entities, restrict_links, utf16_offsets

MOST_CHARACTERS, MOST_BLOCKS, MOST_COLUMNS = 32_768, 500, 20
"""Limits of a rich message. Source: Bot API, "Rich messages"."""
MOST_DEPTH = 12
"""The most levels of blocks within blocks; far more than anybody reads."""
_ALIGNED = {"Center": "center", "Right": "right"}
_TEXTS = frozenset({"Paragraph", "Heading", "HtmlBlock"})

RichText = Any
"""A string, a list of rich texts, or an object with a type. Source: Bot API, RichText."""
Wording = Callable[[RenderedMessage], RichText]


def read_blocks(markdown: str, wording: Wording) -> list[RichBlock] | None:
    """The blocks of a text, with words converted by `wording`; None if they exceed a limit."""
    source = read_dialect(markdown)
    reader = _Reader(source.encode(), wording)
    for event, event_range in pyromark.events_with_range(source, options=OPTIONS):
        reader.take(event, event_range["start"])
    blocks = reader.finish()
    return blocks if is_within_limits(blocks) else None


def is_within_limits(blocks: list[RichBlock]) -> bool:
    """Whether Telegram accepts the blocks; each item and row counts as a block."""
    parts_with_depth = list(_parts_of(blocks))
    parts = [part for part, _ in parts_with_depth]
    column_counts = (len(row) for part in parts for row in part.get("cells", ()))
    block_count = sum("type" in part or "blocks" in part for part in parts)
    row_count = sum(len(part.get("cells", ())) for part in parts)
    char_count = sum(len(text) for block in blocks for text in strings_in(block, RICH_WORDS))
    return (
        block_count + row_count <= MOST_BLOCKS
        and max((depth for _, depth in parts_with_depth), default=0) <= MOST_DEPTH
        and max(column_counts, default=0) <= MOST_COLUMNS
        and char_count <= MOST_CHARACTERS
    )


def _parts_of(blocks: list[RichBlock]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Blocks and items, each with its depth: the number of blocks and items around it."""
    pending_parts: list[tuple[Mapping[str, Any], int]] = [(block, 0) for block in blocks]
    while pending_parts:
        part, depth = pending_parts.pop()
        yield part, depth
        inner = (*part.get("blocks", ()), *part.get("items", ()))
        pending_parts += [(inner_part, depth + 1) for inner_part in inner]


@dataclass(slots=True)
class _Frame:
    """An open block that contains others: the message, a quote, a list or an item."""

    kind: str
    blocks: list[RichBlock] = field(default_factory=list)
    number: int | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Reader:
    """Collects blocks from the parser's events, one at a time."""

    source: bytes
    wording: Wording
    _frames: list[_Frame] = field(default_factory=lambda: [_Frame("message")])
    _words: TextWalk | None = None
    _code: list[str] | None = None
    _language: str | None = None
    _alignments: tuple[str, ...] = ()
    _rows: list[list[dict[str, Any]]] = field(default_factory=list)

    def finish(self) -> list[RichBlock]:
        """The blocks of the message."""
        self._end_words()
        return self._frames[0].blocks

    def take(self, event: object, start: int) -> None:
        """Add the blocks of an event; `start` is the event's offset in the source, in bytes."""
        match event:
            case {"Start": tag}:
                name, data = named_tag(tag)
                if not self._begin(name, data):
                    self._say(event, start)
            case {"End": tag}:
                if not self._end(named_tag(tag)[0]):
                    self._say(event, start)
            case "Rule":
                self._add({"type": "divider"})
            case {"Text": str(text)} if self._code is not None:
                self._code.append(text)
            case {"DisplayMath": str(latex)} if not self._rows:
                expression = verbatim(latex).strip()
                self._add({"type": "mathematical_expression", "expression": expression})
            case {"TaskListMarker": bool(is_done)}:
                self._frames[-1].extra = {"has_checkbox": True, "is_checked": is_done}
            case _:
                self._say(event, start)

    def _say(self, event: object, start: int) -> None:
        """Write an event into the text of the present block."""
        if self._words is None:
            self._words = TextWalk(self.source, is_cell=bool(self._rows))
        self._words.take(event, start)

    def _begin(self, name: str, data: object) -> bool:
        """Begin a block; return False if the event does not begin a block of the message."""
        match name, data:
            case _ if name in _TEXTS:
                self._end_words()
            case "BlockQuote", _:
                self._open("blockquote")
            case "List", (int() | None) as first:
                self._open("list", first)
            case "Item", _:
                self._open("item")
            case "CodeBlock", _:
                self._end_words()
                self._code, self._language = [], language_of(data)
            case "Table", tuple(alignments):
                self._end_words()
                self._alignments, self._rows = alignments, []
            case (("TableHead" | "TableRow"), _):
                self._rows.append([])
            case "TableCell", _:
                self._words = None
            case _:
                return False
        return True

    def _end(self, name: str) -> bool:
        """End a block; return False if the event does not end a block of the message."""
        match name:
            case "Paragraph" | "HtmlBlock":
                self._end_words()
            case "Heading":
                self._end_words({"type": "heading", "size": 3})
            case "CodeBlock":
                self._end_code()
            case "BlockQuote" | "List" | "Item":
                self._close()
            case "TableCell":
                self._end_cell()
            case "Table":
                cells, self._rows = self._rows, []
                self._add({"type": "table", "cells": cells, "is_bordered": True})
            case "TableHead" | "TableRow":
                pass
            case _:
                return False
        return True

    def _open(self, kind: str, number: int | None = None) -> None:
        """Open a block that contains others."""
        self._end_words()
        self._frames.append(_Frame(kind, number=number))

    def _close(self) -> None:
        """Close the block, and add it to the one around it."""
        self._end_words()
        frame, outer = self._frames.pop(), self._frames[-1]
        if frame.kind == "list":
            self._add({"type": "list", "items": frame.blocks})
        elif frame.kind == "blockquote":
            self._add({"type": "blockquote", "blocks": frame.blocks})
        else:
            blocks = frame.blocks or [{"type": "paragraph", "text": ""}]
            number = {} if outer.number is None else {"value": outer.number, "type": "1"}
            outer.blocks.append({"blocks": blocks, **number, **frame.extra})
            outer.number = None if outer.number is None else outer.number + 1

    def _end_words(self, block: Mapping[str, Any] | None = None) -> None:
        """Add the text so far as a block."""
        words, self._words = self._words, None
        text = words.finish() if words else RenderedMessage("")
        if text.text:
            self._add({**(block or {"type": "paragraph"}), "text": self.wording(text)})

    def _end_code(self) -> None:
        """Add the code so far as a block."""
        text = verbatim("".join(self._code or ()).removesuffix("\n"))
        self._code = None
        language = {"language": self._language} if self._language else {}
        self._add({"type": "pre", "text": text, **language})

    def _end_cell(self) -> None:
        """Add the text so far as a cell."""
        words, self._words = self._words, None
        row = self._rows[-1]
        alignment = self._alignments[len(row)] if len(row) < len(self._alignments) else ""
        cell: dict[str, Any] = {"align": _ALIGNED.get(alignment, "left"), "valign": "top"}
        cell["text"] = self.wording(words.finish()) if words else ""
        if len(self._rows) == 1:
            cell["is_header"] = True
        row.append(cell)

    def _add(self, block: RichBlock) -> None:
        """Add a block after the text so far."""
        if self._words is not None:
            self._end_words()
        self._frames[-1].blocks.append(block)


_TYPES: Mapping[str, str] = {
    "bold": "bold",
    "italic": "italic",
    "underline": "underline",
    "strikethrough": "strikethrough",
    "spoiler": "spoiler",
    "code": "code",
    "pre": "code",
}
_PLAIN = frozenset({"paragraph", "pre", "blockquote"})


def render_rich(
    answer: Answer, *, locale: str, allowed_links: Iterable[str] = ()
) -> RenderedMessage | None:
    """The answer as one rich message; None if an ordinary message shows the answer as well.

    An ordinary message is enough for paragraphs, quotes and code that fit into one message. None
    also if the answer exceeds the limits of a rich message.
    """
    parts = render(answer, locale=locale, allowed_links=allowed_links)
    link_by_number = {citation.number: citation.link for citation in answer.citations}
    cited_links = (
        link
        for citation in answer.citations
        for link in (citation.link, citation.source_url)
        if is_web(link)
    )
    permitted_links = AllowedLinks.of([*allowed_links, *cited_links])

    def wording(text: RenderedMessage) -> RichText:
        linked_text = link_markers(restrict_links(text, permitted_links), link_by_number)
        return rich_text(_with_bare_links(linked_text, permitted_links))

    blocks = read_blocks(answer.text, wording)
    if blocks is None or (len(parts) == 1 and all(block["type"] in _PLAIN for block in blocks)):
        return None
    sources: list[RichBlock] = [
        {"type": "paragraph", "text": rich_text(part)}
        for part in render_sources(answer.citations, locale)
    ]
    all_blocks = [*blocks, *sources]
    if not is_within_limits(all_blocks):
        return None
    return replace(parts[0], blocks=tuple(all_blocks))


def _with_bare_links(message: RenderedMessage, permitted_links: AllowedLinks) -> RenderedMessage:
    """The message with permitted addresses as links, because Telegram shall not find any."""
    offsets = utf16_offsets(message.text)
    closed_spans = Reach.of(
        entity for entity in message.entities if entity.type in VERBATIM | {"text_link"}
    )
    new_links: list[TextEntity] = []
    for address in find_links(message.text):
        link = next(filter(permitted_links.permit, address.texts), None)
        if link is None or "@" in link or link.startswith("+"):
            continue
        start, end = offsets[address.start], offsets[address.start + len(link)]
        if closed_spans.of_those_before(end) <= start:
            url = link if is_web(link) else f"https://{link}"
            new_links.append(TextEntity("text_link", start, end - start, url=url))
    return RenderedMessage(message.text, nest_entities([*message.entities, *new_links]))


def rich_text(message: RenderedMessage) -> RichText:
    """The text with its entities as nested rich text. Source: Bot API, RichText."""
    utf16_bytes = message.text.encode("utf-16-le")
    entities = sorted(message.entities, key=lambda entity: (entity.offset, -entity.length))
    return _range(utf16_bytes, 0, len(utf16_bytes) // 2, deque(filter(_type_of, entities)))


def _type_of(entity: TextEntity) -> str | None:
    """The type of rich text for an entity, None for none."""
    return "url" if entity.type == "text_link" and entity.url else _TYPES.get(entity.type)


def _range(units: bytes, start: int, end: int, entities: deque[TextEntity]) -> RichText:
    """The text between two offsets with its entities as rich text."""
    rich_parts: list[Any] = []
    position = start
    while entities:
        outer = entities.popleft()
        outer_end = min(outer.offset + outer.length, end)
        if outer.offset < position or outer_end <= outer.offset:
            continue
        rich_parts.append(units[2 * position : 2 * outer.offset].decode("utf-16-le"))
        inner_entities: deque[TextEntity] = deque()
        while entities and entities[0].offset < outer_end:
            inner_entities.append(entities.popleft())
        span: dict[str, Any] = {
            "type": _type_of(outer),
            "text": _range(units, outer.offset, outer_end, inner_entities),
        }
        rich_parts.append({**span, "url": outer.url} if span["type"] == "url" else span)
        position = outer_end
    rich_parts.append(units[2 * position : 2 * end].decode("utf-16-le"))
    filled_parts = [part for part in rich_parts if part]
    return filled_parts[0] if len(filled_parts) == 1 else (filled_parts or "")
