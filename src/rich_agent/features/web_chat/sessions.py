"""Sessions of browsers, and the codes that begin them: their lifetimes, and their secrets."""

from dataclasses import dataclass
from datetime import datetime

CODE_LASTS_S = 300
"""Seconds for which a login code can be used once."""
MOST_SESSIONS = 20
"""Most sessions of one user. A further session ends the oldest."""
LOGIN_CODE, SESSION = "rac_", "ras_"
"""Begin the secrets of login codes and of sessions."""


@dataclass(frozen=True, slots=True)
class SessionOrigin:
    """The sign-in elsewhere from which a browser session comes.

    - `provider`: the address of the provider that vouched for the user.
    - `subject`: the provider's name for the user.
    - `session`: the provider's name for the user's session there, "" if it has none.
    """

    provider: str
    subject: str
    session: str = ""


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """The record of a browser session, without its secret; `provider` as in `SessionOrigin`."""

    id: int
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    provider: str = ""
