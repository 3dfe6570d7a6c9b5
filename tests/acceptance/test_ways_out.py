"""Every way out of a connected service whose documents have rights: to a reader, and to others."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent_sandbox.ledger import Ledger
from tests.acceptance.program_tokens import store_token
from tests.acceptance.programs import begun, called, client_of, content_of, streamed, text_in, whole
from tests.acceptance.programs import named_events as events_of_api
from tests.acceptance.reminding import plan
from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import events_of, program, wanted
from tests.acceptance.test_commands import press
from tests.acceptance.world import (
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.confluence.api import confluence_routes
from tests.stand_ins.confluence.site import ConfluenceSandbox, StoredContent

CODE, TITLE = "quillon", "Marigold"
SAFE = f"<h2>Marigold safe</h2><p>The word that opens the marigold safe is {CODE}.</p>"
QUESTION = "Which word opens the marigold safe?"
AGAIN = "Say that once more, please."
READER, OTHER, REVOKED = 601, 602, 603
ACCOUNTS = {READER: "557058:anna", OTHER: "557058:bert", REVOKED: "557058:cara"}


@dataclass
class Wiki:
    """A bot that reads a wiki with a page for some, and what was shown to one of its readers."""

    world: World
    site: ConfluenceSandbox
    page: StoredContent
    tokens: dict[int, str] = field(default_factory=dict)
    passage: str = ""
    answer: dict[str, Any] = field(default_factory=dict)

    def let_read(self, *users: int) -> None:
        """As somebody would change the restrictions of the page; it is known when this returns."""
        self.site.restrict(self.page, users=[ACCOUNTS[user] for user in users])
        command(["ingest.cli", "sync", "--rights"], self.world.environment)

    def get(self, user: int, path: str) -> str:
        """A page as a browser of the user gets it."""
        address = f"{self.world.environment['PUBLIC_URL']}{path}"
        headers = {"Authorization": f"Bearer {self.tokens[user]}"}
        return httpx.get(address, headers=headers, trust_env=False, timeout=60).text

    def call(self, user: int, tool: str, **arguments: str) -> str:
        """The result of a tool of the MCP server; its words if it refuses."""
        result = asyncio.run(called(self.world, self.tokens[user], tool, **arguments))
        return str(result.content)

    def prompts(self, since: int) -> str:
        """All that models were sent since then."""
        calls = self.world.sandbox.calls("openai", since)
        return json.dumps([call["body"] for call in calls])


@pytest.fixture(scope="module")
def wiki(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Wiki]:
    """Everybody may read the space, and two of three people one of its pages."""
    folder, site = tmp_path_factory.mktemp("wiki"), ConfluenceSandbox()
    space = site.add_space("DOC", users=ACCOUNTS.values())
    page = site.add("page", f"{TITLE} cellar", space, body=SAFE)
    site.add("page", "Lamps", space, body="<h2>Lamps</h2><p>Lamps are cleaned on Mondays.</p>")
    routes = [Mount("/wiki", routes=confluence_routes(site, Ledger()))]
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        served(Starlette(routes=routes)) as address,
    ):
        settings = environment(sandbox.url, url, DATA_DIR=str(folder), DOMAIN_EXAMPLES="")
        made = Wiki(World(sandbox, settings, url), site, page)
        connect(made, address, folder / "token")
        with running_bot(settings):
            show_to_the_one_who_loses_it(made)
            yield made


def connect(wiki: Wiki, address: str, token: Path) -> None:
    """Connect the wiki, and read it."""
    settings = wiki.world.environment
    token.write_text(wiki.site.token, "utf-8")
    options = ["--name", "wiki", "--secret-file", str(token), "-o", f"email={wiki.site.email}"]
    command(["ingest.cli", "connect", "confluence", address, *options], settings)
    for user, account in ACCOUNTS.items():
        command(
            ["ingest.cli", "accounts", str(user), "--add", f"external:wiki:{account}"], settings
        )
        wiki.tokens[user] = store_token(wiki.world, user)
    command(["ingest.cli", "sync"], settings)
    wiki.let_read(READER, REVOKED)


def show_to_the_one_who_loses_it(wiki: Wiki) -> None:
    """Somebody is told by every surface, and cannot read the page any more afterwards."""
    world = wiki.world
    wiki.answer = world.ask(REVOKED, QUESTION)
    found = content_of(asyncio.run(called(world, wiki.tokens[REVOKED], "search", query=QUESTION)))
    wiki.passage = next(one["id"] for one in found["results"] if TITLE in one["title"])
    for way in ("agui", "v1", "v1 stream", "api"):
        assert CODE in WAYS[way](wiki, REVOKED), way
    wiki.let_read(READER)


def telegram(wiki: Wiki, user: int, text: str) -> str:
    """The answer in Telegram, with its buttons."""
    return json.dumps(wiki.world.ask(user, text))


def agui(wiki: Wiki, user: int, text: str = QUESTION) -> str:
    """All events of a run, in a conversation of the user's own."""
    with program(wiki.world, user) as client:
        asked = wanted(text, f"r{time.monotonic_ns()}") | {"threadId": "own:wiki"}
        return json.dumps(events_of(client.post("/agui", json=asked)))


def v1(wiki: Wiki, user: int, text: str = QUESTION) -> str:
    """The answer for clients of OpenAI."""
    with client_of(wiki.world, user) as client:
        return whole(client, text)


