"""History of a thread: what was said in the conversation before, and what is open.

A message has both the fields of AG-UI (`content`) and those of TanStack's client (`parts`), which
loads a thread from here. Source: @tanstack/ai-client, ChatHydrationResult.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from rich_agent.domain.answer.links import links_in
from rich_agent.domain.languages import choose_locale
from rich_agent.domain.runs import Run, verbatim
from rich_agent.domain.text import shorten
from rich_agent.ports.operations import Attempts, SetAsideError, Work
from rich_agent.ports.runs import Runs, SaidBefore
from rich_agent.runtime.concurrency import in_turns
from rich_agent.web.agui.conversations import TITLE_CHARS
from rich_agent.web.agui.events import EventWriter, whole_text
from rich_agent.web.agui.interrupts import Wire
from rich_agent.web.agui.places import Places
from rich_agent.web.agui.turns import TurnOffers
from rich_agent.web.answers import verbatim_markdown

MOST_MESSAGES = 100
"""Messages, or conversations, of one page."""
_TOLD_BY = 500
"""Characters of a question by which its language is told."""


@dataclass(frozen=True, slots=True)
class ThreadHistory:
    """Reads a user's conversation, whatever wrote it. May raise DatabaseUnavailableError.

    If showing it ended the process twice, `is_verbatim`: every answer is shown as it is stored.
    """

    runs: Runs
    places: Places
    attempts: Attempts
    offers: TurnOffers
    is_verbatim: bool = False

    async def page(
        self, user_id: int, thread: str, *, limit: int = MOST_MESSAGES, before: int | None = None
    ) -> Wire:
        """The last messages before a cursor; and the run that is open, or waits for an answer."""
        async with self._reading(user_id) as history:
            return await history._page(user_id, thread, limit, before)  # noqa: SLF001 - its own

    @asynccontextmanager
    async def _reading(self, user_id: int) -> AsyncIterator["ThreadHistory"]:
        async with AsyncExitStack() as stack:
            history = replace(self, is_verbatim=True)
            with suppress(SetAsideError):
                work = Work("history", user_id, user_id)
                await stack.enter_async_context(self.attempts.counted(work))
                history = self
            yield history

    async def _page(self, user_id: int, thread: str, limit: int, before: int | None) -> Wire:
        said = await self.runs.said(user_id, thread, limit + 1, before)
        shown, is_cut = said[-limit:], len(said) > limit
        offered = await self.offers.below(user_id, shown)
        return {
            "type": "MESSAGES_SNAPSHOT",
            "threadId": thread,
            "messages": [
                {**one, **more} for one, more in zip(self._messages(shown), offered, strict=True)
            ],
            "page": _page(shown[0].number if is_cut else None),
            **await self._open_in(user_id, thread),
        }

    async def threads(self, user_id: int, *, limit: int, before: int | None) -> Wire:
        """The conversations that a user has, newest first, before a cursor."""
        found = await self.runs.threads(user_id, limit + 1, before)
        shown = found[:limit]
        return {
            "threads": [
                {
                    "id": one.thread,
                    "title": shorten(one.title, TITLE_CHARS),
                    "updatedAt": _time(one.said_at),
                }
                for one in shown
            ],
            "page": _page(shown[-1].number if len(found) > limit else None),
        }

    async def before(self, run: Run) -> Sequence[Wire]:
        """The last messages of a run's conversation, for somebody who brings none."""
        said = await self.runs.said(run.user_id, run.thread, MOST_MESSAGES, None)
        async with self._reading(run.user_id) as history:
            return history._messages(said)  # noqa: SLF001 - its own

    async def _open_in(self, user_id: int, thread: str) -> Wire:
        active = await self.runs.open_in(user_id, thread)
        is_shown = not (active or self.is_verbatim)
        waiting = await self.runs.waiting_in(user_id, thread) if is_shown else None
        return {
            "activeRun": {"runId": active.run_id} if active else None,
            "interrupts": await self._pending(waiting) if waiting else None,
            "openTurn": await self._open_turn(user_id, thread),
        }

    async def _pending(self, waiting: Run) -> Wire:
        writer = EventWriter(waiting, self.places)
        events: list[Wire] = []
        async for portion in in_turns(await self.runs.events(waiting)):
            events = [made for one in portion for made in writer.take(one)] or events
        return {"runId": waiting.run_id, "pending": events[-1]["outcome"]["interrupts"]}

    async def _open_turn(self, user_id: int, thread: str) -> Wire | None:
        """The open turn: what was asked (not if in Telegram), its runs, what they said so far."""
        found = await self.runs.open_turn(user_id, thread)
        if not found:
            return None
        said: list[Wire] = []
        for run in found:
            writer = EventWriter(run, self.places)
            events = await self.runs.events(run)
            told = verbatim(run, events) if self.is_verbatim and events else events
            async for portion in in_turns(told):
                for _ in (made for event in portion for made in writer.take(event)):
                    pass
            said += writer.messages
        first = found[0].asked
        asked = None if first.answers else self._asked(found[0])
        replaced = {"replaces": first.replaces} if first.replaces else {}
        runs = [run.run_id for run in found]
        return {"asked": asked, "runs": runs, "messages": said, **replaced}

    def _asked(self, run: Run) -> Wire:
        photos = self.places.pictures.photos(run.request_id, len(run.asked.images))
        message_id = run.asked.message_id or f"{run.run_id}:user"
        message = _message(message_id, "user", run.asked.text, photos)
        names = [file.name for file in run.asked.files]
        return message | _how_it_came(names, is_spoken=run.asked.is_spoken)

    def _messages(self, said: Sequence[SaidBefore]) -> list[Wire]:
        """The messages; an answer may link to what its user wrote, as when it was streamed."""
        found, question = [], ""
        for one in said:
            if one.role == "user":
                question = one.content
                photos = self.places.pictures.photos(one.request_id, one.photos)
                message = _message(_id_of(one), one.role, one.content, photos)
                found.append(message | _how_it_came(one.files, is_spoken=one.is_spoken))
                continue
            text = self._shown(one, question)
            message = _message(_id_of(one), one.role, text)
            if sources := self.places.sources(one.citations):
                message["sources"] = sources
            if pictures := self.places.pictures.day(one.request_id, one.day):
                message["pictures"] = pictures
            if one.undo_until:
                message["undo"] = {"id": one.request_id, "until": _time(one.undo_until)}
            found.append(message)
        return found

    def _shown(self, answer: SaidBefore, question: str) -> str:
        if self.is_verbatim:
            return verbatim_markdown(answer.content, choose_locale(question[:_TOLD_BY], None))
        return whole_text(answer.content, answer.citations, links_in(question))


def _page(cursor: int | None) -> Wire:
    """The place where older messages begin, `truncated` is false if there are none."""
    return {"truncated": False} if cursor is None else {"truncated": True, "cursor": str(cursor)}


def _time(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _message(message_id: str, role: str, text: str, photos: Sequence[Wire] = ()) -> Wire:
    parts = [{"type": "text", "content": text}] if text or not photos else []
    typed = [{"type": "text", "text": text}] if text else []
    content = [*typed, *photos] if photos else text
    return {"id": message_id, "role": role, "content": content, "parts": [*parts, *photos]}


def _how_it_came(files: Sequence[str], *, is_spoken: bool) -> Wire:
    """Further facts about a message of the user: its files, and whether it was spoken."""
    named = {"files": [{"name": name} for name in files]} if files else {}
    return named | ({"spoken": True} if is_spoken else {})


def _id_of(said: SaidBefore) -> str:
    """The id that the message had in the stream of its run."""
    if said.role == "assistant" and said.run_id:
        return f"{said.run_id}:{said.place}"
    return said.message_id or f"{said.run_id or said.request_id}:{said.role}"
