"""The command `rich-agent errands`."""

import asyncio

import typer

from rich_agent import feature as door
from rich_agent.feature.terminal import out


def add_to(program: typer.Typer, shell: door.Shell) -> None:
    """Add it."""

    @program.command()
    def errands() -> None:
        """Count the errands of all users."""
        asyncio.run(count(shell))


async def count(shell: door.Shell) -> None:
    """Print the number."""
    query = "SELECT count(*) AS count FROM errands"
    async with (
        shell.open_core(door.Settings.load(), read_only=True) as core,
        door.checkout(core.databases.app) as connection,
    ):
        out(f"{(await door.fetch_one(connection, query, ()))['count']} errands")
