"""Answers as users see them, in the sandbox, over real HTTP."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial

import pytest

from rich_agent.chat_commands.menu import CORE_MENU, FOR_ADMINS, FOR_ALL, Menu
from rich_agent.domain.access import Access
from rich_agent.domain.answer.citation import Answer, Citation
from rich_agent.domain.languages import LOCALE_BY_CODE
from rich_agent.domain.message import TurnRequest
from rich_agent.errors import ImageRefusedError, MalformedOutputError
from rich_agent.telegram.deliver.limiter import Limiter, Rates
from rich_agent.telegram.deliver.outbound import Pace
from rich_agent.telegram.deliver.progress import Streaming
from rich_agent.telegram.serve.menus import publish_menus
from rich_agent.turns.runner import Answered, AnswerWritten, StageChanged, TextSoFar, TurnEvent
from tests.integration.telegram_support import (
    Bot,
    Script,
    ScriptedTurns,
    Sim,
    answered,
    base64_of,
    open_client,
    png,
    until,
)
from tests.sandbox_server import RunningSandbox
from tests.twins.sending import InMemorySendingRate

ADA = 42
LONG_TEXT = "Proof of history is a clock that everybody can check, one hash after another. "
SOURCE = Citation(
    1,
    "c1",
    "document",
    "https://docs.example/poh",
    "https://docs.example/poh#clock",
    "PoH",
    "Clock",
)


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot that echoes, not running yet."""
    async with open_client(sandbox) as client:
        yield Bot(client)


