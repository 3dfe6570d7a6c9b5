"""`rich-agent inbox`: what an operator sees and does, against PostgreSQL."""

import asyncio
import json
from collections.abc import Callable, Sequence

import pytest
from typer.testing import CliRunner, Result

from rich_agent.cli import app
from rich_agent.commands.inbox import NOTHING_DEAD
from rich_agent.errors import UnknownDeadLetterError
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.inbox.inbox import PostgresInbox
from rich_agent.telegram.receive.envelope import envelope

TOKEN = "700000001:AAF-sandbox-token-for-the-tests-000"
Run = Callable[..., Result]


@pytest.fixture
def run(database_url: str) -> Run:
    """Runs a command of the group on the test's database."""
    environment = {"DATABASE_URL": database_url, "TELEGRAM_BOT_TOKEN": TOKEN}

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["inbox", *arguments], env=environment)

    return invoke


def question(update_id: int, user_id: int, text: str) -> bytes:
    """An update as Telegram sends it."""
    message = {"from": {"id": user_id}, "text": text}
    return json.dumps({"update_id": update_id, "message": message}).encode()


def bury(database_url: str, updates: Sequence[bytes], error: str = "boom") -> None:
    """Store updates and give them up."""

    async def store_and_bury() -> None:
        async with open_pool(database_url, max_size=2) as pool, PostgresInbox(pool) as inbox:
            await inbox.store([envelope(raw) for raw in updates])
            while lane := await inbox.claim():
                await inbox.bury(lane, error)

    asyncio.run(store_and_bury())


def waiting(database_url: str) -> list[int]:
    """The updates that are handed out now, in order."""

    async def serve() -> list[int]:
        served: list[int] = []
        async with open_pool(database_url, max_size=2) as pool, PostgresInbox(pool) as inbox:
            while lane := await inbox.claim():
                served += [update.update_id for update in lane.updates]
                await inbox.finish(lane)
        return served

    return asyncio.run(serve())


@pytest.mark.parametrize(
    "arguments", [["list"], ["replay", "--all"], ["drop", "--all"]], ids=lambda a: a[0]
)
def test_inbox_commands_say_that_nothing_is_dead(run: Run, arguments: list[str]) -> None:
    """And that is no failure."""
    result = run(*arguments)
    assert (result.exit_code, result.output.strip()) == (0, NOTHING_DEAD)
    assert json.loads(run("list", "--json").output) == []


def test_inbox_list_tells_what_happened_without_telling_who(run: Run, database_url: str) -> None:
    """A row each; the user by a tag, the error without secrets."""
    updates = [question(7, 42, "hi"), question(8, 43, "hi"), b"garbage"]
    bury(database_url, updates, f"ConnectError: https://api.telegram.org/bot{TOKEN}/sendMessage")
    head, *lines = run("list").output.splitlines()
    assert head.split("\t") == ["update_id", "dead_at", "user", "kind", "attempts", "last_error"]
    assert len(lines) == 3
    assert "unreadable" in lines[0]
    assert lines[1].startswith("7\t")
    assert "\tmessage\t1\tConnectError: https://api.telegram.org/bot***/send" in lines[1]
    rows = json.loads(run("list", "--json").output)
    assert [row["update_id"] for row in rows[1:]] == [7, 8]
    assert rows[1]["user"] != rows[2]["user"]
    assert "42" not in {row["user"] for row in rows}
    assert TOKEN not in run("list", "--json").output


def test_inbox_show_prints_the_update_as_it_came(run: Run, database_url: str) -> None:
    """Pretty-printed, whatever it is, and without secrets."""
    bury(database_url, [question(7, 42, f"日本 \ud800 my token is {TOKEN}"), b"\xff\x00garbage"])
    shown = run("show", "7").output
    assert '"text": "日本 ? my token is ***"' in shown
    assert "last_error: boom" in shown
    as_json = json.loads(run("show", "7", "--json").output)
    assert as_json["update"]["message"]["from"]["id"] == 42
    (unreadable, _) = json.loads(run("list", "--json").output)
    assert unreadable["update_id"] < 0
    assert "garbage" in run("show", str(unreadable["update_id"])).output


def test_inbox_replay_puts_back_what_was_named(run: Run, database_url: str) -> None:
    """In the user's order; the rest stays."""
    bury(database_url, [question(n, 42, "hi") for n in (1, 2, 3)])
    result = run("replay", "3", "1")
    assert (result.exit_code, result.output.strip()) == (
        0,
        "2 put back to be answered next: 1, 3",
    )
    assert waiting(database_url) == [1, 3]
    assert json.loads(run("replay", "--all", "--json").output) == {"replayed": [2]}


def test_inbox_drop_forgets(run: Run, database_url: str) -> None:
    """For good."""
    bury(database_url, [question(n, 42, "hi") for n in (1, 2, 3)])
    assert run("drop", "2").output.strip() == "1 dropped: 2"
    assert json.loads(run("drop", "1", "--json").output) == {"dropped": [1]}
    assert run("drop", "--all").output.strip() == "1 dropped: 3"
    assert run("list").output.strip() == NOTHING_DEAD
    assert waiting(database_url) == []


@pytest.mark.parametrize("command", ["show", "replay", "drop"])
def test_inbox_commands_refuse_an_unknown_id(run: Run, database_url: str, command: str) -> None:
    """Nothing is done, also not with those that are known."""
    bury(database_url, [question(1, 42, "hi")])
    result = run(command, "99") if command == "show" else run(command, "1", "99")
    assert result.exit_code == 1
    assert isinstance(result.exception, UnknownDeadLetterError)
    assert "no dead letter has the id 99" in result.exception.explain()
    assert "inbox list" in result.exception.explain()
    assert len(json.loads(run("list", "--json").output)) == 1


@pytest.mark.parametrize("arguments", [["replay"], ["drop"], ["drop", "1", "--all"]])
def test_inbox_commands_want_ids_or_all(run: Run, arguments: list[str]) -> None:
    """Wrong usage is exit 2; nothing is dropped by accident."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert "--all" in result.output
