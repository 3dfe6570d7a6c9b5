"""Answers on their way through flood control, refusals and outages, over real HTTP."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.domain.message import TurnRequest
from rich_agent.telegram.deliver.retries import RetryPolicy
from rich_agent.turns.runner import StageChanged, TextSoFar, TurnEvent
from tests.integration.telegram_support import Bot, ScriptedTurns, Sim, answered, open_client, until
from tests.sandbox_server import RunningSandbox

ADA, BOB, CLEO = 42, 43, 44
SECTIONS = 100


def long_answer() -> str:
    """12,000 characters of Markdown, numbered, so that nothing can be lost or swapped unseen."""
    parts = []
    for number in range(SECTIONS):
        parts += [
            f"## Section {number}",
            f"Point **{number}a** is made at length, so that this paragraph has a body of words.",
            f"- item {number}b\n- `code_{number}c`",
        ]
        if number % 10 == 9:
            parts.append(
                "```python\n" + "\n".join(f"line_{number}_{n} = {n}" for n in range(8)) + "\n```"
            )
    return "\n\n".join(parts)


MARKS = re.compile(r"Section \d+|\d+a|item \d+b|code_\d+c|line_\d+_\d+")


async def writes_at_length(_: TurnRequest) -> AsyncIterator[TurnEvent]:
    """Grows to 12,000 characters."""
    answer = long_answer()
    assert len(answer) >= 12_000
    yield StageChanged("drafting")
    for length in range(40, len(answer), 400):
        yield TextSoFar(answer[:length])
        await asyncio.sleep(0.02)
    for event in answered(answer):
        yield event


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot whose answers are long."""
    async with open_client(sandbox) as client:
        yield Bot(client, turns=ScriptedTurns(writes_at_length))


async def has_ended(sim: Sim, user: int) -> bool:
    """Whether the last line is there, and nothing grows any more."""
    texts = await sim.texts(user)
    return bool(texts) and texts[-1].endswith(f"line_{SECTIONS - 1}_7 = 7")


@pytest.mark.req("TG-4")
@pytest.mark.parametrize("longest_wait_s", [5.0, 0.1], ids=["waited for", "put back"])
async def test_long_answer_arrives_whole_beside_two_closed_chats(
    bot: Bot, sim: Sim, longest_wait_s: float
) -> None:
    """12,000 characters, formatted, in order, in all three chats; the open one does not wait."""
    bot.retry_policy = replace(bot.retry_policy, longest_wait_s=longest_wait_s)
    for user in (ADA, BOB):
        await sim.fail("429", chat_id=user, method="editMessageText", retry_after=2)
    async with bot.running():
        for user in (ADA, BOB, CLEO):
            await sim.send(user, "Tell me everything")
        for user in (CLEO, BOB, ADA):
            await until(lambda user=user: has_ended(sim, user))  # type: ignore[misc]  # bound now
    for user in (ADA, BOB, CLEO):
        messages = await sim.from_bot(user)
        assert len(messages) >= 3
        together = "\n".join(message["text"] for message in messages)
        assert MARKS.findall(together) == MARKS.findall(long_answer())
        assert "```" not in together
        assert "**" not in together
        for message in messages:
            assert {"bold", "code"} <= {entity["type"] for entity in message["entities"]}
    refused = [c for c in await sim.calls("editMessageText", "sendMessage") if c["status"] == 429]
    assert {call["body"]["chat_id"] for call in refused} == {ADA, BOB}
    assert len(bot.turns.requests) >= 3


async def test_answer_waits_in_the_inbox_while_its_chat_is_closed(bot: Bot, sim: Sim) -> None:
    """A chat closed for long keeps no worker; others are served by the only one there is."""

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        for event in answered(f"Re: {request.message.text}"):
            yield event

    bot.turns = ScriptedTurns(script)
    bot.options = replace(bot.options, concurrency=1)
    bot.retry_policy = replace(bot.retry_policy, longest_wait_s=0.1)
    await sim.fail("429", chat_id=ADA, method="sendMessage", retry_after=2)
    async with bot.running():
        await sim.send(ADA, "closed")
        await until(lambda: _was_refused(sim))
        await sim.send(BOB, "open")
        await sim.until_said(BOB, "Re: open")
        assert await sim.texts(ADA) == []
        await sim.until_said(ADA, "Re: closed")
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 2


async def _was_refused(sim: Sim) -> bool:
    return any(call["status"] == 429 for call in await sim.calls("sendMessage"))


async def test_answer_is_delivered_after_telegram_was_away_for_long(bot: Bot, sim: Sim) -> None:
    """More failures than any patience: it goes back to the inbox, more often than any limit."""

    async def script(_: TurnRequest) -> AsyncIterator[TurnEvent]:
        for event in answered("The answer."):
            yield event

    bot.turns = ScriptedTurns(script)
    bot.retry_policy = RetryPolicy(tries=2, first_pause_s=0.01, postponed_s=0.05)
    await sim.fail("502", method="sendMessage", times=20)
    async with bot.running():
        await sim.send(ADA, "question")
        await sim.until_said(ADA, "The answer.")
    assert len(await sim.calls("sendMessage", chat_id=ADA)) == 21


async def test_queued_notice_waits_for_the_answer_before_it(bot: Bot, sim: Sim) -> None:
    """It never appears above the first answer."""
    shows, goes_on = asyncio.Event(), asyncio.Event()

    async def script(request: TurnRequest) -> AsyncIterator[TurnEvent]:
        if request.message.text == "first":
            await shows.wait()
            yield StageChanged("searching")
            await goes_on.wait()
        for event in answered(f"Re: {request.message.text}"):
            yield event

    bot.turns = ScriptedTurns(script)
    async with bot.running():
        await sim.send(ADA, "first")
        await sim.send(ADA, "second")
        await until(lambda: _has_begun(bot))
        await asyncio.sleep(bot.options.timings.notice_s * 4)
        assert await sim.texts(ADA) == []
        shows.set()

        async def is_told() -> bool:
            return any(text.startswith("Got it.") for text in await sim.texts(ADA))

        await until(is_told)
        assert [text.split()[0] for text in await sim.texts(ADA)] == ["Searching…", "Got"]
        goes_on.set()
        await sim.until_said(ADA, "Re: first", "Re: second")


async def _has_begun(bot: Bot) -> bool:
    return bool(bot.turns.requests)
