"""`POST /mcp`: the registered documents as an MCP server, without sessions.

Its two tools have the names and forms that ChatGPT's connectors expect.

Source: https://platform.openai.com/docs/mcp
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Final

import structlog
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from starlette.types import Receive, Scope, Send

from rich_agent.feature.errors import DailyLimitError, RichAgentError
from rich_agent.feature.knowledge import DocumentExcerpt, say_parts
from rich_agent.feature.text import ENGLISH
from rich_agent.feature.web import caller_of
from rich_agent.features.knowledge_api.knowledge import Knowledge

_TEXT: Final = {"type": "string"}
_READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_INSTRUCTIONS = (
    "Searches the documents that were registered with this assistant. `search` finds passages, "
    "`fetch` reads one with what stands around it. Cite a passage by its url."
)
_log = structlog.get_logger()


def _object(**properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


TOOLS: Final = (
    Tool(
        name="search",
        title="Search the documents",
        description="Find passages of the registered documents, by words and by meaning.",
        input_schema=_object(query={**_TEXT, "description": "A question or words, any language."}),
        output_schema=_object(
            results={"type": "array", "items": _object(id=_TEXT, title=_TEXT, url=_TEXT)}
        ),
        annotations=_READ_ONLY,
    ),
    Tool(
        name="fetch",
        title="Read a passage",
        description="Read a passage that `search` found, with what stands around it. Its metadata "
        "has the ids of the passages before and after, to read on, and as `not_read` the parts of "
        "the document that a person sees and that could not be read.",
        input_schema=_object(id={**_TEXT, "description": "An id of a result of `search`."}),
        output_schema=_object(
            id=_TEXT, title=_TEXT, text=_TEXT, url=_TEXT, metadata={"type": "object"}
        ),
        annotations=_READ_ONLY,
    ),
)


@dataclass(frozen=True, slots=True)
class McpEndpoint:
    """The server as an ASGI app. Its caller is already authenticated."""

    knowledge: Knowledge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. All work for the request ends with it."""
        server: Server[Any] = Server(
            "rich-agent",
            version=version("rich-agent"),
            instructions=_INSTRUCTIONS,
            on_list_tools=_list_tools,
            on_call_tool=self._call,
        )
        manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    async def _call(
        self, context: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        """The result of a tool. An error is text for the calling model."""
        assert context.request is not None  # noqa: S101 - every message comes by HTTP
        user_id = caller_of(context.request).user_id
        try:
            return await self._run(user_id, params.name, params.arguments or {})
        except DailyLimitError as error:
            return _failure(f"Nothing was searched: {error}.")
        except RichAgentError as error:
            _log.warning("mcp.call_failed", tool=params.name[:20], error=str(error))
            return _failure("The documents cannot be searched at the moment. Try again later.")
        except Exception:  # noqa: BLE001 - the SDK would send the error's text to the caller
            _log.exception("mcp.call_failed", tool=params.name[:20])
            return _failure("This did not work, because of a fault of the bot.")

    async def _run(
        self, user_id: int, tool_name: str, arguments: Mapping[str, Any]
    ) -> CallToolResult:
        if tool_name == "search":
            query = arguments.get("query")
            if not isinstance(query, str) or not query.strip():
                return _failure("Give `query`, a text.")
            results = await self.knowledge.find(user_id, query)
            return _result({"results": [asdict(passage_result) for passage_result in results]})
        if tool_name == "fetch":
            passage_id = arguments.get("id")
            document = None
            if isinstance(passage_id, str):
                document = await self.knowledge.read(user_id, passage_id)
            if document is None:
                return _failure("There is no passage with this id. Use an id that `search` found.")
            return _result(_document(*document))
        return _failure("There is no such tool. There are `search` and `fetch`.")


async def _list_tools(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListToolsResult:
    return ListToolsResult(tools=list(TOOLS))


def _document(excerpt: DocumentExcerpt, url: str) -> dict[str, Any]:
    """A passage in the form of `fetch`. All values in its metadata are texts."""
    previous_passages = excerpt.passages[: excerpt.asked]
    next_passages = excerpt.passages[excerpt.asked + 1 :]
    metadata = {
        "source": excerpt.source,
        "section": excerpt.passage.section,
        "passage": excerpt.passage.content,
        "position": f"{excerpt.position} of {excerpt.count}",
        **({"previous": previous_passages[-1].id} if previous_passages else {}),
        **({"next": next_passages[0].id} if next_passages else {}),
        **({"not_read": say_parts(ENGLISH, excerpt.unread)} if excerpt.unread else {}),
    }
    return {
        "id": excerpt.passage.id,
        "title": excerpt.label,
        "text": "\n\n".join(passage.content for passage in excerpt.passages),
        "url": url,
        "metadata": metadata,
    }


def _result(content: dict[str, Any]) -> CallToolResult:
    content_json = json.dumps(content, ensure_ascii=False)
    return CallToolResult(content=[TextContent(text=content_json)], structured_content=content)


def _failure(words: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=words)], is_error=True)
