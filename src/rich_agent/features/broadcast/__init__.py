"""Messages of an admin to everybody: /broadcast."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich_agent.feature import Feature, MenuEntry

if TYPE_CHECKING:
    from sqlalchemy import MetaData

    from rich_agent.feature import Core, Parts

_HERE = Path(__file__).parent


def load_tables() -> "MetaData":
    """The declarations of the tables."""
    from rich_agent.features.broadcast.tables import metadata

    return metadata


@asynccontextmanager
async def open_broadcasts(core: "Core") -> AsyncIterator["Parts"]:
    """Make the command, and the due work that sends the copies."""
    from rich_agent.feature import Parts
    from rich_agent.features.broadcast.commands import BroadcastCommand
    from rich_agent.features.broadcast.records import BROADCAST_WORK
    from rich_agent.features.broadcast.repository import Broadcasts
    from rich_agent.features.broadcast.sending import Broadcaster

    broadcasts = Broadcasts(core.databases.app)
    command = BroadcastCommand(core.accounts, broadcasts, core.confirmations, core.access)
    yield Parts(
        commands={"broadcast": command.ask},
        presses=command.presses(),
        work={BROADCAST_WORK: Broadcaster(broadcasts, core.messages).kind},
    )


feature = Feature(
    name="broadcast",
    open=open_broadcasts,
    menu=(MenuEntry("broadcast", for_admins=True),),
    locales=_HERE / "locales",
    migrations=_HERE / "migrations",
    tables=load_tables,
)
