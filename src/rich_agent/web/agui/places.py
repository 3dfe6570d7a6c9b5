"""Addresses of what an answer names and shows, as clients of AG-UI are told them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote

from rich_agent.domain.answer.citation import CitationState
from rich_agent.domain.answer.links import is_web
from rich_agent.web.addresses import PassageAddresses
from rich_agent.web.agui.interrupts import Wire

PICTURE_PATH = "/agui/pictures/{request_id}/{name}"
DAY = "day"
"""The name of the picture of a turn that is drawn; photos are named by their place."""


@dataclass(frozen=True, slots=True)
class PictureAddresses:
    """The addresses where clients fetch pictures; `public_url` is "" where nobody knows it."""

    public_url: str

    def photos(self, request_id: str, count: int) -> list[Wire]:
        """The photos of a turn as parts of its message. Source: AG-UI 1.0, ImageInputPart."""
        return [
            {"type": "image", "source": {"type": "url", "value": self._of(request_id, str(place))}}
            for place in range(count)
        ]

    def day(self, request_id: str, day: str) -> list[Wire]:
        """The picture below an answer, in a list that is empty without one."""
        picture = {"url": self._of(request_id, DAY), "mimeType": "image/png", "day": day}
        return [picture] if day else []

    def _of(self, request_id: str, name: str) -> str:
        path = PICTURE_PATH.format(request_id=quote(request_id, safe=":"), name=name)
        return self.public_url + path


@dataclass(frozen=True, slots=True)
class Places:
    """The addresses where clients open what an answer names and shows."""

    passages: PassageAddresses
    pictures: PictureAddresses

    @classmethod
    def below(cls, public_url: str | None = None) -> Self:
        """The places of a bot that is reached at this address, None where nobody knows it."""
        return cls(PassageAddresses(public_url), PictureAddresses(public_url or ""))

    def sources(self, citations: Iterable[CitationState]) -> list[Wire]:
        """Citations as clients are told of them; `url` is "" if no browser opens the place."""
        return [
            {
                "n": one["number"],
                "kind": one["kind"],
                "url": self._url_of(one),
                "title": one["title"],
                "section": one["section"],
                "chunkId": one["id"],
            }
            for one in citations
        ]

    def _url_of(self, citation: CitationState) -> str:
        link = citation["link"]
        if citation["kind"] == "document":
            return self.passages.of(citation["id"], link)
        return link if is_web(link) else ""
