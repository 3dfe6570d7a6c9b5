"""A turn asks back, stands still, and goes on with the answer; nothing is done twice."""

from dataclasses import replace
from typing import Any

import pytest

from rich_agent.domain.message import Forwarded
from rich_agent.domain.routing.plan import Clarification, Routing
from rich_agent.errors import QuestionClosedError
from rich_agent.turns.runner import (
    Answered,
    Finished,
    GraphTurns,
    QuestionAsked,
    QuestionClosed,
    TurnEvent,
)
from tests import make
from tests.acceptance.pictures import picture
from tests.scripted import ScriptedPlanner
from tests.turns_in_memory import UnprunedSaver, cast_for, run, turns_with

THREAD: Any = {"configurable": {"thread_id": "tg:42"}}
PLANNED = Routing("general_question", "rag", "r", "q")
UNCLEAR = Routing(
    "general_question",
    "rag",
    "r",
    "q",
    clarification=Clarification("Which exchange?", ("Drift", "Jupiter")),
)


def finished(events: list[TurnEvent]) -> Finished:
    """The last event."""
    last = events[-1]
    assert isinstance(last, Finished)
    return last


def unclear_cast() -> make.Fakes:
    """A cast whose planner asks back once."""
    cast = cast_for("rag")
    cast.planner = ScriptedPlanner(UNCLEAR)
    return cast


async def said_in(turns: GraphTurns) -> list[tuple[str | None, str]]:
    """The conversation as the state holds it."""
    messages = (await turns.graph.aget_state(THREAD)).values["messages"]
    return [(message.id, message.text) for message in messages]


@pytest.mark.req("INT-1", "REL-2")
@pytest.mark.parametrize("text", ["?", "", "…", "👀"])
async def test_photo_without_a_question_is_asked_about(text: str) -> None:
    """The content is named, an interrupt is pending; the answer resumes, nobody looks again."""
    cast = cast_for("direct")
    turns = turns_with(cast)
    events = await run(turns, text, photos=("photo",))
    asked = events[-2]
    assert isinstance(asked, QuestionAsked)
    assert "A red square." in asked.question
    assert finished(events).outcome.interrupt == {
        "kind": "question",
        "question": asked.question,
        "choices": list(asked.choices),
    }
    assert (await turns.graph.aget_state(THREAD)).interrupts
    assert cast.planner.prompts == cast.chat.prompts == []

    events = await run(turns, "What colour is it?", request_id="r2")

    assert finished(events).outcome.interrupt is None
    assert list(finished(events).outcome.nodes) == [
        "N1_ingest_input",
        "N2_load_long_term_memory",
        "N3_vision_summarize",
        "N9_ask_back",
        "N10_take_answer",
        "N4_build_effective_query",
        "N6_synthesize",
        "N7_persist",
    ]
    assert (len(cast.vision.images), cast.files.fetched) == (1, ["photo", "photo"])
    assert "What colour is it?" in cast.chat.prompts[0].user
    assert "A red square." in cast.chat.prompts[0].user
    assert [turn.question for turn in cast.transcript.turns.values()] == ["What colour is it?"]
    state = (await turns.graph.aget_state(THREAD)).values
    assert state["request"]["request_id"] == "r1"
    assert len(cast.decisions.rows) == 1


@pytest.mark.parametrize("is_clear", [True, False])
async def test_photo_in_a_conversation_is_asked_about_where_the_planner_says_so(
    *, is_clear: bool
) -> None:
    """The words before it may make clear what it is for; if not, what is seen is named."""
    cast = cast_for("direct")
    turns = turns_with(cast)
    await run(turns, "Übersetze den Text auf dem Foto, das gleich kommt")
    if not is_clear:
        cast.planner.routing = UNCLEAR
    events = await run(turns, "", photos=("photo",), request_id="r2")
    asked = [event for event in events if isinstance(event, QuestionAsked)]
    assert bool(asked) == (not is_clear)
    assert all("A red square." in event.question and event.choices for event in asked)


