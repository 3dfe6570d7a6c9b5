"""An answer that is begun while its turn is still planned.

Nothing of it is shown until the plan has led to the very prompt that it was begun for.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.ports.models import ChatModel, ModelPiece, Prompt
from rich_agent.runtime.concurrency import closing_after
from rich_agent.runtime.metering import Meter, bill_to

_NODE = "N6_synthesize"


class Speculation:
    """The one answer that a turn has begun before it was planned; at first none."""

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._language = ""
        self._prompt: Prompt | None = None
        self._pieces: asyncio.Queue[ModelPiece | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether there is an answer that may still be wanted."""
        return self._task is not None

    def begin(
        self, plan: Plan, language: str, prompt: Prompt, chat: ChatModel, meter: Meter
    ) -> None:
        """Have the model write the answer to a prompt that this plan leads to, in this language.

        It is charged to the node that answers.
        """
        self._plan, self._language, self._prompt = plan, language, prompt
        with bill_to(meter, _NODE):
            self._task = asyncio.create_task(self._write(prompt, chat))

    async def settle(self, routing: Routing) -> Routing:
        """The planned routing; the answer is thrown away at once if another one was guessed.

        A tag of a language that says less than the guessed one, as `pt` than `pt-BR`, gives way.
        """
        if self._task is None:
            return routing
        if routing.plan != self._plan or not is_answer_in(self._language, routing):
            await self.drop()
            return routing
        return replace(routing, language=self._language)

    async def take(self, prompt: Prompt) -> AsyncIterator[ModelPiece] | None:
        """The answer if it was begun for this prompt, else None, and it is thrown away.

        It is given once; one that has failed already is asked for anew.
        """
        task = self._task
        has_failed = task is not None and task.done() and task.exception() is not None
        if task is None or prompt != self._prompt or has_failed:
            await self.drop()
            return None
        self._prompt = None
        return self._read(task)

    async def drop(self) -> None:
        """End the answer, if one is being written."""
        task, self._task, self._prompt = self._task, None, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
            # Looked at, so that nobody reports it as a failure that was missed.
            _ = task.cancelled() or task.exception()

    async def _write(self, prompt: Prompt, chat: ChatModel) -> None:
        try:
            async with closing_after(chat.stream(prompt)) as pieces:
                async for piece in pieces:
                    self._pieces.put_nowait(piece)
        finally:
            self._pieces.put_nowait(None)

    async def _read(self, task: asyncio.Task[None]) -> AsyncIterator[ModelPiece]:
        try:
            while (piece := await self._pieces.get()) is not None:
                yield piece
            await task
        finally:
            task.cancel()  # a reader that leaves early, as when the user stops the turn


def is_answer_in(language: str, routing: Routing) -> bool:
    """Whether a turn only answers, from documents or without, in a language or one that it is of.

    Nothing is done or asked before, and nothing else is looked for.
    """
    is_more = routing.acts or routing.clarification or routing.forget or routing.past
    is_about = routing.links or routing.files or routing.image_question or routing.described
    is_in = f"{language}-".lower().startswith(f"{routing.language}-".lower())
    return not is_more and not is_about and is_in
