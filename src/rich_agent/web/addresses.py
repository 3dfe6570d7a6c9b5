"""Addresses of passages in a browser: the web page, or the bot's page for one of a local file."""

from dataclasses import dataclass
from urllib.parse import quote

from rich_agent.domain.answer.links import is_web

PASSAGE_PATH = "/passages/{passage_id}"


@dataclass(frozen=True, slots=True)
class PassageAddresses:
    """The addresses of passages; `public_url` is None where nobody reaches the bot's pages."""

    public_url: str | None

    def of(self, passage_id: str, link: str) -> str:
        """The link if a browser opens it, else the passage's own page; "" if there is none."""
        if is_web(link):
            return link
        if self.public_url is None:
            return ""
        return self.public_url + PASSAGE_PATH.format(passage_id=quote(passage_id, safe=""))
