"""When a growing answer is looked at."""

import asyncio
import time
from collections.abc import AsyncIterator

from rich_agent.runtime.concurrency import alongside, happens_within
from rich_agent.telegram.deliver.progress import AnswerProgress, Pace
from rich_agent.turns.runner import StageChanged, TextSoFar, TurnEvent


async def test_progress_is_not_looked_at_between_two_texts() -> None:
    """Between two texts nothing that grows is a reason to look, only the end is."""
    progress = AnswerProgress("en", Pace(edit_s=30.0), time.monotonic)
    events = asyncio.Queue[TurnEvent | None]()

    async def played() -> AsyncIterator[TurnEvent]:
        while event := await events.get():
            yield event

    async with alongside(progress.follow(played())):
        begun: list[TurnEvent] = [StageChanged("drafting"), TextSoFar("The first words of it.")]
        for event in begun:
            await events.put(event)
            while (preview := await progress.due()) is None:
                await progress.may_be_due()
            progress.shown(preview)
        looked = asyncio.Event()

        async def look() -> None:
            await progress.may_be_due()
            looked.set()

        async with alongside(look()):
            await events.put(TextSoFar("The first words of it. And more of them."))
            assert not await happens_within(looked, 0.2)
            await events.put(None)
            assert await happens_within(looked, 5.0)
