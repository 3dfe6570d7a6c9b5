"""Things that N1 leaves behind after a /new."""

from dataclasses import asdict
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage

from rich_agent.domain.memory.items import LongTermMemory, MemoryItem
from rich_agent.graph.nodes.ingest_input import ingest_input
from tests import make

SAID = [HumanMessage("What is it?", id="tg:1:user"), AIMessage("A thing.", id="tg:1:assistant")]


def request(fresh_from: int, request_id: str = "tg:9") -> dict[str, Any]:
    """A request as it is checkpointed."""
    asked = make.request("And now?", request_id=request_id)
    return {
        "thread_id": asked.thread_id,
        "request_id": request_id,
        "user": asdict(asked.message.user),
        "text": asked.message.text,
        "photos": [],
        "reply": None,
        "fresh_from": fresh_from,
    }


@pytest.mark.req("MEM-1")
async def test_ingest_input_keeps_the_conversation_without_a_new_one() -> None:
    """Nothing is removed; a /new that was heeded once is not heeded again."""
    for heeded, wanted in ((0, 0), (5, 5), (5, 0)):
        state = make.state(messages=list(SAID), request=request(wanted), fresh_from=heeded)
        update = await ingest_input(state, make.runtime())
        assert [message.id for message in update["messages"]] == ["tg:9:user"]
        assert update["fresh_from"] == heeded


@pytest.mark.req("MEM-1", "DUR-2")
async def test_ingest_input_leaves_the_old_conversation_behind_after_a_new_one() -> None:
    """Messages and summary go, the archive gets them once, what is remembered stays."""
    cast = make.Fakes()
    fact = MemoryItem("The user lives in Oslo.", "tg:1", "2026-01-01")
    cast.memories.kept[42] = LongTermMemory((fact,), conversation_summary="They asked.")
    state = make.state(messages=list(SAID), request=request(5), fresh_from=3)
    for _ in range(2):
        update = await ingest_input(state, make.runtime(cast))
    removed = [m.id for m in update["messages"] if isinstance(m, RemoveMessage)]
    assert removed == ["tg:1:user", "tg:1:assistant"]
    assert update["fresh_from"] == 5
    (kept,) = cast.archive.kept.values()
    assert (kept.turn.question, kept.turn.answer) == ("What is it?", "A thing.")
    assert cast.memories.kept[42] == LongTermMemory((fact,))


async def test_ingest_input_speaks_the_chosen_language() -> None:
    """The choice of /language wins over the language of the text."""
    asked = request(0)
    asked["user"]["locale"] = "ja"
    update = await ingest_input(make.state(request=asked), make.runtime())
    assert update["user"]["locale"] == "ja"
