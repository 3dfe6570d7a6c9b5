"""An answer that begins while its turn is still being planned.

Nothing of the answer is shown before the plan has led to exactly its prompt.
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
    """The one answer that a turn began before it was planned; empty at first."""

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._language = ""
        self._prompt: Prompt | None = None
        self._pieces: asyncio.Queue[ModelPiece | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_begun(self) -> bool:
        """Whether an answer was begun and has not been dropped."""
        return self._task is not None

    def begin(
        self, plan: Plan, language: str, prompt: Prompt, chat: ChatModel, meter: Meter
    ) -> None:
        """Have the model write the answer to a prompt that `plan` in this language leads to.

        The call is charged to the node that writes answers.
        """
        self._plan, self._language, self._prompt = plan, language, prompt
        with bill_to(meter, _NODE):
            self._task = asyncio.create_task(self._write(prompt, chat))

    async def settle(self, routing: Routing) -> Routing:
        """The planned routing; an answer that was begun for another plan is dropped.

        If the guessed language is more exact (`pt-BR`) than the planned one (`pt`), it is used.
        """
        if self._task is None:
            return routing
        if routing.plan != self._plan or not is_answer_in(self._language, routing):
            await self.drop()
            return routing
        return replace(routing, language=self._language)

    async def take(self, prompt: Prompt) -> AsyncIterator[ModelPiece] | None:
        """The pieces of the answer, once, if it was begun for exactly this prompt; else None.

        An answer for another prompt, or one that has failed, is dropped.
        """
        task = self._task
        has_failed = task is not None and task.done() and task.exception() is not None
        if task is None or prompt != self._prompt or has_failed:
            await self.drop()
            return None
        self._prompt = None
        return self._read(task)

    async def drop(self) -> None:
        """Cancel the answer, if one is being written."""
        task, self._task, self._prompt = self._task, None, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
            # Retrieved, so that asyncio does not report an exception that nobody looked at.
            _ = task.cancelled() or task.exception()

    async def _write(self, prompt: Prompt, chat: ChatModel) -> None:
        """Put the model's pieces into the queue, and None at the end."""
        try:
            async with closing_after(chat.stream(prompt)) as pieces:
                async for piece in pieces:
                    self._pieces.put_nowait(piece)
        finally:
            self._pieces.put_nowait(None)

    async def _read(self, task: asyncio.Task[None]) -> AsyncIterator[ModelPiece]:
        """The pieces from the queue; raises what ended the answer early."""
        try:
            while (piece := await self._pieces.get()) is not None:
                yield piece
            await task
        finally:
            task.cancel()  # a reader that leaves early, as when the user stops the turn


def is_answer_in(language: str, routing: Routing) -> bool:
    """Whether a turn only answers, from documents or without, in this language.

    A turn that acts, asks, forgets, or uses links, files or images does more. The routing's tag may
    be less exact than `language`, such as `pt` for `pt-BR`.
    """
    has_other_steps = routing.acts or routing.clarification or routing.forget or routing.past
    has_material = routing.links or routing.files or routing.image_question
    has_search = routing.described or routing.lists_documents
    is_same_language = f"{language}-".lower().startswith(f"{routing.language}-".lower())
    return not (has_other_steps or has_material or has_search) and is_same_language
