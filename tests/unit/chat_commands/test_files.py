"""Buttons of the list of files: what they change, and what they answer."""

from dataclasses import replace

import pytest

from rich_agent.chat_commands.files import CHANGE_VERB, FileCommands
from rich_agent.chat_commands.replies import CommandRequest, PressReply, PressRequest
from rich_agent.domain.inventory import Inventory, PartCount
from rich_agent.domain.message import User
from rich_agent.domain.user_files import NewUserFile
from tests.twins.user_files import InMemoryUserFiles

ADA, BOB = 42, 43


async def press(files: InMemoryUserFiles, user_id: int, argument: str) -> PressReply:
    """The reply to a press of a user."""
    request = PressRequest(f"{CHANGE_VERB}:{argument}", User(user_id), locale="en")
    return await FileCommands(files).change(request)


@pytest.mark.parametrize(
    ("choice", "notice"),
    [("keep", "I will remember"), ("drop", "with this conversation"), ("forget", "Forgotten")],
)
async def test_change_says_what_became_of_a_file(choice: str, notice: str) -> None:
    """A file of somebody else, or one that is gone, is as if its button were outdated."""
    files = InMemoryUserFiles()
    stored = await files.store(
        NewUserFile(ADA, "tg:42", "minutes.txt", "text/plain", 5, "hash", "ref", ())
    )
    assert "no longer works" in (await press(files, BOB, f"{choice}:{stored.id}:0")).notice
    assert "no longer works" in (await press(files, ADA, f"{choice}:{stored.id + 1}:0")).notice
    assert notice in (await press(files, ADA, f"{choice}:{stored.id}:0")).notice


async def test_list_says_what_of_a_file_was_not_read() -> None:
    """Below its line, and not below that of a file of which nothing is missing."""
    files = InMemoryUserFiles()
    for name, parts in {"a.pdf": (PartCount("chart", 3, 1),), "b.pdf": ()}.items():
        made = NewUserFile(ADA, "tg:42", name, "application/pdf", 5, name, "ref", ())
        await files.store(replace(made, inventory=Inventory(parts)))
    command = CommandRequest("files", "", User(ADA), "en")
    reply = await FileCommands(files).handlers().commands["files"](command)
    before, _, after = reply.message.text.partition("Not read: 2 charts.")
    assert "a.pdf" in before.splitlines()[-1]
    assert "Not read:" not in after
