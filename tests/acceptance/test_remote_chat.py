"""`rich-agent chat --url`: the terminal talks to a bot that runs elsewhere."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from typing_extensions import override

from rich_agent.domain.message import User
from rich_agent.terminal.conversation import terminal_request
from rich_agent.terminal.remote_bot import FRAMINGS, RemoteBot, RemoteBotError, open_http
from rich_agent.turns.runner import Answered, TextSoFar
from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.test_terminal_acting import two_tasks
from tests.acceptance.test_web_access import made_at_terminal
from tests.acceptance.world import World, command

QUESTION = "What is proof of history?"


def speaking(world: World, user: int) -> dict[str, str]:
    """The environment of a terminal that only knows a token of the user."""
    ours = {"DATABASE_URL", "OPENAI_API_KEY", "TELEGRAM_BOT_TOKEN"}
    kept = {name: value for name, value in world.environment.items() if name not in ours}
    return {**kept, "REMOTE_TOKEN": made_at_terminal(world.environment, user)}


def test_terminal_talks_to_a_bot_elsewhere(world: World, user: int, tmp_path: Path) -> None:
    """An answer with its sources, then a card: words change it, a key approves it."""
    world.sandbox.script(
        f"party of {user}",
        two_tasks("Buy cake", "Buy candles"),
        two_tasks("Buy pie", "Buy candles"),
        "Both are on your list.",
    )
    line = ["rich_agent.cli", "chat", "--url", world.environment["PUBLIC_URL"]]
    with at_terminal(line, speaking(world, user), tmp_path) as terminal:
        terminal.until("> ")
        terminal.type(f"{QUESTION}\n")
        answer = terminal.until("\n> ")
        assert "hash" in answer
        assert "Sources" in answer
        terminal.type(f"Add two tasks for the party of {user}\n")
        assert "Buy cake" in terminal.until("\n> ")
        terminal.type("a pie instead of a cake\n")
        assert "Buy pie" in terminal.until("\n> ")
        terminal.type("y\n")
        assert "Both are on your list." in terminal.until("\n> ")
        terminal.type("\x04")
        assert terminal.end() == 0
    tasks = world.rows("SELECT title FROM tasks WHERE user_id = %s ORDER BY title", user)
    assert [task["title"] for task in tasks] == ["Buy candles", "Buy pie"]


def test_sources_of_a_bot_elsewhere_are_printed_once_in_a_pipe(world: World, user: int) -> None:
    """As definitions of the text, which stand there already."""
    line = [sys.executable, "-m", "rich_agent.cli", "chat", "--url"]
    done = subprocess.run(
        [*line, world.environment["PUBLIC_URL"]],
        input=f"{QUESTION}\n",
        env=speaking(world, user),
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    addresses = re.findall(r"http://\S+proof-of-history[^\s>]*", done.stdout)
    assert addresses
    assert len(addresses) == len(set(addresses))
    assert "\nSources\n" not in done.stdout


def test_terminal_without_a_token_is_told_where_to_get_one(world: World) -> None:
    """And with one that does not work, what the bot says."""
    url = world.environment["PUBLIC_URL"]
    done = command(["rich_agent.cli", "chat", "--url", url], world.environment, expect=1)
    assert "REMOTE_TOKEN: is missing" in done.stderr
    assert "/tokens" in done.stderr


async def test_bot_that_cannot_be_reached_is_told(world: World) -> None:
    """A wrong token, and no bot at all."""

    async def ask(address: str) -> None:
        async with open_http(address, "ra_" + "x" * 43) as http:
            bot = RemoteBot(http, pause_s=0.0)
            async for _ in bot.ask(terminal_request(User(0), "hi"), asyncio.Event()):
                pass

    with pytest.raises(RemoteBotError, match="unknown, revoked or expired"):
        await ask(world.environment["PUBLIC_URL"])
    with pytest.raises(RemoteBotError, match="cannot be reached"):
        await ask("http://127.0.0.1:9")


class Dropping(httpx.AsyncHTTPTransport):
    """Loses its first two connections in the middle of the answer."""

    lost = 0

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer, as far as the connection lasts."""
        answer = await super().handle_async_request(request)
        if self.lost < 2:
            self.lost += 1
            assert isinstance(answer.stream, httpx.AsyncByteStream)
            answer.stream = CutShort(answer.stream)
        return answer


@dataclass
class CutShort(httpx.AsyncByteStream):
    """The first bytes of an answer, then a lost connection."""

    whole: httpx.AsyncByteStream
    left: int = 2_000

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for some in self.whole:
            yield some[: self.left]
            self.left -= len(some)
            if self.left <= 0:
                raise httpx.ReadError("lost")

    @override
    async def aclose(self) -> None:
        """Close the connection."""
        await self.whole.aclose()


@pytest.mark.parametrize("framing", FRAMINGS)
async def test_connection_that_drops_loses_and_doubles_nothing(
    world: World, user: int, framing: str
) -> None:
    """It is made again behind the last event that came, in either framing."""
    token = made_at_terminal(world.environment, user)
    address, transport = world.environment["PUBLIC_URL"], Dropping()
    async with open_http(address, token, transport=transport) as http:
        bot = RemoteBot(http, framing, pause_s=0.01)
        asked = bot.ask(terminal_request(User(0), QUESTION), asyncio.Event())
        events = [event async for event in asked]
    assert transport.lost == 2
    *_, last = [event.text for event in events if isinstance(event, TextSoFar)]
    (answered,) = [event for event in events if isinstance(event, Answered)]
    assert answered.answer.text.startswith(last)
    assert "hash" in last
    assert answered.answer.citations
    said = world.rows("SELECT role FROM messages WHERE user_id = %s", user)
    assert len(said) == 2


async def test_stop_from_afar_ends_the_answer(world: World, user: int) -> None:
    """With what was said so far."""
    world.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=30.0)
    stop, token = asyncio.Event(), made_at_terminal(world.environment, user)
    async with open_http(world.environment["PUBLIC_URL"], token) as http:
        async for event in RemoteBot(http).ask(terminal_request(User(0), QUESTION), stop):
            if isinstance(event, TextSoFar):
                stop.set()
    assert isinstance(event, Answered)
    assert "(stopped)" in event.answer.text
