"""Hooks of sources: creates their secrets, and shows each secret once."""

from ingest.app import Ingest
from ingest.source_change import NewHook
from rich_agent.composition.connections import hook_address, make_source_hooks
from rich_agent.documents.source import Source
from rich_agent.domain.secrets import HOOK, make_secret
from rich_agent.errors import SettingsError


async def open_hook(source: Source, ingest: Ingest) -> NewHook:
    """Give a source a new secret for events.

    Raises: SettingsError without a key.
    """
    secret = make_secret(HOOK)
    if not await make_source_hooks(ingest.settings, ingest.databases).save(source.id, secret):
        hint = "Set it as docs/how-to/connect-sources.md shows; secrets are encrypted with it."
        raise SettingsError("CREDENTIALS_KEY", "it is not set", hint=hint)
    address = hook_address(ingest.settings, source.id)
    return NewHook(address, secret, needs_public_url=ingest.settings.web.public_address is None)


async def close_hook(source: Source, ingest: Ingest) -> None:
    """Stop taking events of a source."""
    await make_source_hooks(ingest.settings, ingest.databases).remove(source.id)