@pytest.mark.req("INT-1")
async def test_unclear_subject_is_asked_for_and_the_answer_completes_the_question() -> None:
    """One question back; the words of both messages are planned for, with the question beside."""
    cast = unclear_cast()
    turns = turns_with(cast)
    events = await run(turns, "What are the fees there now?")
    assert events[-2] == QuestionAsked(
        "r1", "Which exchange?", ("Drift", "Jupiter"), locale="en", shown_by="r1"
    )
    events = await run(turns, "Drift", request_id="r2")
    assert QuestionClosed("r1") in events
    assert isinstance(events[-2], Answered)
    prompt = cast.planner.prompts[1]
    assert "What are the fees there now?\nDrift" in prompt.user
    assert "<asked_back>Which exchange?</asked_back>" in prompt.user
    assert "<asked_back>" in cast.chat.prompts[0].user
    assert await said_in(turns) == [
        ("r1:user", "What are the fees there now?\nDrift"),
        ("r1:assistant", "It is so."),
    ]


async def test_turn_asks_back_once() -> None:
    """A planner that would go on asking is not heeded."""
    cast = unclear_cast()
    turns = turns_with(cast)
    await run(turns, "What are the fees there now?")
    events = await run(turns, "hm, the usual", request_id="r2")
    assert isinstance(events[-2], Answered)


async def test_photo_can_be_the_answer() -> None:
    """It is looked at, and the turn goes on."""
    cast = unclear_cast()
    cast.files.contents["answer"] = picture("blue", "green")
    turns = turns_with(cast)
    await run(turns, "What are the fees on that one?")
    events = await run(turns, "", photos=("answer",), request_id="r2")
    assert isinstance(events[-2], Answered)
    assert "N3_vision_summarize" in finished(events).outcome.nodes
    assert len(cast.vision.images) == 1


@pytest.mark.parametrize("text", ["hi", "danke!"])
async def test_another_request_by_rule_is_answered_itself(text: str) -> None:
    """The question is given up gracefully: both turns are in the conversation and on record."""
    cast = unclear_cast()
    turns = turns_with(cast)
    await run(turns, "What are the fees there now?")
    cast.planner.routing = PLANNED
    events = await run(turns, text, request_id="r2")
    assert events[0] == QuestionClosed("r1")
    assert isinstance(events[-2], Answered)
    said = await said_in(turns)
    assert said[:3] == [
        ("r1:user", "What are the fees there now?"),
        ("r1:assistant", "Which exchange?"),
        ("r2:user", text),
    ]
    assert await turns.services.clarifications.cancel("tg:42") is None, "nothing is awaited"
    unanswered, _ = cast.transcript.turns.values()
    assert unanswered.question == "What are the fees there now?"
    assert unanswered.answer == "Which exchange?"


async def test_another_request_by_the_planner_is_answered_itself() -> None:
    """The planner tells what no rule can, with the question before it."""
    cast = unclear_cast()
    turns = turns_with(cast)
    await run(turns, "What are the fees there now?")
    cast.planner.routing = Routing("general_question", "rag", "r", "q", is_new_request=True)
    events = await run(turns, "explain proof of history", request_id="r2")
    assert isinstance(events[-2], Answered)
    assert [message_id for message_id, _ in await said_in(turns)] == [
        "r1:user",
        "r1:assistant",
        "r2:user",
        "r2:assistant",
    ]
    assert cast.chat.prompts[0].user.startswith("<question>explain proof of history</question>")
    again = await run(turns, "explain proof of history", request_id="r2")
    assert isinstance(again[-2], Answered)
    assert len(cast.chat.prompts) == 1


