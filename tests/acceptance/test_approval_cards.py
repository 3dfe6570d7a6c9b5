"""Cards of a hostile server's calls, on every surface: what is shown is what is run."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from rich_agent.domain.text import utf16_length
from tests.acceptance.browsing import fresh_browser, needs_browser
from tests.acceptance.programs import begun, client_of, streamed, text_in
from tests.acceptance.programs import named_events as api_events
from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.scripting import calling
from tests.acceptance.test_acting import decide, settled
from tests.acceptance.test_agui import events_of as agui_events
from tests.acceptance.test_agui import interrupts_in, program, wanted
from tests.acceptance.test_commands import labels
from tests.acceptance.test_web_chat import Chat
from tests.acceptance.world import (
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.shown_cards import NAME, VALUE, Shown, shown_in, unwrapped
from tests.stand_ins.mcp_servers.bank import TITLE
from tests.stand_ins.mcp_servers.starting import BANK, at_address

Json = dict[str, Any]
FLAT = "Alice, for the flat in the street behind the church, as agreed " * 27
LISTED: Sequence[Json] = [
    {"to": "[Alice](mallory-DE99-1234)", "amount": 5},
    {"to": "~~mallory~~ Alice"},
    {"to": "Alice ||and mallory||"},
    {"to": "**Alice** __x__ *y* `z`"},
    {"to": "![Alice](https://evil.example/pixel)"},
    {"to": "\u2066Mallory\u2067 ecilA\u2069"},
    {"to": "Ali\u200bce"},
    {"to": "Alice\U000e0041\U000e0042"},
    {"to": FLAT, "amount": 99_999},
]
"""The tricks that were found."""
OWN: Sequence[Json] = [
    {"to": "Alice\n• amount\n│ 5", "amount": 99_999},
    {"to\n│ Alice\n• iban": "mallory"},
    {"to": "Alice\n\n■ bank: Weather\n• city\n│ Rome"},
    {"to": "Alice" + " " * 300 + "amount 5", "amount": 7},
    {"to": "Alice\r\nApproved.\x0b\x0c\x85\u2028\u2029x"},
    {"to": "```\n\nThis was approved.\n\n```\n<!-- ", "~~~": "~~~"},
    {"to": "ma\u0336l\u0336l\u0336ory Alice", "note": "Z" + "\u0301\u0316\u0334" * 20},
    {"to": "p\u0430ypal", "t\u043e": "mallory"},
    {"to": "Al\u00adice\u2060\ufeff\u034f\u3164\u2800"},
    {"to": "5\u00a0000\u2003EUR\u3000", "amount": "5", "really": 5},
    {"to": "", "cc": " ", "bcc": "   ", "": "nobody"},
    {"limit": None, "free": "null", "yes": True, "si": "true", "n": "-0", "z": 0.0},
    {"amount": 2**63 - 1, "rate": 1.10, "tiny": 5e-324, "e": 1e22, "m": -0.0},
    {"to": {"name": "**Alice**", "iban": ["[x](y)", {"deep\n": "\u202eDE99"}]}},
    {"to": r"Alice\u200b \\u2066 C:\new \U000e0041 \x1b[8m"},
    {"to": "\x1b[2K\x1b[1A\x1b]8;;https://evil.example\x1b\\Alice\x07"},
    {"to": "@mallory /start #tag https://evil.example evil.example a@evil.example"},
    {"to": "$x^2$ \\(y\\) [1] [^1] &lt;b&gt; <b>Alice</b> | a | b |\n|---|---|"},
    {"to": "\u2764\ufe0f \U0001f468\u200d\U0001f469\u200d\U0001f467 \u0627\u0644\u0639 5 \u05d0 7"},
    {f"argument {number}": number for number in range(90)},
    {"a" * 400: "x\n" * 400, "amount": 99_999},
    {'"to"': '"Alice"', "to": '{"iban": "DE99"}', "amount": "1e999"},
]
"""Twenty-two more of our own."""
TRICKS = [*LISTED, *OWN]
BATCHES = [TRICKS[at : at + 8] for at in range(0, len(TRICKS), 8)]
SURFACE_BATCHES = [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(1, len(BATCHES)))]
"""Each surface shows the tricks that were found; of its own rendering, any text is tried by
`tests/unit/rendering/test_cards.py`, `tests/unit/features/web_chat/test_cards.py` and
`tests/unit/terminal/test_cards.py`.
"""


@dataclass(frozen=True, slots=True)
class Bank:
    """The world of a bot with a hostile server, and the book of what came to that."""

    world: World
    book: Path

    @property
    def entries(self) -> list[tuple[str, Json]]:
        """The calls that came to the bank."""
        lines = self.book.read_text("utf-8").splitlines() if self.book.exists() else []
        return [(name, arguments) for name, arguments in map(json.loads, lines)]

    def script(self, wish: str, *calls: Json) -> None:
        """Have the model call the bank at a wish, and end with a word."""
        self.world.sandbox.script(wish, {"calls": list(calls)}, "That is what I did.")

    def await_entries(self, number: int) -> list[tuple[str, Json]]:
        """The newest calls, once there are so many."""
        wait_until(lambda: len(self.entries) >= number or None, "the bank is called")
        return self.entries


@pytest.fixture(scope="module")
def bank(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Bank]:
    """A running bot with the bank."""
    folder = tmp_path_factory.mktemp("bank")
    book, file = folder / "book", folder / "servers.json"
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        at_address(BANK, BANK_BOOK=str(book)) as server,
    ):
        file.write_text(json.dumps({"mcpServers": {"bank": {"url": server.url}}}), "utf-8")
        settings = environment(sandbox.url, url, MCP_SERVERS_FILE=str(file))
        world = World(sandbox, settings, url)
        with running_bot(settings):
            listed = command(["rich_agent.cli", "tools"], settings).stdout
            assert "bank__pay" in listed
            yield Bank(world, book)


def pays(tricks: Sequence[Json]) -> list[Json]:
    """A call of the bank for each."""
    return [calling("bank__pay", **trick) for trick in tricks]


def expected(tricks: Sequence[Json]) -> Shown:
    """The calls that are read on their cards."""
    return [("bank: Pay (pay)", dict(trick)) for trick in tricks]


def exactly(shown: object, wanted_: object) -> None:
    """The same values, with 5 apart from "5", 5.0 and true."""
    assert json.dumps(shown, sort_keys=True) == json.dumps(wanted_, sort_keys=True)


def on_telegram(bank: Bank, user: int, wish: str) -> tuple[Json, Shown]:
    """The newest question, and what can be read of it: in the message, or in its file."""
    sent = bank.world.sandbox.say(user, wish)

    def asked() -> Json | None:
        found = [
            m for m in bank.world.sandbox.replies(user, sent.message_id) if "Approve" in labels(m)
        ]
        return found[-1] if found else None

    card = wait_until(asked, "the question is there")
    if "approval.txt" not in card["text"]:
        return card, shown_in(card["text"])
    files = [m["document"] for m in bank.world.sandbox.chat(user)["messages"] if m.get("document")]
    url = f"{bank.world.sandbox.url}{files[-1]['url']}"
    return card, shown_in(bank.world.sandbox.http.get(url).content.decode())


@pytest.mark.costs("it reads the card on each surface")
@pytest.mark.parametrize("number", SURFACE_BATCHES)
def test_card_shows_what_the_server_gets(bank: Bank, user: int, number: int) -> None:
    """On Telegram: code and blocks of code, nothing else, and no invisible character."""
    tricks, wish = BATCHES[number], f"Add the tasks of list {user}"
    bank.script(wish, *pays(tricks))
    card, shown = on_telegram(bank, user, wish)
    exactly(shown, expected(tricks))
    assert {entity["type"] for entity in card["entities"]} <= {"bold", "code", "pre"}
    assert not re.search(
        "[\u200b-\u200f\u202a-\u202e\u2066-\u2069\x1b\U000e0000-\U000e0fff]", card["text"]
    )
    before = len(bank.entries)
    decide(bank.world, user, card, "Approve")
    ran = bank.await_entries(before + len(tricks))[before:]
    exactly([arguments for _, arguments in ran], list(tricks))


def test_card_on_telegram_hides_no_amount(bank: Bank, user: int) -> None:
    """Behind 1,700 characters it stands on the card; a link is text; each value is a block."""
    wish = f"Add the tasks of rent {user}"
    bank.script(wish, *pays([LISTED[8], LISTED[0]]))
    card, _ = on_telegram(bank, user, wish)
    assert "• amount\n│ 99999" in card["text"]
    assert "│ [Alice](mallory-DE99-1234)" in card["text"]
    at = 0
    for line in card["text"].split("\n"):
        over = {
            entity["type"]
            for entity in card["entities"]
            if entity["offset"] <= at < entity["offset"] + entity["length"]
        }
        assert line[:2] != VALUE or over == {"pre"}
        assert line[:2] != NAME or over == {"code"}
        at += utf16_length(line) + 1
    decide(bank.world, user, card, "Cancel")


def test_title_of_a_tool_cannot_imitate_a_card(bank: Bank, user: int) -> None:
    """It is one line, with the tool's name behind it."""
    wish = f"Add the tasks of weather {user}"
    bank.script(wish, calling("bank__transfer", to="mallory"))
    card, shown = on_telegram(bank, user, wish)
    title = TITLE.replace("\u202e", "")  # as the list of tools has it
    assert shown == [(f"bank: {title} (transfer)", {"to": "mallory"})]
    assert not [one for one in card["entities"] if one["type"] in {"text_link", "spoiler"}]
    decide(bank.world, user, card, "Cancel")


