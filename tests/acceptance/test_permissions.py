"""Calls that a user permits for good: offered where it is safe, kept as shown, and taken back."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from rich_agent.phrases import say
from tests.acceptance.browsing import fresh_browser, needs_browser
from tests.acceptance.programs import begun, client_of, streamed, text_in
from tests.acceptance.programs import named_events as api_events
from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.scripting import calling
from tests.acceptance.test_acting import decide, wish
from tests.acceptance.test_agui import events_of as agui_events
from tests.acceptance.test_agui import interrupts_in, program, wanted
from tests.acceptance.test_commands import command, labels, press
from tests.acceptance.test_web_chat import Chat
from tests.acceptance.world import (
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer
from tests.shown_cards import shown_in
from tests.stand_ins.mcp_servers.starting import at_address

Json = dict[str, Any]
ALWAYS = "Always for this"
_CHANGED = "UPDATE tool_permissions SET digest = 'other' WHERE user_id = %s RETURNING id"
KITCHEN = {"room": "kitchen", "on": True}


@dataclass(frozen=True, slots=True)
class House:
    """The world of a bot with a trusted office, and the book of what came to that."""

    world: World
    book: Path

    @property
    def calls(self) -> int:
        """The number of calls that came to the office."""
        return len(self.book.read_text().split()) if self.book.exists() else 0

    def ask(self, user: int, *calls: Json) -> Json:
        """The bot's message to a wish for which the model makes these calls."""
        self.world.sandbox.script(wish(user), {"calls": list(calls)})
        return self.world.ask(user, wish(user))

    def permitted(self, user: int) -> list[Json]:
        """The permissions of a user, as they are kept."""
        query = "SELECT tool, arguments, fixed, used FROM tool_permissions WHERE user_id = %s"
        return list(self.world.rows(query, user))


def switching(**arguments: object) -> Json:
    """The call of the light."""
    return calling("office__switch", **arguments)


@pytest.fixture(scope="module")
def house(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[House]:
    """A running bot."""
    folder = tmp_path_factory.mktemp("house")
    book, file = folder / "book", folder / "servers.json"
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        at_address(OFFICE_BOOK=str(book)) as office,
    ):
        entry = {"url": office.url, "trusted": True}
        file.write_text(json.dumps({"mcpServers": {"office": entry}}), "utf-8")
        settings = environment(sandbox.url, url, MCP_SERVERS_FILE=str(file))
        with running_bot(settings):
            listed = run_command(["rich_agent.cli", "tools"], settings).stdout
            assert "office__switch" in listed
            yield House(World(sandbox, settings, url), book)


def permit(house: House, user: int) -> None:
    """The user permits the light of the kitchen for good."""
    card = house.ask(user, switching(**KITCHEN))
    assert "the same call runs without asking" in card["text"]
    decide(house.world, user, card, ALWAYS)


@pytest.mark.costs("it asks on several surfaces, in several turns")
def test_permitted_call_runs_unasked_and_is_told(house: House, user: int) -> None:
    """Once it was approved for good; /why and /tools tell; another user is asked."""
    before = house.calls
    permit(house, user)
    assert house.permitted(user) == [
        {"tool": "switch", "arguments": KITCHEN, "fixed": None, "used": 0}
    ]
    answer = house.ask(user, switching(**KITCHEN))
    assert "✓ office: switch" in answer["text"]
    assert house.calls == before + 2
    assert house.permitted(user)[0]["used"] == 1
    why = command(house.world, user, "/why")["text"]
    assert "because you always allow them (/tools): 1" in why
    listed = command(house.world, user, "/tools")
    assert "1. office: switch\nroom: kitchen\non: true\n" in listed["text"].replace(
        "on: true\nroom: kitchen\n", "room: kitchen\non: true\n"
    )
    assert "calls: 1" in listed["text"]
    stranger = house.ask(user + 500_000, switching(**KITCHEN))
    assert ALWAYS in labels(stranger)
    decide(house.world, user + 500_000, stranger, "Cancel")


