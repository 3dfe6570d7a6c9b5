"""A search engine in a package of its own: installed with pip, configured, and asked."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.acceptance.world import World, command, environment, running_bot, running_sandbox
from tests.database import PostgresServer
from tests.integration.sandbox_openai.serving import served
from tests.packages import HERE, pip_install

QUESTION = "What is the latest release of PostgreSQL?"
RELEASE = "https://releases.example/postgresql"


@dataclass
class Brook:
    """The stand-in for the engine: its address, and the queries that came."""

    url: str = ""
    queries: list[str] = field(default_factory=list)
    status: int = 200

    async def find(self, request: Request) -> Response:
        """Answer a search; hits that nobody should follow are among them."""
        assert request.headers["x-brook-key"] == "water"
        self.queries.append(request.query_params["words"])
        says = "The latest release of PostgreSQL is 19.1, of 12 November 2026."
        hits = [
            {"at": "javascript:alert(1)", "name": "Prizes", "says": "PostgreSQL release: 99."},
            {"at": RELEASE, "name": "Releases of PostgreSQL", "says": says},
        ]
        return JSONResponse({"hits": hits}, self.status)


@pytest.fixture(scope="module")
def brook() -> Iterator[Brook]:
    """The engine, over HTTP."""
    engine = Brook()
    with served(Starlette(routes=[Route("/find", engine.find)])) as engine.url:
        yield engine


@pytest.fixture(scope="module")
def world(
    brook: Brook,
    tmp_path_factory: pytest.TempPathFactory,
    database_server: PostgresServer,
    database_template: str,
) -> Iterator[World]:
    """A bot with the package, configured; so is the project's own engine."""
    installed = pip_install(HERE / "brook", tmp_path_factory.mktemp("brook"))
    more = {"FEATURES_ON": "brook", "PYTHONPATH": str(installed)}
    more |= {"BROOK_API_KEY": "water", "BROOK_BASE_URL": brook.url}
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        told = environment(sandbox.url, url, **more)
        with running_bot(told):
            yield World(sandbox, told, url)


@pytest.mark.costs("it installs a package with pip and starts a bot")
def test_question_is_answered_with_what_the_engine_found(world: World, brook: Brook) -> None:
    """The answer cites its page; the other engine is not asked; the search is counted as its."""
    user, mark = 63_001, world.sandbox.mark()
    answer = world.ask(user, QUESTION)
    assert "19.1" in answer["text"]
    assert {e["url"] for e in answer["entities"] if e["type"] == "text_link"} == {RELEASE}
    assert len(brook.queries) == 1
    assert world.sandbox.calls("tavily", mark) == []
    (decision,) = world.decisions(user)
    assert [one["kind"] for one in decision["retrieved"]] == ["web"]
    counted = "SELECT model, searches FROM usage_days WHERE user_id = %s AND kind = 'search'"
    assert world.rows(counted, user) == [{"model": "brook", "searches": 1}]


@pytest.mark.costs("its bot is started by whichever test comes first")
def test_engine_that_fails_is_replaced_by_the_next(world: World, brook: Brook) -> None:
    """The trace tells of it; if all fail, the answer says that the web could not be searched."""
    mark, brook.status = world.sandbox.mark(), 500
    try:
        world.ask(63_002, QUESTION)
        assert len(world.sandbox.calls("tavily", mark)) == 1
        (decision,) = world.decisions(63_002)
        note = {"search_engine_failed": "UpstreamUnavailableError"}
        assert decision["nodes"]["N8_web_search"]["survived"] == note
        world.sandbox.fail("tavily", "500")
        assert "could not be searched" in world.ask(63_003, QUESTION)["text"]
    finally:
        brook.status = 200


@pytest.mark.costs("it runs doctor twice, which tries all there is")
def test_doctor_tries_the_engines_in_order(world: World) -> None:
    """All that are configured, in the order of the features, or those that are named."""
    assert web_search(world.environment) == ["brook answers", "tavily answers"]
    chosen = {"BROOK_API_KEY": "", "WEB_SEARCH": "tavily, brook"}
    first, unknown = web_search(world.environment | chosen)
    assert first == "tavily answers"
    assert unknown.startswith("WEB_SEARCH names brook, which is unknown or not configured")


def web_search(told: dict[str, str]) -> list[str]:
    """The outcomes of doctor's check of the web search."""
    done = command(["rich_agent.cli", "doctor", "--json"], told)
    return [one["detail"] for one in json.loads(done.stdout) if one["name"] == "web search"]
