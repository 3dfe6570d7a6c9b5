from rich_agent.domain.message import User
from rich_agent.telegram.access import Access
from rich_agent.telegram.commands import Commands, CommandSpec
from rich_agent.telegram.inbound import Command


def command(name: str, first_name: str = "Ada", args: str = "") -> Command:
    """A command of Ada's."""
    return Command(name, args, User(42, first_name), 42, 5)


async def test_commands_start_greets_by_name() -> None:
    """With the name, with a deep link, and without a name."""
    commands = Commands()
    assert (await commands.answer(command("start"), "en")).startswith("Hi Ada!")
    assert (await commands.answer(command("start", args="ref"), "en")).startswith("Hi Ada!")
    assert (await commands.answer(command("start", first_name=" "), "en")).startswith("Hi! ")


async def test_commands_help_lists_every_command() -> None:
    """Also one that was added."""

    async def echo(asked: Command, locale: str) -> str:
        return f"{locale}: {asked.args}"

    commands = Commands(CommandSpec("help-me", echo))
    assert await commands.answer(command("help-me", args="x"), "en") == "en: x"
    text = await Commands().answer(command("help"), "en")
    assert "/start – " in text
    assert "/help – " in text


async def test_commands_speak_japanese() -> None:
    """Every sentence exists twice."""
    commands = Commands()
    assert "さん" in await commands.answer(command("start"), "ja")
    assert "できること" in await commands.answer(command("help"), "ja")


async def test_commands_point_at_help_for_an_unknown_one() -> None:
    """Whatever was typed comes back short."""
    text = await Commands().answer(command("x" * 4000), "en")
    assert "/help" in text
    assert len(text) < 200


def test_access_lets_everybody_in_without_a_list() -> None:
    """The default."""
    assert Access().permits(42)


def test_access_goes_by_the_list_and_lets_admins_in() -> None:
    """Ids that look alike are not the same."""
    access = Access(allowed=frozenset({1}), admins=frozenset({9}))
    assert [access.permits(user) for user in (1, 9, 10, 11)] == [True, True, False, False]