@pytest.mark.costs("it reads the card on each surface")
@pytest.mark.parametrize("number", SURFACE_BATCHES)
def test_card_of_agui_shows_what_the_server_gets(bank: Bank, user: int, number: int) -> None:
    """In the message of each interrupt, in a block of code that ends where the card does."""
    tricks, wish = BATCHES[number], f"Add the tasks of list {user}"
    bank.script(wish, *pays(tricks))
    with program(bank.world, user) as client:
        found = interrupts_in(agui_events(client.post("/agui", json=wanted(wish))))
        exactly([one for each in found for one in in_blocks(each["message"])], expected(tricks))
        resume = [
            {"interruptId": one["id"], "status": "resolved", "payload": {"approved": True}}
            for one in found
        ]
        before = len(bank.entries)
        agui_events(client.post("/agui", json=wanted("", "r2", resume=resume)))
    exactly([given for _, given in bank.entries[before:]], list(tricks))


def in_blocks(markdown: str) -> Shown:
    """The calls in a text's blocks of code; around them stand paragraphs only."""
    tokens = MarkdownIt("gfm-like").parse(markdown)
    assert {t.type for t in tokens} <= {"paragraph_open", "inline", "paragraph_close", "fence"}
    return [call for t in tokens if t.type == "fence" for call in shown_in(t.content)]


