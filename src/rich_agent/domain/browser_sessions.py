"""Sessions of browsers, and the secrets of sessions, login codes and hooks."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

CODE_LASTS_S = 300
"""A login code works once, and so long."""
MOST_SESSIONS = 20
"""Sessions of one user; one more ends the oldest."""
SecretKind = Literal["rac_", "ras_", "rah_"]
"""How a secret begins, so that scanners and the log can tell one: login codes, sessions, hooks."""
LOGIN_CODE: SecretKind = "rac_"
SESSION: SecretKind = "ras_"
HOOK: SecretKind = "rah_"
_REST = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """The record of a browser session; its secret is not kept."""

    id: int
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime


def make_secret(kind: SecretKind) -> str:
    """A secret of 256 random bits."""
    return kind + secrets.token_urlsafe(32)


def is_secret(kind: SecretKind, text: str) -> bool:
    """Whether a text has the shape of a secret of this kind."""
    return text.startswith(kind) and _REST.fullmatch(text, len(kind)) is not None
