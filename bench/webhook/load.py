"""Telegram's side in a separate process: posts updates when they are due, and times the answers.

`python -m bench.webhook.load URL` reads chains of posts from stdin; the posts of a chain wait for
each other, as those of a chat do, and chains wait for nobody.
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import aiohttp

SECRET = "only-of-this-bench"  # noqa: S105 - of this bench alone
CONNECTIONS = 100
_DEADLINE_S = 30.0


@dataclass(frozen=True, slots=True)
class Post:
    """An update to be posted `due_s` after the start, at the earliest."""

    update_id: int
    user: int
    due_s: float = 0.0
    text: str = "hi"


@dataclass(frozen=True, slots=True)
class Posted:
    """The outcome of a post: seconds since the epoch; `status` 0 without an answer.

    `due_at` is when it should have been posted, so that a wait for a connection counts as well.
    """

    update_id: int
    user: int
    due_at: float
    answered_at: float
    status: int

    @property
    def delay_s(self) -> float:
        """From the moment it was due to its answer."""
        return self.answered_at - self.due_at


async def pour(url: str, chains: Sequence[Sequence[Post]]) -> list[Posted]:
    """Post all of them."""
    connector = aiohttp.TCPConnector(limit=CONNECTIONS)
    headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
    timeout = aiohttp.ClientTimeout(total=_DEADLINE_S)
    async with aiohttp.ClientSession(
        connector=connector, headers=headers, timeout=timeout
    ) as session:
        began = time.time() + 0.1
        done = await asyncio.gather(*(_follow(session, url, began, chain) for chain in chains))
    return [posted for chain in done for posted in chain]


async def _follow(
    session: aiohttp.ClientSession, url: str, began: float, chain: Sequence[Post]
) -> list[Posted]:
    done, free_at = [], began
    for post in chain:
        # Behind its predecessor a post is due when that was answered.
        due_at = max(began + post.due_s, free_at)
        await asyncio.sleep(max(0.0, due_at - time.time()))
        status = await _post(session, url, _update(post))
        free_at = time.time()
        done.append(Posted(post.update_id, post.user, due_at, free_at, status))
    return done


async def _post(session: aiohttp.ClientSession, url: str, update: dict[str, object]) -> int:
    try:
        async with session.post(url, json=update) as answer:
            await answer.read()
            return answer.status
    except (aiohttp.ClientError, TimeoutError):
        return 0


def _update(post: Post) -> dict[str, object]:
    person = {"id": post.user, "is_bot": False, "first_name": "Ada", "language_code": "en"}
    chat = {"id": post.user, "type": "private", "first_name": "Ada"}
    message = {
        "message_id": post.update_id,
        "date": 1,
        "chat": chat,
        "from": person,
        "text": post.text,
    }
    return {"update_id": post.update_id, "message": message}


if __name__ == "__main__":
    wanted = [[Post(*post) for post in chain] for chain in json.load(sys.stdin)]
    json.dump([asdict(one) for one in asyncio.run(pour(sys.argv[1], wanted))], sys.stdout)
