"""The feature of docs/how-to/write-a-feature.md: installed with pip from the page, and used."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from rich_agent.domain.access import UserTags
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.user_data import PostgresUserData
from tests.acceptance.program_tokens import make_token
from tests.acceptance.scripting import calling
from tests.acceptance.world import ROOT, World, command, environment, running_bot, running_sandbox
from tests.database import PostgresServer
from tests.packages import pip_install

PAGE = ROOT / "docs" / "how-to" / "write-a-feature.md"
USER = 61_001
_WITH_ADDRESSES = """
from contextlib import asynccontextmanager
from prometheus_client.metrics_core import GaugeMetricFamily
from starlette.responses import JSONResponse, PlainTextResponse
from rich_agent import feature as door


async def show(request, caller):
    return JSONResponse({"reader": caller.user_id, "body": (await request.body()).decode()})


async def break_off(request, caller):
    raise RuntimeError("broke")


async def greet(request):
    return PlainTextResponse("hello " + request.path_params["name"])


async def seek(request):
    return [door.FeaturePassage("Third shelf", "The atlas is on the third shelf.")]


async def offer(turn):
    return [door.CommandOffer("What is known", "memory")] if "atlas" in turn.question else []


class Books:
    def collect(self):
        yield GaugeMetricFamily("rich_agent_shelf_books", "Books", value=7)


def declare(name, open_path):
    @asynccontextmanager
    async def open_shelf(core):
        async def rehearse(request, caller):
            async with core.surface.open_rehearsal() as rehearsal:
                turn = await rehearsal.ask(request.query_params["question"])
            return JSONResponse({"text": turn.text, "sources": turn.sources})

        routes = [
            door.GuardedRoute(f"/{name}/rehearsal", None, door.handled_by(rehearse)),
            door.GuardedRoute(f"/{name}/books", "knowledge", door.handled_by(show), ("POST",), 10),
            door.GuardedRoute(f"/{name}/broken", None, door.handled_by(break_off)),
        ]
        yield door.Parts(
            routes=routes,
            open_routes=[door.OpenRoute(open_path, greet)],
            passages=[seek],
            below_answer=[offer],
            metrics=[Books()],
        )

    return door.Feature(name=name, open=open_shelf)


shelf = declare("shelf", "/shelf/greeting/{name}")
squatter = declare("squatter", "/healthz")
"""
"""Two features with addresses over HTTP, one of which the core has, and small parts."""
_FENCE = re.compile(r'^```\w+ title="([\w./]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_PLAN = {"action": True, "intent": "smalltalk", "plan": "direct", "query": "", "reason": "asked"}


def files_of_page() -> dict[str, str]:
    """The files that the page shows, by their paths."""
    return dict(_FENCE.findall(PAGE.read_text("utf-8")))


def install_page(folder: Path) -> Path:
    """Write the page's files into `folder` and install them with pip; where that put them."""
    for path, code in files_of_page().items():
        file = folder / "source" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code, "utf-8")
    return pip_install(folder / "source", folder / "installed")


def install_addresses(target: Path) -> None:
    """Write the package with addresses next to the others, as pip would leave it there."""
    (target / "shelf.py").write_text(_WITH_ADDRESSES, "utf-8")
    record = target / "shelf-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: shelf\nVersion: 1.0\n")
    names = "shelf = shelf:shelf\nsquatter = shelf:squatter\n"
    (record / "entry_points.txt").write_text(f"[rich_agent.features]\n{names}")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the installed package."""
    target = install_page(tmp_path_factory.mktemp("bookmarks"))
    install_addresses(target)
    return target


@pytest.fixture(scope="module")
def with_bookmarks(
    installed: Path, database_server: PostgresServer, database_template: str
) -> Iterator[World]:
    """A bot that was told to load the package; its database was migrated before."""
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        more = {"FEATURES_ON": "bookmarks,shelf,squatter", "PYTHONPATH": str(installed)}
        told = environment(sandbox.url, url, BOOKMARKS_MOST="2", **more)
        done = command(["rich_agent.cli", "migrate"], told)
        assert done.stdout == "applied bookmarks_0001\n"
        with running_bot(told):
            yield World(sandbox, told, url)


def say(world: World, words: str, *said: object) -> dict[str, object]:
    """The answer to a message, of a model that acts and then says these completions."""
    world.sandbox.script(words, json.dumps(_PLAN), streamed=False)
    world.sandbox.script(words, *said)  # type: ignore[arg-type]
    return world.ask(USER, words)


@pytest.mark.costs("what it stores would be there twice")
def test_feature_is_used_like_those_of_the_project(with_bookmarks: World) -> None:
    """Its tool runs for the user's own words; its command, its line and its menu are there."""
    world = with_bookmarks
    kept = say(
        world,
        "Keep https://example.org/a as a bookmark",
        calling("keep_bookmark", url="https://example.org/a"),
        "I kept it.",
    )
    assert "Kept." in str(kept["text"])
    assert "You have one bookmark." in str(kept["text"])
    assert world.ask(USER, "/bookmarks")["text"] == "https://example.org/a"
    assert "/bookmarks – Your bookmarks" in world.ask(USER, "/help")["text"]
    german = world.ask(USER + 1, "/bookmarks", language_code="de")["text"]
    assert german == "Du hast keine Lesezeichen."


