"""Commands that connect services, and that set when sources are synced."""

from ingest.app import open_ingest, registration_of
from rich_agent.documents.registry import connecting
from rich_agent.documents.registry.connecting import ConnectionRequest, ConnectionTrial
from rich_agent.documents.registry.registration import ScheduleChange
from rich_agent.documents.registry.source_change import SourceChange


async def connect(request: ConnectionRequest) -> SourceChange:
    """See `connecting.connect`."""
    async with open_ingest() as ingest:
        return await connecting.connect(request, registration_of(ingest))


async def try_out(request: ConnectionRequest) -> ConnectionTrial:
    """See `connecting.try_out`."""
    async with open_ingest() as ingest:
        return await connecting.try_out(request, registration_of(ingest))


async def schedule(word: str, change: ScheduleChange) -> SourceChange:
    """Set the clocks of a source. Raises: SourceError, SettingsError without a key."""
    async with open_ingest() as ingest:
        source = await ingest.sources.find(word)
        return await registration_of(ingest).schedule(source, change)
