"""From the parameters of a call to the text that a chat shows, with Telegram's limits."""

from rich_agent_sandbox.telegram.params import Params
from rich_agent_sandbox.telegram.refusals import bad_request
from rich_agent_sandbox.telegram.text.entities import (
    Entity,
    FormattedText,
    fix_text,
    read_entities,
    utf16_length,
)
from rich_agent_sandbox.telegram.text.html_markup import parse_html
from rich_agent_sandbox.telegram.text.markdown_markup import parse_markdown_v2

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024


def read_text(params: Params, *, may_be_empty: bool = False) -> FormattedText:
    """`text` with `parse_mode` or `entities`; at most 4096 UTF-16 units after parsing.

    Raises: BotApiError when it is empty, too long, or its entities cannot be parsed.
    """
    found = _read(params, "text", "entities")
    if not found.text and not may_be_empty:
        raise bad_request("message text is empty")
    if utf16_length(found.text) > TEXT_LIMIT:
        raise bad_request("message is too long")
    return found


def read_caption(params: Params) -> FormattedText:
    """`caption`, likewise; at most 1024 UTF-16 units, may be empty. Raises: BotApiError."""
    found = _read(params, "caption", "caption_entities")
    if utf16_length(found.text) > CAPTION_LIMIT:
        raise bad_request("message caption is too long")
    return found


def _read(params: Params, text_name: str, entities_name: str) -> FormattedText:
    text = params.text(text_name)
    return fix_text(*_parse(params, text, entities_name))


def _parse(params: Params, text: str, entities_name: str) -> tuple[str, list[Entity]]:
    mode = params.text("parse_mode").lower()
    if mode == "html":
        return parse_html(text)
    if mode == "markdownv2":
        return parse_markdown_v2(text)
    if mode:
        raise bad_request("unsupported parse_mode")
    given = params.values.get(entities_name)
    return text, read_entities(given) if given not in (None, "") else []
