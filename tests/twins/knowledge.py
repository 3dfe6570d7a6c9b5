"""Vision cache and decisions without a database."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from rich_agent.domain.answer.citation import Citation, Decision
from rich_agent.domain.json_values import storable
from rich_agent.domain.text import clean_text
from rich_agent.domain.vision import ImageSummary
from rich_agent.ports.images import MOST_ANSWERS, AskedImage, SeenImage
from tests.twins.fences import Fences


@dataclass(slots=True)
class InMemoryImageSummaries:
    """Implements `ImageSummaries`."""

    images: dict[str, SeenImage] = field(default_factory=dict)
    summaries: dict[tuple[str, str], ImageSummary] = field(default_factory=dict)
    senders: set[tuple[str, str]] = field(default_factory=set)
    fences: Fences = field(default_factory=Fences)
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def find(self, sha256: str, model: str) -> ImageSummary | None:
        return self.summaries.get((sha256, model))

    @asynccontextmanager
    async def exclusive(self, sha256: str) -> AsyncIterator[None]:
        async with self._locks.setdefault(sha256, asyncio.Lock()):
            yield

    async def note_sender(self, sha256: str, thread_id: str) -> None:
        self.fences.check()
        self.senders.add((sha256, thread_id))

    async def store(self, image: SeenImage, model: str, summary: ImageSummary) -> None:
        self.fences.check()
        self.images.setdefault(image.sha256, image)
        stored = ImageSummary.from_json(storable(summary.to_json()))
        self.summaries.setdefault((image.sha256, model), stored)


@dataclass(slots=True)
class InMemoryImageAnswers:
    """Implements `ImageAnswers`."""

    answers: dict[AskedImage, str] = field(default_factory=dict)
    fences: Fences = field(default_factory=Fences)

    async def find(self, asked: AskedImage) -> str | None:
        return self.answers.get(asked)

    async def store(self, asked: AskedImage, answer: str) -> None:
        self.fences.check()
        self.answers.setdefault(asked, clean_text(answer))
        theirs = [known for known in self.answers if known.thread_id == asked.thread_id]
        for oldest in theirs[:-MOST_ANSWERS]:
            del self.answers[oldest]


@dataclass(slots=True)
class InMemoryDecisions:
    """Implements `Decisions`."""

    rows: dict[tuple[str, str], Decision] = field(default_factory=dict)
    fences: Fences = field(default_factory=Fences)
    cited: dict[tuple[int, str], Sequence[Citation]] = field(default_factory=dict)

    async def record(self, decision: Decision) -> str:
        self.fences.check()
        key = (decision.thread_id, decision.request_id)
        self.rows[key] = replace(
            decision,
            reason=clean_text(decision.reason),
            query=clean_text(decision.query),
            nodes=storable(decision.nodes),
            retrieved=storable(decision.retrieved),
            queries=tuple(map(clean_text, decision.queries)),
        )
        return str(list(self.rows).index(key) + 1)

    async def latest(self, thread_id: str) -> Decision | None:
        found = [row for row in self.rows.values() if row.thread_id == thread_id]
        return found[-1] if found else None

    async def find(self, thread_id: str, request_id: str) -> Decision | None:
        return self.rows.get((thread_id, request_id))

    async def citations(self, user_id: int, request_id: str) -> Sequence[Citation]:
        return self.cited.get((user_id, request_id), ())
