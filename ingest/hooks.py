"""Hooks of sources: creates their secrets, and shows each secret once."""

from ingest.app import Ingest
from rich_agent.composition.connections import hook_address, make_source_hooks
from rich_agent.documents.source import Source
from rich_agent.domain.secrets import HOOK, make_secret
from rich_agent.errors import SettingsError


async def open_hook(source: Source, ingest: Ingest) -> str:
    """Give a source a new secret for events; return the lines to enter at its service.

    Raises: SettingsError without a key.
    """
    secret = make_secret(HOOK)
    if not await make_source_hooks(ingest.settings, ingest.databases).save(source.id, secret):
        hint = "Set it as docs/how-to/connect-sources.md shows; secrets are encrypted with it."
        raise SettingsError("CREDENTIALS_KEY", "it is not set", hint=hint)
    address = hook_address(ingest.settings, source.id)
    lines = [f"address for events: {address}", f"secret, shown only now: {secret}"]
    if ingest.settings.web.public_address is None:
        lines.append("Put the public address of the bot before it, and set PUBLIC_URL to that.")
    return "\n".join(lines)


async def close_hook(source: Source, ingest: Ingest) -> str:
    """Stop taking events of a source; return a message."""
    await make_source_hooks(ingest.settings, ingest.databases).remove(source.id)
    return f"{source.name}: takes no events"
