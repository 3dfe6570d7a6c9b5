"""Answers in groups: `python -m bench.rights.groups [--pages N] [--people N] [--pairs N] …`.

People of a team ask in groups for all documents of a kind. Their bot is an administrator of the
group or not; the Bot API server knows ephemeral messages, or ignores them; half of the people have
a private chat. Every request that the stand-in of Telegram received is read: what it shows, to
whom, is compared with rights that are worked out by hand (see `team`). Counted are pairs of a
person who asked and a document.
"""

import argparse
import asyncio
import json
import logging
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

import httpx
import structlog

from bench.database import running_database
from bench.rights.stored import KINDS, Changes, Stored
from bench.rights.team import Team
from rich_agent.domain.access import Access, UserTags
from rich_agent.domain.answer.citation import Answer
from rich_agent.domain.message import TurnRequest
from rich_agent.domain.routing.plan import Routing
from rich_agent.ports.inbox import StoredUpdate
from rich_agent.ports.knowledge import PassageQuery
from rich_agent.ports.turns import TurnOutcome
from rich_agent.ports.usage import GuestLimits
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.inbox.guests import PostgresGuests
from rich_agent.repositories.knowledge.passages import PostgresPassages
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from rich_agent.telegram.deliver.ephemeral import EphemeralSupport
from rich_agent.telegram.deliver.limiter import Limiter, Rates
from rich_agent.telegram.deliver.messenger import Messenger
from rich_agent.telegram.receive.envelope import GroupGate
from rich_agent.telegram.serve.guests import GuestAnswers, PrivateAnswers
from rich_agent.turns.events import Answered, Finished, TurnEvent
from rich_agent.turns.runner import TurnRunner
from rich_agent.upstreams.telegram.bot_api import TelegramClient
from tests.sandbox_server import RunningSandbox, start_sandbox
from tests.twins.accounts import InMemoryAccounts
from tests.twins.outbox import InMemoryOutbox
from tests.twins.sending import InMemorySendingRate

Server = Literal["administrator", "member", "ignoring", "old"]
"""The bot in a group of a new server, or what is older than ephemeral messages."""
_TITLE = re.compile(r"\bt(\d+)\b")
_OFTEN = 1e9


@dataclass(frozen=True, slots=True)
class ListingTurns:
    """Answers a question with the titles of all documents of its kind that it may read."""

    pool: Pool
    most: int

    async def run(
        self, request: TurnRequest, _stop: asyncio.Event | None = None
    ) -> AsyncIterator[TurnEvent]:
        """See `TurnRunner.run`."""
        query = PassageQuery(request.message.text, limit=self.most, reader=request.reader)
        found = (await PostgresPassages(self.pool).find(query)).candidates
        answer = Answer("\n\n".join(one.passage.title for one in found) or "Nothing.")
        yield Answered(answer)
        yield Finished(TurnOutcome(answer, Routing("docs_required", "rag", "listed", ""), (), {}))


