"""Queries of widgets to the bot, and its answers.

Sources: https://core.telegram.org/bots/api/methods/answerwidgetquery.md (15 s), and WidgetQuery of
the Bot API 10.4 (at most 5 queries of a user in 5 s).
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from rich_agent_sandbox.telegram.refusals import SimError, bad_request

ANSWER_DEADLINE_S = 15.0
QUERY_LIMIT = 5
QUERY_WINDOW_S = 5.0
DATA_LIMIT_BYTES = 64
QUERIES_KEPT = 20_000


@dataclass(slots=True)
class WidgetQuery:
    """A query of a widget; `answer` is None until the bot answers, and "" for an empty answer."""

    query_id: str
    chat_id: int
    message_id: int
    data: str
    sent_at: float
    answer: str | None = None


@dataclass(slots=True)
class WidgetQueries:
    """The newest queries, and the times of the newest queries of each user."""

    clock: Callable[[], float] = time.time
    _queries: dict[str, WidgetQuery] = field(default_factory=dict)
    _times: dict[int, deque[float]] = field(default_factory=dict)

    def admit(self, user_id: int) -> None:
        """Count a query of a user. Raises: SimError 429 for more than 5 in 5 s."""
        now = self.clock()
        times = self._times.setdefault(user_id, deque(maxlen=QUERY_LIMIT))
        if len(times) == QUERY_LIMIT and now - times[0] < QUERY_WINDOW_S:
            raise SimError("a user's widgets send at most 5 queries in 5 seconds", status=429)
        times.append(now)

    def add(self, query: WidgetQuery) -> None:
        """Let a query wait for its answer."""
        self._queries[query.query_id] = query
        if len(self._queries) > QUERIES_KEPT:
            del self._queries[next(iter(self._queries))]

    def find(self, query_id: str) -> WidgetQuery | None:
        """The query with an id, None if there is none."""
        return self._queries.get(query_id)

    def answer(self, query_id: str, data: str) -> WidgetQuery:
        """Answer a query once, within 15 s. Raises: BotApiError."""
        query = self._queries.get(query_id)
        if (
            query is None
            or query.answer is not None
            or self.clock() - query.sent_at >= ANSWER_DEADLINE_S
        ):
            raise bad_request(
                "query is too old and response timeout expired or query ID is invalid"
            )
        query.answer = data
        return query

    def of_chat(self, chat_id: int) -> list[WidgetQuery]:
        """The queries of a chat, oldest first."""
        return [query for query in self._queries.values() if query.chat_id == chat_id]

    def forget(self) -> None:
        """Drop all queries."""
        self._queries.clear()
        self._times.clear()