@pytest.mark.costs("what it stores would be there twice")
def test_deleting_tool_of_a_feature_asks_first(with_bookmarks: World) -> None:
    """Nothing is deleted before the button is pressed."""
    world = with_bookmarks
    say(
        world,
        "Keep https://example.org/b as a bookmark",
        calling("keep_bookmark", url="https://example.org/b"),
        "I kept it.",
    )
    card = say(world, "Delete all my bookmarks", calling("clear_bookmarks"), "They are gone.")
    assert "delete all bookmarks" in str(card["text"])
    assert world.rows("SELECT 1 FROM bookmarks WHERE user_id = %s", USER)
    world.ask(USER, "yes")
    assert not world.rows("SELECT 1 FROM bookmarks WHERE user_id = %s", USER)


def test_answer_rests_on_a_passage_of_a_feature(with_bookmarks: World) -> None:
    """It is cited; the feature's button gives its command, and its metric is on the page."""
    world, words = with_bookmarks, "Where is the atlas?"
    plan = {**_PLAN, "action": False, "intent": "general_question", "plan": "rag", "query": "atlas"}
    world.sandbox.script(words, json.dumps(plan), streamed=False)
    world.sandbox.script(words, "It is on the third shelf [1].")
    answer = world.ask(USER, words)
    assert "Third shelf" in answer["text"]
    assert answer["buttons"][0] == [{"callback_data": "command1:memory", "text": "What is known"}]
    with httpx.Client(base_url=world.environment["PUBLIC_URL"], trust_env=False) as http:
        assert "rich_agent_shelf_books 7.0" in http.get("/metrics").text


@pytest.mark.costs("what it stores would be there twice")
async def test_rows_of_a_feature_are_the_users_where_it_is_absent(with_bookmarks: World) -> None:
    """This process does not have it: it reads what `migrate` recorded."""
    url, user = with_bookmarks.database_url, USER + 7
    with psycopg.connect(url) as connection:
        row = (user, f"tg:{user}", "https://example.org/c")
        insert = "INSERT INTO bookmarks (user_id, thread_id, url) VALUES (%s, %s, %s)"
        connection.execute(insert, row)
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        exported = await data.export(user)
        assert [set(one) for one in exported["bookmarks"]] == [{"url", "at"}]
        await data.forget(user)
        assert (await data.export(user))["bookmarks"] == []
    told = {**with_bookmarks.environment, "FEATURES_ON": ""}
    assert command(["rich_agent.cli", "migrate"], told).returncode == 0
    assert with_bookmarks.rows("SELECT 1 FROM user_tables WHERE feature = 'bookmarks'")


@pytest.mark.costs("it runs doctor, which tries all there is")
def test_feature_of_another_package_is_named_by_doctor(with_bookmarks: World) -> None:
    """With its package and version."""
    done = command(["rich_agent.cli", "doctor", "--json"], with_bookmarks.environment)
    (loaded,) = [one for one in json.loads(done.stdout) if one["name"] == "features"]
    assert "bookmarks (bookmarks 1.0)" in loaded["detail"]


@pytest.mark.costs("it runs two commands that load all tools")
def test_feature_of_another_package_is_not_loaded_unasked(with_bookmarks: World) -> None:
    """It would run with all rights of the bot; its settings are none then."""
    silent = {**with_bookmarks.environment, "FEATURES_ON": ""}
    done = command(["rich_agent.cli", "tools"], silent)
    assert "keep_bookmark" not in done.stdout
    done = command(["rich_agent.cli", "tools"], with_bookmarks.environment)
    assert "keep_bookmark" in done.stdout


