"""Questions that change after they were asked, by an edit or by a further message.

Decides which changes lead to a new answer, and how the answer being written gives way to it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog

from rich_agent.errors import QuestionChangedError
from rich_agent.ports.inbox import EditableQuestion, Questions, StoredUpdate
from rich_agent.runtime.concurrency import end_on, task_group
from rich_agent.runtime.fencing import is_lane_quiet
from rich_agent.telegram.deliver.update_context import user_of
from rich_agent.telegram.receive.envelope import continues
from rich_agent.telegram.receive.inbound import (
    Command,
    Edit,
    Turn,
    Unsupported,
    read_question,
    read_updates,
)
from rich_agent.turns.runner import TurnEvent

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class TooLate:
    """An edit of an older question. The question is not answered again, and the user is told so."""


@dataclass(slots=True)
class Running:
    """A question whose answer is being written. `changed` is set once the answer is out of date."""

    question: EditableQuestion
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def following(
        self, events: AsyncIterator[TurnEvent]
    ) -> AsyncIterator[AsyncIterator[TurnEvent]]:
        """Yield the events of the turn; if the question changes, the turn is ended.

        The events then end with QuestionChangedError. The code that shows the answer treats this as
        an ordinary failure, so no send is cut off.
        """
        queue: asyncio.Queue[TurnEvent | _End] = asyncio.Queue()
        async with task_group() as group:
            pump_task = group.create_task(self._pump(events, queue))
            yield _drain(queue)
            pump_task.cancel()

    async def _pump(
        self, events: AsyncIterator[TurnEvent], queue: "asyncio.Queue[TurnEvent | _End]"
    ) -> None:
        # All events are read in one task, because LangGraph keeps state in the task's context.
        end = _End()
        try:
            async with end_on(self.changed) as has_changed:
                async for event in events:
                    queue.put_nowait(event)
            if has_changed():
                end = _End(QuestionChangedError("the question has changed"))
        except Exception as error:  # noqa: BLE001 - raised again where the events are taken
            end = _End(error)
        queue.put_nowait(end)


Write = Callable[[EditableQuestion, Running], Awaitable[None]]
"""Writes the answer to a question. Raises: QuestionChangedError if it changes meanwhile."""


@dataclass(frozen=True, slots=True)
class Edits:
    """Answers questions in their latest form."""

    questions: Questions
    _running: dict[int, Running] = field(default_factory=dict)

    async def answer(self, question: EditableQuestion, write: Write) -> None:
        """Answer a question with its changes in the inbox; start again after another change."""
        has_changed = False
        while True:
            running = self._running[question.user_id] = Running(question)
            try:
                # What is stored from here on reaches `notice` or `is_joined`, which find `running`.
                if has_changed or not is_lane_quiet():
                    question = running.question = await self._with_waiting(question)
                await self.questions.begin(question)
                await write(question, running)
            except QuestionChangedError:
                has_changed = True
                _log.info("telegram.question_changed")
            else:
                if question.revision:  # nobody asks this of a question in its first form
                    await self.questions.finish(question)
                return
            finally:
                del self._running[question.user_id]

    async def revise(self, edit: Edit, update: StoredUpdate) -> EditableQuestion | TooLate | None:
        """The question to answer after an edit.

        `TooLate` is returned if an older question was edited, None if there is nothing to do.
        """
        latest_question = await self.questions.latest(edit.user.telegram_user_id)
        if latest_question is None or edit.message_id > max(latest_question.message_ids):
            # The message was no question before the edit, perhaps a mistyped command.
            return question_from(edit.turn, [update])
        if edit.message_id not in latest_question.message_ids:
            return None if edit.message_id in latest_question.told else TooLate()
        if update.update_id <= latest_question.revision:
            # The edit was handled with the question, or by an attempt that did not finish.
            is_answered = (
                latest_question.answered is not None
                and latest_question.answered >= update.update_id
            )
            return None if is_answered else latest_question
        return _change_question(latest_question, edit, update)

    async def question_with(
        self, message: Turn | Unsupported, updates: Sequence[StoredUpdate]
    ) -> EditableQuestion | None:
        """The latest question with these updates as further parts; None if they are none."""
        latest_question = await self.questions.latest(user_of(message).telegram_user_id)
        if latest_question is None or latest_question.update_id >= updates[0].update_id:
            return None
        part_by_message_id = dict(zip(_message_ids(message), updates, strict=False))
        new_part_by_message_id = {
            message_id: part
            for message_id, part in part_by_message_id.items()
            if message_id not in latest_question.message_ids
        }
        if not new_part_by_message_id:
            return latest_question
        is_begun = len(new_part_by_message_id) < len(part_by_message_id)
        if is_begun or continues(latest_question.updates, updates[0].raw):
            return latest_question.with_parts(new_part_by_message_id)
        return None

    def is_joined(self, message: Turn | Unsupported, update: StoredUpdate) -> bool:
        """Whether a waiting message belongs to the question that is being answered.

        If the message is new to the question, the answer begins again.
        """
        running = self._running.get(user_of(message).telegram_user_id)
        if running is None:
            return False
        if _message_ids(message)[0] in running.question.message_ids:
            return True
        if continues(running.question.updates, update.raw):
            running.changed.set()
            return True
        return False

    async def note_late_edit(self, edit: Edit) -> None:
        """Record that the user was told that an edit came too late."""
        await self.questions.note_late_edit(edit.user.telegram_user_id, edit.message_id)

    def notice(self, edit: Edit, update: StoredUpdate) -> None:
        """Stop the answer that is being written, if it answers the edited question."""
        running = self._running.get(edit.user.telegram_user_id)
        if running is None or not _concerns(edit, update, running.question):
            return
        if _change_question(running.question, edit, update):
            running.changed.set()

    async def _with_waiting(self, question: EditableQuestion) -> EditableQuestion:
        is_whole = False
        for update in await self.questions.waiting(question.user_id, question.update_id):
            inbound = read_updates([update])
            if isinstance(inbound, Edit) and _concerns(inbound, update, question):
                question = _change_question(question, inbound, update) or question
            elif not isinstance(inbound, Turn | Unsupported | Command) or is_whole:
                continue
            elif not isinstance(inbound, Command) and continues(question.updates, update.raw):
                question = question.with_parts({_message_ids(inbound)[0]: update})
            else:
                is_whole = True  # later messages belong to this other message
        return question


def question_from(turn: Turn, updates: Sequence[StoredUpdate]) -> EditableQuestion:
    """The question that consists of a turn's updates."""
    return EditableQuestion(
        turn.message.user.telegram_user_id,
        updates[0].update_id,
        turn.message_ids,
        tuple(update.raw for update in updates),
    )