def explaining(sim: Sim) -> Script:
    """Searches, drafts and writes; each step begins once the one before it is seen."""

    async def explain(_: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("searching")
        await until(lambda: _has_text(sim, "Searching…"))
        yield StageChanged("drafting")
        await until(lambda: _has_text(sim, "Drafting…"))
        for words in ("Proof of history", "a clock"):
            yield TextSoFar(LONG_TEXT[: LONG_TEXT.index(words) + len(words) + 1])
            await until(partial(_has_text, sim, words))
        await until(lambda: _has_typed(sim, 3))
        for event in answered(LONG_TEXT + "[1]", SOURCE):
            yield event

    return explain


async def write_fast(_: TurnRequest) -> AsyncIterator[TurnEvent]:
    """Writes for a second, with more news than may be shown."""
    yield StageChanged("drafting")
    for length in range(10, len(LONG_TEXT), 4):
        yield TextSoFar(LONG_TEXT[:length])
        await asyncio.sleep(0.06)
    for event in answered(LONG_TEXT + "[1]", SOURCE):
        yield event


def plays(*events: TurnEvent | Exception) -> ScriptedTurns:
    """Turns that yield these events, or raise."""

    async def script(_: TurnRequest) -> AsyncIterator[TurnEvent]:
        for event in events:
            if isinstance(event, Exception):
                raise event
            yield event

    return ScriptedTurns(script)


@pytest.mark.req("TG-4")
async def test_answer_shows_progress_and_grows_to_its_end(bot: Bot, sim: Sim) -> None:
    """Both states, a growing text, the sources last; one message."""
    bot.turns = ScriptedTurns(explaining(sim))
    async with bot.running():
        await sim.send(ADA, "What is proof of history?")
        final = f"{LONG_TEXT}[1]\n\nSources\n[1] PoH › Clock"
        await sim.until_said(ADA, final)
    calls = await sim.calls("sendMessage", "editMessageText", chat_id=ADA)
    texts = [call["body"]["text"] for call in calls]
    growing = [text for text in texts if text.endswith(" …")]
    assert texts[:2] == ["Searching…", "Drafting…"]
    assert len(growing) >= 2
    assert growing == sorted(growing, key=len)
    assert LONG_TEXT.startswith(growing[0].removesuffix("…"))
    assert texts[-1] == final
    assert [call["method"] for call in calls].count("sendMessage") == 1
    assert all(call["body"]["link_preview_options"]["is_disabled"] for call in calls)
    (message,) = await sim.from_bot(ADA)
    links = [e["url"] for e in message["entities"] if e["type"] == "text_link"]
    assert links == [SOURCE.link, SOURCE.link]


def judging(sim: Sim, found: str) -> Script:
    """Writes an answer, which the user reads whole before it is judged: it becomes `found`."""
    whole = "It opens at noon. [1]\n\nSources\n[1] PoH › Clock"

    async def judge(_: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield TextSoFar("It opens at noon.")
        yield AnswerWritten(Answer("It opens at noon. [1]", (SOURCE,)))
        await until(partial(_has_text, sim, whole))
        for event in answered(found, SOURCE):
            yield event

    return judge


@pytest.mark.req("TG-4", "RAG-4")
@pytest.mark.parametrize("streaming", ["edit", "draft", "off"])
async def test_answer_is_read_whole_while_it_is_judged(
    bot: Bot, sim: Sim, streaming: Streaming
) -> None:
    """With its sources; where nothing is wrong with it, nothing is sent or edited again."""
    bot.streaming = streaming
    bot.turns = ScriptedTurns(judging(sim, "It opens at noon. [1]"))
    async with bot.running():
        await sim.send(ADA, "When does it open?")
        await sim.until_said(ADA, "It opens at noon. [1]\n\nSources\n[1] PoH › Clock")
    calls = await sim.calls("sendMessage", "editMessageText", chat_id=ADA)
    assert sum("Sources" in call["body"]["text"] for call in calls) == 1
    assert len(await sim.from_bot(ADA)) == 1


@pytest.mark.req("TG-4", "RAG-4")
async def test_answer_is_corrected_once_it_is_judged(bot: Bot, sim: Sim) -> None:
    """In the message that the user reads already."""
    bot.turns = ScriptedTurns(judging(sim, "It opens at one. [1]"))
    async with bot.running():
        await sim.send(ADA, "When does it open?")
        await sim.until_said(ADA, "It opens at one. [1]\n\nSources\n[1] PoH › Clock")
    assert len(await sim.from_bot(ADA)) == 1


@pytest.mark.req("TG-4")
async def test_answer_is_framed_in_its_own_language(bot: Bot, sim: Sim) -> None:
    """Also where neither the script of the question nor Telegram tells which one that is."""
    events = [
        Answered(replace(event.answer, locale="ja")) if isinstance(event, Answered) else event
        for event in answered("清算です[1]", SOURCE)
    ]
    bot.turns = plays(*events)
    async with bot.running():
        await sim.send(ADA, "清算条件")
        await sim.until_said(ADA, "清算です[1]\n\n出典\n[1] PoH › Clock")


def explaining_in_vain(sim: Sim) -> Script:
    """The same, but the model fails before the answer is complete."""

    async def explain(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        async for event in explaining(sim)(request):
            if isinstance(event, Answered):
                raise MalformedOutputError("model", "no answer")
            yield event

    return explain


@pytest.mark.req("TG-4")
@pytest.mark.parametrize(
    ("script", "end"), [(explaining, "Sources"), (explaining_in_vain, "Sorry")]
)
async def test_answer_keeps_typing_until_it_is_there(
    bot: Bot, sim: Sim, script: Callable[[Sim], Script], end: str
) -> None:
    """Typing first, again each interval, and no more after the end or an error."""
    bot.turns = ScriptedTurns(script(sim))
    async with bot.running():
        await sim.send(ADA, "What is proof of history?")
        await until(lambda: _has_text(sim, end))
        typed = await sim.calls("sendChatAction", chat_id=ADA)
        await asyncio.sleep(3 * bot.pace.typing_s)
    calls = await sim.calls("sendChatAction", "sendMessage", chat_id=ADA)
    assert calls[0]["method"] == "sendChatAction"
    typing = [call for call in calls if call["method"] == "sendChatAction"]
    assert len(typing) <= len(typed) + 1, "one may have been on its way"
    asked_at = (await sim.chat(ADA))["messages"][0]["sent_at"]
    least_s = bot.pace.typing_s * (len(typing) - 1)
    assert typing[-1]["started_at"] - asked_at >= least_s


def test_typing_is_shown_again_before_it_vanishes() -> None:
    """Telegram shows it for 5 s."""
    assert 3.0 <= Pace().typing_s <= 4.5


async def _has_text(sim: Sim, text: str) -> bool:
    return any(text in shown for shown in await sim.texts(ADA))


async def _has_typed(sim: Sim, times: int) -> bool:
    return len(await sim.calls("sendChatAction", chat_id=ADA)) >= times


async def test_answer_to_a_greeting_is_one_message_at_once(bot: Bot, sim: Sim) -> None:
    """No placeholder, no edit."""
    bot.turns = plays(*answered("Hi Ada!"))
    async with bot.running():
        await sim.send(ADA, "hi")
        await sim.until_said(ADA, "Hi Ada!")
    calls = await sim.calls("sendMessage", "editMessageText", chat_id=ADA)
    assert [call["method"] for call in calls] == ["sendMessage"]


async def test_answer_that_is_long_comes_in_parts(bot: Bot, sim: Sim) -> None:
    """The placeholder becomes the first part; code goes on as code; nothing is lost."""
    code = "\n".join(f"line_{n} = {n}" for n in range(700))
    bot.turns = plays(
        StageChanged("drafting"), *answered(f"Look:\n\n```python\n{code}\n```\n\nDone.")
    )
    async with bot.running():
        await sim.send(ADA, "code please")
        await until(lambda: _has_text(sim, "Done."))
    messages = await sim.from_bot(ADA)
    assert len(messages) >= 3
    assert messages[0]["text"].startswith("Look:")
    together = "\n".join(message["text"] for message in messages)
    assert [line for line in together.splitlines() if line.startswith("line_")] == code.splitlines()
    for message in messages:
        assert any(e["type"] == "pre" and e["language"] == "python" for e in message["entities"])


async def test_answer_is_edited_into_the_placeholder_of_a_dead_worker(bot: Bot, sim: Sim) -> None:
    """After a crash between placeholder and final text the same message goes on."""
    hangs = [asyncio.Event()]

    async def dies_once(request: TurnRequest) -> AsyncIterator[TurnEvent]:  # noqa: ARG001 - a script
        yield StageChanged("searching")
        if hangs:
            await hangs.pop().wait()
        for event in answered("Here it is."):
            yield event

    bot.turns = ScriptedTurns(dies_once)
    bot.options = replace(bot.options, grace_s=0.0)
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "Searching…")
    async with bot.running(receiving=False):
        await sim.until_said(ADA, "Here it is.")
    assert len({request.request_id for request in bot.turns.requests}) == 1
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_answer_is_not_sent_again_after_its_edit_was_in_doubt(bot: Bot, sim: Sim) -> None:
    """An edit can be repeated without anybody noticing."""
    bot.turns = plays(StageChanged("drafting"), *answered("The answer."))
    await sim.fail("reset", method="editMessageText")
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "The answer.")
        await until(lambda: _is_done(bot))
    assert len(await sim.calls("editMessageText", chat_id=ADA)) <= 2


async def _is_done(bot: Bot) -> bool:
    return bool(bot.turns.requests) and (await bot.inbox.depth()).pending == 0


async def test_answer_arrives_after_a_429(bot: Bot, sim: Sim) -> None:
    """The chat rests as long as Telegram says, then the final text comes; others go on."""
    bot.turns = ScriptedTurns(explaining(sim))
    async with bot.running():
        await sim.fail("429", method="editMessageText", retry_after=1)
        await sim.send(ADA, "What is proof of history?")
        await until(lambda: _has_text(sim, "Sources"))
    calls = await sim.calls("sendMessage", "editMessageText", chat_id=ADA)
    refused = next(index for index, call in enumerate(calls) if call["status"] == 429)
    assert calls[refused + 1]["started_at"] - calls[refused]["ended_at"] >= 0.95


async def test_answer_keeps_to_the_rate_of_a_private_chat(bot: Bot, sim: Sim) -> None:
    """With the limits of production no burst of edits ever comes."""
    bot.turns = ScriptedTurns(write_fast)
    bot.limiter = Limiter(InMemorySendingRate())
    bot.pace = Pace()
    async with bot.running():
        await sim.send(ADA, "What is proof of history?")
        await until(lambda: _has_text(sim, "Sources"))
    calls = await sim.calls("sendMessage", "editMessageText", chat_id=ADA)
    asked_at = (await sim.chat(ADA))["messages"][0]["sent_at"]
    took_s = calls[-1]["started_at"] - asked_at
    assert len(calls) <= Rates().chat_burst + Rates().chat_per_s * took_s


async def test_answer_to_a_user_who_blocked_the_bot_is_given_up(bot: Bot, sim: Sim) -> None:
    """It is noted and not tried again, and the turn still comes to its end."""
    bot.turns = plays(*answered("The answer."))
    await sim.fail("403_blocked", method="sendMessage")
    async with bot.running():
        await sim.send(ADA, "question")
        await until(lambda: _is_done(bot))
    assert await sim.texts(ADA) == []
    assert bot.users.blocked == [ADA]
    assert len(bot.turns.requests) == 1
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 1


async def test_answer_loses_its_looks_rather_than_itself(bot: Bot, sim: Sim) -> None:
    """Entities that Telegram refuses are left out."""
    bot.turns = plays(*answered("It is **so**."))
    await sim.fail("400_entities", method="sendMessage")
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "It is so.")
    (message,) = await sim.from_bot(ADA)
    assert message["entities"] == []


