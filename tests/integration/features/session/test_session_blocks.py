"""The block of a guided session: the commands that show it, and presses of its way out."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest
from rich_agent.domain.living_blocks import LivingBlock, state_of
from rich_agent.domain.message import User
from rich_agent.features.session.commands import GuidedSessions
from rich_agent.features.session.repository import PostgresSessions
from rich_agent.features.session.templates import load_templates
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.repositories.database.pools import open_pool

ME, OTHER = 42, 4
CANCELLED = "Daily planning is cancelled. What you approved in it stays."


@pytest.fixture
async def guided(database_url: str) -> AsyncIterator[GuidedSessions]:
    """No session yet."""
    async with open_pool(database_url, max_size=2) as pool:
        sessions = PostgresSessions(pool)
        yield GuidedSessions(sessions, load_templates(), sessions)


async def give(guided: GuidedSessions, command: str, args: str = "") -> RenderedMessage:
    """Give a command; the message in reply."""
    request = CommandRequest(command, args, User(ME), "en")
    return (await guided.answers()[command](request)).message


async def leave(guided: GuidedSessions, shown: LivingBlock, user: int = ME) -> PressReply:
    """Press the only button of a block."""
    (action,) = shown.actions
    press = PressRequest(action.data, User(user), 7, (), 1, locale="en")
    press = replace(press, block=shown)
    return await guided.presses()[press.verb](press)


def block_in(reply: PressReply) -> LivingBlock:
    """The block of the reply."""
    assert reply.message
    assert reply.message.living
    return reply.message.living


async def opened(guided: GuidedSessions) -> LivingBlock:
    """Begin a session; the block that shows it."""
    assert await guided.sessions.begin(ME, "plan")
    block = (await give(guided, "session")).living
    assert block
    return block


async def test_session_that_can_begin_is_chosen_by_its_command(guided: GuidedSessions) -> None:
    """The text is the list as before; once one is open, it is shown instead, with the way out."""
    message = await give(guided, "session")
    assert message.text.startswith("Which session shall we begin?\n\n/session ")
    assert message.buttons == ()
    assert message.living
    assert [one.data.partition(":")[2] for one in message.living.actions] == [
        f"session {name}" for name in guided.templates
    ]
    block = await opened(guided)
    assert block.title == "Open session: Daily planning"
    assert (await give(guided, "session")).text == message.text
    other = await give(guided, "review")
    assert other.text.startswith("A session is open: Daily planning.")
    assert [one.text for row in other.buttons for one in row] == ["End the session"]
    assert other.living == block


async def test_way_out_ends_that_session_and_its_block(guided: GuidedSessions) -> None:
    """In its place; a press that comes again says how it ended, and ends nothing else."""
    block = await opened(guided)
    await guided.sessions.keep(ME, {"summary": "Paint."})
    reply = await leave(guided, block)
    ended = block_in(reply)
    assert (reply.notice, ended.title, ended.actions) == ("", CANCELLED, ())
    assert [row.text for row in ended.rows] == ["Daily planning", "Paint."]
    assert reply.message
    assert reply.message.text == CANCELLED
    assert state_of(block, ended) is not None
    again = await opened(guided)
    reply = await leave(guided, block)
    assert (reply.notice, block_in(reply)) == (CANCELLED, ended)
    session = await guided.sessions.active(ME)
    assert session
    assert again.actions[0].data == f"sessionend1:{session.id}"


async def test_session_that_ended_elsewhere_shows_its_end(guided: GuidedSessions) -> None:
    """Completed by the model, or cancelled by the command, whose reply shows it too."""
    block = await opened(guided)
    await guided.sessions.end(ME, "completed")
    reply = await leave(guided, block)
    assert (reply.notice, block_in(reply).title) == ("Daily planning completed",) * 2
    block = await opened(guided)
    message = await give(guided, "cancel")
    assert (message.text, message.buttons) == (CANCELLED, ())
    assert message.living
    assert message.living.title == CANCELLED
    assert block_in(await leave(guided, block)) == message.living
    assert (await give(guided, "cancel")).living is None


async def test_session_of_another_user_is_neither_ended_nor_shown(guided: GuidedSessions) -> None:
    """Also when it is gone: the block has no button any more."""
    block = await opened(guided)
    await guided.sessions.keep(ME, {"summary": "Secret."})
    theirs = replace(block, title="Mine", rows=())
    reply = await leave(guided, replace(theirs), OTHER)
    assert reply.notice == "No session is open."
    assert block_in(reply) == replace(theirs, actions=())
    assert "Secret" not in str(reply)
    assert await guided.sessions.active(ME)
