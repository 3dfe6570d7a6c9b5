"""Converts the SDK's tools and results into the product's values, within limits, without files."""

from typing import Any, assert_never
from urllib.parse import urlsplit

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    Tool,
    ToolAnnotations,
)

from rich_agent.feature.text import clean_text, printable, shorten
from rich_agent.features.mcp.definitions import ServerTool
from rich_agent.features.mcp.limits import MOST_PARTS
from rich_agent.features.mcp.ports import ServerAnswer, ServerText

MOST_TEXT = 20_000
"""Most characters that are kept of a text."""
_NAME_CHARS, _DESCRIPTION_CHARS, _LINE_CHARS = 200, 4_000, 300


def to_server_tool(server: str, tool: Tool) -> ServerTool:
    """The tool with its hints. A missing hint counts as the worst case."""
    hints = tool.annotations or ToolAnnotations()
    return ServerTool(
        server,
        _clean(tool.name, _NAME_CHARS),
        _clean(tool.title or hints.title or "", _NAME_CHARS),
        _clean(tool.description or "", _DESCRIPTION_CHARS),
        tool.input_schema,
        is_read_only=hints.read_only_hint is True,
        is_destructive=hints.read_only_hint is not True and hints.destructive_hint is not False,
        is_idempotent=hints.idempotent_hint is True,
        is_open_world=hints.open_world_hint is not False,
    )


def to_answer(result: CallToolResult) -> ServerAnswer:
    """The structured content, or the texts if there is none; other parts are named."""
    structured = result.structured_content
    parts = [_read(block) for block in result.content[:MOST_PARTS]]
    attachments = [part for part in parts if isinstance(part, str)]
    if surplus_count := len(result.content) - MOST_PARTS:
        attachments += [f"{surplus_count} more parts, not shown"] if surplus_count > 0 else []
    texts = [part for part in parts if isinstance(part, ServerText)]
    if (
        isinstance(structured, dict)
        and structured.keys() == {"result"}
        and isinstance(structured["result"], str)
    ):
        # The SDK wraps the result of a function that is declared to return a text in this way.
        texts, structured = texts or [ServerText(_clean(structured["result"], MOST_TEXT))], None
    if structured is not None:
        texts = []
    return ServerAnswer(structured, tuple(texts), tuple(attachments), result.is_error)


def _read(block: ContentBlock) -> ServerText | str:
    match block:
        case TextContent():
            return ServerText(_clean(block.text, MOST_TEXT))
        case ImageContent() | AudioContent():
            return _line(f"{block.type} ({block.mime_type}, {_size_of(block.data)})")
        case ResourceLink():
            return _line(f"{block.title or block.name}: {block.uri}")
        case EmbeddedResource():
            return _read_resource(block)
        case _:
            assert_never(block)


def _read_resource(block: EmbeddedResource) -> ServerText | str:
    resource = block.resource
    if isinstance(resource, BlobResourceContents):
        media_type = resource.mime_type or "a file"
        return _line(f"{resource.uri} ({media_type}, {_size_of(resource.blob)})")
    return ServerText(_clean(resource.text, MOST_TEXT), _web_address(resource.uri), resource.uri)


def _web_address(uri: str) -> str:
    """The address if people can open it in a browser, else ""."""
    line = _line(uri)
    try:
        return line if urlsplit(line).scheme in {"http", "https"} else ""
    except ValueError:
        return ""


def _size_of(base64: str) -> str:
    return f"{len(base64) * 3 // 4_096:,} kB"


def _line(text: Any) -> str:  # noqa: ANN401 - whatever a server sends
    return shorten(_clean(str(text), _LINE_CHARS * 2), _LINE_CHARS)


def _clean(text: str, most: int) -> str:
    """The text, cut first, without characters that cannot be stored or shown."""
    return printable(clean_text(text[:most]))
