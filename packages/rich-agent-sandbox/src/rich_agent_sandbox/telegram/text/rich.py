"""Reads rich messages that are given as blocks, with Telegram's limits.

Source: https://core.telegram.org/bots/api#inputrichmessage. HTML, Markdown and media are refused.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.refusals import bad_request

Json = Mapping[str, Any]
MOST_CHARACTERS, MOST_BLOCKS, MOST_COLUMNS = 32_768, 500, 20
_ALIGNS, _VALIGNS = {"left", "center", "right"}, {"top", "middle", "bottom"}
_NEEDED: Mapping[str, str] = {
    "paragraph": "text",
    "heading": "text",
    "pre": "text",
    "footer": "text",
    "divider": "",
    "mathematical_expression": "expression",
    "blockquote": "blocks",
    "list": "items",
    "table": "cells",
    "details": "summary",
}
_STYLES = frozenset(
    {
        *("bold", "italic", "underline", "strikethrough", "spoiler", "code", "url"),
        *("subscript", "superscript", "marked"),
    }
)


def read_blocks(params: Params) -> tuple[Json, ...] | None:
    """The blocks of `rich_message`, None without it. Raises: BotApiError."""
    rich = params.fields("rich_message")
    if rich is None:
        return None
    blocks = rich.get("blocks")
    if not isinstance(blocks, list) or not blocks or {"html", "markdown", "media"} & set(rich):
        raise bad_request("rich message must have blocks here, and nothing else")
    if rich.get("skip_entity_detection") is not True:
        raise bad_request("this sandbox detects no entities: set skip_entity_detection")
    found = list(_walk(blocks))
    for block in found:
        _check(block)
    if len(found) > MOST_BLOCKS:
        raise bad_request("RICH_MESSAGE_TOO_MANY_BLOCKS")
    if len(words_of(blocks)) > MOST_CHARACTERS:
        raise bad_request("RICH_MESSAGE_TOO_LONG")
    return tuple(blocks)


def _walk(blocks: list[Any]) -> Iterator[Json]:
    for block in blocks:
        if not isinstance(block, dict):
            raise bad_request("can't parse rich block")
        yield block
        yield from _walk(block.get("blocks") or [])
        for item in block.get("items") or []:
            yield from _walk(item["blocks"])


def _check(block: Json) -> None:
    kind = str(block.get("type"))
    if kind not in _NEEDED:
        raise bad_request(f"can't parse rich block: unknown type {kind}")
    if _NEEDED[kind] and _NEEDED[kind] not in block:
        raise bad_request(f"can't parse rich block: {kind} without {_NEEDED[kind]}")
    _check_text(block.get("text", ""))
    for row in block.get("cells", []):
        if len(row) > MOST_COLUMNS:
            raise bad_request("RICH_MESSAGE_TABLE_TOO_WIDE")
        for cell in row:
            if cell.get("align") not in _ALIGNS or cell.get("valign") not in _VALIGNS:
                raise bad_request("can't parse rich block: a cell without alignment")
            _check_text(cell.get("text", ""))


def _check_text(text: object) -> None:
    match text:
        case str():
            return
        case list() as parts:
            for part in parts:
                _check_text(part)
        case {"type": str(kind), "text": inner} if kind in _STYLES:
            if kind == "url" and not str(text.get("url", "")).startswith(("http://", "https://")):  # type: ignore[attr-defined]  # a dict
                raise bad_request("can't parse rich text: wrong URL")
            _check_text(inner)
        case _:
            raise bad_request("can't parse rich text")


def words_of(part: object) -> str:
    """Return the text of blocks or rich text; blocks, items and cells have lines of their own."""
    match part:
        case str():
            return part
        case list():
            between = "\n" if part and _is_block(part[0]) else ""
            return between.join(map(words_of, part))
        case dict():
            names = ("summary", "text", "expression", "cells", "items", "blocks")
            return "\n".join(words_of(part[name]) for name in names if name in part)
    return ""


def _is_block(part: object) -> bool:
    if isinstance(part, list):
        return True
    if not isinstance(part, dict):
        return False
    return part.get("type") in _NEEDED or bool({"blocks", "align"} & set(part))