@pytest.mark.costs("it asks on several surfaces, in several turns")
def test_other_call_of_the_tool_asks(house: House, user: int) -> None:
    """With another value, one more or one less; several at once ask, for this once."""
    permit(house, user)
    before = house.calls
    others: list[Json] = [
        {"room": "vault", "on": True},
        {**KITCHEN, "to": "x"},
        {"room": "kitchen"},
    ]
    for other in others:
        card = house.ask(user, switching(**other))
        assert shown_in(card["text"]) == [("office: switch", other)]
        decide(house.world, user, card, "Cancel")
    card = house.ask(user, switching(**KITCHEN), switching(**KITCHEN))
    assert shown_in(card["text"]) == [("office: switch", KITCHEN)] * 2
    assert card["text"].count("■") == 1
    assert ALWAYS not in labels(card)
    decide(house.world, user, card, "Cancel")
    assert house.calls == before


@pytest.mark.costs("it asks on several surfaces, in several turns")
def test_permission_is_taken_back(house: House, user: int) -> None:
    """One by its button, all by another; then the call asks again."""
    permit(house, user)
    listed = command(house.world, user, "/tools")
    assert labels(listed) == ["✕ 1", "Take all back"]
    press(house.world, user, listed, "✕ 1")
    assert house.permitted(user) == []
    card = house.ask(user, switching(**KITCHEN))
    decide(house.world, user, card, ALWAYS)
    card = house.ask(user, switching(room="hall"))
    decide(house.world, user, card, ALWAYS)
    assert len(house.permitted(user)) == 2
    assert "2. office" in command(house.world, user, "/tools 3")["text"]
    assert "Taken back." in command(house.world, user, "/tools 2")["text"]
    assert [one["arguments"] for one in house.permitted(user)] == [{"room": "hall"}]
    press(house.world, user, command(house.world, user, "/tools"), "Take all back")
    assert house.permitted(user) == []
    card = house.ask(user, switching(**KITCHEN))
    decide(house.world, user, card, ALWAYS)
    command(house.world, user, "/tools *")
    assert house.permitted(user) == []
    assert "not allowed any action" in command(house.world, user, "/tools")["text"]


def test_tool_that_changed_asks_again(house: House, user: int) -> None:
    """And /tools says so; what an admin accepts then is another tool."""
    permit(house, user)
    house.world.rows(_CHANGED, user)
    card = house.ask(user, switching(**KITCHEN))
    assert ALWAYS in labels(card)
    decide(house.world, user, card, "Cancel")
    assert "The tool has changed since" in command(house.world, user, "/tools")["text"]


@pytest.mark.feature("agenda")
def test_nothing_is_offered_for_good_for_what_may_destroy(house: House, user: int) -> None:
    """A tool without hints, and a task of the user that is deleted."""
    card = house.ask(user, calling("office__cancel_event", title="Lunch"))
    assert labels(card) == ["Approve", "Adjust", "Cancel"]
    decide(house.world, user, card, "Cancel")
    card = house.ask(user, calling("delete_task", task_id=1))
    assert labels(card) == ["Approve", "Adjust", "Cancel"]
    decide(house.world, user, card, "Cancel")


