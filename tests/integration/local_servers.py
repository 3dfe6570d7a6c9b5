"""Model servers as they run on a user's machine, each at a port of its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from rich_agent.commands.model_choice import ModelSearch
from rich_agent.upstreams.servers.local import USUAL_PLACES, Patience, ServerPlace
from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.openai.servers.personality import Personality
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.api import routes_of

PATIENT = Patience(request_s=30.0, search_s=60.0)
"""For what answers, however busy the machine is."""


def place_of(title: str, url: str) -> ServerPlace:
    """The usual place of a server, moved to the port of `url`."""
    usual = next(one for one in USUAL_PLACES if one.title == title)
    return replace(usual, port=int(url.rpartition(":")[2]))


def search_at(**places: str) -> ModelSearch:
    """A search at these addresses, by the titles of their usual places, with _ for blanks."""
    moved = [place_of(title.replace("_", " "), url) for title, url in places.items()]
    return ModelSearch(moved, PATIENT)


@contextmanager
def local_server(one: Personality, ledger: Ledger | None = None) -> Iterator[str]:
    """A personality at the root of its own address."""
    with served(Starlette(routes=routes_of(one, ledger or Ledger()))) as url:
        yield url


def embedders_only(*names: str) -> Starlette:
    """An Ollama that has nothing but embedders, and gives no length of their vectors."""

    async def tags(_: Request) -> Response:
        models = [{"name": name, "model": name, "size": 1_000, "details": {}} for name in names]
        return JSONResponse({"models": models})

    async def show(_: Request) -> Response:
        return JSONResponse({"capabilities": ["embedding"], "model_info": {}})

    async def embed(request: Request) -> Response:
        body = await request.json()
        texts: Sequence[str] = body["input"]
        data = [
            {"object": "embedding", "index": number, "embedding": [0.1] * 12}
            for number, _ in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse(
            {"object": "list", "model": body["model"], "data": data, "usage": usage}
        )

    return Starlette(
        routes=[
            Route("/api/tags", tags),
            Route("/api/show", show, methods=["POST"]),
            Route("/v1/embeddings", embed, methods=["POST"]),
        ]
    )


def web_server(answer: Response | None = None) -> Starlette:
    """A web server that answers every path in the same way, with a page unless told otherwise."""

    async def page(_: Request) -> Response:
        return answer or HTMLResponse("<h1>It works</h1>")

    return Starlette(routes=[Route("/{path:path}", page, methods=["GET", "POST"])])
