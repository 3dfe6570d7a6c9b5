"""Requests of the bot's own pages, told from those that other sites make in a browser.

This is the one place for the rule: whatever browsers send by themselves opens nothing without it.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request

_SAFE = frozenset({"GET", "HEAD"})
_ASKED_FOR = frozenset({"same-origin", "none", None})
"""Sec-Fetch-Site of a page and of a person who enters an address; old browsers send none."""


@dataclass(frozen=True, slots=True)
class OwnPages:
    """The bot's own pages, below its public address."""

    public_url: str

    @property
    def is_secure(self) -> bool:
        """Whether they are served over https."""
        return urlsplit(self.public_url).scheme == "https"

    @property
    def origin(self) -> str:
        """Their origin as browsers write it."""
        parts = urlsplit(self.public_url)
        standard = {"https": 443, "http": 80}[parts.scheme]
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port not in {None, standard} else ""
        return f"{parts.scheme}://{host}{port}"

    def ask(self, request: Request) -> bool:
        """Whether one of them, or a person, makes the request, and not another site.

        What changes something needs their origin. Source: Fetch, `Origin` and `Sec-Fetch-Site`.
        """
        site = request.headers.get("sec-fetch-site")
        if request.method in _SAFE:
            return site in _ASKED_FOR
        return site in {"same-origin", None} and request.headers.get("origin") == self.origin
