"""What was said in the conversation before, and what is open in a thread.

A message has both the fields of AG-UI (`content`) and those of TanStack's client (`parts`), which
loads a thread from here. Source: @tanstack/ai-client, ChatHydrationResult.
"""

from collections.abc import Sequence

from rich_agent.domain.answer.links import links_in
from rich_agent.ports.runs import Runs, SaidBefore
from rich_agent.web.agui.events import EventWriter, whole_text
from rich_agent.web.agui.interrupts import Wire

MOST_MESSAGES = 100
"""Messages of one page."""


async def page_of(
    runs: Runs, user_id: int, thread: str, *, limit: int = MOST_MESSAGES, before: int | None = None
) -> Wire:
    """The last messages before a cursor; and the run that is open, or waits for an answer.

    Raises: DatabaseUnavailableError.
    """
    said = await runs.said(user_id, limit + 1, before)
    shown, is_cut = said[-limit:], len(said) > limit
    page = {"truncated": True, "cursor": str(shown[0].number)} if is_cut else {"truncated": False}
    return {
        "type": "MESSAGES_SNAPSHOT",
        "threadId": thread,
        "messages": _messages(shown),
        "page": page,
        **await _open_in(runs, user_id, thread),
    }


async def messages_before(runs: Runs, user_id: int) -> Sequence[Wire]:
    """The last messages, for somebody who brings none. Raises: DatabaseUnavailableError."""
    return _messages(await runs.said(user_id, MOST_MESSAGES, None))


async def _open_in(runs: Runs, user_id: int, thread: str) -> Wire:
    active = await runs.open_in(user_id, thread)
    waiting = None if active else await runs.waiting_in(user_id, thread)
    pending: Wire | None = None
    if waiting:
        writer = EventWriter(waiting)
        events = [made for one in await runs.events(waiting) for made in writer.take(one)]
        pending = {"runId": waiting.run_id, "pending": events[-1]["outcome"]["interrupts"]}
    return {"activeRun": {"runId": active.run_id} if active else None, "interrupts": pending}


def _messages(said: Sequence[SaidBefore]) -> list[Wire]:
    """The messages; an answer may link to what its user wrote, as when it was streamed."""
    found, question = [], ""
    for one in said:
        content = one.content
        if one.role == "user":
            question = content
        else:
            content = whole_text(content, one.citations, links_in(question))
        parts = [{"type": "text", "content": content}]
        found.append({"id": _id_of(one), "role": one.role, "content": content, "parts": parts})
    return found


def _id_of(said: SaidBefore) -> str:
    """The id that the message had in the stream of its run."""
    if said.role == "assistant" and said.run_id:
        return f"{said.run_id}:{said.place}"
    return said.message_id or f"{said.run_id or said.request_id}:{said.role}"