@pytest.mark.req("DUR-1", "REL-2")
async def test_question_is_asked_again_after_a_crash_and_answered_by_another_process() -> None:
    """The asking update tried again shows the question; the answer tried again shows the answer."""
    saver, cast = UnprunedSaver(), cast_for("direct")
    first = await run(turns_with(cast, saver), "?", photos=("photo",))
    again = await run(turns_with(cast, saver), "?", photos=("photo",))
    assert again == first[-2:]
    await run(turns_with(cast, saver), "describe it", request_id="r2")
    events = await run(turns_with(cast, saver), "describe it", request_id="r2")
    assert [type(event) for event in events] == [QuestionClosed, Answered, Finished]
    assert (len(cast.vision.images), len(cast.chat.prompts)) == (1, 1)


@pytest.mark.req("INT-1")
async def test_button_answers_the_question_that_it_names_and_no_other() -> None:
    """The first press counts; a second, a stale or a foreign one changes nothing."""
    cast = unclear_cast()
    turns = turns_with(cast)
    await run(turns, "What are the fees there now?")
    wrong = make.request("Drift", request_id="r2", answers="r0")
    assert not await turns.accepts(wrong)
    foreign = make.request("Drift", request_id="r2", answers="r1", user_id=43)
    assert not await turns.accepts(foreign)
    pressed = make.request("Drift", request_id="r3", answers="r1")
    assert await turns.accepts(pressed)
    second = make.request("Jupiter", request_id="r4", answers="r1")
    assert not await turns.accepts(second)
    events = [event async for event in turns.run(pressed)]
    assert isinstance(events[-2], Answered)
    assert await turns.accepts(pressed)
    assert not await turns.accepts(second)
    with pytest.raises(QuestionClosedError):
        await run(turns, "Jupiter", request_id="r4", answers="r1")
    assert len(cast.chat.prompts) == 1


async def test_expired_or_cancelled_question_blocks_nothing() -> None:
    """The next message is a turn of its own, even if it looks like the answer."""
    for ends in ("expires", "is cancelled"):
        cast = unclear_cast()
        turns = turns_with(cast)
        await run(turns, "What are the fees there now?")
        if ends == "expires":
            cast.clarifications.open_s = 0.0
        else:
            assert await cast.clarifications.cancel("tg:42") == "r1"
        cast.planner.routing = PLANNED
        events = await run(turns, "Drift is a fine exchange", request_id="r2")
        assert isinstance(events[-2], Answered)
        assert cast.chat.prompts[0].user.startswith("<question>Drift is a fine exchange</question>")


async def test_edited_question_is_asked_anew_and_edited_answer_answered_anew() -> None:
    """An edit of the question replaces the turn; one of the answer joins the first words again."""
    cast = unclear_cast()
    turns = turns_with(cast)
    await run(turns, "What are the fees there now?")
    events = await run(turns, "What are the costs there now?", revision=5)
    assert isinstance(events[-2], QuestionAsked)
    await run(turns, "Drift", request_id="r2")
    events = await run(turns, "Jupiter", request_id="r2", revision=9)
    assert isinstance(events[-2], Answered)
    assert "What are the costs there now?\nJupiter" in cast.chat.prompts[-1].user
    assert [text for _, text in await said_in(turns)] == [
        "What are the costs there now?\nJupiter",
        "It is so.",
    ]


async def test_forwarded_words_are_never_taken_for_the_answer() -> None:
    """They are somebody else's."""
    cast = unclear_cast()
    turns = turns_with(cast)
    await run(turns, "What are the fees there now?")
    cast.planner.routing = PLANNED
    asked = make.request("", request_id="r2")
    message = replace(asked.message, forwarded=Forwarded("Drift"))
    request = replace(asked, message=message)
    events = [event async for event in turns.run(request)]
    assert events[0] == QuestionClosed("r1")


async def test_last_question_after_an_answer_is_the_whole_question() -> None:
    """/retry asks again what was meant, photo included, not what was unclear."""
    turns = turns_with(cast_for("direct"))
    await run(turns, "?", photos=("photo",))
    await run(turns, "What colour is it?", request_id="r2")
    last = await turns.last_question("tg:42")
    assert last is not None
    assert (last.message.text, len(last.message.photos)) == ("What colour is it?", 1)