async def test_answer_without_its_looks_still_names_its_sources(bot: Bot, sim: Sim) -> None:
    """When the entities are refused, the links of the sources are written out, and no others."""
    link = "https://docs.example.com/stake#:~:text=lock%20it"
    cited = Citation(1, "c1", "document", link, link, "Stake", "")
    bot.turns = plays(*answered("It is **so** [1], see evil.com.", cited))
    await sim.fail("400_entities", method="sendMessage")
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(
            ADA, f"It is so [1], see evil\N{ONE DOT LEADER}com.\n\nSources\n[1] Stake {link}"
        )
    (message,) = await sim.from_bot(ADA)
    urls = [entity for entity in message["entities"] if entity["type"] == "url"]
    assert [entity["length"] for entity in urls] == [len(link)]


async def test_answer_survives_the_end_of_its_placeholder(
    bot: Bot, sim: Sim, sandbox: RunningSandbox
) -> None:
    """A message that the user deleted is sent again."""
    goes_on = asyncio.Event()

    async def script(_: TurnRequest) -> AsyncIterator[TurnEvent]:
        yield StageChanged("searching")
        await goes_on.wait()
        for event in answered("The answer."):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "Searching…")
        (placeholder,) = await sim.from_bot(ADA)
        gone = {"chat_id": ADA, "message_id": placeholder["message_id"]}
        await sim.http.post(f"{sandbox.api_url}/deleteMessage", json=gone)
        goes_on.set()
        await sim.until_said(ADA, "The answer.")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ImageRefusedError("format", "HEIC"), "I cannot read this image format"),
        (MalformedOutputError("model", "no JSON"), "an answer that I could not use"),
    ],
)
async def test_failure_becomes_one_apology(
    bot: Bot, sim: Sim, error: Exception, words: str
) -> None:
    """The placeholder turns into a plain sentence, in no one's stack trace."""
    bot.turns = plays(StageChanged("looking"), error)
    async with bot.running():
        await sim.send(ADA, "question")
        await until(lambda: _has_text(sim, words))
        await until(lambda: _is_done(bot))
    assert len(await sim.from_bot(ADA)) == 1
    assert len(bot.turns.requests) == 1


