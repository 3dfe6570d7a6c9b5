"""History of a thread: the earlier messages of its conversation, and its open turns and questions.

A message has the fields of AG-UI (`content`) and those of TanStack's client (`parts`), which loads
a thread from here. Source: @tanstack/ai-client, ChatHydrationResult.
"""

import hashlib
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from heapq import merge

from rich_agent.feature.concurrency import in_turns
from rich_agent.feature.runs import Run, Runs, SaidBefore, verbatim, verbatim_markdown
from rich_agent.feature.surface import (
    Attempts,
    ListedTurn,
    News,
    SetAsideError,
    Work,
    choose_locale,
    links_in,
)
from rich_agent.feature.text import shorten
from rich_agent.features.web_chat.agui.conversations import TITLE_CHARS
from rich_agent.features.web_chat.agui.events import EventWriter, whole_text, with_words
from rich_agent.features.web_chat.agui.interrupts import Wire
from rich_agent.features.web_chat.agui.places import Places
from rich_agent.features.web_chat.agui.turns import TurnOffers

MOST_TURNS = 20
"""Number of the newest turns of a conversation whose changes are sent to pages that follow it."""
MOST_MESSAGES = 100
"""Most messages, or conversations, of one page."""
_TOLD_BY = 500
"""Characters of a question from which its language is detected."""


@dataclass(frozen=True, slots=True)
class ThreadHistory:
    """Reads a user's conversation, written by any surface. May raise DatabaseUnavailableError.

    `is_verbatim` is set if showing the conversation ended the process twice: answers are then shown
    exactly as they are stored.
    """

    runs: Runs
    news: News
    places: Places
    attempts: Attempts
    offers: TurnOffers
    is_verbatim: bool = False

    async def page(
        self, user_id: int, thread: str, *, limit: int = MOST_MESSAGES, before: int | None = None
    ) -> Wire:
        """The last messages before a cursor, and the run that is open or waits for an answer."""
        async with self._reading(user_id) as history:
            return await history._page(user_id, thread, limit, before)  # noqa: SLF001 - its own

    @asynccontextmanager
    async def _reading(self, user_id: int) -> AsyncIterator["ThreadHistory"]:
        async with AsyncExitStack() as stack:
            history = replace(self, is_verbatim=True)
            with suppress(SetAsideError):
                work = Work("history", user_id, user_id)
                await stack.enter_async_context(self.attempts.count_attempt(work))
                history = self
            yield history

    async def _page(self, user_id: int, thread: str, limit: int, before: int | None) -> Wire:
        # Read first, so that later changes reach pages that follow from this version.
        turns = await self.news.turns(user_id, thread, MOST_TURNS)
        messages = await self.runs.messages(user_id, thread, limit + 1, before)
        shown_messages, is_cut = messages[-limit:], len(messages) > limit
        first_number = shown_messages[0].number if is_cut else None
        unstored_messages = await self.news.apart(user_id, thread, first_number, before)
        return {
            "type": "MESSAGES_SNAPSHOT",
            "threadId": thread,
            "messages": await self._messages_with_offers(
                user_id, list(merge(shown_messages, unstored_messages, key=_moment_of))
            ),
            "page": _page(first_number),
            **await self._open_in(user_id, thread, await self.open_turns(turns)),
            "version": version_of(turns),
        }

    async def changes(
        self, user_id: int, thread: str, turns: Sequence[ListedTurn], turn_ids: Collection[str]
    ) -> list[Wire]:
        """The messages of some of the newest turns of a conversation."""
        stored_turns = [item.turn for item in turns if not item.runs]
        positions = [
            position for position, turn_id in enumerate(stored_turns) if turn_id in turn_ids
        ]
        messages: Sequence[SaidBefore] = ()
        if positions:
            messages = await self.runs.messages(
                user_id, thread, 2 * (len(stored_turns) - positions[0]), None
            )
        unstored_messages: Sequence[SaidBefore] = ()
        if any(item.runs and not item.is_open and item.turn in turn_ids for item in turns):
            unstored_messages = await self.news.apart(user_id, thread, None, None)
        selection = [
            item
            for item in merge(messages, unstored_messages, key=_moment_of)
            if item.request_id in turn_ids
        ]
        async with self._reading(user_id) as history:
            return await history._messages_with_offers(user_id, selection)  # noqa: SLF001 - its own

    async def _messages_with_offers(
        self, user_id: int, messages: Sequence[SaidBefore]
    ) -> list[Wire]:
        """The messages, each with the actions that are offered for it."""
        offers = await self.offers.below(user_id, messages)
        return [
            message | offer_fields
            for message, offer_fields in zip(self._messages(messages), offers, strict=True)
        ]

    async def open_turns(self, turns: Sequence[ListedTurn]) -> list[tuple[str, Sequence[Run]]]:
        """The open turns, each with its runs, oldest first."""
        open_turns = [turn for turn in turns if turn.is_open]
        if not open_turns:
            return []
        runs = await self.news.runs([update for turn in open_turns for update in turn.runs])
        runs_by_turn = [
            (turn.turn, [run for run in runs if run.update_id in turn.runs]) for turn in open_turns
        ]
        return [(turn_id, turn_runs) for turn_id, turn_runs in runs_by_turn if turn_runs]

    def open_turn(self, turn: str, runs: Sequence[Run]) -> Wire:
        """An open turn: its question, unless it is answered again, and its runs."""
        question = None if runs[0].asked.answers else self._question_message(runs[0])
        replacement = (
            {"replaces": first_request.replaces}
            if (first_request := runs[0].asked).replaces
            else {}
        )
        return {
            "turn": turn,
            "asked": question,
            "runs": [run.run_id for run in runs],
            **replacement,
        }

    async def threads(self, user_id: int, *, limit: int, before: int | None) -> Wire:
        """The conversations of a user before a cursor, newest first."""
        conversations = await self.runs.threads(user_id, limit + 1, before)
        shown_conversations = conversations[:limit]
        return {
            "threads": [
                {
                    "id": conversation.thread,
                    "title": shorten(conversation.title, TITLE_CHARS),
                    "updatedAt": _time(conversation.said_at),
                }
                for conversation in shown_conversations
            ],
            "page": _page(shown_conversations[-1].number if len(conversations) > limit else None),
        }

    async def before(self, run: Run) -> Sequence[Wire]:
        """The last messages of a run's conversation, for a client that sends none."""
        messages = await self.runs.messages(run.user_id, run.thread, MOST_MESSAGES, None)
        async with self._reading(run.user_id) as history:
            return history._messages(messages)  # noqa: SLF001 - its own

    async def _open_in(
        self, user_id: int, thread: str, turns: Sequence[tuple[str, Sequence[Run]]]
    ) -> Wire:
        active_run = await self.runs.open_in(user_id, thread)
        is_shown = not (active_run or self.is_verbatim)
        waiting_run = await self.runs.waiting_in(user_id, thread) if is_shown else None
        turn_wires = [self.open_turn(*turn) for turn in turns]
        last_turn = (
            turn_wires[-1] | {"messages": await self._messages_in(turns[-1][1])} if turns else None
        )
        return {
            "activeRun": {"runId": active_run.run_id} if active_run else None,
            "interrupts": await self._pending(waiting_run) if waiting_run else None,
            "openTurn": last_turn,
            "open": turn_wires,
        }

    async def _pending(self, waiting_run: Run) -> Wire:
        writer = EventWriter(waiting_run, self.places)
        events: list[Wire] = []
        async for portion in in_turns(await self.runs.events(waiting_run)):
            events = [event for run_event in portion for event in writer.take(run_event)] or events
        return {"runId": waiting_run.run_id, "pending": events[-1]["outcome"]["interrupts"]}

    async def _messages_in(self, runs: Sequence[Run]) -> list[Wire]:
        """The messages of runs so far."""
        messages: list[Wire] = []
        for run in runs:
            writer = EventWriter(run, self.places)
            events = await self.runs.events(run)
            replay = verbatim(run, events) if self.is_verbatim and events else events
            async for portion in in_turns(replay):
                for _ in (wire for event in portion for wire in writer.take(event)):
                    pass
            messages += writer.messages
        return messages

    def _question_message(self, run: Run) -> Wire:
        photos = self.places.pictures.photos(run.request_id, len(run.asked.images))
        message_id = run.asked.message_id or f"{run.run_id}:user"
        message = _message(message_id, "user", run.asked.text, photos)
        file_names = [file.name for file in run.asked.files]
        return message | _how_it_came(file_names, is_spoken=run.asked.is_spoken)

    def _messages(self, rows: Sequence[SaidBefore]) -> list[Wire]:
        """The messages. An answer may link to addresses that its user wrote, as in the stream."""
        messages, question = [], ""
        for row in rows:
            if row.role == "user":
                question = row.content
                photos = self.places.pictures.photos(row.request_id, row.photos)
                message = _message(_id_of(row), row.role, row.content, photos) | _turn_of(row)
                messages.append(message | _how_it_came(row.files, is_spoken=row.is_spoken))
                continue
            text = self._answer_text(row, question)
            message = _message(_id_of(row), row.role, text) | _turn_of(row)
            if sources := self.places.sources(row.citations):
                message["sources"] = sources
            if pictures := self.places.pictures.drawings(row.request_id, row.attachments):
                message["pictures"] = pictures
            if row.living:
                message["living"] = with_words(row.living)
            if row.undo_until:
                message["undo"] = {"id": row.request_id, "until": _time(row.undo_until)}
            messages.append(message)
        return messages

    def _answer_text(self, answer: SaidBefore, question: str) -> str:
        if self.is_verbatim:
            return verbatim_markdown(answer.content, choose_locale(question[:_TOLD_BY], None))
        return whole_text(answer.content, answer.citations, links_in(question))


