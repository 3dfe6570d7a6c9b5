"""Refusals and answers of any shape, from servers over HTTP: each is an error of the upstream."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import httpx2
import pytest
from langchain_core.messages import HumanMessage
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import UpstreamError
from rich_agent.upstreams.models.embeddings import OpenAIEmbeddingModel
from rich_agent.upstreams.servers.capabilities import ModelAccess
from rich_agent.upstreams.servers.chat_client import open_chat_client
from rich_agent.upstreams.servers.refusals import translate_openai_errors
from tests import make
from tests.integration.sandbox_openai.serving import served
from tests.odd_bodies import BODIES


@pytest.fixture(scope="module")
def answers() -> Iterator[tuple[str, list[Response]]]:
    """A server, and the one answer that it gives to everything, to be replaced."""
    given = [Response()]

    async def answer(request: Request) -> Response:
        await request.body()
        return given[0]

    with served(Starlette(routes=[Route("/{path:path}", answer, methods=["POST"])])) as url:
        yield url, given


async def chat(access: ModelAccess) -> None:
    """A streamed answer."""
    with translate_openai_errors("model", access.role):
        async for _ in open_chat_client(access).astream([HumanMessage("hi")]):
            pass


async def form(access: ModelAccess) -> None:
    """An answer that is not streamed, as of plans, descriptions and what is remembered."""
    with translate_openai_errors("model", access.role):
        await open_chat_client(access).ainvoke([HumanMessage("hi")])


CALLS: dict[str, Callable[[ModelAccess], Awaitable[object]]] = {
    "embed": lambda access: OpenAIEmbeddingModel(access, VectorSpace("m", 2)).embed(["tea"]),
    "chat": chat,
    "form": form,
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [200, 207, 400, 401, 404, 422, 429, 500])
async def test_whatever_a_server_answers_is_an_error_of_the_upstream(
    answers: tuple[str, list[Response]], call: str, status: int
) -> None:
    """The reader of a refusal, or of an answer that is none, does not fail itself."""
    url, given = answers
    async with httpx2.AsyncClient() as http:
        for body in BODIES:
            given[0] = Response(body, status, media_type="application/json")
            with suppress(UpstreamError) if status < 300 else pytest.raises(UpstreamError):
                await CALLS[call](make.access(url, http, "m"))
