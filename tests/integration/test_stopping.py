"""Stopping an answer in Telegram: by its button, by /stop, from another worker."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from rich_agent.domain.message import TurnRequest
from rich_agent.turns.runner import StageChanged, TextSoFar, TurnEvent
from tests.integration.telegram_support import (
    DEADLINE_S,
    Bot,
    ScriptedTurns,
    Sim,
    answered,
    open_client,
    until,
)
from tests.sandbox_server import RunningSandbox

ADA, BOB = 42, 43
SAID = "Proof of history is a clock that everybody can check."


class Endless(ScriptedTurns):
    """Says one sentence, and goes on only when it is stopped."""

    def __init__(self) -> None:
        super().__init__(self._play)

    async def _play(self, request: TurnRequest) -> AsyncIterator[TurnEvent]:
        stop = self.stops[-1]
        assert stop is not None
        yield StageChanged("drafting")
        yield TextSoFar(f"{SAID} And")
        await stop.wait()
        for event in answered(f"Re {request.message.text}: {SAID}\n\n_(stopped)_"):
            yield event


@pytest.fixture
async def bot(sandbox: RunningSandbox) -> AsyncIterator[Bot]:
    """A bot whose answers never end."""
    async with open_client(sandbox) as client:
        yield Bot(client, turns=Endless())


async def growing(sim: Sim, user: int = ADA) -> dict[str, Any]:
    """The bot's message, once it shows text."""

    async def shows_text() -> bool:
        return any(SAID in text for text in await sim.texts(user))

    await until(shows_text)
    return (await sim.from_bot(user))[-1]


def stop_data(message: dict[str, Any]) -> str:
    """The data that the stop button under a message sends."""
    ((button,),) = message["buttons"]
    assert button["text"] == "Stop"
    return str(button["callback_data"])


async def test_stop_button_ends_the_answer_and_goes_away(bot: Bot, sim: Sim) -> None:
    """The words already said stay, marked; the button is gone; one message in all."""
    async with bot.running():
        await sim.send(ADA, "tell")
        message = await growing(sim)
        await sim.press(ADA, message["message_id"], stop_data(message))
        await sim.until_said(ADA, f"Re tell: {SAID}\n\n(stopped)")
    (final,) = await sim.from_bot(ADA)
    assert final["buttons"] == []
    (notice,) = (await sim.chat(ADA))["press_answers"]
    assert notice["text"] == "Stopping…"


async def test_stop_command_ends_the_answer_at_once(bot: Bot, sim: Sim) -> None:
    """It does not wait behind the message that it stops, and says what it did."""
    async with bot.running():
        await sim.send(ADA, "tell")
        await growing(sim)
        await sim.send(ADA, "/stop")
        await sim.until_said(ADA, f"Re tell: {SAID}\n\n(stopped)", "Stopped.")


async def test_stop_command_with_nothing_running_says_so(bot: Bot, sim: Sim) -> None:
    """No turn is begun."""
    async with bot.running():
        await sim.send(ADA, "/stop")
        await sim.until_said(ADA, "I am not writing anything just now.")
    assert bot.turns.requests == []


async def test_stop_button_of_an_older_answer_stops_nothing(bot: Bot, sim: Sim) -> None:
    """It says so, and the answer being written goes on."""
    async with bot.running():
        await sim.send(ADA, "first")
        first = await growing(sim)
        await sim.press(ADA, first["message_id"], stop_data(first))
        await sim.until_said(ADA, f"Re first: {SAID}\n\n(stopped)")
        await sim.send(ADA, "second")
        await until(lambda: _asked(bot, 2))
        await sim.press(ADA, first["message_id"], stop_data(first))

        async def is_told() -> bool:
            return len((await sim.chat(ADA))["press_answers"]) == 2

        await until(is_told)
        assert (await sim.chat(ADA))["press_answers"][-1]["text"] == (
            "This answer is already finished."
        )
        second = bot.turns.stops[-1]
        assert second is not None
        assert not second.is_set()
        await sim.send(ADA, "/stop")
        await are_stopped(bot)


async def are_stopped(bot: Bot) -> None:
    """Wait until all turns are told to stop: a bot that ends would wait for them first."""
    async with asyncio.timeout(DEADLINE_S):
        for stop in bot.turns.stops:
            assert stop is not None
            await stop.wait()


async def _asked(bot: Bot, count: int) -> bool:
    return len(bot.turns.requests) == count


async def test_stop_button_of_another_chat_stops_nothing(bot: Bot, sim: Sim) -> None:
    """The data of a press is what a client says; only the presser's own answers end."""
    async with bot.running():
        await sim.send(ADA, "tell")
        message = await growing(sim)
        await sim.send(BOB, "tell")
        bobs = await growing(sim, BOB)
        await sim.press(BOB, bobs["message_id"], stop_data(message))

        async def is_told() -> bool:
            return bool((await sim.chat(BOB))["press_answers"])

        await until(is_told)
        assert not any(stop and stop.is_set() for stop in bot.turns.stops)
        for user in (ADA, BOB):
            await sim.send(user, "/stop")
        await are_stopped(bot)


async def test_stop_reaches_the_worker_that_writes(bot: Bot, sim: Sim) -> None:
    """The press is handled by another worker than the one that writes the answer."""
    bot.options = replace(bot.options, concurrency=1)
    async with bot.running():
        other = replace(bot, turns=Endless())
        await sim.send(ADA, "tell")
        message = await growing(sim)
        async with other.running(receiving=False):
            await sim.press(ADA, message["message_id"], stop_data(message))
            await sim.until_said(ADA, f"Re tell: {SAID}\n\n(stopped)")
    assert other.turns.requests == []


async def test_stop_survives_the_worker_that_was_told(bot: Bot, sim: Sim) -> None:
    """A worker that dies after the press: the next one ends the answer, too."""
    bot.options = replace(bot.options, grace_s=0.0)
    async with bot.running():
        sent = await sim.send(ADA, "tell")
        await growing(sim)
    bot.options = replace(bot.options, grace_s=20.0)
    assert bot.stops is not None
    assert await bot.stops.ask(ADA, sent["update_id"]) == sent["update_id"]
    bot.turns = Endless()
    async with bot.running(receiving=False):
        await sim.until_said(ADA, f"Re tell: {SAID}\n\n(stopped)")