def _page(cursor: int | None) -> Wire:
    """The cursor before which older messages are; `truncated` is false if there are none."""
    return {"truncated": False} if cursor is None else {"truncated": True, "cursor": str(cursor)}


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _message(message_id: str, role: str, text: str, photos: Sequence[Wire] = ()) -> Wire:
    parts = [{"type": "text", "content": text}] if text or not photos else []
    text_parts = [{"type": "text", "text": text}] if text else []
    content = [*text_parts, *photos] if photos else text
    return {"id": message_id, "role": role, "content": content, "parts": [*parts, *photos]}


def _turn_of(message: SaidBefore) -> Wire:
    """The turn that a message belongs to, and the run that ended it, if it was asked over HTTP."""
    return {"turn": message.request_id} | ({"runId": message.run_id} if message.run_id else {})


def _moment_of(message: SaidBefore) -> datetime:
    return message.said_at or datetime.min.replace(tzinfo=UTC)


def version_of(turns: Sequence[ListedTurn]) -> str:
    """A text that identifies the state of the newest turns."""
    text = "\n".join(f"{turn.turn} {turn.version}" for turn in turns)
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _how_it_came(files: Sequence[str], *, is_spoken: bool) -> Wire:
    """Further facts about a user's message: its files, and whether it was spoken."""
    file_names = {"files": [{"name": name} for name in files]} if files else {}
    return file_names | ({"spoken": True} if is_spoken else {})


def _id_of(message: SaidBefore) -> str:
    """The id of the message in the stream of its run."""
    if message.role == "assistant" and message.run_id:
        return f"{message.run_id}:{message.place}"
    return message.message_id or f"{message.run_id or message.request_id}:{message.role}"
