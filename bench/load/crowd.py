"""The crowd and what answers the bot, in one process: `python -m bench.load.crowd`.

It prints the address of its upstreams. Each line that it reads is a `Crowd`; it then prints what
the users saw, as a line of `Seen`.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Coroutine, Iterator
from dataclasses import asdict, dataclass, field

import aiohttp

from bench.load.upstream import FIRST_WORDS, LAST_WORDS, NUMBER, Connection, Upstreams
from bench.turn import SECRET, telegram_update

_PAUSE_S = 0.5
_LOOK_S = 0.1
_AGAIN_S = 1.0
_ANSWERED = re.compile(FIRST_WORDS + r" ([0-9]{1,12})\b")


@dataclass(frozen=True, slots=True)
class Crowd:
    """`users` who all ask at once, and again half a second after each answer, `turns` times.

    With a `rate`, so many of them ask each second, one after the other, whether others were
    answered or not. Who waits longer than `patience_s` gives up. With `is_numbered`, each question
    has a number, which its answer repeats.
    """

    webhook: str
    users: int
    turns: int
    plan: str = "direct"
    rate: float = 0.0
    patience_s: float = 300.0
    first_user: int = 1
    is_numbered: bool = False


@dataclass(slots=True)
class Asked:
    """A message and what its user saw: seconds of the monotonic clock, 0 for never.

    `noticed` is the first text of any kind, `first` the first words of the answer.
    """

    user: int
    asked: float
    number: int = 0
    acknowledged: float = 0.0
    noticed: float = 0.0
    first: float = 0.0
    done: float = 0.0
    end: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class Seen:
    """All messages of a crowd, and how busy this process was with it.

    `chats` are the texts that numbered users have before them in the end, in order.
    """

    asked: list[dict[str, float]]
    cpu_s: float
    worst_lag_s: float
    chats: dict[str, list[str]]


class Users:
    """Asks for users, and notes when they see what."""

    def __init__(self, upstreams: Upstreams) -> None:
        self._upstreams = upstreams
        self._waiting: dict[int, Asked] = {}
        self._answered: set[tuple[int, int]] = set()
        self._all: list[Asked] = []
        self._chats: dict[int, dict[int, str]] = {}
        self._next_update = 1
        self._worst_lag_s = 0.0
        upstreams.shown = self._see

    async def live(self, crowd: Crowd) -> Seen:
        """Have a crowd talk to its end."""
        self._upstreams.plan = crowd.plan
        self._all, self._chats, self._worst_lag_s = [], {}, 0.0
        began = time.process_time()
        connector = aiohttp.TCPConnector(limit=100)
        headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
        async with (
            aiohttp.ClientSession(connector=connector, headers=headers) as http,
            asyncio.TaskGroup() as group,
        ):
            watching = group.create_task(self._watch())
            users = [group.create_task(one) for one in self._conversations(http, crowd)]
            await asyncio.wait(users)
            watching.cancel()
        told = [_figures(one) for one in self._all]
        used_s = time.process_time() - began
        return Seen(told, used_s, self._worst_lag_s, self._shown() if crowd.is_numbered else {})

    def _shown(self) -> dict[str, list[str]]:
        """The text of every message that was not deleted, by its user."""
        return {
            str(user): [text for _, text in sorted(texts.items()) if text]
            for user, texts in self._chats.items()
        }

    def _conversations(
        self, http: aiohttp.ClientSession, crowd: Crowd
    ) -> Iterator[Coroutine[None, None, None]]:
        for number in range(crowd.users):
            after_s = number / crowd.rate if crowd.rate else 0.0
            yield self._converse(http, crowd, crowd.first_user + number, after_s)

    async def _converse(
        self, http: aiohttp.ClientSession, crowd: Crowd, user: int, after_s: float
    ) -> None:
        due = time.monotonic() + after_s
        for _ in range(crowd.turns):
            await asyncio.sleep(due - time.monotonic())
            asked = Asked(user, time.monotonic(), self._next_update)
            self._next_update += 1
            self._all.append(asked)
            self._waiting[user] = asked
            try:
                async with asyncio.timeout_at(asked.asked + crowd.patience_s):
                    await self._post(http, crowd, asked)
                    await asked.end.wait()
            except TimeoutError:
                return
            due = due + crowd.users / crowd.rate if crowd.rate else time.monotonic() + _PAUSE_S

    async def _post(self, http: aiohttp.ClientSession, crowd: Crowd, asked: Asked) -> None:
        """Bring an update until it is taken, as Telegram does."""
        words = f" {NUMBER} {asked.number}." if crowd.is_numbered else ""
        update = telegram_update(asked.user, f"Tell me about proof of history.{words}", b"")
        update["update_id"] = update["message"]["message_id"] = asked.number
        while not asked.acknowledged:
            async with http.post(crowd.webhook, json=update) as answer:
                await answer.read()
                if answer.ok:
                    asked.acknowledged = time.monotonic()
                    return
            await asyncio.sleep(_AGAIN_S)

    def _see(self, chat: int, message: int, text: str) -> None:
        self._chats.setdefault(chat, {})[message] = text
        asked = self._waiting.get(chat)
        if asked is None or (chat, message) in self._answered:
            return
        now = time.monotonic()
        asked.noticed = asked.noticed or now
        if FIRST_WORDS in text:
            asked.first = asked.first or now
        if LAST_WORDS in text and is_answer(text, asked.number):
            asked.done = now
            self._answered.add((chat, message))
            asked.end.set()

    async def _watch(self) -> None:
        while True:
            due = time.monotonic() + _LOOK_S
            await asyncio.sleep(_LOOK_S)
            self._worst_lag_s = max(self._worst_lag_s, time.monotonic() - due)


def is_answer(text: str, number: int) -> bool:
    """Whether a text answers the question of this number, or one without a number."""
    found = _ANSWERED.search(text)
    return found is None or int(found[1]) == number


def _figures(asked: Asked) -> dict[str, float]:
    names = ("user", "number", "asked", "acknowledged", "noticed", "first", "done")
    return {name: getattr(asked, name) for name in names}


async def main() -> None:
    """Serve until stdin ends."""
    upstreams = Upstreams()
    users = Users(upstreams)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(upstreams), "127.0.0.1", 0, backlog=1024)
    async with server:
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            seen = await users.live(Crowd(**json.loads(line)))
            print(json.dumps(asdict(seen)), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
