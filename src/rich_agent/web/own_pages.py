"""Tells requests of the bot's own pages from those that other sites make in a browser.

Only this module has the rule. Secrets that browsers send automatically are accepted only with it.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request

_SAFE = frozenset({"GET", "HEAD"})
_ASKED_FOR = frozenset({"same-origin", "none", None})
"""Sec-Fetch-Site of an own page, or of an address that a person enters; old browsers send none."""


@dataclass(frozen=True, slots=True)
class OwnPages:
    """The bot's own pages, below its public address."""

    public_url: str

    @property
    def is_secure(self) -> bool:
        """Whether the pages are served over https."""
        return urlsplit(self.public_url).scheme == "https"

    @property
    def origin(self) -> str:
        """The origin of the pages, as browsers write it."""
        parts = urlsplit(self.public_url)
        usual_port = {"https": 443, "http": 80}[parts.scheme]
        host = parts.hostname or ""
        host = f"[{host}]" if ":" in host else host
        port = f":{parts.port}" if parts.port not in {None, usual_port} else ""
        return f"{parts.scheme}://{host}{port}"

    def ask(self, request: Request) -> bool:
        """Whether an own page or a person makes the request, and not another site.

        Requests that change something need the origin of the pages. Source: Fetch, `Origin` and
        `Sec-Fetch-Site`.
        """
        site = request.headers.get("sec-fetch-site")
        if request.method in _SAFE:
            return site in _ASKED_FOR
        return site in {"same-origin", None} and request.headers.get("origin") == self.origin