def v1_stream(wiki: Wiki, user: int) -> str:
    """The same as it grows."""
    with client_of(wiki.world, user) as client:
        return text_in(streamed(client, QUESTION))


def api(wiki: Wiki, user: int) -> str:
    """The events of the addresses for programs."""
    with program(wiki.world, user) as client:
        run = begun(client.post("/api/agent/query", json={"query": QUESTION, "thread": "t"}))
        return json.dumps(events_of_api(client, run))


def acting(wiki: Wiki, user: int) -> str:
    """The prompts of a model that looks for it by a tool."""
    wish = f"Note the word of the marigold safe for me, {user}"
    found = calling("search_documents", query=QUESTION)
    wiki.world.sandbox.script(wish, found, "I looked for it.")
    before = wiki.world.sandbox.mark()
    wiki.world.ask(user, wish)
    return wiki.prompts(before)


def scheduled(wiki: Wiki, user: int) -> str:
    """The answer to a question that is asked for the user at a set time."""
    last = wiki.world.ask(user, "/start")["message_id"]
    plan(wiki.world, user, QUESTION, kind="prompt")
    wait_until(lambda: wiki.world.sandbox.replies(user, last) or None, "it is asked")
    wiki.world.await_idle()
    return json.dumps(wiki.world.sandbox.replies(user, last))


def _as_parameter(way: str) -> Any:
    """The way, skipped without the feature that it needs."""
    marks = [pytest.mark.feature("reminder")] if way == "scheduled question" else []
    return pytest.param(way, marks=marks)


WAYS: dict[str, Callable[[Wiki, int], str]] = {
    "answer": lambda wiki, user: telegram(wiki, user, QUESTION),
    "list of documents": lambda wiki, user: telegram(wiki, user, "Which documents do you have?"),
    "/start": lambda wiki, user: telegram(wiki, user, "/start"),
    "acting": acting,
    "scheduled question": scheduled,
    "agui": agui,
    "v1": v1,
    "v1 stream": v1_stream,
    "api": api,
    "MCP search": lambda wiki, user: wiki.call(user, "search", query=QUESTION),
    "MCP fetch": lambda wiki, user: wiki.call(user, "fetch", id=wiki.passage),
    "page": lambda wiki, user: wiki.get(user, f"/passages/{wiki.passage}"),
}


@pytest.mark.costs("it asks on every surface")
@pytest.mark.parametrize("way", [*map(_as_parameter, WAYS)])
def test_way_out_shows_a_document_to_its_reader_alone(wiki: Wiki, way: str) -> None:
    """Neither others nor the one who may read it no more see it, nor do their models."""
    shown = WAYS[way](wiki, READER)
    assert TITLE in shown or CODE in shown
    for user in (OTHER, REVOKED):
        since = wiki.world.sandbox.mark()
        told = WAYS[way](wiki, user) + wiki.prompts(since)
        assert CODE not in told
        assert f"{TITLE} cellar" not in told


@pytest.mark.parametrize("text", ["/sources", "/status"])
def test_counts_are_those_of_what_may_be_read(wiki: Wiki, text: str) -> None:
    """The reader has one document more."""
    told = {user: wiki.world.ask(user, text)["text"] for user in ACCOUNTS}
    counts = {user: re.findall(r"(\d+) passage", words)[0] for user, words in told.items()}
    assert counts == {READER: "2", OTHER: "1", REVOKED: "1"}


def test_conversation_forgets_what_may_not_be_read_any_more(wiki: Wiki) -> None:
    """No prompt of a later turn has it, by any surface, nor a summary or an archive."""
    for ask in (telegram, agui):
        since = wiki.world.sandbox.mark()
        told = ask(wiki, REVOKED, AGAIN)
        assert CODE not in told + wiki.prompts(since)
    wiki.world.ask(REVOKED, "/new")
    since = wiki.world.sandbox.mark()
    wiki.world.ask(REVOKED, "What did I ask you about the safe before?")
    assert CODE not in wiki.prompts(since)
    kept = wiki.world.rows("SELECT answer FROM turn_archive WHERE user_id = %s", REVOKED)
    kept += wiki.world.rows("SELECT value::text FROM store WHERE prefix = %s", f"users.{REVOKED}")
    assert CODE not in str(kept)


def test_what_was_shown_before_opens_nothing_any_more(wiki: Wiki) -> None:
    """The answer stays; what explains it, and the export, name the page no more."""
    world, answer = wiki.world, wiki.answer
    assert CODE in answer["text"]
    why = press(world, REVOKED, answer, "Why?")["messages"][-1]["text"]
    assert TITLE not in why
    with program(world, REVOKED) as client:
        thread = client.get("/agui/threads/own:wiki").json()
        turns = [one["turn"] for one in thread["messages"] if one.get("sources")]
        assert turns
        for turn in turns:
            assert TITLE not in client.get(f"/agui/turns/{turn}/why").json()["text"]
    world.ask(REVOKED, "/export")
    (file,) = [one["document"] for one in world.sandbox.replies(REVOKED) if one.get("document")]
    data = json.loads(world.sandbox.http.get(f"{world.sandbox.url}{file['url']}").content)
    assert data["decisions"]
    assert TITLE not in json.dumps([one["retrieved"] for one in data["decisions"]])
