"""Learns from turns whose lesson failed when they were answered, because a model failed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

import structlog

from rich_agent.domain.memory.merging import Learned
from rich_agent.domain.usage_limits import Payer
from rich_agent.errors import (
    DailyLimitError,
    LaneLostError,
    LessonLostError,
    MalformedOutputError,
    RichAgentError,
    UpstreamError,
)
from rich_agent.graph.memory.learning import extract, is_soon_learned, pause_after, teach
from rich_agent.graph.services import Services
from rich_agent.ports.due_work import DueRow, DueWork, NextRun
from rich_agent.ports.inbox import Inbox
from rich_agent.ports.memories import Lesson
from rich_agent.runtime.fencing import work_under
from rich_agent.runtime.metering import Billing, bill_to
from rich_agent.runtime.reach import log_failure

_LANE_POLL_S = 0.2
_QUIET_POLL_S = 5.0
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Persistence:
    """The limits for repeated tries of a lesson.

    - `lane_s`: seconds to wait for the user's lane, in which learned items are written.
    - `quiet`: for which a lesson waits until a slow model server has no message to answer.
    - `longest`: after which a lesson is given up.
    - `most_refusals`: replies in a wrong form after which a lesson is given up earlier, so that it
      does not hold up the user's later lessons.
    """

    lane_s: float = 60.0
    longest: timedelta = timedelta(days=3)
    quiet: timedelta = timedelta(minutes=10)
    most_refusals: int = 3


@dataclass(frozen=True, slots=True)
class LessonWorker:
    """Learns from the lessons of all users, one after the other; `alarm` gets their failures."""

    services: Services
    billing: Billing
    inbox: Inbox
    alarm: Callable[[Exception], Awaitable[object]]
    persistence: Persistence = Persistence()

    @property
    def kind(self) -> DueWork:
        """The kind of due work; a lesson is set aside after repeated unexpected errors."""
        return DueWork(self.learn, in_order=True, first_retry_s=self.persistence.lane_s)

    async def learn(self, row: DueRow) -> NextRun | None:
        """Learn from a lesson; return the time of the next try if that failed, else None."""
        lesson = Lesson.of(row)
        if await self._lets_messages_pass(lesson):
            return NextRun(_QUIET_POLL_S)
        try:
            lessons = await self._extract(lesson)
        except (UpstreamError, DailyLimitError) as error:
            return await self._put_back(lesson, error)
        return await self._write(lesson, lessons)

    async def _lets_messages_pass(self, lesson: Lesson) -> bool:
        """Whether messages wait that a slow model server should answer before it reads a lesson."""
        is_old = self.services.now() - lesson.told_at > self.persistence.quiet
        if is_soon_learned(self.services) or is_old:
            return False
        return (await self.inbox.depth()).pending > 0

    async def _extract(self, lesson: Lesson) -> Sequence[Learned]:
        """The items that a model reads in the lesson, charged to its user."""
        payer = Payer(lesson.user_id, lesson.request_id)
        memory = await self.services.memories.load(lesson.user_id)
        async with self.billing.of_turn(payer, lesson.text) as meter:
            with bill_to(meter, "N7_persist"):
                return await extract(lesson, memory, self.services)

    async def _write(self, lesson: Lesson, learned_items: Sequence[Learned]) -> NextRun | None:
        """Store the learned items, unless the user had the lesson forgotten meanwhile."""
        lessons = self.services.lessons
        try:
            async with asyncio.timeout(self.persistence.lane_s):
                while (lane := await self.inbox.claim_user(lesson.user_id)) is None:
                    await self.inbox.wait(_LANE_POLL_S)
            work_under(lane.fence)
            if await lessons.is_current(lesson):
                await teach(lesson, learned_items, self.services)
                await lessons.drop(lesson.user_id, lesson.request_id)
                _log.info("memory.learned_later", tries=lesson.tries)
            await self.inbox.finish(lane)
        except (LaneLostError, TimeoutError):
            return NextRun(self.persistence.lane_s, "the user was being answered")
        return None

    async def _put_back(self, lesson: Lesson, error: RichAgentError) -> NextRun | None:
        """The next attempt after an error, None if the lesson is given up."""
        # Only malformed output counts: a lack of credit, or a missing server, concerns all lessons.
        is_refused = isinstance(error, MalformedOutputError)
        lesson = replace(lesson, refusals=lesson.refusals + is_refused)
        is_old = self.services.now() - lesson.told_at > self.persistence.longest
        log_failure("memory.not_learned", error, tries=lesson.tries)
        if not is_old and lesson.refusals < self.persistence.most_refusals:
            await self.alarm(error)
            return NextRun(pause_after(error, lesson.tries), str(error), lesson.to_payload())
        await self.alarm(LessonLostError(f"given up after {lesson.tries} tries: {error}"))
        return None