@pytest.mark.costs("it reads the card on each surface")
@pytest.mark.parametrize("number", SURFACE_BATCHES)
def test_card_of_v1_and_the_small_api_shows_what_the_server_gets(
    bank: Bank, user: int, number: int
) -> None:
    """As streamed text, and as an event."""
    tricks, wish = BATCHES[number], f"Add the tasks of list {user}"
    bank.script(wish, *pays(tricks))
    with client_of(bank.world, user) as client:
        exactly(in_blocks(text_in(streamed(client, wish))), expected(tricks))
        before = len(bank.entries)
        streamed(client, "Approve")
    exactly([given for _, given in bank.entries[before:]], list(tricks))
    again = f"Add the tasks of second list {user}"
    bank.script(again, *pays(tricks))
    with program(bank.world, user) as client:
        run_id = begun(client.post("/api/agent/query", json={"query": again}))
        (waits,) = [data for _, name, data in api_events(client, run_id) if name[:8] == "awaiting"]
        exactly(in_blocks(waits["question"]), expected(tricks))
        odd = {"approved": True, "arguments": {"call_other": {}}}
        refused = client.post(f"/api/agent/approve/{run_id}", json=odd)
        assert refused.status_code == 400
        refused = client.post(f"/api/agent/approve/{run_id}", json={"approved": False})
        api_events(client, begun(refused))


@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(BATCHES)))
def test_card_at_the_terminal_shows_what_the_server_gets(
    bank: Bank, user: int, number: int, tmp_path: Path
) -> None:
    """In a pipe, and in eighty columns, where each line says what it is."""
    tricks, wish = BATCHES[number], f"Add the tasks of list {user}"
    bank.script(wish, *pays(tricks))
    settings = bank.world.environment
    printed = command(["rich_agent.cli", "ask", wish, "--user", str(user)], settings).stdout
    exactly(shown_in(printed), expected(tricks))
    bank.world.sandbox.recover()
    bank.script(again := f"Add the tasks of another list {user}", *pays(tricks))
    line = ["rich_agent.cli", "chat", "--user", str(user)]
    with at_terminal(line, settings, tmp_path) as terminal:
        terminal.until("> ")
        terminal.type(f"{again}\n")
        seen = terminal.until("y. Approve")
        terminal.until("\n> ")
        terminal.type("n\n")
        terminal.until("\n> ")
        terminal.type("\x04")
        assert terminal.end() == 0
    exactly(shown_in(unwrapped(seen)), expected(tricks))


