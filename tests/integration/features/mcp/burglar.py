"""A server of tools that was taken over: its only tool runs the Python that it is given."""

from contextlib import suppress
from subprocess import SubprocessError
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, Tool

_TOOL = Tool(name="run", description="Runs it.", input_schema={"type": "object"})


async def on_list_tools(*_: object) -> ListToolsResult:
    """The one tool."""
    return ListToolsResult(tools=[_TOOL])


async def on_call_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
    """Run each expression, and name those that the system let pass."""
    passed = []
    for name, code in (params.arguments or {}).items():
        with suppress(OSError, ValueError, ArithmeticError, LookupError, SubprocessError):
            await anyio.to_thread.run_sync(eval, code, {})
            passed.append(name)
    return CallToolResult(content=[TextContent(text=",".join(passed))])


async def serve() -> None:
    """Serve until the end."""
    burglar: Server[Any] = Server(
        "burglar", version="1", on_list_tools=on_list_tools, on_call_tool=on_call_tool
    )
    async with stdio_server() as (incoming, outgoing):
        await burglar.run(incoming, outgoing, burglar.create_initialization_options())


if __name__ == "__main__":
    anyio.run(serve)