@pytest.mark.req("TG-2")
async def test_album_is_one_turn_whose_photos_can_be_fetched(bot: Bot, sim: Sim) -> None:
    """Three photos and a caption; each file is the bytes that were sent."""
    for n in range(3):
        caption = {"text": "compare"} if n == 0 else {}
        await sim.send(ADA, photo_base64=base64_of(png(8 + n)), media_group_id="g", **caption)
    async with bot.running():
        await sim.until_said(ADA, "You said: compare")
        (request,) = bot.turns.requests
        assert len(request.message.photos) == 3
        for photo in request.message.photos:
            assert len(await bot.client.fetch(photo.file_id)) == photo.size_bytes


@pytest.mark.req("TG-2")
async def test_photo_is_fetched_in_its_largest_size(bot: Bot, sim: Sim) -> None:
    """Of a photo and of an image file, the bytes."""
    largest, file = png(1200, 900), png(20, 20)
    await sim.send(ADA, "look", photo_base64=base64_of(largest))
    await sim.send(ADA, "see", document_base64=base64_of(file), file_name="shot.png")
    async with bot.running():
        await sim.until_said(ADA, "You said: look", "You said: see")
    photo, document = (request.message.photos[0] for request in bot.turns.requests)
    assert await bot.client.fetch(photo.file_id) == largest
    assert await bot.client.fetch(document.file_id) == file


