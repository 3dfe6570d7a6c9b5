"""The pictures of a conversation: photos that its user sent, and days that the bot drew."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from rich_agent.domain.agenda.day_timeline import DayTimeline
from rich_agent.domain.message import update_of
from rich_agent.domain.text import whole_number
from rich_agent.domain.vision import image_type
from rich_agent.errors import ImageRefusedError, UpstreamError
from rich_agent.ports.images import ImageFiles
from rich_agent.ports.runs import Runs
from rich_agent.runs.files import file_id_of
from rich_agent.web.access import Caller
from rich_agent.web.agui.places import DAY, PICTURE_PATH
from rich_agent.web.languages import locale_of
from rich_agent.web.refusals import RequestRefusedError
from rich_agent.web.routes import GuardedRoute, handled_by

_NOTHING_RUNS = {"Content-Security-Policy": "default-src 'none'; sandbox"}
"""For a browser that opens a picture by itself."""


@dataclass(frozen=True, slots=True)
class PictureEndpoint:
    """Answers with a picture of the caller's own turns. Those of others are not found."""

    runs: Runs
    files: ImageFiles

    def routes(self) -> Sequence[GuardedRoute]:
        """The one route."""
        return (GuardedRoute(PICTURE_PATH, "chat", handled_by(self.answer)),)

    async def answer(self, request: Request, caller: Caller) -> Response:
        """The bytes of a photo as it was sent, or the drawing of a day."""
        request_id, name = (request.path_params[key] for key in ("request_id", "name"))
        if name == DAY:
            data = await self._drawn(request_id, caller, locale_of(request))
        else:
            data = await self._photo(request_id, whole_number(name), caller)
        return Response(data, media_type=_type_of(data), headers=_NOTHING_RUNS)

    async def _drawn(self, request_id: str, caller: Caller, locale: str) -> bytes:
        day = (await self.runs.pictures(caller.user_id, request_id)).day
        if day is None:
            raise _unknown()
        return await asyncio.to_thread(_draw, DayTimeline.from_state(day), locale)

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
        if found := (await self.runs.pictures(caller.user_id, request_id)).photos:
            return found
        number = update_of(request_id)
        run = await self.runs.of_update(number) if number is not None else None
        if run is None or run.user_id != caller.user_id:
            return ()
        return [file_id_of(caller.user_id, image) for image in run.asked.images]


def _draw(day: DayTimeline, locale: str) -> bytes:
    from rich_agent.pictures.day_picture import draw_day  # noqa: PLC0415 - most never draw

    return draw_day(day, locale)


def _type_of(data: bytes) -> str:
    """By its first bytes, whatever its sender called it. Raises: RequestRefusedError."""
    if mime := image_type(data):
        return mime
    raise _unknown()


def _unknown() -> RequestRefusedError:
    return RequestRefusedError(
        404, "unknown_picture", "This picture is not known, or kept no more."
    )
