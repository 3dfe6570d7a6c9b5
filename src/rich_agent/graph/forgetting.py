"""What a wish to forget takes out of memory, conversation, summary and archive."""

from dataclasses import replace

from langchain_core.messages import AnyMessage, RemoveMessage

from rich_agent.domain.forgetting import ForgetWish, Forgotten, chosen_to_forget, forget
from rich_agent.domain.memory import LongTermMemory, mark_of
from rich_agent.graph.services import Services
from rich_agent.graph.state import MemoryState, TurnState, TurnUpdate
from rich_agent.graph.views import reply_to_of
from rich_agent.graph.window import messages_of, request_of, turns_of


def wanted_forgotten(state: TurnState, memory: LongTermMemory, wish: ForgetWish) -> TurnUpdate:
    """What the wish means, for the answer to name and N7 to delete.

    Nothing of the memory is recalled, and the turns that tell it leave the conversation.
    """
    said_in = {request_of(message) for message in state["messages"]}
    if state["request"].get("replaces"):
        said_in = set()  # "forget that" asked once more has been done, and means nothing older
    reply = reply_to_of(state) or {"quote": "", "text": ""}
    chosen = chosen_to_forget(memory, replace(wish, told=reply["quote"] or reply["text"]), said_in)
    wanted: MemoryState = {
        "forgotten": [
            {"mark": mark_of(kind, item), "text": item.text, "request_id": item.request_id}
            for kind, item in chosen
        ],
        "forgotten_subject": wish.subject,
        "updated": False,
    }
    gone = _telling(forgotten_in(wanted), state)
    return {"messages": [RemoveMessage(id=str(m.id)) for m in gone], "memory": wanted}


def forgotten_in(memory: MemoryState) -> Forgotten:
    """What this turn's wish to forget means; false without a wish, or when it means nothing."""
    wanted = memory.get("forgotten", [])
    return Forgotten.of(
        [one["text"] for one in wanted],
        [one["request_id"] for one in wanted],
        memory.get("forgotten_subject", ""),
    )


async def forget_wanted(state: TurnState, services: Services) -> bool:
    """Delete it from the memory, its summary and the archive; whether the memory held it.

    The archive comes first: while the memory holds it, the turn can do it again.
    """
    user_id, forgotten = state["user"]["telegram_user_id"], forgotten_in(state["memory"])
    marks = [one["mark"] for one in state["memory"].get("forgotten", [])]
    if forgotten:
        await services.archive.forget(user_id, forgotten)
        await services.memories.change(user_id, lambda newest: forget(newest, marks, forgotten))
    return bool(marks)


def _telling(forgotten: Forgotten, state: TurnState) -> list[AnyMessage]:
    this_turn = state["request"]["request_id"]
    before = [message for message in state["messages"] if request_of(message) != this_turn]
    user_id, thread_id = state["user"]["telegram_user_id"], state["request"]["thread_id"]
    telling = [
        turn
        for turn in turns_of(before, user_id, thread_id)
        if forgotten.holds(turn.request_id, turn.question, turn.answer)
    ]
    return messages_of(telling, before)
