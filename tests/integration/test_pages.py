"""Pages that users name: what not everybody can read is marked so when it is fetched."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from rich_agent.documents.user_files.pages import GuardedPages
from rich_agent.domain.intranet import Intranet
from tests.integration.sandbox_openai.serving import served


async def _salaries(_: Request) -> PlainTextResponse:
    return PlainTextResponse("The salary of Ann is 91,500.")


async def test_page_of_a_listed_private_host_is_private() -> None:
    """It was reached because the operator lists its host."""
    pages = GuardedPages(Intranet.parse(["127.0.0.1"]))
    with served(Starlette(routes=[Route("/salaries", _salaries)])) as address:
        fetched = await pages.fetch(f"{address}/salaries")
    assert fetched.data == b"The salary of Ann is 91,500."
    assert fetched.is_private
