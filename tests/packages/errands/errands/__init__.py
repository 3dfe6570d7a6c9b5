"""Errands that the bot runs for its users: each is told to a server, also if the bot was killed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent import feature as door

if TYPE_CHECKING:
    from sqlalchemy import MetaData
    from typer import Typer

HERE = Path(__file__).parent


class ErrandSettings(door.Group):
    """The server that errands are told to."""

    url: door.Url = door.setting("Address that errands are told to.", "http://127.0.0.1:9")


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from errands.tables import metadata

    return metadata


def add_commands(program: "Typer", shell: door.Shell) -> None:
    """Add `rich-agent errands`."""
    from errands.commands import add_to

    add_to(program, shell)


@asynccontextmanager
async def open_errands(core: door.Core) -> AsyncIterator[door.Parts]:
    """Open the tool, the command and the work."""
    import httpx

    from errands.errands import Errand, Errands

    own = core.section(ErrandSettings)
    async with httpx.AsyncClient(base_url=own.url, timeout=60, trust_env=False) as http:
        errands = Errands(core, http)
        run = door.Tool("run_errand", "Runs an errand.", Errand, errands.begin, effect="change")
        yield door.Parts(
            tools=[run],
            commands={"errands": errands.show},
            work={"errands": door.DueWork(errands.run, first_retry_s=1.0)},
        )


feature = door.Feature(
    name="errands",
    open=open_errands,
    menu=(door.MenuEntry("errands"),),
    settings=ErrandSettings,
    locales=HERE / "locales",
    migrations=HERE / "migrations",
    tables=load_tables,
    cli=add_commands,
)
