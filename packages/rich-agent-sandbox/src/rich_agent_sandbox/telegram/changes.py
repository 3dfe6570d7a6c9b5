"""A feed of changes for open pages, with the names of topics and without content."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

Topic = str | int


@dataclass(slots=True)
class _Subscriber:
    topics: set[Topic] = field(default_factory=set)
    woken: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Changes:
    """Gives each subscriber the topics that have changed since the last ones.

    A topic is a chat id, or one of "calls", "bot", "download" and "all".
    """

    _subscribers: list[_Subscriber] = field(default_factory=list)
    _closed: bool = False

    def publish(self, topic: Topic) -> None:
        """Mark `topic` as changed for all subscribers."""
        for subscriber in self._subscribers:
            subscriber.topics.add(topic)
            subscriber.woken.set()

    def close(self) -> None:
        """End all current and future subscriptions."""
        self._closed = True
        for subscriber in self._subscribers:
            subscriber.woken.set()

    async def listen(self, *, quiet_s: float) -> AsyncIterator[frozenset[Topic]]:
        """Yield the topics that changed; an empty set after `quiet_s` seconds without a change."""
        subscriber = _Subscriber()
        self._subscribers.append(subscriber)
        try:
            while not self._closed:
                yield await self._next(subscriber, quiet_s)
        finally:
            self._subscribers.remove(subscriber)

    async def _next(self, subscriber: _Subscriber, quiet_s: float) -> frozenset[Topic]:
        try:
            await asyncio.wait_for(subscriber.woken.wait(), quiet_s)
        except TimeoutError:
            return frozenset()
        subscriber.woken.clear()
        topics = frozenset(subscriber.topics)
        subscriber.topics.clear()
        return topics
