"""Secrets that are made here and told once; by its prefix the log and scanners tell one."""

import re
import secrets

HOOK = "rah_"
"""Begins the secret of an address that announces changes of a source."""
_REST = re.compile(r"[A-Za-z0-9_-]{43}")


def make_secret(prefix: str) -> str:
    """A secret of 256 random bits behind the prefix, such as "rah_"."""
    return prefix + secrets.token_urlsafe(32)


def is_secret(prefix: str, text: str) -> bool:
    """Whether a text has the shape of a secret with this prefix."""
    return text.startswith(prefix) and _REST.fullmatch(text, len(prefix)) is not None