@pytest.mark.costs("it installs a package with pip")
def test_feature_that_breaks_is_left_out(with_bookmarks: World, tmp_path: Path) -> None:
    """The bot runs without it; doctor says why."""
    broken = install_page(tmp_path)
    module = broken / "bookmarks" / "__init__.py"
    module.write_text(module.read_text("utf-8") + "\nraise RuntimeError('no bookmarks today')\n")
    told = {**with_bookmarks.environment, "PYTHONPATH": str(broken)}
    done = command(["rich_agent.cli", "doctor", "--json"], told)
    (left_out,) = [one for one in json.loads(done.stdout) if one["name"] == "feature bookmarks"]
    assert left_out["level"] == "warn"
    assert "no bookmarks today" in left_out["detail"]


@pytest.mark.costs("it makes a token with a command")
def test_addresses_of_a_feature_are_behind_the_gate(with_bookmarks: World) -> None:
    """They ask for a token with their scope, and bound the body; one that breaks ends no other."""
    world, public = with_bookmarks, with_bookmarks.environment["PUBLIC_URL"]
    reader, talker = (
        make_token(world.environment, USER, "--scope", scope) for scope in ("knowledge", "chat")
    )
    with httpx.Client(base_url=public, timeout=10, trust_env=False) as http:

        def post(token: str, body: str = "") -> httpx.Response:
            headers = {"Authorization": f"Bearer {token}"}
            return http.post("/shelf/books", content=body, headers=headers)

        assert post(reader, "a book").json() == {"reader": USER, "body": "a book"}
        assert http.post("/shelf/books").status_code == 401
        assert post(talker).status_code == 403
        assert post(reader, "many books").status_code == 200
        assert post(reader, "more books!").status_code == 413
        assert http.get("/shelf/greeting/you").text == "hello you"
        assert http.post("/shelf/greeting/you").status_code == 405
        broken = http.get("/shelf/broken", headers={"Authorization": f"Bearer {reader}"})
        assert broken.status_code == 500
    assert httpx.get(f"{public}/healthz", trust_env=False).text == "ok"


@pytest.mark.costs("it opens a whole bot within the bot")
def test_feature_rehearses_questions_in_a_process_that_serves(with_bookmarks: World) -> None:
    """The answer comes from the whole bot, and nothing of its turn is stored."""
    world, question = with_bookmarks, "Which shelf has the globe?"
    plan = {**_PLAN, "action": False, "intent": "general_question"}
    world.sandbox.script(question, json.dumps(plan), streamed=False)
    world.sandbox.script(question, "The lowest one.")
    decisions = world.rows("SELECT count(*) FROM retrieval_decisions")
    address = f"{world.environment['PUBLIC_URL']}/shelf/rehearsal"
    sent = {"Authorization": f"Bearer {make_token(world.environment, USER, '--scope', 'chat')}"}
    answer = httpx.get(
        address, params={"question": question}, headers=sent, timeout=60, trust_env=False
    )
    assert answer.json() == {"text": "The lowest one.", "sources": []}
    assert world.rows("SELECT count(*) FROM retrieval_decisions") == decisions


@pytest.mark.costs("it runs doctor, which tries all there is")
def test_feature_with_an_address_of_the_core_is_left_out(with_bookmarks: World) -> None:
    """The core's own answers; doctor says whose the address is."""
    world = with_bookmarks
    with httpx.Client(base_url=world.environment["PUBLIC_URL"], trust_env=False) as http:
        assert http.get("/healthz").text == "ok"
        assert http.get("/squatter/broken").status_code == 404
    done = command(["rich_agent.cli", "doctor", "--json"], world.environment)
    (left_out,) = [one for one in json.loads(done.stdout) if one["name"] == "feature squatter"]
    assert left_out["level"] == "warn"
    assert "the address /healthz belongs to core" in left_out["detail"]


def test_feature_of_the_page_has_at_most_sixty_lines() -> None:
    """Statements, as the parser counts them by line; the page is to stay one page."""
    code = files_of_page()["bookmarks/__init__.py"]
    lines = [line for line in code.splitlines() if line.strip()]
    assert len(lines) <= 60
    assert ast.parse(code).body
