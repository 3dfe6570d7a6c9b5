"""Pictures as parts of an answer. The checkpoint holds what is drawn, so no picture is stored."""

import asyncio
from dataclasses import dataclass

from rich_agent.domain.agenda.day_timeline import DayTimeline
from rich_agent.domain.answer.answer import Answer
from rich_agent.errors import UpstreamRefusedError
from rich_agent.pictures.day_picture import draw_day
from rich_agent.ports.bot_api import TelegramApi
from rich_agent.telegram.deliver.messenger import ReplyTarget

PICTURE = 1_000
"""The picture's part in the outbox, after all texts that an answer can have."""


@dataclass(frozen=True, slots=True)
class DrawnDay:
    """A day that is drawn when it is sent; its text stands in the answer."""

    timeline: DayTimeline
    locale: str

    @property
    def text(self) -> str:
        """The text that the outbox notes of the picture once it is there."""
        return self.timeline.day.isoformat()

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`; drawn in a thread: it takes longer than others should wait.

        Raises: UpstreamRefusedError if it cannot be drawn here, now or later.
        """
        try:
            content = await asyncio.to_thread(draw_day, self.timeline, self.locale)
        except OSError as error:
            raise UpstreamRefusedError("pillow", str(error)) from error
        return await api.send_photo(target.chat_id, content, topic_id=target.topic_id)


def drawn_day(answer: Answer, locale: str) -> DrawnDay | None:
    """The picture below an answer, None without one."""
    return DrawnDay(answer.timeline, locale) if answer.timeline else None
