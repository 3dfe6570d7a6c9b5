"""Sessions of the page: their cookie, and which requests it may come with.

A browser sends a cookie with requests of other sites too, so a request has to come from the page.
"""

from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from starlette.requests import Request

from rich_agent.domain.tokens.browser_sessions import SESSION, is_secret
from rich_agent.ports.programs.api_tokens import TokenHolder
from rich_agent.ports.programs.browser_sessions import BrowserSessions

_SAFE = frozenset({"GET", "HEAD"})
_ASKED_FOR = frozenset({"same-origin", "none", None})
"""Sec-Fetch-Site of the page and of a person who enters an address; old browsers send none."""


@dataclass(frozen=True, slots=True)
class PageCookies:
    """The cookie under a public address, and whose session it is.

    With https it is bound to the host (`__Host-`), so that no other host can plant one.
    """

    sessions: BrowserSessions
    public_url: str
    lasts: timedelta = timedelta(days=30)

    @property
    def name(self) -> str:
        """The cookie's name."""
        return "__Host-rich_agent" if self.is_secure else "rich_agent"

    @property
    def is_secure(self) -> bool:
        """Whether the page is served over https."""
        return urlsplit(self.public_url).scheme == "https"

    def is_own(self, request: Request) -> bool:
        """Whether the page itself, or a person, makes the request, and not another site.

        What changes something needs the page's origin. Source: Fetch, `Origin` and
        `Sec-Fetch-Site`.
        """
        site = request.headers.get("sec-fetch-site")
        if request.method in _SAFE:
            return site in _ASKED_FOR
        return site in {"same-origin", None} and request.headers.get("origin") == self.origin

    @property
    def origin(self) -> str:
        """The page's origin as browsers write it."""
        parts = urlsplit(self.public_url)
        standard = {"https": 443, "http": 80}[parts.scheme]
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port not in {None, standard} else ""
        return f"{parts.scheme}://{host}{port}"

    def secret_of(self, request: Request) -> str | None:
        """The secret that came with a request of the page."""
        secret = request.cookies.get(self.name, "")
        return secret if is_secret(SESSION, secret) and self.is_own(request) else None

    async def holder(self, secret: str) -> TokenHolder | None:
        """Whose session it is. Raises: DatabaseUnavailableError."""
        return await self.sessions.holder(secret)

    def header(self, secret: str, *, framed: bool = False) -> str:
        """The header that sets the cookie; "" ends it.

        A frame is that of Telegram's web client, a site of its own: only a cookie without SameSite
        gets there. It is `Partitioned`, so no other site that frames or calls us gets it.
        """
        age = int(self.lasts.total_seconds()) if secret else 0
        site = "None; Partitioned" if framed and self.is_secure else "Strict"
        secure = "; Secure" if self.is_secure else ""
        return f"{self.name}={secret}; Max-Age={age}; Path=/; HttpOnly{secure}; SameSite={site}"