@dataclass(slots=True)
class Shown:
    """Pairs that were judged, by how the answer came; leaks, and what was hidden."""

    judged: Counter[str] = field(default_factory=Counter)
    leaks: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Groups:
    """The groups of a team, in each of which one person asks the bot."""

    stored: Stored
    sandbox: RunningSandbox
    http: httpx.AsyncClient
    answers: GuestAnswers
    shown: Shown = field(default_factory=Shown)
    _calls: int = 0
    _asked: int = 0
    _questions: dict[int, int] = field(default_factory=dict)

    @property
    def bot_id(self) -> int:
        """The bot's number."""
        return int(self.sandbox.bot_token.partition(":")[0])

    async def open(self, people: Sequence[int]) -> None:
        """Begin a group for each person, and a private chat for every other one."""
        for person in people:
            for kind in ("group", "private")[: 1 + person % 2]:
                sent = await self._sim(
                    f"chats/{person}/messages", {"text": "hi", "chat_type": kind}
                )
                self._questions.setdefault(person, sent["message_id"])

    async def be(self, server: Server, people: Sequence[int]) -> None:
        """Have a server and a bot of this kind, of which the bot knows nothing yet."""
        age = server if server in {"ignoring", "old"} else "new"
        await self._sim("server", {"age": age})
        status = "member" if server == "member" else "administrator"
        for person in people:
            await self._sim(f"groups/-{person}/members", {"user_id": self.bot_id, "status": status})
        support = self.answers.private.support
        support.withdraw()
        support.clock = lambda: _OFTEN * (1 + self._asked)

    async def _sim(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        answer = await self.http.post(f"/sim/{path}", json=body)
        return dict(answer.raise_for_status().json())

    async def ask(self, person: int, kind: int, server: Server) -> None:
        """Ask for all documents of a kind, and judge what was sent."""
        self._asked += 1
        gate = GroupGate(self.bot_id, "bot", is_open=True)
        text = f"@bot kind{kind}"
        mention = {"type": "mention", "offset": 0, "length": len("@bot")}
        message = {
            "message_id": self._questions[person],
            "chat": {"id": -person, "type": "group"},
            "from": {"id": person, "is_bot": False, "first_name": "P", "language_code": "en"},
            "date": 1,
            "text": text,
            "entities": [mention],
        }
        update = {"update_id": self._asked, "message": message}
        raw = gate.admit(json.dumps(update).encode())
        assert raw is not None
        assert await self.answers.take(StoredUpdate(self._asked, raw, 1), _hold)
        await self._judge(person, kind, server)

    async def _judge(self, person: int, kind: int, server: Server) -> None:
        asked = {n: one for n, one in self.stored.team.pages.items() if n % KINDS == kind}
        seen = {number for viewer, number in await self._sent() if viewer in {person, None}}
        self.shown.judged[server] += len(asked)
        team, reaches = self.stored.team, server == "administrator" or person % 2
        readable = {n for n, page in asked.items() if team.may_read(person, page)}
        public = {n for n, page in asked.items() if team.may_read(None, page)}
        reads_more = any(
            team.may_read(person, page) and not team.may_read(None, page)
            for page in team.pages.values()
        )
        expected = public if not reads_more else readable if reaches else set[int]()
        self.shown.hidden += [f"{person}, {server}: {number}" for number in expected - seen]
        self.shown.leaks += [f"{person}, {server}: {number}" for number in seen - expected]

    async def _sent(self) -> Sequence[tuple[int | None, int]]:
        """The documents in the requests since the last question, and who sees each of them.

        None stands for everybody in the group. Whatever a person sees that they may not read is
        noted as a leak.
        """
        query: dict[str, str | int] = {"upstream": "telegram", "since": self._calls}
        told = (await self.http.get("/sim/calls", params=query)).json()
        self._calls = told["newest"]
        seen = [pair for call in told["calls"] for pair in _documents_in(call)]
        pages = self.stored.team.pages
        for viewer, number in seen:
            if not self.stored.team.may_read(viewer, pages[number]):
                self.shown.leaks.append(f"{viewer or 'everybody'} was sent {number}")
        return seen


def _documents_in(call: Mapping[str, Any]) -> Iterator[tuple[int | None, int]]:
    """Yield who sees a request, and each document in it; a refused one counts as sent."""
    body = call["body"]
    chat_id = body.get("chat_id")
    is_for_one = call["method"] == "editEphemeralMessageText"
    viewer = body["receiver_user_id"] if is_for_one else chat_id if (chat_id or 0) > 0 else None
    for text in _texts_in(body):
        for number in _TITLE.findall(text):
            yield viewer, int(number)


def _texts_in(value: object) -> Iterator[str]:
    """Yield every text in a request, wherever it stands."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for part in value.values() for text in _texts_in(part))
    elif isinstance(value, list):
        yield from (text for part in value for text in _texts_in(part))


async def _hold() -> None:
    """No other process answers the user."""


def _answers(pool: Pool, api: TelegramClient, most: int) -> GuestAnswers:
    accounts = InMemoryAccounts()
    rate = InMemorySendingRate(_OFTEN, _OFTEN)
    limiter = Limiter(rate, Rates(_OFTEN, _OFTEN))
    return GuestAnswers(
        turns=cast("TurnRunner", ListingTurns(pool, most)),
        messenger=Messenger(api, InMemoryOutbox(), accounts.users, limiter),
        guests=PostgresGuests(pool, UserTags("bench")),
        accounts=accounts,
        access=Access(),
        mode="allowed",
        limits=lambda: GuestLimits(0, 0),
        tags=UserTags("bench"),
        private=PrivateAnswers(EphemeralSupport(api.ephemeral), PostgresSpaces(pool).reads_more),
    )


async def ask_in_groups(pool: Pool, stored: Stored, pairs: int) -> Shown:
    """Ask by all servers in turn until there are so many pairs; rights change in between."""
    team, changing = stored.team, Changes(stored)
    people = [*range(1, team.people + 1)]
    async with AsyncExitStack() as stack:
        sandbox = stack.enter_context(start_sandbox(journal=None))
        http = await stack.enter_async_context(
            httpx.AsyncClient(base_url=sandbox.url, timeout=60, trust_env=False)
        )
        api = await stack.enter_async_context(TelegramClient(sandbox.bot_token, sandbox.url))
        groups = Groups(stored, sandbox, http, _answers(pool, api, len(team.pages) + 1))
        await groups.open(people)
        while groups.shown.judged.total() < pairs:
            for server in get_args(Server):
                some = team.random.sample(people, min(8, len(people)))
                await groups.be(server, some)
                for person in some:
                    await groups.ask(person, team.random.randrange(KINDS), server)
            await changing.make()
    return groups.shown


async def _run(url: str, team: Team, pairs: int) -> bool:
    async with open_pool(url, 8) as pool:
        stored = Stored(team, pool)
        await stored.fill()
        print(f"{len(team.pages):,} documents, {team.people} people, each in a group", flush=True)
        began = time.perf_counter()
        shown = await ask_in_groups(pool, stored, pairs)
    for server, count in shown.judged.items():
        print(f"  {server:14}{count:12,} pairs of a person who asked and a document")
    print(
        f"  {'together':14}{shown.judged.total():12,}; {len(shown.leaks)} leaks, "
        f"{len(shown.hidden)} hidden; {time.perf_counter() - began:.0f} s"
    )
    for problem in [*shown.leaks, *shown.hidden][:20]:
        print(f"  {problem}")
    return not (shown.leaks or shown.hidden)


def main() -> None:
    """Run with a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    # Each answer that goes elsewhere than into the group is logged.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    team = Team.make(given.seed, given.people, given.pages)
    with running_database() as database:
        is_clean = asyncio.run(_run(database.url, team, given.pairs))
    sys.exit(0 if is_clean else 1)


if __name__ == "__main__":
    main()
