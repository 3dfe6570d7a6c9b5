"""Addresses over HTTP: those of passages in a browser, and two that may mean the same request.

A passage is opened at its web page, or at the bot's page for one of a local file.
"""

from dataclasses import dataclass
from itertools import zip_longest
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


def paths_meet(one: str, other: str) -> bool:
    """Whether a request may be meant by both paths, which may have parameters in braces."""
    for first, second in zip_longest(one.split("/"), other.split("/")):
        segments = (first or "", second or "")
        if any(segment.endswith(":path}") for segment in segments):
            return True
        if first is None or second is None:
            return False
        if first != second and not any("{" in segment for segment in segments):
            return False
    return True
