"""Addresses over HTTP: the addresses of passages, and the comparison of route paths.

A passage opens at its web page or, if it is of a local file, at the bot's page for it.
"""

from dataclasses import dataclass
from itertools import zip_longest
from urllib.parse import quote

from rich_agent.domain.answer.links import is_web

PASSAGE_PATH = "/passages/{passage_id}"


@dataclass(frozen=True, slots=True)
class PassageAddresses:
    """The addresses of passages; `public_url` is None if the bot's pages are not reachable."""

    public_url: str | None

    def of(self, passage_id: str, link: str) -> str:
        """The link if a browser can open it, else the passage's own page; "" if there is none."""
        if is_web(link):
            return link
        if self.public_url is None:
            return ""
        return self.public_url + PASSAGE_PATH.format(passage_id=quote(passage_id, safe=""))


def paths_meet(path: str, other_path: str) -> bool:
    """Whether both paths can match the same request; paths may have parameters in braces."""
    for first_segment, other_segment in zip_longest(path.split("/"), other_path.split("/")):
        segments = (first_segment or "", other_segment or "")
        if any(segment.endswith(":path}") for segment in segments):
            return True
        if first_segment is None or other_segment is None:
            return False
        if first_segment != other_segment and not any("{" in segment for segment in segments):
            return False
    return True
