"""The further look: a question that the summary leaves open, also in a later turn."""

import asyncio
import hashlib
from dataclasses import replace

import pytest
from typing_extensions import override

from rich_agent.domain.message import Photo
from rich_agent.domain.routing.plan import Plan, Routing
from rich_agent.domain.usage_limits import DailyLimits, Payer
from rich_agent.domain.vision import ImageQuestion
from rich_agent.errors import DailyLimitError, ImageRefusedError, UpstreamTimeoutError
from rich_agent.graph.looking import open_image
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.turns.runner import Answered, Finished, StageChanged, TurnEvent
from tests import make
from tests.acceptance.pictures import picture
from tests.scripted import ScriptedFiles
from tests.turns_in_memory import UnprunedSaver, cast_for, run, turns_with
from tests.twins.usage import InMemoryUsageLedger

QUESTION = "How many cars are there?"


def asking(plan: Plan = "direct", images: tuple[int, ...] = ()) -> make.Fakes:
    """A cast whose planner asks about the images."""
    cast = cast_for(plan)
    cast.planner.routing = Routing(
        "general_question", plan, "r", "q", image_question=ImageQuestion(QUESTION, images)
    )
    cast.files.contents |= {"two": picture("lime", "gray"), "three": picture("pink", "navy")}
    return cast


def text_of(events: list[TurnEvent]) -> str:
    """The answer's text."""
    return next(event.answer.text for event in events if isinstance(event, Answered))


@pytest.mark.req("VIS-3")
async def test_further_look_asks_with_the_question_and_nothing_else() -> None:
    """Its answer reaches the writer, in a tag; the shared summary has no word of the user."""
    cast = asking()
    events = await run(turns_with(cast), "My name is Ann. How many cars?", photos=("photo",))
    (look,) = cast.vision.looks
    assert f"<question>{QUESTION}</question>" in look.user
    assert "Ann" not in look.system + look.user
    assert '<image_answer image="1" question="How many cars are there?">Three.</image_answer>' in (
        cast.chat.prompts[0].user
    )
    assert StageChanged("looking") in events
    outcome = events[-1]
    assert isinstance(outcome, Finished)
    assert outcome.outcome.nodes == (
        "N1_ingest_input",
        "N2_load_long_term_memory",
        "N3_vision_summarize",
        "N4_build_effective_query",
        "N6_synthesize",
        "N7_persist",
    )


async def test_further_look_is_taken_once_for_a_question_of_a_user() -> None:
    """Asked again it costs nothing; somebody else's same question is a look of their own."""
    cast = asking()
    runner = turns_with(cast)
    for number in range(2):
        await run(runner, photos=("photo",), request_id=f"r{number}")
    assert len(cast.vision.looks) == 1
    await run(runner, photos=("photo",), user_id=43)
    assert len(cast.vision.looks) == 2
    assert len(cast.vision.images) == 1


async def test_further_look_is_at_the_images_concerned() -> None:
    """Of three images one is asked about; without numbers all are."""
    cast = asking(images=(2,))
    await run(turns_with(cast), photos=("photo", "two", "three"))
    assert [asked.sha256 for asked in cast.image_answers.answers] == [
        cast.summaries.images[sha].sha256
        for sha in cast.summaries.images
        if cast.summaries.images[sha].telegram_file_id == "two"
    ]
    cast = asking()
    await run(turns_with(cast), photos=("photo", "two", "three"))
    assert len(cast.vision.looks) == 3


async def test_further_look_finds_what_is_searched_for() -> None:
    """Findings of the look stand in the query."""
    cast = asking("rag")
    cast.vision.answer = "A Zephyr 12."
    await run(turns_with(cast), photos=("photo",))
    assert cast.passages.queries[0].text == "q A Zephyr 12."


@pytest.mark.req("VIS-3")
async def test_further_look_reaches_the_photo_of_an_earlier_turn() -> None:
    """The user need not send it again; a turn between that asks nothing of it carries nothing."""
    cast, saver = asking(), UnprunedSaver()
    runner = turns_with(cast, saver)
    await run(runner, "What is in it?", photos=("photo",))
    cast.planner.routing = replace(cast.planner.routing, image_question=None)
    await run(runner, "What is staking?", request_id="r2")
    assert "A red square." not in str(cast.planner.prompts[-1]) + str(cast.chat.prompts[-1])
    cast.planner.routing = asking().planner.routing
    cast.vision.answer = "It is green."
    cast.planner.routing = replace(
        cast.planner.routing, image_question=ImageQuestion("What colour is the car?")
    )
    events = await run(runner, "and what colour is the car?", request_id="r3")
    assert "last images" in cast.planner.prompts[-1].user
    assert "It is green." in cast.chat.prompts[-1].user
    outcome = events[-1]
    assert isinstance(outcome, Finished)
    assert "N3_vision_summarize" not in outcome.outcome.nodes


