"""Tools of servers, as users and admins see them; over HTTP, PostgreSQL and MCP."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.scripting import calling
from tests.acceptance.test_interrupts import press
from tests.acceptance.world import (
    ROOT,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.stand_ins.mcp_servers.starting import at_address, office_command

Message = dict[str, Any]
ADA, EVE = 9_200_001, 9_200_002
WISH = "Cancel the event “Lunch”."
APPROVAL = "■ office: cancel_event\n• title\n│ Lunch"


@dataclass(frozen=True, slots=True)
class Office:
    """The world of a bot with two servers, one of which does not know the bot any more."""

    world: World
    book: Path

    @property
    def entries(self) -> Sequence[str]:
        """The calls that came to the office."""
        return self.book.read_text().split() if self.book.exists() else []


@pytest.fixture(scope="module")
def office(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Office]:
    """A running bot."""
    folder = tmp_path_factory.mktemp("office")
    book, file = folder / "book", folder / "servers.json"
    started = {**office_command(), "env": {"OFFICE_BOOK": str(book)}}
    with (
        running_sandbox(ROOT / "docs") as sandbox,
        database_server.database(database_template) as url,
        at_address(OFFICE_TOKEN="of-today") as guarded,
    ):
        login = {"Authorization": "Bearer of-yesterday"}
        servers = {"office": started, "vault": {"url": guarded.url, "headers": login}}
        file.write_text(json.dumps({"mcpServers": servers}), "utf-8")
        settings = environment(sandbox.url, url, ADMIN_USERS=str(ADA), MCP_SERVERS_FILE=str(file))
        world = World(sandbox, settings, url)
        with running_bot(settings):
            world.ask(ADA, "hi")
            # A turn waits a few seconds at most for a server that is still starting.
            wait_until(lambda: APPROVAL in told(world, EVE)["text"] or None, "the office opens")
            yield Office(world, book)


def told(world: World, user: int) -> Message:
    """The bot's message to the wish, for which the model calls the tool."""
    world.sandbox.script("Cancel the event", calling("office__cancel_event", title="Lunch"))
    return world.ask(user, WISH)


def asked(office: Office, user: int) -> Message:
    """The card that asks for approval of what the user wishes."""
    card = told(office.world, user)
    assert APPROVAL in card["text"]
    return card


def press_button(office: Office, user: int, card: Message, caption: str) -> None:
    """The user presses one of the buttons of a card."""
    (data,) = (one["callback_data"] for one in card["buttons"][0] if one["text"] == caption)
    press(office.world, user, card["message_id"], data)


def hears(office: Office, user: int, words: str) -> list[str]:
    """The messages to somebody that hold some words, once there are any."""

    def found() -> list[str] | None:
        said = [reply["text"] for reply in office.world.sandbox.replies(user)]
        return [text for text in said if words in text] or None

    return wait_until(found, f"{user} hears of {words!r}")


def test_call_of_a_server_is_made_once_the_user_agrees(office: Office, user: int) -> None:
    """The card shows the server and what it gets; nothing is sent before."""
    before = list(office.entries)
    card = asked(office, user)
    assert list(office.entries) == before
    press_button(office, user, card, "Approve")
    wait_until(lambda: len(office.entries) > len(before), "the office is called")
    assert list(office.entries) == [*before, "cancel_event"]


def test_call_of_a_server_is_not_made_against_the_user(office: Office, user: int) -> None:
    """A cancelled card sends nothing."""
    before = list(office.entries)
    press_button(office, user, asked(office, user), "Cancel")
    hears(office, user, "Nothing was changed")
    assert list(office.entries) == before


def test_admins_are_told_once_of_a_login_that_has_ended(office: Office, user: int) -> None:
    """Which server it is, and what to do; users get their answers."""
    asked(office, user)
    (notice,) = hears(office, ADA, "vault")
    assert "does not accept its login" in notice
    assert "MCP_SERVERS_FILE" in notice
