"""Commands: answered at once, without any model."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rich_agent.domain.text import SUPPORTED_LOCALES, clean_text, shorten
from rich_agent.phrases import say
from rich_agent.telegram.inbound import Command
from rich_agent.telegram_api import TelegramApi

Answer = Callable[[Command, str], Awaitable[str]]
"""Takes a command and the locale; gives the text to be sent."""

_SHOWN_NAME_LENGTH = 32


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """A command; its description is the phrase `command-<name>`."""

    name: str
    answer: Answer


class Commands:
    """The commands that the bot knows, in the order in which they are shown."""

    def __init__(self, *more: CommandSpec) -> None:
        specs = (CommandSpec("start", _start), CommandSpec("help", self._help), *more)
        self._specs: Mapping[str, CommandSpec] = MappingProxyType({s.name: s for s in specs})

    async def answer(self, command: Command, locale: str) -> str:
        """The text with which a command is answered; an unknown one points at /help."""
        spec = self._specs.get(command.name)
        if spec is None:
            name = shorten(f"/{command.name}", _SHOWN_NAME_LENGTH)
            return say(locale, "unknown-command", command=name)
        return await spec.answer(command, locale)

    async def publish(self, api: TelegramApi) -> None:
        """Show the commands in Telegram's menu, in every language that the bot speaks."""
        for locale in SUPPORTED_LOCALES:
            # English is also the list for all languages that have none of their own.
            await api.set_commands(self._described(locale), "" if locale == "en" else locale)

    def _described(self, locale: str) -> list[tuple[str, str]]:
        return [(name, say(locale, f"command-{name}")) for name in self._specs]

    async def _help(self, command: Command, locale: str) -> str:  # noqa: ARG002 - every answer takes both
        lines = (f"/{name} – {description}" for name, description in self._described(locale))
        return say(locale, "help", commands="\n".join(lines))


async def _start(command: Command, locale: str) -> str:
    name = clean_text(command.user.first_name).strip()
    return say(locale, "start-named", name=name) if name else say(locale, "start")
