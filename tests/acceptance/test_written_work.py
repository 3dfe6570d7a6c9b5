"""A package with a table and due work: killed with its process, done after a restart, forgotten."""

import json
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from subprocess import run
from threading import Event
from typing import Any

import psycopg
import pytest
from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rich_agent.domain.access import UserTags
from rich_agent.domain.message import client_thread_of
from rich_agent.ports.memories import Erased
from rich_agent.repositories.conversations import PostgresConversations
from rich_agent.repositories.database.pools import open_pools
from rich_agent.repositories.database.user_tables import AgedRows
from rich_agent.repositories.erasure import PostgresErasure
from rich_agent.repositories.user_data import PostgresUserData
from tests.acceptance.scripting import calling
from tests.acceptance.world import (
    ROOT,
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.integration.sandbox_openai.serving import served
from tests.packages import HERE, pip_install

USER, OTHER = 64_001, 64_900
_PLAN = {"action": True, "intent": "smalltalk", "plan": "direct", "query": "", "reason": "asked"}


@dataclass
class Shop:
    """The server that errands are told to; it answers none until it `is_open`."""

    url: str = ""
    is_open: Event = field(default_factory=Event)
    errands: list[dict[str, Any]] = field(default_factory=list)

    async def take(self, request: Request) -> Response:
        """Take an errand."""
        self.errands.append(await request.json())
        await to_thread.run_sync(self.is_open.wait)
        return JSONResponse({})


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """The server, over HTTP."""
    one = Shop()
    with served(Starlette(routes=[Route("/errand", one.take, methods=["POST"])])) as one.url:
        try:
            yield one
        finally:
            one.is_open.set()


@pytest.fixture(scope="module")
def world(
    shop: Shop,
    tmp_path_factory: pytest.TempPathFactory,
    database_server: PostgresServer,
    database_template: str,
) -> Iterator[World]:
    """A bot with the package, which was killed while it ran an errand, and started again."""
    installed = pip_install(HERE / "errands", tmp_path_factory.mktemp("errands"))
    more = {"FEATURES_ON": "errands", "PYTHONPATH": str(installed), "ERRANDS_URL": shop.url}
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        told = environment(sandbox.url, url, **more)
        assert command(["rich_agent.cli", "migrate"], told).stdout == "applied errands_0001\n"
        world, wish = World(sandbox, told, url), "Please buy bread for me"
        with running_bot(told) as bot:
            sandbox.script(wish, json.dumps(_PLAN), streamed=False)
            sandbox.script(wish, calling("run_errand", words="buy bread"), "I am on it.")
            assert "It is under way." in world.ask(USER, wish)["text"]
            wait_until(lambda: shop.errands or None, "the shop hears of the errand")
            bot.send_signal(signal.SIGKILL)
        shop.is_open.set()
        with running_bot(told):
            yield world


@pytest.mark.costs("it installs a package with pip, and starts a bot twice")
def test_work_that_was_killed_is_done_after_a_restart(world: World, shop: Shop) -> None:
    """Once more, and with its key; nothing of it is left to do."""
    done = "SELECT 1 FROM errands WHERE user_id = %s AND done_at IS NOT NULL"
    wait_until(lambda: world.rows(done, USER) or None, "the errand is done")
    assert [one["words"] for one in shop.errands] == ["buy bread"] * 2
    assert len({one["id"] for one in shop.errands}) == 1
    left = "SELECT 1 FROM due_work WHERE kind = 'errands'"
    wait_until(lambda: not world.rows(left) or None, "the row of due work is gone")


def test_command_and_phrases_stand_in_help(world: World) -> None:
    """In the language of the user; what a language does not have is said in English."""
    assert "/errands – Your errands" in world.ask(OTHER, "/help")["text"]
    german = world.ask(OTHER + 1, "/help", language_code="de")["text"]
    assert "/errands – Deine Besorgungen" in german
    assert world.ask(OTHER + 2, "/errands", language_code="ja")["text"] == "You have no errands."


@pytest.mark.costs("it runs two commands and the writer of the reference pages")
def test_setting_and_subcommand_stand_in_help_and_reference(world: World) -> None:
    """As those of the project: `--help`, and the page of settings of this installation."""
    told = world.environment
    assert "Count the errands of all users." in command(["rich_agent.cli", "--help"], told).stdout
    counted = command(["rich_agent.cli", "errands"], told).stdout
    assert counted.endswith(" errands\n")
    code = "from rich_agent.settings.settings import Settings; Settings.load()\n"
    code += "from tests.docs.reference import env_example, settings_page\n"
    code += "print(settings_page(), env_example())"
    line = [sys.executable, "-c", code]
    page = run(line, env=told, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    row = "| `ERRANDS_URL` | `http://127.0.0.1:9` | Address that errands are told to. |"
    assert "## Errands" in page
    assert row in page
    assert "#ERRANDS_URL=http://127.0.0.1:9" in page


WALK = "own:walk"


def fill(url: str, user: int) -> None:
    """Store two errands of the user in two conversations, one of them done long ago."""
    walk = client_thread_of(user, WALK)
    with psycopg.connect(url) as connection:
        connection.execute("INSERT INTO users (telegram_user_id) VALUES (%s)", (user,))
        conversation = "INSERT INTO conversations (user_id, thread_id) VALUES (%s, %s)"
        connection.execute(conversation, (user, walk))
        insert = (
            "INSERT INTO errands (user_id, thread_id, words, done_at)"
            " VALUES (%s, %s, %s, clock_timestamp() - make_interval(days => %s))"
        )
        connection.execute(insert, (user, f"tg:{user}", "fetch the parcel", 1))
        connection.execute(insert, (user, walk, "walk the dog", 31))


def words_left(world: World, user: int) -> set[str]:
    """The user's errands that are still there."""
    return {row["words"] for row in world.rows("SELECT words FROM errands WHERE user_id=%s", user)}


@pytest.mark.req("MEM-3")
async def test_rows_are_exported_forgotten_and_aged(world: World) -> None:
    """By a process that does not have the package: everything, a thing, a conversation, by age."""
    url = world.database_url
    users = everything, thing, conversation, age = range(OTHER + 10, OTHER + 14)
    for user in users:
        fill(url, user)
    async with open_pools(url, url, max_size=2) as databases:
        data = PostgresUserData(databases, UserTags())
        exported = (await data.export(everything))["errands"]
        assert {one["words"] for one in exported} == {"fetch the parcel", "walk the dog"}
        assert {*exported[0]} == {"words", "at", "done_at"}
        await data.forget(everything)
        assert words_left(world, everything) == set()

        erasure = PostgresErasure(databases)
        (parcel,) = [one for one in await erasure.things(thing) if "parcel" in one.text]
        await erasure.erase(Erased(thing, f"tg:{thing}", things=frozenset([parcel.key])))
        assert words_left(world, thing) == {"walk the dog"}

        assert await PostgresConversations(databases).forget(conversation, WALK)
        assert words_left(world, conversation) == {"fetch the parcel"}

        await AgedRows(databases, None).prune(1_000)
        assert words_left(world, age) == {"fetch the parcel"}