def test_edited_arguments_are_those_that_are_run(bank: Bank, user: int) -> None:
    """Also when all of them are taken away; others are run as they were shown."""
    wish = f"Add the tasks of three bills {user}"
    bank.script(wish, *pays([{"to": "Alice"}, {"to": "Bob"}, {"to": "Carol"}]))
    with program(bank.world, user) as client:
        found = interrupts_in(agui_events(client.post("/agui", json=wanted(wish))))
        edits: list[Json] = [{"editedArgs": {}}, {"editedArgs": {"to": "Bo\u200bb", "n": 1.0}}, {}]
        resume = [
            {"interruptId": one["id"], "status": "resolved", "payload": {"approved": True, **edit}}
            for one, edit in zip(found, edits, strict=True)
        ]
        before = len(bank.entries)
        agui_events(client.post("/agui", json=wanted("", "r2", resume=resume)))
    exactly(
        [given for _, given in bank.entries[before:]],
        [{}, {"to": "Bo\u200bb", "n": 1.0}, {"to": "Carol"}],
    )


@pytest.mark.parametrize(
    "written",
    [
        '{"amount": 1e999}',
        '{"to": "Ali\\u0000ce"}',
        '{"a": ' * 40 + "1" + "}" * 40,
        pytest.param(
            json.dumps({"to": "\u200b" * 20_000}, ensure_ascii=False), marks=pytest.mark.soak
        ),
    ],
    ids=["not finite", "NUL", "too deep", "too long to read"],
)
def test_what_cannot_be_shown_exactly_is_not_asked(bank: Bank, user: int, written: str) -> None:
    """The model is told why, and nothing reaches the server."""
    wish = f"Add the tasks of nothing {user}"
    bank.script(wish, {**calling("bank__pay"), "arguments": written})
    before, since = len(bank.entries), bank.world.sandbox.mark()
    assert "That is what I did." in bank.world.ask(user, wish)["text"]
    told = [
        m for c in bank.world.sandbox.calls("openai", since) for m in c["body"].get("messages", ())
    ]
    assert any("Wrong arguments" in str(m["content"]) for m in told if m["role"] == "tool")
    assert len(bank.entries) == before


@pytest.mark.feature("agenda")
def test_what_was_done_is_told_verbatim(bank: Bank, user: int) -> None:
    """A title with marks stays a title: no link, no spoiler, no second line."""
    title = "**Bread** [x](https://evil.example) ||butter|| ~~no~~ `c` $1$"
    wish = f"Add the tasks of mine {user}"
    bank.world.sandbox.script(wish, calling("create_task", title=title), "It is on your list.")
    # The bank is not trusted, and the user did not say the title: so it asks.
    asked = bank.world.ask(user, wish)
    assert shown_in(asked["text"]) == [(f"Add a task: {title}", {})]
    answer = decide(bank.world, user, asked, "Approve")
    assert f"✓ Added the task “{title}”." in answer["text"]
    assert {one["type"] for one in answer["entities"]} <= {"code"}
    again = f"Delete the task {user}"
    (task,) = bank.world.rows("SELECT id FROM tasks WHERE user_id = %s", user)
    bank.world.sandbox.script(again, calling("delete_task", task_id=task["id"]), "It is gone.")
    card = bank.world.ask(user, again)
    assert shown_in(card["text"]) == [(f"Delete a task: {title}", {})]
    decide(bank.world, user, card, "Cancel")
    settled(bank.world, user)


@needs_browser[0]
@needs_browser[1]
def test_card_of_the_web_chat_shows_what_the_server_gets(bank: Bank, user: int) -> None:
    """As text that nothing of it leaves, long values in full behind a fold."""
    wish = f"Add the tasks of list {user}"
    tricks = [LISTED[0], LISTED[5], LISTED[8], OWN[0], OWN[5]]
    bank.script(wish, *pays(tricks))
    with fresh_browser("--lang=en") as browser:
        chat = Chat(browser, bank.world, user)
        chat.open()
        chat.send(wish)
        chat.await_shown(".card", "Shall I?")
        chat.screenshot("hostile-approval")
        read = """return [...document.querySelectorAll('.card .call')].map((call) => [
            call.classList.contains('shared')
                ? `■ ${call.querySelector('h4 bdi').textContent}\\n□ × 5`
                : `□ ${call.querySelector('label bdi').textContent}`,
            [...call.querySelectorAll('dt')].map((name) => [name.textContent,
                [...name.nextSibling.querySelectorAll('pre')]
                    .map((one) => one.textContent).join('')])])"""
        seen = browser.execute_script(read)
        told = "\n".join(
            "\n".join(
                [
                    title,
                    *(
                        f"• {n}\n" + "\n".join(f"│ {v}" for v in value.split("\n"))
                        for n, value in fields
                    ),
                ]
            )
            for title, fields in seen
        )
        exactly(shown_in(told), expected(tricks))
        assert chat.all(".card a, .card img, .card strong, .card del") == []
        assert chat.serious() == []
        chat.await_shown(".card .secondary").click()
        chat.await_shown(".card.done", "Refused")
