"""Makes what encrypts the secrets of other services."""

from importlib.util import find_spec

from rich_agent.runtime.seals import Seal
from rich_agent.settings.settings import Settings


def make_seal(settings: Settings) -> Seal | None:
    """Make it of the keys in CREDENTIALS_KEY; None without one, or without the library."""
    keys = settings.storage.credentials_keys
    return Seal.of(keys) if keys and find_spec("cryptography") else None
