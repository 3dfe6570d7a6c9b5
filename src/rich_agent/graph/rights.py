"""Rights to what answers rest on: an answer leaves the prompts once its documents are closed."""

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
"""The key of the guards behind an answer in a message's marks; see `Passage.guards`."""


def guards_behind(text: str, state: TurnState) -> list[str]:
    """The guards of the documents that the text of this turn's answer rests on.

    These are the documents that the turn read, and those behind earlier answers that the text
    repeats. If the turn read nothing, the text may rest on all earlier answers.
    """
    tool_results = [
        tool_result
        for message in acting_of(state).get("rounds", [])
        for tool_result in message["results"]
    ]
    tool_passages = [
        Passage.from_state(passage)
        for tool_result in tool_results
        for passage in tool_result["passages"]
    ]
    passages_read = [*passages_of(state), *tool_passages]
    guarded_messages = [message for message in messages_before(state) if marked_guards(message)]
    if passages_read:
        guarded_messages = [
            message
            for message in guarded_messages
            if still_in(text, [Words(str(message.text), "document")])
        ]
    passage_guards = (guard for passage in passages_read for guard in passage.guards)
    return sorted(
        {
            *passage_guards,
            *(guard for message in guarded_messages for guard in marked_guards(message)),
        }
    )


async def unreadable_messages(state: TurnState, services: Services) -> list[BaseMessage]:
    """The messages of turns whose answers rest on documents that the reader may not read."""
    guards_by_turn = [
        (request_id_of(message), marked_guards(message)) for message in state["messages"]
    ]
    guards = frozenset[str]().union(*(guards for _, guards in guards_by_turn))
    if not guards:
        return []
    open_guards = await services.spaces.open_of(reader_of(state), guards)
    closed_turn_ids = {turn_id for turn_id, guards in guards_by_turn if guards - open_guards}
    return [message for message in state["messages"] if request_id_of(message) in closed_turn_ids]


def marked_guards(message: BaseMessage) -> frozenset[str]:
    """The guards that a message is marked with."""
    return frozenset(message.additional_kwargs.get(GUARDS, ()))
