"""A past turn run again: from its own inputs, after its own conversation, without effect."""

from dataclasses import replace

import pytest

from rich_agent.domain.message import Forwarded, IncomingMessage, ReplyContext, User
from rich_agent.domain.routing.plan import Clarification, Routing
from rich_agent.errors import TurnNotReplayableError
from rich_agent.ports.turns import StoredTurn
from rich_agent.turns.replay import Replayed, replay, result_of, stored_request
from tests import make
from tests.scripted import ScriptedFiles, ScriptedPlanner
from tests.turns_in_memory import cast_for, run, turns_with
from tests.twins.knowledge import InMemoryDecisions
from tests.twins.past_turns import InMemoryPastTurns


async def past_turn(cast: make.Fakes, request_id: str = "r1") -> StoredTurn:
    """The stored turn."""
    found = await InMemoryPastTurns(cast.transcript, cast.decisions).find(request_id)
    assert found is not None
    return found


async def replayed(cast: make.Fakes, request_id: str = "r1") -> Replayed:
    """The turn run again with the same cast, whose repositories are those of before."""
    past = InMemoryPastTurns(cast.transcript, cast.decisions)
    turn = await past_turn(cast, request_id)
    services = replace(cast.services(), decisions=InMemoryDecisions())
    return await replay(turn, await past.before(turn, 10), services)


@pytest.mark.req("TOOL-3")
async def test_replay_under_the_same_configuration_finds_no_difference() -> None:
    """Decision, passages, citations and answer are what they were."""
    cast = cast_for("rag+web")
    await run(turns_with(cast), photos=("photo",))
    again = await replayed(cast)
    assert again.result == result_of(await past_turn(cast))
    assert again.result.cited
    assert "N7_persist" not in again.latency_ms


@pytest.mark.req("TOOL-3")
async def test_replay_leaves_what_was_stored_as_it_was() -> None:
    """Nothing is recorded, nothing is learned, no memory model is asked."""
    cast = cast_for("rag")
    await run(turns_with(cast), "My name is Ada, what is staking?")
    turns, kept = dict(cast.transcript.turns), dict(cast.memories.kept)
    asked = len(cast.extractor.prompts)
    await replayed(cast)
    assert (cast.transcript.turns, cast.memories.kept) == (turns, kept)
    assert len(cast.extractor.prompts) == asked


@pytest.mark.req("TOOL-3", "VIS-2")
async def test_replay_knows_a_photo_by_its_hash() -> None:
    """It is neither fetched nor looked at again while a summary is there."""
    cast = cast_for("direct")
    await run(turns_with(cast), photos=("photo",))
    cast.files = ScriptedFiles()
    again = await replayed(cast)
    assert cast.files.fetched == []
    assert len(cast.vision.images) == 1
    assert again.nodes["N3_vision_summarize"]["output"]["vision.cached"] is True


@pytest.mark.req("TOOL-3")
async def test_replay_sees_the_conversation_before_the_turn_and_none_after_it() -> None:
    """As the prompt of its first run did."""
    cast = cast_for("direct")
    turns = turns_with(cast)
    for number in (1, 2, 3):
        await run(turns, f"Is this question number {number}?", request_id=f"r{number}")
    first = cast.chat.prompts[1]
    await replayed(cast, "r2")
    assert cast.chat.prompts[-1] == first
    assert len(first.history) == 2


@pytest.mark.req("TOOL-3")
async def test_replay_asks_what_was_asked_with_reply_and_forwarded_words() -> None:
    """Every part of the request comes back."""
    cast = cast_for("direct")
    message = IncomingMessage(
        User(42, "Ada", language_code="en", locale="ja"),
        text="And is that so?",
        reply=ReplyContext(7, "An earlier answer.", quote="earlier", author="assistant"),
        forwarded=Forwarded("Passed on.", "Bob"),
        unread=("video",),
    )
    await run(turns_with(cast), message=message)
    first = cast.chat.prompts[0]
    await replayed(cast)
    assert cast.chat.prompts[-1] == first
    request = stored_request(await past_turn(cast))
    assert request["text"] == "And is that so?"
    assert request.get("forwarded") == {"text": "Passed on.", "author": "Bob"}


async def test_replay_tells_that_the_bot_would_ask_back() -> None:
    """Then its question is the answer."""
    cast = cast_for("direct")
    await run(turns_with(cast))
    asking = Routing("general_question", "direct", "unclear", "")
    wish = Clarification("Which one do you mean?", ("a", "b"))
    cast.planner = ScriptedPlanner(replace(asking, clarification=wish))
    assert (await replayed(cast)).result.answer == "Which one do you mean?"


async def test_replay_of_a_turn_without_its_request_is_refused() -> None:
    """One that never came to its end, or is of an older version."""
    cast = cast_for("direct")
    await run(turns_with(cast))
    cast.transcript.turns.clear()
    with pytest.raises(TurnNotReplayableError, match="r1"):
        await replayed(cast)
