"""Addresses of sources and pictures of an answer, for clients of AG-UI."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rich_agent.feature import drawable
from rich_agent.feature.errors import UpstreamError, UpstreamRefusedError
from rich_agent.feature.living import chart_drawing
from rich_agent.feature.runs import Runs, file_id_of
from rich_agent.feature.surface import (
    Attachment,
    CitationState,
    ImageFiles,
    ImageRefusedError,
    block_of,
    draw,
    has_block,
    image_type,
    is_web,
    update_of,
)
from rich_agent.feature.text import whole_number
from rich_agent.feature.web import (
    Caller,
    GuardedRoute,
    PassageAddresses,
    RequestRefusedError,
    handled_by,
    locale_of,
)
from rich_agent.features.web_chat.agui.interrupts import Wire

PICTURE_PATH = "/agui/pictures/{request_id}/{name}"
"""Path of a picture. Its name is the kind of an attachment, or the position of a photo."""

BLOCK_PATH = f"{PICTURE_PATH}/block"
"""Path of the living block of an attachment, under the name of its kind."""


@dataclass(frozen=True, slots=True)
class PictureAddresses:
    """The addresses where clients fetch pictures. `public_url` is "" if it is unknown."""

    public_url: str

    def photos(self, request_id: str, count: int) -> list[Wire]:
        """The photos of a turn as parts of its message. Source: AG-UI 1.0, ImageInputPart."""
        return [
            {
                "type": "image",
                "source": {"type": "url", "value": self._of(request_id, str(position))},
            }
            for position in range(count)
        ]

    def drawings(self, request_id: str, attachments: Iterable[Attachment]) -> list[Wire]:
        """The pictures for an answer, each with its caption under the name of its kind.

        One with a living block has the address of that, too, or only this.
        """
        return [
            {attachment.kind: attachment.caption}
            | self._picture(request_id, attachment)
            | self._block(request_id, attachment)
            for attachment in attachments
            if drawable([attachment]) or has_block(attachment)
        ]

    def _picture(self, request_id: str, attachment: Attachment) -> Wire:
        if not drawable([attachment]):
            return {}
        return {"url": self._of(request_id, attachment.kind), "mimeType": "image/png"}

    def _block(self, request_id: str, attachment: Attachment) -> Wire:
        if not has_block(attachment):
            return {}
        return {"block": self._of(request_id, attachment.kind, BLOCK_PATH)}

    def _of(self, request_id: str, name: str, template: str = PICTURE_PATH) -> str:
        path = template.format(request_id=quote(request_id, safe=":"), name=name)
        return self.public_url + path


@dataclass(frozen=True, slots=True)
class Places:
    """The addresses where clients open the sources and pictures of an answer."""

    passages: PassageAddresses
    pictures: PictureAddresses

    @classmethod
    def below(cls, public_url: str | None = None) -> Self:
        """The addresses below the bot's public URL, None if it is unknown."""
        return cls(PassageAddresses(public_url), PictureAddresses(public_url or ""))

    def sources(self, citations: Iterable[CitationState]) -> list[Wire]:
        """Citations for clients. `url` is "" if no browser can open the source."""
        return [
            {
                "n": citation["number"],
                "kind": citation["kind"],
                "url": self._url_of(citation),
                "title": citation["title"],
                "section": citation["section"],
                "chunkId": citation["id"],
            }
            for citation in citations
        ]

    def _url_of(self, citation: CitationState) -> str:
        link = citation["link"]
        if citation["kind"] == "document":
            return self.passages.of(citation["id"], link)
        return link if is_web(link) else ""


_NOTHING_RUNS = {"Content-Security-Policy": "default-src 'none'; sandbox"}
"""Headers for a browser that opens a picture as a page."""


@dataclass(frozen=True, slots=True)
class PictureEndpoint:
    """Answers with a picture of the caller's own turns. Pictures of other users are not found."""

    runs: Runs
    files: ImageFiles

    def routes(self) -> Sequence[GuardedRoute]:
        """The routes of pictures, and of blocks."""
        return (
            GuardedRoute(PICTURE_PATH, "chat", handled_by(self.answer)),
            GuardedRoute(BLOCK_PATH, "chat", handled_by(self.answer_block)),
        )

    async def answer(self, request: Request, caller: Caller) -> Response:
        """The bytes of a photo in its original form, or the drawing of an attachment."""
        request_id, name = (request.path_params[key] for key in ("request_id", "name"))
        if name.isdecimal():
            picture = await self._photo(request_id, whole_number(name), caller)
        else:
            picture = await self._drawing(request_id, name, caller, locale_of(request))
        return Response(picture, media_type=_type_of(picture), headers=_NOTHING_RUNS)

    async def answer_block(self, request: Request, caller: Caller) -> Response:
        """The living block of an attachment, with the shapes of its chart as `drawing`."""
        request_id, kind = (request.path_params[key] for key in ("request_id", "name"))
        for attachment in await self._attachments(request_id, kind, caller):
            if block := block_of(attachment, locale_of(request)):
                drawing = chart_drawing(block.chart) if block.chart else None
                return JSONResponse({**block.to_json(), "drawing": drawing})
        raise _unknown()

    async def _attachments(
        self, request_id: str, kind: str, caller: Caller
    ) -> Sequence[Attachment]:
        attachments = (await self.runs.pictures(caller.user_id, request_id)).attachments
        return [candidate for candidate in attachments if candidate.kind == kind]

    async def _drawing(self, request_id: str, kind: str, caller: Caller, locale: str) -> bytes:
        for attachment in drawable(await self._attachments(request_id, kind, caller)):
            try:
                return await draw(attachment, locale)
            except UpstreamRefusedError:
                break
        raise _unknown()

    async def _photo(self, request_id: str, place: int | None, caller: Caller) -> bytes:
        photos = await self._photos(request_id, caller)
        if place is None or place >= len(photos):
            raise _unknown()
        try:
            return await self.files.fetch(photos[place])
        except ImageRefusedError:
            raise _unknown() from None
        except UpstreamError as error:
            raise RequestRefusedError(
                502, "picture_away", "The picture cannot be fetched from Telegram now."
            ) from error

    async def _photos(self, request_id: str, caller: Caller) -> Sequence[str]:
        if photos := (await self.runs.pictures(caller.user_id, request_id)).photos:
            return photos
        update_id = update_of(request_id)
        run = await self.runs.of_update(update_id) if update_id is not None else None
        if run is None or run.user_id != caller.user_id:
            return ()
        if run.is_from_elsewhere:
            return run.asked.images
        return [file_id_of(caller.user_id, image) for image in run.asked.images]


def _type_of(data: bytes) -> str:
    """The media type by the first bytes, not by the sender's type. Raises: RequestRefusedError."""
    if mime := image_type(data):
        return mime
    raise _unknown()


def _unknown() -> RequestRefusedError:
    return RequestRefusedError(
        404, "unknown_picture", "This picture is not known, or kept no more."
    )