@pytest.mark.req("TG-3")
async def test_reply_to_a_photo_brings_the_photo(bot: Bot, sim: Sim) -> None:
    """The question is about the photo above."""
    first = await sim.send(ADA, "my receipt", photo_base64=base64_of(png()))
    await sim.send(ADA, "how much?", reply_to_message_id=first["message_id"])
    async with bot.running():
        await until(lambda: _has_text(sim, "how much?"))
    reply = bot.turns.requests[1].message.reply
    assert reply is not None
    assert (reply.message_id, reply.text) == (first["message_id"], "my receipt")
    assert reply.photos == bot.turns.requests[0].message.photos


@pytest.mark.req("TG-1")
async def test_turn_is_named_after_its_user_and_update(bot: Bot, sim: Sim) -> None:
    """`tg:<user>` and `tg:<update>`; a group starts nothing and hears nothing."""
    await sim.send(7, "hello all", chat_type="group")
    sent = await sim.send(ADA, "hello")
    async with bot.running():
        await sim.until_said(ADA, "You said: hello")
        await until(lambda: _is_done(bot))
    (request,) = bot.turns.requests
    assert request.thread_id == f"tg:{ADA}"
    assert request.request_id == f"tg:{sent['update_id']}"
    calls = await sim.calls("sendMessage", "sendChatAction")
    assert {call["body"]["chat_id"] for call in calls} == {ADA}


async def test_second_message_is_told_that_it_waits(bot: Bot, sim: Sim) -> None:
    """The notice hangs on to its message, and grows into its answer."""
    goes_on = asyncio.Event()

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        if request.message.text == "first":
            yield StageChanged("searching")
            await goes_on.wait()
        for event in answered(f"Re: {request.message.text}"):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        await sim.send(ADA, "first")
        second = await sim.send(ADA, "second")
        await until(lambda: _has_text(sim, "Got it."))
        _, notice = await sim.from_bot(ADA)
        assert notice["reply_to_message_id"] == second["message_id"]
        goes_on.set()
        await sim.until_said(ADA, "Re: first", "Re: second")
    assert [request.message.text for request in bot.turns.requests] == ["first", "second"]
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 2


async def test_commands_cost_no_turn(bot: Bot, sim: Sim) -> None:
    """/start, /help, an unknown one, and a kind of message that is not read."""
    async with bot.running():
        await sim.send(ADA, "/start", first_name="Ada")
        await sim.send(ADA, "/help")
        await sim.send(ADA, "/frobnicate now")
        # Commands overtake what is no command.
        await until(lambda: _said_count(sim, 3))
        await sim.send(ADA, attachment="poll")
        await until(lambda: _said_count(sim, 4))
    start, help_text, unknown, unsupported = await sim.texts(ADA)
    assert start.startswith("Hi Ada!")
    assert "/start – " in help_text
    assert "/frobnicate" in unknown
    assert "cannot vote in polls" in unsupported
    assert bot.turns.requests == []
    assert bot.users.remembered == [ADA] * 4


