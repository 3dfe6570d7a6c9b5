"""The peer: a bare LangGraph graph behind the bot's webhook: `python -m bench.bare_graph`.

Eight nodes (a plan, a streamed answer, six that do nothing) with LangGraph's own checkpointer and
langchain-openai. It keeps nothing but its checkpoints: no inbox, no order, no limits, no citations.
Its settings are those of the bot, from the environment.
"""

import asyncio
import os
import socket
from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

import httpx
import uvicorn
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

_EMPTY = 6
_EDIT_S = 1.0


class _State(TypedDict):
    chat: int
    messages: Annotated[list[AnyMessage], add_messages]
    planned: str


class _Chat:
    """Shows a growing text in one message of Telegram, once a second at most."""

    def __init__(self, http: httpx.AsyncClient, chat: int) -> None:
        self._http = http
        self._chat = chat
        self._message = 0
        self._shown_at = 0.0

    async def begin(self) -> None:
        """Send the message."""
        sent = await self._http.post(
            "/sendMessage", data={"chat_id": self._chat, "text": "Thinking…"}
        )
        self._message = sent.json()["result"]["message_id"]

    async def show(self, pieces: Sequence[str], *, is_last: bool = False) -> None:
        """Show the text if it is due."""
        now = asyncio.get_running_loop().time()
        if is_last or now - self._shown_at >= _EDIT_S:
            self._shown_at = now
            text = "".join(pieces)
            form = {"chat_id": self._chat, "message_id": self._message, "text": text}
            await self._http.post("/editMessageText", data=form)


class _Nodes:
    """The nodes that ask a model; the streaming one shows its text in the chat of its turn."""

    def __init__(self) -> None:
        self.chats: dict[int, _Chat] = {}
        self._planner = ChatOpenAI(model=os.environ["PLANNER_MODEL"])
        self._model = ChatOpenAI(model=os.environ["CHAT_MODEL"])

    async def plan(self, state: _State) -> dict[str, Any]:
        """Ask for a plan."""
        return {"planned": (await self._planner.ainvoke(state["messages"])).text}

    async def answer(self, state: _State) -> dict[str, Any]:
        """Write the answer and show it."""
        chat, whole, pieces = self.chats[state["chat"]], None, list[str]()
        async for piece in self._model.astream(state["messages"]):
            whole = piece if whole is None else whole + piece
            pieces.append(piece.text)
            await chat.show(pieces)
        await chat.show(pieces, is_last=True)
        return {"messages": [whole]}


async def _nothing(state: _State) -> dict[str, Any]:
    return {"chat": state["chat"]}


def _graph(nodes: _Nodes) -> StateGraph[_State]:
    graph = StateGraph(_State)
    graph.add_node("plan", nodes.plan)
    graph.add_node("answer", nodes.answer)
    names = ["plan", "answer"]
    for number in range(_EMPTY):
        graph.add_node(f"n{number}", _nothing)
        names.insert(number // 2 * 2, f"n{number}")
    for before, after in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(before, after)
    return graph


async def main() -> None:
    """Serve until stopped."""
    os.environ["OPENAI_API_BASE"] = os.environ["OPENAI_BASE_URL"]
    token = os.environ["TELEGRAM_BOT_TOKEN"]
    base = f"{os.environ['TELEGRAM_API_BASE_URL']}/bot{token}"
    options = {"autocommit": True, "row_factory": dict_row}
    limits = httpx.Limits(max_connections=None)
    async with (
        AsyncConnectionPool(os.environ["DATABASE_URL"], max_size=10, kwargs=options) as pool,
        httpx.AsyncClient(base_url=base, timeout=60, limits=limits) as http,
    ):
        saver: Any = AsyncPostgresSaver(pool)  # type: ignore[arg-type] # rows are dicts
        await saver.setup()
        nodes = _Nodes()
        graph = _graph(nodes).compile(checkpointer=saver)

        async def turn(user: int, text: str) -> None:
            chat = nodes.chats[user] = _Chat(http, user)
            await chat.begin()
            config: Any = {"configurable": {"thread_id": f"bare:{user}"}}
            asked: Any = {"chat": user, "messages": [HumanMessage(text)]}
            await graph.ainvoke(asked, config, durability="sync")

        async def webhook(request: Request) -> Response:
            message = (await request.json())["message"]
            work = BackgroundTask(turn, message["from"]["id"], message["text"])
            return JSONResponse({}, background=work)

        route = Route("/telegram/webhook", webhook, methods=["POST"])
        app = Starlette(routes=[route])
        # It takes connections before it says so.
        with socket.create_server(("127.0.0.1", int(os.environ["PORT"])), backlog=1024) as listener:
            print("ready", flush=True)
            server = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
            await server.serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(main())
