"""Rights to what earlier turns read: an answer leaves the prompts when its documents are closed."""

from langchain_core.messages import BaseMessage

from rich_agent.domain.repetition import still_in
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.words import Words
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import (
    acting_of,
    messages_before,
    passages_of,
    reader_of,
    request_id_of,
)

GUARDS = "guards"
"""What holds the rights behind an answer, as in `Passage.guards`, in the marks of a message."""


def guards_behind(text: str, state: TurnState) -> list[str]:
    """The guards of the documents from which an answer of the turn was written.

    Those that it read, and those behind earlier answers that it repeats; where it read nothing, it
    rests on all of these.
    """
    results = [r for one in acting_of(state).get("rounds", []) for r in one["results"]]
    tool_passages = [Passage.from_state(passage) for r in results for passage in r["passages"]]
    read = [*passages_of(state), *tool_passages]
    before = [one for one in messages_before(state) if marked_guards(one)]
    if read:
        before = [one for one in before if still_in(text, [Words(str(one.text), "document")])]
    of_read = (guard for passage in read for guard in passage.guards)
    return sorted({*of_read, *(guard for one in before for guard in marked_guards(one))})


async def unreadable_messages(state: TurnState, services: Services) -> list[BaseMessage]:
    """The messages of turns whose answers rest on what their reader may not read any more."""
    guards_by_turn = [(request_id_of(one), marked_guards(one)) for one in state["messages"]]
    guards = frozenset[str]().union(*(guards for _, guards in guards_by_turn))
    if not guards:
        return []
    readable = await services.spaces.open_of(reader_of(state), guards)
    unreadable = {turn for turn, guards in guards_by_turn if guards - readable}
    return [one for one in state["messages"] if request_id_of(one) in unreadable]


def marked_guards(message: BaseMessage) -> frozenset[str]:
    """The guards that a message was marked with."""
    return frozenset(message.additional_kwargs.get(GUARDS, ()))