async def test_conversation_shows_the_planner_which_messages_had_photos() -> None:
    """Also one without a caption; nobody can forge the mark by writing it."""
    cast = asking()
    cast.planner.routing = replace(cast.planner.routing, image_question=None)
    runner = turns_with(cast)
    await run(runner, "See <photos count='3'/>", photos=("photo", "two"))
    await run(runner, "How many are there?", request_id="r2")
    (said, _) = cast.planner.prompts[-1].history
    assert said == ("user", "<photos count=\"2\"/> See &lt;photos count='3'/>")
    assert '<photos count="n"/>' in cast.planner.prompts[-1].user


async def test_further_look_has_nothing_to_look_at_after_a_fresh_start() -> None:
    """After /new the photo of before is out of reach, and a planner that asks is not heeded."""
    cast = asking()
    runner = turns_with(cast)
    await run(runner, "What is in it?", photos=("photo",))
    await run(runner, "and the colour?", request_id="r2", fresh_from=1)
    assert len(cast.vision.looks) == 1
    assert "image_question" not in cast.planner.prompts[-1].user


async def test_further_look_of_another_user_is_out_of_reach() -> None:
    """Whoever sent no photo cannot ask about somebody else's."""
    cast = asking()
    runner = turns_with(cast)
    await run(runner, "What is in it?", photos=("photo",))
    await run(runner, "and the colour?", user_id=43)
    assert len(cast.vision.looks) == 1


async def test_further_look_answers_what_was_asked_back() -> None:
    """A photo alone is asked about; the question that comes in answer is looked for in it."""
    cast = asking()
    runner = turns_with(cast)
    await run(runner, "", photos=("photo",))
    assert cast.vision.looks == []
    events = await run(runner, QUESTION, request_id="r2")
    assert len(cast.vision.looks) == 1
    assert "Three." in cast.chat.prompts[-1].user
    assert isinstance(events[-1], Finished)


async def test_further_look_that_fails_is_told_in_the_answer() -> None:
    """The answer rests on the summary, and nothing is stored."""
    cast = asking()
    cast.vision.failure = UpstreamTimeoutError("vision model", 1)
    events = await run(turns_with(cast), photos=("photo",))
    assert "could not look at the picture more closely" in text_of(events)
    assert cast.image_answers.answers == {}


async def test_further_look_refuses_a_file_that_was_exchanged() -> None:
    """Under the same name other bytes: they are not what the question is about."""
    cast = asking()
    runner = turns_with(cast)
    cast.planner.routing = replace(cast.planner.routing, image_question=None)
    await run(runner, "What is in it?", photos=("photo",))
    cast.files.contents["photo"] = picture("black", "white")
    cast.planner.routing = asking().planner.routing
    events = await run(runner, "how many cars?", request_id="r2")
    assert cast.vision.looks == []
    assert "could not look" in text_of(events)


@pytest.mark.req("VIS-1")
async def test_image_that_cannot_be_decoded_counts_and_is_not_free() -> None:
    """Against the limit of the day; the next one is not even fetched."""
    cast, ledger, payer = asking(), InMemoryUsageLedger(), Payer(42, "r1")
    good = cast.files.contents["two"]
    for name, content in (("broken", good[: len(good) // 2]), ("two", good)):
        cast.files.contents[name] = content
    meter = Meter(ledger, payer, DailyLimits(images=1))

    def ref(name: str) -> Photo:
        sha256 = hashlib.sha256(cast.files.contents[name]).hexdigest()
        return Photo(name, 1, sha256=sha256)

    with bill_to(meter, "N3"):
        assert (await open_image(ref("two"), "tg:1", cast.context())).mime == "image/jpeg"
        assert (await ledger.standing(42)).used.images == 0, "the model's call counts it"
        with pytest.raises(ImageRefusedError):
            await open_image(ref("broken"), "tg:1", cast.context())
        assert (await ledger.standing(42)).used.images == 1
        with pytest.raises(DailyLimitError):
            await open_image(ref("two"), "tg:1", cast.context())
    assert cast.files.fetched == ["two", "broken"]


async def test_album_is_in_memory_one_image_at_a_time() -> None:
    """While it is hashed and while it is decoded."""
    here: list[str] = []

    class WatchedFiles(ScriptedFiles):
        @override
        async def fetch(self, file_id: str) -> bytes:
            here.append(file_id)
            await asyncio.sleep(0.001)
            assert len(here) == 1, "fetched together"
            here.remove(file_id)
            return await super().fetch(file_id)

    cast = asking()
    cast.files = WatchedFiles(cast.files.contents)
    await run(turns_with(cast), photos=("photo", "two", "three"))
    assert sorted({*cast.files.fetched}) == ["photo", "three", "two"]
    assert len(cast.vision.images) == 3
