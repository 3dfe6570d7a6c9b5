"""A bot of LangGraph and langchain-openai alone, for `bench.turn_cost` to compare with.

Eight nodes, of which one plans and one writes, each stored by `AsyncPostgresSaver`; the answer is
shown in Telegram and edited once a second, as the product does. It keeps no promise of its own.
`python -m bench.bare_graph` serves the webhook at PORT, with the settings of the product.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypedDict

import httpx
import uvicorn
from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

EDIT_S = 1.0
_EMPTY = tuple(f"step_{number}" for number in range(6))


class _State(TypedDict, total=False):
    text: str
    plan: str
    answer: str


def _graph(model: ChatOpenAI) -> StateGraph[_State]:
    async def plan(state: _State) -> _State:
        said = await model.ainvoke([HumanMessage(state["text"])])
        return {"plan": str(said.text)}

    async def write(state: _State) -> _State:
        answer, tell = "", get_stream_writer()
        async for piece in model.astream([HumanMessage(state["text"])]):
            answer += str(piece.text)
            tell(str(piece.text))
        return {"answer": answer}

    async def nothing(_: _State) -> _State:
        return {}

    graph = StateGraph(_State)
    names = (*_EMPTY[:3], "plan", "write", *_EMPTY[3:])
    nodes: dict[str, Any] = {"plan": plan, "write": write}
    for name in names:
        graph.add_node(name, nodes.get(name, nothing))
    for before, after in zip((START, *names), (*names, END), strict=True):
        graph.add_edge(before, after)
    return graph


class _Bot:
    def __init__(self, graph: Any, telegram: httpx.AsyncClient) -> None:  # noqa: ANN401 - compiled
        self._graph = graph
        self._telegram = telegram

    async def receive(self, request: Request) -> Response:
        """Acknowledge an update, and answer it."""
        message = (await request.json())["message"]
        return Response(background=BackgroundTask(self._answer, message))

    async def _answer(self, message: dict[str, Any]) -> None:
        chat = message["chat"]["id"]
        sent = await self._call("sendMessage", chat_id=chat, text="Thinking…")
        place = {"chat_id": chat, "message_id": sent["message_id"]}
        shown_at, answer = time.monotonic(), ""
        config = {"configurable": {"thread_id": str(chat)}}
        asked = {"text": message["text"]}
        async for piece in self._graph.astream(asked, config, stream_mode="custom"):
            answer += piece
            if time.monotonic() - shown_at >= EDIT_S:
                shown_at = time.monotonic()
                await self._call("editMessageText", text=answer, **place)
        await self._call("editMessageText", text=answer, **place)

    async def _call(self, method: str, **fields: object) -> dict[str, Any]:
        told: dict[str, Any] = (await self._telegram.post(method, data=fields)).json()
        return dict(told["result"])


async def _serve() -> None:
    model = ChatOpenAI(model=os.environ["CHAT_MODEL"])
    token = os.environ["TELEGRAM_BOT_TOKEN"]
    base = f"{os.environ['TELEGRAM_API_BASE_URL']}/bot{token}/"
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool: Any = AsyncConnectionPool(os.environ["DATABASE_URL"], kwargs=options, open=False)
    async with pool, httpx.AsyncClient(base_url=base) as telegram:
        saver = AsyncPostgresSaver(pool)
        bot = _Bot(_graph(model).compile(saver), telegram)

        @asynccontextmanager
        async def ready(_: Starlette) -> AsyncIterator[None]:
            print("ready", flush=True)
            yield

        route = Route("/telegram/webhook", bot.receive, methods=["POST"])
        app = Starlette(routes=[route], lifespan=ready)
        config = uvicorn.Config(app, port=int(os.environ["PORT"]), log_level="error")
        await uvicorn.Server(config).serve()


if __name__ == "__main__":
    asyncio.run(_serve())