def turn_of(question: EditableQuestion) -> Turn:
    """The turn of a question in its present form. Raises: LookupError if it is no question."""
    turn = read_question(question.updates)
    if isinstance(turn, Turn):
        return turn
    raise LookupError(f"no question: {type(turn).__name__}")


def _message_ids(message: Turn | Unsupported) -> tuple[int, ...]:
    return message.message_ids if isinstance(message, Turn) else (message.message_id,)


def _concerns(edit: Edit, update: StoredUpdate, question: EditableQuestion) -> bool:
    return edit.message_id in question.message_ids and update.update_id > question.revision


def _change_question(
    question: EditableQuestion, edit: Edit, update: StoredUpdate
) -> EditableQuestion | None:
    """The edited question; None if only its form has changed, as when a link preview was added."""
    new_question = question.with_edit(edit.message_id, update)
    previous_turn, new_turn = read_question(question.updates), read_question(new_question.updates)
    if not isinstance(previous_turn, Turn) or not isinstance(new_turn, Turn):
        return None
    return new_question if _essence(new_turn) != _essence(previous_turn) else None


def _essence(turn: Turn) -> tuple[object, ...]:
    message = turn.message
    photos = [photo.unique_id or photo.file_id for photo in message.photos]
    files = [file.unique_id or file.file_id for file in message.files]
    files += [medium.unique_id or medium.file_id for medium in message.media]
    return (message.text, message.forwarded, message.unread, photos, files)


@dataclass(frozen=True, slots=True)
class _End:
    error: Exception | None = None


async def _drain(queue: "asyncio.Queue[TurnEvent | _End]") -> AsyncIterator[TurnEvent]:
    while True:
        event = await queue.get()
        if not isinstance(event, _End):
            yield event
        elif event.error:
            raise event.error
        else:
            return
