"""Sessions of browsers, and the codes that begin them: their lives, and their secrets."""

from dataclasses import dataclass
from datetime import datetime

CODE_LASTS_S = 300
"""A login code works once, and so long."""
MOST_SESSIONS = 20
"""Sessions of one user; one more ends the oldest."""
LOGIN_CODE, SESSION = "rac_", "ras_"
"""Begin the secrets of login codes and of sessions."""


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """The record of a browser session; its secret is not kept."""

    id: int
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
