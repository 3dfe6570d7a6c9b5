"""Random secrets with a prefix, by which logs and scanners recognize a secret."""

import re
import secrets

HOOK = "rah_"
"""Prefix of the secret in an address to which a service announces changes of a source."""
_REST = re.compile(r"[A-Za-z0-9_-]{43}")


def make_secret(prefix: str) -> str:
    """A new secret: the prefix, such as "rah_", and 256 random bits."""
    return prefix + secrets.token_urlsafe(32)


def is_secret(prefix: str, text: str) -> bool:
    """Whether a text has the shape of a secret with this prefix."""
    return text.startswith(prefix) and _REST.fullmatch(text, len(prefix)) is not None
