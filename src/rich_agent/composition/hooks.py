"""The hooks of sources, by which services say that something has changed."""

from functools import partial
from importlib.util import find_spec

from rich_agent.ports.source_hooks import HOOK_PATH
from rich_agent.repositories.database.pools import Pool
from rich_agent.repositories.knowledge.source_hooks import PostgresSourceHooks
from rich_agent.runtime.seals import Seal
from rich_agent.settings.settings import Settings


def make_source_seal(settings: Settings) -> Seal | None:
    """Make the seal of the secrets of sources; None without a key or the library."""
    keys = settings.task_lists.credentials_keys
    return Seal.of(keys) if keys and find_spec("cryptography") else None


def make_source_hooks(settings: Settings, pool: Pool) -> PostgresSourceHooks:
    """Make what reads and writes hooks; without a key, it knows none."""
    return PostgresSourceHooks(pool, partial(make_source_seal, settings))


def hook_address(settings: Settings, source_id: str) -> str:
    """The address at which a service posts events, only its path if the bot knows no public one."""
    return f"{settings.web.public_address or ''}{HOOK_PATH}/{source_id}"
