"""Rights to what earlier turns read: an answer leaves the prompts when its documents are closed."""

from langchain_core.messages import BaseMessage

from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.words import Words, still_in
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import (
    acting_of,
    messages_before,
    passages_of,
    reader_of,
    request_id_of,
)

SPACES = "spaces"
"""What holds the ids of the spaces behind an answer, in the marks of a message."""


def spaces_behind(text: str, state: TurnState) -> list[int]:
    """The ids of the spaces from whose documents an answer of the turn was written.

    Those that it read, and those behind earlier answers that it repeats; where it read nothing, it
    rests on all of these.
    """
    results = [r for one in acting_of(state).get("rounds", []) for r in one["results"]]
    found = [Passage.from_state(passage) for r in results for passage in r["passages"]]
    read = [*passages_of(state), *found]
    before = [one for one in messages_before(state) if marked_spaces(one)]
    if read:
        before = [one for one in before if still_in(text, [Words(str(one.text), "document")])]
    of_read = (space for passage in read for space in passage.spaces)
    return sorted({*of_read, *(space for one in before for space in marked_spaces(one))})


async def closed_messages(state: TurnState, services: Services) -> list[BaseMessage]:
    """The messages of turns whose answers rest on what their reader may not read any more."""
    marked = [(request_id_of(one), marked_spaces(one)) for one in state["messages"]]
    if not any(spaces for _, spaces in marked):
        return []
    readable = {space.id for space in await services.spaces.readable(reader_of(state))}
    closed = {turn for turn, spaces in marked if spaces - readable}
    return [one for one in state["messages"] if request_id_of(one) in closed]


def marked_spaces(message: BaseMessage) -> frozenset[int]:
    """The ids of the spaces that a message was marked with."""
    return frozenset(message.additional_kwargs.get(SPACES, ()))
