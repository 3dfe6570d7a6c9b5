from collections.abc import Awaitable, Callable
from dataclasses import replace
from unittest.mock import create_autospec

import pytest

from rich_agent.chat_commands.menu import Menu
from rich_agent.chat_commands.registry import Commands
from rich_agent.chat_commands.replies import CommandRequest, Reply
from rich_agent.domain.access import Access
from rich_agent.domain.message import User
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.bot_api import Button
from rich_agent.runs.elsewhere import Notebook, WrittenCommands

ADA, ROOT = 42, 7


def asked(name: str, user_id: int = ADA, locale: str = "en", args: str = "") -> CommandRequest:
    """A command of Ada's."""
    return CommandRequest(name, args, User(user_id, "Ada"), locale)


async def _echo(given: CommandRequest) -> Reply:
    return Reply.of(f"{given.locale}: {given.args}")


async def _fail(given: CommandRequest) -> Reply:
    raise DatabaseUnavailableError(given.name)


COMMANDS = Commands(
    {"echo": _echo, "fail": _fail},
    for_admins={"rule": _echo},
    access=Access(admins=frozenset({ROOT})),
)


async def said(given: CommandRequest) -> str:
    """The text of the reply."""
    return (await COMMANDS.answer(given)).message.text


async def test_commands_are_answered_by_name() -> None:
    """With the language and what stands behind the name."""
    assert await said(asked("echo", locale="ja", args="x")) == "ja: x"


async def test_commands_point_at_help_for_an_unknown_one() -> None:
    """Whatever was typed comes back short."""
    text = await said(asked("x" * 4000))
    assert "/help" in text
    assert len(text) < 200


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("ehco", "echo"), ("ECHO", "echo"), ("reset", "new"), ("rul", ""), ("settings", "")],
)
async def test_commands_suggest_the_one_that_may_be_meant(typed: str, meant: str) -> None:
    """A misspelt name, or another bot's word; only commands that the asker may give."""
    commands = Commands({"echo": _echo, "new": _echo}, for_admins={"rule": _echo})
    text = (await commands.answer(asked(typed))).message.text
    assert ("Did you mean" in text) == bool(meant)
    assert f"/{meant}" in text


async def test_commands_for_admins_are_refused_to_others() -> None:
    """One sentence; the command itself does not run."""
    assert await said(asked("rule", args="x")) == "This command is for admins only."
    assert await said(asked("rule", ROOT, args="x")) == "en: x"


def taking(lost: list[str], *, is_gone: bool = True) -> Callable[[], Awaitable[bool]]:
    """A function that deletes the message of a command, or cannot."""

    async def take_away() -> bool:
        lost.append("chat")
        return is_gone

    return take_away


def shortening(lost: list[str]) -> Callable[[int, str], Awaitable[None]]:
    """A function that shortens a stored command."""

    async def shorten(update_id: int, name: str) -> None:
        lost.append(f"{name} {update_id}")

    return shorten


async def test_commands_lose_their_secret_before_they_are_answered() -> None:
    """The chat and what is stored; where that is not possible, the user is told."""
    lost: list[str] = []

    async def answer(request: CommandRequest) -> Reply:
        lost.append("answered")
        return Reply.of(request.args, (Button("Go", "go1:1"),))

    menu = Menu(secret=frozenset({"login"}))
    commands = Commands({"login": answer}, menu=menu, shorten=shortening(lost))
    request = replace(asked("login", args="s3cret"), update_id=7)
    for is_gone in (True, False):
        lost.clear()
        reply = await commands.answer(replace(request, take_away=taking(lost, is_gone=is_gone)))
        assert lost == ["chat", "login 7", "answered"]
        assert ("delete it yourself" in reply.message.text) == (not is_gone)
        assert reply.message.buttons
    lost.clear()
    assert "Telegram" in (await commands.answer(request)).message.text
    assert lost == ["login 7"]
    assert (await commands.answer(asked("login"))).message.text == ""


async def test_secret_is_lost_where_no_feature_answers_its_command() -> None:
    """One that did not open; of one that is not loaded nobody knows that it is a secret."""
    lost: list[str] = []
    menu = Menu(secret=frozenset({"login"}))
    commands = Commands({"echo": _echo}, menu=menu, shorten=shortening(lost))
    for name, losses in (("login", ["chat", "login 7"]), ("pair", ["pair 7"]), ("echo", [])):
        lost.clear()
        request = replace(asked(name, args="s3cret"), update_id=7, take_away=taking(lost))
        text = (await commands.answer(request)).message.text
        assert ("/help" in text) == (name != "echo")
        assert list(dict.fromkeys(lost)) == losses


async def test_arguments_of_unknown_commands_are_not_written_down_for_pages() -> None:
    """They may be a password for a feature that is not loaded."""
    lines: list[str] = []

    async def say_line(_thread: str, _user: int, _update: int, line: str, _reply: str) -> None:
        lines.append(line)

    notebook = create_autospec(Notebook, instance=True)
    notebook.say = say_line
    written = WrittenCommands.over(Commands({"echo": _echo}), notebook)
    await written.answer(asked("pair", args="s3cret"))
    await written.answer(asked("echo", args="x"))
    assert lines == ["/pair", "/echo x"]


async def test_commands_say_that_the_database_is_away() -> None:
    """An answer that comes an hour late is of no use."""
    assert "database" in await said(asked("fail"))


def test_menu_describes_every_command_in_both_languages() -> None:
    """Each fits Telegram's limit of 256 characters; only admins see those for admins."""
    for locale in ("en", "ja"):
        shown = dict(Menu().describe(locale, is_admin=True))
        assert all(0 < len(description) <= 256 for description in shown.values())
        assert {"stats", "approvals"} <= shown.keys()
        assert not {"stats", "approvals"} & dict(Menu().describe(locale, is_admin=False)).keys()


def test_access_lets_everybody_in_without_a_list() -> None:
    """The default."""
    assert Access().permits(ADA)


def test_access_goes_by_the_list_and_lets_admins_in() -> None:
    """Ids that look alike are not the same."""
    access = Access(allowed=frozenset({1}), admins=frozenset({9}))
    assert [access.permits(user) for user in (1, 9, 10, 11)] == [True, True, False, False]


def test_access_entry_wins_over_the_settings_but_not_over_an_admin() -> None:
    """The access list holds; nobody can lock an admin out."""
    access = Access(allowed=frozenset({1}), admins=frozenset({9}))
    assert [access.permits(user, entry=True) for user in (1, 9, 10)] == [True, True, True]
    assert [access.permits(user, entry=False) for user in (1, 9, 10)] == [False, True, False]
    assert not Access().permits(ADA, entry=False)
