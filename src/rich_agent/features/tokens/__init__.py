"""Tokens with which other programs ask the bot over HTTP in the name of a user."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from sqlalchemy import MetaData
    from typer import Typer

    from rich_agent.feature import Core, Parts, Settings, Shell

_HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declaration of the table."""
    from rich_agent.features.tokens.tables import metadata

    return metadata


def has_address(settings: "Settings") -> bool:
    """Whether there is a public address, under which programs find the bot."""
    return bool(settings.web.public_address)


def add_commands(program: "Typer", shell: "Shell") -> None:
    """Add `rich-agent tokens`."""
    from rich_agent.features.tokens.commands import make_group

    program.add_typer(make_group(shell), name="tokens")


@asynccontextmanager
async def open_tokens(core: "Core") -> AsyncIterator["Parts"]:
    """Let programs sign in, and make the command."""
    from rich_agent.feature import Parts
    from rich_agent.features.tokens.bearer_tokens import BearerTokens, token_check
    from rich_agent.features.tokens.chat_command import TokenCommand
    from rich_agent.features.tokens.panel import TokensPanel
    from rich_agent.features.tokens.repository import PostgresApiTokens

    tokens = PostgresApiTokens(core.databases.app)
    command = TokenCommand(tokens, core.settings.web.public_address)
    yield Parts(
        commands={"tokens": command.answer},
        presses=command.presses(),
        panels=[TokensPanel(tokens, core.settings.web.public_address).panel()],
        sign_ins=[BearerTokens(tokens)],
        routes=[token_check()],
    )


feature = Feature(
    name="tokens",
    open=open_tokens,
    menu=(MenuEntry("tokens", needs_telegram=True, is_available=has_address),),
    locales=_HERE / "locales",
    migrations=_HERE / "migrations",
    tables=load_tables,
    cli=add_commands,
)
