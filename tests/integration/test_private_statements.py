"""Private statements of users never reach the web search, whatever fails on the way."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import psycopg
import pytest
import stamina
from langchain_core.runnables import RunnableConfig
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from rich_agent.composition.app import open_turns
from rich_agent.composition.features import open_features
from rich_agent.composition.repositories import open_repositories
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.turns.runner import GraphTurns
from tests import make
from tests.integration.sandbox_openai.serving import served
from tests.scripted import ScriptedFiles

Json = dict[str, Any]
USERS = itertools.count(100)
VECTOR = [1.0, *[0.0] * 7]
STATEMENTS = (
    "I have had diabetes since I was 12, and today my sugar is at 240.",
    "My salary is 4,210 euros now, please keep that in mind",
    "Mein Name ist Anna Vogt, ich wohne in der Lindenstraße 7 und heute geht es mir schlecht.",
    "私の暗証番号は4711です。現在の住所は渋谷区神南1-2-3です。",
    "Mi hermana Lucía está embarazada; hoy tiene 31 años.",
    "Ma fille s'appelle Inès et suit un nouveau traitement depuis hier.",
    "Мой текущий диагноз: гипертония, давление сегодня 160.",
    "我的最新工资是每月一万二，房东叫李明。",
)
PLAN = {"intent": "general_question", "plan": "rag", "reason": "r", "query": "a query"}


def _tool_call(arguments: str, name: str) -> Json:
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return _completion({"role": "assistant", "content": None, "tool_calls": [call]})


def _completion(message: Json) -> Json:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    head = {"id": "c", "object": "chat.completion", "created": 0, "model": "m"}
    return {**head, "choices": [choice]}


def _planned(**changes: object) -> Response:
    return JSONResponse(_tool_call(json.dumps({**PLAN, **changes}), "PlannedTurn"))


def _refused(status: int, **headers: str) -> Response:
    error = {"error": {"message": "no", "type": "server_error", "code": None, "param": None}}
    return JSONResponse(error, status, headers)


def _said(text: str) -> Response:
    return JSONResponse(_completion({"role": "assistant", "content": text}))


async def _hang() -> AsyncIterator[bytes]:
    yield b" "
    await asyncio.sleep(30)


# Of the planning call; where it serves, what it says permits nothing.
PLANNERS: dict[str, Callable[[], Response]] = {
    "500": lambda: _refused(500),
    "503": lambda: _refused(503),
    "429": lambda: _refused(429),
    "429 for an hour": lambda: _refused(429, **{"Retry-After": "3600"}),
    "timeout": lambda: StreamingResponse(_hang(), media_type="application/json"),
    "a web page": lambda: PlainTextResponse("<html>Bad gateway</html>"),
    "cut off": lambda: PlainTextResponse('{"choices": [{"mess', media_type="application/json"),
    "no choices": lambda: JSONResponse({**_completion({}), "choices": []}),
    "empty": lambda: _said(""),
    "prose": lambda: _said("I would search the web for that."),
    "malformed": lambda: JSONResponse(_tool_call('{"plan": "web", "que', "PlannedTurn")),
    "a list": lambda: JSONResponse(_tool_call('["web"]', "PlannedTurn")),
    "an unknown plan": lambda: _planned(plan="internet"),
    "no plan": lambda: _planned(plan=None, web="now"),
    "an unknown permission": lambda: _planned(web="sure", web_allowed=True, search_web="yes"),
    "no permission": _planned,
    "a contradiction": lambda: _planned(plan="web", web="never"),
}


READABLE = {"an unknown permission", "no permission", "a contradiction"}
"""Faults of a plan that can be read; without any plan nothing is looked for."""


@dataclass(slots=True)
class Upstreams:
    """Models and search; `planner` is a fault, `searched` what the web was asked."""

    planner: str = "no permission"
    embeds: bool = True
    permits: bool = False
    searched: list[str] = field(default_factory=list)

    def app(self) -> Starlette:
        """All routes."""
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self.chat, methods=["POST"]),
                Route("/v1/embeddings", self.embed, methods=["POST"]),
                Route("/tavily/search", self.search, methods=["POST"]),
            ]
        )

    async def chat(self, request: Request) -> Response:
        """The fault for the planning call; nothing learned, and a short answer, for the others."""
        body = await request.json()
        if "Plan this message" in json.dumps(body["messages"][-1]):
            if self.permits:
                return _planned(web="if_needed")
            return PLANNERS[self.planner]()
        if not body.get("stream"):
            return _said("{}")
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        delta = {"index": 0, "delta": {"content": "I see."}, "finish_reason": "stop"}
        event = f"data: {json.dumps({**chunk, 'choices': [delta]})}\n\ndata: [DONE]\n\n"
        return PlainTextResponse(event, media_type="text/event-stream")

    async def embed(self, request: Request) -> Response:
        """The same vector for every text, or a failure."""
        if not self.embeds:
            return _refused(500)
        texts = (await request.json())["input"]
        data = [{"object": "embedding", "index": n, "embedding": VECTOR} for n in range(len(texts))]
        return JSONResponse({"object": "list", "data": data, "model": "m"})

    async def search(self, request: Request) -> Response:
        """Nothing is found."""
        self.searched.append((await request.json())["query"])
        return JSONResponse({"results": []})


@pytest.fixture(scope="module")
def _upstreams() -> Iterator[tuple[Upstreams, str]]:
    upstreams = Upstreams()
    with served(upstreams.app()) as url:
        yield upstreams, url


@pytest.fixture
def upstreams(_upstreams: tuple[Upstreams, str]) -> tuple[Upstreams, str]:
    """They serve, and were asked nothing."""
    _upstreams[0].__init__()  # type: ignore[misc]  # as it was made
    return _upstreams


@asynccontextmanager
async def opened(url: str, database_url: str) -> AsyncIterator[GraphTurns]:
    """The agent with everything that it has in production, over HTTP and on PostgreSQL.

    Its documents are none, so that their evidence is always weak.
    """
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "INSERT INTO rag_vector_spaces (model, dimensions, status) VALUES ('m', %s, 'active')",
            [len(VECTOR)],
        )
    settings = Settings.load(
        openai_api_key="k",
        openai_base_url=f"{url}/v1",
        chat_model="m",
        embedding_model="m",
        embedding_dimensions=len(VECTOR),
        tavily_api_key="k",
        tavily_base_url=f"{url}/tavily",
        database_url=database_url,
        model_timeout_s=3.0,
        model_budget_s=3.0,  # a planner that hangs costs as much, an answer never
    )
    live = LiveSettings(settings)
    async with (
        open_repositories(settings) as repositories,
        open_features(live, repositories) as features,
        open_turns(live, repositories, ScriptedFiles(), features=features) as turns,
    ):
        limits = replace(turns.services.limits, wait_in_place_s=0.1)
        yield replace(turns, services=replace(turns.services, limits=limits))


async def _tell(turns: GraphTurns, text: str, user_id: int) -> None:
    request = make.request(text, user_id=user_id, request_id=f"r{user_id}")
    async with asyncio.timeout(60):
        async for _ in turns.run(request):
            pass


async def _plans_of(turns: GraphTurns, statements: Sequence[str]) -> set[str]:
    """The plans by which the statements were answered, each said by another new user."""
    users = [next(USERS) for _ in statements]
    with stamina.set_testing(testing=True, attempts=3, cap=True):
        async with asyncio.TaskGroup() as group:
            for user_id, statement in zip(users, statements, strict=True):
                group.create_task(_tell(turns, statement, user_id))
    config: list[RunnableConfig] = [{"configurable": {"thread_id": f"tg:{id_}"}} for id_ in users]
    states = [await turns.graph.aget_state(one) for one in config]
    return {state.values["routing"]["plan"] for state in states}


@pytest.mark.costs("it runs dozens of turns")
@pytest.mark.req("ROUTE-5", "TOOL-1")
async def test_nothing_private_is_searched_for_under_any_fault(
    upstreams: tuple[Upstreams, str], database_url: str
) -> None:
    """Half of the statements under each fault of the planner, with embeddings and without them."""
    served_by, url = upstreams
    async with opened(url, database_url) as turns:
        for number, fault in enumerate(PLANNERS):
            served_by.planner, served_by.embeds = fault, number % 3 > 0
            plans = await _plans_of(turns, STATEMENTS[number % 2 :: 2])
            expected = {"rag"} if fault in READABLE else {"direct"}
            assert (plans, served_by.searched) == (expected, []), fault


@pytest.mark.req("ROUTE-4", "TOOL-1")
async def test_a_question_that_may_be_searched_for_is(
    upstreams: tuple[Upstreams, str], database_url: str
) -> None:
    """The same turn with the planner's permission: what the test above counts does arrive."""
    served_by, url = upstreams
    served_by.permits = True
    async with opened(url, database_url) as turns:
        await _tell(turns, "How do vaccines work?", 1)
    assert served_by.searched == ["a query"]