@pytest.mark.costs("it asks on several surfaces, in several turns")
def test_other_surfaces_take_a_permission(house: House, user: int, tmp_path: Path) -> None:
    """AG-UI and the small API by a flag, /v1 by the words of the choice, the terminal by a key."""
    words = wish(user)

    def script(room: str) -> None:
        calls = {"calls": [switching(room=room)]}
        house.world.sandbox.script(words, calls, "The light is on.")

    with program(house.world, user) as client:
        script("attic")
        (found,) = interrupts_in(agui_events(client.post("/agui", json=wanted(words))))
        assert "always" in found["responseSchema"]["properties"]
        payload: Json = {"approved": True, "always": True, "editedArgs": {"room": "vault"}}
        resume = {"interruptId": found["id"], "status": "resolved", "payload": payload}
        assert client.post("/agui", json=wanted("", "r2", resume=[resume])).status_code == 400
        del payload["editedArgs"]
        agui_events(client.post("/agui", json=wanted("", "r3", resume=[resume])))
        script("barn")
        run_id = begun(client.post("/api/agent/query", json={"query": words}))
        api_events(client, run_id)
        said = {"approved": True, "always": True}
        api_events(client, begun(client.post(f"/api/agent/approve/{run_id}", json=said)))
    with client_of(house.world, user) as openai:
        script("cellar")
        assert "“Always for this”" in text_in(streamed(openai, words))
        streamed(openai, "always for this")
    script("den")
    line = ["rich_agent.cli", "chat", "--user", str(user)]
    with at_terminal(line, house.world.environment, tmp_path) as terminal:
        terminal.until("> ")
        terminal.type(f"{words}\n")
        assert "a. Always for this" in terminal.until("\n> ")
        terminal.type("a\n")
        assert "The light is on." in terminal.until("\n> ")
        terminal.type("\x04")
        assert terminal.end() == 0
    rooms = [one["arguments"]["room"] for one in house.permitted(user)]
    assert rooms == ["attic", "barn", "cellar", "den"]


@needs_browser[0]
@needs_browser[1]
def test_card_of_the_web_chat_offers_a_permission(house: House, user: int) -> None:
    """Until its arguments are changed; several calls of a tool are one card without the offer."""
    words = wish(user)
    with fresh_browser("--lang=en") as browser:
        chat = Chat(browser, house.world, user)
        chat.open()
        rooms = [switching(room=room, on=True) for room in ("attic", "barn", "cellar")]
        house.world.sandbox.script(words, {"calls": rooms}, "The lights are on.")
        chat.send(words)
        chat.await_shown(".card .shared", "office: switch × 3")
        assert [one.text for one in chat.all(".card .call > label")] == ["1/3", "2/3", "3/3"]
        assert len(chat.all(".card dt")) == 4
        assert len(chat.all(".card .keys button")) == 2
        assert chat.serious() == []
        chat.screenshot("joined-card")
        chat.await_shown(".card .primary").click()
        chat.await_shown(".card.done", "Approved")
        chat.await_over()
        house.world.sandbox.script(f"{words} again", {"calls": [switching(**KITCHEN)]}, "On.")
        chat.send(f"{words} again")
        chat.await_shown(".card .note", "the same call runs without asking")
        always = chat.all(".card .keys button")[2]
        assert chat.serious() == []
        chat.screenshot("permission-card")
        chat.await_shown(".card summary").click()
        chat.await_shown(".card .edit textarea").send_keys(" 2")
        assert not always.is_enabled()
        chat.await_shown(".card .edit textarea").send_keys(Keys.BACKSPACE, Keys.BACKSPACE)
        assert always.is_enabled()
        always.click()
        chat.await_shown(".card.done", ALWAYS)
        chat.await_over()
        assert [one["arguments"] for one in house.permitted(user)] == [KITCHEN]
        chat.send("/tools")
        wait_until(lambda: "on: true" in chat.all(".answer")[-1].text or None, "the list is shown")
        chat.screenshot("tools")
        chat.send("/tools 1")
        wait_until(lambda: house.permitted(user) == [] or None, "it is taken back")


def test_permissions_leave_with_their_user(house: House, user: int) -> None:
    """They are in the export, and gone after /forget."""
    permit(house, user)
    sent = house.world.sandbox.say(user, "/export")
    wait_until(lambda: house.world.is_done(sent) or None, "it is exported")
    files = [m["document"] for m in house.world.sandbox.chat(user)["messages"] if m.get("document")]
    address = f"{house.world.sandbox.url}{files[-1]['url']}"
    exported = json.loads(house.world.sandbox.http.get(address).content)
    assert exported["permissions"][0]["arguments"] == KITCHEN
    press(house.world, user, command(house.world, user, "/forget"), say("en", "forget-yes"))
    assert house.permitted(user) == []