async def _said_count(sim: Sim, count: int) -> bool:
    return len(await sim.from_bot(ADA)) == count


async def test_commands_are_published_in_every_language(bot: Bot, sim: Sim) -> None:
    """Telegram shows them in its menu: an admin sees more than the others."""
    await sim.send(ADA, "hello")
    await publish_menus(bot.client, frozenset({ADA}), CORE_MENU)
    calls = [call["body"] for call in await sim.calls("setMyCommands")]
    codes = [None if code == "en" else code for code in LOCALE_BY_CODE]
    assert len(codes) == 19
    assert [call.get("language_code") for call in calls] == codes * 2
    assert [call.get("scope") for call in calls[:19]] == [None] * 19
    assert [call["scope"] for call in calls[19:]] == [{"type": "chat", "chat_id": ADA}] * 19
    for_all, *_, for_admin = [[c["command"] for c in call["commands"]] for call in calls]
    assert for_all == list(FOR_ALL)
    assert for_admin == [*FOR_ALL, *FOR_ADMINS]


async def test_menu_leaves_out_what_the_settings_do_not_allow(bot: Bot, sim: Sim) -> None:
    """A command that could only say which setting is missing invites nobody to send it."""
    missing = frozenset({"files", "web"})
    await publish_menus(bot.client, frozenset(), Menu(unavailable=missing))
    (first, *_) = await sim.calls("setMyCommands")
    names = [entry["command"] for entry in first["body"]["commands"]]
    assert names == [name for name in FOR_ALL if name not in missing]


async def test_menu_of_an_admin_who_never_wrote_is_published_later(bot: Bot, sim: Sim) -> None:
    """Telegram refuses a menu for a chat that it does not know: the bot starts all the same."""
    bot.access = Access(admins=frozenset({ADA}))
    await publish_menus(bot.client, frozenset({ADA}), CORE_MENU)
    async with bot.running():
        await sim.send(ADA, "/start", first_name="Ada")
        await until(lambda: _has_text(sim, "Hi Ada!"))
    menu = (await sim.chat(ADA))["commands"]
    assert [entry["command"] for entry in menu] == [*FOR_ALL, *FOR_ADMINS]


async def test_stranger_is_refused_without_a_turn(bot: Bot, sim: Sim) -> None:
    """They hear the number to give to the operator; ids that look alike do not pass."""
    bot.access = Access(allowed=frozenset({4, 420}), admins=frozenset({7}))
    async with bot.running():
        await sim.send(ADA, "let me in")
        await sim.send(7, "hello")
        await until(lambda: _has_text(sim, "This bot is private"))
        await sim.until_said(7, "You said: hello")
    assert str(ADA) in (await sim.texts(ADA))[0]
    assert [request.thread_id for request in bot.turns.requests] == ["tg:7"]


async def test_press_of_an_old_button_is_ended(bot: Bot, sim: Sim, sandbox: RunningSandbox) -> None:
    """The button does not spin forever."""
    await sim.send(ADA, "hello")
    keyboard = {"inline_keyboard": [[{"text": "Go", "callback_data": "go"}]]}
    unseen = {"link_preview_options": {"is_disabled": True}}
    offered = {"chat_id": ADA, "text": "Go?", "reply_markup": keyboard, **unseen}
    sent = (await sim.http.post(f"{sandbox.api_url}/sendMessage", json=offered)).json()
    async with bot.running():
        await sim.press(ADA, sent["result"]["message_id"], "go")
        await until(lambda: _has_calls(sim, "answerCallbackQuery"))


async def _has_calls(sim: Sim, method: str) -> bool:
    return bool(await sim.calls(method))
